//! CSV: header `name [unit]`, shortest numbers that read back exactly, lines ending in '\n', quotes as in RFC 4180.

use super::{intern_unit, spill::Table, Column, Results};
use biela_base::error::{Error, Result};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes the table. Numbers keep their `.0`, so that no reader takes a column of whole numbers for integers.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    write_table(&Table::of(results)?, out)
}

/// The same of a table wherever it is, some lines of it at a time.
pub(super) fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    /// What is written at once; more would be new memory rather than what is at hand.
    const CHUNK: usize = 1 << 16;
    /// Values in memory at a time.
    const VALUES: usize = 1 << 20;
    let results = table.results;
    if results.columns.is_empty() {
        return Ok(());
    }
    let mut buffer = Vec::with_capacity(CHUNK + (1 << 14));
    for (k, column) in results.columns.iter().enumerate() {
        if k > 0 {
            buffer.push(b',');
        }
        buffer.extend_from_slice(quoted(&format!("{} [{}]", column.name, column.unit)).as_bytes());
    }
    buffer.push(b'\n');
    let mut number = zmij::Buffer::new();
    let lines = (VALUES / results.columns.len()).max(1);
    for from in (0..table.rows).step_by(lines) {
        let to = table.rows.min(from + lines);
        let columns = (0..results.columns.len()).map(|k| table.column(k, from, to)).collect::<io::Result<Vec<_>>>()?;
        for row in 0..to - from {
            for column in &columns {
                buffer.extend_from_slice(number.format(column[row]).as_bytes());
                buffer.push(b',');
            }
            // The last comma of the row becomes its end.
            if let Some(last) = buffer.last_mut() {
                *last = b'\n';
            }
            if buffer.len() >= CHUNK {
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
    }
    out.write_all(&buffer)
}

/// A field, in quotes where it holds what would end it.
pub(super) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

/// Reads a table whose first line names the columns, `name [unit]` or `name` alone.
pub(super) fn read(bytes: &[u8]) -> Result<Results> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes.iter().take(error.valid_up_to()).filter(|&&byte| byte == b'\n').count();
        Error::new(format!("line {line}: the text is not UTF-8")).note("is this a CSV file?")
    })?;
    let mut records = Records { rest: text.trim_start_matches('\u{feff}'), line: 1 };
    let mut fields = Vec::new();
    let Some(_) = records.next(&mut fields)? else {
        return if text.is_empty() { Ok(Results::default()) } else { Err(Error::new("line 1: no header")) };
    };
    // A body may be called 1, and its e0 is '1.e0'; a header has other names besides.
    let numbers = fields.iter().all(|field| header(field).0.parse::<f64>().is_ok());
    let mut columns = Vec::with_capacity(fields.len());
    for field in &fields {
        let (name, unit) = header(field);
        if name.is_empty() {
            return Err(Error::new(format!("line 1: column {} has no name", columns.len() + 1)));
        }
        if numbers {
            return Err(Error::new(format!("line 1: '{name}' is a number where the name of a column is due"))
                .note("the first line names the columns: t [s],crank.x [m],…"));
        }
        let unit = intern_unit(unit).map_err(|error| error.of(format!("line 1, column '{name}'")))?;
        columns.push(Column::new(name, unit, Vec::new()));
    }
    while let Some(line) = records.next(&mut fields)? {
        if fields.len() != columns.len() {
            let (found, due) = (fields.len(), columns.len());
            return Err(Error::new(format!("line {line}: {found} fields where the header has {due}")));
        }
        for (field, column) in fields.iter().zip(&mut columns) {
            let value = field.trim().parse().map_err(|_| {
                let shown: String = field.chars().take(40).collect();
                Error::new(format!("line {line}, column '{}': '{shown}' is not a number", column.name))
                    .note("write nan where a value is missing")
            })?;
            column.data.push(value);
        }
    }
    Ok(Results { columns, ..Results::default() })
}

/// Name and unit of a header field. What has no unit is a pure number, except the time.
fn header(field: &str) -> (&str, &str) {
    let parts = field.strip_suffix(']').and_then(|field| field.rsplit_once(" ["));
    match parts {
        Some((name, unit)) => (name, unit),
        None if field.trim() == "t" => ("t", "s"),
        None => (field.trim(), "1"),
    }
}

/// The records of a CSV text, one after the other, with the line on which each begins.
struct Records<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Records<'a> {
    /// Fills `fields` with the next record; none at the end of the text, before which empty lines may stand.
    fn next(&mut self, fields: &mut Vec<Cow<'a, str>>) -> Result<Option<usize>> {
        fields.clear();
        if self.rest.trim().is_empty() {
            return Ok(None);
        }
        let line = self.line;
        if self.rest.starts_with(['\n', '\r']) {
            return Err(Error::new(format!("line {line}: empty line")).note("remove it"));
        }
        loop {
            let field = if self.rest.starts_with('"') { self.in_quotes()? } else { self.bare()? };
            fields.push(field);
            match self.rest.as_bytes().first() {
                Some(b',') => self.rest = &self.rest[1..],
                Some(b'\n') => {
                    self.rest = &self.rest[1..];
                    self.line += 1;
                    return Ok(Some(line));
                }
                Some(b'\r') if self.rest.starts_with("\r\n") => {
                    self.rest = &self.rest[2..];
                    self.line += 1;
                    return Ok(Some(line));
                }
                None => return Ok(Some(line)),
                Some(_) => {
                    return Err(Error::new(format!("line {}: text after the closing quote of a field", self.line))
                        .note("a quote within quotes is written twice"))
                }
            }
        }
    }

    fn bare(&mut self) -> Result<Cow<'a, str>> {
        let end = self.rest.bytes().position(|byte| matches!(byte, b',' | b'\n')).unwrap_or(self.rest.len());
        let (field, rest) = self.rest.split_at(end);
        // The carriage return belongs to the line's end.
        let (field, rest) = match field.strip_suffix('\r') {
            Some(shorter) if rest.starts_with('\n') => (shorter, rest),
            _ => (field, rest),
        };
        if field.contains(['"', '\r']) {
            return Err(Error::new(format!("line {}: a quote or carriage return inside a field", self.line))
                .note("such a field stands in quotes, its own quotes written twice"));
        }
        self.rest = rest;
        Ok(Cow::Borrowed(field))
    }

    fn in_quotes(&mut self) -> Result<Cow<'a, str>> {
        let begun = self.line;
        let mut field = String::new();
        loop {
            // The rest begins with a quote: the opening one, or the second of a pair.
            self.rest = &self.rest[1..];
            let Some(end) = self.rest.find('"') else {
                return Err(Error::new(format!("line {begun}: a quote is opened and not closed")));
            };
            field.push_str(&self.rest[..end]);
            self.line += self.rest[..end].matches('\n').count();
            self.rest = &self.rest[end + 1..];
            if !self.rest.starts_with('"') {
                return Ok(Cow::Owned(field));
            }
            field.push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(results: &Results) -> String {
        let mut bytes = Vec::new();
        write(results, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_text_is_as_promised() {
        let results = Results {
            columns: vec![
                Column::new("t", "s", vec![0.0, 0.1]),
                Column::new("a,b\"c", "m/s^2", vec![-1.5e-9, f64::NAN]),
            ],
            ..Results::default()
        };
        assert_eq!(text(&results), "t [s],\"a,b\"\"c [m/s^2]\"\n0.0,-1.5e-9\n0.1,NaN\n");
    }

    #[test]
    fn files_of_others_are_read() {
        let results = read("\u{feff}t, \"x\"\r\n".replace(" \"x\"", "x [mm]").as_bytes()).unwrap();
        assert_eq!((results.columns[0].unit, results.columns[1].unit, results.len()), ("s", "mm", 0));
        let results = read(b"t,x\r\n 1 ,+2e3\r\n3,.5\r\n\r\n").unwrap();
        assert_eq!(results.columns[0].data, [1.0, 3.0]);
        assert_eq!((results.columns[1].data.as_slice(), results.columns[1].unit), ([2e3, 0.5].as_slice(), "1"));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let told = |text: &[u8]| read(text).unwrap_err().message().to_owned();
        assert_eq!(told(b"t,x\n1,2\n3\n"), "line 3: 1 fields where the header has 2");
        assert_eq!(told(b"t,x\n1,2\n3,abc\n"), "line 3, column 'x': 'abc' is not a number");
        assert_eq!(told(b"t,\"x\ny\"\n1,2\n3,\n"), "line 4, column 'x\ny': '' is not a number");
        assert_eq!(told(b"t,x\n\n1,2\n"), "line 2: empty line");
        assert_eq!(told(b"t,\"x\n1,2\n"), "line 1: a quote is opened and not closed");
        assert_eq!(told(b"t,\"x\"y\n1,2\n"), "line 1: text after the closing quote of a field");
        assert_eq!(told(b"t,x\n1,2\n\xff,3\n"), "line 3: the text is not UTF-8");
        assert!(told(b"0,1\n1,2\n").contains("is a number where the name"));
    }
}
