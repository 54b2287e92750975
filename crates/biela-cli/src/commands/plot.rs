//! `biela plot`: draws signals of a result file, or of a model solved on the spot.

use super::Command;
use crate::options;
use crate::output::say;
use crate::progress::Progress;
use biela::display_units::DisplayUnits;
use biela::error::{Error, Result};
use biela::model::Model;
use biela::plan::drawn::{self, Parameters};
use biela::results::{self, plot, Results};
use biela::solve::headline::first_drawn;
use biela::solve::outcome::Outcome;
use biela::text::Document;
use clap::{Arg, ArgMatches};
use std::path::{Path, PathBuf};

pub const COMMAND: Command = Command {
    name: "plot",
    about: "Draws signals against time or against each other",
    arguments: |command| {
        options::formulation_argument(options::run_arguments(options::model_arguments(command)))
            .mut_arg("file", |file| {
                file.num_args(1..).help("Result file (csv, json, npz) or model; several are drawn over each other")
            })
            .arg(
                Arg::new("x")
                    .long("x")
                    .value_name("SIGNAL")
                    .action(clap::ArgAction::Append)
                    .help("Signal or expression along the x axis; t if not given. Repeated, each goes with the --y of its place"),
            )
            .arg(
                Arg::new("y")
                    .long("y")
                    .value_name("A,B,…")
                    .action(clap::ArgAction::Append)
                    .help("Signals or expressions to draw; one panel for each unit. Patterns such as 'crank.*' work; may be repeated. Of a model, if not given: its outputs, then driver, then what moves most"),
            )
            .arg(
                Arg::new("phase")
                    .long("phase")
                    .value_name("A,B,…")
                    .conflicts_with_all(["x", "y"])
                    .help("Phase portraits: these coordinates, each with its rate over it"),
            )
            .arg(
                Arg::new("compare")
                    .long("compare")
                    .value_name("NAME=VALUE")
                    .value_parser(options::pair)
                    .action(clap::ArgAction::Append)
                    .help("Draws the model with this parameter over the model as it is; may be repeated"),
            )
            .arg(
                options::output("Picture to write, .svg or .png; may be repeated. plot.svg if not given")
                    .action(clap::ArgAction::Append),
            )
            .arg(Arg::new("title").long("title").value_name("TEXT").help("Title above the picture"))
            .arg(options::flag("degrees", "Angles and their rates in degrees"))
            .arg(options::flag("term", "Sketches on the terminal instead"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let outputs: Vec<PathBuf> = match arguments.get_many::<PathBuf>("output") {
        Some(paths) => paths.cloned().collect(),
        None => vec!["plot.svg".into()],
    };
    outputs.iter().try_for_each(|path| options::check_folder(path))?;
    outputs.iter().for_each(|path| options::claim(path));
    let mut pairs = pairs(arguments)?;
    let units = units(arguments)?;
    let (found, ended) = load(arguments, &mut pairs)?;
    let mut found: Runs = found.into_iter().map(|(name, run)| (name, run.in_units(&units))).collect();
    if arguments.get_flag("degrees") {
        found.iter_mut().for_each(|(_, results)| plot::in_degrees(results));
    }
    let runs: Vec<(&str, &Results)> = found.iter().map(|(name, results)| (name.as_str(), results)).collect();
    let mut figure = match arguments.get_one::<String>("phase") {
        Some(names) => plot::phase_portraits(&runs, &options::list(names))?,
        None => {
            let ys: Vec<Vec<&str>> = pairs.iter().map(|(_, ys)| ys.iter().map(String::as_str).collect()).collect();
            let pairs: Vec<(&str, &[&str])> = pairs.iter().zip(&ys).map(|(p, ys)| (p.0.as_str(), &ys[..])).collect();
            plot::figure_of_pairs(&runs, &pairs)?
        }
    };
    if let Some(title) = arguments.get_one::<String>("title") {
        figure.title = Some(title.clone());
    }
    if arguments.get_flag("term") {
        crate::output::data(format_args!("{}", plot::sketch(&figure, 100, 24)));
        return ended.map_or(Ok(()), Err);
    }
    for path in outputs {
        plot::write(&path, &figure)?;
        say!("wrote {}", path.display());
    }
    ended.map_or(Ok(()), Err)
}

/// Units of the axes: those that `--units` names, or else the first model. What is drawn over each other has the same.
fn units(arguments: &ArgMatches) -> Result<DisplayUnits> {
    if let Some(units) = options::units(arguments)? {
        return Ok(units);
    }
    let model = arguments.get_many::<PathBuf>("file").into_iter().flatten().find(|path| !is_table(path));
    let reading = options::reading(arguments)?;
    model.map_or(Ok(DisplayUnits::default()), |path| Document::read(path, &reading)?.units(&reading))
}

/// Whether a file is one of results.
fn is_table(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    results::formats().iter().any(|f| f.extension == ending)
}

/// An abscissa, and what is drawn over it.
type Pair = (String, Vec<String>);

/// What is drawn over what: each `--x` with the `--y` of its place, or one for all.
fn pairs(arguments: &ArgMatches) -> Result<Vec<Pair>> {
    let given = |name: &str| arguments.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<String>>();
    let (xs, ys) = (given("x"), given("y"));
    let lists = ys.iter().map(|y| drawn::split(y));
    match xs.len() {
        0 | 1 => {
            let x = xs.first().map_or("t", |x| x.trim()).to_string();
            Ok(vec![(x, lists.flatten().collect())])
        }
        n if n == ys.len() => Ok(xs.iter().map(|x| x.trim().to_string()).zip(lists).collect()),
        n => Err(Error::new(format!("{n} times --x and {} times --y", ys.len()))
            .note("give one --x for all, or one for each --y: --x a.x --y a.y --x b.x --y b.y")),
    }
}

/// All that is drawn.
fn texts(pairs: &[Pair]) -> Vec<&str> {
    pairs.iter().flat_map(|(x, ys)| std::iter::once(x).chain(ys)).map(String::as_str).collect()
}

/// Runs to draw, each with its name.
type Runs = Vec<(String, Results)>;

/// All runs to draw: result files, models solved on the spot, and models with other parameters. With what ended the first of those that
/// end before their time.
///
/// Where nobody says what to draw, `pairs` get what tells most of the first model.
fn load(arguments: &ArgMatches, pairs: &mut [Pair]) -> Result<(Runs, Option<Error>)> {
    let paths: Vec<&PathBuf> = arguments.get_many::<PathBuf>("file").into_iter().flatten().collect();
    let compared: Vec<&String> = arguments.get_many::<String>("compare").into_iter().flatten().collect();
    let changes = options::pairs(arguments, "compare");
    let runs = paths.len() * (1 + changes.len());
    let mut found: Runs = Vec::new();
    let mut ended = None;
    let mut add = |found: &mut Runs, name: String, outcome: Outcome| {
        ended = ended.take().or(outcome.ended);
        found.push((name, outcome.results));
    };
    for path in &paths {
        let table = is_table(path);
        let name = named(path, &paths);
        if table && pairs.iter().all(|(_, ys)| ys.is_empty()) && arguments.get_one::<String>("phase").is_none() {
            return Err(Error::new(format!("what is to be drawn of the table '{}'?", path.display()))
                .note("name signals with --y, such as --y 'piston.x, *.effort'"));
        }
        if table && changes.is_empty() {
            let mut read = results::read(path)?;
            // What one table lacks another may have.
            let completed = drawn::complete(&mut read, None, &texts(pairs), &Parameters::default());
            if paths.len() == 1 {
                completed?;
            }
            found.push((name, read));
            continue;
        }
        if table {
            return Err(Error::new(format!("'{}' is a table; --compare solves a model", path.display())));
        }
        let own = if changes.is_empty() { name.clone() } else { "as it is".into() };
        let (model, outcome) = solve(path, None, runs, (arguments, pairs))?;
        if pairs.iter().all(|(_, ys)| ys.is_empty()) {
            let places = outcome.results.places();
            let column = |name: &str| places.get(name).map(|k| outcome.results.columns[*k].data.as_slice());
            pairs.iter_mut().for_each(|pair| pair.1 = first_drawn(&model, &column));
        }
        add(&mut found, own, outcome);
        for (text, change) in compared.iter().zip(&changes) {
            let label = if paths.len() > 1 { format!("{name}, {text}") } else { text.to_string() };
            add(&mut found, label, solve(path, Some(change), runs, (arguments, pairs))?.1);
        }
    }
    Ok((found, ended))
}

/// What a run is called: its file's name, or the whole path where two have the same.
fn named(path: &Path, all: &[&PathBuf]) -> String {
    let stem = |p: &Path| p.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    match all.iter().filter(|p| stem(p) == stem(path)).count() {
        1 => stem(path),
        _ => path.display().to_string(),
    }
}

/// Solves a model, with a parameter changed where asked.
fn solve(
    path: &Path,
    change: Option<&(String, String)>,
    runs: usize,
    (arguments, pairs): (&ArgMatches, &[Pair]),
) -> Result<(Model, Outcome)> {
    let mut reading = options::reading(arguments)?;
    if let Some((name, value)) = change {
        reading.set.retain(|s| s.0 != *name);
        reading.set.push((name.clone(), value.clone()));
    }
    let document = Document::read(path, &reading)?;
    let (mut model, warnings) = document.compile(&reading)?;
    crate::output::read_in(&model.study.units);
    options::warn(&warnings);
    // All runs are kept until they are drawn.
    model.study.room /= runs.max(1) as u64;
    model.study.every = drawn::needs_every(&model, &texts(pairs));
    let mut progress = Progress::new();
    let found = super::run::solve(&model, arguments, &mut progress);
    progress.finish();
    let mut found = found?;
    let kinds = document.parameter_kinds(&reading)?;
    let values = model.parameters.iter().map(|p| p.1).collect();
    drawn::complete(&mut found.results, Some(&model), &texts(pairs), &Parameters { kinds, values })?;
    Ok((model, found))
}
