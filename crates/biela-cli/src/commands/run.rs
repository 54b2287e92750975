//! `biela run`: solves a model over time.

use super::Command;
use crate::options;
use crate::output::say;
use crate::progress::Progress;
use biela::display_units::Scale;
use biela::error::{counted, Result};
use biela::model::{Analysis, Model, Reduction, Singular};
use biela::plan::{Measured, Measures};
use biela::results::{self, quantity_in_words, significant, Results, Spill};
use biela::signal::{Choice, Extent, Signal, Signals};
use biela::signal_name;
use biela::solve::at_rest;
use biela::solve::headline::{headline_columns, may_lead};
use biela::solve::noise::{self, Noise};
use biela::solve::outcome::Outcome;
use biela::solve::run;
use biela::solve::samples::samples;
use biela::solve::summary::Summary;
use biela::solve::verify::verify;
use biela::tree::ALGORITHMS;
use clap::{Arg, ArgMatches};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "run",
    about: "Solves a model over time and writes or summarises the results",
    arguments: |command| {
        let command = options::formulation_argument(options::run_arguments(options::model_arguments(command)));
        let formats: Vec<&str> = results::formats().iter().map(|f| f.extension).collect();
        command
            .arg(
                options::output(format!("Where to write the table; its ending says how: {}", formats.join(", "))),
            )
            .arg(
                Arg::new("singular")
                    .long("singular")
                    .value_name("POLICY")
                    .value_parser(Singular::ALL.map(|p| p.0))
                    .help("At a singular position, in place of the model's own: stop and report it, pass straight on, or damp (drivers give way)"),
            )
            .arg(options::flag("singularity", "A column with the distance to singularity"))
            .arg(options::flag("json", "What the run tells as JSON, in place of text and figures"))
            .arg(options::measure_argument("A number out of the run, such as 'peak = max(abs(motor.effort))'; may be repeated"))
            .arg(
                Arg::new("signals")
                    .long("signals")
                    .value_name("A,B,…")
                    .help("Only these columns (and t): names, elements or patterns such as '*.x'; signals on request too"),
            )
            .arg(
                Arg::new("reduction")
                    .long("reduction")
                    .value_name("FORM")
                    .value_parser(Reduction::ALL.map(|r| r.0))
                    .help("Form of the equations of motion: none, or null-space for independent accelerations alone"),
            )
            .arg(
                Arg::new("algorithm")
                    .long("algorithm")
                    .value_name("NAME")
                    .value_parser(ALGORITHMS.iter().map(|a| a.keyword).collect::<Vec<_>>())
                    .help(format!("Motion of open chains and trees under forces, in joint coordinates, by {}", algorithms())),
            )
    },
    run: command,
};

/// Words of all algorithms, each with what it does.
fn algorithms() -> String {
    ALGORITHMS.iter().map(|a| format!("{} ({})", a.keyword, a.help)).collect::<Vec<_>>().join(", ")
}

/// Whether the table of a run is held in memory as a whole.
fn is_small(model: &Model) -> bool {
    /// Bytes of such a table.
    const HELD: usize = 1 << 26;
    let columns = match &model.study.filled {
        Some(filled) => filled.iter().filter(|f| **f).count(),
        None => Signals::with(model, Extent::of(&model.study)).len(),
    };
    samples(model).saturating_mul(columns).saturating_mul(size_of::<f64>()) <= HELD
}

/// Has a run that is `only_told`, to a person, keep of a large table what a person may be told.
fn keep_what_is_told(model: &mut Model, only_told: bool) {
    if only_told && model.study.analysis == Analysis::Kinematics && model.study.filled.is_none() && !is_small(model) {
        let signals = Signals::with(model, Extent::of(&model.study));
        model.study.filled = Some(signals.all().iter().map(|signal| may_lead(model, signal)).collect());
        model.study.weighed = true;
    }
}

/// Where the samples of a long run wait until they are written; `None` where they go through the memory, because they are few or because
/// something else is made of them.
fn spill(model: &Model, arguments: &ArgMatches, alone: bool) -> Result<Option<Arc<Spill>>> {
    let Some(path) = arguments.get_one::<PathBuf>("output") else { return Ok(None) };
    let study = &model.study;
    let moves = matches!(study.analysis, Analysis::Kinematics | Analysis::InverseDynamics | Analysis::Dynamics);
    if is_small(model) || !moves || !alone || study.verify || options::units(arguments)?.is_some() {
        return Ok(None);
    }
    Spill::beside(path).map(|spill| spill.map(Arc::new))
}

fn command(arguments: &ArgMatches) -> Result<()> {
    let output = arguments.get_one::<PathBuf>("output");
    if let Some(path) = output {
        // An unknown ending is better heard of before the work than after.
        results::format_of(path)?;
        options::check_folder(path)?;
    }
    let wanted = options::measures(arguments)?;
    let (mut model, mut warnings, document) = options::load_with_document(arguments)?;
    choose(&mut model, arguments);
    let kinds = document.parameter_kinds(&options::reading(arguments)?)?;
    let says_what = !document.foreign || arguments.get_one::<String>("analysis").is_some();
    drop(document);
    let stands = !says_what && is_left_alone(&mut model, &mut warnings)?;
    let signals = match arguments.get_one::<String>("signals") {
        Some(signals) => options::list(signals),
        None => model.study.signals.iter().map(String::as_str).collect(),
    };
    // A name that no column bears is better heard of before the work than after.
    let mut choice = Choice::new(&model, &signals)?;
    let alone = wanted.is_empty();
    let measures = Measures::new(&model, kinds, wanted, &mut choice)?;
    let mut narrow = model.with_study(choice.narrowed(&model.study));
    narrow.study.spill = spill(&narrow, arguments, alone)?;
    keep_what_is_told(&mut narrow, output.is_none() && alone && signals.is_empty());
    let mut progress = Progress::new();
    let Outcome { results: mut found, ended } = match stands {
        true => at_rest::standing(&narrow)?,
        false => solve(&narrow, arguments, &mut progress)?,
    };
    if model.study.verify && ended.is_none() {
        let verification = verify(&model, options::method(arguments), |_, _| true)?;
        found.tell("verified", verification.figure());
    }
    let elapsed = progress.finish();
    let summary = Summary::of(&model, &found);
    let measured = measures.of(&model, &found)?;
    let known_to = noise::known_to(&model, &found);
    let unmeasured = measured.iter().try_for_each(|m| m.check(&found));
    let mut found = choice.take(found)?;
    // What a run came to before it ended is written and told like any other; then comes the error.
    let ending = |told: Result<()>| told.and(ended.map_or(Ok(()), Err)).and(unmeasured);
    if arguments.get_flag("json") {
        return ending(tell_json(
            &summary,
            &measured,
            found,
            warnings,
            (output, arguments, narrow.study.spill.as_deref()),
        ));
    }
    let linear = match model.study.analysis {
        Analysis::Modes => Some(tell_modes(&model, &found, (output, arguments))),
        Analysis::StateSpace => Some(tell_state_space(&model, &found, (output, arguments))),
        _ => None,
    };
    if let Some(told) = linear {
        told?;
        tell_measured(&model, &measured, known_to);
        return ending(Ok(()));
    }
    say!("{}, {:.1} ms", summary.line(), 1e3 * elapsed.as_secs_f64());
    tell(&summary);
    tell_measured(&model, &measured, known_to);
    match output {
        Some(path) => {
            // The terminal has heard them already.
            warnings.into_iter().for_each(|text| found.tell("warning", text));
            write(arguments, path, &found, narrow.study.spill.as_deref())?;
            say!("wrote {} ({} columns)", path.display(), found.columns.len());
        }
        None => {
            let (shown, beyond) = told(&model, found, !signals.is_empty());
            let table = results::summary_of_first(&shown.in_units(&model.study.units), SHOWN, beyond);
            crate::output::print(format_args!("\n{table}"));
        }
    }
    ending(Ok(()))
}

/// What the command line chooses in place of the model.
fn choose(model: &mut Model, arguments: &ArgMatches) {
    if let Some(word) = arguments.get_one::<String>("reduction") {
        model.study.reduction = Reduction::ALL.iter().find(|r| r.0 == word).map_or(model.study.reduction, |r| r.1);
    }
    if let Some(word) = arguments.get_one::<String>("algorithm") {
        model.study.algorithm = Some(word.clone());
    }
}

/// A file of another program says what there is, and not what to compute. Where it leaves freedoms without a driver, it moves under the gravity
/// that it states; true where it states none and drives nothing: then it stands.
fn is_left_alone(model: &mut Model, warnings: &mut Vec<String>) -> Result<bool> {
    if model.study.analysis != Analysis::Kinematics || at_rest::undriven(model)? == 0 {
        return Ok(false);
    }
    let (falls, stands) = (model.gravity.is_some(), model.drivers.is_empty());
    let done = match (falls, stands) {
        (true, _) => "it moves by its forces (--analysis dynamics)",
        (false, true) => "told as it stands; --gravity 0,0,-9.81 lets it fall, --drive JOINT=EXPRESSION drives it",
        (false, false) => return Ok(false),
    };
    if falls {
        model.study.analysis = Analysis::Dynamics;
    }
    let warning = format!("the file says nothing of what to compute, and freedoms have no driver: {done}");
    options::warn(std::slice::from_ref(&warning));
    warnings.push(warning);
    Ok(!falls)
}

/// Writes the table, from the disk where its samples wait there.
fn write(arguments: &ArgMatches, path: &Path, found: &Results, spill: Option<&Spill>) -> Result<()> {
    match spill {
        Some(spill) => results::write_spilled(path, found, spill),
        None => options::write(arguments, path, found),
    }
}

/// Measures, a line each.
fn tell_measured(model: &Model, measured: &[Measured], known_to: f64) {
    const DIGITS: usize = 9;
    let width = measured.iter().map(|m| m.name.chars().count()).max().unwrap_or(0);
    for measured in measured {
        let shown = match measured.value.is_nan() {
            true => "none".to_string(),
            false => quantity_in_words(&model.study.units, measured.told(known_to), &measured.unit, DIGITS),
        };
        crate::output::data(format_args!("{:width$} = {shown}\n", measured.name));
    }
}

/// What a run tells as JSON; the table goes where it is asked for.
fn tell_json(
    summary: &Summary,
    measured: &[Measured],
    mut found: Results,
    warnings: Vec<String>,
    (output, arguments, spill): (Option<&PathBuf>, &ArgMatches, Option<&Spill>),
) -> Result<()> {
    let mut told = summary.json();
    if !measured.is_empty() {
        told["measures"] =
            measured.iter().map(|m| (m.name.clone(), m.value.into())).collect::<serde_json::Map<_, _>>().into();
    }
    told["warnings"] = warnings.iter().chain(&summary.warnings).cloned().collect();
    if let Some(path) = output {
        told["output"] = path.display().to_string().into();
        warnings.iter().for_each(|text| found.tell("warning", text));
        write(arguments, path, &found, spill)?;
    }
    crate::output::data(format_args!("{told:#}\n"));
    Ok(())
}

/// What a person should hear of a run before its figures.
fn tell(summary: &Summary) {
    // What an integration that ended is off by its error tells.
    if let Some(drift) = summary.energy_drift.filter(|_| summary.ended.is_none()) {
        say!("energy balance kept to {} of the energies at play", significant(drift, 3));
    }
    summary.events.iter().for_each(|text| say!("{text}"));
    if !summary.at_rest.is_empty() {
        say!("started at rest, since nothing else was given: {}", summary.at_rest.join(", "));
    }
    if let Some(residual) = summary.residual {
        say!("largest constraint residual {residual:.1e}");
    }
    if let Some(rest) = &summary.equilibrium {
        say!("{rest} equilibrium");
    }
    if !summary.not_unique.is_empty() {
        say!("not unique, the shortest choice is given: {}", in_ground_axes(&summary.not_unique.join(", ")));
    }
    if let Some(figure) = &summary.verified {
        say!("verified by {figure}");
    }
    options::warn(&summary.warnings);
    const TOLD: usize = 6;
    summary.dead_centres.iter().take(TOLD).for_each(|text| say!("{text}"));
    if summary.dead_centres.len() > TOLD {
        say!("… {} more dead centres of outputs", summary.dead_centres.len() - TOLD);
    }
}

/// Writes the table of modes, or tells frequency and damping of each.
fn tell_modes(model: &Model, found: &Results, (output, arguments): (Option<&PathBuf>, &ArgMatches)) -> Result<()> {
    if let Some(path) = output {
        options::write(arguments, path, found)?;
        say!("{}: {} written to {}", model.name, counted(found.len(), "mode"), path.display());
        return Ok(());
    }
    let rest = found.note("equilibrium").unwrap_or_default();
    let article = if rest.starts_with(['i', 'u']) { "an" } else { "a" };
    say!("{}: {} about {article} {rest} equilibrium", model.name, counted(found.len(), "mode"));
    let column = |name: &str| found.get(name).map_or(&[][..], |c| c.data.as_slice());
    for (k, (frequency, damping)) in column("frequency").iter().zip(column("damping")).enumerate() {
        let at = |name: &str| column(name).get(k).copied().unwrap_or(0.0);
        let what = match (at("real"), at("imaginary")) {
            (rate, 0.0) if rate > 0.0 => format!("no vibration, grows at the rate {} 1/s", significant(rate, 6)),
            (rate, 0.0) if rate < 0.0 => format!("no vibration, fades at the rate {} 1/s", significant(-rate, 6)),
            _ => format!("{} Hz, damping ratio {}", significant(*frequency, 6), significant(*damping, 4)),
        };
        say!("  mode {}: {what}", k + 1);
    }
    Ok(())
}

/// Writes the state-space matrices, or tells the first.
fn tell_state_space(
    model: &Model,
    found: &Results,
    (output, arguments): (Option<&PathBuf>, &ArgMatches),
) -> Result<()> {
    let states: Vec<&str> = found.note("states").unwrap_or_default().split(", ").collect();
    // Of states in other units the rate of one for another is ẋ_i/x_j in theirs.
    let units = &model.study.units;
    let scales: Vec<Scale> =
        states.iter().map(|name| units.scale(Signal::parse(model, name).map_or("1", |s| s.unit()))).collect();
    let named = |(name, scale): (&&str, &Scale)| match units.is_si() || scale.unit == "1" {
        true => name.to_string(),
        false => format!("{name} [{}]", scale.unit),
    };
    let told = states.iter().zip(&scales).map(named).collect::<Vec<_>>().join(", ");
    say!("{}: {} state-space matrices, states {told}", model.name, found.len());
    if let Some(path) = output {
        options::write(arguments, path, found)?;
        say!("wrote {} ({} columns)", path.display(), found.columns.len());
        return Ok(());
    }
    let (n, time) = (states.len(), units.scale("s"));
    let entry = |(k, x): (usize, f64)| {
        let ratio = scales[k / n % n].ratio() / scales[k % n].ratio() / time.ratio();
        significant(x * ratio, 6)
    };
    let values = found.columns.iter().skip(1).filter_map(|c| c.data.first().copied());
    let first: Vec<String> = values.enumerate().map(entry).collect();
    match units.is_si() {
        true => say!("the first of them:"),
        false => say!("the first of them, rates per {} in the units of the states:", time.unit),
    }
    for row in first.chunks(n) {
        say!("  {}", row.join("  "));
    }
    Ok(())
}

/// Of a list of signals those in ground axes, which say enough to a person.
fn in_ground_axes(names: &str) -> String {
    names.split(", ").filter(|name| !signal_name::is_local(name)).collect::<Vec<_>>().join(", ")
}

/// Solves by the analysis that the model asks for, as far as it goes.
pub fn solve(model: &Model, arguments: &ArgMatches, progress: &mut Progress) -> Result<Outcome> {
    let (formulation, method) = (options::formulation(arguments, model), options::method(arguments));
    run::run_as_far(model, formulation, method, |done, all| {
        progress.update(done, all);
        true
    })
}

/// The same for pictures and reports: with forces where they can be told and no analysis was asked for.
pub fn solve_with_forces(model: Model, arguments: &ArgMatches) -> Result<(Model, Outcome)> {
    let mut progress = Progress::new();
    let found = match arguments.get_one::<String>("analysis") {
        Some(_) if model.study.analysis != Analysis::Modes => {
            solve(&model, arguments, &mut progress).map(|found| (model, found))
        }
        _ => {
            let formulation = options::formulation(arguments, &model).to_string();
            run::run_with_forces(model, &formulation, options::method(arguments), |done, all| {
                progress.update(done, all);
                true
            })
        }
    };
    progress.finish();
    found
}

/// Signals of a summary.
const SHOWN: usize = 24;

/// The first signals of the summary, and how many come after them: those chosen, or those that tell most. What is rounding alone is told as
/// zero.
fn told(model: &Model, mut found: Results, chosen: bool) -> (Results, usize) {
    Noise::of(model, &found).hush(model, &mut found);
    let columns = if chosen { (0..found.columns.len()).collect() } else { headline_columns(model, &found) };
    found.first_of(&columns, SHOWN)
}
