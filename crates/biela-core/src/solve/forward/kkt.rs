//! The matrix of the equations of motion and its factors.
//!
//! [ M  Φ_vᵀ ] [ x ]   [ a ]
//! [ Φ_v −μ  ] [ λ ] = [ b ]
//!
//! with independent constraint rows only; redundant ones, consistent with the others, are left out. Where a mechanism passes a
//! position in which its rows become dependent for an instant (all bars of a parallelogram in line), the tiny μ lets go of the
//! direction in which the rows no longer hold, and the motion carries on by its momentum. Elsewhere it takes less than MU / x² off the
//! reactions, x² the independence of the rows: less than the stages of a step leave open. Where more is asked ([`Kkt::thorough`]), a
//! further solve takes it away: it would show in accelerations that are small beside what reactions do to single bodies.
//!
//! Where every freedom has mass the matrix is factored as L D Lᵀ without pivoting ([`Ldl`]); with massless bodies, or masses too
//! far apart, by elimination with pivots.

use super::mass::MassMatrix;
use crate::math::ldl::Ldl;
use crate::math::sparse::{Elimination, Pattern};
use crate::solve::newton::RANK_TOLERANCE;
use crate::solve::vectors::max_abs;
use crate::system::{Constraints, Evaluation, Workspace};
use std::collections::BTreeMap;

/// Softness of the rows against their part of Φ M⁻¹ Φᵀ: rows whose singular value falls below its root no longer pull.
const MU: f64 = 1e-13;
/// Independence of the rows, against the best it has been, below which a position where they become dependent is near. The
/// independence is the smallest pivot of a row against its part of Φ M⁻¹ Φᵀ: the square of a singular value.
const NEAR_SINGULAR: f64 = 1e-3;
/// The best taken for granted where all positions so far were poor.
const USUAL: f64 = 1e-4;
/// Number of further solves, each of which multiplies the effect of softness by MU / x²: where asked for, and where independence is
/// below [`NEAR_SINGULAR`] outright.
const AGAIN: usize = 1;
const AGAIN_NEAR: usize = 2;
/// A mass matrix may span many orders of magnitude; only what is zero but for rounding is missing.
const SINGULAR: f64 = 1e-16;
/// Masses further apart than this ask for pivoting.
const APART: f64 = 1e7;
/// Least strength of a row that is chosen where it happens to be weak, against the strongest of its owner's rows of the same kind …
const WEAK: f64 = 1e-2;
/// … and against the strongest row of its kind. Lengths and angles are kinds of their own: how they compare is a matter of the size.
const WEAK_OF_ALL: f64 = 1e-6;
/// Rows whose smallest pivot has shrunk to this fraction since they were chosen may have become a poor choice.
const SHRUNK: f64 = 0.03;

/// Layout, numbers and factors.
#[derive(Debug, Clone, Default)]
pub struct Kkt {
    /// Constraint rows in the solve, ascending.
    pub rows: Vec<usize>,
    /// Number of redundant rows left out.
    pub dropped: usize,
    /// Factor on M that brings its entries near those of Φ_v.
    pub weight: f64,
    /// Factors without pivoting, where they serve, and place and number there of each entry of M and of Φ_v.
    ldl: Option<Ldl>,
    ldl_mass: Vec<(usize, usize)>,
    ldl_rows: Vec<(usize, usize)>,
    ldl_softness: Vec<usize>,
    /// Zeros, for halves of solutions (scratch).
    half: Vec<f64>,
    /// True near positions where rows become dependent.
    pub soft: bool,
    /// True where the effect of softness is taken away from every solution.
    pub thorough: bool,
    /// True where softness is felt, so that further solves are needed.
    leaks: bool,
    /// What each row's part of Φ M⁻¹ Φᵀ is by itself: an estimate, or the most that it has been.
    strength: Vec<f64>,
    /// The same for every row of the system, those left out now included.
    strength_of_all: Vec<f64>,
    side_again: Vec<f64>,
    again: Vec<f64>,
    /// Smallest pivot of a row as last factored, and the largest that it has been since the rows were chosen.
    weakest: f64,
    chosen_weakest: f64,
    /// The largest that it has ever been.
    best: f64,
    pattern: Pattern,
    values: Vec<f64>,
    /// Place among `values` and number of each entry of M, and of Φ_v.
    from_mass: Vec<(usize, usize)>,
    from_rows: Vec<(usize, usize)>,
    elimination: Option<Elimination>,
    /// Right-hand side: first that of the velocities, then that of the rows.
    pub side: Vec<f64>,
    /// Solution: scaled velocities, then multipliers.
    pub x: Vec<f64>,
    y: Vec<f64>,
}

/// How a factorisation went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factored {
    /// With the pivots chosen before.
    Same,
    /// With new pivots, or with ones much smaller than when the rows were chosen.
    Fresh,
    /// Not at all: something moves without mass.
    Singular,
}

impl Kkt {
    /// Chooses independent rows at the position realised, where rows are off by `residual`, and lays the matrix out for them.
    /// Short rows are preferred, or, `carefully`, those most independent.
    pub fn choose_rows(
        &mut self,
        constraints: &Constraints,
        ws: &Workspace,
        mass: &MassMatrix,
        residual: f64,
        carefully: bool,
    ) {
        let Evaluation { phi_v, weight, .. } = &ws.evaluation;
        self.strength_of_all.resize(ws.pattern.rows(), 0.0);
        for (i, strength) in self.rows.iter().zip(&self.strength) {
            self.strength_of_all[*i] = *strength;
        }
        // Off the constraints redundant rows look as independent as they are off.
        let tolerance = RANK_TOLERANCE.max(30.0 * residual);
        let chosen = match carefully {
            true => Elimination::analyse_carefully(&ws.pattern, phi_v, weight, tolerance),
            false => Elimination::analyse_weighted(&ws.pattern, phi_v, weight, tolerance, &[]),
        };
        let dependent = chosen.dependent_rows();
        self.dropped = dependent.len();
        self.rows = (0..ws.pattern.rows()).filter(|i| dependent.binary_search(i).is_err()).collect();
        let nv = ws.pattern.columns;
        let mut by_column: Vec<Vec<(usize, usize)>> = vec![Vec::new(); nv];
        for (r, i) in self.rows.iter().enumerate() {
            for k in ws.pattern.range(*i) {
                by_column[ws.pattern.index[k]].push((nv + r, k));
            }
        }
        let size = nv + self.rows.len();
        self.pattern = Pattern::new(size);
        self.from_mass.clear();
        self.from_rows.clear();
        let mut columns = Vec::new();
        let mut place = 0;
        for c in 0..nv {
            columns.clear();
            for k in mass.pattern.range(c) {
                columns.push(mass.pattern.index[k]);
                self.from_mass.push((place, k));
                place += 1;
            }
            for (r, k) in &by_column[c] {
                columns.push(*r);
                self.from_rows.push((place, *k));
                place += 1;
            }
            self.pattern.push_row(&columns);
        }
        let mut softness = Vec::new();
        for (r, i) in self.rows.iter().enumerate() {
            let range = ws.pattern.range(*i);
            columns.clear();
            columns.extend_from_slice(&ws.pattern.index[range.clone()]);
            columns.push(nv + r);
            self.from_rows.extend(range.clone().enumerate().map(|(n, k)| (place + n, k)));
            place += range.len();
            softness.push(place);
            place += 1;
            self.pattern.push_row(&columns);
        }
        self.values = vec![0.0; place];
        softness.into_iter().for_each(|p| self.values[p] = -MU);
        self.side = vec![0.0; size];
        self.x = vec![0.0; size];
        self.y = vec![0.0; size];
        self.again = vec![0.0; size];
        self.side_again = vec![0.0; size];
        self.elimination = None;
        self.lay_out_ldl(constraints, ws, mass);
        self.take_mass(mass);
    }

    fn lay_out_ldl(&mut self, constraints: &Constraints, ws: &Workspace, mass: &MassMatrix) {
        self.chosen_weakest = 0.0;
        self.ldl = None;
        let nv = ws.pattern.columns;
        let diagonal = |c: usize| {
            let range = mass.pattern.range(c);
            mass.pattern.index[range.clone()].binary_search(&c).map_or(0.0, |k| mass.entries[range.start + k])
        };
        // Lengths among themselves, and angles: how the two compare is a matter of the size.
        let mut most = 0.0f64;
        for lengths in [true, false] {
            let kind = (0..nv).filter(|c| mass.lengths[*c] == lengths).map(diagonal);
            let (least, greatest) = kind.fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
            // Not finite, or too far apart.
            if (least * APART).partial_cmp(&greatest) != Some(std::cmp::Ordering::Greater) {
                return;
            }
            most = most.max(greatest);
        }
        let of_mass = (0..nv).flat_map(|c| mass.pattern.range(c).map(move |k| (c, mass.pattern.index[k], k)));
        let of_mass: Vec<_> = of_mass.filter(|(i, j, _)| i >= j).collect();
        let rows = self.rows.iter().enumerate();
        let of_rows: Vec<_> =
            rows.flat_map(|(r, i)| ws.pattern.range(*i).map(move |k| (nv + r, ws.pattern.index[k], k))).collect();
        let pairs = of_mass.iter().chain(&of_rows).map(|(i, j, _)| (*i, *j));
        let ldl = Ldl::new(nv + self.rows.len(), nv, pairs);
        self.ldl_mass = of_mass.iter().map(|(i, j, k)| (ldl.entry(*i, *j), *k)).collect();
        self.ldl_rows = of_rows.iter().map(|(i, j, k)| (ldl.entry(*i, *j), *k)).collect();
        self.strength = vec![0.0; self.rows.len()];
        for (i, j, k) in &of_rows {
            let entry = ws.evaluation.phi_v[*k];
            self.strength[i - nv] += entry * entry / (diagonal(*j) / most);
        }
        let (mut of_kind, mut of_owner) = ([0.0f64; 2], BTreeMap::new());
        // Rows after the constraints' hold spins, which are angles and nobody's.
        let own = |i: usize| i < constraints.len();
        let is_length = |i: usize| own(i) && constraints.is_length(i);
        let owner = |i: usize| (own(i).then(|| constraints.owner(i)), is_length(i));
        for (strength, i) in self.strength.iter().zip(&self.rows) {
            for most in [&mut of_kind[usize::from(is_length(*i))], of_owner.entry(owner(*i)).or_insert(0.0)] {
                *most = most.max(*strength);
            }
        }
        for (strength, i) in self.strength.iter_mut().zip(&self.rows) {
            let least = (WEAK * of_owner[&owner(*i)]).max(WEAK_OF_ALL * of_kind[usize::from(is_length(*i))]);
            *strength = strength.max(self.strength_of_all[*i]).max(least);
        }
        self.ldl_softness = (0..self.rows.len()).map(|r| ldl.entry(nv + r, nv + r)).collect();
        self.ldl = Some(ldl);
    }

    /// How independent the rows are as last factored, against the best they have been: a measure that falls linearly with the
    /// distance from a position where they become dependent.
    pub fn independence(&self) -> f64 {
        (self.weakest / self.best).sqrt()
    }

    /// True where these rows are much more independent than those of `other`; if not, `other` counts as the best choice here.
    pub fn is_better_than(&self, other: &mut Kkt) -> bool {
        const MUCH: f64 = 10.0;
        let (more, fewer) = (self.rows.len() > other.rows.len(), self.rows.len() < other.rows.len());
        // Rows that are dependent for an instant are needed again in the next.
        let better = more || !fewer && self.weakest > MUCH * other.weakest;
        if !better {
            other.chosen_weakest = other.weakest;
        }
        better
    }

    /// Takes over the entries of M.
    pub fn take_mass(&mut self, mass: &MassMatrix) {
        let largest = max_abs(&mass.entries);
        self.weight = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        if let Some(ldl) = &mut self.ldl {
            for (place, k) in &self.ldl_mass {
                ldl.entries[*place] = self.weight * mass.entries[*k];
            }
        }
    }

    /// Factors for the entries of M taken over and those of Φ_v given.
    pub fn factor(&mut self, mass: &MassMatrix, phi_v: &[f64]) -> Factored {
        if let Some(ldl) = &mut self.ldl {
            for (place, k) in &self.ldl_rows {
                ldl.entries[*place] = phi_v[*k];
            }
            for (place, strength) in self.ldl_softness.iter().zip(&self.strength) {
                ldl.entries[*place] = -MU * strength;
            }
            let sound = ldl.factor(SINGULAR);
            let mut weakest = if sound { f64::INFINITY } else { 0.0 };
            if sound {
                for (row, strength) in (self.side.len() - self.strength.len()..).zip(&mut self.strength) {
                    let (pivot, whole) = ldl.pivot(row);
                    *strength = strength.max(whole);
                    weakest = weakest.min(-pivot / *strength);
                }
            }
            self.best = self.best.max(weakest).max(USUAL);
            self.soft = weakest < NEAR_SINGULAR * self.best;
            self.leaks = weakest < NEAR_SINGULAR;
            if sound {
                let poor = weakest < SHRUNK * self.chosen_weakest;
                self.weakest = weakest;
                self.chosen_weakest = self.chosen_weakest.max(weakest);
                return if poor { Factored::Fresh } else { Factored::Same };
            }
            // Not even pivots help numbers that are none.
            if phi_v.iter().all(|x| x.is_finite()) {
                self.ldl = None;
            }
        }
        for (place, k) in &self.from_mass {
            self.values[*place] = self.weight * mass.entries[*k];
        }
        for (place, k) in &self.from_rows {
            self.values[*place] = phi_v[*k];
        }
        if let Some(elimination) = &mut self.elimination {
            if elimination.refactor(&self.pattern, &self.values).is_ok() {
                return Factored::Same;
            }
        }
        let mut fresh = Elimination::analyse(&self.pattern, &self.values, SINGULAR, &[]);
        let _ = fresh.refactor(&self.pattern, &self.values);
        let complete = fresh.rank() == self.pattern.columns;
        self.elimination = Some(fresh);
        if complete {
            Factored::Fresh
        } else {
            Factored::Singular
        }
    }

    /// Half of a solution for a force of few entries, velocity and scaled number, where factors without pivoting serve: L⁻¹ of it, place and number, and
    /// the same times the pivots' inverses and the weight, so that the product of either half of one force with the other of another is what the one
    /// does along the other. Softness is left in, less than rounding where rows are independent. None where there are no such factors.
    pub fn halves(&mut self, force: impl Iterator<Item = (usize, f64)>) -> Option<[Vec<(usize, f64)>; 2]> {
        let ldl = self.ldl.as_ref()?;
        self.half.resize(self.side.len(), 0.0);
        let mut lower = Vec::new();
        ldl.forward(force, &mut self.half, &mut lower);
        let upper = lower.iter().map(|(place, z)| (*place, z * ldl.inverse(*place) * self.weight)).collect();
        Some([lower, upper])
    }

    /// Solves for `x` with the factors at hand. Each further solve makes up for what the softness let go in the one before.
    pub fn solve(&mut self) {
        let nv = self.side.len() - self.rows.len();
        let again = match (self.ldl.is_some() && self.leaks, self.thorough) {
            (true, _) => AGAIN_NEAR,
            (false, true) => AGAIN,
            (false, false) => 0,
        };
        for turn in 0..=again {
            let (side, x) = match turn {
                0 => (&self.side, &mut self.x),
                _ => (&self.side_again, &mut self.again),
            };
            match (&self.ldl, &self.elimination) {
                (Some(ldl), _) => ldl.solve(side, x, &mut self.y),
                (None, Some(elimination)) => elimination.solve(side, x, &mut self.y),
                (None, None) => return,
            }
            if turn == again && turn == 0 {
                return;
            }
            match turn {
                0 => self.again.copy_from_slice(&self.x),
                _ => self.x.iter_mut().zip(&self.again).for_each(|(x, d)| *x += d),
            }
            for (r, (side, lambda)) in self.side_again[nv..].iter_mut().zip(&self.again[nv..]).enumerate() {
                let softness = self.ldl.as_ref().map_or(-MU, |ldl| ldl.entries[self.ldl_softness[r]]);
                *side = softness * lambda;
            }
        }
    }
}
