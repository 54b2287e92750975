//! The force analysis of one sample after another.

use super::friction::{Rub, Rubbed, Rule};
use super::{kinetic_energy, potential_energy, Applied, Bearing, Marks, Multipliers, Reactions, Shares, Touching};
use crate::error::Result;
use crate::model::GROUND;
use crate::signal::Asked;
use crate::solve::vectors::max_abs;
use crate::system::generalised::GeneralisedForces;
use crate::system::wrench::Wrench;
use crate::system::{System, Workspace};

/// Loads, multipliers and reactions of a system, with all scratch.
#[derive(Debug)]
pub struct ForceAnalysis {
    applied: Applied,
    generalised: GeneralisedForces,
    multipliers: Multipliers,
    shares: Shares,
    /// Joints that bear drivers, where there are such.
    bearing: Option<Bearing>,
    side: Vec<f64>,
    /// True where inertia counts.
    inertia: bool,
    /// Friction of joints, where any rubs.
    rubbed: Option<Rubbed>,
    /// What touches, given by whoever integrates the motion.
    pub touching: Touching,
    /// What joints, couplings and drivers exert in the sample last evaluated.
    pub reactions: Reactions,
    /// Kinetic energy of the sample last evaluated.
    pub kinetic: f64,
    /// Potential energy of the sample last evaluated.
    pub potential: f64,
    /// Largest moment about each idle body's own line that nothing balances, over all samples, and the body.
    pub unbalanced: Vec<(f64, usize)>,
    /// Components that are not unique in any of the samples.
    pub marks: Marks,
}

/// A moment about an idle body's line below this fraction of the largest force is rounding.
const BALANCED: f64 = 1e-9;

impl ForceAnalysis {
    /// For a system, with or without inertia. Gravity must be stated.
    pub fn new(system: &System, inertia: bool) -> Result<ForceAnalysis> {
        if system.model.gravity.is_none() {
            return Err(system.model.gravity_unsaid());
        }
        Ok(ForceAnalysis {
            applied: Applied::new(system),
            generalised: GeneralisedForces::new(system),
            multipliers: Multipliers::default(),
            shares: Shares::new(system)?,
            bearing: Bearing::new(system),
            side: vec![0.0; system.formulation.nv()],
            inertia,
            rubbed: Rubbed::new(system, if inertia { Rule::Resist } else { Rule::Hold }),
            touching: Touching::default(),
            reactions: Reactions::new(system),
            kinetic: 0.0,
            potential: 0.0,
            unbalanced: Vec::new(),
            marks: Marks::new(system),
        })
    }

    /// What is asked for of the forces, and no more, as [`ForceAnalysis::evaluate`] finds it.
    pub fn evaluate_asked(&mut self, asked: Asked, system: &System, ws: &mut Workspace, t: f64) -> Result<()> {
        match asked {
            Asked { forces: true, .. } => self.evaluate(system, ws, t)?,
            Asked { energies: true, .. } => self.evaluate_energies(system, ws),
            _ => {}
        }
        Ok(())
    }

    /// Forces at the position, velocity and acceleration realised in the workspace, with Φ_v factored there. An error where joints cannot bear
    /// the drivers that name them.
    pub fn evaluate(&mut self, system: &System, ws: &mut Workspace, t: f64) -> Result<()> {
        self.applied.evaluate(system, ws, t);
        self.applied.add_touching(&self.touching);
        if self.inertia {
            self.applied.add_inertia(system, ws);
        }
        match self.rubbed.take() {
            None => self.balance(system, ws, t)?,
            Some(mut rubbed) => {
                let found = self.rub(&mut rubbed, system, ws, t);
                self.rubbed = Some(rubbed);
                found?;
            }
        }
        let rows = system.constraints.len();
        let lambda = &self.multipliers.lambda;
        let largest = max_abs(lambda);
        for (spin, moment) in ws.idle().iter().zip(&lambda[rows..]) {
            let moment = moment.abs();
            if moment > BALANCED * largest {
                match self.unbalanced.iter_mut().find(|u| u.1 == spin.body) {
                    Some(most) => most.0 = most.0.max(moment),
                    None => self.unbalanced.push((moment, spin.body)),
                }
            }
        }
        self.marks.look(system, &self.shares, ws, t, &self.multipliers.generic);
        self.evaluate_energies(system, ws);
        Ok(())
    }

    /// Multipliers, efforts and reactions under what is applied.
    fn balance(&mut self, system: &System, ws: &mut Workspace, t: f64) -> Result<()> {
        self.generalised.generalised(system, ws, &self.applied.wrenches, &mut self.side);
        self.multipliers.solve(ws, &self.side);
        if let Some(bearing) = &mut self.bearing {
            bearing.find(system, ws, t, (&mut self.generalised, &mut self.multipliers), &mut self.applied)?;
            self.generalised.generalised(system, ws, &self.applied.wrenches, &mut self.side);
            self.multipliers.solve(ws, &self.side);
            // What is left there is rounding.
            bearing.rows().iter().for_each(|row| self.multipliers.lambda[*row] = 0.0);
        }
        let lambda = &self.multipliers.lambda;
        self.reactions.find(system, &self.shares, ws, t, lambda, &self.applied.wrenches);
        self.reactions.add_compliant(system, ws, &self.applied.efforts);
        Ok(())
    }

    /// The same with friction of joints, which reactions press.
    fn rub(&mut self, rubbed: &mut Rubbed, system: &System, ws: &mut Workspace, t: f64) -> Result<()> {
        let rubs = Rub::all(system);
        let (wrenches, efforts) = (self.applied.wrenches.clone(), self.applied.efforts.clone());
        let mut told = false;
        rubbed.find(system, ws, t, &mut |ws, tau| {
            self.applied.wrenches.clone_from(&wrenches);
            self.applied.efforts.clone_from(&efforts);
            for (rub, tau) in rubs.iter().zip(tau).filter(|(_, tau)| **tau != 0.0) {
                self.applied.add_effort(system, ws, rub.coordinate, *tau);
                self.applied.efforts[rub.coordinate] += tau;
            }
            self.balance(system, ws, t)?;
            if !std::mem::replace(&mut told, true) {
                // Before anything is made of reactions that nobody can tell.
                self.marks.look(system, &self.shares, ws, t, &self.multipliers.generic);
                if let Some(open) = rubs.iter().find(|rub| rub.is_open(&self.marks)) {
                    return Err(open.open(t));
                }
            }
            let pressed = rubs.iter().map(|rub| rub.pressed(ws, &self.reactions)).collect();
            Ok((pressed, self.reactions.drivers.iter().map(|effort| effort.x).collect()))
        })
    }

    /// Friction of joints in the sample last evaluated, where any rubs.
    pub fn rubbed(&self) -> Option<&Rubbed> {
        self.rubbed.as_ref()
    }

    /// Friction that is given from outside.
    pub fn rubbed_mut(&mut self) -> Option<&mut Rubbed> {
        self.rubbed.as_mut()
    }

    /// What a joint coordinate bears in the place of drivers, in the sample last evaluated.
    pub fn borne(&self, joint: usize, coordinate: usize) -> f64 {
        self.bearing.as_ref().and_then(|b| b.effort(joint, coordinate)).unwrap_or(0.0)
    }

    /// All that drivers, couplings and loads exert along an actuator, in the sample last evaluated: positive where it pushes.
    pub fn push(&self, system: &System, joint: usize) -> f64 {
        let number = system.constraints.coordinate_number(joint, 0);
        let Some(number) = number else { return 0.0 };
        let of_rows = self.reactions.along.iter().find(|(k, _, _)| *k == number).map_or(0.0, |found| found.2);
        of_rows + self.applied.efforts[number] + self.borne(joint, 0)
    }

    /// What joints, drivers and loads exert on the ground in the sample last evaluated, about the ground frame's origin. Whatever acts on the
    /// mechanism from outside, its inertia included, reaches the ground: so it is their sum.
    pub fn on_ground(&self, ws: &Workspace) -> Wrench {
        let mut sum = Wrench::ZERO;
        let ground = ws.cache.bodies[GROUND].pose.origin;
        for (wrench, body) in self.applied.wrenches.iter().zip(&ws.cache.bodies) {
            sum.add(wrench.about(ground - body.pose.origin));
        }
        sum
    }

    fn evaluate_energies(&mut self, system: &System, ws: &Workspace) {
        self.kinetic = kinetic_energy(system, ws);
        self.potential = potential_energy(system, ws);
    }

    /// What a user should know of the forces: signals that are not unique, moments that nothing balances.
    pub fn notes(&self, system: &System) -> Vec<(String, String)> {
        let mut notes = Vec::new();
        if self.marks.redundant {
            notes.push((NOT_UNIQUE.into(), self.marks.names(system).join(", ")));
        }
        if let Some(t) = self.rubbed.as_ref().and_then(|rubbed| rubbed.grown) {
            let text = format!(
                "friction presses itself so strongly from t = {t:.9} s on that other answers are not excluded; told is the one that grows out \
                 of the motion without friction"
            );
            notes.push(("warning".into(), text));
        }
        for (moment, body) in &self.unbalanced {
            let figure = crate::results::significant(*moment, 3);
            let name = &system.model.bodies[*body].name;
            let text = format!(
                "nothing balances a moment of up to {figure} N m about the line that body '{name}' may spin about; the spin is held"
            );
            notes.push(("warning".into(), text));
        }
        notes
    }
}

/// Key of the note that names the signals which redundant constraints leave open; the shortest choice is given for them.
pub const NOT_UNIQUE: &str = "not unique";
