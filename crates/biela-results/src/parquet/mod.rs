//! Apache Parquet: one required column of doubles per signal; units as JSON under the key `units` of the file's
//! metadata, each note under its own key, `complete` and `ended` as JSON.
//!
//! `writer` makes such files, `reader` reads them back, `thrift` is the encoding of their metadata. Plain pages packed by Snappy are
//! all that is written, for samples hardly ever repeat; the library of the format, held to the same bytes in tests, would take a
//! sixth of the time to build the program.

mod reader;
#[cfg(test)]
mod tests;
mod thrift;
mod writer;

use super::spill::Table as Samples;
use super::{json, Results};
pub(crate) use reader::{Column, Table};
use std::collections::HashMap;
use std::io::{self, Write};
pub(crate) use writer::Writer;

/// At both ends of a file.
const MAGIC: &[u8] = b"PAR1";
/// Values one after the other.
const PLAIN: i32 = 0;
/// Levels in runs.
const RUNS: i32 = 3;
/// How pages are packed.
const SNAPPY: i32 = 1;

/// What a column is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Whole numbers of 64 bits.
    Whole,
    /// Doubles.
    Number,
    /// Texts in UTF-8.
    Text,
}

impl Kind {
    const NUMBERS: [(Kind, i32); 3] = [(Kind::Whole, 2), (Kind::Number, 5), (Kind::Text, 6)];

    /// The format's number of it.
    fn number(self) -> i32 {
        Kind::NUMBERS.iter().find(|entry| entry.0 == self).map_or(-1, |entry| entry.1)
    }

    fn of_number(number: i64) -> Option<Kind> {
        Kind::NUMBERS.iter().find(|entry| i64::from(entry.1) == number).map(|entry| entry.0)
    }
}

/// Values of a column that are to be written.
#[derive(Clone, Copy)]
pub(crate) enum Values<'v> {
    Wholes(&'v [u64]),
    Numbers(&'v [f64]),
    Texts(&'v [String]),
}

/// Writes the file. No date goes into it, so that the same results give the same bytes.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    write_table(&Samples::of(results)?, out)
}

/// The same of a table wherever it is, a column of a group at a time.
pub(super) fn write_table(table: &Samples, out: &mut dyn Write) -> io::Result<()> {
    const ROWS_PER_GROUP: usize = 1 << 20;
    let (results, rows) = (table.results, table.rows);
    let columns = results.columns.iter().map(|column| (column.name.clone(), Kind::Number)).collect();
    let mut writer = Writer::new(out, columns)?;
    for start in (0..rows).step_by(ROWS_PER_GROUP) {
        let end = rows.min(start + ROWS_PER_GROUP);
        writer.group_of(end - start, results.columns.len(), |k| table.column(k, start, end))?;
    }
    let units = json::object(results.columns.iter().map(|column| (column.name.as_str(), column.unit)));
    let mut notes = vec![("units".to_owned(), units)];
    notes.extend(unique(&results.notes).into_iter().filter(|note| !json::is_mark(&note.0)));
    notes.extend(json::mark(results).into_iter().map(|(key, value)| (key.to_owned(), value)));
    writer.finish(&notes)
}

/// Notes with each key once, for readers keep one value of each: what is said several times stands on lines of its own.
fn unique(notes: &[(String, String)]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (key, text) in notes {
        match places.get(key.as_str()) {
            Some(k) => {
                found[*k].1.push('\n');
                found[*k].1.push_str(text);
            }
            None => {
                places.insert(key, found.len());
                found.push((key.clone(), text.clone()));
            }
        }
    }
    found
}
