//! A text as the page shows it while it is written: picture, parameters, drivers, and what is wrong where.

use crate::fix::fix;
use crate::given::{Given, Last, Seen};
use crate::host::Host;
use biela::display_units::Scale;
use biela::drivers::Target;
use biela::error::{Error, Reason, Result};
use biela::linkage::plane;
use biela::model::{Analysis, Model, Study};
use biela::picture::{self, page, Animation};
use biela::results::Results;
use biela::signal::{Element, Signals};
use biela::signal_name;
use biela::solve::loose_coordinates::{loose, Coordinate};
use biela::solve::newton::METHODS;
use biela::solve::run::{counted_in, formulation_of, run_as_far, run_with_forces};
use biela::solve::{
    assembly_modes, check as checking, interference as clearance, loop_closure, manual_pose, vibration,
};
use biela::units::Kind;
use serde_json::{json, Value};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Seconds that a picture may take while somebody writes.
const PATIENCE: f64 = 1.5;
/// Intervals that such a picture has at most.
const MOST_STEPS: usize = 240;

/// An error for the page: in words, and where in the text named `name`.
pub(crate) fn diagnostic(error: &Error, name: &str, stage: &str) -> Value {
    let span = error.span().filter(|s| s.source.name == name);
    let place = span.map(|s| s.line_column());
    let width = span.map(|s| {
        s.source.text.get(s.range.clone()).map_or(1, |t| t.lines().next().unwrap_or("").chars().count().max(1))
    });
    json!({
        "stage": stage,
        "message": error.message(),
        "element": error.element(),
        "notes": error.notes(),
        "line": place.map(|p| p.0),
        "column": place.map(|p| p.1),
        "width": width,
        "fix": span.and_then(|s| fix(error, s)),
        "snippet": error.span().map(|s| s.snippet()),
    })
}

/// The answer as JSON; errors of the model are part of it. A newer look ends this one.
pub(crate) fn look(given: &Given, last: &Last, latest: &AtomicU64, host: &dyn Host) -> String {
    let own = latest.fetch_add(1, Ordering::SeqCst) + 1;
    let Seen { model, warnings, kinds } = match given.drawn(last) {
        Ok(seen) => seen,
        Err(error) => return json!({ "error": diagnostic(&error, &given.name, "text") }).to_string(),
    };
    // Values are SI; the page shows them in the unit that they were written in, which is so many to one of SI.
    let plain = Scale::unchanged("");
    let parameters: Vec<Value> = (model.parameters.iter().enumerate())
        .map(|(k, (name, value))| {
            let kind = kinds.iter().find(|k| k.0 == *name).map(|k| k.1);
            let unit = if let Some(Kind::Known(dimension)) = kind { dimension.unit() } else { String::new() };
            let shown = model.parameter_scales.get(k).unwrap_or(&plain);
            json!({"name": name, "value": value, "unit": unit, "shown": shown.unit, "ratio": shown.ratio()})
        })
        .collect();
    let until = host.seconds() + PATIENCE;
    let in_time = || host.seconds() < until && latest.load(Ordering::SeqCst) == own;
    let (seen, error) = motion(given, &model, in_time);
    let mut answer = json!({
        "warnings": warnings,
        "parameters": parameters,
        "drivers": drivers(&model),
        "joints": joints(&model, &seen),
        "run": {
            "analysis": Analysis::ALL.iter().find(|a| a.1 == model.study.analysis).map(|a| a.0),
            "start": model.study.start, "end": model.study.end, "steps": model.study.steps,
        },
    });
    if let Some((error, stage)) = error {
        answer["error"] = diagnostic(&error, &given.name, stage);
        if stage == "assembly" {
            let names = |bodies: &[usize]| {
                bodies.iter().filter(|k| **k > 0).map(|k| model.bodies[*k].name.clone()).collect::<Vec<_>>()
            };
            let fault = loop_closure::faults(&model, model.study.start).into_iter().next();
            answer["guilty"] = match fault {
                // The ground is as it is: then the others are too short.
                Some(f) if names(&f.long).is_empty() => json!({"bodies": names(&f.short), "why": f.words}),
                Some(f) => json!({"bodies": names(&f.long), "why": f.words}),
                None => json!({"bodies": [], "why": error.message()}),
            };
        }
    }
    let text = answer.to_string();
    match picture_data(&model, &seen) {
        Ok(data) => format!("{},\"picture\":{data}}}", &text[..text.len() - 1]),
        Err(_) => text,
    }
}

/// Scene and motion as the viewer reads them.
pub(crate) fn picture_data(model: &Model, results: &Results) -> Result<String> {
    let motion = Animation::new(model, results)?;
    let scene = picture::scene(model, &motion)?;
    Ok(page::data(&scene, &motion))
}

/// The motion, or one position where it cannot be had, or else the drawing; with what went wrong at which stage.
fn motion(given: &Given, model: &Model, in_time: impl Fn() -> bool) -> (Results, Option<(Error, &'static str)>) {
    if let Some(results) = given.brief.as_ref().and_then(|names| briefly(given, model, names)) {
        return (results, None);
    }
    let every = plane(model).is_some();
    let quick = model.with_study(Study { steps: model.study.steps.min(MOST_STEPS), every, ..model.study.clone() });
    let formulation = given.formulation.clone().unwrap_or_else(|| formulation_of(model).to_string());
    let mut late = false;
    let run = match quick.study.analysis {
        // Modes and matrices have no motion; their position is shown.
        Analysis::Modes | Analysis::StateSpace => Err(None),
        _ => run_with_forces(quick, &formulation, METHODS[0], |_, _| {
            late = !in_time();
            !late
        })
        .map_err(Some),
    };
    let under_driven = |e: &Option<Error>| e.as_ref().is_some_and(|e| e.reason() == Some(Reason::UnderDriven));
    let error = match run {
        // What was reached of a motion is shown, with what ended it.
        Ok((_, outcome)) => return (outcome.results, outcome.ended.map(|e| (e, "run"))),
        Err(error) => error,
    };
    // Freedoms without a driver are no fault: sliders move them.
    let error = if under_driven(&error) { None } else { error };
    let t = model.study.start;
    match manual_pose::assembled(model, t) {
        Ok(found) => {
            let said = error.map(|e| match late {
                true => (Error::new("the motion takes longer than a moment").note("Run shows it whole"), "late"),
                false => (e, "run"),
            });
            (manual_pose::results(model, &found.poses, t), said)
        }
        Err(error) => (manual_pose::results(model, model.guess().poses(), t), Some((error, "assembly"))),
    }
}

/// The whole motion with no more than poses and the signals of these names, as a hand that moves something looks at it; forces are computed
/// where one of them is among these. Nothing where it cannot be had whole: then the long way tells why.
fn briefly(given: &Given, model: &Model, names: &[String]) -> Option<Results> {
    let formulation = given.formulation.clone().unwrap_or_else(|| formulation_of(model).to_string());
    let weighty = model.gravity.is_some() && model.bodies[1..].iter().all(|b| b.mass.is_some());
    let analyses: &[Analysis] = match model.study.analysis {
        Analysis::Kinematics if weighty => &[Analysis::Kinematics, Analysis::InverseDynamics],
        Analysis::Kinematics => &[Analysis::Kinematics],
        _ => return None,
    };
    let poses: HashSet<String> = (1..model.bodies.len())
        .flat_map(|k| Element::Body(k).signals(model).take(7).map(|s| s.name(model)).collect::<Vec<_>>())
        .collect();
    for analysis in analyses {
        let mut own = model.with_study(Study { analysis: *analysis, silent: true, ..model.study.clone() });
        let told = Signals::of(&own).names(&own);
        if !names.iter().all(|name| told.contains(name)) {
            continue;
        }
        let filled = told.iter().map(|name| name == signal_name::TIME || poses.contains(name) || names.contains(name));
        own.study.filled = Some(filled.collect());
        let found = run_as_far(&own, &formulation, METHODS[0], |_, _| true).ok()?;
        return found.ended.is_none().then_some(found.results);
    }
    None
}

/// Drivers with one value, for sliders: what they drive and the range they pass through.
fn drivers(model: &Model) -> Vec<Value> {
    let (start, end) = (model.study.start, model.study.end);
    (model.drivers.iter())
        .filter_map(|driver| {
            let (value, coordinate, angle) = match &driver.target {
                Target::Coordinate { of, value } => {
                    let joint = &model.joints[of.joint];
                    let own = joint.kind.coordinates().get(of.coordinate)?;
                    (value, Some(Element::Coordinate(of.joint, of.coordinate).name(model)), own.angle)
                }
                Target::Rotor { value, .. } => (value, None, true),
                Target::Point { value, .. } => (value, None, false),
                Target::Measure { value, length, .. } => (value, None, !length),
                Target::Orientation { .. } => return None,
            };
            let values = (0..=100).map(|k| value.jet(start + (end - start) * f64::from(k) / 100.0).v);
            let (low, high) =
                values.filter(|x| x.is_finite()).fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            (low <= high).then(|| {
                let shown = model.study.units.scale(if angle { "rad" } else { "m" });
                json!({
                    "name": driver.name, "coordinate": coordinate, "angle": angle, "low": low, "high": high,
                    "value": value.jet(start).v, "shown": shown.unit, "ratio": shown.ratio(),
                })
            })
        })
        .collect()
}

/// Joint coordinates that move what drivers leave free, for sliders; none where there is a motion.
fn joints(model: &Model, seen: &Results) -> Vec<Value> {
    if seen.len() != 1 {
        return Vec::new();
    }
    let poses = Animation::new(model, seen).map(|motion| motion.frame(0));
    let found = poses.and_then(|poses| loose(model, &poses, model.study.start)).ok().flatten();
    let half = 0.5 * found.as_ref().map_or(1.0, |f| f.size);
    let wide = |c: &Coordinate| if c.angle { std::f64::consts::PI } else { half };
    (found.iter().flat_map(|f| &f.coordinates).filter(|c| c.independent))
        .map(|c| {
            let scale = model.study.units.scale(if c.angle { "rad" } else { "m" });
            let [low, high] = [c.limits[0].unwrap_or(c.value - wide(c)), c.limits[1].unwrap_or(c.value + wide(c))];
            json!({
                "name": c.name, "coordinate": c.name, "angle": c.angle, "low": low, "high": high,
                "value": c.value, "shown": scale.unit, "ratio": scale.ratio(), "hold": true,
            })
        })
        .collect()
}

/// The configurations that it can take where the motion begins.
pub(crate) fn modes(given: &Given) -> Result<Value> {
    let (model, _) = given.model()?;
    Ok(assembly_modes::all(&model, model.study.start)?.json())
}

/// One of its natural modes, in motion.
pub(crate) fn swing(given: &Given, asked: &Value) -> Result<String> {
    let (model, _) = given.model()?;
    let formulation = given.formulation.clone().unwrap_or_else(|| formulation_of(&model).to_string());
    let number = asked["mode"].as_u64().unwrap_or(1).saturating_sub(1) as usize;
    let data = picture_data(&model, &vibration::swing(&model, &formulation, number)?)?;
    Ok(format!("{{\"picture\":{data}}}"))
}

/// How near bodies come to each other over the motion.
pub(crate) fn interference(given: &Given) -> Result<Value> {
    let (model, _) = given.model()?;
    let formulation = given.formulation.clone().unwrap_or_else(|| formulation_of(&model).to_string());
    let found = clearance::interference(&model, &formulation, METHODS[0])?;
    let mut answer = found.json();
    answer["ended"] = found.ended.as_ref().map(Error::message).into();
    answer["doubt"] = found.doubt.into();
    Ok(answer)
}

/// What the mechanism is.
pub(crate) fn check(given: &Given) -> Result<Value> {
    let (model, _) = given.model()?;
    let report = checking::check(&model, counted_in(&model, given.formulation.as_deref()))?;
    let mut answer = report.json();
    answer["rows"] = report.rows.iter().map(|(name, kind, rows)| json!([name, kind, rows])).collect();
    answer["text"] = report.text().into();
    Ok(answer)
}
