//! NPZ: a zip archive of `.npy` arrays, as `numpy.load` reads it.
//!
//! Each column is a member `name.npy` (format 1.0, little-endian float64, one dimension), stored without compression
//! and with a fixed date, so that the same results give the same bytes. Its unit is the comment of the member, the
//! notes are the comment of the archive in JSON, with `complete` and `ended` among them: NumPy passes over both.

use super::{intern_unit, json, spill::Table, Column, Results};
use biela_base::error::{Error, Result};
use std::io::{self, Write};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// Version of the zip specification needed to unpack: 2.0.
const VERSION: u16 = 20;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// 1 January 1980, the first day that zip knows; time of day zero.
const DATE: u16 = 0x0021;
const NPY: &[u8] = b"\x93NUMPY";
/// Bytes of an end record without its comment.
const END_LENGTH: usize = 22;

/// Writes the archive.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    write_table(&Table::of(results)?, out)
}

/// The same of a table wherever it is, a column at a time.
pub(super) fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let (results, rows) = (table.results, table.rows);
    let too_large = || io::Error::new(io::ErrorKind::InvalidInput, "too large for .npz; write .parquet");
    let count = u16::try_from(results.columns.len()).map_err(|_| too_large())?;
    let head = npy_head(rows);
    let size = rows.checked_mul(8).and_then(|bytes| u32::try_from(bytes + head.len()).ok()).ok_or_else(too_large)?;
    let mut directory = Vec::new();
    let mut offset = 0u32;
    let mut member = Vec::with_capacity(size as usize);
    for (k, column) in results.columns.iter().enumerate() {
        member.clear();
        member.extend_from_slice(&head);
        table.column(k, 0, rows)?.iter().for_each(|value| member.extend_from_slice(&value.to_le_bytes()));
        let name = format!("{}.npy", column.name);
        let name_length = u16::try_from(name.len()).map_err(|_| too_large())?;
        let crc = crc32fast::hash(&member);
        // What the local header and the directory say alike.
        let mut common = Vec::new();
        common.extend([VERSION, UTF8, 0, 0, DATE].iter().flat_map(|word| word.to_le_bytes()));
        common.extend([crc, size, size].iter().flat_map(|word| word.to_le_bytes()));
        common.extend([name_length, 0].iter().flat_map(|word| word.to_le_bytes()));
        out.write_all(&LOCAL.to_le_bytes())?;
        out.write_all(&common)?;
        out.write_all(name.as_bytes())?;
        out.write_all(&member)?;
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&common);
        directory.extend([column.unit.len() as u16, 0, 0].iter().flat_map(|word| word.to_le_bytes()));
        directory.extend([0, offset].iter().flat_map(|word| word.to_le_bytes()));
        directory.extend(name.as_bytes());
        directory.extend(column.unit.as_bytes());
        let length = 4 + common.len() + name.len() + member.len();
        offset = u32::try_from(length).ok().and_then(|length| offset.checked_add(length)).ok_or_else(too_large)?;
    }
    // Notes longer than a comment can be are left out rather than cut.
    let fitting = |text: &String| text.len() <= usize::from(u16::MAX);
    let bare = || json::notes_and_mark(&Results { ended: results.ended.clone(), ..Results::default() });
    let notes = Some(json::notes_and_mark(results)).filter(fitting).unwrap_or_else(bare);
    let notes = notes.as_bytes();
    let directory_size = u32::try_from(directory.len()).map_err(|_| too_large())?;
    out.write_all(&directory)?;
    let mut end = END.to_le_bytes().to_vec();
    end.extend([0, 0, count, count].iter().flat_map(|word| word.to_le_bytes()));
    end.extend([directory_size, offset].iter().flat_map(|word| word.to_le_bytes()));
    end.extend((notes.len() as u16).to_le_bytes());
    out.write_all(&end)?;
    out.write_all(notes)
}

/// What stands before the numbers: magic, version, and a Python dictionary padded so that the numbers begin at a
/// multiple of 64 bytes.
fn npy_head(rows: usize) -> Vec<u8> {
    const FIXED: usize = 10;
    let mut dictionary = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows},), }}");
    let unpadded = FIXED + dictionary.len() + 1;
    dictionary.push_str(&" ".repeat(unpadded.next_multiple_of(64) - unpadded));
    dictionary.push('\n');
    let mut head = NPY.to_vec();
    head.extend([1, 0]);
    head.extend((dictionary.len() as u16).to_le_bytes());
    head.extend(dictionary.as_bytes());
    head
}

/// Reads an archive of one-dimensional arrays that is not compressed.
pub(super) fn read(bytes: &[u8]) -> Result<Results> {
    let damaged = || Error::new("not a .npz archive, or a damaged one");
    let end = find_end(bytes).ok_or_else(damaged)?;
    let count = end.u16(10).ok_or_else(damaged)?;
    let mut entry = Bytes(bytes).from(end.u32(16).ok_or_else(damaged)? as usize).ok_or_else(damaged)?;
    let mut columns = Vec::new();
    // Members of an honest archive do not overlap; of another they could fill the memory.
    let mut left = bytes.len();
    for _ in 0..count {
        let (column, length) = member(bytes, entry).unwrap_or_else(|| Err(damaged()))?;
        left = left.checked_sub(column.data.len()).ok_or_else(damaged)?;
        columns.push(column);
        entry = entry.from(length).ok_or_else(damaged)?;
    }
    let told = end.from(END_LENGTH).and_then(|comment| json::read_notes_and_mark(comment.0));
    let (notes, ended) = told.unwrap_or_default();
    Ok(Results { columns, notes, ended })
}

/// The end record: the last place where its mark stands and its comment fills the rest.
fn find_end(bytes: &[u8]) -> Option<Bytes<'_>> {
    let last = bytes.len().checked_sub(END_LENGTH)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().filter_map(|at| Bytes(bytes).from(at)).find(|end| {
        end.u32(0) == Some(END) && end.u16(20).map(|comment| usize::from(comment) + END_LENGTH) == Some(end.0.len())
    })
}

/// The column that an entry of the directory describes, and the length of the entry. None where the archive is cut.
fn member(archive: &[u8], entry: Bytes) -> Option<Result<(Column, usize)>> {
    const LOCAL_LENGTH: usize = 30;
    const CENTRAL_LENGTH: usize = 46;
    if entry.u32(0)? != CENTRAL {
        return None;
    }
    let (method, crc, size) = (entry.u16(10)?, entry.u32(16)?, entry.u32(20)? as usize);
    let (name, extra, comment) = (entry.u16(28)? as usize, entry.u16(30)? as usize, entry.u16(32)? as usize);
    let length = CENTRAL_LENGTH + name + extra + comment;
    let unit = std::str::from_utf8(entry.slice(CENTRAL_LENGTH + name + extra, comment)?).ok()?;
    let name = String::from_utf8_lossy(entry.slice(CENTRAL_LENGTH, name)?);
    let name = name.strip_suffix(".npy").unwrap_or(&name).to_owned();
    let fault = |text: &str| Some(Err(Error::new(text).of(format!("array '{name}'"))));
    if method != 0 {
        return Some(Err(Error::new("the array is compressed")
            .of(format!("array '{name}'"))
            .note("save it with numpy.savez, not savez_compressed")));
    }
    let local = Bytes(archive).from(entry.u32(42)? as usize)?;
    if local.u32(0)? != LOCAL {
        return None;
    }
    let start = LOCAL_LENGTH + usize::from(local.u16(26)?) + usize::from(local.u16(28)?);
    let data = local.slice(start, size)?;
    if crc32fast::hash(data) != crc {
        return fault("the checksum does not fit the data");
    }
    let unit = match (unit, name.as_str()) {
        ("", "t") => "s",
        ("", _) => "1",
        (unit, _) => unit,
    };
    Some(npy(data).and_then(|data| {
        let unit = intern_unit(unit)?;
        Ok((Column { name: name.clone(), unit, data }, length))
    }))
    .map(|outcome| outcome.map_err(|error| error.of(format!("array '{name}'"))))
}

/// The numbers of a `.npy` file.
fn npy(data: &[u8]) -> Result<Vec<f64>> {
    let damaged = || Error::new("not a .npy array, or a damaged one");
    let bytes = Bytes(data);
    if !data.starts_with(NPY) {
        return Err(damaged());
    }
    let (start, length) = match data.get(6) {
        Some(1) => (10, bytes.u16(8).map(usize::from)),
        Some(2 | 3) => (12, bytes.u32(8).map(|length| length as usize)),
        _ => (0, None),
    };
    let length = length.ok_or_else(damaged)?;
    let dictionary = bytes.slice(start, length).and_then(|text| std::str::from_utf8(text).ok()).ok_or_else(damaged)?;
    let numbers = &data[start + length..];
    let value = |key: &str| dictionary.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' ']));
    let shape = value("'shape'").and_then(|rest| rest.strip_prefix('(')?.split_once(')')).ok_or_else(damaged)?.0;
    let rows = shape.trim_end().strip_suffix(',').and_then(|rows| rows.parse::<usize>().ok());
    let rows = rows.ok_or_else(|| Error::new(format!("shape ({shape}) where one dimension is due")))?;
    let kind = value("'descr'").and_then(|rest| rest.strip_prefix('\'')?.split_once('\'')).ok_or_else(damaged)?.0;
    let values: Vec<f64> = match kind {
        "<f8" => words(numbers).map(f64::from_le_bytes).collect(),
        "<f4" => words(numbers).map(|word| f64::from(f32::from_le_bytes(word))).collect(),
        "<i8" => words(numbers).map(|word| i64::from_le_bytes(word) as f64).collect(),
        "<i4" => words(numbers).map(|word| f64::from(i32::from_le_bytes(word))).collect(),
        _ => {
            let shown: String = kind.chars().take(20).collect();
            return Err(Error::new(format!("numbers of kind '{shown}'")).note("save it as numpy.float64"));
        }
    };
    if values.len() != rows {
        return Err(Error::new(format!("{} numbers where the shape says {rows}", values.len())));
    }
    Ok(values)
}

fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> + '_ {
    bytes.chunks_exact(N).filter_map(|chunk| chunk.try_into().ok())
}

/// Bytes read at offsets that may lie beyond their end.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn from(self, start: usize) -> Option<Bytes<'a>> {
        self.0.get(start..).map(Bytes)
    }
    fn slice(self, start: usize, length: usize) -> Option<&'a [u8]> {
        self.0.get(start..start.checked_add(length)?)
    }
    fn u16(self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.slice(at, 2)?.try_into().ok()?))
    }
    fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.slice(at, 4)?.try_into().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_a_multiple_of_64_bytes() {
        for rows in [0, 9, 1_000_000_000] {
            assert_eq!(npy_head(rows).len() % 64, 0);
        }
    }

    #[test]
    fn a_changed_number_is_noticed() {
        let results = Results { columns: vec![Column::new("a", "m", vec![1.0, 2.0])], ..Results::default() };
        let mut bytes = Vec::new();
        write(&results, &mut bytes).unwrap();
        // 30 bytes of local header, 5 of the name, 128 of the array's head.
        bytes[30 + 5 + 128] ^= 1;
        assert!(read(&bytes).unwrap_err().to_string().contains("array 'a': the checksum"));
    }

    /// Files written by NumPy 2.4: numpy.savez and savez_compressed of small arrays.
    #[test]
    fn files_of_numpy_are_read() {
        let results = read(include_bytes!("../../biela/tests/data/numpy-savez.npz")).unwrap();
        let names: Vec<_> = results.columns.iter().map(|column| (column.name.as_str(), column.unit)).collect();
        assert_eq!(names, [("t", "s"), ("a.x", "1"), ("f", "1")]);
        assert_eq!(results.columns[0].data, [0.0, 1.0, 2.0]);
        assert_eq!(results.columns[1].data[..2], [1.5, -2.0]);
        assert!(results.columns[1].data[2].is_nan());
        assert_eq!(results.columns[2].data, [0.5, 1.0, 2.0]);
        let compressed = read(include_bytes!("../../biela/tests/data/numpy-savez-compressed.npz"));
        assert!(compressed.unwrap_err().to_string().contains("numpy.savez, not savez_compressed"));
        let matrix = read(include_bytes!("../../biela/tests/data/numpy-savez-matrix.npz"));
        assert!(matrix.unwrap_err().to_string().contains("array 't': shape (2, 2)"));
    }
}
