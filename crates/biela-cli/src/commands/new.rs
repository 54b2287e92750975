//! `biela new`: writes a shipped model to start from.

use super::Command;
use crate::options;
use crate::output::{give, say};
use biela::error::{Error, Result};
use biela::results::write_atomically;
use biela::source::Source;
use biela::text::{Document, Options};
use clap::{Arg, ArgMatches};
use std::path::PathBuf;

include!(concat!(env!("OUT_DIR"), "/templates.rs"));

pub const COMMAND: Command = Command {
    name: "new",
    about: "Writes a commented model to start from",
    arguments: |command| {
        command
            .arg(Arg::new("name").value_name("NAME").help("Which model; without it, all are listed"))
            .arg(options::output("Where to write it; NAME.toml if not given"))
            .arg(options::flag("force", "Replaces a file that exists"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let Some(name) = arguments.get_one::<String>("name").map(String::as_str) else { return list() };
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

/// Prints every model with its own sentence.
fn list() -> Result<()> {
    let width = TEMPLATES.iter().map(|t| t.0.len()).max().unwrap_or(0);
    for (name, text) in TEMPLATES {
        let document = Document::from_toml(&Source::new(*name, *text))?;
        let about = document.model(&Options::default()).map(|m| m.about.clone()).unwrap_or_default();
        give!("{name:<width$}  {about}");
    }
    Ok(())
}
