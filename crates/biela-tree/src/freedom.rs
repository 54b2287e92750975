//! What a joint lets the body do that it carries: elementary freedoms, in the order of their transforms from F to M.
//!
//! Its frame on the carrying body is F, that on the body carried M. With E_k the motion of freedom k,
//! X_FM = E_1 E_2 … E_n: a turn is Rz(q) Tz(lead · q) about its own axis, a slide Tx(q), an attitude the rotation of four Euler
//! parameters. Each axis is one of the frame that the freedoms before it have moved. So a universal joint is a turn about z, then one about
//! x; a planar one slides along x and y and turns about z; a floating body slides along x, y, z and has an attitude.
//!
//! With w and a the axis of freedom k as seen in F, r the vector from its origin to that of M, the columns of V_FM = H v are
//! (w, w × r + lead w) of a turn, (0, w) of a slide, and (R_k e_j, R_k e_j × r) of the angular velocity in the turned frame of an attitude.

#![allow(non_snake_case)] // X_FM, R_FM: poses and rotations between frames (docs/notation.md).

use biela_math::{EulerParameters, Pose, Rotation, Vec3};

/// An axis of the frame that a freedom finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third, which is the axis of joints that have one.
    Z,
}

impl Axis {
    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        match self {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        }
    }

    /// The unit vector.
    pub const fn unit(self) -> Vec3 {
        match self {
            Axis::X => Vec3::X,
            Axis::Y => Vec3::Y,
            Axis::Z => Vec3::Z,
        }
    }
}

/// How a freedom moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// Turns about an axis, and advances along it by `lead` per radian.
    Turn {
        /// The axis.
        axis: Axis,
        /// Slide per radian: zero but for screws.
        lead: f64,
    },
    /// Slides along an axis.
    Slide {
        /// The axis.
        axis: Axis,
    },
    /// Turns about a point: four Euler parameters, and the angular velocity in the turned frame.
    Attitude,
}

/// An elementary freedom of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Freedom {
    /// How it moves.
    pub motion: Motion,
    /// Place of its first position coordinate among those of the joint.
    pub q: usize,
    /// Place of its first velocity among those of the joint.
    pub v: usize,
    /// Names of its position coordinates.
    pub names: &'static [&'static str],
    /// Names of its velocities.
    pub rates: &'static [&'static str],
}

impl Freedom {
    /// A turn about an axis by coordinate `k` of the joint; `name` is a list of one.
    pub const fn turn(axis: Axis, k: usize, name: &'static [&'static str]) -> Freedom {
        Freedom { motion: Motion::Turn { axis, lead: 0.0 }, q: k, v: k, names: name, rates: name }
    }

    /// A slide along an axis by coordinate `k` of the joint; `name` is a list of one.
    pub const fn slide(axis: Axis, k: usize, name: &'static [&'static str]) -> Freedom {
        Freedom { motion: Motion::Slide { axis }, q: k, v: k, names: name, rates: name }
    }

    /// An attitude whose Euler parameters begin at coordinate `q` of the joint, its angular velocity at `v`.
    pub const fn attitude(q: usize, v: usize) -> Freedom {
        Freedom { motion: Motion::Attitude, q, v, names: &["e0", "e1", "e2", "e3"], rates: &["wx", "wy", "wz"] }
    }

    /// The same turn as one that advances along its axis by `lead` per radian.
    pub const fn advancing(self, lead: f64) -> Freedom {
        match self.motion {
            Motion::Turn { axis, .. } => Freedom { motion: Motion::Turn { axis, lead }, ..self },
            _ => self,
        }
    }

    /// The same with its velocity in another place and by another name.
    pub const fn with_rate(self, v: usize, rates: &'static [&'static str]) -> Freedom {
        Freedom { v, rates, ..self }
    }

    /// Its axis and lead, if it is a turn.
    pub fn turning(&self) -> Option<(Axis, f64)> {
        match self.motion {
            Motion::Turn { axis, lead } => Some((axis, lead)),
            _ => None,
        }
    }

    /// Its axis, if it is a slide.
    pub fn sliding(&self) -> Option<Axis> {
        match self.motion {
            Motion::Slide { axis } => Some(axis),
            _ => None,
        }
    }

    /// Whether it is an attitude.
    pub fn is_attitude(&self) -> bool {
        self.motion == Motion::Attitude
    }

    /// Its own motion E at the joint's coordinates.
    fn moved(&self, q: &[f64]) -> Pose {
        match self.motion {
            Motion::Turn { axis, lead } => {
                Pose::new(Rotation::about(axis.unit(), q[self.q]), axis.unit() * (lead * q[self.q]))
            }
            Motion::Slide { axis } => Pose::translation(axis.unit() * q[self.q]),
            Motion::Attitude => {
                let e = [q[self.q], q[self.q + 1], q[self.q + 2], q[self.q + 3]];
                Pose::new(EulerParameters(e).normalised().rotation(), Vec3::ZERO)
            }
        }
    }
}

/// What a body does that nothing holds: its coordinates are Euler parameters and the origin of M in F, its velocities the angular one in M
/// and that of the origin in F.
pub const FLOATING: [Freedom; 4] = [
    Freedom::slide(Axis::X, 4, &["x"]).with_rate(3, &["vx"]),
    Freedom::slide(Axis::Y, 5, &["y"]).with_rate(4, &["vy"]),
    Freedom::slide(Axis::Z, 6, &["z"]).with_rate(5, &["vz"]),
    Freedom::attitude(0, 0),
];

/// Number of position coordinates.
pub fn nq(freedoms: &[Freedom]) -> usize {
    freedoms.iter().map(|f| f.names.len()).sum()
}

/// Number of velocities.
pub fn nv(freedoms: &[Freedom]) -> usize {
    freedoms.iter().map(|f| f.rates.len()).sum()
}

/// Names of the position coordinates and of the velocities, in their places; none where there is a single one.
pub fn names(freedoms: &[Freedom]) -> [Vec<&'static str>; 2] {
    let (mut positions, mut velocities) = (vec![""; nq(freedoms)], vec![""; nv(freedoms)]);
    for f in freedoms {
        positions.iter_mut().skip(f.q).zip(f.names).for_each(|(slot, name)| *slot = name);
        velocities.iter_mut().skip(f.v).zip(f.rates).for_each(|(slot, name)| *slot = name);
    }
    [positions, velocities].map(|list| if list.len() == 1 { Vec::new() } else { list })
}

/// The pose X_FM.
pub fn pose(freedoms: &[Freedom], q: &[f64]) -> Pose {
    freedoms.iter().fold(Pose::IDENTITY, |X, f| X * f.moved(q))
}

/// Column `k` of H_FM: angular velocity of M and velocity of its origin, in F.
pub fn column(freedoms: &[Freedom], q: &[f64], k: usize) -> (Vec3, Vec3) {
    let (mut X, mut found) = (Pose::IDENTITY, None);
    for f in freedoms {
        let (before, after) = (X, X * f.moved(q));
        X = after;
        if !(f.v..f.v + f.rates.len()).contains(&k) {
            continue;
        }
        found = Some(match f.motion {
            Motion::Turn { axis, lead } => (before.rotation.apply(axis.unit()), lead, before.origin),
            Motion::Slide { axis } => return (Vec3::ZERO, before.rotation.apply(axis.unit())),
            Motion::Attitude => (after.rotation.axes[(k - f.v).min(2)], 0.0, after.origin),
        });
    }
    match found {
        Some((w, lead, at)) => (w, w.cross(X.origin - at) + w * lead),
        None => (Vec3::ZERO, Vec3::ZERO),
    }
}

/// Ḣ v: acceleration of M in F where the velocities do not change, angular and of its origin, in F.
pub fn bias(freedoms: &[Freedom], q: &[f64], v: &[f64]) -> (Vec3, Vec3) {
    let mut X = Pose::IDENTITY;
    let (mut w, mut angular, mut linear) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    for f in freedoms {
        let (before, after) = (X, X * f.moved(q));
        X = after;
        // The origin moves along an axis that turns with what came before.
        let along = match f.motion {
            Motion::Turn { axis, lead } => before.rotation.apply(axis.unit()) * (lead * v[f.v]),
            Motion::Slide { axis } => before.rotation.apply(axis.unit()) * v[f.v],
            Motion::Attitude => Vec3::ZERO,
        };
        let d = after.origin - before.origin;
        linear += angular.cross(d) + w.cross(w.cross(d)) + w.cross(along) * 2.0;
        let turned = match f.motion {
            Motion::Turn { axis, .. } => before.rotation.apply(axis.unit()) * v[f.v],
            Motion::Slide { .. } => Vec3::ZERO,
            Motion::Attitude => after.rotation.apply(Vec3::new(v[f.v], v[f.v + 1], v[f.v + 2])),
        };
        angular += w.cross(turned);
        w += turned;
    }
    (angular, linear)
}
