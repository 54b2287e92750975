//! Cam: a follower's coordinate is a function of the cam's angle.

use super::{Coupling, CouplingKey, CouplingKind};
use crate::joints::{Form, Measure, Row};
use crate::motion::Motion;

#[derive(Debug)]
pub(super) struct Cam;

impl CouplingKind for Cam {
    fn keyword(&self) -> &'static str {
        "cam"
    }
    fn help(&self) -> &'static str {
        "the second coordinate (follower) = `profile`(first coordinate, the cam's angle), or rises and dwells in `segments`; with `base` and `roller` the cam is drawn and its contact told"
    }
    fn keys(&self) -> &'static [CouplingKey] {
        &[
            CouplingKey::Joints,
            CouplingKey::Profile,
            CouplingKey::Segments,
            CouplingKey::Base,
            CouplingKey::Roller,
            CouplingKey::Eccentricity,
        ]
    }
    fn row(&self, coupling: &Coupling, measures: &[Measure], length: bool) -> Row {
        let profile = coupling.profile.clone().unwrap_or(Motion::Constant(0.0));
        let form = match *measures {
            [cam, follower] => Form::Profile(Box::new(profile), Box::new([follower, cam]), coupling.period),
            _ => Form::Linear(Vec::new()),
        };
        Row { form, target: Motion::Constant(0.0), squared: false, length, component: "effort" }
    }
}
