//! Large mechanisms within little stack and bounded memory, each by a process of its own.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::process::Command;

/// What a shell grants: 512 KiB of stack and 1 GB of address space.
const LIMITS: &str = "ulimit -s 512 && ulimit -v 976562 && exec \"$0\" \"$@\"";

const RUN: &str = "[run]\nanalysis = \"dynamics\"\nmethod = \"rk4\"\nstep = 1e-3\nend = 0.02\nsteps = 20\n";

/// Runs the program on a model under the limits; what it printed, or what it wrote where it was told to write `out.csv`.
fn limited(name: &str, text: &str, arguments: &[&str]) -> String {
    let folder = std::env::temp_dir().join(format!("biela-scale-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("model.toml");
    std::fs::write(&file, text).expect("a model");
    let mut command = Command::new("sh");
    command.args(["-c", LIMITS, env!("CARGO_BIN_EXE_biela"), arguments[0]]).arg(&file).args(&arguments[1..]);
    let output = command.current_dir(&folder).output().expect("a shell");
    let table = std::fs::read_to_string(folder.join("out.csv"));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(output.status.success(), "{name} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    table.unwrap_or_else(|_| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Parallelograms in a row, upright at the start with unit speed.
fn four_bars(n: usize) -> String {
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    let bar = "mass = 1\ninertia = [1e-4, 0.08, 0.08]\ncom = [0.5, 0, 0]\n";
    let hinge = "type = \"revolute\"\naxis = [[0, 0, 1], [0, 0, 1]]\n";
    for i in 0..=n {
        let pose = format!("pose = {{ at = [{i}, 0, 0], angle = \"90 deg\", axis = [0, 0, 1] }}");
        let _ = writeln!(text, "[bodies.c{i}]\n{bar}{pose}");
        let _ = writeln!(text, "[joints.g{i}]\n{hinge}bodies = [\"ground\", \"c{i}\"]\nat = [[{i}, 0, 0], [0, 0, 0]]");
        if i < n {
            let next = i + 1;
            let _ = writeln!(text, "[bodies.k{i}]\n{bar}pose = {{ at = [{i}, 1, 0] }}");
            let _ = writeln!(text, "[joints.a{i}]\n{hinge}bodies = [\"c{i}\", \"k{i}\"]\nat = [[1, 0, 0], [0, 0, 0]]");
            let _ =
                writeln!(text, "[joints.b{i}]\n{hinge}bodies = [\"k{i}\", \"c{next}\"]\nat = [[1, 0, 0], [1, 0, 0]]");
        }
    }
    text + "[initial]\n\"g0.angle.rate\" = -1\n" + RUN
}

/// Links of 0.1 m whose hinges are horizontal and upright in turn.
fn chain(n: usize) -> String {
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for i in 0..n {
        let (before, x) = if i == 0 { ("ground".to_string(), 0.0) } else { (format!("l{}", i - 1), 0.1) };
        let axis = if i % 2 == 0 { "[0, 1, 0]" } else { "[0, 0, 1]" };
        let place = 0.1 * i as f64;
        let _ = writeln!(
            text,
            "[bodies.l{i}]\nmass = 1\ninertia = [0.01, 0.02, 0.02]\ncom = [0.05, 0, 0]\npose = {{ at = [{place}, 0, 0] }}"
        );
        let _ = writeln!(
            text,
            "[joints.j{i}]\ntype = \"revolute\"\naxis = [{axis}, {axis}]\nbodies = [\"{before}\", \"l{i}\"]\nat = [[{x}, 0, 0], [0, 0, 0]]"
        );
    }
    text + RUN
}

/// The last sample of a run, column by column.
fn last_sample(name: &str, text: &str, formulation: &str, signals: &str) -> Vec<f64> {
    let table = limited(name, text, &["run", "--formulation", formulation, "--signals", signals, "-o", "out.csv"]);
    let line = table.lines().last().unwrap_or_default();
    line.split(',').map(|x| x.parse().unwrap_or_else(|_| panic!("no numbers in '{line}'"))).collect()
}

/// Two formulations after 20 steps of `rk4` of 1 ms, whose error lies far below: roundings that gather along 5000 loops.
const ROUNDING: f64 = 1e-11;

#[test]
fn five_thousand_loops_are_checked_and_run() {
    let text = four_bars(5000);
    let report = limited("loops", &text, &["check", "--json"]);
    assert!(report.contains("\"mobility\": 1,"), "{}", &report[..report.len().min(400)]);
    let signals = "c0.wz,c5000.wz,g2500.fy";
    let absolute = last_sample("absolute", &text, "absolute", signals);
    let relative = last_sample("relative", &text, "relative", signals);
    for (a, r) in absolute.iter().zip(&relative) {
        assert!((a - r).abs() < ROUNDING * r.abs(), "{absolute:?} {relative:?}");
    }
    assert!((absolute[1] - absolute[2]).abs() < ROUNDING, "cranks turn alike: {absolute:?}");
}

#[test]
fn a_chain_of_twenty_thousand_links_is_checked_and_run() {
    let text = chain(20_000);
    let report = limited("chain", &text, &["check", "--json"]);
    assert!(report.contains("\"mobility\": 20000,"), "{}", &report[..report.len().min(400)]);
    limited("chain", &text, &["run", "--formulation", "relative", "--signals", "l0.wy,l19999.z"]);
}
