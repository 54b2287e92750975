//! The step of several designs at once: predicted, corrected by the factors of the last position, one Jacobian and one factorisation at the position
//! found, velocity and acceleration from these; what is asked of it is what the stepper of one motion asks.

#![allow(non_snake_case)] // Frames are capital letters: R_WB (docs/notation.md).

use super::rows::{Aim, Placed, Values};
use super::tree::{pose, turned, Body, Screw, POSE};
use super::Loops;
use crate::math::sparse::Factors;
use crate::math::triple::{bent, dot, less, sum};
use crate::math::Number;
use crate::solve::motion::{
    lookback, Past, CORRECTION, DISAGREEMENT, FREE_CORRECTION, FREE_DISAGREEMENT, LARGEST_STEP,
};
use crate::solve::newton::ROUNDING;
use crate::system::ACCEPTED;

/// Corrections after which a lane is left to others.
const MOST: usize = 8;
/// Beyond this residual a prediction deserves its own Jacobian.
const POOR: f64 = 1e-6;
/// Of one correction to the next of a start, residuals fall at least to this share: a design that is closed so from the position of another lies
/// beside it.
const FALLING: f64 = 0.3;
/// Violation of a redundant row, in velocity or acceleration, beyond which the rows solved for are a matter for others.
const REDUNDANT: f64 = 1e-12;

/// Position, velocity and acceleration in joint coordinates.
#[derive(Debug, Clone)]
struct State<N> {
    q: Vec<N>,
    v: Vec<N>,
    vdot: Vec<N>,
}

/// Several designs at one time.
#[derive(Debug)]
pub(super) struct Stepping<N> {
    pub bodies: Vec<Body<N>>,
    screws: Vec<Screw<N>>,
    values: Values<N>,
    state: State<N>,
    trial: State<N>,
    /// Velocities and accelerations of the states before, the latest first.
    past: [[Vec<N>; 2]; 2],
    /// Displacement predicted, and what corrections have added to it, scaled.
    predicted: Vec<N>,
    sum: Vec<N>,
    dv: Vec<N>,
    next: Vec<N>,
    phi: Vec<N>,
    phi_v: Vec<N>,
    side: Vec<N>,
    x: Vec<N>,
    y: Vec<N>,
    factors: Factors<N>,
    spare: Factors<N>,
}

/// One for true.
#[inline(always)]
fn flag(x: bool) -> f64 {
    f64::from(u8::from(x))
}

/// One in each lane where a ≤ b.
#[inline(always)]
fn within<N: Number>(a: N, b: N) -> N {
    a.zip(b, |a, b| flag(a <= b))
}

/// The first where the lane's flag is one, else the second.
#[inline(always)]
fn choose<N: Number>(flags: N, a: N, b: N) -> N {
    let kept = flags.zip(a, |flag, a| if flag == 1.0 { a } else { 0.0 });
    let other = flags.zip(b, |flag, b| if flag == 1.0 { 0.0 } else { b });
    kept + other
}

impl<N: Number> Stepping<N> {
    pub fn new(plan: &Loops) -> Stepping<N> {
        let (nq, nv, rows) = (plan.tree.nq, plan.tree.nv, plan.pattern.rows());
        let zeros = |n: usize| vec![N::splat(0.0); n];
        let state = State { q: zeros(nq), v: zeros(nv), vdot: zeros(nv) };
        let mut factors = plan.order.factors();
        (0..N::LANES).for_each(|lane| factors.choose(lane, &plan.chosen));
        Stepping {
            bodies: vec![Body::still(); plan.tree.bodies],
            screws: vec![[[N::splat(0.0); 3]; 2]; nv],
            values: plan.rows.values(),
            trial: state.clone(),
            state,
            past: [[zeros(nv), zeros(nv)], [zeros(nv), zeros(nv)]],
            predicted: zeros(nv),
            sum: zeros(nv),
            dv: zeros(nv),
            next: zeros(nq),
            phi: zeros(rows),
            phi_v: zeros(plan.pattern.index.len()),
            side: zeros(rows),
            x: zeros(nv),
            y: zeros(nv.max(rows)),
            spare: factors.clone(),
            factors,
        }
    }

    /// Screws of all velocities, where bodies are.
    pub fn screws(&self) -> &[Screw<N>] {
        &self.screws
    }

    /// Markers of rows there.
    pub fn values(&self) -> &Values<N> {
        &self.values
    }

    /// The factors of Φ_v there.
    pub fn factors(&self) -> &Factors<N> {
        &self.factors
    }

    /// Everything at the k-th time: the first position from that of the plan's own design, any other by a step from the state before it. One in each
    /// lane that has it. All stands here once, since it is written out for every width of registers.
    #[inline(always)]
    pub fn advance(&mut self, plan: &Loops, numbers: &[N], aims: &[Aim<N>], k: usize, good: N) -> N {
        let start = k == 0;
        let mut good = good;
        let (mut h, mut largest) = (0.0, N::splat(0.0));
        if start {
            let (R, p) = pose(numbers);
            self.bodies[0] = Body { R, p, ..Body::still() };
            self.state.q.iter_mut().zip(&plan.start).for_each(|(q, x)| *q = N::splat(*x));
            self.predicted.fill(N::splat(0.0));
        } else {
            h = plan.times[k] - plan.times[k - 1];
            let before = (k > 1).then(|| plan.times[k - 1] - plan.times[k - 2]);
            let before_that = (k > 2).then(|| plan.times[k - 2] - plan.times[k - 3]);
            good = good * self.is_short(plan, h);
            self.predict(plan, h, [before, before_that]);
            for (d, scale) in self.predicted.iter().zip(&plan.scales) {
                largest = largest.most(d.abs() / N::splat(*scale));
            }
            good = good * within(largest, N::splat(LARGEST_STEP));
        }
        good = self.correct(plan, numbers, aims, start, good);
        let moved = self.sum.iter().fold(N::splat(0.0), |most, x| most.most(x.abs()));
        // What begins at rest cannot be predicted.
        let least = if start { LARGEST_STEP } else { FREE_CORRECTION };
        good = good * within(moved, N::splat(least).most(N::splat(plan.share * CORRECTION) * largest));
        good = good * self.rates(plan, numbers, aims);
        if !start {
            good = good * self.is_smooth(plan, h);
        }
        self.past.swap(0, 1);
        self.past[0][0].copy_from_slice(&self.state.v);
        self.past[0][1].copy_from_slice(&self.state.vdot);
        std::mem::swap(&mut self.state, &mut self.trial);
        good
    }

    /// One in each lane whose step stays within what one step may predict.
    #[inline(always)]
    fn is_short(&self, plan: &Loops, h: f64) -> N {
        let (step, half) = (N::splat(h), N::splat(0.5 * h * h));
        let mut most = N::splat(0.0);
        for ((v, vdot), scale) in self.state.v.iter().zip(&self.state.vdot).zip(&plan.scales) {
            let rates = (*v * step).abs().most((*vdot * half).abs());
            most = most.most(N::splat(2.0) * rates / N::splat(*scale));
        }
        let reach = plan.share * LARGEST_STEP;
        let most_squared = N::splat(reach * reach);
        let size = N::splat(1.0 / plan.size);
        let mut good = within(most, N::splat(reach));
        for body in &self.bodies[1..] {
            let v = body.velocity(body.p);
            let a = body.accelerates(body.acceleration, body.p, v);
            for (x, by) in [(body.motion[0], step), (body.acceleration[0], half), (v, step * size), (a, half * size)] {
                good = good * within(dot(x, x) * (by * by), most_squared);
            }
        }
        good
    }

    /// The displacement over `h` by what is known of this state and of those before.
    #[inline(always)]
    fn predict(&mut self, plan: &Loops, h: f64, [before, before_that]: [Option<f64>; 2]) {
        let State { v, vdot, .. } = &self.state;
        let step = N::splat(h);
        let Some(dt) = before else {
            for (k, d) in self.predicted.iter_mut().enumerate() {
                *d = step * (v[k] + N::splat(0.5) * step * vdot[k]);
            }
            return;
        };
        let there = Past::of(h, dt, false);
        let [[v1, a1], [v2, a2]] = &self.past;
        for (k, d) in self.predicted.iter_mut().enumerate() {
            *d = there.displacement([v[k], vdot[k]], [v1[k], a1[k]], N::splat(0.0));
        }
        let n = N::splat;
        bend(plan, h, &mut self.predicted, |k| {
            let (a, change) = (vdot[k] * n(dt), v1[k] - v[k]);
            let before = a1[k] * n(dt);
            let second = n(2.0) * (n(3.0) * change + before + n(2.0) * a);
            let third = n(6.0) * (n(2.0) * change + before + a);
            [v[k], vdot[k], second * n(1.0 / (dt * dt)), third * n(1.0 / (dt * dt * dt))]
        });
        if !(lookback::is_even(h, before) && lookback::is_even(h, before_that)) {
            return;
        }
        let known = |k: usize| [[v[k], step * vdot[k]], [v1[k], step * a1[k]], [v2[k], step * a2[k]]];
        for (k, d) in self.dv.iter_mut().enumerate() {
            *d = step * lookback::displacement(&known(k));
        }
        bend(plan, h, &mut self.dv, |k| {
            let [second, third] = lookback::further(&known(k));
            [v[k], vdot[k], second * n(1.0 / (h * h)), third * n(1.0 / (h * h * h))]
        });
        let mut agree = n(1.0);
        for ((three, two), scale) in self.dv.iter().zip(&self.predicted).zip(&plan.scales) {
            agree = agree * three.zip(*two, |three, two| flag(lookback::agree(three, two, *scale)));
        }
        for (two, three) in self.predicted.iter_mut().zip(&self.dv) {
            *two = choose(agree, *three, *two);
        }
    }

    /// Positions from those of the state: predicted, corrected by the factors at hand, and by fresh ones where these do not suffice; at the start by fresh
    /// ones alone. One in each lane that is done; its factors are those of the position found.
    #[inline(always)]
    fn correct(&mut self, plan: &Loops, numbers: &[N], aims: &[Aim<N>], start: bool, good: N) -> N {
        let (zero, one) = (N::splat(0.0), N::splat(1.0));
        let Stepping {
            bodies,
            screws,
            values,
            state,
            trial,
            predicted,
            sum,
            dv,
            next,
            phi,
            phi_v,
            side,
            x,
            y,
            factors,
            spare,
            ..
        } = self;
        let n = plan.parts(numbers);
        let (tree, rows) = (&plan.tree, &plan.rows);
        let mut placed = Placed { tree, rows, numbers: n, aims, bodies, screws, values };
        sum.fill(zero);
        trial.q.copy_from_slice(&state.q);
        dv.copy_from_slice(predicted);
        let (mut previous, mut done, mut lost, mut fresh) = (N::splat(f64::INFINITY), zero, one - good, zero);
        let mut left = one;
        for corrections in 0.. {
            next.copy_from_slice(&trial.q);
            tree.step(next, dv);
            trial.q.iter_mut().zip(next.iter()).for_each(|(q, next)| *q = choose(left, *next, *q));
            let residual = placed.at(&trial.q, phi);
            let met = residual.zip(previous, |r, p| flag(r <= ROUNDING || (r <= ACCEPTED && r > 0.3 * p)));
            let share = if start { FALLING } else { 1.0 };
            let failed = residual.zip(previous, |r, p| flag(!(r.is_finite() && r <= share * p)));
            lost = lost.most((one - done) * (one - met) * failed);
            done = done.most(met);
            left = (one - done) * (one - lost);
            let last = corrections == MOST || left.all(|x| x == 0.0);
            let gain = residual / previous;
            let stale = residual.zip(gain, |r, g| flag(start || r > POOR || g * r > ROUNDING));
            let want = match last {
                true => one,
                false => left * choose(fresh, gain.map(|g| flag(start || g > 0.1)), stale),
            };
            if !want.all(|x| x == 0.0) {
                placed.entries(phi_v);
                let sound = plan.order.factor(&plan.pattern, phi_v, spare);
                lost = lost.most(want * (one - sound));
                fresh = fresh.most(want);
                if last {
                    std::mem::swap(factors, spare);
                    break;
                }
                factors.take(spare, want);
            }
            side.fill(zero);
            side.iter_mut().zip(&phi[..rows.len()]).for_each(|(side, phi)| *side = -*phi);
            plan.order.solve(factors, side, x, y);
            for (k, dv) in dv.iter_mut().enumerate() {
                *dv = x[k] * N::splat(plan.scales[k]);
                lost = lost.most(one - within(x[k].abs(), N::splat(LARGEST_STEP)));
            }
            left = (one - done) * (one - lost);
            sum.iter_mut().zip(x.iter()).for_each(|(sum, x)| *sum = *sum + choose(left, *x, zero));
            previous = residual;
        }
        done * (one - lost)
    }

    /// Velocities and accelerations of the trial, which is in place and factored. One in each lane whose factors can be trusted.
    #[inline(always)]
    fn rates(&mut self, plan: &Loops, numbers: &[N], aims: &[Aim<N>]) -> N {
        let n = plan.parts(numbers);
        let Stepping { bodies, screws, values, trial, phi_v, side, x, y, factors, .. } = self;
        let weakest = plan.order.weakest(&plan.pattern, phi_v, factors, |row| N::splat(plan.least[row]));
        let mut good = weakest.map(|x| flag(x >= plan.well_away)) * factors.sign().map(|sign| flag(sign == plan.sign));
        // Velocities first, then accelerations.
        plan.rows.velocity_side(aims, side);
        for level in 0..2 {
            plan.order.solve(factors, side, x, y);
            good = good * plan.redundant(phi_v, side, x);
            let out = if level == 0 { &mut trial.v } else { &mut trial.vdot };
            for (k, out) in out.iter_mut().enumerate() {
                *out = x[k] * N::splat(plan.scales[k]);
                good = good * out.map(|x| flag(x.is_finite()));
            }
            if level == 0 {
                plan.tree.moves(&trial.v, screws, bodies);
                plan.rows.acceleration_side(n.1, aims, bodies, values, side);
            }
        }
        plan.tree.accelerates(&trial.vdot, screws, bodies);
        good
    }

    /// One in each lane whose displacement agrees with the velocities and accelerations at the step's two ends.
    #[inline(always)]
    fn is_smooth(&self, plan: &Loops, h: f64) -> N {
        let (half, twelfth) = (N::splat(0.5 * h), N::splat(h * h / 12.0));
        let (mut disagreement, mut displacement) = (N::splat(0.0), N::splat(0.0));
        let (here, there) = (&self.state, &self.trial);
        for k in 0..plan.tree.nv {
            let scale = N::splat(plan.scales[k]);
            let rule = half * (here.v[k] + there.v[k]) + twelfth * (here.vdot[k] - there.vdot[k]);
            let moved = self.predicted[k] / scale + self.sum[k];
            displacement = displacement.most(moved.abs());
            disagreement = disagreement.most((moved - rule / scale).abs());
        }
        within(disagreement, N::splat(FREE_DISAGREEMENT) + N::splat(DISAGREEMENT) * displacement)
    }

    /// Whether bodies of a lane stand as near to their drawing as those of the plan's own design do to theirs: a drawing that is another one may mean
    /// another way to close.
    pub fn is_as_drawn(&self, plan: &Loops, numbers: &[N], lane: usize) -> bool {
        /// Radians, and sizes, by which a drawing may differ: half of what a step may go, within which the branch is monitored as ever.
        const DRAWN: f64 = 0.5 * LARGEST_STEP;
        // The trace of a rotation by that angle.
        let least = 1.0 + 2.0 * (1.0 - 0.5 * DRAWN * DRAWN);
        let reach = DRAWN * plan.size * DRAWN * plan.size;
        plan.drawn.iter().zip(plan.drawings(numbers).chunks_exact(POSE)).all(|(drawn, n)| {
            let body = self.bodies[drawn.body].lane(lane);
            let n: [f64; POSE] = std::array::from_fn(|k| n[k].lane(lane));
            let (R, p) = pose(&n);
            let trace: f64 = (0..3).map(|k| dot(turned(&drawn.turn, R[k]), body.R[k])).sum();
            let off = less(body.p, sum(p, drawn.shift));
            trace >= least && dot(off, off) <= reach
        })
    }
}

/// Adds to a displacement what turns that do not commute make of it.
#[inline(always)]
fn bend<N: Number>(plan: &Loops, h: f64, dv: &mut [N], rates: impl Fn(usize) -> [N; 4]) {
    for at in plan.tree.attitudes() {
        let [x, y, z] = [rates(at), rates(at + 1), rates(at + 2)];
        let by = bent(h, [0, 1, 2, 3].map(|k| [x[k], y[k], z[k]]));
        dv[at..at + 3].iter_mut().zip(by).for_each(|(d, by)| *d = *d + by);
    }
}

impl Loops {
    /// One in each lane in which rows that repeat others hold as well.
    #[inline(always)]
    fn redundant<N: Number>(&self, phi_v: &[N], side: &[N], x: &[N]) -> N {
        let (mut worst, mut scale) = (N::splat(0.0), N::splat(1.0));
        for i in self.order.dependent_rows() {
            let mut product = N::splat(0.0);
            for k in self.pattern.range(*i) {
                let term = phi_v[k] * x[self.pattern.index[k]];
                product = product + term;
                scale = scale.most(term.abs());
            }
            worst = worst.most((product - side[*i]).abs());
            scale = scale.most(side[*i].abs());
        }
        within(worst, N::splat(REDUNDANT.max(100.0 * self.settled)) * scale)
    }
}
