//! `[sweep]`: which parameters vary and how, which samples are taken, what is measured.

use super::context::Context;
use super::reader::Reader;
use super::tree::{Entry, Node, Table, Value};
use super::values::{self, describe, text_place, wrong};
use biela_base::error::{nearest, Error, Result};
use biela_base::source::{Source, Span};
use biela_base::units::{Dimension, Kind};
use biela_core::plan::distribution::Measures;
use biela_core::plan::{self, measure, sampling, Plan, Spread, Variation, Wanted, DISTRIBUTIONS, SAMPLINGS};

pub(super) const KEYS: &[&str] = &["sampling", "samples", "seed", "vary", "measure", "series"];
/// How a variation is written.
pub(super) const FORM: &str =
    "such as \"1:2:1000\" (from, to, number of values), [1, 1.5, 2] or \"normal(2, 1 mm)\" for a parameter";
/// Most values of a range.
const MOST_VALUES: f64 = 1e12;

/// What a caller asks of a sweep, before what the model says.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Parameters and their spreads, as texts.
    pub vary: Vec<(String, String)>,
    /// Measures: name and expression. Where there are any, those of the model do not count.
    pub measure: Vec<(String, String)>,
    /// Signals kept whole, in place of measures.
    pub series: Vec<String>,
    /// The sampling's word.
    pub sampling: Option<String>,
    /// Number of samples.
    pub samples: Option<u64>,
    /// Seed.
    pub seed: Option<u64>,
}

/// A text from an option, which messages then name.
pub(super) fn named(option: &str, text: &str) -> Node {
    let source = Source::new(option, text);
    Node::from(text).at(&Span::new(&source, 0..text.len()))
}

/// Puts what is asked for into the model's table.
pub(super) fn add(tree: &mut Table, asked: &Asked) {
    let mut table = match tree.get("sweep").map(|n| &n.value) {
        Some(Value::Table(table)) => table.clone(),
        // A value of another kind is for the reader to refuse.
        Some(_) => return,
        None => Table::default(),
    };
    let inner = |table: &Table, key: &str| match table.get(key).map(|n| &n.value) {
        Some(Value::Table(table)) => table.clone(),
        _ => Table::default(),
    };
    if !asked.vary.is_empty() {
        let mut vary = inner(&table, "vary");
        for (name, text) in &asked.vary {
            table.entries.retain(|e| e.key != *name || KEYS.contains(&name.as_str()));
            vary.set(name.clone(), named(&format!("--vary {name}"), text));
        }
        table.set("vary", vary);
    }
    if !asked.measure.is_empty() || !asked.series.is_empty() {
        table.entries.retain(|e| e.key != "measure" && e.key != "series");
    }
    if !asked.measure.is_empty() {
        let mut measures = Table::default();
        for (name, text) in &asked.measure {
            measures.set(name.clone(), named(&format!("--measure {name}"), text));
        }
        table.set("measure", measures);
    }
    if !asked.series.is_empty() {
        table.set("series", asked.series.iter().map(|s| named("--series", s)).collect::<Vec<_>>());
    }
    if let Some(word) = &asked.sampling {
        table.set("sampling", named("--sampling", word));
        // A number that belongs to another sampling does not bind this one.
        if asked.samples.is_none() && plan::sampling(word).is_some_and(|s| s.every) {
            table.entries.retain(|e| e.key != "samples");
        }
    }
    for (key, number) in [("samples", asked.samples), ("seed", asked.seed)] {
        if let Some(number) = number {
            table.set(key, named(&format!("--{key}"), &number.to_string()));
        }
    }
    if !table.entries.is_empty() {
        tree.set("sweep", table);
    }
}

/// Reads `[sweep]`, where there is one.
pub(super) fn read(root: &Reader) -> Result<Option<Plan>> {
    let Some(reader) = root.inner("sweep", "")? else { return Ok(None) };
    let mut variations = Vec::new();
    for entry in &reader.table().entries {
        if !KEYS.contains(&entry.key.as_str()) {
            // A parameter's name straight in the table is short for vary.NAME.
            variations.push(variation(&reader, entry)?);
        }
    }
    if let Some(vary) = table_of(&reader, "vary", "such as vary.crank = \"1:2:1000\"")? {
        for entry in &vary.entries {
            variations.push(variation(&reader, entry)?);
        }
    }
    let words: Vec<&'static str> = SAMPLINGS.iter().map(|s| s.keyword).collect();
    let sampling = reader.choice("sampling", &words)?.and_then(sampling);
    let samples = reader.whole("samples", 1, plan::MOST_SAMPLES as usize)?.map(|n| n as u64);
    // Doubles hold whole numbers exactly up to here.
    let seed = reader.seed()?.unwrap_or(0);
    let mut plan = Plan::new(variations, sampling, samples, seed).map_err(|e| reader.blame(e))?;
    if let Some(measures) = table_of(&reader, "measure", "such as measure.reach = \"max(piston.x)\"")? {
        for entry in &measures.entries {
            plan.measures.push(wanted(&reader, entry)?);
        }
    }
    plan.series = series(&reader)?;
    if !plan.series.is_empty() && !plan.measures.is_empty() {
        let error = reader.error("'measure' and 'series' exclude each other");
        return Err(error.note("measures give one row for each sample, series one row for each sample and time"));
    }
    Ok(Some(plan))
}

/// The table under `key`, if given.
pub(super) fn table_of<'a>(reader: &Reader<'a>, key: &str, form: &str) -> Result<Option<&'a Table>> {
    match reader.get(key).map(|n| (n, &n.value)) {
        None => Ok(None),
        Some((_, Value::Table(table))) => Ok(Some(table)),
        Some((node, _)) => {
            let message = format!("'{key}' is a table, not {}", describe(node));
            Err(reader.blame(wrong(node, message)).note(form))
        }
    }
}

/// A measure by its entry.
pub(super) fn wanted(reader: &Reader, entry: &Entry) -> Result<Wanted> {
    let node = &entry.node;
    let blame = |e: Error| e.of(format!("measure '{}'", entry.key)).at_opt(node.span.as_ref());
    measure::check_name(&entry.key).map_err(|e| blame(e.at_opt(entry.key_span.as_ref())))?;
    let Value::Text(text) = &node.value else {
        let message = format!("a measure is an expression in quotes, not {}", describe(node));
        return Err(blame(wrong(node, message)).note("such as measure.reach = \"max(piston.x)\""));
    };
    if reader.context.parameters.values().iter().any(|p| p.0 == entry.key) {
        return Err(blame(Error::new("the name is that of a parameter, which has a column of its own")));
    }
    Ok(Wanted { name: entry.key.clone(), text: text.clone(), span: text_place(node, text) })
}

fn series(reader: &Reader) -> Result<Vec<String>> {
    let Some(node) = reader.get("series") else { return Ok(Vec::new()) };
    const FORM: &str = "such as series = [\"O.angle\", \"piston.x\"]";
    let wrong_kind = |node: &Node| {
        let message = format!("'series' is a list of names of signals, not {}", describe(node));
        reader.blame(wrong(node, message)).note(FORM)
    };
    let Value::List(list) = &node.value else { return Err(wrong_kind(node)) };
    let name = |item: &Node| match &item.value {
        Value::Text(text) => Ok(text.clone()),
        _ => Err(wrong_kind(item)),
    };
    list.iter().map(name).collect()
}

/// Dimension and unit of the parameter that an entry names; `keys` are the table's own.
pub(super) fn parameter(reader: &Reader, entry: &Entry, keys: &[&str]) -> Result<(Option<Dimension>, String)> {
    let parameters = reader.context.parameters;
    let known = parameters.values();
    if !known.iter().any(|p| p.0 == entry.key) {
        let place = Node { span: entry.key_span.clone(), ..entry.node.clone() };
        let names: Vec<&str> = known.iter().map(|p| p.0.as_str()).collect();
        let error = reader.unknown_name(&place, "parameter", &entry.key, "parameters", &names);
        return Err(match nearest(&entry.key, keys) {
            Some(key) if nearest(&entry.key, &names).is_none() => error.note(format!("or the key '{key}'?")),
            _ => error,
        });
    }
    let kind = parameters.kind(&entry.key);
    let dimension = match kind {
        Kind::Known(dimension) => Some(dimension),
        _ => None,
    };
    Ok((dimension, kind.unit()))
}

fn variation(reader: &Reader, entry: &Entry) -> Result<Variation> {
    let context = reader.context;
    let (dimension, unit) = parameter(reader, entry, KEYS)?;
    let spread = spread(context, &entry.node, &entry.key, dimension)
        .map_err(|e| e.of(format!("[sweep] '{}'", entry.key)).at_opt(entry.node.span.as_ref()))?;
    Ok(Variation { name: entry.key.clone(), unit, spread })
}

fn spread(context: &Context, node: &Node, name: &str, dimension: Option<Dimension>) -> Result<Spread> {
    let number = |node: &Node, wanted| values::number(node, &format!("'{name}'"), wanted, context);
    match &node.value {
        Value::List(list) if !list.is_empty() => {
            Ok(Spread::Values(list.iter().map(|item| number(item, dimension)).collect::<Result<_>>()?))
        }
        Value::Table(table) => by_table(context, table, dimension),
        Value::Text(text) => {
            let place = text_place(node, text);
            let part = |start: usize, end: usize| Node {
                value: Value::Text(text[start..end].into()),
                span: place.as_ref().map(|span| span.inner(start..end)).or_else(|| node.span.clone()),
            };
            let ends: Vec<usize> = text.match_indices(':').map(|(k, _)| k).collect();
            if let Some((word, arguments)) = call(text).filter(|_| ends.is_empty()) {
                let arguments: Vec<Node> = arguments.into_iter().map(|(start, end)| part(start, end)).collect();
                if word == "values" {
                    return Ok(Spread::Values(arguments.iter().map(|a| number(a, dimension)).collect::<Result<_>>()?));
                }
                let Some(known) = plan::distribution(word) else { return Err(unknown(word)) };
                let mut found = Vec::new();
                for (k, argument) in arguments.iter().enumerate() {
                    let is_number = known.arguments.get(k).is_some_and(|a| a.1 == Measures::Number);
                    found.push(number(argument, if is_number { Some(Dimension::NUMBER) } else { dimension })?);
                }
                return Spread::of(known, found);
            }
            let [first, second] = ends[..] else { return Err(neither(node)) };
            let from = number(&part(0, first), dimension)?;
            let to = number(&part(first + 1, second), dimension)?;
            let count = number(&part(second + 1, text.len()), Some(Dimension::NUMBER))?;
            if count.fract() != 0.0 || !(1.0..=MOST_VALUES).contains(&count) {
                return Err(Error::new(format!("the number of values in a range is whole and positive, not {count}"))
                    .note("from:to:count, such as 1:2:1000"));
            }
            Ok(Spread::Range { from, to, count: count as u64 })
        }
        _ => Err(neither(node)),
    }
}

/// `{ distribution = "normal", mean = 2, deviation = "1 mm" }`
fn by_table(context: &Context, table: &Table, dimension: Option<Dimension>) -> Result<Spread> {
    let entry = Entry { key: String::new(), key_span: None, node: table.clone().into() };
    let reader = Reader::of_entry(context, "the distribution".into(), &entry)?;
    let plain = |e: Error| match e.span() {
        Some(span) => Error::new(e.message()).at(&span.clone()),
        None => Error::new(e.message()),
    };
    let word = reader.required_text("distribution", "such as distribution = \"normal\"").map_err(plain)?;
    let Some(known) = plan::distribution(word) else { return Err(unknown(word)) };
    let mut allowed = vec!["distribution"];
    allowed.extend(known.arguments.iter().map(|a| a.0));
    let with_form = |e: Error| plain(e).note(format!("{} takes {}", known.keyword, allowed[1..].join(", ")));
    reader.allow(&allowed).map_err(with_form)?;
    let mut found = Vec::new();
    for (key, measures) in known.arguments {
        let wanted = if *measures == Measures::Number { Some(Dimension::NUMBER) } else { dimension };
        let number = reader.number_of_any(key, wanted)?;
        found.push(number.ok_or_else(|| with_form(reader.missing(key, "")))?);
    }
    Spread::of(known, found)
}

fn unknown(word: &str) -> Error {
    let known = DISTRIBUTIONS.iter().map(|d| d.keyword).chain(["values"]);
    Error::new(format!("there is no distribution '{word}'")).suggest(word, known)
}

fn neither(node: &Node) -> Error {
    wrong(node, format!("a range, a list or a distribution is expected here, not {}", describe(node))).note(FORM)
}

/// The word before a bracket that ends the text, and where its arguments stand.
fn call(text: &str) -> Option<(&str, Vec<(usize, usize)>)> {
    let open = text.find('(')?;
    let word = text[..open].trim();
    // The bracket is one byte, so its place is that of a character.
    let close = text.trim_end().strip_suffix(')').map(str::len).filter(|k| *k > open)?;
    if word.is_empty() || !word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
        return None;
    }
    let (mut depth, mut start, mut arguments) = (0i64, open + 1, Vec::new());
    for (n, c) in text[open + 1..close].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push((start, open + 1 + n));
                start = open + 2 + n;
            }
            _ => {}
        }
    }
    arguments.push((start, close));
    Some((word, arguments))
}
