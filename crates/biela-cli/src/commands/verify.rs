//! `biela verify`: solves a model by every formulation and compares.

use super::Command;
use crate::options;
use crate::output::{give, print};
use crate::progress::Progress;
use biela::error::Result;
use biela::solve::verify::verify_by;
use biela::system::{FORMULATIONS, VARIANTS};
use clap::ArgMatches;

pub const COMMAND: Command = Command {
    name: "verify",
    about: "Solves a model by every formulation that can and prints the largest disagreement",
    arguments: |command| {
        options::run_arguments(options::model_arguments(command))
            .arg(options::flag("all", "By the variants of the relative formulation too"))
            .arg(options::flag("json", "As JSON"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let model = options::load(arguments)?;
    let mut progress = Progress::new();
    let variants = if arguments.get_flag("all") { VARIANTS } else { &[] };
    let formulations = FORMULATIONS.iter().chain(variants);
    let found = verify_by(formulations, &model, options::method(arguments), |done, all| {
        progress.update(done, all);
        true
    });
    progress.finish();
    let found = found?;
    if arguments.get_flag("json") {
        give!("{:#}", found.json());
    } else {
        print(format_args!("{}: {}", model.name, found.text()));
    }
    Ok(())
}
