//! Centre of mass, energies, and momentum about the centre of mass.

use super::{Robot, Workspace};
use crate::error::{Error, Result};
use crate::tree::centroidal::centroidal;
pub use crate::tree::centroidal::Centroidal;
use crate::tree::energy::{self, Totals};

impl Robot {
    /// Energies, centre of mass, momenta.
    pub fn totals(&self, work: &mut Workspace, q: &[f64], v: &[f64]) -> Totals {
        let (q, v, _, inner) = self.tree.extended_state(work, q, v, &[]);
        energy::totals(&self.tree.extended, inner, q, v)
    }

    /// Jacobian of the centre of mass, 3 × nv.
    pub fn com_jacobian(&self, work: &mut Workspace, q: &[f64], J: &mut [f64]) {
        let mut wide = vec![0.0; 3 * self.tree.extended.nv];
        let (q, _, _, inner) = self.tree.extended_state(work, q, &[], &[]);
        energy::com_jacobian(&self.tree.extended, inner, q, &mut wide);
        J[..3 * self.nv()].copy_from_slice(&self.tree.pull(work, &wide));
    }

    /// Momentum about the centre of mass, its matrix and the rate of that. Derivatives by q and v are empty where rotors or joints written
    /// from the outer body inwards make them more than those of the tree.
    pub fn centroidal(&self, work: &mut Workspace, q: &[f64], v: &[f64], a: &[f64]) -> Centroidal {
        let tree = &self.tree;
        let (eq, ev, ea, inner) = tree.extended_state(work, q, v, a);
        // Accelerations of the tree have Ġ v in them.
        let mut found = centroidal(&tree.extended, inner, eq, ev, ea);
        if tree.is_plain() {
            return found;
        }
        tree.rates(work, q, v);
        let mut rate = tree.pull(work, &found.A_rate);
        rate.iter_mut().zip(tree.pull_rate(work, &found.A)).for_each(|(x, more)| *x += more);
        let constant = tree.rotors().next().is_none() && tree.first_swapped().is_none();
        let pulled = |rows: &[f64]| if constant { tree.pull(work, rows) } else { Vec::new() };
        let derivatives = [&found.h_by_q, &found.h_rate_by_q, &found.h_rate_by_v].map(|rows| pulled(rows));
        found.A = tree.pull(work, &found.A);
        found.A_rate = rate;
        [found.h_by_q, found.h_rate_by_q, found.h_rate_by_v] = derivatives;
        found
    }

    /// [`Robot::centroidal`] where all its derivatives are known.
    pub fn centroidal_derivatives(&self, work: &mut Workspace, q: &[f64], v: &[f64], a: &[f64]) -> Result<Centroidal> {
        let found = self.centroidal(work, q, v, a);
        match found.h_by_q.is_empty() && self.nv() > 0 {
            true => Err(Error::new(
                "derivatives of the momentum are not known with rotors, or where a joint is written from the outer body inwards",
            )),
            false => Ok(found),
        }
    }
}
