//! `biela linkage`: what the theory of machines reads off a planar linkage.

use super::Command;
use crate::options;
use crate::output::{give, print, say};
use biela::error::Result;
use biela::picture::linkage::drawing;
use biela::results::plot;
use biela::solve::mechanism::linkage;
use clap::{value_parser, Arg, ArgMatches};
use std::path::PathBuf;

pub const COMMAND: Command = Command {
    name: "linkage",
    about: "Tells transmission angles, advantages, time ratios, instant centres, inflection circles and polygons of a planar linkage",
    arguments: |command| {
        options::draws(options::model_arguments(command))
            .arg(
                Arg::new("at")
                    .long("at")
                    .value_name("SECONDS")
                    .value_parser(value_parser!(f64))
                    .allow_hyphen_values(true)
                    .help("Time of the position; the start of the motion if not given"),
            )
            .arg(options::output("Drawing to write, .svg or .png: instant centres, velocity and acceleration polygons, pole curves"))
            .arg(options::flag("json", "As JSON, in SI"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let output = arguments.get_one::<PathBuf>("output");
    if let Some(path) = output {
        plot::check_extension(path)?;
        options::check_folder(path)?;
    }
    let model = options::load(arguments)?;
    let found = linkage(&model, arguments.get_one::<f64>("at").copied())?;
    if let Some(path) = output {
        plot::write_drawing(path, &drawing(&found))?;
    }
    if arguments.get_flag("json") {
        give!("{:#}", found.json());
        return Ok(());
    }
    say!("{} at t = {} s", model.name, found.t);
    print(format_args!("{}", found.text()));
    if let Some(path) = output {
        say!("wrote {}", path.display());
    }
    Ok(())
}
