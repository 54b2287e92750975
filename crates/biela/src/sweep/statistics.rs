//! What a sweep says as a whole: percentiles, failures by reason, and which parameter matters most.
//!
//! Sensitivities are told twice. Standardised regression: by how many of its deviations a measure changes with one deviation
//! of a parameter, all others held, as the best straight line has it; its share of the variance explained is R². Rank
//! correlation (Spearman): how steadily the measure rises or falls with the parameter, whatever the shape.

use super::Sweep;
use crate::display_units::Scale;
use crate::error::Reason;
use crate::failure::FailureClass;
use crate::math::dense::Matrix;
use crate::results::rows::Rows;
use crate::results::significant;
use biela_base::sorting::{ascending, sort_by};
use serde_json::{json, Value};

/// Shares of the percentiles.
pub const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// Most rows kept for percentiles and ranks; of more, every so-manieth.
const MOST_KEPT: u64 = 1 << 20;
/// Most classes of failure told apart, those beyond them as one.
const MOST_CLASSES: usize = 100;

/// Gathers rows as they come, in the order of the samples. Memory is bounded.
#[derive(Debug, Clone)]
pub struct Gather {
    names: Vec<(String, String)>,
    varied: usize,
    stride: u64,
    samples: u64,
    failed: u64,
    failures: Vec<Failure>,
    /// Those of more classes than are told apart.
    others: Option<Failure>,
    moments: Vec<Moments>,
    /// Values of the rows kept, column by column; no row that failed is among them.
    kept: Vec<Vec<f64>>,
}

#[derive(Debug, Clone, Copy)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
    least: f64,
    greatest: f64,
}

/// Samples whose failures are of one class.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The reason, as the first of them has it.
    pub reason: String,
    /// What they have in common; none where the table they were read from does not say.
    pub class: Option<FailureClass>,
    /// How many.
    pub count: u64,
    /// The first of them.
    pub first: u64,
}

/// How a measure depends on a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    /// The parameter.
    pub parameter: String,
    /// Standardised regression coefficient.
    pub regression: f64,
    /// Rank correlation.
    pub rank: f64,
}

/// A measure over all samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Least value.
    pub least: f64,
    /// Greatest value.
    pub greatest: f64,
    /// Percentiles of [`SHARES`].
    pub percentiles: [f64; 5],
    /// Parameters, the strongest first.
    pub influences: Vec<Influence>,
    /// Share of the variance that a straight line in the parameters explains.
    pub explained: f64,
}

/// All that is told about a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// Number of samples.
    pub samples: u64,
    /// How many of them have a reason in place of values.
    pub failed: u64,
    /// Why, the most frequent first.
    pub failures: Vec<Failure>,
    /// The measures.
    pub summaries: Vec<Summary>,
    /// Percentiles and ranks are those of every so-manieth sample; 1 for all.
    pub stride: u64,
}

impl Gather {
    /// Nothing yet.
    pub fn new(sweep: &Sweep) -> Gather {
        let names = sweep.header.columns.clone();
        // Whole series are no measures: only their failures are counted.
        let measured = if sweep.plan.series.is_empty() { names.len() } else { sweep.varied() };
        Gather {
            varied: sweep.varied(),
            stride: sweep.plan.samples.div_ceil(MOST_KEPT).max(1),
            samples: 0,
            failed: 0,
            failures: Vec::new(),
            others: None,
            moments: vec![
                Moments { count: 0.0, mean: 0.0, squares: 0.0, least: f64::MAX, greatest: f64::MIN };
                measured
            ],
            kept: vec![Vec::new(); measured],
            names: names[..measured].to_vec(),
        }
    }

    /// Takes rows in.
    pub fn add(&mut self, rows: &Rows) {
        let mut before = None;
        let mut classes = rows.classes.iter().peekable();
        for row in 0..rows.len() {
            let sample = rows.samples[row];
            // Of a series, the first row stands for its sample.
            let class = classes.next_if(|(place, _)| *place == row).map(|(_, class)| class);
            if before.replace(sample) == Some(sample) {
                continue;
            }
            self.samples += 1;
            if !rows.reasons[row].is_empty() {
                self.fail(sample, &rows.reasons[row], class);
                continue;
            }
            for (column, moments) in rows.columns.iter().zip(&mut self.moments) {
                moments.add(column[row]);
            }
            if sample % self.stride == 0 {
                self.kept.iter_mut().zip(&rows.columns).for_each(|(kept, column)| kept.push(column[row]));
            }
        }
    }

    fn fail(&mut self, sample: u64, reason: &str, class: Option<&FailureClass>) {
        self.failed += 1;
        // Where no class is known, the words alone tell.
        let same = |f: &&mut Failure| f.class.as_ref() == class && (class.is_some() || f.reason == reason);
        let room = self.failures.len() + 1 < MOST_CLASSES;
        match self.failures.iter_mut().find(same) {
            Some(failure) => failure.count += 1,
            None if room => {
                self.failures.push(Failure { reason: reason.into(), class: class.cloned(), count: 1, first: sample });
            }
            None => match &mut self.others {
                Some(others) => others.count += 1,
                none => {
                    *none = Some(Failure { reason: "other reasons".into(), class: None, count: 1, first: sample });
                }
            },
        }
    }

    /// Values kept of a column.
    pub(super) fn kept(&self, column: usize) -> &[f64] {
        self.kept.get(column).map_or(&[], Vec::as_slice)
    }

    /// The statistics of what was taken in.
    pub fn finish(&self) -> Statistics {
        let mut failures: Vec<Failure> = self.failures.iter().chain(&self.others).cloned().collect();
        sort_by(&mut failures, |a, b| b.count.cmp(&a.count).then(a.first.cmp(&b.first)));
        let scores: Vec<Vec<f64>> = self.kept[..self.varied].iter().map(|x| standard(x.clone())).collect();
        let ranks: Vec<Vec<f64>> =
            self.kept[..self.varied].iter().map(|x| standard(ranked(x, &ascending(x)))).collect();
        let summaries = (self.varied..self.names.len()).map(|k| self.summary(k, &scores, &ranks)).collect();
        Statistics { samples: self.samples, failed: self.failed, failures, summaries, stride: self.stride }
    }

    fn summary(&self, k: usize, scores: &[Vec<f64>], ranks: &[Vec<f64>]) -> Summary {
        let moments = self.moments[k];
        let order = ascending(&self.kept[k]);
        let score = standard(self.kept[k].clone());
        let rank = standard(ranked(&self.kept[k], &order));
        let sorted: Vec<f64> = order.iter().map(|row| self.kept[k][*row]).collect();
        let (regression, explained) = regression(scores, &score);
        let mut influences: Vec<Influence> = (0..self.varied)
            .map(|j| Influence {
                parameter: self.names[j].0.clone(),
                regression: regression[j],
                rank: mean_product(&ranks[j], &rank),
            })
            .collect();
        let weight = |i: &Influence| i.regression.abs().max(i.rank.abs());
        sort_by(&mut influences, |a, b| weight(b).total_cmp(&weight(a)));
        let some = moments.count > 0.0;
        Summary {
            name: self.names[k].0.clone(),
            unit: self.names[k].1.clone(),
            mean: if some { moments.mean } else { f64::NAN },
            deviation: if some { (moments.squares / (moments.count - 1.0).max(1.0)).sqrt() } else { f64::NAN },
            least: if some { moments.least } else { f64::NAN },
            greatest: if some { moments.greatest } else { f64::NAN },
            percentiles: SHARES.map(|share| percentile(&sorted, share)),
            influences,
            explained,
        }
    }
}

impl Moments {
    /// Welford's update.
    fn add(&mut self, x: f64) {
        self.count += 1.0;
        let before = x - self.mean;
        self.mean += before / self.count;
        self.squares += before * (x - self.mean);
        self.least = self.least.min(x);
        self.greatest = self.greatest.max(x);
    }
}

/// The value with that share of the sorted ones below it, straight between neighbours.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let k = (place as usize).min(last.saturating_sub(1));
    let next = sorted.get(k + 1).copied().unwrap_or(sorted[k]);
    sorted[k] + (next - sorted[k]) * (place - k as f64)
}

/// Values less their mean, over their deviation; all zero where they do not vary.
fn standard(mut values: Vec<f64>) -> Vec<f64> {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let deviation = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    // What rounding alone makes different does not vary.
    let varies = deviation > 1e-12 * mean.abs().max(f64::MIN_POSITIVE);
    values.iter_mut().for_each(|x| *x = if varies { (*x - mean) / deviation } else { 0.0 });
    values
}

/// The rank of each value, with their places in ascending order; equal ones share the mean of theirs.
fn ranked(values: &[f64], order: &[usize]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let end = start + order[start..].iter().take_while(|k| values[**k] == values[order[start]]).count().max(1);
        let rank = 0.5 * (start + end - 1) as f64;
        order[start..end].iter().for_each(|k| ranks[*k] = rank);
        start = end;
    }
    ranks
}

fn mean_product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / a.len().max(1) as f64
}

/// Coefficients of the best straight line through standardised values, and the share of the variance it explains.
fn regression(inputs: &[Vec<f64>], output: &[f64]) -> (Vec<f64>, f64) {
    /// Parameters that repeat each other to this share of their spread share one coefficient.
    const SAME: f64 = 1e-9;
    let count = inputs.len();
    let mut matrix = Matrix::zeros(count, count);
    let mut side = vec![0.0; count];
    for (i, input) in inputs.iter().enumerate() {
        side[i] = mean_product(input, output);
        for j in 0..count {
            matrix.row_mut(i)[j] = mean_product(input, &inputs[j]);
        }
    }
    let coefficients = matrix.pseudo_solve(&side, SAME);
    let explained = coefficients.iter().zip(&side).map(|(c, s)| c * s).sum::<f64>().clamp(0.0, 1.0);
    (coefficients, explained)
}

impl Failure {
    /// What is known of it, for programs: the words of the first, and the class as data.
    fn json(&self) -> Value {
        let class = self.class.as_ref();
        json!({
            "reason": self.reason, "count": self.count, "first": self.first,
            "kind": class.map(|c| c.kind.word()), "cause": class.and_then(|c| c.reason).map(Reason::word),
            "element": class.and_then(|c| c.element.as_deref()),
        })
    }
}

impl Statistics {
    /// The same as people read it: each measure by its scale.
    pub fn shown(&self, scales: &[Scale]) -> Statistics {
        let mut shown = self.clone();
        for (summary, scale) in shown.summaries.iter_mut().zip(scales) {
            let Summary { unit, mean, deviation, least, greatest, percentiles, .. } = summary;
            unit.clone_from(&scale.unit);
            [mean, deviation, least, greatest].into_iter().chain(percentiles).for_each(|x| *x = scale.shown(*x));
        }
        shown
    }

    /// The statistics for people: a table of measures, then failures and sensitivities.
    pub fn table(&self) -> String {
        let mut lines = vec![vec![
            "measure".to_string(),
            "mean".into(),
            "deviation".into(),
            "5 %".into(),
            "25 %".into(),
            "50 %".into(),
            "75 %".into(),
            "95 %".into(),
            "unit".into(),
        ]];
        for summary in &self.summaries {
            let mut line = vec![summary.name.clone(), significant(summary.mean, 7), significant(summary.deviation, 4)];
            line.extend(summary.percentiles.iter().map(|x| significant(*x, 6)));
            line.push(summary.unit.clone());
            lines.push(line);
        }
        let mut text = if self.summaries.is_empty() { String::new() } else { aligned(&lines) };
        if self.failed > 0 {
            text += &format!("\n{} of {} samples failed:\n", self.failed, self.samples);
            for failure in self.failures.iter().take(10) {
                text += &format!("  {} x {} (first: sample {})\n", failure.count, failure.reason, failure.first);
            }
        }
        if self.summaries.iter().any(|s| !s.influences.is_empty()) {
            text +=
                "\nsensitivities: standardised regression (change in deviations per deviation) and rank correlation\n";
            for summary in &self.summaries {
                let told = |i: &Influence| format!("{} {:+.3} ({:+.3})", i.parameter, i.regression, i.rank);
                let list: Vec<String> = summary.influences.iter().take(6).map(told).collect();
                text += &format!("  {}: {}; R\u{b2} {:.3}\n", summary.name, list.join(", "), summary.explained);
            }
        }
        if self.stride > 1 {
            text += &format!("percentiles and sensitivities from every {}th sample\n", self.stride);
        }
        text
    }

    /// The statistics for programs.
    pub fn json(&self) -> Value {
        // A number that is not finite is null.
        let measures: Vec<Value> = self
            .summaries
            .iter()
            .map(|s| {
                let influences: Vec<Value> = s
                    .influences
                    .iter()
                    .map(
                        |i| json!({ "parameter": i.parameter, "regression": i.regression, "rank_correlation": i.rank }),
                    )
                    .collect();
                let percentiles: serde_json::Map<String, Value> = SHARES
                    .iter()
                    .zip(s.percentiles)
                    .map(|(share, x)| (format!("{}", (100.0 * share).round()), json!(x)))
                    .collect();
                json!({
                    "name": s.name, "unit": s.unit, "mean": s.mean, "deviation": s.deviation, "least": s.least,
                    "greatest": s.greatest, "percentiles": percentiles, "sensitivities": influences,
                    "explained": s.explained,
                })
            })
            .collect();
        let failures: Vec<Value> = self.failures.iter().map(Failure::json).collect();
        json!({
            "samples": self.samples, "failed": self.failed, "failures": failures, "measures": measures,
            "percentiles_from_every": self.stride,
        })
    }
}

/// Columns of text, the first to the left, the others to the right.
pub(crate) fn aligned(lines: &[Vec<String>]) -> String {
    let width = |k: usize| lines.iter().map(|line| line[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines.first().map_or(0, Vec::len)).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let last = line.len() - 1;
        let cells: Vec<String> = line
            .iter()
            .enumerate()
            .map(|(k, cell)| match k {
                0 => format!("{cell:<width$}", width = widths[k]),
                k if k == last => cell.clone(),
                _ => format!("{cell:>width$}", width = widths[k]),
            })
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_textbook() {
        // numpy.percentile([1, 2, 4, 8], [5, 25, 50, 75, 95]).
        let sorted = [1.0, 2.0, 4.0, 8.0];
        let found = SHARES.map(|s| percentile(&sorted, s));
        for (found, due) in found.iter().zip([1.15, 1.75, 3.0, 5.0, 7.4]) {
            assert!((found - due).abs() < 1e-12, "{found} {due}");
        }
        assert!(percentile(&[], 0.5).is_nan());
        assert_eq!(percentile(&[3.0], 0.95), 3.0);
    }

    #[test]
    fn ranks_of_equals_are_shared() {
        assert_eq!(ranked(&[5.0, 1.0, 5.0, 0.0], &[3, 1, 0, 2]), [2.5, 1.0, 2.5, 0.0]);
        // A monotone curve has rank correlation 1, however bent.
        let x: Vec<f64> = (0..50).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|x| (0.3 * x).exp()).collect();
        assert!(
            (mean_product(&standard(ranked(&x, &ascending(&x))), &standard(ranked(&y, &ascending(&y)))) - 1.0).abs()
                < 1e-12
        );
    }

    #[test]
    fn a_straight_line_is_found_and_a_repeated_parameter_shares() {
        let x: Vec<f64> = (0..100).map(|k| f64::from(k % 10)).collect();
        let y: Vec<f64> = (0..100).map(|k| f64::from(k / 10)).collect();
        let out: Vec<f64> = x.iter().zip(&y).map(|(x, y)| 3.0 * x - 4.0 * y).collect();
        let (c, r2) = regression(&[standard(x.clone()), standard(y)], &standard(out));
        // Both have the same spread, so the coefficients are 3/5 and −4/5.
        assert!((c[0] - 0.6).abs() < 1e-12 && (c[1] + 0.8).abs() < 1e-12 && (r2 - 1.0).abs() < 1e-12);
        let (c, _) = regression(&[standard(x.clone()), standard(x.clone())], &standard(x));
        assert!((c[0] - 0.5).abs() < 1e-9 && (c[1] - 0.5).abs() < 1e-9, "{c:?}");
    }
}
