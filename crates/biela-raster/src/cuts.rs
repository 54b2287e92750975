//! Outlines of faces as rows of fine pixels.

use super::fine::{Touched, FINER};
use biela_math::Vec3;

/// Where the rows of fine pixels cut the outline of a face: on edges that go up, and on those that go down.
#[derive(Default)]
pub(crate) struct Cuts(Vec<[f64; 2]>);

impl Cuts {
    /// Hands over the rows of fine pixels whose middles lie in a convex outline: y, and from which x to which. Outlines that share
    /// an edge share no pixel and leave none out.
    pub fn rows(
        &mut self,
        outline: impl Iterator<Item = Vec3> + Clone,
        [wide, tall]: [usize; 2],
        touched: &mut Touched,
        mut take: impl FnMut(usize, usize, usize),
    ) {
        let Cuts(cuts) = self;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in outline.clone() {
            if !p.is_finite() {
                return;
            }
            (least, most) = (least.min(p.y), most.max(p.y));
        }
        let (top, bottom) = (first(least, tall), first(most, tall));
        if top >= bottom {
            return;
        }
        cuts.clear();
        cuts.resize(bottom - top, [f64::NAN; 2]);
        for (p, q) in outline.clone().zip(outline.clone().skip(1).chain(outline.take(1))) {
            let side = usize::from(p.y > q.y);
            // From above, whichever face the edge is told by.
            let (p, q) = if p.y > q.y { (q, p) } else { (p, q) };
            let (from, to) = (first(p.y, tall), first(q.y, tall));
            let tilt = (q.x - p.x) / (q.y - p.y);
            for (k, cut) in cuts[from - top..to - top].iter_mut().enumerate() {
                cut[side] = p.x + tilt * ((from + k) as f64 + 0.5 - p.y);
            }
        }
        let mut run = (0, usize::MAX, 0);
        for (k, [up, down]) in cuts.iter().enumerate() {
            let y = top + k;
            let (x0, x1) = (first(up.min(*down), wide), first(up.max(*down), wide));
            if x0 < x1 {
                // Rows of one row of pixels are marked together.
                if run.0 / FINER != y / FINER {
                    touched.mark(run);
                    run = (y, usize::MAX, 0);
                }
                run = (y, run.1.min(x0), run.2.max(x1));
                take(y, x0, x1);
            }
        }
        touched.mark(run);
    }
}

/// The first middle of a fine pixel that is not before a place. A float beyond the range of an integer becomes its nearest.
fn first(at: f64, most: usize) -> usize {
    let at = at - 0.5;
    let below = at as i32;
    (below.saturating_add(i32::from(f64::from(below) < at)).max(0) as usize).min(most)
}

/// Twice the area of a triangle on the page.
pub(crate) fn area(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_with_a_common_edge_share_no_pixel_and_leave_none_out() {
        const SIDE: usize = 30;
        let corners = [(2.5, 3.5), (27.3, 4.1), (25.5, 26.5), (1.7, 24.9)].map(|(x, y)| Vec3::new(x, y, 0.0));
        let middle = Vec3::new(14.5, 15.5, 0.0);
        let mut counts = vec![0; SIDE * SIDE];
        let mut touched = Touched::new(SIDE / FINER, SIDE / FINER);
        for k in 0..4 {
            let outline = [corners[k], corners[(k + 1) % 4], middle];
            Cuts::default().rows(outline.into_iter(), [SIDE; 2], &mut touched, |y, x0, x1| {
                counts[y * SIDE + x0..y * SIDE + x1].iter_mut().for_each(|c| *c += 1);
            });
        }
        assert!(counts.iter().all(|c| *c <= 1));
        let area: f64 = (0..4).map(|k| 0.5 * area(corners[k], corners[(k + 1) % 4], middle)).sum();
        // As many as the area has, but for those on the rim.
        assert!((f64::from(counts.iter().sum::<i32>()) - area).abs() < 12.0, "{area}");
    }
}
