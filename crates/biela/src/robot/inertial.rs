//! Forces as a linear map of the inertial parameters: τ = Y π, with ten parameters of each body.

use super::{Robot, Workspace};
use crate::error::{Error, Result};
use crate::math::random::Random;
use crate::tree::base_parameters::base_parameters;
pub use crate::tree::base_parameters::BaseParameters;
use crate::tree::parameters::{inertial, INERTIAL};
use crate::tree::regressor::{regressor, PER_BODY};

impl Robot {
    /// Number of inertial parameters: ten of each body, rotors last.
    pub fn parameter_count(&self) -> usize {
        PER_BODY * self.tree.extended.bodies.len().saturating_sub(1)
    }

    /// Names of the inertial parameters, such as `link.mx`.
    pub fn parameter_names(&self) -> Vec<String> {
        let bodies = self.tree.extended.bodies.iter().skip(1);
        bodies.flat_map(|b| INERTIAL.map(|name| crate::signal_name::join(&b.name, name))).collect()
    }

    /// The inertial parameters in force.
    pub fn parameters(&self) -> Vec<f64> {
        self.tree.extended.bodies.iter().skip(1).flat_map(|b| inertial(&b.mass)).collect()
    }

    /// Y with τ = Y π, nv × [`Robot::parameter_count`], row by row.
    pub fn regressor(&self, work: &mut Workspace, q: &[f64], v: &[f64], a: &[f64], Y: &mut [f64]) {
        let (tree, n, e, width) = (&self.tree.extended, self.nv(), self.tree.extended.nv, self.parameter_count());
        if self.tree.is_plain() {
            return regressor(tree, &mut work.inner, q, v, a, Y);
        }
        let mut wide = vec![0.0; e * width];
        let (q, v, a, inner) = self.tree.extended_state(work, q, v, a);
        regressor(tree, inner, q, v, a, &mut wide);
        let (G, _) = self.tree.map(work);
        for (k, row) in Y.chunks_mut(width.max(1)).enumerate().take(n) {
            for (at, y) in row.iter_mut().enumerate() {
                *y = (0..e).map(|i| G[i * n + k] * wide[i * width + at]).sum();
            }
        }
    }

    /// Which combinations of the inertial parameters motions and forces at the joints can tell, from states drawn by the seed.
    pub fn base_parameters(&self, seed: u64) -> Result<BaseParameters> {
        /// Most parameters: rows of three times as many fill 600 MB there.
        const MOST: usize = 5000;
        /// States for each parameter, so that rows are many times as many as columns.
        const STATES: usize = 3;
        let (n, width) = (self.nv(), self.parameter_count());
        if width > MOST {
            let words = format!("{width} inertial parameters are too many to eliminate: {MOST} at most");
            return Err(Error::new(words));
        }
        let count = (STATES * width).div_ceil(n.max(1)).max(1);
        let (mut random, mut work) = (Random(seed), self.workspace());
        let mut rows = vec![0.0; count * n * width];
        for Y in rows.chunks_mut((n * width).max(1)) {
            let q = self.random(&mut random);
            let mut draw = || -> Vec<f64> { (0..n).map(|_| 3.0 * random.signed()).collect() };
            let (v, a) = (draw(), draw());
            self.regressor(&mut work, &q, &v, &a, Y);
        }
        Ok(base_parameters(&rows, width))
    }
}
