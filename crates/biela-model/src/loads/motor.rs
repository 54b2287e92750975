//! A motor whose effort falls with its speed.

use super::{optional, required, Complaint, Effort, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity};

#[derive(Debug)]
pub(super) struct Motor;

impl LoadKind for Motor {
    fn keyword(&self) -> &'static str {
        "motor"
    }
    fn help(&self) -> &'static str {
        "a motor on a joint coordinate: `stall` at rest, nothing at the rate `speed`, linear between"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            required("stall", LoadKey::Scalar(Quantity::Effort)),
            required("speed", LoadKey::Scalar(Quantity::Rate)),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let effort = Effort::Motor { stall: keys.take("stall")?, speed: keys.take("speed")? };
        keys.along(effort)
    }
    fn check(&self, keys: &Keys) -> Option<Complaint> {
        let (stall, speed) = keys.constant("stall").zip(keys.constant("speed"))?;
        (speed == 0.0 || stall * speed < 0.0).then(|| Complaint {
            key: Some("speed"),
            message: "a motor idles at a speed other than zero, in the sense of its stall effort".to_string(),
            advice: "give stall and speed the same sign; both negative for a motor that turns backwards",
        })
    }
}
