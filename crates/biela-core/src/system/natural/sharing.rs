//! What joints let bodies have in common: orientations, points and unit vectors.
//!
//! A joint that locks orientation puts its bodies into one *group*, whose frame all of them share up to a constant rotation.
//! A joint that makes two points coincide makes them one point; one that makes two axes parallel makes them one vector of
//! two groups. What the geometry does not allow to be one thing is left apart, and its rows then say that the mechanism
//! does not close. Read off the joints' own rows, so a new joint needs nothing here.

use crate::joints::{Form, Joint, Measure, Row};
use crate::math::{Rotation, Vec3};
use crate::model::Model;
use crate::motion::Motion;
use std::collections::BTreeMap;

/// Two places or directions closer than this, relative to the model's extent, are the same. Frames of one drawing agree to
/// a few roundings; anything wider must stay visible as a residual.
pub(super) const SAME: f64 = 1e-13;

/// What the rows of one joint say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ties {
    /// The joint points coincide.
    pub coincide: bool,
    /// The second point stays on the first's z axis.
    pub on_axis: bool,
    /// The second point stays in the first's xy plane.
    pub in_plane: bool,
    /// The z axes are parallel, in the same sense.
    pub parallel: bool,
    /// All axes are parallel.
    pub locked: bool,
}

impl Ties {
    fn of(joint: &Joint) -> Ties {
        let rows = joint.kind.rows(joint);
        let measures: Vec<Measure> = rows.iter().filter_map(vanishing).collect();
        let all = |rows: &[Row]| rows.iter().filter_map(vanishing).all(|m| measures.contains(&m));
        let positive = joint.kind.positive(joint);
        let parallel = all(&joint.parallel()) && positive.contains(&joint.same_sense());
        let same_x = Measure::Dot(joint.direction(0, 0), joint.direction(1, 0));
        Ties {
            coincide: all(&joint.coincide()),
            on_axis: all(&joint.on_axis()),
            in_plane: measures.contains(&joint.offset(2)),
            parallel,
            locked: parallel && all(&[joint.locked()]) && positive.contains(&same_x),
        }
    }
}

/// The measure that a row sets to zero at all times, where that is all it does.
pub(super) fn vanishing(row: &Row) -> Option<Measure> {
    match (&row.form, &row.target) {
        (Form::Linear(terms), Motion::Constant(0.0)) if !row.squared => match terms.as_slice() {
            [(_, measure)] => Some(*measure),
            _ => None,
        },
        _ => None,
    }
}

/// Bodies that keep their orientation to one another, with their constant rotations.
#[derive(Debug)]
pub(super) struct Groups {
    /// Group of each body; 0 holds the ground.
    pub of_body: Vec<usize>,
    /// R_GB: axes of each body in the frame of its group, which is the frame of the group's first body.
    pub rotation: Vec<Rotation>,
    /// Bodies of each group, ascending.
    pub bodies: Vec<Vec<usize>>,
}

impl Groups {
    fn of(model: &Model, ties: &[Ties]) -> Groups {
        let count = model.bodies.len();
        let mut neighbours: Vec<Vec<(usize, Rotation)>> = vec![Vec::new(); count];
        for (joint, _) in model.joints.iter().zip(ties).filter(|(_, t)| t.locked) {
            let [i, j] = joint.bodies;
            // R_ij = R_iF R_Mj with R_FM = 1.
            let R_ij = joint.frames[0].rotation * joint.frames[1].rotation.transposed();
            neighbours[i].push((j, R_ij));
            neighbours[j].push((i, R_ij.transposed()));
        }
        let mut groups =
            Groups { of_body: vec![usize::MAX; count], rotation: vec![Rotation::IDENTITY; count], bodies: Vec::new() };
        for first in 0..count {
            if groups.of_body[first] != usize::MAX {
                continue;
            }
            let group = groups.bodies.len();
            groups.of_body[first] = group;
            let mut members = vec![first];
            let mut next = 0;
            while let Some(&i) = members.get(next) {
                next += 1;
                for (j, R_ij) in &neighbours[i] {
                    if groups.of_body[*j] == usize::MAX {
                        groups.of_body[*j] = group;
                        groups.rotation[*j] = groups.rotation[i] * *R_ij;
                        members.push(*j);
                    }
                }
            }
            members.sort_unstable();
            groups.bodies.push(members);
        }
        groups
    }

    /// A direction of a body in the frame of its group.
    pub fn direction(&self, body: usize, u_B: Vec3) -> Vec3 {
        self.rotation[body].apply(u_B)
    }
}

/// One thing seen from several holders: from each, a constant place or direction.
pub(super) type Class = BTreeMap<usize, Vec3>;

/// Points (held by bodies) or unit vectors (held by groups) that joints make one.
#[derive(Debug)]
pub(super) struct Classes {
    /// The classes; merged ones are left empty.
    pub classes: Vec<Class>,
    /// Classes of each holder but the first, which is fixed.
    pub of_holder: Vec<Vec<usize>>,
    tolerance: f64,
    signed: bool,
}

impl Classes {
    /// For that many holders; `signed` things equal their opposites.
    fn new(holders: usize, tolerance: f64, signed: bool) -> Classes {
        Classes { classes: Vec::new(), of_holder: vec![Vec::new(); holders], tolerance, signed }
    }

    fn same(&self, a: Vec3, b: Vec3) -> Option<f64> {
        if (a - b).norm() <= self.tolerance {
            Some(1.0)
        } else if self.signed && (a + b).norm() <= self.tolerance {
            Some(-1.0)
        } else {
            None
        }
    }

    /// The class that a moving holder sees at `x`, and with which sign.
    pub fn find(&self, holder: usize, x: Vec3) -> Option<(usize, f64)> {
        self.of_holder[holder].iter().find_map(|k| {
            let seen = self.classes[*k].get(&holder)?;
            self.same(*seen, x).map(|sign| (*k, sign))
        })
    }

    /// The class of a moving holder at `x`, made where there is none.
    pub fn find_or_make(&mut self, holder: usize, x: Vec3) -> (usize, f64) {
        if holder > 0 {
            if let Some(found) = self.find(holder, x) {
                return found;
            }
        }
        self.classes.push(BTreeMap::from([(holder, x)]));
        if holder > 0 {
            self.of_holder[holder].push(self.classes.len() - 1);
        }
        (self.classes.len() - 1, 1.0)
    }

    /// Makes what `a` and `b` see one thing, unless a third holder would have to see it in two places.
    fn join(&mut self, a: (usize, Vec3), b: (usize, Vec3)) {
        if a.0 == b.0 {
            return;
        }
        let (mut first, s) = self.find_or_make(a.0, a.1);
        let (mut second, r) = self.find_or_make(b.0, b.1);
        if first == second {
            return;
        }
        // The smaller goes into the larger, so that a vector shared by thousands is gathered in little time.
        if self.classes[first].len() < self.classes[second].len() {
            (first, second) = (second, first);
        }
        let sign = s * r;
        let clash = |(holder, x): (&usize, &Vec3)| {
            self.classes[first].get(holder).is_some_and(|other| (*other - *x * sign).norm() > self.tolerance)
        };
        if self.classes[second].iter().any(clash) {
            return;
        }
        for (holder, x) in std::mem::take(&mut self.classes[second]) {
            self.of_holder[holder].retain(|k| *k != second);
            if self.classes[first].insert(holder, x * sign).is_none() && holder > 0 {
                self.of_holder[holder].push(first);
            }
        }
    }

    /// True where holders `a` and `b` see one thing of whose two views `test` is true.
    pub fn share(&self, a: usize, b: usize, test: impl Fn(Vec3, Vec3) -> bool) -> bool {
        let moving = if a > 0 { a } else { b };
        moving > 0
            && self.of_holder[moving].iter().any(|k| {
                let of = |holder: usize| self.classes[*k].get(&holder);
                matches!((of(a), of(b)), (Some(x), Some(y)) if test(*x, *y))
            })
    }
}

/// Everything that bodies have in common.
#[derive(Debug)]
pub(super) struct Sharing {
    /// What each joint's rows say.
    pub ties: Vec<Ties>,
    /// Orientations in common.
    pub groups: Groups,
    /// Points in common, held by bodies.
    pub points: Classes,
    /// Unit vectors in common, held by groups.
    pub vectors: Classes,
    /// The farthest joint point from its body's origin, or 1.
    pub reach: f64,
}

impl Sharing {
    /// Reads a model.
    pub fn of(model: &Model) -> Sharing {
        let ties: Vec<Ties> = model.joints.iter().map(Ties::of).collect();
        let groups = Groups::of(model, &ties);
        let reach = model.joints.iter().flat_map(|j| j.frames).map(|f| f.origin.norm()).fold(0.0, f64::max);
        let reach = if reach > 0.0 && reach.is_finite() { reach } else { 1.0 };
        let mut points = Classes::new(model.bodies.len(), SAME * reach, false);
        let mut vectors = Classes::new(groups.bodies.len(), SAME, true);
        for (joint, ties) in model.joints.iter().zip(&ties) {
            let [i, j] = joint.bodies;
            if ties.coincide {
                points.join((i, joint.frames[0].origin), (j, joint.frames[1].origin));
            }
            if ties.parallel {
                let axis = |side: usize, body: usize| {
                    (groups.of_body[body], groups.direction(body, joint.frames[side].rotation.axes[2]))
                };
                vectors.join(axis(0, i), axis(1, j));
            }
        }
        Sharing { ties, groups, points, vectors, reach }
    }
}
