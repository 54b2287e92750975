//! docs/commands.md keeps up with the program: every command and option is named. (The book's tests run its examples.)

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn biela(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_biela")).args(arguments).current_dir(folder).output().expect("the program starts")
}

fn help(arguments: &[&str]) -> String {
    String::from_utf8(biela(arguments, &root()).stdout).expect("UTF-8")
}

/// Commands that `biela --help` lists.
fn commands() -> Vec<String> {
    let text = help(&["--help"]);
    let list = text.split("Commands:\n").nth(1).expect("a list of commands").split("\n\n").next().unwrap_or("");
    list.lines().filter_map(|l| l.split_whitespace().next()).filter(|c| *c != "help").map(str::to_string).collect()
}

#[test]
fn every_command_and_option_is_documented() {
    let text = std::fs::read_to_string(root().join("docs/commands.md")).expect("a document");
    let commands = commands();
    assert!(commands.len() >= 5, "{commands:?}");
    let mut missing = BTreeSet::new();
    for command in &commands {
        if !text.contains(&format!("`{command}`")) {
            missing.insert(command.clone());
        }
        let help = help(&[command, "--help"]);
        for word in help.split_whitespace().filter(|w| w.starts_with("--")) {
            let option: String = word.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
            if option != "--help" && option != "--" && !text.contains(&option) {
                missing.insert(format!("{command} {option}"));
            }
        }
    }
    assert!(missing.is_empty(), "docs/commands.md does not explain: {missing:?}");
}

/// `verify = true` in `[run]`: the figure stands in the summary and in every result file that can hold notes. A CSV is a bare
/// table and cannot.
#[test]
fn the_figure_of_verification_is_in_summary_and_result_files() {
    let folder = std::env::temp_dir().join(format!("biela-verified-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = std::fs::read_to_string(root().join("models/slider-crank.toml")).expect("a model");
    let text = text.replace("[run]", "[run]\nverify = true");
    std::fs::write(folder.join("verified.toml"), text).expect("a file");
    for ending in ["json", "npz", "parquet", "csv"] {
        let file = format!("out.{ending}");
        let output = biela(&["run", "verified.toml", "-o", &file], &folder);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        let figure = said.lines().find_map(|l| l.strip_prefix("verified by ")).expect("a figure in the summary");
        for word in ["absolute, natural, relative", "position ", "velocity ", "acceleration "] {
            assert!(figure.contains(word), "{figure}");
        }
        let bytes = std::fs::read(folder.join(&file)).expect("a result");
        let holds = bytes.windows(figure.len()).any(|w| w == figure.as_bytes());
        assert_eq!(holds, ending != "csv", "{ending}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
