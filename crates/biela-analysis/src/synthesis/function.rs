//! Functions: the output turns, or slides, by given amounts where the input turns by given ones ([Freudenstein 1955]).

use super::dyads::{dyads, pencil, Dyads, Known, Position, Section};
use super::linkage::{Carried, Linkage, Shape};
use super::{refusal, Found, Outcome, Work};
use crate::error::{Error, Result};
use crate::task::Synthesis;
use biela_roots::Complex;

/// Directions of a vector that is turned by an angle told: one given, or those that are tried.
pub(super) fn directions(asked: &Synthesis, name: &str) -> Vec<f64> {
    asked.values(name).map_or_else(|| pencil(2 * asked.samples).map(|x| 2.0 * x).step_by(2).collect(), <[f64]>::to_vec)
}

/// What remains to be chosen when so many positions are asked for: combinations of sections, the first of which is left out last.
pub(super) fn combinations(missing: usize, first: Vec<Section>, second: Vec<Section>) -> Vec<Vec<Section>> {
    match missing {
        0 => vec![Vec::new()],
        1 => first.into_iter().map(|s| vec![s]).collect(),
        _ => first.iter().flat_map(|f| second.iter().map(|s| vec![*f, *s])).collect(),
    }
}

/// Refuses a dimension that five positions leave no choice of.
fn chosen(asked: &Synthesis, names: &[&str], positions: usize) -> Result<()> {
    let given: Vec<&str> = names.iter().copied().filter(|n| asked.values(n).is_some()).collect();
    let most = 5 - positions;
    if given.len() <= most {
        return Ok(());
    }
    let message = format!(
        "{positions} positions leave {most} of these to be chosen, and {} are: {}",
        given.len(),
        given.join(", ")
    );
    Err(Error::new(message).note("ask for fewer positions, or give fewer dimensions"))
}

/// Solves for each combination, and makes linkages of what is real.
pub(super) fn each(
    positions: &[Position],
    combinations: &[Vec<Section>],
    known: Known,
    work: &Work,
    mut make: impl FnMut(Complex, Complex) -> Option<Linkage>,
) -> Result<Found> {
    let mut found = Found { outcome: Outcome { complete: true, ..Outcome::default() }, linkages: Vec::new() };
    for sections in combinations {
        let Dyads { real, complex, complete, singular } = dyads(positions, sections, known, work).map_err(refusal)?;
        found.outcome.roots += complex;
        found.outcome.complex += complex;
        found.outcome.complete &= complete;
        found.outcome.singular |= singular;
        for (u, v) in real {
            found.outcome.real += 1;
            if let Some(linkage) = make(u, v) {
                found.linkages.push((found.outcome.real, linkage));
            }
        }
    }
    found.outcome.proof = proof(&found.outcome, combinations.len());
    Ok(found)
}

/// On what completeness rests, or why it is not so.
pub(super) fn proof(outcome: &Outcome, choices: usize) -> String {
    let each = if choices > 1 { format!(" of each of {choices} choices") } else { String::new() };
    match (outcome.complete, outcome.singular) {
        (true, _) => format!("all roots{each}: every one certified, and every other path goes to infinity, up to the count of their structure"),
        (false, true) => "not proved: roots are multiple or lie on curves, so that infinitely many linkages pass these positions, or some coincide".into(),
        (false, false) => format!("not proved: a path{each} was lost"),
    }
}

fn turned(angle: f64) -> Complex {
    Complex::unit(angle)
}

/// Four-bars whose output turns as told: W of the crank and U of the rocker at first, with the ground as unit.
pub(super) fn four_bar(pairs: &[[f64; 2]], asked: &Synthesis, work: &Work) -> Result<Found> {
    let names = ["input", "output"];
    chosen(asked, &names, pairs.len())?;
    let ground = asked.values("ground").map_or(1.0, |g| g[0]);
    if ground.is_nan() || ground <= 0.0 {
        return Err(Error::new(format!("'ground' must be above zero; this is {ground}")));
    }
    let (r, s) = turns(pairs);
    let position = |(r, s): (&Complex, &Complex)| Position { alpha: Complex::ONE, beta: -*r, gamma: *s };
    let positions: Vec<Position> = r.iter().zip(&s).map(position).collect();
    let list = sections(asked, pairs.len());
    each(&positions, &list, Known { trivial: Some((Complex::ZERO, Complex::ZERO)), bound: None }, work, |w, u| {
        let b = r.iter().map(|r| (w * *r).times(ground)).collect();
        let c = s.iter().map(|s| (Complex::ONE + u * *s).times(ground)).collect();
        let pivots = [Complex::ZERO, Complex::from(ground)];
        Some(Linkage { either: false, ..Linkage::four_bar(pivots, b, c, Carried::Nothing) })
    })
}

/// Turns of input and output from the first pair on.
fn turns(pairs: &[[f64; 2]]) -> (Vec<Complex>, Vec<Complex>) {
    let of = |k: usize| pairs.iter().map(|p| turned(p[k] - pairs[0][k])).collect();
    (of(0), of(1))
}

/// Lines on which the vectors of input (0) and output (1) lie at first.
fn sections(asked: &Synthesis, positions: usize) -> Vec<Vec<Section>> {
    let of = |name: &str, which: usize| -> Vec<Section> {
        directions(asked, name).into_iter().map(|x| Section::Line(which, Complex::ZERO, x)).collect()
    };
    let (input, output) = (of("input", 0), of("output", 1));
    match asked.values("input").is_none() && asked.values("output").is_some() {
        true => combinations(5 - positions, output, input),
        false => combinations(5 - positions, input, output),
    }
}

/// Slider-cranks: W of the crank, and z where the slider is from the crank's pivot at first.
pub(super) fn slider_crank(pairs: &[[f64; 2]], asked: &Synthesis, work: &Work) -> Result<Found> {
    chosen(asked, &["input", "offset"], pairs.len())?;
    // Slides in units of the largest.
    let scale = pairs.iter().map(|p| (p[1] - pairs[0][1]).abs()).fold(0.0, f64::max);
    if scale == 0.0 {
        return Err(Error::new("the slider is to stand still").note("give outputs that differ"));
    }
    let slides: Vec<Complex> = pairs.iter().map(|p| Complex::from((p[1] - pairs[0][1]) / scale)).collect();
    let (r, _) = turns(pairs);
    let position = |(r, s): (&Complex, &Complex)| Position { alpha: *s, beta: -*r, gamma: Complex::ONE };
    let positions: Vec<Position> = r.iter().zip(&slides).map(position).collect();
    let input: Vec<Section> =
        directions(asked, "input").into_iter().map(|x| Section::Line(0, Complex::ZERO, x)).collect();
    let offsets = asked.values("offset").map_or_else(|| vec![0.0], |v| v.iter().map(|e| e / scale).collect());
    let offset: Vec<Section> = offsets.into_iter().map(|e| Section::Line(1, Complex::new(0.0, e), 0.0)).collect();
    let list = match asked.values("input").is_none() && asked.values("offset").is_some() {
        true => combinations(5 - pairs.len(), offset, input),
        false => combinations(5 - pairs.len(), input, offset),
    };
    each(&positions, &list, Known::default(), work, |w, z| {
        if w.norm() < 1e-9 {
            return None;
        }
        let b = r.iter().map(|r| (w * *r).times(scale)).collect();
        let c = slides.iter().map(|s| (z + *s).times(scale)).collect();
        let (shape, carried) = (Shape::SliderCrank(Complex::ONE), Carried::Nothing);
        Some(Linkage { shape, a: Complex::ZERO, b, c, carried, either: false })
    })
}

/// Six-bars of Stephenson's third kind: of a four-bar that is given, the coupler's point p and the output's arm U are found.
pub(super) fn six_bar(pairs: &[[f64; 2]], asked: &Synthesis, work: &Work) -> Result<Found> {
    let one = |name: &str| {
        let given = asked.values(name).filter(|v| v.len() == 1).map(|v| v[0]);
        given.ok_or_else(|| {
            Error::new(format!("'{name}' of the four-bar that drives the output is not given")).note(
                "give crank, coupler, rocker, ground, branch (1 or -1), input (the crank's angle at first), and the output's pivot G.x, G.y",
            )
        })
    };
    let [crank, coupler, rocker, ground] = [one("crank")?, one("coupler")?, one("rocker")?, one("ground")?];
    let (input, branch) = (one("input")?, one("branch")?);
    let g = Complex::new(one("G.x")?, one("G.y")?);
    chosen(asked, &["output"], pairs.len())?;
    let d = Complex::from(ground);
    let scale = ground;
    let (r, s) = turns(pairs);
    let (mut b, mut c) = (Vec::new(), Vec::new());
    for (k, r) in r.iter().enumerate() {
        let end = (turned(input) * *r).times(crank);
        let way = d - end;
        let far = way.norm();
        let along = (coupler * coupler + far * far - rocker * rocker) / (2.0 * far);
        let height = coupler * coupler - along * along;
        if height < 0.0 {
            return Err(Error::new(format!("the four-bar that is given does not close at position {}", k + 1))
                .note("choose lengths with which its crank reaches all inputs"));
        }
        let side = height.sqrt() * if branch < 0.0 { -1.0 } else { 1.0 };
        c.push(end + way.times(1.0 / far) * Complex::new(along, side));
        b.push(end);
    }
    let pairs_of = || b.iter().zip(&c);
    let turn: Vec<Complex> = pairs_of().map(|(b, c)| (*c - *b).times(1.0 / coupler)).collect();
    let position = |k: usize| Position { alpha: (b[k] - g).times(1.0 / scale), beta: turn[k], gamma: -s[k] };
    let positions: Vec<Position> = (0..pairs.len()).map(position).collect();
    let output = directions(asked, "output").into_iter().map(|x| Section::Line(1, Complex::ZERO, x)).collect();
    let lines = pencil(asked.samples).map(|x| Section::Line(0, Complex::ZERO, x)).collect();
    let list = combinations(5 - pairs.len(), output, lines);
    each(&positions, &list, Known::default(), work, |p, u| {
        let e = (0..pairs.len()).map(|k| b[k] + p.times(scale) * turn[k]).collect();
        let f = s.iter().map(|s| g + u.times(scale) * *s).collect();
        let (shape, carried) = (Shape::SixBar(d, g, f), Carried::Point(e));
        Some(Linkage { shape, a: Complex::ZERO, b: b.clone(), c: c.clone(), carried, either: false })
    })
}
