//! `value`: a number, an expression of time, a table from a file, or a motion law.

use super::context::Variables;
use super::document::read_text;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{self, describe, wrong};
use crate::error::{Error, Result};
use crate::expr::Scope;
use crate::motion::{laws, spline, Law, Motion, Spline, LAWS};
use crate::units::Dimension;

/// The motion under `key`, which must be there.
pub(super) fn read(reader: &Reader, key: &str, wanted: Dimension, scope: &Variables) -> Result<Motion> {
    let meaning = format!("{}: a number, an expression of t, a table or a motion law", wanted.phrase_with_unit());
    let node = reader.required(key, &meaning)?;
    if let Value::Table(_) = node.value {
        return read_described(reader, key, wanted);
    }
    of_node(node, &reader.name(key), wanted, scope).map_err(|e| reader.blame(e))
}

/// A number or an expression of the scope's variable in slot 0.
pub(super) fn of_node(node: &Node, what: &str, wanted: Dimension, scope: &dyn Scope) -> Result<Motion> {
    if let Some(x) = values::plain_number(node)? {
        return Ok(Motion::Constant(x));
    }
    let Value::Text(text) = &node.value else {
        return Err(wrong(node, format!("{what} is a number or an expression, not {}", describe(node))));
    };
    let expression = values::expression(node, what, text, Some(wanted), scope)?;
    Ok(match expression.as_constant() {
        Some(x) => Motion::Constant(x),
        None => Motion::Expression(expression),
    })
}

/// `{ table = "law.csv" }` or `{ law = "cycloidal", from, to, start, end }`.
fn read_described(reader: &Reader, key: &str, wanted: Dimension) -> Result<Motion> {
    let name: &'static str = match key {
        "length" => "length",
        "profile" => "profile",
        _ => "value",
    };
    let Some(inner) = reader.inner(name, "")? else { return Err(reader.missing(key, "a motion")) };
    match (inner.has("table"), inner.has("law")) {
        (true, false) => {
            inner.allow(&["table"])?;
            read_table(&inner).map(Motion::Table)
        }
        (false, true) => {
            inner.allow(&["law", "from", "to", "start", "end"])?;
            read_law(&inner, wanted).map(Motion::Law)
        }
        (true, true) => Err(inner.wrong_value("law", "'table' and 'law' exclude each other").note("keep one of them")),
        (false, false) => Err(inner
            .allow(&["table", "law", "from", "to", "start", "end"])
            .err()
            .unwrap_or_else(|| inner.error(format!("{} as a table needs 'table' or 'law'", reader.name(key))))
            .note("{ table = \"law.csv\" } or { law = \"cycloidal\", from = 0, to = 1, start = 0, end = 2 }")),
    }
}

/// The spline through the points of the file that `table` names.
pub(super) fn read_table(inner: &Reader) -> Result<Spline> {
    let file = inner.required_text("table", "the name of a file with two columns")?;
    let path = inner.context.folder.join(file);
    let source = read_text(&path, file).map_err(|e| {
        let span = inner.get("table").and_then(|n| n.span.as_ref());
        inner
            .blame(Error::new(format!("table '{file}': {}", e.message())).at_opt(span))
            .note(format!("looked for in the model's folder: {}", path.display()))
    })?;
    // Faults inside the table are shown there.
    spline::from_csv(&source).map_err(|e| e.of(format!("{}, table", inner.element())))
}

fn read_law(inner: &Reader, wanted: Dimension) -> Result<Law> {
    let word = inner.required_text("law", "the name of a motion law")?;
    let names: Vec<&str> = LAWS.iter().map(|l| l.keyword).collect();
    let kind = laws::law_type(word).map_err(|_| inner.unknown_word("law", word, &names))?;
    let value = |key: &str, dimension: Dimension, meaning: &str| inner.required_number(key, dimension, meaning);
    let law = Law::new(
        kind,
        value("from", wanted, "the value before the motion")?,
        value("to", wanted, "the value after the motion")?,
        value("start", Dimension::TIME, "the time at which the motion begins")?,
        value("end", Dimension::TIME, "the time at which the motion ends")?,
    );
    law.map_err(|e| inner.wrong_value("end", e.message()))
}
