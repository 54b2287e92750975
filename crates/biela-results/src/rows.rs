//! The table of a sweep: a row for each sample (or for each sample and time), with the reason where it has no values.
//!
//! As CSV: `sample`, a column for each value, `reason`. As Parquet the same (`rows_parquet`).

use super::csv::quoted;
use super::format::by_extension;
use biela_base::error::Result;
use std::io::{self, Write};
use std::path::Path;

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
}

impl Rows {
    /// No rows yet, of so many values.
    pub fn new(columns: usize) -> Rows {
        Rows { samples: Vec::new(), columns: vec![Vec::new(); columns], reasons: Vec::new() }
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

    /// Adds the rows of another.
    pub fn append(&mut self, other: &Rows) {
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
    }
}

/// A way of writing the rows of a whole sweep, chunk by chunk.
pub struct RowFormat {
    /// Extension of the file's name.
    pub extension: &'static str,
    write: fn(&Header, &mut Source, &mut (dyn Write + Send)) -> io::Result<()>,
}

/// Where rows come from, chunk by chunk: none at the end.
pub type Source<'a> = dyn FnMut() -> io::Result<Option<Rows>> + 'a;

/// Every format of the table of a sweep.
pub const ROW_FORMATS: &[RowFormat] = &[
    #[cfg(feature = "parquet")]
    RowFormat { extension: "parquet", write: super::rows_parquet::write },
    RowFormat { extension: "csv", write: csv },
];

/// The format that the extension of a path asks for.
pub fn row_format(path: &Path) -> Result<&'static RowFormat> {
    by_extension(path, ROW_FORMATS.iter().map(|format| (format.extension, format)))
}

/// Writes rows as they come, in the format of the file's extension: whole, or not at all. Memory does not grow with them.
pub fn write_rows(path: &Path, header: &Header, source: &mut Source) -> Result<()> {
    let format = row_format(path)?;
    super::write_atomically(path, |out| (format.write)(header, source, out))
}

fn csv(header: &Header, source: &mut Source, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let mut buffer = b"sample".to_vec();
    for (name, unit) in &header.columns {
        buffer.push(b',');
        buffer.extend_from_slice(quoted(&format!("{name} [{unit}]")).as_bytes());
    }
    buffer.extend_from_slice(b",reason\n");
    out.write_all(&buffer)?;
    let mut number = zmij::Buffer::new();
    while let Some(rows) = source()? {
        buffer.clear();
        for row in 0..rows.len() {
            buffer.extend_from_slice(rows.samples[row].to_string().as_bytes());
            for column in &rows.columns {
                buffer.push(b',');
                buffer.extend_from_slice(number.format(column[row]).as_bytes());
            }
            buffer.push(b',');
            buffer.extend_from_slice(quoted(&rows.reasons[row]).as_bytes());
            buffer.push(b'\n');
        }
        out.write_all(&buffer)?;
    }
    Ok(())
}
