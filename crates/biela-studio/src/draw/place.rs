//! Places of a drawing.

use biela::error::{Error, Result};
use serde_json::Value;

/// A place of the drawing.
pub(crate) type P2 = [f64; 2];

/// Parts of a drawing's size within which two places are one.
const SAME: f64 = 1e-7;

pub(super) fn near(a: P2, b: P2, size: f64) -> bool {
    (a[0] - b[0]).hypot(a[1] - b[1]) <= SAME * size
}

pub(super) fn place_of(value: &Value) -> Result<P2> {
    let pair: Option<Vec<f64>> = value.as_array().and_then(|a| a.iter().map(Value::as_f64).collect());
    match pair.as_deref() {
        Some([x, y]) if x.is_finite() && y.is_finite() => Ok([*x, *y]),
        _ => Err(Error::new("a place is two numbers")),
    }
}
