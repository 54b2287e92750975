//! `biela synthesise`: designs as files that run, the contract of its JSON, status 1 where there is nothing.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn biela(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_biela")).args(arguments).current_dir(folder).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("biela-synthesise-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn designs_are_models_and_a_sheet() {
    let folder = folder("designs");
    let task = "[synthesise]\nkind = \"motion\"\nposes = [[0, 0, 0], [1.5, 0.5, \"20 deg\"], [2.4, 1.2, \"45 deg\"], \
                [2.6, 2.3, \"70 deg\"], [2, 3.2, \"95 deg\"]]";
    std::fs::write(folder.join("task.toml"), task).unwrap();
    let done = biela(&folder, &["synthesise", "task.toml", "-o", "designs", "--plot", "sheet.svg"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("4 roots, 4 solutions, 4 of them real; proved to be all"));
    assert!(std::fs::read_to_string(folder.join("sheet.svg")).unwrap().contains("curve 1"));
    for k in 1..=6 {
        let file = format!("designs/design-{k:03}.toml");
        for command in ["check", "run"] {
            let done = biela(&folder, &[command, &file]);
            assert!(done.status.success(), "{file}: {}", text(&done.stderr));
        }
    }
    // The same, whatever the number of threads.
    let json =
        |threads: &str| text(&biela(&folder, &["synthesise", "task.toml", "--json", "--threads", threads]).stdout);
    let told = json("1");
    assert_eq!(told, json("3"));
    let found: Value = serde_json::from_str(&told).unwrap();
    let count = |key: &str| found[key].as_u64().unwrap();
    assert_eq!((count("roots"), count("complex"), count("real")), (4, 4, 4));
    assert_eq!(found["complete"], Value::Bool(true));
    let designs = found["designs"].as_array().unwrap();
    assert_eq!(designs.len(), 6);
    for (k, design) in designs.iter().enumerate() {
        assert!(design["curve"].is_u64() && design["parameters"]["crank"].as_f64().unwrap() > 0.0);
        let written = std::fs::read_to_string(folder.join(format!("designs/design-{:03}.toml", k + 1))).unwrap();
        assert_eq!(design["model"].as_str().unwrap(), written);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_is_told() {
    let folder = folder("told");
    let poses = |list: &str, more: &str| format!("[synthesise]\nkind = \"motion\"\nposes = {list}\n{more}");
    // A body that turns about one point, and one that does not turn.
    let turning = "[[0, 0, 0], [0, 0, 0.2], [0, 0, 0.5], [0, 0, 0.7], [0, 0, 1]]";
    let gliding = "[[0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 3, 0], [4, 0, 0]]";
    let five = "[[0, 0, 0], [1.5, 0.5, 0.35], [2.4, 1.2, 0.8], [2.6, 2.3, 1.2], [2, 3.2, 1.7]]";
    for (list, more, part) in [
        (turning, "", "error"),
        (gliding, "", "error"),
        (five, "limits = { transmission = \"89 deg\" }", "the limits refuse all"),
        (five, "limits = { transmision = 1 }", "did you mean 'transmission'?"),
        (five, "given = { \"A.x\" = 1 }", "5 positions leave 0 of A.x, A.y to be chosen"),
    ] {
        std::fs::write(folder.join("task.toml"), poses(list, more)).unwrap();
        let done = biela(&folder, &["synthesise", "task.toml"]);
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stdout));
        assert!(text(&done.stderr).contains(part), "{}", text(&done.stderr));
    }
    let done = biela(&folder, &["synthesise", "task.toml", "--plot", "sheet.pdf"]);
    assert!(done.status.code() == Some(1) && text(&done.stderr).contains("pdf"));
    std::fs::remove_dir_all(folder).unwrap();
}
