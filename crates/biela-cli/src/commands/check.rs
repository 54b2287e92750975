//! `biela check`: tells what a mechanism is.

use super::Command;
use crate::options;
use crate::output::{give, print};
use biela::error::Result;
use clap::ArgMatches;

pub const COMMAND: Command = Command {
    name: "check",
    about: "Reads and assembles a model and counts its freedoms, constraints and drivers",
    arguments: |command| {
        options::formulation_argument(options::model_arguments(command)).arg(options::flag("json", "As JSON"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let (model, warnings) = options::load_with_warnings(arguments)?;
    let report = biela::solve::check::check(&model, options::counting(arguments, &model))?;
    if arguments.get_flag("json") {
        let mut told = report.json();
        told["warnings"] = warnings.into();
        give!("{told:#}");
    } else {
        print(format_args!("{}", report.text()));
    }
    Ok(())
}
