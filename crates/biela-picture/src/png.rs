//! Pixels as PNG, one frame or many (APNG, which browsers play and other programs show the first frame of).

use super::choice::Choice;
use super::film::Film;
use super::frames::{changed, Part};
use super::{Animation, Scene};
use biela_base::error::Result;
use biela_plot::png_file::{beginning, chunk, packed, EFFORT};
use biela_raster::Pixels;
use std::ops::Range;

/// How much work packing a frame is: 1 to 10.
const EFFORT_OF_FILMS: u8 = 3;

/// A sample as the bytes of a PNG file.
pub(super) fn png(scene: &Scene, motion: &Animation, choice: &Choice) -> Result<Vec<u8>> {
    let film = Film::between(scene, motion, choice, vec![choice.sample as f64])?;
    let (width, height) = film.size();
    let mut out = beginning(width, height);
    film.batches(
        |_, pixels| packed(&pixels, width, (0..width, 0..height), EFFORT),
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
            let data = film.each_of(&frames, |k, pixels| packed(pixels, width, within(parts[k]), EFFORT_OF_FILMS));
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

/// Columns and rows of a part.
fn within(part: Part) -> (Range<usize>, Range<usize>) {
    (part.x0..part.x1, part.y0..part.y1)
}
