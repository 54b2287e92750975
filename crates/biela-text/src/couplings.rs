//! Couplings, from `[couplings]` or among the joints: which coordinates they connect, and by what.

use super::bodies::Bodies;
use super::cams;
use super::context::Variables;
use super::joints::Joints;
use super::motions;
use super::parameters::Parameters;
use super::reader::{check_name, section, Reader};
use super::tree::{Entry, Node, Value};
use super::values::{self, describe, wrong};
use super::wheels;
use biela_base::error::{nearest, Result};
use biela_base::signal_name;
use biela_base::sorting::sort_by_key;
use biela_base::units::{Dimension, Kind};
use biela_core::blueprint::{CouplingPlan, MotionPlan, Varying};
use biela_core::couplings::{self, CoordinateRef, Coupling, CouplingKey, CouplingKind, COUPLINGS};
use biela_core::expr::{free_names_among, Expression, Name, Scope};
use biela_core::joints::{CoordinateName, Joint};
use biela_core::motion::{Motion, Spline};
use std::f64::consts::TAU;

/// Reads `[couplings]` and those that stood among the joints.
pub(super) fn read(
    root: &Reader,
    among_joints: &[&Entry],
    bodies: &Bodies,
    joints: &Joints,
) -> Result<(Vec<Varying<CouplingPlan>>, Vec<Coupling>)> {
    let own = section(root, "couplings", "[couplings.gear1]")?;
    let binding = &root.context.binding;
    let (mut plans, mut list) = (Vec::new(), Vec::new());
    for entry in among_joints.iter().copied().chain(own) {
        check_name("coupling", entry)?;
        let reader = Reader::of_entry(root.context, format!("coupling '{}'", entry.key), entry)?;
        let words: Vec<&str> = COUPLINGS.iter().map(|k| k.keyword()).collect();
        let word = reader.required_text("type", &format!("one of {}", words.join(", ")))?;
        let kind = couplings::kind(word).ok_or_else(|| {
            let error = reader.unknown_word("type", word, &words);
            match biela_core::joints::kind(word) {
                Some(_) => error.note(format!("'{word}' is a joint: put it in [joints.{}]", entry.key)),
                None => error,
            }
        })?;
        let plan = read_coupling(&reader, entry, kind, (bodies, joints))?;
        let build = |plan: &CouplingPlan| plan.build(binding, &bodies.list, &joints.list);
        let coupling = root.context.make(plan, &mut plans, build)?;
        list.push(coupling);
    }
    Ok((plans, list))
}

/// Keys of a coupling type, in the order messages list them.
pub(super) fn allowed(kind: &dyn CouplingKind) -> Vec<&'static str> {
    let mut allowed = vec!["type"];
    allowed.extend(kind.keys().iter().map(|key| match key {
        CouplingKey::Joints => "joints",
        CouplingKey::Ratio => "ratio",
        CouplingKey::Teeth => "teeth",
        CouplingKey::Internal => "internal",
        CouplingKey::Radii => "radii",
        CouplingKey::Crossed => "crossed",
        CouplingKey::Carrier => "carrier",
        CouplingKey::Radius => "radius",
        CouplingKey::Offset => "offset",
        CouplingKey::Profile => "profile",
        CouplingKey::Segments => "segments",
        CouplingKey::Base => "base",
        CouplingKey::Roller => "roller",
        CouplingKey::Eccentricity => "eccentricity",
        CouplingKey::Value => "value",
    }));
    allowed
}

// Long: what each kind of coupling is written with, key by key.
fn read_coupling(
    reader: &Reader,
    entry: &Entry,
    kind: &'static dyn CouplingKind,
    (bodies, joints): (&Bodies, &Joints),
) -> Result<CouplingPlan> {
    reader.allow_for(&format!("type = \"{}\"", kind.keyword()), &allowed(kind))?;
    let mut coupling = CouplingPlan {
        name: entry.key.clone(),
        kind,
        coordinates: Vec::new(),
        ratio: None,
        offset: None,
        train: None,
        profile: None,
        period: None,
        follower: None,
        value: None,
        place: reader.place(),
    };
    for key in kind.keys() {
        let dimension = |k: usize| coupling.coordinates.get(k).map_or(Dimension::NUMBER, |c| dimension_of(joints, *c));
        match key {
            CouplingKey::Joints => coupling.coordinates = read_pair(reader, kind, joints)?,
            CouplingKey::Ratio => {
                let wanted = dimension(1).over(dimension(0));
                wheels::read_gear(reader, &mut coupling, (bodies, joints), wanted)?;
            }
            CouplingKey::Radii => wheels::read_belt(reader, &mut coupling, (bodies, joints))?,
            // Read together with the ratio or the radii.
            CouplingKey::Teeth | CouplingKey::Internal | CouplingKey::Crossed | CouplingKey::Carrier => {}
            CouplingKey::Radius => {
                let meaning = "the pinion's radius: slide = radius * angle";
                coupling.ratio = Some(reader.required_quantity("radius", Dimension::LENGTH, meaning)?);
            }
            CouplingKey::Offset => coupling.offset = reader.quantity("offset", dimension(1))?,
            CouplingKey::Profile if reader.has("segments") => cams::refuse_both(reader)?,
            CouplingKey::Profile => {
                if !reader.has("profile") {
                    return Err(reader.missing("profile", cams::FORM));
                }
                let cam = coupling.coordinates.first().map(|c| coordinate_name(joints, *c)).unwrap_or_default();
                let scope = Variables::new(reader.context.parameters).with("angle", 0).with(cam, 0);
                let profile = motions::read(reader, "profile", dimension(0), dimension(1), &scope)?;
                let turning = dimension(0) == Dimension::ANGLE;
                let repeated = if turning { closed(&profile).map_err(|e| reader.blame(e))? } else { None };
                coupling.period = repeated.is_some().then_some(TAU);
                coupling.profile = Some(repeated.unwrap_or(profile));
            }
            CouplingKey::Segments => {
                if let Some(segments) = cams::segments(reader, [dimension(0), dimension(1)])? {
                    coupling.profile = Some(segments);
                    coupling.period = Some(TAU);
                }
            }
            CouplingKey::Base => coupling.follower = cams::follower(reader, [dimension(0), dimension(1)])?,
            // They are read with the base circle.
            CouplingKey::Roller | CouplingKey::Eccentricity => {}
            CouplingKey::Value => {
                let (value, coordinates) = read_value(reader, joints)?;
                coupling.value = Some(value);
                coupling.coordinates = coordinates;
            }
        }
    }
    Ok(coupling)
}

/// A table over one turn that ends where it began repeats: the periodic spline through its points.
fn closed(profile: &MotionPlan) -> Result<Option<MotionPlan>> {
    /// Values of tables are printed with a few digits.
    const VALUE: f64 = 1e-6;
    /// So is the full turn, as 6.2832 for one.
    const TURN: f64 = 1e-4;
    let MotionPlan::Fixed(Motion::Table(spline)) = profile else { return Ok(None) };
    let (mut x, y): (Vec<f64>, Vec<f64>) = spline.points().unzip();
    let height = y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
    let (Some(first), Some(last)) = (x.first().copied(), x.last_mut()) else { return Ok(None) };
    let ends = y.first().zip(y.last()).is_some_and(|(a, b)| (a - b).abs() <= VALUE * height);
    if !ends || (*last - first - TAU).abs() > TURN {
        return Ok(None);
    }
    *last = first + TAU;
    Spline::periodic(&x, &y).map(|spline| Some(MotionPlan::Fixed(Motion::Table(spline))))
}

/// `joints = ["A", "B.slide"]`, each resolved to one coordinate.
fn read_pair(reader: &Reader, kind: &dyn CouplingKind, joints: &Joints) -> Result<Vec<CoordinateRef>> {
    const FORM: &str = "such as joints = [\"A\", \"B\"], or with coordinates [\"A.angle\", \"B.slide\"]";
    let node = reader.required("joints", FORM)?;
    let list = match &node.value {
        Value::List(list) if list.len() == 2 => list,
        Value::List(list) => {
            let message = format!("a {} connects two joints; this list has {}", kind.keyword(), list.len());
            return Err(reader.blame(wrong(node, message)).note(FORM));
        }
        _ => {
            let message = format!("'joints' is a list of two names, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)).note(FORM));
        }
    };
    // What each place asks for where a joint offers several coordinates: an angle, a length, or no matter.
    let wishes: [Option<bool>; 2] = match kind.keyword() {
        "rack" => {
            let offers = |n: &Node, angle: bool| {
                find(joints, n).is_some_and(|(joint, name)| {
                    joint.kind.coordinates().iter().any(|c| c.angle == angle && name.is_none_or(|n| n == c.name))
                })
            };
            if !(offers(&list[0], true) && offers(&list[1], false)) && offers(&list[1], true) && offers(&list[0], false)
            {
                return Ok(vec![
                    coordinate(reader, joints, &list[1], Some(true), true)?,
                    coordinate(reader, joints, &list[0], Some(false), true)?,
                ]);
            }
            [Some(true), Some(false)]
        }
        "cam" => [Some(true), Some(false)],
        _ => [Some(true), Some(true)],
    };
    let strict = kind.keyword() == "rack";
    let first = coordinate(reader, joints, &list[0], wishes[0], strict)?;
    let second = coordinate(reader, joints, &list[1], wishes[1], strict)?;
    if first == second {
        let message = format!("it connects '{}' with itself", coordinate_name(joints, first));
        return Err(reader.blame(wrong(&list[1], message)));
    }
    Ok(vec![first, second])
}

/// The joint a node names, and the coordinate where it names one too.
fn find<'j, 'n>(joints: &'j Joints, node: &'n Node) -> Option<(&'j Joint, Option<&'n str>)> {
    let Value::Text(text) = &node.value else { return None };
    match joints.find(text) {
        Some(k) => Some((&joints.list[k], None)),
        None => {
            let (joint, coordinate) = signal_name::split(text)?;
            Some((&joints.list[joints.find(joint)?], Some(coordinate)))
        }
    }
}

/// The coordinate that `"A"` or `"A.slide"` names; of several, the first that is an angle (or a length) as wished.
fn coordinate(
    reader: &Reader,
    joints: &Joints,
    node: &Node,
    wish: Option<bool>,
    strict: bool,
) -> Result<CoordinateRef> {
    let Value::Text(text) = &node.value else {
        let message = format!("a joint's name is expected here, not {}", describe(node));
        return Err(reader.blame(wrong(node, message)));
    };
    let Some((joint, name)) = find(joints, node) else {
        let name = signal_name::first(text);
        return Err(reader.unknown_name(node, "joint", name, "joints", &joints.names()));
    };
    let index = joints.find(&joint.name).unwrap_or(0);
    let offered = joint.kind.coordinates();
    if let Some(name) = name {
        return match joint.coordinate_index(name) {
            Some(coordinate) => Ok(CoordinateRef { joint: index, coordinate }),
            None => Err(unknown_coordinate(reader, node, joint, name)),
        };
    }
    if offered.is_empty() {
        return Err(unknown_coordinate(reader, node, joint, ""));
    }
    match offered.iter().position(|c| wish.is_none_or(|angle| c.angle == angle)) {
        Some(coordinate) => Ok(CoordinateRef { joint: index, coordinate }),
        None if strict => {
            let wanted = if wish == Some(true) { "an angle" } else { "a slide" };
            let message =
                format!("{wanted} is needed here, but joint '{}' offers {}", joint.name, names(offered).join(", "));
            Err(reader.blame(wrong(node, message)).note("joints = [pinion, rack]: the first turns, the second slides"))
        }
        None => Ok(CoordinateRef { joint: index, coordinate: 0 }),
    }
}

fn names(coordinates: &[CoordinateName]) -> Vec<&'static str> {
    coordinates.iter().map(|c| c.name).collect()
}

/// The error for a coordinate that a joint does not have.
pub(super) fn unknown_coordinate(reader: &Reader, node: &Node, joint: &Joint, name: &str) -> biela_base::Error {
    let offered = names(joint.kind.coordinates());
    let kind = joint.kind.keyword();
    if offered.is_empty() {
        let message = format!("joint '{}' is {kind} and offers no coordinate", joint.name);
        return reader.blame(wrong(node, message));
    }
    let error = reader.blame(wrong(node, format!("joint '{}' ({kind}) has no coordinate '{name}'", joint.name)));
    let error = error.note(format!("coordinates: {}", offered.join(", ")));
    match nearest(name, &offered) {
        Some(near) => error.note(format!("did you mean '{near}'?")),
        None => error,
    }
}

pub(super) fn dimension_of(joints: &Joints, c: CoordinateRef) -> Dimension {
    match joints.list[c.joint].kind.coordinates().get(c.coordinate) {
        Some(name) if name.angle => Dimension::ANGLE,
        _ => Dimension::LENGTH,
    }
}

/// `joint.coordinate`.
pub(super) fn coordinate_name(joints: &Joints, c: CoordinateRef) -> String {
    let joint = &joints.list[c.joint];
    let name = joint.kind.coordinates().get(c.coordinate).map_or("", |name| name.name);
    signal_name::join(&joint.name, name)
}

/// Every coordinate of every joint.
pub(super) fn all_coordinates(joints: &Joints) -> Vec<CoordinateRef> {
    let of_joint = |(joint, j): (usize, &Joint)| {
        (0..j.kind.coordinates().len()).map(move |coordinate| CoordinateRef { joint, coordinate }).collect::<Vec<_>>()
    };
    joints.list.iter().enumerate().flat_map(of_joint).collect()
}

/// The expression that must vanish, and the coordinates of its slots 1…
fn read_value(reader: &Reader, joints: &Joints) -> Result<(Expression, Vec<CoordinateRef>)> {
    const MEANING: &str = "an expression of joint coordinates that must vanish, such as \"B.angle - 2*A.angle\"";
    of_coordinates(reader, joints, "value", MEANING, None, Variables::time)
}

/// The expression under `key`, and the joint coordinates it uses, which take its slots 1…; `others` knows more names. Where a
/// dimension is wanted, coordinates count as the lengths and angles that they are.
pub(super) fn of_coordinates<'a>(
    reader: &'a Reader,
    joints: &Joints,
    key: &'static str,
    meaning: &str,
    wanted: Option<Dimension>,
    others: fn(&'a Parameters) -> Variables<'a>,
) -> Result<(Expression, Vec<CoordinateRef>)> {
    let node = reader.required(key, meaning)?;
    let Value::Text(text) = &node.value else {
        return Err(reader
            .blame(wrong(node, format!("'{key}' is an expression, not {}", describe(node))))
            .note(meaning));
    };
    let parse = |coordinates: &[CoordinateRef]| {
        let mut scope = others(reader.context.parameters);
        for (k, c) in coordinates.iter().enumerate() {
            let kind = wanted.map_or(Kind::Any, |_| Kind::Known(dimension_of(joints, *c)));
            scope.add_as(coordinate_name(joints, *c), Name::Quantity(k + 1, kind));
        }
        values::expression(node, &reader.name(key), text, wanted, &scope).map_err(|e| reader.blame(e))
    };
    // Only names that stand in the text are looked for: a scope of all of them, for each of many couplings, would be large.
    let named = |name: &str| {
        let (joint, coordinate) = signal_name::split(name)?;
        let joint = joints.find(joint)?;
        Some(CoordinateRef { joint, coordinate: joints.list[joint].coordinate_index(coordinate)? })
    };
    let known = |name: &str| named(name).is_some() || reader.context.parameters.lookup(name).is_some();
    let names = free_names_among(text, &known).unwrap_or_default();
    let mut used: Vec<CoordinateRef> = names.iter().filter_map(|name| named(name)).collect();
    sort_by_key(&mut used, |c| (c.joint, c.coordinate));
    let first = parse(&used);
    if first.is_err() {
        // Once more with all names, which the message then can offer.
        parse(&all_coordinates(joints))?;
    }
    // What an expression names without using it, as in 0*A.angle, is no part of it.
    let slots = first?.variables().to_vec();
    let used: Vec<CoordinateRef> = slots.iter().filter_map(|slot| used.get(slot.checked_sub(1)?)).copied().collect();
    if used.is_empty() {
        let message = format!("'{text}' uses no joint coordinate, so it cannot connect joints");
        return Err(reader.blame(wrong(node, message)).note(meaning));
    }
    Ok((parse(&used)?, used))
}
