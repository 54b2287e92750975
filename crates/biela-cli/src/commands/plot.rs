//! `biela plot`: draws signals of a result file, or of a model solved on the spot.

use super::Command;
use crate::options;
use crate::output::say;
use crate::progress::Progress;
use biela::error::{Error, Result};
use biela::results::{self, plot, Results};
use clap::{value_parser, Arg, ArgMatches};
use std::path::PathBuf;

pub const COMMAND: Command = Command {
    name: "plot",
    about: "Draws signals against time or against each other",
    arguments: |command| {
        options::formulation_argument(options::run_arguments(options::model_arguments(command)))
            .mut_arg("file", |file| file.help("Result file (csv, json, npz) or model"))
            .arg(Arg::new("x").long("x").value_name("SIGNAL").default_value("t").help("Signal along the x axis"))
            .arg(
                Arg::new("y")
                    .long("y")
                    .value_name("A,B,…")
                    .required(true)
                    .help("Signals to draw; one panel for each unit. Patterns such as 'crank.*' work"),
            )
            .arg(
                Arg::new("output")
                    .short('o')
                    .long("output")
                    .value_name("FILE")
                    .action(clap::ArgAction::Append)
                    .value_parser(value_parser!(PathBuf))
                    .help("Picture to write, .svg or .png; may be repeated. plot.svg if not given"),
            )
            .arg(Arg::new("title").long("title").value_name("TEXT").help("Title above the picture"))
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
    let found = load(arguments)?;
    let x = arguments.get_one::<String>("x").map_or("t", String::as_str);
    let y = options::list(arguments.get_one::<String>("y").map_or("", String::as_str));
    let chosen = found.select(&y)?;
    let names: Vec<&str> =
        chosen.columns.iter().map(|c| c.name.as_str()).filter(|n| *n != "t" || y.contains(n)).collect();
    if names.is_empty() {
        return Err(Error::new("there is nothing to draw").note("name signals with --y a,b"));
    }
    let mut figure = plot::figure(&found, x, &names)?;
    if let Some(title) = arguments.get_one::<String>("title") {
        figure.title = Some(title.clone());
    }
    if arguments.get_flag("term") {
        crate::output::print(format_args!("{}", plot::sketch(&figure, 100, 24)));
        return Ok(());
    }
    for path in outputs {
        plot::write(&path, &figure)?;
        say!("wrote {}", path.display());
    }
    Ok(())
}

/// Results from a file, or from solving a model.
fn load(arguments: &ArgMatches) -> Result<Results> {
    let path = options::file(arguments);
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let table = results::FORMATS.iter().any(|f| f.extension == ending);
    if table {
        return results::read(&path);
    }
    let model = options::load(arguments)?;
    let mut progress = Progress::new();
    let found = super::run::solve(&model, arguments, &mut progress);
    progress.finish();
    found
}
