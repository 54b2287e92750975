//! The workflows of continuous integration can be read, name files that exist, and keep the promises of Cargo.toml.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every workflow: its name and its text.
fn workflows() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join(".github/workflows")).expect("a folder of workflows");
    let paths = entries.map(|e| e.expect("an entry").path());
    let mut found: Vec<(String, String)> = paths
        .map(|p| {
            (p.file_name().unwrap_or_default().to_string_lossy().into_owned(), fs::read_to_string(p).expect("a text"))
        })
        .collect();
    found.sort();
    found
}

/// What is wrong with the form of a text in the plain part of YAML that workflows keep to: blocks of `key: value` and `- item`,
/// each level two blanks deeper than the one before.
fn fault(text: &str) -> Option<String> {
    let mut open = vec![(0, false)]; // Columns of the blocks that a line stands in, and whether they are lists.
    let mut opens = false; // Whether the line before asks for a block.
    for (k, whole) in text.lines().enumerate() {
        let told = |what: &str| Some(format!("line {}: {what}: {whole}", k + 1));
        if whole.trim().is_empty() || whole.trim_start().starts_with('#') {
            continue;
        }
        if whole.contains('\t') || whole.ends_with(' ') {
            return told("a tab, or a blank at the end");
        }
        let mut line = whole.trim_start_matches(' ');
        let mut column = whole.len() - line.len();
        let deepest = open.last().map_or(0, |o| o.0);
        if column > deepest && !(opens && column == deepest + 2) {
            return told("deeper than it should be");
        }
        if column <= deepest && opens {
            return told("the line before has nothing in it");
        }
        open.retain(|o| o.0 <= column);
        let item = line.starts_with("- ");
        match open.last() {
            Some((at, list)) if *at == column && *list != item => {
                return told("a key among items, or an item among keys")
            }
            Some((at, _)) if *at == column => {}
            _ if opens => open.push((column, item)),
            _ => return told("in no block"),
        }
        if item {
            (line, column) = (&line[2..], column + 2);
            open.push((column, false));
        }
        let Some((key, value)) = line.split_once(':') else { return told("no key") };
        if key.is_empty()
            || !key.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == '_' || c.is_ascii_uppercase())
        {
            return told("no key");
        }
        if !value.is_empty() && !value.starts_with(' ') {
            return told("no blank after the colon");
        }
        let pairs = [('[', ']'), ('{', '}')];
        if value.matches('"').count() % 2 == 1
            || pairs.iter().any(|p| value.matches(p.0).count() != value.matches(p.1).count())
        {
            return told("something is not closed");
        }
        // Such a value would be cut off or read as a map.
        let plain = !value.trim_start().starts_with(['"', '[']);
        if plain && (value.contains(" #") || value.trim_start().contains(": ")) {
            return told("a value that needs quotes");
        }
        // A trigger may have no settings.
        opens = value.is_empty() && key != "pull_request";
    }
    None
}

#[test]
fn workflows_can_be_read() {
    let found = workflows();
    assert_eq!(found.iter().map(|f| f.0.as_str()).collect::<Vec<_>>(), ["release.yml", "test.yml"]);
    for (name, text) in &found {
        assert_eq!(fault(text), None, "{name}");
        for key in ["name:", "on:", "permissions:", "jobs:"] {
            assert!(text.lines().any(|l| l.starts_with(key)), "{name} has no {key}");
        }
    }
}

#[test]
fn faults_of_form_are_found() {
    let right = "on:\n  push:\n    tags: [\"v*\"]\njobs:\n  a:\n    steps:\n      - uses: b\n        with:\n          c: d\n      - run: e\n";
    assert_eq!(fault(right), None);
    for (from, to) in [
        ("    tags", "\ttags"),
        ("    tags", "   tags"),
        ("    tags", "      tags"),
        ("[\"v*\"]", "[\"v*]"),
        ("[\"v*\"]", "[\"v*\""),
        ("- run: e", "- run e"),
        ("      - run: e", "      run: e"),
        ("      - run: e", "     - run: e"),
        ("- run: e", "- run: e: f"),
        ("        with:\n", ""),
        ("          c: d\n", ""),
        ("c: d", "c:d"),
    ] {
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right);
        assert!(fault(&wrong).is_some(), "{wrong}");
    }
}

#[test]
fn workflows_call_what_is_there_with_the_oldest_rust_promised() {
    let text: String = workflows().into_iter().map(|w| w.1).collect();
    for script in ["./test", "release/release.sh"] {
        assert!(text.contains(&format!("- run: {script}\n")), "{script}");
        assert!(root().join(script).is_file(), "{script}");
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let oldest = manifest.lines().find_map(|l| l.strip_prefix("rust-version = ")).expect("a rust-version");
    assert!(text.contains(&format!("rust: [{oldest}, stable]")), "the matrix has not Rust {oldest}");
    // The targets of the script are those that the workflow installs.
    let script = fs::read_to_string(root().join("release/release.sh")).expect("a script");
    let targets = script.lines().find_map(|l| l.strip_prefix("targets=(")?.strip_suffix(')')).expect("targets");
    assert!(text.contains(&format!("rustup target add {targets}\n")), "the workflow does not add {targets}");
}
