//! A mechanism as polynomials see it: groups of bodies that move as one, and what ties them.
//!
//! All is told from one assembled configuration, in ground axes: what a group does is a displacement from there. Freedoms that drivers give
//! are none. A leg that hangs between a ball and another, or a universal joint, is a rod: it keeps two points apart.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::drivers::Target;
use crate::joints::{Axis, Freedom, Joint, Marker, Measure};
use crate::math::{Pose, Vec3};
use crate::model::Model;

/// What two groups share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// A line about which one turns on the other.
    Pivot,
    /// A line along which one slides on the other without turning.
    Slide,
    /// A point.
    Ball,
    /// A point of the second that stays on a line of the first.
    Line,
    /// A point, and no turn about the line across two axes.
    Cross,
    /// The distance of two points.
    Rod,
    /// The height of a point of the second above a plane of the first.
    Plane,
    /// How they are turned.
    Turn,
    /// Turns and slides one after the other.
    Series,
    /// The height of a point of the second above a plane that moves with the first.
    Sheet,
}

/// One turn or slide of a tie, as assembled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screw {
    pub turns: bool,
    pub point: Vec3,
    pub u: Vec3,
}

/// What ties two groups, as assembled.
#[derive(Debug, Clone)]
pub(super) struct Tie {
    pub sort: Sort,
    pub groups: [usize; 2],
    /// The points that it ties, one of each group.
    pub points: [Vec3; 2],
    /// Its line, or the plane's normal.
    pub u: Vec3,
    /// Its turns and slides from the first to the second, where it is made of such; of a point on a line, the slide.
    pub screws: Vec<Screw>,
}

impl Tie {
    /// The side on which a group is.
    pub fn side(&self, group: usize) -> Option<usize> {
        self.groups.iter().position(|g| *g == group)
    }
}

/// Groups and ties.
#[derive(Debug, Clone)]
pub(super) struct Skeleton {
    /// The group of each body; 0 is that of the ground.
    pub group: Vec<usize>,
    pub ties: Vec<Tie>,
    /// Groups that need no unknowns of their own.
    pub legs: Vec<Leg>,
}

/// A group that follows two points of others: a leg between balls, an arm or a slider that carries one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leg {
    pub group: usize,
    /// The groups that hold its ends, and the ends.
    pub ends: [(usize, Vec3); 2],
    /// Whether it may be turned over about its line without any other moving.
    pub turns_over: bool,
}

impl Skeleton {
    /// The skeleton of a model assembled with these poses, or why there is none.
    pub fn new(model: &Model, poses: &[Pose]) -> Result<Skeleton, String> {
        if let Some(coupling) = model.couplings.first() {
            return Err(format!("coupling '{}' is no polynomial of points and directions", coupling.name));
        }
        let mut group: Vec<usize> = (0..model.bodies.len()).collect();
        let mut driven: Vec<Vec<usize>> = vec![Vec::new(); model.joints.len()];
        let mut ties = Vec::new();
        for driver in model.drivers.iter() {
            match &driver.target {
                Target::Coordinate { of, .. } => driven[of.joint].push(of.coordinate),
                other => ties.push(of_driver(model, other, poses).ok_or_else(|| {
                    format!("driver '{}' is none of those that are written as polynomials", driver.name)
                })?),
            }
        }
        for (k, joint) in model.joints.iter().enumerate() {
            let is_rod = joint.kind.is_axial() && !driven[k].is_empty();
            if joint.is_free() && !is_rod {
                continue;
            }
            let [a, b] = joint.bodies;
            let frames = [poses[a] * joint.frames[0], poses[b] * joint.frames[1]];
            let sorts = sorts(joint, &driven[k]).ok_or_else(|| {
                format!(
                    "joint '{}' ({}) is none of those that are written as polynomials",
                    joint.name,
                    joint.kind.keyword()
                )
            })?;
            if sorts.is_empty() {
                let (keep, lose) = (group[a].min(group[b]), group[a].max(group[b]));
                group.iter_mut().filter(|g| **g == lose).for_each(|g| *g = keep);
            }
            for (sort, axis) in sorts {
                let [first, second] = [frames[0].origin, frames[1].origin];
                let points = match sort {
                    Sort::Rod => [first, second],
                    // A point of the second body, wherever it is on the first.
                    Sort::Line | Sort::Ball | Sort::Sheet => [second; 2],
                    _ => [first; 2],
                };
                let screws = screws(joint, &driven[k], &frames).unwrap_or_default();
                ties.push(Tie { sort, groups: [a, b], points, u: frames[0].rotation.axes[axis], screws });
            }
        }
        for body in held(&ties) {
            let (keep, lose) = (group[body].min(group[0]), group[body].max(group[0]));
            group.iter_mut().filter(|g| **g == lose).for_each(|g| *g = keep);
        }
        for tie in &mut ties {
            tie.groups = tie.groups.map(|b| group[b]);
        }
        ties.retain(|t| t.groups[0] != t.groups[1]);
        let mut made = Skeleton { group, ties, legs: Vec::new() };
        made.take_legs();
        pinned(&mut made.ties, made.group[0]);
        Ok(made)
    }

    /// Groups besides the ground that are no legs.
    pub fn moving(&self) -> Vec<usize> {
        let mut list: Vec<usize> = self.group.iter().copied().filter(|g| *g != self.group[0]).collect();
        list.sort_unstable();
        list.dedup();
        list.retain(|g| self.legs.iter().all(|leg| leg.group != *g));
        list
    }

    /// Whether pivots and slides join every moving group to the ground, so that these alone keep it in a plane.
    pub fn is_guided(&self) -> bool {
        let mut reached = vec![self.group[0]];
        loop {
            let guides = self.ties.iter().filter(|t| matches!(t.sort, Sort::Pivot | Sort::Slide));
            let next = guides.map(|t| t.groups).find(|g| reached.contains(&g[0]) != reached.contains(&g[1]));
            match next {
                Some([a, b]) => reached.push(if reached.contains(&a) { b } else { a }),
                None => return self.moving().iter().all(|g| reached.contains(g)),
            }
        }
    }

    /// Ties of one group.
    fn of(&self, group: usize) -> Vec<usize> {
        (0..self.ties.len()).filter(|k| self.ties[*k].side(group).is_some()).collect()
    }

    /// Puts distances and planes in place of every group that follows two points.
    fn take_legs(&mut self) {
        for group in self.moving() {
            let [i, j] = self.of(group)[..] else { continue };
            let pair = [self.ties[i].clone(), self.ties[j].clone()];
            let Some((leg, ties)) = leg(group, &pair).or_else(|| leg(group, &[pair[1].clone(), pair[0].clone()]))
            else {
                continue;
            };
            let mut number = 0;
            self.ties.retain(|_| {
                number += 1;
                number - 1 != i && number - 1 != j
            });
            self.ties.extend(ties);
            self.legs.push(leg);
        }
    }
}

/// A group with two ties, the second a ball, as a leg, and what it ties the others by.
fn leg(group: usize, [a, b]: &[Tie; 2]) -> Option<(Leg, Vec<Tie>)> {
    let end = |tie: &Tie| tie.side(group).map(|side| (tie.groups[1 - side], tie.points[1 - side]));
    let (first, ball) = (end(a)?, end(b)?);
    if b.sort != Sort::Ball || first.0 == ball.0 {
        return None;
    }
    let groups = [first.0, ball.0];
    let rod = |from: Vec3| Tie { sort: Sort::Rod, groups, points: [from, ball.1], u: Vec3::Z, screws: Vec::new() };
    let plane = |u: Vec3| Tie { sort: Sort::Plane, groups, points: [ball.1; 2], u, screws: Vec::new() };
    let (foot, ties) = match a.sort {
        Sort::Ball | Sort::Cross => (first.1, vec![rod(first.1)]),
        Sort::Pivot => {
            let foot = first.1 + a.u * (ball.1 - first.1).dot(a.u);
            (foot, vec![rod(foot), plane(a.u)])
        }
        Sort::Slide => {
            let across = a.u.any_perpendicular();
            (ball.1, vec![plane(across), plane(a.u.cross(across))])
        }
        _ => return None,
    };
    let turns_over = a.sort == Sort::Cross;
    Some((Leg { group, ends: [(first.0, foot), ball], turns_over }, ties))
}

/// Bodies that drivers hold still: their attitude, and a point along three directions.
fn held(ties: &[Tie]) -> Vec<usize> {
    let turned = ties.iter().filter(|t| t.sort == Sort::Turn && t.groups[0] == 0).map(|t| t.groups[1]);
    let is_held = |body: &usize| {
        let planes: Vec<&Tie> = ties.iter().filter(|t| t.sort == Sort::Plane && t.groups[1] == *body).collect();
        let at_one = planes.iter().all(|t| t.points[0] == planes[0].points[0]);
        let volume = |[a, b, c]: [&&Tie; 3]| a.u.cross(b.u).dot(c.u).abs();
        at_one && matches!(&planes[..], [a, b, c] if volume([a, b, c]) > 1e-6)
    };
    turned.filter(is_held).collect()
}

/// A point that the ground holds along three directions is a ball on it.
fn pinned(ties: &mut Vec<Tie>, ground: usize) {
    let is_led = |t: &Tie| t.sort == Sort::Plane && t.groups[0] == ground;
    let mut groups: Vec<usize> = ties.iter().filter(|t| is_led(t)).map(|t| t.groups[1]).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in groups {
        let of = |t: &Tie| is_led(t) && t.groups[1] == group;
        let planes: Vec<Tie> = ties.iter().filter(|t| of(t)).cloned().collect();
        let [a, b, c] = &planes[..] else { continue };
        if [b, c].iter().all(|t| t.points == a.points) && a.u.cross(b.u).dot(c.u).abs() > 1e-6 {
            ties.retain(|t| !of(t));
            ties.push(Tie { sort: Sort::Ball, ..a.clone() });
        }
    }
}

/// What a joint ties where these of its coordinates are driven, with the axis of its frame; nothing where its bodies are one.
fn sorts(joint: &Joint, driven: &[usize]) -> Option<Vec<(Sort, usize)>> {
    if joint.rod().is_some() || joint.kind.is_axial() {
        return Some(vec![(Sort::Rod, 2)]);
    }
    let freedoms = joint.freedoms()?;
    if matches!(freedoms[..], [only] if only.is_attitude()) {
        return Some(vec![(Sort::Ball, 2)]);
    }
    if matches!(freedoms[..], [slide, turn] if slide.sliding() == Some(Axis::Z) && turn.is_attitude()) {
        // Where its slide is driven, it is a point of the line.
        return Some(vec![(if driven.is_empty() { Sort::Line } else { Sort::Ball }, 2)]);
    }
    let left = |f: &&Freedom| joint.coordinate_of(f).is_none_or(|c| !driven.contains(&c));
    let left: Vec<&Freedom> = freedoms.iter().filter(left).collect();
    let plain = |f: &Freedom| f.turning().is_none_or(|(_, lead)| lead == 0.0);
    if !freedoms.iter().all(plain) {
        return None;
    }
    let along_z = freedoms.iter().all(|f| f.sliding() == Some(Axis::Z) || f.turning().is_some_and(|t| t.0 == Axis::Z));
    match left[..] {
        [] => Some(Vec::new()),
        [one] if along_z && one.turning().is_some() => Some(vec![(Sort::Pivot, 2)]),
        [one] if along_z && one.sliding().is_some() => Some(vec![(Sort::Slide, 2)]),
        [_, _] if joint.is_ball_or_cross() && driven.is_empty() => Some(vec![(Sort::Cross, 2)]),
        [x, y, turn] if x.sliding() == Some(Axis::X) && y.sliding() == Some(Axis::Y) && turn.is_attitude() => {
            Some(vec![(Sort::Sheet, 2)])
        }
        _ => left.iter().all(|f| !f.is_attitude()).then(|| vec![(Sort::Series, 2)]),
    }
}

/// Turns and slides that drivers leave, as assembled, from the first body to the second; all lines of turns pass through the second's point.
/// `None` where an axis is that of neither body.
fn screws(joint: &Joint, driven: &[usize], frames: &[Pose; 2]) -> Option<Vec<Screw>> {
    let freedoms = joint.freedoms()?;
    let axis_of = |f: &Freedom| f.turning().map(|t| t.0).or(f.sliding());
    let mut list = Vec::new();
    for (k, f) in freedoms.iter().enumerate() {
        if f.is_attitude() || joint.coordinate_of(f).is_some_and(|c| driven.contains(&c)) {
            continue;
        }
        let axis = axis_of(f)?;
        let other = |f: &Freedom| f.is_attitude() || f.turning().is_some_and(|t| t.0 != axis);
        let side = match (freedoms[..k].iter().any(other), freedoms[k + 1..].iter().any(other)) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => return None,
        };
        let u = frames[side].rotation.axes[axis as usize];
        list.push(Screw { turns: f.turning().is_some(), point: frames[1].origin, u });
    }
    Some(list)
}

/// What a driver ties that leads no joint coordinate.
fn of_driver(model: &Model, target: &Target, poses: &[Pose]) -> Option<Tie> {
    let place = |marker: &Marker| match *marker {
        Marker::Point { body, p_B } => Some((body, poses[body].apply(p_B))),
        _ => None,
    };
    match target {
        Target::Point { body, p_B, along, .. } => {
            let point = poses[*body].apply(*p_B);
            Some(Tie { sort: Sort::Plane, groups: [0, *body], points: [point; 2], u: *along, screws: Vec::new() })
        }
        Target::Orientation { body, .. } => {
            Some(Tie { sort: Sort::Turn, groups: [0, *body], points: [Vec3::ZERO; 2], u: Vec3::Z, screws: Vec::new() })
        }
        Target::Measure { measure: Measure::Angle { x, m, .. }, .. } if model.space.is_planar() => {
            let groups = [x.body()?, m.body()?];
            Some(Tie { sort: Sort::Turn, groups, points: [Vec3::ZERO; 2], u: Vec3::Z, screws: Vec::new() })
        }
        Target::Measure { measure: Measure::Distance { from, to } | Measure::DistanceSquared { from, to }, .. } => {
            let [a, b] = [place(from)?, place(to)?];
            Some(Tie { sort: Sort::Rod, groups: [a.0, b.0], points: [a.1, b.1], u: Vec3::Z, screws: Vec::new() })
        }
        _ => None,
    }
}
