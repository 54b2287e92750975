//! `biela linkage` and its quantities at the command line: words, JSON, drawings, measures, plots, and what is refused.

mod common;

use common::{biela, told, Folder};
use serde_json::Value;
use std::process::Output;

const BARS: &str = r#"
name = "bars"
planar = true
units = "mm, deg"
bodies.crank = {}
bodies.coupler = { points = { T = ["90 mm", "140 mm"] } }
bodies.rocker = {}
joints.A = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }
joints.B = { type = "revolute", bodies = ["crank", "coupler"], at = ["40 mm", 0] }
joints.C = { type = "revolute", bodies = ["coupler", "rocker"], at = ["140 mm", "80 mm"] }
joints.D = { type = "revolute", bodies = ["ground", "rocker"], at = ["160 mm", 0] }
drivers.motor = { joint = "A", value = "2*pi*t" }
run = { end = 1, steps = 60 }
"#;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    biela().args(arguments).current_dir(&folder.0).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_linkage_is_told_and_drawn() {
    let folder = Folder::new("linkage");
    folder.write("bars.toml", BARS);
    let text = said(&run(&folder, &["linkage", "bars.toml", "--at", "0.2", "-o", "bars.svg"]));
    for word in
        ["bars at t = 0.2 s", "A.angle = 72 deg", "Grashof class: crank-rocker", "time ratio", " mm", "wrote bars.svg"]
    {
        assert!(text.contains(word), "'{word}' in {text}");
    }
    assert!(!text.contains("e-1") && !text.contains("NaN"), "{text}");
    let svg = std::fs::read_to_string(folder.0.join("bars.svg")).expect("a drawing");
    for word in [
        "instant centres",
        "velocity polygon",
        "acceleration polygon",
        "pole curves",
        "ground · coupler",
        "crank · rocker",
    ] {
        assert!(svg.contains(word), "{word}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf\""));
    said(&run(&folder, &["linkage", "bars.toml", "-o", "bars.png", "--quiet"]));
    assert!(std::fs::read(folder.0.join("bars.png")).expect("a picture").starts_with(b"\x89PNG"));
    let json: Value = serde_json::from_str(&said(&run(&folder, &["linkage", "bars.toml", "--json"]))).expect("JSON");
    assert_eq!((&json["class"], json["centres"].as_array().map(Vec::len)), (&Value::from("crank-rocker"), Some(6)));
    // SI whatever the units: D stands at 160 mm.
    let of = |a: &str, b: &str| {
        json["centres"].as_array().unwrap().iter().find(|c| c["bodies"] == serde_json::json!([a, b])).unwrap()["at"][0]
            .as_f64()
            .unwrap()
    };
    assert!((of("ground", "rocker") - 0.16).abs() < 1e-12 && json["outputs"][0]["time_ratio"].as_f64().unwrap() > 1.0);
    assert_eq!(json["input"]["rate_assumed"], false);
    let check: Value = serde_json::from_str(&said(&run(&folder, &["check", "bars.toml", "--json"]))).expect("JSON");
    assert_eq!(check["class"], "crank-rocker");
    assert!(said(&run(&folder, &["check", "bars.toml"])).contains("four-bar: crank-rocker (Grashof)"));
}

#[test]
fn its_quantities_are_signals() {
    let folder = Folder::new("linkage-signals");
    folder.write("bars.toml", BARS);
    let text = said(&run(&folder, &["run", "bars.toml", "--quiet", "--measure", "worst = min(C.transmission)"]));
    assert!(text.starts_with("worst = ") && text.trim_end().ends_with("deg"), "{text}");
    said(&run(
        &folder,
        &["plot", "bars.toml", "--x", "ground.coupler.centre.x", "--y", "ground.coupler.centre.y", "-o", "pole.svg"],
    ));
    said(&run(
        &folder,
        &["run", "bars.toml", "--signals", "D.angle.advantage,crank.rocker.centre,coupler.inflection", "-o", "out.csv"],
    ));
    let table = std::fs::read_to_string(folder.0.join("out.csv")).expect("a table");
    let head = table.lines().next().unwrap_or("");
    assert!(head.contains("crank.rocker.centre.x [m]") && head.contains("D.angle.advantage [1]"), "{head}");
    let list = said(&run(&folder, &["signals", "bars.toml"]));
    assert!(list.contains("C.transmission") && list.contains("ground.coupler.centre.local.y"), "{list}");
    said(&run(&folder, &["view", "bars.toml", "-o", "bars.html"]));
    let page = std::fs::read_to_string(folder.0.join("bars.html")).expect("a page");
    assert!(page.contains("\"C.transmission\"") && page.contains("\"centres\":[{"), "the page has no centres");
    // Against a name with the bodies the other way round.
    let wrong = run(&folder, &["run", "bars.toml", "--signals", "coupler.ground.centre.x"]);
    assert!(!wrong.status.success() && told(&wrong).contains("coupler.ground.centre.x"), "{}", told(&wrong));
}

#[test]
fn what_is_no_planar_linkage_is_refused_with_advice() {
    let folder = Folder::new("linkage-refused");
    folder.write("bars.toml", BARS);
    let space = "bodies.arm = {}\nbodies.ball = {}\njoints.O = { type = \"revolute\", bodies = [\"ground\", \"arm\"], at = [0, 0, 0], axis = \"z\" }\n\
                 joints.S = { type = \"spherical\", bodies = [\"arm\", \"ball\"], at = [1, 0, 0] }\ndrivers.m = { joint = \"O\", value = \"t\" }\n";
    folder.write("space.toml", space);
    for (arguments, words) in [
        (&["linkage", "space.toml"][..], &["no planar linkage", "body 'ball'", "planar = true"][..]),
        (&["linkage", "bars.toml", "--at", "3"], &["lies outside", "--at"]),
        (&["linkage", "bars.toml", "-o", "bars.gif"], &["bars.gif"]),
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        words.iter().for_each(|word| assert!(told(&output).contains(word), "'{word}' in {}", told(&output)));
    }
    assert!(!folder.0.join("bars.gif").exists());
}
