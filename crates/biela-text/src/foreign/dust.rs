//! What other programs print of their rounding: numbers such as 3e-109, which are 0 here.

use crate::tree::{Node, Table, Value};

/// Below this nothing can be computed with; above it every quantity of a machine.
const DUST: f64 = 1e-100;

/// Makes numbers that are smaller than any quantity, as read or as products of what was read, 0. Trees of documents are a few levels deep.
pub(crate) fn swept(mut tree: Table) -> Table {
    tree.entries.iter_mut().for_each(|entry| sweep(&mut entry.node));
    tree
}

fn sweep(node: &mut Node) {
    match &mut node.value {
        Value::Number(x) if x.abs() < DUST => *x = 0.0,
        Value::List(list) => list.iter_mut().for_each(sweep),
        Value::Table(table) => table.entries.iter_mut().for_each(|entry| sweep(&mut entry.node)),
        _ => {}
    }
}
