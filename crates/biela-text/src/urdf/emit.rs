//! Links and joints written in the vocabulary of the model file.

#![allow(non_snake_case)] // Frames are capital letters: X_PF (docs/notation.md).

use super::graph::Graph;
use super::joint::{Dynamics, Joint, Kind, Mimic};
use super::link::Link;
use super::loops::{Coupling, LoopJoint};
use super::robot::Robot;
use super::transmission::RotorInertia;
use super::Options;
use crate::foreign::{Placed, Reader};
use crate::nodes::{self, joint_frames, numbers, pair, placed, push, vector};
use crate::tree::{Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_base::source::Span;
use biela_math::{Elementary, Pose, Rotation, Vec3};
use std::collections::{HashMap, HashSet};

/// The fixed body of every model.
const GROUND: &str = "ground";

/// What the sections of a model are filled with.
#[derive(Default)]
struct Sections {
    bodies: Table,
    joints: Table,
    couplings: Table,
    rotors: Table,
    forces: Table,
    /// Every name that is taken.
    names: HashSet<String>,
}

pub(super) fn document(reader: &mut Reader, robot: &Robot, graph: &Graph, options: &Options) -> Result<Table> {
    let mut out = Sections::default();
    out.names.extend(robot.joints.iter().map(|j| j.name.value.clone()));
    out.names.extend(robot.loops.iter().map(|l| l.name.value.clone()));
    out.names.extend(robot.links.iter().map(|l| l.name.value.clone()));
    let body_of = bodies(reader, robot, graph, options, &mut out)?;
    let body_name = |link: &Placed<String>| {
        Node::from(body_of.get(link.value.as_str()).map_or(link.value.as_str(), String::as_str)).at(&link.span)
    };
    base(robot, graph, options, &body_of, &mut out);
    for (k, joint) in robot.joints.iter().enumerate() {
        let bodies = pair(body_name(&joint.parent), body_name(&joint.child));
        let table = tree_joint(joint, bodies, robot, graph);
        push(&mut out.joints, &joint.name.value, Some(&joint.name.span), table);
        if let (Some(mimic), Some(_)) = (&joint.mimic, graph.leaders[k]) {
            let table = gear(joint, mimic);
            let name = unused(&format!("{}_mimic", joint.name.value), &mut out.names);
            push(&mut out.couplings, &name, Some(&mimic.span), placed(table.into(), Some(&mimic.span)));
        }
        if let Some(dynamics) = &joint.dynamics {
            let table = friction(joint, dynamics);
            let name = unused(&format!("{}_damping", joint.name.value), &mut out.names);
            push(&mut out.forces, &name, Some(&dynamics.span), placed(table.into(), Some(&dynamics.span)));
        }
    }
    for joint in &robot.loops {
        let bodies = pair(body_name(&joint.links[0]), body_name(&joint.links[1]));
        let table = loop_joint(joint, bodies, robot, graph)?;
        push(&mut out.joints, &joint.name.value, Some(&joint.name.span), table);
    }
    for coupling in &robot.couplings {
        let table = coupled(coupling, robot, graph)?;
        let name = unused(&coupling.name.value, &mut out.names);
        push(&mut out.couplings, &name, Some(&coupling.name.span), placed(table.into(), Some(&coupling.span)));
    }
    for rotor in &robot.rotors {
        emit_rotor(reader, rotor, robot, &body_name, &mut out)?;
    }
    let mut document = Table::default();
    document.set("name", Node::from(robot.name.value.as_str()).at(&robot.name.span));
    let Sections { bodies, joints, couplings, rotors, forces, .. } = out;
    let sections =
        [("bodies", bodies), ("joints", joints), ("couplings", couplings), ("rotors", rotors), ("forces", forces)];
    for (key, table) in sections {
        if !table.entries.is_empty() {
            document.set(key, table);
        }
    }
    Ok(document)
}

/// Bodies of all links; the names of those that are not called as their links are.
fn bodies<'r>(
    reader: &mut Reader,
    robot: &'r Robot,
    graph: &Graph,
    options: &Options,
    out: &mut Sections,
) -> Result<HashMap<&'r str, String>> {
    let mut body_of: HashMap<&str, String> = HashMap::new();
    for (k, (link, pose)) in robot.links.iter().zip(&graph.poses).enumerate() {
        let name = &link.name;
        if k == graph.root && !options.free_base && robot.links.len() > 1 {
            body_of.insert(&name.value, GROUND.into());
            ground(reader, link, out);
            continue;
        }
        let mut called = name.value.clone();
        if called == GROUND {
            called = unused("ground_link", &mut out.names);
            let error = Error::new("'ground' is the name of the fixed frame").of("link 'ground'").at(&name.span);
            reader.told.doubt(error.note("give the link another name"), &format!("called '{called}' here"))?;
            body_of.insert(&name.value, called.clone());
        }
        push(&mut out.bodies, &called, Some(&name.span), body(link, pose));
    }
    Ok(body_of)
}

/// The root link as the ground: it is drawn, and weighs nothing.
fn ground(reader: &mut Reader, root: &Link, out: &mut Sections) {
    if let Some(inertial) = &root.inertial {
        let message = format!("root link '{}' is fixed to the ground: its inertia is not used", root.name.value);
        reader.told.unused(&inertial.span, message);
    }
    if !root.shapes.is_empty() {
        let mut table = Table::default();
        table.set("shape", Value::List(root.shapes.clone()));
        push(&mut out.bodies, GROUND, Some(&root.name.span), placed(table.into(), Some(&root.name.span)));
    }
}

/// What holds the root: nothing where it floats; a link alone is fixed, so that there is a body.
fn base(robot: &Robot, graph: &Graph, options: &Options, body_of: &HashMap<&str, String>, out: &mut Sections) {
    let (kind, name) = match (options.free_base, robot.links.len()) {
        (true, _) => ("free", "floating_base"),
        (false, 1) => ("fixed", "base"),
        (false, _) => return,
    };
    let root = &robot.links[graph.root].name;
    let body = body_of.get(root.value.as_str()).unwrap_or(&root.value).as_str();
    let mut table = Table::default();
    table.set("type", kind);
    table.set("bodies", pair(GROUND.into(), body.into()));
    let name = unused(name, &mut out.names);
    push(&mut out.joints, &name, Some(&root.span), placed(table.into(), Some(&root.span)));
}

/// Links that turn together: a gear between two joints, or sums of the joints on the way to each.
fn coupled(coupling: &Coupling, robot: &Robot, graph: &Graph) -> Result<Table> {
    let of = |e: Error| e.of(format!("coupling '{}'", coupling.name.value));
    let place = |name: &Placed<String>| robot.links.iter().position(|l| l.name.value == name.value).unwrap_or(0);
    let chains = graph.chains([place(&coupling.links[0]), place(&coupling.links[1])]);
    let mut terms: [Vec<String>; 2] = Default::default();
    for ((chain, terms), link) in chains.iter().zip(&mut terms).zip(&coupling.links) {
        for joint in chain.iter().map(|&j| &robot.joints[j]).filter(|j| j.kind.value != Kind::Fixed) {
            let coordinate = joint.kind.value.coordinate().ok_or_else(|| {
                of(Error::new(format!("joint '{}' has not one coordinate", joint.name.value)).at(&link.span))
            })?;
            terms.push(signal_name::join(&joint.name.value, coordinate));
        }
        if terms.is_empty() {
            let message = format!("nothing turns link '{}' against the other link", link.value);
            return Err(of(Error::new(message).at(&link.span)));
        }
    }
    let ratio = match coupling.touch {
        Some(touch) => {
            // A link's own joint comes first, and its axis is that of the link's frame.
            let axis = |chain: &[usize]| chain.first().map_or(Vec3::Z, |&j| robot.joints[j].axis.direction);
            let radius = |k: usize| axis(&chains[k]).unit().unwrap_or(Vec3::Z).cross(touch[k]).norm();
            let ratio = radius(0) / radius(1);
            if !(ratio.is_finite() && ratio > 0.0) {
                return Err(of(Error::new("a roll whose point of contact lies on its axis").at(&coupling.span)));
            }
            Placed { value: ratio, span: coupling.span.clone() }
        }
        None => coupling.ratio.clone(),
    };
    let mut table = Table::default();
    if let [[first], [second]] = [&terms[0][..], &terms[1][..]] {
        table.set("type", "gear");
        table.set("joints", pair(first.as_str().into(), second.as_str().into()));
        table.set("ratio", number(&ratio));
    } else {
        let [first, second] = terms.map(|t| t.join(" + "));
        table.set("type", "coupling");
        table.set("value", format!("{:?}*({first}) - ({second})", ratio.value));
    }
    Ok(table)
}

/// The rotor of a motor on the link before its joint.
fn emit_rotor(
    reader: &mut Reader,
    rotor: &RotorInertia,
    robot: &Robot,
    body_name: &dyn Fn(&Placed<String>) -> Node,
    out: &mut Sections,
) -> Result<()> {
    let joint = robot.joints.iter().find(|j| j.name.value == rotor.joint.value);
    let turning = |j: &&Joint| matches!(j.kind.value, Kind::Revolute | Kind::Continuous);
    let Some(joint) = joint.filter(turning) else {
        let error = Error::new("a rotor's inertia belongs to a joint that does not turn, or is not there");
        return reader.told.doubt(error.at(&rotor.joint.span), "not used");
    };
    let mut table = Table::default();
    table.set("body", body_name(&joint.parent));
    table.set("axis", vector(joint.origin.pose.rotation.apply(joint.axis.direction)));
    table.set("at", vector(joint.origin.pose.origin));
    table.set("inertia", number(&rotor.inertia));
    table.set("angle", format!("{:?}*{}", rotor.ratio, signal_name::join(&joint.name.value, "angle")));
    let name = unused(&rotor.name.value, &mut out.names);
    push(&mut out.rotors, &name, Some(&rotor.name.span), placed(table.into(), Some(&rotor.name.span)));
    Ok(())
}

/// A joint that mimics another, as a gear.
fn gear(joint: &Joint, mimic: &Mimic) -> Table {
    let mut table = Table::default();
    table.set("type", "gear");
    let leader = Node::from(mimic.leader.value.as_str()).at(&mimic.leader.span);
    let follower = Node::from(joint.name.value.as_str()).at(&joint.name.span);
    table.set("joints", pair(leader, follower));
    table.set("ratio", mimic.multiplier.as_ref().map_or(Node::from(1.0), number));
    if let Some(offset) = &mimic.offset {
        table.set("offset", number(offset));
    }
    table
}

/// What resists a joint, as friction.
fn friction(joint: &Joint, dynamics: &Dynamics) -> Table {
    let mut table = Table::default();
    table.set("type", "friction");
    table.set("joint", Node::from(joint.name.value.as_str()).at(&joint.name.span));
    if let Some(damping) = &dynamics.damping {
        table.set("viscous", number(damping));
    }
    if let Some(friction) = &dynamics.friction {
        table.set("coulomb", number(friction));
    }
    table
}

fn number(p: &Placed<f64>) -> Node {
    Node::from(p.value).at(&p.span)
}

/// `wish`, lengthened until no element has that name.
fn unused(wish: &str, names: &mut HashSet<String>) -> String {
    let mut name = wish.to_string();
    while !names.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn body(link: &Link, pose: &Pose) -> Node {
    let mut table = Table::default();
    if let Some(inertial) = &link.inertial {
        let origin = &inertial.origin;
        let origin_span = origin.span.as_ref().unwrap_or(&inertial.span);
        table.set("mass", number(&inertial.mass));
        table.set("com", placed(vector(origin.pose.origin), Some(origin_span)));
        let inertia = inertial.inertia.value.turned(&origin.pose.rotation);
        table.set("inertia", placed(numbers(inertia.entries()), Some(&inertial.inertia.span)));
        if inertial.unphysical {
            table.set("unphysical", true);
        }
    }
    match &link.shapes[..] {
        [] => {}
        [one] => table.set("shape", one.clone()),
        several => table.set("shape", Value::List(several.to_vec())),
    }
    if let Some(pose) = nodes::pose(pose) {
        table.set("pose", pose);
    }
    placed(table.into(), Some(&link.name.span))
}

fn tree_joint(joint: &Joint, bodies: Node, robot: &Robot, graph: &Graph) -> Node {
    let mut table = Table::default();
    let (kind, axis) = match joint.kind.value {
        Kind::Revolute | Kind::Continuous => ("revolute", joint.axis.direction),
        Kind::Prismatic => ("prismatic", joint.axis.direction),
        Kind::Planar => ("planar", joint.axis.direction),
        Kind::Fixed => ("fixed", Vec3::Z),
        Kind::Floating => ("free", Vec3::Z),
        Kind::Spherical => ("spherical", Vec3::Z),
        Kind::Universal([first, _]) => ("universal", first),
    };
    table.set("type", Node::from(kind).at(&joint.kind.span));
    table.set("bodies", bodies);
    let origin_span = joint.origin.span.as_ref();
    let axis_span = joint.axis.span.as_ref().or(origin_span);
    joint_frames(&mut table, &joint.origin.pose, &Pose::IDENTITY, axis, [origin_span, axis_span]);
    if let Kind::Universal(axes) = joint.kind.value {
        // Both axes as they are drawn, with all joints at zero.
        let child = robot.links.iter().position(|l| l.name.value == joint.child.value).unwrap_or(0);
        let [first, second] = axes.map(|a| graph.poses[child].rotation.apply(a));
        table.entries.retain(|e| e.key != "x");
        table.set("axis", placed(vector(first), axis_span));
        table.set("axis2", placed(vector(second), axis_span));
    }
    if joint.kind.value.is_single() || joint.kind.value == Kind::Planar {
        table.set("zero", "axes");
    }
    if let Some(limit) = &joint.limit {
        let mut limits = Table::default();
        for (name, value) in &limit.entries {
            limits.set(*name, number(value));
        }
        table.set("limits", placed(limits.into(), Some(&limit.span)));
    }
    placed(table.into(), Some(&joint.span))
}

fn loop_joint(joint: &LoopJoint, bodies: Node, robot: &Robot, graph: &Graph) -> Result<Node> {
    let mut table = Table::default();
    let kind = joint.kind.value;
    table.set("type", Node::from(kind).at(&joint.kind.span));
    table.set("bodies", bodies);
    let pose_of = |end: usize| {
        let link = robot.links.iter().position(|l| l.name.value == joint.links[end].value);
        link.and_then(|k| graph.poses.get(k)).copied().unwrap_or(Pose::IDENTITY)
    };
    let [first, second] = &joint.frames;
    let X_PF = match joint.closed_at_zero {
        true => pose_of(0).inverse() * pose_of(1) * second.pose,
        false => first.pose,
    };
    let place = |span: &Option<Span>| span.clone().unwrap_or_else(|| joint.span.clone());
    let spans = [place(&first.span), place(&joint.axes[0].span)];
    let [axis, other] = match kind {
        "fixed" | "spherical" => [Vec3::Z; 2],
        _ => [joint.axes[0].direction, joint.axes[1].direction],
    };
    // The second frame is turned so that one direction of the joint frame is the axis in both.
    let turned = match kind {
        "universal" => second.pose,
        _ => second.pose * Pose::new(between(axis, other), Vec3::ZERO),
    };
    joint_frames(&mut table, &X_PF, &turned, axis, [Some(&spans[0]), Some(&spans[1])]);
    match kind {
        "spherical" => table.entries.retain(|e| e.key != "axis" && e.key != "x"),
        "universal" => {
            let drawn = |end: usize, frame: &Pose, direction: Vec3| {
                pose_of(end).rotation.apply(frame.rotation.apply(direction))
            };
            let axes = [drawn(0, &X_PF, axis), drawn(1, &second.pose, other)];
            // Perpendicular but for the digits in which frames are usually printed.
            const COSINE: f64 = 1e-6;
            if axes[0].dot(axes[1]).abs() > COSINE {
                let message = "the two axes of the universal joint are not perpendicular with all joints at zero";
                return Err(Error::new(message)
                    .of(format!("loop joint '{}'", joint.name.value))
                    .at(&place(&joint.axes[1].span))
                    .note("the first is given in the frame of the first link, the second in that of the second"));
            }
            table.entries.retain(|e| e.key != "x");
            table.set("axis", placed(vector(axes[0]), Some(&spans[1])));
            table.set("axis2", placed(vector(axes[1]), Some(&place(&joint.axes[1].span))));
        }
        "fixed" => {}
        _ => table.set("zero", "axes"),
    }
    if let Some(pitch) = &joint.pitch {
        table.set("pitch", number(pitch));
    }
    Ok(placed(table.into(), Some(&joint.span)))
}

/// The least rotation that takes one direction into another.
fn between(from: Vec3, to: Vec3) -> Rotation {
    // Nearer than this the directions are the same but for the digits in which they were written.
    const SAME: f64 = 1e-12;
    let normal = from.cross(to);
    match normal.unit().filter(|_| normal.norm() > SAME) {
        Some(axis) => Rotation::about(axis, normal.norm().arctangent2(from.dot(to))),
        None if from.dot(to) < 0.0 => Rotation::about(nodes::reference_normal_to(from), std::f64::consts::PI),
        None => Rotation::IDENTITY,
    }
}
