//! The chapters, read.

use crate::page::Page;
use crate::summary::{self, Chapter};
use crate::Problem;
use std::path::{Path, PathBuf};

/// A book: chapters and their pages, in the same order.
#[derive(Debug)]
pub struct Book {
    /// The repository.
    pub root: PathBuf,
    /// Chapters as the summary lists them.
    pub chapters: Vec<Chapter>,
    /// Their documents.
    pub pages: Vec<Page>,
}

impl Book {
    /// Reads every chapter.
    pub fn read(root: &Path) -> Result<Book, Problem> {
        let chapters = summary::read(root)?;
        let mut pages = Vec::new();
        for chapter in &chapters {
            let text = std::fs::read_to_string(root.join(&chapter.file));
            let text = text.map_err(|e| Problem {
                file: chapter.file.clone(),
                line: 1,
                what: format!("cannot be read: {e}"),
            })?;
            pages.push(Page::new(&chapter.file, text));
        }
        Ok(Book { root: root.to_path_buf(), chapters, pages })
    }

    /// The page of a file, where it is a chapter.
    pub fn page(&self, file: &str) -> Option<&Page> {
        self.pages.iter().find(|p| p.file == file)
    }
}
