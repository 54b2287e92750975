//! The pages made from the registries know what a program has registered, and the how-to pages are the code that is tested.

#[path = "../../biela/tests/own/telescopic.rs"]
mod telescopic;

use biela_book::{reference, root};

#[test]
fn the_reference_lists_a_registered_joint() {
    biela::joints::register(&telescopic::Telescopic).expect("a new keyword");
    let pages = reference::pages(&root()).unwrap_or_else(|e| panic!("{e}"));
    let (_, page) = pages.iter().find(|(name, _)| *name == "joints.md").expect("a page of joints");
    let section =
        page.split("### `telescopic`").nth(1).and_then(|rest| rest.split("\n### ").next()).expect("a section");
    for due in ["4 equations, 2 freedoms left", "`angle` (angle", "`slide` (length)", "It can carry a tree"] {
        assert!(section.contains(due), "no '{due}' in {section}");
    }
}

/// Pages of the book, each with a file that tests use as it stands there.
const SHOWN: [(&str, &str); 5] = [
    ("new-joint", "telescopic"),
    ("new-load", "drag"),
    ("new-formulation", "plane"),
    ("new-format", "gnuplot"),
    ("new-format", "four_lengths"),
];

#[test]
fn the_how_to_pages_show_the_files_that_are_tested() {
    let read = |path: String| std::fs::read_to_string(root().join(path)).expect("a file").replace("\r\n", "\n");
    for (page, file) in SHOWN {
        let (text, code) = (read(format!("docs/how-to/{page}.md")), read(format!("crates/biela/tests/own/{file}.rs")));
        assert!(
            text.contains(&format!("```rust\n{code}```")),
            "docs/how-to/{page}.md does not show crates/biela/tests/own/{file}.rs as it is"
        );
    }
}
