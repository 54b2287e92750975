//! Elements of XML that outlive the text they were read from, so that a model may be put together from several files.

use super::xml::tidied;
use super::{parse, Found, Search, Told};
use crate::files::read_foreign_text;
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_math::Vec3;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An element with its attributes, its text and its children, all with their places.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub tag: String,
    pub attributes: Vec<Attribute>,
    pub text: String,
    pub children: Vec<Element>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub name: String,
    pub value: String,
    pub span: Span,
}

/// Parses a text.
pub(crate) fn load(source: &Arc<Source>, told: &mut Told) -> Result<Element> {
    let source = &tidied(source, told)?;
    let document = parse(source)?;
    Ok(owned(source, document.root_element()))
}

/// The depth is bounded by the parser.
fn owned(source: &Arc<Source>, node: super::Xml) -> Element {
    let start = node.range().start;
    let end = source
        .text
        .get(start..)
        .map_or(1, |t| t.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(t.len()).max(1));
    let attribute = |a: roxmltree::Attribute| Attribute {
        name: a.name().to_string(),
        value: a.value().to_string(),
        span: Span::new(source, a.range_value()),
    };
    let name = node.tag_name();
    Element {
        // What belongs to a namespace has no meaning here, and is told as unknown by its whole name.
        tag: name.namespace().map_or(name.name().to_string(), |space| format!("{space}:{}", name.name())),
        attributes: node.attributes().map(attribute).collect(),
        text: node.children().filter_map(|c| c.text().filter(|_| c.is_text())).collect::<String>().trim().to_string(),
        children: node.children().filter(|c| c.is_element()).map(|c| owned(source, c)).collect(),
        span: Span::new(source, start..start + end),
    }
}

impl Element {
    /// The children of a tag.
    pub fn all<'e>(&'e self, tag: &'e str) -> impl Iterator<Item = &'e Element> + 'e {
        self.children.iter().filter(move |c| c.tag == tag)
    }

    /// The first child of a tag.
    pub fn child(&self, tag: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.tag == tag)
    }

    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// An error about it.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::new(message).of(format!("<{}>", self.tag)).at(&self.span)
    }

    /// The numbers of an attribute.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>> {
        self.attribute(name)
            .map(|a| numbers(&a.value, &a.span).map_err(|e| e.of(format!("{name} of <{}>", self.tag))))
            .transpose()
    }

    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        Ok(self.numbers(name)?.and_then(|n| n.first().copied()))
    }

    /// Three numbers of an attribute.
    pub fn vector(&self, name: &str) -> Result<Option<Vec3>> {
        let Some(list) = self.numbers(name)? else { return Ok(None) };
        match list[..] {
            [x, y, z] => Ok(Some(Vec3::new(x, y, z))),
            _ => Err(self.error(format!("'{name}' has three numbers; these are {}", list.len()))),
        }
    }

    /// The numbers of the text within it.
    pub fn own_numbers(&self) -> Result<Vec<f64>> {
        numbers(&self.text, &self.span).map_err(|e| e.of(format!("<{}>", self.tag)))
    }

    /// Whether a switch is on: `true` or 1.
    pub fn is_on(text: &str) -> bool {
        ["true", "1"].contains(&text.trim().to_ascii_lowercase().as_str())
    }

    /// Tells children and attributes that are neither read nor known to be without a meaning for the mechanism.
    pub fn allow(&self, told: &mut Told, attributes: &[&str], children: &[&str]) -> Result<()> {
        for a in self.attributes.iter().filter(|a| !attributes.contains(&a.name.as_str())) {
            let error = Error::new(format!("unknown attribute '{}' of <{}>", a.name, self.tag)).at(&a.span);
            told.doubt(error.suggest(&a.name, attributes.iter().copied()), "not read")?;
        }
        for c in self.children.iter().filter(|c| !children.contains(&c.tag.as_str())) {
            let error = Error::new(format!("unknown element <{}> in <{}>", c.tag, self.tag)).at(&c.span);
            told.doubt(error.suggest(&c.tag, children.iter().copied()), "not read")?;
        }
        Ok(())
    }
}

/// Finite numbers between blanks.
pub(crate) fn numbers(text: &str, span: &Span) -> Result<Vec<f64>> {
    let one = |word: &str| match word.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => {
            Err(Error::new(format!("'{}' is not a finite number", word.chars().take(40).collect::<String>())).at(span))
        }
    };
    text.split_whitespace().map(one).collect()
}

/// Files that a model names, so many and so large at most.
pub(crate) struct Folder {
    pub root: PathBuf,
    confined: bool,
    files: usize,
    bytes: usize,
}

impl Folder {
    /// Where `confined`, only files of the folder and of folders in it are read.
    pub fn new(root: &Path, confined: bool) -> Folder {
        Folder { root: root.to_path_buf(), confined, files: 0, bytes: 0 }
    }

    /// Where files are looked for.
    pub fn search(&self) -> Search<'_> {
        Search { folder: &self.root, confined: self.confined }
    }

    /// The text of a file; none where there is no such file.
    pub fn text(&mut self, name: &str, span: &Span) -> Result<Option<Arc<Source>>> {
        const MOST_FILES: usize = 200;
        const MOST_BYTES: usize = 64 << 20;
        let path = match self.search().find(name) {
            Found::At(path) => self.root.join(path),
            Found::Nowhere => return Ok(None),
            Found::Outside => {
                return Err(Error::new(format!("'{name}' is not in the folders around the model"))
                    .at(span)
                    .note("no absolute paths, no addresses, and above the model's folder only models and meshes"))
            }
        };
        let (source, _) =
            read_foreign_text(&path, &path.display().to_string()).map_err(|e| e.of(format!("'{name}'")).at(span))?;
        self.files += 1;
        self.bytes += source.text.len();
        if self.files > MOST_FILES || self.bytes > MOST_BYTES {
            return Err(Error::new("the model includes too many files, or itself").at(span));
        }
        Ok(Some(source))
    }
}
