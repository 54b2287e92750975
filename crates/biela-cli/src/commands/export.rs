//! `biela export`: a model as a functional mock-up unit, for other programs to simulate.

use super::Command;
use crate::options;
use crate::output::say;
use biela::error::{Error, Result};
use biela::results::{self, read_whole, write_atomically};
use biela::text::Document;
use biela_live::fmu::{Packed, Version};
use clap::{value_parser, Arg, ArgMatches};
use std::path::{Path, PathBuf};

pub const COMMAND: Command = Command {
    name: "export",
    about: "Packs a model for other programs to simulate: an FMU, with all that runs it inside",
    arguments: |command| {
        options::times(options::analysis(options::model_arguments(command)))
            .arg(
                options::flag("fmu", "A functional mock-up unit (FMI): co-simulation and model exchange")
                    .required(true),
            )
            .arg(
                Arg::new("fmi")
                    .long("fmi")
                    .value_name("VERSION")
                    .value_parser(["2", "3"])
                    .default_value("3")
                    .help("Version of FMI: 2.0 or 3.0"),
            )
            .arg(
                Arg::new("signals")
                    .long("signals")
                    .value_name("A,B,…")
                    .help("Outputs, as for run; all columns of a run if not given"),
            )
            .arg(
                Arg::new("library")
                    .long("library")
                    .value_name("PATH")
                    .value_parser(value_parser!(PathBuf))
                    .help("The library that is packed, if it is not beside this program"),
            )
            .arg(options::output("File to write, such as four-bar.fmu").required(true))
    },
    run,
};

/// The library's file, as it is built.
const LIBRARY: &str = "libbiela_c.so";
/// Largest library that is packed.
const LARGEST: u64 = 512 << 20;

fn run(arguments: &ArgMatches) -> Result<()> {
    let output = arguments.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    let claim = results::claim(&output);
    let library = library(arguments.get_one::<PathBuf>("library").map(PathBuf::as_path))?;
    let options = options::reading(arguments)?;
    let document = Document::read(&options::file(arguments), &options)?;
    let (_, warnings) = document.compile(&options)?;
    options::warn(&warnings);
    let patterns = arguments.get_one::<String>("signals").map(|list| options::list(list)).unwrap_or_default();
    let version = match arguments.get_one::<String>("fmi").map(String::as_str) {
        Some("2") => Version::Two,
        _ => Version::Three,
    };
    let packed = Packed::new(&document, &options, &patterns, version)?;
    let library = read_whole(&library, LARGEST)?;
    write_atomically(&output, |mut out| packed.write(&library, &mut out))?;
    drop(claim);
    let live = packed.live();
    say!(
        "{} inputs, {} parameters, {} outputs, {} states",
        live.inputs().len(),
        live.parameters().len(),
        live.outputs().len(),
        2 * live.freedoms().len()
    );
    if let Some(why) = live.without_states() {
        say!("co-simulation alone: {why}");
    }
    say!("wrote {}", output.display());
    Ok(())
}

/// Where the library lies: where it is said to, beside the program, or in the folder `lib` beside the program's.
fn library(said: Option<&Path>) -> Result<PathBuf> {
    let program = std::env::current_exe().ok().and_then(|path| path.canonicalize().ok());
    let folder = program.as_deref().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default();
    let places = match said {
        Some(path) => vec![path.to_path_buf()],
        None => vec![folder.join(LIBRARY), folder.join("../lib").join(LIBRARY)],
    };
    if let Some(found) = places.iter().find(|path| path.is_file()) {
        return Ok(found.clone());
    }
    let shown: Vec<String> = places.iter().map(|path| format!("'{}'", path.display())).collect();
    Err(Error::new(format!("the library that an FMU has inside is not at {}", shown.join(" nor at ")))
        .note("it comes with the program; from source, cargo build --release --workspace makes it beside the program")
        .note("where it lies elsewhere: --library PATH/libbiela_c.so"))
}
