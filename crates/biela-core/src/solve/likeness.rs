//! What designs must have in common with the model that they are designs of, so that they can stand side by side.

use crate::drivers::Target;
use crate::joints::Joint;
use crate::model::Model;

/// Elements by name and type.
#[derive(Debug, PartialEq)]
pub(super) struct Likeness {
    /// Names of bodies, with the number of points of each.
    bodies: Vec<(String, usize)>,
    /// Names and types of joints, with their bodies.
    joints: Vec<(String, &'static str, [usize; 2])>,
    /// How many drivers there are, and the joints that they lead.
    drivers: usize,
    driven: Vec<usize>,
    /// Start, end, and number of steps, where they are those of a run.
    pub(super) study: Option<(f64, f64, usize)>,
}

impl Likeness {
    pub(super) fn of(model: &Model) -> Likeness {
        Likeness {
            bodies: model.bodies.iter().map(|b| (b.name.clone(), b.points.len())).collect(),
            joints: model.joints.iter().map(|j| (j.name.clone(), j.kind.keyword(), j.bodies)).collect(),
            drivers: model.drivers.len(),
            driven: driven(model).collect(),
            study: None,
        }
    }

    /// Whether a model has the elements of this one.
    pub(super) fn is_of(&self, model: &Model) -> bool {
        let study = &model.study;
        let bodies = || self.bodies.iter().zip(&model.bodies).all(|(a, b)| a.0 == b.name && a.1 == b.points.len());
        let joint =
            |(a, b): (&(String, &str, [usize; 2]), &Joint)| a.0 == b.name && a.1 == b.kind.keyword() && a.2 == b.bodies;
        self.study.is_none_or(|own| own == (study.start, study.end, study.steps))
            && (self.bodies.len(), self.joints.len(), self.drivers)
                == (model.bodies.len(), model.joints.len(), model.drivers.len())
            && bodies()
            && self.joints.iter().zip(&model.joints).all(joint)
            && driven(model).eq(self.driven.iter().copied())
    }
}

/// Joints that drivers lead.
pub(super) fn driven(model: &Model) -> impl Iterator<Item = usize> + '_ {
    model.drivers.iter().filter_map(|driver| match &driver.target {
        Target::Coordinate { of, .. } => Some(of.joint),
        _ => None,
    })
}
