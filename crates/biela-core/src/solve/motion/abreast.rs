//! Motions side by side: several designs, or several stretches of one motion, each step of all at once in the lanes of wide registers.
//!
//! Lanes share the places of numbers and the order of pivots, nothing else; each has its own state, time and constants. A step is that of
//! `stepper/quick.rs`: predicted, corrected by the factors of the last position, one Jacobian and one factorisation at the position found. A lane in which
//! anything is out of the ordinary does not move, and is told; whoever leads the motions takes that step by a [`Stepper`], which decides. What a lane
//! finds has the same bits whatever stands beside it, and however wide the registers are.

use super::stepper::{lookback, Past, Stepper, CORRECTION, DISAGREEMENT, DOUBTFUL, FREE_DISAGREEMENT, LARGEST_STEP};
use crate::math::sparse::{Factors, Order, Pattern};
use crate::math::{Jet, Number};
use crate::solve::newton::ROUNDING;
use crate::system::{Flat, ACCEPTED};

/// Corrections after which a lane is left to others.
const MOST: usize = 8;
/// Beyond this residual a prediction deserves its own Jacobian.
const POOR: f64 = 1e-6;

/// Motions side by side.
#[derive(Debug)]
pub struct Abreast<N> {
    flat: Flat<N>,
    order: Order,
    factors: Factors<N>,
    spare: Factors<N>,
    pattern: Pattern,
    /// What turns scaled velocities into velocities, and least scales of rows.
    scales: Vec<N>,
    least: Vec<N>,
    well_away: N,
    sign: N,
    /// The mechanisms' sizes.
    size: N,
    /// Length of the step before; zero where there was none.
    before: N,
    /// That of the step before that one.
    before_that: N,
    /// States, and what was before them: velocities, accelerations, displacements; velocities and accelerations a step earlier.
    t: N,
    q: Vec<N>,
    v: Vec<N>,
    vdot: Vec<N>,
    past: [Vec<N>; 5],
    /// Largest residual of each lane's position.
    pub residual: N,
    found: N,
    trial: [Vec<N>; 3],
    predicted: Vec<N>,
    sum: Vec<N>,
    phi: Vec<N>,
    phi_v: Vec<N>,
    side: Vec<N>,
    x: Vec<N>,
    y: Vec<N>,
}

impl<N: Number> Abreast<N> {
    /// Motions from the states of these steppers, one for each lane or fewer; `None` where they do not go together.
    pub fn new(steppers: &[&Stepper]) -> Option<Abreast<N>> {
        let first = steppers.first()?;
        if steppers.len() > N::LANES {
            return None;
        }
        let flats: Vec<&Flat<f64>> = steppers.iter().map(|s| s.flat()).collect::<Option<_>>()?;
        let order = first.ws.order().filter(|order| order.is_full() && order.dependent_rows().is_empty())?.clone();
        if steppers.iter().any(|s| s.ws.order() != Some(&order)) {
            return None;
        }
        let flat = Flat::abreast(&flats).filter(Flat::tells_bodies)?;
        let (nv, rows) = (first.state.v.len(), flat.rows());
        let zeros = |n: usize| vec![N::splat(0.0); n];
        let mut made = Abreast {
            factors: order.factors(),
            spare: order.factors(),
            order,
            y: zeros(nv),
            pattern: (*first.ws.pattern).clone(),
            scales: zeros(nv),
            least: zeros(rows),
            well_away: N::splat(0.0),
            sign: N::splat(0.0),
            size: N::splat(1.0),
            before: N::splat(0.0),
            before_that: N::splat(0.0),
            t: N::splat(0.0),
            q: zeros(nv),
            v: zeros(nv),
            vdot: zeros(nv),
            past: std::array::from_fn(|_| zeros(nv)),
            residual: N::splat(0.0),
            found: N::splat(0.0),
            trial: [zeros(nv), zeros(nv), zeros(nv)],
            predicted: zeros(nv),
            sum: zeros(nv),
            phi: zeros(rows),
            phi_v: zeros(first.ws.pattern.index.len()),
            side: zeros(rows),
            x: zeros(nv),
            flat,
        };
        for lane in 0..N::LANES {
            made.seat(lane, steppers[lane.min(steppers.len() - 1)]);
        }
        made.factor_here();
        Some(made)
    }

    /// Puts a stepper's state into a lane: the first time, or after a step that it has taken alone. [`Abreast::resume`] comes next.
    pub fn seat(&mut self, lane: usize, stepper: &Stepper) {
        let copy = |to: &mut [N], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, x)| to.set(lane, *x));
        copy(&mut self.q, &stepper.state.q);
        copy(&mut self.v, &stepper.state.v);
        copy(&mut self.vdot, &stepper.state.vdot);
        copy(&mut self.scales, stepper.scales());
        self.past.iter_mut().zip(stepper.past()).for_each(|(past, of)| copy(past, of));
        self.before.set(lane, stepper.before.unwrap_or(0.0));
        self.before_that.set(lane, stepper.before_that.unwrap_or(0.0));
        self.size.set(lane, stepper.ws.size);
        self.t.set(lane, stepper.state.t);
        self.residual.set(lane, stepper.residual);
        self.well_away.set(lane, stepper.well_away().max(DOUBTFUL));
        let weight = &stepper.ws.evaluation.weight;
        self.least.iter_mut().zip(weight).for_each(|(least, weight)| least.set(lane, 0.1 * weight));
        self.factors.choose(lane, stepper.ws.chosen_pivots());
        self.spare.choose(lane, stepper.ws.chosen_pivots());
    }

    /// Factors of all lanes where they stand, after some were seated.
    pub fn resume(&mut self) {
        self.factor_here();
    }

    fn factor_here(&mut self) {
        let Abreast { flat, q, phi, phi_v, order, factors, pattern, .. } = self;
        // The targets play no part in the entries.
        flat.residuals(q, phi);
        flat.jacobian(phi_v);
        order.factor(pattern, phi_v, factors);
        self.sign = self.factors.sign();
        self.flat.acceleration_side(&self.v, &mut self.side);
        self.flat.place_bodies(&self.q, &self.v, &self.vdot);
    }

    /// Tells where lane `lane` is led: right-hand sides of its rows at the time of the step to come.
    pub fn aim(&mut self, lane: usize, jet: impl FnMut(usize) -> Jet) {
        self.flat.aim(lane, jet);
    }

    /// A step of all lanes to the times `t`, which they have been [aimed](Abreast::aim) at. One in each lane that has made it, zero in
    /// those that have not moved.
    #[inline(always)]
    pub fn step(&mut self, t: N) -> N {
        let h = t - self.t;
        let short = self.short(h);
        let predicted = self.predict(h);
        let mut good = short * self.correct();
        let moved = self.sum.iter().fold(N::splat(0.0), |most, x| most.most(x.abs()));
        let check = |good: N, holds: N, limit: N| good * holds.zip(limit, |a, b| flag(a <= b));
        good = check(good, moved, N::splat(CORRECTION) * predicted);
        self.flat.jacobian(&mut self.phi_v);
        good = good * self.order.factor(&self.pattern, &self.phi_v, &mut self.factors);
        let weakest = self.order.weakest(&self.pattern, &self.phi_v, &self.factors, |row| self.least[row]);
        good = check(good, self.well_away, weakest);
        let sign = self.factors.sign();
        good = good * sign.zip(self.sign, |a, b| flag(a == b));
        self.rates();
        let (disagreement, displacement) = self.disagreement(h);
        let limit = N::splat(FREE_DISAGREEMENT) + N::splat(DISAGREEMENT) * displacement;
        good = check(good, disagreement, limit);
        self.accept(good, h, t);
        good
    }

    /// One in each lane whose step stays within what one step may predict.
    #[inline(always)]
    fn short(&self, h: N) -> N {
        let half = N::splat(0.5) * h * h;
        let mut most = N::splat(0.0);
        for k in 0..self.q.len() {
            let rates = (self.v[k] * h).abs().most((self.vdot[k] * half).abs());
            most = most.most(N::splat(2.0) * rates / self.scales[k]);
        }
        let mut k = 0;
        while let Some([[_, _, x, y], [vx, vy, dx, dy], [ax, ay, ddx, ddy]]) = self.flat.body(k) {
            let (w, alpha) = ((x * dy - y * dx) * h, (x * ddy - y * ddx) * half);
            let (v, a) = ((vx * vx + vy * vy).sqrt() * h, (ax * ax + ay * ay).sqrt() * half);
            most = most.most(w.abs()).most(alpha.abs()).most(v / self.size).most(a / self.size);
            k += 1;
        }
        most.map(|most| flag(most <= LARGEST_STEP))
    }

    /// The displacement over h, and the trial position. The largest component, scaled.
    #[inline(always)]
    fn predict(&mut self, h: N) -> N {
        for lane in 0..N::LANES {
            let (h, before) = (h.lane(lane), self.before.lane(lane));
            let there = Past::of(h, before, true);
            let even = [before, self.before_that.lane(lane)].iter().all(|b| lookback::is_even(h, Some(*b)));
            let mut agree = even;
            for k in 0..self.q.len() {
                let (v, vdot) = (self.v[k].lane(lane), self.vdot[k].lane(lane));
                let [v1, a1, moved, v2, a2] = std::array::from_fn(|i| self.past[i][k].lane(lane));
                let two = match before == 0.0 {
                    true => h * (v + 0.5 * h * vdot),
                    false => there.displacement([v, vdot], [v1, a1], moved),
                };
                let three = h * lookback::displacement(&[[v, h * vdot], [v1, h * a1], [v2, h * a2]]);
                agree &= lookback::agree(three, two, self.scales[k].lane(lane));
                self.predicted[k].set(lane, two);
                self.sum[k].set(lane, three);
            }
            if agree {
                self.predicted.iter_mut().zip(&self.sum).for_each(|(d, three)| d.set(lane, three.lane(lane)));
            }
        }
        let mut largest = N::splat(0.0);
        for k in 0..self.q.len() {
            let d = self.predicted[k];
            self.trial[0][k] = self.q[k] + d;
            self.sum[k] = N::splat(0.0);
            largest = largest.most((d / self.scales[k]).abs());
        }
        largest
    }

    /// Corrects the trial positions by the factors at hand, and by fresh ones where these do not suffice. One in each lane that is done.
    #[inline(always)]
    fn correct(&mut self) -> N {
        let (zero, one) = (N::splat(0.0), N::splat(1.0));
        let (mut previous, mut done, mut lost, mut fresh) = (N::splat(f64::INFINITY), zero, zero, zero);
        for corrections in 0..=MOST {
            let residual = self.flat.residuals(&self.trial[0], &mut self.phi);
            let met = residual.zip(previous, |r, p| flag(r <= ROUNDING || (r <= ACCEPTED && r > 0.3 * p)));
            let failed = residual.zip(previous, |r, p| flag(!(r.is_finite() && r <= p)));
            // What is done stays as it is.
            self.found = choose(done, self.found, residual);
            lost = lost.most((one - done) * (one - met) * failed);
            done = done.most(met);
            let left = (one - done) * (one - lost);
            if corrections == MOST || left.all(|x| x == 0.0) {
                break;
            }
            let gain = residual / previous;
            let stale = residual.zip(gain, |r, g| flag(r > POOR || g * r > ROUNDING));
            let want = left * choose(fresh, gain.map(|g| flag(g > 0.1)), stale);
            if !want.all(|x| x == 0.0) {
                self.flat.jacobian(&mut self.phi_v);
                let sound = self.order.factor(&self.pattern, &self.phi_v, &mut self.spare);
                self.factors.take(&self.spare, want);
                lost = lost.most(want * (one - sound));
                fresh = fresh.most(want);
            }
            for (side, phi) in self.side.iter_mut().zip(&self.phi) {
                *side = -*phi;
            }
            self.order.solve(&self.factors, &self.side, &mut self.x, &mut self.y);
            let left = (one - done) * (one - lost);
            for k in 0..self.q.len() {
                let x = choose(left, self.x[k], zero);
                self.sum[k] = self.sum[k] + x;
                self.trial[0][k] = self.trial[0][k] + x * self.scales[k];
            }
            previous = residual;
        }
        done * (one - lost)
    }

    /// Velocities and accelerations of the trial.
    #[inline(always)]
    fn rates(&mut self) {
        let [_, v, vdot] = &mut self.trial;
        self.flat.velocity_side(&mut self.side);
        self.order.solve(&self.factors, &self.side, &mut self.x, &mut self.y);
        for k in 0..v.len() {
            v[k] = self.x[k] * self.scales[k];
        }
        self.flat.acceleration_side(v, &mut self.side);
        self.order.solve(&self.factors, &self.side, &mut self.x, &mut self.y);
        for k in 0..v.len() {
            vdot[k] = self.x[k] * self.scales[k];
        }
    }

    /// How far displacements differ from what the rates at both ends make of them, and the largest of them.
    #[inline(always)]
    fn disagreement(&self, h: N) -> (N, N) {
        let (mut disagreement, mut displacement) = (N::splat(0.0), N::splat(0.0));
        let (half, twelfth) = (N::splat(0.5) * h, h * h / N::splat(12.0));
        for k in 0..self.q.len() {
            let rule = half * (self.v[k] + self.trial[1][k]) + twelfth * (self.vdot[k] - self.trial[2][k]);
            let moved = self.predicted[k] / self.scales[k] + self.sum[k];
            displacement = displacement.most(moved.abs());
            disagreement = disagreement.most((moved - rule / self.scales[k]).abs());
        }
        (disagreement, displacement)
    }

    /// Moves the lanes that are good.
    #[inline(always)]
    fn accept(&mut self, good: N, h: N, t: N) {
        for k in 0..self.q.len() {
            let moved = self.predicted[k] + self.sum[k] * self.scales[k];
            self.past[3][k] = choose(good, self.past[0][k], self.past[3][k]);
            self.past[4][k] = choose(good, self.past[1][k], self.past[4][k]);
            self.past[0][k] = choose(good, self.v[k], self.past[0][k]);
            self.past[1][k] = choose(good, self.vdot[k], self.past[1][k]);
            self.past[2][k] = choose(good, moved, self.past[2][k]);
            self.q[k] = choose(good, self.trial[0][k], self.q[k]);
            self.v[k] = choose(good, self.trial[1][k], self.v[k]);
            self.vdot[k] = choose(good, self.trial[2][k], self.vdot[k]);
        }
        self.before_that = choose(good, self.before, self.before_that);
        self.before = choose(good, h, self.before);
        self.t = choose(good, t, self.t);
        self.residual = choose(good, self.found, self.residual);
        self.flat.place_bodies(&self.q, &self.v, &self.vdot);
    }

    /// Origin and first axis of moving body `k` in the plane, with their rates and second rates, after a step.
    #[inline(always)]
    pub fn body(&self, k: usize) -> Option<[[N; 4]; 3]> {
        self.flat.body(k)
    }
}

/// One for true.
#[inline(always)]
fn flag(x: bool) -> f64 {
    f64::from(u8::from(x))
}

/// The first where the lane's flag is one, else the second.
#[inline(always)]
fn choose<N: Number>(flags: N, a: N, b: N) -> N {
    let kept = flags.zip(a, |flag, a| if flag == 1.0 { a } else { 0.0 });
    let other = flags.zip(b, |flag, b| if flag == 1.0 { 0.0 } else { b });
    kept + other
}
