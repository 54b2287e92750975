//! Complex numbers in double precision, as a path tracker needs them.

use biela_math::random::Random;
use biela_math::Elementary;
use std::f64::consts::TAU;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// A complex number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// Zero.
    pub const ZERO: Complex = Complex { re: 0.0, im: 0.0 };
    /// One.
    pub const ONE: Complex = Complex { re: 1.0, im: 0.0 };
    /// The imaginary unit.
    pub const I: Complex = Complex { re: 0.0, im: 1.0 };

    /// A number of its two parts.
    #[inline]
    pub const fn new(re: f64, im: f64) -> Complex {
        Complex { re, im }
    }

    /// The number of magnitude one in the direction of an angle.
    pub fn unit(angle: f64) -> Complex {
        let (sine, cosine) = angle.sine_cosine();
        Complex::new(cosine, sine)
    }

    /// A number of magnitude one in a direction drawn from a stream.
    pub fn random(random: &mut Random) -> Complex {
        Complex::unit(TAU * random.unit())
    }

    /// Square of the magnitude.
    #[inline]
    pub fn norm2(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// Magnitude.
    #[inline]
    pub fn norm(self) -> f64 {
        self.norm2().sqrt()
    }

    /// The conjugate.
    #[inline]
    pub fn conjugate(self) -> Complex {
        Complex::new(self.re, -self.im)
    }

    /// Times a real number.
    #[inline]
    pub fn times(self, s: f64) -> Complex {
        Complex::new(self.re * s, self.im * s)
    }

    /// One divided by this.
    #[inline]
    pub fn inverse(self) -> Complex {
        self.conjugate().times(1.0 / self.norm2())
    }

    /// A whole power.
    pub fn power(self, n: u32) -> Complex {
        (0..n).fold(Complex::ONE, |product, _| product * self)
    }

    /// A square root: the one in the right half of the plane.
    pub fn root(self) -> Complex {
        let size = self.norm();
        let re = (0.5 * (size + self.re)).max(0.0).sqrt();
        let im = (0.5 * (size - self.re)).max(0.0).sqrt();
        Complex::new(re, if self.im < 0.0 { -im } else { im })
    }

    /// True where both parts are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }
}

impl From<f64> for Complex {
    #[inline]
    fn from(re: f64) -> Complex {
        Complex::new(re, 0.0)
    }
}

impl Add for Complex {
    type Output = Complex;
    #[inline]
    fn add(self, o: Complex) -> Complex {
        Complex::new(self.re + o.re, self.im + o.im)
    }
}

impl Sub for Complex {
    type Output = Complex;
    #[inline]
    fn sub(self, o: Complex) -> Complex {
        Complex::new(self.re - o.re, self.im - o.im)
    }
}

impl Mul for Complex {
    type Output = Complex;
    #[inline]
    fn mul(self, o: Complex) -> Complex {
        Complex::new(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
    }
}

impl Div for Complex {
    type Output = Complex;
    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl)] // A quotient is a product with the inverse.
    fn div(self, o: Complex) -> Complex {
        self * o.inverse()
    }
}

impl Neg for Complex {
    type Output = Complex;
    #[inline]
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}

impl AddAssign for Complex {
    #[inline]
    fn add_assign(&mut self, o: Complex) {
        *self = *self + o;
    }
}

impl SubAssign for Complex {
    #[inline]
    fn sub_assign(&mut self, o: Complex) {
        *self = *self - o;
    }
}

impl MulAssign for Complex {
    #[inline]
    fn mul_assign(&mut self, o: Complex) {
        *self = *self * o;
    }
}

impl Sum for Complex {
    fn sum<I: Iterator<Item = Complex>>(numbers: I) -> Complex {
        numbers.fold(Complex::ZERO, |a, b| a + b)
    }
}

/// Length of a vector.
#[inline]
pub(crate) fn length(x: &[Complex]) -> f64 {
    x.iter().map(|z| z.norm2()).sum::<f64>().sqrt()
}

/// Distance of two points.
pub(crate) fn distance(a: &[Complex], b: &[Complex]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).norm2()).sum::<f64>().sqrt()
}
