//! A torque on a body.

use super::{optional, required, Keys, Law, LoadKey, LoadKeySpec, LoadKind, FRAMES};
use crate::units::Dimension;

#[derive(Debug)]
pub(super) struct Torque;

impl LoadKind for Torque {
    fn keyword(&self) -> &'static str {
        "torque"
    }
    fn help(&self) -> &'static str {
        "a torque on a body; `value` in ground axes, or in the body's with frame = \"body\""
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("body", LoadKey::Body),
            optional("at", LoadKey::Point),
            required("value", LoadKey::Vector(Dimension::TORQUE)),
            optional("frame", LoadKey::Word(FRAMES)),
        ];
        KEYS
    }
    fn law(&self, keys: Keys) -> Option<Law> {
        Some(Law::Torque { body: keys.body?, value: keys.vector?, in_body: keys.in_body })
    }
}
