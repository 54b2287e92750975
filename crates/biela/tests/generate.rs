//! Code from models: programs agree with the general algorithms, and what is printed compiles without a warning and agrees with them too.
#![allow(non_snake_case)]

mod common;

use biela::generate::{module, quantities, File, Module, Precision, Quantity, LANGUAGES, QUANTITIES};
use biela::text::{Document, Options};
use biela::Model;
use common::trees::{random_tree, KINDS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sums of thousands of products of numbers of order one in another order; forward dynamics loses what the matrix is badly conditioned by.
const ROUNDING: f64 = 1e-12;

fn all() -> Vec<&'static Quantity> {
    QUANTITIES.iter().collect()
}

/// Trees of all joint types, every third of turning joints alone.
fn tree(seed: u64) -> Model {
    let kinds: &[&str] = if seed % 3 == 0 { &["revolute"] } else { &KINDS };
    random_tree(seed, 2 + seed as usize % 6, kinds, 1 + seed as usize % 3)
}

fn read(text: &str) -> Model {
    let document = Document::from_toml(&biela::source::Source::new("text", text)).expect("a document");
    document.model(&Options::default()).expect("a model")
}

/// The largest difference of a module's programs from its figures, as a part of the largest figure of each.
fn worst(made: &Module) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for function in &made.functions {
        for trial in &function.trials {
            let found = function.program.evaluate(&trial.inputs);
            assert_eq!(found.len(), trial.outputs.len(), "{}", function.name);
            let size = trial.outputs.iter().fold(1e-300_f64, |m, x| m.max(x.abs()));
            let off = found.iter().zip(&trial.outputs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size;
            if off > worst.0 || off.is_nan() {
                worst = (off, function.name.clone());
            }
        }
    }
    worst
}

#[test]
fn programs_agree_with_the_algorithms_on_random_trees() {
    for seed in 0..50 {
        let made = module(&tree(seed), "tree", &all(), Precision::Double).expect("a module");
        let (off, name) = worst(&made);
        assert!(off < ROUNDING, "tree {seed}: {name} is off by {off:e}");
    }
}

/// An arm of two links with a motor geared to each joint, and a finger that follows.
const GEARED: &str = r#"
    gravity = [0, 0, -9.81]
    bodies.arm    = { mass = 3, com = [0.2, 0, 0], inertia = [0.01, 0.05, 0.05] }
    bodies.fore   = { mass = 1, com = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02], pose = { at = [0.4, 0, 0] } }
    bodies.finger = { mass = 0.2, com = [0.05, 0, 0], inertia = [0.001, 0.002, 0.002], pose = { at = [0.7, 0, 0] } }
    joints.shoulder = { type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0], axis = "y" }
    joints.elbow    = { type = "revolute", bodies = ["arm", "fore"], at = [[0.4, 0, 0], [0, 0, 0]], axis = "y" }
    joints.knuckle  = { type = "revolute", bodies = ["fore", "finger"], at = [[0.3, 0, 0], [0, 0, 0]], axis = "z" }
    joints.follow   = { type = "gear", joints = ["elbow", "knuckle"], ratio = 0.5 }
    rotors.motor    = { body = "ground", axis = "x", angle = "80*shoulder.angle", mass = 0.5, inertia = [1e-3, 1e-4, 1e-4] }
    rotors.second   = { body = "arm", at = [0.3, 0, 0.1], axis = [0, 1, 1], angle = "-50*elbow.angle", mass = 0.4, inertia = [1e-3, 2e-4, 2e-4] }
"#;

#[test]
fn motors_and_joints_that_follow_others_are_part_of_it() {
    let made = module(&read(GEARED), "arm", &all(), Precision::Double).expect("a module");
    assert_eq!(made.functions[0].program.inputs[0].size, 2);
    let (off, name) = worst(&made);
    assert!(off < ROUNDING, "{name} is off by {off:e}");
}

#[test]
fn derivatives_of_a_program_are_those_of_the_algorithm() {
    let model = random_tree(7, 5, &["revolute", "prismatic", "screw"], 2);
    let made = module(&model, "tree", &quantities(&["rnea", "rnea_derivatives"]).expect("two"), Precision::Double);
    let made = made.expect("a module");
    let (forces, derivatives) = (&made.functions[0].program, &made.functions[1]);
    let n = forces.inputs[0].size;
    for (k, of) in [0..n, n..2 * n, 2 * n..3 * n].into_iter().enumerate() {
        let program = forces.derivative(of, biela::generate::Argument::new("d", n * n, ""));
        for trial in &derivatives.trials {
            let found = program.evaluate(&trial.inputs);
            let wanted = &trial.outputs[k * n * n..(k + 1) * n * n];
            let size = wanted.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < ROUNDING * size, "derivative {k}: {off:e} of {size:e}");
        }
    }
}

#[test]
fn constants_are_folded_and_nothing_stands_twice() {
    let arm =
        fs::read_to_string(format!("{}/tests/reference/puma_004.toml", env!("CARGO_MANIFEST_DIR"))).expect("a file");
    let made = module(&read(&arm), "puma", &quantities(&["rnea"]).expect("one"), Precision::Double).expect("a module");
    let program = &made.functions[0].program;
    let folded = program.count();
    let general = biela::tree::counts::counts(&biela::Tree::new(&read(&arm)).expect("a tree"));
    let general = general.iter().find(|c| c.name == "rnea").expect("a count").general;
    assert!(2 * folded.multiplications < general.multiplications, "{folded:?} of {general:?}");
    let distinct: std::collections::HashSet<_> = program.operations.iter().collect();
    assert_eq!(distinct.len(), program.operations.len());
}

/// Writes files into a folder of their own.
fn write(name: &str, files: &[File]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("biela-generate-{}-{name}", std::process::id()));
    for file in files {
        let path = folder.join(&file.name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, &file.text).expect("a file");
    }
    folder
}

fn printed(made: &Module, language: &str) -> Vec<File> {
    (LANGUAGES.iter().find(|l| l.keyword == language).expect("a language").print)(made)
}

/// Runs a command and returns what it prints; fails with that where its status is not 0.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("a command that starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success())
}

/// The self-test of a module in C, by a compiler.
fn try_c(compiler: &str, optimised: &str, folder: &Path, name: &str) {
    let test = folder.join("test");
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", optimised];
    let files = [format!("{name}.c"), format!("{name}_test.c")].map(|f| folder.join(f));
    run(Command::new(compiler).args(strict).args(files).arg("-o").arg(&test).arg("-lm"));
    let text = run(&mut Command::new(&test));
    assert!(text.lines().last().is_some_and(|l| l.ends_with(", 0 failed") && !l.starts_with("0 ")), "{text}");
}

#[test]
fn printed_c_compiles_without_a_warning_and_passes_its_test() {
    // Whoever builds Rust programs has a linker, and with it a compiler of C.
    let compilers: Vec<&str> = ["cc", "clang"].into_iter().filter(|c| has(c)).collect();
    assert!(!compilers.is_empty(), "no compiler of C");
    for seed in 0..50 {
        let precision = if seed % 10 == 9 { Precision::Single } else { Precision::Double };
        let made = module(&tree(seed), "tree", &all(), precision).expect("a module");
        let folder = write(&format!("c{seed}"), &printed(&made, "c"));
        // Optimising takes most of the time, and shows in a few what it would in all.
        let (tried, optimised) = if seed < 3 { (&compilers[..], "-O2") } else { (&compilers[..1], "-O0") };
        tried.iter().for_each(|compiler| try_c(compiler, optimised, &folder, "tree"));
        fs::remove_dir_all(folder).expect("a folder");
    }
}

#[test]
fn a_wrong_figure_fails_the_printed_test() {
    let mut made = module(&tree(3), "tree", &quantities(&["rnea"]).expect("one"), Precision::Double).expect("a module");
    made.functions[0].trials[1].outputs[0] += 1e-6;
    let folder = write("wrong", &printed(&made, "c"));
    let files = ["tree.c", "tree_test.c"].map(|f| folder.join(f));
    run(Command::new("cc").arg("-std=c99").args(files).arg("-o").arg(folder.join("test")).arg("-lm"));
    let output = Command::new(folder.join("test")).output().expect("a program");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 passed, 1 failed"));
    fs::remove_dir_all(folder).expect("a folder");
}

#[test]
fn printed_rust_compiles_and_passes_its_test() {
    for seed in [0, 4, 9] {
        let precision = if seed == 9 { Precision::Single } else { Precision::Double };
        let made = module(&tree(seed), "tree", &all(), precision).expect("a module");
        let folder = write(&format!("rust{seed}"), &printed(&made, "rust"));
        let rustc = || {
            let mut command = Command::new("rustc");
            command.args(["--edition", "2021", "-D", "warnings", "-C", "opt-level=1"]).current_dir(&folder);
            command
        };
        run(rustc().args(["--crate-type", "rlib", "--crate-name", "tree", "--cfg", "feature=\"std\"", "src/lib.rs"]));
        run(rustc().args(["--test", "--extern", "tree=libtree.rlib", "tests/figures.rs", "-o", "figures"]));
        let text = run(&mut Command::new(folder.join("figures")));
        assert!(text.contains(" 0 failed"), "{text}");
        fs::remove_dir_all(folder).expect("a folder");
    }
}

#[test]
fn printed_cuda_is_cpp_for_the_processor_too() {
    if !has("c++") {
        eprintln!("NOT TESTED: CUDA's text on the processor: no compiler of C++");
        return;
    }
    for seed in [0, 4, 9] {
        let precision = if seed == 9 { Precision::Single } else { Precision::Double };
        let made = module(&tree(seed), "tree", &all(), precision).expect("a module");
        let folder = write(&format!("cuda{seed}"), &printed(&made, "cuda"));
        let test = folder.join("test");
        run(Command::new("c++")
            .args(["-O1", "-Wall", "-Wextra", "-Werror"])
            .arg(folder.join("tree_test.cpp"))
            .arg("-o")
            .arg(&test));
        let text = run(&mut Command::new(&test));
        assert!(text.lines().last().is_some_and(|l| l.ends_with(", 0 failed") && !l.starts_with("0 ")), "{text}");
        fs::remove_dir_all(folder).expect("a folder");
    }
}

#[test]
fn what_cannot_be_made_is_told() {
    let told = |model: &str, quantity: &str| {
        let made = quantities(&[quantity]).and_then(|list| module(&read(model), "m", &list, Precision::Double));
        made.expect_err("an error").to_string()
    };
    let wrong = told(GEARED, "rneaa");
    assert!(wrong.contains("'rneaa' is no quantity") && wrong.contains("did you mean 'rnea'"), "{wrong}");
    assert!(quantities(&[]).err().is_some_and(|e| e.to_string().contains("no quantity is asked for")));
    let chain: String = (1..=301)
        .map(|k| {
            let before = if k == 1 { "ground".to_string() } else { format!("b{}", k - 1) };
            format!("bodies.b{k} = {{ mass = 1, inertia = [1, 1, 1] }}\njoints.j{k} = {{ type = \"revolute\", bodies = [\"{before}\", \"b{k}\"], at = [0, 0, 0], axis = \"z\" }}\n")
        })
        .collect();
    assert!(told(&chain, "crba").contains("301 velocities is too large"), "{}", told(&chain, "crba"));
    let loop_of_two = r#"
        gravity = [0, 0, -9.81]
        bodies.a = { mass = 1, inertia = [1, 1, 1] }
        joints.p = { type = "revolute", bodies = ["ground", "a"], at = [0, 0, 0], axis = "z" }
        joints.q = { type = "revolute", bodies = ["ground", "a"], at = [0, 0, 1], axis = "z" }
    "#;
    assert!(told(loop_of_two, "rnea").contains("loop"), "{}", told(loop_of_two, "rnea"));
    let free = "bodies.a = { mass = 1, inertia = [1, 1, 1] }\njoints.p = { type = \"revolute\", bodies = [\"ground\", \"a\"], at = [0, 0, 0], axis = \"z\" }";
    assert!(told(free, "rnea").contains("gravity"), "{}", told(free, "rnea"));
    let massless = free.replace("{ mass = 1, inertia = [1, 1, 1] }", "{}");
    assert!(told(&massless, "minverse").contains("mass or inertia"), "{}", told(&massless, "minverse"));
    let uneven = GEARED.replace("80*shoulder.angle", "sin(shoulder.angle)");
    assert!(told(&uneven, "rnea").contains("rotor 'motor'"), "{}", told(&uneven, "rnea"));
}
