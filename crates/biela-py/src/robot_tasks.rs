//! What `biela.Robot` finds and makes: postures, other robots, pages.

#![allow(non_snake_case)] // X as in the library.

use crate::arrays::Given;
use crate::errors::{solve, BielaError};
use crate::robot::Arm;
use crate::robot_calls::{Array, Maybe, Robot};
use biela::math::{Pose, Rotation, Vec3};
use biela::picture::{self, page, Animation};
use biela::solve::manual_pose;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// A pose from a homogeneous matrix; its rotation must be one.
fn pose(m: &[f64]) -> PyResult<Pose> {
    /// Rotations that people type have some digits less than all.
    const ORTHOGONAL: f64 = 1e-6;
    let column = |k: usize| Vec3::new(m[k], m[4 + k], m[8 + k]);
    let [x, y, z] = [column(0), column(1), column(2)];
    let off = [x.norm() - 1.0, y.norm() - 1.0, x.dot(y), (x.cross(y) - z).norm()];
    let last = [m[12], m[13], m[14], m[15] - 1.0];
    if !off.iter().chain(&last).all(|x| x.abs() <= ORTHOGONAL) || !column(3).norm().is_finite() {
        return Err(BielaError::new_err("a pose is a homogeneous 4 x 4 matrix: a rotation, a place, and (0, 0, 0, 1)"));
    }
    // Made exactly orthogonal.
    let rotation = Rotation::from_z_x(z, x).unwrap_or(Rotation::IDENTITY);
    Ok(Pose::new(rotation, column(3)))
}

#[pymethods]
impl Robot {
    #[pyo3(signature = (frame, pose, start, orientation, limits, all))]
    #[allow(clippy::too_many_arguments)]
    // Many: keyword arguments of Python.
    fn _ik<'py>(
        &self,
        py: Python<'py>,
        frame: &str,
        pose: &Array<'py>,
        start: Maybe<'_, 'py>,
        orientation: bool,
        limits: bool,
        all: bool,
    ) -> PyResult<Array<'py>> {
        let (arm, frame, from) = (&self.0, self.frame(frame)?, self.start(start)?);
        let given = Given::new(pose, &[4, 4], "pose")?;
        let targets = given.data().chunks(16).map(self::pose).collect::<PyResult<Vec<Pose>>>()?;
        let (robot, nq) = (&arm.robot, arm.robot.nq());
        let (count, single) = (targets.len(), given.count.is_none());
        if all && !single {
            return Err(BielaError::new_err("all postures are found of one pose, of shape (4, 4)"));
        }
        let found = solve(py, || match (all, single) {
            (true, _) => robot.ik_all(&frame, &targets[0], &from, orientation, limits),
            (_, true) => Ok(vec![robot.ik(&frame, &targets[0], &from, orientation, limits)?]),
            _ => robot.ik_path(&frame, &targets, &from, orientation, limits),
        })?;
        let (rows, q): (usize, Vec<f64>) = (found.len(), found.into_iter().flat_map(|p| p.q).collect());
        debug_assert!(all || rows == count);
        let q = PyArray1::from_vec(py, q);
        match single && !all {
            true => Ok(q.into_any()),
            false => Ok(q.reshape([rows, nq])?.into_any()),
        }
    }

    fn _locked(&self, py: Python<'_>, joints: Vec<String>, q: Maybe) -> PyResult<Robot> {
        let from = self.start(q)?;
        let names: Vec<&str> = joints.iter().map(String::as_str).collect();
        let robot = solve(py, || self.0.robot.locked(&names, &from))?;
        Ok(Robot(Arc::new(Arm::of(robot))))
    }

    fn _appended(
        &self,
        py: Python<'_>,
        other: PyRef<'_, Robot>,
        frame: &str,
        at: Maybe,
        prefix: &str,
    ) -> PyResult<Robot> {
        let frame = self.frame(frame)?;
        let place = match at {
            Some(at) => pose(Given::new(at, &[4, 4], "pose")?.state(0, 16))?,
            None => Pose::IDENTITY,
        };
        let other = other.0.clone();
        let robot = solve(py, || self.0.robot.appended(&other.robot, &frame, &place, prefix))?;
        Ok(Robot(Arc::new(Arm::of(robot))))
    }

    /// A page with a slider for each joint.
    fn _view(&self, py: Python<'_>, q: Maybe) -> PyResult<String> {
        let (arm, q) = (&self.0, self.start(q)?);
        solve(py, || {
            let poses = arm.robot.poses(&mut arm.robot.workspace(), &q);
            let model = arm.robot.model().with_guess(&poses);
            let table = manual_pose::results(&model, &poses, 0.0);
            let motion = Animation::new(&model, &table)?;
            Ok(page::html(&picture::scene(&model, &motion)?, &motion))
        })
    }
}
