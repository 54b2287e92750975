//! Links and joints written in the vocabulary of the model file.

use super::graph::Graph;
use super::joint::{Dynamics, Joint, Kind, LoopJoint, Mimic};
use super::link::Link;
use super::Options;
use crate::foreign::{Placed, Reader};
use crate::nodes::{self, joint_frames, numbers, pair, placed, push, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::{Pose, Rotation, Vec3};
use std::collections::HashSet;

pub(super) struct Robot {
    pub name: Placed<String>,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub loops: Vec<LoopJoint>,
}

/// The fixed body of every model.
const GROUND: &str = "ground";

pub(super) fn document(reader: &mut Reader, robot: &Robot, graph: &Graph, options: &Options) -> Result<Table> {
    let root = &robot.links[graph.root];
    let fixed_root = if options.free_base { None } else { Some(root.name.value.as_str()) };
    let mut bodies = Table::default();
    for (link, pose) in robot.links.iter().zip(&graph.poses) {
        if fixed_root == Some(link.name.value.as_str()) {
            warn_of_root(reader, link);
            continue;
        }
        if link.name.value == GROUND {
            return Err(Error::new("'ground' is the name of the fixed frame and cannot be a moving link")
                .of("link 'ground'")
                .at(&link.name.span)
                .note("give the link another name"));
        }
        push(&mut bodies, &link.name.value, Some(&link.name.span), body(link, pose));
    }

    let body_name = |link: &Placed<String>| {
        let name = if fixed_root == Some(link.value.as_str()) { GROUND } else { &link.value };
        Node::from(name).at(&link.span)
    };
    let mut names: HashSet<String> = robot.joints.iter().map(|j| j.name.value.clone()).collect();
    names.extend(robot.loops.iter().map(|l| l.name.value.clone()));
    names.extend(robot.links.iter().map(|l| l.name.value.clone()));

    let mut joints = Table::default();
    let mut couplings = Table::default();
    let mut forces = Table::default();
    if options.free_base {
        let mut table = Table::default();
        table.set("type", "free");
        table.set("bodies", pair(GROUND.into(), root.name.value.as_str().into()));
        let name = unused("floating_base", &mut names);
        push(&mut joints, &name, Some(&root.name.span), placed(table.into(), Some(&root.name.span)));
    }
    for joint in &robot.joints {
        let bodies = pair(body_name(&joint.parent), body_name(&joint.child));
        push(&mut joints, &joint.name.value, Some(&joint.name.span), tree_joint(reader, joint, bodies));
        if let Some(mimic) = &joint.mimic {
            let table = gear(joint, mimic);
            let name = unused(&format!("{}_mimic", joint.name.value), &mut names);
            push(&mut couplings, &name, Some(&mimic.span), placed(table.into(), Some(&mimic.span)));
        }
        if let Some(dynamics) = &joint.dynamics {
            let table = friction(joint, dynamics);
            let name = unused(&format!("{}_damping", joint.name.value), &mut names);
            push(&mut forces, &name, Some(&dynamics.span), placed(table.into(), Some(&dynamics.span)));
        }
    }
    for joint in &robot.loops {
        let bodies = pair(body_name(&joint.links[0]), body_name(&joint.links[1]));
        let table = loop_joint(joint, bodies, robot, graph)?;
        push(&mut joints, &joint.name.value, Some(&joint.name.span), table);
    }

    let mut document = Table::default();
    document.set("name", Node::from(robot.name.value.as_str()).at(&robot.name.span));
    for (key, table) in [("bodies", bodies), ("joints", joints), ("couplings", couplings), ("forces", forces)] {
        if !table.entries.is_empty() {
            document.set(key, table);
        }
    }
    Ok(document)
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

fn warn_of_root(reader: &mut Reader, root: &Link) {
    let name = &root.name.value;
    if let Some(inertial) = &root.inertial {
        let message = format!("root link '{name}' is fixed to the ground: its inertia is not used");
        reader.told.unused(&inertial.span, message);
    }
    if root.shape.is_some() {
        let message = format!("root link '{name}' is fixed to the ground: its shape is not drawn");
        reader.told.unused(&root.name.span, message);
    }
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
    }
    if let Some(shape) = &link.shape {
        table.set("shape", shape.clone());
    }
    if let Some(pose) = nodes::pose(pose) {
        table.set("pose", pose);
    }
    placed(table.into(), Some(&link.name.span))
}

fn tree_joint(reader: &mut Reader, joint: &Joint, bodies: Node) -> Node {
    let mut table = Table::default();
    let (kind, axis) = match joint.kind.value {
        Kind::Revolute | Kind::Continuous => ("revolute", joint.axis.direction),
        Kind::Prismatic => ("prismatic", joint.axis.direction),
        Kind::Planar => ("planar", joint.axis.direction),
        Kind::Fixed => ("fixed", Vec3::Z),
        Kind::Floating => ("free", Vec3::Z),
    };
    table.set("type", Node::from(kind).at(&joint.kind.span));
    table.set("bodies", bodies);
    let origin_span = joint.origin.span.as_ref();
    let axis_span = joint.axis.span.as_ref().or(origin_span);
    joint_frames(&mut table, &joint.origin.pose, &Pose::IDENTITY, axis, [origin_span, axis_span]);
    if joint.kind.value == Kind::Floating {
        // A free joint holds nothing, so it has a point on each body and no directions.
        table.entries.retain(|e| e.key != "axis" && e.key != "x");
        if let (Some(span), true) = (origin_span, joint.origin.pose.rotation != Rotation::IDENTITY) {
            let message =
                "the orientation of a floating joint is measured from the parent's axes; rpy sets the drawing";
            reader.told.unused(span, message);
        }
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
    let kind = match joint.kind.value.as_str() {
        "continuous" => "revolute",
        other => other,
    };
    table.set("type", Node::from(kind).at(&joint.kind.span));
    table.set("bodies", bodies);
    let [first, second] = &joint.frames;
    let place = |span: &Option<Span>| span.clone().unwrap_or_else(|| joint.span.clone());
    let spans = [place(&first.span), place(&joint.axis.span)];
    let axis = if kind == "fixed" { Vec3::Z } else { joint.axis.direction };
    joint_frames(&mut table, &first.pose, &second.pose, axis, [Some(&spans[0]), Some(&spans[1])]);
    match kind {
        "spherical" => table.entries.retain(|e| e.key != "axis" && e.key != "x"),
        "universal" => {
            let drawn = |end: usize, direction: Vec3| {
                let link = robot.links.iter().position(|l| l.name.value == joint.links[end].value);
                let pose = link.and_then(|k| graph.poses.get(k)).copied().unwrap_or(Pose::IDENTITY);
                pose.rotation.apply(joint.frames[end].pose.rotation.apply(direction))
            };
            let (axis, axis2) = (drawn(0, joint.axis.direction), drawn(1, joint.axis2.direction));
            // Perpendicular but for the digits in which frames are usually printed.
            const COSINE: f64 = 1e-6;
            if axis.dot(axis2).abs() > COSINE {
                let message = "the two axes of the universal joint are not perpendicular with all joints at zero";
                return Err(Error::new(message)
                    .of(format!("loop joint '{}'", joint.name.value))
                    .at(&place(&joint.axis2.span))
                    .note("<axis> is given in the frame of link1, <axis2> in the frame of link2"));
            }
            table.entries.retain(|e| e.key != "x");
            table.set("axis", placed(vector(axis), Some(&spans[1])));
            table.set("axis2", placed(vector(axis2), Some(&place(&joint.axis2.span))));
        }
        "fixed" => {}
        _ => table.set("zero", "axes"),
    }
    if let Some(pitch) = &joint.pitch {
        table.set("pitch", number(pitch));
    }
    Ok(placed(table.into(), Some(&joint.span)))
}
