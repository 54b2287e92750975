//! Reads what LZMA has packed, in the form of files `.lzma`: the module in the program takes a quarter less than by gzip.
//!
//! A range coder decides bit after bit with probabilities that it learns: letters after the one before, or earlier passages by length and
//! distance (I. Pavlov, LZMA specification, 2015). Bits of the stream as it comes; no check sum, the module has its own.

/// Probabilities have 11 bits and move by a 32nd of what is left.
const ONE: u32 = 1 << 11;
const RATE: u32 = 5;

struct Bits<'a> {
    rest: std::slice::Iter<'a, u8>,
    range: u32,
    code: u32,
}

impl Bits<'_> {
    fn more(&mut self) -> Option<()> {
        if self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | u32::from(*self.rest.next()?);
        }
        Some(())
    }

    fn bit(&mut self, chance: &mut u16) -> Option<usize> {
        let bound = (self.range >> 11) * u32::from(*chance);
        let one = self.code >= bound;
        if one {
            self.range -= bound;
            self.code -= bound;
            *chance -= *chance >> RATE;
        } else {
            self.range = bound;
            *chance += (ONE as u16 - *chance) >> RATE;
        }
        self.more()?;
        Some(usize::from(one))
    }

    /// Bits that are as often one as the other.
    fn plain(&mut self, count: usize) -> Option<usize> {
        let mut value = 0;
        for _ in 0..count {
            self.range >>= 1;
            let one = self.code >= self.range;
            if one {
                self.code -= self.range;
            }
            self.more()?;
            value = value << 1 | usize::from(one);
        }
        Some(value)
    }

    /// A number of so many bits, the highest first, each with a probability for what came before it.
    fn tree(&mut self, chances: &mut [u16], bits: usize) -> Option<usize> {
        let mut node = 1;
        for _ in 0..bits {
            node = node << 1 | self.bit(&mut chances[node])?;
        }
        Some(node - (1 << bits))
    }

    /// The same, the lowest first.
    fn reversed(&mut self, chances: &mut [u16], bits: usize) -> Option<usize> {
        let (mut node, mut value) = (1, 0);
        for k in 0..bits {
            let bit = self.bit(&mut chances[node])?;
            node = node << 1 | bit;
            value |= bit << k;
        }
        Some(value)
    }
}

const FRESH: u16 = ONE as u16 / 2;

/// Lengths of passages: short, middle, long.
struct Lengths {
    choice: [u16; 2],
    low: [[u16; 8]; 16],
    middle: [[u16; 8]; 16],
    high: [u16; 256],
}

impl Lengths {
    fn new() -> Lengths {
        Lengths { choice: [FRESH; 2], low: [[FRESH; 8]; 16], middle: [[FRESH; 8]; 16], high: [FRESH; 256] }
    }

    fn read(&mut self, bits: &mut Bits, place: usize) -> Option<usize> {
        Some(match bits.bit(&mut self.choice[0])? {
            0 => 2 + bits.tree(&mut self.low[place], 3)?,
            _ => match bits.bit(&mut self.choice[1])? {
                0 => 10 + bits.tree(&mut self.middle[place], 3)?,
                _ => 18 + bits.tree(&mut self.high, 8)?,
            },
        })
    }
}

/// States after which the last thing was a letter.
const LETTERS: usize = 7;

// Long: one walk over the stream; all that it learns is at hand in every branch.
/// What was packed; none where the bytes are damaged.
pub(crate) fn unpacked(file: &[u8]) -> Option<Vec<u8>> {
    let (head, body) = file.split_at_checked(13)?;
    let (first, start) = (usize::from(head[0]), body.get(1..5)?);
    let (lc, lp, pb) = (first % 9, first / 9 % 5, first / 45);
    if pb > 4 {
        return None;
    }
    let size = u64::from_le_bytes(head[5..].try_into().ok()?);
    let code = u32::from_be_bytes(start.try_into().ok()?);
    let mut bits = Bits { rest: body[5..].iter(), range: u32::MAX, code };
    let mut letters = vec![[FRESH; 0x300]; 1 << (lc + lp)];
    let (mut is_passage, mut is_long_again) = ([[FRESH; 16]; 12], [[FRESH; 16]; 12]);
    let mut again = [[FRESH; 12]; 4];
    let (mut slots, mut special, mut align) = ([[FRESH; 64]; 4], [FRESH; 128], [FRESH; 16]);
    let (mut new, mut repeated) = (Lengths::new(), Lengths::new());
    let (mut state, mut distances) = (0, [0usize; 4]);
    let mut out: Vec<u8> = Vec::new();
    while (out.len() as u64) < size {
        let place = out.len() & ((1 << pb) - 1);
        if bits.bit(&mut is_passage[state][place])? == 0 {
            let before = usize::from(out.last().copied().unwrap_or(0));
            let chances = &mut letters[((out.len() & ((1 << lp) - 1)) << lc) + (before >> (8 - lc))];
            let mut node = 1;
            if state >= LETTERS {
                // After a passage the letter is probably not the one that would have gone on with it.
                let mut expected = usize::from(*out.get(out.len().checked_sub(distances[0] + 1)?)?);
                while node < 0x100 {
                    let due = expected >> 7 & 1;
                    expected <<= 1;
                    let bit = bits.bit(&mut chances[((1 + due) << 8) + node])?;
                    node = node << 1 | bit;
                    if bit != due {
                        break;
                    }
                }
            }
            while node < 0x100 {
                node = node << 1 | bits.bit(&mut chances[node])?;
            }
            out.push((node & 0xff) as u8);
            state = state.saturating_sub(if state < 4 { 4 } else { 3 + 3 * usize::from(state >= 10) });
            continue;
        }
        let length = if bits.bit(&mut again[0][state])? == 1 {
            let mut which = 0;
            if bits.bit(&mut again[1][state])? == 0 {
                if bits.bit(&mut is_long_again[state][place])? == 0 {
                    state = if state < LETTERS { 9 } else { 11 };
                    out.push(*out.get(out.len().checked_sub(distances[0] + 1)?)?);
                    continue;
                }
            } else {
                which = 1;
                if bits.bit(&mut again[2][state])? == 1 {
                    which = 2 + bits.bit(&mut again[3][state])?;
                }
            }
            distances[..=which].rotate_right(1);
            state = if state < LETTERS { 8 } else { 11 };
            repeated.read(&mut bits, place)?
        } else {
            distances.rotate_right(1);
            let length = new.read(&mut bits, place)?;
            state = if state < LETTERS { 7 } else { 10 };
            let slot = bits.tree(&mut slots[(length - 2).min(3)], 6)?;
            distances[0] = if slot < 4 {
                slot
            } else {
                let (more, base) = ((slot >> 1) - 1, (2 | slot & 1) << ((slot >> 1) - 1));
                base + if slot < 14 {
                    bits.reversed(&mut special[base - slot..], more)?
                } else {
                    (bits.plain(more - 4)? << 4) + bits.reversed(&mut align, 4)?
                }
            };
            if distances[0] == u32::MAX as usize {
                // The mark of the end.
                break;
            }
            length
        };
        let from = out.len().checked_sub(distances[0] + 1)?;
        for k in 0..length {
            out.push(out[from + k]);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::unpacked;

    /// A text as Python's `lzma` (liblzma) packs it.
    const PACKED: &str =
        "5d00008000ffffffffffffffff00180808c781a9e275dda0f8a3f111f4c81e9684a7d5b06c5f627249ab170e3249894670c33b6379a29f\
         d2dde6c00a258e15c0d58012f5b8613acface75ab89bdcef39f0d6ff417ea01b2278795d94544371eb4c42b644a87bf5d5f512702ab3d0\
         c7a58a9612953488f7205805ab3172a037e68a31fa6e1dcd2aa9c9f4de7df28c97603529dae42b1b7b60d225797623b8e17abd0e31efe9\
         879892a0b3217866450f57cc0cdce8e2d074d822452fba21e4f77052edf561ed19af20949c5630b5b59e997bf5baf5a482c78b04ee3dd9\
         28758b834a65dc474728a835e579d2be7b2ce1f3dd300380956e4aab76cd3ff332cefc156bf9030bb358b0355bb5cb7244c0acd7a2f602\
         15c32f44ee3d39fe7acaacf9b073bf003358c5836dd6f11d217198d333d8476c5352d285ffe83425bcafb3b6ed1e620b1e8e356977d047\
         ee322e8209baee8739309869284df3c73aa171c180da7c046add91c6f4f398ae26d78d3a6360051df605f2b0ecaa25bb4682b573f3a71c\
         40b7632bee70017fe75e605712a64cdfb9f0d80419f961f4284430f1096f80765367fc57b2b22c15a2ef1bf2e3fe046846aaffffd9086a\
         8f";

    #[test]
    fn what_another_program_packed_is_read_back_and_damage_is_no_panic() {
        let due: String = (0..120).map(|k| format!("{} biela {}\n", k * k, k % 7)).collect();
        let packed: Vec<u8> =
            (0..PACKED.len()).step_by(2).map(|k| u8::from_str_radix(&PACKED[k..k + 2], 16).unwrap()).collect();
        assert_eq!(unpacked(&packed).as_deref(), Some(due.as_bytes()));
        for cut in 0..packed.len() {
            assert_ne!(unpacked(&packed[..cut]).as_deref(), Some(due.as_bytes()), "{cut}");
            let mut bad = packed.clone();
            bad[cut] ^= 0x55;
            let _ = unpacked(&bad);
        }
    }
}
