//! Results as gnuplot reads them: comments that name the columns, then numbers between blanks.

use biela::error::{Error, Result};
use biela::results::{intern_unit, Column, Format, Results};
use std::io::{self, Write};

pub static GNUPLOT: Format = Format {
    extension: "dat",
    help: "table for gnuplot: '# name [unit]' for each column, numbers between blanks",
    write,
    read: Some(read),
    si_alone: false,
};

/// `{:?}` writes the fewest digits that read back to the same bits.
fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let refuse = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    if let Err(error) = results.check() {
        return refuse(error.to_string());
    }
    for column in &results.columns {
        if column.name.contains(['\n', '\r']) {
            return refuse(format!("the name {:?} has a line break", column.name));
        }
        writeln!(out, "# {} [{}]", column.name, column.unit)?;
    }
    for k in 0..results.len() {
        let row: Vec<String> = results.columns.iter().map(|column| format!("{:?}", column.data[k])).collect();
        writeln!(out, "{}", row.join(" "))?;
    }
    Ok(())
}

/// Bytes that are no table end in an [`Error`] that names the line, never in a panic.
fn read(bytes: &[u8]) -> Result<Results> {
    let text = std::str::from_utf8(bytes).map_err(|_| Error::new("the text is not UTF-8"))?;
    let mut columns: Vec<Column> = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let fail = |what: &str| Error::new(format!("line {}: {what}", k + 1));
        if let Some(head) = line.strip_prefix("# ") {
            let parts = head.strip_suffix(']').and_then(|head| head.rsplit_once(" ["));
            let (name, unit) = parts.ok_or_else(|| fail("a column is named by '# name [unit]'"))?;
            columns.push(Column::new(name, intern_unit(unit)?, Vec::new()));
            continue;
        }
        let numbers: Vec<f64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
        if numbers.len() != columns.len() || numbers.len() != line.split(' ').count() {
            return Err(fail("a row has one number for each column"));
        }
        columns.iter_mut().zip(numbers).for_each(|(column, x)| column.data.push(x));
    }
    Ok(Results { columns, ..Results::default() })
}
