//! Texts as HTML and XML take them.

/// A text with the marks of HTML and XML escaped.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
