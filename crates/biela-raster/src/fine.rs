//! Fine pixels, of which each pixel has some along each side, and which of them have changed.

/// Fine pixels for each pixel, along each side.
pub(crate) const FINER: usize = 3;
/// A fine pixel that shows paper, and one that shows paper in the shadow; all others have this bit and a colour. Marks are such
/// that a sum over the fine pixels of a pixel counts them: shadows below the fourth bit of the upper byte, others from there on.
pub(crate) const PAPER: u32 = 0;
pub(crate) const SHADOW: u32 = 1 << 24;
pub(crate) const SOLID: u32 = 1 << 28;

/// Fine pixels: how near, which colour, and which have changed.
#[derive(Clone)]
pub(crate) struct Fine {
    pub depths: Vec<f32>,
    pub colours: Vec<u32>,
    pub touched: Touched,
}

impl Fine {
    pub fn new(width: usize, height: usize) -> Fine {
        let count = width * height * FINER * FINER;
        let touched = Touched::new(width, height);
        Fine { depths: vec![f32::NEG_INFINITY; count], colours: vec![PAPER; count], touched }
    }

    /// Takes back what has changed.
    pub fn restore(&mut self, fixed: &Fine, width: usize) {
        for (y, x0, x1) in self.touched.runs(width) {
            for row in y * FINER..(y + 1) * FINER {
                let range = (row * width + x0) * FINER..(row * width + x1) * FINER;
                self.depths[range.clone()].copy_from_slice(&fixed.depths[range.clone()]);
                self.colours[range.clone()].copy_from_slice(&fixed.colours[range]);
            }
        }
        self.touched.clear();
    }
}

/// Which blocks of each row of pixels have changed: a bit for each.
#[derive(Clone)]
pub(crate) struct Touched {
    /// Bits of a row begin with a number of their own.
    bits: Vec<u64>,
    along: usize,
}

/// Pixels of a block, along its row.
const BLOCK: usize = 8;

impl Touched {
    pub fn new(width: usize, height: usize) -> Touched {
        let along = width.div_ceil(BLOCK * 64);
        Touched { bits: vec![0; along * height], along }
    }

    pub fn clear(&mut self) {
        self.bits.fill(0);
    }

    /// Fine pixels of a row have changed, from one to the one before another.
    pub fn mark(&mut self, (y, x0, x1): (usize, usize, usize)) {
        if x0 >= x1 {
            return;
        }
        let row = &mut self.bits[y / FINER * self.along..][..self.along];
        let (first, last) = (x0 / (FINER * BLOCK), (x1 - 1) / (FINER * BLOCK));
        for (k, word) in row.iter_mut().enumerate().take(last / 64 + 1).skip(first / 64) {
            let from = first.saturating_sub(64 * k);
            let to = (last - 64 * k).min(63);
            *word |= u64::MAX << from & u64::MAX >> (63 - to);
        }
    }

    /// Row, first pixel and the pixel after the last of all that has changed, neighbours together.
    pub fn runs(&self, width: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let rows = self.bits.chunks(self.along).enumerate();
        rows.flat_map(move |(y, row)| {
            let is_set = |k: usize| row.get(k / 64).is_some_and(|word| word >> (k % 64) & 1 == 1);
            let mut next = 0;
            std::iter::from_fn(move || {
                let first = (next..self.along * 64).find(|k| is_set(*k))?;
                let end = (first..=self.along * 64).find(|k| !is_set(*k))?;
                next = end;
                Some((y, first * BLOCK, (end * BLOCK).min(width)))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_were_touched_are_told_row_by_row() {
        let mut touched = Touched::new(1100, 3);
        let fine = BLOCK * FINER;
        touched.mark((FINER, 0, 1));
        touched.mark((FINER, 63 * fine, 65 * fine));
        touched.mark((FINER + 1, 65 * fine + 2, 66 * fine));
        touched.mark((2 * FINER, 128 * fine, 1100 * FINER));
        touched.mark((2 * FINER, 137 * fine, 137 * fine + 1));
        let runs: Vec<_> = touched.runs(1100).collect();
        assert_eq!(runs, [(1, 0, 8), (1, 504, 528), (2, 1024, 1100)]);
        touched.clear();
        assert_eq!(touched.runs(1100).count(), 0);
    }
}
