//! `biela eval`: algorithms of open chains and trees at given states.

use super::Command;
use crate::options;
use crate::output::give;
use biela::error::Result;
use biela::results::write_atomically;
use biela::text::read_text;
use biela::tree::evaluate::{evaluate, QUANTITIES};
use clap::{value_parser, Arg, ArgMatches};
use std::path::PathBuf;

pub const COMMAND: Command = Command {
    name: "eval",
    about: "Evaluates kinematics and dynamics of an open chain or tree at given states",
    arguments: |command| {
        let names: Vec<String> = QUANTITIES.iter().map(|q| format!("{} ({})", q.name, q.help)).collect();
        options::model_arguments(command)
            .arg(
                Arg::new("states")
                    .long("states")
                    .value_name("FILE")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help("CSV with columns q.<joint>, v.<joint>, a.<joint>, tau.<joint>; what is missing is zero"),
            )
            .arg(
                Arg::new("quantities")
                    .long("quantities")
                    .value_name("A,B,…")
                    .default_value("rnea,crba,aba")
                    .help(format!("What to evaluate: {}", names.join(", "))),
            )
            .arg(options::output("Where to write the JSON; standard output if not given"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let model = options::load(arguments)?;
    let path = arguments.get_one::<PathBuf>("states").cloned().unwrap_or_default();
    let shown = path.display().to_string();
    let states = read_text(&path, &shown).map_err(|e| e.of(format!("'{shown}'")))?;
    let quantities = arguments.get_one::<String>("quantities").map_or("", String::as_str);
    let found = evaluate(&model, &options::list(quantities), &states.text)?;
    match arguments.get_one::<PathBuf>("output") {
        Some(path) => write_atomically(path, |w| writeln!(w, "{found}")),
        None => {
            give!("{found}");
            Ok(())
        }
    }
}
