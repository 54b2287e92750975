//! Complex numbers in discs about doubles, with what rounding adds to their radii: derivatives over a box.
//!
//! A sum of doubles is off by half a unit in the last place, a complex product by less than four of the product of its factors' sizes; radii are
//! rounded up by a factor. So a disc can be larger than it need be, and never smaller.

use crate::circuit::Ring;
use crate::complex::Complex;
use std::ops::Add;

/// Half a unit in the last place of one.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;
/// Factor by which a bound of a few operations is rounded up, …
pub(crate) const UP: f64 = 1.0 + 1e-14;
/// … and what is more than any of them loses where numbers become too small.
pub(crate) const LEAST: f64 = 1e-280;

/// All complex numbers no farther than a radius from a middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Disc {
    pub middle: Complex,
    pub radius: f64,
}

impl Disc {
    pub fn point(middle: Complex) -> Disc {
        Disc { middle, radius: 0.0 }
    }
}

/// More than a number's magnitude, but for a rounding.
#[inline]
pub(crate) fn size(z: Complex) -> f64 {
    z.re.abs() + z.im.abs()
}

impl Add for Disc {
    type Output = Disc;
    #[inline]
    fn add(self, o: Disc) -> Disc {
        let middle = self.middle + o.middle;
        Disc { middle, radius: (self.radius + o.radius + 2.0 * UNIT * size(middle)) * UP }
    }
}

impl Ring for Disc {
    fn zero() -> Disc {
        Disc::point(Complex::ZERO)
    }

    fn one() -> Disc {
        Disc::point(Complex::ONE)
    }

    #[inline]
    fn product(&self, o: &Disc) -> Disc {
        let (a, b) = (size(self.middle), size(o.middle));
        let spread = a * o.radius + b * self.radius + self.radius * o.radius;
        Disc { middle: self.middle * o.middle, radius: (spread + 4.0 * UNIT * a * b + LEAST) * UP }
    }

    #[inline]
    fn scaled(&self, s: f64) -> Disc {
        let radius = (self.radius + 2.0 * UNIT * size(self.middle)) * s.abs();
        Disc { middle: self.middle.times(s), radius: (radius + LEAST) * UP }
    }
}
