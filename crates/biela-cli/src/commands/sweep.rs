//! `biela sweep`: runs a model with many values of its parameters and tells what comes of it.

use super::Command;
use crate::engine;
use crate::options;
use crate::output::{give, print, say};
use crate::progress::Shared;
use biela::display_units::DisplayUnits;
use biela::error::{Error, Result};
use biela::plan::{DISTRIBUTIONS, REDUCTIONS, SAMPLINGS};
use biela::results::parts::{self, Parts};
use biela::results::plot;
use biela::results::row_formats::{row_format, ROW_FORMATS};
use biela::results::rows::Rows;
use biela::sweep::{self, Gather, Sweep, Work};
use biela::text::{Asked, Document};
use clap::{value_parser, Arg, ArgAction, ArgMatches};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::Mutex;
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "sweep",
    about: "Runs a model with many values of its parameters: grids, tolerances, Monte Carlo",
    arguments: |command| {
        let command = options::formulation_argument(options::run_arguments(options::model_arguments(command)));
        let list = |words: Vec<String>| words.join("\n");
        let spreads = list(DISTRIBUTIONS.iter().map(|d| format!("- {}: {}", d.signature(), d.help)).collect());
        let samplings = list(SAMPLINGS.iter().map(|s| format!("- {}: {}", s.keyword, s.help)).collect());
        let reductions = list(
            REDUCTIONS.iter().map(|r| format!("- {}({}): {}", r.keyword, r.arguments.join(", "), r.help)).collect(),
        );
        let endings = ROW_FORMATS.iter().map(|f| f.extension).collect::<Vec<_>>().join(", ");
        let number = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).value_name("COUNT").value_parser(value_parser!(u64)).help(help)
        };
        command
            .arg(
                Arg::new("vary")
                    .long("vary")
                    .value_name("NAME=SPREAD")
                    .value_parser(options::pair)
                    .action(ArgAction::Append)
                    .help("A parameter and its values: crank=1:2:1000, 'crank=values(1, 3)', 'rod=normal(3.5, 1 mm)'; may be repeated")
                    .long_help(format!(
                        "A parameter and the values it takes, in place of the model's own; may be repeated:\n\
                         - from:to:count, such as crank=1:2:1000\n- values(a, b, …)\n{spreads}"
                    )),
            )
            .arg(
                Arg::new("measure")
                    .long("measure")
                    .value_name("NAME=EXPRESSION")
                    .value_parser(options::pair)
                    .action(ArgAction::Append)
                    .help("What is kept of each run, such as 'reach = max(piston.x)'; may be repeated")
                    .long_help(format!(
                        "What is kept of each run, in place of the model's own; may be repeated. An expression of \
                         parameters and of signals reduced to one number:\n{reductions}"
                    )),
            )
            .arg(
                Arg::new("series")
                    .long("series")
                    .value_name("A,B,…")
                    .conflicts_with("measure")
                    .help("Keeps these signals whole: a row for each sample and time"),
            )
            .arg(
                Arg::new("sampling")
                    .long("sampling")
                    .value_name("WHICH")
                    .value_parser(SAMPLINGS.iter().map(|s| s.keyword).collect::<Vec<_>>())
                    .long_help(format!("How samples are chosen:\n{samplings}"))
                    .help("How samples are chosen"),
            )
            .arg(number("samples", "Number of samples; of a grid it follows"))
            .arg(number("seed", "Seed of the random numbers; 0 if not given"))
            .arg(number("threads", "Number of threads; all cores if not given"))
            .arg(
                options::output(format!("Where to write the table; its ending says how: {endings}")),
            )
            .arg(options::flag("resume", "Goes on with the parts that an ended sweep has left").requires("output"))
            .arg(
                Arg::new("shard")
                    .long("shard")
                    .value_name("K/N")
                    .requires("output")
                    .conflicts_with("merge")
                    .help("Makes only the K-th of N shares of the parts and leaves them beside the output"),
            )
            .arg(options::flag("merge", "Makes nothing: joins the parts that shards have left").requires("output"))
            .arg(
                Arg::new("engine")
                    .long("engine")
                    .value_name("WHICH")
                    .value_parser(["threads", "dask"])
                    .default_value("threads")
                    .help("Who computes: threads of this program, or worker processes of Dask through the Python package"),
            )
            .arg(
                Arg::new("scheduler")
                    .long("scheduler")
                    .value_name("ADDRESS")
                    .help("Dask's scheduler, such as tcp://host:8786; without it, --threads workers on this machine"),
            )
            .arg(
                Arg::new("plot")
                    .long("plot")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Picture, .svg or .png: histograms, and measures over their strongest parameter"),
            )
            .arg(options::flag("json", "The summary for programs"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let output = arguments.get_one::<PathBuf>("output");
    let picture = arguments.get_one::<PathBuf>("plot");
    if let Some(path) = output {
        // Wrong endings are better heard of before the work than after.
        row_format(path)?;
        options::check_folder(path)?;
    }
    if let Some(path) = picture {
        options::check_folder(path)?;
        plot::check_extension(path)?;
    }
    let shard = arguments.get_one::<String>("shard").map(|text| read_shard(text)).transpose()?;
    let dask = arguments.get_one::<String>("engine").is_some_and(|e| e == "dask");
    check_engine(arguments, dask)?;
    let reading = options::reading(arguments)?;
    let document = Document::read(&options::file(arguments), &reading)?;
    let asked = asked(arguments)?;
    let plan = document.plan(&reading, &asked)?;
    let formulation = arguments.get_one::<String>("formulation").map(String::as_str);
    let sweep = Sweep::new(&document, &reading, plan, formulation, options::method(arguments))?;
    options::warn(&document.compile(&reading)?.1);

    let (resume, merge) = (arguments.get_flag("resume"), arguments.get_flag("merge"));
    let units = options::units(arguments)?.unwrap_or_default();
    let mut gather = Gather::new(&sweep);
    let mut elapsed = None;
    match output {
        None => elapsed = Some(in_memory(&sweep, options::threads(arguments), &mut gather)?),
        Some(path) => {
            if resume && !parts::folder_of(path).exists() && is_complete(path, &sweep, &units) {
                say!("{} is complete already", path.display());
                return Ok(());
            }
            if merge && !parts::folder_of(path).exists() {
                let folder = parts::folder_of(path);
                return Err(Error::new(format!("there is no folder '{}' with parts to join", folder.display()))
                    .note("shards leave their parts there; copy those of other machines into it"));
            }
            let parts = Parts::open(path, sweep.header.clone(), resume || merge || shard.is_some())?.in_units(units);
            let chunks = sweep.plan.chunks();
            let (share, of) = shard.unwrap_or((0, 1));
            let mut missing = Vec::new();
            if !merge {
                let damaged;
                (missing, damaged) = parts.missing((0..chunks).filter(|k| k % of == share));
                let told = damaged.iter().map(|file| format!("'{}' is damaged and is made again", file.display()));
                options::warn(&told.collect::<Vec<_>>());
            }
            if dask && !merge {
                let left = missing.drain(..).map(|k| sweep.plan.samples_of(k));
                let left = left.map(|range| range.end - range.start).sum();
                let started = Instant::now();
                engine::dask(arguments, &sweep, &asked, path)?;
                elapsed = Some((left, started.elapsed().as_secs_f64()));
            }
            let work = Work { chunks: missing, threads: options::threads(arguments) };
            if !work.chunks.is_empty() {
                elapsed = Some(to_parts(&sweep, &work, &parts)?);
            }
            if shard.is_some() {
                parts.settle()?;
                let there = (0..chunks).filter(|k| parts.has(*k)).count();
                say!(
                    "shard {} of {of}: {there} of {chunks} parts are in {}; once all are there, --merge joins them",
                    share + 1,
                    parts.folder().display()
                );
                return Ok(());
            }
            parts.join(chunks, |rows| gather.add(rows))?;
        }
    }
    tell(arguments, &sweep, &gather, elapsed)
}

/// The summary, and the picture where it is asked for.
fn tell(arguments: &ArgMatches, sweep: &Sweep, gather: &Gather, elapsed: Option<(u64, f64)>) -> Result<()> {
    let statistics = gather.finish();
    if arguments.get_flag("json") {
        give!("{:#}", sweep.report(&statistics));
    } else {
        let how = sweep.plan.sampling.keyword;
        let name = sweep.header.notes.first().map_or("", |n| n.1.as_str());
        match elapsed {
            Some((done, seconds)) => {
                say!("{name}: {} samples ({how}), {done} run in {seconds:.2} s", statistics.samples)
            }
            None => say!("{name}: {} samples ({how}), joined", statistics.samples),
        }
        print(format_args!("{}", statistics.shown(&sweep.shown[sweep.varied()..]).table()));
    }
    if let Some(path) = arguments.get_one::<PathBuf>("output").filter(|_| !arguments.get_flag("json")) {
        say!("wrote {} ({} columns)", path.display(), sweep.header.columns.len() + 2);
    }
    if let Some(path) = arguments.get_one::<PathBuf>("plot") {
        plot::write(path, &sweep::figure(sweep, gather, &statistics))?;
        if !arguments.get_flag("json") {
            say!("wrote {}", path.display());
        }
    }
    Ok(())
}

/// Refuses what an engine cannot do.
fn check_engine(arguments: &ArgMatches, dask: bool) -> Result<()> {
    let given = |name: &str| arguments.contains_id(name);
    match dask {
        true if !given("output") => Err(Error::new("--engine dask needs -o FILE: the parts are kept beside it")),
        true if given("shard") => {
            Err(Error::new("--shard and --engine dask exclude each other").note("Dask gives the parts out by itself"))
        }
        false if given("scheduler") => Err(Error::new("--scheduler belongs to --engine dask")),
        _ => Ok(()),
    }
}

fn asked(arguments: &ArgMatches) -> Result<Asked> {
    let series = arguments.get_one::<String>("series").map_or("", String::as_str);
    Ok(Asked {
        vary: options::pairs(arguments, "vary"),
        measure: options::pairs(arguments, "measure"),
        series: options::list(series).into_iter().map(str::to_string).collect(),
        sampling: arguments.get_one::<String>("sampling").cloned(),
        samples: arguments.get_one::<u64>("samples").copied(),
        seed: arguments.get_one::<u64>("seed").copied(),
    })
}

/// `K/N` as K − 1 and N.
fn read_shard(text: &str) -> Result<(u64, u64)> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.trim().parse().ok()?, n.trim().parse().ok()?)));
    match parts {
        Some((k, n)) if (1..=n).contains(&k) => Ok((k - 1, n)),
        _ => Err(Error::new(format!("'--shard {text}' is no share")).note("write --shard 2/3 for the second of three")),
    }
}

/// Whether the table is there already and is that of this sweep, in these units.
fn is_complete(path: &Path, sweep: &Sweep, units: &DisplayUnits) -> bool {
    let wanted = sweep.header.in_units(units);
    Rows::read_parquet(path).is_ok_and(|(header, _)| {
        parts::fingerprint(&header) == parts::fingerprint(&wanted) && header.columns == wanted.columns
    })
}

/// Runs with every chunk kept as a part. Tells how many samples were run in how many seconds.
fn to_parts(sweep: &Sweep, work: &Work, parts: &Parts) -> Result<(u64, f64)> {
    /// Who loses no more than this to a kill runs it again; and files of parts take a tenth of a quick sweep's time.
    const IN_MEMORY: Duration = Duration::from_millis(300);
    let (stop, progress) = (options::interrupted(), Shared::new());
    let started = Instant::now();
    let keep = |chunk: u64, rows: Rows| {
        if started.elapsed() < IN_MEMORY {
            parts.hold(chunk, rows);
            return Ok(());
        }
        parts.settle()?;
        parts.write(chunk, &rows)
    };
    let outcome = sweep::run(sweep, work, &keep, &|done, all| {
        progress.update(done, all);
        !stop.load(Ordering::Relaxed)
    });
    let seconds = progress.finish().as_secs_f64();
    let outcome = match outcome {
        Err(error) => parts.settle().and(Err(error)),
        done => done,
    };
    outcome.map_err(|e| {
        let left = (0..sweep.plan.chunks()).filter(|k| !parts.has(*k)).count();
        e.note(format!("what is done is in '{}'; {left} parts are left", parts.folder().display()))
            .note("the same command with --resume goes on")
    })?;
    let all = work.chunks.iter().map(|k| sweep.plan.samples_of(*k)).map(|r| r.end - r.start).sum();
    Ok((all, seconds))
}

/// Runs with nothing kept but the statistics.
fn in_memory(sweep: &Sweep, threads: usize, gather: &mut Gather) -> Result<(u64, f64)> {
    let (stop, progress) = (options::interrupted(), Shared::new());
    // Chunks that came to an end before their turn wait here.
    let waiting: Mutex<(u64, BTreeMap<u64, Rows>)> = Mutex::new((0, BTreeMap::new()));
    let shared = Mutex::new(gather);
    let keep = |chunk: u64, rows: Rows| {
        let mut waiting = waiting.lock().unwrap_or_else(|p| p.into_inner());
        waiting.1.insert(chunk, rows);
        let mut gather = shared.lock().unwrap_or_else(|p| p.into_inner());
        let (next, waiting) = &mut *waiting;
        while let Some(rows) = waiting.remove(next) {
            gather.add(&rows);
            *next += 1;
        }
        Ok(())
    };
    let work = Work { chunks: (0..sweep.plan.chunks()).collect(), threads };
    let outcome = sweep::run(sweep, &work, &keep, &|done, all| {
        progress.update(done, all);
        !stop.load(Ordering::Relaxed)
    });
    let seconds = progress.finish().as_secs_f64();
    outcome.map_err(|e| e.note("nothing is kept without -o FILE"))?;
    Ok((sweep.plan.samples, seconds))
}
