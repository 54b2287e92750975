//! A motion as an animated GIF (GIF89a), which every browser and chat plays.

use super::choice::Choice;
use super::film::Film;
use super::frames::{changed, Part};
use super::theme::Theme;
use super::{Animation, Scene};
use biela_base::error::{Error, Result};
use biela_raster::lzw::compress;
use biela_raster::palette::{add_changes, Palette, SAME};

/// Frames whose colours are counted.
const COUNTED: usize = 12;
/// Frames a second at most: programs play shorter delays than two hundredths of a second slowly.
const FASTEST: f64 = 50.0;

/// Bytes of a GIF that shows the whole motion again and again.
pub(super) fn gif(scene: &Scene, motion: &Animation, choice: &Choice) -> Result<Vec<u8>> {
    if choice.pace.fps > FASTEST {
        return Err(Error::new(format!("a GIF shows at most {FASTEST} frames a second, not {}", choice.pace.fps))
            .of("--fps")
            .note(format!("ask for --fps {FASTEST}, or write .apng, .mp4 or .webm")));
    }
    let film = Film::new(scene, motion, choice)?;
    let (width, height) = film.size();
    let few = film.frames().min(COUNTED);
    let sampled: Vec<usize> = (0..few).map(|k| k * (film.frames() - 1) / (few - 1).max(1)).collect();
    let paper = Theme::new(choice.look.dark).paper;
    let palette = Palette::new(&film.some(&sampled, |_, pixels| pixels)?, paper);
    let mut out = b"GIF89a".to_vec();
    out.extend([(width as u16).to_le_bytes(), (height as u16).to_le_bytes()].concat());
    // A global table of 256 colours follows.
    out.extend([0xF7, 0, 0]);
    palette.colours.iter().for_each(|c| out.extend(c));
    out.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00");
    let (mut number, mut before): (usize, Option<Vec<u8>>) = (0, None);
    film.batches(
        |_, pixels| palette.indices(&pixels),
        |frames| {
            let made = film.changes(before.as_ref(), &frames, |before, now| frame(before, now, width));
            for (part, data) in made {
                // Delays are hundredths of a second; those of all frames together are as long as asked for.
                let until = |k: usize| (100.0 * k as f64 / film.fps).round() as usize;
                let delay = (until(number + 1) - until(number)) as u16;
                out.extend([0x21, 0xF9, 4, 5]);
                out.extend(delay.to_le_bytes());
                out.extend([SAME, 0, 0x2C]);
                for side in [part.x0, part.y0, part.x1 - part.x0, part.y1 - part.y0] {
                    out.extend((side as u16).to_le_bytes());
                }
                out.push(0);
                out.extend(data);
                number += 1;
            }
            before = frames.into_iter().next_back();
            Ok(())
        },
    )?;
    out.push(0x3B);
    Ok(out)
}

/// Where a frame differs from the one before, and its packed pixels there.
fn frame(before: Option<&[u8]>, now: &[u8], width: usize) -> (Part, Vec<u8>) {
    let part = changed(before, now, width);
    let mut shown = Vec::with_capacity((part.x1 - part.x0) * (part.y1 - part.y0));
    for y in part.y0..part.y1 {
        let range = y * width + part.x0..y * width + part.x1;
        match before {
            None => shown.extend(&now[range]),
            Some(before) => add_changes(&before[range.clone()], &now[range], &mut shown),
        }
    }
    let mut data = Vec::new();
    compress(&shown, &mut data);
    (part, data)
}
