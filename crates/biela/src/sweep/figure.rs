//! The picture of a sweep: for each measure its histogram and its values over the strongest parameter; over the one
//! parameter of a grid, a curve.

use super::{Gather, Statistics, Sweep};
use crate::math::Elementary;
use crate::results::plot::{Panel, Plot, Series};

/// Most measures drawn.
const MOST_MEASURES: usize = 4;
/// Most points of a scatter; of more, every so-manieth.
const MOST_POINTS: usize = 2000;

/// The figure of what was gathered.
pub fn figure(sweep: &Sweep, gather: &Gather, statistics: &Statistics) -> Plot {
    let columns = &sweep.header.columns;
    let label = |k: usize| match sweep.shown[k].unit.as_str() {
        "1" | "" => columns[k].0.clone(),
        unit => format!("{} [{unit}]", columns[k].0),
    };
    let values = |k: usize| gather.kept(k).iter().map(|x| sweep.shown[k].shown(*x)).collect::<Vec<f64>>();
    let curve = sweep.plan.sampling.every && sweep.varied() == 1;
    let mut panels = Vec::new();
    for (n, summary) in statistics.summaries.iter().take(MOST_MEASURES).enumerate() {
        let k = sweep.varied() + n;
        let strongest = summary.influences.first().and_then(|i| columns.iter().position(|c| c.0 == i.parameter));
        let p = strongest.unwrap_or(0);
        let (x, y) = (values(p), values(k));
        if curve {
            let series = Series { label: summary.name.clone(), x, y };
            panels.push(Panel { series: vec![series], x_label: label(p), y_label: label(k), equal_axes: false });
            continue;
        }
        let (edges, counts) = histogram(&y);
        let series = Series { label: summary.name.clone(), x: edges, y: counts };
        panels.push(Panel { series: vec![series], x_label: label(k), y_label: "samples".into(), equal_axes: false });
        // Arms of a few pixels in a panel about twice as wide as high.
        let ((x0, x1), (y0, y1)) = (extent(&x), extent(&y));
        let (x, y) = crosses(&x, &y, (0.003 * (x1 - x0), 0.006 * (y1 - y0)));
        let series = Series { label: summary.name.clone(), x, y };
        panels.push(Panel { series: vec![series], x_label: label(p), y_label: label(k), equal_axes: false });
    }
    let title = Some(sweep.header.note("model").to_string()).filter(|name| !name.is_empty());
    let subtitle =
        format!("{}, {} samples, {} failed", sweep.plan.sampling.keyword, statistics.samples, statistics.failed);
    Plot { panels, title, subtitle: Some(subtitle) }
}

/// Least and greatest value, a little apart where all are the same.
pub(crate) fn extent(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match greatest > least {
        true => (least, greatest),
        // A value that does not vary still has a bin of its own.
        false => (least - 0.5 * least.abs().max(1.0), least + 0.5 * least.abs().max(1.0)),
    }
}

/// The outline of a histogram with as many bins as the cube root of the count suggests (Rice's rule).
fn histogram(values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    if values.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let bins = ((2.0 * (values.len() as f64).cube_root()).ceil() as usize).clamp(4, 120);
    let (least, greatest) = extent(values);
    let mut counts = vec![0u64; bins];
    for x in values {
        let k = ((x - least) / (greatest - least) * bins as f64) as usize;
        counts[k.min(bins - 1)] += 1;
    }
    let edge = |k: usize| least + (greatest - least) * k as f64 / bins as f64;
    let (mut x, mut y) = (vec![least], vec![0.0]);
    for (k, count) in counts.iter().enumerate() {
        x.extend([edge(k), edge(k + 1)]);
        y.extend([*count as f64; 2]);
    }
    x.push(greatest);
    y.push(0.0);
    (x, y)
}

/// Small crosses at the points, with arms of these lengths and gaps between.
pub(crate) fn crosses(x: &[f64], y: &[f64], (dx, dy): (f64, f64)) -> (Vec<f64>, Vec<f64>) {
    let step = x.len().div_ceil(MOST_POINTS).max(1);
    let (mut across, mut up) = (Vec::new(), Vec::new());
    for (x, y) in x.iter().zip(y).step_by(step) {
        across.extend([x - dx, x + dx, f64::NAN, *x, *x, f64::NAN]);
        up.extend([*y, *y, f64::NAN, y - dy, y + dy, f64::NAN]);
    }
    (across, up)
}
