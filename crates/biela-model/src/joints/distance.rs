//! Distance and rod: two points stay `length` apart, as by a rod that is no body (the thesis's D). Both words mean the same.

use super::{Glyph, Joint, JointKind, Key, Measure, Offer, Row};

#[derive(Debug)]
pub(super) struct Distance;

/// The same by an engineer's word.
#[derive(Debug)]
pub(super) struct Rod;

impl JointKind for Distance {
    fn keyword(&self) -> &'static str {
        "distance"
    }
    fn help(&self) -> &'static str {
        "two points stay `length` apart"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Length]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        let measure = Measure::DistanceSquared { from: joint.point(0), to: joint.point(1) };
        vec![Row { target: joint.value.clone(), squared: true, ..Row::zero_length(measure, "fx") }]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn is_axial(&self) -> bool {
        true
    }
    fn glyph(&self) -> Glyph {
        Glyph::Rod
    }
}

impl JointKind for Rod {
    fn keyword(&self) -> &'static str {
        "rod"
    }
    fn help(&self) -> &'static str {
        "a rod that is no body keeps two points `length` apart, as distance does"
    }
    fn keys(&self) -> &'static [Key] {
        Distance.keys()
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        Distance.rows(joint)
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Distance.offers()
    }
    fn is_axial(&self) -> bool {
        true
    }
    fn glyph(&self) -> Glyph {
        Glyph::Rod
    }
}
