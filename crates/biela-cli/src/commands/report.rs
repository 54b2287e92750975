//! `biela report`: one printable page about a mechanism.

use super::Command;
use crate::options;
use crate::output::say;
use crate::progress::Progress;
use biela::error::{Error, Result};
use biela::plan::drawn::{self, Parameters};
use biela::report::{html, Subject};
use biela::results::{write_atomically, Ended};
use biela::sizing::{Sizing, USUAL_FLUCTUATION};
use biela::solve::outcome::Outcome;
use biela::text::{read_text, Document};
use clap::{Arg, ArgAction, ArgMatches};
use std::path::{Path, PathBuf};

pub const COMMAND: Command = Command {
    name: "report",
    about: "Writes one page to print: the machine, its motors, bearings and paths, plots, equations",
    arguments: |command| {
        options::formulation_argument(options::run_arguments(options::draws(options::model_arguments(command))))
            .arg(options::output("Page to write, .html; the model's name with -report.html if not given"))
            .arg(
                Arg::new("plot")
                    .long("plot")
                    .value_name("A,B,…")
                    .action(ArgAction::Append)
                    .help("Signals or expressions of a plot; may be repeated. What tells most if not given"),
            )
            .arg(
                Arg::new("x")
                    .long("x")
                    .value_name("SIGNAL")
                    .default_value("t")
                    .help("Signal or expression along the x axes of plots"),
            )
            .arg(
                Arg::new("fluctuation")
                    .long("fluctuation")
                    .value_name("C")
                    .value_parser(fluctuation)
                    .help("Wanted (greatest - least)/mean speed of steadily turning drivers, for their flywheels; 0.05 if not given"),
            )
            .arg(options::flag("json", "Masses, motors, bearings and paths as JSON in SI, in place of the page").conflicts_with("output"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let file = options::file(arguments);
    let json = arguments.get_flag("json");
    let output = arguments.get_one::<PathBuf>("output").cloned().unwrap_or_else(|| named_after(&file));
    if output.extension().is_none_or(|e| !e.eq_ignore_ascii_case("html")) {
        return Err(Error::new(format!("'{}': a report ends in .html", output.display())));
    }
    if !json {
        options::check_folder(&output)?;
        options::claim(&output);
    }
    let reading = options::reading(arguments)?;
    let document = Document::read(&file, &reading)?;
    let (mut model, warnings) = document.compile(&reading)?;
    crate::output::read_in(&model.study.units);
    options::warn(&warnings);
    let plots: Vec<String> = arguments.get_many::<String>("plot").into_iter().flatten().cloned().collect();
    let x = arguments.get_one::<String>("x").map_or("t", String::as_str);
    let drawn: Vec<String> = plots.iter().flat_map(|list| drawn::split(list)).chain([x.to_string()]).collect();
    let drawn: Vec<&str> = drawn.iter().map(String::as_str).collect();
    // Forces may come in with the run, and with them what is told on request.
    model.study.every = drawn::needs_every(&model, &drawn);
    let (mut model, Outcome { mut results, ended }) = super::run::solve_with_forces(model, arguments)?;
    model.study.every = false;
    let fluctuation = arguments.get_one::<f64>("fluctuation").copied().unwrap_or(USUAL_FLUCTUATION);
    if json {
        let mut told = Sizing::of(&model, &results, fluctuation).json();
        told["model"] = model.name.clone().into();
        told["complete"] = results.is_complete().into();
        told["ended"] = results.ended.as_ref().map(Ended::json).into();
        crate::output::data(format_args!("{told:#}\n"));
        return ended.map_or(Ok(()), Err);
    }
    let kinds = document.parameter_kinds(&reading)?;
    let values = model.parameters.iter().map(|p| p.1).collect();
    drawn::complete(&mut results, Some(&model), &drawn, &Parameters { kinds, values })?;
    // A text of another format, or four of them, are shown as the TOML they stand for.
    let own = read_text(&file, "").ok().filter(|_| file.extension().is_some_and(|e| e == "toml"));
    let text = own.map_or_else(|| document.to_toml(), |source| source.text.clone());
    let subject = Subject {
        model: &model,
        results: &results,
        text: &text,
        contents: &document.contents(),
        warnings: &warnings,
        formulation: options::formulation(arguments, &model),
        command: &command_line(),
        plots: &plots,
        x,
        fluctuation,
    };
    let mut progress = Progress::new();
    let page = html(&subject, options::method(arguments), |done, all| {
        progress.update(done, all);
        true
    });
    progress.finish();
    let page = page?;
    write_atomically(&output, |out| out.write_all(page.as_bytes()))?;
    say!("wrote {} ({} kB)", output.display(), page.len().div_ceil(1000));
    ended.map_or(Ok(()), Err)
}

/// A coefficient of fluctuation.
fn fluctuation(text: &str) -> std::result::Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(c) if c > 0.0 && c <= 1.0 => Ok(c),
        _ => Err("a coefficient of fluctuation lies above 0 and at 1 at most, such as 0.02".into()),
    }
}

/// `models/crank.toml` gives `crank-report.html` in the present folder.
fn named_after(file: &Path) -> PathBuf {
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_else(|| "model".into());
    PathBuf::from(format!("{stem}-report.html"))
}

/// The command as a shell takes it.
fn command_line() -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    let quoted = |word: String| match !word.is_empty() && word.chars().all(plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let rest = std::env::args_os().skip(1).map(|a| quoted(a.to_string_lossy().into_owned()));
    std::iter::once("biela".to_string()).chain(rest).collect::<Vec<_>>().join(" ")
}
