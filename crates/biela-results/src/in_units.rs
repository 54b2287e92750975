//! Results in the units that people read.

use super::{intern_unit, Results};
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

#[cfg(test)]
mod tests {
    use crate::{Column, Results};
    use biela_base::display_units::DisplayUnits;

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
