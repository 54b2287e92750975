//! Pixels as the bytes of PNG files.
//!
//! Portable Network Graphics, third edition (W3C, 2025): chunks of a length, four letters, data and a checksum over letters and
//! data. Rows are told as differences from the row above, which are mostly nought, and packed by zlib.

use miniz_oxide::deflate::compress_to_vec_zlib;
use std::ops::Range;

/// How much work packing one picture is: 1 to 10.
pub const EFFORT: u8 = 6;

/// A picture, row by row.
pub fn png(pixels: &[[u8; 3]], width: usize) -> Vec<u8> {
    let height = pixels.len() / width.max(1);
    let mut out = beginning(width, height);
    chunk(&mut out, b"IDAT", &packed(pixels, width, (0..width, 0..height), EFFORT));
    chunk(&mut out, b"IEND", &[]);
    out
}

/// The signature and the header: eight bits each of red, green, blue.
pub fn beginning(width: usize, height: usize) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [(width as u32).to_be_bytes(), (height as u32).to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut out, b"IHDR", &header);
    out
}

/// Adds a chunk.
pub fn chunk(out: &mut Vec<u8>, letters: &[u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend(letters);
    out.extend(data);
    let sum = crc32fast::hash(&out[start..]);
    out.extend(sum.to_be_bytes());
}

/// A part of a picture, its columns and rows, each row as differences from the one above.
pub fn packed(pixels: &[[u8; 3]], width: usize, (columns, rows): (Range<usize>, Range<usize>), effort: u8) -> Vec<u8> {
    const UP: u8 = 2;
    let mut lines = Vec::with_capacity(rows.len() * (3 * columns.len() + 1));
    let mut above: Option<&[[u8; 3]]> = None;
    for y in rows {
        let row = &pixels[y * width + columns.start..y * width + columns.end];
        lines.push(UP);
        match above {
            None => lines.extend(row.as_flattened()),
            Some(above) => {
                let bytes = row.as_flattened().iter().zip(above.as_flattened());
                lines.extend(bytes.map(|(own, up)| own.wrapping_sub(*up)));
            }
        }
        above = Some(row);
    }
    compress_to_vec_zlib(&lines, effort)
}
