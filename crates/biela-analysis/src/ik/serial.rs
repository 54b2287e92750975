//! All postures of a serial arm in closed form: three turning axes for a point, three more through one point for a wrist.
//!
//! With the point y(θ₃) on its circle about axis 3 and w = y − o₂, turning by θ₂ about axis 2 (o₂, u₂) makes the height
//! along axis 1 and the distance from o₁ linear in c₂ = cos θ₂, s₂ = sin θ₂, and axis 1 changes neither. With the parts u
//! and d of u₁ and o₂ − o₁ across u₂ this is
//!
//! ```text
//!    u·w c₂ +    u·(u₂×w) s₂ = b₁       b₁, b₂ linear in cos θ₃, sin θ₃
//!   2 d·w c₂ + 2 d·(u₂×w) s₂ = b₂
//! ```
//! and c₂² + s₂² = 1 gives 4|d|² b₁² + |u|² b₂² − 4 (u·d) b₁ b₂ = 4 |w_⊥|² (u₂·(u×d))²: with z = e^{iθ₃} a polynomial of
//! degree four, so there are at most four answers (Pieper). Where u and d are parallel (axes 1 and 2 meet or are parallel) it
//! is a square, and its root, linear in cos θ₃ and sin θ₃, gives two θ₃ with two θ₂ each. The wrist doubles the count: eight.

#![allow(non_snake_case)] // Frames are capital letters: X_WB (docs/notation.md).

use super::chain::{wrapped, Axis, Chain};
use crate::math::Elementary;
use crate::math::{Pose, Rotation, Vec3};
use crate::solve::vectors::max_abs;

/// Postures: angles of the arm's joints in (−π, π], in the order of the chain.
#[derive(Debug, Clone)]
pub struct Postures {
    /// Joints of the chain from the ground on, as indices.
    pub joints: Vec<usize>,
    /// One list of angles for each posture.
    pub angles: Vec<Vec<f64>>,
    /// False where a singular posture has infinitely many neighbours, of which one stands for all.
    pub isolated: bool,
}

/// What counts as zero: lengths against the arm's reach, sines and cosines as they are.
const SMALL: f64 = 1e-9;

impl Chain {
    /// The point in which the last three axes meet, for an arm of six; with all angles at zero.
    pub fn wrist(&self) -> Option<Vec3> {
        let [_, _, _, a, b, c] = &self.axes[..] else { return None };
        if !self.is_turning() {
            return None;
        }
        let point = meeting(a, b)?;
        let away = point - c.origin;
        let off = (away - c.u * away.dot(c.u)).norm();
        (off <= SMALL * self.reach() && b.u.cross(c.u).norm() > SMALL).then_some(point)
    }

    /// All postures of three axes that bring point `p_B` of the body to `target`.
    pub fn reach_point(&self, p_B: Vec3, target: Vec3) -> Option<Postures> {
        let [a, b, c] = &self.axes[..] else { return None };
        if !self.is_turning() {
            return None;
        }
        let (found, isolated) = regional([a, b, c], self.home.apply(p_B), target, self.reach())?;
        let angles = found.into_iter().map(|q| self.senses(&q)).collect();
        Some(self.postures(angles, isolated))
    }

    /// All postures of six axes with a wrist that bring the body to `target`.
    pub fn reach_pose(&self, target: &Pose) -> Option<Postures> {
        let wrist = self.wrist()?;
        let [a, b, c, d, e, f] = &self.axes[..] else { return None };
        // The wrist's centre does not move with the last three joints.
        let centre = target.apply(self.home.apply_inverse(wrist));
        let reach = self.reach();
        let (found, mut isolated) = regional([a, b, c], wrist, centre, reach)?;
        let mut angles = Vec::new();
        for q in found {
            let carried = [a, b, c]
                .iter()
                .zip(&q)
                .rev()
                .fold(Rotation::about(a.u, 0.0), |r, (axis, x)| Rotation::about(axis.u, *x) * r);
            let R = carried.transposed() * target.rotation * self.home.rotation.transposed();
            let (wrists, alone) = spherical([d.u, e.u, f.u], &R)?;
            isolated &= alone;
            for w in wrists {
                angles.push(self.senses(&[q[0], q[1], q[2], w[0], w[1], w[2]]));
            }
        }
        let near = |q: &Vec<f64>| {
            let pose = self.pose(q);
            let off = (pose.origin - target.origin).norm() / reach;
            let turn = (pose.rotation.transposed() * target.rotation).euler_parameters().rotation_vector().norm();
            off < 1e-7 && turn < 1e-7
        };
        angles.retain(near);
        Some(self.postures(angles, isolated))
    }

    fn senses(&self, q: &[f64]) -> Vec<f64> {
        self.axes.iter().zip(q).map(|(axis, x)| wrapped(axis.sense * x)).collect()
    }

    fn postures(&self, angles: Vec<Vec<f64>>, isolated: bool) -> Postures {
        Postures { joints: self.axes.iter().map(|a| a.joint).collect(), angles, isolated }
    }
}

/// The point in which two axes meet.
fn meeting(a: &Axis, b: &Axis) -> Option<Vec3> {
    let n = a.u.cross(b.u);
    let square = n.dot(n);
    if square.sqrt() <= SMALL {
        return None;
    }
    let d = b.origin - a.origin;
    let on_a = a.origin + a.u * (d.cross(b.u).dot(n) / square);
    let apart = d.dot(n).abs() / square.sqrt();
    (apart <= SMALL * d.norm().max(1e-12).max(1.0)).then_some(on_a)
}

/// A quantity that is constant + cosine · cos θ + sine · sin θ.
#[derive(Clone, Copy)]
struct Wave([f64; 3]);

impl Wave {
    fn at(&self, angle: f64) -> f64 {
        self.0[0] + self.0[1] * angle.cosine() + self.0[2] * angle.sine()
    }

    fn plus(&self, o: &Wave, factor: f64) -> Wave {
        Wave([0, 1, 2].map(|k| self.0[k] + factor * o.0[k]))
    }

    /// Product as coefficients of 1, cos θ, sin θ, cos 2θ, sin 2θ.
    fn times(&self, o: &Wave) -> [f64; 5] {
        let ([a, b, c], [d, e, f]) = (self.0, o.0);
        [a * d + 0.5 * (b * e + c * f), a * e + b * d, a * f + c * d, 0.5 * (b * e - c * f), 0.5 * (b * f + c * e)]
    }

    /// Angles at which it vanishes; `None` where it vanishes everywhere (against `scale`).
    fn roots(&self, scale: f64) -> Option<Vec<f64>> {
        let [a, b, c] = self.0;
        let amplitude = b.hypotenuse(c);
        if amplitude <= SMALL * scale {
            return if a.abs() <= SMALL * scale { None } else { Some(Vec::new()) };
        }
        let (middle, cosine) = (c.arctangent2(b), -a / amplitude);
        if cosine.abs() > 1.0 + SMALL {
            return Some(Vec::new());
        }
        let half = cosine.clamp(-1.0, 1.0).arccosine();
        // At the boundary of the reach both answers are one.
        const TOUCHING: f64 = 1e-7;
        let one = half < TOUCHING || std::f64::consts::PI - half < TOUCHING;
        Some(if one { vec![middle + half] } else { vec![middle + half, middle - half] })
    }
}

/// Angles of three axes that bring `point` (given with all angles at zero) to `target`, and whether all are isolated.
/// `None` where the arm is too special: a whole curve of postures reaches the target.
fn regional(axes: [&Axis; 3], point: Vec3, target: Vec3, reach: f64) -> Option<(Vec<[f64; 3]>, bool)> {
    let [one, two, three] = axes;
    let square = reach * reach;
    // The point's circle about axis 3, seen from o₂: w = middle + c₃ e + s₃ f.
    let r = point - three.origin;
    let e = r - three.u * r.dot(three.u);
    let f = three.u.cross(e);
    let middle = three.origin + three.u * r.dot(three.u) - two.origin;
    let along = |x: Vec3| Wave([x.dot(middle), x.dot(e), x.dot(f)]);
    let length = Wave([middle.dot(middle) + e.dot(e), 2.0 * middle.dot(e), 2.0 * middle.dot(f)]);
    let gap = two.origin - one.origin;
    let across = |x: Vec3| x - two.u * x.dot(two.u);
    let (u, d) = (across(one.u), across(gap));
    let aim = target - one.origin;
    let shift = along(two.u);
    let constant = |x: f64| Wave([x, 0.0, 0.0]);
    let b1 = constant(one.u.dot(aim) - one.u.dot(gap)).plus(&shift, -one.u.dot(two.u));
    let b2 = constant(aim.dot(aim) - gap.dot(gap)).plus(&length, -1.0).plus(&shift, -2.0 * gap.dot(two.u));
    let twist = two.u.dot(u.cross(d));
    let (uu, dd, ud) = (u.dot(u), d.dot(d), u.dot(d));
    let parallel = twist.abs() <= SMALL * reach;
    let thirds = if parallel {
        // |u| b₂ = ± 2 |d| b₁, the sign being that of u·d; with both zero the axes are one line.
        let sign = if ud < 0.0 { -1.0 } else { 1.0 };
        let line = Wave(b2.0.map(|x| x * uu.sqrt())).plus(&b1, -2.0 * sign * dd.sqrt());
        line.roots(square)?
    } else {
        let across = along(two.u).times(&along(two.u));
        let (s, t, p) = (b1.times(&b1), b2.times(&b2), b1.times(&b2));
        let mut sum: [f64; 5] = [0, 1, 2, 3, 4].map(|k| 4.0 * dd * s[k] + uu * t[k] - 4.0 * ud * p[k]);
        for (k, x) in sum.iter_mut().enumerate() {
            let whole = if k < 3 { length.0[k] } else { 0.0 };
            *x -= 4.0 * twist * twist * (whole - across[k]);
        }
        second_order_roots(&sum, square * square)?
    };
    let (mut found, mut isolated) = (Vec::new(), true);
    for third in thirds {
        let w = middle + e * third.cosine() + f * third.sine();
        let (side, turned_w) = (across(w), two.u.cross(w));
        // Of the two equations for θ₂ the one with the larger coefficients.
        let first = Wave([-b1.at(third), u.dot(side), u.dot(turned_w)]);
        let second = Wave([-b2.at(third) / reach, 2.0 * d.dot(side) / reach, 2.0 * d.dot(turned_w) / reach]);
        let strength = |w: &Wave| w.0[1].hypotenuse(w.0[2]);
        let best = if strength(&first) >= strength(&second) { first } else { second };
        let seconds = match best.roots(reach) {
            Some(roots) => roots,
            None => {
                isolated = false;
                vec![0.0]
            }
        };
        for angle in seconds {
            let x = two.origin + Rotation::about(two.u, angle).apply(w);
            let (from, to) = (x - one.origin, aim);
            let off = |v: Vec3| v - one.u * v.dot(one.u);
            let (from, to) = (off(from), off(to));
            if from.norm() <= SMALL * reach {
                isolated = false;
            }
            let first = one.u.dot(from.cross(to)).arctangent2(from.dot(to));
            let there = one.origin + Rotation::about(one.u, first).apply(x - one.origin);
            let new = |q: &[f64; 3]| (wrapped(q[1] - angle).abs() + wrapped(q[2] - third).abs()) > 1e-6;
            // A double root of the polynomial is known to half its digits only.
            if (there - target).norm() <= 1e-6 * reach && found.iter().all(new) {
                found.push(polished(axes, point, target, [first, angle, third]));
            }
        }
    }
    Some((found, isolated))
}

/// A few Newton corrections, where the Jacobian allows them.
fn polished(axes: [&Axis; 3], point: Vec3, target: Vec3, start: [f64; 3]) -> [f64; 3] {
    let mut q = start;
    let place = |q: &[f64; 3]| {
        let (c, b) = (turned(axes[2], q[2]), turned(axes[1], q[1]));
        let third = b.apply(c.apply(point));
        let x = turned(axes[0], q[0]).apply(third);
        (x, third, c.apply(point))
    };
    for _ in 0..3 {
        let (x, third, second) = place(&q);
        let gap = target - x;
        let first = Rotation::about(axes[0].u, q[0]);
        let both = first * Rotation::about(axes[1].u, q[1]);
        let columns = [
            first.apply(axes[0].u.cross(third - axes[0].origin)),
            first.apply(axes[1].u.cross(third - axes[1].origin)),
            both.apply(axes[2].u.cross(second - axes[2].origin)),
        ];
        let [a, b, c] = columns;
        let determinant = a.dot(b.cross(c));
        let scale = a.norm() * b.norm() * c.norm();
        if determinant.abs() <= 1e-6 * scale || scale == 0.0 {
            break;
        }
        let step = [gap.dot(b.cross(c)), a.dot(gap.cross(c)), a.dot(b.cross(gap))].map(|x| x / determinant);
        let next = [0, 1, 2].map(|k| q[k] + step[k]);
        if (place(&next).0 - target).norm() >= gap.norm() {
            break;
        }
        q = next;
    }
    q
}

/// Angles with a₀ + a₁ cos θ + a₂ sin θ + a₃ cos 2θ + a₄ sin 2θ = 0, by the four roots of the polynomial in e^{iθ}; `None`
/// where it vanishes everywhere.
fn second_order_roots(a: &[f64; 5], scale: f64) -> Option<Vec<f64>> {
    if a.iter().all(|x| x.abs() <= SMALL * scale) {
        return None;
    }
    type Complex = (f64, f64);
    let times = |p: Complex, q: Complex| (p.0 * q.0 - p.1 * q.1, p.0 * q.1 + p.1 * q.0);
    let over = |p: Complex, q: Complex| {
        let n = q.0 * q.0 + q.1 * q.1;
        ((p.0 * q.0 + p.1 * q.1) / n, (p.1 * q.0 - p.0 * q.1) / n)
    };
    // Coefficients of z⁴ … z⁰, conjugate to each other from both ends.
    let (c2, c1) = ((0.5 * a[3], -0.5 * a[4]), (0.5 * a[1], -0.5 * a[2]));
    let coefficients: [Complex; 5] = [c2, c1, (a[0], 0.0), (c1.0, -c1.1), (c2.0, -c2.1)];
    let largest = max_abs(a);
    // Where the second order is missing so are its roots (at zero and infinity), and a wave of first order remains.
    if c2.0.hypotenuse(c2.1) <= 1e-14 * largest {
        return Wave([a[0], a[1], a[2]]).roots(largest);
    }
    let value = |z: Complex| {
        coefficients.iter().fold((0.0, 0.0), |sum, c| {
            let p = times(sum, z);
            (p.0 + c.0, p.1 + c.1)
        })
    };
    let mut roots: [Complex; 4] = [(1.0, 0.3), (-0.4, 0.9), (-0.8, -0.5), (0.3, -1.1)];
    for _ in 0..500 {
        let mut moved = 0.0f64;
        for k in 0..4 {
            let mut under = coefficients[0];
            for (j, other) in roots.iter().enumerate().filter(|(j, _)| *j != k) {
                let _ = j;
                under = times(under, (roots[k].0 - other.0, roots[k].1 - other.1));
            }
            let step = over(value(roots[k]), under);
            if step.0.is_finite() && step.1.is_finite() {
                roots[k] = (roots[k].0 - step.0, roots[k].1 - step.1);
                moved = moved.max(step.0.hypotenuse(step.1));
            }
        }
        if moved < 1e-15 {
            break;
        }
    }
    // A double root is found to half its digits.
    const ON_CIRCLE: f64 = 1e-6;
    let on = roots.iter().filter(|z| (z.0.hypotenuse(z.1) - 1.0).abs() < ON_CIRCLE);
    Some(on.map(|z| z.1.arctangent2(z.0)).collect())
}

/// Angles about three axes through a point whose turns together are R, and whether they are isolated.
fn spherical(u: [Vec3; 3], R: &Rotation) -> Option<(Vec<[f64; 3]>, bool)> {
    let goal = R.apply(u[2]);
    // u₄ · Rot(u₅, θ₅) u₆ is what it must be for θ₄ to bring the last axis to its goal.
    let n = u[2] - u[1] * u[1].dot(u[2]);
    let wave = Wave([u[0].dot(u[1]) * u[1].dot(u[2]) - u[0].dot(goal), u[0].dot(n), u[0].dot(u[1].cross(u[2]))]);
    let fifths = wave.roots(1.0)?;
    let (mut found, mut isolated) = (Vec::new(), true);
    for fifth in fifths {
        let from = Rotation::about(u[1], fifth).apply(u[2]);
        let off = |v: Vec3| v - u[0] * v.dot(u[0]);
        let (from, to) = (off(from), off(goal));
        let fourth = if from.norm() <= 1e-7 {
            isolated = false;
            0.0
        } else {
            u[0].dot(from.cross(to)).arctangent2(from.dot(to))
        };
        let rest = (Rotation::about(u[0], fourth) * Rotation::about(u[1], fifth)).transposed() * *R;
        let side = u[2].any_perpendicular();
        let turned = rest.apply(side);
        let sixth = u[2].dot(side.cross(turned)).arctangent2(side.dot(turned));
        found.push([fourth, fifth, sixth]);
    }
    Some((found, isolated))
}

/// Motion by `angle` about an axis.
fn turned(axis: &Axis, angle: f64) -> Pose {
    axis.moved(axis.sense * angle)
}
