//! Proofs that roots are there, that they are as many as are told, and which of them are real.
//!
//! **Krawczyk's test.** For a box X about m, and Y near the inverse of the Jacobian there, let
//! K = m − Y F(m) + (1 − Y F′(X)) (X − m). If K lies inside X, then X holds exactly one root ([Krawczyk 1969], [Moore 1977]). Values at m are
//! computed with twice the digits, derivatives over X in discs, and all of it with bounds of what rounding adds ([Rump 1999]). So the test can fail
//! for rounding, but it cannot pass for rounding. It is about the system whose coefficients are these doubles exactly.
//!
//! Two roots are distinct where their boxes have no point in common. If all coefficients are real and the box about the real part
//! of m passes as well, its one root is its own conjugate, and so real; if no point of the box is real, the root is not. The same holds where
//! conjugation also exchanges variables (see [`System::with_conjugates`]).
//!
//! **What is not proved** is where paths went that ended at infinity or at singular points: that is counted, and the count must reach the
//! bound of the [`Structure`]. Where the certified roots alone reach the bound the list is complete without it.

use crate::ball::Ball;
use crate::circuit::Ring;
use crate::complex::Complex;
use crate::disc::{size, Disc, LEAST, UNIT, UP};
use crate::interval::Rectangle;
use crate::lu::Lu;
use crate::polynomial::{Monomial, Polynomial};
use crate::structure::Structure;
use crate::system::System;
use std::fmt;

/// A root with the box about it that holds it and no other.
#[derive(Debug, Clone, PartialEq)]
pub struct Root {
    /// The middle of the box.
    pub x: Vec<Complex>,
    /// Half the side of the box, in each real and imaginary part.
    pub radius: f64,
    /// Whether it is proved to be real, or not to be; false where the system is not real.
    pub real: bool,
}

/// Where the paths went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Paths that were followed.
    pub paths: u64,
    /// Those that ended at a certified root.
    pub regular: u64,
    /// Those that ended at infinity.
    pub infinite: u64,
    /// Those that ended at singular points, each as often as paths end there.
    pub singular: u64,
    /// Those whose end is not known, or whose root could not be certified.
    pub lost: u64,
}

/// All that is claimed of a system's roots.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// The structure whose count of roots is reached.
    pub structure: Structure,
    /// That count.
    pub bound: u64,
    /// Where the paths went.
    pub account: Account,
    /// The roots, each in its box.
    pub roots: Vec<Root>,
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The structure is not that of the system.
    Structure,
    /// The bound told is not that of the structure, which is this.
    Bound(Option<u64>),
    /// Roots and other ends of paths do not add up to the bound.
    Count,
    /// The box of this root, counted from 0, is not proved to hold one.
    Root(usize),
    /// This root is not proved to be real, or not to be, as it is told.
    Reality(usize),
    /// Boxes of these two are not apart.
    Together(usize, usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Structure => write!(f, "the structure is not that of the system"),
            Fault::Bound(Some(count)) => write!(f, "the structure has {count} roots, other than told"),
            Fault::Bound(None) => write!(f, "the roots of the structure cannot be counted"),
            Fault::Count => write!(f, "roots and other ends of paths do not add up to the bound"),
            Fault::Root(k) => write!(f, "root {} is not proved to be in its box", k + 1),
            Fault::Reality(k) => write!(f, "root {} is not proved to be real or not, as told", k + 1),
            Fault::Together(a, b) => write!(f, "roots {} and {} may be the same", a + 1, b + 1),
        }
    }
}

impl std::error::Error for Fault {}

/// Equations of which roots can be proved.
pub(crate) trait Equations {
    fn len(&self) -> usize;
    fn is_real(&self) -> bool;
    fn mirrored(&self, x: &[Complex]) -> Vec<Complex>;
    fn value(&self, x: &[Complex]) -> Vec<Complex>;
    /// What holds the values at a point.
    fn values_at(&self, x: &[Complex]) -> Vec<Disc>;
    /// The derivatives, row after row, in any arithmetic; `of` makes its numbers.
    fn slopes<T: Ring>(&self, x: &[T], of: impl Fn(Complex) -> T) -> Vec<T>;
}

impl Equations for System {
    fn len(&self) -> usize {
        System::len(self)
    }
    fn is_real(&self) -> bool {
        System::is_real(self)
    }
    fn mirrored(&self, x: &[Complex]) -> Vec<Complex> {
        System::mirrored(self, x)
    }
    fn value(&self, x: &[Complex]) -> Vec<Complex> {
        System::value(self, x)
    }
    fn values_at(&self, x: &[Complex]) -> Vec<Disc> {
        let point: Vec<Ball> = x.iter().map(|z| Ball::point(*z)).collect();
        let value = |p: &Polynomial| {
            let term = |(monomial, c): (&Monomial, Complex)| product(Ball::point(c), monomial.powers(), &point);
            p.terms().map(term).fold(Ball::zero(), |sum, t| sum + t).disc()
        };
        self.polynomials().iter().map(value).collect()
    }
    fn slopes<T: Ring>(&self, x: &[T], of: impl Fn(Complex) -> T) -> Vec<T> {
        let n = System::len(self);
        let mut slopes = vec![T::zero(); n * n];
        for (p, row) in self.polynomials().iter().zip(slopes.chunks_exact_mut(n)) {
            for (monomial, c) in p.terms() {
                let c = of(c);
                for (v, e) in monomial.powers() {
                    let less = monomial.powers().map(|(w, f)| (w, if w == v { f - 1 } else { f }));
                    let slope = product(c.clone(), less, x);
                    row[v] = row[v].clone() + if e == 1 { slope } else { slope.scaled(f64::from(e)) };
                }
            }
        }
        slopes
    }
}

/// A number times powers of variables.
fn product<T: Ring>(c: T, powers: impl Iterator<Item = (usize, u32)>, x: &[T]) -> T {
    powers.fold(c, |c, (v, e)| (0..e).fold(c, |c, _| c.product(&x[v])))
}

/// Growth of the box that is tried from one attempt to the next.
const GROWTH: f64 = 16.0;
/// How many boxes are tried.
const ATTEMPTS: usize = 6;
/// Corrections before that, …
const REFINEMENTS: usize = 4;
/// … and their share of the one before, or of the point, above which derivatives are computed anew.
const SLOW: f64 = 1e-4;

/// Proves a root near `x`: its box, with whether it is real. `None` where it cannot be proved.
pub fn certify(system: &System, x: &[Complex]) -> Option<Root> {
    proved(system, x)
}

/// The same of any equations.
pub(crate) fn proved<E: Equations>(system: &E, x: &[Complex]) -> Option<Root> {
    let mut refined = x.to_vec();
    let mut y = inverse(system, &refined)?;
    let mut last = f64::INFINITY;
    for _ in 0..REFINEMENTS {
        let before = last;
        last = correct(system, &y, &mut refined);
        let size = refined.iter().map(|z| z.norm()).fold(1.0, f64::max);
        if last <= f64::EPSILON * size {
            break;
        }
        // What does not become much smaller needs derivatives nearer to the root.
        if last > SLOW * before.min(size) {
            y = inverse(system, &refined)?;
        }
    }
    let size = refined.iter().map(|z| z.norm()).fold(1.0, f64::max);
    let mut radius = (4.0 * last).max(1e-15 * size);
    let real_system = system.is_real();
    for _ in 0..ATTEMPTS {
        // Of a real system, a root next to the real ones is one where the box about its real part has one.
        let mirrored = system.mirrored(&refined);
        let flat: Vec<Complex> = refined.iter().zip(&mirrored).map(|(z, m)| (*z + *m).times(0.5)).collect();
        let off = refined.iter().zip(&mirrored).map(|(z, m)| part(*z - *m)).fold(0.0, f64::max);
        let near = off < 2.0 * radius;
        if real_system && near && holds_one(system, &y, &flat, radius) {
            return Some(Root { x: flat, radius, real: true });
        }
        if !(real_system && off <= 4.0 * radius) && holds_one(system, &y, &refined, radius) {
            return Some(Root { x: refined, radius, real: false });
        }
        radius *= GROWTH;
    }
    None
}

/// The larger of the magnitudes of its parts.
fn part(z: Complex) -> f64 {
    z.re.abs().max(z.im.abs())
}

/// Near the inverse of the Jacobian at a point.
fn inverse<E: Equations>(system: &E, x: &[Complex]) -> Option<Vec<Complex>> {
    let n = system.len();
    let mut lu = Lu::new(n);
    lu.matrix().copy_from_slice(&system.slopes(x, |c| c));
    (lu.factor() > 0.0).then(|| lu.inverted())
}

/// One step of Newton's method: how long it was.
fn correct<E: Equations>(system: &E, y: &[Complex], x: &mut [Complex]) -> f64 {
    let n = system.len();
    let f = system.value(x);
    let mut most = 0.0f64;
    for i in 0..n {
        let step: Complex = (0..n).map(|j| y[i * n + j] * f[j]).sum();
        x[i] -= step;
        most = most.max(step.norm());
    }
    most
}

/// Krawczyk's test of the box about a point.
pub(crate) fn holds_one<E: Equations>(system: &E, y: &[Complex], m: &[Complex], radius: f64) -> bool {
    let n = system.len();
    // Of sums of n products, each bound is off by less than these.
    let rounding = 4.0 * UNIT * (n + 4) as f64;
    let up = 1.0 + 8.0 * rounding;
    // Half sides that reach beyond the box, and discs that hold its sides.
    let half: Vec<f64> = m.iter().map(|z| (radius + 2.0 * UNIT * size(*z) + LEAST) * up).collect();
    let over: Vec<Disc> = m.iter().zip(&half).map(|(z, h)| Disc { middle: *z, radius: 1.4143 * h }).collect();
    let f = system.values_at(m);
    let jacobian = system.slopes(&over, Disc::point);
    let mut spread = vec![0.0f64; n];
    (0..n).all(|i| {
        let row = &y[i * n..(i + 1) * n];
        let newton: Complex = row.iter().zip(&f).map(|(y, f)| *y * f.middle).sum();
        let off: f64 = row.iter().zip(&f).map(|(y, f)| size(*y) * (f.radius + rounding * size(f.middle))).sum();
        spread.iter_mut().for_each(|s| *s = 0.0);
        let mut sums = vec![Complex::ZERO; n];
        for (y, slopes) in row.iter().zip(jacobian.chunks_exact(n)) {
            let weight = size(*y);
            for ((sum, s), d) in sums.iter_mut().zip(&mut spread).zip(slopes) {
                *sum += *y * d.middle;
                *s += weight * (d.radius + rounding * size(d.middle));
            }
        }
        sums[i] -= Complex::ONE;
        // A part of a product with what lies in the box: parts of the middle times half a side, and the disc times its diagonal.
        let away = |k: usize| (size(sums[k]) * up + UNIT + 1.4143 * spread[k]) * half[k];
        let moved: f64 = (0..n).map(away).sum();
        let reach = (size(newton) + off + moved + LEAST) * up * UP;
        reach < radius
    })
}

impl Certificate {
    /// Whether roots and other ends of paths reach the bound, none of them unknown.
    pub fn is_complete(&self) -> bool {
        let a = &self.account;
        let sum = a.regular + a.infinite + a.singular + a.lost;
        a.lost == 0 && self.roots.len() as u64 == a.regular && sum == self.bound && a.paths == self.bound
    }

    /// Largest half side of a box.
    pub fn largest_radius(&self) -> f64 {
        self.roots.iter().map(|r| r.radius).fold(0.0, f64::max)
    }

    /// Goes over all of it anew, from the system and nothing else: by arithmetic of intervals alone, none of it that of the paths.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, system: &System) -> Result<(), Fault> {
        if self.structure.misfit(system).is_some() {
            return Err(Fault::Structure);
        }
        let bound = self.structure.count();
        if bound != Some(self.bound) {
            return Err(Fault::Bound(bound));
        }
        if !self.is_complete() {
            return Err(Fault::Count);
        }
        for (k, root) in self.roots.iter().enumerate() {
            let y = if root.x.len() == system.len() { inverse(system, &root.x) } else { None };
            if !y.is_some_and(|y| root.radius > 0.0 && holds_one(system, &y, &root.x, root.radius)) {
                return Err(Fault::Root(k));
            }
            let right = match root.real {
                true => system.is_real() && system.mirrored(&root.x) == root.x,
                false => {
                    let box_of = |z: &Complex| Rectangle::about(*z, root.radius);
                    let mut pairs = root.x.iter().zip(system.mirrored(&root.x));
                    !system.is_real() || pairs.any(|(z, m)| box_of(z).apart(box_of(&m)))
                }
            };
            if !right {
                return Err(Fault::Reality(k));
            }
        }
        match together(&self.roots) {
            Some((a, b)) => Err(Fault::Together(a, b)),
            None => Ok(()),
        }
    }
}

/// Two roots whose boxes are not apart.
pub(crate) fn together(roots: &[Root]) -> Option<(usize, usize)> {
    let about = |root: &Root, i: usize| Rectangle::about(root.x[i], root.radius);
    // Along the first coordinate: only neighbours can meet.
    let mut order: Vec<usize> = (0..roots.len()).collect();
    let low = |k: usize| roots[k].x.first().map_or(0.0, |z| z.re) - roots[k].radius;
    order.sort_by(|a, b| low(*a).total_cmp(&low(*b)));
    let largest = roots.iter().map(|r| r.radius).fold(0.0, f64::max);
    for (place, &a) in order.iter().enumerate() {
        let reach = low(a) + 2.0 * roots[a].radius + largest * 2.0;
        for &b in order[place + 1..].iter().take_while(|b| low(**b) <= reach) {
            if (0..roots[a].x.len()).all(|i| !about(&roots[a], i).apart(about(&roots[b], i))) {
                return Some((a.min(b), a.max(b)));
            }
        }
    }
    None
}
