//! Codes of Lempel, Ziv and Welch as GIF packs its pixels.

const CLEAR: u16 = 256;
const END: u16 = 257;
/// Codes at most.
const MOST: u16 = 4096;
/// Places of the table of known runs: four for each code, so that most are found at once.
const PLACES: usize = 1 << 14;

/// Known runs by the code of all but their last index, and that index. A table is cleared by counting its generations.
struct Known {
    keys: Vec<u32>,
    codes: Vec<u16>,
    generation: u32,
}

impl Known {
    fn new() -> Known {
        Known { keys: vec![0; PLACES], codes: vec![0; PLACES], generation: 1 }
    }

    /// The code of a run, or the place where it belongs.
    fn find(&self, code: u16, index: u8) -> Result<u16, usize> {
        // Twelve bits of a code, eight of an index, and the generation above them.
        let key = self.generation << 20 | u32::from(code) << 8 | u32::from(index);
        let mut place = (key.wrapping_mul(0x9E37_79B1) >> 18) as usize;
        loop {
            match self.keys[place] {
                found if found == key => return Ok(self.codes[place]),
                found if found >> 20 != self.generation => return Err(place),
                _ => place = (place + 1) % PLACES,
            }
        }
    }

    fn put(&mut self, place: usize, (run, index): (u16, u8), code: u16) {
        self.keys[place] = self.generation << 20 | u32::from(run) << 8 | u32::from(index);
        self.codes[place] = code;
    }

    fn clear(&mut self) {
        self.generation += 1;
        if self.generation == 1 << 12 {
            *self = Known::new();
        }
    }
}

/// Codes of 9 to 12 bits, in blocks of at most 255 bytes.
pub fn compress(indices: &[u8], out: &mut Vec<u8>) {
    let mut bytes = Vec::with_capacity(indices.len() / 8);
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
    let mut known = Known::new();
    let mut next = END + 1;
    put(CLEAR, size);
    let mut run: Option<u16> = None;
    for &index in indices {
        let Some(code) = run else {
            run = Some(u16::from(index));
            continue;
        };
        let place = match known.find(code, index) {
            Ok(longer) => {
                run = Some(longer);
                continue;
            }
            Err(place) => place,
        };
        put(code, size);
        if next < MOST {
            known.put(place, (code, index), next);
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
