//! Arguments that several commands share, and loading a model by them.

use crate::output::say;
use biela::display_units::DisplayUnits;
use biela::error::{Error, Result};
use biela::model::{Analysis, Model, Singular};
use biela::plan::{measure, Wanted};
use biela::results::{self, Claim, Results};
use biela::solve::newton::{self, Method, METHODS};
use biela::solve::run::{counted_in, formulation_of};
use biela::source::{Source, Span};
use biela::system::{formulation_words, formulations, AUTO};
use biela::text::{Document, Options};
use clap::{value_parser, Arg, ArgAction, ArgMatches, Command};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// `FILE` and the ways of reading it.
pub fn model_arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Model: TOML, URDF, a DH table, or a folder with the thesis's four text files"),
        )
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("NAME=VALUE")
                .value_parser(pair)
                .action(ArgAction::Append)
                .help("Overrides a parameter; may be repeated"),
        )
        .arg(
            Arg::new("drive")
                .long("drive")
                .value_name("JOINT=EXPRESSION")
                .value_parser(pair)
                .action(ArgAction::Append)
                .help("Drives a joint, or JOINT.COORDINATE, in place of the model's own driver; may be repeated"),
        )
        .arg(
            Arg::new("gravity")
                .long("gravity")
                .value_name("X,Y,Z")
                .value_parser(gravity)
                .allow_hyphen_values(true)
                .help("Gravity in place of the model's own, such as 0,0,-9.81; 0,-9.81 in a planar model"),
        )
        .arg(
            Arg::new("units")
                .long("units")
                .value_name("LIST")
                .help("Units to read results in, such as \"mm, deg, N, rpm\", in place of the model's own; with -o a table has them too"),
        )
        .arg(mode())
        .arg(flag("unphysical", "Inertias that no body can have are warnings, not errors"))
        .arg(flag("lenient", "Unknown keys are warnings, not errors"))
        .arg(flag("strict", "What is doubtful in files of other programs (URDF, meshes and so on) is an error, not told").conflicts_with("lenient"))
        .arg(flag("free-base", "The root link of a URDF floats instead of being the ground"))
}

/// The mark of commands that draw the model, for which meshes of foreign files are read.
const DRAWS: &str = "draws";

/// A command that draws the model.
pub fn draws(command: Command) -> Command {
    command.arg(Arg::new(DRAWS).long(DRAWS).action(ArgAction::SetTrue).hide(true))
}

/// `--formulation`.
pub fn formulation_argument(command: Command) -> Command {
    let words = formulation_words().collect::<Vec<_>>();
    let each = formulations().map(|f| format!("- {}: {}", f.keyword, f.help)).collect::<Vec<_>>().join("\n");
    let each = format!("- {AUTO}: by a fixed rule from the model and what is asked\n{each}");
    let help = format!("Coordinates to solve in; the model's own choice or {AUTO} if not given");
    command.arg(
        Arg::new("formulation")
            .long("formulation")
            .value_name("WHICH")
            .value_parser(words)
            .hide_possible_values(false)
            .long_help(format!("{help}:\n{each}"))
            .help(help),
    )
}

/// `--analysis`, `--newton`, `--start`, `--end`, `--steps`.
pub fn run_arguments(command: Command) -> Command {
    times(
        analysis(command).arg(
            Arg::new("newton")
                .long("newton")
                .value_name("METHOD")
                .value_parser(METHODS.iter().map(|m| m.keyword()).collect::<Vec<_>>())
                .default_value(METHODS[0].keyword())
                .long_help(format!("How positions are corrected:\n{}", help_of_methods()))
                .help("How positions are corrected"),
        ),
    )
}

/// `--analysis`.
pub fn analysis(command: Command) -> Command {
    let analyses = Analysis::ALL.map(|a| a.0);
    let argument = Arg::new("analysis").long("analysis").value_name("WHICH").value_parser(analyses);
    command.arg(argument.help("In place of the model's own"))
}

/// `--start`, `--end`, `--steps`.
pub fn times(command: Command) -> Command {
    command
        .arg(number("start", "SECONDS", "Time of the first sample, in place of the model's own"))
        .arg(number("end", "SECONDS", "Time of the last sample, in place of the model's own"))
        .arg(
            Arg::new("steps")
                .long("steps")
                .value_name("COUNT")
                .value_parser(value_parser!(usize))
                .help("Number of intervals, in place of the model's own"),
        )
}

fn help_of_methods() -> String {
    METHODS.iter().map(|m| format!("- {}: {}", m.keyword(), m.help())).collect::<Vec<_>>().join("\n")
}

/// The method of correction asked for.
pub fn method(arguments: &ArgMatches) -> &'static dyn Method {
    let keyword = arguments.try_get_one::<String>("newton").ok().flatten();
    keyword.and_then(|k| newton::method(k)).unwrap_or(METHODS[0])
}

/// `-o FILE`.
/// The configuration to start from.
pub fn mode() -> Arg {
    let argument = Arg::new("mode").long("mode").value_name("NUMBER").value_parser(value_parser!(u32).range(1..));
    argument.help(
        "Starts from this configuration, as assemble --all numbers them, in place of the one nearest to the drawing",
    )
}

pub fn output(help: impl Into<clap::builder::StyledStr>) -> Arg {
    let argument = Arg::new("output").short('o').long("output").value_name("FILE");
    argument.value_parser(value_parser!(PathBuf)).help(help)
}

/// A switch.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn number(name: &'static str, unit: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(unit).value_parser(value_parser!(f64)).allow_hyphen_values(true).help(help)
}

/// Reading options from arguments; those of [`run_arguments`] count where the command has them.
pub fn reading(arguments: &ArgMatches) -> Result<Options> {
    let mut options = Options {
        unphysical: arguments.get_flag("unphysical"),
        lenient: arguments.get_flag("lenient"),
        strict: arguments.get_flag("strict"),
        undrawn: arguments.try_contains_id(DRAWS).is_err(),
        free_base: arguments.get_flag("free-base"),
        ..Options::default()
    };
    options.set = pairs(arguments, "set");
    options.drive = pairs(arguments, "drive");
    options.mode = arguments.get_one::<u32>("mode").map(|n| *n as usize);
    options.gravity = arguments.get_one::<[f64; 3]>("gravity").copied();
    options.analysis = (arguments.try_get_one::<String>("analysis").ok().flatten())
        .and_then(|word| Analysis::ALL.iter().find(|a| a.0 == word).map(|a| a.1));
    options.singular = (arguments.try_get_one::<String>("singular").ok().flatten())
        .and_then(|word| Singular::ALL.iter().find(|a| a.0 == word).map(|a| a.1));
    options.units = units(arguments)?;
    options.singularity = arguments.try_get_one::<bool>("singularity").ok().flatten().copied().unwrap_or(false);
    options.start = arguments.try_get_one::<f64>("start").ok().flatten().copied();
    options.end = arguments.try_get_one::<f64>("end").ok().flatten().copied();
    options.steps = arguments.try_get_one::<usize>("steps").ok().flatten().copied();
    Ok(options)
}

/// The units that `--units` names.
pub fn units(arguments: &ArgMatches) -> Result<Option<DisplayUnits>> {
    let Some(text) = arguments.try_get_one::<String>("units").ok().flatten() else { return Ok(None) };
    let source = Source::new("--units", text.as_str());
    let place = Span::new(&source, 0..text.len());
    DisplayUnits::parse(text, Some(&place)).map(Some).map_err(|e| e.of("--units"))
}

/// Writes a table of results: in SI, or in the units that `--units` names where the format has room for others.
pub fn write(arguments: &ArgMatches, path: &Path, found: &Results) -> Result<()> {
    let format = results::format_of(path)?;
    match units(arguments)? {
        Some(_) if format.si_alone => {
            say!("{} is SI whatever --units says; .csv is written in other units", format.extension);
            results::write(path, found)
        }
        Some(units) => results::write(path, &found.clone().in_units(&units)),
        None => results::write(path, found),
    }
}

/// A value of the form `NAME=VALUE`, for the command line's parser.
pub fn pair(text: &str) -> std::result::Result<String, String> {
    match text.contains('=') {
        true => Ok(text.to_string()),
        false => Err("it has no '='".into()),
    }
}

/// Three finite numbers between commas, or two for a planar model, for the command line's parser.
fn gravity(text: &str) -> std::result::Result<[f64; 3], String> {
    let number = |x: &str| x.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok([x, y, z]),
        Some(&[x, y]) => Ok([x, y, f64::NAN]),
        _ => {
            Err("these are not three numbers, such as 0,0,-9.81 (m/s^2, in ground axes), nor two for a planar model"
                .into())
        }
    }
}

/// The `NAME=VALUE` pairs of an argument whose values are parsed by [`pair`].
pub fn pairs(arguments: &ArgMatches, name: &str) -> Vec<(String, String)> {
    let given = arguments.get_many::<String>(name).into_iter().flatten();
    given
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.trim().into(), value.trim().into()))
        .collect()
}

/// The model's file.
pub fn file(arguments: &ArgMatches) -> PathBuf {
    arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default()
}

/// Reads and compiles the model; warnings go to the terminal.
pub fn load(arguments: &ArgMatches) -> Result<Model> {
    load_with_warnings(arguments).map(|(model, _)| model)
}

/// The same; the warnings come along, for what is written.
pub fn load_with_warnings(arguments: &ArgMatches) -> Result<(Model, Vec<String>)> {
    load_with_document(arguments).map(|(model, warnings, _)| (model, warnings))
}

/// The same, with the document that the model was made from.
pub fn load_with_document(arguments: &ArgMatches) -> Result<(Model, Vec<String>, Document)> {
    let options = reading(arguments)?;
    let document = Document::read(&file(arguments), &options)?;
    let (model, warnings) = document.compile(&options)?;
    crate::output::read_in(&model.study.units);
    warn(&warnings);
    // What is held to the program's end the system takes back at once: to give back every name and list of a large model takes a tenth as long as making it.
    std::mem::forget((Arc::clone(model.mechanism()), Arc::clone(&model.drivers)));
    Ok((model, warnings, document))
}

/// `--measure NAME=EXPRESSION`.
pub fn measure_argument(help: &'static str) -> Arg {
    Arg::new("measure")
        .long("measure")
        .value_name("NAME=EXPRESSION")
        .value_parser(pair)
        .action(ArgAction::Append)
        .help(help)
}

/// The measures asked for, each with a place that messages name.
pub fn measures(arguments: &ArgMatches) -> Result<Vec<Wanted>> {
    let wanted = |(name, text): (String, String)| {
        measure::check_name(&name).map_err(|e| e.of(format!("--measure {name}")))?;
        let source = Source::new(format!("--measure {name}"), text.as_str());
        let span = Some(Span::new(&source, 0..text.len()));
        Ok(Wanted { name, text, span })
    };
    pairs(arguments, "measure").into_iter().map(wanted).collect()
}

/// Prints warnings.
pub fn warn(warnings: &[String]) {
    for warning in warnings {
        crate::output::warning(format_args!("{warning}"));
    }
}

/// The formulation asked for on the command line, else by the model, else the default.
pub fn formulation<'a>(arguments: &'a ArgMatches, model: &'a Model) -> &'a str {
    arguments.get_one::<String>("formulation").map_or_else(|| formulation_of(model), String::as_str)
}

/// The formulation that counts are made in: asked for on the command line, else by the model, else the first.
pub fn counting<'a>(arguments: &'a ArgMatches, model: &'a Model) -> &'a str {
    counted_in(model, arguments.get_one::<String>("formulation").map(String::as_str))
}

/// Refuses an output whose folder does not exist, before any work is done for it.
pub fn check_folder(path: &Path) -> Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Error::new(format!("cannot write '{}': there is no folder '{}'", path.display(), folder.display()))
                .note("make the folder first, or choose another"))
        }
        _ => Ok(()),
    }
}

thread_local! {
    /// What the command is going to write.
    static CLAIMS: RefCell<Vec<Claim>> = const { RefCell::new(Vec::new()) };
}

/// Claims a file that the command is going to write: it is not read from then on.
pub fn claim(path: &Path) {
    CLAIMS.with_borrow_mut(|claims| claims.push(biela::results::claim(path)));
}

/// Claims every output that the arguments name.
pub fn claim_named(arguments: &ArgMatches) {
    const OUTPUTS: [&str; 5] = ["output", "plot", "gltf", "gif", "still"];
    let named = |id: &str| arguments.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten().cloned();
    OUTPUTS.into_iter().flat_map(named).for_each(|path| claim(&path));
}

/// The command has ended. Whether it wanted to read what it was going to write.
pub fn release_claims() -> bool {
    CLAIMS.take().iter().any(Claim::met)
}

/// The number of threads asked for; all cores where none is.
pub fn threads(arguments: &ArgMatches) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.get_one::<u64>("threads").map_or(cores, |n| (*n).clamp(1, 1024) as usize)
}

/// A flag that Ctrl-C raises; a second Ctrl-C ends the program.
pub fn interrupted() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    // Where no handler can be set, Ctrl-C ends the program at once: files are whole or absent all the same. A program that was
    // started to ignore it, in the background of a script, goes on ignoring it.
    let _ = ctrlc::try_set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}

/// Splits `a,b,c`.
pub fn list(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).filter(|s| !s.is_empty()).collect()
}
