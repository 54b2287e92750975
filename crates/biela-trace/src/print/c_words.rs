//! Words of C: types, numbers, calls of `math.h`.

use super::body::{digits, Call};
use super::Precision;

/// The type of numbers.
pub(super) fn real(precision: Precision) -> &'static str {
    match precision {
        Precision::Double => "double",
        Precision::Single => "float",
    }
}

/// A number with the ending of its type.
pub(super) fn literal(x: f64, precision: Precision) -> String {
    let text = digits(x, precision);
    match (precision, text.strip_suffix(')')) {
        (Precision::Double, _) => text,
        (Precision::Single, Some(inner)) => format!("{inner}f)"),
        (Precision::Single, None) => format!("{text}f"),
    }
}

/// A call of a function of `math.h`.
pub(super) fn call(what: Call, a: &str, precision: Precision) -> String {
    let name = match what {
        Call::Sqrt => "sqrt",
        Call::Sin => "sin",
        Call::Cos => "cos",
    };
    let ending = if precision == Precision::Single { "f" } else { "" };
    format!("{name}{ending}({a})")
}
