//! The one list of chapters: `docs/SUMMARY.md`, parts as headings, chapters as links.

use crate::Problem;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use std::path::Path;

/// The list itself, from the root of the repository.
pub const FILE: &str = "docs/SUMMARY.md";

/// A chapter of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Title in the list of chapters.
    pub title: String,
    /// The document, from the root of the repository.
    pub file: String,
    /// The part it belongs to; empty before the first one.
    pub part: String,
}

/// Chapters in their order. Pages of `docs/` that the list leaves out follow in a part of their own.
pub fn read(root: &Path) -> Result<Vec<Chapter>, Problem> {
    let problem = |line, what: String| Problem { file: FILE.to_string(), line, what };
    let text = std::fs::read_to_string(root.join(FILE)).map_err(|e| problem(1, e.to_string()))?;
    let mut chapters: Vec<Chapter> = Vec::new();
    let (mut part, mut title, mut target) = (String::new(), String::new(), None);
    let mut in_part = false;
    for (event, range) in Parser::new(&text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                in_part = true;
                part.clear();
            }
            Event::End(TagEnd::Heading(_)) => in_part = false,
            Event::Start(Tag::Link { dest_url, .. }) => {
                title.clear();
                target = Some(dest_url.to_string());
            }
            Event::Text(t) | Event::Code(t) if target.is_some() => title.push_str(&t),
            Event::Text(t) if in_part => part.push_str(&t),
            Event::End(TagEnd::Link) => {
                let target = target.take().unwrap_or_default();
                let line = line_of(&text, range.start);
                let file = resolve("docs", &target).ok_or_else(|| problem(line, format!("'{target}' is no place")))?;
                if !root.join(&file).is_file() {
                    return Err(problem(line, format!("there is no '{target}'")));
                }
                if chapters.iter().any(|c| c.file == file) {
                    return Err(problem(line, format!("'{target}' is listed twice")));
                }
                chapters.push(Chapter { title: title.clone(), file, part: part.clone() });
            }
            _ => {}
        }
    }
    let mut rest = Vec::new();
    documents(&root.join("docs"), "docs", &mut rest).map_err(|e| problem(1, e.to_string()))?;
    rest.sort();
    for file in rest.into_iter().filter(|f| f != FILE) {
        if !chapters.iter().any(|c| c.file == file) {
            let name = Path::new(&file).file_stem().map(|s| s.to_string_lossy().to_string()).unwrap_or_default();
            chapters.push(Chapter { title: name, file, part: "Further".to_string() });
        }
    }
    Ok(chapters)
}

/// Every Markdown file under a folder, by its path from the root of the repository.
fn documents(folder: &Path, prefix: &str, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            documents(&entry.path(), &path, found)?;
        } else if path.ends_with(".md") {
            found.push(path);
        }
    }
    Ok(())
}

/// Line of a byte of a text, counted from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|b| **b == b'\n').count()
}

/// A relative target seen from a folder of the repository; none where it leads out of it.
pub fn resolve(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The folder of a file's path, empty at the root.
pub fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}
