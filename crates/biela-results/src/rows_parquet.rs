//! The table of a sweep as Parquet: `sample` of 64-bit integers, a column of doubles for each value, `reason` of texts.
//! Parts of a sweep have one more, with the class of each failure, so that what is told of the whole is that of a sweep in one go.

use super::json;
use super::rows::{Header, Rows, Source};
use biela_base::error::{Error, Result};
use biela_base::failure::FailureClass;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::io::{self, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::Arc;

/// Rows of one group of a joined Parquet file, at least, where there are so many.
const ROWS_PER_GROUP: usize = 1 << 16;

/// Column of the classes of failures, after `reason`.
const CLASS: &str = "failure class";

impl Rows {
    /// Writes the rows as one Parquet file, in one group, with the classes of failures.
    pub fn write_parquet(&self, header: &Header, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let mut writer = Parquet::new(header, true, out).map_err(io::Error::other)?;
        writer.group(self).map_err(io::Error::other)?;
        writer.0.close().map(|_| ()).map_err(io::Error::other)
    }

    /// Reads a Parquet file that [`Rows::write_parquet`] or a join wrote.
    pub fn read_parquet(path: &Path) -> Result<(Header, Rows)> {
        let file = super::file::open_regular(path, u64::MAX).map_err(|e| unreadable(path, e.message()))?;
        Rows::read_open(file, path)
    }

    /// The same of an open file; `path` is its name.
    pub(super) fn read_open(file: File, path: &Path) -> Result<(Header, Rows)> {
        let fault = |e: &dyn std::fmt::Display| unreadable(path, &e.to_string());
        // The reader of Parquet panics on some damaged files.
        match catch_unwind(AssertUnwindSafe(|| read(file))) {
            Ok(found) => found.map_err(|e| fault(&e)),
            Err(_) => Err(fault(&"it is damaged")),
        }
    }
}

/// A table that cannot be read.
pub(super) fn unreadable(path: &Path, why: &str) -> Error {
    Error::new(format!("cannot be read: {why}")).of(format!("file '{}'", path.display()))
}

fn read(file: File) -> std::result::Result<(Header, Rows), ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let meta = reader.metadata().file_metadata();
    let names: Vec<String> = meta.schema_descr().columns().iter().map(|c| c.name().to_string()).collect();
    let pairs = meta.key_value_metadata().cloned().unwrap_or_default();
    let mut notes: Vec<(String, String)> = pairs.into_iter().map(|p| (p.key, p.value.unwrap_or_default())).collect();
    let units = notes.iter().position(|n| n.0 == "units").map(|k| notes.remove(k).1).unwrap_or_default();
    let units = json::read_object(units.as_bytes()).unwrap_or_default();
    let unit = |name: &str| units.iter().find(|u| u.0 == name).map_or("1".to_string(), |u| u.1.clone());
    // No value is called `reason`, so that a value of the other name is not mistaken.
    let classed = names.last().is_some_and(|n| n == CLASS) && names.iter().rev().nth(1).is_some_and(|n| n == "reason");
    let values = names.len().saturating_sub(if classed { 3 } else { 2 });
    let columns = names.iter().skip(1).take(values).map(|n| (n.clone(), unit(n))).collect();
    let mut rows = Rows::new(values);
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group)?;
        let (count, before) = (group.metadata().num_rows() as usize, rows.samples.len());
        for k in 0..names.len() {
            match group.get_column_reader(k)? {
                ColumnReader::Int64ColumnReader(mut column) => {
                    let mut data = Vec::new();
                    column.read_records(count, None, None, &mut data)?;
                    rows.samples.extend(data.into_iter().map(|x| x as u64));
                }
                ColumnReader::DoubleColumnReader(mut column) if k <= values => {
                    column.read_records(count, None, None, &mut rows.columns[k - 1])?;
                }
                ColumnReader::ByteArrayColumnReader(mut column) => {
                    let mut data = Vec::new();
                    column.read_records(count, None, None, &mut data)?;
                    let texts = data.iter().map(|x| String::from_utf8_lossy(x.data()));
                    if k == values + 1 {
                        rows.reasons.extend(texts.map(|text| text.into_owned()));
                    } else if k == values + 2 {
                        let classes = texts.enumerate().map(|(row, text)| (before + row, FailureClass::parse(&text)));
                        rows.classes.extend(classes.filter_map(|(row, class)| Some((row, class?))));
                    }
                }
                _ => return Err(ParquetError::General("this is no table of a sweep".into())),
            }
        }
    }
    let whole = rows.columns.iter().map(Vec::len).chain([rows.reasons.len()]).all(|n| n == rows.samples.len());
    match whole {
        true => Ok((Header { columns, notes }, rows)),
        false => Err(ParquetError::General("this is no table of a sweep".into())),
    }
}

/// A Parquet file while it is written.
struct Parquet<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> Parquet<W> {
    fn new(header: &Header, classed: bool, out: W) -> std::result::Result<Parquet<W>, ParquetError> {
        let units = json::object(header.columns.iter().map(|(name, unit)| (name.as_str(), unit.as_str())));
        let mut metadata = vec![KeyValue::new("units".to_owned(), units)];
        metadata.extend(header.notes.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())));
        let properties = WriterProperties::builder()
            .set_created_by(concat!("biela ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .set_dictionary_enabled(false)
            // Reasons repeat, where there are any.
            .set_column_dictionary_enabled("reason".into(), true)
            .set_column_dictionary_enabled(CLASS.into(), true)
            .set_key_value_metadata(Some(metadata))
            .build();
        let field = |name: &str, kind: Physical, logical: Option<LogicalType>| {
            let builder = Type::primitive_type_builder(name, kind).with_repetition(Repetition::REQUIRED);
            builder.with_logical_type(logical).build().map(Arc::new)
        };
        let mut fields = vec![field("sample", Physical::INT64, None)?];
        for (name, _) in &header.columns {
            fields.push(field(name, Physical::DOUBLE, None)?);
        }
        fields.push(field("reason", Physical::BYTE_ARRAY, Some(LogicalType::String))?);
        if classed {
            fields.push(field(CLASS, Physical::BYTE_ARRAY, Some(LogicalType::String))?);
        }
        let schema = Arc::new(Type::group_type_builder("biela").with_fields(fields).build()?);
        Ok(Parquet(SerializedFileWriter::new(out, schema, Arc::new(properties))?))
    }

    fn group(&mut self, rows: &Rows) -> std::result::Result<(), ParquetError> {
        let mut group = self.0.next_row_group()?;
        let samples: Vec<i64> = rows.samples.iter().map(|x| *x as i64).collect();
        let reasons: Vec<ByteArray> = rows.reasons.iter().map(|x| ByteArray::from(x.as_str())).collect();
        let mut classes = vec![ByteArray::from(""); rows.len()];
        rows.classes.iter().for_each(|(row, class)| classes[*row] = ByteArray::from(class.to_string().as_str()));
        let mut k = 0;
        while let Some(mut chunk) = group.next_column()? {
            if k == 0 {
                chunk.typed::<Int64Type>().write_batch(&samples, None, None)?;
            } else if k <= rows.columns.len() {
                chunk.typed::<DoubleType>().write_batch(&rows.columns[k - 1], None, None)?;
            } else {
                let texts = if k == rows.columns.len() + 1 { &reasons } else { &classes };
                chunk.typed::<ByteArrayType>().write_batch(texts, None, None)?;
            }
            chunk.close()?;
            k += 1;
        }
        group.close().map(|_| ())
    }
}

/// Writes rows as they come.
pub(super) fn write(header: &Header, source: &mut Source, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let mut writer = Parquet::new(header, false, out).map_err(io::Error::other)?;
    let mut gathered = Rows::new(header.columns.len());
    while let Some(rows) = source()? {
        gathered.append(&rows);
        if gathered.len() >= ROWS_PER_GROUP {
            writer.group(&gathered).map_err(io::Error::other)?;
            gathered.clear();
        }
    }
    if !gathered.is_empty() {
        writer.group(&gathered).map_err(io::Error::other)?;
    }
    writer.0.close().map(|_| ()).map_err(io::Error::other)
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
