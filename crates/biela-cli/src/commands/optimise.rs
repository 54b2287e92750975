//! `biela optimise`: finds parameters such that curves are met, measures small and limits kept.

use super::Command;
use crate::options;
use crate::output::{give, print, say};
use crate::progress::Shared;
use biela::error::{counted, Error, Result};
use biela::optimise::{Optimisation, Step};
use biela::plan::REDUCTIONS;
use biela::results::{plot, significant, write_atomically};
use biela::text::{AskedGoal, Document};
use clap::{value_parser, Arg, ArgAction, ArgMatches};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

pub const COMMAND: Command = Command {
    name: "optimise",
    about: "Finds parameters such that a point follows a path, an output a function, or forces stay small",
    arguments: |command| {
        let command = options::formulation_argument(options::run_arguments(options::model_arguments(command)));
        let words = REDUCTIONS.iter().map(|r| r.keyword).collect::<Vec<_>>().join(", ");
        let number = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).value_name("COUNT").value_parser(value_parser!(u64)).help(help)
        };
        let several = |name: &'static str, form: &'static str, help: String| {
            let argument = Arg::new(name).long(name).value_name(form).action(ArgAction::Append).help(help);
            if form.contains('=') {
                argument.value_parser(options::pair)
            } else {
                argument
            }
        };
        command
            .arg(several(
                "vary",
                "NAME=LEAST:GREATEST",
                "A parameter and its bounds, such as crank=0.5:3, in place of the model's own; may be repeated".into(),
            ))
            .arg(several(
                "fit",
                "POINTS",
                "A table of wanted points: columns named by signals, and t where times are prescribed; may be repeated"
                    .into(),
            ))
            .arg(several(
                "minimise",
                "NAME=EXPRESSION",
                format!("What is to be small, such as 'effort = rms(motor.effort)'; reductions: {words}"),
            ))
            .arg(several(
                "limit",
                "NAME=LIMIT",
                "What is to be kept, such as 'pin = max(abs(B.fx)) <= 50 N'; may be repeated".into(),
            ))
            .arg(number("starts", "Number of designs that are refined, the model's own among them"))
            .arg(number("samples", "Number of designs looked at for good starts"))
            .arg(number("iterations", "Corrections of one start, at most"))
            .arg(number("seed", "Seed of the designs looked at; 0 if not given"))
            .arg(number("threads", "Number of threads; all cores if not given"))
            .arg(options::output("Where to write the model with the best parameters, .toml"))
            .arg(
                Arg::new("plot")
                    .long("plot")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Picture, .svg or .png: wanted and obtained curves"),
            )
            .arg(options::flag("json", "The outcome for programs"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let output = arguments.get_one::<PathBuf>("output");
    let picture = arguments.get_one::<PathBuf>("plot");
    // Wrong endings are better heard of before the work than after.
    if let Some(path) = output {
        options::check_folder(path)?;
        if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("toml")) {
            return Err(Error::new(format!("'{}' does not end in .toml", path.display()))
                .note("the model with the best parameters is written as TOML"));
        }
    }
    if let Some(path) = picture {
        options::check_folder(path)?;
        plot::check_extension(path)?;
    }
    let reading = options::reading(arguments)?;
    let document = Document::read(&options::file(arguments), &reading)?;
    let goal = document.goal(&reading, &asked(arguments)?)?;
    let formulation = arguments.get_one::<String>("formulation").map(String::as_str);
    let optimisation = Optimisation::new(&document, &reading, goal, formulation, options::method(arguments))?;
    options::warn(&document.compile(&reading)?.1);
    let (stop, progress) = (options::interrupted(), Shared::new());
    let outcome = optimisation.solve(options::threads(arguments), &|step| {
        progress.tell(|| words(step));
        !stop.load(Ordering::Relaxed)
    });
    let seconds = progress.finish().as_secs_f64();
    let found = outcome?;
    if arguments.get_flag("json") {
        give!("{:#}", found.json());
    } else {
        let looked = match found.designs.0 {
            0 => String::new(),
            count => format!(" out of {count} designs"),
        };
        say!("{}: {}{looked}, {seconds:.2} s", found.model, counted(found.starts.len(), "start"));
        print(format_args!("{}", optimisation.shown(&found).table()));
    }
    let tell = |path: &PathBuf| {
        if !arguments.get_flag("json") {
            say!("wrote {}", path.display());
        }
    };
    if let Some(path) = output {
        let text = optimisation.model_text(&found)?;
        write_atomically(path, |out| out.write_all(text.as_bytes()))?;
        tell(path);
    }
    if let Some(path) = picture {
        plot::write(path, &optimisation.figure(&found)?)?;
        tell(path);
    }
    match found.keeps_limits() {
        true => Ok(()),
        false => Err(Error::new("no design keeps all limits").note("widen the bounds, or ask for more starts")),
    }
}

fn words(step: Step) -> String {
    match step.starts.0 {
        0 if step.designs.0 < step.designs.1 => format!("{} of {} designs looked at", step.designs.0, step.designs.1),
        done => {
            let best = step.best.map_or(String::new(), |b| format!(", error {} so far", significant(b, 4)));
            format!("{done} of {} starts refined{best}", step.starts.1)
        }
    }
}

fn asked(arguments: &ArgMatches) -> Result<AskedGoal> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied();
    // A table named on the command line is looked for from where the command is given.
    let here = std::env::current_dir().unwrap_or_default();
    let file = |text: &String| here.join(text).display().to_string();
    Ok(AskedGoal {
        vary: options::pairs(arguments, "vary"),
        fit: arguments.get_many::<String>("fit").into_iter().flatten().map(file).collect(),
        minimise: options::pairs(arguments, "minimise"),
        limit: options::pairs(arguments, "limit"),
        starts: number("starts"),
        samples: number("samples"),
        seed: number("seed"),
        iterations: number("iterations"),
    })
}
