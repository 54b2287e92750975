//! Elements of XML: every attribute and every child is either known or told.

use super::Told;
use crate::reader::plain_name;
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_math::Vec3;
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) type Xml<'d> = roxmltree::Node<'d, 'd>;

/// The text under reading, and what has been told of it so far.
pub(crate) struct Reader<'s> {
    pub source: &'s Arc<Source>,
    pub told: Told,
}

/// A value read and the place it stood.
#[derive(Debug, Clone)]
pub(crate) struct Placed<T> {
    pub value: T,
    pub span: Span,
}

/// Elements within elements at most: readers may follow them by recursion.
const DEEPEST: u32 = 400;
/// Elements, texts and comments at most: each takes memory many times its length.
const MOST_NODES: u32 = 2_000_000;

/// Parses the document. Declarations that could define entities are refused, and so is what would take memory or stack without bound.
pub(crate) fn parse(source: &Arc<Source>) -> Result<roxmltree::Document<'_>> {
    if let Some(start) = overloaded_tag(&source.text) {
        let message = format!("an element has more than {MOST_ATTRIBUTES} attributes");
        return Err(Error::new(message).at(&Span::new(source, start..start + 1)));
    }
    // A declaration that names a document type and defines nothing does no harm.
    let options = roxmltree::ParsingOptions {
        nodes_limit: MOST_NODES,
        allow_dtd: doctype(&source.text).is_some_and(|declaration| !declaration.contains('[')),
        ..roxmltree::ParsingOptions::default()
    };
    let document = roxmltree::Document::parse_with_options(&source.text, options).map_err(|error| {
        if let roxmltree::Error::DtdDetected = error {
            let start = source.text.find(DOCTYPE).unwrap_or(0);
            return Error::new("a document type declaration that could define entities is not allowed")
                .at(&Span::new(source, start..start + DOCTYPE.len()));
        }
        if let roxmltree::Error::NodesLimitReached = error {
            return Error::new(format!("the file has more than {MOST_NODES} elements"));
        }
        let position = error.pos();
        let start = offset(&source.text, position.row as usize, position.col as usize);
        Error::new(format!("this is not well-formed XML: {error}")).at(&Span::new(source, start..start + 1))
    })?;
    check_depth(source, &document)?;
    Ok(document)
}

/// The text as the lenient parsers of other programs take it: comments with dashes in them, XML declarations out of place and prefixes
/// that nothing declares have no meaning for them. The last two are told. What is replaced keeps its length, so places stay.
pub(crate) fn tidied(source: &Arc<Source>, told: &mut Told) -> Result<Arc<Source>> {
    let text = &source.text;
    let mut bytes = text.as_bytes().to_vec();
    let blank = |bytes: &mut [u8]| bytes.iter_mut().filter(|b| !b.is_ascii_whitespace()).for_each(|b| *b = b' ');
    let mut undeclared: HashMap<&str, bool> = HashMap::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|k| at + k) {
        let rest = &text[start..];
        at = start + 1;
        if let Some(comment) = rest.strip_prefix("<!--") {
            let body = comment.find("-->").map_or(comment, |end| &comment[..end]);
            let inner = start + 4..start + 4 + body.len();
            at = inner.end;
            if body.contains("--") || body.ends_with('-') {
                blank(&mut bytes[inner]);
            }
        } else if rest.starts_with("<![CDATA[") {
            at = start + rest.find("]]>").unwrap_or(rest.len());
        } else if rest.starts_with("<?xml") && !rest.starts_with("<?xml-") {
            let end = rest.find("?>").map_or(rest.len(), |k| k + 2);
            if start > 0 || !rest[..end].contains("version") {
                let span = Span::new(source, start..start + 5);
                told.doubt(Error::new("an XML declaration that is incomplete or out of place").at(&span), "not read")?;
                blank(&mut bytes[start..start + end]);
            }
            at = start + end;
        } else {
            ignore_namespace(rest, start, &mut bytes);
        }
        if let Some(prefix) = prefix(&rest[1..]) {
            // Each is looked for in the whole text, once; a file has a few.
            const MOST_PREFIXES: usize = 50;
            let room = undeclared.len() < MOST_PREFIXES;
            let open = undeclared.entry(prefix).or_insert_with(|| room && !text.contains(&format!("xmlns:{prefix}")));
            if *open {
                let colon = start + 1 + usize::from(rest.starts_with("</")) + prefix.len();
                bytes[colon] = b'_';
                if !rest.starts_with("</") {
                    let error = Error::new(format!("the prefix '{prefix}' is not declared"));
                    told.doubt(error.at(&Span::new(source, start + 1..colon)), "what bears it is not read")?;
                }
            }
        }
    }
    Ok(match String::from_utf8(bytes) {
        Ok(tidy) if tidy != *text => Source::new(&source.name, tidy),
        _ => source.clone(),
    })
}

/// Blanks the declaration of a default namespace (`xmlns="…"`) in a tag: lenient parsers take it for an attribute as any other, and its elements are
/// those that bear no prefix.
fn ignore_namespace(tag: &str, start: usize, bytes: &mut [u8]) {
    const WORD: &str = "xmlns";
    let (mut quote, mut from) = (None, None);
    for (k, b) in tag.bytes().enumerate().skip(1) {
        match (quote, b) {
            // No tag holds this; so each byte is looked at for one tag alone.
            (_, b'<') => return,
            (Some(q), _) if q == b => {
                quote = None;
                if let Some(from) = from.take() {
                    bytes[start + from..=start + k].fill(b' ');
                }
            }
            (Some(_), _) => {}
            (None, b'"' | b'\'') => {
                quote = Some(b);
                let before = tag[..k].trim_end();
                let name = before.strip_suffix('=').map_or("", str::trim_end);
                let own = name.strip_suffix(WORD).is_some_and(|rest| rest.ends_with(|c: char| c.is_whitespace()));
                from = own.then(|| name.len() - WORD.len());
            }
            (None, b'>') => return,
            _ => {}
        }
    }
}

/// The prefix of a tag's name, without the bracket that opens the tag.
fn prefix(tag: &str) -> Option<&str> {
    let tag = tag.strip_prefix('/').unwrap_or(tag);
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-')?;
    (end > 0 && tag[end..].starts_with(':')).then(|| &tag[..end])
}

const DOCTYPE: &str = "<!DOCTYPE";

/// The document type declaration, up to its first closing bracket.
fn doctype(text: &str) -> Option<&str> {
    let rest = &text[text.find(DOCTYPE)?..];
    rest.get(..rest.find('>')?)
}

fn check_depth(source: &Arc<Source>, document: &roxmltree::Document) -> Result<()> {
    let mut depths: Vec<u32> = Vec::new();
    // In the order of the document, so that a parent's depth is known.
    for node in document.root().descendants() {
        let depth = node.parent().and_then(|p| depths.get(p.id().get_usize())).map_or(0, |d| d + 1);
        if depth > DEEPEST {
            let start = node.range().start;
            let message = format!("elements stand within elements more than {DEEPEST} deep");
            return Err(Error::new(message).at(&Span::new(source, start..start + 1)));
        }
        let index = node.id().get_usize();
        depths.resize(depths.len().max(index + 1), 0);
        depths[index] = depth;
    }
    Ok(())
}

/// Name of the outermost element of a text that looks like XML, without parsing it.
pub(crate) fn root_tag(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let skipped = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")].iter().find(|(from, _)| rest.starts_with(from));
        let Some((from, to)) = skipped else { break };
        rest = rest[from.len()..].split_once(to)?.1.trim_start();
    }
    let tag = rest.strip_prefix('<')?;
    let end = tag.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(tag.len());
    tag.get(..end).filter(|t| !t.is_empty())
}

/// Attributes of one element at most: the parser compares each with all others.
const MOST_ATTRIBUTES: usize = 200;

/// Where a tag with too many attributes begins, if there is one.
fn overloaded_tag(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(open) = text[at..].find('<') {
        let start = at + open;
        let rest = &text[start..];
        let skipped =
            [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].iter().find(|(from, _)| rest.starts_with(from));
        if let Some((from, to)) = skipped {
            at = start + from.len() + rest[from.len()..].find(to)? + to.len();
            continue;
        }
        let (mut quote, mut count, mut end) = (None, 0, rest.len());
        for (k, b) in rest.bytes().enumerate() {
            match (quote, b) {
                (Some(q), _) if q == b => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(b),
                (None, b'=') => count += 1,
                (None, b'>') => {
                    end = k;
                    break;
                }
                _ => {}
            }
            if count > MOST_ATTRIBUTES {
                return Some(start);
            }
        }
        at = start + end.max(1);
    }
    None
}

/// Byte offset of a line and column, both counted from 1, the column in characters.
fn offset(text: &str, row: usize, column: usize) -> usize {
    let line_start = match row.saturating_sub(1) {
        0 => 0,
        skipped => text.match_indices('\n').nth(skipped - 1).map_or(text.len(), |(k, _)| k + 1),
    };
    let line = text.get(line_start..).unwrap_or("");
    line_start + line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(k, _)| k)
}

impl Reader<'_> {
    /// The opening `<tag` of an element.
    pub fn tag_span(&self, node: Xml) -> Span {
        let start = node.range().start;
        let length = self.source.text.get(start..).map_or(1, |text| {
            text.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(text.len()).max(1)
        });
        Span::new(self.source, start..start + length)
    }

    /// Tells every attribute, child element and text that is not among the allowed ones.
    pub fn allow(&mut self, node: Xml, attributes: &[&str], children: &[&str]) -> Result<()> {
        let tag = node.tag_name().name().to_string();
        for attribute in node.attributes() {
            let name = attribute.name();
            if attribute.namespace().is_some() || !attributes.contains(&name) {
                let span = Span::new(self.source, attribute.range());
                let message = format!("unknown attribute '{name}' of <{tag}>");
                let error = Error::new(message).at(&span).suggest(name, attributes.iter().copied());
                self.told.doubt(error, "not read")?;
            }
        }
        for child in node.children() {
            if child.is_text() && !child.text().unwrap_or("").trim().is_empty() {
                let span = Span::new(self.source, child.range());
                let message = format!("text inside <{tag}>, which holds none");
                self.told.doubt(Error::new(message).at(&span), "not read")?;
            }
            if !child.is_element() {
                continue;
            }
            let name = child.tag_name().name();
            let span = self.tag_span(child);
            if let Some(namespace) = child.tag_name().namespace() {
                let message = format!("unknown element <{name}> of namespace '{namespace}' in <{tag}>");
                let mut error = Error::new(message).at(&span);
                if namespace.contains("xacro") {
                    error = error.note("expand the file with xacro first, then read the URDF it writes");
                }
                self.told.doubt(error, "not read")?;
            } else if !children.contains(&name) {
                let message = format!("unknown element <{name}> in <{tag}>");
                let error = Error::new(message).at(&span).suggest(name, children.iter().copied());
                self.told.doubt(error, "not read")?;
            }
        }
        Ok(())
    }

    /// The child elements of one tag.
    pub fn children<'d>(&self, node: Xml<'d>, tag: &'static str) -> impl Iterator<Item = Xml<'d>> + use<'d> {
        node.children().filter(move |c| c.is_element() && c.tag_name().namespace().is_none() && c.has_tag_name(tag))
    }

    /// The child of that tag, if there is one; of several the first, which is told.
    pub fn child<'d>(&mut self, node: Xml<'d>, tag: &'static str) -> Result<Option<Xml<'d>>> {
        let mut found = self.children(node, tag);
        let first = found.next();
        if let Some(second) = found.next() {
            let inside = node.tag_name().name();
            let error = Error::new(format!("a second <{tag}> in one <{inside}>")).at(&self.tag_span(second));
            self.told.doubt(error, "the first is read")?;
        }
        Ok(first)
    }

    /// The one child of that tag, which must be there.
    pub fn required_child<'d>(&mut self, node: Xml<'d>, tag: &'static str) -> Result<Xml<'d>> {
        self.child(node, tag)?.ok_or_else(|| {
            let inside = node.tag_name().name();
            Error::new(format!("<{inside}> has no <{tag}>")).at(&self.tag_span(node))
        })
    }

    /// The text of an attribute.
    pub fn text(&self, node: Xml, name: &str) -> Option<Placed<String>> {
        let attribute = node.attributes().find(|a| a.namespace().is_none() && a.name() == name)?;
        let span = Span::new(self.source, attribute.range_value());
        Some(Placed { value: attribute.value().to_string(), span })
    }

    /// The text of an attribute that must be there and not be blank.
    pub fn required_text(&self, node: Xml, name: &str) -> Result<Placed<String>> {
        let tag = node.tag_name().name();
        let text = self
            .text(node, name)
            .ok_or_else(|| Error::new(format!("<{tag}> has no attribute '{name}'")).at(&self.tag_span(node)))?;
        if text.value.trim().is_empty() {
            return Err(Error::new(format!("attribute '{name}' of <{tag}> is empty")).at(&text.span));
        }
        Ok(text)
    }

    /// The name that an attribute gives to an element of the robot, or calls it by, made fit for tables.
    pub fn name(&self, node: Xml, attribute: &str) -> Result<Placed<String>> {
        let text = self.required_text(node, attribute)?;
        Ok(Placed { value: plain_name(&text.value), span: text.span })
    }

    /// The name of an element itself; one that had to be changed is told.
    pub fn own_name(&mut self, node: Xml) -> Result<Placed<String>> {
        let (given, name) = (self.required_text(node, "name")?, self.name(node, "name")?);
        if given.value != name.value {
            self.told.unused(
                &given.span,
                format!("'{}' is called '{}' here: names are headers of tables", given.value, name.value),
            );
        }
        Ok(name)
    }

    /// The numbers of an attribute, `N` of them, separated by spaces. More than that and commas behind numbers are told.
    pub fn numbers<const N: usize>(&mut self, node: Xml, name: &str) -> Result<Option<Placed<[f64; N]>>> {
        let mut values = [0.0; N];
        Ok(self.fill(node, name, &mut values)?.map(|span| Placed { value: values, span }))
    }

    /// The same into a slice; the place of the attribute where there is one.
    fn fill(&mut self, node: Xml, name: &str, values: &mut [f64]) -> Result<Option<Span>> {
        let Some(text) = self.text(node, name) else { return Ok(None) };
        let (wanted, mut count) = (values.len(), 0);
        for word in text.value.split_whitespace() {
            let span = self.word_span(&text, word);
            let number = match word.strip_suffix(',').map(parse_number) {
                Some(Ok(number)) if wanted > 1 => {
                    let error = Error::new("a comma behind a number").at(&span);
                    self.told.doubt(error.note("separate numbers by spaces: 0.5 0 0"), "not read")?;
                    number
                }
                _ => match word.strip_suffix('.').filter(|rest| rest.contains('.')).map(parse_number) {
                    Some(Ok(number)) => {
                        self.told.doubt(Error::new("a second point behind a number").at(&span), "not read")?;
                        number
                    }
                    _ => parse_number(word).map_err(|error| error.at(&span))?,
                },
            };
            if let Some(slot) = values.get_mut(count) {
                *slot = number;
            }
            count += 1;
        }
        if count != wanted {
            let needed = if wanted == 1 { "one number".to_string() } else { format!("{wanted} numbers") };
            let error = Error::new(format!("'{name}' needs {needed}, found {count}")).at(&text.span);
            if wanted == 1 || count < wanted {
                return Err(error);
            }
            self.told.doubt(error, "the first of them are read")?;
        }
        Ok(Some(text.span))
    }

    /// Where a word of an attribute's text stands.
    fn word_span(&self, text: &Placed<String>, word: &str) -> Span {
        let start = word.as_ptr() as usize - text.value.as_ptr() as usize;
        // Character references make the attribute's text shorter than its source; then the whole value is quoted.
        if text.span.range.len() == text.value.len() {
            text.span.inner(start..start + word.len())
        } else {
            text.span.clone()
        }
    }

    /// One number of an attribute.
    pub fn number(&mut self, node: Xml, name: &str) -> Result<Option<Placed<f64>>> {
        Ok(self.numbers::<1>(node, name)?.map(|p| Placed { value: p.value[0], span: p.span }))
    }

    /// One number of an attribute that must be there.
    pub fn required_number(&mut self, node: Xml, name: &str) -> Result<Placed<f64>> {
        self.required_text(node, name)?;
        self.number(node, name)?.ok_or_else(|| Error::new(format!("no attribute '{name}'")).at(&self.tag_span(node)))
    }

    /// A vector of an attribute.
    pub fn vector(&mut self, node: Xml, name: &str) -> Result<Option<Placed<Vec3>>> {
        Ok(self.numbers::<3>(node, name)?.map(|p| Placed { value: p.value.into(), span: p.span }))
    }
}

/// A finite number as XML Schema writes a double.
fn parse_number(word: &str) -> Result<f64> {
    match word.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        Ok(_) => Err(Error::new(format!("'{word}' is not a finite number"))),
        Err(_) if word.contains(',') => Err(Error::new(format!("'{word}' is not a number"))
            .note("write decimals with a point, and separate numbers by spaces: 0.5 0 0")),
        Err(_) => Err(Error::new(format!("'{word}' is not a number"))),
    }
}
