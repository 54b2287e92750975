//! The motion of a body between samples.

use super::Placed;
use crate::error::{Error, Result};
use crate::math::{EulerParameters, Pose, Rotation, Vec3};
use crate::model::{Model, GROUND};
use crate::results::Results;
use crate::signal::Element;

/// What a body does at a sample.
#[derive(Debug, Clone, Copy, Default)]
struct Knot {
    p: [Vec3; 3],
    e: [[f64; 4]; 3],
    w: [Vec3; 2],
}

/// A body on its way.
#[derive(Debug, Clone)]
pub(super) struct Track {
    /// Times of the samples.
    pub times: Vec<f64>,
    knots: Vec<Knot>,
    still: bool,
}

impl Track {
    /// All bodies of a model, ground first.
    pub fn all(model: &Model, results: &Results) -> Result<Vec<Track>> {
        let times = results.times().to_vec();
        if times.is_empty() {
            return Err(Error::new("there is no motion to look at"));
        }
        (0..model.bodies.len())
            .map(|k| match k == GROUND {
                true => {
                    let still = Knot { e: [[1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]], ..Knot::default() };
                    Ok(Track { knots: vec![still; times.len()], times: times.clone(), still: true })
                }
                false => Track::of(model, results, k, &times),
            })
            .collect()
    }

    fn of(model: &Model, results: &Results, body: usize, times: &[f64]) -> Result<Track> {
        let signals: Vec<_> = Element::Body(body).signals(model).collect();
        let columns: Option<Vec<&[f64]>> =
            signals.iter().map(|s| results.get(&s.name(model)).map(|c| c.data.as_slice())).collect();
        let missing =
            || Error::new("the motion of a body is not told").of(format!("body '{}'", model.bodies[body].name));
        let columns = columns.ok_or_else(missing)?;
        let planar = model.space.is_planar();
        let knot = |i: usize| {
            let x = |k: usize| columns[k][i];
            let three = |k: usize| Vec3::new(x(k), x(k + 1), x(k + 2));
            let flat = |k: usize| Vec3::new(x(k), x(k + 1), 0.0);
            let (p, e, w, al) = match planar {
                true => {
                    ([flat(0), flat(3), flat(6)], EulerParameters::about(Vec3::Z, x(2)), Vec3::Z * x(5), Vec3::Z * x(8))
                }
                false => {
                    ([three(0), three(7), three(13)], EulerParameters([x(3), x(4), x(5), x(6)]), three(10), three(16))
                }
            };
            let rate = e.rate(w);
            // e¨ is the rate of ½ (0, w) e.
            let (one, two) = (e.rate(al), rate.rate(w));
            let bend = [0, 1, 2, 3].map(|k| one.0[k] + two.0[k]);
            Knot { p, e: [e.0, rate.0, bend], w: [w, al] }
        };
        Ok(Track { times: times.to_vec(), knots: (0..times.len()).map(knot).collect(), still: false })
    }

    /// The interval around a time, and how far it is on in it.
    fn place(&self, t: f64) -> (usize, f64, f64) {
        let last = self.times.len().saturating_sub(2);
        let k = self.times.partition_point(|x| *x <= t).saturating_sub(1).min(last);
        let h = self.times.get(k + 1).map_or(0.0, |next| next - self.times[k]);
        (k, h, if h > 0.0 { (t - self.times[k]) / h } else { 0.0 })
    }

    /// Place and velocity at a time.
    pub fn at(&self, t: f64) -> Placed {
        let (k, h, s) = self.place(t);
        let (a, b) = (&self.knots[k], self.knots.get(k + 1).unwrap_or(&self.knots[k]));
        if self.still || h == 0.0 {
            let rotation = EulerParameters(a.e[0]).rotation();
            return Placed { pose: Pose::new(rotation, a.p[0]), v: a.p[1], w: a.w[0] };
        }
        let (value, slope) = (weights(s), slopes(s));
        let mut p = Vec3::ZERO;
        let mut v = Vec3::ZERO;
        let (mut e, mut rate) = ([0.0; 4], [0.0; 4]);
        for (side, knot) in [a, b].into_iter().enumerate() {
            let mut scale = 1.0;
            for order in 0..3 {
                let (x, d) = (value[side][order] * scale, slope[side][order] * scale / h);
                p += knot.p[order] * x;
                v += knot.p[order] * d;
                for c in 0..4 {
                    e[c] += knot.e[order][c] * x;
                    rate[c] += knot.e[order][c] * d;
                }
                scale *= h;
            }
        }
        let length = EulerParameters(e).norm();
        let e = EulerParameters(e.map(|x| x / length));
        let rate = EulerParameters(rate.map(|x| x / length));
        // w = 2 e˙ e*, of which the scalar part is only the change of length.
        let turned = rate.times(&e.conjugate());
        let w = Vec3::new(turned.0[1], turned.0[2], turned.0[3]) * 2.0;
        Placed { pose: Pose::new(e.rotation(), p), v, w }
    }

    /// How fast the velocity of points within a radius changes, at the samples beside a time.
    pub fn grows(&self, t: f64, radius: f64) -> f64 {
        let (k, ..) = self.place(t);
        let of = |knot: &Knot| {
            let (w, al) = (knot.w[0].norm(), knot.w[1].norm());
            knot.p[2].norm() + (al + w * w) * radius
        };
        let next = self.knots.get(k + 1).unwrap_or(&self.knots[k]);
        of(&self.knots[k]).max(of(next))
    }

    /// How far the samples of a finer run are from where a coarser one takes bodies to be, at a distance from their origins.
    pub fn differ(coarse: &[Track], fine: &[Track], size: f64) -> f64 {
        let mut most = 0.0f64;
        for (coarse, fine) in coarse.iter().zip(fine) {
            let last = coarse.times[coarse.times.len() - 1];
            for (t, knot) in fine.times.iter().zip(&fine.knots).filter(|(t, _)| **t <= last) {
                let at = coarse.at(*t).pose;
                let rotation: Rotation = EulerParameters(knot.e[0]).rotation();
                let turned = (0..3).map(|k| (rotation.axes[k] - at.rotation.axes[k]).norm()).fold(0.0, f64::max);
                most = most.max((at.origin - knot.p[0]).norm() + size * turned);
            }
        }
        most
    }
}

/// Weights of value, rate and second rate at both ends in the polynomial of degree five, in s from 0 to 1.
fn weights(s: f64) -> [[f64; 3]; 2] {
    let (s2, s3) = (s * s, s * s * s);
    let (s4, s5) = (s2 * s2, s2 * s3);
    [
        [
            1.0 - 10.0 * s3 + 15.0 * s4 - 6.0 * s5,
            s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5,
            0.5 * s2 - 1.5 * s3 + 1.5 * s4 - 0.5 * s5,
        ],
        [10.0 * s3 - 15.0 * s4 + 6.0 * s5, -4.0 * s3 + 7.0 * s4 - 3.0 * s5, 0.5 * s3 - s4 + 0.5 * s5],
    ]
}

/// Their derivatives by s.
fn slopes(s: f64) -> [[f64; 3]; 2] {
    let (s2, s3) = (s * s, s * s * s);
    let s4 = s2 * s2;
    [
        [
            -30.0 * s2 + 60.0 * s3 - 30.0 * s4,
            1.0 - 18.0 * s2 + 32.0 * s3 - 15.0 * s4,
            s - 4.5 * s2 + 6.0 * s3 - 2.5 * s4,
        ],
        [30.0 * s2 - 60.0 * s3 + 30.0 * s4, -12.0 * s2 + 28.0 * s3 - 15.0 * s4, 1.5 * s2 - 4.0 * s3 + 2.5 * s4],
    ]
}
