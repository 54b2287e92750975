//! Mutations of texts: the same input for the same seed, on every machine.
//!
//! Most changes keep a text's shape, so that it comes past the first reader: tokens and lines are exchanged, doubled, left out
//! or taken from another text, numbers become awkward ones, names collide. Some break it: bytes, brackets by the thousand.

/// A stream of numbers: splitmix64.
pub struct Random(pub u64);

impl Random {
    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        let mut random = biela::math::random::Random(self.0);
        let bits = random.bits();
        self.0 = random.0;
        bits
    }

    /// A whole number below `n`; 0 where `n` is.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }

    /// One of a list.
    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> Option<&'a T> {
        list.get(self.below(list.len())).copied()
    }
}

/// Numbers that readers stumble over, and what people write for numbers.
const NUMBERS: &[&str] = &[
    "nan",
    "NaN",
    "-nan",
    "inf",
    "-inf",
    "+inf",
    "Infinity",
    "1e308",
    "-1e308",
    "1e309",
    "1e400",
    "1e-400",
    "5e-324",
    "2.2250738585072014e-308",
    "1e-300",
    "0",
    "-0",
    "0.0",
    "1",
    "-1",
    "3",
    "0.5",
    "1e16",
    "1e-16",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1000000000",
    "99999999999999999999999999999999999999",
    "1,5",
    "1.234,5",
    "0x7fffffff",
    "1_000",
    "1__0",
    ".5",
    "5.",
    "1e",
    "--1",
    "1.2.3",
    "٣",
    "true",
    "\"1/0\"",
    "\"0/0\"",
    "\"30 deg\"",
    "\"1 furlong\"",
    "\"t\"",
    "[]",
    "{}",
    "[0, 0, 0]",
    "\"\"",
];

/// Pieces that end or open something in one format or another.
const PIECES: &[&str] = &[
    "[", "]", "{", "}", "(", ")", "\"", "'", "\"\"\"", "<", ">", "/>", "<!--", "&amp;", "&x;", "&#0;", "=", ",", ".",
    ";", ":", "#", "%", "\\", "\\u0000", "\n", "\r", "\t", "\0", "\u{feff}", "é", "𝒳", "^", "-", "+", "*", "/", " ",
];

/// An input made from the corpus by a seed. Words are the names of its format.
pub fn mutated(corpus: &[Vec<u8>], words: &[String], seed: u64) -> Vec<u8> {
    let random = &mut Random(seed);
    let mut bytes = match corpus.get(random.below(corpus.len())) {
        Some(text) => text.clone(),
        None => Vec::new(),
    };
    // Mostly one or two changes, now and then many.
    let mut changes = 1 + random.below(3);
    if random.below(20) == 0 {
        changes += random.below(20);
    }
    for _ in 0..changes {
        change(&mut bytes, corpus, words, random);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], words: &[String], random: &mut Random) {
    match random.below(18) {
        0..=3 => number(bytes, random),
        4 => swap(bytes, random),
        5 | 6 => cut(bytes, random),
        7 => double(bytes, random),
        8 | 9 => word(bytes, words, random),
        10 => lines(bytes, random),
        11 => splice(bytes, corpus, random),
        12 => block(bytes, corpus, random),
        13 => flip(bytes, random),
        14 => insert(bytes, random),
        15 => comma(bytes, random),
        16 => collide(bytes, random),
        _ => repeat(bytes, random),
    }
}

/// Ranges of tokens: words, numbers, white space, and every other byte alone.
fn tokens(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let class = |b: u8| match b {
        b'0'..=b'9' | b'.' => 1,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 128.. => 2,
        b' ' | b'\t' | b'\r' | b'\n' => 3,
        _ => 0,
    };
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (k, b) in bytes.iter().enumerate() {
        match found.last_mut() {
            Some(last) if class(*b) != 0 && class(*b) == class(bytes[k - 1]) => last.end = k + 1,
            _ => found.push(k..k + 1),
        }
    }
    found
}

fn tokens_that(bytes: &[u8], fits: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    tokens(bytes).into_iter().filter(|r| fits(bytes[r.start])).collect()
}

fn replace(bytes: &mut Vec<u8>, range: std::ops::Range<usize>, by: &[u8]) {
    bytes.splice(range, by.iter().copied());
}

/// A number becomes an awkward one, or another size, or has its sign changed.
fn number(bytes: &mut Vec<u8>, random: &mut Random) {
    let all = tokens_that(bytes, |b| b.is_ascii_digit());
    let Some(at) = all.get(random.below(all.len())).cloned() else { return insert(bytes, random) };
    match random.below(6) {
        0 => replace(bytes, at.start..at.start, b"-"),
        1 => {
            let power = format!("e{}", random.below(700) as i64 - 350);
            replace(bytes, at.end..at.end, power.as_bytes());
        }
        2 => {
            let other = all[random.below(all.len())].clone();
            let copy = bytes[other].to_vec();
            replace(bytes, at, &copy);
        }
        _ => replace(bytes, at, random.pick(NUMBERS).unwrap_or("0").as_bytes()),
    }
}

/// Two tokens change places.
fn swap(bytes: &mut Vec<u8>, random: &mut Random) {
    let all = tokens(bytes);
    let (mut i, mut j) = (random.below(all.len()), random.below(all.len()));
    if i > j {
        std::mem::swap(&mut i, &mut j);
    }
    let (Some(a), Some(b)) = (all.get(i).cloned(), all.get(j).cloned()) else { return };
    if i == j {
        return;
    }
    let (first, second) = (bytes[a.clone()].to_vec(), bytes[b.clone()].to_vec());
    replace(bytes, b, &first);
    replace(bytes, a, &second);
}

/// A run of tokens.
fn run(bytes: &[u8], random: &mut Random, most: usize) -> std::ops::Range<usize> {
    let all = tokens(bytes);
    let first = random.below(all.len());
    let last = (first + random.below(most)).min(all.len().saturating_sub(1));
    match (all.get(first), all.get(last)) {
        (Some(a), Some(b)) => a.start..b.end,
        _ => 0..0,
    }
}

fn cut(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = run(bytes, random, 10);
    bytes.drain(range);
}

fn double(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = run(bytes, random, 40);
    let (copy, at) = (bytes[range.clone()].to_vec(), range.end);
    replace(bytes, at..at, &copy);
}

/// A word becomes one of the format's, or another of the text's.
fn word(bytes: &mut Vec<u8>, words: &[String], random: &mut Random) {
    let all = tokens_that(bytes, |b| b.is_ascii_alphabetic());
    let Some(at) = all.get(random.below(all.len())).cloned() else { return };
    let by = match words.get(random.below(2 * words.len())) {
        Some(word) => word.as_bytes().to_vec(),
        None => bytes[all[random.below(all.len())].clone()].to_vec(),
    };
    replace(bytes, at, &by);
}

/// All places of one word take the name of another.
fn collide(bytes: &mut Vec<u8>, random: &mut Random) {
    let all = tokens_that(bytes, |b| b.is_ascii_alphabetic());
    let mut pick = || all.get(random.below(all.len())).map(|r| bytes[r.clone()].to_vec());
    let (Some(from), Some(to)) = (pick(), pick()) else { return };
    for at in all.into_iter().rev().filter(|r| bytes[r.clone()] == from[..]).collect::<Vec<_>>() {
        replace(bytes, at, &to);
    }
}

fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(k, _)| k + 1);
    std::iter::once(0).chain(ends).collect()
}

/// Whole lines are doubled, left out or moved.
fn lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let starts = line_starts(bytes);
    let first = random.below(starts.len());
    let last = (first + 1 + random.below(4)).min(starts.len());
    let range = starts[first]..starts.get(last).copied().unwrap_or(bytes.len());
    let copy = bytes[range.clone()].to_vec();
    let kind = random.below(3);
    if kind != 0 {
        bytes.drain(range);
    }
    if kind != 1 {
        let starts = line_starts(bytes);
        let at = starts[random.below(starts.len())].min(bytes.len());
        replace(bytes, at..at, &copy);
    }
}

/// The head of the text, the tail of another.
fn splice(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let Some(other) = corpus.get(random.below(corpus.len())) else { return };
    let (mine, theirs) = (line_starts(bytes), line_starts(other));
    bytes.truncate(mine[random.below(mine.len())]);
    bytes.extend_from_slice(&other[theirs[random.below(theirs.len())]..]);
}

/// A few lines of another text come in.
fn block(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let Some(other) = corpus.get(random.below(corpus.len())) else { return };
    let (mine, theirs) = (line_starts(bytes), line_starts(other));
    let first = random.below(theirs.len());
    let last = (first + 1 + random.below(8)).min(theirs.len());
    let piece = other[theirs[first]..theirs.get(last).copied().unwrap_or(other.len())].to_vec();
    let at = mine[random.below(mine.len())].min(bytes.len());
    replace(bytes, at..at, &piece);
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
}

fn insert(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let pieces = if random.below(2) == 0 { PIECES } else { NUMBERS };
    let piece = random.pick(pieces).unwrap_or("");
    replace(bytes, at..at, piece.as_bytes());
}

/// A decimal comma for a decimal point: everywhere, or once.
fn comma(bytes: &mut [u8], random: &mut Random) {
    let points: Vec<usize> = (0..bytes.len()).filter(|k| bytes[*k] == b'.').collect();
    let once = points.get(random.below(points.len())).copied();
    let all = random.below(2) == 0;
    for at in points.into_iter().filter(|k| all || Some(*k) == once) {
        bytes[at] = b',';
    }
}

/// A piece many times over, up to some megabytes in all: what came out of repeating may be repeated again.
fn repeat(bytes: &mut Vec<u8>, random: &mut Random) {
    let piece: Vec<u8> = match random.below(2) {
        0 => random.pick(PIECES).unwrap_or("").into(),
        _ => {
            let range = run(bytes, random, 3);
            bytes[range].to_vec()
        }
    };
    const MOST_BYTES: usize = 4 << 20;
    let times = [3, 30, 300, 3000][random.below(4)].min(MOST_BYTES / piece.len().max(1));
    let at = random.below(bytes.len() + 1);
    replace(bytes, at..at, &piece.repeat(times));
}
