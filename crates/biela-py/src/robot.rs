//! Tree algorithms over NumPy arrays: one state of shape (n), or a batch of shape (N, n).
//!
//! A single state is answered under the interpreter's lock, for letting it go costs more than the answer. Batches let it go
//! and run in the lanes of wide registers, a stretch of states at a time, so that what is packed stays in the cache.

#![allow(non_snake_case)] // M, J as in the library.

use crate::errors::{told, BielaError};
use biela::error::{Error, Result};
use biela::math::{Pose, Vec3};
use biela::model::Model as Mechanism;
use biela::tree::algorithms::{ABA, CRBA};
use biela::tree::batch::Batch;
use biela::tree::kinematics;
use biela::tree::rotors::{Coupled, CoupledWorkspace};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// A model without loops, with room to work in.
pub struct Robot {
    pub coupled: Coupled,
    pub gravity: bool,
    pub work: Mutex<CoupledWorkspace>,
    pub batch: Mutex<Option<Batch>>,
}

impl Robot {
    pub fn new(model: &Mechanism) -> Result<Robot> {
        let coupled = Coupled::with_followers(model)?;
        let work = Mutex::new(coupled.workspace());
        Ok(Robot { coupled, gravity: model.gravity.is_some(), work, batch: Mutex::new(None) })
    }

    pub fn work(&self) -> MutexGuard<'_, CoupledWorkspace> {
        self.work.lock().unwrap_or_else(|p| p.into_inner())
    }

    pub fn weighed(&self, what: &str) -> PyResult<()> {
        match self.gravity {
            true => Ok(()),
            false => Err(told(
                Error::new(format!("'{what}' depends on gravity, which the model does not state"))
                    .note("add gravity = [0, 0, -9.81] to the model, or give gravity=(0, 0, -9.81)"),
            )),
        }
    }

    /// Lends the workspace of batches; another thread that comes meanwhile gets one of its own.
    pub fn with_batch<T>(&self, call: impl FnOnce(&mut Batch) -> T) -> T {
        let lent = self.batch.lock().unwrap_or_else(|p| p.into_inner()).take();
        let mut batch = lent.unwrap_or_else(|| Batch::new(&self.coupled.extended, usize::MAX));
        let out = call(&mut batch);
        *self.batch.lock().unwrap_or_else(|p| p.into_inner()) = Some(batch);
        out
    }

    pub fn rnea_rows(&self, count: usize, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
        let (c, n) = (&self.coupled, self.coupled.nv);
        if c.is_plain() && n > 0 {
            return self.with_batch(|batch| batch.rnea_rows(&c.extended, q, v, a, tau));
        }
        let mut work = c.workspace();
        for k in 0..count {
            c.rnea(&mut work, row(q, k, c.nq), row(v, k, n), row(a, k, n), &mut tau[k * n..(k + 1) * n]);
        }
    }

    pub fn crba_rows(&self, count: usize, q: &[f64], M: &mut [f64]) {
        let (c, n) = (&self.coupled, self.coupled.nv);
        if c.is_plain() && n > 0 {
            let inputs = [(q, c.nq), (&[][..], n), (&[][..], n)];
            return self.with_batch(|batch| {
                batch.rows(count, inputs, (M, n * n), |b, [q, ..], out| b.crba(&c.extended, q, out));
            });
        }
        let (mut work, mut bias) = (c.workspace(), vec![0.0; n]);
        for k in 0..count {
            c.equations(&CRBA, &mut work, row(q, k, c.nq), &[], &mut M[k * n * n..(k + 1) * n * n], &mut bias);
        }
    }

    pub fn aba_rows(&self, count: usize, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) -> Result<()> {
        let (c, n) = (&self.coupled, self.coupled.nv);
        if c.is_plain() && n > 0 {
            let inputs = [(q, c.nq), (v, n), (tau, n)];
            self.with_batch(|batch| {
                batch.rows(count, inputs, (a, n), |b, [q, v, tau], out| b.aba(&c.extended, q, v, tau, out));
            });
            if a.iter().all(|x| x.is_finite()) {
                return Ok(());
            }
        }
        // One by one, where coordinates are not the tree's own and where the fault is to be named.
        let (mut work, zero) = (c.workspace(), vec![0.0; n]);
        let (mut M, mut bias) = (vec![0.0; n * n], vec![0.0; n]);
        for k in 0..count {
            let tau = if tau.is_empty() { &zero } else { row(tau, k, n) };
            let v = if v.is_empty() { &zero } else { row(v, k, n) };
            let a = &mut a[k * n..(k + 1) * n];
            c.forward(&ABA, &mut work, row(q, k, c.nq), v, tau, &mut M, &mut bias, a)?;
        }
        Ok(())
    }

    /// Homogeneous matrices of bodies at points of theirs, body by body, for all states.
    pub fn matrices(&self, count: usize, q: &[f64], bodies: &[(usize, Vec3)]) -> Vec<Vec<f64>> {
        let (tree, mut work) = (&self.coupled.extended, self.coupled.workspace());
        let mut all: Vec<Vec<f64>> = bodies.iter().map(|_| Vec::with_capacity(16 * count)).collect();
        for k in 0..count {
            let (q, _, _, inner) = self.coupled.extended_state(&mut work, row(q, k, self.coupled.nq), &[], &[]);
            kinematics::fk(tree, inner, q);
            for ((body, point), out) in bodies.iter().zip(&mut all) {
                let pose = kinematics::body_pose(tree, inner, *body);
                out.extend(matrix(&Pose { origin: pose.apply(*point), ..pose }));
            }
        }
        all
    }

    pub fn jacobian(&self, work: &mut CoupledWorkspace, q: &[f64], body: usize, point: Vec3, J: &mut [f64]) {
        let c = &self.coupled;
        let (q, _, _, inner) = c.extended_state(work, q, &[], &[]);
        let mut wide = vec![0.0; 6 * c.extended.nv];
        kinematics::body_jacobian(&c.extended, inner, q, body, point, &mut wide);
        J.copy_from_slice(&c.pull(work, &wide));
    }
}

pub(crate) fn row(all: &[f64], k: usize, n: usize) -> &[f64] {
    if all.is_empty() {
        all
    } else {
        &all[k * n..(k + 1) * n]
    }
}

/// Homogeneous matrix of a pose, row by row.
pub(crate) fn matrix(X: &Pose) -> [f64; 16] {
    let [x, y, z] = X.rotation.axes.map(|a| a.to_array());
    let p = X.origin.to_array();
    let mut out = [0.0; 16];
    for i in 0..3 {
        out[4 * i..4 * i + 4].copy_from_slice(&[x[i], y[i], z[i], p[i]]);
    }
    out[15] = 1.0;
    out
}

/// States given by a caller.
pub(crate) struct States<'py> {
    pub array: Option<PyReadonlyArrayDyn<'py, f64>>,
    /// Number of states; none for a single one.
    pub count: Option<usize>,
}

impl<'py> States<'py> {
    pub fn new(given: &Bound<'py, PyAny>, n: usize, name: &str) -> PyResult<States<'py>> {
        let array = match given.cast::<PyArrayDyn<f64>>() {
            Ok(array) if array.is_c_contiguous() => array.readonly(),
            _ => {
                // Lists, whole numbers, slices: NumPy knows how.
                let converted = given.py().import("numpy")?.call_method1("ascontiguousarray", (given, "f8"))?;
                converted.cast_into::<PyArrayDyn<f64>>()?.readonly()
            }
        };
        let count = match *array.shape() {
            [width] if width == n => None,
            [count, width] if width == n => Some(count),
            ref shape => {
                let message = format!("'{name}' has the shape {shape:?}; it must be ({n}) or (N, {n})");
                return Err(BielaError::new_err(message));
            }
        };
        Ok(States { array: Some(array), count })
    }

    pub fn optional(given: Option<&Bound<'py, PyAny>>, n: usize, name: &str, like: &States) -> PyResult<States<'py>> {
        let Some(given) = given else { return Ok(States { array: None, count: like.count }) };
        let states = States::new(given, n, name)?;
        match states.count == like.count {
            true => Ok(states),
            false => Err(BielaError::new_err(format!("'{name}' has not as many states as 'q'"))),
        }
    }

    /// What dynamics are asked at: positions, velocities and one more list as long as those, by their names.
    pub fn three(
        robot: &Robot,
        q: &Bound<'py, PyAny>,
        v: Option<&Bound<'py, PyAny>>,
        (last, name): (Option<&Bound<'py, PyAny>>, &str),
    ) -> PyResult<[States<'py>; 3]> {
        let (nq, nv) = (robot.coupled.nq, robot.coupled.nv);
        let q = States::new(q, nq, "q")?;
        let v = States::optional(v, nv, "v", &q)?;
        let last = States::optional(last, nv, name, &q)?;
        Ok([q, v, last])
    }

    pub fn data(&self) -> PyResult<&[f64]> {
        match &self.array {
            Some(array) => Ok(array.as_slice()?),
            None => Ok(&[]),
        }
    }
}

/// A new array of the shape (N, …) or (…).
pub(crate) fn shaped<'py>(
    py: Python<'py>,
    count: Option<usize>,
    shape: &[usize],
    data: Vec<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape: Vec<usize> = count.into_iter().chain(shape.iter().copied()).collect();
    Ok(PyArray1::from_vec(py, data).reshape(shape)?.into_any())
}
