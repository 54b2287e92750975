//! Primitives ⊥1 and ⊥2: two directions, or a direction and the vector between two points, stay perpendicular.

use super::{dot1, dot2, Joint, JointKind, Key, Row};

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
}
