//! Where links lead: files of the repository, headings of chapters, pictures, other hosts.

use crate::book::Book;
use crate::page::{Link, Page};
use crate::summary::{folder, resolve};
use crate::Problem;

/// What a link leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Another host, or a mail address.
    Elsewhere,
    /// A chapter, by its path, and a heading of it.
    Chapter(String, Option<String>),
    /// Another file of the repository.
    File(String),
    /// A folder of the repository, which the book does not show.
    Folder,
}

/// What a link of a page leads to, or what is wrong with it.
pub fn place(book: &Book, page: &Page, link: &Link) -> Result<Place, String> {
    let target = link.target.as_str();
    if ["https://", "http://", "mailto:"].iter().any(|p| target.starts_with(p)) {
        return if link.picture {
            Err(format!("the picture '{target}' needs a network"))
        } else {
            Ok(Place::Elsewhere)
        };
    }
    let (path, heading) = match target.split_once('#') {
        Some((path, heading)) => (path, Some(heading.to_string())),
        None => (target, None),
    };
    let file = match path {
        "" => page.file.clone(),
        _ => resolve(folder(&page.file), path).ok_or_else(|| format!("'{target}' leads out of the repository"))?,
    };
    let there = book.root.join(&file);
    if there.is_dir() {
        return if link.picture || heading.is_some() {
            Err(format!("'{target}' is a folder"))
        } else {
            Ok(Place::Folder)
        };
    }
    if !there.is_file() {
        return Err(format!("there is no '{file}'"));
    }
    let Some(chapter) = book.page(&file) else {
        return match heading {
            Some(_) => Err(format!("'{file}' is no chapter of the book: docs/SUMMARY.md does not list it")),
            None => Ok(Place::File(file)),
        };
    };
    if let Some(id) = &heading {
        if !chapter.headings.iter().any(|h| h.id == *id) {
            let known: Vec<&str> = chapter.headings.iter().map(|h| h.id.as_str()).collect();
            let near = biela::error::nearest(id, &known).map_or(String::new(), |n| format!("; did you mean '#{n}'?"));
            return Err(format!("'{file}' has no heading '#{id}'{near}"));
        }
    }
    Ok(Place::Chapter(file, heading))
}

/// Every link of the book that leads nowhere, and every formula that cannot be read.
pub fn check(book: &Book) -> Vec<Problem> {
    let mut problems = Vec::new();
    for page in &book.pages {
        problems.extend(page.problems.iter().cloned());
        for link in &page.links {
            if let Err(what) = place(book, page, link) {
                problems.push(Problem { file: page.file.clone(), line: link.line, what });
            }
        }
    }
    problems
}
