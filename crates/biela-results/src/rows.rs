//! The table of a sweep: a row for each sample (or for each sample and time), with the reason where it has no values.
//!
//! As CSV: `sample`, a column for each value, `reason`. As Parquet the same (`rows_parquet`).

use biela_base::failure::FailureClass;
use std::io;

/// What all rows of a sweep have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Names and units of the values.
    pub columns: Vec<(String, String)>,
    /// What is to be said about the sweep as a whole: keys and values.
    pub notes: Vec<(String, String)>,
}

impl Header {
    /// What is said under a key; nothing where there is no such key.
    pub fn note(&self, key: &str) -> &str {
        self.notes.iter().find(|note| note.0 == key).map_or("", |note| note.1.as_str())
    }
}

/// Rows of a sweep.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// Number of the sample, one for each row.
    pub samples: Vec<u64>,
    /// The values, column by column.
    pub columns: Vec<Vec<f64>>,
    /// Why there are no values; empty where there are.
    pub reasons: Vec<String>,
    /// Classes of the failures with their rows, in order. Parts of a sweep carry them; a table of results does not.
    pub classes: Vec<(usize, FailureClass)>,
}

impl Rows {
    /// No rows yet, of so many values.
    pub fn new(columns: usize) -> Rows {
        Rows { columns: vec![Vec::new(); columns], ..Rows::default() }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Adds a row; values that are missing are not a number.
    pub fn push(&mut self, sample: u64, values: impl IntoIterator<Item = f64>, reason: &str) {
        let mut values = values.into_iter();
        self.samples.push(sample);
        self.columns.iter_mut().for_each(|column| column.push(values.next().unwrap_or(f64::NAN)));
        self.reasons.push(reason.to_string());
    }

    /// Adds the row of a sample that failed.
    pub fn push_failed(
        &mut self,
        sample: u64,
        values: impl IntoIterator<Item = f64>,
        reason: &str,
        class: FailureClass,
    ) {
        self.classes.push((self.len(), class));
        self.push(sample, values, reason);
    }

    /// Adds the rows of another.
    pub fn append(&mut self, other: &Rows) {
        let before = self.len();
        self.classes.extend(other.classes.iter().map(|(row, class)| (before + row, class.clone())));
        self.samples.extend(&other.samples);
        self.columns.iter_mut().zip(&other.columns).for_each(|(all, more)| all.extend(more));
        self.reasons.extend(other.reasons.iter().cloned());
    }

    /// Takes all rows out.
    #[cfg(feature = "parquet")]
    pub(super) fn clear(&mut self) {
        self.samples.clear();
        self.columns.iter_mut().for_each(Vec::clear);
        self.reasons.clear();
        self.classes.clear();
    }
}

/// Where rows come from, chunk by chunk: none at the end.
pub type Source<'a> = dyn FnMut() -> io::Result<Option<Rows>> + 'a;
