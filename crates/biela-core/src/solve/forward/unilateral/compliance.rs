//! What efforts along directions of unilateral constraints do to velocities: G = W M⁻¹ Wᵀ with the equations' own factors.

use super::super::Dynamics;
use super::Unilateral;
use crate::solve::forces::{eliminate, independent};
use crate::solve::vectors::dot;
use crate::system::wrench::Wrench;

/// A direction: number of the constraint, number of the direction.
pub type Direction = (usize, usize);

/// Responses to unit efforts along some directions at the position factored.
#[derive(Debug, Default)]
pub struct Compliance {
    /// The directions.
    pub of: Vec<Direction>,
    /// Generalised forces of a unit of effort along each.
    pub forces: Vec<Vec<f64>>,
    /// Changes of the velocities that a unit of impulse along each causes.
    pub moves: Vec<Vec<f64>>,
    /// G by rows.
    pub matrix: Vec<f64>,
}

impl Compliance {
    /// For directions of a list of constraints, where `dynamics` is realised and factored.
    pub fn new(dynamics: &mut Dynamics, list: &[&dyn Unilateral], of: Vec<Direction>) -> Compliance {
        let (nv, n) = (dynamics.system.formulation.nv(), of.len());
        let mut wrenches = vec![Wrench::ZERO; dynamics.system.model.bodies.len()];
        let mut found = Compliance { of, ..Compliance::default() };
        for (i, k) in found.of.clone() {
            wrenches.fill(Wrench::ZERO);
            list[i].wrenches(k, dynamics.system, &dynamics.ws, &mut |body, wrench| wrenches[body].add(wrench));
            let (mut force, mut moved) = (vec![0.0; nv], vec![0.0; nv]);
            dynamics.respond(&wrenches, &mut force, &mut moved);
            found.forces.push(force);
            found.moves.push(moved);
        }
        found.matrix = (0..n * n).map(|e| dot(&found.forces[e / n], &found.moves[e % n])).collect();
        found
    }

    /// That of some of the directions.
    pub fn part(&self, of: &[usize]) -> Compliance {
        Compliance {
            of: of.iter().map(|p| self.of[*p]).collect(),
            forces: of.iter().map(|p| self.forces[*p].clone()).collect(),
            moves: of.iter().map(|p| self.moves[*p].clone()).collect(),
            matrix: of.iter().flat_map(|r| of.iter().map(|c| self.at(*r, *c))).collect(),
        }
    }

    /// Some directions, which stand, and those of others that are independent of them and of each other, in their order: by a factor that grows with each.
    pub fn independent(&self, stand: &[usize], others: &[usize]) -> Vec<usize> {
        /// A pivot below this fraction of its first value is rounding.
        const DEPENDENT: f64 = 1e-9;
        let mut kept: Vec<usize> = Vec::new();
        let mut factor: Vec<Vec<f64>> = Vec::new();
        for (p, stands) in stand.iter().map(|p| (*p, true)).chain(others.iter().map(|p| (*p, false))) {
            let mut row: Vec<f64> = Vec::with_capacity(kept.len() + 1);
            for (q, of) in kept.iter().zip(&factor) {
                let known: f64 = row.iter().zip(of).map(|(x, y)| x * y).sum();
                row.push((self.at(p, *q) - known) / of[row.len()]);
            }
            let own = self.at(p, p);
            let pivot = own - row.iter().map(|x| x * x).sum::<f64>();
            if pivot > DEPENDENT * own {
                row.push(pivot.sqrt());
                factor.push(row);
                kept.push(p);
            } else if stands {
                // It bears all the same, and tells nothing of the others.
                row.push(f64::INFINITY);
                factor.push(row);
                kept.push(p);
            }
        }
        kept
    }

    /// Number of directions.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// An entry of G.
    pub fn at(&self, r: usize, c: usize) -> f64 {
        self.matrix[r * self.of.len() + c]
    }

    /// Impulses that change the rates by `change` as far as they can: those of independent directions, the others bear nothing.
    pub fn impulses(&self, change: &[f64]) -> Vec<f64> {
        let n = self.len();
        let all: Vec<usize> = (0..n).collect();
        let chosen = independent(&self.matrix, n, &all);
        let m = chosen.len();
        let mut matrix: Vec<f64> = chosen.iter().flat_map(|r| chosen.iter().map(|c| self.at(*r, *c))).collect();
        let mut side: Vec<f64> = chosen.iter().map(|r| change[*r]).collect();
        let mut found = vec![0.0; n];
        if m > 0 && eliminate(&mut matrix, &mut side).is_some() {
            chosen.iter().zip(&side).for_each(|(r, x)| found[*r] = *x);
        }
        found
    }

    /// Adds the changes of velocities that impulses cause.
    pub fn add(&self, impulses: &[f64], v: &mut [f64]) {
        for (moved, impulse) in self.moves.iter().zip(impulses).filter(|(_, x)| **x != 0.0) {
            v.iter_mut().zip(moved).for_each(|(v, d)| *v += impulse * d);
        }
    }
}
