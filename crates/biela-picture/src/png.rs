//! Pixels as PNG, one frame or many (APNG, which browsers play and other programs show the first frame of).
//!
//! Portable Network Graphics, third edition (W3C, 2025): chunks of a length, four letters, data and a checksum over letters and
//! data. Rows are told as differences from the row above, which are mostly nought, and packed by zlib.

use super::choice::Choice;
use super::film::{Film, Pixels};
use super::frames::{changed, Part};
use super::{Animation, Scene};
use biela_base::error::Result;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// How much work packing is: 1 to 10.
const EFFORT: u8 = 6;
const EFFORT_OF_FILMS: u8 = 3;

/// A sample as the bytes of a PNG file.
pub(super) fn png(scene: &Scene, motion: &Animation, choice: &Choice) -> Result<Vec<u8>> {
    let film = Film::between(scene, motion, choice, vec![choice.sample as f64])?;
    let (width, height) = film.size();
    let mut out = beginning(width, height);
    film.batches(
        |_, pixels| packed(&pixels, width, Part::whole(width, height), EFFORT),
        |frames| {
            frames.iter().for_each(|data| chunk(&mut out, b"IDAT", data));
            Ok(())
        },
    )?;
    chunk(&mut out, b"IEND", &[]);
    Ok(out)
}

/// A motion as the bytes of an APNG file that plays again and again.
pub(super) fn apng(scene: &Scene, motion: &Animation, choice: &Choice) -> Result<Vec<u8>> {
    let film = Film::new(scene, motion, choice)?;
    let (width, height) = film.size();
    let mut out = beginning(width, height);
    let word = |n: usize| (n as u32).to_be_bytes();
    chunk(&mut out, b"acTL", &[word(film.frames()), word(0)].concat());
    // A frame lasts a fraction of a second: of two whole numbers of 16 bits.
    let delay = [100u16.to_be_bytes(), ((100.0 * film.fps).round() as u16).to_be_bytes()].concat();
    let (mut number, mut sequence) = (0, 0);
    let mut before: Option<Pixels> = None;
    film.batches(
        |_, pixels| pixels,
        |frames| {
            let parts = film.changes(before.as_ref(), &frames, |before, now| changed(before, now, width));
            let data = film.each_of(&frames, |k, pixels| packed(pixels, width, parts[k], EFFORT_OF_FILMS));
            for (part, data) in parts.iter().zip(data) {
                let mut control = word(sequence).to_vec();
                [part.x1 - part.x0, part.y1 - part.y0, part.x0, part.y0].iter().for_each(|n| control.extend(word(*n)));
                control.extend(&delay);
                // What is there stays, and the new part replaces it.
                control.extend([0, 0]);
                chunk(&mut out, b"fcTL", &control);
                sequence += 1;
                match number {
                    0 => chunk(&mut out, b"IDAT", &data),
                    _ => {
                        chunk(&mut out, b"fdAT", &[word(sequence).to_vec(), data].concat());
                        sequence += 1;
                    }
                }
                number += 1;
            }
            before = frames.into_iter().next_back();
            Ok(())
        },
    )?;
    chunk(&mut out, b"IEND", &[]);
    Ok(out)
}

/// The signature and the header: eight bits each of red, green, blue.
fn beginning(width: usize, height: usize) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [(width as u32).to_be_bytes(), (height as u32).to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut out, b"IHDR", &header);
    out
}

fn chunk(out: &mut Vec<u8>, letters: &[u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend(letters);
    out.extend(data);
    let sum = crc32fast::hash(&out[start..]);
    out.extend(sum.to_be_bytes());
}

/// A part of a frame, each row as differences from the one above.
fn packed(pixels: &[[u8; 3]], width: usize, part: Part, effort: u8) -> Vec<u8> {
    const UP: u8 = 2;
    let mut rows = Vec::with_capacity((part.y1 - part.y0) * (3 * (part.x1 - part.x0) + 1));
    let mut above: Option<&[[u8; 3]]> = None;
    for y in part.y0..part.y1 {
        let row = &pixels[y * width + part.x0..y * width + part.x1];
        rows.push(UP);
        match above {
            None => rows.extend(row.as_flattened()),
            Some(above) => {
                let bytes = row.as_flattened().iter().zip(above.as_flattened());
                rows.extend(bytes.map(|(own, up)| own.wrapping_sub(*up)));
            }
        }
        above = Some(row);
    }
    compress_to_vec_zlib(&rows, effort)
}
