//! A spring on a joint coordinate.

use super::{optional, required, Effort, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity, PUSHES};

#[derive(Debug)]
pub(super) struct JointSpring;

impl LoadKind for JointSpring {
    fn keyword(&self) -> &'static str {
        "joint-spring"
    }
    fn help(&self) -> &'static str {
        "a spring on a joint coordinate, without force at `rest`, with an optional damper"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            required("stiffness", LoadKey::Scalar(Quantity::Stiffness)),
            optional("damping", LoadKey::Scalar(Quantity::Damping)).not_negative(PUSHES.0, PUSHES.1),
            optional("rest", LoadKey::Scalar(Quantity::Position)),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let effort = Effort::Spring {
            stiffness: keys.take("stiffness")?,
            damping: keys.take_or_zero("damping"),
            rest: keys.take_or_zero("rest"),
        };
        keys.along(effort)
    }
}
