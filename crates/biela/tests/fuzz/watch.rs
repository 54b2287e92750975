//! Runs a target on mutated inputs and watches it: no panic, no hang, memory within bounds.
//!
//! `BIELA_FUZZ=100` makes a hundred times as many inputs, `BIELA_FUZZ_SEED=7` others, `BIELA_FUZZ_ONLY=toml:1234` one alone.

use super::meter;
use super::mutate::mutated;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Processor time that one input may take.
pub const LONGEST: Duration = Duration::from_secs(2);
/// Bytes in use at once for one input, beyond what its own length explains.
pub const MOST_BYTES: usize = 256 << 20;
/// Stack of the thread that works: deep recursion shows.
pub const STACK: usize = 512 << 10;
/// Wall-clock time after which an input counts as one that never ends, whatever else the machine does.
const NEVER: Duration = Duration::from_secs(90);
/// Faults that are told before a target ends.
const TOLD: usize = 12;

/// What a target made of an input.
pub enum Verdict {
    /// It was taken.
    Taken,
    /// It was refused in good order.
    Refused,
    /// Something is wrong with the answer.
    Wrong(String),
}

/// A reader or a computation.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Inputs in short mode.
    pub inputs: usize,
    /// Texts to begin with.
    pub corpus: Vec<Vec<u8>>,
    /// Words of its format.
    pub words: Vec<String>,
    /// Does the work.
    pub run: fn(&[u8]) -> Verdict,
}

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

/// Runs all inputs of a target; the message of the first faults where there are any. Of all inputs at least one in
/// `taken` must be taken: a target that refuses everything tests little.
pub fn watch(target: Target, taken: usize) {
    let factor: usize = setting("BIELA_FUZZ").and_then(|f| f.parse().ok()).unwrap_or(1);
    let seed: u64 = setting("BIELA_FUZZ_SEED").and_then(|f| f.parse().ok()).unwrap_or(0);
    let only = setting("BIELA_FUZZ_ONLY").map(|o| {
        let (name, number) = o.split_once(':').expect("BIELA_FUZZ_ONLY=target:number");
        (name.to_string(), number.parse::<usize>().expect("a number"))
    });
    if only.as_ref().is_some_and(|(name, _)| name != target.name) {
        return;
    }
    // The unchanged corpus comes first.
    let count = target.corpus.len() + target.inputs * factor;
    let numbers = match only {
        Some((_, number)) => number..number + 1,
        None => 0..count,
    };
    let (current, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let outcome = std::thread::scope(|scope| {
        let spawn = std::thread::Builder::new().name(format!("fuzz {}", target.name)).stack_size(STACK);
        let worker = spawn.spawn_scoped(scope, || work(&target, seed, numbers, &current)).expect("a thread");
        scope.spawn(|| guard(&target, seed, &current, &done));
        let outcome = worker.join();
        done.store(true, Ordering::SeqCst);
        outcome
    });
    let tally = outcome.expect("the harness itself does not panic");
    println!("{}: {tally}", target.name);
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n\n"));
    assert!(tally.inputs < 100 || tally.taken * taken >= tally.inputs, "{}: too few are taken: {tally}", target.name);
}

#[derive(Default)]
struct Tally {
    inputs: usize,
    taken: usize,
    longest: (Duration, usize),
    peak: (usize, usize),
    time: Duration,
    faults: Vec<String>,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} inputs, {} taken, {:.1} s; longest {:.0} ms (input {}), most memory {:.1} MB (input {})",
            self.inputs,
            self.taken,
            self.time.as_secs_f64(),
            1e3 * self.longest.0.as_secs_f64(),
            self.longest.1,
            self.peak.0 as f64 / 1e6,
            self.peak.1
        )
    }
}

fn input(target: &Target, seed: u64, number: usize) -> Vec<u8> {
    match target.corpus.get(number) {
        Some(text) => text.clone(),
        None => {
            let name = target.name.bytes().fold(seed, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01B3));
            mutated(&target.corpus, &target.words, name.wrapping_add(number as u64))
        }
    }
}

fn work(target: &Target, seed: u64, numbers: std::ops::Range<usize>, current: &AtomicUsize) -> Tally {
    let mut tally = Tally::default();
    let begun = Instant::now();
    for number in numbers {
        current.store(number, Ordering::SeqCst);
        let bytes = input(target, seed, number);
        let start = Instant::now();
        let run = || catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes)));
        let (peak, outcome) = meter::peak(run);
        let mut time = start.elapsed();
        if time > LONGEST {
            // Other programs may have had the processor; what this one needs is measured.
            let before = meter::processor_time();
            let start = Instant::now();
            let _ = run();
            time = match (before, meter::processor_time()) {
                (Some(before), Some(after)) => after - before,
                _ => start.elapsed(),
            };
        }
        tally.inputs += 1;
        tally.longest = tally.longest.max((time, number));
        tally.peak = tally.peak.max((peak, number));
        let fault = match outcome {
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
                Some(format!("panics: {}", text.unwrap_or_default()))
            }
            Ok(Verdict::Wrong(why)) => Some(why),
            Ok(_) if time > LONGEST => Some(format!("takes {time:?}")),
            Ok(_) if peak > MOST_BYTES + 100 * bytes.len() => Some(format!("needs {} MB", peak >> 20)),
            Ok(Verdict::Taken) => {
                tally.taken += 1;
                None
            }
            Ok(Verdict::Refused) => None,
        };
        if let Some(why) = fault {
            tally.faults.push(describe(target, number, &bytes, &why));
            if tally.faults.len() == TOLD {
                break;
            }
        }
    }
    tally.time = begun.elapsed();
    tally
}

fn describe(target: &Target, number: usize, bytes: &[u8], why: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let path = folder.join(format!("{}-{number}", target.name));
    let _ = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, bytes));
    let text = String::from_utf8_lossy(bytes);
    let shown: String = text.chars().take(3000).collect();
    format!("--- {}:{number} {why}\n(kept as {})\n{shown}", target.name, path.display())
}

/// Ends the program where an input never ends: a thread cannot be ended alone.
fn guard(target: &Target, seed: u64, current: &AtomicUsize, done: &AtomicBool) {
    let (mut number, mut since) = (usize::MAX, Instant::now());
    while !done.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(20));
        let now = current.load(Ordering::SeqCst);
        if now != number {
            (number, since) = (now, Instant::now());
        } else if since.elapsed() > NEVER {
            eprintln!("{}", describe(target, number, &input(target, seed, number), "does not end"));
            std::process::exit(1);
        }
    }
}
