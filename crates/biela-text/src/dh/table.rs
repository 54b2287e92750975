//! Denavit-Hartenberg tables as text (`.csv`, `.dh`): one row for each link.
//!
//! ```text
//! # convention: modified
//! type, a, alpha [deg], d, theta, mass
//! revolute, 0, 0, 0.67, 0, 12
//! revolute, 0.43, -90, 0, "30 deg", 7.5
//! ```
//! Columns are separated by commas, or by semicolons where the header is. Cells are numbers or expressions; a unit in
//! the header holds for every cell of its column that is a bare number. Text after `#` is a comment.

use super::super::columns::{self, Separator, Word};
use super::super::foreign::Told;
use super::super::imported::Imported;
use super::super::nodes::INERTIA;
use super::super::tree::{Entry, Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use std::sync::Arc;

const COM: [&str; 3] = ["com_x", "com_y", "com_z"];
const PLAIN: [&str; 7] = ["name", "type", "a", "alpha", "d", "theta", "mass"];

/// Reads a table into a document with `[arm]`.
pub fn read(source: &Arc<Source>) -> Result<Imported> {
    let mut told = Told::default();
    let mut arm = Table::default();
    let mut document = Table::default();
    let mut header: Option<(Vec<Column>, Separator)> = None;
    let mut links: Vec<Node> = Vec::new();
    for (start, line) in columns::lines(source) {
        if let Some(comment) = line.trim_start_matches('\u{feff}').trim_start().strip_prefix('#') {
            let span = Span::new(source, start..start + line.len());
            let said =
                |key: &str| comment.trim_start().strip_prefix(key)?.trim_start().strip_prefix(':').map(str::trim);
            if let Some(convention) = said("convention") {
                arm.set("convention", Node::from(convention).at(&span));
            } else if let Some(name) = said("name") {
                document.set("name", Node::from(name).at(&span));
            }
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        match &header {
            None => {
                let separator = Separator::Character(if line.contains(';') { ';' } else { ',' });
                header = Some((read_header(columns::words(source, (start, line), separator, &['#'])?)?, separator));
            }
            Some((header, separator)) => {
                let words = columns::words(source, (start, line), *separator, &['#'])?;
                links.push(read_row(header, &words, &Span::new(source, start..start + line.len()))?);
            }
        }
    }
    let whole = Span::new(source, 0..0);
    if links.is_empty() {
        return Err(Error::new("the table has no rows")
            .at(&whole)
            .note("a header `type,a,alpha,d,theta`, then one row a link"));
    }
    if arm.get("convention").is_none() {
        told.unused(&whole, "no line `# convention: modified` or `standard`: taken as standard");
        arm.set("convention", "standard");
    }
    arm.set("links", Node::new(Value::List(links)));
    document.set("arm", Node::from(arm).at(&whole));
    Ok(Imported { tree: document, warnings: told.finish() })
}

/// A column of the table and the unit its header gives.
struct Column {
    name: &'static str,
    unit: Option<String>,
}

fn read_header(words: Vec<Word>) -> Result<Vec<Column>> {
    let known: Vec<&'static str> = PLAIN.iter().chain(&COM).chain(&INERTIA).copied().collect();
    let mut header: Vec<Column> = Vec::new();
    for word in words {
        let text = word.text.trim_start_matches('\u{feff}');
        let (title, unit) = match text.split_once('[') {
            Some((title, unit)) => (title.trim(), Some(unit.trim_end_matches(']').trim().to_string())),
            None => (text, None),
        };
        let Some(name) = known.iter().find(|k| k.eq_ignore_ascii_case(title)) else {
            return Err(Error::new(format!("unknown column '{title}'"))
                .at(&word.span)
                .suggest(title, known.iter().copied()));
        };
        if header.iter().any(|c| c.name == *name) {
            return Err(Error::new(format!("a second column '{name}'")).at(&word.span));
        }
        header.push(Column { name, unit });
    }
    Ok(header)
}

fn read_row(header: &[Column], words: &[Word], row: &Span) -> Result<Node> {
    if words.len() != header.len() {
        let message = format!("the row has {} cells, the header {}", words.len(), header.len());
        let error = Error::new(message).at(row);
        return Err(error.note("an expression with commas needs quotes, decimals a point"));
    }
    let mut link = Table::default();
    let mut com: [Option<Node>; 3] = [None, None, None];
    let mut inertia: [Option<Node>; 6] = [const { None }; 6];
    for (column, word) in header.iter().zip(words).filter(|(_, word)| !word.text.is_empty()) {
        let node = cell(column, word);
        if let Some(k) = COM.iter().position(|name| *name == column.name) {
            com[k] = Some(node);
        } else if let Some(k) = INERTIA.iter().position(|name| *name == column.name) {
            inertia[k] = Some(node);
        } else {
            link.entries.push(Entry { key: column.name.to_string(), key_span: Some(word.span.clone()), node });
        }
    }
    for (key, cells) in [("com", com.as_slice()), ("inertia", inertia.as_slice())] {
        if cells.iter().any(Option::is_some) {
            let list = cells.iter().map(|c| c.clone().unwrap_or_else(|| Node::from(0.0).at(row))).collect();
            link.set(key, Node::new(Value::List(list)).at(row));
        }
    }
    Ok(Node::from(link).at(row))
}

/// A cell as a number or as text that the model's own rules read.
fn cell(column: &Column, word: &Word) -> Node {
    let value = match (word.text.parse::<f64>(), column.name) {
        (Ok(_), "name" | "type") | (Err(_), _) => Value::Text(word.text.clone()),
        (Ok(x), _) if word.quoted || !x.is_finite() => Value::Text(word.text.clone()),
        (Ok(x), _) => match &column.unit {
            Some(unit) => Value::Text(format!("{} {unit}", word.text)),
            None => Value::Number(x),
        },
    };
    Node::new(value).at(&word.span)
}
