//! The C interface as others see it: header and exports agree, and the samples compile without a warning and do what they say.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Names that begin with a word and stand before a bracket.
fn names(text: &str, mark: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start();
        if let Some(at) = line.find(mark).filter(|_| !line.starts_with('*') && !line.starts_with("/*")) {
            let rest = &line[at + mark.len() - "biela_".len()..];
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if rest[name.len()..].starts_with('(') {
                found.push(name);
            }
        }
    }
    found.sort();
    found
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn header_and_exports_agree() {
    let header = std::fs::read_to_string(folder().join("include/biela.h")).unwrap();
    let source = std::fs::read_to_string(folder().join("src/c.rs")).unwrap();
    let declared: Vec<String> = header
        .lines()
        .filter(|line| line.contains(");"))
        .flat_map(|line| names(&line.replace('*', " "), "biela_"))
        .collect();
    let mut declared = declared;
    declared.sort();
    let defined = names(&source, "extern \"C\" fn biela_");
    assert!(defined.len() > 30, "{defined:?}");
    assert_eq!(declared, defined);
}

/// The library as Cargo has built it for this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent().unwrap();
    [deps.join("libbiela_c.so"), deps.parent().unwrap().join("libbiela_c.so")]
        .into_iter()
        .find(|path| path.is_file())
        .expect("Cargo builds the library beside its tests")
}

/// Compiles a sample by a compiler, if there is one, and runs it.
fn sample(compiler: &str, file: &str, flags: &[&str]) {
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("NOT TESTED: {file}: no {compiler}");
        return;
    }
    let library = library();
    let at = library.parent().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file.replace('.', "_"));
    let made = Command::new(compiler)
        .args(flags)
        .args(["-Wall", "-Wextra", "-Werror"])
        .arg("-I")
        .arg(folder().join("include"))
        .arg(folder().join("samples").join(file))
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", at.display()))
        .arg("-lm")
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let done = Command::new(&program).output().unwrap();
    assert!(
        done.status.success(),
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn the_sample_in_c_compiles_and_runs() {
    sample("gcc", "slider_crank.c", &["-std=c99"]);
}

#[test]
fn the_sample_in_cpp_compiles_and_runs() {
    sample("g++", "pendulum.cpp", &["-std=c++11"]);
}
