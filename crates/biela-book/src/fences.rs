//! Blocks of code in a document, with what their first line says of them.
//!
//! Words after the language: `file=NAME` (examples write the block there), `model` (it must load and assemble), `status=N`
//! (the last command of a `console` block ends so).

use crate::summary::line_of;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// First word of its first line.
    pub language: String,
    /// The other words.
    pub words: Vec<String>,
    /// What it holds.
    pub text: String,
    /// Line of the document on which its text begins, counted from 1.
    pub line: usize,
}

impl Fence {
    /// What stands after `key=`.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|w| w.strip_prefix(key)?.strip_prefix('='))
    }
}

/// Language and further words of the first line of a block.
pub fn words(info: &str) -> (String, Vec<String>) {
    let mut words = info.split_whitespace().map(str::to_string);
    (words.next().unwrap_or_default(), words.collect())
}

/// What the documents' Markdown may hold.
pub fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_MATH
}

/// Every fenced block of a document, in order.
pub fn fences(text: &str) -> Vec<Fence> {
    let mut found: Vec<Fence> = Vec::new();
    let mut open = false;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let (language, words) = words(&info);
                found.push(Fence { language, words, text: String::new(), line: line_of(text, range.start) + 1 });
                open = true;
            }
            Event::Text(t) if open => {
                if let Some(fence) = found.last_mut() {
                    fence.text.push_str(&t);
                }
            }
            Event::End(TagEnd::CodeBlock) => open = false,
            _ => {}
        }
    }
    found
}
