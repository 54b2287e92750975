//! Reductions of a signal to one number: registry [`REDUCTIONS`].

/// What the result of a reduction measures, against what is reduced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Gives {
    Same,
    Number,
    Time,
    TimesTime,
}

/// A reduction as measures know it.
#[derive(Debug)]
pub struct Reduction {
    /// As it is written.
    pub keyword: &'static str,
    /// Names of its arguments; the first is what is reduced.
    pub arguments: &'static [&'static str],
    /// One line for the manual.
    pub help: &'static str,
    pub(super) gives: Gives,
    /// From times, values and further arguments.
    pub(super) apply: fn(&[f64], &[f64], f64) -> f64,
}

const fn entry(
    keyword: &'static str,
    arguments: &'static [&'static str],
    gives: Gives,
    help: &'static str,
    apply: fn(&[f64], &[f64], f64) -> f64,
) -> Reduction {
    Reduction { keyword, arguments, help, gives, apply }
}

/// Every reduction.
pub static REDUCTIONS: &[Reduction] = &[
    entry("min", &["x"], Gives::Same, "least sample", |_, x, _| best(x, f64::lt).map_or(f64::NAN, |k| x[k])),
    entry("max", &["x"], Gives::Same, "greatest sample", |_, x, _| best(x, f64::gt).map_or(f64::NAN, |k| x[k])),
    entry("range", &["x"], Gives::Same, "greatest less least sample", |_, x, _| {
        let end = |better: fn(&f64, &f64) -> bool| best(x, better).map_or(f64::NAN, |k| x[k]);
        end(f64::gt) - end(f64::lt)
    }),
    entry("mean", &["x"], Gives::Same, "mean over time, by trapezia", |t, x, _| over_time(t, x, |x| x)),
    entry("rms", &["x"], Gives::Same, "root of the mean square over time, by trapezia", |t, x, _| {
        over_time(t, x, |x| x * x).sqrt()
    }),
    entry("integral", &["x"], Gives::TimesTime, "integral over time, by trapezia", |t, x, _| trapezia(t, x, |x| x)),
    entry("first", &["x"], Gives::Same, "first sample", |_, x, _| x.first().copied().unwrap_or(f64::NAN)),
    entry("last", &["x"], Gives::Same, "last sample", |_, x, _| x.last().copied().unwrap_or(f64::NAN)),
    entry("at", &["x", "t"], Gives::Same, "value at a time, by the cubic through the four samples around it", at),
    entry("time_of_min", &["x"], Gives::Time, "time of the least sample, the first of equals", |t, x, _| {
        best(x, f64::lt).map_or(f64::NAN, |k| t[k])
    }),
    entry("argmin", &["x"], Gives::Time, "the same by another name", |t, x, _| {
        best(x, f64::lt).map_or(f64::NAN, |k| t[k])
    }),
    entry("time_of_max", &["x"], Gives::Time, "time of the greatest sample, the first of equals", |t, x, _| {
        best(x, f64::gt).map_or(f64::NAN, |k| t[k])
    }),
    entry("argmax", &["x"], Gives::Time, "the same by another name", |t, x, _| {
        best(x, f64::gt).map_or(f64::NAN, |k| t[k])
    }),
    entry(
        "time_ratio",
        &["x"],
        Gives::Number,
        "of a motion that ends where it began: time between its extremes the longer way, over the shorter one (quick return)",
        |t, x, _| time_ratio(t, x),
    ),
];

/// Times of the extremes by parabolas through the samples around them, as of a motion that goes on and on.
fn time_ratio(t: &[f64], x: &[f64]) -> f64 {
    let ([first, .., last], Some(low), Some(high)) = (t, best(x, f64::lt), best(x, f64::gt)) else { return f64::NAN };
    let (count, period) = (x.len() - 1, last - first);
    // What does not come back has no return.
    if count < 3 || (x[count] - x[0]).abs() > 1e-6 * (x[high] - x[low]) {
        return f64::NAN;
    }
    let at = |k: usize| {
        let [a, b, c] = [k + count - 1, k, k + 1].map(|k| x[k % count]);
        let bend = a - 2.0 * b + c;
        t[k] + if bend == 0.0 { 0.0 } else { 0.5 * (a - c) / bend * period / count as f64 }
    };
    let rise = (at(high) - at(low)).rem_euclid(period);
    rise.max(period - rise) / rise.min(period - rise)
}

/// Place of the first value that none betters.
fn best(x: &[f64], better: fn(&f64, &f64) -> bool) -> Option<usize> {
    let mut found = None;
    for (k, value) in x.iter().enumerate() {
        if found.is_none_or(|f: usize| better(value, &x[f])) {
            found = Some(k);
        }
    }
    found
}

fn trapezia(t: &[f64], x: &[f64], f: fn(f64) -> f64) -> f64 {
    t.windows(2).zip(x.windows(2)).map(|(t, x)| 0.5 * (t[1] - t[0]) * (f(x[0]) + f(x[1]))).sum()
}

/// The mean of a function of samples over time, by trapezia; that of the only one, where there is one.
pub fn over_time(t: &[f64], x: &[f64], f: fn(f64) -> f64) -> f64 {
    match (t, x) {
        (_, []) => f64::NAN,
        ([first, .., last], _) if last > first => trapezia(t, x, f) / (last - first),
        (_, [only, ..]) => f(*only),
    }
}

/// The cubic of Lagrange through the four samples around `time`; fewer where there are fewer.
pub fn at(t: &[f64], x: &[f64], time: f64) -> f64 {
    let (Some(first), Some(last)) = (t.first(), t.last()) else { return f64::NAN };
    // A time that rounding puts outside by a hair is one of the ends.
    let slack = 1e-9 * (last - first);
    if !(time >= first - slack && time <= last + slack) {
        return f64::NAN;
    }
    let next = t.partition_point(|t| *t < time);
    let start = next.saturating_sub(2).min(t.len().saturating_sub(4));
    let nodes = start..t.len().min(start + 4);
    let weight = |k: usize| nodes.clone().filter(|j| *j != k).map(|j| (time - t[j]) / (t[k] - t[j])).product::<f64>();
    nodes.clone().map(|k| weight(k) * x[k]).sum()
}
