//! Three ways of imposing given freedoms on equations that may be more than the unknowns.
//!
//! The driven coordinates c are taken as unknowns beside the formulation's own: a driver's row, measure − c = 0, has the
//! entry −1 in the column of its c. Then A x = b, redundant rows and all, is solved by least squares, AᵀA x = Aᵀb, with
//! x_k given for those columns: by moving the columns to the right-hand side, by a row x_k = value for each, or by putting
//! a very large number on the diagonal of AᵀA. (The chapter on kinematic problems in natural coordinates, section 6.)
//!
//! The large number is safe with Cholesky's factorisation, which takes the pivots in their order. Elimination with row
//! exchanges may take the large row as the pivot of another column, and all digits of the rest are lost.

use crate::math::dense::Matrix;
use crate::system::{System, Workspace};

/// How given values are imposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imposition {
    /// Columns of what is given go to the right-hand side.
    Elimination,
    /// A row more for each given value.
    ExtraRows,
    /// A large number on the diagonal.
    Penalty,
}

impl Imposition {
    /// Every way with the word that names it.
    pub const ALL: [(&'static str, Imposition); 3] = [
        ("elimination", Imposition::Elimination),
        ("extra-rows", Imposition::ExtraRows),
        ("penalty", Imposition::Penalty),
    ];
}

/// The number that takes the place of a given unknown's diagonal entry.
pub const PENALTY: f64 = 1e15;

/// Least-squares solution of A x = b with x_k given; `None` where the rest is not determined.
pub fn solve(a: &Matrix, b: &[f64], given: &[(usize, f64)], how: Imposition) -> Option<Vec<f64>> {
    match how {
        Imposition::Elimination => eliminate(a, b, given),
        Imposition::ExtraRows => {
            let mut entries = a.entries.clone();
            for (k, _) in given {
                entries.extend((0..a.columns).map(|c| f64::from(u8::from(c == *k))));
            }
            let extended = Matrix { rows: a.rows + given.len(), columns: a.columns, entries };
            let side: Vec<f64> = b.iter().copied().chain(given.iter().map(|g| g.1)).collect();
            extended.least_squares(&side)
        }
        Imposition::Penalty => {
            let (mut normal, mut x) = a.normal_equations(b);
            for (k, value) in given {
                normal.row_mut(*k)[*k] = PENALTY;
                x[*k] = PENALTY * value;
            }
            normal.cholesky_solve(&mut x)?;
            Some(x)
        }
    }
}

fn eliminate(a: &Matrix, b: &[f64], given: &[(usize, f64)]) -> Option<Vec<f64>> {
    let value = |c: usize| given.iter().find(|g| g.0 == c).map(|g| g.1);
    let free: Vec<usize> = (0..a.columns).filter(|c| value(*c).is_none()).collect();
    let mut reduced = Matrix::zeros(a.rows, free.len());
    let mut side = b.to_vec();
    for i in 0..a.rows {
        for (entry, c) in reduced.row_mut(i).iter_mut().zip(&free) {
            *entry = a.row(i)[*c];
        }
        for (k, value) in given {
            side[i] -= a.row(i)[*k] * value;
        }
    }
    let x = reduced.least_squares(&side)?;
    let mut all: Vec<f64> = (0..a.columns).map(|c| value(c).unwrap_or(0.0)).collect();
    for (c, x) in free.iter().zip(x) {
        all[*c] = x;
    }
    Some(all)
}

/// Φ_v as realised (lengths in sizes) with a column more for each driver's row.
fn extended(system: &System, ws: &Workspace) -> Matrix {
    let nv = system.formulation.nv();
    let (undriven, rows) = (system.constraints.undriven(), system.constraints.len());
    let mut a = Matrix::zeros(ws.pattern.rows(), nv + rows - undriven);
    for i in 0..ws.pattern.rows() {
        for k in ws.pattern.range(i) {
            a.row_mut(i)[ws.pattern.index[k]] = ws.evaluation.phi_v[k];
        }
        if (undriven..rows).contains(&i) {
            a.row_mut(i)[nv + i - undriven] = -1.0;
        }
    }
    a
}

/// Solves the extended equations and takes the lengths back out of sizes.
fn solve_extended(
    system: &System,
    ws: &Workspace,
    side: &[f64],
    given: impl Fn(usize) -> f64,
    how: Imposition,
) -> Option<Vec<f64>> {
    let nv = system.formulation.nv();
    let undriven = system.constraints.undriven();
    let a = extended(system, ws);
    let given: Vec<(usize, f64)> = (nv..a.columns).map(|c| (c, given(undriven + c - nv))).collect();
    let mut side = side.to_vec();
    side.resize(a.rows, 0.0);
    let mut x = solve(&a, &side, &given, how)?;
    x.truncate(nv);
    system.formulation.unscale(&mut x, ws.size);
    Some(x)
}

/// One Newton correction of the position realised at time `t`, by least squares on all rows.
pub fn position_step(system: &System, ws: &mut Workspace, t: f64, how: Imposition) -> Option<Vec<f64>> {
    ws.realize_jacobian(system, t);
    let side: Vec<f64> = ws.evaluation.phi.iter().map(|phi| -phi).collect();
    solve_extended(system, ws, &side, |_| 0.0, how)
}

/// Velocities at the position realised at time `t`.
pub fn velocity(system: &System, ws: &mut Workspace, t: f64, how: Imposition) -> Option<Vec<f64>> {
    ws.realize_jacobian(system, t);
    system.constraints.velocity_side(system.at(t), ws.size, &mut ws.evaluation);
    let nu = ws.evaluation.nu.clone();
    let mut side = nu.clone();
    side[system.constraints.undriven()..].fill(0.0);
    solve_extended(system, ws, &side, |i| nu[i], how)
}

/// Accelerations at the position and velocities realised at time `t`.
pub fn acceleration(system: &System, ws: &mut Workspace, t: f64, how: Imposition) -> Option<Vec<f64>> {
    ws.realize_jacobian(system, t);
    system.formulation.accelerations(None, &mut ws.cache);
    system.constraints.accelerate_markers(system.at(t), &ws.cache, &mut ws.evaluation);
    system.constraints.acceleration_side(t, ws.size, &mut ws.evaluation);
    // γ of a driver's row is c̈ less the measure's own second derivative at v̇ = 0.
    let given: Vec<f64> = (0..system.constraints.len()).map(|i| system.constraints.target_dd(i, t, ws.size)).collect();
    let mut side = ws.evaluation.gamma.clone();
    for (side, given) in side.iter_mut().zip(&given).skip(system.constraints.undriven()) {
        *side -= given;
    }
    solve_extended(system, ws, &side, |i| given[i], how)
}
