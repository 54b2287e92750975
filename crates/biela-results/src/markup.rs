//! Texts as HTML and XML take them.

use biela_base::error::is_plain;

/// A text with the marks of HTML and XML escaped; what is not seen or turns the sense of reading becomes U+FFFD.
pub fn escaped(text: &str) -> String {
    let text = text.replace(|c: char| !is_plain(c) && !"\n\t".contains(c), "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn marks_and_turned_text_are_escaped() {
        assert_eq!(
            super::escaped("a<b> & \"c\"\u{202e}d\u{1b}\n"),
            "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}d\u{fffd}\n"
        );
    }
}
