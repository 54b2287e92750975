//! Optimisation: parameters of a model such that curves are met, measures small and limits kept.
//!
//! ```text
//! Document + Goal ──► Optimisation ──designs──► starts ──descent each──► Found: best design · table of starts · figure
//! ```
//! Curves alone are met by least squares, measures are made small and limits kept by quadratic programs. Starts are the model's
//! own design and the best of a Latin hypercube. A design that cannot be assembled or run is a step refused, never the end.
//!
//! | file | idea |
//! |---|---|
//! | `design` | one design: differences from what is wanted, and their slopes |
//! | `timing` | times of points where none are prescribed |
//! | `descend` | from a start downhill, by one of two methods |
//! | `squares` | Levenberg-Marquardt |
//! | `bounded` | sequential quadratic programming |
//! | `starts` | many designs on all cores, the same result for any number of threads |
//! | `found` | what came of it: for people, for programs, as a figure |

mod bounded;
mod descend;
mod design;
mod found;
mod squares;
mod starts;
mod timing;
mod way;

pub use descend::Descent;
pub use found::{Found, Measured, Met, Parameter, Start, Summary};
pub use starts::{Progress, Step};

use crate::display_units::{DisplayUnits, Scale};
use crate::error::{Error, Result};
use crate::model::{Analysis, Model};
use crate::plan::measure::{Curve, Measure, Names};
use crate::plan::{Fit, Goal, Target, Wanted};
use crate::solve::design_sensitivity::is_position;
use crate::solve::designs::Designs;
use crate::solve::newton::Method;
use crate::sweep;
use crate::text::{Document, Options, Parametric};
use crate::tree::Level;
use std::borrow::Cow;
use std::sync::Arc;

/// A goal made ready for one model.
#[derive(Debug)]
pub struct Optimisation<'d> {
    /// The model's text.
    pub document: Cow<'d, Document>,
    /// How it is read.
    pub options: Options,
    /// What is wanted.
    pub goal: Goal,
    formulation: String,
    method: &'static dyn Method,
    /// Name of the model.
    name: String,
    /// The model with the parameters that may change.
    parametric: Parametric<'d>,
    /// The model's own values of the parameters.
    own: Vec<f64>,
    /// How people read the parameters that may change, and what is found.
    scales: Vec<Scale>,
    units: DisplayUnits,
    fits: Vec<Curved>,
    /// What is made small, and what it is divided by.
    minimise: Vec<(Measure, f64)>,
    limits: Vec<Measure>,
    /// Columns of a run that matter.
    filled: Arc<[bool]>,
    /// Whether signals on request are among them.
    every: bool,
    /// Whether anything must be measured in whole runs.
    needs_run: bool,
    /// How a design and its neighbours are run side by side, where they are of such a kind …
    beside: Option<Designs>,
    /// … and by which registers; none where each is to be run alone.
    pub level: Option<Level>,
}

/// A curve to be met, compiled.
#[derive(Debug)]
struct Curved {
    fit: Fit,
    signals: Vec<Curve>,
    /// What is wanted at every sample, where that is said by expressions.
    wanted: Vec<Curve>,
    /// Whether it is a matter of driven positions alone.
    exact: bool,
}

impl<'d> Optimisation<'d> {
    /// Makes a goal ready. The model is run once as it stands to learn its signals; where it cannot, the first design that can
    /// takes its place.
    pub fn new(
        document: impl Into<Cow<'d, Document>>,
        options: &Options,
        goal: Goal,
        formulation: Option<&str>,
        method: &'static dyn Method,
    ) -> Result<Optimisation<'d>> {
        let document = document.into();
        let kinds = document.parameter_kinds(options)?;
        let (model, results) = sweep::example(&document, options, &goal.plan, formulation, method)?;
        let columns: Vec<(String, String)> =
            results.columns.iter().map(|c| (c.name.clone(), c.unit.to_string())).collect();
        let names = Names { parameters: &kinds, columns: &columns };
        let driven = matches!(model.study.analysis, Analysis::Kinematics | Analysis::InverseDynamics);
        let mut filled = vec![false; columns.len()];
        let mut fits = Vec::new();
        for fit in &goal.fits {
            let owner = format!("fit '{}'", fit.name);
            let parse = |w: &Wanted| Curve::parse(&owner, &w.text, w.span.as_ref(), names);
            let signals = fit.signals.iter().map(parse).collect::<Result<Vec<Curve>>>()?;
            let wanted = match &fit.target {
                Target::Curve(texts) => texts.iter().map(parse).collect::<Result<Vec<Curve>>>()?,
                _ => Vec::new(),
            };
            let needed: Vec<usize> = signals.iter().chain(&wanted).flat_map(Curve::columns).collect();
            let exact = driven && needed.iter().all(|k| is_position(&model, &columns[*k].0));
            check_times(fit, &model, exact).map_err(|e| e.of(owner.clone()))?;
            needed.iter().for_each(|k| filled[*k] = true);
            fits.push(Curved { fit: fit.clone(), signals, wanted, exact });
        }
        let parse = |m: &Wanted| Measure::parse(&m.name, &m.text, m.span.as_ref(), names);
        let parameters: Vec<f64> = model.parameters.iter().map(|p| p.1).collect();
        let mut minimise = Vec::new();
        for wanted in &goal.minimise {
            let measure = parse(wanted)?;
            let value = measure.evaluate(&parameters, &results).abs();
            minimise.push((measure, if value > 0.0 && value.is_finite() { value } else { 1.0 }));
        }
        let limits = goal.limits.iter().map(|l| parse(&l.measure)).collect::<Result<Vec<Measure>>>()?;
        minimise.iter().map(|m| &m.0).chain(&limits).flat_map(Measure::columns).for_each(|k| filled[k] = true);
        let told = sweep::columns_of_full_run(&model, &results);
        let every = filled[told..].contains(&true);
        filled.truncate(if every { columns.len() } else { told });
        let needs_run = !minimise.is_empty() || !limits.is_empty() || fits.iter().any(|f| !f.exact);
        let all = document.parameter_values(options)?;
        let own = |name: &str| all.iter().find(|p| p.0 == name).map_or(f64::NAN, |p| p.1);
        let own: Vec<f64> = goal.plan.variations.iter().map(|v| own(&v.name)).collect();
        let names = goal.plan.variations.iter().map(|v| v.name.clone());
        let mut parametric = Parametric::new(document.clone(), options, names);
        // A model that cannot stand as it is is read anew for each design.
        let _ = parametric.bind(&own);
        let filled: Arc<[bool]> = filled.into();
        let (settled, name, units) =
            (sweep::settled(&model, formulation), model.name.clone(), model.study.units.clone());
        let scales = goal.plan.variations.iter().map(|v| scale(&model, &v.name, &v.unit)).collect();
        let beside = match needs_run {
            true => sweep::side_by_side(model, formulation, method, (&filled, every)),
            false => None,
        };
        Ok(Optimisation {
            document,
            parametric,
            options: options.clone(),
            formulation: settled,
            method,
            name,
            scales,
            units,
            own,
            fits,
            minimise,
            limits,
            filled,
            every,
            needs_run,
            beside,
            level: Some(Level::detect()),
            goal,
        })
    }
}

/// How a parameter is shown.
fn scale(model: &Model, name: &str, unit: &str) -> Scale {
    let own = model.parameters.iter().position(|p| p.0 == name).and_then(|k| model.parameter_scales.get(k));
    own.filter(|scale| !scale.unit.is_empty()).cloned().unwrap_or_else(|| model.study.units.scale(unit))
}

/// Refuses times that no motion or run can have.
fn check_times(fit: &Fit, model: &Model, exact: bool) -> Result<()> {
    match &fit.target {
        Target::Timed(times, _) => {
            let slack = 1e-9 * (model.study.end - model.study.start);
            let outside = |t: &&f64| **t < model.study.start - slack || (!exact && **t > model.study.end + slack);
            match times.iter().find(outside) {
                Some(t) => {
                    let (start, end) = (model.study.start, model.study.end);
                    Err(Error::new(format!("a point is wanted at t = {t} s; the run goes from {start} to {end} s")))
                }
                None => Ok(()),
            }
        }
        Target::Untimed(_) if !exact => Err(Error::new("points without times need signals of driven positions")
            .note("give the time of each point: t = [0, 0.1, 0.2]")),
        Target::Untimed(_) if model.study.end <= model.study.start => {
            Err(Error::new("points without times need a run with a duration").note("write end in [run]"))
        }
        _ => Ok(()),
    }
}
