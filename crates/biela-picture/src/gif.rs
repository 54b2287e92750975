//! A motion as an animated GIF (GIF89a), which every browser and chat plays.

use super::choice::Choice;
use super::film::Film;
use super::frames::{changed, Part};
use super::lzw::compress;
use super::theme::Theme;
use super::{Animation, Scene};
use biela_base::error::{Error, Result};
use biela_base::sorting::sort_by;

/// Colours of a table; the last is kept for what has not changed.
const COLOURS: usize = 255;
const SAME: u8 = 255;
/// Colours that are taken because they are frequent; the rest because they are far from those.
const FREQUENT: usize = 160;
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
    let table = Table::new(&film.some(&sampled, |_, pixels| pixels)?, paper);
    let mut out = b"GIF89a".to_vec();
    out.extend([(width as u16).to_le_bytes(), (height as u16).to_le_bytes()].concat());
    // A global table of 256 colours follows.
    out.extend([0xF7, 0, 0]);
    table.colours.iter().for_each(|c| out.extend(c));
    out.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00");
    let (mut number, mut before): (usize, Option<Vec<u8>>) = (0, None);
    film.batches(
        |_, pixels| pixels.iter().map(|c| table.index(*c)).collect::<Vec<u8>>(),
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
            // What has not changed is let through: long runs of one colour, which pack well.
            Some(before) => {
                let pairs = before[range.clone()].iter().zip(&now[range]);
                shown.extend(pairs.map(|(old, new)| if old == new { SAME } else { *new }));
            }
        }
    }
    let mut data = Vec::new();
    compress(&shown, &mut data);
    (part, data)
}

/// The colours of a film, to five bits each, and the nearest of them for any colour.
struct Table {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

impl Table {
    fn new(frames: &[Vec<[u8; 3]>], paper: [u8; 3]) -> Table {
        let mut counts = vec![(0u32, [0u32; 3]); 1 << 15];
        for pixel in frames.iter().flatten() {
            let (count, sum) = &mut counts[cell(*pixel)];
            *count += 1;
            (0..3).for_each(|k| sum[k] += u32::from(pixel[k]));
        }
        let mut used: Vec<(u32, [u8; 3])> =
            counts.iter().filter(|c| c.0 > 0).map(|(n, sum)| (*n, sum.map(|s| (s / n) as u8))).collect();
        // By frequency, and by colour where that is equal, so that the same motion gives the same bytes.
        sort_by(&mut used, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut colours: Vec<[u8; 3]> = used.iter().take(FREQUENT).map(|c| c.1).collect();
        // Paper is white, and not the mean of white and what is nearly so.
        colours.iter_mut().filter(|c| cell(**c) == cell(paper)).for_each(|c| *c = paper);
        // Then those that lie farthest from what is there: the few pixels of a thin line are not to lose their colour.
        let mut left: Vec<(u32, [u8; 3], u32)> = used.iter().skip(FREQUENT).map(|(n, c)| (*n, *c, u32::MAX)).collect();
        let mut told = 0;
        while colours.len() < COLOURS && !left.is_empty() {
            for other in &mut left {
                other.2 = colours[told..].iter().map(|c| apart(*c, other.1)).fold(other.2, u32::min);
            }
            told = colours.len();
            let worst = |(n, _, far): &(u32, [u8; 3], u32)| u64::from(*far) * u64::from((*n).min(400));
            let Some(k) = (0..left.len()).max_by_key(|k| (worst(&left[*k]), usize::MAX - k)) else { break };
            colours.push(left.swap_remove(k).1);
        }
        let known = colours.len().max(1);
        colours.resize(256, [0; 3]);
        let nearest = (0..1 << 15).map(|k: usize| {
            let middle = [k >> 10, k >> 5 & 31, k & 31].map(|c| (c * 8 + 4) as u8);
            (0..known).min_by_key(|i| apart(colours[*i], middle)).unwrap_or(0) as u8
        });
        Table { nearest: nearest.collect(), colours }
    }

    fn index(&self, colour: [u8; 3]) -> u8 {
        self.nearest[cell(colour)]
    }
}

fn apart(a: [u8; 3], b: [u8; 3]) -> u32 {
    (0..3).map(|k| u32::from(a[k].abs_diff(b[k])).pow(2)).sum()
}

fn cell([red, green, blue]: [u8; 3]) -> usize {
    usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
}
