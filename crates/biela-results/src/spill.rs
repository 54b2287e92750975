//! Samples on their way to a file: a long run keeps a block of them in memory, and the rest waits on the disk beside the output until the
//! table is written from there, column by column or line by line as its format wants.
//!
//! The waiting file has no name where the system allows that (it is removed while it is open), so that nothing of it is left whatever
//! happens. Its blocks hold their columns one after the other.

use super::file::{is_descriptor, temporary_beside};
use super::place::Place;
use super::Results;
use biela_base::error::{Error, Result};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

/// Columns that wait on the disk.
#[derive(Debug)]
pub struct Spill(Mutex<Waiting>);

#[derive(Debug)]
struct Waiting {
    out: File,
    back: File,
    /// The folder and the name to be removed at the end, where it could not be before.
    name: Option<(Place, OsString)>,
    columns: Vec<String>,
    /// Where each block begins, and the number of its first sample.
    blocks: Vec<(u64, usize)>,
    end: u64,
    rows: usize,
    /// Why it cannot be written any further.
    fault: Option<String>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((place, name)) = &self.name {
            let _ = place.remove(name);
        }
    }
}

/// Two are the same where they are one.
impl PartialEq for Spill {
    fn eq(&self, other: &Spill) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Spill {
    /// Columns that will go to the file of that name; `None` where that is a pipe or a device, beside which nothing belongs.
    pub fn beside(path: &Path) -> Result<Option<Spill>> {
        if is_descriptor(path) || std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            return Ok(None);
        }
        let made = || {
            let place = Place::of(path)?;
            let (out, name) = temporary_beside(&place, None)?;
            let back = place.open(&name)?;
            let left = (!cfg!(unix) || place.remove(&name).is_err()).then_some((place, name));
            Ok(Waiting { out, back, name: left, columns: Vec::new(), blocks: Vec::new(), end: 0, rows: 0, fault: None })
        };
        let fault = |e: io::Error| Error::new(format!("nothing can be written beside '{}': {e}", path.display()));
        Ok(Some(Spill(Mutex::new(made().map_err(fault)?))))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(|p| p.into_inner())
    }

    /// Forgets what it holds and waits for these columns.
    pub fn begin(&self, columns: Vec<String>) {
        let mut waiting = self.waiting();
        (waiting.columns, waiting.end, waiting.rows) = (columns, 0, 0);
        waiting.blocks.clear();
    }

    /// Adds samples: as many of each column, in their order.
    ///
    /// # Errors
    /// Where the disk takes no more.
    pub fn block(&self, columns: &[&[f64]]) -> Result<()> {
        let mut waiting = self.waiting();
        let rows = columns.first().map_or(0, |column| column.len());
        if let Err(error) = waiting.put(columns, rows) {
            waiting.fault = Some(error.to_string());
        }
        waiting.check()
    }

    /// Number of samples.
    pub fn rows(&self) -> usize {
        self.waiting().rows
    }
}

impl Waiting {
    fn put(&mut self, columns: &[&[f64]], rows: usize) -> io::Result<()> {
        if columns.len() != self.columns.len() || columns.iter().any(|column| column.len() != rows) {
            return Err(io::Error::other("a block of another shape than its table"));
        }
        let (end, before) = (self.end, self.rows);
        self.out.seek(SeekFrom::Start(end))?;
        let mut bytes = Vec::with_capacity(8 * rows);
        for column in columns {
            bytes.clear();
            column.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
            self.out.write_all(&bytes)?;
        }
        self.blocks.push((end, before));
        self.end += (8 * rows * columns.len()) as u64;
        self.rows += rows;
        Ok(())
    }

    fn check(&self) -> Result<()> {
        match &self.fault {
            Some(fault) => Err(Error::new(format!("samples cannot be kept beside the output: {fault}"))),
            None => Ok(()),
        }
    }

    /// Samples `from..to` of a column.
    fn read(&mut self, column: usize, from: usize, to: usize) -> io::Result<Vec<f64>> {
        let mut values = Vec::with_capacity(to - from);
        let mut bytes = Vec::new();
        let first = self.blocks.partition_point(|block| block.1 <= from).saturating_sub(1);
        for k in first..self.blocks.len() {
            let (place, begin) = self.blocks[k];
            if begin >= to {
                break;
            }
            let end = self.blocks.get(k + 1).map_or(self.rows, |block| block.1);
            let (low, high) = (from.max(begin), to.min(end));
            self.back.seek(SeekFrom::Start(place + 8 * (column * (end - begin) + low - begin) as u64))?;
            bytes.resize(8 * (high - low), 0);
            self.back.read_exact(&mut bytes)?;
            values.extend(
                bytes.chunks_exact(8).map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]])),
            );
        }
        Ok(values)
    }
}

/// Where writers take a table from: results in memory, or their names and notes with the samples on the disk.
pub(super) struct Table<'r> {
    pub results: &'r Results,
    spilled: Option<(&'r Spill, Vec<usize>)>,
    pub rows: usize,
}

impl<'r> Table<'r> {
    /// Results in memory.
    pub fn of(results: &'r Results) -> io::Result<Table<'r>> {
        Ok(Table { results, spilled: None, rows: super::writer::rows(results)? })
    }

    /// Results whose samples wait on the disk under the names of their columns.
    pub fn spilled(results: &'r Results, spill: &'r Spill) -> io::Result<Table<'r>> {
        let waiting = spill.waiting();
        waiting.check().map_err(|e| io::Error::other(e.to_string()))?;
        let places: std::collections::HashMap<&str, usize> =
            waiting.columns.iter().enumerate().map(|(k, name)| (name.as_str(), k)).collect();
        let place = |column: &super::Column| {
            let found = places.get(column.name.as_str()).copied();
            found.ok_or_else(|| io::Error::other(format!("the samples of '{}' have not been kept", column.name)))
        };
        let places = results.columns.iter().map(place).collect::<io::Result<Vec<usize>>>()?;
        Ok(Table { results, spilled: Some((spill, places)), rows: waiting.rows })
    }

    /// Samples `from..to` of a column.
    pub fn column(&self, k: usize, from: usize, to: usize) -> io::Result<Cow<'r, [f64]>> {
        match &self.spilled {
            Some((spill, places)) => spill.waiting().read(places[k], from, to).map(Cow::Owned),
            None => Ok(Cow::Borrowed(&self.results.columns[k].data[from..to])),
        }
    }

    /// The whole table in memory, for formats that want it so.
    pub fn whole(&self) -> io::Result<Results> {
        let mut results = self.results.clone();
        for (k, column) in results.columns.iter_mut().enumerate() {
            column.data = self.column(k, 0, self.rows)?.into_owned();
        }
        Ok(results)
    }
}
