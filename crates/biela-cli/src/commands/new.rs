//! `biela new`: writes a shipped model to start from.

use super::Command;
use crate::options;
use crate::output::say;
use biela::error::{Error, Result};
use biela::results::write_atomically;
use clap::{value_parser, Arg, ArgMatches};
use std::path::PathBuf;

/// Models inside the program: name and text.
static TEMPLATES: &[(&str, &str)] = &[("slider-crank", include_str!("../../../../models/slider-crank.toml"))];

pub const COMMAND: Command = Command {
    name: "new",
    about: "Writes a commented model to start from",
    arguments: |command| {
        let names: Vec<&str> = TEMPLATES.iter().map(|t| t.0).collect();
        command
            .arg(Arg::new("name").value_name("NAME").required(true).help(format!("One of: {}", names.join(", "))))
            .arg(
                Arg::new("output")
                    .short('o')
                    .long("output")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Where to write it; NAME.toml if not given"),
            )
            .arg(options::flag("force", "Replaces a file that exists"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let name = arguments.get_one::<String>("name").map_or("", String::as_str);
    let Some((_, text)) = TEMPLATES.iter().find(|t| t.0 == name) else {
        return Err(Error::new(format!("there is no model '{name}' to start from"))
            .suggest(name, TEMPLATES.iter().map(|t| t.0)));
    };
    let path = arguments.get_one::<PathBuf>("output").cloned().unwrap_or_else(|| format!("{name}.toml").into());
    if path.exists() && !arguments.get_flag("force") {
        return Err(Error::new(format!("'{}' exists already", path.display()))
            .note("choose another name with -o, or replace it with --force"));
    }
    write_atomically(&path, |w| w.write_all(text.as_bytes()))?;
    say!("wrote {0}; next: biela check {0}; biela run {0}", path.display());
    Ok(())
}
