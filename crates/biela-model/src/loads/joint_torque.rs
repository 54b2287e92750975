//! An effort along a joint coordinate.

use super::{optional, required, Effort, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity};

#[derive(Debug)]
pub(super) struct JointTorque;

impl LoadKind for JointTorque {
    fn keyword(&self) -> &'static str {
        "joint-torque"
    }
    fn help(&self) -> &'static str {
        "a torque (or force) along a joint coordinate"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            required("value", LoadKey::Scalar(Quantity::Effort)),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let effort = Effort::Value(keys.take("value")?);
        keys.along(effort)
    }
}
