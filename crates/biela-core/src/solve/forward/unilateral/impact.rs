//! Velocities after impacts, with the impulses of all rows by the same matrix as accelerations.
//!
//! **Simultaneous impacts.** All that approach at an instant are struck at once; those that touch and approach because of that are struck next, at
//! once among themselves, and so on until none approaches: impulses travel from contact to contact as they do through stiff ones (Newton's
//! cradle throws out the last ball). What is struck with those beside it held apart only by touching bears nothing in that round.
//!
//! **A round** without friction, with e of each: Λ ≥ 0, and where Λ > 0
//! - Newton: ġ⁺ = −e ġ⁻;
//! - Poisson: first compression to ġ = 0 with Λc, then expansion with at least e Λc of each;
//! - energetic: as Poisson, which gives back e² of the work of compression where one is struck.
//!
//! For a single one without friction all are the same. The energy of a round changes by ½ Λᵀ(ġ⁺ + ġ⁻). Where the law asked for would add
//! energy the round is made anew with the energetic law, and with expansions cut to what compression took where even that gains.
//!
//! **With friction** Newton's law is one of complementarity ([`rough`]). It may add energy, as in Kane's double pendulum; Poisson's and the energetic law follow the
//! impact instead ([`routh`]), which one that is struck alone allows. Where several are, and rub, 1 + e times the impulses of a compression are taken, with the least e
//! among them: they stay within friction, and add nothing.

use super::compliance::Compliance;
use super::held::Held;
use super::{rough, routh};
use crate::joints::Impact;
use crate::solve::forces::settle_box;

/// What impacts of an instant have come to.
#[derive(Debug, Default)]
pub struct Struck {
    /// Who was struck, with the greatest speed of approach at which it was.
    pub who: Vec<(usize, f64)>,
    /// Whether a law that would have added energy was set aside.
    pub set_aside: bool,
    /// Whether rounds went on too long to be followed, and the rest was taken without restitution.
    pub cut: bool,
}

/// Rounds that are followed; further ones are made without restitution.
const ROUNDS: usize = 2000;
/// Further rounds, in which what is left of approach falls below what is told apart.
const MORE: usize = 200;
/// Energy gained, as a fraction of what the impulses turn over, that is rounding.
const GAIN: f64 = 1e-12;

/// One round among constraints that touch: `compliance` has all their directions, normals first.
struct Round<'a> {
    compliance: &'a Compliance,
    /// Places of those that are struck.
    of: &'a [usize],
    /// Their rates before.
    before: Vec<f64>,
    restitution: Vec<f64>,
}

impl Round<'_> {
    fn matrix(&self) -> Vec<f64> {
        self.of.iter().flat_map(|r| self.of.iter().map(move |c| self.compliance.at(*r, *c))).collect()
    }

    /// Impulses of at least `least` with which no rate falls below `wanted`, from the rates given.
    fn impulses(&self, rates: &[f64], wanted: &[f64], least: &[f64]) -> Vec<f64> {
        let side: Vec<f64> = rates.iter().zip(wanted).map(|(u, w)| u - w).collect();
        let bounds: Vec<(f64, f64)> = least.iter().map(|least| (*least, f64::INFINITY)).collect();
        let mut found = least.to_vec();
        settle_box(&self.matrix(), &side, &bounds, &mut found);
        found
    }

    fn after(&self, impulses: &[f64]) -> Vec<f64> {
        let m = self.of.len();
        let matrix = self.matrix();
        (0..m).map(|r| self.before[r] + (0..m).map(|c| matrix[r * m + c] * impulses[c]).sum::<f64>()).collect()
    }

    fn newton(&self) -> Vec<f64> {
        let wanted: Vec<f64> = self.before.iter().zip(&self.restitution).map(|(u, e)| -e * u).collect();
        self.impulses(&self.before, &wanted, &vec![0.0; self.of.len()])
    }

    fn poisson(&self) -> Vec<f64> {
        let none = vec![0.0; self.of.len()];
        let compression = self.impulses(&self.before, &none, &none);
        let least: Vec<f64> = compression.iter().zip(&self.restitution).map(|(x, e)| (1.0 + e) * x).collect();
        self.impulses(&self.before, &none, &least)
    }

    /// Energy that the impulses add, and what they turn over.
    fn gain(&self, impulses: &[f64]) -> (f64, f64) {
        let after = self.after(impulses);
        let parts = impulses.iter().zip(self.before.iter().zip(&after)).map(|(x, (u, w))| 0.5 * x * (u + w));
        let sizes =
            impulses.iter().zip(self.before.iter().zip(&after)).map(|(x, (u, w))| x.abs() * (u.abs() + w.abs()));
        (parts.sum(), sizes.sum())
    }
}

/// A round of impacts with friction; whether Newton's law was set aside since it would have added energy.
fn rub(
    held: &Held,
    compliance: &Compliance,
    (who, restitution): (&[usize], &[f64]),
    rates: &mut [f64],
    total: &mut [f64],
) -> bool {
    let law = who.iter().map(|i| held.list[*i].of.restitution().law).find(|law| *law != Impact::Newton);
    let mut places = rough::places(held, compliance, who);
    for (place, e) in places.iter_mut().zip(restitution) {
        place.mu = held.list[place.of].of.friction()[0];
        place.wanted = -e * rates[place.normal];
    }
    let newton = rough::impact(compliance, rates, &places);
    let grows = newton.as_ref().is_none_or(|(_, gain, size)| *gain > GAIN * size);
    let found = match newton {
        Some((impulses, ..)) if law.is_none() && !grows => Some(impulses),
        _ => followed(compliance, rates, &mut places, (law.unwrap_or(Impact::Energetic), restitution)),
    };
    for (p, impulse) in found.iter().flat_map(|found| found.iter().enumerate()) {
        total[p] += impulse;
        for (r, rate) in rates.iter_mut().enumerate() {
            *rate += compliance.at(r, p) * impulse;
        }
    }
    grows && law.is_none()
}

/// Impulses by Poisson's or the energetic law.
fn followed(
    compliance: &Compliance,
    rates: &[f64],
    places: &mut [rough::Place],
    (law, restitution): (Impact, &[f64]),
) -> Option<Vec<f64>> {
    if let ([place], [e]) = (&*places, restitution) {
        if let Some(found) = routh::follow(compliance, rates, place, (law, *e)) {
            return Some(found);
        }
    }
    places.iter_mut().for_each(|place| place.wanted = 0.0);
    let mut found = rough::impact(compliance, rates, places)?.0;
    let e = restitution.iter().copied().fold(1.0, f64::min);
    found.iter_mut().for_each(|impulse| *impulse *= 1.0 + e);
    Some(found)
}

/// Strikes what approaches among those that touch, from the rates along all directions; returns the impulses.
/// `rest` are speeds that are none, `plastic` those that are to stay together whatever their restitution, `flat` speeds from which flights are
/// too low to be followed.
pub fn strike(
    held: &Held,
    compliance: &Compliance,
    rates: &mut [f64],
    (rest, plastic, flat): (&[f64], &[usize], &[f64]),
) -> (Vec<f64>, Struck) {
    let n = compliance.len();
    let normals: Vec<usize> = (0..n).filter(|p| compliance.of[*p].1 == 0).collect();
    let (mut total, mut struck) = (vec![0.0; n], Struck::default());
    for round in 0..ROUNDS + MORE {
        let of: Vec<usize> = normals.iter().copied().filter(|p| rates[*p] < -rest[compliance.of[*p].0]).collect();
        if of.is_empty() {
            break;
        }
        struck.cut |= round >= ROUNDS;
        for p in &of {
            let (i, speed) = (compliance.of[*p].0, -rates[*p]);
            match struck.who.iter_mut().find(|who| who.0 == i) {
                Some(who) => who.1 = who.1.max(speed),
                None => struck.who.push((i, speed)),
            }
        }
        let law = |p: &usize| held.list[compliance.of[*p].0].of.restitution();
        let tame = |p: &usize| plastic.contains(&compliance.of[*p].0) || -rates[*p] <= flat[compliance.of[*p].0];
        let coefficient = |p: &usize| match round >= ROUNDS || tame(p) {
            true => 0.0,
            false => law(p).coefficient,
        };
        let made = Round {
            compliance,
            of: &of,
            before: of.iter().map(|p| rates[*p]).collect(),
            restitution: of.iter().map(coefficient).collect(),
        };
        if of.iter().any(|p| held.list[compliance.of[*p].0].of.tangents() > 0) {
            let who: Vec<usize> = of.iter().map(|p| compliance.of[*p].0).collect();
            struck.set_aside |= rub(held, compliance, (&who, &made.restitution), rates, &mut total);
            continue;
        }
        let newton = of.iter().all(|p| law(p).law == Impact::Newton);
        let mut impulses = if newton { made.newton() } else { made.poisson() };
        let grows = |impulses: &[f64]| {
            let (gain, size) = made.gain(impulses);
            gain > GAIN * size
        };
        if grows(&impulses) {
            struck.set_aside = true;
            impulses = made.poisson();
        }
        if grows(&impulses) {
            let none = vec![0.0; of.len()];
            impulses = made.impulses(&made.before, &none, &none);
        }
        for (p, impulse) in of.iter().zip(&impulses) {
            total[*p] += impulse;
            for (r, rate) in rates.iter_mut().enumerate() {
                *rate += compliance.at(r, *p) * impulse;
            }
        }
    }
    (total, struck)
}
