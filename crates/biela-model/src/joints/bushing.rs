//! Bushing: springs and dampers hold one body to another, along and about three axes of the first. It has no rows: what it exerts are the loads
//! along its coordinates, which its own keys make.

use super::{CoordinateName, Glyph, Joint, JointKind, Key, Measure, Offer, Row, Space};

#[derive(Debug)]
pub(super) struct Bushing;

impl JointKind for Bushing {
    fn keyword(&self) -> &'static str {
        "bushing"
    }
    fn help(&self) -> &'static str {
        "holds two bodies by `stiffness` and `damping` along and about three axes of the first; coordinates `x`, `y`, `z`, `angle_x`, \
         `angle_y`, `angle_z`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::OptionalAxis, Key::Compliance]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        const fn of(name: &'static str, angle: bool) -> CoordinateName {
            CoordinateName { name, angle }
        }
        const ALL: &[CoordinateName] = &[
            of("x", false),
            of("y", false),
            of("z", false),
            of("angle_x", true),
            of("angle_y", true),
            of("angle_z", true),
        ];
        ALL
    }
    fn rows(&self, _: &Joint) -> Vec<Row> {
        Vec::new()
    }
    /// Each angle is that of one axis of M, seen along an axis of F: of small turns it is the component of the turn vector.
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        let about = |x: usize, y: usize| Measure::Angle {
            x: joint.direction(0, x),
            y: joint.direction(0, y),
            m: joint.direction(1, x),
        };
        match k {
            0..=2 => Some(joint.offset(k)),
            3 => Some(about(1, 2)),
            4 => Some(about(2, 0)),
            5 => Some(about(0, 1)),
            _ => None,
        }
    }
    fn locks_orientation(&self) -> bool {
        true
    }
    fn compliant(&self, space: Space) -> &'static [usize] {
        match space {
            Space::Spatial => &[0, 1, 2, 3, 4, 5],
            Space::Planar => &[0, 1, 5],
        }
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn glyph(&self) -> Glyph {
        Glyph::Ball
    }
}
