//! Spherical four-bars: links between axes through one point, as far apart in all positions: a·b is the same.
//!
//! **Functions.** With the input's axis along z, the moving axes point along (W, 1) and, about the output's axis, (U, 1): W and U are complex
//! numbers, tangents of arcs in a direction. a·b is bilinear in (W, W̄) and (U, Ū). **Orientations.** F·(R M) is the same for a fixed axis F and one of the
//! body, M: five orientations leave at most six pairs ([McCarthy 2010]).

use super::dyads::{mirrored, pairs, pencil, Known, ROUNDING};
use super::function::{directions, proof};
use super::linkage::{across, dot, unit, Carried, Linkage, Shape, Spherical};
use super::{refusal, Found, Outcome, Work};
use crate::error::{Error, Result};
use crate::math::Elementary;
use crate::task::Synthesis;
use biela_roots::{solve, Complex, Polynomial, Structure, System};
use std::f64::consts::{FRAC_PI_2, PI};

/// Axes closer than this are one.
const TOGETHER: f64 = 1e-6;

fn spherical(fixed: [[f64; 3]; 2], b: Vec<[f64; 3]>, c: Vec<[f64; 3]>, turns: Vec<Matrix>) -> Linkage {
    let shape = Shape::Spherical(Spherical { fixed, b, c, turns });
    let (b, c) = (vec![Complex::ONE], vec![Complex::ONE]);
    Linkage { shape, a: Complex::ZERO, b, c, carried: Carried::Nothing, either: false }
}

/// Linkages whose output turns as told.
pub(super) fn function(pairs_told: &[[f64; 2]], asked: &Synthesis, work: &Work) -> Result<Found> {
    let ground = asked.values("ground").map_or(FRAC_PI_2, |g| g[0]);
    if !(ground > 0.0 && ground < PI) {
        return Err(Error::new("'ground', the angle between the fixed axes, must be between 0 and 180 degrees"));
    }
    let missing = 5 - pairs_told.len();
    let given = ["input", "output"].iter().filter(|n| asked.values(n).is_some()).count();
    if given > missing {
        let message = format!("{} positions leave {missing} of 'input' and 'output' to be chosen", pairs_told.len());
        return Err(Error::new(message).note("ask for fewer positions, or give fewer angles"));
    }
    let turn =
        |k: usize| -> Vec<Complex> { pairs_told.iter().map(|p| Complex::unit(p[k] - pairs_told[0][k])).collect() };
    let (r, s) = (turn(0), turn(1));
    let inner: Vec<Polynomial> = r.iter().zip(&s).map(|(r, s)| product(*r, *s, ground)).collect();
    let equations: Vec<Polynomial> =
        inner[1..].iter().map(|p| mirrored((p.clone() - inner[0].clone()).trimmed(ROUNDING))).collect();
    let line = |of: usize, angle: f64| super::dyads::line(of, Complex::ZERO, angle);
    let (inputs, outputs) = (directions(asked, "input"), directions(asked, "output"));
    let choices: Vec<Vec<Polynomial>> = match missing {
        0 => vec![Vec::new()],
        1 if asked.values("output").is_some() => outputs.iter().map(|x| vec![line(1, *x)]).collect(),
        1 => inputs.iter().map(|x| vec![line(0, *x)]).collect(),
        _ => inputs.iter().flat_map(|x| outputs.iter().map(|y| vec![line(0, *x), line(1, *y)])).collect(),
    };
    let (sine, cosine) = ground.sine_cosine();
    let tilted = |v: Complex| unit([cosine * v.re + sine, v.im, cosine - sine * v.re]);
    let mut found = Found { outcome: Outcome { complete: true, ..Outcome::default() }, linkages: Vec::new() };
    let known = Known { trivial: Some((Complex::ZERO, Complex::ZERO)), bound: None };
    for choice in &choices {
        let list = equations.iter().chain(choice).cloned().collect();
        let dyads = pairs(list, known, work).map_err(refusal)?;
        found.outcome.complex += dyads.complex;
        found.outcome.complete &= dyads.complete;
        found.outcome.singular |= dyads.singular;
        for (w, u) in dyads.real {
            found.outcome.real += 1;
            let b = r.iter().map(|r| w * *r).map(|w| unit([w.re, w.im, 1.0])).collect();
            let c = s.iter().map(|s| tilted(u * *s)).collect();
            let fixed = [[0.0, 0.0, 1.0], [sine, 0.0, cosine]];
            found.linkages.push((found.outcome.real, spherical(fixed, b, c, Vec::new())));
        }
    }
    found.outcome.roots = found.outcome.complex;
    found.outcome.proof = proof(&found.outcome, choices.len());
    Ok(found)
}

/// a·b of the axes turned by r and s, in W, U, W̄, Ū.
fn product(r: Complex, s: Complex, ground: f64) -> Polynomial {
    let half = |of: usize, turn: Complex, sign: f64, scale: Complex| {
        let other = Polynomial::variable(of + 2).scaled(turn.conjugate());
        (Polynomial::variable(of).scaled(turn) + other.scaled(sign)).scaled(scale)
    };
    let real = |of: usize, turn: Complex| half(of, turn, 1.0, Complex::from(0.5));
    let imaginary = |of: usize, turn: Complex| half(of, turn, -1.0, Complex::new(0.0, -0.5));
    let (sine, cosine) = ground.sine_cosine();
    let tilted = real(1, s).scaled(cosine) + Polynomial::constant(sine);
    real(0, r) * tilted + imaginary(0, r) * imaginary(1, s) - real(1, s).scaled(sine)
}

type Matrix = [[f64; 3]; 3];

fn times(m: &Matrix, v: [f64; 3]) -> [f64; 3] {
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}

/// Rotation by angles about fixed axes x, y, z.
fn rotation([roll, pitch, yaw]: [f64; 3]) -> Matrix {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sine_cosine(), pitch.sine_cosine(), yaw.sine_cosine());
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

/// Charts of the fixed axis and of the body's: directions that are no one's axes, so that none is at infinity but by chance.
const CHARTS: [[f64; 3]; 2] = [[0.31, 0.87, 0.38], [-0.55, 0.29, 0.78]];

/// Linkages whose coupler takes the orientations.
pub(super) fn motion(list: &[[f64; 3]], asked: &Synthesis, work: &Work) -> Result<Found> {
    let turns: Vec<Matrix> = list.iter().map(|angles| rotation(*angles)).collect();
    let axes = CHARTS.map(|chart| {
        let z = unit(chart);
        let x = unit(across([0.0, 0.0, 1.0], z));
        [x, across(z, x), z]
    });
    let (x, choices) = (|k: usize| Polynomial::variable(k), sections(list.len(), asked.samples));
    let vector = |chart: &[[f64; 3]; 3], from: usize| {
        let part = |k: usize| {
            x(from).scaled(chart[0][k]) + x(from + 1).scaled(chart[1][k]) + Polynomial::constant(chart[2][k])
        };
        [part(0), part(1), part(2)]
    };
    let (f, m) = (vector(&axes[0], 0), vector(&axes[1], 2));
    let mut equations = Vec::new();
    for turn in &turns[1..] {
        let mut sum = Polynomial::default();
        for (i, f) in f.iter().enumerate() {
            for (j, m) in m.iter().enumerate() {
                sum = sum + (f * m).scaled(turn[i][j] - turns[0][i][j]);
            }
        }
        equations.push(sum.trimmed(ROUNDING));
    }
    let mut outcome = Outcome { complete: true, ..Outcome::default() };
    let mut links: Vec<([f64; 3], [f64; 3])> = Vec::new();
    for choice in &choices {
        let system = System::new(equations.iter().chain(choice).cloned().collect()).map_err(refusal)?;
        let structure = Structure::grouped(&system, vec![vec![0, 1], vec![2, 3]]);
        let found = solve(&system, &structure, &work.options()).map_err(refusal)?;
        outcome.singular |= !found.singular.is_empty();
        outcome.complete &= found.is_complete() && found.singular.is_empty();
        outcome.complex += found.roots().len();
        for x in found.real() {
            let of = |chart: &[[f64; 3]; 3], a: f64, b: f64| {
                unit([0, 1, 2].map(|k| a * chart[0][k] + b * chart[1][k] + chart[2][k]))
            };
            links.push((of(&axes[0], x[0], x[1]), of(&axes[1], x[2], x[3])));
        }
    }
    (outcome.roots, outcome.real) = (outcome.complex, links.len());
    outcome.proof = proof(&outcome, choices.len());
    let mut linkages = Vec::new();
    let apart = |a: [f64; 3], b: [f64; 3]| dot(across(a, b), across(a, b)).sqrt() > TOGETHER;
    for (i, (f, m)) in links.iter().enumerate() {
        for (g, n) in &links[i + 1..] {
            if apart(*f, *g) && apart(*m, *n) {
                let axis = |m: [f64; 3]| turns.iter().map(|t| times(t, m)).collect::<Vec<_>>();
                let made = spherical([*f, *g], axis(*m), axis(*n), turns.clone());
                linkages.push((linkages.len() + 1, made));
            }
        }
    }
    Ok(Found { outcome, linkages })
}

/// Planes in which the fixed axis is looked for where fewer than five orientations leave it open.
fn sections(positions: usize, samples: usize) -> Vec<Vec<Polynomial>> {
    let line = |angle: f64, shift: f64| {
        Polynomial::variable(0).scaled(angle.cosine()) + Polynomial::variable(1).scaled(angle.sine())
            - Polynomial::constant(shift)
    };
    match positions {
        5 => vec![Vec::new()],
        4 => pencil(samples).map(|x| vec![line(x, 0.0)]).collect(),
        _ => {
            let shifts = [-0.9, -0.2, 0.6];
            pencil(samples).flat_map(|x| shifts.map(|s| vec![line(x, 0.0), line(x + FRAC_PI_2, s)])).collect()
        }
    }
}
