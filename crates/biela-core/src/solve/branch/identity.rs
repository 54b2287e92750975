//! What the assembly mode of a motion is known by.

use super::{dyads, ChosenRows};
use crate::math::Pose;
use crate::system::{BodyState, System, Workspace};

/// What the mode of a motion is known by.
#[derive(Debug, Clone)]
pub struct Identity {
    plan: Option<dyads::Plan>,
    /// Where there is no plan: 1 for a positive determinant, else 0.
    sign: f64,
    /// The identity at the start, in words.
    pub words: String,
}

impl Identity {
    /// The identity of a system in its first position, which is realised.
    pub fn new(system: &System, ws: &mut Workspace, t: f64) -> Identity {
        /// Beyond this many bodies the mode is not told.
        const MOST: usize = 60;
        let bodies = &ws.cache.bodies;
        let unknown = Identity { plan: None, sign: 0.0, words: "not told".into() };
        if bodies.len() > MOST {
            return unknown;
        }
        let poses: Vec<Pose> = bodies.iter().map(|b| b.pose).collect();
        let (model, size) = (system.model, ws.size);
        let plan = dyads::Plan::new(model, &poses, size).or_else(|| dyads::Plan::undriven(model, &poses, size));
        if let Some(plan) = plan.filter(dyads::Plan::is_simple) {
            let words = plan.identity(&|body| poses[body]);
            return Identity { plan: Some(plan), sign: 0.0, words };
        }
        // Rows and columns are those of one formulation, so that every run tells the same.
        let Ok(system) = System::new(system.model, "absolute") else { return unknown };
        let mut own = Workspace::new(&system);
        own.size = ws.size;
        let mut q = vec![0.0; system.formulation.nq()];
        system.formulation.coordinates(&poses, &mut q);
        own.realize_position(&system, t, &q);
        let rows = ChosenRows::new(&system, &mut own, t);
        let sign = rows.sign(&system, &own);
        if !rows.are_square(&system) {
            return unknown;
        }
        let words = format!("det {}", ["-", "0", "+"][(sign + 1) as usize]);
        Identity { plan: None, sign: f64::from(u8::from(sign > 0)), words }
    }

    /// The mode's number at given positions: bits of the parts' senses, the first part lowest; or the sign of the start.
    pub fn mode(&self, bodies: &[BodyState]) -> f64 {
        match &self.plan {
            Some(plan) => plan.number(&|body| bodies[body].pose) as f64,
            None => self.sign,
        }
    }
}
