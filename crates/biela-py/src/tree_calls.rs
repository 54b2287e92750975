//! Tree algorithms as methods of `biela.Model`.

#![allow(non_snake_case)] // M, J as in the library.

use crate::errors::{solve, told};
use crate::model::Model;
use crate::robot::{row, shaped, States};
use biela::math::Vec3;
use biela::solve::ik;
use biela::tree::batch::Batch;
use biela::tree::rnea;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::hint::black_box;
use std::time::Instant;

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
