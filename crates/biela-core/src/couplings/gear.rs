//! Gear: one joint coordinate is proportional to another.

use super::{Coupling, CouplingKey, CouplingKind};
use crate::joints::{Measure, Row};

#[derive(Debug)]
pub(super) struct Gear;

impl CouplingKind for Gear {
    fn keyword(&self) -> &'static str {
        "gear"
    }
    fn help(&self) -> &'static str {
        "second coordinate = `ratio` · first + `offset`"
    }
    fn keys(&self) -> &'static [CouplingKey] {
        &[CouplingKey::Joints, CouplingKey::Ratio, CouplingKey::Offset]
    }
    fn row(&self, coupling: &Coupling, measures: &[Measure], length: bool) -> Row {
        coupling.proportional(measures, length)
    }
}
