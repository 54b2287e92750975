//! `effort` of drivers: joints that bear what the drivers prescribe.

use super::couplings::{coordinate_name, unknown_coordinate};
use super::joints::Joints;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_base::source::Span;
use biela_core::couplings::CoordinateRef;
use biela_core::drivers::{Driver, Target};

const FORM: &str = "such as effort = [\"A\", \"B\"]: as many joints as the drivers that name them prescribe freedoms";

/// `effort = ["A", "B.slide"]`, each resolved to one coordinate.
pub(super) fn read(reader: &Reader, joints: &Joints) -> Result<Vec<CoordinateRef>> {
    let Some(node) = reader.get("effort") else { return Ok(Vec::new()) };
    let list = match &node.value {
        Value::List(list) if !list.is_empty() => list,
        Value::List(_) => {
            let message = "'effort' names the joints that bear the driver; this list is empty";
            return Err(reader
                .blame(wrong(node, message))
                .note("leave it out where the driver bears its effort itself"));
        }
        _ => {
            let message = format!("'effort' is a list of joints, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)).note(FORM));
        }
    };
    let mut found = Vec::new();
    for item in list {
        let of = coordinate(reader, joints, item)?;
        if found.contains(&of) {
            let message = format!("'{}' stands here twice", coordinate_name(joints, of));
            return Err(reader.blame(wrong(item, message)));
        }
        found.push(of);
    }
    Ok(found)
}

fn coordinate(reader: &Reader, joints: &Joints, node: &Node) -> Result<CoordinateRef> {
    let Value::Text(text) = &node.value else {
        return Err(reader
            .blame(wrong(node, format!("a joint's name is expected here, not {}", describe(node))))
            .note(FORM));
    };
    let (name, word) = match joints.find(text) {
        Some(_) => (text.as_str(), None),
        None => signal_name::split(text).map_or((text.as_str(), None), |(joint, word)| (joint, Some(word))),
    };
    let Some(index) = joints.find(name) else {
        return Err(reader.unknown_name(node, "joint", name, "joints", &joints.names()));
    };
    let joint = &joints.list[index];
    let offered: Vec<&str> = joint.kind.coordinates().iter().map(|c| c.name).collect();
    let coordinate = match (word, &offered[..]) {
        (Some(word), _) => joint.coordinate_index(word).ok_or_else(|| unknown_coordinate(reader, node, joint, word))?,
        (None, []) => return Err(unknown_coordinate(reader, node, joint, "").note("name joints that a motor can move")),
        (None, [_]) => 0,
        (None, [first, ..]) => {
            let message = format!("joint '{name}' has several coordinates; say which one a motor moves");
            let example = signal_name::join(name, first);
            return Err(reader
                .blame(wrong(node, message))
                .note(format!("such as \"{example}\"; it offers {}", offered.join(", "))));
        }
    };
    Ok(CoordinateRef { joint: index, coordinate })
}

/// Refuses joints that are more or fewer than the freedoms they bear, or that a driver of their own bears already. `places` are those of the
/// keys.
pub(super) fn check(drivers: &[Driver], places: &[Option<Span>], joints: &Joints) -> Result<()> {
    let (mut freedoms, mut bearers, mut borne): (usize, Vec<CoordinateRef>, Vec<&str>) = (0, Vec::new(), Vec::new());
    let mut last = None;
    for (k, driver) in drivers.iter().enumerate().filter(|(_, d)| !d.effort.is_empty()) {
        freedoms += driver.rows(k, &joints.list).len();
        borne.push(&driver.name);
        last = Some(k);
        for of in &driver.effort {
            if let Some(other) = drivers.iter().find(|d| d.effort.is_empty() && prescribes(d, *of)) {
                let name = coordinate_name(joints, *of);
                let message =
                    format!("'{name}' is prescribed by driver '{}', which bears what acts along it", other.name);
                return Err(blame(driver, &places[k], message)
                    .note("name a joint that no driver holds, or give that driver an 'effort' too"));
            }
            if !bearers.contains(of) {
                bearers.push(*of);
            }
        }
    }
    let Some(k) = last.filter(|_| freedoms != bearers.len()) else { return Ok(()) };
    let names: Vec<String> = bearers.iter().map(|of| joints.list[of.joint].name.clone()).collect();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let message = format!(
        "{} ({}) cannot bear {} ({})",
        count(bearers.len(), "joint"),
        names.join(", "),
        count(freedoms, "prescribed freedom"),
        borne.join(", ")
    );
    let advice = match bearers.len() < freedoms {
        true => "name as many joints as these drivers prescribe freedoms, taken together",
        false => "leave joints out, or give every driver that they bear the same 'effort'",
    };
    Err(blame(&drivers[k], &places[k], message).note(advice))
}

fn prescribes(driver: &Driver, of: CoordinateRef) -> bool {
    matches!(driver.target, Target::Coordinate { of: own, .. } if own == of)
}

fn blame(driver: &Driver, place: &Option<Span>, message: String) -> Error {
    Error::new(message).of(format!("driver '{}'", driver.name)).at_opt(place.as_ref().or(driver.span.as_ref()))
}
