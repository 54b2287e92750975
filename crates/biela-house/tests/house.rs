//! The shape that the source keeps.

use biela_house::House;
use std::path::Path;

/// Lines of a file, and of the file in the middle.
const LONGEST: usize = 600;
const MEDIAN: usize = 160;

fn house() -> House {
    House::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("sources that can be read")
}

#[test]
fn the_source_is_seen() {
    let house = house();
    assert!(house.files().count() > 300, "{} files", house.files().count());
    assert!(house.files().map(|f| f.functions.len()).sum::<usize>() > 2000);
    let arrows: usize = house.crates.iter().map(|c| c.files.iter().map(|f| f.imports.len()).sum::<usize>()).sum();
    assert!(arrows > 1000, "{arrows} imports");
}

#[test]
fn nothing_uses_itself_by_way_of_others() {
    let circles: Vec<String> =
        house().circles().iter().map(|(folder, circle)| format!("{folder}: {}", circle.join(" "))).collect();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn files_are_short() {
    let house = house();
    let long: Vec<String> =
        house.files().filter(|f| f.lines > LONGEST).map(|f| format!("{}: {}", f.path.display(), f.lines)).collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
    assert!(house.median() <= MEDIAN, "median {}", house.median());
}

#[test]
fn large_functions_say_why() {
    let house = house();
    let mut silent = Vec::new();
    for file in house.files() {
        let large = file.functions.iter().filter(|f| f.is_large() && f.reason.is_none());
        silent.extend(large.map(|f| format!("{}:{} {}", file.path.display(), f.line, f.name)));
    }
    assert!(silent.is_empty(), "// Long: … or // Many: … is missing above\n{}", silent.join("\n"));
}
