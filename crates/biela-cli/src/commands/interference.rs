//! `biela interference`: how near bodies come to each other.

use super::Command;
use crate::options;
use crate::output::{give, print, say};
use biela::error::Result;
use biela::solve::interference::interference;
use clap::ArgMatches;

pub const COMMAND: Command = Command {
    name: "interference",
    about: "Finds how near bodies come to each other over the motion, where and when",
    arguments: |command| {
        options::run_arguments(options::model_arguments(command)).arg(options::flag("json", "As JSON, in SI"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let model = options::load(arguments)?;
    let found = interference(&model, options::formulation(arguments, &model), options::method(arguments))?;
    if arguments.get_flag("json") {
        give!("{:#}", found.json());
        return Ok(());
    }
    let pairs = if found.pairs.len() == 1 { "pair" } else { "pairs" };
    say!("{}: distances of {} {pairs} of bodies", model.name, found.pairs.len());
    print(format_args!("{}", found.text(&model.study.units)));
    Ok(())
}
