//! What a foreign file leaves in doubt, as one short list: each kind once, with a count and its first place.

use biela_base::error::{clean, Error, Result};
use biela_base::source::Span;
use std::collections::HashMap;

/// Doubtful things in the order of their first place.
#[derive(Debug, Default)]
pub(crate) struct Told {
    strict: bool,
    list: Vec<Line>,
    by_kind: HashMap<String, usize>,
}

#[derive(Debug)]
struct Line {
    kind: String,
    element: Option<String>,
    first: Option<Span>,
    count: usize,
}

impl Told {
    /// A list that is still empty; where reading is strict the first doubt is an error.
    pub fn new(strict: bool) -> Told {
        Told { strict, ..Told::default() }
    }

    /// Something doubtful that has a meaning all the same: the error where reading is strict, else a line that says `instead`, what it is read as.
    /// The message is the kind, so names of elements belong into [`Error::of`].
    pub fn doubt(&mut self, error: Error, instead: &str) -> Result<()> {
        if self.strict {
            return Err(error);
        }
        let kind = format!("{}: {instead}", error.message());
        self.line(kind, error.element().map(str::to_string), error.span().cloned());
        Ok(())
    }

    /// Something known that is not used, never an error.
    pub fn unused(&mut self, span: &Span, message: impl Into<String>) {
        self.line(clean(message.into()), None, Some(span.clone()));
    }

    fn line(&mut self, kind: String, element: Option<String>, first: Option<Span>) {
        match self.by_kind.get(&kind).and_then(|&k| self.list.get_mut(k)) {
            Some(line) => line.count += 1,
            None => {
                self.by_kind.insert(kind.clone(), self.list.len());
                self.list.push(Line { kind, element, first, count: 1 });
            }
        }
    }

    /// The lines, one for each kind.
    pub fn finish(self) -> Vec<String> {
        let line = |line: Line| {
            let place = line.first.map_or(String::new(), |span| format!("{}: ", span.place()));
            let element = line.element.map_or(String::new(), |element| format!("{element}: "));
            let more = if line.count > 1 { format!(" (and {} more)", line.count - 1) } else { String::new() };
            format!("{place}{element}{}{more}", line.kind)
        };
        self.list.into_iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_base::source::Source;

    #[test]
    fn a_kind_is_told_once_with_its_count_and_strictly_it_is_an_error() {
        let source = Source::new("a.urdf", "one\ntwo");
        let doubt = |start: usize, name: &str| {
            Error::new("the mass is 0").of(format!("link '{name}'")).at(&Span::new(&source, start..start + 1))
        };
        let mut told = Told::new(false);
        told.doubt(doubt(4, "a"), "taken as massless").unwrap();
        told.doubt(doubt(0, "b"), "taken as massless").unwrap();
        told.unused(&Span::new(&source, 0..1), "<sensor> is not used");
        assert_eq!(
            told.finish(),
            ["a.urdf:2: link 'a': the mass is 0: taken as massless (and 1 more)", "a.urdf:1: <sensor> is not used"]
        );
        let error = Told::new(true).doubt(doubt(0, "a"), "taken as massless").unwrap_err();
        assert_eq!(error.message(), "the mass is 0");
    }
}
