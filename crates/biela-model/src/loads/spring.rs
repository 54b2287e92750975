//! A spring between two points.

use super::{required, Effort, Keys, Law, LoadKey, LoadKeySpec, LoadKind, LENGTH, STIFFNESS};

#[derive(Debug)]
pub(super) struct Spring;

impl LoadKind for Spring {
    fn keyword(&self) -> &'static str {
        "spring"
    }
    fn help(&self) -> &'static str {
        "a spring between two points, without force at its free length `length`"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] =
            &[required("bodies", LoadKey::Bodies), required("at", LoadKey::Points), STIFFNESS, LENGTH];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let effort = Effort::Spring {
            stiffness: keys.take_or_zero("stiffness"),
            damping: keys.take_or_zero("damping"),
            rest: keys.take_or_zero("length"),
        };
        keys.between(effort)
    }
}
