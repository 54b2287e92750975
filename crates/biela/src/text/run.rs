//! `[run]`: which analysis, over what time, in how many steps.

use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{describe, wrong};
use crate::error::{Error, Result};
use crate::model::{Analysis, Integration, Reduction, Run, Singular};
use crate::system::formulations;
use crate::tree::ALGORITHMS;
use crate::units::Dimension;

const KEYS: &[&str] = &[
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
    "singular",
    "singularity",
];
/// More samples than this fill a disk, not a question.
const MOST_STEPS: usize = 10_000_000;

/// Reads `[run]`; what the caller asks for goes before what it says.
pub(super) fn read(root: &Reader) -> Result<Run> {
    let options = root.context.options;
    let mut run = Run::default();
    let reader = root.inner("run", "")?;
    match &reader {
        Some(reader) => read_table(reader, &mut run)?,
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
    Ok(run)
}

fn read_table(reader: &Reader, run: &mut Run) -> Result<()> {
    let options = reader.context.options;
    reader.allow(KEYS)?;
    let words: Vec<&'static str> = Analysis::ALL.iter().map(|(word, _)| *word).collect();
    let asked = reader.choice("analysis", &words)?;
    let asked = Analysis::ALL.iter().find(|(word, _)| Some(*word) == asked).map(|(_, analysis)| *analysis);
    run.analysis = options.analysis.or(asked).unwrap_or(run.analysis);
    run.start = options.start.or(reader.number("start", Dimension::TIME)?).unwrap_or(run.start);
    run.end = match options.end.or(reader.number("end", Dimension::TIME)?) {
        Some(end) => end,
        // One position has no duration.
        None if matches!(run.analysis, Analysis::Statics | Analysis::Modes) => run.start,
        None => return Err(reader.missing("end", "the time of the last sample, such as end = 1.0")),
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
    let words: Vec<&'static str> = formulations().map(|f| f.keyword).collect();
    run.formulation = reader.choice("formulation", &words)?.map(str::to_string);
    if reader.has("tolerance") {
        run.tolerance = reader.positive("tolerance", Dimension::NUMBER, "")?;
    }
    if reader.has("step") {
        run.step = Some(reader.positive("step", Dimension::TIME, "")?);
    }
    if let Some(method @ ("rk4" | "alpha")) = method.filter(|_| !reader.has("step")) {
        let what = format!("the method {method} takes steps of one size, such as step = 0.001");
        return Err(reader.missing("step", &what));
    }
    run.outputs = read_names(reader, "outputs", "such as outputs = [\"D.angle\", \"coupler.P\"]")?;
    run.signals = read_names(reader, "signals", "such as signals = [\"O.angle\", \"piston.x\"]")?;
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
