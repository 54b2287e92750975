//! Vectors of three components.

use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// A vector of three components; which frame it is expressed in is told by the variable's name.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vec3 {
    /// First component.
    pub x: f64,
    /// Second component.
    pub y: f64,
    /// Third component.
    pub z: f64,
}

impl Vec3 {
    /// The zero vector.
    pub const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);
    /// Unit vector along x.
    pub const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
    /// Unit vector along y.
    pub const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);
    /// Unit vector along z.
    pub const Z: Vec3 = Vec3::new(0.0, 0.0, 1.0);

    /// A vector from its components.
    #[inline]
    pub const fn new(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// Scalar product.
    #[inline]
    pub fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product.
    #[inline]
    pub fn cross(self, o: Vec3) -> Vec3 {
        Vec3::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }

    /// Length.
    #[inline]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The vector of length one in the same direction, or `None` for a vector too short to have one.
    #[inline]
    pub fn unit(self) -> Option<Vec3> {
        // Scaling by the largest component first keeps tiny and huge vectors from under- or overflowing.
        let largest = self.x.abs().max(self.y.abs()).max(self.z.abs());
        // The inverse of a denormal number may be infinite.
        if !(largest >= f64::MIN_POSITIVE && largest.is_finite()) {
            return None;
        }
        let scaled = self * (1.0 / largest);
        Some(scaled * (1.0 / scaled.norm()))
    }

    /// Some unit vector perpendicular to this one (which must not be zero).
    #[inline]
    pub fn any_perpendicular(self) -> Vec3 {
        let a = [self.x.abs(), self.y.abs(), self.z.abs()];
        let other = if a[0] <= a[1] && a[0] <= a[2] {
            Vec3::X
        } else if a[1] <= a[2] {
            Vec3::Y
        } else {
            Vec3::Z
        };
        self.cross(other).unit().unwrap_or(Vec3::X)
    }

    /// Component by number: 0, 1, 2.
    #[inline]
    pub fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }

    /// True where no component is infinite or NaN.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl From<[f64; 3]> for Vec3 {
    #[inline]
    fn from(a: [f64; 3]) -> Vec3 {
        Vec3::new(a[0], a[1], a[2])
    }
}

impl Index<usize> for Vec3 {
    type Output = f64;
    #[inline]
    fn index(&self, k: usize) -> &f64 {
        match k {
            0 => &self.x,
            1 => &self.y,
            _ => &self.z,
        }
    }
}

impl IndexMut<usize> for Vec3 {
    #[inline]
    fn index_mut(&mut self, k: usize) -> &mut f64 {
        match k {
            0 => &mut self.x,
            1 => &mut self.y,
            _ => &mut self.z,
        }
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    #[inline]
    fn add(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, o: Vec3) {
        *self = *self + o;
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    #[inline]
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

impl SubAssign for Vec3 {
    #[inline]
    fn sub_assign(&mut self, o: Vec3) {
        *self = *self - o;
    }
}

impl Mul<f64> for Vec3 {
    type Output = Vec3;
    #[inline]
    fn mul(self, s: f64) -> Vec3 {
        Vec3::new(self.x * s, self.y * s, self.z * s)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    #[inline]
    fn neg(self) -> Vec3 {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_known_vectors() {
        let (a, b) = (Vec3::new(2.0, 3.0, 5.0), Vec3::new(7.0, 11.0, -13.0));
        assert_eq!(a.dot(b), 14.0 + 33.0 - 65.0);
        // The determinant of x, y, z over a and b.
        assert_eq!(a.cross(b), Vec3::new(-39.0 - 55.0, 35.0 + 26.0, 22.0 - 21.0));
        assert_eq!((Vec3::X.cross(Vec3::Y), Vec3::Y.cross(Vec3::Z)), (Vec3::Z, Vec3::X));
        assert_eq!(Vec3::new(2.0, -3.0, 6.0).norm(), 7.0);
    }

    #[test]
    fn sums_and_multiples_go_by_components() {
        let (a, b) = (Vec3::new(2.0, 3.0, 5.0), Vec3::new(0.5, 8.0, -1.0));
        assert_eq!(a + b, Vec3::new(2.5, 11.0, 4.0));
        assert_eq!(a - b, Vec3::new(1.5, -5.0, 6.0));
        assert_eq!((a * 3.0, -a), (Vec3::new(6.0, 9.0, 15.0), Vec3::new(-2.0, -3.0, -5.0)));
        let mut c = a;
        c += b;
        assert_eq!(c, a + b);
        c -= a;
        assert_eq!(c, b);
        assert_eq!(a.to_array(), [2.0, 3.0, 5.0]);
        assert_eq!(Vec3::from([2.0, 3.0, 5.0]), a);
        assert_eq!([a[0], a[1], a[2]], a.to_array());
        (0..3).for_each(|k| c[k] = 10.0 + k as f64);
        assert_eq!(c, Vec3::new(10.0, 11.0, 12.0));
    }

    #[test]
    fn unit_vectors_of_any_length() {
        // Squares of these lengths leave the range of numbers either way.
        for length in [1.0, 1e-200, 1e200, f64::MIN_POSITIVE] {
            let u = (Vec3::new(2.0, -3.0, 6.0) * length).unit().unwrap();
            assert!((u - Vec3::new(2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0)).norm() < 1e-15, "{length}: {u:?}");
        }
        assert_eq!(Vec3::new(0.0, f64::MIN_POSITIVE, 0.0).unit(), Some(Vec3::Y));
        for none in
            [Vec3::ZERO, Vec3::new(1e-320, 0.0, 0.0), Vec3::new(0.0, f64::INFINITY, 1.0), Vec3::new(f64::NAN, 0.0, 0.0)]
        {
            assert_eq!(none.unit(), None);
        }
    }

    #[test]
    fn a_perpendicular_is_one_and_far_from_rounding() {
        let numbers = [0.0, 1.0, -1.0, 1e-9, 3.0];
        for k in 1..125 {
            let v = Vec3::new(numbers[k % 5], numbers[k / 5 % 5], numbers[k / 25]);
            let p = v.any_perpendicular();
            assert!((p.norm() - 1.0).abs() < 1e-15 && p.dot(v).abs() < 1e-15, "{v:?}: {p:?}");
            // Made with the axis of the least component, the product is never short: sine at least √(2/3).
            let least = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis.dot(p).abs());
            let smallest = v.to_array().map(f64::abs).iter().fold(f64::MAX, |a, b| a.min(*b));
            let zero = (0..3).filter(|k| v[*k].abs() == smallest).any(|k| least[k] < 1e-15);
            assert!(zero, "{v:?}: {p:?}");
        }
    }

    #[test]
    fn what_is_finite() {
        assert!(Vec3::new(1.0, -2.0, 1e308).is_finite());
        for k in 0..3 {
            for bad in [f64::NAN, f64::INFINITY] {
                let mut v = Vec3::ZERO;
                v[k] = bad;
                assert!(!v.is_finite());
            }
        }
    }
}
