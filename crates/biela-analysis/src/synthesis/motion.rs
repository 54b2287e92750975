//! Poses: links between a fixed pivot and a point of the body, as far apart in all of them ([Burmester 1888]), two of which make a four-bar; or one of
//! them and a point of the body that moves on a line.

use super::dyads::{dyads, pencil, Dyads, Known, Position, Section};
use super::function::proof;
use super::linkage::{Carried, Linkage, Shape};
use super::{place, point, refusal, Found, Outcome, Work};
use crate::error::{Error, Result};
use crate::task::{Family, Pose, Synthesis};
use biela_roots::Complex;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A body's positions from the first on, in units of the longest way.
pub(super) struct Moved {
    pub origin: Complex,
    pub scale: f64,
    pub ways: Vec<Complex>,
    pub turns: Vec<Complex>,
}

/// Coordinates of the fixed pivots.
pub(super) const CRANK: [&str; 2] = ["A.x", "A.y"];
pub(super) const ROCKER: [&str; 2] = ["D.x", "D.y"];
/// Pivots closer than this, against the size of the task, are one.
const TOGETHER: f64 = 1e-6;
/// Pivots tried along a side of the region, where three poses leave both coordinates open.
const GRID: usize = 5;

/// Burmester's counts: four links for five poses, three on a line for four, since pivots lie on a cubic, and one to each pivot for three.
pub(super) fn burmester(poses: usize) -> Known {
    let bound = [(5, 4), (4, 3), (3, 1)].iter().find(|b| b.0 == poses).map(|b| b.1);
    Known { trivial: None, bound }
}

impl Moved {
    pub fn new(points: &[Complex], turns: Vec<Complex>) -> Moved {
        let longest = points.iter().map(|p| (*p - points[0]).norm()).fold(0.0, f64::max);
        let scale = if longest > 0.0 { longest } else { 1.0 };
        let ways = points.iter().map(|p| (*p - points[0]).times(1.0 / scale)).collect();
        Moved { origin: points[0], scale, ways, turns }
    }

    /// A place of the plane in the units here, and back.
    fn inward(&self, z: Complex) -> Complex {
        (z - self.origin).times(1.0 / self.scale)
    }

    pub fn outward(&self, z: Complex) -> Complex {
        z.times(self.scale) + self.origin
    }

    /// Where a point of the body is in each position.
    pub fn carried(&self, a: Complex) -> Vec<Complex> {
        self.ways.iter().zip(&self.turns).map(|(w, t)| self.outward(*w + a * *t)).collect()
    }

    /// Sections of a pivot whose coordinates have these names: what is given of it, or what is tried.
    pub fn sections(&self, asked: &Synthesis, names: [&str; 2]) -> Result<Vec<Vec<Section>>> {
        let [xs, ys] = names.map(|name| asked.values(name));
        let missing = 5 - self.ways.len();
        let told = usize::from(xs.is_some()) + usize::from(ys.is_some());
        if told > missing {
            let message = format!("{} positions leave {missing} of {} to be chosen", self.ways.len(), names.join(", "));
            return Err(Error::new(message).note("ask for fewer positions, or give fewer coordinates"));
        }
        let at_x = |x: f64| Section::Line(0, self.inward(Complex::new(x, 0.0)), FRAC_PI_2);
        let at_y = |y: f64| Section::Line(0, self.inward(Complex::new(0.0, y)), 0.0);
        Ok(match missing {
            0 => vec![Vec::new()],
            1 => match (xs, ys) {
                (Some(xs), _) => xs.iter().map(|x| vec![at_x(*x)]).collect(),
                (_, Some(ys)) => ys.iter().map(|y| vec![at_y(*y)]).collect(),
                _ => pencil(asked.samples).map(|x| vec![Section::Line(0, self.middle(), x)]).collect(),
            },
            _ => {
                let [x, xx, y, yy] = asked.limits.region.unwrap_or_else(|| self.around());
                let grid = |from: f64, to: f64| -> Vec<f64> {
                    (0..GRID).map(|k| from + (to - from) * (k as f64 + 0.5) / GRID as f64).collect()
                };
                let xs = xs.map_or_else(|| grid(x, xx), <[f64]>::to_vec);
                let ys = ys.map_or_else(|| grid(y, yy), <[f64]>::to_vec);
                let value = |x: f64, y: f64| vec![Section::Value(0, self.inward(Complex::new(x, y)))];
                xs.iter().flat_map(|x| ys.iter().map(|y| value(*x, *y))).collect()
            }
        })
    }

    fn middle(&self) -> Complex {
        self.ways.iter().copied().sum::<Complex>().times(1.0 / self.ways.len() as f64)
    }

    /// Twice the size of the task about its middle.
    fn around(&self) -> [f64; 4] {
        let m = self.outward(self.middle());
        let reach = 2.0 * self.scale;
        [m.re - reach, m.re + reach, m.im - reach, m.im + reach]
    }

    /// Links: a fixed pivot and a point of the body each.
    pub fn links(&self, sections: &[Vec<Section>], work: &Work) -> Result<Dyads> {
        let position = |(way, turn): (&Complex, &Complex)| Position { alpha: *way, beta: -Complex::ONE, gamma: *turn };
        let positions: Vec<Position> = self.ways.iter().zip(&self.turns).map(position).collect();
        let mut all = Dyads { complete: true, ..Dyads::default() };
        for choice in sections {
            let found = dyads(&positions, choice, burmester(positions.len()), work).map_err(refusal)?;
            all.complex += found.complex;
            all.complete &= found.complete;
            all.singular |= found.singular;
            all.real.extend(found.real);
        }
        Ok(all)
    }
}

/// Four-bars or slider-cranks whose coupler takes the poses.
pub(super) fn through(poses: &[Pose], asked: &Synthesis, work: &Work) -> Result<Found> {
    let points: Vec<Complex> = poses.iter().map(|p| point(p.at)).collect();
    let moved = Moved::new(&points, poses.iter().map(|p| Complex::unit(p.angle - poses[0].angle)).collect());
    let frames: Vec<(Complex, Complex)> =
        points.iter().zip(poses).map(|(p, pose)| (*p, Complex::unit(pose.angle))).collect();
    let (ours, others) = (moved.sections(asked, CRANK)?, moved.sections(asked, ROCKER)?);
    let apart = CRANK.iter().chain(&ROCKER).any(|name| asked.values(name).is_some());
    let first = moved.links(&ours, work)?;
    let sliders = if asked.family == crate::task::Family::SliderCrank { Some(guided(&moved, asked)?) } else { None };
    let second = if apart && sliders.is_none() { moved.links(&others, work)? } else { first.clone() };
    let mut outcome = Outcome { complete: first.complete && second.complete, ..Outcome::default() };
    let counted = |f: &dyn Fn(&Dyads) -> usize| f(&first) + if apart && sliders.is_none() { f(&second) } else { 0 };
    outcome.complex = counted(&|d| d.complex);
    outcome.roots = outcome.complex;
    outcome.real = counted(&|d| d.real.len());
    outcome.singular = first.singular || second.singular;
    outcome.proof = proof(&outcome, ours.len());
    if poses.len() == 4 {
        outcome.curves[0] = first.real.iter().map(|(o, _)| place(moved.outward(*o))).collect();
        outcome.curves[1] = first.real.iter().map(|(_, a)| place(moved.outward(*a))).collect();
    }
    let mut linkages = Vec::new();
    if let Some(sliders) = sliders {
        for (o, a) in &first.real {
            for (s, direction) in &sliders {
                if (*s - *a).norm() > TOGETHER {
                    let shape = Shape::SliderCrank(*direction);
                    let (b, c) = (moved.carried(*a), moved.carried(*s));
                    let carried = Carried::Frame(frames.clone());
                    let linkage = Linkage { shape, a: moved.outward(*o), b, c, carried, either: false };
                    linkages.push((linkages.len() + 1, linkage));
                }
            }
        }
        return Ok(Found { outcome, linkages });
    }
    for (i, (o, a)) in first.real.iter().enumerate() {
        let begin = if apart { 0 } else { i + 1 };
        for (p, b) in &second.real[begin.min(second.real.len())..] {
            if (*o - *p).norm() > TOGETHER && (*a - *b).norm() > TOGETHER {
                let pivots = [moved.outward(*o), moved.outward(*p)];
                let carried = Carried::Frame(frames.clone());
                let made = Linkage::four_bar(pivots, moved.carried(*a), moved.carried(*b), carried);
                linkages.push((linkages.len() + 1, made));
            }
        }
    }
    Ok(Found { outcome, linkages })
}

/// Points of the body that lie on one line in all positions, with its direction: one for four positions, a circle of them for three.
///
/// With A_j − A_0 = δ + a ρ, ρ = T − 1: Im((δ_j + a ρ_j)(δ̄_1 + ā ρ̄_1)) = 0 is a circle through the pole of the first displacement; two of them meet in
/// one point besides.
fn guided(moved: &Moved, asked: &Synthesis) -> Result<Vec<(Complex, Complex)>> {
    debug_assert!(asked.family == Family::SliderCrank);
    let (d, r): (&[Complex], Vec<Complex>) = (&moved.ways, moved.turns.iter().map(|t| *t - Complex::ONE).collect());
    // α|a|² + Re(β a) + κ = 0.
    let circle = |j: usize| {
        let alpha = (r[j] * r[1].conjugate()).im;
        let beta = -(Complex::I * (r[j] * d[1].conjugate() - d[j].conjugate() * r[1]));
        (alpha, beta, (d[j] * d[1].conjugate()).im)
    };
    let direction = |a: Complex| {
        let way = d[1] + a * r[1];
        way.times(1.0 / way.norm())
    };
    let points: Vec<Complex> = match d.len() {
        3 => {
            let (alpha, beta, kappa) = circle(2);
            let centre = -beta.conjugate().times(0.5 / alpha);
            let radius = (centre.norm2() - kappa / alpha).max(0.0).sqrt();
            let at = |k: usize| centre + Complex::unit(TAU * (k as f64 + 0.37) / asked.samples as f64).times(radius);
            (0..asked.samples).map(at).collect()
        }
        4 => {
            let ((alpha, beta, _), (other, gamma, _)) = (circle(2), circle(3));
            let pole = -(d[1] / r[1]);
            let along = Complex::I * (beta.times(other) - gamma.times(alpha)).conjugate();
            let slope = 2.0 * alpha * (pole.conjugate() * along).re + (beta * along).re;
            vec![pole - along.times(slope / (alpha * along.norm2()))]
        }
        _ => {
            return Err(Error::new("no point of a body moves on a line through five general poses")
                .note("ask for three or four poses, or for a four-bar"))
        }
    };
    Ok(points.into_iter().map(|a| (a, direction(a))).filter(|(a, g)| a.is_finite() && g.is_finite()).collect())
}
