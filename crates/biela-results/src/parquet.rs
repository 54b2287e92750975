//! Apache Parquet: one required column of doubles per signal; units as JSON under the key `units` of the file's
//! metadata, each note under its own key, `complete` and `ended` as JSON.

use super::{json, writer::rows, Results};
use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

/// Writes the file. No date goes into it, so that the same results give the same bytes.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(results)?;
    let bytes = encode(results, rows).map_err(io::Error::other)?;
    out.write_all(&bytes)
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

fn encode(results: &Results, rows: usize) -> Result<Vec<u8>, ParquetError> {
    const ROWS_PER_GROUP: usize = 1 << 20;
    let units = json::object(results.columns.iter().map(|column| (column.name.as_str(), column.unit)));
    let mut metadata = vec![KeyValue::new("units".to_owned(), units)];
    let notes = unique(&results.notes).into_iter().filter(|note| !json::is_mark(&note.0));
    metadata.extend(notes.map(|(key, value)| KeyValue::new(key, value)));
    metadata.extend(json::mark(results).into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)));
    let properties = WriterProperties::builder()
        .set_created_by(concat!("biela ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY)
        // Samples hardly ever repeat: a dictionary would only cost time.
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(metadata))
        .build();
    let mut fields = Vec::with_capacity(results.columns.len());
    for column in &results.columns {
        let field = Type::primitive_type_builder(&column.name, Physical::DOUBLE);
        fields.push(Arc::new(field.with_repetition(Repetition::REQUIRED).build()?));
    }
    let schema = Arc::new(Type::group_type_builder("biela").with_fields(fields).build()?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    for start in (0..rows).step_by(ROWS_PER_GROUP) {
        let end = rows.min(start + ROWS_PER_GROUP);
        let mut group = writer.next_row_group()?;
        for column in &results.columns {
            let Some(mut chunk) = group.next_column()? else { break };
            chunk.typed::<DoubleType>().write_batch(&column.data[start..end], None, None)?;
            chunk.close()?;
        }
        group.close()?;
    }
    writer.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::awkward;
    use parquet::column::reader::ColumnReader;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn columns_and_units_are_in_the_file() {
        let results = awkward();
        let mut bytes = Vec::new();
        write(&results, &mut bytes).unwrap();
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
        let value = |key: &str| metadata.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
        assert!(value("units").contains("\"crank.x\": \"m\""));
        assert_eq!(value("model"), results.notes[0].1);
        assert_eq!(value("complete"), "true");
        let group = file.get_row_group(0).unwrap();
        for (k, column) in results.columns.iter().enumerate() {
            let ColumnReader::DoubleColumnReader(mut reader) = group.get_column_reader(k).unwrap() else {
                panic!("column {k} is not of doubles")
            };
            let mut data = Vec::new();
            reader.read_records(10, None, None, &mut data).unwrap();
            let bits = |data: &[f64]| data.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&data), bits(&column.data));
        }
    }

    #[test]
    fn the_mark_of_an_early_end_is_in_the_file() {
        let ended = crate::Ended { t: 0.25, reason: "singular".into(), driver: Some("motor".into()), value: Some(1.5) };
        let results = Results { ended: Some(ended), ..awkward() };
        let mut bytes = Vec::new();
        write(&results, &mut bytes).unwrap();
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
        let value = |key: &str| metadata.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
        assert_eq!(value("complete"), "false");
        assert_eq!(value("ended"), r#"{"driver":"motor","reason":"singular","t":0.25,"value":1.5}"#);
    }
}
