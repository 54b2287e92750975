//! Which reactions and driver efforts the equations determine.
//!
//! Multipliers λ of the rows are known up to the left null space of Φ_v: λ + Σ c_a y_a balances the same loads. A reaction
//! component is linear in λ, so it is **unique** where it vanishes on every y. Where it does not, a signed sum of a few
//! components of one sort (`A.fz + D.fz`) may still vanish on all of them: it is then unique only **in that sum**. What
//! takes part in no such sum is **indeterminate**. Reactions are taken in ground axes at the joint point of the second
//! body; they do not depend on how a joint writes its rows, nor does the result on any order.

use super::redundancy::{self, Group, DENSE_GROUP, NOTHING};
use crate::drivers::Target;
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::signal::Element;
use crate::signal_name;
use crate::solve::assemble::assemble;
use crate::system::{Owner, System, Workspace};
use biela_base::sorting::{sort_by, sort_by_key};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How far a reaction is determined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solvability {
    /// The equations determine it.
    Unique,
    /// Only these sums that it takes part in are determined.
    InSum(Vec<String>),
    /// The equations leave it open.
    Indeterminate,
}

/// Every reaction and effort in one position.
#[derive(Debug, Clone, Default)]
pub struct Reactions {
    /// Name (`B.fz`, `motor.effort`) and how far it is determined: joints, couplings and drivers in the model's order.
    pub all: Vec<(String, Solvability)>,
    /// Sums of indeterminate ones that are determined, sorted: names with their signs.
    pub sums: Vec<Terms>,
}

impl Reactions {
    /// Those of a model that determines them all.
    pub fn all_unique(model: &Model) -> Reactions {
        let all = names(model).into_iter().map(|name| (name, Solvability::Unique)).collect();
        Reactions { all, sums: Vec::new() }
    }

    /// Names of those that are not unique.
    pub fn indeterminate(&self) -> Vec<String> {
        self.all.iter().filter(|r| r.1 != Solvability::Unique).map(|r| r.0.clone()).collect()
    }

    /// The sums in words, such as `A.fz + D.fz`.
    pub fn sums_in_words(&self) -> Vec<String> {
        self.sums.iter().map(in_words).collect()
    }

    /// What holds for both: open where either is, and sums unique in both.
    pub fn merged(self, other: Reactions) -> Reactions {
        let open: BTreeSet<String> = self.indeterminate().into_iter().chain(other.indeterminate()).collect();
        let verdict = |name: String| {
            let open = if open.contains(&name) { Solvability::Indeterminate } else { Solvability::Unique };
            (name, open)
        };
        let theirs: HashSet<String> = other.sums.iter().map(in_words).collect();
        let sums = self.sums.iter().filter(|s| theirs.contains(&in_words(s))).cloned().collect();
        Reactions { all: self.all.into_iter().map(|r| verdict(r.0)).collect(), sums: Vec::new() }.with_sums(sums)
    }

    /// Marks what takes part in these sums.
    fn with_sums(mut self, sums: Vec<Terms>) -> Reactions {
        let places: HashMap<String, usize> = self.all.iter().enumerate().map(|(k, r)| (r.0.clone(), k)).collect();
        for terms in &sums {
            let words = in_words(terms);
            for place in terms.iter().filter_map(|t| places.get(&t.0)) {
                let verdict = &mut self.all[*place].1;
                match verdict {
                    Solvability::InSum(list) => list.push(words.clone()),
                    _ => *verdict = Solvability::InSum(vec![words.clone()]),
                }
            }
        }
        self.sums = sums;
        self
    }
}

/// Classifies the reactions in the position that `ws` has realised. Any formulation: the reactions are those of the bodies.
pub fn solvability(system: &System, ws: &Workspace, t: f64) -> Result<Reactions, String> {
    let poses: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
    let model = system.model.with_guess(&poses);
    let words = |e: crate::Error| e.to_string();
    let absolute = System::new(&model, "absolute").map_err(words)?;
    let mut own = Workspace::new(&absolute);
    let q = assemble(&absolute, &mut own, t).map_err(words)?;
    own.realize_position(&absolute, t, &q);
    own.realize_jacobian(&absolute, t);
    let groups = redundancy::groups(&absolute.constraints.pattern, &own.evaluation, absolute.constraints.len())?;
    Ok(classify(&absolute, &own, &groups))
}

/// Classifies from the groups of **all** rows, drivers' included, of a system in absolute coordinates.
pub fn classify(system: &System, ws: &Workspace, groups: &[Group]) -> Reactions {
    let mut open_names: BTreeSet<String> = BTreeSet::new();
    let mut sums = Vec::new();
    let parts: Vec<Vec<(String, Vec<f64>)>> = groups.iter().map(|group| components(system, ws, group)).collect();
    // Where each component stands: group and place in it.
    let mut places: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (g, (group, parts)) in groups.iter().zip(&parts).enumerate() {
        parts.iter().enumerate().for_each(|(k, part)| places.entry(&part.0).or_default().push((g, k)));
        let open: Vec<&(String, Vec<f64>)> = parts.iter().filter(|p| p.1.iter().any(|x| x.abs() > NOTHING)).collect();
        open_names.extend(open.iter().map(|o| o.0.clone()));
        if group.vectors.len() <= DENSE_GROUP {
            for sum in unique_sums(&open) {
                sums.push(sum);
            }
        }
    }
    // A component may belong to several groups; a sum must hold in all of them. Where none of its terms stands it does.
    let holds = |terms: &[(String, f64)]| {
        let of_term = |(k, term): (usize, &(String, f64))| {
            let found = places.get(term.0.as_str()).into_iter().flatten();
            found.map(move |(g, place)| (*g, (k, *place))).collect::<Vec<_>>()
        };
        let mut by_group: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (g, place) in terms.iter().enumerate().flat_map(of_term) {
            by_group.entry(g).or_default().push(place);
        }
        by_group.iter().all(|(g, there)| {
            (0..groups[*g].vectors.len()).all(|a| {
                let value = |(k, place): &(usize, usize)| terms[*k].1 * parts[*g][*place].1[a];
                there.iter().map(value).sum::<f64>().abs() <= NOTHING * terms.len() as f64
            })
        })
    };
    sums.retain(|terms: &Terms| groups.len() == 1 || holds(terms));
    sort_by_key(&mut sums, in_words);
    sums.dedup();
    let verdict = |name: String| {
        let open = if open_names.contains(&name) { Solvability::Indeterminate } else { Solvability::Unique };
        (name, open)
    };
    let all = names(system.model).into_iter().map(verdict).collect();
    Reactions { all, sums: Vec::new() }.with_sums(sums)
}

/// A signed sum, its terms sorted by name.
pub type Terms = Vec<(String, f64)>;

#[allow(clippy::ptr_arg)] // Serves as a function of list elements.
fn in_words(terms: &Terms) -> String {
    let mut out = String::new();
    for (k, (name, sign)) in terms.iter().enumerate() {
        match (k, *sign < 0.0) {
            (0, false) => {}
            (0, true) => out.push('-'),
            (_, false) => out.push_str(" + "),
            (_, true) => out.push_str(" - "),
        }
        out.push_str(name);
    }
    out
}

/// Names of every reaction component and effort.
pub fn names(model: &Model) -> Vec<String> {
    let joints = (0..model.joints.len()).map(Element::Reaction);
    let couplings = (0..model.couplings.len()).map(Element::Coupling);
    let drivers = (0..model.drivers.len()).map(Element::Driver);
    let elements = joints.chain(couplings).chain(drivers);
    elements.flat_map(|element| element.signals(model)).map(|signal| signal.name(model)).collect()
}

/// The reactions that belong to each of a group's vectors: name, and one number per vector (forces times the size).
fn components(system: &System, ws: &Workspace, group: &Group) -> Vec<(String, Vec<f64>)> {
    let model = system.model;
    let mut parts: BTreeMap<(Owner, usize), Vec<f64>> = BTreeMap::new();
    for (owner, wrenches) in wrenches(system, ws, group) {
        let moments = matches!(owner, Owner::Driver(_));
        for c in model.space.components().iter().copied().filter(|c| !moments || *c >= 3) {
            parts.insert((owner, c), wrenches.iter().map(|w| w[c]).collect());
        }
    }
    // Couplings and scalar drivers have one effort each: the multiplier itself.
    for (k, row) in group.rows.iter().enumerate() {
        let owner = system.constraints.owner(*row);
        let scalar = match owner {
            Owner::Coupling(_) => true,
            Owner::Driver(d) => !matches!(model.drivers[d].target, Target::Orientation { .. }),
            _ => false,
        };
        if scalar {
            parts.insert((owner, 0), group.vectors.iter().map(|v| v[k]).collect());
        }
    }
    let name = |(owner, c): &(Owner, usize)| {
        let (element, first) = match *owner {
            Owner::Joint(k) => {
                let place = model.space.components().iter().position(|own| own == c).unwrap_or(0);
                (Element::Reaction(k), *c - place)
            }
            Owner::Coupling(k) => (Element::Coupling(k), 0),
            // Of an orientation's efforts, which are moments, the first is the fourth component.
            Owner::Driver(k) => (Element::Driver(k), if *c < 3 { 0 } else { 3 }),
            owner => return system.owner_name(owner),
        };
        element.signals(model).nth(*c - first).map_or_else(|| system.owner_name(*owner), |signal| signal.name(model))
    };
    let mut named: Vec<(String, Vec<f64>)> = parts.iter().map(|(key, values)| (name(key), values.clone())).collect();
    sort_by(&mut named, |a, b| a.0.cmp(&b.0));
    named
}

/// Force (times the size) and moment on the second body, at its joint point, that belong to each of a group's vectors.
pub(crate) fn wrenches(system: &System, ws: &Workspace, group: &Group) -> BTreeMap<Owner, Vec<[f64; 6]>> {
    let model = system.model;
    let pattern = &system.constraints.pattern;
    let mut found: BTreeMap<Owner, Vec<[f64; 6]>> = BTreeMap::new();
    for (k, row) in group.rows.iter().enumerate() {
        let owner = system.constraints.owner(*row);
        let Some((body, sign)) = acted_on(model, owner) else { continue };
        let of_owner = found.entry(owner).or_insert_with(|| vec![[0.0; 6]; group.vectors.len()]);
        for e in pattern.range(*row) {
            let (of, component) = model.space.twist(pattern.index[e]);
            for (wrench, vector) in of_owner.iter_mut().zip(&group.vectors).filter(|_| of == body) {
                wrench[component] += sign * vector[k] * ws.evaluation.phi_v[e];
            }
        }
    }
    for (owner, wrenches) in &mut found {
        let (Owner::Joint(k), Some((body, _))) = (*owner, acted_on(model, *owner)) else { continue };
        let joint = &model.joints[k];
        let at = ws.cache.bodies[joint.bodies[1]].pose.apply(joint.frames[1].origin);
        let arm = (at - ws.cache.bodies[body].pose.origin) * (1.0 / ws.size);
        for w in wrenches {
            let shift = arm.cross(Vec3::new(w[0], w[1], w[2]));
            for c in 0..3 {
                w[3 + c] -= shift[c];
            }
        }
    }
    found
}

/// The body whose columns show an owner's wrench, and the sign with which they do.
fn acted_on(model: &Model, owner: Owner) -> Option<(usize, f64)> {
    match owner {
        Owner::Joint(k) => match model.joints[k].bodies {
            [first, 0] => Some((first, -1.0)),
            [_, second] => Some((second, 1.0)),
        },
        Owner::Driver(k) => match model.drivers[k].target {
            Target::Orientation { body, .. } => Some((body, 1.0)),
            _ => None,
        },
        _ => None,
    }
}

/// Signed sums of two to four components of one sort that vanish on every vector; none that follows from those before it.
fn unique_sums(open: &[&(String, Vec<f64>)]) -> Vec<Terms> {
    /// Components of one sort looked at: pairs to quadruples of more would take too long, and help nobody.
    const MOST: usize = 16;
    let sort = |name: &str| signal_name::split(name).map_or("", |(_, leaf)| leaf).to_string();
    let mut sorts: BTreeMap<String, Vec<&(String, Vec<f64>)>> = BTreeMap::new();
    for part in open {
        sorts.entry(sort(&part.0)).or_default().push(part);
    }
    let mut found = Vec::new();
    for parts in sorts.values().filter(|p| p.len() <= MOST) {
        // What is found spans relations; a relation that they already imply is not told again.
        let mut relations: Vec<Vec<f64>> = Vec::new();
        for count in 2..=4usize.min(parts.len()) {
            let mut chosen: Vec<usize> = (0..count).collect();
            loop {
                for signs in 0..1u32 << (count - 1) {
                    let sign = |k: usize| if k > 0 && signs >> (k - 1) & 1 == 1 { -1.0 } else { 1.0 };
                    let vectors = parts[0].1.len();
                    let term = |k: usize, a: usize| sign(k) * parts[chosen[k]].1[a];
                    let vanishes = (0..vectors).all(|a| {
                        let sum: f64 = (0..count).map(|k| term(k, a)).sum();
                        sum.abs() <= NOTHING
                    });
                    if !vanishes {
                        continue;
                    }
                    let mut relation = vec![0.0; parts.len()];
                    (0..count).for_each(|k| relation[chosen[k]] = sign(k));
                    let known = relations.len();
                    relations.push(relation);
                    crate::solve::vectors::orthonormalise(&mut relations);
                    if relations.len() > known {
                        found.push((0..count).map(|k| (parts[chosen[k]].0.clone(), sign(k))).collect());
                    }
                }
                if !next_choice(&mut chosen, parts.len()) {
                    break;
                }
            }
        }
    }
    found
}

/// The next choice of numbers below `of`, ascending; false after the last.
fn next_choice(chosen: &mut [usize], of: usize) -> bool {
    let count = chosen.len();
    for k in (0..count).rev() {
        if chosen[k] + count < of + k {
            chosen[k] += 1;
            for later in k + 1..count {
                chosen[later] = chosen[later - 1] + 1;
            }
            return true;
        }
    }
    false
}
