//! A corner on a flat side that ends sharply: while it bears, the side goes on beyond its ends, so that what happens there is found on a smooth way.

use crate::foot::{Core, Ends};
use crate::pair::Touch;
use biela_math::{Pose, Vec3};

/// A corner on a side, each in its body's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    /// Whose the corner is: 0 or 1.
    side: usize,
    corner: Vec3,
    /// A point of the side, and the unit vector out of it.
    at: Vec3,
    normal: Vec3,
    /// Ends of the side, and the ways there, in which the corner goes.
    ends: [Option<(Vec3, Vec3)>; 2],
    skin: f64,
}

impl Seat {
    /// Where a corner touches so; none where the side goes on smoothly, or is not flat.
    pub fn of(touch: &Touch, poses: [&Pose; 2]) -> Option<Seat> {
        let corner = |core: &Core| match core {
            Core::Point { at, radius: 0.0 } => Some(*at),
            _ => None,
        };
        let plane = |core: &Core| match core {
            Core::Plane { at, normal } => Some((*at, *normal)),
            _ => None,
        };
        let seat = |side: usize| Some((side, corner(&touch.cores[side])?, plane(&touch.cores[1 - side])?));
        let (side, corner, (at, normal)) = seat(0).or_else(|| seat(1))?;
        if touch.ends.iter().all(Option::is_none) {
            return None;
        }
        let frame = poses[1 - side];
        let sense = if side == 0 { -1.0 } else { 1.0 };
        let p = frame.apply_inverse(poses[side].apply(corner));
        let end = |(room, way): (f64, Vec3)| {
            let way = frame.rotation.apply_transposed(way) * sense;
            (p + way * room, way)
        };
        Some(Seat { side, corner, at, normal, ends: touch.ends.map(|e| e.map(end)), skin: touch.skin })
    }

    /// How far the corner is from the side as it goes on.
    pub fn touch(&self, poses: [&Pose; 2]) -> Touch {
        let (own, frame) = (poses[self.side], poses[1 - self.side]);
        let middle = own.apply(self.corner);
        let p = frame.apply_inverse(middle);
        let gap = (p - self.at).dot(self.normal);
        let normal = frame.rotation.apply(self.normal);
        let sense = if self.side == 0 { -1.0 } else { 1.0 };
        let ends: Ends = self.ends.map(|e| e.map(|(end, way)| ((end - p).dot(way), frame.rotation.apply(way) * sense)));
        let cores = [Core::Point { at: self.corner, radius: 0.0 }, Core::Plane { at: self.at, normal: self.normal }];
        let points = [middle, middle - normal * gap];
        let turned = |two: [Vec3; 2]| if self.side == 0 { two } else { [two[1], two[0]] };
        let cores = if self.side == 0 { cores } else { [cores[1], cores[0]] };
        Touch { gap, normal: normal * sense, points: turned(points), cores, ends, skin: self.skin }
    }
}
