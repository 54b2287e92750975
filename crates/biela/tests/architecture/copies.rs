//! Solvers make cases of a model, and copy none.

use super::{code, root, sources};
use std::collections::BTreeSet;
use std::fs;

/// What makes a case of a model.
const CASE_MAKERS: &[&str] =
    &[".with_drivers(", ".with_more_drivers(", ".with_study(", ".with_guess(", ".released(", ".near(", "with_tool("];

/// Names that a code has for models and mechanisms: parameters and fields of these types, and what is bound to a case made of another.
fn names_of_models(code: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let last_word = |text: &str| text.rsplit(|c: char| !is_word(c)).next().unwrap_or("").to_string();
    let mut found: BTreeSet<String> = ["model", "mechanism"].map(str::to_string).into();
    for kind in ["Model", "Mechanism"] {
        for (at, _) in code.match_indices(kind) {
            let whole = !code[at + kind.len()..].starts_with(is_word);
            // What may stand between a name and its type: `name: &'m mut Option<Model`.
            let before = code[..at].trim_end_matches("Option<").trim_end().trim_end_matches("mut").trim_end();
            let before = match before.rsplit_once('\'') {
                Some((head, lifetime)) if lifetime.chars().all(is_word) => head,
                _ => before,
            };
            if let Some(head) = before.trim_end_matches('&').trim_end().strip_suffix(':').filter(|_| whole) {
                found.insert(last_word(head));
            }
        }
    }
    for bound in code.split("let ").skip(1) {
        let statement = bound.split(';').next().unwrap_or("");
        let Some((name, value)) = statement.split_once('=') else { continue };
        if CASE_MAKERS.iter().any(|maker| value.contains(maker)) {
            found.insert(last_word(name.split(':').next().unwrap_or("").trim_end()));
        }
    }
    found.remove("");
    found
}

/// Models and mechanisms that a code copies.
fn copies_of_models(code: &str) -> Vec<String> {
    let joined = code.lines().map(str::trim).collect::<Vec<_>>().join(" ").replace(" .", ".");
    let mut found: Vec<String> = Vec::new();
    for name in names_of_models(&joined) {
        for how in ["clone()", "to_owned()", "change_mechanism("] {
            let copy = format!("{name}.{how}");
            let is_whole = |at: usize| !joined[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if joined.match_indices(&copy).any(|(at, _)| is_whole(at)) {
                found.push(copy);
            }
        }
    }
    let by_path = ["Model::clone", "Mechanism::clone", "Arc::make_mut", "Arc::unwrap_or_clone"];
    found.extend(by_path.iter().filter(|path| joined.contains(**path)).map(|path| path.to_string()));
    found
}

/// A solver that needs another case of a mechanism makes it by a method that says which, and shares the mechanism.
#[test]
fn no_solver_copies_a_model() {
    let mut files = Vec::new();
    ["biela-core", "biela-analysis"]
        .iter()
        .for_each(|part| sources(&root().join("crates").join(part).join("src"), &mut files));
    let (mut named, mut made) = (0, 0);
    for file in &files {
        let text = code(&fs::read_to_string(file).expect("text"));
        named += names_of_models(&text).len();
        made += CASE_MAKERS.iter().map(|maker| text.matches(maker).count()).sum::<usize>();
        let copies = copies_of_models(&text);
        assert!(copies.is_empty(), "{}: {copies:?}; cases are made by `with_drivers` and the like", file.display());
    }
    assert!(named > 2 * files.len() && made > 10, "{named} names, {made} cases: the scan is broken");
}

#[test]
fn the_scan_sees_copies_of_models() {
    for copy in [
        "let mut held = model.clone();",
        "let free = Model { drivers: Vec::new(), ..system.model.clone() };",
        "fn f(swapped: &Model) -> Model { swapped.clone() }",
        "struct S<'m> { case: &'m Model }\nfn f(s: &S) { let x = s.case\n    .clone(); }",
        "fn f(of: &mut Mechanism) { of.to_owned() }",
        "let loose = model.with_drivers([]);\nlet again = loose.clone();",
        "let near: Option<Model> = model.near();\nlet again = near.clone();",
        "let all: Vec<Model> = list.iter().map(Model::clone).collect();",
        "let own = Arc::make_mut(&mut shared);",
    ] {
        assert_eq!(copies_of_models(copy).len(), 1, "{copy}: {:?}", copies_of_models(copy));
    }
    for other in [
        "let study = model.study.clone();",
        "let name = model.name.clone();",
        "let submodel = 1; submodel.clone();",
        "fn f(models: &ModelList) { models.clone() }",
    ] {
        assert!(copies_of_models(other).is_empty(), "{other}: {:?}", copies_of_models(other));
    }
}
