//! Reads back what the writer wrote, from any bytes: sizes are compared with what is there before anything is made room for.

use super::thrift::{Fault, Reader, STRUCT};
use super::{Kind, MAGIC, PLAIN, SNAPPY};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// A column of a group: its kind is that of the schema.
#[derive(Default)]
struct Chunk {
    place: usize,
    packed: usize,
    codec: i64,
}

/// A Parquet file with what it says of itself.
pub(crate) struct Table {
    file: File,
    length: u64,
    /// Names and kinds of the columns.
    pub(crate) columns: Vec<(String, Kind)>,
    /// Keys and values.
    pub(crate) notes: Vec<(String, String)>,
    groups: Vec<(usize, Vec<Chunk>)>,
}

/// Values of one column.
pub(crate) enum Column {
    Wholes(Vec<u64>),
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

const NONE: Fault = "it is no Parquet file";
const OTHER: Fault = "it was written by another program";
const DAMAGED: Fault = "it is damaged";
/// Bytes that one packed byte can become at most: a copy of 64 in three.
const GREATEST_RATIO: usize = 22;

fn io_fault(fault: Fault) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

impl Table {
    /// Reads what is at the end of a file.
    pub(crate) fn open(mut file: File) -> io::Result<Table> {
        let length = file.seek(SeekFrom::End(0))?;
        let end = length.checked_sub(8).filter(|end| *end >= 4).ok_or_else(|| io_fault(NONE))?;
        let mut tail = [0; 8];
        file.seek(SeekFrom::Start(end))?;
        file.read_exact(&mut tail)?;
        let size = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        let start =
            end.checked_sub(size).filter(|start| tail[4..] == *MAGIC && *start >= 4).ok_or_else(|| io_fault(NONE))?;
        let mut table = Table { file, length: start, columns: Vec::new(), notes: Vec::new(), groups: Vec::new() };
        let footer = table.bytes(start, size as usize)?;
        table.footer(&footer).map_err(io_fault)?;
        Ok(table)
    }

    /// Number of groups of rows.
    pub(crate) fn groups(&self) -> usize {
        self.groups.len()
    }

    fn bytes(&mut self, place: u64, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn footer(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let (columns, notes, groups) = (&mut self.columns, &mut self.notes, &mut self.groups);
        let mut first = true;
        Reader::new(bytes).structure(STRUCT, |file, id, kind| match id {
            2 => file.list(kind, |file, kind| {
                let column = element(file, kind)?;
                // The root stands before the columns.
                if !std::mem::take(&mut first) {
                    columns.push(column.ok_or(OTHER)?);
                }
                Ok(())
            }),
            4 => file.list(kind, |file, kind| {
                groups.push(row_group(file, kind)?);
                Ok(())
            }),
            5 => file.list(kind, |file, kind| {
                let mut pair = (String::new(), String::new());
                file.structure(kind, |file, id, kind| {
                    match id {
                        1 => pair.0 = file.text(kind)?,
                        2 => pair.1 = file.text(kind)?,
                        _ => file.skip(kind)?,
                    }
                    Ok(())
                })?;
                notes.push(pair);
                Ok(())
            }),
            _ => file.skip(kind),
        })?;
        match groups.iter().all(|group| group.1.len() == columns.len()) {
            true => Ok(()),
            false => Err(DAMAGED),
        }
    }

    /// The values of one column of a group.
    pub(crate) fn column(&mut self, group: usize, column: usize) -> io::Result<Column> {
        let (rows, chunks) = &self.groups[group];
        let (rows, Chunk { place, packed, codec }) = (*rows, &chunks[column]);
        let within = place.checked_add(*packed).is_some_and(|end| end as u64 <= self.length);
        if !within || *codec != i64::from(SNAPPY) {
            return Err(io_fault(if within { OTHER } else { DAMAGED }));
        }
        let (place, packed, kind) = (*place as u64, *packed, self.columns[column].1);
        let bytes = self.bytes(place, packed)?;
        pages(&bytes, rows, kind).map_err(io_fault)
    }
}

/// A column of the schema; none where it has no kind that is written here.
fn element(file: &mut Reader, kind: u8) -> Result<Option<(String, Kind)>, Fault> {
    let (mut name, mut found, mut required) = (String::new(), None, true);
    file.structure(kind, |file, id, kind| {
        match id {
            1 => found = Kind::of_number(file.whole(kind)?),
            3 => required = file.whole(kind)? == 0,
            4 => name = file.text(kind)?,
            _ => file.skip(kind)?,
        }
        Ok(())
    })?;
    Ok(found.filter(|_| required).map(|found| (name, found)))
}

fn row_group(file: &mut Reader, kind: u8) -> Result<(usize, Vec<Chunk>), Fault> {
    let (mut rows, mut chunks) = (0, Vec::new());
    file.structure(kind, |file, id, kind| match id {
        1 => file.list(kind, |file, kind| {
            let mut chunk = Chunk::default();
            file.structure(kind, |file, id, kind| match id {
                3 => file.structure(kind, |file, id, kind| {
                    match id {
                        4 => chunk.codec = file.whole(kind)?,
                        7 => chunk.packed = file.size(kind)?,
                        9 => chunk.place = file.size(kind)?,
                        _ => file.skip(kind)?,
                    }
                    Ok(())
                }),
                _ => file.skip(kind),
            })?;
            chunks.push(chunk);
            Ok(())
        }),
        3 => {
            rows = file.size(kind)?;
            Ok(())
        }
        _ => file.skip(kind),
    })?;
    Ok((rows, chunks))
}

/// The values of the pages of one column.
fn pages(mut bytes: &[u8], rows: usize, kind: Kind) -> Result<Column, Fault> {
    let mut column = match kind {
        Kind::Whole => Column::Wholes(Vec::new()),
        Kind::Number => Column::Numbers(Vec::new()),
        Kind::Text => Column::Texts(Vec::new()),
    };
    let mut unpacker = snap::raw::Decoder::new();
    let mut found = 0usize;
    while found < rows {
        let mut file = Reader::new(bytes);
        let (mut sort, mut packed, mut count, mut encoding) = (-1, 0, 0, -1);
        file.structure(STRUCT, |file, id, kind| {
            match id {
                1 => sort = file.whole(kind)?,
                3 => packed = file.size(kind)?,
                5 => file.structure(kind, |file, id, kind| {
                    match id {
                        1 => count = file.size(kind)?,
                        2 => encoding = file.whole(kind)?,
                        _ => file.skip(kind)?,
                    }
                    Ok(())
                })?,
                _ => file.skip(kind)?,
            }
            Ok(())
        })?;
        if sort != 0 || encoding != i64::from(PLAIN) {
            return Err(OTHER);
        }
        let rest = &bytes[bytes.len() - file.left()..];
        let (page, rest) = rest.split_at_checked(packed).ok_or(DAMAGED)?;
        let length = snap::raw::decompress_len(page).map_err(|_| DAMAGED)?;
        if count == 0 || length > GREATEST_RATIO.saturating_mul(page.len()) {
            return Err(DAMAGED);
        }
        let plain = unpacker.decompress_vec(page).map_err(|_| DAMAGED)?;
        values(&plain, count, &mut column)?;
        found = found.checked_add(count).ok_or(DAMAGED)?;
        bytes = rest;
    }
    if found == rows {
        Ok(column)
    } else {
        Err(DAMAGED)
    }
}

/// Takes the plain values of a page.
fn values(mut plain: &[u8], count: usize, column: &mut Column) -> Result<(), Fault> {
    if let Column::Texts(texts) = column {
        for _ in 0..count {
            let (length, rest) = plain.split_first_chunk().ok_or(DAMAGED)?;
            let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(DAMAGED)?;
            texts.push(String::from_utf8_lossy(text).into_owned());
            plain = rest;
        }
        return if plain.is_empty() { Ok(()) } else { Err(DAMAGED) };
    }
    let (eights, rest) = plain.as_chunks::<8>();
    if eights.len() != count || !rest.is_empty() {
        return Err(DAMAGED);
    }
    match column {
        Column::Wholes(wholes) => wholes.extend(eights.iter().map(|bytes| u64::from_le_bytes(*bytes))),
        Column::Numbers(numbers) => numbers.extend(eights.iter().map(|bytes| f64::from_le_bytes(*bytes))),
        Column::Texts(_) => {}
    }
    Ok(())
}
