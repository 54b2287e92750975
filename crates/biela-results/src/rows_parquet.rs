//! The table of a sweep as Parquet: `sample` of 64-bit integers, a column of doubles for each value, `reason` of texts.
//! Parts of a sweep have one more, with the class of each failure, so that what is told of the whole is that of a sweep in one go.

use super::json;
use super::parquet::{Column, Kind, Table, Values, Writer};
use super::rows::{Header, Rows, Source};
use biela_base::error::{Error, Result};
use biela_base::failure::FailureClass;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Rows of one group of a joined Parquet file, at least, where there are so many.
const ROWS_PER_GROUP: usize = 1 << 16;

/// Column of the classes of failures, after `reason`.
const CLASS: &str = "failure class";

impl Rows {
    /// Writes the rows as one Parquet file, in one group, with the classes of failures.
    pub fn write_parquet(&self, header: &Header, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let mut writer = begin(header, true, out)?;
        group(&mut writer, self, true)?;
        writer.finish(&notes(header))
    }

    /// Reads a Parquet file that [`Rows::write_parquet`] or a join wrote.
    pub fn read_parquet(path: &Path) -> Result<(Header, Rows)> {
        let file = super::file::open_regular(path, u64::MAX).map_err(|e| unreadable(path, e.message()))?;
        Rows::read_open(file, path)
    }

    /// The same of an open file; `path` is its name.
    pub(super) fn read_open(file: File, path: &Path) -> Result<(Header, Rows)> {
        read(file).map_err(|e| unreadable(path, &e.to_string()))
    }
}

/// A table that cannot be read.
pub(super) fn unreadable(path: &Path, why: &str) -> Error {
    Error::new(format!("cannot be read: {why}")).of(format!("file '{}'", path.display()))
}

fn read(file: File) -> io::Result<(Header, Rows)> {
    let other = || io::Error::new(io::ErrorKind::InvalidData, "this is no table of a sweep");
    let mut table = Table::open(file)?;
    let mut notes = std::mem::take(&mut table.notes);
    let units = notes.iter().position(|n| n.0 == "units").map(|k| notes.remove(k).1).unwrap_or_default();
    let units = json::read_object(units.as_bytes()).unwrap_or_default();
    let unit = |name: &str| units.iter().find(|u| u.0 == name).map_or("1".to_string(), |u| u.1.clone());
    let names: Vec<String> = table.columns.iter().map(|column| column.0.clone()).collect();
    // No value is called `reason`, so that a value of the other name is not mistaken.
    let classed = names.last().is_some_and(|n| n == CLASS) && names.iter().rev().nth(1).is_some_and(|n| n == "reason");
    let values = names.len().checked_sub(2 + usize::from(classed)).ok_or_else(other)?;
    let columns = names.iter().skip(1).take(values).map(|n| (n.clone(), unit(n))).collect();
    let mut rows = Rows::new(values);
    for group in 0..table.groups() {
        let before = rows.len();
        for k in 0..names.len() {
            match table.column(group, k)? {
                Column::Wholes(data) if k == 0 => rows.samples.extend(data),
                Column::Numbers(data) if (1..=values).contains(&k) => rows.columns[k - 1].extend(data),
                Column::Texts(data) if k == values + 1 => rows.reasons.extend(data),
                Column::Texts(data) if k == values + 2 => {
                    let classes = data.iter().enumerate().map(|(row, text)| (before + row, FailureClass::parse(text)));
                    rows.classes.extend(classes.filter_map(|(row, class)| Some((row, class?))));
                }
                _ => return Err(other()),
            }
        }
    }
    Ok((Header { columns, notes }, rows))
}

fn begin<W: Write>(header: &Header, classed: bool, out: W) -> io::Result<Writer<W>> {
    let text = |name: &str| (name.to_owned(), Kind::Text);
    let mut columns = vec![("sample".to_owned(), Kind::Whole)];
    columns.extend(header.columns.iter().map(|(name, _)| (name.clone(), Kind::Number)));
    columns.push(text("reason"));
    columns.extend(classed.then(|| text(CLASS)));
    Writer::new(out, columns)
}

fn group<W: Write>(writer: &mut Writer<W>, rows: &Rows, classed: bool) -> io::Result<()> {
    let mut classes = Vec::new();
    if classed {
        classes.resize(rows.len(), String::new());
        rows.classes.iter().for_each(|(row, class)| classes[*row] = class.to_string());
    }
    let mut all = vec![Values::Wholes(&rows.samples)];
    all.extend(rows.columns.iter().map(|column| Values::Numbers(column)));
    all.push(Values::Texts(&rows.reasons));
    all.extend(classed.then_some(Values::Texts(&classes)));
    writer.group(rows.len(), all.into_iter())
}

fn notes(header: &Header) -> Vec<(String, String)> {
    let units = json::object(header.columns.iter().map(|(name, unit)| (name.as_str(), unit.as_str())));
    [("units".to_owned(), units)].into_iter().chain(header.notes.iter().cloned()).collect()
}

/// Writes rows as they come.
pub(super) fn write(header: &Header, source: &mut Source, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let mut writer = begin(header, false, out)?;
    let mut gathered = Rows::new(header.columns.len());
    while let Some(rows) = source()? {
        gathered.append(&rows);
        if gathered.len() >= ROWS_PER_GROUP {
            group(&mut writer, &gathered, false)?;
            gathered.clear();
        }
    }
    if !gathered.is_empty() {
        group(&mut writer, &gathered, false)?;
    }
    writer.finish(&notes(header))
}

#[cfg(test)]
mod tests {
    use super::super::row_formats::write_rows;
    use super::*;
    use biela_base::error::Reason;

    #[test]
    fn a_table_reads_back() {
        let header = Header {
            columns: vec![("crank".into(), "m".into()), ("reach".into(), "1".into())],
            notes: vec![("model".into(), "a \"b\"".into())],
        };
        let mut rows = Rows::new(2);
        rows.push(7, [1.5, -0.0], "");
        let class = FailureClass::of(&Error::new("no").because(Reason::NotFinite).of("measure 'a/b'"));
        rows.push_failed(8, [f64::MIN_POSITIVE], "no, \"not\"\nthis", class);
        let path = std::env::temp_dir().join(format!("biela-rows-{}.parquet", std::process::id()));
        let mut bytes = Vec::new();
        rows.write_parquet(&header, &mut bytes).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let (read_header, read) = Rows::read_parquet(&path).unwrap();
        assert_eq!(read_header, header);
        assert_eq!((&read.samples, &read.reasons, &read.classes), (&rows.samples, &rows.reasons, &rows.classes));
        assert!(read.columns[1][1].is_nan());
        assert_eq!(read.columns[0], rows.columns[0]);
        // Cut short anywhere it is refused, never misread.
        for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            assert!(Rows::read_parquet(&path).is_err());
        }
        // What is joined says the reasons alone.
        let mut once = Some(rows.clone());
        write_rows(&path, &header, &mut || Ok(once.take())).unwrap();
        let (joined_header, joined) = Rows::read_parquet(&path).unwrap();
        assert_eq!((joined_header, &joined.reasons, joined.classes.len()), (header.clone(), &rows.reasons, 0));
        let csv_path = path.with_extension("csv");
        let mut once = Some(rows);
        write_rows(&csv_path, &header, &mut || Ok(once.take())).unwrap();
        let text = std::fs::read_to_string(&csv_path).unwrap();
        assert!(text.starts_with("sample,crank [m],reach [1],reason\n7,1.5,-0.0,\n8,"), "{text}");
        assert!(text.contains("\"no, \"\"not\"\"\nthis\"\n"), "{text}");
        let _ = (std::fs::remove_file(path), std::fs::remove_file(csv_path));
    }
}
