//! Exit status and message of runs that must not go on.

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(name: &str, text: &str, more: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a folder to write in");
    let mut command = Command::new(env!("CARGO_BIN_EXE_biela"));
    command.arg("run").arg(&path).args(more).output().expect("the program starts")
}

/// A stiff spring with steps of RK4 far too long ends with status 1 and says how the energy went; what is written is the start alone.
#[test]
fn a_step_too_long_for_a_stiff_spring_ends_with_the_energy() {
    let text = r#"
gravity = [0, 0, 0]
[bodies.cart]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.rail]
type = "prismatic"
bodies = ["ground", "cart"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [[1, 0, 0], [1, 0, 0]]
[forces.spring]
type = "joint-spring"
joint = "rail"
stiffness = 1e6
[initial]
"rail.slide" = 0.1
[run]
analysis = "dynamics"
method = "rk4"
step = 0.01
end = 1
"#;
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stiff.csv");
    let _ = std::fs::remove_file(&out);
    let found = run("stiff.toml", text, &["-o", out.to_str().expect("a path")]);
    let message = String::from_utf8_lossy(&found.stderr).into_owned();
    assert_eq!(found.status.code(), Some(1), "{message}");
    assert!(message.contains("energy is not conserved") && message.contains("step"), "{message}");
    let rows = std::fs::read_to_string(&out).expect("samples up to there");
    assert_eq!(rows.lines().count(), 2, "{rows}");
    // The implicit method with a step short enough has no trouble.
    let found = run("stiff-alpha.toml", &text.replace("rk4", "alpha").replace("step = 0.01", "step = 0.0001"), &[]);
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
}

/// Coordinates that cannot tell joint forces say which can.
#[test]
fn formulations_without_forces_advise() {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/four-bar.toml");
    for formulation in ["natural", "relative-matrix", "homogeneous"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_biela"));
        command.arg("run").arg(&model).args(["--analysis", "inverse-dynamics", "--formulation", formulation]);
        let found = command.output().expect("the program starts");
        let message = String::from_utf8_lossy(&found.stderr).into_owned();
        assert_eq!(found.status.code(), Some(1), "{message}");
        assert!(message.contains("use absolute or relative"), "{message}");
    }
}

/// What the command line has wrong by itself is wrong usage, and is not blamed on the file.
#[test]
fn wrong_usage_ends_with_status_2_and_points_at_no_line() {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/four-bar.toml");
    let ends = |more: &[&str]| {
        let found = Command::new(env!("CARGO_BIN_EXE_biela")).arg("run").arg(&model).args(more).output();
        let found = found.expect("the program starts");
        (found.status.code(), String::from_utf8_lossy(&found.stderr).into_owned())
    };
    for (more, due) in [
        (["--set", "crank"], "has no '='"),
        (["--drive", "A"], "has no '='"),
        (["--gravity", "1"], "three numbers"),
        (["--gravity", "1,2,nan"], "three numbers"),
    ] {
        let (code, message) = ends(&more);
        assert!(code == Some(2) && message.contains(due), "{more:?}: {code:?} {message}");
    }
    for (more, due) in [
        (["--steps", "0"], "--steps: the number of steps"),
        (["--end", "-1"], "--end: the run ends at -1 s"),
        (["--end", "inf"], "--end: times are finite"),
        (["--start", "nan"], "--start: times are finite"),
    ] {
        let (code, message) = ends(&more);
        assert!(code == Some(1) && message.contains(due) && !message.contains(".toml:"), "{more:?}: {message}");
    }
}

/// No command writes over what it reads.
#[test]
fn what_is_read_is_not_replaced() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let arm = "# convention: standard\na,alpha,d,theta,type\n0.1,0.2,0.3,0,R\n";
    std::fs::write(folder.join("own.csv"), arm).expect("a folder to write in");
    for command in
        [&["run", "own.csv", "--drive", "joint1=t", "-o", "./own.csv"][..], &["convert", "own.csv", "-o", "own.csv"]]
    {
        let mut program = Command::new(env!("CARGO_BIN_EXE_biela"));
        let found = program.args(command).current_dir(&folder).output().expect("the program starts");
        let message = String::from_utf8_lossy(&found.stderr).into_owned();
        assert!(found.status.code() == Some(2) && message.contains("would be replaced"), "{command:?}: {message}");
        assert_eq!(std::fs::read_to_string(folder.join("own.csv")).expect("the table"), arm);
    }
}

/// A body may be called 1: '1.e0' is a signal, though it reads like a number.
#[test]
fn names_that_read_like_numbers_are_written_and_read_back() {
    let text =
        "[bodies.1]\n[joints.J]\ntype = \"revolute\"\nbodies = [\"ground\", \"1\"]\nat = [0, 0, 0]\naxis = \"z\"\n\
                [drivers.d]\njoint = \"J\"\nvalue = \"t\"\n[run]\nend = 1\nsteps = 2\n";
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("one.csv");
    let found = run("one.toml", text, &["-o", out.to_str().expect("a path")]);
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
    assert!(std::fs::read_to_string(&out).expect("a table").contains("1.e0 [1]"));
    let mut plot = Command::new(env!("CARGO_BIN_EXE_biela"));
    let found = plot.arg("plot").arg(&out).args(["--y", "1.e0", "--term"]).output().expect("the program starts");
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
}

/// Commands that look at a model take every shipped one. What its runs give is in `docs/models-by-analysis.md`.
#[test]
fn every_command_takes_every_shipped_model() {
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let entries = |folder: PathBuf| std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let shipped = entries(models.clone()).filter(|p| p.extension().is_some_and(|e| e == "toml"));
    let paths: Vec<PathBuf> = shipped.chain(entries(models.join("thesis"))).collect();
    assert!(paths.len() >= 41);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let page = folder.join("shipped.html").display().to_string();
    // `report` has the findings of `check` in it.
    let commands: [&[&str]; 4] = [
        &["verify", "--all", "--steps", "5"],
        &["assemble"],
        &["report", "--steps", "5", "-o", &page],
        &["view", "--steps", "5", "-o", &page],
    ];
    for path in &paths {
        for command in commands {
            let mut program = Command::new(env!("CARGO_BIN_EXE_biela"));
            let found = program.arg(command[0]).arg(path).args(&command[1..]).output().expect("the program starts");
            let message = String::from_utf8_lossy(&found.stderr).into_owned();
            assert_eq!(found.status.code(), Some(0), "{command:?} of {}: {message}", path.display());
        }
    }
}

/// An option that would put one value in place of another given beside it is wrong usage, whichever way it may be repeated.
#[test]
fn what_is_given_twice_is_wrong_usage() {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/four-bar.toml");
    let ends = |command: &str, more: &[&str]| {
        let found = Command::new(env!("CARGO_BIN_EXE_biela")).arg(command).arg(&model).args(more).output();
        let found = found.expect("the program starts");
        (found.status.code(), String::from_utf8_lossy(&found.stderr).into_owned())
    };
    for (command, more) in [
        ("run", &["--set", "crank=2", "--set", "crank = 3"][..]),
        ("run", &["--drive", "A=t", "--drive", "A=2*t"]),
        ("run", &["--end", "1", "--end", "2"]),
        ("run", &["--steps", "10", "--steps", "20"]),
        ("run", &["--analysis", "statics", "--analysis", "dynamics"]),
        ("check", &["--json", "--json"]),
        ("sweep", &["--vary", "crank=1:2:3", "--vary", "crank=1:3:3", "--measure", "a=max(B.angle)"]),
        ("sweep", &["--vary", "crank=1:2:3", "--measure", "a=max(B.angle)", "--measure", "a=min(B.angle)"]),
    ] {
        let (code, message) = ends(command, more);
        assert_eq!(code, Some(2), "{command} {more:?}: {message}");
    }
    // Several runs to compare, and several parameters, are no repetition.
    let (code, message) = ends("run", &["--set", "crank=2", "--set", "rocker=5"]);
    assert_eq!(code, Some(0), "{message}");
}

/// A time outside of the motion has no picture.
#[test]
fn a_still_outside_of_the_motion_is_refused() {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/slider-crank.toml");
    let still = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("outside.svg");
    let _ = std::fs::remove_file(&still);
    let view = |more: &[&str]| {
        let found = Command::new(env!("CARGO_BIN_EXE_biela")).arg("view").arg(&model).args(more).output();
        let found = found.expect("the program starts");
        (found.status.code(), String::from_utf8_lossy(&found.stderr).into_owned())
    };
    let path = still.to_str().expect("a path");
    for at in ["1.5", "-0.1", "nan"] {
        let (code, message) = view(&["--still", path, "--at", at]);
        assert!(code == Some(1) && message.contains("the motion runs from t = 0 s to 1 s"), "{at}: {message}");
    }
    assert!(!still.exists());
    assert_eq!(view(&["--at", "0.5"]).0, Some(1));
    assert_eq!(view(&["--still", path, "--at", "1"]).0, Some(0));
}

/// What is told of a model reaches terminal, JSON of `check` and the notes of results, and nothing in it turns the sense of reading.
#[test]
fn warnings_reach_terminal_and_files() {
    let text = "name = \"tool\\u202Egnp\"\ngravity = [0, 0, -9.81]\n[parameters]\nh = 2\n[bodies.bob]\nmass = 1\ncom = [1, 0, 0]\n\
                [joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"bob\"]\nat = [0, 0, 0]\naxis = \"z\"\n\
                [drivers.motor]\njoint = \"O\"\nvalue = \"h*t\"\n[run]\nanalysis = \"inverse-dynamics\"\nend = 1\nsteps = 4\n";
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("told.json");
    let found = run("told.toml", text, &["-o", out.to_str().expect("a path")]);
    let (stdout, stderr) = (String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&found.stderr));
    assert_eq!(found.status.code(), Some(0), "{stderr}");
    assert!(!stdout.contains('\u{202e}') && !stderr.contains('\u{202e}'), "{stdout}{stderr}");
    let told = ["body 'bob' has mass but no inertia", "'h' is also a unit", "'name' holds characters"];
    assert!(told.iter().all(|part| stderr.contains(part)), "{stderr}");
    let written: serde_json::Value = serde_json::from_slice(&std::fs::read(&out).expect("a file")).expect("JSON");
    let notes = written["notes"]["warning"].as_array().expect("a list").iter().map(|t| t.as_str().unwrap_or(""));
    let notes: Vec<&str> = notes.collect();
    assert!(told.iter().all(|part| notes.iter().any(|n| n.contains(part))), "{notes:?}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let check =
        Command::new(env!("CARGO_BIN_EXE_biela")).arg("check").arg(folder.join("told.toml")).arg("--json").output();
    let check: serde_json::Value = serde_json::from_slice(&check.expect("the program starts").stdout).expect("JSON");
    assert_eq!(check["warnings"].as_array().map(Vec::len), Some(3), "{check}");
}

/// A moment that nothing balances about an idle line is told on the terminal whatever is written, and in files that hold notes; a table of
/// comma-separated values stays a table.
#[test]
fn unbalanced_moments_reach_terminal_and_files() {
    let shipped = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/rssr.toml");
    let text = std::fs::read_to_string(shipped).expect("a shipped model");
    let start = text.find("[bodies.rod]").expect("a rod");
    let end = start + text[start..].find("points").expect("its points");
    let rod = "[bodies.rod]\nmass = 3\ncom = [1.5, 1.0, 1.25]\ninertia = [1, 1, 1]\n";
    let off = format!("{}{rod}{}", &text[..start], &text[end..]);
    let told = "nothing balances a moment";
    for analysis in ["statics", "inverse-dynamics"] {
        for ending in ["csv", "json"] {
            let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("unbalanced-{analysis}.{ending}"));
            let found = run("unbalanced.toml", &off, &["--analysis", analysis, "-o", out.to_str().expect("a path")]);
            let message = String::from_utf8_lossy(&found.stderr).into_owned();
            assert_eq!(found.status.code(), Some(0), "{message}");
            assert!(message.contains(told) && message.contains("'rod'"), "{message}");
            let written = std::fs::read_to_string(&out).expect("a file");
            assert_eq!(written.contains(told), ending == "json", "{ending}");
        }
    }
}

/// What `check` calls fixed does not run, and both say the same.
#[test]
fn what_is_fixed_does_not_run() {
    let pin = |name: &str, i: &str, j: &str, x: f64, y: f64| {
        format!("joints.{name} = {{ type = \"revolute\", bodies = [\"{i}\", \"{j}\"], at = [{x}, {y}, 0], axis = \"z\" }}\n")
    };
    // Watt's linkage, its middle point held on the line that it nearly follows.
    let text = [
        "gravity = [0, -9.81, 0]\nbodies.a = {}\nbodies.b = {}\nbodies.c = {}\n".to_string(),
        pin("A", "ground", "a", -0.2, 0.05),
        pin("B", "a", "c", 0.0, 0.05),
        pin("C", "c", "b", 0.0, -0.05),
        pin("D", "ground", "b", 0.2, -0.05),
        "joints.M = { type = \"point-on-line\", bodies = [\"ground\", \"c\"], at = [0, 0, 0], axis = \"y\" }\n".into(),
        "drivers.m = { joint = \"A\", value = \"1 deg * t\" }\n".into(),
    ]
    .concat();
    let words = "1 freedom only for an infinitely small motion";
    let found = run("watt.toml", &text, &[]);
    let message = String::from_utf8_lossy(&found.stderr).into_owned();
    assert_eq!(found.status.code(), Some(1), "{message}");
    assert!(message.contains("fixed") && message.contains(words), "{message}");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("watt.toml");
    let told = Command::new(env!("CARGO_BIN_EXE_biela")).arg("check").arg(path).output().expect("the program starts");
    let report = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(report.contains("fixed") && report.contains(words), "{report}");
}

/// Pages with sliders: for what no driver moves, and for parameters; ranges that are none are told with their place.
#[test]
fn pages_have_sliders() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (model, page) = (folder.join("undriven.toml"), folder.join("sliders.html"));
    let shipped = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/four-bar.toml");
    let text = std::fs::read_to_string(&shipped).expect("a shipped model");
    let cut = text.find("[drivers").expect("drivers");
    std::fs::write(&model, &text[..cut]).expect("a file");
    let view = |model: &PathBuf, more: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_biela"));
        let found =
            program.arg("view").arg(model).arg("-o").arg(&page).args(more).output().expect("the program starts");
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (found.status.code(), said(&found.stdout), said(&found.stderr))
    };
    let data = || {
        let html = std::fs::read_to_string(&page).expect("a page");
        let start = html.find("id=\"data\">").expect("data") + 10;
        let end = start + html[start..].find("</script>").expect("an end");
        serde_json::from_str::<serde_json::Value>(&html[start..end]).expect("JSON")
    };
    let (code, said, message) = view(&model, &[]);
    assert!(code == Some(0) && said.contains("1 of 1 freedom(s) have no driver"), "{said}{message}");
    let hand = &data()["hand"]["coordinates"];
    let names = hand.as_array().into_iter().flatten().filter(|c| c["independent"] == true).map(|c| c["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["A.angle"]);
    // A motion needs no hand. All combinations are there; with too long a coupler it is said why not.
    let (code, said, message) = view(&shipped, &["--vary", "crank = 1..2 : 3", "--vary", "coupler=8..30:2"]);
    assert!(code == Some(0) && said.contains("6 motions"), "{said}{message}");
    let data = data();
    assert!(data["hand"].is_null());
    let cases = data["varied"]["cases"].as_array().expect("cases");
    assert_eq!(cases.iter().filter(|c| c["data"].is_object()).count(), 3);
    assert!(cases.iter().filter(|c| c["at"][1] == 1).all(|c| c["why"].is_string()));
    for (asked, due) in [
        ("crnk = 1..2", "did you mean 'crank'"),
        ("crank = 1", "is no range"),
        ("crank = 2..1", "from a lesser to a greater"),
        ("crank = 1..2 : 1", "a whole number from 2"),
        ("crank = 1..2 : 300", "a whole number from 2"),
        ("crank", "a parameter and its range"),
    ] {
        let (code, _, message) = view(&shipped, &["--vary", asked]);
        assert!(code == Some(1) && message.contains(due), "{asked}: {message}");
    }
}
