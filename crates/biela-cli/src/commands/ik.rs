//! `biela ik`: joint coordinates from a tool's path.

use super::Command;
use crate::options;
use crate::output::say;
use biela::drivers::Attitude;
use biela::error::{Error, Result};
use biela::expr::{Expression, Name, Scope};
use biela::model::Model;
use biela::motion::{Motion, Spline};
use biela::results::{self, Column, Results};
use biela::solve::ik::{self, Redundancy, Task};
use biela::solve::modes;
use biela::units::Kind;
use clap::{value_parser, Arg, ArgAction, ArgMatches};
use std::path::{Path, PathBuf};

const PLACES: [&str; 3] = ["x", "y", "z"];
const ANGLES: [&str; 3] = ["roll", "pitch", "yaw"];
const EULER: [&str; 4] = ["e0", "e1", "e2", "e3"];

pub const COMMAND: Command = Command {
    name: "ik",
    about: "Finds joint coordinates, rates and accelerations for a tool's path (inverse kinematics)",
    arguments: |command| {
        let mut command = options::run_arguments(options::model_arguments(command))
            .mut_arg("newton", |a| a.hide(true))
            .mut_arg("analysis", |a| a.hide(true))
            .arg(
                Arg::new("tool")
                    .long("tool")
                    .value_name("LINK.POINT")
                    .required(true)
                    .help("The point that is led; a link's name alone means its origin"),
            )
            .arg(
                Arg::new("path")
                    .long("path")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .conflicts_with_all(PLACES)
                    .conflicts_with_all(ANGLES)
                    .help("Table of poses: columns t, x, y, z and e0 … e3 or roll, pitch, yaw, those that matter"),
            );
        for (name, what) in PLACES.into_iter().chain(ANGLES).zip([
            "The point's x in ground axes, an expression of t",
            "Its y",
            "Its z",
            "The link's turn about the fixed axis x, an expression of t; with --pitch and --yaw",
            "Its turn about y",
            "Its turn about z",
        ]) {
            let argument = Arg::new(name).long(name).value_name("EXPRESSION").allow_hyphen_values(true).help(what);
            command = command.arg(argument);
        }
        command
            .arg(
                Arg::new("keep")
                    .long("keep")
                    .value_name("DRIVER")
                    .action(ArgAction::Append)
                    .help("A driver of the model that stays in force; may be repeated"),
            )
            .arg(
                Arg::new("redundancy")
                    .long("redundancy")
                    .value_name("RULE")
                    .value_parser(Redundancy::ALL.map(|r| r.0))
                    .default_value(Redundancy::ALL[0].0)
                    .help("What decides where the tool leaves freedoms (minimum-norm: the shortest joint rates; limits: towards the middle of the joint limits)"),
            )
            .arg(options::flag("all", "Every posture for each pose of the path, instead of one continuous motion"))
            .arg(options::flag("strict", "A pose out of reach is an error (status 1)"))
            .arg(
                Arg::new("output")
                    .short('o')
                    .long("output")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Where to write the table"),
            )
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let output = arguments.get_one::<PathBuf>("output");
    if let Some(path) = output {
        results::format_of(path)?;
    }
    let model = options::load(arguments)?;
    let name = arguments.get_one::<String>("tool").map_or("", String::as_str);
    let (body, p_b) = ik::tool(&model, name)?;
    let mut task = Task { body, p_B: p_b, place: [None, None, None], attitude: None, times: Vec::new() };
    match arguments.get_one::<PathBuf>("path") {
        Some(path) => read_path(path, &model, &mut task).map_err(|e| e.of(format!("'{}'", path.display())))?,
        None => read_expressions(arguments, &model, &mut task)?,
    }
    let keep: Vec<String> = arguments.get_many::<String>("keep").into_iter().flatten().cloned().collect();
    let rule = arguments.get_one::<String>("redundancy").map_or("", String::as_str);
    let rule = Redundancy::ALL.iter().find(|r| r.0 == rule).map_or(Redundancy::default(), |r| r.1);
    if arguments.get_flag("all") {
        return all(&model, &task, &keep, output);
    }
    let found = ik::run(&model, &task, &keep, rule)?;
    let far = |name: &str| found.get(name).map_or(0.0, |c| c.data.iter().fold(0.0f64, |m, x| m.max(*x)));
    let (distance, turn) = (far("distance"), far("turn"));
    let missed = |k: &usize| {
        let at = |name: &str| found.get(name).and_then(|c| c.data.get(*k)).copied().unwrap_or(0.0);
        at("distance") > UNREACHED || at("turn") > UNREACHED
    };
    let missed: Vec<usize> = (0..found.len()).filter(missed).collect();
    if let Some(first) = missed.first() {
        let text = format!(
            "{} of {} poses are out of reach, the first at t = {} s; the nearest pose stays {} m and {} rad away at most",
            missed.len(),
            found.len(),
            found.times().get(*first).copied().unwrap_or(0.0),
            results::significant(distance, 6),
            results::significant(turn, 6)
        );
        if arguments.get_flag("strict") {
            return Err(Error::new(text).of(format!("tool '{name}'")));
        }
        options::warn(&[text]);
    }
    for (key, text) in &found.notes {
        if key == "warning" {
            options::warn(std::slice::from_ref(text));
        }
        if key == "jumps" {
            options::warn(&[format!("samples where no continuous motion follows the path: {text}")]);
        }
    }
    say!("{}: {} poses of {name}, largest distance from the path {distance:.1e} m", model.name, found.len());
    show(&found, output)
}

/// Distance, in metres or radians, above which a pose counts as out of reach in messages.
const UNREACHED: f64 = 1e-8;

fn show(found: &Results, output: Option<&PathBuf>) -> Result<()> {
    match output {
        Some(path) => {
            results::write(path, found)?;
            say!("wrote {} ({} columns)", path.display(), found.columns.len());
        }
        None => crate::output::print(format_args!("\n{}", results::summary(found, 40))),
    }
    Ok(())
}

/// Every posture for each pose.
fn all(model: &Model, task: &Task, keep: &[String], output: Option<&PathBuf>) -> Result<()> {
    let swapped = ik::with_tool(model, task, keep)?;
    let mut columns: Vec<Column> = Vec::new();
    let mut proof = None;
    for (k, t) in task.times.iter().enumerate() {
        let found = modes::postures(model, &swapped, task, keep, *t)?;
        if k == 0 {
            say!("{}: {} at t = {t} s, {}", model.name, count(found.modes.len()), found.proof);
            if output.is_none() {
                crate::output::print(format_args!("\n{}", found.text()));
                break;
            }
            columns = vec![Column::new("t", "s", vec![]), Column::new("mode", "1", vec![])];
            columns.extend(found.names.iter().map(|(n, unit)| Column::new(n.as_str(), unit, vec![])));
        }
        for (number, mode) in found.modes.iter().enumerate() {
            let values = [*t, (number + 1) as f64].into_iter().chain(mode.coordinates.iter().copied());
            columns.iter_mut().zip(values).for_each(|(column, x)| column.data.push(x));
        }
        proof.get_or_insert(found.proof);
    }
    match output {
        Some(_) => {
            let notes = vec![("model".to_string(), model.name.clone()), ("modes".into(), proof.unwrap_or_default())];
            show(&Results { columns, notes }, output)
        }
        None => Ok(()),
    }
}

fn count(n: usize) -> String {
    if n == 1 {
        "1 posture".into()
    } else {
        format!("{n} postures")
    }
}

/// Time and the model's parameters.
struct Names<'m>(&'m Model);

impl Scope for Names<'_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        if name == "t" {
            return Some(Name::Variable(0));
        }
        let parameter = self.0.parameters.iter().find(|p| p.0 == name)?;
        Some(Name::Constant(parameter.1, Kind::Any))
    }

    fn names(&self) -> Vec<String> {
        std::iter::once("t".to_string()).chain(self.0.parameters.iter().map(|p| p.0.clone())).collect()
    }
}

fn read_expressions(arguments: &ArgMatches, model: &Model, task: &mut Task) -> Result<()> {
    let scope = Names(model);
    let motion = |name: &str| -> Result<Option<Motion>> {
        let Some(text) = arguments.get_one::<String>(name) else { return Ok(None) };
        let expression =
            Expression::parse(text, &scope).map_err(|e| Error::new(e.message).of(format!("--{name} '{text}'")))?;
        Ok(Some(match expression.as_constant() {
            Some(x) => Motion::Constant(x),
            None => Motion::Expression(expression),
        }))
    };
    for (place, name) in task.place.iter_mut().zip(PLACES) {
        *place = motion(name)?;
    }
    task.attitude = match [motion("roll")?, motion("pitch")?, motion("yaw")?] {
        [None, None, None] => None,
        angles => Some(Attitude::Rpy(Box::new(angles.map(|a| a.unwrap_or(Motion::Constant(0.0)))))),
    };
    if task.place.iter().all(Option::is_none) && task.attitude.is_none() {
        return Err(Error::new("no path for the tool").note("give --path FILE, or --x, --y, --z as expressions of t"));
    }
    let still = task.place.iter().flatten().all(|m| matches!(m, Motion::Constant(_)))
        && !matches!(&task.attitude, Some(Attitude::Rpy(a)) if a.iter().any(|m| !matches!(m, Motion::Constant(_))));
    let run = &model.run;
    let at = |k: usize| run.start + (run.end - run.start) * k as f64 / run.steps as f64;
    // A single pose needs no more than one sample.
    task.times = if still { vec![run.start] } else { (0..=run.steps).map(at).collect() };
    Ok(())
}

fn read_path(path: &Path, model: &Model, task: &mut Task) -> Result<()> {
    let table = results::read(path)?;
    if table.is_empty() {
        return Err(Error::new("no poses in it"));
    }
    let allowed: Vec<&str> = ["t"].into_iter().chain(PLACES).chain(EULER).chain(ANGLES).collect();
    let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
    for column in &table.columns {
        if !allowed.contains(&column.name.as_str()) {
            return Err(Error::new(format!("no column '{}' in a path", column.name)).suggest(&column.name, allowed));
        }
        let factor = factor(column.unit).ok_or_else(|| Error::new(format!("'{}' is no unit", column.unit)))?;
        columns.push((column.name.clone(), column.data.iter().map(|x| x * factor).collect()));
    }
    let take = |name: &str| columns.iter().find(|c| c.0 == name).map(|c| c.1.clone());
    let run = &model.run;
    let last = table.len().max(2) - 1;
    let even = |k: usize| run.start + (run.end - run.start) * k as f64 / last as f64;
    task.times = take("t").unwrap_or_else(|| (0..table.len()).map(even).collect());
    let curve = |data: Vec<f64>| -> Result<Motion> {
        match data[..] {
            [x] => Ok(Motion::Constant(x)),
            _ => Spline::new(&task.times, &data).map(Motion::Table),
        }
    };
    for (place, name) in task.place.iter_mut().zip(PLACES) {
        *place = take(name).map(curve).transpose()?;
    }
    let (angles, euler) = (ANGLES.map(take), EULER.map(take));
    task.attitude = match (angles, euler) {
        ([None, None, None], [None, None, None, None]) => None,
        ([Some(a), Some(b), Some(c)], [None, None, None, None]) => {
            Some(Attitude::Rpy(Box::new([curve(a)?, curve(b)?, curve(c)?])))
        }
        ([None, None, None], [Some(a), Some(b), Some(c), Some(d)]) => {
            let mut p = [a, b, c, d];
            for k in 1..table.len() {
                // p and −p are one attitude; the curve through them needs one sign.
                if (0..4).map(|i| p[i][k] * p[i][k - 1]).sum::<f64>() < 0.0 {
                    p.iter_mut().for_each(|p| p[k] = -p[k]);
                }
            }
            let [a, b, c, d] = p;
            Some(Attitude::Euler(Box::new([curve(a)?, curve(b)?, curve(c)?, curve(d)?])))
        }
        _ => {
            return Err(Error::new("an orientation is given by all of e0, e1, e2, e3 or by all of roll, pitch, yaw"));
        }
    };
    Ok(())
}

/// How many SI units one of this unit is.
fn factor(unit: &str) -> Option<f64> {
    match unit.trim() {
        "" | "1" | "-" => Some(1.0),
        unit => Expression::parse(&format!("1 {unit}"), &()).ok()?.as_constant(),
    }
}
