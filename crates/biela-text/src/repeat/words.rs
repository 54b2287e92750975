//! Texts of a template: indices, the parameters of a part and the part's own names put in.
//!
//! `{i}`, `{i+1}` stand for whole numbers, in names and in values; in values an index or a parameter of the part may stand without braces,
//! and is put in as a bracket. A name that a part has itself is told from that of the model around it by the part's name before it.

use super::super::parameters::Parameters;
use super::super::tree::{Entry, Node, Table, Value};
use super::super::values::text_place;
use super::size::Size;
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_core::expr::{Expression, Name, Scope, LONGEST_TEXT};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// What stands in the texts of a template.
#[derive(Clone)]
pub(super) struct Words<'p> {
    pub parameters: &'p Parameters,
    /// Indices of the repeats around, the innermost last.
    pub indices: Vec<(String, i64)>,
    /// Parameters of the part, as texts of the model around it.
    pub given: Vec<(String, String)>,
    /// Parameters of the model that have a hyphen, which is no minus there.
    pub hyphenated: Rc<[String]>,
}

/// Names of the elements that a part brings.
#[derive(Default)]
pub(super) struct Level {
    pub name: String,
    pub bodies: HashSet<String>,
    /// Joints, couplings, rotors and whatever else is named with a coordinate behind it.
    pub others: HashSet<String>,
    pub signals: HashSet<String>,
}

/// How a text is read.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// A word of the format or a file's name: braces alone.
    Plain,
    /// The name of a body, perhaps with a point behind it.
    Body,
    /// The name of a joint, perhaps with a coordinate behind it.
    Joint,
    /// An expression, or the name of a point.
    Expression,
}

fn mode(key: &str) -> Mode {
    match key {
        "bodies" | "body" | "point" | "carrier" | "except" => Mode::Body,
        "joint" | "joints" | "effort" => Mode::Joint,
        "type" | "law" | "file" | "table" | "coordinate" | "zero" | "action" | "stop" | "assembly" => Mode::Plain,
        _ => Mode::Expression,
    }
}

/// What is wrong with a text, and where in it.
struct Fault(Range<usize>, Error);

/// Indices, with the model's parameters.
struct Indices<'a>(&'a Words<'a>);

impl Scope for Indices<'_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        let index = self.0.indices.iter().rev().find(|(known, _)| known == name);
        match index {
            Some((_, k)) => Some(Name::Constant(*k as f64, biela_base::units::Kind::Pure)),
            None => self.0.parameters.lookup(name),
        }
    }
    fn names(&self) -> Vec<String> {
        self.0.indices.iter().map(|(name, _)| name.clone()).chain(self.0.parameters.names()).collect()
    }
    fn value(&self, parameter: usize) -> f64 {
        self.0.parameters.value(parameter)
    }
    fn hold(&self, parameter: usize) {
        self.0.parameters.hold(parameter);
    }
}

impl Words<'_> {
    /// A key of the template as the model has it.
    pub fn key(&self, entry: &Entry) -> Result<String> {
        let name = entry.key.as_str();
        if self.indices.iter().any(|(index, _)| index == name) || self.given.iter().any(|(given, _)| given == name) {
            return Err(Error::new(format!("'{name}' is an index or a parameter here, so it cannot name anything else"))
                .at_opt(entry.key_span.as_ref())
                .note(format!("for its value in a name write {{{name}}}, as in \"link{{{name}}}\"; else give one of the two another name")));
        }
        self.written(name, Mode::Plain, &[]).map_err(|Fault(range, error)| {
            // A quoted key begins with its quote.
            let inside = |span: &biela_base::source::Span| {
                let quote = usize::from(span.source.text[span.range.start..].starts_with(['"', '\'']));
                span.inner(range.start + quote..range.end + quote)
            };
            error.at_opt(entry.key_span.as_ref().map(inside).as_ref())
        })
    }

    /// A node under a key with everything put in; `levels` are the parts around, the innermost first.
    pub fn node(&self, key: &str, node: &Node, levels: &[Rc<Level>], size: &mut Size) -> Result<Node> {
        size.add(1, node.span.as_ref())?;
        let value = match &node.value {
            Value::Text(text) => {
                let text = self.written(text, mode(key), levels).map_err(|Fault(range, error)| {
                    let place = text_place(node, text).map(|span| span.inner(range));
                    error.at_opt(place.as_ref().or(node.span.as_ref()))
                })?;
                size.add(text.len() / 64, node.span.as_ref())?;
                Value::Text(text)
            }
            Value::List(list) => {
                Value::List(list.iter().map(|item| self.node(key, item, levels, size)).collect::<Result<_>>()?)
            }
            Value::Table(table) => {
                let mut entries: Vec<Entry> = Vec::with_capacity(table.entries.len());
                for entry in &table.entries {
                    let node = self.node(&entry.key, &entry.node, levels, size)?;
                    let name = self.key(entry)?;
                    if entries.iter().any(|e| e.key == name) {
                        let message = format!("'{name}' is given twice: two keys of the template come to the same");
                        return Err(Error::new(message).at_opt(entry.key_span.as_ref()));
                    }
                    entries.push(Entry { key: name, key_span: entry.key_span.clone(), node });
                }
                Value::Table(Table { entries })
            }
            other => other.clone(),
        };
        Ok(Node { value, span: node.span.clone() })
    }

    /// The name of a signal, such as a key of `[initial]`.
    pub fn signal(&self, entry: &Entry, levels: &[Rc<Level>]) -> Result<String> {
        self.key(entry).map(|name| resolved(&name, levels))
    }

    fn written(&self, text: &str, mode: Mode, levels: &[Rc<Level>]) -> std::result::Result<String, Fault> {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let end = match mode {
                Mode::Expression => self.expression_part(text, at, levels, &mut out)?,
                _ => self.name_part(text, at, &mut out)?,
            };
            at = end;
            if out.len() > LONGEST_TEXT {
                let message = format!("with everything put in this has more than {LONGEST_TEXT} bytes");
                return Err(Fault(0..text.len(), Error::new(message)));
            }
        }
        Ok(match mode {
            Mode::Body => owned(&out, levels, |level| &level.bodies),
            Mode::Joint => owned(&out, levels, |level| &level.others),
            _ => out,
        })
    }

    /// The next piece of a name; where it ends.
    fn name_part(&self, text: &str, at: usize, out: &mut String) -> std::result::Result<usize, Fault> {
        if text[at..].starts_with('{') {
            let (end, value) = self.braces(text, at)?;
            out.push_str(&value.whole(text, at..end)?);
            return Ok(end);
        }
        let end = text[at..].find('{').map_or(text.len(), |k| at + k);
        out.push_str(&text[at..end]);
        Ok(end)
    }

    /// The next piece of an expression; where it ends.
    fn expression_part(
        &self,
        text: &str,
        at: usize,
        levels: &[Rc<Level>],
        out: &mut String,
    ) -> std::result::Result<usize, Fault> {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { return Ok(text.len()) };
        if let Some(name) = self.hyphenated.iter().find(|name| rest.starts_with(name.as_str())) {
            out.push_str(name);
            return Ok(at + name.len());
        }
        if c == '{' {
            let (end, value) = self.braces(text, at)?;
            let glued = text[end..].starts_with(|c: char| is_part(c) || c == '{' || c == '.');
            if !glued {
                // A text that is all there is needs no brackets, and may be a name.
                match (value, at == 0 && end == text.len()) {
                    (Inserted::Text(text), true) => out.push_str(&text),
                    (value, _) => out.push_str(&value.in_brackets()),
                }
                return Ok(end);
            }
        }
        if c.is_ascii_digit() {
            let end = rest.find(|c: char| !is_part(c) && c != '.').map_or(text.len(), |k| at + k);
            out.push_str(&text[at..end]);
            return Ok(end);
        }
        if !(is_part(c) || c == '{') {
            out.push(c);
            return Ok(at + c.len_utf8());
        }
        let (mut word, mut end, mut braced) = (String::new(), at, false);
        while let Some(c) = text[end..].chars().next() {
            let next = text[end + c.len_utf8()..].chars().next();
            if c == '{' {
                let (after, value) = self.braces(text, end)?;
                word.push_str(&value.whole(text, end..after)?);
                (end, braced) = (after, true);
            } else if is_part(c) || (c == '.' && next.is_some_and(|n| is_part(n) || n == '{')) {
                word.push(c);
                end += c.len_utf8();
            } else {
                break;
            }
        }
        let index = self.indices.iter().rev().find(|(name, _)| *name == word && !braced);
        let given = self.given.iter().find(|(name, _)| *name == word && !braced);
        match (index, given) {
            (Some((_, k)), _) => out.push_str(&Inserted::Number(*k as f64).in_brackets()),
            (_, Some((_, text))) => out.push_str(&Inserted::Text(text.clone()).in_brackets()),
            _ => out.push_str(&resolved(&word, levels)),
        }
        Ok(end)
    }

    /// What braces that begin at `at` stand for, and where they end.
    fn braces(&self, text: &str, at: usize) -> std::result::Result<(usize, Inserted), Fault> {
        let Some(length) = text[at..].find('}') else {
            let error = Error::new("a brace { is opened and not closed").note("an index stands in braces: {i}, {i+1}");
            return Err(Fault(at..text.len(), error));
        };
        let (from, to) = (at + 1, at + length);
        let inner = &text[from..to];
        if let Some((_, given)) = self.given.iter().find(|(name, _)| name == inner.trim()) {
            return Ok((to + 1, Inserted::Text(given.clone())));
        }
        let names: Vec<&str> = self.indices.iter().map(|(name, _)| name.as_str()).collect();
        let advice = match names.as_slice() {
            [] => "no index is known here: braces belong in [[repeat]]".to_string(),
            names => format!("in braces stands an expression of {}, such as {{{}+1}}", names.join(", "), names[0]),
        };
        let put = self.written(inner, Mode::Expression, &[]).map_err(|Fault(_, error)| Fault(from..to, error))?;
        let fault = |error: Error| Fault(from..to.max(from + 1), error.note(advice.clone()));
        let read = Expression::parse(&put, &Indices(self)).map_err(|e| fault(e.into_error(None)))?;
        read.parameters().for_each(|place| self.parameters.hold(place));
        match read.as_constant() {
            Some(value) if value.is_finite() => Ok((to + 1, Inserted::Number(value))),
            _ => Err(fault(Error::new(format!("'{inner}' is no number")))),
        }
    }
}

/// What stands in the place of braces.
enum Inserted {
    Number(f64),
    Text(String),
}

impl Inserted {
    /// As a part of a name.
    fn whole(&self, text: &str, range: Range<usize>) -> std::result::Result<String, Fault> {
        /// Names count no further.
        const LARGEST: f64 = 1e9;
        match self {
            Inserted::Text(text) => Ok(text.clone()),
            Inserted::Number(x) if *x == x.round() && x.abs() <= LARGEST => Ok(format!("{}", *x as i64)),
            Inserted::Number(x) => {
                let message = format!("{} is {x} here; in a name it must be a whole number", &text[range.clone()]);
                Err(Fault(range, Error::new(message)))
            }
        }
    }

    /// As a part of an expression.
    fn in_brackets(&self) -> String {
        match self {
            Inserted::Text(text) => format!("({text})"),
            Inserted::Number(x) if *x == x.round() && x.abs() < 1e15 => format!("({})", *x as i64),
            Inserted::Number(x) => format!("({x:?})"),
        }
    }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A name in an expression as the model has it: a signal of an element of a part, or a signal that the part makes.
fn resolved(word: &str, levels: &[Rc<Level>]) -> String {
    let made = levels.iter().position(|level| level.signals.contains(word));
    let own = |level: &Level| {
        let owns = |element: &str| level.bodies.contains(element) || level.others.contains(element);
        signal_name::splits(word).any(|(element, _)| owns(element))
    };
    match made {
        Some(first) => levels[first..].iter().fold(word.to_string(), |name, level| made_by(&level.name, &name)),
        None => with_parts(word, levels, own),
    }
}

/// The name of a signal that a part makes. Such names have no dots.
pub(super) fn made_by(part: &str, signal: &str) -> String {
    format!("{}_{signal}", part.replace('.', "_"))
}

/// The name of an element, perhaps with something behind it, as the model has it.
fn owned(name: &str, levels: &[Rc<Level>], names: fn(&Level) -> &HashSet<String>) -> String {
    let own = |level: &Level| {
        names(level).contains(name) || signal_name::splits(name).any(|(element, _)| names(level).contains(element))
    };
    with_parts(name, levels, own)
}

/// The name with those of the parts before it, from the innermost on that has it.
fn with_parts(name: &str, levels: &[Rc<Level>], own: impl Fn(&Level) -> bool) -> String {
    let first = levels.iter().position(|level| own(level)).unwrap_or(levels.len());
    levels[first..].iter().fold(name.to_string(), |name, level| signal_name::join(&level.name, &name))
}
