//! Primitive CD: c · d_ij = value, with c fixed in the ground.

use super::{Glyph, Joint, JointKind, Key, Marker, Measure, Offer, Row};

#[derive(Debug)]
pub(super) struct Coordinate;

impl JointKind for Coordinate {
    fn keyword(&self) -> &'static str {
        "coordinate"
    }
    fn help(&self) -> &'static str {
        "primitive: the vector between two points, along a ground direction `along`, equals `value`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Along, Key::LengthValue]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        let a = Marker::Direction { body: 0, u_B: joint.directions[0] };
        let measure = Measure::Along { a, from: joint.point(0), to: joint.point(1) };
        vec![Row { target: joint.value.clone(), ..Row::zero_length(measure, "fx") }]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn glyph(&self) -> Glyph {
        Glyph::Nothing
    }
}
