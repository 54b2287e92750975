//! `[forces]` and `[initial]`.

use super::bodies::Bodies;
use super::compliance;
use super::context::{Context, Variables};
use super::couplings::{all_coordinates, coordinate_name};
use super::drivers::joint_coordinate;
use super::frames::read_at;
use super::joints::{read_bodies, Joints};
use super::reader::{check_name, section, Reader};
use super::soft_stops::{self, has_soft};
use super::tree::{Entry, Node, Value};
use super::values::{self, wrong};
use super::vectors;
use biela_base::error::{nearest, Error, Result};
use biela_base::signal_name;
use biela_base::units::Dimension;
use biela_core::blueprint::{At, LoadPlan, Quantity, Varying};
use biela_core::expr::{Expression, Scope};
use biela_core::loads::{self, Load, LoadKey};
use biela_core::model::Rotor;

/// Loads and what they were made of, values given for the start.
pub(super) struct Read {
    pub loads: Vec<Load>,
    pub plans: Vec<Varying<LoadPlan>>,
    pub initial: Vec<(String, Quantity)>,
    /// Whether velocities among them give way to the constraints.
    pub nearest: bool,
}

/// Reads or checks both sections.
pub(super) fn read(root: &Reader, bodies: &Bodies, joints: &Joints, rotors: &[Rotor]) -> Result<Read> {
    let entries = section(root, "forces", "[forces.weight]")?;
    let mut scope = Variables::time(root.context.parameters);
    // Of a large model the names are many, and without forces nobody asks for them.
    let compliant = joints.list.iter().any(|joint| joint.is_compliant() || has_soft(joint));
    let coordinates = if entries.is_empty() && !compliant { Vec::new() } else { all_coordinates(joints) };
    for (k, c) in coordinates.into_iter().enumerate() {
        let name = coordinate_name(joints, c);
        scope.add(signal_name::rate(&name), 2 * k + 2);
        scope.add(name, 2 * k + 1);
    }
    let binding = &root.context.binding;
    let (mut loads, mut plans) = (Vec::new(), Vec::new());
    for entry in entries {
        check_name("force", entry)?;
        let plan = read_force(root, entry, &Elements { bodies, joints, rotors }, &scope)?;
        let load = root.context.make(plan, &mut plans, |plan| plan.build(binding, &bodies.list))?;
        loads.push(load);
    }
    for plan in compliance::read(root, joints, &scope)? {
        let load = root.context.make(plan, &mut plans, |plan| plan.build(binding, &bodies.list))?;
        loads.push(load);
    }
    for plan in soft_stops::loads(root, joints, &scope)? {
        let load = root.context.make(plan, &mut plans, |plan| plan.build(binding, &bodies.list))?;
        loads.push(load);
    }
    let (initial, nearest) = read_initial(root, bodies, joints)?;
    Ok(Read { loads, plans, initial, nearest })
}

/// What a load may act on.
struct Elements<'a> {
    bodies: &'a Bodies,
    joints: &'a Joints,
    rotors: &'a [Rotor],
}

fn read_force(root: &Reader, entry: &Entry, elements: &Elements, scope: &dyn Scope) -> Result<LoadPlan> {
    let reader = Reader::of_entry(root.context, format!("force '{}'", entry.key), entry)?;
    let words: Vec<&str> = loads::all().iter().map(|l| l.keyword()).collect();
    let word = reader.required_text("type", &format!("one of {}", words.join(", ")))?;
    let load = loads::kind(word).ok_or_else(|| reader.unknown_word("type", word, &words))?;
    let names: Vec<&str> = load.keys().iter().map(|k| k.name).collect();
    reader.allow_for(&format!("type = \"{word}\""), &[&["type"], names.as_slice()].concat())?;
    if let Some(key) = load.keys().iter().find(|k| k.required && !reader.has(k.name)) {
        return Err(reader.missing(key.name, load.help()));
    }
    let mut plan = LoadPlan::new(&entry.key, load, reader.place());
    if let Some(complaint) = load.refuse(&|key| reader.has(key)) {
        return Err(plan.refused(complaint));
    }
    read_keys(&reader, &mut plan, elements, scope)?;
    Ok(plan)
}

fn read_keys(reader: &Reader, plan: &mut LoadPlan, elements: &Elements, scope: &dyn Scope) -> Result<()> {
    let Elements { bodies, joints, rotors } = *elements;
    let mut angle = true;
    for key in plan.kind.keys() {
        let Some(node) = reader.get(key.name) else { continue };
        match key.takes {
            LoadKey::Body => plan.body = Some(bodies.named(reader, key.name, node)?),
            LoadKey::Bodies => plan.bodies = Some(read_bodies(reader, bodies)?),
            LoadKey::Point => {
                let body = plan.body.unwrap_or(0);
                plan.point = Some(bodies.point(reader, &reader.name(key.name), node, body)?);
            }
            LoadKey::Points => match plan.bodies.map(|pair| read_at(reader, bodies, pair)).transpose()?.flatten() {
                Some(At::Points(points)) => plan.points = Some(points),
                _ => {
                    let message = "'at' is a pair here: one point per body";
                    let example = reader.context.form("[\"A\", [0, 0, 0]]", "[\"A\", [0, 0]]");
                    return Err(reader.wrong_value("at", message).note(format!("such as at = {example}")));
                }
            },
            LoadKey::Joint => {
                plan.rotor = super::rotors::named(reader, joints, rotors)?;
                if plan.rotor.is_some() {
                    continue;
                }
                let c = joint_coordinate(reader, joints)?;
                plan.coordinate = Some(c);
                angle = joints.list[c.joint].kind.coordinates().get(c.coordinate).is_none_or(|name| name.angle);
            }
            // Read together with the joint.
            LoadKey::Coordinate => {}
            LoadKey::Word(words) => {
                plan.in_body = reader.choice(key.name, words)? == words.get(1).copied();
            }
            LoadKey::Vector(wanted) => plan.vector = Some(read_vector(reader, node, key.name, wanted, scope)?),
            LoadKey::Scalar(quantity) => {
                let value = reader.formula(node, key.name, quantity.dimension(angle), scope)?;
                plan.scalars.push((key.name, value));
            }
        }
    }
    Ok(())
}

/// A vector of a load: three components; in a plane a force has two and a torque is one number, about z.
fn read_vector(
    reader: &Reader,
    node: &Node,
    key: &'static str,
    wanted: Dimension,
    scope: &dyn Scope,
) -> Result<Box<[Expression; 3]>> {
    let part = |item: &Node| reader.formula(item, key, wanted, scope);
    let (name, planar) = (reader.name(key), reader.context.is_planar());
    let none = || Expression::constant(0.0);
    if planar && wanted == Dimension::TORQUE {
        let about_z = match &node.value {
            Value::List(list) => Err(reader
                .blame(wrong(
                    node,
                    format!("{name} is one number in a planar model, the torque about z, not a list of {}", list.len()),
                ))
                .note("such as value = \"2 N*m\"")),
            _ => part(node),
        };
        return Ok(Box::new([none(), none(), about_z?]));
    }
    match &node.value {
        Value::List(list) if planar => match list.as_slice() {
            [x, y] => Ok(Box::new([part(x)?, part(y)?, none()])),
            _ => Err(reader.blame(vectors::not_plane(node, &name, list.len()))),
        },
        _ => {
            let lengths = if planar { &[2] } else { &[3] };
            let list = values::items(node, &name, lengths).map_err(|e| reader.blame(e))?;
            match list {
                [x, y, z] => Ok(Box::new([part(x)?, part(y)?, part(z)?])),
                // The list has three entries.
                _ => Ok(Box::new([none(), none(), none()])),
            }
        }
    }
}

/// The key of `[initial]` that is no signal.
pub(super) const NEAREST: &str = "nearest";

/// `[initial]`: values of signals, and whether velocities need only be met as nearly as the constraints allow.
fn read_initial(root: &Reader, bodies: &Bodies, joints: &Joints) -> Result<(Vec<(String, Quantity)>, bool)> {
    let mut values = Vec::new();
    let Some(reader) = root.inner("initial", "")? else { return Ok((values, false)) };
    let nearest = reader.bool(NEAREST)?.unwrap_or(false);
    for entry in reader.table().entries.iter().filter(|e| e.key != NEAREST) {
        let element = format!("initial value of '{}'", entry.key);
        if let Value::Table(inner) = &entry.node.value {
            let leaf = inner.entries.first().map_or("angle", |e| e.key.as_str());
            return Err(Error::new("a signal's name with its dots stands in quotes")
                .of("[initial]")
                .at_opt(entry.key_span.as_ref())
                .note(format!("write \"{}\" = …", signal_name::join(&entry.key, leaf))));
        }
        let wanted = signal_dimension(root.context, &entry.key, bodies, joints)
            .map_err(|e| e.of(element.clone()).at_opt(entry.key_span.as_ref()))?;
        let value = super::values::quantity(&entry.node, &format!("'{}'", entry.key), Some(wanted), root.context)
            .map_err(|e| e.of(element))?;
        values.push((entry.key.clone(), value));
    }
    Ok((values, nearest))
}

/// Dimension of a signal that may be given at the start: positions and velocities.
fn signal_dimension(context: &Context, name: &str, bodies: &Bodies, joints: &Joints) -> Result<Dimension> {
    const PLANAR: &[(&[&str], Dimension)] = &[
        (&["x", "y"], Dimension::LENGTH),
        (&["vx", "vy"], Dimension::VELOCITY),
        (&["angle"], Dimension::ANGLE),
        (&["w"], Dimension::ANGULAR_VELOCITY),
    ];
    const SPATIAL: &[(&[&str], Dimension)] = &[
        (&["x", "y", "z"], Dimension::LENGTH),
        (&["vx", "vy", "vz"], Dimension::VELOCITY),
        (&["e0", "e1", "e2", "e3"], Dimension::NUMBER),
        (&["wx", "wy", "wz"], Dimension::ANGULAR_VELOCITY),
    ];
    let leaves = if context.is_planar() { PLANAR } else { SPATIAL };
    let of_leaf = |leaf: &str, groups: usize| {
        leaves.iter().take(groups).find(|(names, _)| names.contains(&leaf)).map(|(_, dimension)| *dimension)
    };
    // Names may hold dots themselves: the element is the shortest beginning that names one.
    let beginnings = signal_name::splits(name).map(|(first, _)| first);
    let known = |first: &&str| joints.find(first).is_some() || bodies.find(first).is_some();
    let first = beginnings.clone().find(known).or_else(|| beginnings.clone().next()).unwrap_or(name);
    let rest = signal_name::leaf(name, first).unwrap_or_default();
    let joint = joints.find(first).map(|k| &joints.list[k]);
    let body = bodies.find(first).map(|k| &bodies.list[k]);
    if let Some(joint) = joint {
        let (coordinate, rate) = signal_name::of_rate(rest).map_or((rest, false), |coordinate| (coordinate, true));
        if let Some(k) = joint.coordinate_index(coordinate) {
            let angle = joint.kind.coordinates().get(k).is_some_and(|c| c.angle);
            return Ok(match (rate, angle) {
                (false, true) => Dimension::ANGLE,
                (false, false) => Dimension::LENGTH,
                (true, true) => Dimension::ANGULAR_VELOCITY,
                (true, false) => Dimension::VELOCITY,
            });
        }
    }
    if let Some(body) = bodies.find(first) {
        let of_point = signal_name::split(rest).filter(|(point, _)| bodies.has_point(body, point));
        let dimension = match of_point {
            Some((_, leaf)) => of_leaf(leaf, 2),
            None => of_leaf(rest, 4),
        };
        if let Some(dimension) = dimension {
            return Ok(dimension);
        }
    }
    let mut offered: Vec<String> = Vec::new();
    if let Some(joint) = joint {
        for c in joint.kind.coordinates() {
            let coordinate = signal_name::join(first, c.name);
            let rate = signal_name::rate(&coordinate);
            offered.extend([coordinate, rate]);
        }
    }
    if body.is_some() {
        let words = leaves.iter().flat_map(|(names, _)| names.iter());
        offered.extend(words.map(|leaf| signal_name::join(first, leaf)));
    }
    let error = Error::new(format!("'{name}' is no signal that can be set at the start"));
    if offered.is_empty() {
        let known: Vec<&str> = joints.names().into_iter().chain(bodies.names()).collect();
        let last = context.form("body.wz", "body.w");
        let error =
            error.note(format!("names are joint.coordinate, joint.coordinate.rate, body.x … {last}, body.point.x …"));
        return Err(match nearest(first, &known) {
            Some(near) => error.note(format!("did you mean '{near}'?")),
            None => error,
        });
    }
    let offered: Vec<&str> = offered.iter().map(String::as_str).collect();
    Err(error.suggest(name, offered))
}
