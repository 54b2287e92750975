//! How a parameter spreads: distributions by their quantiles, lists and ranges of values. Registry [`DISTRIBUTIONS`].
//!
//! Each is described by its quantile: the value below which a share `u` of all samples lies. So any sampling of the unit
//! interval becomes a sampling of the distribution.

use super::normal;
use crate::error::{Error, Result};
use crate::math::Elementary;

/// What an argument of a distribution measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measures {
    /// The same as the parameter.
    Parameter,
    /// A plain number.
    Number,
}

/// A distribution as models and commands know it.
#[derive(Debug)]
pub struct Distribution {
    /// The word that names it.
    pub keyword: &'static str,
    /// Its arguments, in order.
    pub arguments: &'static [(&'static str, Measures)],
    /// One line for the manual.
    pub help: &'static str,
    /// Refuses arguments that make no distribution.
    check: fn(&[f64]) -> std::result::Result<(), &'static str>,
    /// The value with the share `u` below it.
    quantile: fn(&[f64], f64) -> f64,
}

use Measures::{Number, Parameter};

/// Every distribution.
pub static DISTRIBUTIONS: &[Distribution] = &[
    Distribution {
        keyword: "normal",
        arguments: &[("mean", Parameter), ("deviation", Parameter)],
        help: "Gauss, by mean and standard deviation",
        check: |p| positive(p[1], "the deviation is not positive"),
        quantile: |p, u| p[0] + p[1] * normal::quantile(u),
    },
    Distribution {
        keyword: "truncated-normal",
        arguments: &[("mean", Parameter), ("deviation", Parameter), ("lower", Parameter), ("upper", Parameter)],
        help: "normal, with everything outside the limits drawn again",
        check: |p| {
            positive(p[1], "the deviation is not positive")?;
            positive(p[3] - p[2], "the upper limit does not exceed the lower")?;
            // Forty deviations out nothing is left that numbers could tell apart.
            let near = ((p[2] - p[0]) / p[1]).max((p[0] - p[3]) / p[1]);
            positive(35.0 - near, "the limits leave nothing of the distribution")
        },
        quantile: truncated,
    },
    Distribution {
        keyword: "uniform",
        arguments: &[("lower", Parameter), ("upper", Parameter)],
        help: "every value between the limits equally likely",
        check: |p| positive(p[1] - p[0], "the upper limit does not exceed the lower"),
        quantile: |p, u| p[0] + (p[1] - p[0]) * u,
    },
    Distribution {
        keyword: "triangular",
        arguments: &[("lower", Parameter), ("mode", Parameter), ("upper", Parameter)],
        help: "density rising from the lower limit to the mode and falling to the upper",
        check: |p| {
            positive(p[2] - p[0], "the upper limit does not exceed the lower")?;
            match p[0] <= p[1] && p[1] <= p[2] {
                true => Ok(()),
                false => Err("the mode does not lie between the limits"),
            }
        },
        quantile: |p, u| {
            let (width, rise) = (p[2] - p[0], p[1] - p[0]);
            match u * width < rise {
                true => p[0] + (u * width * rise).sqrt(),
                false => p[2] - ((1.0 - u) * width * (width - rise)).sqrt(),
            }
        },
    },
    Distribution {
        keyword: "lognormal",
        arguments: &[("median", Parameter), ("sigma", Number)],
        help: "its logarithm is normal, with deviation sigma about that of the median",
        check: |p| {
            positive(p[0], "the median is not positive")?;
            positive(p[1], "sigma is not positive")
        },
        quantile: |p, u| p[0] * (p[1] * normal::quantile(u)).exponential(),
    },
];

fn positive(x: f64, fault: &'static str) -> std::result::Result<(), &'static str> {
    match x > 0.0 {
        true => Ok(()),
        false => Err(fault),
    }
}

fn truncated(p: &[f64], u: f64) -> f64 {
    let (lower, upper) = ((p[2] - p[0]) / p[1], (p[3] - p[0]) / p[1]);
    // Shares are small, and so exact, on the left: limits right of the mean are mirrored.
    let (sign, a, b, u) = if lower > 0.0 { (-1.0, -upper, -lower, 1.0 - u) } else { (1.0, lower, upper, u) };
    let (below, within) = (normal::share(a), normal::share(b) - normal::share(a));
    (p[0] + sign * p[1] * normal::quantile(below + u * within)).clamp(p[2], p[3])
}

/// The distribution of that word.
pub fn distribution(keyword: &str) -> Option<&'static Distribution> {
    DISTRIBUTIONS.iter().find(|d| d.keyword == keyword)
}

/// The values that a parameter takes.
#[derive(Debug, Clone)]
pub enum Spread {
    /// These, each as likely as any other.
    Values(Vec<f64>),
    /// So many at equal distances, both ends included.
    Range {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
        /// How many.
        count: u64,
    },
    /// A distribution with its arguments.
    Distribution(&'static Distribution, Vec<f64>),
}

impl Spread {
    /// A distribution with arguments that make one.
    pub fn of(distribution: &'static Distribution, arguments: Vec<f64>) -> Result<Spread> {
        let (found, due) = (arguments.len(), distribution.arguments.len());
        if found != due {
            return Err(Error::new(format!("{} takes {due} arguments; {found} are given", distribution.keyword))
                .note(format!("write {}", distribution.signature())));
        }
        if arguments.iter().any(|x| !x.is_finite()) {
            return Err(Error::new(format!("an argument of {} is not finite", distribution.keyword)));
        }
        (distribution.check)(&arguments).map_err(|fault| {
            Error::new(format!("this is no {} distribution: {fault}", distribution.keyword))
                .note(format!("write {}", distribution.signature()))
        })?;
        Ok(Spread::Distribution(distribution, arguments))
    }

    /// Number of different values; none for a distribution.
    pub fn levels(&self) -> Option<u64> {
        match self {
            Spread::Values(values) => Some(values.len() as u64),
            Spread::Range { count, .. } => Some(*count),
            Spread::Distribution(..) => None,
        }
    }

    /// Value `k` of those there are; not a number for a distribution.
    pub fn level(&self, k: u64) -> f64 {
        match self {
            Spread::Values(values) => values.get(k as usize).copied().unwrap_or(f64::NAN),
            // Both ends come out as they were given.
            Spread::Range { to, count, .. } if k + 1 == *count && *count > 1 => *to,
            Spread::Range { from, to, count } => from + (to - from) * k as f64 / (count.max(&2) - 1) as f64,
            Spread::Distribution(..) => f64::NAN,
        }
    }

    /// The value with the share `u` of all samples below it, 0 < u < 1.
    pub fn quantile(&self, u: f64) -> f64 {
        match self {
            Spread::Distribution(distribution, arguments) => (distribution.quantile)(arguments, u),
            _ => {
                let count = self.levels().unwrap_or(1);
                self.level(((u * count as f64) as u64).min(count - 1))
            }
        }
    }

    /// The spread in words that read back as it: `normal(2, 0.001)`, `1:2:10`, `values(1, 3)`.
    pub fn words(&self) -> String {
        let list = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Spread::Values(values) => format!("values({})", list(values)),
            Spread::Range { from, to, count } => format!("{from}:{to}:{count}"),
            Spread::Distribution(distribution, arguments) => format!("{}({})", distribution.keyword, list(arguments)),
        }
    }
}

impl Distribution {
    /// `normal(mean, deviation)`.
    pub fn signature(&self) -> String {
        format!("{}({})", self.keyword, self.arguments.iter().map(|a| a.0).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(keyword: &str, arguments: &[f64]) -> Spread {
        Spread::of(distribution(keyword).unwrap(), arguments.to_vec()).unwrap()
    }

    /// Mean and deviation by the midpoint rule over the quantiles.
    fn moments(spread: &Spread) -> (f64, f64) {
        const PARTS: u32 = 200_000;
        let values: Vec<f64> = (0..PARTS).map(|k| spread.quantile((f64::from(k) + 0.5) / f64::from(PARTS))).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64;
        (mean, variance.sqrt())
    }

    /// The midpoint rule cuts the tails of unbounded distributions.
    const TAILS: f64 = 2e-4;

    #[test]
    fn moments_are_those_of_the_textbook() {
        let near = |spread: Spread, mean: f64, deviation: f64| {
            let (m, d) = moments(&spread);
            assert!((m - mean).abs() < TAILS && (d - deviation).abs() < TAILS, "{}: {m} {d}", spread.words());
        };
        near(spread("normal", &[2.0, 0.5]), 2.0, 0.5);
        near(spread("uniform", &[1.0, 3.0]), 2.0, 2.0 / 12f64.sqrt());
        let (a, c, b) = (1.0, 1.5, 4.0);
        let variance: f64 = (a * a + b * b + c * c - a * b - a * c - b * c) / 18.0;
        near(spread("triangular", &[a, c, b]), (a + b + c) / 3.0, variance.sqrt());
        let s2 = 0.09f64;
        let mean = 2.0 * (s2 / 2.0).exp();
        near(spread("lognormal", &[2.0, 0.3]), mean, mean * (s2.exp() - 1.0).sqrt());
        // Cut one deviation on either side: variance 1 − 2φ(1)/(2Φ(1) − 1).
        let density = (-0.5f64).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let variance = 1.0 - 2.0 * density / (2.0 * normal::share(1.0) - 1.0);
        near(spread("truncated-normal", &[5.0, 1.0, 4.0, 6.0]), 5.0, variance.sqrt());
        // A tail eight deviations out: the mean of what lies beyond is φ/(1 − Φ).
        let density = (-32f64).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let (mean, _) = moments(&spread("truncated-normal", &[0.0, 1.0, 8.0, 30.0]));
        assert!((mean - density / normal::share(-8.0)).abs() < TAILS, "{mean}");
    }

    #[test]
    fn quantiles_rise_and_end_at_the_limits() {
        for s in [spread("triangular", &[1.0, 1.0, 2.0]), spread("truncated-normal", &[0.0, 1.0, 2.0, 3.0])] {
            let values: Vec<f64> = (1..1000).map(|k| s.quantile(f64::from(k) / 1000.0)).collect();
            assert!(values.windows(2).all(|w| w[0] < w[1]), "{}", s.words());
        }
        // The median of triangular(0, 0, 1) is 1 − 1/√2.
        assert!((spread("triangular", &[0.0, 0.0, 1.0]).quantile(0.5) - (1.0 - 0.5f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn ranges_hit_their_ends() {
        let range = Spread::Range { from: 0.1, to: 0.7, count: 7 };
        assert_eq!((range.level(0), range.level(6), range.quantile(0.999)), (0.1, 0.7, 0.7));
        assert_eq!(Spread::Range { from: 2.0, to: 3.0, count: 1 }.level(0), 2.0);
        assert_eq!(Spread::Values(vec![1.0, 5.0]).quantile(0.5), 5.0);
    }

    #[test]
    fn impossible_arguments_are_told() {
        let fault = |keyword: &str, arguments: &[f64]| {
            Spread::of(distribution(keyword).unwrap(), arguments.to_vec()).unwrap_err().to_string()
        };
        assert!(fault("normal", &[1.0, 0.0]).contains("deviation is not positive"));
        assert!(fault("uniform", &[2.0, 1.0]).contains("does not exceed"));
        assert!(fault("triangular", &[1.0, 3.0, 2.0]).contains("mode"));
        assert!(fault("normal", &[1.0]).contains("takes 2 arguments; 1 are given"));
        assert!(fault("truncated-normal", &[0.0, 1.0, 50.0, 60.0]).contains("leave nothing"));
    }
}
