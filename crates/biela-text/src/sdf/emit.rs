//! The scene in the vocabulary of the model file.

use super::frames::{Kind, Scene};
use super::tables::{add, Tables};
use super::{joints, links};
use crate::foreign::{Element, Folder, Told};
use crate::nodes::{self, pair, placed, unused, vector};
use crate::reader::plain_name;
use crate::tree::{Node, Table};
use biela_base::error::Result;
use biela_math::{Pose, Vec3};
use std::collections::HashSet;

pub(super) fn document(scene: &Scene, world: Option<&Element>, folder: &Folder, told: &mut Told) -> Result<Table> {
    let mut out = Tables { names: HashSet::from(["ground".to_string()]), ..Tables::default() };
    let of = |kind: Kind| (0..scene.list.len()).filter(move |k| scene.list[*k].kind == kind);
    for k in of(Kind::Link) {
        let frame = &scene.list[k];
        let mut keys = links::keys(frame.element, folder, told)?;
        if let Some(pose) = nodes::pose(&scene.poses[k]) {
            keys.set("pose", pose);
        }
        let points = points(scene, k)?;
        if !points.entries.is_empty() {
            keys.set("points", points);
        }
        let name = scene.called(k);
        out.names.insert(name.clone());
        add(&mut out.bodies, &name, &frame.element.span, keys);
    }
    for k in of(Kind::Joint) {
        joints::read(scene, k, &mut out, told)?;
    }
    joints::mimics(scene, &mut out)?;
    hold(scene, &mut out)?;
    let mut tree = Table::default();
    let models: Vec<&str> =
        of(Kind::Model).filter(|k| scene.list[*k].scope.is_empty()).map(|k| scene.list[k].name.as_str()).collect();
    let name = world.and_then(|w| w.get("name")).filter(|_| models.len() > 1).or(models.first().copied());
    if let Some(name) = name {
        tree.set("name", name);
    }
    if let Some(world) = world {
        let given = world.child("gravity").map(|g| g.own_numbers().map(|n| (n, &g.span))).transpose()?;
        // The format's own where a world says nothing.
        let (numbers, span) = given.unwrap_or((vec![0.0, 0.0, -9.8], &world.span));
        let [x, y, z] = numbers[..] else { return Err(world.error("<gravity> has three numbers")) };
        tree.set("gravity", placed(vector(Vec3::new(x, y, z)), Some(span)));
    }
    for (key, table) in
        [("bodies", out.bodies), ("joints", out.joints), ("couplings", out.couplings), ("forces", out.forces)]
    {
        if !table.entries.is_empty() {
            tree.set(key, table);
        }
    }
    Ok(tree)
}

/// Frames that move with a link, as points of it.
fn points(scene: &Scene, link: usize) -> Result<Table> {
    let mut points = Table::default();
    for k in (0..scene.list.len()).filter(|k| scene.list[*k].kind == Kind::Frame) {
        if scene.link_of(k)? == Some(link) {
            let name = plain_name(scene.list[k].element.get("name").unwrap_or_default()).replace('.', "_");
            points.set(name, vector(scene.poses[link].apply_inverse(scene.poses[k].origin)));
        }
    }
    Ok(points)
}

/// Links of models that do not move are fixed to the ground; of every other group that no joint holds to it, one link floats.
fn hold(scene: &Scene, out: &mut Tables) -> Result<()> {
    let count = scene.list.len();
    let mut root: Vec<usize> = (0..count).collect();
    fn top(root: &mut [usize], mut k: usize) -> usize {
        while root[k] != k {
            root[k] = root[root[k]];
            k = root[k];
        }
        k
    }
    // Frame 0 is the world.
    for k in (0..count).filter(|k| scene.list[*k].kind == Kind::Joint) {
        let [a, b] = joints::ends(scene, k)?.map(|end| end.unwrap_or(0));
        let (a, b) = (top(&mut root, a), top(&mut root, b));
        root[a.max(b)] = a.min(b);
    }
    for k in (0..count).filter(|k| scene.list[*k].kind == Kind::Link) {
        let frame = &scene.list[k];
        let group = top(&mut root, k);
        let (kind, ending) = match (frame.fixed, group == 0) {
            (true, _) => ("fixed", "fixed"),
            (false, false) => ("free", "free"),
            (false, true) => continue,
        };
        if !frame.fixed {
            root[group] = 0;
        }
        let called = scene.called(k);
        let mut keys = Table::default();
        keys.set("type", kind);
        keys.set("bodies", pair(Node::from("ground"), called.as_str().into()));
        match kind {
            "fixed" => nodes::joint_frames(&mut keys, &scene.poses[k], &Pose::IDENTITY, Vec3::Z, [None, None]),
            _ => keys.set("at", pair(vector(Vec3::ZERO), vector(Vec3::ZERO))),
        }
        let name = unused(&format!("{called}_{ending}"), &mut out.names);
        add(&mut out.joints, &name, &frame.element.span, keys);
    }
    Ok(())
}
