//! The normal distribution: its share below a value, and the value with a given share below it.

use crate::math::Elementary;
use std::f64::consts::SQRT_2;

/// Share of a standard normal distribution below `x`, to its last digits also far out on the left.
pub fn share(x: f64) -> f64 {
    0.5 * (-x / SQRT_2).complementary_error()
}

/// The value below which a share `p` of a standard normal distribution lies: Wichura's algorithm AS 241 ([Wichura 1988]),
/// to about 16 digits.
pub fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * horner(&A, r) / horner(&B, r);
    }
    let r = if q < 0.0 { p } else { 1.0 - p };
    if r <= 0.0 {
        return if q < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let r = (-r.logarithm()).sqrt();
    let x =
        if r <= 5.0 { horner(&C, r - 1.6) / horner(&D, r - 1.6) } else { horner(&E, r - 5.0) / horner(&F, r - 5.0) };
    if q < 0.0 {
        -x
    } else {
        x
    }
}

/// A polynomial by its coefficients, the constant first.
fn horner(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

const A: [f64; 8] = [
    3.3871328727963665,
    133.14166789178438,
    1971.5909503065513,
    13731.69376550946,
    45921.95393154987,
    67265.7709270087,
    33430.57558358813,
    2509.0809287301227,
];
const B: [f64; 8] = [
    1.0,
    42.31333070160091,
    687.1870074920579,
    5394.196021424751,
    21213.794301586597,
    39307.89580009271,
    28729.085735721943,
    5226.495278852854,
];
const C: [f64; 8] = [
    1.4234371107496835,
    4.630337846156546,
    5.769497221460691,
    3.6478483247632045,
    1.2704582524523684,
    0.2417807251774506,
    0.022723844989269184,
    0.0007745450142783414,
];
const D: [f64; 8] = [
    1.0,
    2.053191626637759,
    1.6763848301838038,
    0.6897673349851,
    0.14810397642748008,
    0.015198666563616457,
    0.0005475938084995345,
    1.0507500716444169e-09,
];
const E: [f64; 8] = [
    6.657904643501103,
    5.463784911164114,
    1.7848265399172913,
    0.29656057182850487,
    0.026532189526576124,
    0.0012426609473880784,
    2.7115555687434876e-05,
    2.0103343992922881e-07,
];
const F: [f64; 8] = [
    1.0,
    0.599832206555888,
    0.1369298809227358,
    0.014875361290850615,
    0.0007868691311456133,
    1.8463183175100548e-05,
    1.421511758316446e-07,
    2.0442631033899397e-15,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_and_quantile_are_inverse() {
        // Printed values (Abramowitz and Stegun, table 26.1 and 26.2, and erfc(8/√2)/2).
        let known = [(0.0, 0.5), (1.0, 0.841344746068543), (-1.959963984540054, 0.025), (-3.0, 1.349898031630095e-3)];
        for (x, p) in known {
            assert!((share(x) - p).abs() < 1e-15, "{x}: {}", share(x));
            assert!((quantile(p) - x).abs() < 1e-13, "{p}: {}", quantile(p));
        }
        assert!((share(-8.0) / 6.220960574271784e-16 - 1.0).abs() < 1e-13);
        for k in 1..400 {
            let p = f64::from(k) / 400.0;
            assert!((share(quantile(p)) - p).abs() < 1e-15, "{p}");
            let small = 10f64.powi(-k % 300) * 0.7;
            assert!((share(quantile(small)) / small - 1.0).abs() < 2e-12, "{small}");
        }
        assert_eq!((quantile(0.0), quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
