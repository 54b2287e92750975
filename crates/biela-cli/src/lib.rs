//! The `biela` command: terminals and files; the mechanics is in the library.

mod commands;
mod completions;
mod encoder;
mod engine;
mod options;
mod output;
mod programs;
mod progress;

use biela::tree::wide::Level;
use std::ffi::OsString;
use std::process::ExitCode;

/// The whole command line, made from the registry of commands. Help, wrong usage, completions and manual pages come from it.
pub fn program() -> clap::Command {
    with_commands(|command, arguments| arguments(command))
}

/// What adds a command's arguments.
type Arguments = fn(clap::Command) -> clap::Command;

/// The command line whose commands get their arguments by `add`: at once, or when they are called.
fn with_commands(add: fn(clap::Command, Arguments) -> clap::Command) -> clap::Command {
    let mut program = clap::Command::new("biela")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Kinematics and dynamics of rigid-body mechanisms from a short text file")
        .after_help("Start with: biela new slider-crank; biela check slider-crank.toml; biela run slider-crank.toml")
        .styles(output::STYLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(
            options::flag("quiet", "Prints errors and data asked for, such as --json, and nothing else")
                .short('q')
                .global(true),
        );
    for command in commands::COMMANDS {
        program = program.subcommand(add(clap::Command::new(command.name).about(command.about), command.arguments));
    }
    // Not in the registry: it is about all of them.
    program.subcommand(completions::command())
}

/// Does what the arguments ask, the program's name among them. Wrong usage ends the process with status 2.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = with_commands(clap::Command::defer).get_matches_from(arguments);
    if matches.get_flag("quiet") {
        output::hush();
    }
    let Some((name, arguments)) = matches.subcommand() else { return ExitCode::from(2) };
    if name == completions::NAME {
        completions::print(arguments, program());
        return ended(Ok(()), false);
    }
    let Some(command) = commands::COMMANDS.iter().find(|c| c.name == name) else { return ExitCode::from(2) };
    if let Err(message) = instructions() {
        output::error(format_args!("{message}"));
        return ExitCode::from(2);
    }
    if let Some((option, name)) = given_twice(arguments) {
        output::error(format_args!("--{option} gives '{name}' twice\n  = keep one of them"));
        return ExitCode::from(2);
    }
    options::claim_named(arguments);
    let outcome = (command.run)(arguments);
    let replaced = options::release_claims();
    ended(outcome, replaced)
}

/// The status of a command that has ended, after its error or that of standard output is told.
fn ended(outcome: biela::Result<()>, replaced: bool) -> ExitCode {
    match (outcome, output::fault()) {
        (Ok(()), None) => ExitCode::SUCCESS,
        (Ok(()), Some(fault)) => {
            output::error(format_args!("cannot write to standard output: {fault}"));
            ExitCode::from(1)
        }
        (Err(error), _) => {
            output::error(format_args!("{error}"));
            // An input named as output is wrong usage.
            ExitCode::from(if replaced { 2 } else { 1 })
        }
    }
}

/// The option, and the name in it, that would put one value in place of another given beside it.
fn given_twice(arguments: &clap::ArgMatches) -> Option<(&'static str, String)> {
    const NAMING: &[&str] = &["set", "drive", "vary", "measure", "minimise", "limit"];
    for option in NAMING {
        let mut seen = std::collections::HashSet::new();
        for text in arguments.try_get_many::<String>(option).ok().flatten().into_iter().flatten() {
            let Some((name, _)) = text.split_once('=') else { continue };
            if !seen.insert(name.trim()) {
                return Some((option, name.trim().to_string()));
            }
        }
    }
    None
}

/// Keeps to the processor's instructions that `BIELA_INSTRUCTIONS` names. They change speed, never results.
fn instructions() -> Result<(), String> {
    let Some(word) = std::env::var_os("BIELA_INSTRUCTIONS") else { return Ok(()) };
    let found = Level::ALL.iter().find(|(name, _)| word == *name);
    let (_, level) = found.ok_or_else(|| {
        let names = Level::ALL.map(|(name, _)| name).join(", ");
        format!("BIELA_INSTRUCTIONS is '{}'; allowed: {names}", word.to_string_lossy())
    })?;
    Level::limit(*level);
    Ok(())
}
