//! Tensors of inertia: one type, one order of entries.

#![allow(non_snake_case)] // R_BQ: a rotation between axes (docs/notation.md).

use crate::principal::diagonalise;
use crate::{Rotation, Vec3};

/// A tensor of inertia: the entries of its symmetric matrix as they stand there, so that products of inertia have their minus sign.
///
/// Wherever the six are listed, in arrays, files and columns, their order is [`Inertia::NAMES`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Inertia {
    /// Moment about x.
    pub xx: f64,
    /// Moment about y.
    pub yy: f64,
    /// Moment about z.
    pub zz: f64,
    /// −∫ x y dm.
    pub xy: f64,
    /// −∫ x z dm.
    pub xz: f64,
    /// −∫ y z dm.
    pub yz: f64,
}

/// Makes and lists tensors.
impl Inertia {
    /// Of nothing.
    pub const ZERO: Inertia = Inertia::diagonal([0.0; 3]);
    /// The order of the entries.
    pub const NAMES: [&'static str; 6] = ["xx", "yy", "zz", "xy", "xz", "yz"];

    /// With these moments about x, y, z and no products.
    #[inline]
    pub const fn diagonal([xx, yy, zz]: [f64; 3]) -> Inertia {
        Inertia { xx, yy, zz, xy: 0.0, xz: 0.0, yz: 0.0 }
    }

    /// From entries in the order of [`Inertia::NAMES`].
    #[inline]
    pub const fn from_entries([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Inertia {
        Inertia { xx, yy, zz, xy, xz, yz }
    }

    /// Entries in the order of [`Inertia::NAMES`].
    #[inline]
    pub const fn entries(&self) -> [f64; 6] {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz]
    }

    /// From the entries of a symmetric matrix by row and column; those on and above the diagonal are asked for.
    #[inline]
    pub fn from_matrix(entry: impl Fn(usize, usize) -> f64) -> Inertia {
        let [xx, yy, zz] = [entry(0, 0), entry(1, 1), entry(2, 2)];
        Inertia { xx, yy, zz, xy: entry(0, 1), xz: entry(0, 2), yz: entry(1, 2) }
    }

    /// Its matrix by rows.
    #[inline]
    pub const fn matrix(&self) -> [[f64; 3]; 3] {
        [[self.xx, self.xy, self.xz], [self.xy, self.yy, self.yz], [self.xz, self.yz, self.zz]]
    }

    /// From what it does to vectors, a linear symmetric map.
    #[inline]
    pub fn from_map(map: impl Fn(Vec3) -> Vec3) -> Inertia {
        let [x, y, z] = [map(Vec3::X), map(Vec3::Y), map(Vec3::Z)];
        Inertia { xx: x.x, yy: y.y, zz: z.z, xy: x.y, xz: x.z, yz: y.z }
    }

    /// J u uᵀ: a moment J about the unit vector u and none across it.
    #[inline]
    pub fn about_line(J: f64, u: Vec3) -> Inertia {
        let Vec3 { x, y, z } = u;
        Inertia::from_entries([x * x, y * y, z * z, x * y, x * z, y * z].map(|uu| J * uu))
    }

    /// From S = ∫ p pᵀ dm about the same point, by row and column: tr(S) 1 − S.
    #[inline]
    pub fn from_second_moments(S: impl Fn(usize, usize) -> f64) -> Inertia {
        let trace = S(0, 0) + S(1, 1) + S(2, 2);
        Inertia::from_matrix(|i, j| if i == j { trace - S(i, i) } else { -S(i, j) })
    }
}

/// What it does.
impl Inertia {
    /// I u.
    #[inline]
    pub fn apply(&self, u: Vec3) -> Vec3 {
        Vec3::new(
            self.xx * u.x + self.xy * u.y + self.xz * u.z,
            self.xy * u.x + self.yy * u.y + self.yz * u.z,
            self.xz * u.x + self.yz * u.y + self.zz * u.z,
        )
    }

    /// R I Rᵀ u for a vector u in the axes A of R_AB, where the tensor is in axes B.
    #[inline]
    pub fn apply_in(&self, R_AB: &Rotation, u: Vec3) -> Vec3 {
        R_AB.apply(self.apply(R_AB.apply_transposed(u)))
    }

    /// uᵀ I u: the moment about the unit vector u.
    #[inline]
    pub fn about(&self, u: Vec3) -> f64 {
        let Vec3 { x, y, z } = u;
        self.xx * x * x
            + self.yy * y * y
            + self.zz * z * z
            + 2.0 * (self.xy * x * y + self.xz * x * z + self.yz * y * z)
    }

    /// xx + yy + zz, the same in all axes.
    #[inline]
    pub fn trace(&self) -> f64 {
        self.xx + self.yy + self.zz
    }

    /// ∫ p pᵀ dm about the same point, by rows: half the trace on the diagonal, less the tensor.
    #[inline]
    pub fn second_moments(&self) -> [[f64; 3]; 3] {
        let half = 0.5 * self.trace();
        let Inertia { xx, yy, zz, xy, xz, yz } = *self;
        [[half - xx, -xy, -xz], [-xy, half - yy, -yz], [-xz, -yz, half - zz]]
    }
}

/// In other axes, about another point.
impl Inertia {
    /// The tensor given in axes Q, expressed in axes B: R_BQ I R_BQᵀ.
    pub fn turned(&self, R_BQ: &Rotation) -> Inertia {
        let columns = self.matrix().map(Vec3::from);
        // Rows of R I, then each times the rows of R.
        let rows = R_BQ.rows().map(Vec3::from);
        Inertia::from_matrix(|i, j| Vec3::from(columns.map(|column| rows[i].dot(column))).dot(rows[j]))
    }

    /// From the mass centre of a mass `m` to a point from which it lies at `c`: I + m (c·c 1 − c cᵀ) (Huygens, Steiner).
    #[inline]
    pub fn moved_from_centre(&self, m: f64, c: Vec3) -> Inertia {
        let Vec3 { x, y, z } = c;
        Inertia {
            xx: self.xx + m * (y * y + z * z),
            yy: self.yy + m * (x * x + z * z),
            zz: self.zz + m * (x * x + y * y),
            xy: self.xy - m * x * y,
            xz: self.xz - m * x * z,
            yz: self.yz - m * y * z,
        }
    }

    /// Back to the mass centre: I − m (c·c 1 − c cᵀ).
    #[inline]
    pub fn moved_to_centre(&self, m: f64, c: Vec3) -> Inertia {
        let t = m * c.dot(c);
        let more = |entry: f64, a: f64, b: f64| entry + m * a * b;
        Inertia {
            xx: more(self.xx, c.x, c.x) - t,
            yy: more(self.yy, c.y, c.y) - t,
            zz: more(self.zz, c.z, c.z) - t,
            xy: more(self.xy, c.x, c.y),
            xz: more(self.xz, c.x, c.z),
            yz: more(self.yz, c.y, c.z),
        }
    }

    /// Principal moments, in the order in which Jacobi's turns leave them, and the axes that they are about.
    pub fn principal_axes(&self) -> ([f64; 3], [[f64; 3]; 3]) {
        let (mut a, mut axes) = (self.matrix(), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        diagonalise(&mut a, &mut axes);
        ([a[0][0], a[1][1], a[2][2]], axes)
    }

    /// Principal moments, ascending.
    pub fn principal_moments(&self) -> [f64; 3] {
        let (mut moments, _) = self.principal_axes();
        moments.sort_by(f64::total_cmp);
        moments
    }
}

impl std::ops::AddAssign for Inertia {
    #[inline]
    fn add_assign(&mut self, other: Inertia) {
        let (a, b) = (self.entries(), other.entries());
        *self = Inertia::from_entries(std::array::from_fn(|k| a[k] + b[k]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A dozen operations on numbers of order ten.
    const ROUNDING: f64 = 1e-13;

    fn near(a: Inertia, b: Inertia) -> bool {
        a.entries().iter().zip(b.entries()).all(|(a, b)| (a - b).abs() < ROUNDING)
    }

    /// Masses in points, and the tensor about the origin by its integrals.
    fn cloud(seed: u64) -> (Vec<(f64, Vec3)>, Inertia) {
        let mut random = Random(seed);
        let mut vector = || Vec3::new(random.signed(), random.signed(), random.signed());
        let masses: Vec<(f64, Vec3)> = (0..5).map(|k| (1.0 + k as f64 / 4.0, vector())).collect();
        (masses.clone(), tensor(&masses))
    }

    fn tensor(masses: &[(f64, Vec3)]) -> Inertia {
        let sum = |f: &dyn Fn(Vec3) -> f64| masses.iter().map(|(m, p)| m * f(*p)).sum::<f64>();
        Inertia {
            xx: sum(&|p| p.y * p.y + p.z * p.z),
            yy: sum(&|p| p.x * p.x + p.z * p.z),
            zz: sum(&|p| p.x * p.x + p.y * p.y),
            xy: -sum(&|p| p.x * p.y),
            xz: -sum(&|p| p.x * p.z),
            yz: -sum(&|p| p.y * p.z),
        }
    }

    #[test]
    fn entries_keep_their_names_in_every_form() {
        let I = Inertia { xx: 1.0, yy: 2.0, zz: 3.0, xy: 4.0, xz: 5.0, yz: 6.0 };
        assert_eq!(I.entries(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        for (k, name) in Inertia::NAMES.into_iter().enumerate() {
            // A name is the row and the column where the entry stands.
            let place = |c: u8| usize::from(c - b'x');
            let (i, j) = (place(name.as_bytes()[0]), place(name.as_bytes()[1]));
            assert_eq!((I.matrix()[i][j], I.matrix()[j][i]), (I.entries()[k], I.entries()[k]), "{name}");
        }
        assert_eq!(Inertia::from_entries(I.entries()), I);
        assert_eq!(Inertia::from_matrix(|i, j| I.matrix()[i][j]), I);
        assert_eq!(Inertia::from_map(|u| I.apply(u)), I);
        let mut twice = I;
        twice += I;
        assert_eq!(twice.entries(), I.entries().map(|x| 2.0 * x));
    }

    #[test]
    fn point_masses_by_integrals() {
        for seed in 1..20 {
            let (masses, I) = cloud(seed);
            // I u = ∫ p × (u × p) dm.
            let u = Vec3::new(0.3, -1.2, 0.7);
            let due = masses.iter().fold(Vec3::ZERO, |sum, (m, p)| sum + p.cross(u.cross(*p)) * *m);
            assert!((I.apply(u) - due).norm() < ROUNDING && (I.about(u) - u.dot(due)).abs() < ROUNDING);
            let S = I.second_moments();
            let second = |i: usize, j: usize| masses.iter().map(|(m, p)| m * p[i] * p[j]).sum::<f64>();
            assert!((0..9).all(|k| (S[k / 3][k % 3] - second(k / 3, k % 3)).abs() < ROUNDING));
            assert!(near(Inertia::from_second_moments(second), I));
            // In turned axes and from another point the same integrals of turned and moved points.
            let R = Rotation::about(Vec3::new(1.0, -2.0, 0.5), 0.1 * seed as f64);
            let turned: Vec<(f64, Vec3)> = masses.iter().map(|(m, p)| (*m, R.apply(*p))).collect();
            assert!(near(I.turned(&R), tensor(&turned)));
            assert!((I.apply_in(&R, u) - tensor(&turned).apply(u)).norm() < ROUNDING);
            let mass: f64 = masses.iter().map(|(m, _)| m).sum();
            let c = masses.iter().fold(Vec3::ZERO, |sum, (m, p)| sum + *p * (m / mass));
            let central: Vec<(f64, Vec3)> = masses.iter().map(|(m, p)| (*m, *p - c)).collect();
            assert!(
                near(I.moved_to_centre(mass, c), tensor(&central))
                    && near(tensor(&central).moved_from_centre(mass, c), I)
            );
        }
    }

    #[test]
    fn principal_moments_of_a_turned_tensor() {
        for moments in [[1.0, 2.0, 2.5], [0.0, 3.0, 3.0], [1.0, 1.0, 1.0], [-0.2, 1e-9, 7.0]] {
            let I = Inertia::diagonal(moments).turned(&Rotation::about(Vec3::new(1.0, -2.0, 0.5), 1.1));
            let found = I.principal_moments();
            assert!((0..3).all(|k| (found[k] - moments[k]).abs() < ROUNDING), "{found:?}");
            let (moments, axes) = I.principal_axes();
            for (moment, axis) in moments.into_iter().zip(axes.map(Vec3::from)) {
                assert!((I.apply(axis) - axis * moment).norm() < ROUNDING && (axis.norm() - 1.0).abs() < ROUNDING);
            }
        }
        let u = Vec3::new(2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0);
        let found = Inertia::about_line(3.0, u).principal_moments();
        assert!(found[0].abs() < ROUNDING && found[1].abs() < ROUNDING && (found[2] - 3.0).abs() < ROUNDING);
    }
}
