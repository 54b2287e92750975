//! `biela convert`: writes any model text as TOML.

use super::Command;
use crate::options;
use biela::error::Result;
use biela::results::write_atomically;
use biela::text::Document;
use clap::ArgMatches;
use std::path::PathBuf;

pub const COMMAND: Command = Command {
    name: "convert",
    about: "Turns a URDF, a DH table or the thesis's text files into TOML",
    arguments: |command| {
        options::model_arguments(command).arg(options::output("Where to write it; standard output if not given"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let options = options::reading(arguments)?;
    let mut document = Document::read(&options::file(arguments), &options)?;
    // What does not compile is not worth converting.
    let (_, warnings) = document.compile(&options)?;
    options::warn(&warnings);
    if let Some(mode) = options.mode {
        document.tree.set("mode", mode as f64);
    }
    let output = arguments.get_one::<PathBuf>("output");
    document.keep_meshes(output.and_then(|path| path.parent()));
    let text = document.to_toml();
    match output {
        Some(path) => write_atomically(path, |w| w.write_all(text.as_bytes())),
        None => {
            crate::output::data(format_args!("{text}"));
            Ok(())
        }
    }
}
