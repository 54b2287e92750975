//! What a failure is, apart from its numbers: failures of one class count as one in the report of many runs.

use crate::error::{Error, ErrorKind};
use crate::reason::Reason;
use std::fmt;

/// The class of an error: its kind, why, which element, and the place in the text. Times, residuals and values are not part of it.
///
/// As a text, for tables that are read again: `kind/reason/line:column/element`, with nothing where a part is not known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FailureClass {
    /// What sort of fault it is.
    pub kind: ErrorKind,
    /// Why, where the error says it.
    pub reason: Option<Reason>,
    /// Line and column of the text at fault: what tells errors about values apart.
    pub place: Option<(usize, usize)>,
    /// The element, such as `joint 'B'`.
    pub element: Option<String>,
}

impl FailureClass {
    /// The class of an error.
    pub fn of(error: &Error) -> FailureClass {
        FailureClass {
            kind: error.kind(),
            reason: error.reason(),
            place: error.span().map(|span| span.line_column()),
            element: error.element().map(str::to_string),
        }
    }

    /// Reads what `Display` has written.
    pub fn parse(text: &str) -> Option<FailureClass> {
        fn named<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
            list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
        }
        /// Nothing for an empty part, and none at all for one that cannot be read.
        fn part<T>(text: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
            match text {
                "" => Some(None),
                text => read(text).map(Some),
            }
        }
        // The element comes last, since its name may hold anything.
        let mut parts = text.splitn(4, '/');
        let mut next = || parts.next();
        let place = |text: &str| text.split_once(':').and_then(|(l, c)| Some((l.parse().ok()?, c.parse().ok()?)));
        Some(FailureClass {
            kind: named(&ErrorKind::ALL, next()?)?,
            reason: part(next()?, |word| named(&Reason::ALL, word))?,
            place: part(next()?, place)?,
            element: part(next()?, |name| Some(name.to_string()))?,
        })
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/", self.kind.word(), self.reason.map_or("", Reason::word))?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}")?;
        }
        write!(f, "/{}", self.element.as_deref().unwrap_or(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Span};

    #[test]
    fn numbers_are_no_part_of_a_class_and_names_are() {
        let open = |joint: &str, gap: f64, t: f64| {
            let error = ErrorKind::Assembly.error(format!("open by {gap} m at t = {t} s")).because(Reason::LoopsOpen);
            FailureClass::of(&error.of(format!("joint '{joint}'")).at_time(t).with_residual(gap))
        };
        assert_eq!(open("B1", 1.5e-3, 0.25), open("B1", 7.0, 12.125));
        assert_ne!(open("B1", 1.0, 1.0), open("B2", 1.0, 1.0));
        // The same words for another reason are another class.
        let of = |reason| FailureClass::of(&ErrorKind::Assembly.error("x").because(reason));
        assert_ne!(of(Reason::LoopsOpen), of(Reason::Reversed));
    }

    #[test]
    fn a_class_reads_back_from_its_text() {
        let source = Source::new("a.toml", "a = 1\nlength = 0\n");
        for (_, kind) in ErrorKind::ALL {
            for reason in [None].into_iter().chain(Reason::ALL.map(|(_, reason)| Some(reason))) {
                for element in ["", "joint 'a/b:c'", "body 'é'"] {
                    let mut error = kind.error("0.5 m");
                    if let Some(reason) = reason {
                        error = error.because(reason);
                    }
                    if !element.is_empty() {
                        error = error.of(element).at(&Span::new(&source, 15..16));
                    }
                    let class = FailureClass::of(&error);
                    assert_eq!(FailureClass::parse(&class.to_string()), Some(class));
                }
            }
        }
        for text in ["", "input", "input/x//", "input//3/", "nothing///", "input//"] {
            assert_eq!(FailureClass::parse(text), None, "{text}");
        }
    }

    #[test]
    fn words_of_reasons_differ() {
        for (k, (word, reason)) in Reason::ALL.iter().enumerate() {
            assert_eq!(reason.word(), *word);
            assert!(Reason::ALL[..k].iter().all(|(other, _)| other != word), "{word}");
        }
    }
}
