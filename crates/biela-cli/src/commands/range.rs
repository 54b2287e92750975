//! `biela range`: how far a driver can go.

use super::Command;
use crate::options;
use crate::output::{give, print, say};
use biela::error::Result;
use biela::solve::range::range;
use clap::{Arg, ArgMatches};

pub const COMMAND: Command = Command {
    name: "range",
    about: "Finds how far a driver can go both ways from the assembled position, and what ends it",
    arguments: |command| {
        options::model_arguments(command)
            .arg(
                Arg::new("driver")
                    .long("driver")
                    .value_name("NAME")
                    .help("Which driver; or a joint (JOINT, JOINT.COORDINATE) to drive in its place. The only driver if not given"),
            )
            .arg(options::flag("json", "As JSON, in SI"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let model = options::load(arguments)?;
    let found = range(&model, arguments.get_one::<String>("driver").map(String::as_str))?;
    if arguments.get_flag("json") {
        give!("{:#}", found.json());
        return Ok(());
    }
    say!("{}: range of '{}'", model.name, found.driver);
    print(format_args!("{}", found.text(&model.study.units)));
    Ok(())
}
