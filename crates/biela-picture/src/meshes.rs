//! Toothed wheels that couplings of a model tell of, and where they touch.
//!
//! A coupling that is linear in angles of pivots with parallel axes is an equation between the turning rates of bodies, Σ k_b ω_b = 0
//! with Σ k_b = 0. Two wheels a, b in mesh on a carrier c fulfil r_a (ω_a − ω_c) ± r_b (ω_b − ω_c) = 0, plus for outer teeth, minus where
//! one is a ring with inner teeth. So three bodies with k ≠ 0 are such a pair where the centres of two of them lie on pivots of the
//! third; the radii are in the ratio of k and fit the distance of the centres. How the model writes the coupling does not matter.

#![allow(non_snake_case)] // p_W: a point in the ground (docs/notation.md).

use super::build::Builder;
use biela_core::couplings::Coupling;
use biela_core::joints::{Form as RowForm, Joint};
use biela_core::model::Model;
use biela_math::Vec3;

/// Axes that differ by less are parallel, as one less the cosine.
const PARALLEL: f64 = 1e-3;

/// A wheel: where it is at the first sample, and how large.
#[derive(Debug, Clone)]
pub(super) struct Wheel {
    pub body: usize,
    /// A point of its axis, in the ground at the first sample.
    pub centre: Vec3,
    pub radius: f64,
    /// Whether it is a ring with inner teeth.
    pub inner: bool,
    /// How many teeth the coupling may mean.
    pub hint: Option<u32>,
}

/// Two wheels that touch, by their numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mesh {
    pub wheels: [usize; 2],
}

/// A rack on a wheel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rack {
    pub wheel: usize,
    pub body: usize,
    /// The joint that it slides in, and whether it is that joint's first body.
    pub joint: usize,
    pub first: bool,
    /// Unit vector along it, in the ground at the first sample.
    pub along: Vec3,
    /// From the wheel's centre to where they touch.
    pub reach: Vec3,
    /// Whether it moves forwards where the wheel turns positively about [`Found::axis`].
    pub forwards: bool,
}

/// All wheels about axes of one direction.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Their common direction, in the ground at the first sample.
    pub axis: Vec3,
    pub wheels: Vec<Wheel>,
    pub meshes: Vec<Mesh>,
    pub racks: Vec<Rack>,
}

/// What the couplings of a model tell, by direction of axes.
pub(super) fn find(builder: &Builder) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for coupling in &builder.model.couplings {
        let Some(terms) = terms(coupling, builder.model) else { continue };
        let _ = pair(builder, coupling, &terms, &mut all).or_else(|| rack(builder, coupling, &terms, &mut all));
    }
    all
}

/// Coefficients of a coupling that is linear in its coordinates, in their order.
fn terms(coupling: &Coupling, model: &Model) -> Option<Vec<f64>> {
    let count = coupling.coordinates.len();
    match coupling.row(&model.joints).form {
        RowForm::Linear(terms) => Some(terms.iter().map(|t| t.0).collect::<Vec<_>>()).filter(|t| t.len() == count),
        RowForm::Expression(value, _) => {
            let at = |k: Option<usize>, x: f64| {
                let env: Vec<f64> =
                    (0..=count).map(|i| if k.is_none_or(|k| i == k + 1) && i > 0 { x } else { 0.0 }).collect();
                value.eval(&env)
            };
            let zero = at(None, 0.0);
            let found: Vec<f64> = (0..count).map(|k| at(Some(k), 1.0) - zero).collect();
            let most = found.iter().fold(0.0f64, |m, c| m.max(c.abs()));
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * most;
            let linear = (0..count).all(|k| near(at(Some(k), -2.0) - zero, -2.0 * found[k]));
            let whole = near(at(None, 0.5) - zero, 0.5 * found.iter().sum::<f64>());
            (linear && whole && most.is_finite()).then_some(found)
        }
        RowForm::Profile(..) => None,
    }
}

/// Direction and point of a pivot's axis in the ground at the first sample.
fn line(builder: &Builder, joint: &Joint) -> (Vec3, Vec3) {
    let frame = builder.start(joint.bodies[0]) * joint.frames[0];
    (frame.rotation.axes[2], frame.origin)
}

/// The set of wheels about that direction, and whether theirs is the opposite one.
fn about(all: &mut Vec<Found>, axis: Vec3) -> (usize, f64) {
    let known = all.iter().position(|f| f.axis.dot(axis).abs() > 1.0 - PARALLEL);
    let k = known.unwrap_or_else(|| {
        all.push(Found { axis, ..Found::default() });
        all.len() - 1
    });
    (k, all[k].axis.dot(axis).signum())
}

/// Two wheels on a carrier.
fn pair(builder: &Builder, coupling: &Coupling, terms: &[f64], all: &mut Vec<Found>) -> Option<()> {
    let model = builder.model;
    let joints: Vec<&Joint> = coupling.coordinates.iter().map(|c| &model.joints[c.joint]).collect();
    let axis = joints.iter().all(|j| j.is_pivot()).then(|| line(builder, joints[0]).0)?;
    let mut rates: Vec<(usize, f64)> = Vec::new();
    for (joint, term) in joints.iter().zip(terms) {
        let own = line(builder, joint).0.dot(axis);
        if own.abs() < 1.0 - PARALLEL {
            return None;
        }
        for (body, rate) in [(joint.bodies[1], term * own.signum()), (joint.bodies[0], -term * own.signum())] {
            match rates.iter_mut().find(|r| r.0 == body) {
                Some(known) => known.1 += rate,
                None => rates.push((body, rate)),
            }
        }
    }
    let most = rates.iter().fold(0.0f64, |m, r| m.max(r.1.abs()));
    rates.retain(|r| r.1.abs() > 1e-9 * most);
    let [_, _, _] = rates[..] else { return None };
    let across = |v: Vec3| v - axis * v.dot(axis);
    let same = |p: Vec3, q: Vec3| across(p - q).norm() < 1e-6 * builder.size;
    let pivots = |body: usize| {
        let own = model.joints.iter().filter(move |j| j.bodies.contains(&body) && j.is_pivot());
        own.map(|j| line(builder, j)).filter(|l| l.0.dot(axis).abs() > 1.0 - PARALLEL).map(|l| l.1).collect::<Vec<_>>()
    };
    let centre = |wheel: usize, carrier: usize| {
        let on = pivots(carrier);
        pivots(wheel).into_iter().find(|p| on.iter().any(|q| same(*p, *q)))
    };
    // A wheel's own centre is no pivot of its carrier twice: the two centres are apart.
    (0..3).find_map(|c| {
        let [(a, k_a), (b, k_b)] = [rates[(c + 1) % 3], rates[(c + 2) % 3]];
        let (carrier, p, q) = (rates[c].0, centre(a, rates[c].0)?, centre(b, rates[c].0)?);
        let apart = across(q - p).norm();
        let (inner, sum) = (k_a * k_b < 0.0, (k_a + k_b).abs());
        let total = if inner { sum } else { k_a.abs() + k_b.abs() };
        (apart > 1e-6 * builder.size && total > 1e-9 * most && carrier != a && carrier != b).then_some(())?;
        let (set, _) = about(all, axis);
        let wheel = |body: usize, centre: Vec3, k: f64, other: f64| Wheel {
            body,
            centre,
            radius: apart * k.abs() / total,
            inner: inner && k.abs() > other.abs(),
            hint: hinted(k, other),
        };
        let wheels =
            [all[set].wheel(wheel(a, p, k_a, k_b), builder.size), all[set].wheel(wheel(b, q, k_b, k_a), builder.size)];
        all[set].meshes.push(Mesh { wheels });
        Some(())
    })
}

/// Numbers of teeth that a coupling is written with.
fn hinted(own: f64, other: f64) -> Option<u32> {
    let whole = |k: f64| (k.abs() - k.abs().round()).abs() < 1e-9 && (6.0..400.0).contains(&k.abs());
    (whole(own) && whole(other)).then(|| own.abs().round() as u32)
}

/// A wheel and a rack on one frame.
fn rack(builder: &Builder, coupling: &Coupling, terms: &[f64], all: &mut Vec<Found>) -> Option<()> {
    let model = builder.model;
    let ([first, second], [k_first, k_second]) = (&coupling.coordinates[..], terms) else { return None };
    let turns = |j: usize| model.joints[j].is_pivot();
    let (turning, sliding, ratio) = match (turns(first.joint), turns(second.joint)) {
        (true, false) => (first, second, -k_first / k_second),
        (false, true) => (second, first, -k_second / k_first),
        _ => return None,
    };
    let (pivot, guide) = (&model.joints[turning.joint], &model.joints[sliding.joint]);
    let slide = guide.freedom_of(sliding.coordinate)?.sliding()?;
    let frame = *pivot.bodies.iter().find(|b| guide.bodies.contains(b))?;
    // Both relative to what carries them.
    let side = |j: &Joint| usize::from(j.bodies[0] == frame);
    let (wheel_body, body) = (pivot.bodies[side(pivot)], guide.bodies[side(guide)]);
    let sign = |j: &Joint| if side(j) == 1 { 1.0 } else { -1.0 };
    let ratio = ratio * sign(pivot) * sign(guide);
    let (axis, centre) = line(builder, pivot);
    let along = (builder.start(guide.bodies[0]) * guide.frames[0]).rotation.axes[slide.index()];
    if axis.dot(along).abs() > PARALLEL || !(ratio.is_finite() && ratio != 0.0) {
        return None;
    }
    // ω axis × reach is the rack's speed ω ratio along.
    let reach = along.cross(axis) * ratio;
    let (set, sense) = about(all, axis);
    let wheel = Wheel { body: wheel_body, centre, radius: ratio.abs(), inner: false, hint: None };
    let wheel = all[set].wheel(wheel, builder.size);
    let forwards = ratio * sense > 0.0;
    all[set].racks.push(Rack { wheel, body, joint: sliding.joint, first: side(guide) == 0, along, reach, forwards });
    Some(())
}

impl Found {
    /// The number of a wheel: a body that touches several others has it once where it is the same.
    fn wheel(&mut self, new: Wheel, size: f64) -> usize {
        let axis = self.axis;
        let same = |w: &Wheel| {
            let apart = w.centre - new.centre;
            w.body == new.body
                && w.inner == new.inner
                && (w.radius - new.radius).abs() < 1e-6 * w.radius
                && (apart - axis * apart.dot(axis)).norm() < 1e-6 * size
        };
        if let Some(k) = self.wheels.iter().position(same) {
            self.wheels[k].hint = self.wheels[k].hint.or(new.hint);
            return k;
        }
        self.wheels.push(new);
        self.wheels.len() - 1
    }

    /// Numbers of wheels that stand in mesh with each other, directly or through others; each list begins with its first wheel.
    pub fn trains(&self) -> Vec<Vec<usize>> {
        let mut left: Vec<bool> = vec![true; self.wheels.len()];
        let mut trains = Vec::new();
        for root in 0..self.wheels.len() {
            if !std::mem::take(&mut left[root]) {
                continue;
            }
            let mut train = vec![root];
            let mut k = 0;
            while k < train.len() {
                let own = train[k];
                for mesh in self.meshes.iter().filter(|m| m.wheels.contains(&own)) {
                    for wheel in mesh.wheels {
                        if std::mem::take(&mut left[wheel]) {
                            train.push(wheel);
                        }
                    }
                }
                k += 1;
            }
            trains.push(train);
        }
        trains
    }
}
