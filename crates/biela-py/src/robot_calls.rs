//! `biela.Robot`: names, configurations and frames of an open chain or tree. Everything takes one state or many; `out` takes results.

#![allow(non_snake_case)] // M, J, Y as in the library.

use crate::arrays::{Given, Output};
use crate::errors::{solve, told, BielaError};
use crate::model::Model;
use crate::robot::{Arm, At};
use biela::math::random::Random;
use biela::math::{Pose, Vec3};
use biela::robot::{Axes, Frame};
use biela::tree::kinematics::Placed;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// The part of `biela.Robot` that is Rust.
#[pyclass(subclass, frozen, module = "biela._biela", name = "Robot")]
pub struct Robot(pub Arc<Arm>);

pub type Array<'py> = Bound<'py, PyAny>;
pub type Maybe<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The one answer of a call.
pub fn only<'py>(found: PyResult<[Array<'py>; 1]>) -> PyResult<Array<'py>> {
    found.map(|[one]| one)
}

pub fn poses<'py>(
    arm: &Arm,
    py: Python<'py>,
    at: &At<'py>,
    frames: &[Placed],
    shape: &[usize],
    out: Maybe<'_, 'py>,
) -> PyResult<Array<'py>> {
    let one = |work: &mut _, [q, ..]: [&[f64]; 3], [X]: [&mut [f64]; 1]| {
        arm.robot.matrices(work, q, frames, X);
        Ok(())
    };
    only(arm.answer_by(py, at, [shape], [out], one, |at, [X]| arm.pose_rows(at, frames, X)))
}

pub fn jacobian<'py>(
    arm: &Arm,
    py: Python<'py>,
    at: &At<'py>,
    (frame, axes): (&Frame, Axes),
    out: Maybe<'_, 'py>,
) -> PyResult<Array<'py>> {
    only(arm.answer(py, at, [&[6, arm.robot.nv()]], [out], |work, [q, ..], [J]| {
        arm.robot.jacobian(work, q, frame, axes, J);
        Ok(())
    }))
}

impl Robot {
    pub fn frame(&self, name: &str) -> PyResult<Frame> {
        self.0.robot.frame(name).map_err(told)
    }

    fn vector<'py>(&self, given: &Bound<'py, PyAny>, name: &str) -> PyResult<Given<'py>> {
        Given::new(given, &[self.0.robot.nq()], name)
    }

    /// A single configuration, or the neutral one.
    pub fn start(&self, from: Maybe) -> PyResult<Vec<f64>> {
        let Some(from) = from else { return Ok(self.0.robot.neutral()) };
        let given = self.vector(from, "start")?;
        match given.count {
            None => Ok(given.data().to_vec()),
            Some(_) => Err(BielaError::new_err("'start' is one configuration")),
        }
    }
}

#[pymethods]
impl Robot {
    #[new]
    #[pyo3(signature = (source, gravity = None))]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>, gravity: Option<[f64; 3]>) -> PyResult<Robot> {
        if let Ok(robot) = source.cast::<Robot>() {
            return Ok(Robot(robot.get().0.clone()));
        }
        let model = source.cast::<Model>()?.get();
        let compiled = model.compiled(py)?;
        let arm = solve(py, || {
            let mut own = compiled.model.released();
            if let (None, Some([x, y, z])) = (own.gravity, gravity) {
                own.change_mechanism(|mechanism| mechanism.gravity = Some(Vec3::new(x, y, z)));
            }
            Arm::new(&own)
        })?;
        Ok(Robot(Arc::new(arm)))
    }

    /// Name of the robot.
    #[getter]
    fn name(&self) -> &str {
        &self.0.robot.model().name
    }

    /// Gravity in ground axes.
    #[getter]
    fn gravity(&self) -> Option<(f64, f64, f64)> {
        self.0.robot.gravity().map(|g| (g.x, g.y, g.z))
    }

    /// Number of position coordinates.
    #[getter]
    fn nq(&self) -> usize {
        self.0.robot.nq()
    }

    /// Number of velocities.
    #[getter]
    fn nv(&self) -> usize {
        self.0.robot.nv()
    }

    /// Names of the position coordinates, in their order.
    #[getter]
    fn positions(&self) -> Vec<String> {
        self.0.robot.positions()
    }

    /// Names of the velocities, in their order.
    #[getter]
    fn velocities(&self) -> Vec<String> {
        self.0.robot.velocities()
    }

    /// Names of the bodies, without the ground: the order of ``fk(q)``.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        self.0.robot.bodies().map(str::to_string).collect()
    }

    /// Joints with coordinates: first position and their number, first velocity and their number, by name.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let all = pyo3::types::PyDict::new(py);
        for (name, [q, nq], [v, nv]) in self.0.robot.joints() {
            all.set_item(name, (q, nq, v, nv))?;
        }
        Ok(all)
    }

    /// Names of all frames: bodies, points of theirs, joints.
    #[getter]
    fn frames(&self) -> Vec<String> {
        self.0.robot.frames()
    }

    /// Least and greatest position, greatest rate, greatest effort of each velocity coordinate, shape (4, nv); infinite where unbounded.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.0.robot.nv();
        let all: Vec<[f64; 4]> = (0..n).map(|k| self.0.robot.limits(k)).collect();
        let rows = (0..4).flat_map(|r| all.iter().map(move |l| l[r]).collect::<Vec<_>>()).collect();
        PyArray1::from_vec(py, rows).reshape([4, n])
    }

    /// Coordinates at zero, with attitudes at the identity.
    fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.0.robot.neutral())
    }

    /// Configurations drawn evenly: within limits where there are some, else turns from -pi to pi, slides from -1 to 1.
    #[pyo3(signature = (count = None, *, seed = 0))]
    fn random<'py>(&self, py: Python<'py>, count: Option<usize>, seed: u64) -> PyResult<Array<'py>> {
        let (mut random, nq) = (Random(seed), self.0.robot.nq());
        let mut made = Output::new(py, count, &[nq], None, &[])?;
        made.data().chunks_mut(nq.max(1)).for_each(|q| q.copy_from_slice(&self.0.robot.random(&mut random)));
        Ok(made.array())
    }

    /// The configuration after a displacement ``dv`` in velocity coordinates (a velocity times a time).
    #[pyo3(signature = (q, dv, *, out = None))]
    fn integrate<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        dv: &Array<'py>,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let arm = &self.0;
        let at = arm.at_all(q, Some(dv), (None, ""))?;
        only(arm.answer(py, &at, [&[arm.robot.nq()]], [out], |_, [q, dv, _], [to]| {
            arm.robot.integrate(q, dv, to);
            Ok(())
        }))
    }

    /// The shortest displacement from one configuration to another, in velocity coordinates.
    #[pyo3(signature = (q0, q1, *, out = None))]
    fn difference<'py>(
        &self,
        py: Python<'py>,
        q0: &Array<'py>,
        q1: &Array<'py>,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let (arm, nq) = (&self.0, self.0.robot.nq());
        let (from, to) = (self.vector(q0, "q0")?, self.vector(q1, "q1")?);
        if from.count != to.count {
            return Err(BielaError::new_err("'q1' has not as many states as 'q0'"));
        }
        let single = Given::none(from.count);
        let (at, none) = (At { q: from, v: to, a: single }, [out]);
        let many = |at: &At, [dv]: [&mut [f64]; 1]| {
            let n = arm.robot.nv();
            for k in 0..at.q.count.unwrap_or(1) {
                arm.robot.difference(at.q.state(k, nq), at.v.state(k, nq), &mut dv[k * n..(k + 1) * n]);
            }
            Ok(())
        };
        let one = |_: &mut _, [from, to, _]: [&[f64]; 3], [dv]: [&mut [f64]; 1]| {
            arm.robot.difference(from, to, dv);
            Ok(())
        };
        only(arm.answer_by(py, &at, [&[arm.robot.nv()]], none, one, many))
    }

    /// Poses as homogeneous matrices: of a frame, shape (4, 4), or of all bodies, shape (bodies, 4, 4).
    #[pyo3(signature = (q, frame = None, *, out = None))]
    fn fk<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        frame: Option<&str>,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let (arm, at) = (&self.0, self.0.at(q)?);
        if let Some(name) = frame {
            return poses(arm, py, &at, &[arm.robot.placed(&self.frame(name)?)], &[4, 4], out);
        }
        let bodies = arm.robot.model().bodies.len();
        let all: Vec<Placed> =
            (1..bodies).map(|body| arm.robot.placed(&Frame { body, X_BF: Pose::IDENTITY })).collect();
        poses(arm, py, &at, &all, &[all.len(), 4, 4], out)
    }

    /// Jacobian of a frame, shape (6, nv): rows vx vy vz wx wy wz. ``axes``: "aligned" (of the frame's origin, in ground axes), "local" (the same in
    /// the frame's axes) or "world" (of the body's point at the ground's origin).
    #[pyo3(signature = (q, frame, axes = "aligned", *, out = None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        frame: &str,
        axes: &str,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let axes = Axes::parse(axes).map_err(told)?;
        jacobian(&self.0, py, &self.0.at(q)?, (&self.frame(frame)?, axes), out)
    }

    /// Time derivative of ``jacobian`` at velocities v.
    #[pyo3(signature = (q, v, frame, axes = "aligned", *, out = None))]
    #[allow(clippy::too_many_arguments)]
    // Many: keyword arguments of Python.
    fn jacobian_rate<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: &Array<'py>,
        frame: &str,
        axes: &str,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let (arm, frame, axes) = (&self.0, self.frame(frame)?, Axes::parse(axes).map_err(told)?);
        let at = arm.at_all(q, Some(v), (None, ""))?;
        only(arm.answer(py, &at, [&[6, arm.robot.nv()]], [out], |work, [q, v, _], [rate]| {
            arm.robot.jacobian_rate(work, q, v, (&frame, axes), rate);
            Ok(())
        }))
    }
}
