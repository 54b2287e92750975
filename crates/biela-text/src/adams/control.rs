//! The command file beside a deck (`.acf`): what is to be simulated. Its first line names the deck; then each line is a command.

use super::function::whole;
use super::units::Units;
use crate::files::read_foreign_text;
use crate::foreign::Told;
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Commands that say nothing of the motion.
const ASIDE: &[&str] = &[
    "FILE",
    "OUTPUT",
    "INTEGRATOR",
    "DEBUG",
    "STOP",
    "PREFERENCES",
    "SAVE",
    "RESULTS",
    "EQUILIBRIUM",
    "KINEMATICS",
    "IC",
    "LSOLVER",
    "TIME",
    "SHOW",
    "INFO",
    "HELP",
    "EXIT",
    "LIST",
    "MENU",
    "END",
];
/// Analyses: their word, and what they are called here. A motion that is prescribed altogether is the same under forces.
const ANALYSES: &[(&str, &str)] =
    &[("DYNAMICS", "dynamics"), ("TRANSIENT", "dynamics"), ("KINEMATICS", "inverse-dynamics"), ("STATICS", "statics")];
const VALUES: &[&str] = &["END", "DURATION", "STEPS", "DTOUT"];
/// Samples of a run at most.
const MOST_STEPS: f64 = 1e7;

/// The command file of a deck's name in its folder.
pub(super) fn beside(source: &Arc<Source>, folder: &Path) -> Option<PathBuf> {
    let stem = Path::new(&source.name).file_stem()?;
    let named = |ending: &str| {
        let mut name = stem.to_os_string();
        name.push(ending);
        folder.join(name)
    };
    [".acf", ".ACF"].into_iter().map(named).find(|path| path.is_file())
}

pub(super) fn load(path: &Path) -> Result<Arc<Source>> {
    read_foreign_text(path, &path.display().to_string()).map(|(source, _)| source)
}

/// What is to be run; none where the file asks for no simulation.
pub(super) fn read(source: &Arc<Source>, units: &Units, told: &mut Told) -> Result<Option<Table>> {
    let mut found = None;
    for (at, text) in commands(&source.text) {
        let span = Span::new(source, at..at + 1);
        let Some((word, rest)) = text.split_once('/').map(|(word, rest)| (word.trim().to_ascii_uppercase(), rest))
        else {
            continue; // The name of the deck, or a command without arguments, such as STOP.
        };
        let begins = |whole: &str, shortest: usize| word.len() >= shortest && whole.starts_with(&word);
        if !begins("SIMULATE", 3) {
            if !ASIDE.iter().any(|w| begins(w, 2)) {
                told.doubt(Error::new(format!("the command {word}")).at(&span), "not done")?;
            }
            continue;
        }
        let Some(asked) = simulation(rest, units, told, &span)? else { continue };
        match &found {
            None => {
                told.unused(&span, "analysis, end and steps of a run are those of this command file");
                found = Some(asked);
            }
            // A motion may begin from the rest that a first simulation finds.
            Some(first) if is(first, "statics") && !is(&asked, "statics") => {
                let error = Error::new("a simulation that begins at equilibrium").at(&span);
                told.doubt(error, "it begins as it is drawn")?;
                found = Some(asked);
            }
            Some(_) => told.doubt(Error::new("a further SIMULATE").at(&span), "not run")?,
        }
    }
    Ok(found)
}

fn is(table: &Table, analysis: &str) -> bool {
    matches!(table.get("analysis").map(|n| &n.value), Some(crate::tree::Value::Text(word)) if word == analysis)
}

/// Commands with the place where each begins; lines that begin with a comma, or follow `&`, continue one.
fn commands(text: &str) -> Vec<(usize, String)> {
    let (mut all, mut start, mut more): (Vec<(usize, String)>, usize, bool) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let at = start + line.len() - line.trim_start().len();
        start += line.len();
        let line = line.split('!').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let (goes_on, line) = line.strip_suffix('&').map_or((false, line), |line| (true, line));
        match all.last_mut() {
            Some((_, last)) if more || line.starts_with(',') => last.push_str(line),
            _ => all.push((at.min(text.len() - 1), line.to_string())),
        }
        more = goes_on;
    }
    all
}

/// What a SIMULATE asks for, as `[run]`.
fn simulation(rest: &str, units: &Units, told: &mut Told, span: &Span) -> Result<Option<Table>> {
    let (mut analysis, mut values) = (None, [None; 4]);
    for piece in rest.split(',').map(|p| p.trim().to_ascii_uppercase()).filter(|p| !p.is_empty()) {
        let (key, value) = piece.split_once('=').map_or((piece.as_str(), None), |(k, v)| (k.trim(), Some(v.trim())));
        let value = match (value, VALUES.iter().position(|w| key.len() > 1 && w.starts_with(key))) {
            (Some(value), Some(k)) => {
                let number = whole(value).filter(|x| *x > 0.0);
                values[k] = Some(number.ok_or_else(|| Error::new(format!("'{value}' is no time or count")).at(span))?);
                continue;
            }
            (value, _) => value,
        };
        match ANALYSES.iter().find(|(word, _)| value.is_none() && key.len() > 2 && word.starts_with(key)) {
            Some((_, here)) => analysis = Some(*here),
            None if "INITIAL_CONDITIONS".starts_with(key) => return Ok(None),
            None => told.doubt(Error::new(format!("{key} of SIMULATE")).at(span), "not read")?,
        }
    }
    let Some(analysis) = analysis else { return Ok(None) };
    let mut run = Table::default();
    run.set("analysis", analysis);
    let [end, duration, steps, apart] = values;
    if let Some(end) = end.or(duration) {
        run.set("end", Node::from(end * units.time).at(span));
        // So many samples that none is farther from the next than the deck says.
        if let Some(steps) = steps.or(apart.map(|apart| (end / apart).round())) {
            run.set(
                "steps",
                Node::from(crate::tree::Value::Integer(steps.round().clamp(1.0, MOST_STEPS) as i64)).at(span),
            );
        }
    }
    Ok(Some(run))
}
