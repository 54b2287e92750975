//! Resistance that grows with the square of the speed of a slide.

use biela::loads::{optional, required, Effort, Formula, Keys, Law, LoadKey, LoadKeySpec, LoadKind, Quantity};
use biela::units::Dimension;

#[derive(Debug)]
pub struct Drag;

/// Force per square of a speed: kilograms per metre.
const PER_SQUARE: Quantity = Quantity::Fixed(Dimension::new(1, -1, 0, 0));

impl LoadKind for Drag {
    fn keyword(&self) -> &'static str {
        "drag"
    }
    fn help(&self) -> &'static str {
        "resistance of a slide that grows with the square of its speed: `coefficient` times the square"
    }
    fn keys(&self) -> &'static [LoadKeySpec] {
        const KEYS: &[LoadKeySpec] = &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            required("coefficient", LoadKey::Scalar(PER_SQUARE))
                .not_negative("drag cannot push", "give its size alone: it acts against the motion by itself"),
        ];
        KEYS
    }
    fn law(&self, mut keys: Keys) -> Option<Law> {
        let coefficient = keys.take("coefficient")?;
        let formula = Formula::new("-coefficient*rate*abs(rate)", vec![("coefficient", coefficient)]).ok()?;
        keys.along(Effort::Formula(formula))
    }
}
