//! A text that came from outside (a model file, a URDF, a table), kept so that messages can quote it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A text and the name under which the user knows it. Shared by every span cut from it.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// File name as the user gave it, or a description such as `--set crank`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// Wraps a text under a name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Source> {
        Arc::new(Source { name: name.into(), text: text.into() })
    }
}

/// Whether a character may be shown as it is: not one that moves a terminal's cursor, turns the sense of reading or is not seen, so
/// that what is read is not what is written.
pub fn is_plain(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The text with all that is not plain, lines apart, written out: `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    let kept = |c: char| is_plain(c) || c == '\n';
    if text.chars().all(kept) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if kept(c) { c.to_string() } else { c.escape_default().to_string() }).collect())
}

/// A byte range of a [`Source`]. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text this span points into.
    pub source: Arc<Source>,
    /// Bytes of that text.
    pub range: Range<usize>,
}

impl Span {
    /// A span over `range` of `source`.
    pub fn new(source: &Arc<Source>, range: Range<usize>) -> Span {
        Span { source: source.clone(), range }
    }

    /// Part of this span, given by offsets from its start; clipped to the span's own end.
    pub fn inner(&self, range: Range<usize>) -> Span {
        let clip = |k: usize| (self.range.start + k).min(self.range.end);
        Span { source: self.source.clone(), range: clip(range.start)..clip(range.end) }
    }

    /// Line and column, both from 1; the column counts characters.
    pub fn line_column(&self) -> (usize, usize) {
        let text = &self.source.text;
        let start = floor_char_boundary(text, self.range.start);
        let before = &text[..start];
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |k| k + 1);
        (line, before[line_start..].chars().count() + 1)
    }

    /// `file:line`, as messages name a place.
    pub fn place(&self) -> String {
        let name: String = self.source.name.chars().map(|c| if is_plain(c) { c } else { ' ' }).collect();
        // A name may be an option with all that was given to it.
        const LONGEST: usize = 300;
        let shown: String = match name.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{}…", &name[..cut]),
            None => name,
        };
        format!("{shown}:{}", self.line_column().0)
    }

    /// The quoted line with carets under the span. Long lines are cut around the span.
    pub fn snippet(&self) -> String {
        const WIDTH: usize = 110;
        let text = &self.source.text;
        let start = floor_char_boundary(text, self.range.start);
        let end = floor_char_boundary(text, self.range.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |k| k + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |k| start + k);
        let line: Vec<char> = text[line_start..line_end].chars().map(|c| if is_plain(c) { c } else { ' ' }).collect();
        let first = text[line_start..start].chars().count();
        let count = text[start..end.min(line_end)].chars().count().max(1);
        let cut = if first + count.min(WIDTH / 2) > WIDTH { first - WIDTH / 3 } else { 0 };
        let shown: String = line.iter().skip(cut).take(WIDTH).collect();
        let carets = count.min(WIDTH.saturating_sub(first - cut)).max(1);
        let (number, _) = self.line_column();
        let gutter = " ".repeat(number.to_string().len());
        format!(
            "{gutter} |\n{number} | {}\n{gutter} | {}{}",
            shown.trim_end(),
            " ".repeat(first - cut),
            "^".repeat(carets)
        )
    }
}

fn floor_char_boundary(text: &str, mut k: usize) -> usize {
    k = k.min(text.len());
    while !text.is_char_boundary(k) {
        k -= 1;
    }
    k
}
