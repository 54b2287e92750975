//! Actuator: a cylinder or spindle between two points, whose length is a coordinate. It holds nothing by itself: a driver prescribes its
//! length, a load pushes its ends apart, or it moves freely along.

use super::{CoordinateName, Glyph, Joint, JointKind, Key, Measure, Offer, Row, Rubbing};

#[derive(Debug)]
pub(super) struct Actuator;

/// The coordinate `length`.
const LENGTH: CoordinateName = CoordinateName { name: "length", angle: false };

impl JointKind for Actuator {
    fn keyword(&self) -> &'static str {
        "actuator"
    }
    fn help(&self) -> &'static str {
        "a cylinder or spindle between two points, whose `length` is driven, pushed by a force, or free"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[LENGTH]
    }
    fn rows(&self, _: &Joint) -> Vec<Row> {
        Vec::new()
    }
    fn rubbing(&self) -> Option<Rubbing> {
        Some(Rubbing::Seal)
    }
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        (k == 0).then(|| Measure::Distance { from: joint.point(0), to: joint.point(1) })
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["cylinder", "linear-actuator", "ram", "piston", "jack"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn is_axial(&self) -> bool {
        true
    }
    fn glyph(&self) -> Glyph {
        Glyph::Cylinder
    }
}
