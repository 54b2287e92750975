//! A spring that pulls two points together with the same force at any distance.

use biela::loads::{required, Effort, Formula, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity};
use biela::units::Dimension;

#[derive(Debug)]
pub struct ConstantSpring;

impl LoadKind for ConstantSpring {
    fn keyword(&self) -> &'static str {
        "constant-spring"
    }
    fn help(&self) -> &'static str {
        "pulls two points together with the force `pull`, whatever their distance"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("bodies", LoadKey::Bodies),
            required("at", LoadKey::Points),
            required("pull", LoadKey::Scalar(Quantity::Fixed(Dimension::FORCE))),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let pull = keys.take("pull")?;
        keys.between(Effort::Formula(Formula::new("-pull", vec![("pull", pull)]).ok()?))
    }
}
