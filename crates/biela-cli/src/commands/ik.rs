//! `biela ik`: joint coordinates from a tool's path.

use super::Command;
use crate::options;
use crate::output::say;
use biela::display_units::DisplayUnits;
use biela::error::{counted, Error, Result};
use biela::model::Model;
use biela::results::{self, Column, Results};
use biela::solve::assembly_modes;
use biela::solve::assembly_modes::branches::{Branches, Meeting};
use biela::solve::ik::task::{ANGLES, PLACES};
use biela::solve::ik::{self, Redundancy, Task};
use clap::{value_parser, Arg, ArgAction, ArgMatches};
use std::path::PathBuf;

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
            .arg(options::flag("within-limits", "Postures beyond joint limits do not count: with --all they are left out, and a first pose reachable only by them is an error (status 1)"))
            .mut_arg("strict", |shared| shared.help("A pose out of reach is an error (status 1), and so is a first pose reachable only beyond joint limits; so is what is doubtful in files of other programs"))
            .arg(
                options::output("Where to write the table"),
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
    let model = assembly_modes::chosen(&model)?.unwrap_or(model);
    let name = arguments.get_one::<String>("tool").map_or("", String::as_str);
    let task = match arguments.get_one::<PathBuf>("path") {
        Some(path) => {
            // A tool that is not there is told of before the file.
            ik::tool(&model, name)?;
            let led = results::read(path).and_then(|table| Task::by_table(&model, name, &table));
            led.map_err(|e| e.of(format!("'{}'", path.display())))?
        }
        None => {
            let [x, y, z] = PLACES.map(|n| arguments.get_one::<String>(n).map(String::as_str));
            let [a, b, c] = ANGLES.map(|n| arguments.get_one::<String>(n).map(String::as_str));
            Task::by_expressions(&model, name, [x, y, z, a, b, c], "--")?
        }
    };
    let keep: Vec<String> = arguments.get_many::<String>("keep").into_iter().flatten().cloned().collect();
    let rule = arguments.get_one::<String>("redundancy").map_or("", String::as_str);
    let rule = Redundancy::ALL.iter().find(|r| r.0 == rule).map_or(Redundancy::default(), |r| r.1);
    if arguments.get_flag("all") {
        return all(&model, &task, &keep, arguments);
    }
    let found = ik::run(&model, &task, &keep, rule)?;
    let far = |name: &str| found.get(name).map_or(0.0, |c| c.data.iter().fold(0.0f64, |m, x| m.max(*x)));
    let (distance, turn) = (far("distance"), far("turn"));
    let shown = |x: f64, unit: &str, digits: usize| {
        let scale = model.study.units.scale(unit);
        format!("{} {}", results::significant(scale.shown(x), digits), scale.unit)
    };
    let missed = |k: &usize| {
        let at = |name: &str| found.get(name).and_then(|c| c.data.get(*k)).copied().unwrap_or(0.0);
        at("distance") > UNREACHED || at("turn") > UNREACHED
    };
    let missed: Vec<usize> = (0..found.len()).filter(missed).collect();
    if let Some(first) = missed.first() {
        let mut text = format!(
            "{} of {} poses are out of reach, the first at t = {}; the nearest pose stays {} and {} away at most",
            missed.len(),
            found.len(),
            shown(found.times().get(*first).copied().unwrap_or(0.0), "s", 17),
            shown(distance, "m", 6),
            shown(turn, "rad", 6)
        );
        if let Some(why) = found.notes_of("out of reach").next() {
            text += &format!(" ({why})");
        }
        if arguments.get_flag("strict") {
            return Err(Error::new(text).of(format!("tool '{name}'")));
        }
        options::warn(&[text]);
    }
    if let Some(outside) = found.notes_of("outside limits").next() {
        let text = format!("the first pose is reachable only outside the joint limits: {outside}");
        if arguments.get_flag("strict") || arguments.get_flag("within-limits") {
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
    let length = model.study.units.scale("m");
    let largest = format!("{:.1e} {}", length.shown(distance), length.unit);
    say!("{}: {} poses of {name}, largest distance from the path {largest}", model.name, found.len());
    show(&model, &found, arguments)
}

/// Distance, in metres or radians, above which a pose counts as out of reach in messages.
const UNREACHED: f64 = 1e-8;

fn show(model: &Model, found: &Results, arguments: &ArgMatches) -> Result<()> {
    match arguments.get_one::<PathBuf>("output") {
        Some(path) => {
            options::write(arguments, path, found)?;
            say!("wrote {} ({} columns)", path.display(), found.columns.len());
        }
        None => {
            let shown = found.clone().in_units(&model.study.units);
            crate::output::print(format_args!("\n{}", results::summary(&shown, 40)))
        }
    }
    Ok(())
}

/// Joint coordinates in words.
fn posture(names: &[(String, &'static str)], values: &[f64], units: &DisplayUnits) -> String {
    let word = |((name, unit), x): (&(String, &str), &f64)| {
        let scale = units.scale(unit);
        format!("{name} = {} {}", results::significant(scale.shown(*x), 9), scale.unit)
    };
    names.iter().zip(values).map(word).collect::<Vec<_>>().join(", ")
}

/// Where branches meet, in words.
fn meeting(meeting: &Meeting, at: &dyn Fn(f64) -> String) -> String {
    let rounded = results::significant(meeting.t, 6).parse().unwrap_or(meeting.t);
    match (&meeting.branches[..], meeting.begin) {
        ([a, b], false) => format!("branches {a} and {b} meet at t = {} and end", at(rounded)),
        ([a, b], true) => format!("branches {a} and {b} begin at t = {}, where they meet", at(rounded)),
        ([a], false) => format!("branch {a} is lost at t = {}", at(rounded)),
        ([a], true) => format!("branch {a} is found at t = {}", at(rounded)),
        _ => String::new(),
    }
}

/// Every posture for each pose.
fn all(model: &Model, task: &Task, keep: &[String], arguments: &ArgMatches) -> Result<()> {
    let (within, output) = (arguments.get_flag("within-limits"), arguments.get_one::<PathBuf>("output"));
    let (units, time) = (&model.study.units, model.study.units.scale("s"));
    let at = |t: f64| format!("{} {}", time.shown(t), time.unit);
    let swapped = ik::with_tool(model, task, keep)?;
    let mut columns: Vec<Column> = Vec::new();
    let mut proof = None;
    let mut followed = Branches::default();
    for (k, t) in task.times.iter().enumerate() {
        let mut found = assembly_modes::postures(model, &swapped, task, keep, *t)?;
        let mut branches = match output {
            Some(_) => {
                let mut between = |t: f64| assembly_modes::postures(model, &swapped, task, keep, t);
                followed.follow(*t, &found, &mut between)?
            }
            None => Vec::new(),
        };
        if within {
            let mut inside = found.modes.iter().map(|m| !m.is_outside());
            branches.retain(|_| inside.next().unwrap_or(true));
            let first = found.modes.first().filter(|m| m.is_outside()).cloned();
            found.modes.retain(|m| !m.is_outside());
            if let Some(first) = first {
                return Err(Error::new(format!(
                    "the pose at t = {} is reachable only outside the joint limits",
                    at(*t)
                ))
                .note(format!("the nearest posture is {}", posture(&found.names, &first.coordinates, units)))
                .note(first.identity));
            }
        }
        if k == 0 {
            say!("{}: {} at t = {}, {}", model.name, counted(found.modes.len(), "posture"), at(*t), found.proof);
            if output.is_none() {
                crate::output::print(format_args!("\n{}", found.text(units)));
                break;
            }
            columns = ["mode", "branch"].map(|name| Column::new(name, "1", vec![])).to_vec();
            columns.insert(0, Column::new("t", "s", vec![]));
            columns.extend(found.names.iter().map(|(n, unit)| Column::new(n.as_str(), unit, vec![])));
            let rows = task.times.len().saturating_mul(found.modes.len().max(1));
            results::check_room(columns.len(), rows, model.study.room)?;
        }
        for (number, mode) in found.modes.iter().enumerate() {
            let branch = branches.get(number).copied().unwrap_or(0);
            let values = [*t, (number + 1) as f64, branch as f64].into_iter().chain(mode.coordinates.iter().copied());
            columns.iter_mut().zip(values).for_each(|(column, x)| column.data.push(x));
        }
        proof.get_or_insert(found.proof);
    }
    match output {
        Some(_) => {
            let meetings: Vec<String> = followed.meetings.iter().map(|m| meeting(m, &at)).collect();
            meetings.iter().for_each(|line| say!("{line}"));
            let mut notes =
                vec![("model".to_string(), model.name.clone()), ("modes".into(), proof.unwrap_or_default())];
            notes.extend(meetings.into_iter().map(|line| ("branches".to_string(), line)));
            show(model, &Results { columns, notes, ended: None }, arguments)
        }
        None => Ok(()),
    }
}
