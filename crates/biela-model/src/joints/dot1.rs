//! Primitive DP1: a_i · a_j = value.

use super::{Glyph, Joint, JointKind, Key, Marker, Measure, Offer, Row};

#[derive(Debug)]
pub(super) struct Dot1;

/// The product of the joint's two directions.
pub(super) fn product(joint: &Joint) -> Measure {
    let side = |k: usize| Marker::Direction { body: joint.bodies[k], u_B: joint.directions[k] };
    Measure::Dot(side(0), side(1))
}

impl JointKind for Dot1 {
    fn keyword(&self) -> &'static str {
        "dot1"
    }
    fn help(&self) -> &'static str {
        "primitive: the product of a direction of each body equals `value`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::APair, Key::Value]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        vec![Row { target: joint.value.clone(), ..Row::zero(product(joint), "mx") }]
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
}
