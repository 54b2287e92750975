//! Open chains and trees over NumPy arrays: one state of shape (n), or a batch of shape (N, n).
//!
//! A single state is answered under the interpreter's lock, for letting it go costs more than the answer. Batches let it go
//! and run, where there are kernels for it, in the lanes of wide registers, a stretch of states at a time.

#![allow(non_snake_case)] // M, J as in the library.

use crate::arrays::{Given, Output};
use crate::errors::{solve, told};
use biela::error::{Error, Result};
use biela::model::Model as Mechanism;
use biela::robot::{Robot, Workspace};
use biela::tree::batch::Batch;
use biela::tree::kinematics::Placed;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// A robot with room to work in.
pub struct Arm {
    pub robot: Robot,
    work: Mutex<Workspace>,
    batch: Mutex<Option<Batch>>,
}

/// States at which something is asked: positions, and two lists as long as velocities.
pub struct At<'py> {
    pub q: Given<'py>,
    pub v: Given<'py>,
    pub a: Given<'py>,
}

impl Arm {
    pub fn new(model: &Mechanism) -> Result<Arm> {
        Ok(Arm::of(Robot::new(model)?))
    }

    pub fn of(robot: Robot) -> Arm {
        let work = Mutex::new(robot.workspace());
        Arm { robot, work, batch: Mutex::new(None) }
    }

    pub fn work(&self) -> MutexGuard<'_, Workspace> {
        self.work.lock().unwrap_or_else(|p| p.into_inner())
    }

    pub fn weighed(&self, what: &str) -> PyResult<()> {
        match self.robot.gravity() {
            Some(_) => Ok(()),
            None => Err(told(
                Error::new(format!("'{what}' depends on gravity, which the model does not state"))
                    .note("add gravity = [0, 0, -9.81] to the model, or give gravity=(0, 0, -9.81)"),
            )),
        }
    }

    /// Positions of one state or many.
    pub fn at<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<At<'py>> {
        let q = Given::new(q, &[self.robot.nq()], "q")?;
        let count = q.count;
        Ok(At { q, v: Given::none(count), a: Given::none(count) })
    }

    /// Positions, velocities and one more list, by its name; what is left out is zero.
    pub fn at_all<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        v: Option<&Bound<'py, PyAny>>,
        (last, name): (Option<&Bound<'py, PyAny>>, &str),
    ) -> PyResult<At<'py>> {
        let (nq, nv) = (self.robot.nq(), self.robot.nv());
        let q = Given::new(q, &[nq], "q")?;
        let v = Given::optional(v, nv, "v", &q)?;
        let a = Given::optional(last, nv, name, &q)?;
        Ok(At { q, v, a })
    }

    /// Answers one state under the interpreter's lock, or many without it: `one` state at a time.
    pub fn answer<'py, const K: usize>(
        &self,
        py: Python<'py>,
        at: &At<'py>,
        shapes: [&[usize]; K],
        out: [Option<&Bound<'py, PyAny>>; K],
        one: impl Fn(&mut Workspace, [&[f64]; 3], [&mut [f64]; K]) -> Result<()> + Sync,
    ) -> PyResult<[Bound<'py, PyAny>; K]> {
        let (nq, nv) = (self.robot.nq(), self.robot.nv());
        let many = |at: &At, mut out: [&mut [f64]; K]| {
            let mut work = self.robot.workspace();
            for k in 0..at.q.count.unwrap_or(1) {
                let mut sizes = shapes.iter().map(|s| s.iter().product::<usize>());
                let parts = out.each_mut().map(|x| {
                    let size = sizes.next().unwrap_or(0);
                    &mut x[k * size..(k + 1) * size]
                });
                one(&mut work, [at.q.state(k, nq), at.v.state(k, nv), at.a.state(k, nv)], parts)?;
            }
            Ok(())
        };
        self.answer_by(py, at, shapes, out, &one, many)
    }

    /// The same where a batch has its own way.
    // Many: what is asked, where it goes, and the two ways there.
    pub fn answer_by<'py, const K: usize>(
        &self,
        py: Python<'py>,
        at: &At<'py>,
        shapes: [&[usize]; K],
        out: [Option<&Bound<'py, PyAny>>; K],
        one: impl Fn(&mut Workspace, [&[f64]; 3], [&mut [f64]; K]) -> Result<()>,
        many: impl Fn(&At, [&mut [f64]; K]) -> Result<()> + Sync,
    ) -> PyResult<[Bound<'py, PyAny>; K]> {
        let count = at.q.count;
        let mut rooms: [Option<Output<'py>>; K] = [(); K].map(|()| None);
        for ((room, shape), given) in rooms.iter_mut().zip(shapes).zip(out) {
            *room = Some(Output::new(py, count, shape, given, &[&at.q, &at.v, &at.a])?);
        }
        let data = rooms.each_mut().map(|room| room.as_mut().map_or(&mut [][..], Output::data));
        match count {
            None => one(&mut self.work(), [at.q.data(), at.v.data(), at.a.data()], data).map_err(told)?,
            Some(_) => solve(py, || many(at, data))?,
        }
        Ok(rooms.map(|room| room.map_or_else(|| py.None().into_bound(py), Output::array)))
    }

    /// Whether batches can go through the lanes: coordinates are the tree's own.
    fn lanes(&self) -> bool {
        self.robot.tree().is_plain() && self.robot.nv() > 0
    }

    /// Lends the workspace of batches; another thread that comes meanwhile gets one of its own.
    fn with_batch<T>(&self, call: impl FnOnce(&mut Batch) -> T) -> T {
        let lent = self.batch.lock().unwrap_or_else(|p| p.into_inner()).take();
        let mut batch = lent.unwrap_or_else(|| Batch::new(&self.robot.tree().extended, usize::MAX));
        let out = call(&mut batch);
        *self.batch.lock().unwrap_or_else(|p| p.into_inner()) = Some(batch);
        out
    }

    /// One state after the other, in a workspace of its own.
    fn each(&self, at: &At, mut one: impl FnMut(&mut Workspace, usize, [&[f64]; 3]) -> Result<()>) -> Result<()> {
        let (nq, nv, mut work) = (self.robot.nq(), self.robot.nv(), self.robot.workspace());
        for k in 0..at.q.count.unwrap_or(1) {
            one(&mut work, k, [at.q.state(k, nq), at.v.state(k, nv), at.a.state(k, nv)])?;
        }
        Ok(())
    }

    pub fn rnea_rows(&self, at: &At, tau: &mut [f64]) -> Result<()> {
        let n = self.robot.nv();
        if self.lanes() {
            let tree = &self.robot.tree().extended;
            self.with_batch(|batch| batch.rnea_rows(tree, at.q.data(), at.v.data(), at.a.data(), tau));
            return Ok(());
        }
        self.each(at, |work, k, [q, v, a]| {
            self.robot.rnea(work, q, v, a, &mut tau[k * n..(k + 1) * n]);
            Ok(())
        })
    }

    pub fn crba_rows(&self, at: &At, M: &mut [f64]) -> Result<()> {
        let (n, nq, count) = (self.robot.nv(), self.robot.nq(), at.q.count.unwrap_or(1));
        if self.lanes() {
            let (tree, inputs) = (&self.robot.tree().extended, [(at.q.data(), nq), (&[][..], 0), (&[][..], 0)]);
            self.with_batch(|batch| {
                batch.rows(count, inputs, (M, n * n), |batch, [q, ..], out| batch.crba(tree, q, out));
            });
            return Ok(());
        }
        self.each(at, |work, k, [q, ..]| {
            self.robot.crba(work, q, &mut M[k * n * n..(k + 1) * n * n]);
            Ok(())
        })
    }

    pub fn aba_rows(&self, at: &At, a: &mut [f64]) -> Result<()> {
        let (n, nq, count) = (self.robot.nv(), self.robot.nq(), at.q.count.unwrap_or(1));
        if self.lanes() {
            let (tree, inputs) = (&self.robot.tree().extended, [(at.q.data(), nq), (at.v.data(), n), (at.a.data(), n)]);
            self.with_batch(|batch| {
                batch.rows(count, inputs, (a, n), |batch, [q, v, tau], out| batch.aba(tree, q, v, tau, out));
            });
            if a.iter().all(|x| x.is_finite()) {
                return Ok(());
            }
        }
        // One by one, where coordinates are not the tree's own and where the fault is to be named.
        self.each(at, |work, k, [q, v, tau]| self.robot.aba(work, q, v, tau, &mut a[k * n..(k + 1) * n]))
    }

    /// Three matrices a state, by a kernel of blocks where there are lanes.
    pub fn matrix_rows(
        &self,
        at: &At,
        out: [&mut [f64]; 3],
        block: impl Fn(&mut Batch, [&[f64]; 3], [&mut [f64]; 3]),
        one: impl Fn(&mut Workspace, [&[f64]; 3], [&mut [f64]; 3]) -> Result<()>,
    ) -> Result<()> {
        let (n, nq, count) = (self.robot.nv(), self.robot.nq(), at.q.count.unwrap_or(1));
        if self.lanes() {
            let inputs = [(at.q.data(), nq), (at.v.data(), n), (at.a.data(), n)];
            self.with_batch(|batch| batch.matrix_rows(count, inputs, (out, n * n), block));
            return Ok(());
        }
        let (size, mut out) = (n * n, out);
        self.each(at, |work, k, at| one(work, at, out.each_mut().map(|x| &mut x[k * size..(k + 1) * size])))
    }

    /// Homogeneous matrices of frames, all of a state together.
    pub fn pose_rows(&self, at: &At, frames: &[Placed], out: &mut [f64]) -> Result<()> {
        let (size, count) = (16 * frames.len(), at.q.count.unwrap_or(1));
        if self.lanes() {
            let tree = &self.robot.tree().extended;
            self.with_batch(|batch| batch.fk_rows(tree, count, at.q.data(), frames, out));
            return Ok(());
        }
        self.each(at, |work, k, [q, ..]| {
            self.robot.matrices(work, q, frames, &mut out[k * size..(k + 1) * size]);
            Ok(())
        })
    }
}
