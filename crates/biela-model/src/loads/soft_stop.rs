//! A soft stop: a spring and a damper that press a joint coordinate back beyond its limits, and never pull.

use super::{
    optional, required, Complaint, Effort, Formula, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity, PUSHES,
};

#[derive(Debug)]
pub(super) struct SoftStop;

/// Beyond the upper limit, and beyond the lower one; what is not given bounds nothing.
const UPPER: &str = "if(x > upper, -max(0, stiffness*(x - upper) + damping*rate), 0)";
const LOWER: &str = "if(x < lower, max(0, stiffness*(lower - x) - damping*rate), 0)";

impl LoadKind for SoftStop {
    fn keyword(&self) -> &'static str {
        "soft-stop"
    }
    fn help(&self) -> &'static str {
        "a stop of rubber or steel: beyond `lower` and `upper` a spring and a damper press a joint coordinate back; they never pull"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            optional("lower", LoadKey::Scalar(Quantity::Position)),
            optional("upper", LoadKey::Scalar(Quantity::Position)),
            required("stiffness", LoadKey::Scalar(Quantity::Stiffness))
                .not_negative("a stop cannot pull", "give the stiffness as a number above zero"),
            optional("damping", LoadKey::Scalar(Quantity::Damping)).not_negative(PUSHES.0, PUSHES.1),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let (lower, upper) = (keys.take("lower"), keys.take("upper"));
        let text = match (&lower, &upper) {
            (Some(_), Some(_)) => format!("{UPPER} + {LOWER}"),
            (Some(_), None) => LOWER.to_string(),
            _ => UPPER.to_string(),
        };
        let mut named = ["stiffness", "damping"].map(|key| (key, keys.take_or_zero(key))).to_vec();
        named.extend(lower.map(|e| ("lower", e)));
        named.extend(upper.map(|e| ("upper", e)));
        keys.along(Effort::Formula(Formula::new(&text, named).ok()?))
    }
    fn refuse(&self, has: &dyn Fn(&str) -> bool) -> Option<Complaint> {
        (!has("lower") && !has("upper")).then(|| Complaint {
            key: None,
            message: "neither 'lower' nor 'upper' is given".to_string(),
            advice: "say beyond which values of the coordinate it presses",
        })
    }
}
