//! Joints: where their frame is in both links, their axes, limits and what resists them.

#![allow(non_snake_case)] // Frames are capital letters: X_PJ (docs/notation.md).

use super::frames::Scene;
use super::links::number;
use super::tables::{add, Tables};
use crate::foreign::{Element, Told};
use crate::nodes::{self, pair, unused, vector};
use crate::tree::{Node, Table};
use biela_base::error::Result;
use biela_math::{Pose, Vec3};
use std::f64::consts::TAU;

const CHILDREN: &[&str] = &[
    "parent",
    "child",
    "pose",
    "axis",
    "axis2",
    "gearbox_ratio",
    "gearbox_reference_body",
    "thread_pitch",
    "screw_thread_pitch",
    "physics",
    "sensor",
];

/// The two bodies of a joint, as numbers of their frames; `None` is the ground.
pub(super) fn ends(scene: &Scene, joint: usize) -> Result<[Option<usize>; 2]> {
    let frame = &scene.list[joint];
    let link = |tag: &str| {
        let e = frame.element.child(tag).ok_or_else(|| frame.element.error(format!("a joint has a <{tag}>")))?;
        scene.link_of(scene.find(&scene.full(&frame.scope, &e.text), e)?)
    };
    Ok([link("parent")?, link("child")?])
}

pub(super) fn read(scene: &Scene, joint: usize, out: &mut Tables, told: &mut Told) -> Result<()> {
    let frame = &scene.list[joint];
    let e = frame.element;
    e.allow(told, &["name", "type"], CHILDREN)?;
    let ends = ends(scene, joint)?;
    if ends[0] == ends[1] {
        return Err(e.error("a joint connects two different links"));
    }
    let name = unused(&scene.called(joint), &mut out.names);
    out.joint_names.insert(frame.name.clone(), name.clone());
    let X_WJ = scene.poses[joint];
    let X = ends.map(|end| end.map_or(Pose::IDENTITY, |k| scene.poses[k]).inverse() * X_WJ);
    let called = |end: Option<usize>| Node::from(end.map_or("ground".to_string(), |k| scene.called(k)));
    let bodies = pair(called(ends[0]), called(ends[1]));
    let kind = e.get("type").unwrap_or_default();
    let axis = |tag: &str| axis(scene, joint, tag);
    let mut keys = Table::default();
    let word = match kind {
        "revolute" | "continuous" => "revolute",
        "prismatic" | "screw" | "fixed" => kind,
        "ball" => "spherical",
        "universal" | "revolute2" => "universal",
        "gearbox" => return gearbox(scene, joint, &name, out),
        other => return Err(e.error(format!("there is no joint type '{other}'"))),
    };
    keys.set("type", word);
    keys.set("bodies", bodies);
    keys.set("at", pair(vector(X[0].origin), vector(X[1].origin)));
    match word {
        "spherical" => {}
        "fixed" => both(&mut keys, &X, Vec3::Z),
        "universal" => {
            let (first, second) = (axis("axis")?, axis("axis2")?);
            // Perpendicular but for the digits in which axes are usually written.
            const COSINE: f64 = 1e-6;
            if first.dot(second).abs() > COSINE {
                let error = e.error(format!("the axes of a '{kind}' joint are not perpendicular"));
                return Err(error.note("write two revolute joints with a small link between them"));
            }
            keys.set("axis", vector(X_WJ.rotation.apply(first)));
            keys.set("axis2", vector(X_WJ.rotation.apply(second)));
        }
        _ => both(&mut keys, &X, axis("axis")?),
    }
    if word == "screw" {
        keys.set("pitch", pitch(e)?);
    }
    if ["revolute", "prismatic", "screw"].contains(&word) {
        keys.set("zero", "axes");
    }
    if let Some(limits) =
        e.child("axis").map(|a| limits(a, kind)).transpose()?.flatten().filter(|_| word != "universal")
    {
        keys.set("limits", limits);
    }
    add(&mut out.joints, &name, &e.span, keys);
    for (tag, coordinate) in
        [("axis", first_coordinate(word)), ("axis2", Some("angle2").filter(|_| word == "universal"))]
    {
        if let (Some(axis), Some(coordinate)) = (e.child(tag), coordinate) {
            dynamics(axis, &name, coordinate, out, told)?;
        }
    }
    Ok(())
}

/// The coordinate of the first axis.
fn first_coordinate(word: &str) -> Option<&'static str> {
    match word {
        "revolute" | "screw" => Some("angle"),
        "prismatic" => Some("slide"),
        "universal" => Some("angle1"),
        _ => None,
    }
}

/// `axis` and the reference for angles in both bodies, zero where the frames coincide.
fn both(keys: &mut Table, X: &[Pose; 2], axis: Vec3) {
    let at = keys.get("at").cloned();
    nodes::joint_frames(keys, &X[0], &X[1], axis, [None, None]);
    if let Some(at) = at {
        keys.set("at", at);
    }
}

/// The direction of an axis in the joint's frame.
fn axis(scene: &Scene, joint: usize, tag: &str) -> Result<Vec3> {
    let frame = &scene.list[joint];
    let e =
        frame.element.child(tag).ok_or_else(|| frame.element.error(format!("a joint of this type has an <{tag}>")))?;
    let Some(xyz) = e.child("xyz") else { return Ok(Vec3::Z) };
    let list = xyz.own_numbers()?;
    let [x, y, z] = list[..] else { return Err(xyz.error("<xyz> has three numbers")) };
    let given = Vec3::new(x, y, z).unit().ok_or_else(|| xyz.error("the axis has no length"))?;
    let model_frame = e.child("use_parent_model_frame").is_some_and(|u| Element::is_on(&u.text));
    let other = match xyz.get("expressed_in").filter(|x| !x.is_empty()) {
        Some(name) => Some(scene.find(&scene.full(&frame.scope, name), xyz)?),
        None if model_frame => Some(scene.find(&frame.scope, xyz)?),
        None => None,
    };
    Ok(match other {
        None => given,
        Some(k) => scene.poses[joint].rotation.apply_transposed(scene.poses[k].rotation.apply(given)),
    })
}

/// Length per turn, right-handed: `screw_thread_pitch` is just that, the older `thread_pitch` radians per metre with the other sign.
fn pitch(e: &Element) -> Result<f64> {
    match (number(e, "screw_thread_pitch")?, number(e, "thread_pitch")?) {
        (Some(pitch), _) => Ok(pitch),
        (None, Some(old)) if old != 0.0 => Ok(-TAU / old),
        (None, Some(_)) => Err(e.error("a <thread_pitch> of 0 is no screw")),
        (None, None) => Ok(1.0),
    }
}

fn limits(axis: &Element, kind: &str) -> Result<Option<Table>> {
    let Some(e) = axis.child("limit") else { return Ok(None) };
    let mut limits = Table::default();
    // The format writes 1e16 where there is no limit.
    const NONE: f64 = 1e15;
    for tag in ["lower", "upper", "velocity", "effort"] {
        let bounded = kind != "continuous" || !["lower", "upper"].contains(&tag);
        let infinite =
            e.child(tag).is_some_and(|c| c.text.trim_start_matches(['-', '+']).to_ascii_lowercase().starts_with("inf"));
        if infinite {
            continue;
        }
        let one_way = ["velocity", "effort"].contains(&tag);
        if let Some(x) = number(e, tag)?.filter(|x| bounded && x.abs() < NONE && !(one_way && *x < 0.0)) {
            limits.set(tag, x);
        }
    }
    let bound = |key: &str| match limits.get(key).map(|n| &n.value) {
        Some(crate::tree::Value::Number(x)) => Some(*x),
        _ => None,
    };
    if bound("lower").zip(bound("upper")).is_some_and(|(l, u)| l > u) {
        limits.entries.retain(|e| e.key != "lower" && e.key != "upper");
    }
    Ok((!limits.entries.is_empty()).then_some(limits))
}

/// Damping, friction, springs and mimics of an axis.
fn dynamics(axis: &Element, joint: &str, coordinate: &str, out: &mut Tables, told: &mut Told) -> Result<()> {
    axis.allow(told, &[], &["xyz", "limit", "dynamics", "mimic", "use_parent_model_frame", "initial_position"])?;
    if let Some(e) = axis.child("dynamics") {
        let get = |tag: &str| number(e, tag).map(|x| x.unwrap_or(0.0));
        let mut load = |kind: &str, ending: &str, values: Vec<(&str, f64)>| {
            let mut keys = Table::default();
            keys.set("type", kind);
            keys.set("joint", joint);
            keys.set("coordinate", coordinate);
            values.into_iter().for_each(|(key, x)| keys.set(key, x));
            let name = unused(&format!("{joint}_{ending}"), &mut out.names);
            add(&mut out.forces, &name, &e.span, keys);
        };
        let resists: Vec<(&str, f64)> =
            [("viscous", get("damping")?), ("coulomb", get("friction")?)].into_iter().filter(|v| v.1 != 0.0).collect();
        if !resists.is_empty() {
            load("friction", "damping", resists);
        }
        if get("spring_stiffness")? != 0.0 {
            load(
                "joint-spring",
                "spring",
                vec![("stiffness", get("spring_stiffness")?), ("rest", get("spring_reference")?)],
            );
        }
    }
    if let Some(e) = axis.child("mimic") {
        out.mimics.push((e.clone(), joint.to_string(), coordinate.to_string()));
    }
    Ok(())
}

/// follower = multiplier · (leader − reference) + offset, once all joints are known.
pub(super) fn mimics(scene: &Scene, out: &mut Tables) -> Result<()> {
    for (e, joint, coordinate) in std::mem::take(&mut out.mimics) {
        let leader = e.get("joint").unwrap_or_default();
        let found = scene
            .list
            .iter()
            .position(|f| f.element.get("name") == Some(leader) && out.joint_names.contains_key(&f.name));
        let Some(k) = found else { return Err(e.error(format!("there is no joint '{leader}'"))) };
        let name = out.joint_names[&scene.list[k].name].clone();
        let kind = scene.list[k].element.get("type").unwrap_or_default();
        let of = match (kind, e.get("axis")) {
            ("prismatic", _) => "slide",
            ("universal" | "revolute2", Some("axis2")) => "angle2",
            ("universal" | "revolute2", _) => "angle1",
            _ => "angle",
        };
        let get = |tag: &str, other: f64| number(&e, tag).map(|x| x.unwrap_or(other));
        let ratio = get("multiplier", 1.0)?;
        let offset = get("offset", 0.0)? - ratio * get("reference", 0.0)?;
        let mut keys = Table::default();
        keys.set("type", "gear");
        let coordinates = [(name.as_str(), of), (joint.as_str(), coordinate.as_str())];
        let [first, second] = coordinates.map(|(j, c)| Node::from(biela_base::signal_name::join(j, c)));
        keys.set("joints", pair(first, second));
        keys.set("ratio", ratio);
        if offset != 0.0 {
            keys.set("offset", offset);
        }
        let name = unused(&format!("{joint}_mimic"), &mut out.names);
        add(&mut out.couplings, &name, &e.span, keys);
    }
    Ok(())
}

/// Angles of both links about their axes, seen from the reference body: the second is −ratio times the first.
fn gearbox(scene: &Scene, joint: usize, name: &str, out: &mut Tables) -> Result<()> {
    let frame = &scene.list[joint];
    let e = frame.element;
    let reference =
        e.child("gearbox_reference_body").ok_or_else(|| e.error("a gearbox has a <gearbox_reference_body>"))?;
    let base = scene.link_of(scene.find(&scene.full(&frame.scope, &reference.text), reference)?)?;
    let ratio = number(e, "gearbox_ratio")?.unwrap_or(1.0);
    let mut gauges = Vec::new();
    for (k, tag) in ["axis", "axis2"].into_iter().enumerate() {
        let end = ends(scene, joint)?[k];
        let direction = axis(scene, joint, tag)?;
        let X = [base, end].map(|end| end.map_or(Pose::IDENTITY, |k| scene.poses[k]).inverse() * scene.poses[joint]);
        let mut keys = Table::default();
        keys.set("type", "angle-gauge");
        let called = |end: Option<usize>| Node::from(end.map_or("ground".to_string(), |k| scene.called(k)));
        keys.set("bodies", pair(called(base), called(end)));
        nodes::joint_frames(&mut keys, &X[0], &X[1], direction, [None, None]);
        let gauge = unused(&format!("{name}_angle{}", k + 1), &mut out.names);
        add(&mut out.joints, &gauge, &e.span, keys);
        gauges.push(gauge);
    }
    let mut keys = Table::default();
    keys.set("type", "gear");
    keys.set("joints", pair(gauges[0].as_str().into(), gauges[1].as_str().into()));
    keys.set("ratio", -ratio);
    add(&mut out.couplings, name, &e.span, keys);
    Ok(())
}
