//! What an importer hands over: the document tree, and what of the foreign text it could not use.

use super::tree::Table;

/// A foreign model in the vocabulary of the model file.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The document, as the same model would be written in TOML.
    pub tree: Table,
    /// What was read and is not used, one line each, with file and line.
    pub warnings: Vec<String>,
}
