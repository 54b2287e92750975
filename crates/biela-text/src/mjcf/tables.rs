//! Tables of the document while they are filled.

use crate::nodes::{placed, push};
use crate::tree::Table;
use biela_base::source::Span;
use std::collections::HashSet;

/// Named elements of each kind, and names that are taken.
#[derive(Default)]
pub(super) struct Tables {
    pub parameters: Table,
    pub bodies: Table,
    pub joints: Table,
    pub couplings: Table,
    pub forces: Table,
    pub rotors: Table,
    pub names: HashSet<String>,
}

/// Adds an element with a place.
pub(super) fn add(table: &mut Table, name: &str, span: &Span, keys: Table) {
    push(table, name, Some(span), placed(keys.into(), Some(span)));
}
