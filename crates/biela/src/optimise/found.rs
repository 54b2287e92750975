//! What an optimisation has found: for people, for programs, and as a figure.

use super::descend::Descent;
use super::design::Outcome;
use super::way::KEPT;
use super::{Curved, Optimisation};
use crate::display_units::Scale;
use crate::error::{counted, Error, Result};
use crate::plan::{Measure, Target};
use crate::results::plot::{Panel, Plot, Series};
use crate::results::significant;
use crate::solve::run;
use crate::sweep::{aligned, crosses, extent};
use serde_json::{json, Map, Value};

/// Arms of the crosses at wanted points, against what is drawn.
const ARM: f64 = 0.012;

/// One start and where it led.
#[derive(Debug, Clone)]
pub struct Start {
    /// Number of its design in the Latin hypercube; none for the model's own.
    pub sample: Option<usize>,
    /// Its parameters.
    pub from: Vec<f64>,
    /// Its error.
    pub before: f64,
    /// Where it led.
    pub end: Descent,
}

/// A parameter and what became of it.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The model's own value.
    pub own: f64,
    /// The best.
    pub best: f64,
}

/// How a curve is met.
#[derive(Debug, Clone)]
pub struct Met {
    /// Its name.
    pub name: String,
    /// Sum of squared distances.
    pub error: f64,
    /// Root of their mean.
    pub rms: f64,
    /// Largest distance.
    pub largest: f64,
    /// Times of its points.
    pub times: Vec<f64>,
}

/// A measure with what is allowed of it.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its value.
    pub value: f64,
    /// Least value allowed.
    pub lower: Option<f64>,
    /// Greatest value allowed.
    pub upper: Option<f64>,
}

/// What a design comes to, in words and numbers.
#[derive(Debug, Clone)]
pub struct Summary {
    /// What is made small: the sum of squares of the curves, and the measures against what they were.
    pub error: f64,
    /// Largest share by which a limit is overstepped.
    pub violation: f64,
    /// Curves.
    pub fits: Vec<Met>,
    /// What is made small.
    pub minimised: Vec<Measured>,
    /// What is limited.
    pub limits: Vec<Measured>,
}

/// What an optimisation has found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Name of the model.
    pub model: String,
    /// Parameters that may change.
    pub parameters: Vec<Parameter>,
    /// The model as it was, where that can be assembled and run.
    pub before: Option<Summary>,
    /// The best design.
    pub after: Summary,
    /// Starts, the best first.
    pub starts: Vec<Start>,
    /// Designs looked at for starts, and how many of them cannot be assembled and run.
    pub designs: (u64, u64),
}

impl Optimisation<'_> {
    pub(super) fn found(
        &self,
        starts: Vec<Start>,
        before: Option<Outcome>,
        designs: u64,
        refused: usize,
    ) -> Result<Found> {
        let best = starts.first().ok_or_else(|| Error::new("no design was found"))?.end.values.clone();
        let after = self.summary(&self.evaluate(&best, false)?);
        let variations = self.goal.plan.variations.iter();
        let parameters = variations.zip(&self.own).zip(&best);
        Ok(Found {
            model: self.name.clone(),
            parameters: parameters
                .map(|((v, own), best)| Parameter {
                    name: v.name.clone(),
                    unit: v.unit.clone(),
                    own: *own,
                    best: *best,
                })
                .collect(),
            before: before.map(|outcome| self.summary(&outcome)),
            after,
            starts,
            designs: (designs, refused as u64),
        })
    }

    fn summary(&self, outcome: &Outcome) -> Summary {
        let mut rest = outcome.differences.as_slice();
        let mut fits = Vec::new();
        for (Curved { fit, signals, .. }, times) in self.fits.iter().zip(&outcome.times) {
            let (mine, others) = rest.split_at(times.len() * signals.len());
            rest = others;
            let distances: Vec<f64> =
                mine.chunks(signals.len()).map(|row| row.iter().map(|x| x * x / fit.weight).sum::<f64>()).collect();
            let sum: f64 = distances.iter().sum();
            let largest = distances.iter().copied().fold(0.0, f64::max).sqrt();
            let rms = (sum / distances.len().max(1) as f64).sqrt();
            fits.push(Met { name: fit.name.clone(), error: sum, rms, largest, times: times.clone() });
        }
        let measured = |m: &Measure, value: f64, lower: Option<f64>, upper: Option<f64>| Measured {
            name: m.name.clone(),
            unit: m.unit.clone(),
            value,
            lower,
            upper,
        };
        let minimised = self.minimise.iter().zip(&outcome.minimised);
        let limits = self.limits.iter().zip(&outcome.limited).zip(&self.goal.limits);
        Summary {
            error: outcome.error(),
            violation: self.violation(outcome),
            fits,
            minimised: minimised.map(|((m, _), x)| measured(m, *x, None, None)).collect(),
            limits: limits.map(|((m, x), l)| measured(m, *x, l.lower, l.upper)).collect(),
        }
    }

    /// Wanted and obtained curves; what is made small or limited has no picture.
    pub fn figure(&self, found: &Found) -> Result<Plot> {
        if self.fits.is_empty() {
            return Err(Error::new("there is no curve to be drawn").note("a picture shows what 'fit' asks for"));
        }
        let best: Vec<f64> = found.parameters.iter().map(|p| p.best).collect();
        let mut panels = Vec::new();
        let solve = |values: &[f64]| {
            let model = self.model(values)?;
            let results = run::run(&model, &self.formulation, self.method, |_, _| true)?;
            let parameters: Vec<f64> = model.parameters.iter().map(|p| p.1).collect();
            Ok::<_, Error>((parameters, results))
        };
        let after = solve(&best)?;
        let before = solve(&self.own).ok().filter(|_| found.before.is_some());
        for (fit, summary) in self.fits.iter().zip(&found.after.fits) {
            let scales: Vec<Scale> = fit.signals.iter().map(|s| self.units.scale(&s.unit)).collect();
            let time = self.units.scale("s");
            let label = |k: usize| labelled(&fit.signals[k].text, &scales[k].unit);
            let curve = |k: usize, (parameters, results): &(Vec<f64>, crate::results::Results)| {
                scaled(&scales[k], fit.signals[k].values(parameters, results))
            };
            let width = fit.signals.len();
            // A path is drawn as such, its first coordinate across; a single signal over time.
            let pairs: Vec<(Option<usize>, usize)> = match width {
                1 => vec![(None, 0)],
                _ => (1..width).map(|k| (Some(0), k)).collect(),
            };
            for (x, y) in pairs {
                let across = |run: &(Vec<f64>, crate::results::Results)| match x {
                    Some(k) => curve(k, run),
                    None => scaled(&time, run.1.times().to_vec()),
                };
                let wanted = match &fit.fit.target {
                    Target::Timed(_, rows) | Target::Untimed(rows) => {
                        let wanted = |k: usize| scaled(&scales[k], rows.iter().map(|r| r[k]).collect());
                        let up: Vec<f64> = wanted(y);
                        let along = x.map_or(scaled(&time, summary.times.clone()), wanted);
                        (along, up)
                    }
                    Target::Curve(_) => {
                        let values = |k: usize| scaled(&scales[k], fit.wanted[k].values(&after.0, &after.1));
                        (x.map_or(scaled(&time, after.1.times().to_vec()), values), values(y))
                    }
                };
                let mut series = Vec::new();
                if let Some(before) = &before {
                    series.push(Series { label: "before".into(), x: across(before), y: curve(y, before) });
                }
                series.push(Series { label: "obtained".into(), x: across(&after), y: curve(y, &after) });
                let wanted = match &fit.fit.target {
                    Target::Curve(_) => wanted,
                    _ => {
                        let arms = arms(&series, &wanted);
                        // A unit of a path has the same length both ways.
                        let arms = if x.is_some() { (arms.0.max(arms.1), arms.0.max(arms.1)) } else { arms };
                        crosses(&wanted.0, &wanted.1, arms)
                    }
                };
                series.push(Series { label: "wanted".into(), x: wanted.0, y: wanted.1 });
                let x_label: String = x.map_or(format!("t [{}]", time.unit), label);
                panels.push(Panel { series, x_label: x_label.clone(), y_label: label(y), equal_axes: x.is_some() });
                if let (Target::Curve(_), None) = (&fit.fit.target, x) {
                    // What is left is too small to be seen between the curves.
                    let wanted = scaled(&scales[y], fit.wanted[y].values(&after.0, &after.1));
                    let left: Vec<f64> = curve(y, &after).iter().zip(wanted).map(|(a, b)| a - b).collect();
                    let y_label = labelled("obtained less wanted", &scales[y].unit);
                    let series = vec![Series { label: "difference".into(), x: across(&after), y: left }];
                    panels.push(Panel { series, x_label, y_label, equal_axes: false });
                }
            }
        }
        let error = |f: &Met| format!("{}: sum of squares {}", f.name, significant(f.error, 4));
        let errors: Vec<String> = found.after.fits.iter().map(error).collect();
        Ok(Plot { panels, title: Some(found.model.clone()), subtitle: Some(errors.join(", ")) })
    }

    /// What was found as people read it: parameters in the units in which they were written, measures in those of the model.
    pub fn shown(&self, found: &Found) -> Found {
        let mut shown = found.clone();
        for (parameter, scale) in shown.parameters.iter_mut().zip(&self.scales) {
            parameter.unit.clone_from(&scale.unit);
            [&mut parameter.own, &mut parameter.best].into_iter().for_each(|x| *x = scale.shown(*x));
        }
        for summary in shown.before.iter_mut().chain([&mut shown.after]) {
            for measured in summary.minimised.iter_mut().chain(&mut summary.limits) {
                let scale = self.units.scale(&measured.unit);
                let Measured { value, lower, upper, .. } = measured;
                [Some(value), lower.as_mut(), upper.as_mut()].into_iter().flatten().for_each(|x| *x = scale.shown(*x));
                measured.unit = scale.unit;
            }
        }
        shown
    }

    /// The model's text with the best parameters.
    pub fn model_text(&self, found: &Found) -> Result<String> {
        let values: Vec<(String, f64)> = found.parameters.iter().map(|p| (p.name.clone(), p.best)).collect();
        self.document.to_toml_with(&self.options, &values)
    }
}

impl Found {
    /// Whether all limits are kept.
    pub fn keeps_limits(&self) -> bool {
        self.after.violation <= KEPT
    }

    /// For people: parameters, errors before and after, limits, starts.
    pub fn table(&self) -> String {
        const MOST_STARTS: usize = 20;
        let line = |cells: &[&str]| cells.iter().map(|c| c.to_string()).collect::<Vec<String>>();
        let mut lines = vec![line(&["parameter", "before", "best", "unit"])];
        for Parameter { name, unit, own, best } in &self.parameters {
            lines.push(vec![name.clone(), significant(*own, 6), significant(*best, 9), unit.clone()]);
        }
        let mut text = aligned(&lines) + "\n";
        let mut lines = vec![line(&["wanted", "before", "best", ""])];
        let before =
            |pick: &dyn Fn(&Summary) -> f64| self.before.as_ref().map_or("-".into(), |s| significant(pick(s), 6));
        for (k, Met { name, error, rms, largest, times }) in self.after.fits.iter().enumerate() {
            let points = counted(times.len(), "point");
            let rows: [(String, f64, usize, &str); 3] = [
                (format!("{name}: sum of squares"), *error, 0, &points),
                ("  root mean square".into(), *rms, 1, ""),
                ("  largest".into(), *largest, 2, ""),
            ];
            for (what, after, which, note) in rows {
                let pick = |s: &Summary| [s.fits[k].error, s.fits[k].rms, s.fits[k].largest][which];
                lines.push(vec![what, before(&pick), significant(after, 6), note.to_string()]);
            }
        }
        for (k, Measured { name, unit, value, .. }) in self.after.minimised.iter().enumerate() {
            let row = vec![name.clone(), before(&|s| s.minimised[k].value), significant(*value, 6), unit.clone()];
            lines.push(row);
        }
        for (k, Measured { name, unit, value, lower, upper }) in self.after.limits.iter().enumerate() {
            let bounds = match (lower, upper) {
                (Some(a), Some(b)) => format!("{} to {}", significant(*a, 6), significant(*b, 6)),
                (Some(a), None) => format!("at least {}", significant(*a, 6)),
                (None, Some(b)) => format!("at most {}", significant(*b, 6)),
                (None, None) => String::new(),
            };
            let note = format!("{unit} ({bounds})");
            lines.push(vec![name.clone(), before(&|s| s.limits[k].value), significant(*value, 6), note]);
        }
        text += &aligned(&lines);
        text.push('\n');
        let mut lines = vec![line(&["start", "from", "to", "designs", "ended"])];
        for start in self.starts.iter().take(MOST_STARTS) {
            let name = start.sample.map_or("the model's own".into(), |k| format!("design {k}"));
            let kept = if start.end.violation > KEPT { ", limits overstepped" } else { "" };
            lines.push(vec![
                name,
                significant(start.before, 4),
                significant(start.end.error, 6),
                start.end.evaluations.to_string(),
                format!("{}{kept}", start.end.ended),
            ]);
        }
        text += &aligned(&lines);
        if self.starts.len() > MOST_STARTS {
            text += &format!("… and {} more starts\n", self.starts.len() - MOST_STARTS);
        }
        if self.designs.1 > 0 {
            text +=
                &format!("{} of {} designs looked at cannot be assembled and run\n", self.designs.1, self.designs.0);
        }
        if !self.keeps_limits() {
            let share = significant(100.0 * self.after.violation, 3);
            text += &format!("no design keeps all limits; this one oversteps one by {share} %\n");
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let named = |pick: fn(&Parameter) -> f64| -> Map<String, Value> {
            self.parameters.iter().map(|p| (p.name.clone(), json!(pick(p)))).collect()
        };
        let measured = |m: &Measured| json!({ "name": m.name, "unit": m.unit, "value": m.value });
        let limited = |m: &Measured| {
            let mut value = measured(m);
            value["lower"] = json!(m.lower);
            value["upper"] = json!(m.upper);
            value
        };
        let met =
            |f: &Met| json!({ "name": f.name, "error": f.error, "rms": f.rms, "largest": f.largest, "t": f.times });
        let summary = |s: &Summary| {
            let fits: Vec<Value> = s.fits.iter().map(met).collect();
            let minimised: Vec<Value> = s.minimised.iter().map(measured).collect();
            let limits: Vec<Value> = s.limits.iter().map(limited).collect();
            json!({ "error": s.error, "overstepped": s.violation, "fits": fits, "minimised": minimised, "limits": limits })
        };
        let starts: Vec<Value> = self
            .starts
            .iter()
            .map(|start| {
                let end = |values: &[f64]| -> Map<String, Value> {
                    self.parameters.iter().zip(values).map(|(p, x)| (p.name.clone(), json!(x))).collect()
                };
                json!({
                    "design": start.sample, "from": end(&start.from), "to": end(&start.end.values),
                    "error_before": start.before, "error": start.end.error, "overstepped": start.end.violation,
                    "designs": start.end.evaluations, "ended": start.end.ended,
                })
            })
            .collect();
        json!({
            "model": self.model, "parameters": named(|p| p.best), "own": named(|p| p.own),
            "before": self.before.as_ref().map(summary), "after": summary(&self.after), "starts": starts,
            "designs": self.designs.0, "refused": self.designs.1, "limits_kept": self.keeps_limits(),
        })
    }
}

/// Numbers in the unit shown.
fn scaled(scale: &Scale, mut values: Vec<f64>) -> Vec<f64> {
    values.iter_mut().for_each(|x| *x = scale.shown(*x));
    values
}

/// `name [unit]`; a pure number has none.
fn labelled(name: &str, unit: &str) -> String {
    match unit {
        "1" | "" => name.to_string(),
        unit => format!("{name} [{unit}]"),
    }
}

/// Arms of crosses, both ways, that show among curves and points.
fn arms(series: &[Series], points: &(Vec<f64>, Vec<f64>)) -> (f64, f64) {
    let drawn = |pick: fn(&Series) -> &[f64], more: &[f64]| {
        let all: Vec<f64> = series.iter().flat_map(pick).chain(more).copied().collect();
        let (least, greatest) = extent(&all);
        ARM * (greatest - least)
    };
    (drawn(|s| &s.x, &points.0), drawn(|s| &s.y, &points.1))
}
