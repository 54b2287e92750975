//! Models of plane machines written for space, written for the plane.

use biela::text::tree::{Node, Table, Value};
use biela::text::Document;

/// The same machine as a planar model; `None` where something in it leaves the plane z = 0.
pub fn flat(document: &Document) -> Option<Document> {
    let mut tree = Table::default();
    tree.set("planar", true);
    for entry in &document.tree.entries {
        let node = match (entry.key.as_str(), &entry.node.value) {
            // What is written for the plane has no other way.
            ("arm" | "planar", _) => return None,
            ("gravity", _) => flat_node(&entry.node)?,
            ("bodies" | "joints" | "forces" | "drivers" | "rotors", Value::Table(elements)) => {
                let mut flattened = Table::default();
                for element in &elements.entries {
                    let Value::Table(table) = &element.node.value else { return None };
                    flattened.set(element.key.as_str(), flat_table(table)?);
                }
                flattened.into()
            }
            _ => entry.node.clone(),
        };
        tree.set(entry.key.as_str(), node);
    }
    Some(Document { tree, ..document.clone() })
}

fn flat_table(table: &Table) -> Option<Table> {
    let word = |key: &str| match table.get(key).map(|n| &n.value) {
        Some(Value::Text(word)) => word.as_str(),
        _ => "",
    };
    if matches!(word("type"), "spherical" | "universal" | "cylindrical" | "screw") {
        return None;
    }
    let mut flattened = Table::default();
    for entry in &table.entries {
        let node = &entry.node;
        match (entry.key.as_str(), &node.value) {
            // z goes without saying, and −z turns the other way.
            ("axis", _) if is_normal(node) => {}
            ("axis", Value::List(pair)) if pair.len() == 2 && pair.iter().all(is_normal) => {}
            ("rpy", Value::List(turns)) if turns.len() == 3 && turns[..2].iter().all(is_zero) => {
                flattened.set("angle", turns[2].clone());
            }
            // In the plane an axis says by itself what is normal to it.
            ("x", _) if word("type") == "prismatic" => {}
            ("inertia", Value::List(moments)) => flattened.set("inertia", moments.get(2)?.clone()),
            ("type" | "mass" | "size" | "bodies" | "joint" | "joints" | "unphysical", _) => {
                flattened.set(entry.key.as_str(), node.clone());
            }
            (key, Value::Table(inner)) => flattened.set(key, flat_table(inner)?),
            (key, _) => flattened.set(key, flat_node(node)?),
        }
    }
    Some(flattened)
}

fn is_zero(node: &Node) -> bool {
    matches!(&node.value, Value::Integer(0)) || matches!(&node.value, Value::Number(x) if *x == 0.0)
}

fn is_normal(node: &Node) -> bool {
    match &node.value {
        Value::Text(word) => word == "z",
        Value::List(list) => {
            let one = matches!(list.get(2).map(|n| &n.value), Some(Value::Integer(1)));
            list.len() == 3 && is_zero(&list[0]) && is_zero(&list[1]) && one
        }
        _ => false,
    }
}

/// Vectors without their third component, which is zero; anything else as it is.
fn flat_node(node: &Node) -> Option<Node> {
    let Value::List(list) = &node.value else { return Some(node.clone()) };
    match list.as_slice() {
        [_, _, third] if !list.iter().any(|n| matches!(n.value, Value::List(_))) => {
            is_zero(third).then(|| Node::new(Value::List(list[..2].to_vec())))
        }
        _ => Some(Node::new(Value::List(list.iter().map(flat_node).collect::<Option<_>>()?))),
    }
}
