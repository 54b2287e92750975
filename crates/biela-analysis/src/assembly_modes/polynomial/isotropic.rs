//! Linkages in a plane by isotropic coordinates ([Wampler 1999]).
//!
//! A displacement r ↦ p + z r of the complex plane has four coordinates: p and z, and their conjugates, taken as unknowns of their own. What
//! pivots and slides share is linear in the first two and, conjugated, in the last two; lengths and z z̄ = 1 are products of a form in the
//! one half and a form in the other. Once what is linear is eliminated, the multihomogeneous count by these halves is small.

use super::skeleton::{Skeleton, Sort, Tie};
use super::{Equations, Placed};
use crate::math::{Elementary, Pose, Rotation, Vec3};
use biela_roots::{Complex, Monomial, Polynomial, Structure, System};

/// Pivots below which linear equations are dependent: their coefficients are points against the mechanism's size.
const DEPENDENT: f64 = 1e-9;
/// What should cancel and does not for rounding, against the largest coefficient.
const ROUNDING: f64 = 1e-13;

/// A form a₀ + Σ aₖ xₖ: the constant last.
type Form = Vec<Complex>;

/// A linkage in a plane.
pub(super) struct Plane {
    axes: [Vec3; 3],
    centre: Vec3,
    size: f64,
    moving: Vec<usize>,
    /// z and p of every moving group in the unknowns that are left, one group after the other.
    forms: Vec<Form>,
    free: usize,
}

impl Plane {
    /// The equations of a skeleton whose ties lie in a plane with this normal; `None` where they do not. `flat`: nothing can leave it.
    pub fn new(skeleton: &Skeleton, normal: Vec3, size: f64, flat: bool) -> Option<(Plane, Equations)> {
        let across = |t: &Tie| match t.sort {
            Sort::Pivot => t.u.cross(normal).norm() < DEPENDENT,
            Sort::Slide | Sort::Plane | Sort::Line => t.u.dot(normal).abs() < DEPENDENT,
            Sort::Rod => (t.points[1] - t.points[0]).dot(normal).abs() < DEPENDENT * size,
            Sort::Turn => true,
            Sort::Ball => flat,
            Sort::Cross | Sort::Series | Sort::Sheet => false,
        };
        if !skeleton.ties.iter().all(across) || !(flat || skeleton.is_guided()) {
            return None;
        }
        let e1 = normal.any_perpendicular();
        let axes = [e1, normal.cross(e1), normal];
        let count = skeleton.ties.len().max(1) as f64;
        let centre = skeleton.ties.iter().fold(Vec3::ZERO, |s, t| s + t.points[0]) * (1.0 / count);
        let moving = skeleton.moving();
        let mut plane = Plane { axes, centre, size, moving, forms: Vec::new(), free: 0 };
        plane.eliminate(skeleton);
        let equations = plane.equations(skeleton)?;
        Some((plane, equations))
    }

    /// A vector of the plane as a complex number.
    fn number(&self, v: Vec3) -> Complex {
        Complex::new(v.dot(self.axes[0]), v.dot(self.axes[1]))
    }

    /// A point, in sizes.
    fn point(&self, p: Vec3) -> Complex {
        self.number(p - self.centre).times(1.0 / self.size)
    }

    /// z and p of a group as forms in z and p of all moving ones, before any is eliminated.
    fn raw(&self, group: usize) -> [Form; 2] {
        let n = 2 * self.moving.len();
        let mut forms = [vec![Complex::ZERO; n + 1], vec![Complex::ZERO; n + 1]];
        match self.moving.iter().position(|g| *g == group) {
            Some(k) => {
                forms[0][2 * k] = Complex::ONE;
                forms[1][2 * k + 1] = Complex::ONE;
            }
            None => forms[0][n] = Complex::ONE,
        }
        forms
    }

    /// Eliminates what pivots and slides make linear: unknowns are left in which all others are forms.
    fn eliminate(&mut self, skeleton: &Skeleton) {
        let n = 2 * self.moving.len();
        let mut rows: Vec<Form> = Vec::new();
        for tie in &skeleton.ties {
            let [a, b] = tie.groups.map(|g| self.raw(g));
            match tie.sort {
                Sort::Pivot | Sort::Ball => {
                    let x = self.point(tie.points[0]);
                    rows.push((0..=n).map(|k| b[1][k] + b[0][k] * x - a[1][k] - a[0][k] * x).collect());
                }
                Sort::Slide | Sort::Turn => rows.push((0..=n).map(|k| b[0][k] - a[0][k]).collect()),
                _ => {}
            }
        }
        let mut pivots: Vec<(usize, usize)> = Vec::new();
        for r in 0..rows.len() {
            // The largest entry of what is left, places before turns.
            let mut best = (DEPENDENT, None);
            for i in r..rows.len() {
                for k in 0..n {
                    let size = rows[i][k].norm() * if k % 2 == 1 { 4.0 } else { 1.0 };
                    if size > best.0 {
                        best = (size, Some((i, k)));
                    }
                }
            }
            let (_, Some((i, k))) = best else { break };
            rows.swap(r, i);
            let scale = rows[r][k].inverse();
            rows[r].iter_mut().for_each(|c| *c *= scale);
            let pivot = rows[r].clone();
            for (other, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != r) {
                let _ = other;
                let factor = row[k];
                row.iter_mut().zip(&pivot).for_each(|(c, p)| *c -= factor * *p);
                row[k] = Complex::ZERO;
            }
            pivots.push((r, k));
        }
        let free: Vec<usize> = (0..n).filter(|k| pivots.iter().all(|p| p.1 != *k)).collect();
        self.free = free.len();
        let form = |k: usize| -> Form {
            match pivots.iter().find(|p| p.1 == k) {
                Some((r, _)) => {
                    // The pivot's unknown is less all the rest of its row.
                    free.iter().map(|f| -rows[*r][*f]).chain([-rows[*r][n]]).collect()
                }
                None => free
                    .iter()
                    .map(|f| if *f == k { Complex::ONE } else { Complex::ZERO })
                    .chain([Complex::ZERO])
                    .collect(),
            }
        };
        self.forms = (0..n).map(form).collect();
    }

    /// z and p of a group in the unknowns that are left.
    fn of(&self, group: usize) -> [Form; 2] {
        let constant = |c: Complex| -> Form { (0..self.free).map(|_| Complex::ZERO).chain([c]).collect() };
        match self.moving.iter().position(|g| *g == group) {
            Some(k) => [self.forms[2 * k].clone(), self.forms[2 * k + 1].clone()],
            None => [constant(Complex::ONE), constant(Complex::ZERO)],
        }
    }

    /// Where a point of a group goes.
    fn image(&self, group: usize, at: Complex) -> Form {
        let [z, p] = self.of(group);
        z.iter().zip(&p).map(|(z, p)| *p + *z * at).collect()
    }

    /// The product of a form with the conjugate of another, made its own mirror image bit by bit; as it is, or times i.
    fn product(&self, a: &Form, b: &Form, turned: bool) -> Polynomial {
        let n = self.free;
        let variable = |k: usize, half: usize| if k < n { Monomial::power(k + half * n, 1) } else { Monomial::ONE };
        let factor = if turned { Complex::I } else { Complex::ONE };
        let mut sum = Polynomial::default();
        for i in 0..=n {
            for j in 0..=n {
                // Half of a form and half of its mirror image.
                let c = (a[i] * b[j].conjugate() * factor + (a[j] * b[i].conjugate() * factor).conjugate()).times(0.5);
                sum.add_term(variable(i, 0).times(&variable(j, 1)), c);
            }
        }
        sum
    }

    /// What is left to be solved.
    fn equations(&self, skeleton: &Skeleton) -> Option<Equations> {
        let mut list: Vec<Polynomial> = Vec::new();
        let one: Form = (0..self.free).map(|_| Complex::ZERO).chain([Complex::ONE]).collect();
        for group in &self.moving {
            let [z, _] = self.of(*group);
            list.push(self.product(&z, &z, false) - Polynomial::constant(1.0));
        }
        for tie in &skeleton.ties {
            let [a, b] = tie.groups;
            let [x, y] = tie.points.map(|p| self.point(p));
            let from: Form = self.image(b, y).iter().zip(&self.image(a, x)).map(|(b, a)| *b - *a).collect();
            match tie.sort {
                Sort::Rod => {
                    list.push(self.product(&from, &from, false) - Polynomial::constant((y - x).norm2()));
                }
                Sort::Slide | Sort::Line => {
                    // Im(d conj(z u)) = 0.
                    let u = self.number(tie.u);
                    let [z, _] = self.of(a);
                    let line: Form = z.iter().map(|z| *z * u).collect();
                    list.push(self.product(&from, &line, true).scaled(2.0));
                }
                Sort::Plane => {
                    // The ground is the first group.
                    let u = self.number(tie.u);
                    let line: Form = one.iter().map(|c| *c * u).collect();
                    list.push(self.product(&from, &line, false).scaled(2.0));
                }
                _ => {}
            }
        }
        let n = self.free;
        let mut kept: Vec<Polynomial> = Vec::new();
        for p in list.into_iter().map(|p| p.trimmed(ROUNDING)).filter(|p| p.size() > DEPENDENT) {
            let p = p.scaled(1.0 / p.size());
            let same = |q: &Polynomial| (&p - q).size() < DEPENDENT || (&p + q).size() < DEPENDENT;
            if !kept.iter().any(same) {
                kept.push(p);
            }
        }
        // The configuration from which all is told.
        let mut known = vec![Complex::ZERO; 2 * n];
        for (k, x) in known.iter_mut().enumerate() {
            let unit = |f: &Form| {
                (0..n).all(|j| f[j] == if j == k % n { Complex::ONE } else { Complex::ZERO }) && f[n] == Complex::ZERO
            };
            let place = self.forms.iter().position(unit)?;
            *x = if place % 2 == 0 { Complex::ONE } else { Complex::ZERO };
        }
        let halves = vec![(0..n).collect(), (n..2 * n).collect()];
        let conjugates = (n..2 * n).chain(0..n).collect();
        Some(Equations {
            list: kept,
            unknowns: 2 * n,
            known,
            conjugates,
            kin: None,
            structure: Box::new(move |system: &System| {
                let halved = Structure::grouped(system, halves.clone());
                let other = if system.len() <= 6 { Structure::best(system) } else { halved.clone() };
                if other.count() < halved.count() {
                    other
                } else {
                    halved
                }
            }),
        })
    }
}

impl Placed for Plane {
    fn displacements(&self, x: &[Complex]) -> Option<Vec<(usize, Pose)>> {
        let value = |f: &Form| (0..self.free).map(|k| f[k] * x[k]).sum::<Complex>() + f[self.free];
        let of = |(k, group): (usize, &usize)| {
            let (z, p) = (value(&self.forms[2 * k]), value(&self.forms[2 * k + 1]).times(self.size));
            let turn = Rotation::about(self.axes[2], z.im.arctangent2(z.re));
            // r ↦ p + z r about the centre.
            let shift = self.axes[0] * p.re + self.axes[1] * p.im;
            let origin = self.centre + shift - turn.apply(self.centre);
            Some((*group, Pose::new(turn, origin)))
        };
        self.moving.iter().enumerate().map(of).collect()
    }
}
