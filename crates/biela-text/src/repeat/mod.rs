//! `[[repeat]]`, `[assemblies]` and `[parts]`: elements that are written once and stand in the model several times.
//!
//! A repeat holds elements as the model does, with an index in their names. An assembly is a template of its own with parameters; each part
//! is one of it, and its elements have the part's name before theirs. Both are put in as plain elements before anything is compiled, so
//! nothing behind this knows of them; places stay those of the template, and parameters of the model stay symbols. The document's own tree
//! keeps the templates: what is saved is what was written.

mod mirror;
mod size;
mod words;

use super::parameters::Parameters;
use super::tree::{Entry, Node, Table, Value};
use super::values::{self, describe, wrong};
use biela_base::error::{nearest, Error, Result};
use biela_base::signal_name;
use biela_base::source::Span;
use biela_base::units::{self, Dimension};
use biela_core::expr;
use mirror::Mirror;
use size::Size;
use std::rc::Rc;
use words::{made_by, Level, Words};

/// The keys of a document that are read here.
pub(super) const REPEAT: &str = "repeat";
pub(super) const ASSEMBLIES: &str = "assemblies";
pub(super) const PARTS: &str = "parts";

/// Sections whose elements may stand in a template.
const SECTIONS: &[&str] = &[
    "bodies",
    "joints",
    "couplings",
    "drivers",
    "forces",
    "contacts",
    "rotors",
    "events",
    "signals",
    "initial",
    "run",
];
/// Copies that one repeat makes at most.
const MOST_COPIES: usize = 100_000;
/// Repeats and parts within each other.
const DEEPEST: usize = 8;
/// What an index may not be called, since values know these words otherwise.
const AXES: &[&str] = &["x", "y", "z"];

/// Whether a document holds what is read here.
pub(super) fn any(tree: &Table) -> bool {
    [REPEAT, ASSEMBLIES, PARTS].iter().any(|key| tree.get(key).is_some())
}

/// The tree with plain elements in place of repeats and parts.
pub(super) fn expand(tree: &Table, parameters: &Parameters) -> Result<Table> {
    let mut out = tree.clone();
    out.entries.retain(|e| ![REPEAT, ASSEMBLIES, PARTS].contains(&e.key.as_str()));
    let assemblies = match tree.get(ASSEMBLIES) {
        None => &[][..],
        Some(node) => &table(node, ASSEMBLIES, "[assemblies.cylinder]")?.entries,
    };
    let hyphenated = parameters.values().iter().map(|(name, _)| name.clone()).filter(|name| name.contains('-'));
    let words = Words { parameters, indices: Vec::new(), given: Vec::new(), hyphenated: hyphenated.collect() };
    let mut expansion = Expansion { assemblies, size: Size::default(), used: vec![false; assemblies.len()] };
    let mut found = Vec::new();
    expansion.inner(tree, &Rc::new(words.clone()), 0, &mut found)?;
    // A template that no part uses is read all the same: its faults are told now and not with the first part.
    for (entry, _) in assemblies.iter().zip(&expansion.used.clone()).filter(|(_, used)| !**used) {
        read_assembly(entry)?;
    }
    for element in found {
        element.put(&mut out, &mut expansion.size)?;
    }
    Ok(out)
}

struct Expansion<'t> {
    assemblies: &'t [Entry],
    size: Size,
    /// Which of the assemblies have parts.
    used: Vec<bool>,
}

/// An element of a template, still to be put in.
struct Element<'t, 'p> {
    section: &'t str,
    /// Its name, with those of the parts around it.
    name: String,
    entry: &'t Entry,
    words: Rc<Words<'p>>,
    /// The parts around it, the innermost first.
    levels: Vec<Rc<Level>>,
    mirrors: Vec<Mirror>,
}

impl<'t> Expansion<'t> {
    /// All elements of a template.
    fn block<'p>(
        &mut self,
        block: &'t Table,
        words: &Rc<Words<'p>>,
        depth: usize,
        found: &mut Vec<Element<'t, 'p>>,
    ) -> Result<()> {
        for entry in block.entries.iter().filter(|e| SECTIONS.contains(&e.key.as_str())) {
            for element in &table(&entry.node, &entry.key, "bodies.\"link{i}\" = { … }")?.entries {
                self.size.add(1, element.key_span.as_ref())?;
                found.push(Element {
                    section: &entry.key,
                    name: words.key(element)?,
                    entry: element,
                    words: words.clone(),
                    levels: Vec::new(),
                    mirrors: Vec::new(),
                });
            }
        }
        self.inner(block, words, depth, found)
    }

    /// What the repeats and parts of a table stand for.
    fn inner<'p>(
        &mut self,
        block: &'t Table,
        words: &Rc<Words<'p>>,
        depth: usize,
        found: &mut Vec<Element<'t, 'p>>,
    ) -> Result<()> {
        if let Some(node) = block.get(REPEAT) {
            if depth >= DEEPEST {
                return Err(too_deep(node));
            }
            for repeat in list(node)? {
                self.repeat(repeat, words, depth, found).map_err(|e| e.of("[[repeat]]"))?;
            }
        }
        if let Some(node) = block.get(PARTS) {
            if depth >= DEEPEST {
                return Err(too_deep(node));
            }
            for entry in &table(node, PARTS, "[parts.first]")?.entries {
                let name = words.key(entry)?;
                self.part(entry, &name, words, depth, found).map_err(|e| e.of(format!("part '{name}'")))?;
            }
        }
        Ok(())
    }

    fn repeat<'p>(
        &mut self,
        node: &'t Node,
        words: &Rc<Words<'p>>,
        depth: usize,
        found: &mut Vec<Element<'t, 'p>>,
    ) -> Result<()> {
        let Value::Table(block) = &node.value else {
            return Err(wrong(node, format!("a repeat is a table, not {}", describe(node))).note(FORM));
        };
        let allowed: Vec<&str> =
            ["count", "as", "from"].iter().chain(SECTIONS).chain(&[REPEAT, PARTS]).copied().collect();
        allow(block, &allowed, "[[repeat]]")?;
        let index = index_name(block, words)?;
        let whole = |key: &str, least: f64, most: f64| -> Result<Option<i64>> {
            let Some(node) = block.get(key) else { return Ok(None) };
            let node = words.node(key, node, &[], &mut Size::default())?;
            let value = values::number(&node, &format!("'{key}'"), Some(Dimension::NUMBER), words.parameters)?;
            if value == value.round() && value >= least && value <= most {
                return Ok(Some(value as i64));
            }
            Err(wrong(&node, format!("'{key}' is a whole number from {least} to {most}; this is {value}")))
        };
        let most = MOST_COPIES as f64;
        let count = whole("count", 0.0, most)?
            .ok_or_else(|| Error::new("'count' is missing").at_opt(node.span.as_ref()).note(FORM))?;
        let from = whole("from", -most, most)?.unwrap_or(1);
        if !allowed[3..].iter().any(|key| block.get(key).is_some()) {
            return Err(Error::new("this repeat holds no elements").at_opt(node.span.as_ref()).note(FORM));
        }
        for k in from..from + count {
            let mut inner = Words::clone(words);
            inner.indices.push((index.clone(), k));
            // Copies of nothing take time too.
            self.size.add(1, node.span.as_ref())?;
            self.block(block, &Rc::new(inner), depth + 1, found)?;
        }
        Ok(())
    }

    fn part<'p>(
        &mut self,
        entry: &'t Entry,
        name: &str,
        words: &Rc<Words<'p>>,
        depth: usize,
        found: &mut Vec<Element<'t, 'p>>,
    ) -> Result<()> {
        const EXAMPLE: &str = "such as [parts.first], then assembly = \"cylinder\" in the line below";
        let Value::Table(part) = &entry.node.value else {
            return Err(wrong(&entry.node, format!("a part is a table, not {}", describe(&entry.node))).note(EXAMPLE));
        };
        let known: Vec<&str> = self.assemblies.iter().map(|e| e.key.as_str()).collect();
        let Some(chosen) = part.get("assembly") else {
            return Err(Error::new("'assembly' is missing").at_opt(entry.key_span.as_ref()).note(EXAMPLE));
        };
        let read = words.node("assembly", chosen, &[], &mut Size::default())?;
        let Value::Text(wanted) = &read.value else {
            return Err(wrong(chosen, format!("'assembly' is a name in quotes, not {}", describe(chosen))));
        };
        let Some(k) = known.iter().position(|name| name == wanted) else {
            let error = wrong(chosen, format!("there is no assembly '{wanted}'"));
            return Err(match known.is_empty() {
                true => error.note("there are none: write one as [assemblies.cylinder]"),
                false => error.suggest(wanted, known),
            });
        };
        self.used[k] = true;
        let (block, parameters) = read_assembly(&self.assemblies[k])?;
        let mut allowed: Vec<&str> = vec!["assembly", "mirror"];
        allowed.extend(parameters.iter().map(|(name, _)| name.as_str()));
        allow(part, &allowed, &format!("a part of assembly '{wanted}'"))?;
        let mut given = Vec::new();
        for (name, default) in parameters {
            let value = match (part.get(name), default) {
                (Some(node), _) => words.node(name, node, &[], &mut self.size)?,
                (None, Some(node)) => node.clone(),
                (None, None) => {
                    return Err(Error::new(format!("'{name}' is missing"))
                        .at_opt(entry.key_span.as_ref())
                        .note(format!("a parameter of assembly '{wanted}', which has no value of its own for it")))
                }
            };
            given.push((name.clone(), argument(name, &value)?));
        }
        let mirror = part.get("mirror").map(Mirror::read).transpose()?;
        let inner = Words { indices: Vec::new(), given, ..Words::clone(words) };
        let mut own = Vec::new();
        self.block(block, &Rc::new(inner), depth + 1, &mut own)?;
        let mut level = Level { name: name.to_string(), ..Level::default() };
        for element in own.iter().filter(|e| e.is_own()) {
            let names = match element.section {
                "bodies" => &mut level.bodies,
                "signals" => &mut level.signals,
                _ => &mut level.others,
            };
            names.insert(element.name.clone());
        }
        let level = Rc::new(level);
        for mut element in own {
            if element.is_own() {
                element.name = match element.section {
                    "signals" => made_by(name, &element.name),
                    _ => signal_name::join(name, &element.name),
                };
            }
            element.levels.push(level.clone());
            element.mirrors.extend(mirror);
            found.push(element);
        }
        Ok(())
    }
}

/// What the value of a part's parameter is as a text.
fn argument(name: &str, node: &Node) -> Result<String> {
    match &node.value {
        Value::Text(text) => Ok(text.clone()),
        Value::Integer(n) => Ok(n.to_string()),
        Value::Number(x) if x.is_finite() => Ok(format!("{x:?}")),
        _ => Err(wrong(node, format!("'{name}' is a number, an expression or a name, not {}", describe(node)))),
    }
}

/// Parameters of an assembly, with the values that they have where a part gives none.
type Given<'a> = Vec<(&'a String, Option<&'a Node>)>;

/// The template of an assembly, and its parameters with the values that they have where a part gives none.
fn read_assembly(entry: &Entry) -> Result<(&Table, Given<'_>)> {
    let blame = |e: Error| e.of(format!("assembly '{}'", entry.key));
    let block = table(&entry.node, &entry.key, "[assemblies.cylinder]").map_err(blame)?;
    let allowed: Vec<&str> =
        ["parameters"].iter().chain(&SECTIONS[..SECTIONS.len() - 1]).chain(&[REPEAT, PARTS]).copied().collect();
    allow(block, &allowed, "an assembly").map_err(blame)?;
    let mut parameters = Vec::new();
    let named = |name: &'_ str, span: Option<&Span>| match fault_of_index(name) {
        Some(fault) => Err(blame(Error::new(format!("the parameter '{name}' {fault}")).at_opt(span))),
        None if ["assembly", "mirror"].contains(&name) => Err(blame(
            Error::new(format!("'{name}' is a key of every part, so it cannot name a parameter")).at_opt(span),
        )),
        None => Ok(()),
    };
    match block.get("parameters").map(|node| (node, &node.value)) {
        None => {}
        Some((_, Value::Table(table))) => {
            for entry in &table.entries {
                named(&entry.key, entry.key_span.as_ref())?;
                parameters.push((&entry.key, Some(&entry.node)));
            }
        }
        Some((_, Value::List(list))) => {
            for node in list {
                let Value::Text(name) = &node.value else {
                    return Err(blame(wrong(
                        node,
                        format!("a parameter's name is expected here, not {}", describe(node)),
                    )));
                };
                named(name, node.span.as_ref())?;
                parameters.push((name, None));
            }
        }
        Some((node, _)) => {
            let message =
                format!("'parameters' is a table of names with values, or a list of names, not {}", describe(node));
            return Err(blame(wrong(node, message)).note("such as parameters = { phase = 0 }"));
        }
    }
    Ok((block, parameters))
}

/// How the index of a repeat is called.
fn index_name(block: &Table, words: &Words) -> Result<String> {
    let Some(node) = block.get("as") else { return Ok("i".into()) };
    let Value::Text(name) = &node.value else {
        return Err(wrong(node, format!("'as' is the index's name in quotes, not {}", describe(node)))
            .note("such as as = \"i\""));
    };
    let taken =
        words.indices.iter().any(|(index, _)| index == name) || words.given.iter().any(|(given, _)| given == name);
    let fault = match fault_of_index(name) {
        Some(fault) => fault,
        None if taken => "is an index or a parameter of what is around it".into(),
        None if words.parameters.values().iter().any(|(known, _)| known == name) => {
            "is a parameter of the model".into()
        }
        None => return Ok(name.clone()),
    };
    Err(wrong(node, format!("'as': the name '{name}' {fault}")).note("such as as = \"i\" or as = \"k\""))
}

/// Why a name cannot be that of an index or of a part's parameter.
fn fault_of_index(name: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(plain) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Some("is not made of letters, digits and _, with a letter first".into());
    }
    if expr::is_reserved(name) || name == "ground" {
        return Some("has a meaning of its own".into());
    }
    if AXES.contains(&name) {
        return Some("names an axis".into());
    }
    units::unit(name).map(|unit| format!("is a unit ({})", unit.help))
}

impl Element<'_, '_> {
    /// Whether its name belongs to the part that it stands in.
    fn is_own(&self) -> bool {
        !(self.section == "run" || self.section == "initial" || (self.section == "bodies" && self.name == "ground"))
    }

    /// Puts it into the model's tree.
    fn put(self, tree: &mut Table, size: &mut Size) -> Result<()> {
        let what = match self.section {
            "bodies" => "body",
            "run" => "key of [run]",
            "initial" => "value of [initial]",
            section => section.trim_end_matches('s'),
        };
        let blame = |e: Error| e.of(format!("{what} '{}'", self.name));
        let key = if self.section == "run" { &self.entry.key } else { "value" };
        let mut node = self.words.node(key, &self.entry.node, &self.levels, size).map_err(blame)?;
        for mirror in &self.mirrors {
            mirror.apply(self.section, &mut node, self.words.parameters).map_err(blame)?;
        }
        let name = match self.section {
            "initial" => self.words.signal(self.entry, &self.levels)?,
            _ => self.name.clone(),
        };
        if tree.get(self.section).is_none() {
            tree.set(self.section, Table::default());
        }
        let Some(section) = tree.entries.iter_mut().find(|e| e.key == self.section) else { return Ok(()) };
        let Value::Table(section) = &mut section.node.value else {
            // It is told when the model is compiled.
            return Ok(());
        };
        match section.entries.iter_mut().find(|e| e.key == name) {
            None => {
                section.entries.push(Entry { key: name, key_span: self.entry.key_span.clone(), node });
                Ok(())
            }
            Some(there) => joined(self.section, there, node).map_err(|first| {
                let error = blame(Error::new(format!("there is a {what} of this name already")))
                    .at_opt(self.entry.key_span.as_ref());
                let error = match first {
                    Some(span) if Some(&span) != self.entry.key_span.as_ref() => {
                        error.note(format!("it stands at {}", span.place()))
                    }
                    _ => error,
                };
                match self.words.indices.last() {
                    Some((index, _)) if !self.entry.key.contains('{') => {
                        error.note(format!("put the index into the name: \"{}{{{index}}}\"", self.entry.key))
                    }
                    _ => error.note("give one of the two another name"),
                }
            }),
        }
    }
}

/// What a body that is there already may be given more of.
const MORE: [&str; 2] = ["points", SHAPE];
const SHAPE: &str = "shape";

/// Adds to an element that is there already: points and shapes to a body, entries to a list of `[run]`. Where that cannot be, the place of the first.
fn joined(section: &str, there: &mut Entry, node: Node) -> std::result::Result<(), Option<Span>> {
    let first = there.key_span.clone();
    match (section, &mut there.node.value, node.value) {
        ("run", Value::List(list), Value::List(more)) => list.extend(more),
        ("bodies", Value::Table(body), Value::Table(more))
            if !more.entries.is_empty() && more.entries.iter().all(|e| MORE.contains(&e.key.as_str())) =>
        {
            for entry in more.entries {
                match (body.entries.iter_mut().find(|e| e.key == entry.key), entry) {
                    (None, entry) => body.entries.push(entry),
                    (Some(there), entry) if entry.key == SHAPE => {
                        let own = std::mem::replace(&mut there.node.value, Value::List(Vec::new()));
                        let mut shapes = listed(own, &there.node.span);
                        shapes.extend(listed(entry.node.value, &entry.node.span));
                        there.node.value = Value::List(shapes);
                    }
                    (
                        Some(Entry { node: Node { value: Value::Table(points), .. }, .. }),
                        Entry { node: Node { value: Value::Table(new), .. }, .. },
                    ) => {
                        if let Some(same) = points.entries.iter().find(|p| new.get(&p.key).is_some()) {
                            return Err(same.key_span.clone());
                        }
                        points.entries.extend(new.entries);
                    }
                    _ => return Err(first),
                }
            }
        }
        _ => return Err(first),
    }
    Ok(())
}

/// One shape or a list of them, as a list.
fn listed(value: Value, span: &Option<Span>) -> Vec<Node> {
    match value {
        Value::List(list) => list,
        value => vec![Node { value, span: span.clone() }],
    }
}

const FORM: &str = "such as [[repeat]], then count = 4, as = \"i\", bodies.\"link{i}\" = { … } and joints.\"A{i}\" = { … } in the lines below";

fn too_deep(node: &Node) -> Error {
    wrong(node, format!("repeats and parts stand within each other {DEEPEST} deep, and perhaps go round in a circle"))
        .note("an assembly cannot have itself for a part")
}

/// The tables of `[[repeat]]`.
fn list(node: &Node) -> Result<&[Node]> {
    match &node.value {
        Value::List(list) => Ok(list),
        _ => Err(wrong(node, format!("'repeat' is a list of tables, not {}", describe(node))).note(FORM)),
    }
}

fn table<'t>(node: &'t Node, key: &str, example: &str) -> Result<&'t Table> {
    match &node.value {
        Value::Table(table) => Ok(table),
        _ => Err(wrong(node, format!("'{key}' is a table, not {}", describe(node))).note(format!("such as {example}"))),
    }
}

/// Refuses keys that are not among `allowed`.
fn allow(table: &Table, allowed: &[&str], owner: &str) -> Result<()> {
    let Some(entry) = table.entries.iter().find(|e| !allowed.contains(&e.key.as_str())) else { return Ok(()) };
    let span = entry.key_span.as_ref().or(entry.node.span.as_ref());
    let error = Error::new(format!("unknown key '{}'", entry.key)).at_opt(span);
    let error = error.note(format!("allowed for {owner}: {}", allowed.join(", ")));
    Err(match nearest(&entry.key, allowed) {
        Some(near) => error.note(format!("did you mean '{near}'?")),
        None if entry.key == "parameters" => {
            error.note("parameters of the model stand in [parameters], and may be used here")
        }
        None => error,
    })
}
