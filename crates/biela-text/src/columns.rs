//! Lines of a text cut into words, each with its place; quotes keep a word together.

use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use std::sync::Arc;

/// One word of a line.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub text: String,
    pub span: Span,
    /// Stood in quotes, so it is text even where it looks like a number.
    pub quoted: bool,
}

/// How words are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// Any run of white space.
    Space,
    /// This character; words are trimmed and may be empty.
    Character(char),
}

/// The lines of a text with the byte each begins at.
pub(super) fn lines(source: &Arc<Source>) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    source.text.split_inclusive('\n').map(move |line| {
        let begin = start;
        start += line.len();
        (begin, line.trim_end_matches(['\n', '\r']))
    })
}

/// Cuts a line, which begins at byte `start`, into words. Text after `comment` outside quotes is left out.
pub(super) fn words(
    source: &Arc<Source>,
    (start, line): (usize, &str),
    separator: Separator,
    comment: &[char],
) -> Result<Vec<Word>> {
    let mut words = Vec::new();
    let mut begin = None;
    let mut quote: Option<(usize, char)> = None;
    let mut end_of_text = line.len();
    let push = |from: usize, to: usize, words: &mut Vec<Word>| {
        let raw = line.get(from..to).unwrap_or("");
        let text = raw.trim();
        let lead = raw.len() - raw.trim_start().len();
        let inner = ['"', '\''].iter().find_map(|&q| text.strip_prefix(q).and_then(|t| t.strip_suffix(q)));
        let range = start + from + lead..start + from + lead + text.len();
        words.push(Word {
            text: inner.unwrap_or(text).trim().to_string(),
            span: Span::new(source, range),
            quoted: inner.is_some(),
        });
    };
    if separator != Separator::Space {
        begin = Some(0);
    }
    for (k, c) in line.char_indices() {
        if let Some((_, q)) = quote {
            if c == q {
                quote = None;
            }
            continue;
        }
        if comment.contains(&c) {
            end_of_text = k;
            break;
        }
        match separator {
            Separator::Space if c.is_whitespace() => {
                if let Some(from) = begin.take() {
                    push(from, k, &mut words);
                }
                continue;
            }
            Separator::Character(s) if c == s => {
                push(begin.unwrap_or(0), k, &mut words);
                begin = Some(k + c.len_utf8());
                continue;
            }
            _ => {}
        }
        if c == '"' || c == '\'' {
            quote = Some((k, c));
        }
        begin.get_or_insert(k);
    }
    if let Some((k, q)) = quote {
        let span = Span::new(source, start + k..start + line.len());
        return Err(Error::new(format!("the quote {q} is not closed on this line")).at(&span));
    }
    if let Some(from) = begin {
        push(from, end_of_text, &mut words);
    }
    Ok(words)
}

impl Word {
    /// The word as a finite number.
    pub fn number(&self) -> Result<f64> {
        match self.text.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) => Err(Error::new(format!("'{}' is not a finite number", self.text)).at(&self.span)),
            Err(_) => {
                let error = Error::new(format!("'{}' is not a number", self.text)).at(&self.span);
                Err(if self.text.contains(',') { error.note("write decimals with a point: 0.5") } else { error })
            }
        }
    }

    /// The word as a whole number from 0 on.
    pub fn count(&self) -> Result<usize> {
        let x = self.number()?;
        // Counts beyond this are slips of the pen, and would exhaust memory.
        const MOST: f64 = 1e7;
        if x < 0.0 || x.fract() != 0.0 || x > MOST {
            return Err(Error::new(format!("'{}' is not a whole number from 0 to {MOST}", self.text)).at(&self.span));
        }
        Ok(x as usize)
    }
}
