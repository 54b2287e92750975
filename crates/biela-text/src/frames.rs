//! `at`, `axis` and other directions of a joint: given once in the drawing, or once for each body.

use super::at;
use super::bodies::Bodies;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{self, describe, wrong};
use super::vectors;
use biela_base::error::Result;
use biela_base::units::Dimension;
use biela_core::blueprint::{At, Direction, Given};

/// `at`: a pair of points or vectors, or one vector of the drawing.
pub(super) fn read_at(reader: &Reader, bodies: &Bodies, pair: [usize; 2]) -> Result<Option<At>> {
    let Some(node) = reader.get("at") else { return Ok(None) };
    if reader.context.is_planar() && matches!(node.value, Value::List(_)) {
        return at::read(reader, node, bodies, pair).map(Some);
    }
    const FORM: &str = "'at' is a pair, one point per body, such as [\"A\", [0, 0, 0]], or one vector of the drawing";
    match &node.value {
        Value::List(list) if list.len() == 2 => {
            if list.iter().all(|n| matches!(n.value, Value::Integer(_) | Value::Number(_))) {
                let error = reader.blame(wrong(node, "a vector has three components; this one has 2")).note(FORM);
                return Err(error.note(values::PLANE_DRAWING));
            }
            let first = bodies.point(reader, "the first point of 'at'", &list[0], pair[0])?;
            let second = bodies.point(reader, "the second point of 'at'", &list[1], pair[1])?;
            Ok(Some(At::Points([first, second])))
        }
        Value::List(list) if list.len() == 3 && !list.iter().any(is_list) => {
            let what = "'at'";
            let p = vectors::vector(node, what, Some(Dimension::LENGTH), reader.context);
            p.map(|p| Some(At::Drawn(p))).map_err(|e| reader.blame(e).note(FORM))
        }
        Value::Text(name) => {
            let message = format!("'at' needs to know which body has the point '{name}'");
            Err(reader.blame(wrong(node, message)).note(reader.context.form(FORM, at::FORM)))
        }
        _ => {
            let error = reader.blame(wrong(node, format!("'at' cannot be {}", describe(node))));
            Err(error.note(reader.context.form(FORM, at::FORM)))
        }
    }
}

/// A pair of directions or one direction of the drawing.
pub(super) fn read_directions(reader: &Reader, key: &str) -> Result<Option<Given<Direction>>> {
    let Some(node) = reader.get(key) else { return Ok(None) };
    let is_direction = |n: &Node| is_list(n) || matches!(&n.value, Value::Text(t) if vectors::named_axis(t).is_some());
    let single = || vectors::direction(node, &reader.name(key), reader.context);
    match &node.value {
        // Two strings of a plane are a pair of axes, unless parameters have their names.
        Value::List(list)
            if reader.context.is_planar()
                && list.len() == 2
                && list.iter().all(|n| is_direction(n) && !is_list(n))
                && single().is_ok() =>
        {
            Err(reader
                .blame(wrong(node, format!("'{key}' can be read in two ways")))
                .note("as a pair of axes, one per body")
                .note("as one vector of the drawing, its components the parameters of these names")
                .note("for the vector put them in brackets: \"(x)\"; for the axes write [[1, 0], [0, 1]]"))
        }
        Value::List(list) if list.len() == 2 && list.iter().all(is_direction) => {
            let read =
                |k: usize| vectors::direction(&list[k], &reader.name(key), reader.context).map_err(|e| reader.blame(e));
            Ok(Some(Given::Pair([read(0)?, read(1)?])))
        }
        Value::List(list) if list.iter().any(is_list) => {
            let message = format!("'{key}' is one vector or a pair of vectors, not a list of {}", list.len());
            let (one, pair) = (
                reader.context.form("[0, 0, 1]", "[1, 0]"),
                reader.context.form("[0, 0, 1], [0, 0, 1]", "[1, 0], [1, 0]"),
            );
            Err(reader.blame(wrong(node, message)).note(format!("such as {key} = {one} or {key} = [{pair}]")))
        }
        _ => reader.direction(key).map(|v| v.map(Given::Single)),
    }
}

fn is_list(node: &Node) -> bool {
    matches!(node.value, Value::List(_))
}
