//! Turns counted so far: what poses do not tell and what goes on from one part of a motion to the next.

use super::{System, Workspace};
use crate::math::EulerParameters;

/// Angles, attitudes and headings near which those of later positions are counted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turns {
    /// Measures of the constraints.
    pub near: Vec<f64>,
    /// Attitudes of bodies, ground first.
    pub attitudes: Vec<EulerParameters>,
    /// Angles of bodies about z (planar mechanisms).
    pub headings: Vec<f64>,
}

impl Turns {
    /// As a workspace has counted them.
    pub fn of(ws: &Workspace) -> Turns {
        Turns {
            near: ws.evaluation.near.clone(),
            attitudes: ws.cache.kept.clone(),
            headings: ws.cache.headings.clone(),
        }
    }

    /// Whether they are those of a case of this system's mechanism.
    pub fn fit(&self, system: &System) -> bool {
        let (bodies, headings) = (system.model.bodies.len(), self.headings.len());
        self.attitudes.len() == bodies && headings == if system.model.space.is_planar() { bodies } else { 0 }
    }

    /// Has a workspace count on from them. Cases with more drivers have more measures, behind the others.
    pub fn count_on(&self, ws: &mut Workspace) {
        ws.evaluation.near.iter_mut().zip(&self.near).for_each(|(near, counted)| *near = *counted);
        ws.cache.kept.clone_from(&self.attitudes);
        ws.cache.headings.clone_from(&self.headings);
    }
}
