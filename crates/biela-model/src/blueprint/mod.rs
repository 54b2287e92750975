//! A mechanism as it is described: every number may be a formula of parameters, which are symbols here.
//!
//! ```text
//! text or builder ─► Blueprint ─ bind(values) ─► Model
//! ```
//! Each element has a plan: what was said of it, all names resolved, all keys there. A plan makes its element from values of parameters and checks
//! what depends on values (signs, lengths, inertias, frames). [`Blueprint::bind`] puts other values into a model made before: what depends on no
//! parameter is not touched, no text is read, and the model is, to the last bit, the one that reading the text with these values gives.

mod body;
mod contact;
mod coupling;
mod driver;
mod frames;
mod friction;
mod joint;
mod load;
mod mass;
mod motion;
mod parameters;
mod place;
mod quantity;
mod rotor;
mod shape;
mod study;

pub use body::{BodyPlan, PosePlan, Turn};
pub use contact::ContactPlan;
pub use coupling::{CouplingPlan, TrainPlan};
pub use driver::DriverPlan;
pub use frames::{default_frame, At, Given, PointPlan, Zero};
pub use friction::FrictionPlan;
pub use joint::{may_be_oriented, JointPlan, LimitsPlan};
pub use load::LoadPlan;
pub use mass::unphysical;
pub use motion::{MotionPlan, SegmentPlan};
pub use parameters::ParametersPlan;
pub use place::Place;
pub use quantity::{fault_of_value, is_computable, shown, Binding, Direction, Formula, Quantity, Vector};
pub use rotor::{Moments, RotorPlan};
pub use shape::{ShapePlan, SolidPlan};
pub use study::{Bound, StudyPlan};

use crate::drivers::Driver;
use crate::error::{Error, Result};
use crate::model::{Mechanism, Model, Study};
use std::ops::Range;
use std::sync::Arc;

/// A plan, and whether what it makes depends on parameters.
#[derive(Debug, Clone)]
pub struct Varying<P> {
    /// The plan.
    pub plan: P,
    /// Whether other values of parameters make something else of it.
    pub varies: bool,
    /// Its warnings among those of reading.
    pub warned: Range<usize>,
}

impl<P> Varying<P> {
    /// Makes something of a plan, and keeps both.
    pub fn make<T>(plan: P, binding: &Binding, build: impl FnOnce(&P) -> Result<T>) -> Result<(Varying<P>, T)> {
        let before = binding.warned();
        let (made, varies) = binding.watched(|| build(&plan));
        Ok((Varying { plan, varies, warned: before..binding.warned() }, made?))
    }
}

/// A mechanism with its parameters as symbols.
#[derive(Debug, Clone, Default)]
pub struct Blueprint {
    /// Parameters.
    pub parameters: ParametersPlan,
    /// Gravity, where the model states it.
    pub gravity: Option<Vector>,
    /// Bodies; the first is the ground.
    pub bodies: Vec<Varying<BodyPlan>>,
    /// Joints.
    pub joints: Vec<Varying<JointPlan>>,
    /// Couplings.
    pub couplings: Vec<Varying<CouplingPlan>>,
    /// Rotors.
    pub rotors: Vec<Varying<RotorPlan>>,
    /// Drivers.
    pub drivers: Vec<Varying<DriverPlan>>,
    /// Loads.
    pub loads: Vec<Varying<LoadPlan>>,
    /// Contacts.
    pub contacts: Vec<Varying<ContactPlan>>,
    /// Values given for the start.
    pub initial: Vec<(String, Quantity)>,
    /// The numbers of the study.
    pub study: StudyPlan,
    /// Parameters whose values decided more than numbers, with these values: others need the description read again.
    pub held: Vec<(usize, f64)>,
    /// Whether it holds the contents of files, which may change.
    pub from_files: bool,
    /// What was told by the reader of another format.
    pub imported: Vec<String>,
    /// What was told when the plans were made, in order.
    pub told: Vec<Error>,
}

impl Blueprint {
    /// What stands on a body that depends on parameters depends on them too. Called once, when all plans are there.
    pub fn spread(&mut self) {
        let bodies: Vec<bool> = self.bodies.iter().map(|b| b.varies).collect();
        let body = |k: usize| bodies.get(k).copied().unwrap_or(false);
        for joint in &mut self.joints {
            joint.varies |= joint.plan.bodies.into_iter().any(body);
        }
        let joints = self.joints.iter().any(|joint| joint.varies);
        for coupling in &mut self.couplings {
            coupling.varies |= coupling.plan.train.is_some() && joints;
        }
        for rotor in &mut self.rotors {
            rotor.varies |= body(rotor.plan.body);
        }
        for driver in &mut self.drivers {
            driver.varies |= driver.plan.points.iter().any(|p| body(p.0));
        }
        for load in &mut self.loads {
            load.varies |= load.plan.body.into_iter().chain(load.plan.bodies.into_iter().flatten()).any(body);
        }
        for contact in &mut self.contacts {
            contact.varies |= contact.plan.bodies.iter().flatten().any(|k| body(*k));
        }
    }

    /// From now on the parameters of these places alone are given other values: what does not depend on them is not made again. The model was made from
    /// this description with the same values.
    pub fn narrow(&mut self, given: &[(usize, f64)], model: &mut Model) {
        let mut values = Vec::new();
        if self.parameters.values(given, &mut values).is_err() {
            return;
        }
        let binding = Binding::of_moving(&values, self.parameters.moving(given.iter().map(|g| g.0)));
        fn depends<P>(binding: &Binding, of: &mut Varying<P>, make: impl FnOnce(&P) -> Result<()>) {
            if of.varies {
                let (made, met) = binding.watched(|| make(&of.plan));
                of.varies = met || made.is_err();
            }
        }
        model.change_parts(|mechanism, drivers, _| {
            let Mechanism { bodies, joints, couplings, rotors, loads, contacts, .. } = mechanism;
            for (of, body) in self.bodies.iter_mut().zip(bodies.iter_mut()) {
                depends(&binding, of, |plan| plan.bind(&binding, body));
            }
            for (of, joint) in self.joints.iter_mut().zip(joints.iter_mut()) {
                depends(&binding, of, |plan| plan.bind(&binding, bodies, joint));
            }
            for (of, coupling) in self.couplings.iter_mut().zip(couplings) {
                depends(&binding, of, |plan| plan.bind(&binding, bodies, joints, coupling));
            }
            for (of, rotor) in self.rotors.iter_mut().zip(rotors.iter_mut()) {
                depends(&binding, of, |plan| plan.bind(&binding, bodies, rotor));
            }
            for (of, driver) in self.drivers.iter_mut().zip(drivers) {
                depends(&binding, of, |plan| plan.build(&binding, bodies, rotors).map(|made| *driver = made));
            }
            for (of, load) in self.loads.iter_mut().zip(loads) {
                depends(&binding, of, |plan| plan.build(&binding, bodies).map(|made| *load = made));
            }
            for (of, contact) in self.contacts.iter_mut().zip(contacts) {
                depends(&binding, of, |plan| plan.build(&binding, bodies).map(|made| *contact = made));
            }
        });
        self.spread();
    }

    /// Puts values of parameters into a model that was made from this description: those `given` by their places, in SI, and what follows
    /// from them. `values` is room for all of them. After an error the model is not to be used until it is bound again.
    pub fn bind(&self, given: &[(usize, f64)], values: &mut Vec<f64>, model: &mut Model) -> Result<Bound> {
        self.parameters.values(given, values)?;
        if self.held.iter().any(|(k, value)| values[*k] != *value) {
            return Ok(Bound::ReadAgain);
        }
        let binding = Binding::new(values);
        let whole =
            model.change_parts(|mechanism, drivers, study| self.bind_parts(&binding, mechanism, drivers, study))?;
        Ok(if whole { Bound::Whole(binding.take_warnings()) } else { Bound::ReadAgain })
    }

    /// What reading the description tells, in one line each, with that of other values (as [`Blueprint::bind`] gives it, nothing for
    /// those it was read with) in place of what depends on values.
    pub fn warnings(&self, bound: Option<&[(usize, Error)]>) -> Vec<String> {
        let mut lines = self.imported.clone();
        let mut new = bound.unwrap_or_default().iter().peekable();
        for (k, old) in self.told.iter().enumerate() {
            while let Some((_, warning)) = new.next_if(|(place, _)| *place <= k) {
                lines.push(warning.line());
            }
            if bound.is_none() || !self.is_of_values(k) {
                lines.push(old.line());
            }
        }
        lines.extend(new.map(|(_, warning)| warning.line()));
        lines
    }

    /// Whether a warning of reading is one of a plan that is bound anew.
    fn is_of_values(&self, warning: usize) -> bool {
        fn any<P>(plans: &[Varying<P>], warning: usize) -> bool {
            plans.iter().any(|plan| plan.varies && plan.warned.contains(&warning))
        }
        any(&self.bodies, warning)
            || any(&self.joints, warning)
            || any(&self.couplings, warning)
            || any(&self.rotors, warning)
            || any(&self.drivers, warning)
            || any(&self.loads, warning)
            || any(&self.contacts, warning)
    }

    fn bind_parts(
        &self,
        binding: &Binding,
        mechanism: &mut Mechanism,
        drivers: &mut [Driver],
        study: &mut Study,
    ) -> Result<bool> {
        for ((_, value), new) in mechanism.parameters.iter_mut().zip(binding.values()) {
            *value = *new;
        }
        if let Some(gravity) = &self.gravity {
            mechanism.gravity = Some(binding.vector(gravity).map_err(|e| e.of("model"))?);
        }
        for (plan, body) in varying(binding, &self.bodies, &mut mechanism.bodies) {
            plan.bind(binding, body)?;
        }
        for (plan, joint) in varying(binding, &self.joints, &mut mechanism.joints) {
            plan.bind(binding, &mechanism.bodies, joint)?;
        }
        for (plan, coupling) in varying(binding, &self.couplings, &mut mechanism.couplings) {
            plan.bind(binding, &mechanism.bodies, &mechanism.joints, coupling)?;
        }
        for (plan, rotor) in varying(binding, &self.rotors, &mut mechanism.rotors) {
            plan.bind(binding, &mechanism.bodies, rotor)?;
        }
        for (plan, driver) in varying(binding, &self.drivers, drivers) {
            *driver = plan.build(binding, &mechanism.bodies, &mechanism.rotors)?;
        }
        for (plan, load) in varying(binding, &self.loads, &mut mechanism.loads) {
            *load = plan.build(binding, &mechanism.bodies)?;
        }
        for (plan, contact) in varying(binding, &self.contacts, &mut mechanism.contacts) {
            *contact = plan.build(binding, &mechanism.bodies)?;
        }
        for ((name, quantity), (_, value)) in self.initial.iter().zip(&mut study.initial) {
            *value = quantity.value(binding).map_err(|e| e.of(format!("initial value of '{name}'")))?;
        }
        for event in &mut study.events {
            binding.bind(&mut event.when);
        }
        if study.derived.iter().any(|d| d.expression.has_parameters()) {
            Arc::make_mut(&mut study.derived).iter_mut().for_each(|d| binding.bind(&mut d.expression));
        }
        self.study.bind(binding, drivers, &mechanism.joints, study)
    }
}

/// Plans that depend on parameters, each with what was made of it. Warnings stand where those of the plan do.
fn varying<'a, P, T>(
    binding: &'a Binding,
    plans: &'a [Varying<P>],
    made: &'a mut [T],
) -> impl Iterator<Item = (&'a P, &'a mut T)> {
    plans.iter().zip(made).filter(|(v, _)| v.varies).map(|(v, made)| {
        binding.warn_at(v.warned.start);
        (&v.plan, made)
    })
}
