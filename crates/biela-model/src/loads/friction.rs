//! Resistance of a joint coordinate.

use super::{optional, required, Complaint, Effort, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity};

#[derive(Debug)]
pub(super) struct Friction;

impl LoadKind for Friction {
    fn keyword(&self) -> &'static str {
        "friction"
    }
    fn help(&self) -> &'static str {
        "resistance of a joint coordinate: `viscous` per rate, `coulomb` against the sense of motion, or `value`"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            optional("viscous", LoadKey::Scalar(Quantity::Damping))
                .not_negative("friction cannot push", "what drives a joint is a joint-torque; give the size alone"),
            optional("coulomb", LoadKey::Scalar(Quantity::Effort))
                .not_negative("friction cannot push", "it acts against the motion by itself; give the size alone"),
            optional("value", LoadKey::Scalar(Quantity::Effort)),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let effort = match keys.take("value") {
            Some(value) => Effort::Value(value),
            None => Effort::Friction { viscous: keys.take_or_zero("viscous"), coulomb: keys.take_or_zero("coulomb") },
        };
        keys.along(effort)
    }
    fn refuse(&self, given: &dyn Fn(&str) -> bool) -> Option<Complaint> {
        let parts = ["viscous", "coulomb"];
        let whole = given("value");
        if !whole && !parts.into_iter().any(given) {
            let message = "the friction is not given".to_string();
            return Some(Complaint { key: None, message, advice: "give viscous, coulomb or both; or value" });
        }
        let key = parts.into_iter().find(|key| whole && given(key))?;
        let message = format!("'{key}' has no effect beside 'value', which gives the whole effort");
        Some(Complaint { key: Some(key), message, advice: "keep 'value', or viscous and coulomb" })
    }
}
