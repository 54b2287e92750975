//! `biela bench`: time per call of each tree algorithm, with check sums of the results (`biela-timing`).

use super::Command;
use crate::options;
use crate::output::{give, say};
use biela::error::{Error, Result};
use biela::math::Vec3;
use biela::text::Document;
use biela::tree::evaluate::MOST_SQUARE;
use biela::tree::{counts, Count, Tree};
use biela_timing::{batches, calls, Call, States, Times};
use clap::{value_parser, Arg, ArgMatches};
use std::time::Duration;

pub const COMMAND: Command = Command {
    name: "bench",
    about: "Times each algorithm of open chains and trees on random states",
    arguments: |command| {
        options::model_arguments(command)
            .arg(options::flag("json", "As JSON"))
            .arg(count("states", "256", "Random states that calls run through"))
            .arg(count("repeats", "200", "Repeats that the least and the median are taken of"))
            .arg(count("batch", "4096", "States of a batch; 0 for none"))
            .arg(count("lanes", "8", "Most states side by side in a batch"))
            .arg(
                Arg::new("ms")
                    .long("ms")
                    .value_name("MILLISECONDS")
                    .value_parser(value_parser!(f64))
                    .default_value("1")
                    .help("Length of a repeat"),
            )
            .arg(Arg::new("only").long("only").value_name("CALL").help("Times this call alone"))
            .arg(options::flag("counts", "Prints the operations of each algorithm instead"))
    },
    run,
};

fn count(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("COUNT").value_parser(value_parser!(u32)).default_value(default).help(help)
}

fn run(arguments: &ArgMatches) -> Result<()> {
    let mut reading = options::reading(arguments)?;
    // Timing needs no physical inertia, and a URDF says nothing of gravity.
    reading.unphysical = true;
    let gravity = reading.gravity.unwrap_or([0.0, 0.0, -9.81]);
    let mut model = Document::read(&options::file(arguments), &reading)?.model(&reading)?;
    model.change_mechanism(|mechanism| mechanism.gravity = Some(Vec3::from(gravity)));
    let tree = Tree::new(&model)?;
    if tree.nv == 0 {
        return Err(Error::new("nothing moves in this model: there is nothing to time"));
    }
    if tree.nv > MOST_SQUARE {
        return Err(Error::new(format!("too many velocities to time: {}, of {MOST_SQUARE} at most", tree.nv))
            .note("their matrices would fill the memory"));
    }
    if arguments.get_flag("counts") {
        print_counts(&tree, arguments.get_flag("json"));
        return Ok(());
    }
    let number = |name: &str| arguments.get_one::<u32>(name).copied().unwrap_or(1) as usize;
    let ms = arguments.get_one::<f64>("ms").copied().filter(|x| *x > 0.0 && x.is_finite()).unwrap_or(1.0);
    let only = arguments.get_one::<String>("only").cloned();
    let length = Duration::from_secs_f64(1e-3 * ms.min(1e4));
    let times = Times { repeats: number("repeats").max(1), length, only };
    let states = States::draw(&tree, number("states").max(1));
    let calls = calls(&tree, &states, &times);
    let batch = batches(&tree, number("batch"), number("lanes"), &times);
    if arguments.get_flag("json") {
        print_json(&model.name, &tree, &states, &times, &calls, &batch);
    } else {
        say!("{}: {} freedoms, {:?}, least and median of {} repeats", model.name, tree.nv, tree.level, times.repeats);
        for c in &calls {
            say!("{:<18} {:>10.1} ns  {:>10.1} ns", c.name, c.least, c.median);
        }
        for b in &batch {
            let single = calls.iter().find(|c| c.name == b.name).map_or(f64::NAN, |c| c.least / b.least);
            let (name, least, median) = (b.name, b.least, b.median);
            say!("{name:<18} {least:>10.1} ns  {median:>10.1} ns per state, in a batch: {single:.2} times as fast");
        }
    }
    Ok(())
}

/// Operations of every algorithm: in general, and customised for the tree.
fn print_counts(tree: &Tree, json: bool) {
    let all = counts::counts(tree);
    if json {
        let entry = |c: Count| format!("[{}, {}, {}]", c.multiplications, c.additions, c.divisions);
        let line = |o: &counts::Operations| {
            format!("  \"{}\": {{\"general\": {}, \"customised\": {}}}", o.name, entry(o.general), entry(o.customised))
        };
        give!("{{\n{}\n}}", all.iter().map(line).collect::<Vec<_>>().join(",\n"));
        return;
    }
    say!("{:<18} {:>24}    {:>24}", "", "in general", "customised");
    let titles = ["products", "sums", "divisions"].map(|t| format!("{t:>9}")).join(" ");
    say!("{:<18} {titles}   {titles}", "");
    for o in all {
        let figures = |c: Count| format!("{:>9} {:>9} {:>9}", c.multiplications, c.additions, c.divisions);
        say!("{:<18} {}   {}", o.name, figures(o.general), figures(o.customised));
    }
}

fn print_json(name: &str, tree: &Tree, s: &States, times: &Times, calls: &[Call], batch: &[Call]) {
    let name = serde_json::Value::from(name);
    give!("{{\n  \"library\": \"biela\", \"version\": \"{}\", \"model\": {name},", env!("CARGO_PKG_VERSION"));
    give!("  \"nq\": {}, \"nv\": {}, \"level\": \"{:?}\",", tree.nq, tree.nv, tree.level);
    give!("  \"states\": {}, \"repeats\": {},\n  \"calls\": {{", s.count, times.repeats);
    let lines: Vec<String> = calls
        .iter()
        .map(|c| {
            format!(
                "    \"{}\": {{\"median_ns\": {:.2}, \"min_ns\": {:.2}, \"checksum\": {:.12e}}}",
                c.name, c.median, c.least, c.sum
            )
        })
        .collect();
    give!("{}\n  }}", lines.join(",\n"));
    if !batch.is_empty() {
        let lines: Vec<String> = batch
            .iter()
            .map(|c| {
                format!(
                    "    \"{}\": {{\"median_per_s\": {:.0}, \"max_per_s\": {:.0}}}",
                    c.name,
                    1e9 / c.median,
                    1e9 / c.least
                )
            })
            .collect();
        give!("  , \"batch\": {{\n{}\n  }}", lines.join(",\n"));
    }
    give!("}}");
}
