//! Rotation matrices and Euler parameters.
//!
//! Euler parameters p = (e0, e), scalar first, describe the rotation `A = (2 e0² − 1) I + 2 (e eᵀ + e0 ẽ)` that takes
//! components in the rotated frame to components in the fixed one. p and −p are the same attitude.

use super::vec3::Vec3;
use crate::Elementary;
use std::ops::Mul;

/// A rotation matrix, kept by its columns: the rotated frame's axes seen in the fixed frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    /// The rotated frame's x, y and z axes.
    pub axes: [Vec3; 3],
}

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Rotation = Rotation { axes: [Vec3::X, Vec3::Y, Vec3::Z] };

    /// The frame with z along `z` and x along the part of `x` normal to it; `None` where they are parallel or zero.
    #[inline]
    pub fn from_z_x(z: Vec3, x: Vec3) -> Option<Rotation> {
        let (z, x) = (z.unit()?, x.unit()?);
        let x = x - z * x.dot(z);
        // Below this sine the projected direction is mostly rounding.
        const LEAST_SINE: f64 = 1e-9;
        if x.norm() < LEAST_SINE {
            return None;
        }
        let x = x.unit()?;
        Some(Rotation { axes: [x, z.cross(x), z] })
    }

    /// Rotation by `angle` about `axis` (any length but zero); the identity for a zero axis.
    #[inline]
    pub fn about(axis: Vec3, angle: f64) -> Rotation {
        EulerParameters::about(axis, angle).rotation()
    }

    /// Turns about the fixed axes x, y, z in that order (roll, pitch, yaw as in URDF).
    #[inline]
    pub fn from_rpy(roll: f64, pitch: f64, yaw: f64) -> Rotation {
        if [roll, pitch, yaw] == [0.0; 3] {
            return Rotation::IDENTITY;
        }
        Rotation::about(Vec3::Z, yaw) * (Rotation::about(Vec3::Y, pitch) * Rotation::about(Vec3::X, roll))
    }

    /// Roll, pitch and yaw whose rotation this is.
    #[inline]
    pub fn to_rpy(&self) -> [f64; 3] {
        let [x, y, z] = self.axes;
        let cos_pitch = x.x.hypotenuse(x.y);
        let pitch = (-x.z).arctangent2(cos_pitch);
        // At the gimbal position only the sum of roll and yaw is defined; put it all in yaw.
        const GIMBAL: f64 = 1e-12;
        if cos_pitch > GIMBAL {
            [y.z.arctangent2(z.z), pitch, x.y.arctangent2(x.x)]
        } else {
            [0.0, pitch, (-y.x).arctangent2(y.y)]
        }
    }

    /// Angle of the x axis about z, in [−π, π]: the angle of a rotation about z.
    #[inline]
    pub fn about_z(&self) -> f64 {
        self.axes[0].y.arctangent2(self.axes[0].x)
    }

    /// Components in the fixed frame of a vector given in the rotated one.
    #[inline]
    pub fn apply(&self, v: Vec3) -> Vec3 {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }

    /// Components in the rotated frame of a vector given in the fixed one.
    #[inline]
    pub fn apply_transposed(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.axes[0].dot(v), self.axes[1].dot(v), self.axes[2].dot(v))
    }

    /// The inverse rotation.
    #[inline]
    pub fn transposed(&self) -> Rotation {
        let [x, y, z] = self.axes;
        Rotation { axes: [Vec3::new(x.x, y.x, z.x), Vec3::new(x.y, y.y, z.y), Vec3::new(x.z, y.z, z.z)] }
    }

    /// Rows of the matrix.
    #[inline]
    pub fn rows(&self) -> [[f64; 3]; 3] {
        self.transposed().axes.map(Vec3::to_array)
    }

    /// The Euler parameters of this rotation, with e0 ≥ 0.
    #[inline]
    pub fn euler_parameters(&self) -> EulerParameters {
        let [x, y, z] = self.axes;
        let trace = x.x + y.y + z.z;
        // Each case divides by the largest of the four parameters, so none loses digits.
        let squares = [trace, 2.0 * x.x - trace, 2.0 * y.y - trace, 2.0 * z.z - trace];
        let best = (0..4).fold(0, |b, k| if squares[k] > squares[b] { k } else { b });
        let p = match best {
            0 => [1.0 + trace, y.z - z.y, z.x - x.z, x.y - y.x],
            1 => [y.z - z.y, 1.0 + squares[1], x.y + y.x, z.x + x.z],
            2 => [z.x - x.z, x.y + y.x, 1.0 + squares[2], y.z + z.y],
            _ => [x.y - y.x, z.x + x.z, y.z + z.y, 1.0 + squares[3]],
        };
        let p = EulerParameters(p).normalised();
        if p.0[0] < 0.0 {
            p.negated()
        } else {
            p
        }
    }
}

impl Mul for Rotation {
    type Output = Rotation;
    #[inline]
    fn mul(self, o: Rotation) -> Rotation {
        Rotation { axes: o.axes.map(|axis| self.apply(axis)) }
    }
}

/// Euler parameters, scalar first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EulerParameters(pub [f64; 4]);

impl EulerParameters {
    /// No rotation.
    pub const IDENTITY: EulerParameters = EulerParameters([1.0, 0.0, 0.0, 0.0]);

    /// Rotation by `angle` about `axis`.
    #[inline]
    pub fn about(axis: Vec3, angle: f64) -> EulerParameters {
        let (s, c) = (0.5 * angle).sine_cosine();
        let u = axis.unit().unwrap_or(Vec3::ZERO) * s;
        EulerParameters([if u == Vec3::ZERO { 1.0 } else { c }, u.x, u.y, u.z])
    }

    /// Rotation by the vector `w` (axis times angle).
    #[inline]
    pub fn from_rotation_vector(w: Vec3) -> EulerParameters {
        let half = 0.5 * w.norm();
        // sin(x)/x by its series where the quotient would lose digits.
        let factor = if half < 1e-4 { 0.5 * (1.0 - half * half / 6.0) } else { 0.5 * half.sine() / half };
        EulerParameters([half.cosine(), w.x * factor, w.y * factor, w.z * factor])
    }

    /// The rotation vector (axis times angle, angle in [0, π]) of this attitude.
    #[inline]
    pub fn rotation_vector(&self) -> Vec3 {
        let sign = if self.0[0] < 0.0 { -1.0 } else { 1.0 };
        let e = Vec3::new(self.0[1], self.0[2], self.0[3]) * sign;
        let s = e.norm();
        let c = self.0[0] * sign;
        if s < 1e-8 {
            e * 2.0
        } else {
            e * (2.0 * s.arctangent2(c) / s)
        }
    }

    /// First this rotation's argument `o`, then this one: the parameters of A(self)·A(o).
    #[inline]
    pub fn times(&self, o: &EulerParameters) -> EulerParameters {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, o.0);
        EulerParameters([
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ])
    }

    /// Rate of these parameters for an angular velocity in fixed axes: ṗ = ½ (0, ω) ∘ p.
    #[inline]
    pub fn rate(&self, w: Vec3) -> EulerParameters {
        let half = EulerParameters([0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z]);
        half.times(self)
    }

    /// Rate of these parameters for an angular velocity in rotated axes: ṗ = ½ p ∘ (0, ω).
    #[inline]
    pub fn rate_in_body(&self, w: Vec3) -> EulerParameters {
        let half = EulerParameters([0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z]);
        self.times(&half)
    }

    /// The inverse rotation.
    #[inline]
    pub fn conjugate(&self) -> EulerParameters {
        let [a, b, c, d] = self.0;
        EulerParameters([a, -b, -c, -d])
    }

    /// The other name of the same attitude.
    #[inline]
    pub fn negated(&self) -> EulerParameters {
        EulerParameters(self.0.map(|e| -e))
    }

    /// Length of the four-vector: 1 for a rotation.
    #[inline]
    pub fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Scalar product of the four-vectors.
    #[inline]
    pub fn dot(&self, o: &EulerParameters) -> f64 {
        self.0.iter().zip(o.0).map(|(a, b)| a * b).sum()
    }

    /// Scaled to unit length; the identity for a zero four-vector.
    #[inline]
    pub fn normalised(&self) -> EulerParameters {
        let norm = self.norm();
        if norm > 0.0 {
            EulerParameters(self.0.map(|e| e / norm))
        } else {
            EulerParameters::IDENTITY
        }
    }

    /// The turn about z that takes the first axis to the unit vector (x, y): half the angle, by its sine and cosine.
    #[inline]
    pub fn about_z(x: f64, y: f64) -> EulerParameters {
        // The larger of the two by a root, the other by sin = 2 sin(½) cos(½).
        if x >= 0.0 {
            let c = (0.5 + 0.5 * x).sqrt();
            EulerParameters([c, 0.0, 0.0, 0.5 * y / c])
        } else {
            let s = (0.5 - 0.5 * x).sqrt();
            EulerParameters([0.5 * y / s, 0.0, 0.0, s])
        }
    }

    /// The representative (p or −p) nearer to `previous`, so that series stay continuous.
    #[inline]
    pub fn near(&self, previous: &EulerParameters) -> EulerParameters {
        if self.dot(previous) < 0.0 {
            self.negated()
        } else {
            *self
        }
    }

    /// The rotation matrix.
    #[inline]
    pub fn rotation(&self) -> Rotation {
        let [a, b, c, d] = self.0;
        let s = 2.0 * a * a - 1.0;
        Rotation {
            axes: [
                Vec3::new(s + 2.0 * b * b, 2.0 * (b * c + a * d), 2.0 * (b * d - a * c)),
                Vec3::new(2.0 * (b * c - a * d), s + 2.0 * c * c, 2.0 * (c * d + a * b)),
                Vec3::new(2.0 * (b * d + a * c), 2.0 * (c * d - a * b), s + 2.0 * d * d),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings of numbers of order one.
    const ROUNDING: f64 = 1e-14;

    fn difference(a: &Rotation, b: &Rotation) -> f64 {
        (0..3).map(|k| (a.axes[k] - b.axes[k]).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn euler_parameters_and_matrix_agree_in_all_four_cases() {
        for p in [[0.9, 0.1, -0.3, 0.2], [0.1, 0.9, -0.3, 0.2], [0.1, -0.2, 0.9, 0.3], [0.05, -0.2, 0.3, 0.9]] {
            let p = EulerParameters(p).normalised();
            let r = p.rotation();
            assert!(difference(&r.euler_parameters().rotation(), &r) < ROUNDING);
            assert!((r.euler_parameters().dot(&p).abs() - 1.0).abs() < ROUNDING);
        }
    }

    #[test]
    fn product_of_parameters_is_product_of_matrices() {
        let a = EulerParameters::about(Vec3::new(1.0, 2.0, 3.0), 0.7);
        let b = EulerParameters::about(Vec3::new(-1.0, 0.5, 2.0), -1.9);
        assert!(difference(&a.times(&b).rotation(), &(a.rotation() * b.rotation())) < ROUNDING);
    }

    #[test]
    fn a_turn_about_z_takes_x_to_y() {
        let r = Rotation::about(Vec3::Z, std::f64::consts::FRAC_PI_2);
        assert!((r.apply(Vec3::X) - Vec3::Y).norm() < ROUNDING);
    }

    #[test]
    fn rpy_returns() {
        for rpy in [[0.3, -0.8, 2.0], [-2.5, 1.2, -3.0]] {
            let r = Rotation::from_rpy(rpy[0], rpy[1], rpy[2]);
            let back = r.to_rpy();
            assert!((0..3).all(|k| (back[k] - rpy[k]).abs() < ROUNDING), "{back:?}");
        }
    }

    #[test]
    fn rotation_vector_returns() {
        for w in [Vec3::new(0.3, -0.2, 2.5), Vec3::new(1e-9, 2e-9, -1e-9), Vec3::ZERO] {
            let back = EulerParameters::from_rotation_vector(w).rotation_vector();
            assert!((back - w).norm() < ROUNDING * w.norm().max(1e-3));
        }
    }
    /// Rodrigues's formula: v cos φ + (u × v) sin φ + u (u·v)(1 − cos φ).
    fn turned(u: Vec3, angle: f64, v: Vec3) -> Vec3 {
        v * angle.cos() + u.cross(v) * angle.sin() + u * (u.dot(v) * (1.0 - angle.cos()))
    }

    /// Directions in all octants, with and without zeros.
    fn directions() -> impl Iterator<Item = Vec3> {
        let numbers = [-0.6, 0.0, 0.8];
        let all = (0..27).map(move |k| Vec3::new(numbers[k % 3], numbers[k / 3 % 3], numbers[k / 9]));
        all.filter_map(Vec3::unit)
    }

    #[test]
    fn a_turn_is_what_rodrigues_says() {
        let v = Vec3::new(0.3, -0.7, 0.5);
        for u in directions() {
            for angle in [-2.8, -0.4, 0.0, 1e-5, 0.3, 1.7, 3.1, 4.0] {
                let r = Rotation::about(u * 2.5, angle);
                assert!((r.apply(v) - turned(u, angle, v)).norm() < ROUNDING);
                assert!((r.apply_transposed(r.apply(v)) - v).norm() < ROUNDING);
                assert!((r.transposed().apply(v) - turned(u, -angle, v)).norm() < ROUNDING);
                let rows = r.rows().map(|row| Vec3::from(row).dot(v));
                assert!((Vec3::from(rows) - r.apply(v)).norm() < ROUNDING);
                let p = EulerParameters::about(u, angle);
                assert!(difference(&p.conjugate().rotation(), &r.transposed()) < ROUNDING);
                assert!(difference(&EulerParameters::from_rotation_vector(u * angle).rotation(), &r) < ROUNDING);
                // Back to parameters: the same up to sign, the first not negative.
                let back = r.euler_parameters();
                assert!(back.0[0] >= 0.0 && (back.dot(&p).abs() - 1.0).abs() < ROUNDING, "{p:?} {back:?}");
                assert!((0..4).all(|k| (back.near(&p).0[k] - p.0[k]).abs() < ROUNDING));
            }
        }
        assert_eq!(Rotation::about(Vec3::ZERO, 1.0), Rotation::IDENTITY);
    }

    #[test]
    fn parameters_are_taken_where_they_are_largest() {
        // Half turns: one parameter of e is all there is, and the others must not come out of 0/0.
        for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            let r = Rotation { axes: [Vec3::X, Vec3::Y, Vec3::Z].map(|a| axis * (2.0 * a.dot(axis)) - a) };
            let p = r.euler_parameters();
            assert!((0..4).all(|i| (p.0[i].abs() - f64::from(u8::from(i == k + 1))).abs() < ROUNDING), "{p:?}");
        }
    }

    #[test]
    fn rates_are_differences_over_time() {
        // Turning by ω h in fixed axes is a factor before, in rotated axes one behind.
        const H: f64 = 1e-5;
        let p = EulerParameters::about(Vec3::new(1.0, -2.0, 0.5), 0.9);
        let w = Vec3::new(0.7, -1.1, 0.4);
        let turn = |h: f64| EulerParameters::from_rotation_vector(w * h);
        let check = |rate: EulerParameters, at: &dyn Fn(f64) -> EulerParameters| {
            let (before, after) = (at(-H).0, at(H).0);
            for k in 0..4 {
                // Truncation h²/6, rounding 1e-16/h.
                assert!((rate.0[k] - (after[k] - before[k]) / (2.0 * H)).abs() < 1e-10);
            }
        };
        check(p.rate(w), &|h| turn(h).times(&p));
        check(p.rate_in_body(w), &|h| p.times(&turn(h)));
    }

    #[test]
    fn rotation_vectors_of_any_length() {
        for u in directions() {
            for angle in [1e-12, 3e-9, 1e-8, 1.9e-4, 2.1e-4, 0.01, 1.0, 3.0] {
                let p = EulerParameters::from_rotation_vector(u * angle);
                assert!((p.norm() - 1.0).abs() < 1e-15);
                let half = Vec3::new(p.0[1], p.0[2], p.0[3]);
                assert!((half - u * (0.5 * angle).sin()).norm() < 1e-15 * angle);
                // The other name of the attitude has the same vector.
                for p in [p, p.negated()] {
                    assert!((p.rotation_vector() - u * angle).norm() < ROUNDING * angle);
                }
            }
        }
        // Beyond half a turn the shorter way round is given.
        let w = EulerParameters::from_rotation_vector(Vec3::X * 4.0).rotation_vector();
        assert!((w - Vec3::X * (4.0 - std::f64::consts::TAU)).norm() < ROUNDING);
    }

    #[test]
    fn frames_from_two_directions() {
        let r = Rotation::from_z_x(Vec3::new(0.0, 0.0, 5.0), Vec3::new(2.0, 2.0, 7.0)).unwrap();
        let s = 0.5f64.sqrt();
        let expected = Rotation { axes: [Vec3::new(s, s, 0.0), Vec3::new(-s, s, 0.0), Vec3::Z] };
        assert!(difference(&r, &expected) < ROUNDING);
        // Directions within 1e-9 of each other leave x to rounding.
        let near = |sine: f64| Rotation::from_z_x(Vec3::Z, Vec3::new(0.0, sine, 1.0));
        assert!(near(1e-10).is_none() && near(0.0).is_none());
        assert!((near(1e-8).unwrap().axes[0] - Vec3::Y).norm() < 1e-7);
        assert!(Rotation::from_z_x(Vec3::ZERO, Vec3::X).is_none() && Rotation::from_z_x(Vec3::Z, Vec3::ZERO).is_none());
    }

    #[test]
    fn roll_pitch_yaw_turn_about_fixed_axes_in_that_order() {
        let v = Vec3::new(0.3, -0.7, 0.5);
        let by_hand = turned(Vec3::Z, 0.9, turned(Vec3::Y, -0.5, turned(Vec3::X, 0.4, v)));
        assert!((Rotation::from_rpy(0.4, -0.5, 0.9).apply(v) - by_hand).norm() < ROUNDING);
        // At the gimbal position yaw takes all: the attitude returns, though not the angles.
        for pitch in [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2] {
            let r = Rotation::from_rpy(0.4, pitch, 0.9);
            let [roll, found, yaw] = r.to_rpy();
            assert!(roll == 0.0 && (found - pitch).abs() < ROUNDING);
            assert!((yaw - if pitch > 0.0 { 0.5 } else { 1.3 }).abs() < ROUNDING, "{yaw}");
            assert!(difference(&Rotation::from_rpy(roll, found, yaw), &r) < ROUNDING);
        }
    }

    #[test]
    fn four_vectors() {
        let p = EulerParameters([1.0, -2.0, 4.0, 10.0]);
        assert_eq!((p.norm(), p.dot(&EulerParameters([3.0, 5.0, 0.5, 0.1]))), (11.0, 3.0 - 10.0 + 2.0 + 1.0));
        assert_eq!(p.normalised().0.map(|e| (e * 11.0).round()), p.0);
        assert_eq!(EulerParameters([0.0; 4]).normalised(), EulerParameters::IDENTITY);
        assert_eq!((p.near(&p), p.near(&p.negated())), (p, p.negated()));
        assert_eq!(p.conjugate(), EulerParameters([1.0, 2.0, -4.0, -10.0]));
    }
}
