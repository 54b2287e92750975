//! The book: `docs/` as a folder of web pages, and every check that keeps it true.
//!
//! [`book::Book`] reads the chapters that `docs/SUMMARY.md` lists, [`links`] checks where they point, [`examples`] runs their
//! commands and models, [`site`] writes them as pages. [`reference`] makes `docs/reference/` from the registries of the
//! program, [`manual`] the manual pages, [`verification`] makes `docs/verification.md` from what the tests tell.

pub mod book;
pub mod colour;
pub mod examples;
pub mod fences;
pub mod links;
pub mod manual;
pub mod page;
pub mod reference;
pub mod site;
pub mod summary;
pub mod verification;

pub(crate) use biela::results::markup::escaped;

use std::fmt;
use std::path::PathBuf;

/// Something in a document that is not so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The document, from the root of the repository.
    pub file: String,
    /// Line in it, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// The repository that this crate was built in.
pub fn root() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}

/// All problems as lines of one text.
pub fn listed(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}
