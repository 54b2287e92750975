//! Point on plane: a point of the second body stays in a plane of the first.

use super::point_on_line::line_or_plane;
use super::{planar, Axis, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, Rubbing, TURN};
use crate::math::Vec3;

/// Its slides are none of its coordinates.
const NO_COORDINATE: &[&str] = &[""];

#[derive(Debug)]
pub(super) struct PointOnPlane;

impl JointKind for PointOnPlane {
    fn keyword(&self) -> &'static str {
        "point-on-plane"
    }
    fn help(&self) -> &'static str {
        "a point of the second body stays in the plane of the first whose normal is `axis`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        vec![Row::zero_length(joint.offset(2), "fz")]
    }
    fn rubbing(&self) -> Option<Rubbing> {
        Some(Rubbing::Plate)
    }
    fn rubs_along(&self) -> usize {
        2
    }
    /// Where the point stands in the plane, which friction alone asks for.
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        (k < 2).then(|| joint.offset(k))
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        let slide = |axis, k| Freedom::slide(axis, k, NO_COORDINATE);
        Some(vec![
            slide(Axis::X, 4).with_rate(3, NO_COORDINATE),
            slide(Axis::Y, 5).with_rate(4, NO_COORDINATE),
            Freedom::attitude(0, 0),
        ])
    }
    /// Across x in place of a turn: a ball between two plates, which also has the freedom that a third crank needs.
    fn offers(&self) -> Option<&'static [Offer]> {
        const OFFERS: &[Offer] = &[Offer::new(&[TURN], 4).along(Axis::X), Offer::new(planar::FREEDOMS, 1)];
        Some(OFFERS)
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Along)
    }
    fn glyph(&self) -> Glyph {
        Glyph::Plate
    }
    fn drawn_points(&self) -> [bool; 2] {
        [false, true]
    }
    fn acts_on(&self, joint: &Joint, side: usize) -> [Vec<Vec3>; 2] {
        line_or_plane(joint, side)
    }
}
