//! Tables of the document while they are filled.

use crate::nodes::{placed, push, vector};
use crate::tree::Table;
use biela_base::source::Span;
use biela_math::Vec3;
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

/// A rotor on the ground that turns as coordinates do: it adds to their own inertia and to nothing else.
pub(super) fn grounded_rotor(inertia: f64, angle: String) -> Table {
    let mut keys = Table::default();
    keys.set("body", "ground");
    keys.set("axis", vector(Vec3::Z));
    keys.set("at", vector(Vec3::ZERO));
    keys.set("inertia", inertia);
    keys.set("angle", angle);
    keys
}

/// Adds an element with a place.
pub(super) fn add(table: &mut Table, name: &str, span: &Span, keys: Table) {
    push(table, name, Some(span), placed(keys.into(), Some(span)));
}
