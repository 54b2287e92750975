//! The file formats of results, chosen by the extension of the file's name.

use super::file::write_repeatable;
#[cfg(feature = "parquet")]
use super::parquet;
use super::spill::{Spill, Table};
use super::{csv, json, npz, read_whole, write_atomically, Column, Results};
use biela_base::error::{Error, Result};
use biela_base::registry::Added;
use std::io::{self, Write};
use std::path::Path;

/// Writes results in one format.
pub type Writer = fn(&Results, &mut dyn Write) -> io::Result<()>;
/// Reads results in one format from the bytes of a file.
pub type Reader = fn(&[u8]) -> Result<Results>;

/// A file format.
pub struct Format {
    /// Extension of the file's name, lower case, without the dot.
    pub extension: &'static str,
    /// One line for help texts.
    pub help: &'static str,
    /// Writes results in this format.
    pub write: Writer,
    /// Reads them back, where that is offered.
    pub read: Option<Reader>,
    /// In SI whatever units are asked for, as programs expect it.
    pub si_alone: bool,
}

/// Every format that results are written in.
pub static FORMATS: &[Format] = &[
    Format {
        extension: "csv",
        help: "table of text, header 'name [unit]', numbers that read back exactly",
        write: csv::write,
        read: Some(csv::read),
        si_alone: false,
    },
    Format {
        extension: "json",
        help: "{signals, units, notes, complete}; a value that is not finite is null",
        write: json::write,
        read: Some(json::read),
        si_alone: true,
    },
    Format {
        extension: "npz",
        help: "NumPy archive, one array of float64 per signal",
        write: npz::write,
        read: Some(npz::read),
        si_alone: false,
    },
    #[cfg(feature = "parquet")]
    Format {
        extension: "parquet",
        help: "Apache Parquet, one column of doubles per signal",
        write: parquet::write,
        read: None,
        si_alone: false,
    },
];

static ADDED: Added<Format> = Added::new();

/// Makes a format known by its extension: to help, documents and whatever writes or reads results. An extension that is taken is refused.
pub fn register(format: &'static Format) -> Result<()> {
    let extension = format.extension;
    ADDED.add(format, FORMATS, |other| other.extension == extension, format!("a format '.{extension}'"))
}

/// Every format of results: those of the library, and those that programs bring.
pub fn formats() -> Vec<&'static Format> {
    ADDED.after(FORMATS)
}

/// The format that the extension of a path asks for.
pub fn format_of(path: &Path) -> Result<&'static Format> {
    by_extension(path, formats().iter().map(|format| (format.extension, *format)), LEFT_OUT)
}

/// Writes results to a file in the format of its extension: whole, or not at all.
pub fn write(path: &Path, results: &Results) -> Result<()> {
    let format = format_of(path)?;
    results.check()?;
    write_repeatable(path, |out| (format.write)(results, out))
}

/// The same of results whose samples wait on the disk.
pub fn write_spilled(path: &Path, results: &Results, spill: &Spill) -> Result<()> {
    let format = format_of(path)?;
    let bare = |column: &Column| Column::new(column.name.clone(), column.unit, Vec::new());
    let columns = results.columns.iter().map(bare).collect();
    let header = Results { columns, notes: results.notes.clone(), ended: results.ended.clone() };
    header.check()?;
    let table = Table::spilled(&header, spill).map_err(|e| Error::new(e.to_string()))?;
    let streamed = STREAMED.iter().find(|streamed| streamed.0 == format.extension);
    write_atomically(path, |out| match streamed {
        Some((_, write)) => write(&table, out),
        // Formats of a program's own have the whole table before them.
        None => (format.write)(&table.whole()?, out),
    })
}

/// Writes a table wherever it is.
type Stream = fn(&Table, &mut dyn Write) -> io::Result<()>;

/// Formats that are written without the whole table in memory.
static STREAMED: &[(&str, Stream)] = &[
    ("csv", csv::write_table),
    ("json", json::write_table),
    ("npz", npz::write_table),
    #[cfg(feature = "parquet")]
    ("parquet", parquet::write_table),
];

/// Larger tables are not read back: they would not fit beside their columns.
const LARGEST_TABLE: u64 = 1 << 30;

/// Reads a file of results back.
pub fn read(path: &Path) -> Result<Results> {
    let (known, all) = (format_of(path)?, formats());
    let readable = all.iter().filter_map(|format| Some((format.extension, format.read?)));
    let read = by_extension(path, readable, LEFT_OUT).map_err(|_| {
        Error::new(format!("'{}': {} files are written but not read back", path.display(), known.extension))
            .note("write csv, json or npz beside it, or draw straight from the model")
    })?;
    let named = || format!("file '{}'", path.display());
    let bytes = read_whole(path, LARGEST_TABLE).map_err(|error| error.of(named()))?;
    let results = read(&bytes).map_err(|error| error.of(named()))?;
    results.check().map_err(|error| error.note(format!("in {}", named())))?;
    Ok(results)
}

/// The entry of a table that the extension of a path asks for; `left_out` are extensions whose features are off, with these.
pub fn by_extension<T>(
    path: &Path,
    table: impl Iterator<Item = (&'static str, T)> + Clone,
    left_out: &[(&str, &str)],
) -> Result<T> {
    let extension = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if let Some((_, found)) = table.clone().find(|(known, _)| *known == extension) {
        return Ok(found);
    }
    let what = match extension.as_str() {
        "" => format!("'{}' has no extension to tell its format", path.display()),
        _ => format!("'{}': the extension '.{extension}' is not known here", path.display()),
    };
    let error = Error::new(what).suggest(&extension, table.map(|(known, _)| known));
    Err(match left_out.iter().find(|(known, _)| *known == extension) {
        Some((_, feature)) => {
            error.note(format!("it was left out when this was built: the feature '{feature}' has it"))
        }
        None => error,
    })
}

/// Extensions whose features are off, with these.
pub(super) const LEFT_OUT: &[(&str, &str)] = if cfg!(feature = "parquet") { &[] } else { &[("parquet", "parquet")] };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{awkward, same};

    /// Bytes from a small generator: the same in every run.
    fn noise(seed: u64, length: usize) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut step = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..length).map(|_| step() as u8).collect()
    }

    fn bytes_of(format: &Format, results: &Results) -> Vec<u8> {
        let mut bytes = Vec::new();
        (format.write)(results, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_reads_back_bit_by_bit_and_twice_the_same() {
        let results = awkward();
        for format in FORMATS {
            let bytes = bytes_of(format, &results);
            assert_eq!(bytes, bytes_of(format, &results), "{}", format.extension);
            if let Some(read) = format.read {
                let back = read(&bytes).unwrap();
                assert!(same(&results, &back), "{}: {back:?}", format.extension);
                assert!(format.extension == "csv" || back.notes == results.notes, "{}", format.extension);
            }
        }
    }

    #[test]
    fn the_mark_of_an_early_end_reads_back_and_a_table_of_text_has_none() {
        let ended = crate::Ended { t: 0.1, reason: "singular".into(), driver: Some("motor".into()), value: Some(1.5) };
        let nameless = crate::Ended { driver: None, value: None, ..ended.clone() };
        for ended in [ended, nameless] {
            let results = Results { ended: Some(ended), ..awkward() };
            for format in FORMATS {
                let Some(read) = format.read else { continue };
                let back = read(&bytes_of(format, &results)).unwrap();
                assert!(same(&results, &back), "{}", format.extension);
                match format.extension {
                    "csv" => assert_eq!(bytes_of(format, &results), bytes_of(format, &awkward())),
                    _ => {
                        assert_eq!((&back.ended, &back.notes), (&results.ended, &results.notes), "{}", format.extension)
                    }
                }
            }
        }
    }

    #[test]
    fn ragged_columns_are_refused_by_every_writer() {
        let mut results = awkward();
        results.columns[1].data.pop();
        for format in FORMATS {
            assert!((format.write)(&results, &mut Vec::new()).is_err(), "{}", format.extension);
        }
    }

    #[test]
    fn results_without_rows_or_columns_are_written() {
        let mut bare = awkward();
        bare.columns.iter_mut().for_each(|column| column.data.clear());
        for format in FORMATS {
            bytes_of(format, &Results::default());
            let bytes = bytes_of(format, &bare);
            if let Some(read) = format.read {
                assert!(same(&bare, &read(&bytes).unwrap()), "{}", format.extension);
            }
        }
    }

    /// Damage of every kind: noise, every prefix, and single bytes changed. Reading may fail, but only by an Error.
    #[test]
    fn any_bytes_are_read_without_a_panic() {
        let results = awkward();
        for format in FORMATS {
            let Some(read) = format.read else { continue };
            let good = bytes_of(format, &results);
            for length in 0..good.len() {
                let _ = read(&good[..length]);
            }
            for seed in 0..300 {
                let _ = read(&noise(seed, (seed * 3) as usize));
                let changes = noise(seed, 3);
                let mut bad = good.clone();
                let at = (usize::from(changes[0]) << 8 | usize::from(changes[1])) % bad.len();
                bad[at] = changes[2];
                let _ = read(&bad);
            }
            for at in 0..good.len() {
                let mut bad = good.clone();
                bad[at] = 0xff;
                let _ = read(&bad);
            }
        }
    }

    #[test]
    fn the_extension_decides() {
        assert_eq!(format_of(Path::new("a/b.CSV")).unwrap().extension, "csv");
        let told = |name: &str| format_of(Path::new(name)).err().unwrap().to_string();
        assert!(told("out.cvs").contains("allowed: csv, json, npz") && told("out.cvs").contains("'csv'?"));
        assert!(told("out").contains("no extension"));
        let unread = read(Path::new("out.parquet")).unwrap_err().to_string();
        match cfg!(feature = "parquet") {
            true => assert!(told("out.cvs").contains("json, npz, parquet") && unread.contains("not read back")),
            false => assert!(unread.contains("the feature 'parquet' has it"), "{unread}"),
        }
    }
}
