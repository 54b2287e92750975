//! Where an element of a model is described, for messages about its values.

use crate::error::Error;
use crate::source::Span;

/// An element's name in messages, where its table stands, and where its keys do.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// Such as `joint 'B'`.
    pub element: String,
    /// The table's header, or the key whose value it is.
    pub span: Option<Span>,
    /// The values of its keys.
    pub keys: Vec<(String, Option<Span>)>,
}

impl Place {
    /// Names the element and, where none is known yet, the place of its table.
    pub fn blame(&self, error: Error) -> Error {
        error.of(self.element.clone()).at_opt(self.span.as_ref())
    }

    /// An error about the element as a whole.
    pub fn error(&self, message: impl Into<String>) -> Error {
        self.blame(Error::new(message))
    }

    /// An error at the value of `key`.
    pub fn wrong_value(&self, key: &str, message: impl Into<String>) -> Error {
        self.blame(Error::new(message).at_opt(self.of_key(key)))
    }

    /// Where the value of `key` stands.
    pub fn of_key(&self, key: &str) -> Option<&Span> {
        self.keys.iter().find(|k| k.0 == key).and_then(|k| k.1.as_ref())
    }
}
