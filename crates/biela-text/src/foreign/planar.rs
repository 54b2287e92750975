//! Loops that are planar but for the digits in which a file gives its angles and lengths.
//!
//! A quarter turn written as 1.5708 leaves the hinges of a loop parallel to 4e-6 rad. In the plane they move all the same; across it the
//! closing joint says what the others say already, but for those digits, and no position fulfils both. So what closes such a loop keeps its
//! equations in the plane alone: a point stays on a line normal to it, and a weld keeps its angle.
//!
//! Nor can anything in the plane bring together ends that lie apart across it, as some files have them whose program looks at the plane alone.
//!
//! The loops are those that joints close on the tree of the joints before them, followed with all coordinates at zero: turns about the normal
//! and slides across it keep its direction in every body, so that what holds there holds everywhere.

#![allow(non_snake_case)] // Frames are capital letters: X_AB (docs/notation.md).

use super::Told;
use crate::nodes::{self, pair, reference_normal_to, vector};
use crate::tree::{Entry, Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::{Pose, Rotation, Vec3};
use std::collections::{HashMap, HashSet, VecDeque};

/// Below this, rounding of double numbers; a solver closes the loop as it stands.
const EXACT: f64 = 1e-12;
/// Above this, radians or parts of the loop's size, three printed digits (3.14, 1.57) cannot explain it.
const PRINTED: f64 = 2e-3;

/// A joint as the document has it: its frame in both bodies.
struct Link {
    kind: String,
    bodies: [String; 2],
    frames: [Pose; 2],
}

/// A loop that is planar to printed digits.
struct Loop {
    /// The normal, in the axes of both bodies of the closing joint.
    normal: [Vec3; 2],
    /// Its own frame there.
    frames: [Pose; 2],
    /// Whether its ends lie apart across the plane by more than digits explain; no motion brings them together.
    apart: bool,
}

/// Takes the equations that printed digits spoil out of the joints that close planar loops.
pub(crate) fn flatten_planar_loops(tree: &mut Table, told: &mut Told) -> Result<()> {
    let names: HashSet<String> = tree
        .entries
        .iter()
        .filter_map(|e| table(&e.node))
        .flat_map(|t| t.entries.iter().map(|e| e.key.clone()))
        .collect();
    let Some(Value::Table(joints)) = tree.entries.iter_mut().find(|e| e.key == "joints").map(|e| &mut e.node.value)
    else {
        return Ok(());
    };
    let found = planar_loops(joints);
    if found.is_empty() {
        return Ok(());
    }
    let mut names = names;
    let (mut kept, mut couplings) = (Vec::new(), Table::default());
    let mut lines: Vec<([String; 2], [Vec3; 2])> = Vec::new();
    for (k, entry) in std::mem::take(&mut joints.entries).into_iter().enumerate() {
        let Some(flat) = found.get(&k) else {
            kept.push(entry);
            continue;
        };
        let mut error = Error::new(match flat.apart {
            true => "the ends of a planar loop lie apart across its plane, where nothing moves",
            false => "the axes of a loop are parallel but for the digits in which they are written",
        });
        if let Some(span) = &entry.key_span {
            error = error.at(span);
        }
        let instead = match flat.apart {
            true => "it is closed in the plane alone",
            false => "what these digits say across its plane is left out",
        };
        told.doubt(error.of(format!("joint '{}'", entry.key)), instead)?;
        flatten(entry, flat, &mut names, (&mut kept, &mut couplings), &mut lines);
    }
    joints.entries = kept;
    if !couplings.entries.is_empty() {
        match tree.entries.iter_mut().find(|e| e.key == "couplings").map(|e| &mut e.node.value) {
            Some(Value::Table(there)) => there.entries.append(&mut couplings.entries),
            _ => tree.set("couplings", couplings),
        }
    }
    Ok(())
}

/// The joint's equations in the plane: a line for its point, and where it turns or is welded the angle.
fn flatten(
    entry: Entry,
    flat: &Loop,
    names: &mut HashSet<String>,
    (joints, couplings): (&mut Vec<Entry>, &mut Table),
    lines: &mut Vec<([String; 2], [Vec3; 2])>,
) {
    let Some(joint) = table(&entry.node) else { return };
    let (kind, bodies) =
        (text(joint, "type").unwrap_or_default().to_string(), words(joint, "bodies").unwrap_or_default());
    let span = entry.node.span.clone();
    let x = reference_normal_to(flat.normal[0]);
    // The direction in the second body that lies along x where the frames of the joint coincide.
    let across = |v: Vec3, n: Vec3| (v - n * n.dot(v)).unit().unwrap_or(reference_normal_to(n));
    let other = across(flat.frames[1].rotation.apply(flat.frames[0].rotation.apply_transposed(x)), flat.normal[1]);
    let element = |kind: &str| {
        let mut keys = Table::default();
        keys.set("type", kind);
        keys.set("bodies", pair(bodies[0].as_str().into(), bodies[1].as_str().into()));
        keys.set("at", pair(vector(flat.frames[0].origin), vector(flat.frames[1].origin)));
        keys.set("axis", pair(vector(flat.normal[0]), vector(flat.normal[1])));
        keys.set("x", pair(vector(x), vector(other)));
        keys
    };
    let mut add = |name: String, mut keys: Table, from: Option<&Table>| {
        if let Some(node) = from.and_then(|t| t.get("limits")) {
            keys.set("limits", node.clone());
        }
        joints.push(Entry {
            key: name,
            key_span: entry.key_span.clone(),
            node: nodes::placed(keys.into(), span.as_ref()),
        });
    };
    let called = |ending: &str, names: &mut HashSet<String>| nodes::unused(&format!("{}_{ending}", entry.key), names);
    // A second point held on the same line says nothing new.
    let level =
        [0, 1].map(|k: usize| flat.frames[k].origin - flat.normal[k] * flat.normal[k].dot(flat.frames[k].origin));
    let near = |a: Vec3, b: Vec3| (a - b).norm() <= PRINTED * (1.0 + a.norm()) * 1e-3;
    let again = |(b, l): &([String; 2], [Vec3; 2])| b[..] == bodies[..] && near(l[0], level[0]) && near(l[1], level[1]);
    let held = kind == "spherical" && lines.iter().any(again);
    match kind.as_str() {
        _ if held => {}
        "spherical" => add(entry.key.clone(), element("point-on-line"), None),
        _ => {
            add(called("line", names), element("point-on-line"), None);
            add(entry.key.clone(), element("angle-gauge"), Some(joint));
            if kind == "fixed" {
                let mut keys = Table::default();
                keys.set("type", "coupling");
                keys.set("value", signal_name::join(&entry.key, "angle"));
                let name = called("turn", names);
                nodes::push(couplings, &name, entry.key_span.as_ref(), nodes::placed(keys.into(), span.as_ref()));
            }
        }
    }
    lines.push(([bodies[0].clone(), bodies[1].clone()], level));
}

/// The joints, by their place in the table, that close a loop which is planar to printed digits and not exactly so.
fn planar_loops(joints: &Table) -> HashMap<usize, Loop> {
    let links: Vec<Option<Link>> = joints.entries.iter().map(|e| table(&e.node).and_then(link)).collect();
    // The tree, each body with the joint that leads to it.
    let mut around: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut root: HashMap<&str, &str> = HashMap::new();
    fn top<'n>(root: &mut HashMap<&'n str, &'n str>, body: &'n str) -> &'n str {
        let mut at = body;
        while let Some(&next) = root.get(at).filter(|&&next| next != at) {
            at = next;
        }
        if at != body {
            root.insert(body, at);
        }
        at
    }
    let mut closing = Vec::new();
    for (k, link) in links.iter().enumerate() {
        let Some(link) = link.as_ref().filter(|l| !matches!(l.kind.as_str(), "gauge" | "angle-gauge" | "actuator"))
        else {
            continue;
        };
        let [a, b] = [link.bodies[0].as_str(), link.bodies[1].as_str()];
        let (of_a, of_b) = (top(&mut root, a), top(&mut root, b));
        if of_a == of_b {
            closing.push(k);
            continue;
        }
        root.insert(of_a, of_b);
        for body in [a, b] {
            around.entry(body).or_default().push(k);
        }
    }
    let loops = closing.into_iter().filter_map(|k| planar(&links, &around, links[k].as_ref()?).map(|found| (k, found)));
    loops.collect()
}

/// The joints from one body to another along the tree, each with the end at which it is entered.
fn way(
    links: &[Option<Link>],
    around: &HashMap<&str, Vec<usize>>,
    from: &str,
    to: &str,
) -> Option<Vec<(usize, usize)>> {
    let mut came: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(body) = queue.pop_front().filter(|body| *body != to) {
        for &k in around.get(body)? {
            let link = links.get(k)?.as_ref()?;
            let end = usize::from(link.bodies[0] != body);
            let next = link.bodies[1 - end].as_str();
            if next != from && !came.contains_key(next) {
                came.insert(next, (k, end));
                queue.push_back(next);
            }
        }
    }
    let (mut path, mut at) = (Vec::new(), to);
    while at != from {
        let &(k, end) = came.get(at)?;
        path.push((k, end));
        at = links[k].as_ref()?.bodies[end].as_str();
    }
    path.reverse();
    Some(path)
}

fn planar(links: &[Option<Link>], around: &HashMap<&str, Vec<usize>>, closing: &Link) -> Option<Loop> {
    if !["fixed", "revolute", "spherical"].contains(&closing.kind.as_str()) {
        return None;
    }
    let path = way(links, around, &closing.bodies[0], &closing.bodies[1])?;
    // Axes of turns and slides, and places, in the frame A of the first body with all coordinates at zero.
    let (mut turns, mut slides, mut size) = (Vec::new(), Vec::new(), 0.0_f64);
    let mut X_AB = Pose::IDENTITY;
    for (k, end) in path {
        let link = links[k].as_ref()?;
        let X_AJ = X_AB * link.frames[end];
        match link.kind.as_str() {
            "revolute" => turns.push(X_AJ.rotation.axes[2]),
            "prismatic" => slides.push(X_AJ.rotation.axes[2]),
            "fixed" => {}
            _ => return None,
        }
        size = size.max(X_AJ.origin.norm());
        X_AB = X_AJ * link.frames[1 - end].inverse();
    }
    let X_AC = [closing.frames[0], X_AB * closing.frames[1]];
    if closing.kind == "revolute" {
        turns.extend(X_AC.map(|X| X.rotation.axes[2]));
    }
    let normal = *turns.first()?;
    let mut apart = 0.0_f64;
    for axis in &turns {
        apart = apart.max(normal.cross(*axis).norm());
    }
    for axis in &slides {
        apart = apart.max(normal.dot(*axis).abs());
    }
    if closing.kind == "fixed" {
        let [a, b] = X_AC.map(|X| X.rotation.apply_transposed(normal));
        apart = apart.max(a.cross(b).norm().max(if a.dot(b) < 0.0 { 1.0 } else { 0.0 }));
    }
    let height = normal.dot(X_AC[0].origin - X_AC[1].origin).abs();
    let size = size.max(X_AC[0].origin.norm());
    let exact = apart <= EXACT && height <= EXACT * size;
    if exact || apart > PRINTED {
        return None;
    }
    let normal = [normal, X_AB.rotation.apply_transposed(normal)];
    Some(Loop { normal, frames: closing.frames, apart: height > PRINTED * size })
}

/// A joint whose frame is given in both bodies. One without directions turns or is held in all; what has none in both bodies is of no use here.
fn link(joint: &Table) -> Option<Link> {
    let kind = text(joint, "type")?.to_string();
    let bodies: [String; 2] = words(joint, "bodies")?.try_into().ok()?;
    let at = vectors(joint, "at").unwrap_or([Vec3::ZERO; 2]);
    let axes = vectors(joint, "axis");
    if axes.is_none() && ["revolute", "prismatic", "fixed"].contains(&kind.as_str()) {
        // Known to the tree, and no part of a planar loop.
        return Some(Link { kind: "unknown".into(), bodies, frames: at.map(Pose::translation) });
    }
    let axes = axes.unwrap_or([Vec3::Z; 2]);
    let x = vectors(joint, "x").unwrap_or(axes.map(reference_normal_to));
    let frame = |k: usize| Some(Pose::new(Rotation::from_z_x(axes[k].unit()?, x[k])?, at[k]));
    Some(Link { kind, bodies, frames: [frame(0)?, frame(1)?] })
}

fn table(node: &Node) -> Option<&Table> {
    match &node.value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

fn text<'t>(table: &'t Table, key: &str) -> Option<&'t str> {
    match &table.get(key)?.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn words(table: &Table, key: &str) -> Option<Vec<String>> {
    let Value::List(list) = &table.get(key)?.value else { return None };
    let word = |n: &Node| match &n.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    list.iter().map(word).collect()
}

/// Two vectors, one for each body.
fn vectors(table: &Table, key: &str) -> Option<[Vec3; 2]> {
    let Value::List(list) = &table.get(key)?.value else { return None };
    let one = |node: &Node| {
        let Value::List(list) = &node.value else { return None };
        let number = |n: &Node| match n.value {
            Value::Number(x) => Some(x),
            Value::Integer(k) => Some(k as f64),
            _ => None,
        };
        match list.iter().map(number).collect::<Option<Vec<f64>>>()?[..] {
            [x, y, z] => Some(Vec3::new(x, y, z)),
            _ => None,
        }
    };
    match &list[..] {
        [a, b] => Some([one(a)?, one(b)?]),
        _ => None,
    }
}
