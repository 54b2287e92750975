//! Which constraint rows depend on each other.
//!
//! A vector y with yᵀ Φ_v = 0 says that its rows repeat each other: leaving any one of them out frees nothing. Each row
//! that elimination has found dependent yields one such vector (a circuit of the rows' matroid), and these span all. Two
//! rows belong to one **group** where some circuit holds both; the groups are the connected components of the circuits'
//! overlaps, whichever rows elimination has chosen. So the order of bodies, joints and rows plays no part in them.

use crate::joints::Marker;
use crate::math::sparse::{Elimination, Pattern, SparseTransposed};
use crate::math::Vec3;
use crate::solve::newton::RANK_TOLERANCE;
use crate::solve::vectors::orthonormalise;
use crate::system::{Evaluation, Owner, System, Workspace};
use biela_base::joined::Joined;
use biela_base::sorting::sort_by_key;
use std::collections::HashMap;

/// Coefficients below this fraction of the greatest in their vector are rounding.
pub(crate) const NOTHING: f64 = 1e-7;
/// Coefficients kept at most; a vector may reach through the whole mechanism.
const MOST_ENTRIES: usize = 4_000_000;
/// Groups with more vectors than this are not brought into canonical form.
pub(crate) const DENSE_GROUP: usize = 80;

/// Rows that repeat each other, with every vector y of theirs for which yᵀ Φ_v = 0.
#[derive(Debug, Clone)]
pub struct Group {
    /// The rows, ascending.
    pub rows: Vec<usize>,
    /// Vectors that span the group's dependences: coefficients of `rows`. As many as rows are redundant.
    pub vectors: Vec<Vec<f64>>,
}

/// The groups of the first `rows` rows at the position of `evaluation` (Φ_v known), or why they are not told.
pub fn groups(pattern: &Pattern, evaluation: &Evaluation, rows: usize) -> Result<Vec<Group>, String> {
    let part = pattern.up_to(rows);
    let Evaluation { phi_v, weight, .. } = evaluation;
    let mut elimination = Elimination::analyse_weighted(&part, phi_v, weight, RANK_TOLERANCE, &[]);
    let _ = elimination.refactor(&part, phi_v);
    let dependent = elimination.dependent_rows().to_vec();
    let mut joined = Joined::new(rows);
    let mut vectors: Vec<Vec<(usize, f64)>> = Vec::with_capacity(dependent.len());
    let mut transposed = SparseTransposed::new(&elimination);
    let mut entries = 0;
    for i in dependent {
        let row = part.range(i).map(|k| (part.index[k], phi_v[k]));
        let mut lambda = transposed.solve(&elimination, row);
        lambda.push((i, -1.0));
        lambda.sort_unstable_by_key(|e| e.0);
        let most = lambda.iter().fold(0.0f64, |m, e| m.max(e.1.abs()));
        let keep = |(k, x): (usize, f64)| (x.abs() > NOTHING * most).then_some((k, -x / most));
        let vector: Vec<(usize, f64)> = lambda.into_iter().filter_map(keep).collect();
        entries += vector.len();
        if entries > MOST_ENTRIES {
            return Err("the redundant equations reach too far through the mechanism to group".into());
        }
        vector.iter().for_each(|e| joined.join(i, e.0));
        vectors.push(vector);
    }
    let mut found: std::collections::BTreeMap<usize, Vec<Vec<(usize, f64)>>> = Default::default();
    for vector in vectors {
        if let Some((first, _)) = vector.first() {
            found.entry(joined.root(*first)).or_default().push(vector);
        }
    }
    let area = |vectors: &Vec<Vec<(usize, f64)>>| {
        let rows: std::collections::BTreeSet<usize> = vectors.iter().flatten().map(|e| e.0).collect();
        rows.len() * vectors.len()
    };
    if found.values().map(area).sum::<usize>() > MOST_ENTRIES {
        return Err("the redundant equations are too many to group".into());
    }
    Ok(found.into_values().map(Group::new).collect())
}

impl Group {
    fn new(sparse: Vec<Vec<(usize, f64)>>) -> Group {
        let mut rows: Vec<usize> = sparse.iter().flatten().map(|e| e.0).collect();
        rows.sort_unstable();
        rows.dedup();
        let spread = |vector: &Vec<(usize, f64)>| {
            let mut dense = vec![0.0; rows.len()];
            for (i, value) in vector {
                if let Ok(k) = rows.binary_search(i) {
                    dense[k] = *value;
                }
            }
            dense
        };
        let mut vectors: Vec<Vec<f64>> = sparse.iter().map(spread).collect();
        if vectors.len() <= DENSE_GROUP {
            orthonormalise(&mut vectors);
        }
        Group { rows, vectors }
    }

    /// Rows that may go without freeing anything, as many as are redundant: the last ones in the order of `key`.
    pub fn choice<K: Ord>(&self, key: impl Fn(usize) -> K) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        sort_by_key(&mut order, |k| key(self.rows[*k]));
        let mut vectors = self.vectors.clone();
        let mut chosen = Vec::new();
        for column in order.into_iter().rev() {
            let best =
                (0..vectors.len()).max_by(|a, b| vectors[*a][column].abs().total_cmp(&vectors[*b][column].abs()));
            let Some(best) = best else { break };
            if vectors[best][column].abs() <= NOTHING {
                continue;
            }
            let pivot = vectors.swap_remove(best);
            for vector in &mut vectors {
                let factor = vector[column] / pivot[column];
                vector.iter_mut().zip(&pivot).for_each(|(v, p)| *v -= factor * p);
            }
            chosen.push(self.rows[column]);
        }
        chosen.sort_unstable();
        chosen
    }
}

/// What a user calls each row: its owner's name, and the component of its force or moment in ground axes.
#[derive(Debug)]
pub struct Names(Vec<(String, &'static str)>);

impl Names {
    /// Names at the position realised. A row along no ground axis is called after the one it is nearest to; rows of one joint
    /// that share a sort get different ones.
    pub fn new(system: &System, ws: &mut Workspace, t: f64) -> Names {
        let model = system.model;
        let mut names: Vec<(String, &'static str)> = Vec::with_capacity(system.constraints.len());
        let mut directions: Vec<[Vec3; 2]> = Vec::with_capacity(system.constraints.len());
        let mut found = Vec::new();
        for i in 0..system.constraints.len() {
            let owner = system.constraints.owner(i);
            let name = match owner {
                Owner::Joint(k) => model.joints[k].name.clone(),
                Owner::Coupling(k) => model.couplings[k].name.clone(),
                Owner::Driver(k) => model.drivers[k].name.clone(),
                owner => system.owner_name(owner),
            };
            names.push((name, system.constraints.component(i)));
            // Force and moment that the row exerts on the joint's second body.
            let mut wrench = [Vec3::ZERO; 2];
            if let Owner::Joint(k) = owner {
                let second = model.joints[k].bodies[1];
                system.constraints.row_gradient(i, t, &mut ws.evaluation, &mut found);
                for (marker, value, gradient) in found.drain(..) {
                    match marker {
                        Marker::Point { body, .. } if body == second => wrench[0] += gradient,
                        Marker::Direction { body, .. } if body == second => wrench[1] += value.cross(gradient),
                        _ => {}
                    }
                }
            }
            directions.push(wrench);
        }
        let mut i = 0;
        while i < names.len() {
            let same = |k: &usize| system.constraints.owner(*k) == system.constraints.owner(i);
            let end = (i..names.len()).take_while(same).last().unwrap_or(i) + 1;
            for (sort, words) in [["fx", "fy", "fz"], ["mx", "my", "mz"]].into_iter().enumerate() {
                let rows: Vec<usize> = (i..end).filter(|k| words.contains(&names[*k].1)).collect();
                let aims: Vec<[f64; 3]> = rows.iter().map(|k| directions[*k][sort].to_array().map(f64::abs)).collect();
                let vanishes = |aim: &[f64; 3]| aim.iter().all(|x| *x < NOTHING);
                if !rows.is_empty() && rows.len() <= 3 && !aims.iter().any(vanishes) {
                    for (k, axis) in rows.iter().zip(nearest_axes(&aims)) {
                        names[*k].1 = words[axis];
                    }
                }
            }
            i = end;
        }
        Names(names)
    }

    /// The name of a row's owner and the component that the row withholds.
    pub fn of(&self, row: usize) -> (String, &'static str) {
        self.0[row].clone()
    }

    /// Rows by their owners' names, sorted by name.
    pub fn gather(&self, rows: &[usize]) -> Vec<(String, Vec<&'static str>)> {
        let mut named: Vec<(String, Vec<&'static str>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for i in rows {
            let (name, component) = &self.0[*i];
            let place = *places.entry(name).or_insert_with(|| {
                named.push((name.clone(), Vec::new()));
                named.len() - 1
            });
            named[place].1.push(component);
        }
        named.iter_mut().for_each(|n| n.1.sort_unstable());
        named.sort();
        named
    }
}

/// A different axis for each direction (one to three of them), so that together they are as near as can be.
fn nearest_axes(aims: &[[f64; 3]]) -> Vec<usize> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let unit = |aim: &[f64; 3], axis: usize| aim[axis] / (aim[0] + aim[1] + aim[2]);
    let worth = |order: &[usize; 3]| aims.iter().zip(order).map(|(aim, axis)| unit(aim, *axis)).sum::<f64>();
    let mut best = ORDERS[0];
    for order in ORDERS {
        // Roundings decide nothing.
        if worth(&order) > worth(&best) + 1e-9 {
            best = order;
        }
    }
    best[..aims.len()].to_vec()
}
