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
use crate::joints::kind;
use crate::math::Vec3;
use crate::solve::vectors::{norm, take_out};
use crate::system::{Owner, System, Workspace};

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
        let (joint, from) = (&self.joint, self.from);
        match (self.to, self.along) {
            ("free", _) => format!("leave out {joint} ({from})"),
            ("universal", along) => format!("{joint}: {from} → universal (axis2 its {})", along.unwrap_or("x")),
            (to, Some(along)) => format!("{joint}: {from} → {to} (axis its {along})"),
            (to, None) => format!("{joint}: {from} → {to}"),
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

/// Up to five sets of changes, the smallest first, from the groups of the rows without drivers.
pub fn suggestions(system: &System, ws: &Workspace, groups: &[Group]) -> Vec<Vec<Change>> {
    let k: usize = groups.iter().map(|g| g.vectors.len()).sum();
    if k == 0 || k > REDUNDANT {
        return Vec::new();
    }
    let options = options(system, ws, groups, k);
    let mut search = Search { options: &options, k, looked: 0, found: Vec::new() };
    for joints in 1..=3 {
        search.deepen(&mut Vec::new(), &Basis::default(), 0, joints);
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
    found.sort_by(|a, b| key(a).cmp(&key(b)));
    found.dedup();
    let changes = |set: &Vec<usize>| set.iter().map(|i| options[*i].change.clone()).collect();
    found.iter().take(MOST).map(changes).collect()
}

/// Every change that could help, sorted by joint name.
fn options(system: &System, ws: &Workspace, groups: &[Group], k: usize) -> Vec<Possibility> {
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
        for Freer { to, along, cost, freed } in freer(joint.kind.keyword(), &frame) {
            if !keeps_coordinates(system, *j, to) {
                continue;
            }
            let work = |(v, w): &(Vec3, Vec3)| -> Vec<f64> {
                let of = |y: &[f64; 6]| v.dot(Vec3::new(y[0], y[1], y[2])) + w.dot(Vec3::new(y[3], y[4], y[5]));
                wrenches.iter().map(of).collect()
            };
            let change = Change { joint: joint.name.clone(), from: joint.kind.keyword(), to, along };
            // A joint that goes gives up every wrench it can carry.
            let work: Vec<Vec<f64>> = match to {
                "free" => {
                    let rows = (0..6).map(|c| wrenches.iter().map(|w| w[c]).collect::<Vec<f64>>());
                    let carried = rows.fold(Basis::default(), |basis, row| basis.with(&[row]).unwrap_or(basis)).0;
                    if carried.len() != joint.kind.rows(joint).len() {
                        continue;
                    }
                    carried
                }
                _ => freed.iter().map(work).collect(),
            };
            options.push(Possibility { joint: *j, cost, change, work });
        }
    }
    options.sort_by(|a, b| (&a.change, a.cost).cmp(&(&b.change, b.cost)));
    options
}

/// A freer type: the direction it needs besides, what it costs in simplicity, and the twists it frees.
struct Freer {
    to: &'static str,
    along: Option<&'static str>,
    cost: u32,
    /// Velocity and angular velocity of the second body at the joint point.
    freed: Vec<(Vec3, Vec3)>,
}

/// The types freer than one.
fn freer(from: &str, frame: &dyn Fn(usize, usize) -> Vec3) -> Vec<Freer> {
    let zero = Vec3::ZERO;
    let (x, y, z, x_M, y_M) = (frame(0, 0), frame(0, 1), frame(0, 2), frame(1, 0), frame(1, 1));
    let slide = (z, zero);
    let (tilt_x, tilt_y, turn) = ((zero, x), (zero, y), (zero, z));
    let plain = |to, cost, freed| Freer { to, along: None, cost, freed };
    let along = |to, direction, cost, freed| Freer { to, along: Some(direction), cost, freed };
    let mut list = match from {
        "revolute" => vec![
            plain("cylindrical", 1, vec![slide]),
            plain("spherical", 1, vec![tilt_x, tilt_y]),
            plain("point-on-line", 2, vec![slide, tilt_x, tilt_y]),
            along("universal", "x", 3, vec![(zero, x_M)]),
            along("universal", "y", 3, vec![(zero, y_M)]),
            // A ball between two plates that stand across x: also the freedom that a third crank needs.
            along("point-on-plane", "x", 4, vec![slide, (y, zero), tilt_x, tilt_y]),
        ],
        "prismatic" => {
            vec![plain("cylindrical", 1, vec![turn]), plain("point-on-line", 2, vec![tilt_x, tilt_y, turn])]
        }
        "cylindrical" => vec![plain("point-on-line", 2, vec![tilt_x, tilt_y])],
        "universal" => vec![plain("spherical", 1, vec![(zero, z.cross(x_M))])],
        "planar" => vec![plain("point-on-plane", 1, vec![tilt_x, tilt_y])],
        "fixed" => vec![plain("revolute", 2, vec![turn]), plain("spherical", 2, vec![tilt_x, tilt_y, turn])],
        _ => Vec::new(),
    };
    if from != "free" {
        list.push(plain("free", 5, Vec::new()));
    }
    list
}

/// True where the new type still offers the joint coordinates that drivers and couplings use.
fn keeps_coordinates(system: &System, joint: usize, to: &str) -> bool {
    let model = system.model;
    let driven = model.drivers.iter().filter_map(|d| match &d.target {
        Target::Coordinate { of, .. } => Some(of),
        _ => None,
    });
    let mut used = driven.chain(model.couplings.iter().flat_map(|c| &c.coordinates)).filter(|of| of.joint == joint);
    let Some(to) = kind(to) else { return false };
    let names = model.joints[joint].kind.coordinates();
    used.all(|of| names.get(of.coordinate).is_some_and(|n| to.coordinates().iter().any(|c| c.name == n.name)))
}

/// Perpendicular unit rows.
#[derive(Default, Clone)]
struct Basis(Vec<Vec<f64>>);

impl Basis {
    /// The basis with these rows added; `None` where they are not all independent of it.
    fn with(&self, rows: &[Vec<f64>]) -> Option<Basis> {
        let mut basis = self.clone();
        for row in rows {
            let before = norm(row);
            let mut v = row.clone();
            take_out(&basis.0, &mut v);
            take_out(&basis.0, &mut v);
            let after = norm(&v);
            if before <= NOTHING || after <= REGULAR * before {
                return None;
            }
            v.iter_mut().for_each(|x| *x /= after);
            basis.0.push(v);
        }
        Some(basis)
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
    fn deepen(&mut self, chosen: &mut Vec<usize>, basis: &Basis, from: usize, left: usize) {
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
            let Some(next) = basis.with(&option.work) else { continue };
            chosen.push(i);
            match left {
                1 => self.found.push(chosen.clone()),
                _ => self.deepen(chosen, &next, i + 1, left - 1),
            }
            chosen.pop();
        }
    }

    /// One set that begins with option `first` and goes on with whatever frees most.
    fn greedy(&mut self, first: usize) {
        let Some(mut basis) = Basis::default().with(&self.options[first].work) else { return };
        let mut chosen = vec![first];
        while basis.0.len() < self.k {
            let left = self.k - basis.0.len();
            let mut order: Vec<usize> = (0..self.options.len()).collect();
            order.retain(|i| self.options[*i].work.len() <= left && !self.options[*i].work.is_empty());
            order.retain(|i| chosen.iter().all(|c| self.options[*c].joint != self.options[*i].joint));
            // Most freed first, but a joint goes altogether only where nothing else helps.
            let gone = |i: usize| self.options[i].change.to == "free";
            order.sort_by_key(|i| (gone(*i), std::cmp::Reverse(self.options[*i].work.len()), *i));
            let Some((i, next)) = order.into_iter().find_map(|i| Some((i, basis.with(&self.options[i].work)?))) else {
                return;
            };
            basis = next;
            chosen.push(i);
        }
        chosen.sort_unstable();
        self.found.push(chosen);
    }
}
