//! Tree algorithms as methods of `biela.Model`.

#![allow(non_snake_case)] // M, J as in the library.

use crate::errors::told;
use crate::model::Model;
use crate::robot_calls::{jacobian, poses};
use crate::robot_dynamics::{aba, crba, rnea};
use biela::math::Pose;
use biela::robot::{Axes, Frame};
use biela::solve::ik;
use biela::tree::batch::Batch;
use biela::tree::kinematics::Placed;
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
        Ok(self.compiled(py)?.arm()?.robot.nq())
    }

    /// Number of velocities of the tree.
    #[getter]
    fn nv(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.compiled(py)?.arm()?.robot.nv())
    }

    /// Names of the velocities, in their order.
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.compiled(py)?.arm()?.robot.velocities())
    }

    /// Coordinates at zero, with attitudes at the identity.
    fn neutral<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.compiled(py)?.arm()?.robot.neutral()))
    }

    /// Generalised forces of the motion q, v, a; v and a are zero where they are not given. ``out`` takes them.
    #[pyo3(signature = (q, v = None, a = None, *, out = None))]
    fn rnea<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: Option<&Bound<'py, PyAny>>,
        a: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let arm = compiled.arm()?;
        rnea(arm, py, &arm.at_all(q, v, (a, "a"))?, out)
    }

    /// The inertia matrix. ``out`` takes it.
    #[pyo3(signature = (q, *, out = None))]
    fn crba<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let arm = compiled.arm()?;
        crba(arm, py, &arm.at(q)?, out)
    }

    /// Accelerations under the generalised forces tau; v and tau are zero where they are not given. ``out`` takes them.
    #[pyo3(signature = (q, v = None, tau = None, *, out = None))]
    fn aba<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: Option<&Bound<'py, PyAny>>,
        tau: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let arm = compiled.arm()?;
        aba(arm, py, &arm.at_all(q, v, (tau, "tau"))?, out)
    }

    /// Poses as homogeneous 4 × 4 matrices: of ``link`` or ``link.point``, which ``out`` takes; or of all bodies in a dict.
    #[pyo3(signature = (q, body = None, *, out = None))]
    fn fk<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        body: Option<&str>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let arm = compiled.arm()?;
        let (at, tree) = (arm.at(q)?, &arm.robot.tree().extended);
        if let Some(name) = body {
            let (body, point) = ik::tool(&compiled.model, name).map_err(told)?;
            return poses(arm, py, &at, &[Placed::on_body(tree, body, Pose::translation(point))], &[4, 4], out);
        }
        // One array, of which the dict shows a part for each body.
        let bodies = &compiled.model.bodies;
        let places: Vec<Placed> = (1..bodies.len()).map(|k| Placed::on_body(tree, k, Pose::IDENTITY)).collect();
        let whole = poses(arm, py, &at, &places, &[places.len(), 4, 4], None)?;
        let whole = if at.q.count.is_some() { whole.call_method1("swapaxes", (0, 1))? } else { whole };
        let all = PyDict::new(py);
        for (k, body) in bodies.iter().skip(1).enumerate() {
            all.set_item(&body.name, whole.get_item(k)?)?;
        }
        Ok(all.into_any())
    }

    /// Jacobian of ``link`` or ``link.point``: rows vx vy vz wx wy wz in ground axes, a column for each velocity. ``out`` takes it.
    #[pyo3(signature = (q, of, *, out = None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        of: &str,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let arm = compiled.arm()?;
        let (body, point) = ik::tool(&compiled.model, of).map_err(told)?;
        let frame = Frame { body, X_BF: Pose::translation(point) };
        jacobian(arm, py, &arm.at(q)?, (&frame, Axes::Aligned), out)
    }

    /// Seconds of calls in Rust, for benches: rnea, crba, aba and the pose of the last body, each for one state, and for ``count`` states from
    /// and to arrays of shape (N, n).
    fn _bench(&self, py: Python<'_>, count: usize, repeats: usize) -> PyResult<Vec<(&'static str, f64, f64)>> {
        let compiled = self.compiled(py)?;
        let arm = compiled.arm()?;
        let (robot, n) = (&arm.robot, arm.robot.nv());
        let tree = &robot.tree().extended;
        let q: Vec<f64> = (0..count.max(1) * robot.nq()).map(|k| (k as f64 * 0.7).sin()).collect();
        let v: Vec<f64> = (0..count.max(1) * n).map(|k| (k as f64 * 0.3).cos()).collect();
        let last = [Placed::on_body(tree, tree.bodies.len() - 1, Pose::IDENTITY)];
        let (mut work, mut batch) = (arm.work(), Batch::new(tree, usize::MAX));
        let (mut vector, mut matrix) = (vec![0.0; count.max(1) * n], vec![0.0; count.max(1) * n * n]);
        let mut pose = vec![0.0; count.max(1) * 16];
        let (q1, v1) = (&q[..robot.nq()], &v[..n]);
        let none: (&[f64], usize) = (&[], 0);
        let mut times = vec![("rnea", 0.0, 0.0), ("crba", 0.0, 0.0), ("aba", 0.0, 0.0), ("fk", 0.0, 0.0)];
        for (k, (_, one, many)) in times.iter_mut().enumerate() {
            const CALLS: usize = 1000;
            (*one, *many) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..repeats {
                let start = Instant::now();
                for _ in 0..CALLS {
                    match k {
                        0 => robot.rnea(&mut work, black_box(q1), v1, v1, &mut vector[..n]),
                        1 => robot.crba(&mut work, black_box(q1), &mut matrix[..n * n]),
                        2 => robot.aba(&mut work, black_box(q1), v1, v1, &mut vector[..n]).map_err(told)?,
                        _ => robot.matrices(&mut work, black_box(q1), &last, &mut pose[..16]),
                    }
                }
                *one = one.min(start.elapsed().as_secs_f64() / CALLS as f64);
                let start = Instant::now();
                match k {
                    0 => batch.rnea_rows(tree, black_box(&q), &v, &v, &mut vector),
                    1 => batch.rows(count, [(&q[..], tree.nq), none, none], (&mut matrix, n * n), |b, [q, ..], out| {
                        b.crba(tree, q, out);
                    }),
                    2 => batch.rows(
                        count,
                        [(&q[..], tree.nq), (&v, n), (&v, n)],
                        (&mut vector, n),
                        |b, [q, v, f], out| {
                            b.aba(tree, q, v, f, out);
                        },
                    ),
                    _ => batch.fk_rows(tree, count, black_box(&q), &last, &mut pose),
                }
                *many = many.min(start.elapsed().as_secs_f64());
            }
        }
        Ok(times)
    }
}
