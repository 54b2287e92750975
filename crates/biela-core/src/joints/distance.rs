//! Distance: two points stay `length` apart, as by a rod that is no body (the thesis's D).

use super::{Glyph, Joint, JointKind, Key, Measure, Offer, Row};

#[derive(Debug)]
pub(super) struct Distance;

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
    fn aliases(&self) -> &'static [&'static str] {
        &["rod"]
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
