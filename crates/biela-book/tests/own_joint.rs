//! The pages made from the registries know what a program has registered, and the how-to page is the code that is tested.

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
    for due in ["4 equations, 2 freedoms left.", "`angle` (angle", "`slide` (length)", "It can carry a tree"] {
        assert!(section.contains(due), "no '{due}' in {section}");
    }
}

#[test]
fn the_how_to_page_shows_the_file_that_is_tested() {
    let page = std::fs::read_to_string(root().join("docs/how-to/new-joint.md")).expect("a page").replace("\r\n", "\n");
    let file = root().join("crates/biela/tests/own/telescopic.rs");
    let code = std::fs::read_to_string(file).expect("a file").replace("\r\n", "\n");
    assert!(
        page.contains(&format!("```rust\n{code}```")),
        "docs/how-to/new-joint.md does not show telescopic.rs as it is"
    );
}
