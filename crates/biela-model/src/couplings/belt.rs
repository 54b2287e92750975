//! Belt: two pulleys turn as their radii are, in the same sense, or against each other where the belt is crossed.

use super::{Coupling, CouplingKey, CouplingKind};
use crate::joints::{Measure, Row};

#[derive(Debug)]
pub(super) struct Belt;

impl CouplingKind for Belt {
    fn keyword(&self) -> &'static str {
        "belt"
    }
    fn help(&self) -> &'static str {
        "a belt or chain over two pulleys of `radii`, both seen from the body that carries them; `crossed` turns them against each other"
    }
    fn keys(&self) -> &'static [CouplingKey] {
        const KEYS: &[CouplingKey] =
            &[CouplingKey::Joints, CouplingKey::Radii, CouplingKey::Crossed, CouplingKey::Carrier, CouplingKey::Offset];
        KEYS
    }
    fn row(&self, coupling: &Coupling, measures: &[Measure], length: bool) -> Row {
        coupling.proportional(measures, length)
    }
}
