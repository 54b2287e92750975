//! Gear: one joint coordinate is proportional to another, by a ratio or by the teeth of two wheels on a carrier.

use super::{Coupling, CouplingKey, CouplingKind};
use crate::joints::{Measure, Row};

#[derive(Debug)]
pub(super) struct Gear;

impl CouplingKind for Gear {
    fn keyword(&self) -> &'static str {
        "gear"
    }
    fn help(&self) -> &'static str {
        "second coordinate = `ratio` · first + `offset`; or by `teeth`, both wheels seen from the body that carries them"
    }
    fn keys(&self) -> &'static [CouplingKey] {
        const KEYS: &[CouplingKey] = &[
            CouplingKey::Joints,
            CouplingKey::Ratio,
            CouplingKey::Teeth,
            CouplingKey::Internal,
            CouplingKey::Carrier,
            CouplingKey::Offset,
        ];
        KEYS
    }
    fn row(&self, coupling: &Coupling, measures: &[Measure], length: bool) -> Row {
        coupling.proportional(measures, length)
    }
}
