//! Runs that end before their time, as a user of the program meets them: files up to there, the mark in each, the message, status 1.

mod common;

use common::{biela, told, Folder};
use serde_json::Value;

/// Crank 3, coupler 2.5, rocker 2, base 4: coupler and rocker lie in line at acos(4.75/24) = 78.5848 degrees.
const MODEL: &str = r#"
name = "triple-rocker"
[bodies.crank]
points = { A = [0, 0, 0], B = [3, 0, 0] }
[bodies.coupler]
points = { B = [0, 0, 0], C = [2.5, 0, 0] }
pose = { at = [3, 0, 0], angle = "80 deg", axis = [0, 0, 1] }
[bodies.rocker]
points = { D = [0, 0, 0], C = [2, 0, 0] }
pose = { at = [4, 0, 0], angle = "100 deg", axis = [0, 0, 1] }
[joints]
O = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], "A"], axis = [0, 0, 1] }
B = { type = "revolute", bodies = ["crank", "coupler"], at = ["B", "B"], axis = [0, 0, 1] }
C = { type = "revolute", bodies = ["coupler", "rocker"], at = ["C", "C"], axis = [0, 0, 1] }
D = { type = "revolute", bodies = ["ground", "rocker"], at = [[4, 0, 0], "D"], axis = [0, 0, 1] }
[drivers]
motor = { joint = "O", value = "10 deg + 2*t" }
[run]
end = 1
steps = 50
"#;

/// Roundings of an arc cosine and of the way to a dead centre.
const STOP: f64 = 1e-9;

fn limit() -> f64 {
    (4.75f64 / 24.0).acos()
}

#[test]
fn every_format_holds_the_samples_and_those_with_room_the_mark() {
    let folder = Folder::new("early-formats");
    folder.write("four.toml", MODEL);
    let ends = (limit() - 10f64.to_radians()) / 2.0;
    let samples = (ends / 0.02).floor() as usize + 1;
    let mark = |value: &Value| {
        assert_eq!(value["complete"], false);
        let ended = &value["ended"];
        assert_eq!((ended["reason"].as_str(), ended["driver"].as_str()), (Some("singular"), Some("motor")));
        assert!((ended["t"].as_f64().unwrap() - ends).abs() < STOP, "{ended}");
        assert!((ended["value"].as_f64().unwrap() - limit()).abs() < STOP, "{ended}");
    };
    for name in ["out.csv", "out.json", "out.npz", "out.parquet"] {
        let mut command = biela();
        command.current_dir(&folder.0).args(["run", "four.toml", "--json", "-o", name]);
        let done = command.output().unwrap();
        assert_eq!(done.status.code(), Some(1), "{}", told(&done));
        assert!(
            told(&done).contains("O.angle = 78.58 deg") && told(&done).contains("driver 'motor'"),
            "{}",
            told(&done)
        );
        let summary: Value = serde_json::from_slice(&done.stdout).expect("JSON");
        mark(&summary);
        assert_eq!((summary["samples"].as_u64(), summary["output"].as_str()), (Some(samples as u64), Some(name)));
        let bytes = folder.read(name);
        match name {
            "out.csv" => assert_eq!(String::from_utf8(bytes).unwrap().lines().count(), samples + 1),
            "out.json" => mark(&serde_json::from_slice(&bytes).unwrap()),
            // The comment of the archive is the last thing in it.
            "out.npz" => {
                let start = (0..bytes.len()).rev().find(|k| bytes[*k..].starts_with(b"{\"model\"")).expect("a comment");
                mark(&serde_json::from_slice(&bytes[start..]).unwrap());
            }
            _ => {
                let has = |text: &[u8]| bytes.windows(text.len()).any(|w| w == text);
                assert!(has(b"complete") && has(b"ended") && has(b"\"reason\":\"singular\""));
            }
        }
    }
    // A run that comes to its end says so.
    let mut command = biela();
    command.current_dir(&folder.0).args(["run", "four.toml", "--json", "--end", "0.5", "-o", "whole.json"]);
    let done = command.output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    let told: Value = serde_json::from_slice(&done.stdout).unwrap();
    let whole: Value = serde_json::from_slice(&folder.read("whole.json")).unwrap();
    assert!([&told, &whole].iter().all(|v| v["complete"] == true && v.get("ended").is_none()));
}

#[test]
fn pictures_plots_and_reports_hold_the_motion_until_there() {
    let folder = Folder::new("early-pictures");
    folder.write("four.toml", MODEL);
    for arguments in [
        &["view", "four.toml", "-o", "page.html", "--gif", "motion.gif", "--width", "64"][..],
        &["plot", "four.toml", "--y", "D.angle", "-o", "plot.svg"],
        &["report", "four.toml", "-o", "report.html"],
    ] {
        let done = biela().current_dir(&folder.0).args(arguments).output().unwrap();
        assert_eq!(done.status.code(), Some(1), "{arguments:?}: {}", told(&done));
        assert!(told(&done).contains("O.angle = 78.58 deg"), "{}", told(&done));
    }
    assert_eq!(folder.names(), ["four.toml", "motion.gif", "page.html", "plot.svg", "report.html"]);
    let text = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    assert!(text("page.html").contains("the run ends early at O.angle = 78.58 deg"));
    assert!(text("report.html").contains("the run ends early at O.angle = 78.58 deg"));
    // The part that there is was verified.
    assert!(text("report.html").contains("Solved independently by"), "{}", text("report.html"));
}

#[test]
fn a_run_that_fails_at_its_first_sample_leaves_nothing() {
    let folder = Folder::new("early-first");
    folder.write("four.toml", MODEL.replace("10 deg + 2*t", "100 deg + 2*t"));
    let done = biela().current_dir(&folder.0).args(["run", "four.toml", "-o", "out.json"]).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(folder.names(), ["four.toml"]);
    assert!(done.stdout.is_empty(), "{}", String::from_utf8_lossy(&done.stdout));
}
