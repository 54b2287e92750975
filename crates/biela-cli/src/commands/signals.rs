//! `biela signals`: the columns of a run, before it runs.

use super::Command;
use crate::options;
use crate::output::{give, say};
use biela::error::{counted, Result};
use biela::model::Analysis;
use biela::signal::{needs, Signal, Signals};
use clap::ArgMatches;
use serde_json::{json, Value};

pub const COMMAND: Command = Command {
    name: "signals",
    about: "Lists the columns of a model's run, their units and what each needs computed, without running it",
    arguments: |command| {
        options::run_arguments(options::model_arguments(command)).arg(options::flag("json", "As JSON"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let model = options::load(arguments)?;
    let signals = Signals::of(&model);
    let row = |s: &Signal| [s.name(&model), s.unit().to_string(), needs(&model, *s).words().to_string()];
    let rows: Vec<[String; 3]> = signals.iter().map(row).collect();
    let on_request: Vec<[String; 3]> = signals.on_request().iter().map(row).collect();
    if arguments.get_flag("json") {
        let row = |[name, unit, cost]: &[String; 3]| json!({"name": name, "unit": unit, "needs": cost});
        let list = |rows: &[[String; 3]]| -> Vec<Value> { rows.iter().map(row).collect() };
        let (told, more) = (list(&rows), list(&on_request));
        let told = json!({"model": model.name, "complete": signals.complete, "signals": told, "on_request": more});
        give!("{told:#}");
        return Ok(());
    }
    let shown = |[name, unit, cost]: [String; 3]| [name, model.study.units.scale(&unit).unit, cost];
    let [rows, on_request] = [rows, on_request].map(|rows| rows.into_iter().map(shown).collect::<Vec<_>>());
    let word = Analysis::ALL.iter().find(|a| a.1 == model.study.analysis).map_or("", |a| a.0);
    say!("{}: {} of {word}", model.name, counted(rows.len(), "column"));
    let width = |k: usize| rows.iter().chain(&on_request).map(|row| row[k].chars().count()).max().unwrap_or(0);
    let (name, unit) = (width(0), width(1));
    rows.iter().for_each(|row| say!("  {:name$}  {:unit$}  {}", row[0], row[1], row[2]));
    if !on_request.is_empty() {
        say!("on request, by name:");
        on_request.iter().for_each(|row| say!("  {:name$}  {:unit$}  {}", row[0], row[1], row[2]));
    }
    if !signals.complete {
        say!("others may come with the run: only the assembled mechanism says which");
    }
    Ok(())
}
