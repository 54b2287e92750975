//! Small makers of document nodes, shared by the importers, and the frame algebra they have in common.

#![allow(non_snake_case)] // Frames are capital letters: X_PF, R_WB (docs/notation.md).

use super::tree::{Node, Table, Value};
use biela_base::source::Span;
use biela_math::{Pose, Rotation, Vec3};
use std::collections::HashSet;

/// What URDF and tables of arms call the entries of an inertia, in the order of [`biela_math::Inertia::NAMES`].
pub(super) const INERTIA: [&str; 6] = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];

/// A list of numbers.
pub(super) fn numbers(values: impl IntoIterator<Item = f64>) -> Node {
    Node::new(Value::List(values.into_iter().map(Node::from).collect()))
}

/// A vector as a list of three.
pub(super) fn vector(v: Vec3) -> Node {
    numbers(v.to_array())
}

/// A list of two.
pub(super) fn pair(first: Node, second: Node) -> Node {
    Node::new(Value::List(vec![first, second]))
}

/// The node, said to stand at `span` together with everything inside it that has no place yet.
pub(super) fn placed(mut node: Node, span: Option<&Span>) -> Node {
    let Some(span) = span else { return node };
    let mut open = vec![&mut node];
    while let Some(node) = open.pop() {
        node.span.get_or_insert_with(|| span.clone());
        match &mut node.value {
            Value::List(list) => open.extend(list.iter_mut()),
            Value::Table(table) => {
                for entry in &mut table.entries {
                    entry.key_span.get_or_insert_with(|| span.clone());
                    open.push(&mut entry.node);
                }
            }
            _ => {}
        }
    }
    node
}

/// Appends a named table; the caller knows that the name is new.
pub(super) fn push(table: &mut Table, key: &str, key_span: Option<&Span>, node: Node) {
    table.entries.push(super::tree::Entry { key: key.to_string(), key_span: key_span.cloned(), node });
}

/// `wish`, lengthened until no element has that name.
pub(super) fn unused(wish: &str, names: &mut HashSet<String>) -> String {
    let mut name = wish.to_string();
    while !names.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// The table as `pose`: `at` and `euler`, each left out where it says nothing.
pub(super) fn pose(X: &Pose) -> Option<Node> {
    let mut table = Table::default();
    if X.origin != Vec3::ZERO {
        table.set("at", vector(X.origin));
    }
    if X.rotation != Rotation::IDENTITY {
        table.set("euler", numbers(X.rotation.euler_parameters().0));
    }
    (!table.entries.is_empty()).then(|| table.into())
}

/// A direction normal to `axis` by which angles about it are measured: x, or y where the axis is near x, made normal.
pub(super) fn reference_normal_to(axis: Vec3) -> Vec3 {
    // cos 25°: beyond this the projection of x would lose digits for no gain.
    const NEAR_X: f64 = 0.9;
    let Some(axis) = axis.unit() else { return Vec3::X };
    let seed = if axis.x.abs() > NEAR_X { Vec3::Y } else { Vec3::X };
    (seed - axis * seed.dot(axis)).unit().unwrap_or(seed)
}

/// Sets `at`, `axis` and `x` of a joint whose frame F stands at `X_PF` in the first body and at `X_CM` in the second, so
/// that the coordinates are zero where the two frames coincide. `axis` is given in the joint frame.
pub(super) fn joint_frames(table: &mut Table, X_PF: &Pose, X_CM: &Pose, axis: Vec3, spans: [Option<&Span>; 2]) {
    let x = reference_normal_to(axis);
    let both = |v: Vec3| pair(vector(tidy(X_PF.rotation.apply(v))), vector(tidy(X_CM.rotation.apply(v))));
    table.set("at", placed(pair(vector(X_PF.origin), vector(X_CM.origin)), spans[0]));
    table.set("axis", placed(both(axis), spans[1]));
    table.set("x", placed(both(x), spans[1]));
}

/// The direction with components that are 0 or ±1 but for rounding made exactly so: a quarter turn written in radians
/// leaves 1e-16 behind, which only clutters the converted file.
fn tidy(v: Vec3) -> Vec3 {
    const ROUNDING: f64 = 1e-15;
    let near = |c: f64| {
        let whole = c.round();
        if whole.abs() <= 1.0 && (c - whole).abs() < ROUNDING {
            whole + 0.0
        } else {
            c
        }
    };
    Vec3::new(near(v.x), near(v.y), near(v.z))
}

/// How tests of the importers look into a document.
#[cfg(test)]
pub(super) mod probe {
    use super::*;

    /// The node under a path of keys and list positions.
    pub fn node<'t>(tree: &'t Table, path: &[&str]) -> &'t Node {
        let mut keys = path.iter();
        let mut node = tree.get(keys.next().expect("a path")).unwrap_or_else(|| panic!("nothing at {path:?}"));
        for key in keys {
            node = match &node.value {
                Value::Table(table) => table.get(key),
                Value::List(list) => key.parse::<usize>().ok().and_then(|k| list.get(k)),
                _ => None,
            }
            .unwrap_or_else(|| panic!("nothing at {path:?}"));
        }
        node
    }

    /// All numbers under a path, in order.
    pub fn flat(tree: &Table, path: &[&str]) -> Vec<f64> {
        fn walk(node: &Node, out: &mut Vec<f64>) {
            match &node.value {
                Value::Number(x) => out.push(*x),
                Value::Integer(k) => out.push(*k as f64),
                Value::List(list) => list.iter().for_each(|n| walk(n, out)),
                other => panic!("not numbers: {other:?}"),
            }
        }
        let mut out = Vec::new();
        walk(node(tree, path), &mut out);
        out
    }

    /// All strings of a string or a list of them.
    pub fn words(tree: &Table, path: &[&str]) -> Vec<String> {
        let word = |node: &Node| match &node.value {
            Value::Text(text) => text.clone(),
            other => panic!("not a string: {other:?}"),
        };
        match node(tree, path) {
            Node { value: Value::List(list), .. } => list.iter().map(word).collect(),
            other => vec![word(other)],
        }
    }

    /// The keys of the table under a path.
    pub fn keys(tree: &Table, path: &[&str]) -> Vec<String> {
        match &node(tree, path).value {
            Value::Table(table) => table.entries.iter().map(|e| e.key.clone()).collect(),
            other => panic!("not a table: {other:?}"),
        }
    }

    #[track_caller]
    pub fn assert_near(found: &[f64], wanted: &[f64], tolerance: f64) {
        let near = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= tolerance);
        assert!(near, "found {found:?}, wanted {wanted:?}");
    }
}
