//! A damper between two points.

use super::{required, Effort, Keys, Law, LoadKey, LoadKeySpec, LoadKind, DAMPING};

#[derive(Debug)]
pub(super) struct Damper;

impl LoadKind for Damper {
    fn keyword(&self) -> &'static str {
        "damper"
    }
    fn help(&self) -> &'static str {
        "a damper between two points"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[required("bodies", LoadKey::Bodies), required("at", LoadKey::Points), DAMPING];
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
