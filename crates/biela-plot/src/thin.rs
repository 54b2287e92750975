//! Fewer points for the same picture: a long series is thinned to what the eye can tell apart, for drawing only.

use std::collections::HashSet;

/// A point on the page.
pub(super) type Point = (f64, f64);

/// Distance that cannot be seen: half a unit of the page, one pixel of the PNG.
const PITCH: f64 = 0.5;
/// Points beyond which a curve that turns back is freed of what lies upon itself.
const MOST: usize = 20_000;

/// The runs of a curve between its gaps, each thinned.
pub(super) fn runs(points: impl Iterator<Item = Option<Point>>) -> Vec<Vec<Point>> {
    let mut runs = Vec::new();
    let mut run = Vec::new();
    for point in points {
        match point {
            Some(point) => run.push(point),
            None if run.is_empty() => {}
            None => runs.extend(thin(std::mem::take(&mut run))),
        }
    }
    if !run.is_empty() {
        runs.extend(thin(run));
    }
    runs
}

fn thin(run: Vec<Point>) -> Vec<Vec<Point>> {
    let ordered = |f: fn(&f64, &f64) -> bool| run.windows(2).all(|pair| f(&pair[0].0, &pair[1].0));
    if ordered(f64::le) || ordered(f64::ge) {
        return vec![by_column(run)];
    }
    let run = by_distance(run);
    if run.len() <= MOST {
        return vec![run];
    }
    where_nothing_lies(&run)
}

/// A curve that runs one way: of the points in one column of pixels the first, the lowest, the highest and the last.
fn by_column(run: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    let mut start = 0;
    while start < run.len() {
        let column = (run[start].0 / PITCH).floor();
        let end = start + run[start..].iter().take_while(|point| (point.0 / PITCH).floor() == column).count();
        // A place that is not finite belongs to no column.
        let end = end.max(start + 1);
        let part = &run[start..end];
        if part.len() <= 4 {
            kept.extend(part);
        } else {
            let least = (0..part.len()).min_by(|&a, &b| part[a].1.total_cmp(&part[b].1)).unwrap_or(0);
            let greatest = (0..part.len()).max_by(|&a, &b| part[a].1.total_cmp(&part[b].1)).unwrap_or(0);
            let mut chosen = [0, least, greatest, part.len() - 1];
            chosen.sort_unstable();
            for (k, &index) in chosen.iter().enumerate() {
                if k == 0 || chosen[k - 1] != index {
                    kept.push(part[index]);
                }
            }
        }
        start = end;
    }
    kept
}

/// Points that are at least a pitch from the one kept before; the last is always kept.
fn by_distance(run: Vec<Point>) -> Vec<Point> {
    let last = run.last().copied();
    let mut kept: Vec<Point> = Vec::new();
    for point in run {
        if kept.last().is_none_or(|k| (point.0 - k.0).hypot(point.1 - k.1) >= PITCH) {
            kept.push(point);
        }
    }
    if let (Some(last), Some(end)) = (last, kept.last()) {
        if *end != last {
            kept.push(last);
        }
    }
    kept
}

/// A path that comes back to where it was, without the strokes that cover nothing new. The page is finite, and so is
/// what remains.
fn where_nothing_lies(run: &[Point]) -> Vec<Vec<Point>> {
    /// Side of a cell that a stroke is thought to cover: less than its width.
    const CELL: f64 = 1.0;
    let mut covered = HashSet::new();
    let mut runs: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in run.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let steps = ((to.0 - from.0).hypot(to.1 - from.1) / CELL).ceil().max(1.0);
        let mut new = false;
        for k in 0..=steps as u32 {
            let part = f64::from(k) / steps;
            let (x, y) = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
            new |= covered.insert(((x / CELL) as i32, (y / CELL) as i32));
        }
        match runs.last_mut() {
            _ if !new => {}
            Some(last) if open => last.push(to),
            _ => runs.push(vec![from, to]),
        }
        open = new;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_keeps_its_extremes_and_few_points() {
        let n = 1_000_000;
        let spike = 654_321;
        let curve = (0..n).map(|k| {
            let y = if k == spike { 300.0 } else { 100.0 + 50.0 * (k as f64 * 0.01).sin() };
            Some((600.0 * k as f64 / n as f64, y))
        });
        let runs = runs(curve);
        assert_eq!(runs.len(), 1);
        assert!(runs[0].len() <= 4 * 1200);
        assert!(runs[0].iter().any(|point| point.1 == 300.0));
        assert_eq!(runs[0][0], (0.0, 100.0));
    }

    #[test]
    fn a_path_gone_through_a_thousand_times_is_drawn_about_once() {
        let path = (0..1_000_000).map(|k| {
            let angle = k as f64 * 6.3e-3;
            Some((200.0 + 150.0 * angle.cos(), 200.0 + 100.0 * angle.sin()))
        });
        let runs = runs(path);
        let points: usize = runs.iter().map(Vec::len).sum();
        assert!(points <= 3000, "{points}");
        // No chord that was not there: every stroke is as short as the steps of the path, 1 unit.
        let strokes = runs.iter().flat_map(|run| run.windows(2));
        assert!(strokes.into_iter().all(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1) < 1.0));
    }

    #[test]
    fn gaps_part_the_curve() {
        let runs = runs([None, Some((0.0, 0.0)), Some((1.0, 1.0)), None, None, Some((2.0, 0.0))].into_iter());
        assert_eq!(runs, [vec![(0.0, 0.0), (1.0, 1.0)], vec![(2.0, 0.0)]]);
    }
}
