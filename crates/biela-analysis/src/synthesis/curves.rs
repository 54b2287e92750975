//! Coupler curves through points: nine without more, fewer where dimensions are given ([Wampler 1992], [Morgan 1990]).

use super::linkage::{Carried, Linkage};
use super::{point, refusal, Found, Outcome, Work};
use crate::error::{Error, Result};
use crate::task::{Chosen, Synthesis};
use biela_math::random::Random;
use biela_roots::families::four_bars::{
    cognates, drawn, four_bars, through_nine_points, Given, Place, COGNATES, CURVES,
};
use biela_roots::{Complex, Options, Root};

/// Points that a coupler curve can pass in general.
const MOST: usize = 9;
/// Combinations of given values that are tried.
const COMBINATIONS: usize = 10_000;
/// Loops without anything new after which all roots are taken to be known.
const LOOPS: usize = 8;
/// Most roots of a family that are looked for.
const ROOTS: u64 = 40_000;
/// Roots for five points and both fixed pivots ([Morgan 1990]).
const PIVOTS: usize = 36;

/// Points from the first on, in units of the longest way.
struct Ways {
    origin: Complex,
    scale: f64,
    list: Vec<Complex>,
}

/// Four-bars whose coupler point passes points in any order of the crank.
pub(super) fn through(points: &[[f64; 2]], asked: &Synthesis, work: &Work) -> Result<Found> {
    let all: Vec<Complex> = points.iter().map(|p| point(*p)).collect();
    let scale = all.iter().map(|p| (*p - all[0]).norm()).fold(0.0, f64::max);
    let list = all[1..].iter().map(|p| (*p - all[0]).times(1.0 / scale)).collect();
    let ways = Ways { origin: all[0], scale, list };
    let needed = MOST - points.len();
    if asked.chosen.len() != needed {
        let names: Vec<&str> = asked.chosen.iter().map(|c| c.name.as_str()).collect();
        let told = if names.is_empty() { "none".into() } else { names.join(", ") };
        let message = format!("{} points leave {needed} dimensions to be given, and given are: {told}", points.len());
        return Err(Error::new(message).note(
            "give that many of A.x, A.y, D.x, D.y, crank, coupler, rocker, ground, BP, CP, or ask for nine points less as many as are given",
        ));
    }
    if needed == 0 {
        return nine(&ways, &all, work);
    }
    fewer(&ways, &all, asked, work)
}

fn nine(ways: &Ways, points: &[Complex], work: &Work) -> Result<Found> {
    let parameters: Vec<Complex> = ways.list.iter().copied().chain(ways.list.iter().map(|z| z.conjugate())).collect();
    let (roots, account) = through_nine_points(&parameters, &work.options()).map_err(refusal)?;
    let real: Vec<&Root> = roots.iter().filter(|r| r.real).collect();
    let complete = roots.len() == CURVES;
    let radius = roots.iter().map(|r| r.radius).fold(0.0, f64::max);
    let proof = match complete {
        true => format!(
            "{CURVES} curves, each proved by the box about one of its six roots (largest radius {radius:.1e}), reach the count of Wampler, Morgan and Sommese (1992); \
             {} paths",
            account.paths
        ),
        false => format!(
            "{} of the {CURVES} curves that nine general points have are proved; of the other paths {} went to infinity, {} to singular points, {} are lost",
            roots.len(),
            account.infinite,
            account.singular,
            account.lost
        ),
    };
    let mut outcome = Outcome { complete, proof, ..Outcome::default() };
    (outcome.complex, outcome.real) = (roots.len(), real.len());
    outcome.roots = COGNATES * roots.len();
    let mut linkages = Vec::new();
    for (k, root) in real.iter().enumerate() {
        // Three of the six: the others are these with their links told in the other order.
        for z in cognates(&root.x).iter().take(COGNATES / 2) {
            linkages.extend(linkage(ways, points, z).map(|made| (k + 1, made)));
        }
    }
    Ok(Found { outcome, linkages })
}

/// The linkage that a root tells, in each of its positions.
fn linkage(ways: &Ways, points: &[Complex], z: &[Complex]) -> Option<Linkage> {
    let out = |z: Complex| z.times(ways.scale) + ways.origin;
    let [x, a, y, b] = [0, 2, 4, 6].map(|k| z[k]);
    let mut turns = vec![Complex::ONE];
    for d in &ways.list {
        // p T + q/T + r = 0 of both links.
        let of = |x: Complex, a: Complex| {
            let (xc, ac, dc) = (x.conjugate(), a.conjugate(), d.conjugate());
            let r = *d * dc - *d * ac - dc * a + a * xc + ac * x;
            [dc * x - ac * x, *d * xc - a * xc, r]
        };
        let ([p, q, r], [s, u, v]) = (of(x, a), of(y, b));
        let turn = (q * v - u * r) / (p * u - s * q);
        turns.push(turn.times(1.0 / turn.norm()));
    }
    let at =
        |z: Complex| points.iter().zip(&turns).map(move |(p, t)| *p + z.times(ways.scale) * *t).collect::<Vec<_>>();
    let (first, second) = (at(x), at(y));
    let finite = first.iter().chain(&second).all(|z| z.is_finite());
    let made = Linkage::four_bar([out(a), out(b)], first, second, Carried::Point(points.to_vec()));
    finite.then_some(made)
}

/// What a name stands for.
fn given(name: &str) -> Option<Given> {
    use Place::{A, B, P, X, Y};
    Some(match name {
        "A.x" => Given::Pivot(0, 0),
        "A.y" => Given::Pivot(0, 1),
        "D.x" => Given::Pivot(1, 0),
        "D.y" => Given::Pivot(1, 1),
        "crank" => Given::Distance(A, X),
        "coupler" => Given::Distance(X, Y),
        "rocker" => Given::Distance(Y, B),
        "ground" => Given::Distance(A, B),
        "BP" => Given::Distance(X, P),
        "CP" => Given::Distance(Y, P),
        _ => return None,
    })
}

/// How many roots there are where others have counted them.
fn counted(points: usize, chosen: &[Chosen]) -> Option<usize> {
    let pivots = ["A.x", "A.y", "D.x", "D.y"];
    (points == 5 && chosen.iter().all(|c| pivots.contains(&c.name.as_str()))).then_some(PIVOTS)
}

fn fewer(ways: &Ways, points: &[Complex], asked: &Synthesis, work: &Work) -> Result<Found> {
    let list: Vec<Given> = asked.chosen.iter().filter_map(|c| given(&c.name)).collect();
    let count = asked.chosen.iter().map(|c| c.values.len()).product::<usize>();
    if count > COMBINATIONS {
        return Err(Error::new(format!("{count} combinations of given values are more than {COMBINATIONS}")));
    }
    let family =
        four_bars(points.len(), &list).ok_or_else(|| Error::new("these dimensions cannot be given together"))?;
    let options = Options { most_paths: ROOTS, ..work.options() };
    let (root, general) = drawn(points.len(), &list, &mut Random(5));
    let known = family.monodromy(&[root], &general, (LOOPS, ROOTS as usize), &options).map_err(refusal)?;
    let whole = counted(points.len(), &asked.chosen) == Some(known.len());
    let mut outcome = Outcome { complete: whole, ..Outcome::default() };
    let mut linkages = Vec::new();
    for number in 0..count {
        let parameters = parameters(ways, asked, &list, number);
        let member = family.at(&parameters).map_err(refusal)?;
        let found = family.follow(&known, &general, &parameters, &options).map_err(refusal)?;
        let roots: Vec<Root> = found.roots.iter().filter_map(|x| member.certify(x)).collect();
        outcome.complete &= found.lost == 0 && roots.len() == found.roots.len();
        outcome.complex += roots.len();
        for root in roots.iter().filter(|r| r.real) {
            outcome.real += 1;
            linkages.extend(linkage(ways, points, &root.x).map(|made| (outcome.real, made)));
        }
    }
    outcome.roots = outcome.complex;
    let general = format!("general points and dimensions have {} roots, found by monodromy", known.len());
    outcome.proof = match (whole, outcome.complete) {
        (true, true) => {
            format!("{general}, as many as Morgan and Wampler counted (1990); every root here is certified")
        }
        (true, false) => format!("not proved: {general}, and not all of their paths end at certified roots"),
        (false, _) => {
            format!("not proved: {general} until {LOOPS} loops brought nothing new; nobody has counted them otherwise")
        }
    };
    Ok(Found { outcome, linkages })
}

/// Parameters of the member with one combination of the given values.
fn parameters(ways: &Ways, asked: &Synthesis, list: &[Given], mut number: usize) -> Vec<Complex> {
    let mut made: Vec<Complex> = ways.list.iter().copied().chain(ways.list.iter().map(|z| z.conjugate())).collect();
    for (chosen, what) in asked.chosen.iter().zip(list) {
        let value = chosen.values[number % chosen.values.len()];
        number /= chosen.values.len();
        match what {
            Given::Pivot(_, 0) => made.extend([Complex::from((value - ways.origin.re) / ways.scale); 2]),
            Given::Pivot(..) => {
                let half = Complex::new(0.0, (value - ways.origin.im) / ways.scale);
                made.extend([half, half.conjugate()]);
            }
            Given::Distance(..) => made.extend([Complex::from(0.5 * (value / ways.scale) * (value / ways.scale)); 2]),
        }
    }
    made
}
