//! What an importer hands over: the document tree, and what of the foreign text it could not use.

use super::tree::Table;
use biela_base::error::clean;
use biela_base::source::Span;
use std::collections::HashMap;

/// A foreign model in the vocabulary of the model file.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The document, as the same model would be written in TOML.
    pub tree: Table,
    /// What was read and is not used, one line each, with file and line.
    pub warnings: Vec<String>,
}

/// Warnings in the order of their first place; a message that comes again is only counted.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    list: Vec<Warning>,
    by_message: HashMap<String, usize>,
}

#[derive(Debug)]
struct Warning {
    message: String,
    first: Span,
    count: usize,
}

impl Warnings {
    pub(super) fn add(&mut self, span: &Span, message: impl Into<String>) {
        let message = clean(message.into());
        match self.by_message.get(&message).and_then(|&k| self.list.get_mut(k)) {
            Some(warning) => warning.count += 1,
            None => {
                self.by_message.insert(message.clone(), self.list.len());
                self.list.push(Warning { message, first: span.clone(), count: 1 });
            }
        }
    }

    pub(super) fn finish(self) -> Vec<String> {
        let line = |w: Warning| match w.count {
            1 => format!("{}: {}", w.first.place(), w.message),
            n => format!("{}: {} (and {} more)", w.first.place(), w.message, n - 1),
        };
        self.list.into_iter().map(line).collect()
    }
}
