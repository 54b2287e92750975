//! `docs/verification.md`: every comparison with an independent source, with its tolerance and what was achieved.
//!
//! Tests hold differences to tolerances by `held` of `crates/biela/tests/common/record.rs`, which tells of each where it is asked.
//! [`write`] asks, runs these tests and puts what they tell into one page, a line for each case and source.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The manual, from the root of the repository.
pub const FILE: &str = "docs/verification.md";

/// Comparisons of one test file.
pub struct Group {
    /// The test file, without its ending.
    pub test: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where its truths come from.
    pub about: &'static str,
}

const fn group(test: &'static str, title: &'static str, about: &'static str) -> Group {
    Group { test, title, about }
}

/// Every test file that tells what it compares, in the order of the manual.
pub const GROUPS: &[Group] = &[
    group(
        "seeds_000",
        "Inverse kinematics of mechanisms in space [Peinado 2016]",
        "Slider-crank by 30 equations and purged, at both speeds; 3R arm led at its tip; Haug's spatial slider-crank with three rods.",
    ),
    group(
        "tree_reference",
        "Equations of dynamics by Denavit-Hartenberg [Maryniak, Małecki]; PUMA [Provenzano, Mata]; Pinocchio",
        "Two-link arm on a line, with four accompanying elements; torques, accelerations and matrix of the PUMA; three robots at random states.",
    ),
    group("rotors", "Accompanying elements", "The same element as a rotor and as a body with a gear, in loops and in the two-link arm."),
    group(
        "seeds_002",
        "Spatial linkages CCCC and CSSP: kinematics [Soria 2019]",
        "Every degree of a turn by all formulations; printed initial values, corrected where they are misprints.",
    ),
    group(
        "seeds_002_forces",
        "Spatial linkages CCCC and CSSP: reactions [Soria 2019]",
        "All unknowns over a turn, with the printed inertias and with physical ones, at rest, and with both inputs moving.",
    ),
    group(
        "seeds_003",
        "Natural coordinates: tables of the chapter [Natural, ch. 2]",
        "Four-bar, planar and spatial slider-crank, spherical mechanism, two-link hand.",
    ),
    group(
        "natural_chapter",
        "Natural coordinates: the chapter's own equations [Natural, ch. 2]",
        "Iterations of table 1; more equations than coordinates; three ways to impose freedoms.",
    ),
    group("ik", "Inverse kinematics, PUMA on a line [Provenzano, Mata]", "All postures at both ends of the line; rates and accelerations along it; other arms."),
    group("gallery", "Shipped models", "Each model against its geometry."),
    group("forces_closed_forms", "Forces in closed form", "Reactions and efforts worked out by hand."),
    group("equilibrium", "Equilibrium in closed form", "Pendulums, springs, levers, limits."),
    group("forward_truths", "Motion under forces in closed form", "Pendulum, tops, free body, Atwood's wheel, bead on a hoop, damped spring; by three formulations."),
    group("forward_machines", "Machines under forces in closed form", "Governor, motor, door; by three formulations."),
    group("forward_benchmarks", "Mechanisms of the literature under forces", "Andrews' squeezer mechanism [Schiehlen 1990], Bricard's mechanism, a flyball governor, a slider-crank through its change point."),
    group("forward_modes", "Natural vibrations in closed form", "Double pendulum, chain of carts, inverted pendulum."),
    group("singular", "Singular positions in closed form", "Times of change points and dead centres."),
    group("formulations", "Formulation against formulation, random mechanisms", "Open chains, loops, couplings and drivers of every kind, from fixed seeds; bounds hold for conditions up to 1e4."),
    group("variants", "Formulation against formulation, shipped models", "Absolute, natural, relative and the three variants of the latter."),
    group("tree_agreement", "Tree algorithms against each other", "Random trees of up to 60 bodies, all joint types."),
];

/// A line of the manual.
struct Case {
    test: String,
    case: String,
    source: String,
    quantities: BTreeSet<String>,
    figures: usize,
    /// Tolerance and difference of the comparison that came nearest to its tolerance.
    tolerance: f64,
    difference: f64,
}

/// Runs the tests that compare and writes the page.
pub fn write(root: &Path) -> Result<String, String> {
    let told = |e: std::io::Error| e.to_string();
    let folder = root.join("target/verification");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(told)?;
    }
    std::fs::create_dir_all(&folder).map_err(told)?;
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["test", "--release", "--workspace", "--quiet", "--no-fail-fast"]);
    for group in GROUPS {
        command.args(["--test", group.test]);
    }
    // Each test has a thread with its name, which is that of its case.
    command.current_dir(root).env("BIELA_RECORD", &folder).env("RUST_TEST_THREADS", "2");
    if !command.status().map_err(told)?.success() {
        return Err("a comparison failed: no manual is written".to_string());
    }
    let cases = gather(&folder)?;
    std::fs::write(root.join(FILE), page(&cases)?).map_err(told)?;
    let figures: usize = cases.iter().map(|c| c.figures).sum();
    Ok(format!("wrote {FILE}: {} cases, {figures} figures", cases.len()))
}

/// What the tests have told, a case for each test and source.
fn gather(folder: &Path) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for group in GROUPS {
        let path = folder.join(format!("{}.jsonl", group.test));
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        for line in text.lines() {
            let record: Value = serde_json::from_str(line).map_err(|e| format!("{}: {e}", path.display()))?;
            let word = |k: usize| record[k].as_str().unwrap_or("").to_string();
            let (tolerance, difference) = (record[4].as_f64().unwrap_or(0.0), record[5].as_f64().unwrap_or(0.0));
            let (test, name, source) = (word(0), word(1), word(2));
            let place = cases.iter().position(|c| c.test == test && c.case == name && c.source == source);
            let place = place.unwrap_or_else(|| {
                let quantities = BTreeSet::new();
                cases.push(Case { test, case: name, source, quantities, figures: 0, tolerance, difference });
                cases.len() - 1
            });
            let case = &mut cases[place];
            case.quantities.insert(word(3));
            case.figures += 1;
            if difference / tolerance > case.difference / case.tolerance {
                (case.tolerance, case.difference) = (tolerance, difference);
            }
        }
    }
    cases.sort_by(|a, b| (&a.test, &a.case, &a.source).cmp(&(&b.test, &b.case, &b.source)));
    Ok(cases)
}

/// Models of others, as `validation/published.sh` and trials by the same comparison found them.
const PUBLISHED: &str = "
Published models in MJCF, read as they stand and held against MuJoCo 4.0.0 at five random states (mass matrix, inverse dynamics, place and attitude of every body) to 1e-9 of the
largest entry, 1e-6 where meshes weigh, whose corners MuJoCo keeps in single precision. `validation/published.sh`, which `./test` runs, does so for the first three packages; the others
were tried once by the same comparison.

| package (PyPI) | files | models that MuJoCo opens, with bodies | open here | compared and agree |
|---|---|---|---|---|
| gymnasium 1.4.0 | 14 | 14 | 14 | 14 |
| gymnasium-robotics 1.4.2 | 58 | 30 | 30 | 19 |
| dm_control 1.0.50 | 63 | 38 | 38 | 33 |
| brax 0.14.2 | 42 | 41 | 41 | 39 |
| robosuite 1.5.2 | 56 | 49 | 49 | 23 |
| genesis-world 1.4.5 | 59 | 43 | 43 | 27 |
| mani_skill 3.0.1 | 10 | 3 | 3 | 3 |
| mujoco-mjx 3.17.0 | 38 | 35 | 35 | 32 |
| mujoco_warp 4.0.0 | 47 | 41 | 41 | 25 |
| ogbench 1.2.2 | 18 | 13 | 13 | 11 |
| pybullet 3.2.7 | 26 | 18 | 18 | 17 |
| dm_robotics-moma 0.10.0 | 9 | 4 | 4 | 0 |
| metaworld 3.1.1 | 161 | 84 | 84 | 29 |
| fancy_gym 0.3.0 | 43 | 21 | 21 | 20 |
| playground 0.2.0 | 71 | 15 | 15 | 14 |
| robopal 0.4.1 | 9 | 4 | 4 | 3 |
| robopianist 1.0.10 | 4 | 4 | 4 | 4 |
| myosuite 3.0.0 | 33 | 1 | 1 | 1 |


Not compared: models with equalities (loops and couplings, of which those tried assemble and move), without freedoms, or of which it is told that something is left out (armatures of free
and ball joints and of spatial tendons, meshes without a file). Files that MuJoCo does not open are parts of others.

Of 347 files in URDF and SDF of drake 1.51.1, pybullet 3.2.7, robosuite, genesis-world, mani_skill, furniture_bench 0.1, rtb-data 2.0.0, upkie_description 2.2.0, dm_robotics-moma and
`example-robot-data` (SDF), and of the sources of simbody, urdfdom and urdf in Debian 12, 329 open. The others are made to fail (9, called `fail_…`), have no links or
models of their own (6), wait for xacro (2), or are no XML (1).

Twenty random mechanisms, written as decks of Adams and as MJCF from one description (parts with Euler angles, inertias about any marker, all joints of a chain, free parts with initial
velocities, springs; grams and centimetres), come to the same places in both programs to 1e-8 m after a quarter of a second: `validation/compare_decks_with_mujoco.py`, which `./test` runs.

A loop in space under its weight (crank, rod on a cross, rocker, ball; `crates/biela/tests/data/urdf/spatial-loop.urdf`), read from URDF and from the SDF that `convert` writes of it, is held against
Drake 1.51.1 at 41 samples of a second's motion: Drake's mass matrix, gravity, velocity terms and Jacobians of the closing points give the accelerations of the closed mechanism, which agree to
1.4e-12 of the largest; by Drake's kinematics the points are 5.2e-15 m apart. `validation/drake.sh`, which `./test` runs where Drake can be had.

All 68 URDF files of `example-robot-data` that have links are drawn by `biela view`; 24 of the pictures were looked at. Meshes of iCub are turned: they are the only ones of the collection that need `<up_axis>`,
which borinot's, hextilt's and tiago's have too and do not mean. Its five files of Cassie in SDF assemble with their loops (residual below 5e-16) and fall under their weight.
";

fn page(cases: &[Case]) -> Result<String, String> {
    let figures: usize = cases.iter().map(|c| c.figures).sum();
    let mut text = format!(
        "# Verification

<!-- Made by `cargo run --release -p biela-book -- verification`; change the tests, not this page. -->

Every comparison with an independent source that the tests make: {} cases, {figures} figures. A test holds each difference to its
tolerance; this page is made by `cargo run --release -p biela-book -- verification`, which runs these tests and writes down what they
found, on one x86-64 machine. Differences are relative to the signal's largest magnitude or absolute in SI where that is near one, as
the test says; those of printed digits are in units of the last digit, where sources round or cut off. Of each case the comparison
is shown that came nearest to its tolerance.

| source | what it is |
|---|---|
| closed form | a formula worked out by hand in the test |
| printed digits | a table or figure of a source document, misprints [corrected](misprints.md) |
| independent computation | figures computed by another program from the source's data, kept under `crates/biela/tests/reference/` |
| Pinocchio | figures of that library at random states, kept there too |
| published figures | the literature's benchmark values |
| other formulation | the same by another formulation, algorithm or model of the program |
| conserved quantity | energy, momentum or an integral that must stay |

Mobility is in a table of its own, against the literature: [Theory](theory.md#11-mobility-of-classical-mechanisms). Counts, ranks and
messages are tested exactly and do not appear here.

Of the 69 URDF files of the collection `example-robot-data` 6.0.0, Pinocchio opens 68; so does this program, with plain commands. Forward kinematics, inverse dynamics and
mass matrices agree at four random states of each to 1e-9 of the largest entry, at worst 4e-15: `validation/robots.sh`, which `./test` runs.
{PUBLISHED}",
        cases.len()
    );
    for group in GROUPS {
        let own: Vec<&Case> = cases.iter().filter(|c| c.test == group.test).collect();
        if own.is_empty() {
            return Err(format!("the tests of {} told nothing", group.test));
        }
        let _ = write!(text, "\n## {}\n{} `crates/biela/tests/{}.rs`\n", group.title, group.about, group.test);
        text.push_str("\n| case | quantities | source | figures | tolerance | achieved |\n|---|---|---|---|---|---|\n");
        for case in own {
            let name = case.case.replace('_', " ");
            let quantities = shortened(&case.quantities);
            let (tolerance, difference) = (number(case.tolerance), number(case.difference));
            let _ = writeln!(
                text,
                "| {name} | {quantities} | {} | {} | {tolerance} | {difference} |",
                case.source, case.figures
            );
        }
    }
    Ok(text)
}

/// A few names, and how many there are besides.
fn shortened(names: &BTreeSet<String>) -> String {
    const SHOWN: usize = 6;
    let list: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => list.join(", "),
        more => format!("{} and {more} more", list.join(", ")),
    }
}

/// Two digits.
fn number(x: f64) -> String {
    match x {
        0.0 => "0".to_string(),
        x if (0.01..100.0).contains(&x) => format!("{x:.2}").trim_end_matches('0').trim_end_matches('.').to_string(),
        x => format!("{x:.1e}"),
    }
}
