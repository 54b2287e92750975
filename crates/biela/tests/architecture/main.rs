//! The shape of the project: ARCHITECTURE.md names files that exist, and imports run one way.

mod copies;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A crate of the library, with the modules whose order the scan holds, from the ground up: each may use those before it and none
/// after it. Modules of the other crates are files of one idea.
struct Part {
    name: &'static str,
    order: &'static [&'static str],
}

/// Crates of the library from the ground up: each may use those before it and none after it.
const LIBRARY: &[Part] = &[
    Part { name: "biela-math", order: &[] },
    Part { name: "biela-roots", order: &[] },
    Part { name: "biela-distance", order: &[] },
    Part { name: "biela-tree", order: &[] },
    Part { name: "biela-trace", order: &[] },
    Part {
        name: "biela-base",
        order: &[
            "sorting",
            "quick_hash",
            "joined",
            "source",
            "reason",
            "error",
            "failure",
            "registry",
            "signal_name",
            "units",
            "unit_product",
            "display_units",
        ],
    },
    Part { name: "biela-results", order: &[] },
    Part { name: "biela-plot", order: &[] },
    Part {
        name: "biela-model",
        order: &[
            "expr",
            "motion",
            "joints",
            "couplings",
            "drivers",
            "loads",
            "model",
            "blueprint",
            "linkage",
            "signal",
            "plan",
            "synthesis",
        ],
    },
    Part { name: "biela-core", order: &["system", "tree", "solve"] },
    Part {
        name: "biela-analysis",
        order: &[
            "redundancy",
            "solvability",
            "suggest",
            "ik",
            "assembly_modes",
            "loose_coordinates",
            "at_rest",
            "manual_pose",
            "range",
            "vibration",
            "state_space",
            "run",
            "interference",
            "summary",
            "mechanism",
            "synthesis",
            "check",
            "verify",
        ],
    },
    Part { name: "biela-raster", order: &[] },
    Part { name: "biela-picture", order: &[] },
    Part { name: "biela-text", order: &[] },
    Part { name: "biela", order: &["robot", "generate", "sizing", "report", "sweep", "optimise"] },
];

/// Crates that stand alone on what is named here, whatever else is below them.
const ALONE: &[(&str, &[&str])] = &[
    ("biela-math", &[]),
    ("biela-roots", &["biela-math"]),
    ("biela-distance", &["biela-math"]),
    ("biela-tree", &["biela-math"]),
    ("biela-base", &[]),
    ("biela-results", &["biela-base"]),
    ("biela-plot", &["biela-base", "biela-results"]),
    ("biela-raster", &["biela-base", "biela-math"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sources of a crate.
fn src(part: &Part) -> PathBuf {
    root().join("crates").join(part.name).join("src")
}

/// Every Rust file under a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The module of the crate's top level that a file of `src` belongs to.
fn module(file: &Path, src: &Path) -> String {
    let first = file.strip_prefix(src).expect("a file of src").components().next().expect("a name");
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_string()
}

/// Top-level modules that a text names after `crate::`, comments left out; braces are opened.
fn imports(text: &str) -> BTreeSet<String> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                for part in list.split_inclusive([',', '{', '}']) {
                    if depth == 0 {
                        found.insert(word(part.trim()));
                    }
                    depth += part.matches('{').count() as i32 - part.matches('}').count() as i32;
                    if depth < 0 {
                        break;
                    }
                }
            }
            None => {
                found.insert(word(rest));
            }
        }
    }
    found.remove("");
    found
}

#[test]
fn crates_stand_on_those_below() {
    let mut below: BTreeSet<&str> = BTreeSet::new();
    for part in LIBRARY {
        let manifest = root().join("crates").join(part.name).join("Cargo.toml");
        let text = fs::read_to_string(manifest).expect("a manifest");
        let list = text.split("[dependencies]").nth(1).map_or("", |rest| rest.split("\n[").next().unwrap_or(""));
        let used: BTreeSet<&str> =
            list.lines().filter_map(|line| line.split(' ').next()).filter(|name| name.starts_with("biela")).collect();
        for name in &used {
            assert!(below.contains(name), "'{}' may not use '{name}', which comes after it", part.name);
        }
        if let Some((_, most)) = ALONE.iter().find(|(name, _)| *name == part.name) {
            let most: BTreeSet<&str> = most.iter().copied().collect();
            assert_eq!(used, most, "'{}' stands on these alone", part.name);
        }
        below.insert(part.name);
    }
    assert!(below.len() == LIBRARY.len() && below.contains("biela"));
}

#[test]
fn imports_run_one_way() {
    let mut edges = 0;
    for part in LIBRARY.iter().filter(|part| !part.order.is_empty()) {
        let src = src(part);
        let mut files = Vec::new();
        sources(&src, &mut files);
        let place = |name: &str| part.order.iter().position(|m| *m == name);
        // What lib.rs itself offers: crates below by short names, and modules of crates below.
        let root = fs::read_to_string(src.join("lib.rs")).expect("text");
        let mut seen = BTreeSet::new();
        for file in &files {
            let own = module(file, &src);
            if own == "lib" {
                continue;
            }
            let rank =
                place(&own).unwrap_or_else(|| panic!("module '{own}' has no place in LIBRARY and ARCHITECTURE.md"));
            seen.insert(own.clone());
            for used in imports(&fs::read_to_string(file).expect("text")) {
                // What lib.rs names itself (`crate::Error`) starts with a capital letter.
                if used.starts_with(|c: char| c.is_uppercase()) || used == own {
                    continue;
                }
                match place(&used) {
                    Some(below) => {
                        assert!(below < rank, "{}: '{own}' may not use '{used}', which comes after it", file.display())
                    }
                    None => assert!(offers(&root, &used), "{}: unknown module '{used}'", file.display()),
                }
                edges += 1;
            }
        }
        assert_eq!(seen.len(), part.order.len(), "{}: modules in LIBRARY that do not exist", part.name);
    }
    assert!(edges > 100, "only {edges} imports found: the scan is broken");
}

/// Whether a `lib.rs` names something of another crate so.
fn offers(root: &str, name: &str) -> bool {
    let uses = root.split("use biela_").skip(1).filter_map(|rest| rest.split(';').next());
    let mut words = uses.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.any(|word| word == name)
}

#[test]
fn only_text_and_results_touch_the_world() {
    for part in LIBRARY.iter().filter(|part| !["biela-text", "biela-results"].contains(&part.name)) {
        let mut files = Vec::new();
        sources(&src(part), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("text");
            for word in
                ["std::fs", "std::io", "std::net", "std::env", "std::process", "std::time", "println!", "print!"]
            {
                let found = text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(word));
                assert!(!found, "{}: {word} has no place here", file.display());
            }
        }
    }
}

#[test]
fn the_scan_sees_backward_imports() {
    let text = "use crate::{math::{Pose, Vec3}, solve};\nuse crate::text::Document; // crate::units\nfn f(x: crate::expr::Name) {}";
    let found: Vec<String> = imports(text).into_iter().collect();
    assert_eq!(found, ["expr", "math", "solve", "text"]);
}

/// Words in backticks that look like paths of the repository.
fn paths(text: &str) -> Vec<String> {
    let known = |word: &str| {
        let tops = ["crates/", "benches/", "docs/", "models/", "validation/", ".ci/"];
        let files = ["test", "deny.toml", "rustfmt.toml", "Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE"];
        !word.contains('<') && tops.iter().any(|top| word.starts_with(top))
            || files.contains(&word)
            || word.ends_with(".md")
    };
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            found.extend(line.split('`').skip(1).step_by(2).filter(|w| known(w)).map(str::to_string));
        }
    }
    found
}

#[test]
fn paths_in_the_documents_exist() {
    for (document, least) in
        [("ARCHITECTURE.md", 30), ("CONTRIBUTING.md", 20), ("README.md", 3), ("crates/biela/tests/README.md", 30)]
    {
        let text = fs::read_to_string(root().join(document)).expect("a document");
        let paths = paths(&text);
        assert!(paths.len() >= least, "{document}: only {} paths found", paths.len());
        for path in paths {
            assert!(root().join(&path).exists(), "{document} names '{path}', which does not exist");
        }
    }
}

#[test]
fn every_module_is_on_the_map() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a document");
    for part in LIBRARY {
        let folder = format!("crates/{}/src", part.name);
        assert!(text.contains(&format!("`{folder}/`")), "ARCHITECTURE.md does not name {folder}/");
        for name in part.order {
            let (file, folder) = (format!("`{folder}/{name}.rs`"), format!("`{folder}/{name}/`"));
            assert!(text.contains(&file) || text.contains(&folder), "ARCHITECTURE.md does not name {name}");
        }
    }
}

/// The part of a source file before its tests, comments left out.
fn code(text: &str) -> String {
    let own = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
    own.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[test]
fn unsafe_code_is_where_the_list_says() {
    let mut files = Vec::new();
    ["crates", "benches"].iter().for_each(|folder| sources(&root().join(folder), &mut files));
    // The rule of a page that lets it compile a module, 'wasm-unsafe-eval', is one word and no code.
    let is_unsafe =
        |text: &str| text.split(|c: char| !c.is_alphanumeric() && !"_-".contains(c)).any(|word| word == "unsafe");
    let mut found = BTreeSet::new();
    for file in files.iter().filter(|f| !f.ends_with("tests/architecture/main.rs")) {
        let text = fs::read_to_string(file).expect("text");
        if is_unsafe(&code(&text)) {
            assert!(text.contains("SAFETY"), "{}: says nothing about why it is sound", file.display());
            found.insert(file.strip_prefix(root()).expect("a file of the repository").display().to_string());
        }
    }
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a document");
    let section = text.split("## Unsafe code").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let listed: BTreeSet<String> = paths(section).into_iter().collect();
    assert_eq!(found, listed, "files with unsafe code, and those that ARCHITECTURE.md lists");
}

/// Elementary functions of the C library differ in their last bits from processor to processor.
#[test]
fn elementary_functions_are_the_projects_own() {
    let crates = root().join("crates");
    let mut files = Vec::new();
    LIBRARY.iter().for_each(|part| sources(&src(part), &mut files));
    let names = "sin cos sin_cos tan asin acos atan atan2 sinh cosh tanh exp exp2 exp_m1 ln ln_1p log log2 log10 powf hypot cbrt";
    for file in &files {
        let place = file.strip_prefix(&crates).expect("a file of a crate").display().to_string();
        // Jets, enclosures and expressions have functions of these names; tables and plots compute nothing that is a result;
        // what prints Rust names what Rust has.
        let own = [
            "biela-math/src/jet.rs",
            "biela-math/src/slope.rs",
            "biela-math/src/elementary.rs",
            "biela-math/src/interval.rs",
            "biela-math/src/series.rs",
            "biela-model/src/expr/enclosed.rs",
            "biela-model/src/expr/machine.rs",
            "biela-trace/src/print/rust.rs",
            "biela-tree/src/wide.rs",
        ];
        if own.contains(&place.as_str())
            || ["biela-results/", "biela-plot/"].iter().any(|part| place.starts_with(part))
            || place.ends_with("tests.rs")
        {
            continue;
        }
        let text = code(&fs::read_to_string(file).expect("text"));
        for name in names.split(' ') {
            let found = text.contains(&format!(".{name}(")) || text.contains(&format!("f64::{name}"));
            assert!(!found, "{place}: '{name}' of the standard library; biela_math::Elementary has one");
        }
    }
}

/// Places where the word of a type means something else.
const OTHER_MEANINGS: &[(&str, &str, &str)] = &[
    ("biela-cli/src/commands/ik.rs", "distance", "a column of results: how far a tool is from its goal"),
    ("biela-analysis/src/check.rs", "fixed", "a word for a mechanism without mobility"),
    ("biela-analysis/src/ik/mod.rs", "distance", "a column of results: how far a tool is from its goal"),
    ("biela-text/src/document.rs", "planar", "the key that keeps a model to a plane"),
    ("biela-picture/src/page/data.rs", "planar", "a fact of a scene, read by the page"),
    ("biela-analysis/src/interference/mod.rs", "distance", "the key of the least distance in JSON"),
    ("biela-model/src/blueprint/contact.rs", "friction", "the key of contacts that names a coefficient"),
    ("biela-studio/src/draw/add.rs", "motor", "a name for what drives a joint"),
    ("biela-studio/src/draw/alter.rs", "planar", "the key that keeps a model to a plane"),
    ("biela-studio/src/draw/sketch.rs", "planar", "the key that keeps a model to a plane"),
    ("biela-studio/src/pose.rs", "distance", "a number for the page: how far a pose is from its goal"),
    ("biela-text/src/contacts.rs", "friction", "the same"),
    ("biela-model/src/synthesis.rs", "spherical", "a family of linkages"),
    ("biela-text/src/synthesise.rs", "free", "the key of dimensions that are tried between bounds"),
];

/// Words that mean much else, so that they prove nothing: the key of drivers and loads that names a joint coordinate, two words of mechanics, and
/// a shape and a part of machines.
const COMMON: &[&str] = &["coordinate", "force", "torque", "rod"];

/// What a type is, its file says: nobody else asks for its word. Importers and exporters translate words of other formats, and texts of models have them
/// after `type =`.
#[test]
fn no_type_is_known_by_its_word_outside_its_folder() {
    let crates = root().join("crates");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).expect("a folder") {
        sources(&entry.expect("an entry").path().join("src"), &mut files);
    }
    let own = [
        "biela-model/src/joints/",
        "biela-model/src/loads/",
        "biela-text/src/urdf/",
        "biela-text/src/mjcf/",
        "biela-text/src/sdf/",
        "biela-text/src/adams/",
        // What the importers write, looked over for all of them.
        "biela-text/src/foreign/planar.rs",
        "biela-text/src/export/",
        "biela-text/src/dh/",
        "biela-text/src/thesis/",
    ];
    let mut words: Vec<&str> = biela::joints::JOINTS.iter().map(|kind| kind.keyword()).collect();
    words.extend(biela::loads::LOADS.iter().map(|kind| kind.keyword()));
    words.retain(|word| !COMMON.contains(word));
    let (mut found, mut looked) = (BTreeSet::new(), 0);
    for file in &files {
        let place = file.strip_prefix(&crates).expect("a file of a crate").display().to_string().replace('\\', "/");
        if own.iter().any(|folder| place.starts_with(folder)) {
            continue;
        }
        looked += 1;
        let text = code(&fs::read_to_string(file).expect("text"));
        for word in &words {
            let literal = format!("\"{word}\"");
            let mut before = text.split(&literal).peekable();
            while let Some(part) = before.next() {
                if before.peek().is_some() && !part.trim_end().ends_with("type =") {
                    found.insert((place.clone(), *word));
                }
            }
        }
    }
    assert!(looked > 200, "only {looked} files: the scan is broken");
    let allowed: BTreeSet<(String, &str)> =
        OTHER_MEANINGS.iter().map(|(place, word, _)| (place.to_string(), *word)).collect();
    let more: Vec<_> = found.difference(&allowed).collect();
    assert!(more.is_empty(), "words of types outside their folders: {more:?}");
    let less: Vec<_> = allowed.difference(&found).collect();
    assert!(less.is_empty(), "places on the list that have the word no more: {less:?}");
}

/// Texts that are made like a signal's name and are none, each with what it is.
const NO_SIGNALS: &[(&str, &str)] = &[
    ("{}.jsonl", "a file's name"),
    ("{}.npy", "a file's name"),
    ("{name}.toml", "a file's name"),
    ("{stem}.html", "a file's name"),
    ("{stem}.toml", "a file's name"),
    ("{name}.{}", "a table's path in TOML"),
    ("{}.{name}", "a velocity of a tree, which stands on its mathematics alone"),
];

/// The opening of every text that a macro such as `format!` makes, as far as the next quotation mark.
fn made_texts(code: &str) -> impl Iterator<Item = &str> {
    code.split("!(").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
}

/// True for an element's name, a dot, and a leaf.
fn composes_a_name(text: &str) -> bool {
    let after =
        text.strip_prefix('{').and_then(|rest| rest.split_once("}.")).filter(|(name, _)| !name.contains(['}', ' ']));
    after.is_some_and(|(_, leaf)| leaf.starts_with(|c: char| c == '{' || c.is_alphabetic()))
}

/// True where a code takes names apart, or knows how they end, by itself.
fn takes_names_apart(code: &str) -> bool {
    let leaves = ["rate", "accel", "effort", "local", "limit.effort"];
    let ending =
        leaves.iter().any(|leaf| code.contains(&format!("\".{leaf}\"")) || code.contains(&format!("\".{leaf}.")));
    let apart = ["split_once", "match_indices", "strip_prefix", "split", "rsplit"];
    ending || apart.iter().any(|how| code.contains(&format!("{how}('.')")))
}

/// Names of signals are composed and taken apart in one place.
#[test]
fn names_of_signals_are_made_in_one_place() {
    // Units and version numbers have dots of their own; a pattern of the reference is shown by its last part.
    const OTHER_DOTS: [&str; 3] =
        ["biela-model/src/expr/messages.rs", "biela-book/src/reference/signals.rs", "biela-house/"];
    let crates = root().join("crates");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).expect("crates") {
        sources(&entry.expect("a readable entry").path().join("src"), &mut files);
    }
    let mut excused = BTreeSet::new();
    for file in &files {
        let place = file.strip_prefix(&crates).expect("a file of a crate").display().to_string();
        if place == "biela-base/src/signal_name.rs"
            || place.starts_with("biela-model/src/signal/")
            || place.ends_with("tests.rs")
        {
            continue;
        }
        let code = code(&fs::read_to_string(file).expect("text"));
        for text in made_texts(&code).filter(|text| composes_a_name(text)) {
            let excuse = NO_SIGNALS.iter().find(|(known, _)| *known == text);
            assert!(excuse.is_some(), "{place}: '{text}' composes a signal's name; biela_base::signal_name does that");
            excused.insert(text.to_string());
        }
        let other = OTHER_DOTS.iter().any(|start| place.starts_with(start));
        assert!(
            other || !takes_names_apart(&code),
            "{place}: takes a signal's name apart; biela_base::signal_name does that"
        );
    }
    let listed: BTreeSet<String> = NO_SIGNALS.iter().map(|(text, _)| text.to_string()).collect();
    assert_eq!(excused, listed, "texts that are excused, and those that are there");
}

#[test]
fn the_scan_sees_names_composed() {
    for text in ["{}.{leaf}", "{}.{}.rate", "{name}.rate", "{}.limit", "{joint}.{leaf}"] {
        assert!(composes_a_name(text), "{text}");
    }
    for text in ["{:.3} s", "{}: {}", "{x}. {y}", "body {}.x", "{t:.9}"] {
        assert!(!composes_a_name(text), "{text}");
    }
    let code = "x = format!(\"{}.{leaf}\", body.name); y = write!(\n    \"{a}.b\")";
    assert_eq!(made_texts(code).collect::<Vec<_>>(), ["{}.{leaf}", "{a}.b"]);
    assert!(takes_names_apart("name.rsplit_once('.')") && takes_names_apart("n.ends_with(\".rate\")"));
    assert!(takes_names_apart("n.contains(\".local.\")") && !takes_names_apart("joint.limits.effort"));
}

/// Every dependency builds with the oldest compiler that the project names. (That the project itself does is for clippy to say:
/// its lint `incompatible_msrv` knows since when the standard library has what is used.)
#[test]
fn dependencies_keep_to_the_minimum_compiler() {
    let cargo = |arguments: &[&str]| {
        let output =
            std::process::Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().expect("cargo");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    };
    // Packages of this platform alone: those are here, since this test was built with them; others need not be.
    let version = String::from_utf8(cargo(&["--version", "--verbose"]).stdout).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a platform");
    let output = cargo(&["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", host]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let version = |text: &str| -> Vec<u32> { text.split('.').filter_map(|n| n.parse().ok()).collect() };
    let packages = found["packages"].as_array().expect("packages");
    let own =
        packages.iter().find(|p| p["name"] == "biela").and_then(|p| p["rust_version"].as_str()).expect("a version");
    assert!(packages.len() > 20);
    for package in packages {
        let needs = package["rust_version"].as_str().unwrap_or("1.0");
        assert!(version(needs) <= version(own), "{} needs Rust {needs}, the project names {own}", package["name"]);
    }
}
