//! Results: named, unit-carrying columns, and every output that reads them.
//!
//! A [`Results`] is what a run leaves behind. Files ([`write()`], [`read`]) and the table for the
//! terminal ([`summary`]) know nothing but it; nor do diagrams (`biela-plot`).
//!
//! | file | idea |
//! |---|---|
//! | `ended` | the mark of a run that ended before its time |
//! | `select` | choosing columns by name, glob or element |
//! | `format` | the registry of file formats, and reading and writing by file name |
//! | `csv`, `json`, `npz`, `parquet` | one file format each |
//! | `rows`, `rows_parquet`, `parts` | the table of a sweep: a row for each sample; and the same in parts, until all are there |
//! | `file`, `place` | a file is whole or absent; a name in a folder that is held open |
//! | `spill` | samples of a long run, which wait on the disk until they are written |
//! | `claims` | outputs, which must not be read |
//! | `in_units` | the same table in the units that people read |
//! | `number` | numbers for people |
//! | `summary` | least and greatest value of each signal, as text |
//!
//! The feature `parquet`, on by default, has tables as Parquet and sweeps in parts. What is off is in no registry, and a message names the
//! feature that has it.

// Helpers that only an output left out uses stay where they are.
#![cfg_attr(not(feature = "parquet"), allow(dead_code))]

mod claims;
mod csv;
mod ended;
mod file;
mod format;
mod in_units;
mod json;
pub mod markup;
mod npz;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
pub mod parts;
mod place;
pub mod row_formats;
pub mod rows;
#[cfg(feature = "parquet")]
mod rows_parquet;
mod select;
mod spill;
mod summary;
mod writer;

pub use claims::{any_claim_met, claim, Claim};
pub use ended::Ended;
pub use file::{read_if_any, read_whole, write_atomically, Root};
pub use format::{
    by_extension, format_of, formats, read, register, write, write_spilled, Format, Reader, Writer, FORMATS,
};
pub use in_units::{quantity_in_words, times_in_words};
pub use number::{significant, trimmed};
pub use select::matching;
pub use spill::Spill;
pub use summary::{printable, summary, summary_of_first};

use biela_base::error::{Error, ErrorKind, Reason, Result};
use std::collections::HashSet;
use std::sync::Mutex;

/// One signal: its name, its unit and its samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name as the user knows it, such as `crank.B.vx`.
    pub name: String,
    /// Unit in ASCII, such as `m/s^2`; `1` for a pure number.
    pub unit: &'static str,
    /// One value per sample.
    pub data: Vec<f64>,
}

/// Least and greatest finite value of a signal, each with the time at which it is reached first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extremes {
    /// Least value.
    pub least: f64,
    /// Time of the least value; the sample's number where there is no time.
    pub t_least: f64,
    /// Greatest value.
    pub greatest: f64,
    /// Time of the greatest value; the sample's number where there is no time.
    pub t_greatest: f64,
}

impl Column {
    /// A column from its parts.
    pub fn new(name: impl Into<String>, unit: &'static str, data: Vec<f64>) -> Column {
        Column { name: name.into(), unit, data }
    }

    /// Least and greatest finite value against the times `t`; none where no value is finite.
    pub fn extremes(&self, t: &[f64]) -> Option<Extremes> {
        let mut finite = self.data.iter().copied().enumerate().filter(|(_, value)| value.is_finite());
        let first = finite.next()?;
        let (mut least, mut greatest) = (first, first);
        for (k, value) in finite {
            if value < least.1 {
                least = (k, value);
            }
            if value > greatest.1 {
                greatest = (k, value);
            }
        }
        let time = |k: usize| t.get(k).copied().unwrap_or(k as f64);
        Some(Extremes { least: least.1, t_least: time(least.0), greatest: greatest.1, t_greatest: time(greatest.0) })
    }
}

/// Columns of equal length, `t` first, and what is to be said about the run as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    /// The signals, in the order in which tables show them.
    pub columns: Vec<Column>,
    /// Keys and values: name of the model, figures of its verification.
    pub notes: Vec<(String, String)>,
    /// Where and why the run ended before its time; `None` where it is complete.
    pub ended: Option<Ended>,
}

impl Results {
    /// The column of that name.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether the run came to its end.
    pub fn is_complete(&self) -> bool {
        self.ended.is_none()
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |column| column.data.len())
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is said under a key.
    pub fn note(&self, key: &str) -> Option<&str> {
        self.notes.iter().find(|note| note.0 == key).map(|note| note.1.as_str())
    }

    /// All that is said under a key.
    pub fn notes_of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.notes.iter().filter(move |note| note.0 == key).map(|note| note.1.as_str())
    }

    /// Says something about the run.
    pub fn tell(&mut self, key: &str, text: impl Into<String>) {
        self.notes.push((key.into(), text.into()));
    }

    /// The times of the samples; empty where there is no column `t`.
    pub fn times(&self) -> &[f64] {
        self.get("t").map_or(&[], |column| &column.data)
    }

    /// Least and greatest value of a signal and when they are reached.
    pub fn extremes(&self, name: &str) -> Option<Extremes> {
        self.get(name)?.extremes(self.times())
    }

    /// That all columns have one length and names of their own, and that no reader takes the names for a line of numbers.
    pub fn check(&self) -> Result<()> {
        let mut seen = HashSet::new();
        let numbers = self.columns.iter().all(|column| column.name.trim().parse::<f64>().is_ok());
        for column in &self.columns {
            let at_fault = || format!("signal '{}'", column.name);
            if column.data.len() != self.len() {
                let (found, due) = (column.data.len(), self.len());
                return Err(Error::new(format!("{found} samples where the first column has {due}")).of(at_fault()));
            }
            // A byte order mark before the first name would be taken for one of the file.
            if column.name.trim().is_empty() || numbers || column.name.starts_with('\u{feff}') {
                return Err(Error::new("this is no name of a signal").of(at_fault()));
            }
            if column.unit.contains(['[', ']']) {
                return Err(Error::new(format!("'{}' is no unit", column.unit)).of(at_fault()));
            }
            if !seen.insert(column.name.as_str()) {
                return Err(Error::new("the name occurs twice").of(at_fault()));
            }
        }
        Ok(())
    }
}

/// Refuses a table that takes more than `room` bytes, before anything is computed for it.
pub fn check_room(columns: usize, samples: usize, room: u64) -> Result<()> {
    const VALUE: u64 = size_of::<f64>() as u64;
    let bytes = (columns as u64).saturating_mul(samples as u64).saturating_mul(VALUE);
    if bytes <= room {
        return Ok(());
    }
    let most = (room / VALUE / (columns as u64).max(1)).saturating_sub(1);
    let size = |bytes: u64| match bytes >> 30 {
        0 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", significant(bytes as f64 / f64::from(1 << 30), 3)),
    };
    Err(ErrorKind::Capacity
        .error(format!(
            "{columns} columns with {samples} samples are a table of {}; at most {} are kept",
            size(bytes),
            size(room)
        ))
        .because(Reason::TooLarge)
        .note(format!("ask for {most} steps or fewer, or for a shorter time")))
}

/// A unit read from a file as the static text that [`Column::unit`] is.
///
/// Each different unit is kept once for the life of the program; caps on length and number bound what that costs.
pub fn intern_unit(unit: &str) -> Result<&'static str> {
    const LONGEST: usize = 32;
    const MOST: usize = 1000;
    static UNITS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    if unit.len() > LONGEST || unit.chars().any(char::is_control) {
        return Err(Error::new(format!("a unit of {} bytes is no unit", unit.len()))
            .note(format!("a unit has at most {LONGEST} bytes, all printable")));
    }
    let mut units = UNITS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = units.iter().find(|known| **known == unit) {
        return Ok(known);
    }
    if units.len() >= MOST {
        return Err(Error::new(format!("more than {MOST} different units")));
    }
    let kept: &'static str = Box::leak(unit.to_owned().into_boxed_str());
    units.push(kept);
    Ok(kept)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small table with awkward names and values, for the round trips of the file formats.
    pub(crate) fn awkward() -> Results {
        Results {
            columns: vec![
                Column::new("t", "s", vec![0.0, 0.1, 0.30000000000000004]),
                Column::new("crank.x", "m", vec![1.0, -2.5e-310, 1.7976931348623157e308]),
                Column::new("a, \"b\"\nc [d]", "m/s^2", vec![-0.0, 1e21, 5e-324]),
                Column::new("Kolben \u{e4}.e0", "1", vec![f64::NAN, 0.1, -1e-7]),
            ],
            notes: vec![("model".into(), "slider \"crank\" \\ \u{1}".into())],
            ended: None,
        }
    }

    /// Equality bit by bit, except that all NaN are one.
    pub(crate) fn same(a: &Results, b: &Results) -> bool {
        a.columns.len() == b.columns.len()
            && a.columns.iter().zip(&b.columns).all(|(a, b)| {
                let equal = |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
                a.name == b.name
                    && a.unit == b.unit
                    && a.data.len() == b.data.len()
                    && a.data.iter().zip(&b.data).all(equal)
            })
    }

    #[test]
    fn extremes_skip_what_is_not_finite_and_take_the_first_time() {
        let column = Column::new("a", "m", vec![f64::NAN, 2.0, -1.0, f64::INFINITY, 2.0, -1.0]);
        let found = column.extremes(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(found, Some(Extremes { least: -1.0, t_least: 2.0, greatest: 2.0, t_greatest: 1.0 }));
        assert_eq!(Column::new("a", "m", vec![f64::NAN]).extremes(&[0.0]), None);
    }

    #[test]
    fn ragged_and_doubled_columns_are_found() {
        let mut results = awkward();
        assert!(results.check().is_ok());
        results.columns[1].data.pop();
        assert_eq!(results.check().unwrap_err().element(), Some("signal 'crank.x'"));
        let mut results = awkward();
        results.columns[2].name = "t".into();
        assert_eq!(results.check().unwrap_err().element(), Some("signal 't'"));
    }

    #[test]
    fn a_unit_is_kept_once() {
        let (a, b) = (intern_unit("N*m").unwrap(), intern_unit("N*m").unwrap());
        assert!(std::ptr::eq(a, b));
        assert!(intern_unit(&"x".repeat(33)).is_err());
    }
}
