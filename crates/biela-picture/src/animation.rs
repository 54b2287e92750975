//! The motion of a scene: the pose of every body at every sample, and the signals that go with it.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use biela_base::error::{Error, Result};
use biela_base::quick_hash::QuickMap;
use biela_core::model::{Model, Space};
use biela_core::signal::{Element, Signal};
use biela_core::solve::motion::ended_in_words;
use biela_math::{Elementary, EulerParameters, Pose, Vec3};
use biela_results::{Column, Ended, Results};
use std::borrow::Cow;

/// Poses and signals over time.
#[derive(Debug)]
pub struct Animation<'r> {
    /// Times of the samples.
    pub times: &'r [f64],
    /// For each moving body its columns x, y, z, e0 … e3; none for the ground.
    poses: Vec<Option<[Cow<'r, [f64]>; 7]>>,
    /// Where a run ended before its time: what it says, the time, and the end that was asked for.
    pub ended: Option<(String, f64, f64)>,
    columns: &'r [Column],
    index: QuickMap<&'r str, usize>,
}

impl<'r> Animation<'r> {
    /// The motion that a run of `model` has left in `results`.
    pub fn new(model: &Model, results: &'r Results) -> Result<Animation<'r>> {
        let index: QuickMap<&str, usize> =
            results.columns.iter().enumerate().map(|(k, c)| (c.name.as_str(), k)).collect();
        let column = |signal: Signal| {
            let name = signal.name(model);
            let found = index.get(name.as_str()).map(|k| results.columns[*k].data.as_slice());
            found.ok_or_else(|| {
                Error::new(format!("the results do not tell '{name}'")).note("keep all signals of the run")
            })
        };
        let mut poses = vec![None];
        for k in 1..model.bodies.len() {
            // A body's first signals are its pose.
            let mut told = Element::Body(k).signals(model).map(column);
            let mut next = || told.next().unwrap_or(Ok(&[]));
            poses.push(Some(match model.space {
                Space::Spatial => {
                    let mut columns: [Cow<'r, [f64]>; 7] = Default::default();
                    for slot in &mut columns {
                        *slot = Cow::Borrowed(next()?);
                    }
                    columns
                }
                Space::Planar => in_space([next()?, next()?, next()?]),
            }));
        }
        let times = results.times();
        if times.is_empty() {
            return Err(Error::new("there is no sample to draw"));
        }
        let mark = |ended: &Ended| (ended_in_words(model, ended), ended.t, model.study.end);
        let ended = results.ended.as_ref().map(mark);
        Ok(Animation { times, poses, ended, columns: &results.columns, index })
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Number of bodies, the ground counted.
    pub fn bodies(&self) -> usize {
        self.poses.len()
    }

    /// Columns x, y, z, e0 … e3 of a body; none for the ground.
    pub fn channels(&self, body: usize) -> Option<&[Cow<'r, [f64]>; 7]> {
        self.poses[body].as_ref()
    }

    /// Pose of a body at a sample.
    pub fn pose(&self, body: usize, sample: usize) -> Pose {
        let Some(channels) = &self.poses[body] else { return Pose::IDENTITY };
        let [x, y, z, e0, e1, e2, e3] = channels.each_ref().map(|c| c[sample]);
        Pose::new(EulerParameters([e0, e1, e2, e3]).normalised().rotation(), Vec3::new(x, y, z))
    }

    /// Poses of all bodies at a sample.
    pub fn frame(&self, sample: usize) -> Vec<Pose> {
        (0..self.bodies()).map(|body| self.pose(body, sample)).collect()
    }

    /// Poses of all bodies at a place in the motion: a sample, or between two.
    pub fn frame_at(&self, at: f64) -> Vec<Pose> {
        let (k, part) = self.between(at);
        if part == 0.0 {
            return self.frame(k);
        }
        let mixed = |body: usize| {
            let Some(channels) = &self.poses[body] else { return Pose::IDENTITY };
            let row = |k: usize| channels.each_ref().map(|c| c[k]);
            let (a, b) = (row(k), row(k + 1));
            // Euler parameters are continuous over a run, so that their means are near to the turn between.
            let [x, y, z, e0, e1, e2, e3] = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part);
            Pose::new(EulerParameters([e0, e1, e2, e3]).normalised().rotation(), Vec3::new(x, y, z))
        };
        (0..self.bodies()).map(mixed).collect()
    }

    /// A signal's value at a place in the motion.
    pub(super) fn value_at(&self, data: &[f64], at: f64) -> f64 {
        let (k, part) = self.between(at);
        let next = data.get(k + 1).copied().unwrap_or_default();
        data.get(k).map_or(0.0, |x| if part == 0.0 { *x } else { x + (next - x) * part })
    }

    /// The sample before a place in the motion, and how far it is from there to the next.
    fn between(&self, at: f64) -> (usize, f64) {
        // Places are quotients of whole numbers: one that is meant to be a sample is a rounding away from it.
        let (nearest, last) = (at.round(), (self.len() - 1) as f64);
        if (at - nearest).abs() < 1e-9 * (1.0 + last) || at >= last {
            return (nearest.clamp(0.0, last) as usize, 0.0);
        }
        (at.floor().max(0.0) as usize, at - at.floor())
    }

    /// The sample nearest to a time.
    pub fn nearest(&self, t: f64) -> usize {
        let after = self.times.partition_point(|x| *x < t).min(self.len() - 1);
        match after.checked_sub(1) {
            Some(before) if t - self.times[before] <= self.times[after] - t => before,
            _ => after,
        }
    }

    /// At most `most` samples spread over the whole, the first and the last among them.
    pub fn some(&self, most: usize) -> impl Iterator<Item = usize> {
        let (last, count) = (self.len() - 1, self.len().min(most.max(2)));
        (0..count).map(move |k| if count > 1 { k * last / (count - 1) } else { 0 })
    }

    /// The signal of that name.
    pub fn signal(&self, name: &str) -> Option<&'r Column> {
        self.index.get(name).map(|k| &self.columns[*k])
    }

    /// All signals.
    pub fn signals(&self) -> &'r [Column] {
        self.columns
    }
}

/// Columns x, y, z, e0 … e3 of a body whose place in the plane and angle are told.
fn in_space<'r>([x, y, angle]: [&'r [f64]; 3]) -> [Cow<'r, [f64]>; 7] {
    let none = || Cow::Owned(vec![0.0; angle.len()]);
    let half = |of: fn(f64) -> f64| Cow::Owned(angle.iter().map(|a| of(0.5 * a)).collect());
    [x.into(), y.into(), none(), half(|a| a.cosine()), none(), none(), half(|a| a.sine())]
}
