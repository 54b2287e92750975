//! Rack and pinion: a slide is proportional to an angle.

use super::{Coupling, CouplingKey, CouplingKind};
use crate::joints::{Measure, Row};

#[derive(Debug)]
pub(super) struct Rack;

impl CouplingKind for Rack {
    fn keyword(&self) -> &'static str {
        "rack"
    }
    fn help(&self) -> &'static str {
        "slide = `radius` · angle + `offset`; `joints` names the pinion's joint, then the rack's"
    }
    fn keys(&self) -> &'static [CouplingKey] {
        &[CouplingKey::Joints, CouplingKey::Radius, CouplingKey::Offset]
    }
    fn row(&self, coupling: &Coupling, measures: &[Measure], length: bool) -> Row {
        coupling.proportional(measures, length)
    }
}
