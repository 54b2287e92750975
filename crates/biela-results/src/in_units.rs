//! Results in the units that people read.

use super::{intern_unit, significant, Results};
use biela_base::display_units::{DisplayUnits, Scale};
use std::collections::HashMap;

impl Results {
    /// The same table in other units: each column has its numbers and its unit by them. Columns that no unit reaches keep theirs.
    pub fn in_units(mut self, units: &DisplayUnits) -> Results {
        if units.is_si() {
            return self;
        }
        let mut scales: HashMap<&'static str, Scale> = HashMap::new();
        for column in &mut self.columns {
            let scale = scales.entry(column.unit).or_insert_with(|| units.scale(column.unit));
            if scale.unit == column.unit {
                continue;
            }
            // A unit too long for a header stays what it was, and so do its numbers.
            let Ok(unit) = intern_unit(&scale.unit) else { continue };
            column.unit = unit;
            column.data.iter_mut().for_each(|x| *x = scale.shown(*x));
        }
        self
    }
}

/// A number with its unit as people read it: `30 mm`. A number without a unit stands alone.
pub fn quantity_in_words(units: &DisplayUnits, x: f64, unit: &str, digits: usize) -> String {
    let scale = units.scale(unit);
    let number = significant(scale.shown(x), digits);
    match scale.unit.as_str() {
        "1" => number,
        unit => format!("{number} {unit}"),
    }
}

/// A message with its times, `t = 0.25 s` and `t = 0 s to 1 s`, in the unit of time that people read. As many digits as there were.
pub fn times_in_words(text: &str, units: &DisplayUnits) -> String {
    let scale = units.scale("s");
    if scale.is_unchanged() {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut told) = (text, false);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit() || c == '-') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = from.find(|c: char| !(c.is_ascii_digit() || ".e-+".contains(c))).unwrap_or(from.len());
        let (number, after) = from.split_at(end.max(1));
        // The second of two times follows the first in the same line.
        told = told && !before.contains('\n');
        let timed = before.ends_with("t = ") || (told && [" to ", " and "].iter().any(|word| before.ends_with(word)));
        let unit = after
            .strip_prefix(" s")
            .filter(|after| !after.starts_with(|c: char| c.is_alphanumeric() || "^*/".contains(c)));
        match (number.parse::<f64>(), unit) {
            (Ok(t), Some(after)) if timed => {
                let digits = number.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit).count();
                out.push_str(&format!("{} {}", significant(scale.shown(t), digits.clamp(6, 12)), scale.unit));
                (rest, told) = (after, true);
            }
            _ => {
                out.push_str(number);
                (rest, told) = (after, false);
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::times_in_words;
    use crate::{Column, Results};
    use biela_base::display_units::DisplayUnits;

    #[test]
    fn times_in_messages_have_the_unit_that_people_read() {
        let units = DisplayUnits::parse("mm, ms", None).unwrap();
        for (told, shown) in [
            ("B.angle stands still at t = 0.0785258927 s", "B.angle stands still at t = 78.5258927 ms"),
            ("from t = 0 s to 1 s, 2 steps", "from t = 0 ms to 1000 ms, 2 steps"),
            ("near t = -2.5e-3 s: distance 0.5 s to 3 s", "near t = -2.5 ms: distance 0.5 s to 3 s"),
            ("a step of 2 s, t = 3 s^2, t = 4 steps, t = 5 sec", "a step of 2 s, t = 3 s^2, t = 4 steps, t = 5 sec"),
            ("t = 1 s\n  = 2 and 3 s", "t = 1000 ms\n  = 2 and 3 s"),
            ("link-2 at t = 7 s", "link-2 at t = 7000 ms"),
            ("t = 1", "t = 1"),
            ("", ""),
        ] {
            assert_eq!(times_in_words(told, &units), shown);
            assert_eq!(times_in_words(told, &DisplayUnits::default()), told);
        }
    }

    #[test]
    fn numbers_and_units_change_together() {
        let columns = vec![
            Column::new("t", "s", vec![0.0, 0.5]),
            Column::new("crank.x", "m", vec![0.25, -0.125]),
            Column::new("O.angle.rate", "rad/s", vec![std::f64::consts::PI, f64::NAN]),
            Column::new("motor.effort", "N*m", vec![1.5, f64::INFINITY]),
            Column::new("crank.e0", "1", vec![0.1, 1.0]),
        ];
        let si = Results { columns, ..Results::default() };
        let units = DisplayUnits::parse("mm, deg, N, rpm", None).unwrap();
        let shown = si.clone().in_units(&units);
        let told: Vec<&str> = shown.columns.iter().map(|c| c.unit).collect();
        assert_eq!(told, ["s", "mm", "rpm", "N*mm", "1"]);
        assert_eq!(shown.columns[1].data, [250.0, -125.0]);
        assert!((shown.columns[2].data[0] - 30.0).abs() < 1e-13, "{}", shown.columns[2].data[0]);
        assert!(shown.columns[2].data[1].is_nan() && shown.columns[3].data[1] == f64::INFINITY);
        assert_eq!((&shown.columns[0], &shown.columns[4]), (&si.columns[0], &si.columns[4]));
        assert_eq!(si.clone().in_units(&DisplayUnits::default()).columns[1], si.columns[1]);
    }
}
