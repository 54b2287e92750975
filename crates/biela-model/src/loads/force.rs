//! A force on a point of a body.

use super::{optional, required, Keys, Law, LoadKey, LoadKeySpec, LoadKind, FRAMES};
use crate::units::Dimension;

#[derive(Debug)]
pub(super) struct Force;

impl LoadKind for Force {
    fn keyword(&self) -> &'static str {
        "force"
    }
    fn help(&self) -> &'static str {
        "a force on a body at a point; `value` in ground axes, or in the body's with frame = \"body\""
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("body", LoadKey::Body),
            required("at", LoadKey::Point),
            required("value", LoadKey::Vector(Dimension::FORCE)),
            optional("frame", LoadKey::Word(FRAMES)),
        ];
        KEYS
    }
    fn law(&self, keys: Keys) -> Option<Law> {
        Some(Law::Force { body: keys.body?, p_B: keys.point?, value: keys.vector?, in_body: keys.in_body })
    }
}
