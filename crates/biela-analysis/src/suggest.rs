//! The smallest changes of joint types that leave no redundant equation and the same mobility.
//!
//! Let y_1 … y_k span the left null space of Φ_v. Freeing a relative twist V at a joint removes those combinations whose
//! wrench W(y) at that joint does work on it. So freeing exactly k twists leaves nothing redundant, and frees no motion,
//! where the k × k matrix V_i · W_i(y_a) is regular. The search tries joints one, two and three at a time, and goes on
//! greedily where that is not enough.

#![allow(non_snake_case)] // x_M: an axis of the joint's second frame (docs/notation.md).

use super::redundancy::Group;
use super::solvability::wrenches;
use crate::drivers::Target;
use crate::joints::{self, Axis, Freedom, Joint, JointKind, Key, Offer, FREE, NORMAL, POINT_ON_LINE, REVOLUTE};
use crate::math::Vec3;
use crate::model::Model;
use crate::solve::vectors::{norm, take_out};
use crate::system::{Owner, System, Workspace};
use biela_base::joined::Joined;
use biela_base::sorting::{sort_by, sort_by_key};
use std::collections::HashMap;

/// A joint and the type to give it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The joint's name.
    pub joint: String,
    /// Its type now.
    pub from: &'static str,
    /// The type to give it; `free` means that it may go.
    pub to: &'static str,
    /// Where the new type needs a direction that the old one has no key for: the joint frame's x or y. It is `axis2` of a
    /// universal joint and `axis` of a point on a plane.
    pub along: Option<&'static str>,
}

impl Change {
    /// In words, such as `B: revolute → spherical`.
    pub fn words(&self) -> String {
        let (joint, from, to) = (&self.joint, self.from, self.to);
        if to == FREE.keyword() {
            return format!("leave out {joint} ({from})");
        }
        let second = joints::kind(to).is_some_and(|kind| kind.keys().contains(&Key::Axis2));
        match self.along {
            Some(along) => format!("{joint}: {from} → {to} ({} its {along})", if second { "axis2" } else { "axis" }),
            None => format!("{joint}: {from} → {to}"),
        }
    }
}

/// Suggestions told at most.
const MOST: usize = 5;
/// Combinations looked at before the search turns greedy.
const COMBINATIONS: usize = 300_000;
/// Redundant equations beyond which nothing is suggested.
const REDUNDANT: usize = 60;
/// A twist that does less than this fraction of its work on what is left counts as useless.
const REGULAR: f64 = 1e-3;
/// Work below this is rounding: vectors y are of unit length, forces are times the size.
const NOTHING: f64 = 1e-7;

/// A change with what it frees, one row of work on y_1 … y_k per twist.
struct Possibility {
    joint: usize,
    cost: u32,
    change: Change,
    work: Vec<Vec<f64>>,
}

/// Up to five sets of changes, the smallest first, from the groups of the rows without drivers. Groups that no joint ties together are
/// settled one by one, those that are alike at once; a set then has a part of each.
pub fn suggestions(system: &System, ws: &Workspace, groups: &[Group]) -> Vec<Vec<Change>> {
    let mut known: HashMap<Vec<i64>, Vec<Vec<usize>>> = HashMap::new();
    let mut parts: Vec<Part> = Vec::new();
    for (k, options) in tied(system, ws, groups).unwrap_or_default() {
        let sets = known.entry(likeness(&options, k)).or_insert_with(|| settled(&options, k)).clone();
        if sets.is_empty() {
            return Vec::new();
        }
        parts.push(Part { options, sets });
    }
    combined(&parts)
}

/// What groups that share joints offer, and the sets of options that settle them, the best first.
struct Part {
    options: Vec<Possibility>,
    sets: Vec<Vec<usize>>,
}

impl Part {
    /// Joints changed by a set, and what it costs.
    fn price(&self, set: usize) -> (usize, u32) {
        let set = &self.sets[set];
        (set.len(), set.iter().map(|i| self.options[*i].cost).sum())
    }

    fn changes(&self, set: usize) -> impl Iterator<Item = &Change> {
        self.sets[set].iter().map(|i| &self.options[*i].change)
    }
}

/// The best set of each part together, then those in which one part has another of its own, the smallest first. Where the parts are many
/// the first alone is told.
fn combined(parts: &[Part]) -> Vec<Vec<Change>> {
    /// Parts beyond which sets that differ in one of them say nothing more.
    const MANY: usize = 20;
    if parts.is_empty() {
        return Vec::new();
    }
    let set = |other: Option<(usize, usize)>| {
        let of = |p: usize| other.filter(|o| o.0 == p).map_or(0, |o| o.1);
        let mut changes: Vec<Change> =
            parts.iter().enumerate().flat_map(|(p, part)| part.changes(of(p))).cloned().collect();
        changes.sort();
        changes
    };
    let mut told = vec![set(None)];
    if parts.len() > MANY {
        return told;
    }
    let others = parts.iter().enumerate().flat_map(|(p, part)| (1..part.sets.len()).map(move |s| (p, s)));
    let dearer = |(p, s): (usize, usize)| {
        let ((joints, cost), (least, cheapest)) = (parts[p].price(s), parts[p].price(0));
        (joints - least, i64::from(cost) - i64::from(cheapest))
    };
    let mut others: Vec<_> = others.map(|other| (dearer(other), set(Some(other)))).collect();
    others.sort();
    told.extend(others.into_iter().take(MOST - 1).map(|other| other.1));
    told
}

/// Groups that share joints, as one: how many equations are redundant among them, and every change that could help. Sorted by the first
/// change; `None` where they are too many.
fn tied(system: &System, ws: &Workspace, groups: &[Group]) -> Option<Vec<(usize, Vec<Possibility>)>> {
    let mut joined = Joined::new(groups.len());
    let mut first: HashMap<usize, usize> = HashMap::new();
    for (g, group) in groups.iter().enumerate() {
        for row in &group.rows {
            if let Owner::Joint(j) = system.constraints.owner(*row) {
                joined.join(*first.entry(j).or_insert(g), g);
            }
        }
    }
    let mut together: std::collections::BTreeMap<usize, Vec<&Group>> = Default::default();
    for (g, group) in groups.iter().enumerate() {
        together.entry(joined.root(g)).or_default().push(group);
    }
    let used = Used::of(system);
    let redundant = |groups: &Vec<&Group>| groups.iter().map(|g| g.vectors.len()).sum::<usize>();
    if together.values().any(|groups| redundant(groups) > REDUNDANT) {
        return None;
    }
    let part = |groups: Vec<&Group>| {
        let k = redundant(&groups);
        (k, options(system, ws, &groups, k, &used))
    };
    let mut parts: Vec<_> = together.into_values().map(part).collect();
    parts.sort_by(|a, b| a.1.first().map(|p| &p.change).cmp(&b.1.first().map(|p| &p.change)));
    Some(parts)
}

/// What decides which options settle a part: equal numbers for parts that are alike but for rounding.
fn likeness(options: &[Possibility], k: usize) -> Vec<i64> {
    /// Work that differs by less is the same.
    const ALIKE: f64 = 1e-6;
    let mut numbers = vec![k as i64];
    // Joints by their order in the part, types by their work and cost.
    let mut joints: Vec<usize> = Vec::new();
    for option in options {
        let joint = joints.iter().position(|j| *j == option.joint).unwrap_or(joints.len());
        if joint == joints.len() {
            joints.push(option.joint);
        }
        let gone = option.change.to == FREE.keyword();
        numbers.extend([joint as i64, i64::from(option.cost), i64::from(gone), option.work.len() as i64]);
        numbers.extend(option.work.iter().flatten().map(|x| (x / ALIKE).round() as i64));
    }
    numbers
}

/// Sets of options that settle a part, the best first and at most five.
fn settled(options: &[Possibility], k: usize) -> Vec<Vec<usize>> {
    let mut search = Search { options, k, looked: 0, found: Vec::new() };
    for joints in 1..=3 {
        search.deepen(&mut Vec::new(), &mut Basis::default(), 0, joints);
        if search.found.len() >= MOST {
            break;
        }
    }
    if search.found.is_empty() {
        for first in 0..options.len() {
            search.greedy(first);
        }
    }
    let mut found = search.found;
    let key = |set: &Vec<usize>| {
        let changes: Vec<&Change> = set.iter().map(|i| &options[*i].change).collect();
        (set.len(), set.iter().map(|i| options[*i].cost).sum::<u32>(), changes)
    };
    sort_by(&mut found, |a, b| key(a).cmp(&key(b)));
    found.dedup();
    found.truncate(MOST);
    found
}

/// Every change that could help, sorted by joint name.
fn options(system: &System, ws: &Workspace, groups: &[&Group], k: usize, used: &Used) -> Vec<Possibility> {
    let model = system.model;
    let mut of_joint: std::collections::BTreeMap<usize, Vec<[f64; 6]>> = Default::default();
    let mut before = 0;
    for group in groups {
        for (owner, found) in wrenches(system, ws, group) {
            if let Owner::Joint(j) = owner {
                let all = of_joint.entry(j).or_insert_with(|| vec![[0.0; 6]; k]);
                all[before..before + found.len()].copy_from_slice(&found);
            }
        }
        before += group.vectors.len();
    }
    let mut options = Vec::new();
    for (j, wrenches) in &of_joint {
        let joint = &model.joints[*j];
        let frame = |side: usize, axis: usize| {
            ws.cache.bodies[joint.bodies[side]].pose.rotation.apply(joint.frames[side].rotation.axes[axis])
        };
        let mut add = |to: &'static dyn JointKind, along: Option<Axis>, cost: u32, work: Vec<Vec<f64>>| {
            let along = along.map(|axis| ["x", "y", "z"][axis.index()]);
            let (from, to) = (joint.kind.keyword(), to.keyword());
            let change = Change { joint: joint.name.clone(), from, to, along };
            options.push(Possibility { joint: *j, cost, change, work });
        };
        for Freer { to, along, cost, freed } in freer(joint, &frame) {
            if !used.are_kept(model, *j, to) {
                continue;
            }
            let work = |(v, w): &(Vec3, Vec3)| -> Vec<f64> {
                let of = |y: &[f64; 6]| v.dot(Vec3::new(y[0], y[1], y[2])) + w.dot(Vec3::new(y[3], y[4], y[5]));
                wrenches.iter().map(of).collect()
            };
            add(to, along, cost, freed.iter().map(work).collect());
        }
        if joint.is_free() || !used.are_kept(model, *j, FREE) {
            continue;
        }
        // A joint that goes gives up every wrench it can carry.
        let rows = (0..6).map(|c| wrenches.iter().map(|w| w[c]).collect::<Vec<f64>>());
        let mut carried = Basis::default();
        rows.for_each(|row| {
            carried.add(&[row]);
        });
        let carried = carried.0;
        if carried.len() == joint.rows().len() {
            add(FREE, None, LEFT_OUT, carried);
        }
    }
    sort_by(&mut options, |a, b| (&a.change, a.cost).cmp(&(&b.change, b.cost)));
    options
}

/// What it costs to leave a joint out.
const LEFT_OUT: u32 = 5;
/// What a type costs that does not say itself in whose place it is good.
const UNSAID: u32 = 4;

/// A freer type: the direction it needs besides, what it costs in simplicity, and the twists it frees.
struct Freer {
    to: &'static dyn JointKind,
    along: Option<Axis>,
    cost: u32,
    /// Velocity and angular velocity of the second body at the joint point.
    freed: Vec<(Vec3, Vec3)>,
}

/// The types freer than that of a joint: those that offer themselves in its place, and those that say nothing of it but have all its
/// freedoms and more.
fn freer(joint: &Joint, frame: &dyn Fn(usize, usize) -> Vec3) -> Vec<Freer> {
    let Some(from) = joint.freedoms() else { return Vec::new() };
    if joint.space.is_planar() {
        return freer_in_plane(&from, frame);
    }
    let mut list = Vec::new();
    for to in joints::all().into_iter().filter(|to| to.keyword() != joint.kind.keyword()) {
        let Some(more) = Joint::example(to).freedoms() else { continue };
        let offers: Vec<Offer> = match to.offers() {
            Some(offers) => offers.iter().filter(|offer| offer.is_of(&from)).copied().collect(),
            None if contains(&more, &from) => vec![Offer::new(&[], UNSAID)],
            None => Vec::new(),
        };
        for Offer { along, cost, .. } in offers {
            list.push(Freer { to, along, cost, freed: freed(&from, &more, (to, along), frame) });
        }
    }
    list
}

/// The types freer than one of these freedoms in a plane: a pin in a slot for a pin or a slider, a pin for a weld.
fn freer_in_plane(from: &[Freedom], frame: &dyn Fn(usize, usize) -> Vec3) -> Vec<Freer> {
    let turn = |to, cost| Freer { to, along: None, cost, freed: vec![(Vec3::ZERO, NORMAL)] };
    let slot = |axis: Axis| {
        let freed = vec![(frame(0, axis.index()), Vec3::ZERO)];
        Freer { to: POINT_ON_LINE, along: Some(axis), cost: 2, freed }
    };
    match from {
        [] => vec![turn(REVOLUTE, 1)],
        [one] if one.turning().is_some() => vec![slot(Axis::X), slot(Axis::Y)],
        [one] if one.sliding().is_some() => vec![turn(POINT_ON_LINE, 1)],
        _ => Vec::new(),
    }
}

/// Whether each of some freedoms is among others, about and along the same axes.
fn contains(more: &[Freedom], some: &[Freedom]) -> bool {
    let attitude = more.iter().any(Freedom::is_attitude);
    let plain = |f: &Freedom| f.turning().is_none_or(|(_, lead)| lead == 0.0);
    let among = |f: &Freedom| more.iter().any(|m| m.motion == f.motion) || attitude && f.sliding().is_none();
    more.iter().chain(some).all(plain) && some.iter().all(among)
}

/// The twists that one type has beyond another. `along` is the axis of the joint frame that the new type's second axis has, or its first
/// where it has no other.
fn freed(
    from: &[Freedom],
    to: &[Freedom],
    (kind, along): (&dyn JointKind, Option<Axis>),
    frame: &dyn Fn(usize, usize) -> Vec3,
) -> Vec<(Vec3, Vec3)> {
    let second = kind.keys().contains(&Key::Axis2);
    // The axis of the joint frame that an axis of the new type is.
    let named = |axis: Axis| match (along, axis) {
        (Some(Axis::Y), Axis::X) if second => Axis::Y,
        (Some(Axis::X), _) if !second => [Axis::Y, Axis::Z, Axis::X][axis.index()],
        (Some(Axis::Y), _) if !second => [Axis::Z, Axis::X, Axis::Y][axis.index()],
        _ => axis,
    };
    let of_type = |list: &[Freedom], named: &dyn Fn(Axis) -> Axis| {
        let mut turned: Vec<Axis> = Vec::new();
        let mut found = Vec::new();
        for f in list {
            let axis = f.sliding().or(f.turning().map(|t| t.0)).map(named);
            // What comes after a turn about another axis moves with the second body.
            let side = usize::from(axis.is_some_and(|axis| turned.iter().any(|t| *t != axis)));
            found.extend(axis.map(|axis| (f.sliding().is_some(), frame(side, axis.index()))));
            turned.extend(f.turning().and(axis));
        }
        found
    };
    let (has, gets) = (of_type(from, &|axis| axis), of_type(to, &named));
    // Directions of one sort are along one another or across.
    let new = |slide: bool| {
        let has: Vec<Vec3> = has.iter().filter(|h| h.0 == slide).map(|h| h.1).collect();
        let is_new = move |u: &Vec3| has.iter().all(|h| h.dot(*u).abs() < 0.5);
        gets.iter().filter(move |g| g.0 == slide).map(|g| g.1).filter(is_new)
    };
    let mut list: Vec<(Vec3, Vec3)> = new(true).map(|u| (u, Vec3::ZERO)).collect();
    if !to.iter().any(Freedom::is_attitude) {
        list.extend(new(false).map(|w| (Vec3::ZERO, w)));
        return list;
    }
    let turns: Vec<Vec3> = has.iter().filter(|h| !h.0).map(|h| h.1).collect();
    let [x, y, z] = [0, 1, 2].map(|k| frame(0, k));
    let across = match turns[..] {
        _ if from.iter().any(Freedom::is_attitude) => Vec::new(),
        [] => vec![x, y, z],
        [u] => [x, y, z].into_iter().filter(|w| w.dot(u).abs() < 0.5).collect(),
        [u, w] => vec![u.cross(w)],
        _ => Vec::new(),
    };
    list.extend(across.into_iter().map(|w| (Vec3::ZERO, w)));
    list
}

/// Coordinates of each joint that drivers and couplings use.
struct Used(HashMap<usize, Vec<usize>>);

impl Used {
    fn of(system: &System) -> Used {
        let model = system.model;
        let driven = model.drivers.iter().filter_map(|d| match &d.target {
            Target::Coordinate { of, .. } => Some(of),
            _ => None,
        });
        let mut used: HashMap<usize, Vec<usize>> = HashMap::new();
        for of in driven.chain(model.couplings.iter().flat_map(|c| &c.coordinates)) {
            used.entry(of.joint).or_default().push(of.coordinate);
        }
        Used(used)
    }

    /// True where the new type still offers those of a joint.
    fn are_kept(&self, model: &Model, joint: usize, to: &dyn JointKind) -> bool {
        let names = model.joints[joint].kind.coordinates();
        let kept = |of: &usize| names.get(*of).is_some_and(|n| to.coordinates().iter().any(|c| c.name == n.name));
        self.0.get(&joint).into_iter().flatten().all(kept)
    }
}

/// Perpendicular unit rows.
#[derive(Default)]
struct Basis(Vec<Vec<f64>>);

impl Basis {
    /// Adds rows, all or none; false where they are not all independent of it.
    fn add(&mut self, rows: &[Vec<f64>]) -> bool {
        let known = self.0.len();
        for row in rows {
            let before = norm(row);
            let mut v = row.clone();
            take_out(&self.0, &mut v);
            take_out(&self.0, &mut v);
            let after = norm(&v);
            if before <= NOTHING || after <= REGULAR * before {
                self.0.truncate(known);
                return false;
            }
            v.iter_mut().for_each(|x| *x /= after);
            self.0.push(v);
        }
        true
    }
}

struct Search<'o> {
    options: &'o [Possibility],
    k: usize,
    looked: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Sets of exactly `left` more joints, from option `from` on. As deep as `left`, which is at most three.
    fn deepen(&mut self, chosen: &mut Vec<usize>, basis: &mut Basis, from: usize, left: usize) {
        for i in from..self.options.len() {
            let option = &self.options[i];
            let freed = basis.0.len() + option.work.len();
            if freed > self.k || (left == 1 && freed != self.k) {
                continue;
            }
            if chosen.iter().any(|c| self.options[*c].joint == option.joint) {
                continue;
            }
            self.looked += 1;
            if self.looked > COMBINATIONS {
                return;
            }
            let known = basis.0.len();
            if !basis.add(&option.work) {
                continue;
            }
            chosen.push(i);
            match left {
                1 => self.found.push(chosen.clone()),
                _ => self.deepen(chosen, basis, i + 1, left - 1),
            }
            chosen.pop();
            basis.0.truncate(known);
        }
    }

    /// One set that begins with option `first` and goes on with whatever frees most.
    fn greedy(&mut self, first: usize) {
        let mut basis = Basis::default();
        if !basis.add(&self.options[first].work) {
            return;
        }
        let mut chosen = vec![first];
        while basis.0.len() < self.k {
            let left = self.k - basis.0.len();
            let mut order: Vec<usize> = (0..self.options.len()).collect();
            order.retain(|i| self.options[*i].work.len() <= left && !self.options[*i].work.is_empty());
            order.retain(|i| chosen.iter().all(|c| self.options[*c].joint != self.options[*i].joint));
            // Most freed first, but a joint goes altogether only where nothing else helps.
            let gone = |i: usize| self.options[i].change.to == FREE.keyword();
            sort_by_key(&mut order, |i| (gone(*i), std::cmp::Reverse(self.options[*i].work.len()), *i));
            let Some(i) = order.into_iter().find(|i| basis.add(&self.options[*i].work)) else { return };
            chosen.push(i);
        }
        chosen.sort_unstable();
        self.found.push(chosen);
    }
}
