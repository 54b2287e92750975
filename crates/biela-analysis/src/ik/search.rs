//! All postures of a serial chain by search: corrections from elimination's guesses and from many starts, the same in every run.
//!
//! Starts are points of a sequence that fills the box of coordinates evenly (multiples of the powers of 1/φ_n, φ_n the root of
//! x^(n+1) = x + 1, taken modulo 1). The part of all starts that would lead to a posture not found yet is about the number of
//! postures found once over the number of starts [Good 1953]; so the search goes on until each has been found several times.
//! That makes a list likely to be complete, and proves nothing.

use super::chain::{Chain, Correction, Goal};
use super::{eliminate, REACHED};
use crate::math::{Elementary, Pose, Vec3};
use biela_base::sorting::sort_by;
use std::f64::consts::{PI, TAU};

/// Starts at least, …
const LEAST: usize = 200;
/// … at most, for six coordinates (fewer for longer chains, so that the time is bounded), …
const MOST: usize = 3000;
/// … and at most where nothing is found.
const VAIN: usize = 1200;
/// Each posture is found so many times before the search ends.
const HITS: usize = 4;
/// Postures given where there are infinitely many.
const SAMPLES: usize = 16;
/// Difference (radians, sizes) below which postures are one …
const APART: f64 = 1e-6;
/// … and where the goal hardly tells them apart: they are known to the root of what is left.
const APART_SINGULAR: f64 = 1e-2;
/// Singular values below this, against the greatest, mean a singular posture.
const SINGULAR: f64 = 1e-7;

/// What a search has found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Postures that reach the goal, in the order of the chain's coordinates, those nearest to where the search began first.
    pub postures: Vec<Vec<f64>>,
    /// Number of starts.
    pub starts: usize,
    /// How many equations of first order the goal leaves unused: 1 where a posture can move on while the tool rests.
    pub freedoms: usize,
    /// Whether some posture found is singular and may stand for infinitely many.
    pub singular: bool,
    /// The nearest posture where none reaches the goal.
    pub nearest: Option<Vec<f64>>,
}

struct Hit {
    q: Vec<f64>,
    times: usize,
    singular: bool,
}

struct Search<'c> {
    chain: &'c Chain,
    goal: &'c Goal,
    correction: Correction,
    hits: Vec<Hit>,
    best: Option<(f64, Vec<f64>)>,
    freedoms: usize,
}

/// Postures that reach a goal: all that are found, or where `one` is true as many as are needed to choose one near `from`.
pub fn postures(chain: &Chain, goal: &Goal, from: &[f64], one: bool) -> Found {
    let mut search =
        Search { chain, goal, correction: Correction::default(), hits: Vec::new(), best: None, freedoms: 0 };
    search.freedoms = chain.len().saturating_sub(goal.rows());
    search.start(from.to_vec());
    if let (Some(rotation), [Some(x), Some(y), Some(z)]) = (goal.rotation, goal.place) {
        let target = Pose::new(rotation, Vec3::new(x, y, z) - rotation.apply(goal.p_B));
        for guess in eliminate::guesses(chain, &target) {
            search.start(guess);
        }
    }
    let starts = search.spread(one);
    let size = goal.size;
    let mut hits: Vec<Hit> = std::mem::take(&mut search.hits);
    let far = |hit: &Hit| chain.apart(&hit.q, from, size);
    sort_by(&mut hits, |a, b| far(a).total_cmp(&far(b)));
    if search.freedoms > 0 {
        hits.truncate(SAMPLES);
    }
    Found {
        singular: hits.iter().any(|h| h.singular),
        postures: hits.into_iter().map(|h| chain.wrapped(&h.q)).collect(),
        starts,
        freedoms: search.freedoms,
        nearest: search.best.map(|b| chain.wrapped(&b.1)),
    }
}

impl Search<'_> {
    /// Tries evenly spread starts; returns how many.
    fn spread(&mut self, one: bool) -> usize {
        let n = self.chain.len();
        let box_of = self.ranges();
        let ratio = spreading(n);
        let mut steps = Vec::with_capacity(n);
        let mut step = 1.0;
        for _ in 0..n {
            step /= ratio;
            steps.push(step);
        }
        let most = MOST * 6 / n.max(6);
        let mut starts = 0;
        while starts < most {
            let settled = self.hits.iter().all(|h| h.times >= HITS || h.singular);
            let enough = match (self.hits.is_empty(), one, self.freedoms > 0) {
                (true, _, _) => starts >= VAIN.min(most),
                (_, true, _) => starts >= LEAST / 4,
                (_, _, true) => self.hits.len() >= SAMPLES,
                _ => starts >= LEAST && settled,
            };
            if enough {
                break;
            }
            starts += 1;
            let part = |k: usize| (0.5 + starts as f64 * steps[k]).fract();
            let q = (0..n).map(|k| box_of[k][0] + part(k) * (box_of[k][1] - box_of[k][0])).collect();
            self.start(q);
        }
        starts
    }

    /// Corrects one start and keeps where it leads.
    fn start(&mut self, mut q: Vec<f64>) {
        let left = self.correction.correct(self.chain, self.goal, &mut q);
        if !left.is_finite() {
            return;
        }
        if left > REACHED {
            let pose = self.chain.pose(&q);
            let (distance, turn) = self.goal.away(&pose);
            let away = (distance / self.goal.size).hypotenuse(turn);
            if self.best.as_ref().is_none_or(|b| away < b.0) {
                self.best = Some((away, q));
            }
            return;
        }
        let values = self.correction.singular_values(self.chain, self.goal, &q);
        let greatest = values.first().copied().unwrap_or(0.0);
        let few = self.chain.len().min(self.goal.rows());
        let singular = values.iter().take(few).any(|s| *s <= SINGULAR * greatest);
        let apart = if singular { APART_SINGULAR } else { APART };
        let (chain, size) = (self.chain, self.goal.size);
        let curve = self.hits.iter().filter(|h| h.singular).count();
        match self.hits.iter_mut().find(|h| chain.apart(&h.q, &q, size) < apart) {
            Some(hit) => hit.times += 1,
            // Along a curve of singular postures a few stand for all.
            None if singular && curve >= SAMPLES => {}
            None => self.hits.push(Hit { q, times: 1, singular }),
        }
    }

    /// Where starts lie: whole turns, slides within their limits or as far as the tool may need them.
    fn ranges(&self) -> Vec<[f64; 2]> {
        let from = self.chain.axes().first().map_or(Vec3::ZERO, |a| a.origin);
        let gap = (0..3).filter_map(|k| self.goal.place[k].map(|x| x - from[k])).map(|x| x * x).sum::<f64>().sqrt();
        let reach = self.chain.reach() + gap;
        let range = |axis: &super::chain::Axis| {
            if axis.returns() {
                return [-PI, PI];
            }
            // A screw's angle for that advance, yet not beyond what starts can fill.
            let most = if axis.turn == 0.0 { reach } else { (reach / axis.advance.abs()).clamp(PI, 20.0 * TAU) };
            match axis.limits {
                [Some(low), Some(high)] => {
                    let margin = 0.25 * (high - low);
                    [low - margin, high + margin]
                }
                [Some(low), None] => [low, low + 2.0 * most],
                [None, Some(high)] => [high - 2.0 * most, high],
                _ => [-most, most],
            }
        };
        self.chain.axes().iter().map(range).collect()
    }
}

/// The root of x^(n+1) = x + 1 above 1.
fn spreading(n: usize) -> f64 {
    let mut x = 2.0f64;
    for _ in 0..60 {
        let power = x.powi(n as i32);
        let (value, slope) = (power * x - x - 1.0, (n as f64 + 1.0) * power - 1.0);
        x -= value / slope;
    }
    x
}
