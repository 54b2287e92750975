//! Primitives ⊥1 and ⊥2: two directions, or a direction and the vector between two points, stay perpendicular.

use super::{dot1, dot2, Glyph, Joint, JointKind, Key, Offer, Row};
use crate::math::Vec3;

#[derive(Debug)]
pub(super) struct Perpendicular1;

impl JointKind for Perpendicular1 {
    fn keyword(&self) -> &'static str {
        "perpendicular1"
    }
    fn help(&self) -> &'static str {
        "primitive: a direction of each body stay perpendicular"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::APair]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        vec![Row::zero(dot1::product(joint), "mx")]
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

#[derive(Debug)]
pub(super) struct Perpendicular2;

impl JointKind for Perpendicular2 {
    fn keyword(&self) -> &'static str {
        "perpendicular2"
    }
    fn help(&self) -> &'static str {
        "primitive: the vector between two points stays perpendicular to a direction of the first body"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::A]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        vec![Row::zero_length(dot2::product(joint), "fx")]
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
        dot2::across(joint, side)
    }
}
