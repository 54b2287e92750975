//! Primitive DP2: a_i · d_ij = value.

use super::{Joint, JointKind, Key, Marker, Measure, Row};

#[derive(Debug)]
pub(super) struct Dot2;

/// The vector between the joint points along the first body's direction.
pub(super) fn product(joint: &Joint) -> Measure {
    let a = Marker::Direction { body: joint.bodies[0], u_B: joint.directions[0] };
    Measure::Along { a, from: joint.point(0), to: joint.point(1) }
}

impl JointKind for Dot2 {
    fn keyword(&self) -> &'static str {
        "dot2"
    }
    fn help(&self) -> &'static str {
        "primitive: the vector between two points, along a direction of the first body, equals `value`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::A, Key::LengthValue]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        vec![Row { target: joint.value.clone(), ..Row::zero_length(product(joint), "fx") }]
    }
}
