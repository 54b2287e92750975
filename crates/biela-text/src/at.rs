//! `at` in planar models: a pair of points or one place of the drawing, both of which may be two strings.

use super::bodies::Bodies;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{describe, wrong};
use super::vectors;
use biela_base::error::{listing, Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::At;

/// What `at` is in a planar model.
pub(super) const FORM: &str =
    "'at' is one place of the drawing, such as [0.1, 0.2], or a pair, one point per body, such as [\"A\", [0, 0]]";

/// `at` of two entries, or what is wrong with it.
pub(super) fn read(reader: &Reader, node: &Node, bodies: &Bodies, pair: [usize; 2]) -> Result<At> {
    let Value::List(list) = &node.value else {
        return Err(reader.blame(wrong(node, format!("'at' cannot be {}", describe(node)))).note(FORM));
    };
    let [first, second] = list.as_slice() else {
        return Err(reader.blame(vectors::not_plane(node, "'at'", list.len())).note(FORM));
    };
    match [&first.value, &second.value] {
        [Value::List(_), _] | [_, Value::List(_)] => points(reader, [first, second], bodies, pair),
        [Value::Text(a), Value::Text(b)] => {
            let named = [bodies.has_point(pair[0], a), bodies.has_point(pair[1], b)];
            match named {
                [true, true] if place(reader, node).is_ok() => Err(two_readings(reader, node, [a, b], bodies, pair)),
                [true, true] => points(reader, [first, second], bodies, pair),
                [false, false] => match (place(reader, node), is_word(a) && is_word(b)) {
                    (Ok(place), _) => Ok(At::Drawn(place)),
                    // Neither reading holds: words are more likely names.
                    (Err(error), true) => {
                        let as_place = format!("as one place of the drawing: {}", error.message());
                        Err(points(reader, [first, second], bodies, pair).err().unwrap_or(error).note(as_place))
                    }
                    (Err(error), false) => Err(error.note(FORM)),
                },
                _ => Err(one_of_each(reader, node, [a, b], bodies, pair)),
            }
        }
        _ => place(reader, node).map(At::Drawn).map_err(|e| e.note(FORM)),
    }
}

fn points(reader: &Reader, nodes: [&Node; 2], bodies: &Bodies, pair: [usize; 2]) -> Result<At> {
    let first = bodies.point(reader, "the first point of 'at'", nodes[0], pair[0])?;
    let second = bodies.point(reader, "the second point of 'at'", nodes[1], pair[1])?;
    Ok(At::Points([first, second]))
}

fn place(reader: &Reader, node: &Node) -> Result<biela_core::blueprint::Vector> {
    vectors::vector(node, "'at'", Some(Dimension::LENGTH), reader.context).map_err(|e| reader.blame(e))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Both strings name points, and both are expressions.
fn two_readings(reader: &Reader, node: &Node, [a, b]: [&str; 2], bodies: &Bodies, pair: [usize; 2]) -> Error {
    let [first, second] = pair.map(|k| bodies.list[k].name.as_str());
    reader
        .blame(wrong(node, format!("'at' = [\"{a}\", \"{b}\"] can be read in two ways")))
        .note(format!("as a pair of points: '{a}' of '{first}' and '{b}' of '{second}'"))
        .note(format!("as one place of the drawing: x = {a}, y = {b}"))
        .note(format!(
            "for the place write at = [\"({a})\", \"({b})\"]; for the points give them names that no parameter has"
        ))
}

/// One string names a point, and the other does not.
fn one_of_each(reader: &Reader, node: &Node, [a, b]: [&str; 2], bodies: &Bodies, pair: [usize; 2]) -> Error {
    let [first, second] = pair.map(|k| bodies.list[k].name.as_str());
    let side = usize::from(bodies.has_point(pair[0], a));
    let (body, odd) = (&bodies.list[pair[side]], [a, b][side]);
    let known: Vec<&str> = body.points.iter().map(|(name, _)| name.as_str()).collect();
    let points = match known.is_empty() {
        true => format!("'{}' has no points", body.name),
        false => format!("points of '{}': {}", body.name, listing(&known)),
    };
    reader
        .blame(wrong(node, format!("'at' = [\"{a}\", \"{b}\"] is neither a pair of points nor a place")))
        .note(format!("as a pair of points: '{a}' of '{first}' and '{b}' of '{second}', but '{odd}' is none of '{}'; {points}", body.name))
        .note(format!("as one place of the drawing: x = {a}, y = {b}; a name that is a point too stands in brackets there: \"({})\"", [a, b][1 - side]))
}
