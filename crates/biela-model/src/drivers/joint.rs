//! Driver of a joint coordinate.

use super::{optional, required, DriverKey, DriverKeySpec, DriverKeys, DriverKind, Target};
use crate::couplings::CoordinateRef;
use crate::expr::Expression;
use crate::joints::{Form, Joint, Row};
use crate::motion::Motion;

#[derive(Debug)]
pub(super) struct OfJoint;

impl DriverKind for OfJoint {
    fn help(&self) -> &'static str {
        "prescribes a coordinate of a joint, or the angle of a rotor; `coordinate` says which where the joint has several"
    }
    fn keys(&self) -> &'static [DriverKeySpec] {
        const KEYS: &[DriverKeySpec] = &[
            required("joint", DriverKey::Joint),
            required("value", DriverKey::OfCoordinate),
            optional("coordinate", DriverKey::Coordinate),
        ];
        KEYS
    }
    fn target(&self, mut keys: DriverKeys) -> Option<Target> {
        let value = keys.motions.pop()?;
        match keys.rotor {
            Some((angle, coordinates)) => Some(Target::Rotor { angle, coordinates, value }),
            None => Some(Target::Coordinate { of: keys.coordinate?, value }),
        }
    }
}

pub(super) fn rows(joint: &Joint, coordinate: usize, value: &Motion) -> Vec<Row> {
    let Some(measure) = joint.kind.coordinate(joint, coordinate) else { return Vec::new() };
    let length = joint.kind.coordinates().get(coordinate).is_none_or(|c| !c.angle);
    vec![Row {
        form: Form::Linear(vec![(1.0, measure)]),
        target: value.clone(),
        squared: false,
        length,
        component: "effort",
    }]
}

/// The angle of a rotor follows its value, whatever coordinates turn it.
pub(super) fn rotor_rows(angle: &Expression, of: &[CoordinateRef], joints: &[Joint], value: &Motion) -> Vec<Row> {
    let measure = |c: &CoordinateRef| joints[c.joint].kind.coordinate(&joints[c.joint], c.coordinate);
    let Some(measures) = of.iter().map(measure).collect() else { return Vec::new() };
    vec![Row {
        form: Form::Expression(Box::new(angle.clone()), measures),
        target: value.clone(),
        squared: false,
        length: false,
        component: "effort",
    }]
}
