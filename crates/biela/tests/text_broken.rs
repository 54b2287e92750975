//! Every model under `broken/` is refused with exactly the message kept beside it.
//!
//! `BLESS=1 cargo test --test text_broken` writes the messages anew; read the difference before keeping it.

use biela::text::{Document, Options};
use std::path::{Path, PathBuf};

fn models() -> Vec<PathBuf> {
    let folder = std::fs::read_dir("tests/broken").expect("tests run in the package's folder");
    let mut models: Vec<PathBuf> = folder
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml" || e == "urdf"))
        .collect();
    models.sort();
    models
}

fn message(path: &Path) -> String {
    // What is doubtful in files of other programs is an error here too.
    let options = Options { strict: true, ..Options::default() };
    match Document::read(path, &options).and_then(|document| document.compile(&options)) {
        Ok(_) => format!("{} is accepted\n", path.display()),
        Err(error) => format!("{error}\n"),
    }
}

#[test]
fn broken_models_are_explained() {
    let bless = std::env::var_os("BLESS").is_some();
    let models = models();
    assert!(models.len() >= 200, "only {} models found", models.len());
    let mut wrong = String::new();
    for path in models {
        let found = message(&path);
        let kept = path.with_extension("txt");
        if bless {
            std::fs::write(&kept, &found).expect("messages can be written");
        }
        let wanted = std::fs::read_to_string(&kept).unwrap_or_default().replace("\r\n", "\n");
        if found != wanted || found.ends_with("is accepted\n") {
            wrong.push_str(&format!("--- {}\nwanted:\n{wanted}found:\n{found}\n", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_message_names_its_place() {
    // Messages about whole files have no line.
    let whole = ["empty", "only_comments", "no_bodies"];
    for path in models() {
        let name = path.file_stem().map(|s| s.to_string_lossy().to_string()).unwrap_or_default();
        if whole.contains(&name.as_str()) {
            continue;
        }
        let found = message(&path);
        let line = [".toml:", ".urdf:", ".csv:"].iter().any(|place| found.contains(place))
            || found.contains(": line ")
            || found.contains("line ");
        assert!(line, "{name}: {found}");
    }
}
