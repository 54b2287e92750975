//! Homogeneous 4×4 matrices and the operators D and B by which their time derivatives are products (thesis 002).
//!
//! For a pose T = [R u; 0 1], Ṫ = T D and T̈ = T B with the motion seen in the moving frame:
//!
//!   D = [Ω_b  Rᵀu̇; 0 0],  B = [Ω̇_b + Ω_b²  Rᵀü; 0 0] = Ḋ + D²,
//!
//! where Ω_b = RᵀṘ and Ω̇_b = RᵀR̈ − Ω_b² (the thesis's equation 2.54 prints a plus), and the last row of Ṫ and T̈ is zero (its
//! equation 2.27 prints a one). The six elementary motions are translations along x, y, z (T_z1 … T_z3) and turns about them
//! (T_z4 … T_z6), the turns either by an angle or by relative Euler parameters p = (p0, p_axis).

use super::{Pose, Rotation, Vec3};
use std::ops::{Add, Mul, Sub};

/// A 4×4 matrix, by rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homogeneous(pub [[f64; 4]; 4]);

/// T, D and B of one motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operators {
    /// The transform.
    pub t: Homogeneous,
    /// Ṫ = T D.
    pub d: Homogeneous,
    /// T̈ = T B.
    pub b: Homogeneous,
}

impl Homogeneous {
    /// All zeros.
    pub const ZERO: Homogeneous = Homogeneous([[0.0; 4]; 4]);
    /// The identity.
    pub const IDENTITY: Homogeneous =
        Homogeneous([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);

    /// [Ω u; 0 0] with Ω the cross product by `w`: the operator D of a motion seen in the moving frame.
    #[inline]
    pub fn motion(w: Vec3, u: Vec3) -> Homogeneous {
        Homogeneous([[0.0, -w.z, w.y, u.x], [w.z, 0.0, -w.x, u.y], [-w.y, w.x, 0.0, u.z], [0.0; 4]])
    }

    /// A column as a vector, without its last entry.
    #[inline]
    pub fn column(&self, k: usize) -> Vec3 {
        Vec3::new(self.0[0][k], self.0[1][k], self.0[2][k])
    }

    /// The pose, where this is one.
    #[inline]
    pub fn pose(&self) -> Pose {
        Pose::new(Rotation { axes: [self.column(0), self.column(1), self.column(2)] }, self.column(3))
    }

    /// Angular velocity and velocity of the origin in fixed axes, where this is Ṫ of a pose: Ω_a = Ṙ Rᵀ.
    #[inline]
    pub fn velocity(&self, pose: &Pose) -> (Vec3, Vec3) {
        (self.turning(pose), self.column(3))
    }

    /// Angular acceleration and acceleration of the origin in fixed axes, where this is T̈ of a pose: Ω̇_a = R̈ Rᵀ + Ṙ Ṙᵀ,
    /// whose second part is symmetric.
    #[inline]
    pub fn acceleration(&self, pose: &Pose) -> (Vec3, Vec3) {
        (self.turning(pose), self.column(3))
    }

    /// The vector of the skew-symmetric part of M Rᵀ: ½ Σ a_k × m_k over the axes.
    #[inline]
    fn turning(&self, pose: &Pose) -> Vec3 {
        let axes = pose.rotation.axes;
        (0..3).fold(Vec3::ZERO, |sum, k| sum + axes[k].cross(self.column(k))) * 0.5
    }

    /// Largest difference of any entry.
    #[inline]
    pub fn difference(&self, other: &Homogeneous) -> f64 {
        let pairs = self.0.iter().flatten().zip(other.0.iter().flatten());
        pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
    }

    #[inline]
    fn by_entry(&self, o: &Homogeneous, f: impl Fn(f64, f64) -> f64) -> Homogeneous {
        let mut out = *self;
        for (row, other) in out.0.iter_mut().zip(&o.0) {
            for (x, y) in row.iter_mut().zip(other) {
                *x = f(*x, *y);
            }
        }
        out
    }
}

impl From<Pose> for Homogeneous {
    #[inline]
    fn from(pose: Pose) -> Homogeneous {
        let [x, y, z] = pose.rotation.rows();
        let u = pose.origin;
        Homogeneous([[x[0], x[1], x[2], u.x], [y[0], y[1], y[2], u.y], [z[0], z[1], z[2], u.z], [0.0, 0.0, 0.0, 1.0]])
    }
}

impl Mul for Homogeneous {
    type Output = Homogeneous;
    #[inline]
    fn mul(self, o: Homogeneous) -> Homogeneous {
        let mut out = Homogeneous::ZERO;
        for (row, mine) in out.0.iter_mut().zip(&self.0) {
            for (k, x) in mine.iter().enumerate() {
                for (entry, y) in row.iter_mut().zip(&o.0[k]) {
                    *entry += x * y;
                }
            }
        }
        out
    }
}

impl Mul<f64> for Homogeneous {
    type Output = Homogeneous;
    #[inline]
    fn mul(self, factor: f64) -> Homogeneous {
        Homogeneous(self.0.map(|row| row.map(|x| x * factor)))
    }
}

impl Add for Homogeneous {
    type Output = Homogeneous;
    #[inline]
    fn add(self, o: Homogeneous) -> Homogeneous {
        self.by_entry(&o, |x, y| x + y)
    }
}

impl Sub for Homogeneous {
    type Output = Homogeneous;
    #[inline]
    fn sub(self, o: Homogeneous) -> Homogeneous {
        self.by_entry(&o, |x, y| x - y)
    }
}

impl Operators {
    /// A transform that does not move.
    #[inline]
    pub fn constant(pose: Pose) -> Operators {
        Operators { t: pose.into(), d: Homogeneous::ZERO, b: Homogeneous::ZERO }
    }

    /// From a pose and its motion in fixed axes: angular velocity and acceleration, rate and acceleration of the origin.
    #[inline]
    pub fn of_motion(pose: Pose, velocity: (Vec3, Vec3), acceleration: (Vec3, Vec3)) -> Operators {
        let seen = |x: Vec3| pose.rotation.apply_transposed(x);
        let d = Homogeneous::motion(seen(velocity.0), seen(velocity.1));
        // Ḋ = [Ω̇_b  Rᵀü − Ω_b Rᵀu̇], so that B = Ḋ + D² has Rᵀü in its last column.
        let turning = Homogeneous::motion(seen(velocity.0), Vec3::ZERO);
        let b = Homogeneous::motion(seen(acceleration.0), seen(acceleration.1)) + turning * turning;
        Operators { t: pose.into(), d, b }
    }

    /// Ṫ.
    #[inline]
    pub fn rate(&self) -> Homogeneous {
        self.t * self.d
    }

    /// T̈.
    #[inline]
    pub fn acceleration(&self) -> Homogeneous {
        self.t * self.b
    }

    /// The inverse transform S = T⁻¹: Ṡ = −D S and S̈ = (2 D² − B) S, returned as S, Ṡ, S̈.
    #[inline]
    pub fn inverse(&self) -> [Homogeneous; 3] {
        let s: Homogeneous = self.t.pose().inverse().into();
        [s, self.d * s * -1.0, (self.d * self.d * 2.0 - self.b) * s]
    }

    /// T_z1, T_z2 or T_z3: translation by `x` along axis 0, 1 or 2, with its rate and acceleration.
    #[inline]
    pub fn translation(axis: usize, x: f64, xd: f64, xdd: f64) -> Operators {
        let along = |x: f64| [Vec3::X, Vec3::Y, Vec3::Z][axis.min(2)] * x;
        let pose = Pose::translation(along(x));
        let still = Vec3::ZERO;
        Operators {
            t: pose.into(),
            d: Homogeneous::motion(still, along(xd)),
            b: Homogeneous::motion(still, along(xdd)),
        }
    }

    /// T_z4, T_z5 or T_z6: turn by an angle about axis 0, 1 or 2, with its rate and acceleration.
    #[inline]
    pub fn turn(axis: usize, angle: f64, rate: f64, acceleration: f64) -> Operators {
        let about = [Vec3::X, Vec3::Y, Vec3::Z][axis.min(2)];
        let t = Pose::new(Rotation::about(about, angle), Vec3::ZERO).into();
        Operators::turning(t, about * rate, about * acceleration)
    }

    /// The same turn by relative Euler parameters (p0, p_axis) of unit norm and their first and second rates:
    /// θ̇ = 2 n with n = p0 ṗ − p ṗ0, θ̈ = 2 ṅ with ṅ = p0 p̈ − p p̈0. The diagonal of B is −4 n² (the thesis prints half of it).
    #[inline]
    pub fn turn_by_parameters(axis: usize, p: [f64; 2], pd: [f64; 2], pdd: [f64; 2]) -> Operators {
        let about = [Vec3::X, Vec3::Y, Vec3::Z][axis.min(2)];
        let (c, s) = (2.0 * (p[0] * p[0] - 0.5), 2.0 * p[0] * p[1]);
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut t = Homogeneous::IDENTITY;
        t.0[axis][axis] = 2.0 * (p[0] * p[0] + p[1] * p[1] - 0.5);
        (t.0[next][next], t.0[last][last]) = (c, c);
        (t.0[next][last], t.0[last][next]) = (-s, s);
        let n = p[0] * pd[1] - p[1] * pd[0];
        let n_rate = p[0] * pdd[1] - p[1] * pdd[0];
        Operators::turning(t, about * (2.0 * n), about * (2.0 * n_rate))
    }

    #[inline]
    fn turning(t: Homogeneous, w: Vec3, alpha: Vec3) -> Operators {
        let d = Homogeneous::motion(w, Vec3::ZERO);
        Operators { t, d, b: Homogeneous::motion(alpha, Vec3::ZERO) + d * d }
    }
}

/// T, Ṫ and T̈ of a product of transforms.
#[inline]
pub fn chain(parts: &[Operators]) -> [Homogeneous; 3] {
    let mut whole = [Homogeneous::IDENTITY, Homogeneous::ZERO, Homogeneous::ZERO];
    for part in parts {
        whole = extended(&whole, &[part.t, part.rate(), part.acceleration()]);
    }
    whole
}

/// T, Ṫ and T̈ of a product of two transforms given by theirs: Leibniz's rule.
#[inline]
pub fn extended(a: &[Homogeneous; 3], b: &[Homogeneous; 3]) -> [Homogeneous; 3] {
    [a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + a[1] * b[1] * 2.0 + a[0] * b[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roundings of products of numbers of order ten.
    const ROUNDING: f64 = 1e-13;
    /// Central differences with step 1e-5: truncation and rounding of numbers of order ten.
    const DIFFERENCE: f64 = 1e-7;
    const STEP: f64 = 1e-5;

    /// A motion x(t) with its derivatives.
    fn law(t: f64) -> [f64; 3] {
        [0.3 + (2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin()]
    }

    fn elementary(kind: usize, t: f64) -> Operators {
        let [x, xd, xdd] = law(t);
        if kind < 3 {
            Operators::translation(kind, x, xd, xdd)
        } else {
            Operators::turn(kind - 3, x, xd, xdd)
        }
    }

    #[test]
    fn operators_give_derivatives_of_the_elementary_motions() {
        for kind in 0..6 {
            let (low, here, high) = (elementary(kind, 0.4 - STEP), elementary(kind, 0.4), elementary(kind, 0.4 + STEP));
            let rate = (high.t - low.t) * (0.5 / STEP);
            assert!(rate.difference(&here.rate()) < DIFFERENCE, "T_z{}", kind + 1);
            let acceleration = (high.rate() - low.rate()) * (0.5 / STEP);
            assert!(acceleration.difference(&here.acceleration()) < DIFFERENCE, "T_z{}", kind + 1);
        }
    }

    #[test]
    fn turns_by_parameters_are_turns_by_angles() {
        let [x, xd, xdd] = law(0.7);
        let (s, c) = (0.5 * x).sin_cos();
        // Derivatives of (cos x/2, sin x/2).
        let p = [c, s];
        let pd = [-0.5 * s * xd, 0.5 * c * xd];
        let pdd = [-0.25 * c * xd * xd - 0.5 * s * xdd, -0.25 * s * xd * xd + 0.5 * c * xdd];
        for axis in 0..3 {
            let (a, b) = (Operators::turn(axis, x, xd, xdd), Operators::turn_by_parameters(axis, p, pd, pdd));
            assert!(a.t.difference(&b.t) < ROUNDING && a.d.difference(&b.d) < ROUNDING);
            assert!(a.b.difference(&b.b) < ROUNDING);
            // B's diagonal in corrected form: −θ̇².
            assert!((a.b.0[(axis + 1) % 3][(axis + 1) % 3] + xd * xd).abs() < ROUNDING);
        }
    }

    #[test]
    fn a_chain_and_its_inverse_cancel() {
        let parts: Vec<Operators> = (0..6).map(|k| elementary(k, 0.1 * k as f64)).collect();
        let forth = chain(&parts);
        let back =
            parts.iter().rev().fold([Homogeneous::IDENTITY, Homogeneous::ZERO, Homogeneous::ZERO], |whole, part| {
                extended(&whole, &part.inverse())
            });
        let both = extended(&forth, &back);
        assert!(both[0].difference(&Homogeneous::IDENTITY) < ROUNDING);
        assert!(both[1].difference(&Homogeneous::ZERO) < ROUNDING, "{:?}", both[1]);
        assert!(both[2].difference(&Homogeneous::ZERO) < 10.0 * ROUNDING, "{:?}", both[2]);
    }

    #[test]
    fn motion_of_a_pose_goes_into_operators_and_back() {
        let pose = Pose::new(Rotation::from_rpy(0.3, -0.7, 1.9), Vec3::new(1.0, -2.0, 0.5));
        let velocity = (Vec3::new(0.4, 1.0, -2.0), Vec3::new(3.0, 0.1, -1.0));
        let acceleration = (Vec3::new(-4.0, 0.2, 5.0), Vec3::new(1.0, 7.0, -3.0));
        let operators = Operators::of_motion(pose, velocity, acceleration);
        let found = operators.rate().velocity(&pose);
        assert!((found.0 - velocity.0).norm() < ROUNDING && (found.1 - velocity.1).norm() < ROUNDING);
        let found = operators.acceleration().acceleration(&pose);
        assert!((found.0 - acceleration.0).norm() < ROUNDING && (found.1 - acceleration.1).norm() < ROUNDING);
    }
    #[test]
    fn operators_of_a_motion_are_those_of_the_chain_that_makes_it() {
        // The chain's derivatives come from products of elementary motions, the others from angular and linear parts alone.
        let parts: Vec<Operators> = (0..6).map(|k| elementary((k + 3) % 6, 0.3 + 0.2 * k as f64)).collect();
        let whole = chain(&parts);
        let pose = whole[0].pose();
        let (velocity, acceleration) = (whole[1].velocity(&pose), whole[2].acceleration(&pose));
        let found = Operators::of_motion(pose, velocity, acceleration);
        assert!(found.t.difference(&whole[0]) < ROUNDING && found.rate().difference(&whole[1]) < ROUNDING);
        assert!(found.acceleration().difference(&whole[2]) < 10.0 * ROUNDING);
        let still = Operators::constant(pose);
        let both = chain(&[still, elementary(4, 0.2)]);
        assert!(both[1].difference(&(whole[0] * elementary(4, 0.2).rate())) < ROUNDING);
        assert!(both[2].difference(&(whole[0] * elementary(4, 0.2).acceleration())) < ROUNDING);
    }

    #[test]
    fn matrices_add_and_multiply_as_matrices_do() {
        let a = Homogeneous([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]);
        assert_eq!((a * Homogeneous::IDENTITY, Homogeneous::IDENTITY * a), (a, a));
        assert_eq!((a * a).0[1], [130.0, 93.0, 119.0, 145.0]);
        assert_eq!((a + a, a - a), (a * 2.0, Homogeneous::ZERO));
        assert_eq!(a.column(2), Vec3::new(3.0, 7.0, 2.0));
        assert_eq!(a.difference(&(a * 2.0)), 9.0);
        // [Ω u]: Ω v = w × v.
        let (w, u, v) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(-1.0, 7.0, 2.0));
        let m = Homogeneous::motion(w, u);
        assert_eq!(m.column(0) * v.x + m.column(1) * v.y + m.column(2) * v.z, w.cross(v));
        assert_eq!((m.column(3), m.0[3]), (u, [0.0; 4]));
    }
}
