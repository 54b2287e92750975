//! The user's documents keep up with the code: every word of every registry is explained, and the examples run.

use biela::couplings::COUPLINGS;
use biela::drivers::DRIVERS;
use biela::expr::FUNCTIONS;
use biela::joints::JOINTS;
use biela::loads::LOADS;
use biela::model::Analysis;
use biela::motion::LAWS;
use biela::source::Source;
use biela::system::formulations;
use biela::text::{Document, Options};
use biela::units::UNITS;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn the_model_reference_names_every_word_of_the_registries() {
    // The guide explains, the reference lists.
    let pages = ["joints", "drivers", "loads", "expressions", "sweeps", "solvers", "formats"];
    let text =
        pages.iter().fold(read("docs/model.md"), |text, page| text + &read(&format!("docs/reference/{page}.md")));
    let mut missing: Vec<String> = Vec::new();
    // A word counts where it stands in backticks, alone or with its arguments: `sin(x)`, `revolute`.
    let mut need = |what: &str, word: &str| {
        if !(text.contains(&format!("`{word}`")) || text.contains(&format!("`{word}("))) {
            missing.push(format!("{what} {word}"));
        }
    };
    for kind in JOINTS {
        need("joint", kind.keyword());
        for coordinate in kind.coordinates() {
            need("coordinate", coordinate.name);
        }
    }
    COUPLINGS.iter().for_each(|c| need("coupling", c.keyword()));
    for driver in DRIVERS {
        for key in driver.keys().iter().map(|key| key.name) {
            need("driver key", key);
        }
    }
    LAWS.iter().for_each(|l| need("law", l.keyword));
    for load in LOADS {
        need("load", load.keyword());
        load.keys().iter().for_each(|k| need("key of a load", k.name));
    }
    biela::plan::DISTRIBUTIONS.iter().for_each(|d| need("distribution", d.keyword));
    biela::plan::SAMPLINGS.iter().for_each(|s| need("sampling", s.keyword));
    biela::plan::REDUCTIONS.iter().for_each(|r| need("reduction", r.keyword));
    UNITS.iter().for_each(|u| need("unit", u.name));
    FUNCTIONS.iter().for_each(|f| need("function", f.name));
    formulations().for_each(|f| need("formulation", f.keyword));
    Analysis::ALL.iter().for_each(|a| need("analysis", a.0));
    biela::text::document::FORMATS.iter().flat_map(|f| f.extensions).for_each(|e| need("ending", &format!(".{e}")));
    assert!(missing.is_empty(), "docs/model.md and docs/reference/ do not explain: {}", missing.join(", "));
}

#[test]
fn the_command_reference_names_every_result_format_and_method() {
    let text = read("docs/commands.md") + &read("docs/reference/formats.md");
    for method in biela::solve::newton::METHODS {
        assert!(text.contains(&format!("`{}`", method.keyword())), "docs/commands.md: {}", method.keyword());
    }
    for format in biela::results::FORMATS {
        assert!(text.contains(&format!("`.{}`", format.extension)), "docs/commands.md: .{}", format.extension);
    }
}

/// Blocks of a document fenced as `language`.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).filter_map(|rest| rest.split("\n```").next()).map(str::to_string).collect()
}

#[test]
fn whole_models_in_the_documents_run() {
    let mut whole = 0;
    for name in ["README.md", "docs/model.md"] {
        for (k, block) in blocks(&read(name), "toml").iter().enumerate() {
            // Fragments have no [run].
            if !block.contains("[run]") {
                continue;
            }
            let source = Source::new(format!("{name}, model {}", k + 1), block.as_str());
            let model = Document::from_toml(&source).and_then(|d| d.model(&Options::default()));
            let model = model.unwrap_or_else(|e| panic!("{e}"));
            for formulation in formulations() {
                let found = biela::solve::kinematics::run(&model, formulation.keyword, |_, _| true);
                let found = found.unwrap_or_else(|e| panic!("{name}, {}: {e}", formulation.keyword));
                assert!(found.len() > 1);
            }
            whole += 1;
        }
    }
    assert!(whole >= 2, "only {whole} whole models found");
}

#[test]
fn fragments_in_the_model_reference_are_toml() {
    for (k, block) in blocks(&read("docs/model.md"), "toml").iter().enumerate() {
        let source = Source::new(format!("docs/model.md, block {}", k + 1), block.as_str());
        Document::from_toml(&source).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn the_gallery_names_every_shipped_model() {
    let text = read("docs/gallery.md");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut models = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().to_string();
        if name.ends_with(".toml") {
            assert!(text.contains(&format!("(../models/{name})")), "docs/gallery.md does not name {name}");
            models += 1;
        }
    }
    assert!(models > 0);
}
