//! The file formats of the table of a sweep, chosen by the extension of the file's name.

use super::csv::quoted;
use super::format::{by_extension, LEFT_OUT};
use super::rows::{Header, Source};
use biela_base::error::Result;
use std::io::{self, Write};
use std::path::Path;

/// A way of writing the rows of a whole sweep, chunk by chunk.
pub struct RowFormat {
    /// Extension of the file's name.
    pub extension: &'static str,
    write: fn(&Header, &mut Source, &mut (dyn Write + Send)) -> io::Result<()>,
}

/// Every format of the table of a sweep.
pub const ROW_FORMATS: &[RowFormat] = &[
    #[cfg(feature = "parquet")]
    RowFormat { extension: "parquet", write: super::rows_parquet::write },
    CSV,
];

/// The one that is text.
pub const CSV: RowFormat = RowFormat { extension: "csv", write: csv };

impl RowFormat {
    /// Writes rows as they come.
    pub fn table(&self, header: &Header, source: &mut Source, out: &mut (dyn Write + Send)) -> io::Result<()> {
        (self.write)(header, source, out)
    }
}

/// The format that the extension of a path asks for.
pub fn row_format(path: &Path) -> Result<&'static RowFormat> {
    by_extension(path, ROW_FORMATS.iter().map(|format| (format.extension, format)), LEFT_OUT)
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
