//! Point on line: a point of the second body stays on a line of the first.

use super::{
    cylindrical, CoordinateName, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, Rubbing, ALONG,
    SLIDE, TURN,
};
use crate::math::Vec3;

#[derive(Debug)]
pub(super) struct PointOnLine;

impl JointKind for PointOnLine {
    fn keyword(&self) -> &'static str {
        "point-on-line"
    }
    fn help(&self) -> &'static str {
        "a point of the second body stays on a line of the first; coordinate `slide`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[SLIDE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        joint.on_axis()
    }
    fn rubbing(&self) -> Option<Rubbing> {
        Some(Rubbing::Groove)
    }
    fn coordinate(&self, joint: &Joint, _: usize) -> Option<Measure> {
        Some(joint.offset(2))
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(vec![ALONG, Freedom::attitude(1, 1)])
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        const OFFERS: &[Offer] =
            &[Offer::new(&[TURN], 2), Offer::new(&[ALONG], 2), Offer::new(cylindrical::FREEDOMS, 2)];
        Some(OFFERS)
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Along)
    }
    fn glyph(&self) -> Glyph {
        Glyph::Follower
    }
    fn drawn_points(&self) -> [bool; 2] {
        [false, true]
    }
    /// The line of the first body, the point of the second: points of a line are as good as one another, directions across it too.
    fn acts_on(&self, joint: &Joint, side: usize) -> [Vec<Vec3>; 2] {
        line_or_plane(joint, side)
    }
}

/// What a point on a line or in a plane marks: z on the first body, the point on the second.
pub(super) fn line_or_plane(joint: &Joint, side: usize) -> [Vec<Vec3>; 2] {
    match side {
        0 => [Vec::new(), vec![joint.frames[0].rotation.apply(Vec3::Z)]],
        _ => [vec![joint.frames[side].origin], Vec::new()],
    }
}
