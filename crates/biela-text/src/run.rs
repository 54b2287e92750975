//! `[run]`: which analysis, over what time, in how many steps.

use super::joints::Joints;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::{Quantity, StudyPlan};
use biela_core::drivers::Driver;
use biela_core::model::{Analysis, Integration, Model, Reduction, Singular, Study, GROUND};
use biela_core::signal::{coordinate_elements, Element, Extent, Signal, Signals};
use biela_core::system::formulation_words;
use biela_core::tree::ALGORITHMS;

pub(super) const KEYS: &[&str] = &[
    "analysis",
    "start",
    "end",
    "steps",
    "tolerance",
    "method",
    "step",
    "reduction",
    "algorithm",
    "stop_at_limits",
    "formulation",
    "verify",
    "outputs",
    "signals",
    "moment_point",
    "singular",
    "singularity",
];
/// More samples than this fill a disk, not a question.
const MOST_STEPS: usize = 10_000_000;

/// Reads `[run]`; what the caller asks for goes before what it says.
pub(super) fn read(root: &Reader, drivers: &[Driver], joints: &Joints) -> Result<(StudyPlan, Study)> {
    let options = root.context.options;
    let (mut plan, mut run) = (StudyPlan::default(), Study::default());
    let reader = root.inner("run", "")?;
    match &reader {
        Some(reader) => plan = read_table(root, reader, drivers, joints, &mut run)?,
        None => {
            run.analysis = options.analysis.unwrap_or(run.analysis);
            run.start = options.start.unwrap_or(run.start);
            run.end = options.end.unwrap_or(run.end);
            run.steps = options.steps.unwrap_or(run.steps);
            run.singular = options.singular.unwrap_or(run.singular);
            run.singularity = options.singularity;
        }
    }
    let reader = reader.as_ref().unwrap_or(root);
    // One sample, at the start.
    let single = run.end == run.start;
    // What the command line says is not the file's fault.
    let blame = |key: &str, asked: bool, message: String| match asked {
        true => Error::new(message).of(format!("--{key}")),
        false => reader.wrong_value(key, message),
    };
    if !(run.end > run.start || single) || !run.end.is_finite() || !run.start.is_finite() {
        let message = format!("the run ends at {} s, not after its start at {} s", run.end, run.start);
        let message = match run.end.is_finite() && run.start.is_finite() {
            true => message,
            false => format!("times are finite numbers; from {} s to {} s is asked for", run.start, run.end),
        };
        let key = if options.end.is_none() && options.start.is_some() { "start" } else { "end" };
        return Err(blame(key, options.start.is_some() || options.end.is_some(), message));
    }
    if run.steps == 0 || run.steps > MOST_STEPS {
        let message = format!("the number of steps lies between 1 and {MOST_STEPS}; {} are asked for", run.steps);
        return Err(blame("steps", options.steps.is_some(), message));
    }
    Ok((plan, run))
}

fn read_table(
    root: &Reader,
    reader: &Reader,
    drivers: &[Driver],
    joints: &Joints,
    run: &mut Study,
) -> Result<StudyPlan> {
    let options = reader.context.options;
    reader.allow(KEYS)?;
    let words: Vec<&'static str> = Analysis::ALL.iter().map(|(word, _)| *word).collect();
    let asked = reader.choice("analysis", &words)?;
    let asked = Analysis::ALL.iter().find(|(word, _)| Some(*word) == asked).map(|(_, analysis)| *analysis);
    run.analysis = options.analysis.or(asked).unwrap_or(run.analysis);
    let mut plan = StudyPlan { place: reader.place(), ..StudyPlan::default() };
    // What the caller asks for stays, whatever parameters come to.
    plan.start = reader.quantity("start", Dimension::TIME)?.filter(|_| options.start.is_none());
    plan.end = reader.quantity("end", Dimension::TIME)?.filter(|_| options.end.is_none());
    let value = |quantity: &Option<Quantity>| {
        quantity.as_ref().map(|q| q.value(&reader.context.binding).map_err(|e| reader.blame(e))).transpose()
    };
    run.start = options.start.or(value(&plan.start)?).unwrap_or(run.start);
    run.end = match options.end.or(value(&plan.end)?) {
        Some(end) => end,
        // One position has no duration.
        None if matches!(run.analysis, Analysis::Statics | Analysis::Modes) => run.start,
        None => {
            plan.one_turn = true;
            StudyPlan::turned(drivers, &joints.list, run.start)
        }
    };
    let single = run.end == run.start;
    run.steps = match options.steps.or(reader.whole("steps", 1, MOST_STEPS)?) {
        Some(steps) => steps,
        None if single => 1,
        None => run.steps,
    };
    let words: Vec<&'static str> = Singular::ALL.iter().map(|(word, _)| *word).collect();
    let asked = reader.choice("singular", &words)?;
    let asked = Singular::ALL.iter().find(|(word, _)| Some(*word) == asked).map(|(_, policy)| *policy);
    run.singular = options.singular.or(asked).unwrap_or(run.singular);
    run.singularity = options.singularity || reader.bool("singularity")?.unwrap_or(false);
    run.verify = reader.bool("verify")?.unwrap_or(false);
    run.stop_at_limits = reader.bool("stop_at_limits")?.unwrap_or(false);
    let words: Vec<&'static str> = Integration::ALL.iter().map(|m| m.0).collect();
    let method = reader.choice("method", &words)?;
    run.method = Integration::ALL.iter().find(|m| Some(m.0) == method).map_or(run.method, |m| m.1);
    let words: Vec<&'static str> = Reduction::ALL.iter().map(|r| r.0).collect();
    let form = reader.choice("reduction", &words)?;
    run.reduction = Reduction::ALL.iter().find(|r| Some(r.0) == form).map_or(run.reduction, |r| r.1);
    let words: Vec<&'static str> = ALGORITHMS.iter().map(|a| a.keyword).collect();
    run.algorithm = reader.choice("algorithm", &words)?.map(str::to_string);
    let words: Vec<&'static str> = formulation_words().collect();
    run.formulation = reader.choice("formulation", &words)?.map(str::to_string);
    plan.tolerance = reader.quantity("tolerance", Dimension::NUMBER)?;
    plan.step = reader.quantity("step", Dimension::TIME)?;
    plan.moment_point = reader.vector("moment_point", Dimension::LENGTH)?;
    plan.set_step(&reader.context.binding, run)?;
    if let Some(method @ ("rk4" | "alpha")) = method.filter(|_| !reader.has("step")) {
        let what = format!("the method {method} takes steps of one size, such as step = 0.001");
        return Err(reader.missing("step", &what));
    }
    // Keys that say something about a method that is not chosen do nothing.
    let idle = match run.method {
        Integration::Rk45 => ("step", "it takes steps of its own, as 'tolerance' says"),
        _ => ("tolerance", "its steps are all of the size 'step'"),
    };
    // Many contacts are followed by steps of that length.
    if reader.has(idle.0) && !(idle.0 == "step" && root.has("contacts")) {
        let word = Integration::ALL.iter().find(|m| m.1 == run.method).map_or("", |m| m.0);
        let error =
            reader.wrong_value(idle.0, format!("'{}' has no effect with the method {word}: {}", idle.0, idle.1));
        reader.context.warn(&error);
    }
    run.outputs = read_names(reader, "outputs", "such as outputs = [\"D.angle\", \"coupler.P\"]")?;
    run.signals = read_names(reader, "signals", "such as signals = [\"O.angle\", \"piston.x\"]")?;
    Ok(plan)
}

/// Refuses outputs that are no signal, point or body, whichever analysis is asked for.
pub(super) fn check_outputs(root: &Reader, model: &Model) -> Result<()> {
    let outputs = &model.study.outputs;
    if outputs.is_empty() {
        return Ok(());
    }
    let points = model.bodies.iter().enumerate().skip(GROUND + 1).flat_map(|(k, body)| {
        let points = (0..body.points.len()).map(move |p| Element::Point(k, p));
        points.chain([Element::Body(k)])
    });
    let places: Vec<String> = points.map(|element| element.name(model)).collect();
    let extent = Extent { forces: true, balance: true, mode: true, singularity: true, lag: true };
    let signals = Signals::every(model, extent);
    let columns: Vec<String> = signals.all()[..signals.len()].iter().map(|s| s.name(model)).collect();
    let listed = root.inner("run", "")?.and_then(|reader| reader.get("outputs").cloned());
    let items = match listed.map(|node| node.value) {
        Some(Value::List(items)) => items,
        _ => Vec::new(),
    };
    for (k, name) in outputs.iter().enumerate() {
        if places.contains(name) || columns.contains(name) {
            continue;
        }
        let place = items.get(k).and_then(|node| node.span.as_ref());
        if Signal::parse(model, name).is_some() {
            return Err(Error::new(format!("'{name}' is told on request alone"))
                .of("[run] outputs")
                .at_opt(place)
                .note(format!(
                    "give it a name of its own in [signals], such as value = \"{name}\", and name that here"
                )));
        }
        let coordinates = coordinate_elements(model).map(|(j, c)| Element::Coordinate(j, c).name(model));
        let derived = model.study.derived.iter().map(|d| d.name.clone());
        let known: Vec<String> = coordinates.chain(derived).chain(places).chain(columns).collect();
        return Err(Error::new(format!("there is no signal, point or body '{name}'"))
            .of("[run] outputs")
            .at_opt(place)
            .suggest(name, known.iter().map(String::as_str)));
    }
    Ok(())
}

fn read_names(reader: &Reader, key: &str, form: &str) -> Result<Vec<String>> {
    let Some(node) = reader.get(key) else { return Ok(Vec::new()) };
    let Value::List(list) = &node.value else {
        let message = format!("'{key}' is a list of names, not {}", describe(node));
        return Err(reader.blame(wrong(node, message)).note(form));
    };
    let name = |item: &Node| match &item.value {
        Value::Text(text) => Ok(text.clone()),
        _ => {
            let message = format!("the name of a signal is expected here, not {}", describe(item));
            Err(reader.blame(wrong(item, message)).note(form))
        }
    };
    list.iter().map(name).collect()
}
