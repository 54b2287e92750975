//! Gauges: they measure where a frame of the second body is in a frame of the first, and hold nothing. A load along a coordinate acts between
//! the two bodies, as that of a bushing does; a driver of one makes it a guide.

use super::{CoordinateName, Joint, JointKind, Key, Measure, Offer, Row, ANGLE};

/// The place of a point.
#[derive(Debug)]
pub(super) struct Gauge;

/// The angle about one axis.
#[derive(Debug)]
pub(super) struct AngleGauge;

const fn length(name: &'static str) -> CoordinateName {
    CoordinateName { name, angle: false }
}

impl JointKind for Gauge {
    fn keyword(&self) -> &'static str {
        "gauge"
    }
    fn help(&self) -> &'static str {
        "holds nothing and measures where the second point is in axes of the first body, z along `axis`; coordinates `x`, `y`, `z`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        const PLACE: &[CoordinateName] = &[length("x"), length("y"), length("z")];
        PLACE
    }
    fn rows(&self, _: &Joint) -> Vec<Row> {
        Vec::new()
    }
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        (k < 3).then(|| joint.offset(k))
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
}

impl JointKind for AngleGauge {
    fn keyword(&self) -> &'static str {
        "angle-gauge"
    }
    fn help(&self) -> &'static str {
        "holds nothing and measures how far the second body is turned about `axis` of the first; coordinate `angle`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[ANGLE]
    }
    fn rows(&self, _: &Joint) -> Vec<Row> {
        Vec::new()
    }
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        (k == 0).then(|| joint.angle())
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
}
