//! The scene as SVG text.

use super::scene::{Anchor, Colour, Item, Scene, Stroke, Text};
use biela_results::markup::escaped;
use biela_results::trimmed;
use std::fmt::Write;

/// Text of an SVG file.
pub(super) fn draw(scene: &Scene) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n"
    );
    let (texts, lines): (Vec<&Item>, Vec<&Item>) = scene.items.iter().partition(|item| matches!(item, Item::Text(_)));
    for item in lines {
        line(&mut out, item);
    }
    out.push_str("</g>\n");
    for item in texts {
        if let Item::Text(text) = item {
            text_element(&mut out, text);
        }
    }
    out.push_str("</svg>\n");
    out
}

// Writing to a String cannot fail, so the results of write! are dropped below.
fn line(out: &mut String, item: &Item) {
    match item {
        Item::Polyline { points, stroke } => {
            out.push_str("<path d=\"");
            for (k, (x, y)) in points.iter().enumerate() {
                let _ = write!(out, "{}{} {}", if k == 0 { 'M' } else { 'L' }, number(*x), number(*y));
            }
            let _ = writeln!(out, "\"{}/>", stroked(stroke));
        }
        Item::Line { from, to, stroke } => {
            let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
            let _ = writeln!(out, "<path d=\"M{x1} {y1}L{x2} {y2}\"{}/>", stroked(stroke));
        }
        Item::Rect { corner, width, height, stroke } => {
            let [x, y, w, h] = [corner.0, corner.1, *width, *height].map(number);
            let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{}/>", stroked(stroke));
        }
        Item::Text(_) => {}
    }
}

fn stroked(stroke: &Stroke) -> String {
    let mut out = format!(" stroke=\"{}\" stroke-width=\"{}\"", hex(stroke.colour), number(stroke.width));
    if !stroke.dash.is_empty() {
        let lengths: Vec<String> = stroke.dash.iter().map(|length| number(*length)).collect();
        // Round ends would close the gaps.
        let _ = write!(out, " stroke-dasharray=\"{}\" stroke-linecap=\"butt\"", lengths.join(" "));
    }
    out
}

fn text_element(out: &mut String, text: &Text) {
    let (x, y) = (number(text.at.0), number(text.at.1));
    let turn = if text.upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let (size, colour) = (number(text.size), hex(text.colour));
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\"{anchor}{turn}>{}</text>",
        in_line(&text.text)
    );
}

fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A length to a hundredth, which no eye sees.
fn number(value: f64) -> String {
    match trimmed(&format!("{value:.2}")) {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// A text in one line that XML takes; what XML forbids becomes the mark for it.
fn in_line(text: &str) -> String {
    let allowed = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
        c => c,
    };
    escaped(&text.chars().map(allowed).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_text() {
        assert_eq!(in_line("<script>&\"\u{0}\n"), "&lt;script&gt;&amp;&quot;\u{fffd} ");
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([number(-0.001), number(1.5), number(100.0), number(2.0 / 3.0)], ["0", "1.5", "100", "0.67"]);
    }
}
