//! Frames, by any of the ways to give a rotation.

#![allow(non_snake_case)] // Frames are capital letters: X_BG (docs/notation.md).

use super::Compiler;
use crate::foreign::Element;
use biela_base::error::Result;
use biela_math::{Elementary, EulerParameters, Pose, Rotation, Vec3};
use std::f64::consts::PI;

impl Compiler {
    /// An angle of the file in radians.
    pub fn angle(&self, x: f64) -> f64 {
        if self.degrees {
            x * (PI / 180.0)
        } else {
            x
        }
    }

    /// `pos` and one of the ways to give a rotation.
    pub fn pose(&self, e: &Element) -> Result<Pose> {
        Ok(Pose::new(self.rotation(e)?, e.vector("pos")?.unwrap_or(Vec3::ZERO)))
    }

    pub fn rotation(&self, e: &Element) -> Result<Rotation> {
        let list = |name: &str, count: usize| match e.numbers(name)? {
            Some(list) if list.len() == count => Ok(Some(list)),
            Some(list) => Err(e.error(format!("'{name}' has {count} numbers; these are {}", list.len()))),
            None => Ok(None),
        };
        let zero = || e.error("a direction of zero length gives no rotation");
        if let Some(q) = list("quat", 4)? {
            let q = EulerParameters([q[0], q[1], q[2], q[3]]);
            return if q.norm() > 0.0 { Ok(q.normalised().rotation()) } else { Err(zero()) };
        }
        if let Some(a) = list("axisangle", 4)? {
            return Ok(Rotation::about(Vec3::new(a[0], a[1], a[2]).unit().ok_or_else(zero)?, self.angle(a[3])));
        }
        if let Some(angles) = list("euler", 3)? {
            let mut R = Rotation::IDENTITY;
            for (letter, angle) in self.sequence.iter().zip(angles) {
                let axis = [Vec3::X, Vec3::Y, Vec3::Z][usize::from(letter.to_ascii_lowercase() - b'x') % 3];
                let turn = Rotation::about(axis, self.angle(angle));
                // Small letters turn about axes that turn along, capitals about those of the parent.
                R = if letter.is_ascii_lowercase() { R * turn } else { turn * R };
            }
            return Ok(R);
        }
        if let Some(a) = list("xyaxes", 6)? {
            let (x, y) = (Vec3::new(a[0], a[1], a[2]), Vec3::new(a[3], a[4], a[5]));
            return Rotation::from_z_x(x.cross(y), x).ok_or_else(zero);
        }
        match e.vector("zaxis")? {
            Some(z) => shortest(z).ok_or_else(zero),
            None => Ok(Rotation::IDENTITY),
        }
    }
}

/// The shortest rotation that brings z to a direction.
pub(super) fn shortest(z: Vec3) -> Option<Rotation> {
    let z = z.unit()?;
    let normal = Vec3::Z.cross(z);
    let angle = normal.norm().arctangent2(z.z);
    Some(Rotation::about(normal.unit().unwrap_or(Vec3::X), angle))
}
