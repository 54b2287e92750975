//! How the time and the memory of each command grow with the mechanism.
//!
//! usage: growth [--most N] [--only WORD] [--rounds K]
//!
//! Chains, trees and rows of four-bars are written as texts of n, 2 n, 4 n … links or loops up to `--most` (2000 unless told), and every
//! command is given each of them as a process of its own. Told are processor time and greatest memory of the largest, and the
//! exponent of n through the larger half of the sizes: 1 is growth in proportion. `--only` keeps lines whose model or command holds the word.

use biela_benches::{cpu_seconds, ladder, sizes};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is asked of which model: how large the smallest is, how many times the largest may be of what `--most` says, and the command.
struct Case {
    model: &'static str,
    text: fn(usize) -> String,
    /// The largest of all sizes, where it is not for the command line to say.
    most: usize,
    command: &'static [&'static str],
}

const ALL: usize = usize::MAX;
/// Freedoms of a chain that loads settle: some forty evaluations of all its rows for each step of the search.
const SETTLED: usize = 4000;

const CASES: &[Case] = &[
    Case { model: "row of four-bars", text: sizes::row, most: ALL, command: &["check"] },
    Case { model: "row of four-bars", text: sizes::row, most: ALL, command: &["assemble"] },
    Case { model: "row of four-bars", text: sizes::row, most: ALL, command: &["run", "--steps", "20"] },
    Case {
        model: "row of four-bars",
        text: sizes::row,
        most: ALL,
        command: &["run", "--steps", "20", "--analysis", "inverse-dynamics"],
    },
    Case {
        model: "row of four-bars",
        text: sizes::row,
        most: ALL,
        command: &["run", "--steps", "20", "--analysis", "statics"],
    },
    Case { model: "row of four-bars", text: sizes::row, most: ALL, command: &["verify", "--steps", "4"] },
    Case { model: "row of four-bars", text: sizes::row, most: ALL, command: &["report", "--steps", "4"] },
    Case { model: "ladder of four-bars", text: ladder, most: ALL, command: &["check"] },
    Case { model: "ladder of four-bars", text: ladder, most: ALL, command: &["run", "--steps", "20"] },
    Case {
        model: "ladder of four-bars",
        text: ladder,
        most: ALL,
        command: &["run", "--steps", "2", "--analysis", "state-space"],
    },
    Case { model: "driven chain in space", text: sizes::chain, most: ALL, command: &["check"] },
    Case { model: "driven chain in space", text: sizes::chain, most: ALL, command: &["assemble"] },
    Case { model: "driven chain in space", text: sizes::chain, most: ALL, command: &["run", "--steps", "20"] },
    Case { model: "driven chain in a plane", text: sizes::planar_chain, most: ALL, command: &["check"] },
    Case { model: "driven chain in a plane", text: sizes::planar_chain, most: ALL, command: &["run", "--steps", "20"] },
    Case { model: "driven tree in space", text: sizes::tree, most: ALL, command: &["check"] },
    Case { model: "driven tree in space", text: sizes::tree, most: ALL, command: &["run", "--steps", "20"] },
    Case {
        model: "chain on springs",
        text: sizes::springs,
        most: SETTLED,
        command: &["run", "--steps", "1", "--analysis", "statics"],
    },
];

/// The child's first argument: the rest is a command line of the program.
const CHILD: &str = "--as-the-program";

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|word| word == CHILD) {
        let line = std::iter::once("biela".to_string()).chain(arguments.into_iter().skip(1));
        let status = biela_cli::run(line.map(Into::into));
        eprintln!("\n{} {}", cpu_seconds(), peak_kilobytes());
        return status;
    }
    let (mut most, mut rounds, mut only) = (2000usize, 2usize, String::new());
    for pair in arguments.chunks(2) {
        match pair {
            [key, value] if key == "--most" => most = value.parse().unwrap_or_else(|_| usage()),
            [key, value] if key == "--rounds" => rounds = value.parse().unwrap_or_else(|_| usage()),
            [key, value] if key == "--only" => only.clone_from(value),
            _ => usage(),
        }
    }
    let folder = std::env::temp_dir().join(format!("biela-growth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    println!("| model | command | n | s | MB | exponent |\n|---|---|---|---|---|---|");
    for case in CASES.iter().filter(|c| c.model.contains(&only) || c.command.join(" ").contains(&only)) {
        tell(case, most.min(case.most), rounds, &folder);
    }
    let _ = std::fs::remove_dir_all(&folder);
    std::process::ExitCode::SUCCESS
}

fn usage() -> ! {
    eprintln!("usage: growth [--most N] [--only WORD] [--rounds K]");
    std::process::exit(2)
}

/// One line of the table.
fn tell(case: &Case, most: usize, rounds: usize, folder: &Path) {
    const SIZES: u32 = 5;
    let sizes: Vec<usize> = (0..SIZES).rev().map(|k| most >> k).filter(|n| *n >= 4).collect();
    let mut points = Vec::new();
    let mut last = (0.0, 0.0);
    for n in &sizes {
        let file = folder.join("model.toml");
        std::fs::write(&file, (case.text)(*n)).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let measured: Option<Vec<(f64, f64)>> = (0..rounds.max(1)).map(|_| measure(case.command, &file)).collect();
        let Some(measured) = measured else {
            println!("| {} | {} | {n} | failed | | |", case.model, case.command.join(" "));
            return;
        };
        let seconds = measured.iter().map(|m| m.0).fold(f64::INFINITY, f64::min);
        last = (seconds, measured[0].1 / 1e3);
        points.push(((*n as f64).ln(), seconds.ln()));
    }
    let n = sizes.last().copied().unwrap_or(0);
    let exponent = slope(&points[points.len() / 2..]);
    let command = case.command.join(" ");
    println!("| {} | {command} | {n} | {:.3} | {:.0} | {exponent:.2} |", case.model, last.0, last.1);
}

/// Processor time in seconds and greatest memory in kilobytes of the program on a file; `None` where it fails.
fn measure(command: &[&str], file: &Path) -> Option<(f64, f64)> {
    let own = std::env::current_exe().ok()?;
    let mut child = Command::new(own);
    child.arg(CHILD).arg(command[0]).arg(file).args(&command[1..]).stdout(Stdio::null());
    if command[0] == "report" {
        child.arg("-o").arg(PathBuf::from(file).with_extension("html"));
    }
    let done = child.output().ok()?;
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        eprint!("{told}");
        return None;
    }
    let (seconds, kilobytes) = told.lines().last()?.split_once(' ')?;
    Some((seconds.parse().ok()?, kilobytes.parse().ok()?))
}

/// Greatest memory that this process has had, where the system tells it.
fn peak_kilobytes() -> u64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// Slope of the line through points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let (over, under) = points.iter().fold((0.0, 0.0), |(a, b), p| (a + (p.0 - x) * (p.1 - y), b + (p.0 - x).powi(2)));
    over / under
}
