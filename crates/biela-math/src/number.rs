//! Numbers side by side: the same arithmetic for one number and for several at once.
//!
//! Work that many cases share (the same steps with other numbers) is written once over [`Number`]. With `f64` it is one case; with [`Lanes`] it
//! is as many as a wide register holds, each with the bits that it has alone: products and sums are rounded one by one, and never fused.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or several side by side.
pub trait Number:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// How many stand side by side.
    const LANES: usize;
    /// The same number everywhere.
    fn splat(x: f64) -> Self;
    /// The number in lane `k`.
    fn lane(&self, k: usize) -> f64;
    /// Changes the number in lane `k`.
    fn set(&mut self, k: usize, x: f64);
    /// Each number by a function.
    fn map(self, f: impl Fn(f64) -> f64) -> Self;
    /// Each pair of numbers by a function.
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self;
    /// Sizes.
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(f64::abs)
    }
    /// Square roots.
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }
    /// The greater of each two; what is no number is the greatest.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        self.zip(other, |a, b| if b <= a { a } else { b })
    }
    /// True where it holds in every lane.
    #[inline(always)]
    fn all(&self, holds: impl Fn(f64) -> bool) -> bool {
        (0..Self::LANES).all(|k| holds(self.lane(k)))
    }
}

/// The polynomial of these coefficients, the lowest first. A loop: a fold from the end is compiled by itself, without the wide registers of its caller.
#[inline(always)]
pub fn horner<N: Number>(coefficients: &[f64], z: N) -> N {
    let (mut sum, mut k) = (N::splat(0.0), coefficients.len());
    while k > 0 {
        k -= 1;
        sum = sum * z + N::splat(coefficients[k]);
    }
    sum
}

/// Angles of the directions (x, y), in [−π, π], to two units of the last place: t = |small|/|large| brought within tan(π/8) of zero, and there a
/// polynomial of u² for (u − arctan u)/u³.
#[inline(always)]
pub fn directions<N: Number>(y: N, x: N) -> N {
    /// Chebyshev's fit over u² in [0, 0.172], to 6e-18 of u.
    const SERIES: [f64; 11] = [
        0.3333333333333333,
        -0.19999999999995416,
        0.14285714284644896,
        -0.11111111013517383,
        0.0909090450755384,
        -0.07692181553432291,
        0.06664488411798739,
        -0.05857949051651406,
        0.050844051701967326,
        -0.03920151873355892,
        0.019140021905694565,
    ];
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};
    let flag = |holds: bool| if holds { 1.0 } else { 0.0 };
    let (one, two) = (N::splat(1.0), N::splat(2.0));
    let (ax, ay) = (x.abs(), y.abs());
    let t = ax.zip(ay, f64::min) / ax.zip(ay, f64::max);
    let far = t.map(|t| flag(t > SQRT_2 - 1.0));
    let u = (t - far) / (one + far * t);
    let z = u * u;
    let series = horner(&SERIES, z);
    let mut angle = far * N::splat(FRAC_PI_4) + (u - u * z * series);
    let steep = ay.zip(ax, |a, b| flag(a > b));
    angle = steep * N::splat(FRAC_PI_2) + (one - two * steep) * angle;
    let left = x.map(|x| flag(x < 0.0));
    angle = left * N::splat(PI) + (one - two * left) * angle;
    angle.zip(y, |angle, y| if y < 0.0 { -angle } else { angle })
}

/// Sines and cosines of angles of up to some hundred thousand turns, to two units of the last place: the nearest quarter turn is taken off in two
/// pieces, and the series of what is left are those of FreeBSD's library.
#[inline(always)]
pub fn sines_cosines<N: Number>(x: N) -> (N, N) {
    const SINE: [f64; 6] = [
        -0.16666666666666632,
        0.00833333333332249,
        -0.0001984126982985795,
        2.7557313707070068e-06,
        -2.5050760253406863e-08,
        1.58969099521155e-10,
    ];
    const COSINE: [f64; 6] = [
        0.0416666666666666,
        -0.001388888888887411,
        2.480158728947673e-05,
        -2.7557314351390663e-07,
        2.087572321298175e-09,
        -1.1359647557788195e-11,
    ];
    /// A quarter turn: 33 bits, and the rest.
    const QUARTER: [f64; 2] = [1.5707963267341256, 6.077100506506192e-11];
    let (one, half) = (N::splat(1.0), N::splat(0.5));
    let quarters = whole(x * N::splat(std::f64::consts::FRAC_2_PI));
    let y = (x - quarters * N::splat(QUARTER[0])) - quarters * N::splat(QUARTER[1]);
    let z = y * y;
    let s = y + y * z * horner(&SINE, z);
    let c = (one - half * z) + z * z * horner(&COSINE, z);
    // Of an odd number of quarters sine and cosine change places; those of the second half turn are negative.
    let odd = quarters - N::splat(2.0) * whole(quarters * half - N::splat(0.25));
    let turns = |quarters: N| {
        let halves = whole(quarters * half - N::splat(0.25));
        one - N::splat(2.0) * (halves - N::splat(2.0) * whole(halves * half - N::splat(0.25)))
    };
    let even = one - odd;
    (turns(quarters) * (even * s + odd * c), turns(quarters + one) * (even * c + odd * s))
}

/// The nearest whole numbers, of two the even one, of numbers that are small against 2⁵².
#[inline(always)]
pub fn whole<N: Number>(x: N) -> N {
    /// Adding and taking it away rounds what is far smaller to a whole number.
    const LARGE: f64 = 1.5 * (1u64 << 52) as f64;
    (x + N::splat(LARGE)) - N::splat(LARGE)
}

impl Number for f64 {
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn lane(&self, _: usize) -> f64 {
        *self
    }
    #[inline(always)]
    fn set(&mut self, _: usize, x: f64) {
        *self = x;
    }
    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> f64 {
        f(self)
    }
    #[inline(always)]
    fn zip(self, other: f64, f: impl Fn(f64, f64) -> f64) -> f64 {
        f(self, other)
    }
}

/// `N` numbers side by side.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Lanes<const N: usize>(pub [f64; N]);

macro_rules! operation {
    ($trait:ident, $name:ident, $op:tt) => {
        impl<const N: usize> $trait for Lanes<N> {
            type Output = Lanes<N>;
            #[inline(always)]
            fn $name(mut self, other: Lanes<N>) -> Lanes<N> {
                for k in 0..N {
                    self.0[k] $op other.0[k];
                }
                self
            }
        }
    };
}
operation!(Add, add, +=);
operation!(Sub, sub, -=);
operation!(Mul, mul, *=);
operation!(Div, div, /=);

impl<const N: usize> Neg for Lanes<N> {
    type Output = Lanes<N>;
    #[inline(always)]
    fn neg(self) -> Lanes<N> {
        self.map(|x| -x)
    }
}

impl<const N: usize> Number for Lanes<N> {
    const LANES: usize = N;
    #[inline(always)]
    fn splat(x: f64) -> Lanes<N> {
        Lanes([x; N])
    }
    #[inline(always)]
    fn lane(&self, k: usize) -> f64 {
        self.0[k]
    }
    #[inline(always)]
    fn set(&mut self, k: usize, x: f64) {
        self.0[k] = x;
    }
    #[inline(always)]
    fn map(mut self, f: impl Fn(f64) -> f64) -> Lanes<N> {
        for x in &mut self.0 {
            *x = f(*x);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Lanes<N>, f: impl Fn(f64, f64) -> f64) -> Lanes<N> {
        for k in 0..N {
            self.0[k] = f(self.0[k], other.0[k]);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_are_those_of_the_library() {
        /// Two units of the last place of one, and what is left of a quarter turn after many.
        const ROUNDING: f64 = 4.5e-16;
        for k in -20_000..20_000_i32 {
            let x = f64::from(k) * 0.000_731 * f64::from(1 + k.abs() % 7);
            let (s, c) = sines_cosines(x);
            assert!((s - x.sin()).abs() <= ROUNDING && (c - x.cos()).abs() <= ROUNDING, "{x}: {s} {c}");
            let (sines, cosines) = sines_cosines(Lanes([x, -x, 0.5 * x, x + 1.0]));
            assert_eq!((sines.0[0], cosines.0[0], sines.0[1]), (s, c, -s));
        }
        assert_eq!(sines_cosines(0.0), (0.0, 1.0));
    }

    #[test]
    fn directions_are_those_of_the_inverse_tangent() {
        /// Two units of the last place of the largest angle.
        const ROUNDING: f64 = 9e-16;
        for k in 0..2000 {
            let angle = (f64::from(k) / 1000.0 - 1.0) * 0.999 * std::f64::consts::PI;
            let (y, x) = (0.3 * angle.sin(), 0.3 * angle.cos());
            let found = directions(y, x);
            assert!((found - y.atan2(x)).abs() <= ROUNDING, "{angle}: {found}");
            let lanes = directions(Lanes([y, -y, y, x]), Lanes([x, x, -x, y]));
            assert_eq!(lanes.0, [found, directions(-y, x), directions(y, -x), directions(x, y)]);
        }
        assert_eq!(
            [directions(0.0, 1.0), directions(1.0, 0.0), directions(0.0, -1.0)].map(|x| x.to_degrees()),
            [0.0, 90.0, 180.0]
        );
    }
}
