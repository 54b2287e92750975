//! Rows of an extended tree as straight lines of the model's coordinates, where rotors and joints that follow others are geared to one joint.

use super::followers::straight;
use super::rotors::Coupled;
use crate::error::{Error, Result};

/// A coordinate of the extended tree that follows one of the model's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Places of the coordinate that leads, among positions and among velocities.
    pub leads: (usize, usize),
    /// Rate per rate of it.
    pub ratio: f64,
    /// Where it is when the other is at zero.
    pub offset: f64,
}

impl Coupled {
    /// Coordinates of the extended tree behind the model's own.
    pub fn lines(&self) -> Result<Vec<Line>> {
        let line = |drive: &super::rotors::Drive| {
            let found = match drive.coordinates[..] {
                [leads] => straight(&drive.angle).map(|(ratio, offset)| Line { leads, ratio, offset }),
                _ => None,
            };
            found.ok_or_else(|| {
                Error::new("it is not geared to one joint by a constant ratio").of(format!("rotor '{}'", drive.name))
            })
        };
        self.drives.iter().map(line).collect()
    }
}
