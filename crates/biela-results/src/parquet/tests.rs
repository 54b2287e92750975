//! Files as the library of the format reads them, and as they are read back whatever happened to them.

use super::*;
use crate::tests::awkward;
use parquet::column::reader::ColumnReader;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;

fn bits(data: &[f64]) -> Vec<u64> {
    data.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn columns_and_units_are_in_the_file() {
    let results = awkward();
    let mut bytes = Vec::new();
    write(&results, &mut bytes).unwrap();
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| metadata.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
    assert!(value("units").contains("\"crank.x\": \"m\""));
    assert_eq!((value("model"), value("complete")), (results.notes[0].1.clone(), "true".to_string()));
    let group = file.get_row_group(0).unwrap();
    for (k, column) in results.columns.iter().enumerate() {
        let ColumnReader::DoubleColumnReader(mut reader) = group.get_column_reader(k).unwrap() else {
            panic!("column {k} is not of doubles")
        };
        let mut data = Vec::new();
        reader.read_records(10, None, None, &mut data).unwrap();
        assert_eq!(bits(&data), bits(&column.data));
    }
}

#[test]
fn the_mark_of_an_early_end_is_in_the_file() {
    let ended = crate::Ended { t: 0.25, reason: "singular".into(), driver: Some("drive".into()), value: Some(1.5) };
    let mut bytes = Vec::new();
    write(&Results { ended: Some(ended), ..awkward() }, &mut bytes).unwrap();
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| metadata.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
    assert_eq!(value("complete"), "false");
    assert_eq!(value("ended"), r#"{"driver":"drive","reason":"singular","t":0.25,"value":1.5}"#);
}

/// A table of every kind of column, of several groups and of several pages.
fn large() -> (Vec<u64>, Vec<f64>, Vec<String>, Vec<u8>) {
    let count = 300_000;
    let wholes: Vec<u64> = (0..count).map(|k| k * k).collect();
    let numbers: Vec<f64> = wholes.iter().map(|k| (*k as f64).sqrt() - 0.1).collect();
    let texts: Vec<String> = (0..count).map(|k| ["", "ü", "no way"][k as usize % 3].repeat(k as usize % 7)).collect();
    let mut bytes = Vec::new();
    let columns = [("n", Kind::Whole), ("x", Kind::Number), ("why", Kind::Text)];
    let mut writer = Writer::new(&mut bytes, columns.map(|(name, kind)| (name.to_string(), kind)).to_vec()).unwrap();
    for range in [0..7, 7..count as usize] {
        let all = [
            Values::Wholes(&wholes[range.clone()]),
            Values::Numbers(&numbers[range.clone()]),
            Values::Texts(&texts[range.clone()]),
        ];
        writer.group(range.len(), all.into_iter()).unwrap();
    }
    // More than fourteen of a list, whose length is written otherwise.
    let notes: Vec<_> = (0..20).map(|k| (format!("key {k}"), "ä\n".repeat(k))).collect();
    writer.finish(&notes).unwrap();
    (wholes, numbers, texts, bytes)
}

#[test]
fn the_library_reads_every_kind_of_column_over_groups_and_pages() {
    let (wholes, numbers, texts, bytes) = large();
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    assert_eq!(file.metadata().file_metadata().num_rows(), wholes.len() as i64);
    assert_eq!(file.metadata().file_metadata().key_value_metadata().unwrap().len(), 20);
    let (mut n, mut x, mut why) = (Vec::new(), Vec::new(), Vec::new());
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).unwrap();
        for k in 0..3 {
            match group.get_column_reader(k).unwrap() {
                ColumnReader::Int64ColumnReader(mut r) => r.read_records(usize::MAX, None, None, &mut n).map(|_| ()),
                ColumnReader::DoubleColumnReader(mut r) => r.read_records(usize::MAX, None, None, &mut x).map(|_| ()),
                ColumnReader::ByteArrayColumnReader(mut r) => {
                    r.read_records(usize::MAX, None, None, &mut why).map(|_| ())
                }
                _ => panic!("a column of another kind"),
            }
            .unwrap();
        }
    }
    assert!(n.iter().map(|k| *k as u64).eq(wholes));
    assert_eq!(bits(&x), bits(&numbers));
    assert!(why.iter().map(|text| text.as_utf8().unwrap()).eq(texts.iter().map(String::as_str)));
}

/// The whole table as it is read back.
fn read_back(file: File) -> std::io::Result<(Vec<u64>, Vec<f64>, Vec<String>)> {
    let mut table = Table::open(file)?;
    let (mut n, mut x, mut why) = (Vec::new(), Vec::new(), Vec::new());
    for group in 0..table.groups() {
        for k in 0..table.columns.len() {
            match table.column(group, k)? {
                Column::Wholes(data) => n.extend(data),
                Column::Numbers(data) => x.extend(data),
                Column::Texts(data) => why.extend(data),
            }
        }
    }
    Ok((n, x, why))
}

#[test]
fn a_file_reads_back_and_a_damaged_one_never_panics() {
    let (wholes, numbers, texts, bytes) = large();
    let path = std::env::temp_dir().join(format!("biela-parquet-{}.parquet", std::process::id()));
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        read_back(File::open(&path).unwrap())
    };
    let whole = read(&bytes).unwrap();
    assert_eq!(whole.0, wholes);
    assert_eq!(bits(&whole.1), bits(&numbers));
    assert_eq!(whole.2, texts);

    // Every bit of a small file turned over, and every length of it.
    let mut small = Vec::new();
    write(&awkward(), &mut small).unwrap();
    for k in 0..small.len() {
        assert!(read(&small[..k]).is_err(), "cut at {k}");
        for bit in 0..8 {
            small[k] ^= 1 << bit;
            let _ = read(&small);
            small[k] ^= 1 << bit;
        }
    }
    let _ = std::fs::remove_file(path);
}
