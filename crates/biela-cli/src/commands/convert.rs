//! `biela convert`: writes any model text as TOML, URDF, MJCF or SDF.

use super::Command;
use crate::options;
use biela::error::Result;
use biela::model::Model;
use biela::results::write_atomically;
use biela::solve::assembly_modes;
use biela::text::{export, Document};
use clap::ArgMatches;
use std::path::PathBuf;

pub const COMMAND: Command = Command {
    name: "convert",
    about: "Turns any model into TOML, or by the ending of -o into URDF, MJCF (.xml) or SDF",
    arguments: |command| {
        options::model_arguments(command).arg(options::output("Where to write it; standard output if not given"))
    },
    run,
};

/// The model with its bodies where the loops are closed: drawings are often some way off, and other programs start from where bodies stand.
fn closed(model: Model) -> Model {
    match assembly_modes::drawn(&model, model.study.start).map(|found| found.modes.into_iter().next()) {
        Ok(Some(mode)) => model.with_guess(&mode.poses),
        Ok(None) => model,
        Err(error) => {
            options::warn(&[format!("bodies stand as they are drawn: {}", error.message())]);
            model
        }
    }
}

fn run(arguments: &ArgMatches) -> Result<()> {
    let options = options::reading(arguments)?;
    let mut document = Document::read(&options::file(arguments), &options)?;
    // What does not compile is not worth converting.
    let (model, warnings) = document.compile(&options)?;
    options::warn(&warnings);
    let output = arguments.get_one::<PathBuf>("output");
    let ending = output.and_then(|path| path.extension()).map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    if let (Some(path), Some(writer)) = (output, export::writer(&ending)) {
        let (text, left_out) = (writer.write)(&closed(model))?;
        options::warn(&left_out);
        return write_atomically(path, |w| w.write_all(text.as_bytes()));
    }
    if let Some(mode) = options.mode {
        document.set_mode(mode);
    }
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
