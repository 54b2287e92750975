//! Elementary functions of numbers, written in Rust: the same bits on every machine.
//!
//! The functions of the standard library are those of the system's C library, which chooses among several versions by the
//! instructions of the processor: their last bits differ from machine to machine. Square roots, products, sums and roundings are
//! exact everywhere and are taken as they are.

/// Elementary functions under names of their own; the standard library's are not to be used where results depend on them.
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
}

macro_rules! by_libm {
    ($($name:ident = $function:ident $(($other:ident))?),*) => {
        $(fn $name(self $(, $other: f64)?) -> f64 { libm::$function(self $(, $other)?) })*
    };
}

impl Elementary for f64 {
    by_libm!(sine = sin, cosine = cos, tangent = tan, arcsine = asin, arccosine = acos, arctangent = atan);
    by_libm!(arctangent2 = atan2(x), hyperbolic_sine = sinh, hyperbolic_cosine = cosh, hyperbolic_tangent = tanh);
    by_libm!(exponential = exp, logarithm = log, logarithm10 = log10, logarithm2 = log2, cube_root = cbrt);
    by_libm!(power = pow(exponent), hypotenuse = hypot(y));
    fn sine_cosine(self) -> (f64, f64) {
        libm::sincos(self)
    }
}
