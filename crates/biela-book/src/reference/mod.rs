//! `docs/reference/`: pages made from what the program itself knows, so that they cannot lag behind it.

mod commands;
mod errors;
mod model;
mod signals;
mod solvers;
mod tolerances;

use biela::error::Result;
use std::path::Path;

/// Folder of the pages, from the root of the repository.
pub const FOLDER: &str = "docs/reference";

/// Every page: its name and its text.
pub fn pages(root: &Path) -> Result<Vec<(&'static str, String)>> {
    Ok(vec![
        ("joints.md", model::joints(root)?),
        ("drivers.md", model::drivers()),
        ("loads.md", model::loads()),
        ("expressions.md", model::expressions()),
        ("sweeps.md", model::sweeps()),
        ("signals.md", signals::page()?),
        ("solvers.md", solvers::page()),
        ("tolerances.md", tolerances::page(root)?),
        ("formats.md", solvers::formats()),
        ("commands.md", commands::page()),
        ("errors.md", errors::page(root)?),
    ])
}

/// Writes every page; their names.
pub fn write(root: &Path) -> std::io::Result<Vec<&'static str>> {
    let pages = pages(root).map_err(|e| std::io::Error::other(e.to_string()))?;
    std::fs::create_dir_all(root.join(FOLDER))?;
    for (name, text) in &pages {
        std::fs::write(root.join(FOLDER).join(name), text)?;
    }
    Ok(pages.into_iter().map(|(name, _)| name).collect())
}

/// The first lines of a page.
fn title(title: &str, about: &str) -> String {
    format!("# {title}\n\n<!-- Made by `cargo run --release -p biela-book -- reference`; change the registries, not this page. -->\n\n{about}\n")
}

/// A table in Markdown.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = format!("\n{}|{}\n", line(head.iter().map(|h| h.to_string()).collect()), "---|".repeat(head.len()));
    for row in rows {
        text.push_str(&line(row.into_iter().map(|c| c.replace('|', "\\|").replace('\n', "<br>")).collect()));
    }
    text
}

/// A word as code.
fn code(word: impl AsRef<str>) -> String {
    format!("`{}`", word.as_ref())
}

/// Words as code, separated by commas; a dash where there are none.
fn codes<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let list = words.into_iter().map(code).collect::<Vec<_>>().join(", ");
    if list.is_empty() {
        "none".to_string()
    } else {
        list
    }
}
