//! Numbers that change with time, as bytes.

use serde_json::{json, Value};

/// Bytes of all numbers that change with time.
#[derive(Default)]
pub(super) struct Blob {
    pub bytes: Vec<u8>,
}

impl Blob {
    /// Stores a row of numbers; what comes back says how to read it: `[value]`, `[offset, "f"]` or `[offset, low, high]`.
    pub fn channel(&mut self, data: &[f64], floats: bool) -> Value {
        let finite = data.iter().filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
        let still = high - low <= 1e-12 * low.abs().max(high.abs());
        if still && data.iter().all(|x| x.is_finite()) {
            return json!([low]);
        }
        self.bytes.resize(self.bytes.len().div_ceil(4) * 4, 0);
        let offset = self.bytes.len();
        let whole = data.iter().all(|x| x.is_finite());
        if floats || !whole {
            data.iter().for_each(|x| self.bytes.extend((*x as f32).to_le_bytes()));
            return json!([offset, "f"]);
        }
        let step = 65535.0 / (high - low);
        data.iter().for_each(|x| self.bytes.extend((((x - low) * step).round() as u16).to_le_bytes()));
        json!([offset, low, high])
    }
}
