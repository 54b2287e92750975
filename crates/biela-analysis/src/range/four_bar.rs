//! Planar four-bars: loops of four pivots with parallel axes, and what Grashof's rule says of the one that a driven pivot belongs to.
//!
//! With the shortest link s, the longest l and the others p and q, a link turns all the way round where s + l < p + q: the shortest against its
//! neighbours. Which link that is, seen from the driven pivot, gives the class its name: the first body of the driven pivot is the frame (the
//! ground, mostly), its second the driven link.

use crate::drivers::Target;
use crate::math::Vec3;
use crate::model::{Model, GROUND};
use biela_base::joined::Joined;

/// What a four-bar is, seen from its driven pivot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The driven link turns all the way round, the other link at the frame does not.
    CrankRocker,
    /// The other link at the frame turns all the way round, the driven one does not.
    RockerCrank,
    /// Both links at the frame turn all the way round.
    DoubleCrank,
    /// Neither does, but the coupler turns against both.
    DoubleRocker,
    /// Nothing turns all the way round.
    TripleRocker,
    /// The links can lie in one line, where motions cross.
    ChangePoint,
}

impl Class {
    /// Every class with the word that names it.
    pub const ALL: [(&'static str, Class); 6] = [
        ("crank-rocker", Class::CrankRocker),
        ("rocker-crank", Class::RockerCrank),
        ("double-crank", Class::DoubleCrank),
        ("double-rocker", Class::DoubleRocker),
        ("triple-rocker", Class::TripleRocker),
        ("change-point", Class::ChangePoint),
    ];

    /// The word that names it.
    pub fn word(self) -> &'static str {
        Class::ALL.iter().find(|c| c.1 == self).map_or("", |c| c.0)
    }

    /// By the lengths of frame, driven link, coupler and the other link at the frame.
    pub fn of([frame, driven, coupler, other]: [f64; 4]) -> Class {
        /// Sums of lengths that differ by less, against all of them, are equal but for rounding.
        const EQUAL: f64 = 1e-12;
        let lengths = [frame, driven, coupler, other];
        let all: f64 = lengths.iter().sum();
        let (shortest, longest) = lengths.iter().fold((f64::INFINITY, 0.0f64), |(s, l), x| (s.min(*x), l.max(*x)));
        let excess = 2.0 * (shortest + longest) - all;
        if excess.abs() <= EQUAL * all {
            return Class::ChangePoint;
        }
        if excess > 0.0 {
            return Class::TripleRocker;
        }
        match lengths.iter().position(|x| *x == shortest) {
            Some(0) => Class::DoubleCrank,
            Some(1) => Class::CrankRocker,
            Some(2) => Class::DoubleRocker,
            _ => Class::RockerCrank,
        }
    }
}

/// One end of a link: a joint and the side of it that is the link's.
type Pivot = (usize, usize);

/// Links, and the pivots at each.
struct Pivots {
    /// Number of the link that each body is part of.
    welded: Vec<usize>,
    /// Pivots at a link, each with the side that leads away from it.
    away: Vec<Vec<Pivot>>,
}

impl Pivots {
    fn of(model: &Model) -> Pivots {
        let welded = links(model);
        let mut away: Vec<Vec<Pivot>> = vec![Vec::new(); model.bodies.len()];
        for (k, joint) in model.joints.iter().enumerate().filter(|(_, joint)| joint.is_pivot()) {
            for side in [0, 1] {
                away[welded[joint.bodies[side]]].push((k, 1 - side));
            }
        }
        Pivots { welded, away }
    }

    /// The class of the four-bar that a pivot belongs to. Loops are looked for from the link that is driven, which holds few pivots where
    /// the frame may hold them all.
    fn class(&self, model: &Model, driven: usize) -> Option<Class> {
        let joint = model.joints.get(driven).filter(|j| j.is_pivot())?;
        let ground = self.welded[GROUND];
        let link = |(joint, side): Pivot| self.welded[model.joints[joint].bodies[side]];
        // The frame is the ground where the driven pivot stands on it.
        let frame = usize::from(self.welded[joint.bodies[1]] == ground);
        let (first, last) = ((driven, frame), (driven, 1 - frame));
        let back = |(k, side): Pivot| (k, 1 - side);
        let mut found: Vec<([Pivot; 3], [f64; 4], bool)> = Vec::new();
        for c in self.away[link(last)].iter().map(|p| back(*p)).filter(|c| c.0 != driven) {
            for b in self.away[link(back(c))].iter().map(|p| back(*p)).filter(|b| ![driven, c.0].contains(&b.0)) {
                let ends = self.away[link(back(b))].iter().filter(|p| link(**p) == link(first)).map(|p| back(*p));
                for a in ends.filter(|a| ![driven, b.0, c.0].contains(&a.0)) {
                    let bodies = [link(first), link(a), link(b), link(c)];
                    if !(0..4).all(|i| (0..i).all(|j| bodies[i] != bodies[j])) {
                        continue;
                    }
                    let ends = [(first, back(a)), (last, c), (b, back(c)), (a, back(b))];
                    let lengths: Option<Vec<f64>> = ends.iter().map(|(p, q)| length(model, *p, *q)).collect();
                    let Some(Ok(lengths)) = lengths.map(<[f64; 4]>::try_from) else { continue };
                    found.push(([a, b, c], lengths, bodies.contains(&ground)));
                }
            }
        }
        // The ground first, then the order of joints.
        let key = |f: &([Pivot; 3], [f64; 4], bool)| (!f.2, f.0.map(|p| (p.0, 1 - p.1)));
        found.iter().min_by_key(|f| key(f)).map(|f| Class::of(f.1))
    }
}

/// The class of the four-bar that the pivot `driven` belongs to; `None` where there is none. Of several, one with the ground in it counts.
pub fn class(model: &Model, driven: usize) -> Option<Class> {
    Pivots::of(model).class(model, driven)
}

/// The class of the four-bar of a model: that of a driven pivot, or else of one on the ground.
pub fn class_of(model: &Model) -> Option<Class> {
    let driven = model.drivers.iter().filter_map(|d| match &d.target {
        Target::Coordinate { of, .. } => Some(of.joint),
        _ => None,
    });
    let grounded = (0..model.joints.len()).filter(|k| model.joints[*k].bodies.contains(&GROUND));
    let pivots = Pivots::of(model);
    driven.chain(grounded).find_map(|joint| pivots.class(model, joint))
}

/// Number of the link that each body is part of: bodies that are welded together are one.
fn links(model: &Model) -> Vec<usize> {
    let mut link = Joined::new(model.bodies.len());
    for joint in &model.joints {
        if joint.freedoms().is_some_and(|list| list.is_empty()) {
            link.join(joint.bodies[0], joint.bodies[1]);
        }
    }
    (0..model.bodies.len()).map(|body| link.root(body)).collect()
}

/// Distance of the axes of two pivots of one link; `None` where they are not parallel, or one and the same.
fn length(model: &Model, p: Pivot, q: Pivot) -> Option<f64> {
    /// Directions that differ by less are parallel.
    const PARALLEL: f64 = 1e-9;
    let place = |(joint, side): Pivot| {
        let joint = &model.joints[joint];
        // Bodies of one link are drawn where they are welded.
        let drawn = model.guess().poses()[joint.bodies[side]] * joint.frames[side];
        match model.joints[p.0].bodies[p.1] == model.joints[q.0].bodies[q.1] {
            true => joint.frames[side],
            false => drawn,
        }
    };
    let (a, b) = (place(p), place(q));
    let axis = a.rotation.axes[2];
    let between = b.origin - a.origin;
    let across: Vec3 = between - axis * axis.dot(between);
    let size = between.norm().max(1e-300);
    (axis.cross(b.rotation.axes[2]).norm() < PARALLEL && across.norm() > PARALLEL * size).then(|| across.norm())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule by hand, from the textbook's table.
    #[test]
    fn the_shortest_link_names_the_class() {
        assert_eq!(Class::of([4.0, 1.0, 3.0, 3.0]), Class::CrankRocker);
        assert_eq!(Class::of([4.0, 3.0, 3.0, 1.0]), Class::RockerCrank);
        assert_eq!(Class::of([1.0, 4.0, 3.0, 3.0]), Class::DoubleCrank);
        assert_eq!(Class::of([4.0, 3.0, 1.0, 3.0]), Class::DoubleRocker);
        assert_eq!(Class::of([4.0, 3.0, 2.5, 2.0]), Class::TripleRocker);
        assert_eq!(Class::of([4.0, 1.0, 2.0, 3.0]), Class::ChangePoint);
        assert_eq!(Class::of([0.3, 0.1, 0.3, 0.1]), Class::ChangePoint);
    }
}
