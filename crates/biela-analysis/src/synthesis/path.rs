//! Points of a coupler's curve at given angles of the crank: |δ − o − W r| is the same in all of them, for the pivot o and the crank W. Then the
//! coupler's turns are known, and the other link is one of those that its poses allow.

use super::dyads::{dyads, Position};
use super::function::proof;
use super::linkage::{Carried, Linkage};
use super::motion::{burmester, Moved, CRANK, ROCKER};
use super::{point, refusal, Found, Outcome, Work};
use crate::error::Result;
use crate::task::Synthesis;
use biela_roots::Complex;

/// Pivots closer than this, against the size of the task, are one.
const TOGETHER: f64 = 1e-6;

/// Four-bars through points with timing.
pub(super) fn timed(points: &[[f64; 2]], timing: &[f64], asked: &Synthesis, work: &Work) -> Result<Found> {
    let points: Vec<Complex> = points.iter().map(|p| point(*p)).collect();
    let turns: Vec<Complex> = timing.iter().map(|x| Complex::unit(x - timing[0])).collect();
    let crank = Moved::new(&points, turns.clone());
    let sections = crank.sections(asked, CRANK)?;
    let position = |(way, r): (&Complex, &Complex)| Position { alpha: *way, beta: -Complex::ONE, gamma: -*r };
    let positions: Vec<Position> = crank.ways.iter().zip(&turns).map(position).collect();
    let mut outcome = Outcome { complete: true, ..Outcome::default() };
    let mut linkages = Vec::new();
    for choice in &sections {
        let found = dyads(&positions, choice, burmester(positions.len()), work).map_err(refusal)?;
        outcome.complex += found.complex;
        outcome.complete &= found.complete;
        outcome.singular |= found.singular;
        for (o, w) in found.real {
            outcome.real += 1;
            let arm = crank.ways[0] - o - w;
            if w.norm() < TOGETHER || arm.norm() < TOGETHER {
                continue;
            }
            let coupler: Vec<Complex> = crank.ways.iter().zip(&turns).map(|(d, r)| (*d - o - w * *r) / arm).collect();
            let body = Moved::new(&points, coupler);
            let others = body.links(&body.sections(asked, ROCKER)?, work)?;
            outcome.complete &= others.complete;
            outcome.singular |= others.singular;
            let b: Vec<Complex> = turns.iter().map(|r| crank.outward(o + w * *r)).collect();
            for (p, c) in others.real {
                let same = (p - o).norm() < TOGETHER;
                if same || (c - (o + w)).norm() < TOGETHER {
                    continue;
                }
                let pivots = [crank.outward(o), crank.outward(p)];
                let carried = Carried::Point(points.clone());
                let made = Linkage::four_bar(pivots, b.clone(), body.carried(c), carried);
                linkages.push((outcome.real, Linkage { either: false, ..made }));
            }
        }
    }
    outcome.roots = outcome.complex;
    outcome.proof = proof(&outcome, sections.len());
    Ok(Found { outcome, linkages })
}
