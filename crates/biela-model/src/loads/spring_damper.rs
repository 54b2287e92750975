//! A spring and a damper between two points.

use super::{required, Effort, Keys, Law, LoadKey, LoadKeySpec, LoadKind, DAMPING, LENGTH, STIFFNESS};

#[derive(Debug)]
pub(super) struct SpringDamper;

impl LoadKind for SpringDamper {
    fn keyword(&self) -> &'static str {
        "spring-damper"
    }
    fn help(&self) -> &'static str {
        "a spring and a damper between two points"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] =
            &[required("bodies", LoadKey::Bodies), required("at", LoadKey::Points), STIFFNESS, DAMPING, LENGTH];
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
