//! A member of a family, with the equations as the family has them: what its roots are proved by.

use crate::ball::Ball;
use crate::certificate::{proved, Equations, Root};
use crate::circuit::{Circuit, Ring};
use crate::complex::Complex;
use crate::disc::Disc;
use crate::system::System;
use std::sync::Arc;

/// A member of a [`Family`](crate::Family).
#[derive(Debug)]
pub struct Member(pub(crate) Own);

#[derive(Debug)]
pub(crate) enum Own {
    Expanded(System),
    Computed(Computed),
}

/// A circuit for given parameters, its last coordinate one.
#[derive(Debug)]
pub(crate) struct Computed {
    pub circuit: Arc<Circuit>,
    pub parameters: Vec<Complex>,
    /// The coordinate that each one's conjugate stands for, where mirror images of roots are roots.
    pub conjugates: Option<Vec<usize>>,
}

impl Member {
    /// Proves a root near `x`; `None` where it cannot be proved. Where coordinates differ much in size the sides of the box do too: the radius told is
    /// then the largest.
    pub fn certify(&self, x: &[Complex]) -> Option<Root> {
        match &self.0 {
            Own::Expanded(system) => proved(system, x),
            Own::Computed(computed) => proved(computed, x).or_else(|| {
                let scaled = Scaled::about(computed, x);
                let divided: Vec<Complex> = x.iter().zip(&scaled.scale).map(|(z, s)| z.times(1.0 / s)).collect();
                let root = proved(&scaled, &divided)?;
                let largest = scaled.scale.iter().fold(0.0, |m: f64, s| m.max(*s));
                Some(Root { x: scaled.whole(&root.x), radius: root.radius * largest, real: root.real })
            }),
        }
    }
}

/// A member in coordinates divided by powers of two, none of which rounds.
struct Scaled<'a> {
    inner: &'a Computed,
    scale: Vec<f64>,
}

impl Scaled<'_> {
    /// In coordinates that are near one at a point.
    fn about<'a>(inner: &'a Computed, x: &[Complex]) -> Scaled<'a> {
        let power = |z: &Complex| {
            // The bits of the exponent alone.
            let size = z.norm().clamp(1e-9, 1e9);
            f64::from_bits(size.to_bits() & 0x7ff0_0000_0000_0000)
        };
        Scaled { inner, scale: x.iter().map(power).collect() }
    }

    fn whole(&self, x: &[Complex]) -> Vec<Complex> {
        x.iter().zip(&self.scale).map(|(z, s)| z.times(*s)).collect()
    }
}

impl Equations for Scaled<'_> {
    fn len(&self) -> usize {
        self.inner.len()
    }

    fn is_real(&self) -> bool {
        self.inner.is_real()
    }

    fn mirrored(&self, x: &[Complex]) -> Vec<Complex> {
        let mirrored = self.inner.mirrored(&self.whole(x));
        mirrored.iter().zip(&self.scale).map(|(z, s)| z.times(1.0 / s)).collect()
    }

    fn value(&self, x: &[Complex]) -> Vec<Complex> {
        self.inner.value(&self.whole(x))
    }

    fn values_at(&self, x: &[Complex]) -> Vec<Disc> {
        self.inner.values_at(&self.whole(x))
    }

    fn slopes<T: Ring>(&self, x: &[T], of: impl Fn(Complex) -> T) -> Vec<T> {
        let whole: Vec<T> = x.iter().zip(&self.scale).map(|(z, s)| z.scaled(*s)).collect();
        let mut slopes = self.inner.slopes(&whole, of);
        for row in slopes.chunks_exact_mut(x.len()) {
            row.iter_mut().zip(&self.scale).for_each(|(d, s)| *d = d.scaled(*s));
        }
        slopes
    }
}

impl Equations for Computed {
    fn len(&self) -> usize {
        self.circuit.rows.len()
    }

    fn is_real(&self) -> bool {
        self.conjugates.is_some()
    }

    fn mirrored(&self, x: &[Complex]) -> Vec<Complex> {
        match &self.conjugates {
            Some(list) => list.iter().map(|k| x[*k].conjugate()).collect(),
            None => x.iter().map(|z| z.conjugate()).collect(),
        }
    }

    fn value(&self, x: &[Complex]) -> Vec<Complex> {
        self.balls(x).iter().map(|b| b.middle()).collect()
    }

    fn values_at(&self, x: &[Complex]) -> Vec<Disc> {
        self.balls(x).iter().map(|b| b.disc()).collect()
    }

    fn slopes<T: Ring>(&self, x: &[T], of: impl Fn(Complex) -> T) -> Vec<T> {
        let n = x.len();
        let mut values = Vec::new();
        let own = self.parameters.iter().map(|p| of(*p));
        self.circuit.forward(x.iter().cloned().chain([T::one()]).chain(own), &mut values);
        let mut adjoint = vec![T::zero(); values.len()];
        let mut slopes = vec![T::zero(); n * n];
        for row in 0..n {
            self.circuit.backward(row, &values, &mut adjoint, |k, slope| {
                if k < n {
                    slopes[row * n + k] = slope;
                }
            });
        }
        slopes
    }
}

impl Computed {
    fn balls(&self, x: &[Complex]) -> Vec<Ball> {
        let mut values = Vec::new();
        let given = x.iter().chain([&Complex::ONE]).chain(&self.parameters).map(|z| Ball::point(*z));
        self.circuit.forward(given, &mut values);
        self.circuit.ends().map(|end| values[end]).collect()
    }
}
