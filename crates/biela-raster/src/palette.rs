//! The few colours of a film, as GIF has them, and frames told by them.

use super::painter::Pixels;
use biela_base::sorting::sort_by;

/// Colours of a table; the last is kept for what has not changed.
const COLOURS: usize = 255;
/// Stands for a pixel that is as it was.
pub const SAME: u8 = 255;
/// Colours that are taken because they are frequent; the rest because they are far from those.
const FREQUENT: usize = 160;

/// The colours of a film, to five bits each, and the nearest of them for any colour.
pub struct Palette {
    /// The colours, 256 of them.
    pub colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

impl Palette {
    /// The colours of these frames, that of paper among them as it is.
    pub fn new(frames: &[Pixels], paper: [u8; 3]) -> Palette {
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
        Palette { nearest: nearest.collect(), colours }
    }

    /// A frame, each pixel by the number of its colour.
    pub fn indices(&self, pixels: &[[u8; 3]]) -> Vec<u8> {
        pixels.iter().map(|colour| self.nearest[cell(*colour)]).collect()
    }
}

/// Adds what differs from before; what does not is let through: long runs of one colour, which pack well.
pub fn add_changes(before: &[u8], now: &[u8], shown: &mut Vec<u8>) {
    shown.extend(before.iter().zip(now).map(|(old, new)| if old == new { SAME } else { *new }));
}

fn apart(a: [u8; 3], b: [u8; 3]) -> u32 {
    (0..3).map(|k| u32::from(a[k].abs_diff(b[k])).pow(2)).sum()
}

fn cell([red, green, blue]: [u8; 3]) -> usize {
    usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
}
