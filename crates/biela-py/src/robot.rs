//! Tree algorithms over NumPy arrays: one state of shape (n), or a batch of shape (N, n).
//!
//! A single state is answered under the interpreter's lock, for letting it go costs more than the answer. Batches let it go
//! and run in the lanes of wide registers, a stretch of states at a time, so that what is packed stays in the cache.

#![allow(non_snake_case)] // M, J as in the library.

use crate::errors::{solve, told, BielaError};
use crate::model::Model;
use biela::error::{Error, Result};
use biela::math::{Pose, Vec3};
use biela::model::Model as Mechanism;
use biela::solve::ik;
use biela::tree::algorithms::{ABA, CRBA};
use biela::tree::batch::Batch;
use biela::tree::rotors::{Coupled, CoupledWorkspace};
use biela::tree::{kinematics, rnea};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// A model without loops, with room to work in.
pub struct Robot {
    coupled: Coupled,
    gravity: bool,
    work: Mutex<CoupledWorkspace>,
    batch: Mutex<Option<Batch>>,
}

impl Robot {
    pub fn new(model: &Mechanism) -> Result<Robot> {
        let coupled = Coupled::with_followers(model)?;
        let work = Mutex::new(coupled.workspace());
        Ok(Robot { coupled, gravity: model.gravity.is_some(), work, batch: Mutex::new(None) })
    }

    fn work(&self) -> MutexGuard<'_, CoupledWorkspace> {
        self.work.lock().unwrap_or_else(|p| p.into_inner())
    }

    fn weighed(&self, what: &str) -> PyResult<()> {
        match self.gravity {
            true => Ok(()),
            false => Err(told(
                Error::new(format!("'{what}' depends on gravity, which the model does not state"))
                    .note("add gravity = [0, 0, -9.81] to the model, or give gravity=(0, 0, -9.81)"),
            )),
        }
    }

    /// Lends the workspace of batches; another thread that comes meanwhile gets one of its own.
    fn with_batch<T>(&self, call: impl FnOnce(&mut Batch) -> T) -> T {
        let lent = self.batch.lock().unwrap_or_else(|p| p.into_inner()).take();
        let mut batch = lent.unwrap_or_else(|| Batch::new(&self.coupled.extended, usize::MAX));
        let out = call(&mut batch);
        *self.batch.lock().unwrap_or_else(|p| p.into_inner()) = Some(batch);
        out
    }

    fn rnea_rows(&self, count: usize, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
        let (c, n) = (&self.coupled, self.coupled.nv);
        if c.is_plain() && n > 0 {
            return self.with_batch(|batch| batch.rnea_rows(&c.extended, q, v, a, tau));
        }
        let mut work = c.workspace();
        for k in 0..count {
            c.rnea(&mut work, row(q, k, c.nq), row(v, k, n), row(a, k, n), &mut tau[k * n..(k + 1) * n]);
        }
    }

    fn crba_rows(&self, count: usize, q: &[f64], M: &mut [f64]) {
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

    fn aba_rows(&self, count: usize, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) -> Result<()> {
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
    fn matrices(&self, count: usize, q: &[f64], bodies: &[(usize, Vec3)]) -> Vec<Vec<f64>> {
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

    fn jacobian(&self, work: &mut CoupledWorkspace, q: &[f64], body: usize, point: Vec3, J: &mut [f64]) {
        let c = &self.coupled;
        let (q, _, _, inner) = c.extended_state(work, q, &[], &[]);
        let mut wide = vec![0.0; 6 * c.extended.nv];
        kinematics::body_jacobian(&c.extended, inner, q, body, point, &mut wide);
        J.copy_from_slice(&c.pull(work, &wide));
    }
}

fn row(all: &[f64], k: usize, n: usize) -> &[f64] {
    if all.is_empty() {
        all
    } else {
        &all[k * n..(k + 1) * n]
    }
}

/// Homogeneous matrix of a pose, row by row.
fn matrix(X: &Pose) -> [f64; 16] {
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
struct States<'py> {
    array: Option<PyReadonlyArrayDyn<'py, f64>>,
    /// Number of states; none for a single one.
    count: Option<usize>,
}

impl<'py> States<'py> {
    fn new(given: &Bound<'py, PyAny>, n: usize, name: &str) -> PyResult<States<'py>> {
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

    fn optional(given: Option<&Bound<'py, PyAny>>, n: usize, name: &str, like: &States) -> PyResult<States<'py>> {
        let Some(given) = given else { return Ok(States { array: None, count: like.count }) };
        let states = States::new(given, n, name)?;
        match states.count == like.count {
            true => Ok(states),
            false => Err(BielaError::new_err(format!("'{name}' has not as many states as 'q'"))),
        }
    }

    /// What dynamics are asked at: positions, velocities and one more list as long as those, by their names.
    fn three(
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

    fn data(&self) -> PyResult<&[f64]> {
        match &self.array {
            Some(array) => Ok(array.as_slice()?),
            None => Ok(&[]),
        }
    }
}

/// A new array of the shape (N, …) or (…).
fn shaped<'py>(py: Python<'py>, count: Option<usize>, shape: &[usize], data: Vec<f64>) -> PyResult<Bound<'py, PyAny>> {
    let shape: Vec<usize> = count.into_iter().chain(shape.iter().copied()).collect();
    Ok(PyArray1::from_vec(py, data).reshape(shape)?.into_any())
}

#[pymethods]
impl Model {
    /// Number of position coordinates of the tree.
    #[getter]
    fn nq(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.compiled(py)?.robot()?.coupled.nq)
    }

    /// Number of velocities of the tree.
    #[getter]
    fn nv(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.compiled(py)?.robot()?.coupled.nv)
    }

    /// Names of the velocities, in their order.
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let compiled = self.compiled(py)?;
        let c = &compiled.robot()?.coupled;
        Ok((0..c.nv).map(|k| c.extended.velocity_name(k)).collect())
    }

    /// Coordinates at zero, with attitudes at the identity.
    fn neutral<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let compiled = self.compiled(py)?;
        let c = &compiled.robot()?.coupled;
        Ok(PyArray1::from_slice(py, &c.extended.neutral()[..c.nq]))
    }

    /// Generalised forces of the motion q, v, a; v and a are zero where they are not given.
    #[pyo3(signature = (q, v = None, a = None))]
    fn rnea<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: Option<&Bound<'py, PyAny>>,
        a: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let robot = compiled.robot()?;
        robot.weighed("rnea")?;
        let (c, n) = (&robot.coupled, robot.coupled.nv);
        let [q, v, a] = States::three(robot, q, v, (a, "a"))?;
        let (qs, vs, accelerations) = (q.data()?, v.data()?, a.data()?);
        let Some(count) = q.count else {
            /// Most velocities whose forces have room on the stack.
            const FEW: usize = 64;
            let (mut few, mut many);
            let tau: &mut [f64] = if n <= FEW {
                few = [0.0; FEW];
                &mut few[..n]
            } else {
                many = vec![0.0; n];
                &mut many
            };
            c.rnea(&mut robot.work(), qs, vs, accelerations, tau);
            return Ok(PyArray1::from_slice(py, tau).into_any());
        };
        let mut tau = vec![0.0; count * n];
        solve(py, || {
            robot.rnea_rows(count, qs, vs, accelerations, &mut tau);
            Ok(())
        })?;
        shaped(py, q.count, &[n], tau)
    }

    /// The inertia matrix.
    fn crba<'py>(&self, py: Python<'py>, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let robot = compiled.robot()?;
        let n = robot.coupled.nv;
        let q = States::new(q, robot.coupled.nq, "q")?;
        let (qs, count) = (q.data()?, q.count.unwrap_or(1));
        let mut M = vec![0.0; count * n * n];
        solve(py, || {
            robot.crba_rows(count, qs, &mut M);
            Ok(())
        })?;
        shaped(py, q.count, &[n, n], M)
    }

    /// Accelerations under the generalised forces tau; v and tau are zero where they are not given.
    #[pyo3(signature = (q, v = None, tau = None))]
    fn aba<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: Option<&Bound<'py, PyAny>>,
        tau: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let robot = compiled.robot()?;
        robot.weighed("aba")?;
        let n = robot.coupled.nv;
        let [q, v, tau] = States::three(robot, q, v, (tau, "tau"))?;
        let (qs, vs, forces, count) = (q.data()?, v.data()?, tau.data()?, q.count.unwrap_or(1));
        let mut a = vec![0.0; count * n];
        solve(py, || robot.aba_rows(count, qs, vs, forces, &mut a))?;
        shaped(py, q.count, &[n], a)
    }

    /// Poses as homogeneous 4 × 4 matrices: of ``link`` or ``link.point``, or of all bodies in a dict.
    #[pyo3(signature = (q, body = None))]
    fn fk<'py>(&self, py: Python<'py>, q: &Bound<'py, PyAny>, body: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let robot = compiled.robot()?;
        let q = States::new(q, robot.coupled.nq, "q")?;
        let (qs, count) = (q.data()?, q.count.unwrap_or(1));
        let model = &compiled.model;
        let bodies = match body {
            Some(name) => vec![ik::tool(model, name).map_err(told)?],
            None => (1..model.bodies.len()).map(|k| (k, Vec3::ZERO)).collect(),
        };
        let found = solve(py, || Ok(robot.matrices(count, qs, &bodies)))?;
        let mut arrays = found.into_iter().map(|poses| shaped(py, q.count, &[4, 4], poses));
        if let Some(one) = body.and_then(|_| arrays.next()) {
            return one;
        }
        let all = PyDict::new(py);
        for (body, poses) in model.bodies.iter().skip(1).zip(arrays) {
            all.set_item(&body.name, poses?)?;
        }
        Ok(all.into_any())
    }

    /// Jacobian of ``link`` or ``link.point``: rows vx vy vz wx wy wz in ground axes, a column for each velocity.
    fn jacobian<'py>(&self, py: Python<'py>, q: &Bound<'py, PyAny>, of: &str) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let robot = compiled.robot()?;
        let (nq, n) = (robot.coupled.nq, robot.coupled.nv);
        let (body, point) = ik::tool(&compiled.model, of).map_err(told)?;
        let q = States::new(q, nq, "q")?;
        let (qs, count) = (q.data()?, q.count.unwrap_or(1));
        let mut J = vec![0.0; count * 6 * n];
        solve(py, || {
            let mut work = robot.coupled.workspace();
            for (s, J) in J.chunks_mut((6 * n).max(1)).enumerate() {
                robot.jacobian(&mut work, row(qs, s, nq), body, point, J);
            }
            Ok(())
        })?;
        shaped(py, q.count, &[6, n], J)
    }

    /// Seconds of one call of rnea in Rust: for one state; for a batch from and to arrays of shape (N, n); for a
    /// batch that stays packed. For benches.
    fn _bench_rnea(&self, py: Python<'_>, count: usize, repeats: usize) -> PyResult<(f64, f64, f64)> {
        let compiled = self.compiled(py)?;
        let robot = compiled.robot()?;
        let (tree, n) = (&robot.coupled.extended, robot.coupled.nv);
        let q: Vec<f64> = (0..count.max(1) * tree.nq).map(|k| (k as f64 * 0.7).sin()).collect();
        let v: Vec<f64> = (0..count.max(1) * n).map(|k| (k as f64 * 0.3).cos()).collect();
        let a = v.clone();
        let mut tau = vec![0.0; v.len()];
        let (mut one, mut rows, mut many) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        const CALLS: usize = 1000;
        let mut work = robot.work();
        let mut batch = Batch::new(tree, usize::MAX);
        let packed = [(&q, tree.nq), (&v, n), (&a, n)].map(|(x, n)| batch.pack(x, n));
        let mut packed_tau = packed[1].clone();
        for _ in 0..repeats {
            let start = Instant::now();
            for _ in 0..CALLS {
                rnea::rnea(tree, &mut work.inner, black_box(&q[..tree.nq]), &v[..n], &a[..n], &mut tau[..n]);
            }
            one = one.min(start.elapsed().as_secs_f64() / CALLS as f64);
            let start = Instant::now();
            batch.rnea_rows(tree, black_box(&q), &v, &a, &mut tau);
            rows = rows.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            batch.rnea(tree, black_box(&packed[0]), &packed[1], &packed[2], &mut packed_tau);
            many = many.min(start.elapsed().as_secs_f64());
        }
        Ok((one, rows, many))
    }
}
