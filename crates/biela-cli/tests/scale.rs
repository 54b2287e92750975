//! Large mechanisms within little stack and bounded memory, each by a process of its own.
#![cfg(target_os = "linux")]

use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

/// What a shell grants: 512 KiB of stack and 1 GB of address space.
const LIMITS: &str = "ulimit -s 512 && ulimit -v 976562 && exec \"$0\" \"$@\"";

const RUN: &str = "[run]\nanalysis = \"dynamics\"\nmethod = \"rk4\"\nstep = 1e-3\nend = 0.02\nsteps = 20\n";

/// Runs the program on a model under the limits, in a folder of its own that is handed over before it goes.
fn attempt_in<T>(name: &str, text: &str, arguments: &[&str], then: impl FnOnce(&Path, Output) -> T) -> T {
    let folder = std::env::temp_dir().join(format!("biela-scale-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("model.toml");
    std::fs::write(&file, text).expect("a model");
    let mut command = Command::new("sh");
    command.args(["-c", LIMITS, env!("CARGO_BIN_EXE_biela"), arguments[0]]).arg(&file).args(&arguments[1..]);
    let result = then(&folder, command.current_dir(&folder).output().expect("a shell"));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    result
}

fn attempt(name: &str, text: &str, arguments: &[&str]) -> Output {
    attempt_in(name, text, arguments, |_, output| output)
}

/// Runs the program on a model under the limits; what it printed, or what it wrote where it was told to write `out.csv`.
fn limited(name: &str, text: &str, arguments: &[&str]) -> String {
    attempt_in(name, text, arguments, |folder, output| {
        assert!(output.status.success(), "{name} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let table = std::fs::read_to_string(folder.join("out.csv"));
        table.unwrap_or_else(|_| String::from_utf8_lossy(&output.stdout).into_owned())
    })
}

/// Parallelograms in a row, upright at the start with unit speed.
fn four_bars(n: usize) -> String {
    drawn_four_bars(n, 0.0) + "[initial]\n\"g0.angle.rate\" = -1\n" + RUN
}

/// Parallelograms in a row, upright but for a drawing off by up to so much, in metres and radians.
fn drawn_four_bars(n: usize, off: f64) -> String {
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    let bar = "mass = 1\ninertia = [1e-4, 0.08, 0.08]\ncom = [0.5, 0, 0]\n";
    let hinge = "type = \"revolute\"\naxis = [[0, 0, 1], [0, 0, 1]]\n";
    for i in 0..=n {
        // Without pattern from one bar to the next.
        let [dx, dy, turn] = [1.0, 2.0, 3.0].map(|k| off * (k * (i * i) as f64).sin());
        let (x, angle) = (i as f64 + dx, FRAC_PI_2 + turn);
        let pose = format!("pose = {{ at = [{x}, {dy}, 0], angle = {angle}, axis = [0, 0, 1] }}");
        let _ = writeln!(text, "[bodies.c{i}]\n{bar}{pose}");
        let _ = writeln!(text, "[joints.g{i}]\n{hinge}bodies = [\"ground\", \"c{i}\"]\nat = [[{i}, 0, 0], [0, 0, 0]]");
        if i < n {
            let next = i + 1;
            let _ = writeln!(text, "[bodies.k{i}]\n{bar}pose = {{ at = [{x}, {}, 0] }}", 1.0 + turn);
            let _ = writeln!(text, "[joints.a{i}]\n{hinge}bodies = [\"c{i}\", \"k{i}\"]\nat = [[1, 0, 0], [0, 0, 0]]");
            let _ =
                writeln!(text, "[joints.b{i}]\n{hinge}bodies = [\"k{i}\", \"c{next}\"]\nat = [[1, 0, 0], [1, 0, 0]]");
        }
    }
    text
}

/// Links of 0.1 m whose hinges are horizontal and upright in turn, without what they do.
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
    text
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
    let text = chain(20_000) + RUN;
    let report = limited("chain", &text, &["check", "--json"]);
    assert!(report.contains("\"mobility\": 20000,"), "{}", &report[..report.len().min(400)]);
    limited("chain", &text, &["run", "--formulation", "relative", "--signals", "l0.wy,l19999.z"]);
}

#[test]
fn a_rough_drawing_of_three_hundred_loops_is_assembled() {
    let text =
        drawn_four_bars(300, 0.1) + "[drivers.d]\njoint = \"g0\"\nvalue = \"1.4 + t\"\n[run]\nend = 0.02\nsteps = 2\n";
    for formulation in ["absolute", "natural", "relative"] {
        let sample = last_sample(formulation, &text, formulation, "g300.angle,c150.wz");
        assert!((sample[1] - 1.42).abs() < ROUNDING && (sample[2] - 1.0).abs() < ROUNDING, "{formulation}: {sample:?}");
    }
}

/// Error of 20 steps of `rk4` of 1 ms on a chain that begins to whip: halving the step changes either formulation by 7e-9.
const STEPPED: f64 = 1e-8;

#[test]
fn a_long_chain_starts_with_the_rates_that_are_given() {
    let motion = "[initial]\n\"j0.angle.rate\" = 0.01\n\"j5.angle.rate\" = -0.02\n";
    let text = chain(2000) + motion + RUN;
    let signals = "j0.angle.rate,j5.angle.rate,l1999.vz";
    let absolute = last_sample("started-absolute", &text, "absolute", signals);
    let relative = last_sample("started-relative", &text, "relative", signals);
    for (a, r) in absolute.iter().zip(&relative) {
        assert!((a - r).abs() < STEPPED * r.abs(), "{absolute:?} {relative:?}");
    }
}

#[test]
fn a_driven_chain_that_joint_coordinates_cannot_hold_is_refused() {
    let driver = "[drivers.d]\njoint = \"j0\"\nvalue = \"0.01*t\"\n";
    let output = attempt("driven", &(chain(2000) + driver + RUN), &["run", "--formulation", "relative"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && message.contains("--formulation absolute"), "{message}");
}

#[test]
fn matrices_that_fill_the_memory_are_refused() {
    for (command, words) in
        [("eval", "'crba' of 4000 velocities is too large"), ("bench", "too many velocities to time: 4000")]
    {
        let states = ["eval", "--states", "model.toml"];
        let arguments = if command == "eval" { &states[..] } else { &["bench"] };
        let output = attempt(command, &chain(4000), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && message.contains(words), "{message}");
    }
}
