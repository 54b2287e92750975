//! From multipliers to what each joint carries and each driver supplies.
//!
//! A joint that has rows exerts −λ_i ∂Φ_i on its two bodies; a coupling exerts −λ_i ∂Φ_i/∂q_j along each of its coordinates. A joint whose rows hold by the choice of coordinates (a tree joint of
//! the relative formulation) exerts what is missing in the balance of the body it carries, found from the leaves inwards.

use super::applied::marker_wrench;
use crate::drivers::Target;
use crate::error::{Error, Result};
use crate::joints::Marker;
use crate::math::Vec3;
use crate::model::graph::Forest;
use crate::system::wrench::Wrench;
use crate::system::{Owner, System, Workspace};

/// What joints, couplings and drivers exert.
#[derive(Debug)]
pub struct Reactions {
    /// Wrench that each joint's first body exerts on its second, about the joint point of the second, ground axes.
    pub joints: Vec<Wrench>,
    /// Effort of each coupling along its last coordinate.
    pub couplings: Vec<f64>,
    /// Effort of each driver; orientation drivers have three components, the others use the first.
    pub drivers: Vec<Vec3>,
    /// Power that each driver gives to the mechanism.
    pub power: Vec<f64>,
    /// What drivers and couplings exert along coordinates of joints that hold nothing by themselves: coordinate, its measure, effort.
    pub along: Vec<(usize, usize, f64)>,
    /// Sum of constraint wrenches from rows on each body (scratch).
    on_body: Vec<Wrench>,
    /// Markers of a row with their gradients (scratch).
    gradient: Vec<(Marker, Vec3, Vec3)>,
}

/// Which joints have rows, and the forest for those that have not. Made once for a system.
#[derive(Debug)]
pub struct Shares {
    has_rows: Vec<bool>,
    forest: Forest,
}

impl Shares {
    /// For a system; an error where a joint's reaction cannot be told in these coordinates.
    pub fn new(system: &System) -> Result<Shares> {
        let model = system.model;
        let mut rows_of = vec![0; model.joints.len()];
        for i in 0..system.constraints.len() {
            if let Owner::Joint(k) = system.constraints.owner(i) {
                rows_of[k] += 1;
            }
        }
        let forest = Forest::new(model);
        let mut in_forest = vec![false; model.joints.len()];
        forest.branches.iter().filter_map(|b| b.joint).for_each(|k| in_forest[k] = true);
        if !system.formulation.tells_forces() {
            let name = system.formulation.name();
            return Err(Error::new(format!("forces cannot be told in the {name} formulation")).note(
                "bodies share points there, and a shared point has no force of its own; use absolute or relative",
            ));
        }
        for (k, (joint, kept)) in model.joints.iter().zip(&rows_of).enumerate() {
            let rows = joint.rows().len();
            if *kept != rows && (*kept > 0 || !in_forest[k]) {
                let name = system.formulation.name();
                return Err(Error::new(format!("forces cannot be told in the {name} formulation")).note(format!(
                    "joint '{}' has no equations of its own there; use absolute or relative",
                    joint.name
                )));
            }
        }
        Ok(Shares { has_rows: rows_of.iter().map(|kept| *kept > 0).collect(), forest })
    }
}

impl Reactions {
    /// Room for a system.
    pub fn new(system: &System) -> Reactions {
        let model = system.model;
        let actuator = |joint: usize| model.joints[joint].kind.is_axial() && model.joints[joint].is_free();
        let along = system.constraints.coordinates().iter().enumerate().filter(|(_, c)| actuator(c.0));
        Reactions {
            joints: vec![Wrench::ZERO; model.joints.len()],
            couplings: vec![0.0; model.couplings.len()],
            drivers: vec![Vec3::ZERO; model.drivers.len()],
            power: vec![0.0; model.drivers.len()],
            along: along.map(|(k, c)| (k, c.2, 0.0)).collect(),
            on_body: vec![Wrench::ZERO; model.bodies.len()],
            gradient: Vec::new(),
        }
    }

    /// From the multipliers (idle rows last) and the wrenches of loads and inertia (about the bodies' origins).
    // Many: what one sample is told from, each part with its own owner.
    pub fn find(
        &mut self,
        system: &System,
        shares: &Shares,
        ws: &mut Workspace,
        t: f64,
        lambda: &[f64],
        external: &[Wrench],
    ) {
        let model = system.model;
        self.joints.fill(Wrench::ZERO);
        self.drivers.fill(Vec3::ZERO);
        self.power.fill(0.0);
        self.along.iter_mut().for_each(|(_, _, effort)| *effort = 0.0);
        self.on_body.fill(Wrench::ZERO);
        for i in 0..system.constraints.len() {
            let owner = system.constraints.owner(i);
            let force = -lambda[i] * system.constraints.scale(i, t, ws.size);
            match owner {
                Owner::Coupling(k) => {
                    self.couplings[k] = force * system.constraints.coupling_slope(i, t, &mut ws.evaluation);
                }
                Owner::Driver(k) if !matches!(model.drivers[k].target, Target::Orientation { .. }) => {
                    self.drivers[k].x = force * model.drivers[k].row_slope(t);
                }
                _ => {}
            }
            if matches!(owner, Owner::Coupling(_) | Owner::Driver(_)) {
                for (_, measure, effort) in &mut self.along {
                    *effort += force * system.constraints.row_slope(i, *measure, t, &mut ws.evaluation);
                }
            }
            system.constraints.row_gradient(i, t, &mut ws.evaluation, &mut self.gradient);
            for (marker, value, g) in &self.gradient {
                let Some((body, wrench)) = marker_wrench(marker, *value, *g * force, ws) else { continue };
                self.on_body[body].add(wrench);
                match owner {
                    Owner::Joint(k) if body == model.joints[k].bodies[1] => self.joints[k].add(wrench),
                    Owner::Driver(k) => {
                        let state = &ws.cache.bodies[body];
                        self.power[k] += wrench.force.dot(state.v) + wrench.moment.dot(state.w);
                        if matches!(model.drivers[k].target, Target::Orientation { .. }) {
                            self.drivers[k] += wrench.moment;
                        }
                    }
                    _ => {}
                }
            }
        }
        // What would hold an idle spin; no joint has a part in it.
        for (spin, lambda) in ws.idle().iter().zip(&lambda[system.constraints.len()..]) {
            let u = ws.cache.bodies[spin.body].pose.rotation.apply(spin.u_B);
            self.on_body[spin.body].add(Wrench::of_moment(u * -lambda));
        }
        // Joint wrenches are about the second body's origin so far.
        for (k, joint) in model.joints.iter().enumerate() {
            let arm = ws.cache.bodies[joint.bodies[1]].pose.rotation.apply(joint.frames[1].origin);
            if shares.has_rows[k] {
                self.joints[k] = self.joints[k].about(arm);
            }
        }
        self.balance(system, shares, ws, external);
    }

    /// What joints that are made of springs exert, from the efforts of all loads along joint coordinates.
    pub fn add_compliant(&mut self, system: &System, ws: &Workspace, efforts: &[f64]) {
        for ((joint, _, measure), effort) in system.constraints.coordinates().iter().zip(efforts) {
            let of = &system.model.joints[*joint];
            if !of.is_compliant() {
                continue;
            }
            let second = of.bodies[1];
            let arm = ws.cache.bodies[second].pose.rotation.apply(of.frames[1].origin);
            for (marker, value, g) in system.constraints.measure_gradient(*measure, &ws.evaluation).iter().flatten() {
                match marker_wrench(marker, *value, *g * *effort, ws) {
                    Some((body, wrench)) if body == second => self.joints[*joint].add(wrench.about(arm)),
                    _ => {}
                }
            }
        }
    }

    /// Tree joints without rows, from the leaves inwards.
    fn balance(&mut self, system: &System, shares: &Shares, ws: &Workspace, external: &[Wrench]) {
        let model = system.model;
        for (sum, wrench) in self.on_body.iter_mut().zip(external) {
            sum.add(*wrench);
        }
        for branch in shares.forest.branches.iter().rev() {
            let missing = self.on_body[branch.body].negated();
            let Some(k) = branch.joint.filter(|k| !shares.has_rows[*k]) else { continue };
            let joint = &model.joints[k];
            let bodies = &ws.cache.bodies;
            // The same wrench with the opposite sign acts on the parent, about the parent's origin.
            let arm = bodies[branch.parent].pose.origin - bodies[branch.body].pose.origin;
            self.on_body[branch.body] = Wrench::ZERO;
            self.on_body[branch.parent].add(missing.about(arm).negated());
            let second = joint.bodies[1];
            let point = bodies[second].pose.apply(joint.frames[1].origin);
            let about_point = missing.about(point - bodies[branch.body].pose.origin);
            self.joints[k] = if branch.reversed { about_point.negated() } else { about_point };
        }
    }
}
