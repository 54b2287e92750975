//! Tables of the document while they are filled.

use crate::foreign::Element;
use crate::nodes::{placed, push};
use crate::tree::Table;
use biela_base::source::Span;
use std::collections::{HashMap, HashSet};

/// Named elements of each kind, and names that are taken.
#[derive(Default)]
pub(super) struct Tables {
    pub bodies: Table,
    pub joints: Table,
    pub couplings: Table,
    pub forces: Table,
    pub names: HashSet<String>,
    /// What joints are called here, by their full names.
    pub joint_names: HashMap<String, String>,
    /// Coordinates that follow others: the element, the joint, the coordinate.
    pub mimics: Vec<(Element, String, String)>,
}

/// Adds an element with a place.
pub(super) fn add(table: &mut Table, name: &str, span: &Span, keys: Table) {
    push(table, name, Some(span), placed(keys.into(), Some(span)));
}
