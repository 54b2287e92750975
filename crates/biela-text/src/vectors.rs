//! Vectors and directions out of nodes: three components, or in a planar model the two that lie in the plane.

use super::context::Context;
use super::tree::{Node, Value};
use super::values::{describe, quantities, wrong};
use biela_base::error::{Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::{Direction, Quantity, Vector};
use biela_math::Vec3;

/// A vector of the wanted dimension: three components, or in a planar model the two that lie in the plane. This is the one place where
/// two become three.
pub(super) fn vector(node: &Node, what: &str, wanted: Option<Dimension>, context: &Context) -> Result<Vector> {
    if !context.is_planar() {
        return quantities::<3>(node, what, wanted, context);
    }
    match &node.value {
        Value::List(list) if list.len() != 2 => Err(not_plane(node, what, list.len())),
        _ => {
            let [x, y] = quantities::<2>(node, what, wanted, context)?;
            Ok([x, y, Quantity::Number(0.0)])
        }
    }
}

/// The error for a list that is no vector of a planar model.
pub(super) fn not_plane(node: &Node, what: &str, entries: usize) -> Error {
    let plural = if entries == 1 { "entry" } else { "entries" };
    let error = wrong(node, format!("{what} is [x, y] in a planar model; this list has {entries} {plural}"));
    match entries {
        3 => error.note(
            "planar = true says that nothing leaves the plane z = 0: leave the third entry out, or planar = true",
        ),
        _ => error,
    }
}

/// A direction: a vector, or `"x"`, `"-y"`…
pub(super) fn direction(node: &Node, what: &str, context: &Context) -> Result<Direction> {
    let components = match &node.value {
        Value::Text(name) if context.is_planar() => {
            let axis = named_axis(name).filter(|axis| axis.z == 0.0).ok_or_else(|| {
                let message =
                    format!("{what} is [x, y] or one of x, y, -x, -y in a planar model, not {}", describe(node));
                wrong(node, message)
            })?;
            axis.to_array().map(Quantity::Number)
        }
        Value::Text(name) => {
            let axis = named_axis(name).ok_or_else(|| {
                wrong(node, format!("{what} is a vector or one of x, y, z, -x, -y, -z, not {}", describe(node)))
            })?;
            axis.to_array().map(Quantity::Number)
        }
        Value::List(_) => vector(node, what, None, context)?,
        _ => {
            let example = context.form("[0, 0, 1]", "[1, 0]");
            return Err(wrong(node, format!("{what} is a vector such as {example}, not {}", describe(node))));
        }
    };
    Ok(Direction { components, what: what.to_string(), span: node.span.clone() })
}

/// The axis that `"x"`, `"-y"`, `"+z"` name.
pub(super) fn named_axis(name: &str) -> Option<Vec3> {
    let (sign, letter) = match name.trim().strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, name.trim().strip_prefix('+').unwrap_or(name.trim())),
    };
    let axis = match letter {
        "x" | "X" => Vec3::X,
        "y" | "Y" => Vec3::Y,
        "z" | "Z" => Vec3::Z,
        _ => return None,
    };
    // Adding zero makes −0 plain 0.
    Some(Vec3::new(axis.x * sign + 0.0, axis.y * sign + 0.0, axis.z * sign + 0.0))
}
