//! A table of the document while it is read: knows its element's name for messages and which keys it may have.

use super::context::Context;
use super::tree::{Entry, Node, Table, Value};
use super::values::{self, describe, wrong};
use super::vectors;
use biela_base::error::{listing, nearest, Error, Result};
use biela_base::source::Span;
use biela_base::units::Dimension;
use biela_core::blueprint::{Direction, Place, Quantity, Vector};
use biela_core::expr::{Expression, Scope};
use biela_core::joints;

/// One table, such as that of `joint 'B'`.
pub(super) struct Reader<'a> {
    pub context: &'a Context<'a>,
    table: &'a Table,
    element: String,
    /// The table's header, or the key whose value it is.
    span: Option<Span>,
    /// How keys are called in messages, such as `pose.` before `at`.
    prefix: &'static str,
    is_document: bool,
}

/// Words people use for keys that are called otherwise here.
const SYNONYMS: &[(&str, &str)] = &[
    ("angle0", "zero"),
    ("center", "com"),
    ("center_of_mass", "com"),
    ("centre", "com"),
    ("cg", "com"),
    ("cog", "com"),
    ("direction", "along"),
    ("duration", "end"),
    ("kind", "type"),
    ("dt", "step"),
    ("l0", "length"),
    ("limit", "limits"),
    ("links", "bodies"),
    ("location", "at"),
    ("motion", "value"),
    ("origin", "at"),
    ("point", "at"),
    ("pitch", "rpy"),
    ("position", "at"),
    ("quat", "euler"),
    ("quaternion", "euler"),
    ("rol", "rpy"),
    ("roll", "rpy"),
    ("rotation", "rpy"),
    ("step_size", "step"),
    ("t_end", "end"),
    ("tend", "end"),
    ("time", "end"),
    ("timestep", "step"),
    ("tol", "tolerance"),
    ("yaw", "rpy"),
];

impl<'a> Reader<'a> {
    /// A reader of the table under an entry, such as `[joints.B]`.
    pub fn of_entry(context: &'a Context<'a>, element: String, entry: &'a Entry) -> Result<Reader<'a>> {
        let Value::Table(table) = &entry.node.value else {
            let message = format!("a table of keys and values is expected here, not {}", describe(&entry.node));
            return Err(wrong(&entry.node, message).of(element));
        };
        let span = entry.key_span.clone().or_else(|| entry.node.span.clone());
        Ok(Reader { context, table, element, span, prefix: "", is_document: false })
    }

    /// A reader of the whole document.
    pub fn of_document(context: &'a Context<'a>, table: &'a Table) -> Reader<'a> {
        Reader { context, table, element: "model".into(), span: None, prefix: "", is_document: true }
    }

    /// A reader of a table inside this one, such as `pose`.
    pub fn inner(&self, key: &'static str, prefix: &'static str) -> Result<Option<Reader<'a>>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let Value::Table(table) = &node.value else {
            let message = format!("'{key}' is a table, not {}", describe(node));
            let form = form_of(key, self.context);
            return Err(self.blame(wrong(node, message)).note(form));
        };
        let element = if self.is_document { format!("[{key}]") } else { self.element.clone() };
        let span = node.span.clone();
        Ok(Some(Reader { context: self.context, table, element, span, prefix, is_document: false }))
    }

    /// A reader of a table that is an entry of a list of this one.
    pub fn item(&self, node: &'a Node, prefix: &'static str, form: &str) -> Result<Reader<'a>> {
        let Value::Table(table) = &node.value else {
            return Err(self
                .blame(wrong(node, format!("a table is expected here, not {}", describe(node))))
                .note(form));
        };
        let (context, element, span) = (self.context, self.element.clone(), node.span.clone());
        Ok(Reader { context, table, element, span, prefix, is_document: false })
    }

    /// Readers of a table inside this one, or of each table of a list, such as `shape`.
    pub fn inner_list(&self, key: &'static str, prefix: &'static str) -> Result<Vec<Reader<'a>>> {
        let list = match self.get(key).map(|node| &node.value) {
            Some(Value::List(list)) => list,
            _ => return Ok(self.inner(key, prefix)?.into_iter().collect()),
        };
        if list.is_empty() {
            let message = format!("'{key}' is an empty list");
            return Err(self.wrong_value(key, message).note("leave it out, or put a table into it"));
        }
        let each = |(k, node): (usize, &'a Node)| {
            let Value::Table(table) = &node.value else {
                let message = format!("'{key}' is a table or a list of tables; entry {} is {}", k + 1, describe(node));
                return Err(self.blame(wrong(node, message)).note(form_of(key, self.context)));
            };
            let (element, span) = (self.element.clone(), node.span.clone());
            Ok(Reader { context: self.context, table, element, span, prefix, is_document: false })
        };
        list.iter().enumerate().map(each).collect()
    }

    /// Refuses keys that are not among `allowed`.
    pub fn allow(&self, allowed: &[&str]) -> Result<()> {
        self.allow_for("", allowed)
    }

    /// The same, where `owner` (`a screw joint`) explains why just these.
    pub fn allow_for(&self, owner: &str, allowed: &[&str]) -> Result<()> {
        for entry in &self.table.entries {
            if allowed.contains(&entry.key.as_str()) {
                continue;
            }
            let error = self.unknown_key(entry, owner, allowed);
            if !self.context.options.lenient {
                return Err(error);
            }
            self.context.warn(&error);
        }
        Ok(())
    }

    fn unknown_key(&self, entry: &Entry, owner: &str, allowed: &[&str]) -> Error {
        let key = entry.key.as_str();
        let span = entry.key_span.as_ref().or(entry.node.span.as_ref());
        let name = format!("{}{key}", self.prefix);
        let error = self.blame(Error::new(format!("unknown key '{name}'")).at_opt(span));
        let place = if owner.is_empty() { String::new() } else { format!(" for {owner}") };
        let error = error.note(format!("allowed{place}: {}", allowed.join(", ")));
        let synonym = SYNONYMS.iter().find(|(word, meant)| *word == key && allowed.contains(meant)).map(|s| s.1);
        match nearest(key, allowed).or(synonym) {
            Some(near) => error.note(format!("did you mean '{near}'?")),
            None => error,
        }
    }

    /// Names the element and, where none is known yet, the place of its table.
    pub fn blame(&self, error: Error) -> Error {
        error.of(self.element.clone()).at_opt(self.span.as_ref())
    }

    /// An error about the element as a whole.
    pub fn error(&self, message: impl Into<String>) -> Error {
        self.blame(Error::new(message))
    }

    /// Where the element and its keys stand, for messages about values.
    pub fn place(&self) -> Place {
        let keys = self.table.entries.iter().map(|e| (e.key.clone(), e.node.span.clone())).collect();
        Place { element: self.element.clone(), span: self.span.clone(), keys }
    }

    /// The element's name in messages.
    pub fn element(&self) -> &str {
        &self.element
    }

    /// The table itself.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.table.get(key)
    }

    /// Whether `key` is given.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value under `key`, which must be there; `meaning` says what for.
    pub fn required(&self, key: &str, meaning: &str) -> Result<&'a Node> {
        self.get(key).ok_or_else(|| self.missing(key, meaning))
    }

    /// The error for a key that must be there.
    pub fn missing(&self, key: &str, meaning: &str) -> Error {
        self.error(format!("'{}{key}' is missing", self.prefix)).note(meaning)
    }

    /// The key as messages name it.
    pub fn name(&self, key: &str) -> String {
        format!("'{}{key}'", self.prefix)
    }

    /// A number of the wanted dimension, if given.
    pub fn number(&self, key: &str, wanted: Dimension) -> Result<Option<f64>> {
        self.number_of_any(key, Some(wanted))
    }

    /// A number whose dimension may be unknown, if given.
    pub fn number_of_any(&self, key: &str, wanted: Option<Dimension>) -> Result<Option<f64>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let found = values::number(node, &self.name(key), wanted, self.context);
        found.map(Some).map_err(|e| self.blame(e))
    }

    /// An error at the value of `key`.
    pub fn wrong_value(&self, key: &str, message: impl Into<String>) -> Error {
        let span = self.get(key).and_then(|n| n.span.as_ref());
        self.blame(Error::new(message).at_opt(span))
    }

    /// A number or an expression under a key, or in a list under it.
    pub fn formula(&self, node: &Node, key: &str, wanted: Dimension, scope: &dyn Scope) -> Result<Expression> {
        if let Some(x) = values::plain_number(node).map_err(|e| self.blame(e))? {
            return Ok(Expression::constant(x));
        }
        let Value::Text(text) = &node.value else {
            let message = format!("{} is a number or an expression, not {}", self.name(key), describe(node));
            return Err(self.blame(wrong(node, message)));
        };
        values::expression(node, &self.name(key), text, Some(wanted), scope).map_err(|e| self.blame(e))
    }

    /// A number of the wanted dimension or a formula of parameters, if given.
    pub fn quantity(&self, key: &str, wanted: Dimension) -> Result<Option<Quantity>> {
        self.quantity_of_any(key, Some(wanted))
    }

    /// The same, whose dimension may be unknown.
    pub fn quantity_of_any(&self, key: &str, wanted: Option<Dimension>) -> Result<Option<Quantity>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let found = values::quantity(node, &self.name(key), wanted, self.context);
        found.map(Some).map_err(|e| self.blame(e))
    }

    /// The same, which must be there.
    pub fn required_quantity(&self, key: &str, wanted: Dimension, meaning: &str) -> Result<Quantity> {
        self.quantity(key, wanted)?.ok_or_else(|| self.missing(key, meaning))
    }

    /// A vector of the wanted dimension, if given.
    pub fn vector(&self, key: &str, wanted: Dimension) -> Result<Option<Vector>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let found = vectors::vector(node, &self.name(key), Some(wanted), self.context);
        found.map(Some).map_err(|e| self.blame(e))
    }

    /// Three numbers of the wanted dimension, in the plane too, if given.
    pub fn triple(&self, key: &str, wanted: Dimension) -> Result<Option<Vector>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let found = values::quantities::<3>(node, &self.name(key), Some(wanted), self.context);
        found.map(Some).map_err(|e| self.blame(e))
    }

    /// A direction, if given.
    pub fn direction(&self, key: &str) -> Result<Option<Direction>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        vectors::direction(node, &self.name(key), self.context).map(Some).map_err(|e| self.blame(e))
    }

    /// A string, if given.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>> {
        match self.get(key).map(|n| (n, &n.value)) {
            None => Ok(None),
            Some((_, Value::Text(text))) => Ok(Some(text)),
            Some((node, _)) => {
                let message = format!("{} is a string in quotes, not {}", self.name(key), describe(node));
                Err(self.blame(wrong(node, message)))
            }
        }
    }

    /// A string that must be there.
    pub fn required_text(&self, key: &str, meaning: &str) -> Result<&'a str> {
        self.text(key)?.ok_or_else(|| self.missing(key, meaning))
    }

    /// One of the words allowed, if given.
    pub fn choice(&self, key: &str, allowed: &[&'static str]) -> Result<Option<&'static str>> {
        let Some(found) = self.text(key)? else { return Ok(None) };
        match allowed.iter().find(|word| **word == found) {
            Some(word) => Ok(Some(word)),
            None => Err(self.unknown_word(key, found, allowed)),
        }
    }

    /// The error for a word that is not among those allowed.
    pub fn unknown_word(&self, key: &str, found: &str, allowed: &[&str]) -> Error {
        let error = self.wrong_value(key, format!("{} cannot be '{found}'", self.name(key)));
        let error = error.note(format!("allowed: {}", allowed.join(", ")));
        match nearest(found, allowed) {
            Some(near) => error.note(format!("did you mean '{near}'?")),
            None => error,
        }
    }

    /// `true` or `false`, if given.
    pub fn bool(&self, key: &str) -> Result<Option<bool>> {
        match self.get(key).map(|n| (n, &n.value)) {
            None => Ok(None),
            Some((_, Value::Bool(b))) => Ok(Some(*b)),
            Some((node, _)) => {
                let message = format!("{} is true or false, without quotes, not {}", self.name(key), describe(node));
                Err(self.blame(wrong(node, message)))
            }
        }
    }

    /// A whole number from `least` to `most`, if given.
    pub fn whole(&self, key: &str, least: usize, most: usize) -> Result<Option<usize>> {
        Ok(self.whole_number(key, least as u64, most as u64)?.map(|n| n as usize))
    }

    /// What random numbers begin with, if given: any whole number that a float holds.
    pub fn seed(&self) -> Result<Option<u64>> {
        self.whole_number("seed", 0, 1 << f64::MANTISSA_DIGITS)
    }

    fn whole_number(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>> {
        let Some(value) = self.number(key, Dimension::NUMBER)? else { return Ok(None) };
        let whole = value.round();
        if value == whole && whole >= least as f64 && whole <= most as f64 {
            return Ok(Some(whole as u64));
        }
        let name = self.name(key);
        Err(self.wrong_value(key, format!("{name} is a whole number from {least} to {most}; this is {value}")))
    }

    /// The error for a name of something that does not exist, at `node`.
    pub fn unknown_name(&self, node: &Node, what: &str, found: &str, plural: &str, known: &[&str]) -> Error {
        let error = self.blame(wrong(node, format!("there is no {what} '{found}'")));
        let error = match known.is_empty() {
            true => error.note(format!("there are no {plural} at all")),
            false => error.note(format!("{plural}: {}", listing(known))),
        };
        match nearest(found, known) {
            Some(near) => error.note(format!("did you mean '{near}'?")),
            None => error,
        }
    }
}

/// How a table inside another is written.
fn form_of(key: &str, context: &Context) -> &'static str {
    match key {
        "pose" if context.is_planar() => "such as pose = { at = [1, 0], angle = \"30 deg\" }",
        "points" if context.is_planar() => "such as points = { A = [0, 0], B = [1, 0] }",
        "pose" => "such as pose = { at = [1, 0, 0], angle = \"30 deg\", axis = [0, 0, 1] }",
        "points" => "such as points = { A = [0, 0, 0], B = [1, 0, 0] }",
        joints::FRICTION => "such as friction = { coefficient = 0.1, radius = \"10 mm\" }",
        "limits" => "such as limits = { lower = -1, upper = 1 }",
        "shape" => "such as shape = { type = \"rod\", length = 1, radius = 0.01 }",
        "run" => "write [run], then end = 1.0 and so on in the lines below",
        _ => "write its header in brackets, then key = value lines",
    }
}

/// The elements of a section such as `[joints]`: one table each.
pub(super) fn section<'a>(root: &Reader<'a>, key: &str, example: &str) -> Result<&'a [Entry]> {
    match root.get(key).map(|n| (n, &n.value)) {
        None => Ok(&[]),
        Some((_, Value::Table(table))) => Ok(&table.entries),
        Some((node, _)) => {
            let message = format!("'{key}' is a table of tables, not {}", describe(node));
            Err(wrong(node, message).note(format!("write a header for each, such as {example}")))
        }
    }
}

/// Characters that cannot stand in a table's header.
const FORBIDDEN: &[char] = &['"', '\'', ',', ';', '[', ']', '{', '}', '`', '\\'];
/// What spreadsheets begin a formula with: names are headers of tables.
const FORMULA: &[char] = &['=', '+', '-', '@'];

/// What keeps a name from being told apart in signal names and tables, if anything does.
fn fault_of_name(name: &str) -> Option<String> {
    if name.is_empty() {
        Some("is empty".to_string())
    } else if let Some(c) = name.chars().find(|c| c.is_control()) {
        Some(format!("contains the control character U+{:04X}", c as u32))
    } else if let Some(c) = name.chars().find(|c| FORBIDDEN.contains(c)) {
        Some(format!("contains {c}, which cannot stand in a table's header"))
    } else if let Some(c) = name.chars().find(|c| !c.is_ascii()) {
        Some(format!("contains '{c}'; names appear in table headers, which are plain ASCII"))
    } else if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        Some("has a dot without something on both sides".to_string())
    } else if name.trim() != name {
        Some("starts or ends with a space".to_string())
    } else {
        let first = name.chars().next().filter(|c| FORMULA.contains(c));
        first.map(|c| format!("starts with {c}, which a spreadsheet takes for a formula"))
    }
}

/// The name that an element of a foreign file gets: its own, with `_` for what [`check_name`] refuses.
pub(super) fn plain_name(name: &str) -> String {
    let strange = |c: char| c.is_control() || !c.is_ascii() || FORBIDDEN.contains(&c);
    let plain: String = name.trim().chars().map(|c| if strange(c) { '_' } else { c }).collect();
    let mut plain = plain.replace("..", "__");
    if plain.starts_with(|c| c == '.' || FORMULA.contains(&c)) {
        plain.insert(0, '_');
    }
    if plain.ends_with('.') {
        plain.push('_');
    }
    plain
}

/// Refuses names that could not be told apart in signal names and tables.
pub(super) fn check_name(what: &str, entry: &Entry) -> Result<()> {
    let name = entry.key.as_str();
    let fault = fault_of_name(name);
    match fault {
        None => Ok(()),
        Some(fault) => Err(Error::new(format!("the name of the {what} {fault}"))
            .of(format!("{what} '{name}'"))
            .at_opt(entry.key_span.as_ref())
            .note(match name.contains('{') {
                true => "names with an index, such as \"link{i}\", stand in [[repeat]]",
                false => "use letters, digits, _ and -",
            })),
    }
}
