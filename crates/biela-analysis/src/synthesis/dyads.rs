//! Two pins a fixed distance apart in all positions: |α + β u + γ v|² is the same for given α, β, γ of each position.
//!
//! So a link between a fixed pivot and a moving body is found from poses (Burmester), one between two turning links from their angles
//! (Freudenstein), one between a coupler and an output link likewise. Vectors of the plane are complex numbers; u, v and their conjugates are four
//! unknowns. Less the first, equations are bilinear in (u, v) and (ū, v̄): five positions leave at most six pairs, each fewer a section that is
//! chosen. Roots are found by continuation and certified ([`biela_roots`]).

use super::Work;
use biela_roots::{solve, Complex, Monomial, Options, Polynomial, Refusal, Structure, System};
use std::f64::consts::FRAC_PI_2;

/// The numbers of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    pub alpha: Complex,
    pub beta: Complex,
    pub gamma: Complex,
}

/// What is chosen of u (0) or v (1).
#[derive(Debug, Clone, Copy)]
pub(super) enum Section {
    /// It is this number: two conditions.
    Value(usize, Complex),
    /// It lies on the line through a point in a direction.
    Line(usize, Complex, f64),
}

/// Pairs that were found.
#[derive(Debug, Clone, Default)]
pub(super) struct Dyads {
    /// Real ones: u and v.
    pub real: Vec<(Complex, Complex)>,
    /// How many there are, with those that are not real.
    pub complex: usize,
    /// Whether these are proved to be all.
    pub complete: bool,
    /// Whether roots are multiple or lie on curves: infinitely many pairs, or some that coincide.
    pub singular: bool,
}

/// Share of the largest coefficient below which one is rounding: sums of a few products of numbers of order one.
pub(super) const ROUNDING: f64 = 1e-13;
/// Streams of random numbers that are tried.
const SEEDS: u64 = 6;
/// Length below which a vector is nothing: lengths are of order one.
const NOTHING: f64 = 1e-7;

/// What is known of the roots of equations before they are solved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// A root that is none of a linkage.
    pub trivial: Option<(Complex, Complex)>,
    /// How many there are at most.
    pub bound: Option<usize>,
}

/// All pairs.
pub(super) fn dyads(positions: &[Position], sections: &[Section], known: Known, work: &Work) -> Result<Dyads, Refusal> {
    pairs(equations(positions, sections), known, work)
}

/// All pairs that fulfil four equations in u, v, ū and v̄, each its own mirror image.
pub(super) fn pairs(
    equations: Vec<Polynomial>,
    Known { trivial, bound }: Known,
    work: &Work,
) -> Result<Dyads, Refusal> {
    let system = System::new(equations)?.with_conjugates(vec![2, 3, 0, 1]);
    let structure = Structure::grouped(&system, vec![vec![0, 1], vec![2, 3]]);
    let mut found = solve(&system, &structure, &work.options())?;
    // Paths to infinity that could not be told apart may be with other random numbers.
    let reached = |found: &biela_roots::Solutions| found.is_complete() || bound == Some(found.roots().len());
    for seed in 2..=SEEDS {
        if reached(&found) {
            break;
        }
        let again = solve(&system, &structure, &Options { seed, ..work.options() })?;
        if again.roots().len() >= found.roots().len() {
            found = again;
        }
    }
    let is_trivial = |x: &[Complex], reach: f64| {
        let near = |k: usize, z: Complex| (x[k] - z).norm() < reach;
        trivial.is_some_and(|(u, v)| near(0, u) && near(1, v) && near(2, u.conjugate()) && near(3, v.conjugate()))
    };
    let singular = found.singular.iter().any(|s| !is_trivial(&s.x, NOTHING.max(10.0 * s.error)));
    let mut dyads = Dyads { complete: reached(&found) && !singular, singular, ..Dyads::default() };
    for root in found.roots() {
        if is_trivial(&root.x, NOTHING) {
            continue;
        }
        dyads.complex += 1;
        if root.real {
            dyads.real.push((root.x[0], root.x[1]));
        }
    }
    Ok(dyads)
}

fn equations(positions: &[Position], sections: &[Section]) -> Vec<Polynomial> {
    let variable = Polynomial::variable;
    let square = |p: &Position| {
        let form = |u: usize, v: usize, [a, b, c]: [Complex; 3]| {
            Polynomial::constant(a) + variable(u).scaled(b) + variable(v).scaled(c)
        };
        let own = [p.alpha, p.beta, p.gamma];
        form(0, 1, own) * form(2, 3, own.map(|z| z.conjugate()))
    };
    let first = square(&positions[0]);
    let mut list: Vec<Polynomial> =
        positions[1..].iter().map(|p| mirrored((square(p) - first.clone()).trimmed(ROUNDING))).collect();
    for section in sections {
        match *section {
            Section::Value(of, z) => list.extend([0.0, FRAC_PI_2].map(|direction| line(of, z, direction))),
            Section::Line(of, through, direction) => list.push(line(of, through, direction)),
        }
    }
    list
}

/// i times the part across the direction, and its conjugate: its own mirror image.
pub(super) fn line(of: usize, through: Complex, direction: f64) -> Polynomial {
    let turn = Complex::unit(-direction) * Complex::I;
    let part = |of: usize, through: Complex, turn: Complex| {
        (Polynomial::variable(of) - Polynomial::constant(through)).scaled(turn)
    };
    mirrored(part(of, through, turn) + part(of + 2, through.conjugate(), turn.conjugate()))
}

/// The mean of a polynomial and its mirror image, which are the same but for rounding: then they are the same bit by bit.
pub(super) fn mirrored(p: Polynomial) -> Polynomial {
    let swap = [2, 3, 0, 1];
    let mut image = Polynomial::default();
    for (monomial, c) in p.terms() {
        let swapped = monomial.powers().map(|(v, e)| Monomial::power(swap[v], e));
        let monomial = swapped.fold(Monomial::ONE, |m, o| m.times(&o));
        image.add_term(monomial, c.conjugate());
    }
    (p + image).scaled(0.5)
}

/// Angles of lines through a point that are tried where nothing is given: none of them along an axis.
pub(super) fn pencil(samples: usize) -> impl Iterator<Item = f64> {
    (0..samples).map(move |k| std::f64::consts::PI * (k as f64 + 0.37) / samples as f64)
}
