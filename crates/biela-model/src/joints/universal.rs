//! Universal joint: turns about an axis fixed in the first body, then about one fixed in the second.
//!
//! F has z along `axis` and x along `axis2` as drawn; M coincides with F in the drawing, so R_FM = Rz(angle1) Rx(angle2).

use super::hinge::{nearest_turn, Hinge, Twist};
use super::{Axis, CoordinateName, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, TURN};
use crate::math::Elementary;
use crate::math::{Pose, Rotation, Vec3};

pub(super) const FREEDOMS: &[Freedom] =
    &[Freedom::turn(Axis::Z, 0, &["angle1"]), Freedom::turn(Axis::X, 1, &["angle2"])];

#[derive(Debug)]
pub(super) struct Universal;

impl JointKind for Universal {
    fn keyword(&self) -> &'static str {
        "universal"
    }
    fn help(&self) -> &'static str {
        "turns about `axis` of the first body and `axis2` of the second, which stay perpendicular; \
         coordinates `angle1`, `angle2`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis, Key::Axis2]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[CoordinateName { name: "angle1", angle: true }, CoordinateName { name: "angle2", angle: true }]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        let cross = Row::zero(Measure::Dot(joint.direction(0, 2), joint.direction(1, 0)), "my");
        [joint.coincide(), vec![cross]].concat()
    }
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        let F = |axis| joint.direction(0, axis);
        let M = |axis| joint.direction(1, axis);
        if k == 0 {
            Some(Measure::Angle { x: F(0), y: F(1), m: M(0) })
        } else {
            // Seen from M, the first body's axis turns backwards about x: it stands at angle2 from z towards y.
            Some(Measure::Angle { x: M(2), y: M(1), m: F(2) })
        }
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Universal)
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(FREEDOMS.to_vec())
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["cardan", "hooke"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        const OFFERS: &[Offer] = &[Offer::new(&[TURN], 3).along(Axis::X), Offer::new(&[TURN], 3).along(Axis::Y)];
        Some(OFFERS)
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Leaves("in the plane a revolute joint turns about z"))
    }
    fn glyph(&self) -> Glyph {
        Glyph::Cross
    }
}

impl Hinge for Universal {
    fn nq(&self) -> usize {
        2
    }
    fn nv(&self) -> usize {
        2
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        turned(q).0
    }
    fn column(&self, _: &Joint, q: &[f64], k: usize) -> Twist {
        if k == 0 {
            Twist::new(Vec3::Z, Vec3::ZERO)
        } else {
            let (s, c) = q[0].sine_cosine();
            Twist::new(Vec3::new(c, s, 0.0), Vec3::ZERO)
        }
    }
    fn realize(&self, _: &Joint, q: &[f64], columns: &mut [Twist]) -> Pose {
        let (pose, second) = turned(q);
        columns.copy_from_slice(&[Twist::new(Vec3::Z, Vec3::ZERO), Twist::new(second, Vec3::ZERO)]);
        pose
    }
    fn bias(&self, _: &Joint, q: &[f64], v: &[f64]) -> Twist {
        let (s, c) = q[0].sine_cosine();
        Twist::new(Vec3::new(-s, c, 0.0) * (v[0] * v[1]), Vec3::ZERO)
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        let [x_M, y_M, z_M] = X_FM.rotation.axes;
        q[0] = nearest_turn(x_M.y.arctangent2(x_M.x), near[0]);
        q[1] = nearest_turn(y_M.z.arctangent2(z_M.z), near[1]);
    }
}

/// X_FM, and the second axis in F.
fn turned(q: &[f64]) -> (Pose, Vec3) {
    let ((s1, c1), (s2, c2)) = (q[0].sine_cosine(), q[1].sine_cosine());
    let x = Vec3::new(c1, s1, 0.0);
    let axes = [x, Vec3::new(-s1 * c2, c1 * c2, s2), Vec3::new(s1 * s2, -c1 * s2, c2)];
    (Pose::new(Rotation { axes }, Vec3::ZERO), x)
}
