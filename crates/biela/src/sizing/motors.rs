//! What each driver must give.
//!
//! The effective value is √(1/T ∫ M² dt), which heats a motor; the power is effort times rate. The flywheel: a motor that turns steadily
//! and gives its mean moment M_m alone is short of ∫ (M − M_m) dθ of energy and has it too much in turn; with ΔE between the largest and the
//! least of that over whole turns, an inertia I = ΔE/(C ω²) lets the speed vary by C ω (Norton, Design of Machinery, chapter 11). It comes
//! on top of what the model has.

use super::{peak, Run};
use crate::drivers::Target;
use crate::model::Model;
use crate::plan::reduction::{at, over_time};
use crate::signal::{effort_leaves, Element};
use crate::signal_name;
use crate::solve::motion::law_of;
use crate::solve::noise::Noise;
use serde_json::{json, Value};
use std::f64::consts::TAU;

/// What one driver gives over the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Motor {
    /// The driver.
    pub driver: String,
    /// What it moves: a joint coordinate's name, or its own.
    pub moves: String,
    /// Whether it gives a torque, and else a force.
    pub turns: bool,
    /// Effort of largest magnitude, with its time; `None` where no forces were computed.
    pub peak: Option<[f64; 2]>,
    /// Effective value.
    pub rms: Option<f64>,
    /// Mean effort.
    pub mean: Option<f64>,
    /// Greatest power given, with its time.
    pub power: Option<[f64; 2]>,
    /// Least power: where it is negative the driver brakes.
    pub least_power: Option<f64>,
    /// Mean power.
    pub mean_power: Option<f64>,
    /// Rate of largest magnitude.
    pub speed: f64,
    /// Mean magnitude of the rate.
    pub mean_speed: f64,
    /// Whether the rate never changes.
    pub steady: bool,
    /// Rate and effort at each sample, for the diagram; no efforts where none are known.
    pub diagram: [Vec<f64>; 2],
    /// The flywheel, or why there is none.
    pub flywheel: Result<Flywheel, &'static str>,
}

/// The inertia that keeps a steadily driven machine steady.
#[derive(Debug, Clone, PartialEq)]
pub struct Flywheel {
    /// Wanted (ω_max − ω_min)/ω_mean.
    pub fluctuation: f64,
    /// Whole turns it is reckoned over.
    pub turns: usize,
    /// Mean moment over them.
    pub mean: f64,
    /// Energy ΔE between the largest surplus and the largest lack.
    pub energy: f64,
    /// Speed ω.
    pub speed: f64,
    /// Inertia I = ΔE/(C ω²).
    pub inertia: f64,
}

impl Motor {
    /// As JSON; what is not known is null.
    pub fn json(&self) -> Value {
        let flywheel = match &self.flywheel {
            Ok(f) => json!({
                "fluctuation": f.fluctuation, "turns": f.turns, "mean": f.mean, "energy": f.energy, "speed": f.speed,
                "inertia": f.inertia
            }),
            Err(_) => Value::Null,
        };
        json!({
            "driver": self.driver,
            "moves": self.moves,
            "kind": if self.turns { "torque" } else { "force" },
            "peak": self.peak.map(|p| p[0]),
            "peak_time": self.peak.map(|p| p[1]),
            "rms": self.rms,
            "mean": self.mean,
            "power": self.power.map(|p| p[0]),
            "power_time": self.power.map(|p| p[1]),
            "least_power": self.least_power,
            "mean_power": self.mean_power,
            "speed": self.speed,
            "mean_speed": self.mean_speed,
            "steady": self.steady,
            "flywheel": flywheel,
            "no_flywheel": self.flywheel.as_ref().err(),
        })
    }
}

/// Of one driver; `None` of one that prescribes no single number and gives no effort.
pub(super) fn motor(model: &Model, found: &Run, noise: &Noise, k: usize, fluctuation: f64) -> Option<Motor> {
    let driver = &model.drivers[k];
    let times = found.times();
    let (moves, rates) = match (&driver.target, law_of(driver)) {
        (Target::Coordinate { of, .. }, Some(law)) => {
            (Element::Coordinate(of.joint, of.coordinate).name(model), rates(law, times))
        }
        (_, Some(law)) => (driver.name.clone(), rates(law, times)),
        (_, None) => return None,
    };
    let turns = effort_leaves(driver, &model.joints).iter().all(|leaf| leaf.unit == "N*m");
    let efforts = found.get(&signal_name::effort(&driver.name)).map(|c| c.data.clone());
    let power: Option<Vec<f64>> = efforts.as_ref().map(|e| e.iter().zip(&rates).map(|(e, r)| e * r).collect());
    let greatest = |data: &[f64]| {
        let best = (0..data.len()).reduce(|a, b| if data[b] > data[a] { b } else { a })?;
        Some([data[best], times.get(best).copied().unwrap_or(0.0)])
    };
    // The mean of what comes and goes is nothing but for rounding.
    let (floor, fastest) = (noise.floor(if turns { "N*m" } else { "N" }), peak(times, &rates).map_or(0.0, |p| p[0]));
    let or_nothing = |x: f64, floor: f64| if x.abs() <= floor { 0.0 } else { x };
    let steady = is_steady(&rates);
    let flywheel = match &efforts {
        Some(efforts) => flywheel((times, efforts), &rates, (turns, steady), fluctuation),
        None => Err("no forces are known"),
    };
    Some(Motor {
        driver: driver.name.clone(),
        moves,
        turns,
        peak: efforts.as_ref().and_then(|e| peak(times, e)),
        rms: efforts.as_ref().map(|e| over_time(times, e, |x| x * x).sqrt()),
        mean: efforts.as_ref().map(|e| or_nothing(over_time(times, e, |x| x), floor)),
        power: power.as_ref().and_then(|p| greatest(p)),
        least_power: power.as_ref().map(|p| p.iter().copied().fold(f64::INFINITY, f64::min)),
        mean_power: power.as_ref().map(|p| or_nothing(over_time(times, p, |x| x), floor * fastest.abs())),
        speed: fastest,
        mean_speed: over_time(times, &rates, f64::abs),
        steady,
        diagram: [rates, efforts.unwrap_or_default()],
        flywheel,
    })
}

/// Rates that a law prescribes at each time.
fn rates(law: &crate::motion::Motion, times: &[f64]) -> Vec<f64> {
    times.iter().map(|t| law.jet(*t).d).collect()
}

fn is_steady(rates: &[f64]) -> bool {
    /// Roundings of a product and a sum or two.
    const SAME: f64 = 1e-12;
    let first = rates.first().copied().unwrap_or(0.0);
    first != 0.0 && rates.iter().all(|r| (r - first).abs() <= SAME * first.abs())
}

fn flywheel(
    (times, efforts): (&[f64], &[f64]),
    rates: &[f64],
    (turns, steady): (bool, bool),
    fluctuation: f64,
) -> Result<Flywheel, &'static str> {
    /// Of a turn: an end that rounding puts before a whole one has come to it.
    const WHOLE: f64 = 1e-9;
    if !turns {
        return Err("it moves along a line");
    }
    if !steady {
        return Err("it does not turn steadily");
    }
    let (omega, start) = (rates[0], times[0]);
    let made = (times[times.len() - 1] - start) * omega.abs() / TAU;
    let whole = (made + WHOLE).floor();
    if whole < 1.0 {
        return Err("the run makes less than one turn");
    }
    let end = start + whole * TAU / omega.abs();
    let mut t: Vec<f64> = times.iter().copied().filter(|t| *t < end - WHOLE * TAU / omega.abs()).collect();
    let mut moments = efforts[..t.len()].to_vec();
    let last = end.min(times[times.len() - 1]);
    moments.push(at(times, efforts, last));
    t.push(last);
    let work = running_integral(&t, &moments);
    let all = work[work.len() - 1];
    let mean = all / (last - start);
    let surplus = work.iter().zip(&t).map(|(w, t)| w - mean * (t - start));
    let (low, high) = surplus.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let energy = (high - low) * omega.abs();
    let inertia = energy / (fluctuation * omega * omega);
    Ok(Flywheel { fluctuation, turns: whole as usize, mean, energy, speed: omega, inertia })
}

/// ∫ x dt up to each sample: of each interval the cubic with the values at its ends and slopes through their neighbours, exact for parabolas.
fn running_integral(t: &[f64], x: &[f64]) -> Vec<f64> {
    let n = t.len();
    let difference = |k: usize| (x[k + 1] - x[k]) / (t[k + 1] - t[k]);
    let slope = |k: usize| match (k, n) {
        (_, 0..=2) => 0.0,
        (0, _) => {
            let (a, b) = (t[1] - t[0], t[2] - t[1]);
            difference(0) + a / (a + b) * (difference(0) - difference(1))
        }
        (k, n) if k == n - 1 => {
            let (a, b) = (t[k] - t[k - 1], t[k - 1] - t[k - 2]);
            difference(k - 1) + a / (a + b) * (difference(k - 1) - difference(k - 2))
        }
        (k, _) => {
            let (a, b) = (t[k] - t[k - 1], t[k + 1] - t[k]);
            (b * difference(k - 1) + a * difference(k)) / (a + b)
        }
    };
    let mut sums = vec![0.0; n];
    for k in 1..n {
        let h = t[k] - t[k - 1];
        let own = 0.5 * h * (x[k - 1] + x[k]) + h * h / 12.0 * (slope(k - 1) - slope(k));
        sums[k] = sums[k - 1] + own;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M = 5 + 3 sin 2θ at 10 rad/s: from where M passes its mean upwards to where it falls below it the surplus is 3 ∫ sin 2θ dθ = 3.
    #[test]
    fn the_flywheel_of_a_sine() {
        // Samples meet the zeros of the sine. Slopes from differences are off by h²/6 of the third derivative, of which h²/12 remains at
        // both ends of a half wave: 2 · 3 h⁴/72 with h = 2π/100.
        const CUBIC: f64 = 1.4e-6;
        let times: Vec<f64> = (0..=200).map(|k| TAU / 10.0 * f64::from(k) / 200.0).collect();
        let moments: Vec<f64> = times.iter().map(|t| 5.0 + 3.0 * (20.0 * t).sin()).collect();
        let rates = vec![10.0; times.len()];
        let wheel = flywheel((&times, &moments), &rates, (true, true), 0.04).unwrap();
        assert_eq!((wheel.turns, wheel.speed), (1, 10.0));
        assert!((wheel.mean - 5.0).abs() < CUBIC && (wheel.energy - 3.0).abs() < CUBIC, "{wheel:?}");
        assert!((wheel.inertia - 3.0 / (0.04 * 100.0)).abs() < CUBIC);
        // A turn and a half, the other way round: one whole turn counts, and what has no sample of its own is interpolated.
        let longer: Vec<f64> = (0..=290).map(|k| 3.0 * TAU / 20.0 * f64::from(k) / 290.0).collect();
        let moments: Vec<f64> = longer.iter().map(|t| 5.0 + 3.0 * (20.0 * t).sin()).collect();
        let back = flywheel((&longer, &moments), &[-10.0; 291], (true, true), 0.04).unwrap();
        // The greatest surplus lies between two samples here: off by the square of half a step.
        let between = 3.0 * (3.0 * TAU / 290.0f64 / 2.0).powi(2);
        assert!((back.energy - 3.0).abs() < between && back.turns == 1, "{back:?}");
        let half = flywheel((&times[..100], &moments[..100]), &rates[..100], (true, true), 0.04);
        assert_eq!(half, Err("the run makes less than one turn"));
        assert_eq!(flywheel((&times, &moments), &rates, (true, false), 0.04), Err("it does not turn steadily"));
    }

    #[test]
    fn running_integrals_are_exact_for_parabolas() {
        let t = [0.0, 0.1, 0.35, 0.4, 1.0];
        let x = t.map(|t: f64| 1.0 - 4.0 * t + 3.0 * t * t);
        for (sum, t) in running_integral(&t, &x).iter().zip(t) {
            assert!((sum - (t - 2.0 * t * t + t * t * t)).abs() < 1e-15);
        }
        assert_eq!(running_integral(&[0.0, 2.0], &[1.0, 3.0]), [0.0, 4.0]);
        assert_eq!(running_integral(&[0.0], &[1.0]), [0.0]);
    }
}
