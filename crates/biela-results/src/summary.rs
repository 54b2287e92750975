//! The range of each signal as an aligned table of plain text.

use super::{significant, Results};

/// Significant digits shown.
const DIGITS: usize = 6;

/// Least and greatest value of the first `most` signals, with the times at which they are reached; of a single sample its values.
pub fn summary(results: &Results, most: usize) -> String {
    let signals = results.columns.iter().filter(|column| column.name != "t").count();
    summary_of_first(results, most, signals.saturating_sub(most))
}

/// The same of results with `beyond` signals more than the first `most`, which need not be there.
pub fn summary_of_first(results: &Results, most: usize, beyond: usize) -> String {
    let t = results.times();
    let (timed, single) = (!t.is_empty(), results.len() == 1);
    let signals = results.columns.iter().filter(|column| column.name != "t");
    let when = match results.get("t").map_or("s", |c| c.unit) {
        "s" => "at t".to_string(),
        unit => format!("at t [{}]", printable(unit)),
    };
    let head: &[&str] = match timed {
        _ if single => &["signal", "unit", "value"],
        true => &["signal", "unit", "least", &when, "greatest", &when],
        false => &["signal", "unit", "least", "greatest"],
    };
    let mut rows: Vec<Vec<String>> = vec![head.iter().map(|text| text.to_string()).collect()];
    for column in signals.take(most) {
        let cells = match column.extremes(t) {
            Some(e) if single => vec![e.least],
            Some(e) if timed => vec![e.least, e.t_least, e.greatest, e.t_greatest],
            Some(e) => vec![e.least, e.greatest],
            None => vec![f64::NAN; head.len() - 2],
        };
        let mut row = vec![printable(&column.name), printable(column.unit)];
        row.extend(cells.into_iter().map(|value| significant(value, DIGITS)));
        rows.push(row);
    }
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(k, (cell, &width))| match k {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    match beyond {
        0 => {}
        1 => text.push_str("and 1 more signal\n"),
        left => text.push_str(&format!("and {left} more signals\n")),
    }
    text
}

/// A name without control characters, which would let a file steer the terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn columns_line_up() {
        let results = Results {
            columns: vec![
                Column::new("t", "s", vec![0.0, 0.5, 1.0]),
                Column::new("piston.x", "m", vec![1.5, 5.5, 1.25]),
                Column::new("O.angle.rate", "rad/s", vec![-12345678.9, 0.0, 1.0 / 3.0]),
                Column::new("gap", "1", vec![f64::NAN; 3]),
            ],
            ..Results::default()
        };
        let expected = "\
signal        unit        least  at t  greatest  at t
piston.x      m            1.25     1       5.5   0.5
O.angle.rate  rad/s  -1.23457e7     0  0.333333     1
and 1 more signal
";
        assert_eq!(summary(&results, 2), expected);
        assert!(summary(&results, 9).contains("gap           1"));
    }
}
