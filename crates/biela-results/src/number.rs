//! Numbers for people: so many significant digits and no more.

/// A number with at most `digits` significant digits, like C's `%g`: trailing zeros dropped, `1e-7` where fixed
/// notation would be long.
pub fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "nan".into() } else { format!("{value}") };
    }
    if value == 0.0 {
        return "0".into();
    }
    let digits = digits.clamp(1, 17);
    // Rounding first decides the exponent: 999999.7 with six digits is 1e6.
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-4..digits as i32).contains(&power) {
        trimmed(&format!("{value:.*}", (digits as i32 - 1 - power).max(0) as usize)).to_owned()
    } else {
        format!("{}e{power}", trimmed(mantissa))
    }
}

/// A decimal number without trailing zeros after its point.
pub fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected texts are those of C's printf("%.6g").
    #[test]
    fn agrees_with_percent_g() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (std::f64::consts::PI, "3.14159"),
            (100000.0, "100000"),
            (999999.7, "1e6"),
            (1234567.0, "1.23457e6"),
            (1e-4, "0.0001"),
            (1.23456789e-5, "1.23457e-5"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
            (5e-324, "4.94066e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value, 6), text);
        }
    }
}
