//! Springs, dampers and friction along the only coordinate of a joint, which files of other programs keep at the joint.

use super::number;
use biela_core::loads::{Effort, Law, Load};
use biela_core::model::Model;

/// Constants of what resists along a coordinate q: stiffness · (rest − q) − damping · q̇, and dry friction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Resistance {
    pub stiffness: f64,
    pub rest: f64,
    pub damping: f64,
    pub friction: f64,
}

impl Resistance {
    /// Of all loads of a joint together; loads that are springs only where the format has them.
    fn of(model: &Model, joint: usize, springs: bool) -> Resistance {
        let mut sum = Resistance::default();
        let parts = model.loads.iter().filter_map(|load| along(model, load)).filter(|part| part.0 == joint);
        for (_, part) in parts.filter(|part| springs || part.1.stiffness == 0.0) {
            let stiffness = sum.stiffness + part.stiffness;
            sum.rest = match sum.stiffness == 0.0 {
                true => part.rest,
                false if part.stiffness == 0.0 => sum.rest,
                false => (sum.stiffness * sum.rest + part.stiffness * part.rest) / stiffness,
            };
            sum.stiffness = stiffness;
            sum.damping += part.damping;
            sum.friction += part.friction;
        }
        sum
    }

    /// Its constants that are not 0, by the names that a format has for stiffness, rest, damping and friction, each as the format writes one.
    fn written(&self, names: [&str; 4], one: fn(&str, String) -> String) -> String {
        let values = [self.stiffness, self.rest, self.damping, self.friction];
        names.iter().zip(values).filter(|v| v.1 != 0.0).map(|(name, value)| one(name, number(value))).collect()
    }
}

fn attribute(name: &str, value: String) -> String {
    format!(" {name}=\"{value}\"")
}

/// Attributes of a joint of MJCF.
pub(super) fn in_mjcf(model: &Model, joint: usize) -> String {
    Resistance::of(model, joint, true).written(["stiffness", "springref", "damping", "frictionloss"], attribute)
}

/// The line of a joint of a URDF, where there is one.
pub(super) fn in_urdf(model: &Model, joint: usize) -> String {
    let found = Resistance::of(model, joint, false);
    match found.written(["", "", "damping", "friction"], attribute) {
        none if none.is_empty() => none,
        attributes => format!("    <dynamics{attributes}/>\n"),
    }
}

/// The line of an axis of an SDF, where there is one.
pub(super) fn in_sdf(model: &Model, joint: usize) -> String {
    let element = |name: &str, value: String| format!("<{name}>{value}</{name}>");
    let names = ["spring_stiffness", "spring_reference", "damping", "friction"];
    match Resistance::of(model, joint, true).written(names, element) {
        none if none.is_empty() => none,
        elements => format!("          <dynamics>{elements}</dynamics>\n"),
    }
}

/// The joint and the constants of a load along the only coordinate of a joint; none where it is another load, or varies.
pub(super) fn along(model: &Model, load: &Load) -> Option<(usize, Resistance)> {
    let Law::Coordinate { of, effort } = &load.law else { return None };
    let joint = &model.joints[of.joint];
    if joint.kind.coordinates().len() != 1 || joint.kind.freedoms(joint).is_none_or(|f| f.len() != 1) {
        return None;
    }
    let found = match effort {
        Effort::Spring { stiffness, damping, rest } => Resistance {
            stiffness: stiffness.as_constant()?,
            rest: rest.as_constant()?,
            damping: damping.as_constant()?,
            friction: 0.0,
        },
        Effort::Friction { viscous, coulomb } => {
            Resistance { damping: viscous.as_constant()?, friction: coulomb.as_constant()?, ..Resistance::default() }
        }
        _ => return None,
    };
    Some((of.joint, found))
}
