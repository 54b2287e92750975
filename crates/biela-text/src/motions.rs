//! `value`: a number, an expression of time, a table from a file, or a motion law.

use super::context::Variables;
use super::files::read_text;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{self, describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_base::units::{self, Dimension};
use biela_core::blueprint::{MotionPlan, Quantity};
use biela_core::expr::{Expression, Scope};
use biela_core::motion::{laws, spline, Motion, Spline, LAWS};
use std::sync::Arc;

pub(super) const KEYS: &[&str] = &["table", "law", "from", "to", "start", "end"];

/// The motion under `key`, which must be there: a function of time, or of another `argument`.
pub(super) fn read(
    reader: &Reader,
    key: &str,
    argument: Dimension,
    wanted: Dimension,
    scope: &Variables,
) -> Result<MotionPlan> {
    let meaning = format!("{}: a number, an expression of t, a table or a motion law", wanted.phrase_with_unit());
    let node = reader.required(key, &meaning)?;
    if let Value::Table(_) = node.value {
        return read_described(reader, key, argument, wanted);
    }
    of_node(node, &reader.name(key), wanted, scope).map_err(|e| reader.blame(e))
}

/// A number or an expression of the scope's variable in slot 0.
pub(super) fn of_node(node: &Node, what: &str, wanted: Dimension, scope: &dyn Scope) -> Result<MotionPlan> {
    if let Some(x) = values::plain_number(node)? {
        return Ok(MotionPlan::Constant(Quantity::Number(x)));
    }
    let Value::Text(text) = &node.value else {
        return Err(wrong(node, format!("{what} is a number or an expression, not {}", describe(node))));
    };
    let expression = values::expression(node, what, text, Some(wanted), scope)?;
    Ok(match values::constant(node, text, expression) {
        Ok(quantity) => MotionPlan::Constant(quantity),
        Err(expression) => MotionPlan::Expression(expression),
    })
}

/// `{ table = "law.csv" }` or `{ law = "cycloidal", from, to, start, end }`.
fn read_described(reader: &Reader, key: &str, argument: Dimension, wanted: Dimension) -> Result<MotionPlan> {
    let name: &'static str = match key {
        "length" => "length",
        "profile" => "profile",
        _ => "value",
    };
    let Some(inner) = reader.inner(name, "")? else { return Err(reader.missing(key, "a motion")) };
    match (inner.has("table"), inner.has("law")) {
        (true, false) => {
            inner.allow(&["table"])?;
            read_table(&inner, argument, wanted).map(|table| MotionPlan::Fixed(Motion::Table(table)))
        }
        (false, true) => {
            inner.allow(&["law", "from", "to", "start", "end"])?;
            read_law(&inner, argument, wanted)
        }
        (true, true) => Err(inner.wrong_value("law", "'table' and 'law' exclude each other").note("keep one of them")),
        (false, false) => Err(inner
            .allow(KEYS)
            .err()
            .unwrap_or_else(|| inner.error(format!("{} as a table needs 'table' or 'law'", reader.name(key))))
            .note("{ table = \"law.csv\" } or { law = \"cycloidal\", from = 0, to = 1, start = 0, end = 2 }")),
    }
}

/// The spline through the points of the file that `table` names.
fn read_table(inner: &Reader, argument: Dimension, wanted: Dimension) -> Result<Spline> {
    let file = inner.required_text("table", "the name of a file with two columns")?;
    let span = inner.get("table").and_then(|n| n.span.as_ref());
    let path = inner.context.path(file).map_err(|e| inner.blame(e.at_opt(span)))?;
    let source = read_text(&path, file).map_err(|e| {
        inner
            .blame(Error::new(format!("table '{file}': {}", e.message())).at_opt(span))
            .note(format!("looked for in the model's folder: {}", path.display()))
    })?;
    // Faults inside the table are shown there.
    let blame = |e: Error| match e.span() {
        Some(_) => e.of(format!("{}, table", inner.element())),
        None => inner.blame(Error::new(format!("table '{file}': {}", e.message())).at_opt(span)),
    };
    let spline = spline::from_csv(&source).map_err(blame)?;
    let [x_unit, y_unit] = header_units(&source, [argument, wanted]).map_err(blame)?;
    if x_unit == 1.0 && y_unit == 1.0 {
        return Ok(spline);
    }
    let (x, y): (Vec<f64>, Vec<f64>) = spline.points().map(|(x, y)| (x * x_unit, y * y_unit)).unzip();
    Spline::new(&x, &y).map_err(blame)
}

/// How many SI units one of each column is: `angle [deg]` or `angle (deg)` in the header says so; 1 where it says nothing.
/// A header that has the columns the other way round is an error.
fn header_units(source: &Arc<Source>, wanted: [Dimension; 2]) -> Result<[f64; 2]> {
    let mut factors = [1.0; 2];
    let mut start = 0;
    for raw in source.text.split_inclusive('\n') {
        let line = raw.split('#').next().unwrap_or("");
        let line_start = start;
        start += raw.len();
        if line.trim().is_empty() {
            continue;
        }
        for (k, (begin, field)) in columns(line).into_iter().take(2).enumerate() {
            let at = line_start + begin;
            let place = |part: &str, offset: usize| Span::new(source, at + offset..at + offset + part.len());
            let (name, unit) = named_unit(field);
            check_column(name.trim(), k, wanted[0]).map_err(|e| e.at(&place(name.trim_end(), 0)))?;
            let Some((offset, unit)) = unit else { continue };
            let place = place(unit, offset);
            let unit = if unit.trim().is_empty() || unit.trim() == "-" { "1" } else { unit.trim() };
            let text = if unit == "1" { "1".to_string() } else { format!("1 {unit}") };
            let read = Expression::parse(&text, &()).ok().and_then(|e| Some((e.kind(), e.as_constant()?)));
            let Some((kind, value)) = read else {
                return Err(Error::new(format!("'{unit}' is no unit")).at(&place));
            };
            if let Some(message) = units::mismatch(unit, kind, wanted[k]) {
                return Err(Error::new(message).at(&place));
            }
            factors[k] = value;
        }
        // Units stand in the header, the first line that holds something.
        break;
    }
    Ok(factors)
}

/// The columns of a header with the byte each begins at; a unit stays with its name where spaces separate the columns.
fn columns(line: &str) -> Vec<(usize, &str)> {
    let begin = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
    let mut found: Vec<(usize, &str)> = Vec::new();
    for field in spline::fields(line) {
        let field = field.trim_start_matches('\u{feff}');
        let (from, to) = (begin(field), begin(field) + field.len());
        match found.last_mut() {
            Some((start, whole)) if field.starts_with(['[', '(']) => *whole = &line[*start..to],
            _ => found.push((from, field)),
        }
    }
    found
}

/// A column's name and, where brackets follow it, where they begin and what they hold. Round ones hold a unit only if it is one.
fn named_unit(field: &str) -> (&str, Option<(usize, &str)>) {
    for (open, close, always) in [('[', ']', true), ('(', ')', false)] {
        let Some(from) = field.find(open) else { continue };
        let Some(length) = field[from + 1..].find(close) else { continue };
        let unit = &field[from + 1..from + 1 + length];
        if always || Expression::parse(&format!("1 {unit}"), &()).is_ok() {
            return (&field[..from], Some((from + 1, unit)));
        }
    }
    (field, None)
}

/// Refuses names that say that column `k` holds what belongs into the other one.
fn check_column(name: &str, k: usize, argument: Dimension) -> Result<()> {
    let is_time = ["t", "time"].iter().any(|word| name.eq_ignore_ascii_case(word));
    let is_number = name.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) || name.parse::<f64>().is_ok();
    let of_time = argument == Dimension::TIME;
    if name.is_empty() || is_number {
        return Ok(());
    }
    match (k, is_time, of_time) {
        (0, false, true) => Err(Error::new(format!("the first column is called '{name}', but it must be the time"))
            .note("the first column is t, the second the value; call it t, or leave the header out")),
        (0, true, false) => {
            Err(Error::new(format!("the first column is called '{name}', but it must be {}", argument.phrase()))
                .note("the profile of a cam is a function of the first joint's coordinate"))
        }
        (1, true, _) => Err(Error::new(format!("the second column is called '{name}', but it must be the value"))
            .note("the first column is the argument, the second the value")),
        _ => Ok(()),
    }
}

fn read_law(inner: &Reader, argument: Dimension, wanted: Dimension) -> Result<MotionPlan> {
    let word = inner.required_text("law", "the name of a motion law")?;
    let names: Vec<&str> = LAWS.iter().map(|l| l.keyword).collect();
    let kind = laws::law_type(word).map_err(|_| inner.unknown_word("law", word, &names))?;
    let value = |key: &str, dimension: Dimension, meaning: &str| inner.required_quantity(key, dimension, meaning);
    let numbers = [
        value("from", wanted, "the value before the motion")?,
        value("to", wanted, "the value after the motion")?,
        value("start", argument, "where the motion begins: the time, or the cam's angle")?,
        value("end", argument, "where the motion ends")?,
    ];
    Ok(MotionPlan::Law { kind, numbers, place: inner.place() })
}
