//! `[forces]`, `[initial]` and `[sweep]`: names, keys, units and expressions are checked.

use super::bodies::Bodies;
use super::context::Variables;
use super::couplings::{all_coordinates, coordinate_name};
use super::drivers::joint_coordinate;
use super::frames::{read_at, Given};
use super::joints::{read_bodies, Joints};
use super::reader::{check_name, section, Reader};
use super::tree::{Entry, Node, Value};
use super::values::{self, describe, wrong};
use crate::error::{nearest, Error, Result};
use crate::expr::Scope;
use crate::loads::{self, LoadKey, LoadType, LOADS};
use crate::units::Dimension;

/// Checks all three sections.
pub(super) fn check(root: &Reader, bodies: &Bodies, joints: &Joints) -> Result<()> {
    let mut scope = Variables::time(root.context.parameters);
    for (k, c) in all_coordinates(joints).into_iter().enumerate() {
        let name = coordinate_name(joints, c);
        scope.add(format!("{name}.rate"), 2 * k + 2);
        scope.add(name, 2 * k + 1);
    }
    for entry in section(root, "forces", "[forces.weight]")? {
        check_name("force", entry)?;
        check_force(root, entry, bodies, joints, &scope)?;
    }
    check_initial(root, bodies, joints)?;
    check_sweep(root)
}

fn check_force(root: &Reader, entry: &Entry, bodies: &Bodies, joints: &Joints, scope: &dyn Scope) -> Result<()> {
    let reader = Reader::of_entry(root.context, format!("force '{}'", entry.key), entry)?;
    let words: Vec<&str> = LOADS.iter().map(|l| l.keyword).collect();
    let word = reader.required_text("type", &format!("one of {}", words.join(", ")))?;
    let load = loads::kind(word).ok_or_else(|| reader.unknown_word("type", word, &words))?;
    let names: Vec<&str> = load.keys.iter().map(|k| k.name).collect();
    reader.allow_for(&format!("type = \"{word}\""), &[&["type"], names.as_slice()].concat())?;
    if let Some(key) = load.keys.iter().find(|k| k.required && !reader.has(k.name)) {
        return Err(reader.missing(key.name, load.help));
    }
    if word == "friction" && !["viscous", "coulomb", "value"].iter().any(|key| reader.has(key)) {
        return Err(reader.error("the friction is not given").note("give viscous, coulomb or both; or value"));
    }
    check_keys(&reader, load, bodies, joints, scope)
}

fn check_keys(reader: &Reader, load: &LoadType, bodies: &Bodies, joints: &Joints, scope: &dyn Scope) -> Result<()> {
    let mut body = None;
    let mut pair = None;
    let mut angle = true;
    for key in load.keys {
        let Some(node) = reader.get(key.name) else { continue };
        match key.takes {
            LoadKey::Body => body = Some(bodies.named(reader, key.name, node)?),
            LoadKey::Bodies => pair = Some(read_bodies(reader, bodies)?),
            LoadKey::Point => {
                bodies.point(reader, &reader.name(key.name), node, body.unwrap_or(0))?;
            }
            LoadKey::Points => match pair.map(|pair| read_at(reader, bodies, pair)).transpose()?.flatten() {
                Some(Given::Pair(_)) => {}
                _ => {
                    let message = "'at' is a pair here: one point per body";
                    return Err(reader.wrong_value("at", message).note("such as at = [\"A\", [0, 0, 0]]"));
                }
            },
            LoadKey::Joint => {
                let c = joint_coordinate(reader, joints)?;
                angle = joints.list[c.joint].kind.coordinates().get(c.coordinate).is_none_or(|name| name.angle);
            }
            // Read together with the joint.
            LoadKey::Coordinate => {}
            LoadKey::Word(words) => {
                reader.choice(key.name, words)?;
            }
            LoadKey::Vector(wanted) => {
                let list = values::items(node, &reader.name(key.name), &[3]).map_err(|e| reader.blame(e))?;
                for item in list {
                    check_expression(reader, item, key.name, wanted, scope)?;
                }
            }
            LoadKey::Scalar(quantity) => check_expression(reader, node, key.name, quantity.dimension(angle), scope)?,
        }
    }
    Ok(())
}

fn check_expression(reader: &Reader, node: &Node, key: &str, wanted: Dimension, scope: &dyn Scope) -> Result<()> {
    if values::plain_number(node).map_err(|e| reader.blame(e))?.is_some() {
        return Ok(());
    }
    let Value::Text(text) = &node.value else {
        let message = format!("{} is a number or an expression, not {}", reader.name(key), describe(node));
        return Err(reader.blame(wrong(node, message)));
    };
    values::expression(node, &reader.name(key), text, Some(wanted), scope).map(|_| ()).map_err(|e| reader.blame(e))
}

/// `[initial]`: values of signals.
fn check_initial(root: &Reader, bodies: &Bodies, joints: &Joints) -> Result<()> {
    let Some(reader) = root.inner("initial", "")? else { return Ok(()) };
    for entry in &reader.table().entries {
        let element = format!("initial value of '{}'", entry.key);
        if let Value::Table(inner) = &entry.node.value {
            let leaf = inner.entries.first().map_or("angle", |e| e.key.as_str());
            return Err(Error::new("a signal's name with its dots stands in quotes")
                .of("[initial]")
                .at_opt(entry.key_span.as_ref())
                .note(format!("write \"{}.{leaf}\" = …", entry.key)));
        }
        let wanted = signal_dimension(&entry.key, bodies, joints)
            .map_err(|e| e.of(element.clone()).at_opt(entry.key_span.as_ref()))?;
        values::number(&entry.node, &format!("'{}'", entry.key), Some(wanted), root.context)
            .map_err(|e| e.of(element))?;
    }
    Ok(())
}

/// Dimension of a signal that may be given at the start: positions and velocities.
fn signal_dimension(name: &str, bodies: &Bodies, joints: &Joints) -> Result<Dimension> {
    const LEAVES: &[(&[&str], Dimension)] = &[
        (&["x", "y", "z"], Dimension::LENGTH),
        (&["vx", "vy", "vz"], Dimension::VELOCITY),
        (&["e0", "e1", "e2", "e3"], Dimension::NUMBER),
        (&["wx", "wy", "wz"], Dimension::ANGULAR_VELOCITY),
    ];
    let of_leaf = |leaf: &str, groups: usize| {
        LEAVES.iter().take(groups).find(|(names, _)| names.contains(&leaf)).map(|(_, dimension)| *dimension)
    };
    // Names may hold dots themselves: the element is the shortest beginning that names one.
    let beginnings = name.match_indices('.').map(|(k, _)| &name[..k]);
    let known = |first: &&str| joints.find(first).is_some() || bodies.find(first).is_some();
    let first = beginnings.clone().find(known).or_else(|| beginnings.clone().next()).unwrap_or(name);
    let rest: Vec<&str> = name.get(first.len() + 1..).map(|rest| rest.split('.').collect()).unwrap_or_default();
    let rest = rest.as_slice();
    let joint = joints.find(first).map(|k| &joints.list[k]);
    let body = bodies.find(first).map(|k| &bodies.list[k]);
    if let (Some(joint), [coordinate, rate @ ..]) = (joint, rest) {
        if let Some(k) = joint.coordinate_index(coordinate) {
            let angle = joint.kind.coordinates().get(k).is_some_and(|c| c.angle);
            match (rate, angle) {
                ([], true) => return Ok(Dimension::ANGLE),
                ([], false) => return Ok(Dimension::LENGTH),
                (["rate"], true) => return Ok(Dimension::ANGULAR_VELOCITY),
                (["rate"], false) => return Ok(Dimension::VELOCITY),
                _ => {}
            }
        }
    }
    if let Some(body) = body {
        match rest {
            [leaf] => {
                if let Some(dimension) = of_leaf(leaf, 4) {
                    return Ok(dimension);
                }
            }
            [point, leaf] if body.points.iter().any(|(name, _)| name == point) => {
                if let Some(dimension) = of_leaf(leaf, 2) {
                    return Ok(dimension);
                }
            }
            _ => {}
        }
    }
    let mut offered: Vec<String> = Vec::new();
    if let Some(joint) = joint {
        for c in joint.kind.coordinates() {
            offered.extend([format!("{first}.{}", c.name), format!("{first}.{}.rate", c.name)]);
        }
    }
    if body.is_some() {
        offered.extend(LEAVES.iter().flat_map(|(names, _)| names.iter().map(|leaf| format!("{first}.{leaf}"))));
    }
    let error = Error::new(format!("'{name}' is no signal that can be set at the start"));
    if offered.is_empty() {
        let known: Vec<&str> = joints.names().into_iter().chain(bodies.names()).collect();
        let error = error.note("names are joint.coordinate, joint.coordinate.rate, body.x … body.wz, body.point.x …");
        return Err(match nearest(first, &known) {
            Some(near) => error.note(format!("did you mean '{near}'?")),
            None => error,
        });
    }
    let offered: Vec<&str> = offered.iter().map(String::as_str).collect();
    Err(error.suggest(name, offered))
}

/// `[sweep]`: a range `"from:to:count"` or a list of values for each parameter.
fn check_sweep(root: &Reader) -> Result<()> {
    const FORM: &str = "such as crank = \"1:2:1000\" (from, to, number of values) or crank = [1, 1.5, 2]";
    let Some(reader) = root.inner("sweep", "")? else { return Ok(()) };
    let known = root.context.parameters.names();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    for entry in &reader.table().entries {
        if !known.contains(&entry.key.as_str()) {
            let place = Node { span: entry.key_span.clone(), ..entry.node.clone() };
            return Err(reader.unknown_name(&place, "parameter", &entry.key, "parameters", &known));
        }
        let number = |node: &Node| values::number(node, &reader.name(&entry.key), None, root.context);
        match &entry.node.value {
            Value::List(list) if !list.is_empty() => {
                for item in list {
                    number(item).map_err(|e| reader.blame(e).note(FORM))?;
                }
            }
            Value::Text(text) if text.split(':').count() == 3 => {
                for part in text.split(':') {
                    let span = entry.node.span.clone();
                    number(&Node { value: Value::Text(part.into()), span }).map_err(|e| reader.blame(e).note(FORM))?;
                }
            }
            _ => {
                let message =
                    format!("{} is a range or a list, not {}", reader.name(&entry.key), describe(&entry.node));
                return Err(reader.blame(wrong(&entry.node, message)).note(FORM));
            }
        }
    }
    Ok(())
}
