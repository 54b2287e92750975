//! Singular positions: how near one is, and of what type.
//!
//! The distance is the least singular value of Φ_v, drivers' rows included, with rows and columns that are lengths divided by
//! and multiplied by the size of the mechanism, so that all its entries are pure numbers: about 1 in a good position, 0 in a
//! singular one, whatever the units. Rows that repeat others do no harm: the columns are what loses its independence.
//!
//! Types (after Gosselin and Angeles, and Park and Kim):
//! * **input**: the joints' rows have their usual rank, the drivers' no longer complete it: dead centre of a driven link;
//! * **constraint**: the joints' rows themselves lose rank: change point, where two motions of the mechanism meet;
//! * **output**: Φ_v is regular, yet the output stands still while the drivers move (dead centre of the piston of a driven
//!   crank). The motion goes on undisturbed ([`outputs`](crate::solve::motion)).

use crate::math::dense::Matrix;
pub use crate::model::Singular as Policy;
use crate::signal::Element;
use crate::solve::mobility;
use crate::solve::vectors::{max_abs, norm};
use crate::system::{System, Workspace};
use biela_base::sorting::sort_by;

/// Types of singular positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The drivers do not decide the motion.
    Input,
    /// The joints leave more than one motion.
    Constraint,
    /// The drivers move and an output does not ([`outputs`](crate::solve::motion)).
    Output,
}

impl Kind {
    /// The type in one word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Constraint => "constraint",
            Kind::Output => "output",
        }
    }

    /// The type in words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Input => "dead centre of the driven link (input singularity)",
            Kind::Constraint => "change point (constraint singularity)",
            Kind::Output => "dead centre of the output (output singularity)",
        }
    }
}

/// Distance below which a run warns.
pub const NEAR: f64 = 1e-3;
/// Up to this many velocities the singular values themselves are computed.
pub(super) const DENSE: usize = 60;

/// Φ_v as realised, the first `rows` rows of the constraints and the idle ones.
fn dense(system: &System, ws: &Workspace, rows: usize) -> Matrix {
    let all = system.constraints.len();
    let chosen: Vec<usize> = (0..rows).chain(all..ws.pattern.rows()).collect();
    let mut matrix = Matrix::zeros(chosen.len(), ws.pattern.columns);
    for (r, i) in chosen.iter().enumerate() {
        for k in ws.pattern.range(*i) {
            matrix.row_mut(r)[ws.pattern.index[k]] = ws.evaluation.phi_v[k];
        }
    }
    matrix
}

/// Distance to singularity of Φ_v as realised: exact for small systems; for large ones an estimate from above, by inverse
/// iteration with the factors at hand.
pub fn distance(system: &System, ws: &Workspace) -> f64 {
    let n = system.formulation.nv();
    if n == 0 {
        return 1.0;
    }
    if n <= DENSE {
        let values = dense(system, ws, system.constraints.len()).singular_values();
        return values.get(n - 1).copied().unwrap_or(0.0);
    }
    let Some(factors) = ws.elimination.as_ref().filter(|e| e.rank() == n) else { return 0.0 };
    let rows = ws.pattern.rows();
    let mut x: Vec<f64> = (0..n).map(|k| 1.0 + 0.1 * (k % 7) as f64).collect();
    let (mut side, mut work) = (vec![0.0; rows], vec![0.0; rows.max(n)]);
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        let length = norm(&x);
        x.iter_mut().for_each(|x| *x /= length);
        // λ with Φ_vᵀ λ = x, then the x with Φ_v x = λ.
        side.fill(0.0);
        factors.solve_transposed(&x, &mut side, &mut work);
        let mut next = vec![0.0; n];
        factors.solve(&side, &mut next, &mut work);
        let gain = norm(&next);
        if !(gain.is_finite() && gain > 0.0) {
            return 0.0;
        }
        x = next;
        let unit: Vec<f64> = x.iter().map(|x| x / gain).collect();
        let mut product = vec![0.0; rows];
        ws.pattern.multiply(&ws.evaluation.phi_v, &unit, &mut product);
        least = least.min(norm(&product));
    }
    least
}

/// Distance of the position realised from one in which the `rows` first rows (and the idle ones) lose a rank they usually
/// have; `None` where the system is too large to tell.
pub fn distance_in_rank(system: &System, ws: &Workspace, rows: usize, rank: usize) -> Option<f64> {
    /// Singular values of larger systems are not computed.
    const MOST: usize = 600;
    if rank == 0 {
        return Some(1.0);
    }
    if system.formulation.nv() > MOST {
        return (rank == system.formulation.nv()).then(|| distance(system, ws));
    }
    let matrix = dense(system, ws, rows);
    if system.formulation.nv() <= DENSE {
        return matrix.singular_values().get(rank - 1).copied();
    }
    matrix.extreme_singular_values(rank).map(|(_, least)| least)
}

/// The type of a nearly singular position, from Φ_v as realised there. `rank` is the usual rank of the rows without drivers,
/// idle ones included; `here` what it is there without idle ones, where that is known.
pub fn kind(system: &System, ws: &Workspace, rank: usize, here: Option<usize>) -> Kind {
    /// The joints' rows count as dependent where they are not much farther from it than all rows are.
    const ALIKE: f64 = 100.0;
    /// Large systems are judged by their factors.
    const MOST: usize = 400;
    let n = system.formulation.nv();
    if n > MOST {
        let counted = || mobility::factor_rows(&ws.pattern, &ws.evaluation, system.constraints.undriven()).rank();
        let here = here.unwrap_or_else(counted);
        return if here + ws.idle().len() < rank { Kind::Constraint } else { Kind::Input };
    }
    let of = |rows: usize, k: usize| {
        let values = dense(system, ws, rows).singular_values();
        k.checked_sub(1).and_then(|k| values.get(k)).copied().unwrap_or(1.0)
    };
    let (all, free) = (of(system.constraints.len(), n), of(system.constraints.undriven(), rank));
    if free <= ALIKE * all + 1e-7 {
        Kind::Constraint
    } else {
        Kind::Input
    }
}

/// Names of the joint coordinates that move most in the direction that a nearly singular Φ_v hardly resists; the bodies' and
/// markers' velocities are overwritten.
pub fn loose(system: &System, ws: &mut Workspace, t: f64) -> Vec<String> {
    const SHOWN: usize = 4;
    let n = system.formulation.nv();
    let Some(factors) = ws.elimination.as_ref().filter(|e| e.rank() == n) else {
        return mobility::loose_joints(system, ws, t).into_iter().take(SHOWN).collect();
    };
    let rows = ws.pattern.rows();
    let (mut x, mut work, mut side) = (vec![1.0; n], vec![0.0; rows.max(n)], vec![0.0; rows]);
    for _ in 0..3 {
        side.fill(0.0);
        factors.solve_transposed(&x, &mut side, &mut work);
        factors.solve(&side, &mut x, &mut work);
        let largest = max_abs(&x);
        if !(largest.is_finite() && largest > 0.0) {
            return Vec::new();
        }
        x.iter_mut().for_each(|x| *x /= largest);
    }
    system.formulation.unscale(&mut x, ws.size);
    ws.realize_velocity(system, t, &x);
    let mut rates: Vec<(String, f64)> = Vec::new();
    for (j, c, measure) in system.constraints.named_coordinates() {
        let joint = &system.model.joints[*j];
        let coordinate = joint.kind.coordinates()[*c];
        let rate = system.constraints.rate(*measure, &ws.evaluation).abs();
        rates.push((
            Element::Coordinate(*j, *c).name(system.model),
            if coordinate.angle { rate } else { rate / ws.size },
        ));
    }
    let most = rates.iter().fold(0.0f64, |m, r| m.max(r.1));
    rates.retain(|r| r.1 > 0.05 * most);
    sort_by(&mut rates, |a, b| b.1.total_cmp(&a.1));
    rates.into_iter().take(SHOWN).map(|r| r.0).collect()
}
