//! Analyses, formulations, methods, algorithms, and the formats of files.

use super::{code, codes, table, title};
use biela::generate;
use biela::model::{Analysis, Integration, Reduction, Singular};
use biela::picture::export::PICTURES;
use biela::solve::forward::INTEGRATORS;
use biela::solve::newton::METHODS;
use biela::system::{FORMULATIONS, VARIANTS};
use biela::tree::algorithms::ALGORITHMS;
use biela::tree::evaluate::QUANTITIES;

/// Analyses and all ways of solving.
pub fn page() -> String {
    let mut text = title(
        "Analyses and solvers",
        "Words of `[run]` and of the options that go before it. [Theory](../theory.md) says how each works.\n\n## Analyses\n`analysis` in `[run]`, `--analysis`.",
    );
    let two = |rows: Vec<(&str, &str)>, head: &str| {
        table(&[head, "what it does"], rows.into_iter().map(|(word, help)| vec![code(word), help.to_string()]))
    };
    text.push_str(&two(Analysis::ALL.iter().map(|a| (a.0, a.1.help())).collect(), "analysis"));
    text.push_str("\n## Formulations\n`formulation` in `[run]`, `--formulation`. `auto`, the default, takes one of the first three by a [fixed rule](../model.md#run). `verify` compares the first three, `verify --all` all of them.\n");
    text.push_str(&two(FORMULATIONS.iter().chain(VARIANTS).map(|f| (f.keyword, f.help)).collect(), "formulation"));
    text.push_str("\n## Corrections of a position\n`--newton`; the first is the default.\n");
    text.push_str(&two(METHODS.iter().map(|m| (m.keyword(), m.help())).collect(), "method"));
    text.push_str("\n## Singular positions\n`singular` in `[run]`, `--singular`; the first is the default.\n");
    text.push_str(&two(Singular::ALL.iter().map(|s| (s.0, s.1.help())).collect(), "policy"));
    text.push_str("\n## Integrators\n`method` in `[run]`, for motion under forces; the first is the default.\n");
    text.push_str(&table(
        &["method", "what it is", "balance of energy and work that ends a run"],
        Integration::ALL.iter().filter_map(|(word, which)| {
            let integrator = INTEGRATORS.iter().find(|i| i.which() == *which)?;
            let (at, half) = (integrator.balance(1e-8), integrator.balance(0.5e-8));
            let balance = if at == half { format!("{at:e}") } else { format!("{:e} tolerances", (at / 1e-8).round()) };
            Some(vec![code(word), integrator.help().to_string(), format!("{balance} of the energies at play")])
        }),
    ));
    text.push_str("\n## Forms of the equations of motion\n`reduction` in `[run]`, `--reduction`.\n");
    text.push_str(&two(Reduction::ALL.iter().map(|r| (r.0, r.1.help())).collect(), "form"));
    text.push_str("\n## Algorithms of open chains and trees\n`algorithm` in `[run]`, `--algorithm`.\n");
    text.push_str(&two(ALGORITHMS.iter().map(|a| (a.keyword, a.help)).collect(), "algorithm"));
    text.push_str("\n## Quantities of `eval`\n`--quantities`.\n");
    text.push_str(&table(
        &["quantity", "what it is", "needs gravity", "with rotors"],
        QUANTITIES.iter().map(|q| {
            let yes = |b: bool| if b { "yes" } else { "no" }.to_string();
            vec![code(q.name), q.help.to_string(), yes(q.gravity), yes(q.rotors)]
        }),
    ));
    text.push_str("\n## Quantities of `generate`\n`--quantity`.\n");
    let groups = generate::GROUPS.iter().map(|(word, of)| (*word, format!("{} together", of.join(" and "))));
    let made = generate::QUANTITIES.iter().map(|q| (q.name, q.help.to_string())).chain(groups);
    text.push_str(&table(&["quantity", "what it is"], made.map(|(name, help)| vec![code(name), help])));
    text.push_str("\n## Languages of `generate`\n`--language`.\n");
    text.push_str(&two(generate::LANGUAGES.iter().map(|l| (l.keyword, l.help)).collect(), "language"));
    text
}

/// Formats that are read and written.
pub fn formats() -> String {
    let mut text = title("File formats", "The ending of a file's name chooses its format.\n\n## Models");
    text.push_str(&table(
        &["endings", "format"],
        biela::text::document::formats()
            .iter()
            .map(|f| vec![codes(f.extensions.iter().map(|e| format!(".{e}"))), f.name.to_string()])
            .chain([vec!["a folder".to_string(), "the thesis's four text files".to_string()]]),
    ));
    text.push_str("\n## Results\n`-o` of `run` and `ik`; `plot` reads back where the last column says so.\n");
    text.push_str(&table(
        &["ending", "format", "read back"],
        biela::results::formats().iter().map(|f| {
            let read = if f.read.is_some() { "yes" } else { "no" };
            vec![code(format!(".{}", f.extension)), f.help.to_string(), read.to_string()]
        }),
    ));
    text.push_str("\nA table of a [sweep](../commands.md#sweep) is `");
    text.push_str(
        &biela::results::row_formats::ROW_FORMATS
            .iter()
            .map(|f| format!(".{}", f.extension))
            .collect::<Vec<_>>()
            .join("` or `"),
    );
    text.push_str("`.\n\n## Pictures\n[`view`](../commands.md#view).\n");
    text.push_str(&table(
        &["ending", "format", "shows"],
        PICTURES.iter().map(|f| {
            let shows = if f.still { "one sample" } else { "the motion" };
            vec![code(format!(".{}", f.extension)), f.help.to_string(), shows.to_string()]
        }),
    ));
    text.push_str("\n`.mp4` and `.webm` are films too, made by ffmpeg where it is found.\n");
    let plots = codes(biela::results::plot::EXTENSIONS.iter().map(|e| format!(".{e}")));
    text.push_str(&format!("\n## Plots\n[`plot`](../commands.md#plot) writes {plots}.\n"));
    text
}
