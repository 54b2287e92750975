//! A figure for the terminal, of Braille characters: each has two by four dots.

use super::ticks::{drawable, range};
use super::{Panel, Plot};
use biela_results::{printable, significant};

/// Digits of the numbers at the axes.
const DIGITS: usize = 4;
const LEAST_COLUMNS: usize = 10;
const LEAST_ROWS: usize = 3;
const MOST: usize = 1000;

/// The figure in `width` columns and about `height` lines; each panel keeps at least three lines of its own.
///
/// Where a panel has several curves, letters at their right ends tell them apart.
pub fn sketch(plot: &Plot, width: usize, height: usize) -> String {
    let (width, height) = (width.min(MOST), height.min(MOST));
    let mut out = String::new();
    for text in [&plot.title, &plot.subtitle].into_iter().flatten() {
        out.push_str(&printable(text));
        out.push('\n');
    }
    let each = height.saturating_sub(out.lines().count()) / plot.panels.len().max(1);
    let numbers = plot.panels.iter().flat_map(|panel| <[f64; 2]>::from(range_y(panel)));
    let margin = numbers.map(|number| significant(number, DIGITS).chars().count()).max().unwrap_or(0);
    for panel in &plot.panels {
        draw(panel, margin, width, each, &mut out);
    }
    out
}

fn range_y(panel: &Panel) -> (f64, f64) {
    range(panel.series.iter().flat_map(|series| series.y.iter().copied()), 0.0)
}

fn draw(panel: &Panel, margin: usize, width: usize, height: usize, out: &mut String) {
    let (left, right) = range(panel.series.iter().flat_map(|series| series.x.iter().copied()), 0.0);
    let (bottom, top) = range_y(panel);
    let (upper, lower) = (significant(top, DIGITS), significant(bottom, DIGITS));
    let several = panel.series.len() > 1;
    let letters = if several { panel.series.len().min(4) + 1 } else { 0 };
    let columns = width.saturating_sub(margin + 2 + letters).max(LEAST_COLUMNS);
    // Label above, numbers below, and a legend.
    let rows = height.saturating_sub(2 + usize::from(several)).max(LEAST_ROWS);
    let mut canvas = Canvas { columns, rows, cells: vec![0; columns * rows] };
    let mut ends: Vec<String> = vec![String::new(); rows];
    for (k, series) in panel.series.iter().enumerate() {
        let mut before = None;
        for (&x, &y) in series.x.iter().zip(&series.y) {
            let here = (drawable(x) && drawable(y)).then(|| {
                let part = |value: f64, lo: f64, hi: f64| ((value - lo) / (hi - lo)).clamp(0.0, 1.0);
                let across = part(x, left, right) * (2 * columns - 1) as f64;
                let down = (1.0 - part(y, bottom, top)) * (4 * rows - 1) as f64;
                (across.round() as i64, down.round() as i64)
            });
            if let Some(here) = here {
                canvas.line(before.unwrap_or(here), here);
            }
            before = here;
        }
        let last = series.y.iter().rev().find(|y| drawable(**y));
        if let (true, Some(y)) = (several, last) {
            let row = (1.0 - ((y - bottom) / (top - bottom)).clamp(0.0, 1.0)) * (rows - 1) as f64;
            if let Some(end) = ends.get_mut(row.round() as usize) {
                end.push(letter(k));
            }
        }
    }
    let pad = " ".repeat(margin + 1);
    out.push_str(&format!("{pad}{}\n", printable(&panel.y_label)));
    for (row, end) in ends.iter().enumerate() {
        let number = match row {
            0 => upper.as_str(),
            _ if row + 1 == rows => lower.as_str(),
            _ => "",
        };
        let line = format!("{number:>margin$} {}{}{end}", '│', canvas.row(row));
        out.push_str(line.trim_end_matches([' ', '\u{2800}']));
        out.push('\n');
    }
    let (first, last, label) = (significant(left, DIGITS), significant(right, DIGITS), printable(&panel.x_label));
    let spare = columns.saturating_sub(first.chars().count() + last.chars().count());
    out.push_str(&format!("{pad} {first}{label:^spare$}{last}\n"));
    if several {
        let names: Vec<String> =
            panel.series.iter().enumerate().map(|(k, s)| format!("{} {}", letter(k), printable(&s.label))).collect();
        out.push_str(&format!("{pad} {}\n", names.join("  ")));
    }
}

fn letter(k: usize) -> char {
    char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[k % 52])
}

struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<u8>,
}

impl Canvas {
    /// Bits of the dots of a Braille character, by column and row.
    const DOTS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

    fn dot(&mut self, x: i64, y: i64) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x < 2 * self.columns && y < 4 * self.rows {
            self.cells[y / 4 * self.columns + x / 2] |= Canvas::DOTS[x % 2][y % 4];
        }
    }

    fn line(&mut self, from: (i64, i64), to: (i64, i64)) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).max(1);
        for k in 0..=steps {
            let part = |a: i64, b: i64| a + ((b - a) as f64 * k as f64 / steps as f64).round() as i64;
            self.dot(part(from.0, to.0), part(from.1, to.1));
        }
    }

    fn row(&self, row: usize) -> String {
        let cells = &self.cells[row * self.columns..(row + 1) * self.columns];
        cells.iter().map(|&dots| char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;

    #[test]
    fn a_flat_line_and_a_jump_are_sketched() {
        let figure = |y: Vec<f64>| {
            let series = Series { label: "a".into(), x: (0..y.len()).map(|k| k as f64).collect(), y };
            let (x_label, y_label) = ("t [s]".into(), "a [m]".into());
            Plot {
                panels: vec![Panel { series: vec![series], x_label, y_label, equal_axes: false }],
                ..Plot::default()
            }
        };
        // Ten columns are twenty dots across, three rows twelve dots down: the middle is the seventh dot.
        let flat = " a [m]\n 1 │\n   │⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤\n-1 │\n    0 t [s]  1\n";
        assert_eq!(sketch(&figure(vec![0.0, 0.0]), 0, 0), format!("  {flat}"));
        let gap = sketch(&figure(vec![0.0, f64::NAN, 2.0]), 0, 0);
        assert_eq!(gap, "  a [m]\n2 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈\n  │\n0 │⡀\n   0 t [s]  2\n");
    }

    #[test]
    fn no_data_and_any_size_are_sketched() {
        let wrong = Series { label: "\u{1b}[31m".into(), x: vec![0.0, f64::NAN], y: vec![f64::INFINITY, 1e308] };
        let panel = Panel { series: vec![wrong.clone(), wrong], ..Default::default() };
        for size in [0, 1, 40, usize::MAX] {
            let text = sketch(&Plot { panels: vec![panel.clone(); 3], ..Default::default() }, size, size);
            assert!(!text.contains('\u{1b}'));
        }
        assert_eq!(sketch(&Plot::default(), 80, 20), "");
    }
}
