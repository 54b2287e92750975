//! Families of mechanisms, each with all roots of one general member: from there as many paths lead to any other as it can have roots.
//!
//! Roots of the general members were found once, from a product of linear forms, and are kept as tables; `cargo run --release -p biela-roots
//! --example starts` writes them anew. What a family is good for is told by how many roots its general member has.

mod arm_roots;
pub mod four_bars;
mod platform_roots;

use crate::certificate::{together, Account, Root};
use crate::complex::Complex;
use crate::family::Family;
use crate::parallel::each;
use crate::polynomial::Polynomial;
use crate::solve::Options;
use crate::system::Refusal;
use biela_math::random::Random;
use std::sync::OnceLock;

/// A family with all roots of one member.
#[derive(Debug)]
pub struct Known {
    family: Family,
    parameters: Vec<Complex>,
    roots: Vec<Vec<Complex>>,
    source: &'static str,
}

/// Unknowns of [`arms`], and of [`platforms`].
const ARM: usize = 12;
const PLATFORM: usize = 7;
/// Coefficients of the form in e that is one, in the equations of a platform.
pub const PLATFORM_SCALE: [f64; 4] = [0.8, 0.37, -0.71, 0.23];

impl Known {
    /// A family with the roots of the member that a seed draws: given, or all that are found where none are given.
    fn new(family: Family, count: usize, seed: u64, roots: &[f64], source: &'static str) -> Known {
        let mut random = Random(seed);
        let parameters = (0..count).map(|_| Complex::new(random.signed(), random.signed())).collect();
        let unknowns = family.unknowns();
        let point = |numbers: &[f64]| numbers.chunks_exact(2).map(|z| Complex::new(z[0], z[1])).collect();
        Known { family, parameters, roots: roots.chunks_exact(2 * unknowns).map(point).collect(), source }
    }

    /// The family.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// Parameters of the member whose roots are known.
    pub fn parameters(&self) -> &[Complex] {
        &self.parameters
    }

    /// Its roots.
    pub fn roots(&self) -> &[Vec<Complex>] {
        &self.roots
    }

    /// Who counted them.
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// All isolated roots of the member with these parameters: certified ones, and where all paths went.
    ///
    /// # Errors
    /// Where an equation is a constant for these parameters, or it was told to stop.
    pub fn solve(&self, parameters: &[Complex], options: &Options) -> Result<(Vec<Root>, Account), Refusal> {
        let member = self.family.at(parameters)?;
        let found = self.family.follow(&self.roots, &self.parameters, parameters, options)?;
        let work = |(): &mut (), k: usize| member.certify(&found.roots[k]);
        let proved = each(found.roots.len(), options.threads, options.stop, || (), work).ok_or(Refusal::Cancelled)?;
        let mut roots: Vec<Root> = proved.into_iter().flatten().collect();
        let mut lost = found.lost + found.roots.len() - roots.len();
        while let Some((_, second)) = together(&roots) {
            roots.remove(second);
            lost += 1;
        }
        let account = Account {
            paths: self.roots.len() as u64,
            regular: roots.len() as u64,
            infinite: found.infinite as u64,
            singular: found.singular as u64,
            lost: lost as u64,
        };
        Ok((roots, account))
    }
}

fn inner(a: &[Polynomial; 3], b: &[Polynomial; 3]) -> Polynomial {
    a.iter().zip(b).fold(Polynomial::default(), |s, (a, b)| s + a * b)
}

fn cross(a: &[Polynomial; 3], b: &[Polynomial; 3]) -> [Polynomial; 3] {
    let part = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [part(1, 2), part(2, 0), part(0, 1)]
}

/// Loops of six pivots in space, no neighbours of which are parallel: unknown are the directions v₂ … v₅ of the axes between moving links, twelve
/// numbers. Parameters are the directions v₁ and v₆ (3 each), the cosines between neighbours (5), for each link the components of the way from its
/// first pivot to its second along v, v′ and v × v′ (5 · 3), and the way from the first pivot to the last (3). 16 roots ([Wampler 1991]).
pub fn arms() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let own = |k: usize| [0, 1, 2].map(|i| Polynomial::variable(3 * k + i));
        let parameter = |k: usize| Polynomial::variable(ARM + k);
        let given = |k: usize| [0, 1, 2].map(|i| parameter(k + i));
        let v = [given(0), own(0), own(1), own(2), own(3), given(3)];
        let mut list: Vec<Polynomial> = (1..5).map(|i| inner(&v[i], &v[i]) - Polynomial::constant(1.0)).collect();
        list.extend((0..5).map(|i| inner(&v[i], &v[i + 1]) - parameter(6 + i)));
        for k in 0..3 {
            let link = |i: usize| {
                let [a, b, c] = given(11 + 3 * i);
                &a * &v[i][k] + &b * &v[i + 1][k] + &c * &cross(&v[i], &v[i + 1])[k]
            };
            list.push((0..5).map(link).fold(-&parameter(26 + k), |s, p| s + p));
        }
        let family = Family::new(ARM, list).expect("as many equations as unknowns");
        Known::new(family, 29, 2, &arm_roots::ROOTS, "count for general loops of six pivots [Raghavan, Roth 1993]")
    })
}

type Quaternion = [Polynomial; 4];

fn times(a: &Quaternion, b: &Quaternion) -> Quaternion {
    let t = |i: usize, j: usize| &a[i] * &b[j];
    [
        t(0, 0) - t(1, 1) - t(2, 2) - t(3, 3),
        t(0, 1) + t(1, 0) + t(2, 3) - t(3, 2),
        t(0, 2) + t(2, 0) + t(3, 1) - t(1, 3),
        t(0, 3) + t(3, 0) + t(1, 2) - t(2, 1),
    ]
}

fn dot(a: &Quaternion, b: &Quaternion) -> Polynomial {
    a.iter().zip(b).fold(Polynomial::default(), |s, (a, b)| s + a * b)
}

/// Numbers of one leg among the parameters of [`platforms`].
const LEG: usize = 16;

/// Bodies on six legs: unknown are e₁ e₂ e₃ of the quaternion e that turns the body and g = p e/2, seven numbers; the form in e with the coefficients
/// [`PLATFORM_SCALE`] is one ([Husty 1996]). A leg from a to b of length l is linear in l² − a² − b², a, b and the products of their coordinates, which
/// are taken for parameters of their own ([`platform`] makes them): the group of motions has degree 40 in these ([Gallet 2015]), as many as platforms
/// have roots ([Raghavan 1993]), and a member that moves is linear in how far it has.
pub fn platforms() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let [s0, s1, s2, s3] = PLATFORM_SCALE;
        let form = [s1, s2, s3]
            .iter()
            .enumerate()
            .fold(Polynomial::constant(1.0), |f, (k, s)| f - Polynomial::variable(k).scaled(*s));
        let e = [form.scaled(1.0 / s0), Polynomial::variable(0), Polynomial::variable(1), Polynomial::variable(2)];
        let g = [3, 4, 5, 6].map(Polynomial::variable);
        let unit = |k: usize| [0, 1, 2, 3].map(|i| Polynomial::constant(f64::from(u8::from(i == k + 1))));
        let (before, behind) = ([0, 1, 2].map(|i| times(&unit(i), &e)), [0, 1, 2].map(|j| times(&e, &unit(j))));
        // What the parameters of a leg are multiplied by.
        let mut quadrics = vec![dot(&e, &e)];
        quadrics.extend(before.iter().map(|ae| dot(&g, ae).scaled(-4.0)));
        quadrics.extend(behind.iter().map(|eb| dot(&g, eb).scaled(4.0)));
        quadrics.extend(before.iter().flat_map(|ae| behind.iter().map(|eb| dot(ae, eb).scaled(-2.0))));
        let leg = |k: usize| {
            let term = |(i, q): (usize, &Polynomial)| q * &Polynomial::variable(PLATFORM + LEG * k + i);
            quadrics.iter().enumerate().map(term).fold(Polynomial::default(), |s, t| s + t)
        };
        let mut list = vec![dot(&g, &g).scaled(4.0) + leg(0)];
        list.extend((1..6).map(leg));
        list.push(dot(&e, &g));
        let family = Family::new(PLATFORM, list).expect("as many equations as unknowns");
        Known::new(
            family,
            6 * LEG,
            1,
            &platform_roots::ROOTS,
            "count for general platforms on six legs [Raghavan 1993]",
        )
    })
}

/// Parameters in [`platforms`] of six legs: of each its point on the ground, its point on the body, and its squared length. Legs but the first are told
/// less the first.
pub fn platform(legs: &[[f64; 7]; 6]) -> Vec<Complex> {
    let one = |leg: &[f64; 7]| -> Vec<f64> {
        let (a, b) = (&leg[..3], &leg[3..6]);
        let squares = a.iter().chain(b).map(|x| x * x).sum::<f64>();
        let products = a.iter().flat_map(|a| b.iter().map(move |b| a * b));
        [squares - leg[6]].into_iter().chain(a.iter().copied()).chain(b.iter().copied()).chain(products).collect()
    };
    let first = one(&legs[0]);
    let less = |(k, leg): (usize, &[f64; 7])| -> Vec<f64> {
        one(leg).iter().zip(&first).map(|(x, f)| if k > 0 { x - f } else { *x }).collect()
    };
    legs.iter().enumerate().flat_map(less).map(Complex::from).collect()
}
