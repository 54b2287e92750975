//! Contacts that rub: who sticks, slides or parts, at accelerations and in impacts.
//!
//! With efforts or impulses Λ along normals and tangents, what they change (accelerations, or velocities) is u = a + G Λ. A normal effort N is never
//! negative, and u_n is no less than what is wanted, 0 or −e times the speed of approach, and just that where N > 0. At rest |T| ≤ μ N, and T is μ N
//! against u_t where that does not vanish; where it slides already T = −μ N along the slide. Contact after contact is brought to where its own
//! conditions hold, over and over, until nothing changes [Jean 1999].
//!
//! **Painlevé's paradox.** A contact that slides so that G_nn − μ G_nt σ ≤ 0 meets the harder the more it presses: where its gap would close there is no
//! effort that keeps it, and where it would open there are two answers.

use super::compliance::Compliance;
use super::cone::Cone;
use super::held::{Held, Mode};
use crate::solve::forces::independent;

/// Sweeps at most; a few hundred do for a handful of contacts.
const SWEEPS: usize = 5000;
/// Change of an effort, of the largest, that is none: roundings.
const SETTLED: f64 = 1e-14;
/// A part of the bound up to which friction is not at it.
const WITHIN: f64 = 1e-9;
/// An acceleration below this fraction of the terms that it is the sum of is none.
const NOTHING: f64 = 1e-10;
/// Efforts below this part of the largest are none.
const FAINT: f64 = 1e-12;
/// A determinant of the tangents' part of G, of the square of its largest eigenvalue, from which on they are one.
const DEPENDENT: f64 = 1e-12;

/// A contact in one problem.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its number.
    pub of: usize,
    /// Places of its normal and its tangents among all directions.
    pub normal: usize,
    /// See `normal`.
    pub tangents: Vec<usize>,
    /// Coefficient of friction.
    pub mu: f64,
    /// The way it slides, where it does.
    pub slide: Option<[f64; 2]>,
    /// What its normal rate is to be at least.
    pub wanted: f64,
    /// Where it has stuck and bears all that it can: the contact whose places begin to slip together.
    pub spent: Option<usize>,
}

/// Why there is no answer, or more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paradox {
    /// No effort keeps a contact that slides from closing.
    None,
    /// It may open or press.
    Several,
}

/// Places of contacts in the order of a list of directions, at rest.
pub fn places(held: &Held, compliance: &Compliance, among: &[usize]) -> Vec<Place> {
    let at = |i: usize, k: usize| compliance.of.iter().position(|d| *d == (i, k));
    let place = |i: &usize| {
        let of = &held.list[*i].of;
        let tangents = (1..=of.tangents()).filter_map(|k| at(*i, k)).collect();
        Some(Place {
            of: *i,
            normal: at(*i, 0)?,
            tangents,
            mu: of.friction()[1],
            slide: None,
            wanted: 0.0,
            spent: None,
        })
    };
    among.iter().filter_map(place).collect()
}

/// What a unit of normal effort of a contact that slides adds along its own normal.
fn stiffness(compliance: &Compliance, place: &Place) -> f64 {
    let own = compliance.at(place.normal, place.normal);
    let Some(slide) = place.slide else { return own };
    let rubs = place.tangents.iter().zip(slide).map(|(t, s)| compliance.at(place.normal, *t) * s).sum::<f64>();
    own - place.mu * rubs
}

/// A sliding contact without an answer, or with two.
pub fn paradox(compliance: &Compliance, a: &[f64], places: &[Place]) -> Option<(usize, Paradox)> {
    places.iter().filter(|place| place.slide.is_some()).find_map(|place| {
        (stiffness(compliance, place) <= 0.0).then_some(match a[place.normal] < place.wanted {
            true => (place.of, Paradox::None),
            false => (place.of, Paradox::Several),
        })
    })
}

/// Efforts along all directions; none where they do not settle.
pub fn efforts(compliance: &Compliance, a: &[f64], places: &[Place]) -> Option<Vec<f64>> {
    let n = compliance.len();
    let mut efforts = vec![0.0; n];
    let rate = |efforts: &[f64], p: usize| a[p] + (0..n).map(|j| compliance.at(p, j) * efforts[j]).sum::<f64>();
    for _ in 0..SWEEPS {
        let mut change = 0.0f64;
        for place in places {
            let own = stiffness(compliance, place);
            if own <= 0.0 {
                continue;
            }
            let before = efforts.clone();
            let p = place.normal;
            if place.slide.is_none() && !place.tangents.is_empty() && alone(compliance, place, &mut efforts, &rate) {
                change = before.iter().zip(&efforts).fold(change, |m, (a, b)| m.max((a - b).abs()));
                continue;
            }
            efforts[p] = (efforts[p] - (rate(&efforts, p) - place.wanted) / own).max(0.0);
            let most = place.mu * efforts[p];
            match place.slide {
                Some(slide) => place.tangents.iter().zip(slide).for_each(|(t, s)| efforts[*t] = -most * s),
                None => rub(compliance, place, most, &mut efforts, &rate),
            }
            change = before.iter().zip(&efforts).fold(change, |m, (a, b)| m.max((a - b).abs()));
        }
        let largest = efforts.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if change <= SETTLED * largest {
            return Some(efforts);
        }
        if !largest.is_finite() {
            return None;
        }
    }
    Some(efforts)
}

/// Brings a contact to where its own conditions hold; false where no answer is found.
fn alone(compliance: &Compliance, place: &Place, efforts: &mut [f64], rate: &dyn Fn(&[f64], usize) -> f64) -> bool {
    let mut of = vec![place.normal];
    of.extend(&place.tangents);
    let mut own = [[0.0; 3]; 3];
    let mut free = [0.0; 3];
    for (row, p) in of.iter().enumerate() {
        of.iter().enumerate().for_each(|(column, q)| own[row][column] = compliance.at(*p, *q));
        free[row] = rate(efforts, *p) - of.iter().map(|q| compliance.at(*p, *q) * efforts[*q]).sum::<f64>();
    }
    let cone = Cone { own, tangents: place.tangents.len(), mu: place.mu, wanted: place.wanted };
    let Some(found) = cone.settle(free) else { return false };
    of.iter().zip(found).for_each(|(p, x)| efforts[*p] = x);
    true
}

/// Brings what a contact rubs with nearer to where it keeps it from sliding, or is at its bound against the slip.
fn rub(compliance: &Compliance, place: &Place, most: f64, efforts: &mut [f64], rate: &dyn Fn(&[f64], usize) -> f64) {
    let Some([a, b, c]) = ease(compliance, &place.tangents) else { return };
    let largest = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt();
    if largest <= 0.0 {
        return;
    }
    let rates: Vec<f64> = place.tangents.iter().map(|t| rate(efforts, *t)).collect();
    let (x, y) = (rates[0], rates.get(1).copied().unwrap_or(0.0));
    let determinant = a * c - b * b;
    // Without any slide, if that is within the bound.
    let step = match determinant > DEPENDENT * largest * largest {
        true => [(c * x - b * y) / determinant, (a * y - b * x) / determinant],
        false => [x / largest, y / largest],
    };
    let now =
        |step: [f64; 2]| -> Vec<f64> { place.tangents.iter().zip(step).map(|(t, step)| efforts[*t] - step).collect() };
    let size = |of: &[f64]| of.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut found = now(step);
    if size(&found) > most {
        // Both tangents by the same measure, so that what comes to rest at the bound is against the slip.
        found = now([x / largest, y / largest]);
        let long = size(&found);
        if long > most {
            found.iter_mut().for_each(|x| *x *= most / long);
        }
    }
    place.tangents.iter().zip(found).for_each(|(t, x)| efforts[*t] = x);
}

/// G of the tangents of a contact: along the first, across, along the second.
pub fn ease(compliance: &Compliance, tangents: &[usize]) -> Option<[f64; 3]> {
    match *tangents {
        [t] => Some([compliance.at(t, t), 0.0, compliance.at(t, t)]),
        [t, u] => Some([compliance.at(t, t), compliance.at(t, u), compliance.at(u, u)]),
        _ => None,
    }
}

fn size(efforts: &[f64], of: &[usize]) -> f64 {
    of.iter().map(|t| efforts[*t] * efforts[*t]).sum::<f64>().sqrt()
}

/// What contacts at rest along their normals do, from accelerations along all directions without efforts; none where there is no answer.
pub fn modes(compliance: &Compliance, a: &[f64], places: &[Place]) -> Option<Vec<Mode>> {
    let n = compliance.len();
    let mut found = efforts(compliance, a, places)?;
    let normals: Vec<usize> = places.iter().map(|place| place.normal).collect();
    let basis = corner(compliance, &mut found, &normals);
    let sum = |p: usize| {
        let terms = (0..n).map(|j| compliance.at(p, j) * found[j]);
        terms.fold((a[p], a[p].abs()), |(sum, size), x| (sum + x, size + x.abs()))
    };
    let mode = |place: &Place| {
        let (up, size_up) = sum(place.normal);
        if !basis.contains(&place.normal) {
            return if size_up > 0.0 && up <= NOTHING * size_up { Mode::Carried } else { Mode::Open };
        }
        if place.tangents.is_empty() {
            return Mode::Closed;
        }
        if let Some(slide) = place.slide {
            return Mode::Slides(slide);
        }
        if let Some(slips) = place.spent.and_then(|contact| begins(&found, places, contact)) {
            return Mode::Slides(slips);
        }
        let along: Vec<(f64, f64)> = place.tangents.iter().map(|t| sum(*t)).collect();
        let still = along.iter().all(|(x, size)| x.abs() <= NOTHING * size);
        let bound = place.mu * found[place.normal];
        if still || size(&found, &place.tangents) < bound * (1.0 - WITHIN) {
            return Mode::Sticks;
        }
        let length = along.iter().map(|(x, _)| x * x).sum::<f64>().sqrt();
        let part = |k: usize| along.get(k).map_or(0.0, |x| x.0 / length);
        Mode::Slides([part(0), part(1)])
    };
    Some(places.iter().map(mode).collect())
}

/// The direction in which the places of a contact begin to slip that bear all they can together: against what they rub with. Accelerations are roundings there.
fn begins(efforts: &[f64], places: &[Place], contact: usize) -> Option<[f64; 2]> {
    let mut rubs = [0.0; 2];
    for place in places.iter().filter(|place| place.spent == Some(contact)) {
        place.tangents.iter().zip(&mut rubs).for_each(|(t, sum)| *sum += efforts[*t]);
    }
    let size = (rubs[0] * rubs[0] + rubs[1] * rubs[1]).sqrt();
    (size > 0.0).then(|| rubs.map(|x| -x / size))
}

/// Those that bear of some whose efforts are not unique: efforts are shifted among them until those left are independent.
fn corner(compliance: &Compliance, efforts: &mut [f64], normals: &[usize]) -> Vec<usize> {
    let n = compliance.len();
    let largest = normals.iter().map(|p| efforts[*p]).fold(0.0, f64::max);
    let mut bearing: Vec<usize> = normals.iter().copied().filter(|p| efforts[*p] > FAINT * largest).collect();
    loop {
        let basis = independent(&compliance.matrix, n, &bearing);
        let Some(other) = bearing.iter().copied().find(|p| !basis.contains(p)) else { return basis };
        // Efforts that change nothing: one of the other against these of the basis.
        let m = basis.len();
        let mut matrix: Vec<f64> = basis.iter().flat_map(|r| basis.iter().map(|c| compliance.at(*r, *c))).collect();
        let mut with: Vec<f64> = basis.iter().map(|r| compliance.at(*r, other)).collect();
        if m == 0 || crate::solve::forces::eliminate(&mut matrix, &mut with).is_none() {
            return basis;
        }
        // Down with the other until it, or one that goes down with it, bears nothing.
        let mut step = efforts[other];
        let mut last = other;
        for (p, share) in basis.iter().zip(&with).filter(|(_, share)| **share < 0.0) {
            let reach = efforts[*p] / -share;
            if reach < step {
                (step, last) = (reach, *p);
            }
        }
        efforts[other] -= step;
        basis.iter().zip(&with).for_each(|(p, share)| efforts[*p] += step * share);
        efforts[last] = 0.0;
        bearing.retain(|p| *p != last);
    }
}

/// Impulses of one round of impacts, from the rates along all directions, and the energy they add with what they turn over.
pub fn impact(compliance: &Compliance, rates: &[f64], places: &[Place]) -> Option<(Vec<f64>, f64, f64)> {
    let impulses = efforts(compliance, rates, places)?;
    let n = compliance.len();
    let (mut gain, mut turned) = (0.0, 0.0);
    for p in 0..n {
        let after = rates[p] + (0..n).map(|j| compliance.at(p, j) * impulses[j]).sum::<f64>();
        gain += 0.5 * impulses[p] * (rates[p] + after);
        turned += impulses[p].abs() * (rates[p].abs() + after.abs());
    }
    Some((impulses, gain, turned))
}
