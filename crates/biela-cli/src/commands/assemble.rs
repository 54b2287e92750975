//! `biela assemble`: the configurations a mechanism can take.

use super::Command;
use crate::options;
use crate::output::{give, print, say};
use biela::error::{counted, Result};
use biela::solve::assembly_modes;
use clap::ArgMatches;

pub const COMMAND: Command = Command {
    name: "assemble",
    about: "Closes the loops for the drivers' values at the start; --all finds every configuration",
    arguments: |command| {
        let command = options::run_arguments(options::model_arguments(command))
            .mut_arg("newton", |a| a.hide(true))
            .mut_arg("analysis", |a| a.hide(true))
            .mut_arg("end", |a| a.hide(true))
            .mut_arg("steps", |a| a.hide(true));
        command
            .arg(options::flag("all", "Every configuration, not only the one nearest to the drawing"))
            .arg(options::flag("json", "As JSON"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let model = options::load(arguments)?;
    let t = model.study.start;
    let found =
        if arguments.get_flag("all") { assembly_modes::all(&model, t)? } else { assembly_modes::drawn(&model, t)? };
    if arguments.get_flag("json") {
        give!("{:#}", found.json());
        return Ok(());
    }
    let count = counted(found.modes.len(), "configuration");
    let time = model.study.units.scale("s");
    say!("{}: {count} at t = {} {}, {}", model.name, time.shown(t), time.unit, found.proof);
    print(format_args!("\n{}", found.text(&model.study.units)));
    Ok(())
}
