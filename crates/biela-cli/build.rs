//! Puts every shipped model into the program, for `biela new`. The folder `models` beside this file is a link to that of the
//! repository, and in a source package the folder itself.

use std::fmt::Write;
use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("models");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are no models in {}", folder.display());
    let mut code = String::from(
        "/// Models inside the program: name and text.\npub(super) static TEMPLATES: &[(&str, &str)] = &[\n",
    );
    for file in files {
        let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let path = file.canonicalize().unwrap_or(file);
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    code.push_str("];\n");
    let out = PathBuf::from(std::env::var("OUT_DIR").unwrap_or_default()).join("templates.rs");
    if let Err(error) = std::fs::write(&out, code) {
        panic!("cannot write {}: {error}", out.display());
    }
}
