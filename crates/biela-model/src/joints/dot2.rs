//! Primitive DP2: a_i · d_ij = value.

use super::{Glyph, Joint, JointKind, Key, Marker, Measure, Offer, Row};
use crate::math::Vec3;

#[derive(Debug)]
pub(super) struct Dot2;

/// The vector between the joint points along the first body's direction.
pub(super) fn product(joint: &Joint) -> Measure {
    let a = Marker::Direction { body: joint.bodies[0], u_B: joint.directions[0] };
    Measure::Along { a, from: joint.point(0), to: joint.point(1) }
}

/// The direction of the first body and the point of the second.
pub(super) fn across(joint: &Joint, side: usize) -> [Vec<Vec3>; 2] {
    match side {
        0 => [Vec::new(), vec![joint.directions[0]]],
        _ => [vec![joint.frames[side].origin], Vec::new()],
    }
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
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn glyph(&self) -> Glyph {
        Glyph::Nothing
    }
    fn drawn_points(&self) -> [bool; 2] {
        [false, false]
    }
    fn acts_on(&self, joint: &Joint, side: usize) -> [Vec<Vec3>; 2] {
        across(joint, side)
    }
}
