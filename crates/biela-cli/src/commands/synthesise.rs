//! `biela synthesise`: linkages that pass points or poses, or whose output is a function of their input: all of them.

use super::Command;
use crate::options;
use crate::output::{give, print, say};
use biela::error::{Error, Result};
use biela::picture::designs::sheet;
use biela::results::{plot, write_atomically};
use biela::solve::synthesis::{synthesise, Design, Work};
use biela::text::Document;
use clap::{value_parser, Arg, ArgMatches};
use std::path::{Path, PathBuf};

pub const COMMAND: Command = Command {
    name: "synthesise",
    about: "Finds all linkages through points or poses, or for a function, as [synthesise] asks",
    arguments: |command| {
        options::model_arguments(command)
            .arg(
                Arg::new("threads")
                    .long("threads")
                    .value_name("COUNT")
                    .value_parser(value_parser!(u64))
                    .help("Number of threads; all cores if not given"),
            )
            .arg(
                Arg::new("output")
                    .short('o')
                    .long("output")
                    .value_name("FOLDER")
                    .value_parser(value_parser!(PathBuf))
                    .help("Folder for the designs, each as a model: design-001.toml is the best"),
            )
            .arg(
                Arg::new("plot")
                    .long("plot")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Sheet of the best designs, .svg or .png"),
            )
            .arg(options::flag("json", "As JSON, in SI, with the models"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let picture = arguments.get_one::<PathBuf>("plot");
    if let Some(path) = picture {
        options::check_folder(path)?;
        plot::check_extension(path)?;
    }
    let folder = arguments.get_one::<PathBuf>("output");
    if let Some(path) = folder {
        options::check_folder(path)?;
        if path.exists() && !path.is_dir() {
            return Err(Error::new(format!("'{}' is no folder", path.display())).note("designs are several files"));
        }
    }
    let reading = options::reading(arguments)?;
    let document = Document::read(&options::file(arguments), &reading)?;
    let asked = document.synthesis(&reading)?;
    let (name, units) = (asked.name.clone(), document.units(&reading)?);
    let stop = options::interrupted();
    let work = Work { threads: options::threads(arguments), stop: Some(&stop) };
    let found = synthesise(&asked, &work)?;
    let quiet = arguments.get_flag("json");
    let tell = |path: &Path| {
        if !quiet {
            say!("wrote {}", path.display());
        }
    };
    if quiet {
        give!("{:#}", found.json());
    } else {
        say!("{name}: {} by a {}", asked.task.word(), asked.family.word());
        print(format_args!("{}", found.text(&units)));
    }
    if let Some(path) = folder {
        write_designs(path, &found.designs)?;
        tell(path);
    }
    if let Some(path) = picture {
        let length = units.scale("m");
        plot::write_drawing(path, &sheet(&name, &found, (length.unit.clone(), length.shown(1.0))))?;
        tell(path);
    }
    match found.designs.is_empty() {
        false => Ok(()),
        true if found.refused > 0 => {
            Err(Error::new(format!("the limits refuse all {} designs", found.refused)).note("widen the limits"))
        }
        true if found.singular => Err(Error::new(format!("no single linkage is found: {}", found.proof))
            .note("positions that turn about one point, only translate, or follow a proportion are passed by families of linkages: change one a little")),
        true => Err(Error::new("there is no real linkage for this task").note("change the positions a little, or ask for fewer")),
    }
}

/// Each design as a file of its own.
fn write_designs(folder: &Path, designs: &[Design]) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|e| Error::new(format!("cannot make the folder '{}': {e}", folder.display())))?;
    for (k, design) in designs.iter().enumerate() {
        let path = folder.join(format!("design-{:03}.toml", k + 1));
        write_atomically(&path, |out| out.write_all(design.model.as_bytes()))?;
    }
    Ok(())
}
