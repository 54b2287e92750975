//! `biela completions`: what a shell needs to complete commands and options.

use clap::{value_parser, Arg, ArgMatches, Command};
use clap_complete::Shell;

/// The word that calls it.
pub const NAME: &str = "completions";

/// Its arguments.
pub fn command() -> Command {
    Command::new(NAME).about("Prints a script with which a shell completes commands and options").arg(
        Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(Shell)).help("For which shell"),
    )
}

/// Prints the script for the whole command line.
pub fn print(arguments: &ArgMatches, mut program: Command) {
    let Some(shell) = arguments.get_one::<Shell>("shell") else { return };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut program, "biela", &mut script);
    crate::output::data(format_args!("{}", String::from_utf8_lossy(&script)));
}
