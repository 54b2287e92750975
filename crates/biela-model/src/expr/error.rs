//! What is wrong with an expression, and where in its text.

use crate::error::{listing, nearest, Error};
use crate::source::Span;
use std::fmt;
use std::ops::Range;

/// A fault in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// Bytes of the expression's text at fault.
    pub range: Range<usize>,
    /// Advice, one line each.
    pub notes: Vec<String>,
}

impl ExprError {
    /// A fault at `range`.
    pub fn new(message: impl Into<String>, range: Range<usize>) -> ExprError {
        ExprError { message: message.into(), range, notes: Vec::new() }
    }

    /// Adds advice.
    pub fn note(mut self, note: impl Into<String>) -> ExprError {
        self.notes.push(note.into());
        self
    }

    /// Adds what is allowed and what may have been meant.
    pub(super) fn suggest(self, found: &str, what: &str, allowed: &[&str]) -> ExprError {
        let mut error = self;
        if let Some(near) = nearest(found, allowed) {
            error = error.note(format!("did you mean '{near}'?"));
        }
        match allowed.is_empty() {
            true => error,
            false => error.note(format!("{what}: {}", listing(allowed))),
        }
    }

    /// The library's error, pointing into `text`: the place of the whole expression's text.
    pub fn into_error(self, text: Option<&Span>) -> Error {
        let place = text.map(|span| span.inner(self.range));
        self.notes.into_iter().fold(Error::new(self.message).at_opt(place.as_ref()), Error::note)
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        self.notes.iter().try_for_each(|note| write!(f, "\n  = {note}"))
    }
}

impl std::error::Error for ExprError {}
