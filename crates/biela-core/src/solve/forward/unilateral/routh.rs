//! One contact that is struck and rubs, followed through its impact: slip and speed of approach as functions of the normal impulse [Routh 1905; Stronge 1990].
//!
//! With the normal impulse p that has been exchanged so far, the rates along normal and tangents change by dc/dp = G_nn + G_nt τ and
//! ds/dp = G_tn + G_tt τ. While it slips friction is at its bound against the slip, τ = −μ s/|s|. Where the slip comes to an end it sticks if
//! τ = −G_tt⁻¹ G_tn is within the bound, else it slips back. In a plane both are straight lines from one such place to the next; in space the slip turns, and is
//! followed in small steps.
//!
//! Compression ends where c = 0. Poisson's expansion ends at (1 + e) times the impulse up to there, the energetic one where it has given back e² of the work
//! that c dp has taken until then. Friction only takes energy out, and so neither law adds any.

use super::compliance::Compliance;
use super::rough::{ease, Place};
use crate::joints::Impact;

/// Steps of a compression in space.
const STEPS: f64 = 2000.0;
/// Steps at most.
const MOST: usize = 200_000;
/// A slip below this fraction of the first is none.
const NOTHING: f64 = 1e-13;

/// Impulses along all directions, from the rates before; none where the contact jams, so that compression never ends.
pub fn follow(
    compliance: &Compliance,
    rates: &[f64],
    place: &Place,
    (law, coefficient): (Impact, f64),
) -> Option<Vec<f64>> {
    let mut course = Course::new(compliance, rates, place)?;
    course.compress()?;
    course.expand(law, coefficient)?;
    let mut found = vec![0.0; compliance.len()];
    found[place.normal] = course.impulse;
    place.tangents.iter().zip(course.rubs).for_each(|(t, x)| found[*t] = x);
    Some(found)
}

/// How far an impact has come.
struct Course {
    mu: f64,
    /// G along the normal, across, and of the tangents: along the first, mixed, along the second.
    own: f64,
    across: [f64; 2],
    tangents: [f64; 3],
    planar: bool,
    /// Rate along the normal, slip, and the size of the slip at first.
    speed: f64,
    slip: [f64; 2],
    first: f64,
    /// Impulses.
    impulse: f64,
    rubs: [f64; 2],
    /// Work of the normal impulse.
    work: f64,
    /// The longest step.
    step: f64,
}

impl Course {
    fn new(compliance: &Compliance, rates: &[f64], place: &Place) -> Option<Course> {
        let tangent = |k: usize| place.tangents.get(k).copied();
        let across = [0, 1].map(|k| tangent(k).map_or(0.0, |t| compliance.at(t, place.normal)));
        let slip = [0, 1].map(|k| tangent(k).map_or(0.0, |t| rates[t]));
        let own = compliance.at(place.normal, place.normal);
        let speed = rates[place.normal];
        let planar = place.tangents.len() == 1;
        let first = size(slip).max(-speed);
        let step = if planar { f64::INFINITY } else { -speed / own / STEPS };
        let tangents = ease(compliance, &place.tangents)?;
        let (impulse, rubs, work) = (0.0, [0.0; 2], 0.0);
        (own > 0.0).then_some(Course {
            mu: place.mu,
            own,
            across,
            tangents,
            planar,
            speed,
            slip,
            first,
            impulse,
            rubs,
            work,
            step,
        })
    }

    /// What rubs for a unit of normal impulse, and the change of the slip.
    fn friction(&self) -> ([f64; 2], [f64; 2]) {
        let turned = |t: [f64; 2]| {
            let [a, b, c] = self.tangents;
            let second = if self.planar { 0.0 } else { b * t[0] + c * t[1] };
            [self.across[0] + a * t[0] + if self.planar { 0.0 } else { b * t[1] }, self.across[1] + second]
        };
        let long = size(self.slip);
        if long > NOTHING * self.first {
            let rubs = self.slip.map(|s| -self.mu * s / long);
            return (rubs, turned(rubs));
        }
        let sticks = self.sticking();
        if size(sticks) <= self.mu {
            return (sticks, [0.0; 2]);
        }
        // It begins to slip against what it rubs with: found from what would hold it, by rounds.
        let mut rubs = sticks.map(|x| x * self.mu / size(sticks));
        for _ in 0..200 {
            let change = turned(rubs);
            let long = size(change);
            if long == 0.0 {
                break;
            }
            rubs = [0, 1].map(|k| 0.5 * (rubs[k] - self.mu * change[k] / long));
            let now = size(rubs);
            if now == 0.0 {
                break;
            }
            rubs = rubs.map(|x| x * self.mu / now);
        }
        (rubs, turned(rubs))
    }

    /// What keeps it from slipping for a unit of normal impulse.
    fn sticking(&self) -> [f64; 2] {
        let ([a, b, c], [x, y]) = (self.tangents, self.across);
        if self.planar {
            return [if a > 0.0 { -x / a } else { 0.0 }, 0.0];
        }
        let determinant = a * c - b * b;
        match determinant > NOTHING * a * c {
            true => [-(c * x - b * y) / determinant, -(a * y - b * x) / determinant],
            false => [-x / (a + c), -y / (a + c)],
        }
    }

    /// One piece, no longer than `most` gives from the rate along the normal and its change; none where that is without end. Whether it was that long.
    fn go(&mut self, most: impl Fn(f64, f64, f64) -> Option<f64>) -> Option<bool> {
        let (mut rubs, mut change) = self.friction();
        let sticks = size(self.slip) <= NOTHING * self.first && size(change) == 0.0;
        let mut step = if sticks { f64::INFINITY } else { self.step };
        if !sticks && !self.planar {
            // The direction half a step on.
            let kept = self.slip;
            self.slip = [0, 1].map(|k| kept[k] + 0.5 * step * change[k]);
            if kept[0] * self.slip[0] + kept[1] * self.slip[1] > 0.0 {
                (rubs, change) = self.friction();
            }
            self.slip = kept;
        }
        // Where the slip comes to an end.
        let (inwards, long) = (self.slip[0] * change[0] + self.slip[1] * change[1], size(self.slip));
        let mut stops = false;
        if long > NOTHING * self.first && inwards < 0.0 {
            let end = -long * long / inwards;
            stops = end <= step;
            step = step.min(end);
        }
        let rise = self.own + self.across[0] * rubs[0] + self.across[1] * rubs[1];
        let wanted = most(self.speed, rise, self.work);
        if wanted.is_none() && step.is_infinite() {
            return None;
        }
        let done = wanted.is_some_and(|wanted| wanted <= step);
        let step = wanted.map_or(step, |wanted| wanted.min(step));
        self.work += step * (self.speed + 0.5 * rise * step);
        self.speed += rise * step;
        self.impulse += step;
        for k in 0..2 {
            self.rubs[k] += step * rubs[k];
            self.slip[k] = if stops && !done { 0.0 } else { self.slip[k] + step * change[k] };
        }
        Some(done)
    }

    fn compress(&mut self) -> Option<()> {
        for _ in 0..MOST {
            if self.go(|speed, rise, _| (rise > 0.0).then(|| -speed / rise))? {
                self.speed = 0.0;
                return Some(());
            }
        }
        None
    }

    fn expand(&mut self, law: Impact, e: f64) -> Option<()> {
        let (all, taken) = ((1.0 + e) * self.impulse, self.work);
        for _ in 0..MOST {
            let now = self.impulse;
            let left = |speed: f64, rise: f64, work: f64| match law {
                Impact::Poisson => Some(all - now),
                _ => {
                    // Of c x + c′ x²/2 = what is still to be given back.
                    let due = (1.0 - e * e) * taken - work;
                    let root = speed * speed + 2.0 * rise * due;
                    (root >= 0.0 && due > 0.0 && speed + root.sqrt() > 0.0).then(|| 2.0 * due / (speed + root.sqrt()))
                }
            };
            if (law != Impact::Poisson && (1.0 - e * e) * taken <= self.work) || self.go(left)? {
                return Some(());
            }
        }
        None
    }
}

fn size(x: [f64; 2]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]).sqrt()
}
