//! Written columns as poses, motions and forces of one sample.

use crate::machine::*;
use crate::vector::*;
use biela::results::Results;
use std::collections::HashMap;

/// Columns by their names.
pub struct Columns<'r> {
    by_name: HashMap<&'r str, &'r [f64]>,
    pub t: &'r [f64],
}

impl<'r> Columns<'r> {
    pub fn new(results: &'r Results) -> Columns<'r> {
        let by_name: HashMap<&str, &[f64]> =
            results.columns.iter().map(|c| (c.name.as_str(), c.data.as_slice())).collect();
        let t = by_name["t"];
        Columns { by_name, t }
    }

    pub fn get(&self, name: &str) -> &'r [f64] {
        self.by_name.get(name).unwrap_or_else(|| panic!("no column '{name}'"))
    }

    fn vector(&self, k: usize, name: &str, leaves: [&str; 3]) -> V {
        leaves.map(|leaf| self.get(&format!("{name}.{leaf}"))[k])
    }
}

/// A body at one sample.
#[derive(Clone, Copy)]
pub struct Pose {
    pub r: M,
    pub e: Q,
    pub p: V,
    pub v: V,
    pub w: V,
    pub a: V,
    pub al: V,
}

impl Pose {
    /// Place, velocity and acceleration of a point of the body.
    pub fn point(&self, p: V) -> [V; 3] {
        let s = apply(&self.r, p);
        let a = add(add(self.a, cross(self.al, s)), cross(self.w, cross(self.w, s)));
        [add(self.p, s), self.velocity_at(add(self.p, s)), a]
    }

    /// Velocity of the point of the body that is at a place.
    pub fn velocity_at(&self, place: V) -> V {
        add(self.v, cross(self.w, sub(place, self.p)))
    }
}

/// All bodies at one sample.
pub fn poses(m: &Machine, columns: &Columns, k: usize) -> Vec<Pose> {
    let ground =
        Pose { r: matrix([1.0, 0.0, 0.0, 0.0]), e: [1.0, 0.0, 0.0, 0.0], p: ZERO, v: ZERO, w: ZERO, a: ZERO, al: ZERO };
    let moving = m.bodies[1..].iter().map(|b| {
        let e = ["e0", "e1", "e2", "e3"].map(|leaf| columns.get(&format!("{}.{leaf}", b.name))[k]);
        Pose {
            r: matrix(e),
            e,
            p: columns.vector(k, &b.name, ["x", "y", "z"]),
            v: columns.vector(k, &b.name, ["vx", "vy", "vz"]),
            w: columns.vector(k, &b.name, ["wx", "wy", "wz"]),
            a: columns.vector(k, &b.name, ["ax", "ay", "az"]),
            al: columns.vector(k, &b.name, ["alx", "aly", "alz"]),
        }
    });
    std::iter::once(ground).chain(moving).collect()
}

/// Force and moment of a joint's reaction on its second body.
pub fn reaction(joint: &Joint, columns: &Columns, k: usize) -> [V; 2] {
    if joint.kind == "free" {
        // It has none.
        return [ZERO; 2];
    }
    [columns.vector(k, &joint.name, ["fx", "fy", "fz"]), columns.vector(k, &joint.name, ["mx", "my", "mz"])]
}

/// Places and directions of a joint at one sample.
pub struct Placed {
    /// The points of both bodies.
    pub at: [V; 2],
    /// The axes, unit vectors.
    pub n: [V; 2],
    /// The reference of the first body normal to its axis, and what completes it.
    pub x: V,
    pub y: V,
    /// The reference of the second.
    pub x2: V,
}

pub fn placed(joint: &Joint, poses: &[Pose]) -> Placed {
    let [a, b] = joint.bodies.map(|k| &poses[k]);
    let n = match joint.kind {
        // A direction of the ground.
        "coordinate" => [unit(joint.axis[0]); 2],
        _ => [unit(apply(&a.r, joint.axis[0])), unit(apply(&b.r, joint.axis[1]))],
    };
    let x = normal_part(apply(&a.r, joint.x[0]), n[0]);
    let x2 = normal_part(apply(&b.r, joint.x[1]), n[1]);
    Placed { at: [a.point(joint.at[0])[0], b.point(joint.at[1])[0]], n, x, y: cross(n[0], x), x2 }
}

/// Effort along a coordinate of a joint: force and moment on the second body, at its joint point. The first bears the opposite there.
pub fn effort_wrench(joint: &Joint, c: usize, at: &Placed, effort: f64) -> [V; 2] {
    let (name, angle) = coordinates(joint.kind)[c];
    let direction = match name {
        "angle2" => at.n[1],
        "x" => at.x,
        "y" => at.y,
        _ => at.n[0],
    };
    match angle {
        true => [ZERO, scaled(direction, effort)],
        false => [scaled(direction, effort), ZERO],
    }
}
