//! Frames of a film against those before them: what has changed.

use super::film::{on_all_cores, Film};

/// A box of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub x0: usize,
    pub y0: usize,
    pub x1: usize,
    pub y1: usize,
}

impl Part {
    pub fn whole(width: usize, height: usize) -> Part {
        Part { x0: 0, y0: 0, x1: width, y1: height }
    }
}

/// The box in which a frame differs from the one before; at least one pixel.
pub(super) fn changed<P: PartialEq>(before: Option<&[P]>, now: &[P], width: usize) -> Part {
    let Some(before) = before else { return Part::whole(width, now.len() / width) };
    let mut found: Option<Part> = None;
    for (y, (old, new)) in before.chunks(width).zip(now.chunks(width)).enumerate() {
        // Most rows are the same: they are compared as a whole.
        if old == new {
            continue;
        }
        let differs = |x: &usize| old[*x] != new[*x];
        let (Some(first), Some(last)) = ((0..new.len()).find(differs), (0..new.len()).rev().find(differs)) else {
            continue;
        };
        let own = found.unwrap_or(Part { x0: first, y0: y, x1: last + 1, y1: y + 1 });
        found = Some(Part { x0: own.x0.min(first), y0: own.y0, x1: own.x1.max(last + 1), y1: y + 1 });
    }
    found.unwrap_or(Part { x0: 0, y0: 0, x1: 1, y1: 1 })
}

impl Film<'_> {
    /// What `compare` finds between each frame and the one before it, on all cores.
    pub(super) fn changes<P: Sync, T: Send>(
        &self,
        before: Option<&Vec<P>>,
        frames: &[Vec<P>],
        compare: impl Fn(Option<&[P]>, &[P]) -> T + Sync,
    ) -> Vec<T> {
        self.each_of(frames, |k, now| {
            let old = if k == 0 { before } else { Some(&frames[k - 1]) };
            compare(old.map(Vec::as_slice), now)
        })
    }

    /// What `make` makes of each frame, on all cores.
    pub(super) fn each_of<P: Sync, T: Send>(
        &self,
        frames: &[Vec<P>],
        make: impl Fn(usize, &[P]) -> T + Sync,
    ) -> Vec<T> {
        on_all_cores(frames.len(), self.threads(), &|k| make(k, &frames[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_box_of_what_changed_is_the_smallest() {
        let before = vec![0u8; 12];
        let mut now = before.clone();
        assert_eq!(changed(None, &now, 4), Part::whole(4, 3));
        assert_eq!(changed(Some(&before), &now, 4), Part { x0: 0, y0: 0, x1: 1, y1: 1 });
        (now[6], now[9]) = (1, 1);
        assert_eq!(changed(Some(&before), &now, 4), Part { x0: 1, y0: 1, x1: 3, y1: 3 });
    }
}
