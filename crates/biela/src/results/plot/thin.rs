//! Fewer points for the same picture: a long series is thinned to what the eye can tell apart, for drawing only.

use std::collections::HashSet;

/// A point on the page.
pub(super) type Point = (f64, f64);

/// Distance that cannot be seen: half a unit of the page, one pixel of the PNG.
const PITCH: f64 = 0.5;
/// Points beyond which a curve that turns back is thinned harder.
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
    let run = by_distance(run, PITCH);
    if run.len() <= MOST {
        return vec![run];
    }
    let mut runs = without_repeats(&run);
    let mut pitch = 2.0 * PITCH;
    while runs.iter().map(Vec::len).sum::<usize>() > 2 * MOST && pitch < 100.0 {
        runs = runs.into_iter().map(|run| by_distance(run, pitch)).filter(|run| run.len() > 1).collect();
        pitch *= 2.0;
    }
    runs
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

/// Points that are at least `pitch` from the one kept before; the last is always kept.
fn by_distance(run: Vec<Point>, pitch: f64) -> Vec<Point> {
    let last = run.last().copied();
    let mut kept: Vec<Point> = Vec::new();
    for point in run {
        if kept.last().is_none_or(|k| (point.0 - k.0).hypot(point.1 - k.1) >= pitch) {
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

/// A path gone through many times, without the strokes that lie where one lies already.
fn without_repeats(run: &[Point]) -> Vec<Vec<Point>> {
    let cell = |point: Point| ((point.0 / PITCH).round() as i64, (point.1 / PITCH).round() as i64);
    let mut seen = HashSet::new();
    let mut runs: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in run.windows(2) {
        let (a, b) = (cell(pair[0]), cell(pair[1]));
        if !seen.insert((a.min(b), a.max(b))) {
            open = false;
            continue;
        }
        match runs.last_mut() {
            Some(last) if open => last.push(pair[1]),
            _ => runs.push(vec![pair[0], pair[1]]),
        }
        open = true;
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
        let points: usize = runs(path).iter().map(Vec::len).sum();
        assert!(points <= 2 * MOST, "{points}");
    }

    #[test]
    fn gaps_part_the_curve() {
        let runs = runs([None, Some((0.0, 0.0)), Some((1.0, 1.0)), None, None, Some((2.0, 0.0))].into_iter());
        assert_eq!(runs, [vec![(0.0, 0.0), (1.0, 1.0)], vec![(2.0, 0.0)]]);
    }
}
