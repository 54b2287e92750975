//! A tolerance study of the four-bar: samples per second of processor time, the gain of a second thread, and memory; first as the plain command does
//! it, designs side by side, then one by one in each formulation. Arguments: number of samples, and a formulation (or `plain`) if not all.

use biela::results::parts::Parts;
use biela::solve::newton::METHODS;
use biela::sweep::{self, Gather, Sweep, Work};
use biela::system::FORMULATIONS;
use biela::text::{Asked, Document, Options};
use std::path::Path;
use std::time::Instant;

const STEPS: usize = 36;

fn main() {
    let samples = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let only = std::env::args().nth(2);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/four-bar.toml");
    let options = Options { steps: Some(STEPS), ..Options::default() };
    let document = Document::read(&path, &options).unwrap_or_else(|e| panic!("{e}"));
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    let asked = Asked {
        vary: vec![
            pair("crank", "normal(2, 1 mm)"),
            pair("coupler", "normal(8, 2 mm)"),
            pair("rocker", "normal(5, 1 mm)"),
            pair("ground", "normal(10, 2 mm)"),
        ],
        measure: vec![pair("swing", "range(B.angle)"), pair("top", "max(rocker.P2.y)")],
        samples: Some(samples),
        seed: Some(1),
        ..Asked::default()
    };
    println!("four-bar, {samples} samples of {STEPS} steps\n");
    println!("| way | threads | samples a second | samples a second of processor time | peak memory, MiB |\n|---|---|---|---|---|");
    let asked_for = |word: &&str| only.as_deref().is_none_or(|only| only == *word);
    for formulation in std::iter::once("plain").chain(FORMULATIONS.iter().map(|f| f.keyword)).filter(asked_for) {
        for threads in [1, 2] {
            let plan = document.plan(&options, &asked).unwrap_or_else(|e| panic!("{e}"));
            let sweep =
                Sweep::new(&document, &options, plan, Some(formulation).filter(|word| *word != "plain"), METHODS[0]);
            let sweep = sweep.unwrap_or_else(|e| panic!("{e}"));
            let output = std::env::temp_dir().join(format!("biela-bench-sweep-{}.parquet", std::process::id()));
            let parts = Parts::open(&output, sweep.header.clone(), false).unwrap_or_else(|e| panic!("{e}"));
            let (clock, processor) = (Instant::now(), processor_seconds());
            let work = Work { chunks: (0..sweep.plan.chunks()).collect(), threads };
            let done = sweep::run(&sweep, &work, &|k, rows| parts.write(k, &rows), &|_, _| true);
            done.unwrap_or_else(|e| panic!("{e}"));
            let mut gather = Gather::new(&sweep);
            parts.join(sweep.plan.chunks(), |rows| gather.add(rows)).unwrap_or_else(|e| panic!("{e}"));
            let (wall, used) = (clock.elapsed().as_secs_f64(), processor_seconds() - processor);
            assert_eq!(gather.finish().failed, 0);
            let _ = std::fs::remove_file(&output);
            println!(
                "| {formulation} | {threads} | {:.0} | {:.0} | {:.1} |",
                samples as f64 / wall,
                samples as f64 / used,
                peak_memory()
            );
        }
    }
}

/// Processor time of this program so far, in seconds, from the system's own count in hundredths.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or("").split(' ').collect();
    let ticks = |k: usize| fields.get(k).and_then(|x| x.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(11) + ticks(12)) / 100.0
}

/// Most memory ever held, in MiB.
fn peak_memory() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("");
    line.split_whitespace().next().and_then(|x| x.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}
