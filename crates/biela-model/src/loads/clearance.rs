//! A pin in a bearing with clearance, or a ball in its socket: nothing acts while the two points are nearer than the clearance.

use super::{
    optional, required, Effort, Formula, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity, PUSHES, STIFFNESS,
};
use crate::units::Dimension;

#[derive(Debug)]
pub(super) struct Clearance;

/// Surfaces press and never pull, however fast they part.
const PRESS: &str = "if(x > clearance, -max(0, stiffness*(x - clearance) + damping*rate), 0)";

impl LoadKind for Clearance {
    fn keyword(&self) -> &'static str {
        "clearance"
    }
    fn help(&self) -> &'static str {
        "a pin or ball loose in its bearing: beyond the radial `clearance` between their centres a stiffness and a damping press them \
         together, below it nothing acts"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("bodies", LoadKey::Bodies),
            required("at", LoadKey::Points),
            required("clearance", LoadKey::Scalar(Quantity::Fixed(Dimension::LENGTH)))
                .not_negative("a clearance cannot be negative", "a pin that is pressed in is a bushing with 'preload'"),
            STIFFNESS,
            optional("damping", LoadKey::Scalar(Quantity::Fixed(Dimension::DAMPING))).not_negative(PUSHES.0, PUSHES.1),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let named = ["clearance", "stiffness", "damping"].map(|key| (key, keys.take_or_zero(key)));
        keys.between(Effort::Formula(Formula::new(PRESS, named.to_vec()).ok()?))
    }
}
