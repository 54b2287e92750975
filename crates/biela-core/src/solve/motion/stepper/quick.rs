//! The step that nearly all steps are: predicted so well that the factors of the last position correct it, one Jacobian and one factorisation
//! at the position found, velocity and acceleration from these.
//!
//! It judges nothing. Whatever is out of the ordinary (a poor prediction, pivots that have become small, a determinant of another sign, a part
//! that is closed in the other sense, redundant rows that do not fit, a step that is not smooth) is left to the general step, which begins
//! again from the same state and decides. What is accepted here fulfils what the general step asks for.
//!
//! Rows are evaluated flat where they can be ([`Flat`]), else by their own markers alone. Joint coordinates, which no step needs, are told when they
//! are asked for ([`Stepper::settle`]).

use super::{Stepper, CORRECTION, DOUBTFUL, LARGEST_TURN, POOR_CHOICE};
use crate::joints::NORMAL;
use crate::math::{EulerParameters, Pose, Rotation, Vec3};
use crate::solve::newton::ROUNDING;
use crate::solve::vectors::max_abs;
use crate::system::{Flat, System, Workspace};

/// Beyond this residual a prediction deserves its own Jacobian.
const POOR: f64 = 1e-6;
/// Corrections after which the general step takes over.
const MOST: usize = 8;
/// Bodies may have turned by this before turns are counted again: well under half a turn between two of them.
const COUNTED: f64 = 0.5;

/// What quick steps need besides.
#[derive(Debug, Default)]
pub(super) struct Quick {
    /// The rows, where they are polynomials.
    flat: Option<Flat<f64>>,
    /// True where a displacement adds to the coordinates, so that displacements of steps before can be compared with it.
    additive: bool,
    /// How far bodies may have turned since turns were counted.
    turned: f64,
    /// True while markers are those of an earlier state.
    stale: bool,
    ready: bool,
    /// True where drivers lead each velocity by itself and bodies' turns follow from theirs.
    pub(super) led: bool,
}

impl Quick {
    /// Markers are realised from now on by others.
    pub(super) fn forget(&mut self) {
        (self.stale, self.turned) = (false, 0.0);
    }

    pub(super) fn flat(&self) -> Option<&Flat<f64>> {
        self.flat.as_ref().filter(|_| self.ready)
    }

    pub(super) fn is_additive(&self) -> bool {
        self.additive
    }
}

impl Stepper<'_> {
    /// Prepares quick steps; the state is realised.
    pub(super) fn prepare_quick(&mut self) {
        let system = self.system;
        self.quick = Quick {
            flat: Flat::new(system, &self.ws),
            // An idle spin is taken back after the step, which displacements do not tell.
            additive: system.formulation.is_additive() && self.ws.idle().is_empty(),
            turned: 0.0,
            stale: false,
            ready: self.method.keeps_factors(),
            led: self.ws.idle().is_empty() && system.formulation.carries_turns() && system.constraints.lead_each(),
        };
        // The first step's factors, too, are those of the rows written out.
        if let (Some(flat), true) = (&mut self.quick.flat, self.quick.ready) {
            aim(system, &mut self.ws, flat, self.state.t);
            flat.residuals(&self.state.q, &mut self.ws.evaluation.phi);
            flat.jacobian(&mut self.ws.evaluation.phi_v);
            self.quick.ready = self.ws.refactor();
        }
    }

    /// Brings markers and counted turns up to the present state.
    pub fn settle(&mut self) {
        if self.quick.stale {
            // Bodies are those that the step has told; what flat rows have left out is filled in.
            let Stepper { system, ws, state, .. } = self;
            if self.quick.flat.as_ref().is_some_and(Flat::tells_bodies) {
                system.formulation.fill_markers([&state.q, &state.v, &state.vdot], &mut ws.cache);
            }
            self.tell_markers();
        }
    }

    /// Bodies, markers and counted turns of the present state.
    pub(super) fn realize_present(&mut self) {
        let Stepper { system, ws, state, .. } = self;
        system.formulation.positions(&state.q, &mut ws.cache);
        system.formulation.velocities(&state.v, &mut ws.cache);
        system.formulation.accelerations(Some(&state.vdot), &mut ws.cache);
        self.tell_markers();
    }

    /// Markers and counted turns of the bodies as they stand.
    fn tell_markers(&mut self) {
        self.quick.forget();
        let Stepper { system, ws, state, .. } = self;
        let stage = system.at(state.t);
        system.constraints.place_markers(stage, &ws.cache, &mut ws.evaluation);
        system.constraints.move_markers(stage, &ws.cache, &mut ws.evaluation);
        system.constraints.accelerate_markers(stage, &ws.cache, &mut ws.evaluation);
        system.constraints.keep_turns(&mut ws.evaluation);
        ws.cache.keep_attitudes();
    }

    /// Tries a step of length `h` to time `t`; false, with nothing decided, where the general step is to take it.
    pub(super) fn quick_step(&mut self, h: f64, t: f64) -> bool {
        if !self.quick.ready || !self.ws.has_factors(self.state.v.len()) {
            return false;
        }
        let done = self.quick_position(h, t) && self.quick_rates(t) && self.is_smooth(h) && self.quick_bodies(h);
        if !done {
            if self.quick.stale {
                self.realize_present();
            }
            if self.pivots.here >= self.pivots.well_away {
                self.remember();
            }
            return false;
        }
        self.take_trial(h);
        true
    }

    /// Goes on to the trial, whose bodies move as it says.
    pub(super) fn take_trial(&mut self, h: f64) {
        self.keep_history(h);
        std::mem::swap(&mut self.state, &mut self.trial);
        self.steps += 1;
        self.pivots.here = self.pivots.trial;
        let fastest = self.ws.cache.bodies.iter().fold(0.0f64, |most, b| most.max(b.w.dot(b.w)));
        self.quick.turned += 1.5 * h.abs() * fastest.sqrt();
        self.quick.stale = true;
        self.keep_slight_spins();
        for (kept, body) in self.ws.cache.kept.iter_mut().zip(&self.ws.cache.bodies) {
            *kept = body.attitude;
        }
        if self.quick.turned > COUNTED {
            self.settle();
        }
    }

    /// The position: predicted, and corrected by the factors at hand while that suffices.
    fn quick_position(&mut self, h: f64, t: f64) -> bool {
        let predicted = self.predict(h, true);
        self.correct(t) && max_abs(&self.memory.sum) <= CORRECTION * predicted
    }

    /// The position at time `t` from the displacement predicted, which is in `dv`.
    pub(super) fn correct(&mut self, t: f64) -> bool {
        let system = self.system;
        self.trial.t = t;
        self.trial.q.copy_from_slice(&self.state.q);
        system.formulation.step(&mut self.trial.q, &self.dv);
        system.formulation.unwind(&mut self.trial.q);
        let Stepper { ws, quick, trial, memory, dv, scales, .. } = self;
        let Quick { flat, .. } = quick;
        if let Some(flat) = flat {
            aim(system, ws, flat, t);
        }
        memory.sum.fill(0.0);
        let (mut previous, mut fresh, mut corrections) = (f64::INFINITY, false, 0);
        let residual = loop {
            let residual = residuals(system, ws, flat, t, &trial.q);
            if residual <= ROUNDING || (residual <= ws.accepted && residual > 0.3 * previous) {
                break residual;
            }
            if !residual.is_finite() || residual > previous || corrections == MOST {
                return false;
            }
            let gain = residual / previous;
            let refresh = match fresh {
                true => gain > 0.1,
                false => residual > POOR || gain * residual > ROUNDING,
            };
            if refresh {
                entries(system, ws, flat, t);
                if !ws.refactor() {
                    return false;
                }
                fresh = true;
            }
            ws.side.fill(0.0);
            ws.side.iter_mut().zip(&ws.evaluation.phi).for_each(|(side, phi)| *side = -phi);
            ws.solve_side();
            for (k, dv) in dv.iter_mut().enumerate() {
                memory.sum[k] += ws.x[k];
                *dv = ws.x[k] * scales[k];
            }
            system.formulation.step(&mut trial.q, dv);
            previous = residual;
            corrections += 1;
        };
        self.iterations += corrections;
        self.residual_of_trial = residual;
        true
    }

    /// Velocity and acceleration at the position found, by its own factors.
    pub(super) fn quick_rates(&mut self, t: f64) -> bool {
        let system = self.system;
        let Stepper { ws, quick, trial, scales, .. } = self;
        let Quick { flat, .. } = quick;
        entries(system, ws, flat, t);
        if !ws.refactor() {
            return false;
        }
        self.pivots.trial = ws.weakest_pivot();
        if self.pivots.trial < self.pivots.well_away.max(DOUBTFUL) || !self.branch.has_sign(ws) {
            return false;
        }
        let most = POOR_CHOICE.max(100.0 * self.settled);
        match flat {
            Some(flat) => flat.velocity_side(&mut ws.evaluation.nu),
            None => system.constraints.velocity_side(system.at(t), ws.size, &mut ws.evaluation),
        }
        ws.take_nu();
        ws.solve_side();
        trial.v.iter_mut().zip(&ws.x).zip(scales.iter()).for_each(|((v, x), scale)| *v = x * scale);
        let fits = ws.redundant_violation() <= most;
        match flat {
            Some(flat) => flat.acceleration_side(&trial.v, &mut ws.evaluation.gamma),
            None => ws.bias_side(system, t, &trial.v),
        }
        ws.take_gamma();
        ws.solve_side();
        trial.vdot.iter_mut().zip(&ws.x).zip(scales.iter()).for_each(|((a, x), scale)| *a = x * scale);
        let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
        fits && ws.redundant_violation() <= most && finite(&trial.v) && finite(&trial.vdot)
    }

    /// Bodies moving as the trial says; false where one has turned too far, an idle one has spun or a part is closed in the other sense.
    pub(super) fn quick_bodies(&mut self, h: f64) -> bool {
        let system = self.system;
        let Stepper { ws, quick, trial, .. } = self;
        match &mut quick.flat {
            Some(flat) if flat.tells_bodies() => {
                flat.place_bodies(&trial.q, &trial.v, &trial.vdot);
                place_in_plane(flat, ws);
            }
            Some(_) => {
                system.formulation.positions(&trial.q, &mut ws.cache);
                system.formulation.velocities(&trial.v, &mut ws.cache);
                system.formulation.accelerations(Some(&trial.vdot), &mut ws.cache);
            }
            None => {
                system.formulation.attitudes(&mut ws.cache);
                // Those for v̇ = 0 are at hand from the right-hand side.
                system.formulation.add_accelerations(&trial.vdot, &mut ws.cache);
            }
        }
        self.residual = self.residual_of_trial;
        !self.ws.cache.turned_beyond(LARGEST_TURN) && !self.mode_changed() && self.spins_slightly(h)
    }
}

/// Tells the moving targets at time `t`.
fn aim(system: &System, ws: &mut Workspace, flat: &mut Flat<f64>, t: f64) {
    system.constraints.aim(t, &mut ws.evaluation);
    flat.aim(0, |row| system.constraints.aimed(row, &ws.evaluation));
}

/// Residuals at (q, t). The largest.
fn residuals(system: &System, ws: &mut Workspace, flat: &mut Option<Flat<f64>>, t: f64, q: &[f64]) -> f64 {
    ws.evaluations.residuals += 1;
    match flat {
        Some(flat) => flat.residuals(q, &mut ws.evaluation.phi),
        None => {
            system.formulation.poses(q, &mut ws.cache);
            system.constraints.place_row_markers(system.at(t), &ws.cache, &mut ws.evaluation);
            system.constraints.residuals(t, ws.size, &mut ws.evaluation);
            ws.largest_residual(system.constraints.len())
        }
    }
}

/// Entries of Φ_v where residuals were last found.
fn entries(system: &System, ws: &mut Workspace, flat: &mut Option<Flat<f64>>, t: f64) {
    ws.evaluations.jacobians += 1;
    match flat {
        Some(flat) => flat.jacobian(&mut ws.evaluation.phi_v),
        None => {
            system.constraints.jacobian_entries(system.at(t), ws.size, &ws.cache, &mut ws.evaluation);
            ws.spin_entries(system);
        }
    }
}

/// Bodies that turn about z, from the flat rows' forms.
fn place_in_plane(flat: &Flat<f64>, ws: &mut Workspace) {
    for body in 1..ws.cache.bodies.len() {
        let Some([[ox, oy, x, y], [vx, vy, dx, dy], [ax, ay, ddx, ddy]]) = flat.body(body - 1) else { return };
        let kept = ws.cache.kept[body];
        let state = &mut ws.cache.bodies[body];
        let length = 1.0 / (x * x + y * y).sqrt();
        let axis = Vec3::new(x * length, y * length, 0.0);
        let origin = Vec3::new(ox, oy, state.pose.origin.z);
        state.pose = Pose::new(Rotation { axes: [axis, Vec3::new(-axis.y, axis.x, 0.0), NORMAL] }, origin);
        state.attitude = EulerParameters::about_z(axis.x, axis.y).near(&kept);
        state.v = Vec3::new(vx, vy, 0.0);
        state.w = NORMAL * (x * dy - y * dx);
        state.a = Vec3::new(ax, ay, 0.0);
        state.alpha = NORMAL * (x * ddy - y * ddx);
    }
}
