//! `biela optimise`: files that are whole, the same report for any number of threads, status 1 where limits cannot be kept.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn biela(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_biela")).args(arguments).current_dir(folder).output().unwrap()
}

fn model(name: &str) -> String {
    format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("biela-optimise-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn points_from_a_table_a_model_and_a_picture() {
    let folder = folder("table");
    // Points of a slider-crank with crank 2.2 and rod 4, where the model has 2 and 3.5.
    let at = |t: f64| {
        let (s, c) = (std::f64::consts::FRAC_PI_4 + std::f64::consts::TAU * t).sin_cos();
        2.2 * c + (16.0 - (2.2 * s).powi(2)).sqrt()
    };
    let rows: String = [0.0, 0.1, 0.3, 0.55].iter().map(|t| format!("{t},{}\n", at(*t))).collect();
    std::fs::write(folder.join("points.csv"), format!("t [s],piston.x [m]\n{rows}")).unwrap();
    let slider = model("slider-crank");
    let common = ["--vary", "crank=1:3", "--vary", "rod=3:6", "--fit", "points.csv", "--starts", "2", "--samples", "8"];
    let mut arguments = vec!["optimise", slider.as_str()];
    arguments.extend(common);
    let files = ["-o", "best.toml", "--plot", "best.svg"];
    let done = biela(&folder, &[&arguments[..], &files].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("wrote best.toml"));
    let best = std::fs::read_to_string(folder.join("best.toml")).unwrap();
    let value = |name: &str| -> f64 {
        let line = best.lines().find(|l| l.starts_with(name)).unwrap();
        let value = line.split(['=', '#']).nth(1).unwrap().trim().trim_matches('"');
        value.trim_end_matches(" m").parse().unwrap()
    };
    assert!((value("crank") - 2.2).abs() < 1e-8 && (value("rod") - 4.0).abs() < 1e-8, "{best}");
    assert!(std::fs::read_to_string(folder.join("best.svg")).unwrap().contains("wanted"));
    let report =
        |threads: &str| text(&biela(&folder, &[&arguments[..], &["--json", "--threads", threads]].concat()).stdout);
    assert_eq!(report("1"), report("3"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_is_told() {
    let folder = folder("told");
    let balanced = model("balanced-slider-crank");
    let few = ["--starts", "1", "--samples", "1"];
    let limit = ["optimise", balanced.as_str(), "--limit", "side = max(abs(guide.fy)) <= 1 N"];
    let done = biela(&folder, &[&limit[..], &few].concat());
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("no design keeps all limits") && text(&done.stdout).contains("oversteps"));
    for (arguments, told) in [
        (vec!["optimise", &balanced, "-o", "best.json"], "does not end in .toml"),
        (vec!["optimise", &balanced, "--plot", "best.pdf"], "pdf"),
        (vec!["optimise", &balanced, "--fit", "none.csv"], "none.csv"),
    ] {
        let done = biela(&folder, &arguments);
        assert_eq!(done.status.code(), Some(1), "{arguments:?}");
        assert!(text(&done.stderr).contains(told), "{arguments:?}: {}", text(&done.stderr));
    }
    let done = biela(&folder, &["optimise", &balanced, "--vary", "rod"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("has no '='"), "{}", text(&done.stderr));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
    std::fs::remove_dir_all(folder).unwrap();
}
