//! Places of a drawing.

use biela::error::{Error, Result};
use biela::math::Vec3;
use serde_json::Value;

/// A place of the drawing; in a plane its third number is nothing.
pub(crate) type Place = [f64; 3];

/// Parts of a drawing's size within which two places are one.
const SAME: f64 = 1e-7;

pub(super) fn to_place(v: Vec3) -> Place {
    v.to_array()
}

pub(super) fn apart(a: Place, b: Place) -> f64 {
    length([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}

pub(super) fn length(a: Place) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

pub(super) fn near(a: Place, b: Place, size: f64) -> bool {
    apart(a, b) <= SAME * size
}

pub(super) fn place_of(value: &Value) -> Result<Place> {
    let own: Option<Vec<f64>> = value.as_array().and_then(|a| a.iter().map(Value::as_f64).collect());
    match own.as_deref() {
        Some([x, y]) if x.is_finite() && y.is_finite() => Ok([*x, *y, 0.0]),
        Some([x, y, z]) if [x, y, z].iter().all(|c| c.is_finite()) => Ok([*x, *y, *z]),
        _ => Err(Error::new("a place is two numbers, or three in space")),
    }
}
