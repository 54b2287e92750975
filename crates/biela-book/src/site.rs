//! The book as a folder of web pages that work offline: navigation, search, light and dark, print.

use crate::book::Book;
use crate::links::{place, Place};
use crate::page::Page;
use crate::{escaped, Problem};
use serde_json::json;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::io;
use std::path::Path;

/// Files that every page uses.
const ASSETS: &[(&str, &str)] = &[
    ("book.css", include_str!("../assets/book.css")),
    ("book.js", include_str!("../assets/book.js")),
    ("live.js", include_str!("../assets/live.js")),
];
/// The studio as one file, in which models of the pages run.
const STUDIO: &str = "studio.html";
/// What a page may do: its own files, and no network.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'";

/// Place of a file of the repository in the book: pages of `docs/` stand at its top.
pub fn output(file: &str) -> String {
    let file = file.strip_prefix("docs/").unwrap_or(file);
    match file.strip_suffix(".md") {
        Some(stem) => format!("{stem}.html"),
        None => file.to_string(),
    }
}

/// A way from one file of the book to another.
fn way(from: &str, to: &str) -> String {
    "../".repeat(from.matches('/').count()) + to
}

/// Writes the book; the number of pages. The folder is made anew.
pub fn write(book: &Book, folder: &Path) -> io::Result<usize> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    for (name, text) in ASSETS {
        std::fs::write(folder.join(name), text)?;
    }
    studio(&folder.join(STUDIO))?;
    let mut files = BTreeSet::new();
    for (k, page) in book.pages.iter().enumerate() {
        let own = output(&page.file);
        let body = page.html(|link| match place(book, page, link) {
            Ok(Place::Elsewhere) => Some(link.target.clone()),
            Ok(Place::Chapter(file, heading)) => {
                Some(way(&own, &output(&file)) + &heading.map_or(String::new(), |h| format!("#{h}")))
            }
            Ok(Place::File(file)) => Some(way(&own, &output(&file))),
            _ => None,
        });
        for link in &page.links {
            if let Ok(Place::File(file)) = place(book, page, link) {
                files.insert(file);
            }
        }
        save(&folder.join(&own), &framed(book, k, page, &body))?;
    }
    for file in files {
        let to = folder.join(output(&file));
        std::fs::create_dir_all(to.parent().unwrap_or(folder))?;
        std::fs::copy(book.root.join(&file), to)?;
    }
    std::fs::write(folder.join("search.js"), index(book))?;
    Ok(book.pages.len())
}

/// Writes the studio as one file, with the shipped models in it, as the command line does.
fn studio(to: &Path) -> io::Result<()> {
    let words = ["biela", "--quiet", "studio", "--export"].map(OsString::from).into_iter().chain([to.into()]);
    // Its status says only whether it was written.
    biela_cli::run(words);
    match to.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("the studio could not be written beside the pages")),
    }
}

fn save(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// A page with its frame.
fn framed(book: &Book, k: usize, page: &Page, body: &str) -> String {
    let own = output(&page.file);
    let up = way(&own, "");
    let title = escaped(page.title());
    let mut around = String::new();
    for (step, class, sign) in [(k.checked_sub(1), "before", "←"), (Some(k + 1), "next", "→")] {
        if let Some(chapter) = step.and_then(|s| book.chapters.get(s)) {
            let (to, name) = (way(&own, &output(&chapter.file)), escaped(&chapter.title));
            let _ = write!(around, "<a class=\"{class}\" href=\"{to}\"><span>{sign}</span> {name}</a>");
        }
    }
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">
<title>{title} · biela</title>
<link rel=\"stylesheet\" href=\"{up}book.css\">
<script src=\"{up}book.js\" data-up=\"{up}\"></script>
<script src=\"{up}live.js\" data-up=\"{up}\"></script>
</head>
<body>
<input type=\"checkbox\" id=\"menu\" aria-label=\"Chapters\">
<header>
<label for=\"menu\" class=\"menu\" title=\"Chapters\">☰</label>
<a class=\"name\" href=\"{up}index.html\">biela</a>
<input type=\"search\" id=\"search\" placeholder=\"Search ( / )\" aria-label=\"Search the book\" autocomplete=\"off\">
<button id=\"theme\" title=\"Light or dark\">◐</button>
</header>
<div id=\"found\" hidden></div>
<nav>{}</nav>
<label for=\"menu\" class=\"veil\"></label>
<main>
{body}<footer>{around}</footer>
</main>
</body>
</html>
",
        navigation(book, k)
    )
}

/// Chapters by part; the present one with its sections.
fn navigation(book: &Book, present: usize) -> String {
    let own = output(&book.chapters[present].file);
    let (mut text, mut part) = (String::new(), "");
    for (k, chapter) in book.chapters.iter().enumerate() {
        if chapter.part != part {
            part = &chapter.part;
            let _ = write!(text, "<h2>{}</h2>", escaped(part));
        }
        let class = if k == present { " class=\"here\"" } else { "" };
        let to = way(&own, &output(&chapter.file));
        let _ = write!(text, "<a{class} href=\"{to}\">{}</a>", escaped(&chapter.title));
        if k == present {
            let sections: Vec<_> = book.pages[k].headings.iter().filter(|h| h.level == 2).collect();
            if sections.len() > 1 {
                for section in sections {
                    let (id, words) = (escaped(&section.id), escaped(&section.text));
                    let _ = write!(text, "<a class=\"section\" href=\"#{id}\">{words}</a>");
                }
            }
        }
    }
    text
}

/// Every section for the search: place, chapter, heading, words.
fn index(book: &Book) -> String {
    let mut sections = Vec::new();
    for (page, chapter) in book.pages.iter().zip(&book.chapters) {
        for heading in &page.headings {
            let words = heading.body.split_whitespace().collect::<Vec<_>>().join(" ");
            sections.push(json!([
                format!("{}#{}", output(&page.file), heading.id),
                chapter.title,
                heading.text,
                words
            ]));
        }
    }
    format!("window.sections = {};\n", serde_json::Value::Array(sections))
}

/// Links of the written pages that lead to nothing in the book's folder: none, unless the writer is wrong.
pub fn check(folder: &Path) -> io::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    let mut pages = Vec::new();
    collect(folder, &mut pages)?;
    for path in pages {
        let text = std::fs::read_to_string(&path)?;
        let file = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        for (k, line) in text.lines().enumerate() {
            for piece in line.split(" href=\"").skip(1).chain(line.split(" src=\"").skip(1)) {
                let target = piece.split('"').next().unwrap_or("").split('#').next().unwrap_or("");
                if target.is_empty()
                    || target.contains("://")
                    || ["mailto:", "data:"].iter().any(|p| target.starts_with(p))
                {
                    continue;
                }
                if !path.parent().unwrap_or(folder).join(target).exists() {
                    problems.push(Problem { file: file.clone(), line: k + 1, what: format!("there is no '{target}'") });
                }
            }
        }
    }
    Ok(problems)
}

fn collect(folder: &Path, found: &mut Vec<std::path::PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "html") {
            found.push(path);
        }
    }
    Ok(())
}
