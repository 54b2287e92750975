//! Efforts of chosen joints in the place of drivers: a tool path moves a robot, and its motors bear it.
//!
//! Drivers prescribe the motion; joint coordinates k bear it with efforts τ_k, such that nothing is left for the drivers. The multipliers are
//! linear in what acts on the mechanism, so with r those of the drivers' rows under loads and inertia, and G_k those under a unit effort along
//! coordinate k alone, G τ = −r. G is regular just where the chosen joints determine the motion by themselves.

use super::{Applied, Multipliers};
use crate::error::{Error, ErrorKind, Result};
use crate::signal::{bearers, borne_name};
use crate::solve::vectors::max_abs;
use crate::system::generalised::GeneralisedForces;
use crate::system::wrench::Wrench;
use crate::system::{Owner, System, Workspace};

/// Rows of drivers that joints bear, and these joints' coordinates, with all scratch.
#[derive(Debug)]
pub struct Bearing {
    /// Rows that are to carry nothing.
    rows: Vec<usize>,
    /// Joint, coordinate, and its number among all coordinates.
    of: Vec<(usize, usize, usize)>,
    /// Efforts of these in the sample last evaluated.
    pub efforts: Vec<f64>,
    /// Wrenches of a unit effort alone.
    unit: Applied,
    side: Vec<f64>,
    /// −r, and G by rows.
    right: Vec<f64>,
    matrix: Vec<f64>,
    order: Vec<usize>,
}

/// Pivots of G below this fraction of the largest entry are rounding: the joints cannot bear the drivers there.
const SINGULAR: f64 = 1e-9;

impl Bearing {
    /// For a system; nothing where its drivers bear themselves.
    pub fn new(system: &System) -> Option<Bearing> {
        let model = system.model;
        let number = |j: usize, c: usize| system.constraints.coordinate_number(j, c);
        let of: Vec<_> = bearers(&model.drivers).into_iter().filter_map(|(j, c)| Some((j, c, number(j, c)?))).collect();
        let borne =
            |i: &usize| matches!(system.constraints.owner(*i), Owner::Driver(d) if !model.drivers[d].effort.is_empty());
        let rows: Vec<usize> = (0..system.constraints.len()).filter(borne).collect();
        if of.is_empty() {
            return None;
        }
        let n = of.len();
        Some(Bearing {
            rows,
            efforts: vec![0.0; n],
            unit: Applied::new(system),
            side: vec![0.0; system.formulation.nv()],
            right: vec![0.0; n],
            matrix: vec![0.0; n * n],
            order: (0..n).collect(),
            of,
        })
    }

    /// The effort of a joint coordinate.
    pub fn effort(&self, joint: usize, coordinate: usize) -> Option<f64> {
        let k = self.of.binary_search_by_key(&(joint, coordinate), |x| (x.0, x.1)).ok()?;
        Some(self.efforts[k])
    }

    /// Rows of drivers that joints bear.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Finds the efforts from the multipliers of loads and inertia, and adds them to `applied`.
    pub fn find(
        &mut self,
        system: &System,
        ws: &Workspace,
        t: f64,
        (generalised, multipliers): (&mut GeneralisedForces, &mut Multipliers),
        applied: &mut Applied,
    ) -> Result<()> {
        let n = self.of.len();
        if self.rows.len() != n {
            return Err(self
                .blame(system, ErrorKind::Drive, "are not as many as the freedoms that they are to bear", t)
                .note("name as many joints as these drivers prescribe freedoms, taken together"));
        }
        if ws.elimination.as_ref().is_some_and(|e| e.rank() < ws.pattern.columns) {
            return Err(self.blame(system, ErrorKind::Drive, "cannot bear drivers that leave freedoms free", t).note(
                "prescribe the whole motion, or leave 'effort' out: the motion itself depends on who bears the drivers",
            ));
        }
        for (right, row) in self.right.iter_mut().zip(&self.rows) {
            *right = -multipliers.lambda[*row];
        }
        for (k, (joint, coordinate, number)) in self.of.iter().enumerate() {
            // Forces along lengths count by the size of the mechanism, as rows do.
            let angle = system.model.joints[*joint].kind.coordinates().get(*coordinate).is_some_and(|c| c.angle);
            let one = if angle { 1.0 } else { 1.0 / ws.size };
            self.unit.wrenches.fill(Wrench::ZERO);
            self.unit.add_effort(system, ws, *number, one);
            generalised.generalised(system, ws, &self.unit.wrenches, &mut self.side);
            multipliers.solve(ws, &self.side);
            for (i, row) in self.rows.iter().enumerate() {
                self.matrix[i * n + k] = multipliers.lambda[*row];
            }
        }
        if let Some(stuck) = solve_borne(&mut self.matrix, &mut self.right, &mut self.order, &mut self.efforts) {
            return Err(self.stuck(system, stuck, t));
        }
        for (effort, (joint, coordinate, number)) in self.efforts.iter_mut().zip(&self.of) {
            let angle = system.model.joints[*joint].kind.coordinates().get(*coordinate).is_some_and(|c| c.angle);
            *effort *= if angle { 1.0 } else { 1.0 / ws.size };
            applied.add_effort(system, ws, *number, *effort);
        }
        Ok(())
    }

    fn blame(&self, system: &System, kind: ErrorKind, what: &str, t: f64) -> Error {
        let model = system.model;
        let names: Vec<String> = self.of.iter().map(|(j, c, _)| borne_name(&model.joints[*j], *c)).collect();
        let driver = model.drivers.iter().find(|d| !d.effort.is_empty());
        let error = kind.error(format!("joints {} {what}", names.join(", "))).at_time(t);
        match driver {
            Some(driver) => error.of(format!("driver '{}'", driver.name)).at_opt(driver.span.as_ref()),
            None => error,
        }
    }

    fn stuck(&self, system: &System, column: usize, t: f64) -> Error {
        let (j, c, _) = self.of[column];
        let name = borne_name(&system.model.joints[j], c);
        self.blame(system, ErrorKind::Singular, &format!("cannot bear it at t = {t:.9} s"), t)
            .note(format!("what is prescribed does not need '{name}' there, or does not move it: with the others held it can move on, or nothing can"))
            .note("choose joints that determine the motion where they are held, or another path")
    }
}

/// Solves G τ = −r, given by rows with its right-hand side, with pivots chosen from the whole matrix; the column that none is left for where it is
/// singular. `order` is room for the order of the columns.
pub fn solve_borne(a: &mut [f64], b: &mut [f64], order: &mut [usize], efforts: &mut [f64]) -> Option<usize> {
    let n = efforts.len();
    let least = SINGULAR * max_abs(a);
    order.iter_mut().enumerate().for_each(|(k, at)| *at = k);
    for p in 0..n {
        let places = (p..n).flat_map(|i| (p..n).map(move |j| (i, j)));
        let (i, j) = places.max_by(|x, y| a[x.0 * n + x.1].abs().total_cmp(&a[y.0 * n + y.1].abs()))?;
        let pivot = a[i * n + j].abs();
        if pivot <= least || pivot.is_nan() {
            return Some(order[p]);
        }
        (0..n).for_each(|c| a.swap(p * n + c, i * n + c));
        b.swap(p, i);
        (0..n).for_each(|r| a.swap(r * n + p, r * n + j));
        order.swap(p, j);
        for r in p + 1..n {
            let factor = a[r * n + p] / a[p * n + p];
            (p..n).for_each(|c| a[r * n + c] -= factor * a[p * n + c]);
            b[r] -= factor * b[p];
        }
    }
    for p in (0..n).rev() {
        let known: f64 = (p + 1..n).map(|c| a[p * n + c] * efforts[order[c]]).sum();
        efforts[order[p]] = (b[p] - known) / a[p * n + p];
    }
    None
}
