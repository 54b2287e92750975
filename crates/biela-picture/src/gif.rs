//! A motion as an animated GIF (GIF89a), which every browser and chat plays.

use super::raster::Raster;
use super::{Animation, Scene};
use biela_base::sorting::sort_by;
use std::collections::HashMap;

/// Frames per second, in hundredths of a second each.
const DELAY: u16 = 4;
/// Frames at most.
const FRAMES: usize = 120;

/// Bytes of a GIF that shows the whole motion once in about four seconds, and again.
pub(super) fn gif(scene: &Scene, motion: &Animation, width: usize) -> Vec<u8> {
    let mut raster = Raster::new(scene, motion, width);
    let samples: Vec<usize> = motion.some(FRAMES).collect();
    let frames: Vec<Vec<[u8; 3]>> = samples.into_iter().map(|k| raster.frame(k)).collect();
    let palette = Palette::new(&frames);
    let mut out = b"GIF89a".to_vec();
    let (w, h) = (raster.width as u16, raster.height as u16);
    out.extend([w.to_le_bytes(), h.to_le_bytes()].concat());
    // A global table of 256 colours follows.
    out.extend([0xF7, 0, 0]);
    palette.colours.iter().for_each(|c| out.extend(c));
    out.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00");
    let mut before: Option<Vec<u8>> = None;
    for frame in &frames {
        let indices: Vec<u8> = frame.iter().map(|c| palette.index(*c)).collect();
        let (x0, y0, x1, y1) = changed(before.as_deref(), &indices, raster.width);
        out.extend([0x21, 0xF9, 4, 4]);
        out.extend(DELAY.to_le_bytes());
        out.extend([0, 0, 0x2C]);
        for side in [x0, y0, x1 - x0, y1 - y0] {
            out.extend((side as u16).to_le_bytes());
        }
        out.push(0);
        let rows = indices.chunks(raster.width).take(y1).skip(y0);
        compress(&rows.flat_map(|row| row[x0..x1].iter().copied()).collect::<Vec<u8>>(), &mut out);
        before = Some(indices);
    }
    out.push(0x3B);
    out
}

/// The box in which a frame differs from the one before; at least one pixel.
fn changed(before: Option<&[u8]>, now: &[u8], width: usize) -> (usize, usize, usize, usize) {
    let Some(before) = before else { return (0, 0, width, now.len() / width) };
    let mut found: Option<(usize, usize, usize, usize)> = None;
    for (k, (a, b)) in before.iter().zip(now).enumerate() {
        if a != b {
            let (x, y) = (k % width, k / width);
            let (x0, y0, x1, y1) = found.unwrap_or((x, y, x + 1, y + 1));
            found = Some((x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1)));
        }
    }
    found.unwrap_or((0, 0, 1, 1))
}

/// The 256 most frequent colours, to five bits each, and the nearest of them for any colour.
struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

impl Palette {
    fn new(frames: &[Vec<[u8; 3]>]) -> Palette {
        let mut counts = vec![(0u32, [0u32; 3]); 1 << 15];
        for pixel in frames.iter().step_by(frames.len().div_ceil(24).max(1)).flatten() {
            let (count, sum) = &mut counts[cell(*pixel)];
            *count += 1;
            (0..3).for_each(|k| sum[k] += u32::from(pixel[k]));
        }
        let mut used: Vec<&(u32, [u32; 3])> = counts.iter().filter(|c| c.0 > 0).collect();
        // By frequency, and by colour where that is equal, so that the same motion gives the same bytes.
        sort_by(&mut used, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut colours: Vec<[u8; 3]> = used.iter().take(256).map(|(n, sum)| sum.map(|s| (s / n) as u8)).collect();
        colours.resize(256, [0; 3]);
        let nearest = (0..1 << 15).map(|k: usize| {
            let middle = [k >> 10, k >> 5 & 31, k & 31].map(|c| (c * 8 + 4) as i32);
            let distance = |c: &[u8; 3]| (0..3).map(|i| (i32::from(c[i]) - middle[i]).pow(2)).sum::<i32>();
            (0..256).min_by_key(|i| distance(&colours[*i])).unwrap_or(0) as u8
        });
        Palette { nearest: nearest.collect(), colours }
    }

    fn index(&self, colour: [u8; 3]) -> u8 {
        self.nearest[cell(colour)]
    }
}

fn cell([red, green, blue]: [u8; 3]) -> usize {
    usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
}

/// Lempel-Ziv-Welch codes of 9 to 12 bits, in blocks of at most 255 bytes.
fn compress(indices: &[u8], out: &mut Vec<u8>) {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    let mut bytes = Vec::new();
    let (mut bits, mut held, mut size) = (0u32, 0u32, 9u32);
    let mut put = |code: u16, size: u32| {
        bits |= u32::from(code) << held;
        held += size;
        while held >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            held -= 8;
        }
    };
    let mut known: HashMap<(u16, u8), u16> = HashMap::new();
    let mut next = END + 1;
    put(CLEAR, size);
    let mut run: Option<u16> = None;
    for &index in indices {
        let Some(code) = run else {
            run = Some(u16::from(index));
            continue;
        };
        if let Some(longer) = known.get(&(code, index)) {
            run = Some(*longer);
            continue;
        }
        put(code, size);
        if next < 4096 {
            known.insert((code, index), next);
            // A reader is one code behind, so codes grow one later than the table here.
            if next == 1 << size && size < 12 {
                size += 1;
            }
            next += 1;
        } else {
            put(CLEAR, size);
            known.clear();
            (next, size) = (END + 1, 9);
        }
        run = Some(u16::from(index));
    }
    if let Some(code) = run {
        put(code, size);
        if next == 1 << size && size < 12 {
            size += 1;
        }
    }
    put(END, size);
    put(0, 7);
    out.push(8);
    for block in bytes.chunks(255) {
        out.push(block.len() as u8);
        out.extend(block);
    }
    out.push(0);
}

#[cfg(test)]
mod tests {
    use super::compress;

    /// Reads codes back as the standard tells a reader to.
    fn expand(data: &[u8]) -> Vec<u8> {
        assert_eq!(data[0], 8);
        let (mut bytes, mut at): (Vec<u8>, usize) = (Vec::new(), 1);
        while data[at] > 0 {
            bytes.extend(&data[at + 1..=at + usize::from(data[at])]);
            at += 1 + usize::from(data[at]);
        }
        assert_eq!(at + 1, data.len());
        let bit = |k: usize| usize::from(bytes[k / 8] >> (k % 8) & 1);
        let (mut table, mut size, mut k): (Vec<Vec<u8>>, usize, usize) = (Vec::new(), 9, 0);
        let (mut out, mut last): (Vec<u8>, Option<Vec<u8>>) = (Vec::new(), None);
        loop {
            let code: usize = (0..size).map(|i| bit(k + i) << i).sum();
            k += size;
            match code {
                256 => {
                    (table, size, last) = ((0..258).map(|c| vec![c as u8]).collect(), 9, None);
                    continue;
                }
                257 => return out,
                _ => {}
            }
            let word = match (table.get(code), &last) {
                (Some(word), _) => word.clone(),
                (None, Some(last)) => [last.as_slice(), &last[..1]].concat(),
                (None, None) => panic!("a code that is not known"),
            };
            if let Some(last) = &last {
                if table.len() < 4096 {
                    table.push([last.as_slice(), &word[..1]].concat());
                }
            }
            out.extend(&word);
            last = Some(word);
            if table.len() == 1 << size && size < 12 {
                size += 1;
            }
        }
    }

    #[test]
    fn what_is_compressed_reads_back() {
        let mut noise = 1u32;
        let mut random = |n: u32| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 16) % n
        };
        for (length, colours) in [(1, 1), (2, 1), (1000, 1), (5000, 2), (100_000, 3), (60_000, 256), (9, 256)] {
            let data: Vec<u8> = (0..length).map(|_| random(colours) as u8).collect();
            let mut out = Vec::new();
            compress(&data, &mut out);
            assert_eq!(expand(&out), data, "{length} of {colours}");
        }
    }
}
