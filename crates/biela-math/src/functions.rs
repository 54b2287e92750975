//! Elementary functions of numbers, written in Rust: the same bits on every machine.
//!
//! The functions of the standard library are those of the system's C library, which chooses among several versions by the
//! instructions of the processor: their last bits differ from machine to machine. Square roots, products, sums and roundings are
//! exact everywhere and are taken as they are.

/// Elementary functions under names of their own; the standard library's are not to be used where results depend on them. Written `sin`, a
/// function of this trait would be hidden by the standard one of the same name wherever it is called on a number, without a word.
pub trait Elementary {
    /// Sine.
    fn sine(self) -> Self;
    /// Cosine.
    fn cosine(self) -> Self;
    /// Sine and cosine.
    fn sine_cosine(self) -> (Self, Self)
    where
        Self: Sized;
    /// Tangent.
    fn tangent(self) -> Self;
    /// Inverse sine.
    fn arcsine(self) -> Self;
    /// Inverse cosine.
    fn arccosine(self) -> Self;
    /// Inverse tangent.
    fn arctangent(self) -> Self;
    /// Angle of the direction (x, `self`), in (−π, π].
    fn arctangent2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn hyperbolic_sine(self) -> Self;
    /// Hyperbolic cosine.
    fn hyperbolic_cosine(self) -> Self;
    /// Hyperbolic tangent.
    fn hyperbolic_tangent(self) -> Self;
    /// e to this power.
    fn exponential(self) -> Self;
    /// Natural logarithm.
    fn logarithm(self) -> Self;
    /// Logarithm to base 10.
    fn logarithm10(self) -> Self;
    /// Logarithm to base 2.
    fn logarithm2(self) -> Self;
    /// Cube root.
    fn cube_root(self) -> Self;
    /// This number to a power.
    fn power(self, exponent: Self) -> Self;
    /// √(x² + y²) without overflow in between.
    fn hypotenuse(self, y: Self) -> Self;
    /// Complementary error function, 2/√π ∫ e^(−u²) du from this number on.
    fn complementary_error(self) -> Self;
}

macro_rules! by_libm {
    ($($name:ident = $function:ident $(($other:ident))?),*) => {
        $(#[inline] fn $name(self $(, $other: f64)?) -> f64 { libm::$function(self $(, $other)?) })*
    };
}

impl Elementary for f64 {
    by_libm!(sine = sin, cosine = cos, tangent = tan, arcsine = asin, arccosine = acos, arctangent = atan);
    by_libm!(arctangent2 = atan2(x), hyperbolic_sine = sinh, hyperbolic_cosine = cosh, hyperbolic_tangent = tanh);
    by_libm!(exponential = exp, logarithm = log, logarithm10 = log10, logarithm2 = log2, cube_root = cbrt);
    by_libm!(power = pow(exponent), hypotenuse = hypot(y), complementary_error = erfc);
    #[inline]
    fn sine_cosine(self) -> (f64, f64) {
        libm::sincos(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Functions of the system's library differ from these by a last bit or two.
    const BITS: f64 = 1e-15;

    #[test]
    fn every_name_means_its_function() {
        let x = 0.37f64;
        let pairs = [
            (x.sine(), x.sin()),
            (x.cosine(), x.cos()),
            (x.sine_cosine().0, x.sin()),
            (x.sine_cosine().1, x.cos()),
            (x.tangent(), x.tan()),
            (x.arcsine(), x.asin()),
            (x.arccosine(), x.acos()),
            (x.arctangent(), x.atan()),
            (x.arctangent2(-0.8), x.atan2(-0.8)),
            (x.hyperbolic_sine(), x.sinh()),
            (x.hyperbolic_cosine(), x.cosh()),
            (x.hyperbolic_tangent(), x.tanh()),
            (x.exponential(), x.exp()),
            (x.logarithm(), x.ln()),
            (x.logarithm10(), x.log10()),
            (x.logarithm2(), x.log2()),
            (x.cube_root(), x.cbrt()),
            (x.power(1.7), x.powf(1.7)),
            (x.hypotenuse(-0.8), x.hypot(-0.8)),
            // The standard library has none: the series of erf in 40 decimal digits.
            (x.complementary_error(), 0.600_794_015_957_000_8),
        ];
        for (k, (own, other)) in pairs.into_iter().enumerate() {
            assert!((own - other).abs() <= BITS * other.abs(), "number {k}: {own} {other}");
        }
    }
}
