//! The model in the vocabulary of the model file.

#![allow(non_snake_case)] // Frames are capital letters: X_PF (docs/notation.md).

use super::bodies::{Body, Joint, Kind, World};
use super::tables::{add, grounded_rotor, Tables};
use super::{actuators, equalities};
use crate::foreign::element::Attribute;
use crate::foreign::{set_mass, Element, Told};
use crate::nodes::{self, pair, reference_normal_to, unused, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::{Pose, Rotation, Vec3};

pub(super) fn document(world: &World, root: &Element, told: &mut Told) -> Result<Table> {
    let mut out = Tables::default();
    out.names.extend(world.list.iter().map(|b| b.name.clone()));
    out.names.extend(world.list.iter().flat_map(|b| &b.joints).map(|j| j.name.clone()));
    let stages = world.stages(keyframe(root, told)?.as_deref());
    for (k, body) in world.list.iter().enumerate() {
        if k > 0 {
            joints(world, body, &stages[k], &mut out, told)?;
        }
        let pose = stages[k].last().copied().unwrap_or(Pose::IDENTITY);
        let keys = keys_of(body, &pose, k == 0, told)?;
        if k > 0 || !keys.entries.is_empty() {
            add(&mut out.bodies, &body.name, &body.span, keys);
        }
    }
    equalities::read(world, root, &mut out, told)?;
    actuators::read(world, root, &mut out, told)?;
    let mut tree = Table::default();
    if let Some(name) = root.get("model") {
        tree.set("name", name);
    }
    tree.set("gravity", nodes::placed(vector(world.compiler.gravity), Some(&world.compiler.gravity_span)));
    let tables = [
        ("parameters", out.parameters),
        ("bodies", out.bodies),
        ("joints", out.joints),
        ("couplings", out.couplings),
        ("forces", out.forces),
        ("rotors", out.rotors),
    ];
    for (key, table) in tables.into_iter().filter(|(_, table)| !table.entries.is_empty()) {
        tree.set(key, table);
    }
    Ok(tree)
}

/// The positions of the first keyframe, in which the model is drawn.
fn keyframe(root: &Element, told: &mut Told) -> Result<Option<Vec<f64>>> {
    let mut keys = root.all("keyframe").flat_map(|k| &k.children).filter(|k| k.get("qpos").is_some());
    let Some(first) = keys.next() else { return Ok(None) };
    let name = first.get("name").unwrap_or("0");
    let more = keys.count();
    let rest = if more > 0 { format!("; {more} more are not used") } else { String::new() };
    told.unused(&first.span, format!("the model is drawn in its keyframe '{name}'{rest}"));
    first.numbers("qpos")
}

fn keys_of(body: &Body, pose: &Pose, ground: bool, told: &mut Told) -> Result<Table> {
    let mut keys = Table::default();
    if let (Some(m), false) = (body.mass, ground) {
        let element = format!("body '{}'", body.name);
        set_mass(&mut keys, (m.mass, m.com, m.inertia), told, (&element, &body.span))?;
    }
    if let (Some(pose), false) = (nodes::pose(pose), ground) {
        keys.set("pose", pose);
    }
    if !body.points.entries.is_empty() {
        keys.set("points", body.points.clone());
    }
    if !body.shapes.is_empty() {
        keys.set("shape", body.shapes.clone());
    }
    Ok(keys)
}

/// The joints of a body, in series through bodies without mass; a body without any is fixed.
fn joints(world: &World, body: &Body, stages: &[Pose], out: &mut Tables, told: &mut Told) -> Result<()> {
    let mut previous = world.list[body.parent].name.clone();
    let mut X_PF = body.X_PB;
    if body.joints.is_empty() {
        let mut keys = Table::default();
        keys.set("type", "fixed");
        keys.set("bodies", pair(previous.as_str().into(), body.name.as_str().into()));
        nodes::joint_frames(&mut keys, &X_PF, &Pose::IDENTITY, Vec3::Z, [None, None]);
        let name = unused(&format!("{}_fixed", body.name), &mut out.names);
        add(&mut out.joints, &name, &body.span, keys);
    }
    for (k, joint) in body.joints.iter().enumerate() {
        let next = match k + 1 == body.joints.len() {
            true => body.name.clone(),
            false => {
                let name = unused(&format!("{}_{}", body.name, joint.name), &mut out.names);
                let mut keys = Table::default();
                if let Some(pose) = stages.get(k).and_then(nodes::pose) {
                    keys.set("pose", pose);
                }
                add(&mut out.bodies, &name, &joint.element.span, keys);
                name
            }
        };
        let bodies = pair(previous.as_str().into(), next.as_str().into());
        add(&mut out.joints, &joint.name, &joint.element.span, joint_keys(world, joint, bodies, &X_PF)?);
        dynamics(world, joint, out, told)?;
        previous = next;
        X_PF = Pose::IDENTITY;
    }
    Ok(())
}

fn joint_keys(world: &World, joint: &Joint, bodies: Node, X_PF: &Pose) -> Result<Table> {
    let mut keys = Table::default();
    let kind = match joint.kind {
        Kind::Hinge => "revolute",
        Kind::Slide => "prismatic",
        Kind::Ball => "spherical",
        Kind::Free => "free",
    };
    keys.set("type", kind);
    keys.set("bodies", bodies);
    if joint.kind == Kind::Free {
        // The place and attitude of a free body are those in the world.
        keys.set("at", pair(vector(Vec3::ZERO), vector(Vec3::ZERO)));
        return Ok(keys);
    }
    let (axis, x) = (joint.axis, reference_normal_to(joint.axis));
    let slid = if joint.kind == Kind::Slide { joint.reference } else { 0.0 };
    keys.set("at", pair(vector(X_PF.apply(joint.pos)), vector(joint.pos + axis * slid)));
    if joint.kind == Kind::Ball {
        return Ok(keys);
    }
    // Coordinates are at their references where the frames coincide.
    let turned = if joint.kind == Kind::Hinge { Rotation::about(axis, joint.reference).apply(x) } else { x };
    keys.set("axis", pair(vector(X_PF.rotation.apply(axis)), vector(axis)));
    keys.set("x", pair(vector(X_PF.rotation.apply(x)), vector(turned)));
    keys.set("zero", "axes");
    let e = &joint.element;
    let limited = match e.get("limited") {
        _ if !world.compiler.acts("limit") => false,
        Some("true") => true,
        Some("false") => false,
        _ => world.compiler.autolimits,
    };
    if let (Some([lower, upper]), true) = (e.numbers("range")?.as_deref(), limited) {
        let scale = |x: f64| if joint.kind == Kind::Hinge { world.compiler.angle(x) } else { x };
        if lower < upper {
            let mut limits = Table::default();
            limits.set("lower", scale(*lower));
            limits.set("upper", scale(*upper));
            keys.set("limits", limits);
        }
    }
    Ok(keys)
}

/// Springs, dampers, friction and armature of a joint.
fn dynamics(world: &World, joint: &Joint, out: &mut Tables, told: &mut Told) -> Result<()> {
    let e = &joint.element;
    let get = |name: &str, flag: &str| match world.compiler.acts(flag) {
        true => e.number(name).map(|x| x.unwrap_or(0.0)),
        false => Ok(0.0),
    };
    let (stiffness, damping, friction, armature) = (
        get("stiffness", "spring")?,
        get("damping", "damper")?,
        get("frictionloss", "frictionloss")?,
        get("armature", "armature")?,
    );
    for (name, from) in [("springdamper", 0), ("stiffness", 1), ("damping", 1), ("springyield", 0)] {
        let more = |a: &&Attribute| a.value.split_whitespace().skip(from).any(|x| x.parse() != Ok(0.0));
        if let Some(a) = e.attribute(name).filter(more) {
            let what = if from == 0 { "" } else { "the higher powers in " };
            let error = Error::new(format!("{what}'{name}' of a joint")).at(&a.span);
            told.doubt(error, "not read, what they do is missing")?;
        }
    }
    let Some(coordinate) = joint.coordinate() else {
        if [stiffness, damping, friction, armature].iter().any(|x| *x != 0.0) {
            told.doubt(
                Error::new("stiffness, damping, friction or armature of a ball or free joint").at(&e.span),
                "not read, what they do is missing",
            )?;
        }
        return Ok(());
    };
    let mut load = |kind: &str, ending: &str, values: Vec<(&str, f64)>| {
        let mut keys = Table::default();
        keys.set("type", kind);
        keys.set("joint", joint.name.as_str());
        values.into_iter().for_each(|(key, x)| keys.set(key, x));
        let name = unused(&format!("{}_{ending}", joint.name), &mut out.names);
        add(&mut out.forces, &name, &e.span, keys);
    };
    if stiffness != 0.0 {
        let rest = e.number("springref")?.map(|x| if joint.kind == Kind::Hinge { world.compiler.angle(x) } else { x });
        load("joint-spring", "spring", vec![("stiffness", stiffness), ("rest", rest.unwrap_or(0.0))]);
    }
    if damping != 0.0 || friction != 0.0 {
        load(
            "friction",
            "damping",
            [("viscous", damping), ("coulomb", friction)].into_iter().filter(|v| v.1 != 0.0).collect(),
        );
    }
    if armature != 0.0 {
        let name = unused(&format!("{}_armature", joint.name), &mut out.names);
        let angle = signal_name::join(&joint.name, coordinate);
        let angle = if coordinate == "slide" { format!("{angle}/(1 m)") } else { angle };
        add(&mut out.rotors, &name, &e.span, grounded_rotor(armature, angle));
    }
    Ok(())
}
