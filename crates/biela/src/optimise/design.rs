//! One design: how far it is from what is wanted, and how that changes with each parameter.
//!
//! Curves in positions of a driven motion are followed at the very times that matter, and change with parameters as
//! [`design_sensitivity`] tells. Everything else (rates, forces, motions under forces) is measured in runs, and changes as the runs of
//! neighbouring designs differ.

use super::timing::Sampled;
use super::{Curved, Optimisation};
use crate::error::{Error, Result};
use crate::math::vectors::{dot, norm};
use crate::model::Model;
use crate::plan::reduction::at;
use crate::plan::Target;
use crate::results::Results;
use crate::solve::design_sensitivity::{self, Neighbour};
use crate::solve::designs::Group;
use crate::solve::run;
use crate::solve::samples;
use biela_base::sorting::sort_by;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Step of a parameter towards its neighbours, against its value …
const STEP: f64 = 1e-5;
/// … or, near zero, against this share of what its bounds allow.
const SHARE: f64 = 1e-2;

/// What a design comes to.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// Weighted differences of all curves: what is squared.
    pub differences: Vec<f64>,
    /// Measures to be made small, as they are …
    pub minimised: Vec<f64>,
    /// … and against what they are in the model as it stands.
    pub ratios: Vec<f64>,
    /// Measures with limits.
    pub limited: Vec<f64>,
    /// Changes by each parameter, where asked for.
    pub slopes: Vec<Slopes>,
    /// For each curve the times of its points.
    pub times: Vec<Vec<f64>>,
}

/// Changes by one parameter.
#[derive(Debug, Clone, Default)]
pub(super) struct Slopes {
    /// Of the differences.
    pub differences: Vec<f64>,
    /// Of the ratios.
    pub ratios: Vec<f64>,
    /// Of the measures with limits.
    pub limited: Vec<f64>,
}

impl Outcome {
    /// What is made small: the sum of squares, and the ratios as they are.
    pub fn error(&self) -> f64 {
        self.differences.iter().map(|x| x * x).sum::<f64>() + self.ratios.iter().sum::<f64>()
    }
}

/// What is measured in one design, before differences of neighbours are taken.
#[derive(Clone, Default)]
struct Measured {
    differences: Vec<f64>,
    minimised: Vec<f64>,
    ratios: Vec<f64>,
    limited: Vec<f64>,
}

impl Optimisation<'_> {
    /// The model of a design.
    pub(super) fn model(&self, values: &[f64]) -> Result<Model> {
        let mut model = self.parametric.model(values)?;
        model.study.make_one_of_many(self.filled.clone(), self.every);
        Ok(model)
    }

    /// Looks at a design; with slopes where asked for. Even a fault of the program itself is one design's.
    pub(super) fn evaluate(&self, values: &[f64], slopes: bool) -> Result<Outcome> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.attempt(values, slopes)));
        let outcome = outcome.unwrap_or_else(|_| Err(Error::new("the program itself failed")))?;
        let all = outcome.differences.iter().chain(&outcome.ratios).chain(&outcome.limited);
        let slopes = outcome.slopes.iter().flat_map(|s| s.differences.iter().chain(&s.ratios).chain(&s.limited));
        match all.chain(slopes).all(|x| x.is_finite()) {
            true => Ok(outcome),
            false => Err(Error::new("something that is wanted or limited is not a finite number")),
        }
    }

    fn attempt(&self, values: &[f64], slopes: bool) -> Result<Outcome> {
        let here = self.model(values)?;
        // A neighbour that cannot be, such as one beyond a length of zero, leaves the difference one-sided.
        let (mut near, mut spans) = (Vec::new(), Vec::new());
        for (k, (least, greatest)) in self.goal.bounds.iter().enumerate().filter(|_| slopes) {
            let step = STEP * values[k].abs().max(SHARE * (greatest - least));
            let beside = |by: f64| {
                let mut moved = values.to_vec();
                moved[k] += by;
                self.model(&moved).ok()
            };
            let pair = [beside(step), beside(-step)];
            spans.push(step * pair.iter().flatten().count() as f64);
            near.push(pair);
        }
        let mut outcome = Outcome::default();
        let mut at = Measured::default();
        let mut beside: Vec<[Measured; 2]> = vec![Default::default(); near.len()];
        let runs = if self.needs_run { Some(self.runs(&here, &near)?) } else { None };
        for fit in &self.fits {
            match (&runs, fit.exact) {
                (Some((run, others)), false) => {
                    let times = fit.times(run);
                    at.differences.extend(fit.differences(&parameters(&here), run, &times));
                    for ((results, models), slot) in others.iter().zip(&near).zip(&mut beside) {
                        for side in 0..2 {
                            let other = results[side].as_ref().zip(models[side].as_ref());
                            let (run, model) = other.unwrap_or((run, &here));
                            slot[side].differences.extend(fit.differences(&parameters(model), run, &times));
                        }
                    }
                    outcome.times.push(times);
                }
                _ => outcome.times.push(self.follow(fit, &here, &near, &mut at, &mut beside)?),
            }
        }
        if let Some((run, others)) = &runs {
            self.measure(&here, run, &mut at);
            for ((results, models), slot) in others.iter().zip(&near).zip(&mut beside) {
                for side in 0..2 {
                    let other = results[side].as_ref().zip(models[side].as_ref());
                    let (run, model) = other.unwrap_or((run, &here));
                    self.measure(model, run, &mut slot[side]);
                }
            }
        }
        for ([plus, minus], span) in beside.iter().zip(&spans) {
            let slope = |plus: &[f64], minus: &[f64]| -> Vec<f64> {
                plus.iter().zip(minus).map(|(a, b)| if *span > 0.0 { (a - b) / span } else { 0.0 }).collect()
            };
            outcome.slopes.push(Slopes {
                differences: slope(&plus.differences, &minus.differences),
                ratios: slope(&plus.ratios, &minus.ratios),
                limited: slope(&plus.limited, &minus.limited),
            });
        }
        let Measured { differences, minimised, ratios, limited } = at;
        Ok(Outcome { differences, minimised, ratios, limited, ..outcome })
    }

    /// Runs of a design and of its neighbours.
    #[allow(clippy::type_complexity)]
    fn runs(&self, here: &Model, near: &[[Option<Model>; 2]]) -> Result<(Results, Vec<[Option<Results>; 2]>)> {
        let all: Vec<&Model> = near.iter().flatten().flatten().chain([here]).collect();
        let mut found = self.abreast(&all).into_iter();
        let mut solve = |model: &Model| match found.next().flatten() {
            Some(results) => Ok(results),
            None => run::run(model, &self.formulation, self.method, |_, _| true),
        };
        let mut others = Vec::new();
        for pair in near {
            let pair = pair.each_ref().map(|model| model.as_ref().and_then(|m| solve(m).ok()));
            if pair.iter().any(Option::is_none) {
                return Err(Error::new("a neighbouring design cannot be run"));
            }
            others.push(pair);
        }
        Ok((solve(here)?, others))
    }

    /// Runs of designs side by side, where there is a way; none of a design that is to be run alone.
    fn abreast(&self, models: &[&Model]) -> Vec<Option<Results>> {
        let Some((plan, level)) = self.beside.as_ref().zip(self.level) else { return vec![None; models.len()] };
        let mut group = Group::new(plan, level);
        let mut found = Vec::with_capacity(models.len());
        for models in models.chunks(group.width()) {
            let seated: Vec<bool> = models.iter().enumerate().map(|(lane, model)| group.seat(lane, model)).collect();
            group.run();
            for (lane, seated) in seated.into_iter().enumerate() {
                let whole = seated && group.is_whole(lane);
                found.push(whole.then(|| {
                    let mut table = plan.table();
                    group.fill(lane, &mut table);
                    table
                }));
            }
        }
        found
    }

    fn measure(&self, model: &Model, results: &Results, into: &mut Measured) {
        let parameters = parameters(model);
        for (measure, scale) in &self.minimise {
            let value = measure.evaluate(&parameters, results);
            into.minimised.push(value);
            into.ratios.push(value / scale);
        }
        into.limited.extend(self.limits.iter().map(|m| m.evaluate(&parameters, results)));
    }

    /// A curve in positions, at its own times; those are returned.
    fn follow(
        &self,
        fit: &Curved,
        here: &Model,
        near: &[[Option<Model>; 2]],
        at: &mut Measured,
        beside: &mut [[Measured; 2]],
    ) -> Result<Vec<f64>> {
        let formulation = &self.formulation;
        let positions = |neighbours: &[Neighbour], times: &[f64]| {
            design_sensitivity::positions(here, neighbours, formulation, self.method, times)
        };
        let samples: Vec<f64> = (0..samples::samples(here)).map(|k| samples::time(here, k)).collect();
        let mut closed = false;
        let times = match &fit.fit.target {
            Target::Curve(_) => samples,
            Target::Timed(times, _) => times.clone(),
            Target::Untimed(points) => {
                let (run, _) = positions(&[], &samples)?;
                let parameters = parameters(here);
                let values = fit.signals.iter().map(|s| s.values(&parameters, &run)).collect();
                let curve = Sampled { t: samples, values };
                closed = curve.is_closed();
                curve.times(points)
            }
        };
        // The motion is followed forwards; points may come in any order.
        let mut order: Vec<usize> = (0..times.len()).collect();
        sort_by(&mut order, |a, b| times[*a].total_cmp(&times[*b]));
        let sorted: Vec<f64> = order.iter().map(|k| times[*k]).collect();
        let others: Vec<&Model> = near.iter().flatten().map(|m| m.as_ref().unwrap_or(here)).collect();
        let mut neighbours: Vec<Neighbour> = others.iter().map(|m| Neighbour { model: m, later: 0.0 }).collect();
        let untimed = matches!(fit.fit.target, Target::Untimed(_));
        let length = here.study.end - here.study.start;
        let shift = STEP * SHARE * length;
        if untimed {
            neighbours.extend([shift, -shift].map(|later| Neighbour { model: here, later }));
        }
        let (run, mut there) = positions(&neighbours, &sorted)?;
        let differences = |model: &Model, results: &Results| {
            let sorted = fit.raw(&parameters(model), results, &order);
            let width = fit.signals.len();
            let mut rows = vec![0.0; sorted.len()];
            for (n, k) in order.iter().enumerate() {
                rows[k * width..(k + 1) * width].copy_from_slice(&sorted[n * width..(n + 1) * width]);
            }
            rows
        };
        let base = differences(here, &run);
        let tangents = match untimed {
            true => {
                let later = there.split_off(2 * near.len());
                let beside = [differences(here, &later[0]), differences(here, &later[1])];
                let ends = |t: f64| !closed && (t <= here.study.start + shift || t >= here.study.end - shift);
                Some(directions(&beside, &times, fit.signals.len(), ends))
            }
            false => None,
        };
        let weight = fit.fit.weight.sqrt();
        let finish = |mut rows: Vec<f64>| {
            tangents.iter().for_each(|tangent| take_along(tangent, fit.signals.len(), &mut rows));
            rows.iter_mut().for_each(|x| *x *= weight);
            rows
        };
        for (n, slot) in beside.iter_mut().enumerate() {
            for side in 0..2 {
                let k = 2 * n + side;
                let rows = finish(differences(others[k], &there[k]));
                slot[side].differences.extend(rows);
            }
        }
        at.differences.extend(finish(base));
        Ok(times)
    }
}

/// Directions of a curve at each of its times, from its places a little later and a little earlier: none where it ends or stands still.
fn directions(beside: &[Vec<f64>; 2], times: &[f64], width: usize, ends: impl Fn(f64) -> bool) -> Vec<f64> {
    let mut found: Vec<f64> = beside[0].iter().zip(&beside[1]).map(|(a, b)| a - b).collect();
    for (row, t) in found.chunks_mut(width).zip(times) {
        let size = norm(row);
        let still = size <= 0.0 || ends(*t);
        row.iter_mut().for_each(|x| *x = if still { 0.0 } else { *x / size });
    }
    found
}

/// Takes out of rows what lies along a curve.
fn take_along(tangent: &[f64], width: usize, rows: &mut [f64]) {
    for (row, tangent) in rows.chunks_mut(width).zip(tangent.chunks(width)) {
        let along = dot(row, tangent);
        row.iter_mut().zip(tangent).for_each(|(x, t)| *x -= along * t);
    }
}

impl Curved {
    /// Times that count in a run.
    fn times(&self, run: &Results) -> Vec<f64> {
        match &self.fit.target {
            Target::Timed(times, _) => times.clone(),
            _ => run.times().to_vec(),
        }
    }

    /// What is wanted of point `k` at the row of results that belongs to it.
    fn raw(&self, parameters: &[f64], results: &Results, order: &[usize]) -> Vec<f64> {
        let values: Vec<Vec<f64>> = self.signals.iter().map(|s| s.values(parameters, results)).collect();
        let wanted: Vec<Vec<f64>> = self.wanted.iter().map(|w| w.values(parameters, results)).collect();
        let mut rows = Vec::with_capacity(order.len() * values.len());
        for (row, k) in order.iter().enumerate() {
            for (j, value) in values.iter().enumerate() {
                rows.push(value[row] - self.aim(&wanted, *k, row, j));
            }
        }
        rows
    }

    fn aim(&self, wanted: &[Vec<f64>], point: usize, row: usize, signal: usize) -> f64 {
        match &self.fit.target {
            Target::Timed(_, rows) | Target::Untimed(rows) => rows[point][signal],
            Target::Curve(_) => wanted[signal][row],
        }
    }

    /// Weighted differences in a run, between samples by cubics.
    fn differences(&self, parameters: &[f64], run: &Results, times: &[f64]) -> Vec<f64> {
        let weight = self.fit.weight.sqrt();
        let values: Vec<Vec<f64>> = self.signals.iter().map(|s| s.values(parameters, run)).collect();
        let wanted: Vec<Vec<f64>> = self.wanted.iter().map(|w| w.values(parameters, run)).collect();
        let mut rows = Vec::new();
        for (k, t) in times.iter().enumerate() {
            for (j, value) in values.iter().enumerate() {
                let found = match self.fit.target {
                    Target::Curve(_) => value[k],
                    _ => at(run.times(), value, *t),
                };
                rows.push(weight * (found - self.aim(&wanted, k, k, j)));
            }
        }
        rows
    }
}

fn parameters(model: &Model) -> Vec<f64> {
    model.parameters.iter().map(|p| p.1).collect()
}
