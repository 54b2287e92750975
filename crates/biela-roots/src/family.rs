//! Systems with parameters: solved once for general ones, then followed to any others.
//!
//! The number of regular roots is the same for almost all parameters, and no path between general ones and any others meets another
//! but at its end ([Morgan 1989]). Roots of one member are found from a single one by following them along closed curves of parameters,
//! which exchange them (monodromy); whether all are there is told by the trace test of a member that moves with a hyperplane.

use crate::along::Along;
use crate::circuit::Circuit;
use crate::complex::Complex;
use crate::endgame::{finiteness, EndKind};
use crate::homotopy::Homotopy;
use crate::member::{Computed, Member, Own};
use crate::parallel::each;
use crate::polynomial::{Monomial, Polynomial};
use crate::row::Row;
use crate::solve::{follow, Options, INFINITE, INFINITE_SINGULAR};
use crate::system::{Refusal, System};
use crate::tracker::{Care, Tracker};
use biela_math::random::Random;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Square systems in `unknowns` variables whose coefficients are polynomials of parameters.
#[derive(Debug, Clone)]
pub struct Family {
    unknowns: usize,
    form: Form,
}

#[derive(Debug, Clone)]
enum Form {
    /// Parameters are variables of higher numbers than the unknowns.
    Polynomials(Vec<Polynomial>),
    /// The last coordinate makes it homogeneous; then, where there are such, the unknowns and the parameters that are each other's
    /// conjugates in real members.
    Circuit(Arc<Circuit>, [Vec<usize>; 2]),
}

/// Where paths of a family ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Regular ends.
    pub roots: Vec<Vec<Complex>>,
    /// Paths that ended at infinity.
    pub infinite: usize,
    /// Paths that ended at singular points.
    pub singular: usize,
    /// Paths whose end is not known.
    pub lost: usize,
    /// Numbers of the roots from which those and the ones that ended at singular points set out.
    pub missing: Vec<usize>,
}

/// Distance, against the length, of points that are the same.
const SAME: f64 = 1e-7;

impl Family {
    /// Of polynomials whose first `unknowns` variables are the unknowns.
    ///
    /// # Errors
    /// Where there are not as many as unknowns.
    pub fn new(unknowns: usize, polynomials: Vec<Polynomial>) -> Result<Family, Refusal> {
        match polynomials.len() == unknowns {
            true => Ok(Family { unknowns, form: Form::Polynomials(polynomials) }),
            false => Err(Refusal::NotSquare(polynomials.len(), unknowns)),
        }
    }

    /// Of a circuit whose rows are homogeneous in its coordinates, the last of which is one where roots are finite. `conjugates` are, for each
    /// unknown and for each parameter, the one that is its conjugate where a member and its root are real: exchanged that way, rows are to
    /// become their own conjugates, up to signs.
    ///
    /// # Errors
    /// Where there are not as many rows as unknowns.
    pub fn of_circuit(circuit: Circuit, conjugates: [Vec<usize>; 2]) -> Result<Family, Refusal> {
        let unknowns = circuit.coordinates() - 1;
        match circuit.rows.len() == unknowns {
            true => Ok(Family { unknowns, form: Form::Circuit(Arc::new(circuit), conjugates) }),
            false => Err(Refusal::NotSquare(circuit.rows.len(), unknowns)),
        }
    }

    /// How many unknowns it has.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// The equations of the member for given parameters, multiplied out.
    ///
    /// # Errors
    /// Where an equation is a constant for these.
    pub fn member(&self, parameters: &[Complex]) -> Result<System, Refusal> {
        let polynomials = match &self.form {
            Form::Polynomials(list) => list,
            Form::Circuit(circuit, _) => {
                let own = (0..self.unknowns).map(Polynomial::variable).chain([Polynomial::constant(1.0)]);
                let mut values = Vec::new();
                circuit.forward(own.chain(parameters.iter().map(|p| Polynomial::constant(*p))), &mut values);
                return System::new(circuit.ends().map(|end| values[end].clone()).collect());
            }
        };
        let of = |p: &Polynomial| {
            let mut made = Polynomial::default();
            for (monomial, c) in p.terms() {
                let (own, others) = monomial.split(self.unknowns);
                let factor = others.powers().fold(c, |product, (v, e)| product * parameters[v].power(e));
                made.add_term(own, factor);
            }
            made
        };
        System::new(polynomials.iter().map(of).collect())
    }

    /// The member for given parameters, as its roots are proved.
    ///
    /// # Errors
    /// Where an equation is a constant for these.
    pub fn at(&self, parameters: &[Complex]) -> Result<Member, Refusal> {
        let Form::Circuit(circuit, [unknowns, others]) = &self.form else {
            return Ok(Member(Own::Expanded(self.member(parameters)?)));
        };
        let mut pairs = parameters.iter().zip(others);
        let real = others.len() == parameters.len() && pairs.all(|(p, k)| *p == parameters[*k].conjugate());
        let (circuit, parameters) = (circuit.clone(), parameters.to_vec());
        Ok(Member(Own::Computed(Computed { circuit, parameters, conjugates: real.then(|| unknowns.clone()) })))
    }

    /// Rows for parameters that move along a line, from those at t = 1 to those at t = 0, in homogeneous coordinates.
    fn along(&self, from: &[Complex], to: &[Complex]) -> Homotopy {
        match &self.form {
            Form::Polynomials(list) => self.expanded(list, from, to),
            Form::Circuit(circuit, _) => {
                Homotopy::along(Along { circuit: circuit.clone(), from: from.to_vec(), to: to.to_vec() })
            }
        }
    }

    fn expanded(&self, polynomials: &[Polynomial], from: &[Complex], to: &[Complex]) -> Homotopy {
        let unknowns: Vec<usize> = (0..self.unknowns).collect();
        let row = |p: &Polynomial| -> Row {
            let degree = p.degree_in(&unknowns);
            let mut terms: BTreeMap<Monomial, Vec<Complex>> = BTreeMap::new();
            for (monomial, c) in p.terms() {
                let (own, others) = monomial.split(self.unknowns);
                // Product of (to + t (from − to))^e over the parameters, as powers of t.
                let mut product = vec![c];
                for (v, e) in others.powers() {
                    for _ in 0..e {
                        let (a, b) = (to[v], from[v] - to[v]);
                        product.push(Complex::ZERO);
                        for k in (0..product.len()).rev() {
                            let lower = if k > 0 { product[k - 1] * b } else { Complex::ZERO };
                            product[k] = product[k] * a + lower;
                        }
                    }
                }
                let whole = own.times(&Monomial::power(self.unknowns, degree - own.degree()));
                let sum = terms.entry(whole).or_default();
                sum.resize(sum.len().max(product.len()), Complex::ZERO);
                sum.iter_mut().zip(&product).for_each(|(s, p)| *s += *p);
            }
            let size = terms.values().flatten().map(|c| c.norm()).fold(f64::MIN_POSITIVE, f64::max);
            terms.into_iter().map(|(m, c)| (m, c.iter().map(|c| c.times(1.0 / size)).collect())).collect()
        };
        let rows: Vec<Row> = polynomials.iter().map(row).collect();
        Homotopy::new(self.unknowns + 1, vec![(0..=self.unknowns).collect()], &rows)
    }

    /// Follows roots of one member to another, whatever it is.
    ///
    /// # Errors
    /// Where it was told to stop.
    pub fn follow(
        &self,
        roots: &[Vec<Complex>],
        from: &[Complex],
        to: &[Complex],
        options: &Options,
    ) -> Result<Found, Refusal> {
        let homotopy = self.along(from, to);
        let begin = |k: usize| roots[k].iter().copied().chain([Complex::ONE]).collect();
        let (ends, _) = follow(&homotopy, roots.len(), begin, options)?;
        let mut found = Found { roots: Vec::new(), infinite: 0, singular: 0, lost: 0, missing: Vec::new() };
        let affine = |x: &[Complex]| -> Vec<Complex> {
            let scale = x[self.unknowns].inverse();
            x[..self.unknowns].iter().map(|z| *z * scale).collect()
        };
        for (k, end) in ends.into_iter().enumerate() {
            let share = finiteness(&homotopy, &end.x);
            match end.kind {
                EndKind::Lost => {
                    found.lost += 1;
                    found.missing.push(k);
                }
                EndKind::Regular if share < INFINITE => found.infinite += 1,
                EndKind::Regular => found.roots.push(affine(&end.x)),
                EndKind::Singular(_) if share < INFINITE_SINGULAR.max(10.0 * end.error) => found.infinite += 1,
                EndKind::Singular(_) => {
                    found.singular += 1;
                    found.missing.push(k);
                }
            }
        }
        Ok(found)
    }

    /// Follows roots between general members, where no path ends singular: those that arrive.
    fn carry(
        &self,
        roots: &[Vec<Complex>],
        legs: &[Vec<Complex>],
        options: &Options,
    ) -> Result<Vec<Option<Vec<Complex>>>, Refusal> {
        let homotopies: Vec<Homotopy> = legs.windows(2).map(|w| self.along(&w[0], &w[1])).collect();
        let make = || homotopies.iter().map(|h| Tracker::new(h, Care::level(0))).collect::<Vec<_>>();
        let work = |trackers: &mut Vec<Tracker>, k: usize| {
            let mut x: Vec<Complex> = roots[k].iter().copied().chain([Complex::ONE]).collect();
            for tracker in trackers {
                let mut t = Complex::ONE;
                tracker.steps = 0;
                tracker.follow(&mut x, &mut t, Complex::ZERO, true).ok()?;
                tracker.newton(&mut x, Complex::ZERO)?;
            }
            let scale = x[self.unknowns].inverse();
            let affine: Vec<Complex> = x[..self.unknowns].iter().map(|z| *z * scale).collect();
            affine.iter().all(|z| z.is_finite()).then_some(affine)
        };
        each(roots.len(), options.threads, options.stop, make, work).ok_or(Refusal::Cancelled)
    }

    /// Roots of a general member made exact; those that are near none are left out.
    pub(crate) fn refined(&self, roots: &[Vec<Complex>], parameters: &[Complex]) -> Vec<Vec<Complex>> {
        let legs = [parameters.to_vec(), parameters.to_vec()];
        self.carry(roots, &legs, &Options::default()).unwrap_or_default().into_iter().flatten().collect()
    }

    /// All roots of a member that monodromy finds from some of them: `loops` closed curves in a row that bring nothing new end it, or
    /// `enough` roots.
    ///
    /// # Errors
    /// Where it was told to stop, or there are more roots than paths allowed.
    pub fn monodromy(
        &self,
        some: &[Vec<Complex>],
        parameters: &[Complex],
        (loops, enough): (usize, usize),
        options: &Options,
    ) -> Result<Vec<Vec<Complex>>, Refusal> {
        self.monodromy_of_classes(some, parameters, (loops, enough), &|x| x.to_vec(), options)
    }

    /// The same where roots come in classes, one of each of which is enough: `mark` tells numbers of a root that are the same for all of its class,
    /// and for no others.
    ///
    /// # Errors
    /// Where it was told to stop, or there are more classes than paths allowed.
    pub fn monodromy_of_classes(
        &self,
        some: &[Vec<Complex>],
        parameters: &[Complex],
        (loops, enough): (usize, usize),
        mark: &dyn Fn(&[Complex]) -> Vec<Complex>,
        options: &Options,
    ) -> Result<Vec<Vec<Complex>>, Refusal> {
        let mut random = Random(options.seed);
        let mut known: Vec<Vec<Complex>> = some.to_vec();
        let mut marks: Vec<Vec<Complex>> = known.iter().map(|x| mark(x)).collect();
        let mut idle = 0;
        while idle < loops && known.len() < enough {
            let mut corner = || parameters.iter().map(|_| Complex::random(&mut random).times(1.5)).collect::<Vec<_>>();
            let legs = [parameters.to_vec(), corner(), corner(), parameters.to_vec()];
            let before = known.len();
            for x in self.carry(&known, &legs, options)?.into_iter().flatten() {
                let own = mark(&x);
                let size = crate::complex::length(&own).max(1.0);
                if !marks.iter().any(|k| crate::complex::distance(k, &own) < SAME * size) {
                    known.push(x);
                    marks.push(own);
                }
            }
            if known.len() as u64 > options.most_paths {
                return Err(Refusal::Paths(Some(known.len() as u64)));
            }
            idle = if known.len() > before { 0 } else { idle + 1 };
        }
        Ok(known)
    }

    /// The trace test, for a family in which one parameter moves a hyperplane along itself, and nothing else: over all roots of such a
    /// section the sum of the points moves evenly with it, over fewer it does not ([Sommese 2002]). How far from evenly it moves, against how far it moves.
    ///
    /// # Errors
    /// Where it was told to stop; `None` where a path was lost.
    pub fn trace(
        &self,
        roots: &[Vec<Complex>],
        parameters: &[Complex],
        moving: usize,
        options: &Options,
    ) -> Result<Option<f64>, Refusal> {
        let moved = |by: f64| {
            let mut there = parameters.to_vec();
            there[moving] += Complex::new(by, 0.37 * by);
            there
        };
        let sum = |points: &[Vec<Complex>]| -> Vec<Complex> {
            (0..self.unknowns).map(|i| points.iter().map(|p| p[i]).sum()).collect()
        };
        let mut sums = vec![sum(roots)];
        for by in [0.5, -0.5] {
            let there = self.carry(roots, &[parameters.to_vec(), moved(by)], options)?;
            match there.into_iter().collect::<Option<Vec<_>>>() {
                Some(points) => sums.push(sum(&points)),
                None => return Ok(None),
            }
        }
        let uneven = |i: usize| (sums[1][i] + sums[2][i] - sums[0][i].times(2.0)).norm();
        let way = |i: usize| (sums[1][i] - sums[2][i]).norm();
        let most = |f: &dyn Fn(usize) -> f64| (0..self.unknowns).map(f).fold(0.0, f64::max);
        Ok(Some(most(&uneven) / most(&way).max(f64::MIN_POSITIVE)))
    }
}
