//! Commands: one file each, and the registry [`COMMANDS`].

mod assemble;
mod bench;
mod check;
mod convert;
mod eval;
mod export;
mod generate;
mod ik;
mod interference;
mod linkage;
mod new;
mod optimise;
mod plot;
mod range;
mod report;
mod run;
mod signals;
mod studio;
mod sweep;
mod synthesise;
mod verify;
mod view;
mod view_vary;

use clap::ArgMatches;

/// A command of the program.
pub struct Command {
    /// The word that calls it.
    pub name: &'static str,
    /// One sentence for help.
    pub about: &'static str,
    /// Adds its arguments.
    pub arguments: fn(clap::Command) -> clap::Command,
    /// Does it.
    pub run: fn(&ArgMatches) -> biela::Result<()>,
}

/// Every command, in the order help lists them.
pub static COMMANDS: &[Command] = &[
    new::COMMAND,
    check::COMMAND,
    assemble::COMMAND,
    range::COMMAND,
    interference::COMMAND,
    linkage::COMMAND,
    run::COMMAND,
    signals::COMMAND,
    ik::COMMAND,
    sweep::COMMAND,
    optimise::COMMAND,
    synthesise::COMMAND,
    verify::COMMAND,
    plot::COMMAND,
    view::COMMAND,
    report::COMMAND,
    studio::COMMAND,
    eval::COMMAND,
    generate::COMMAND,
    bench::COMMAND,
    convert::COMMAND,
    export::COMMAND,
];
