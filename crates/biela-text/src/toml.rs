//! TOML text into the document tree.

use super::tree::{Entry, Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_base::sorting::sort_by_key;
use biela_base::source::{Source, Span};
use std::sync::Arc;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

/// Reads a TOML text. Tables keep the order in which their keys first stood.
pub fn parse(source: &Arc<Source>) -> Result<Table> {
    match DeTable::parse(&source.text) {
        Ok(table) => read_table(source, table.into_inner()),
        Err(error) => Err(syntax_error(source, &error)),
    }
}

/// The nesting of values is limited by the TOML parser, so recursion here is too.
fn read_table(source: &Arc<Source>, table: DeTable<'_>) -> Result<Table> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let key_span = Span::new(source, key.span());
        let node = read_value(source, value)?;
        entries.push(Entry { key: key.into_inner().into_owned(), key_span: Some(key_span), node });
    }
    sort_by_key(&mut entries, |e| e.key_span.as_ref().map_or(0, |s| s.range.start));
    Ok(Table { entries })
}

fn read_value(source: &Arc<Source>, value: Spanned<DeValue<'_>>) -> Result<Node> {
    let span = Span::new(source, value.span());
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Boolean(b) => Value::Bool(b),
        DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(whole) => Value::Integer(whole),
            // Beyond 64 bits a whole number is a number like any other.
            Err(_) => match digits.as_str().parse() {
                Ok(x) if digits.radix() == 10 => Value::Number(x),
                _ => return Err(Error::new("this number is too large").at(&span)),
            },
        },
        DeValue::Float(digits) => match digits.as_str().parse() {
            Ok(x) => Value::Number(x),
            Err(_) => return Err(Error::new("this is no number").at(&span)),
        },
        DeValue::Datetime(_) => {
            return Err(Error::new("this is a date or time of day, which no model needs")
                .at(&span)
                .note("a name or an expression stands in quotes"))
        }
        DeValue::Array(list) => {
            Value::List(list.into_iter().map(|item| read_value(source, item)).collect::<Result<_>>()?)
        }
        DeValue::Table(table) => Value::Table(read_table(source, table)?),
    };
    Ok(Node { value, span: Some(span) })
}

fn syntax_error(source: &Arc<Source>, error: &toml::de::Error) -> Error {
    let text = &source.text;
    let range = error.span().unwrap_or(0..0);
    // An error at the end of the text is shown at its last line that holds something.
    let start =
        if range.start >= text.trim_end().len() { text.trim_end().len().saturating_sub(1) } else { range.start };
    let span = Span::new(source, start..range.end.max(start));
    let message = error.message();
    let line = Line::around(text, start);
    if message.contains("duplicate key") {
        return duplicate(source, &span, &line);
    }
    if message.contains("recurs") {
        return Error::new("lists or tables are nested too deeply").at(&span);
    }
    if let Some((key, "")) = line.assignment() {
        return Error::new(format!("'{key}' has no value")).at(&span);
    }
    let message = message.trim_end_matches(", expected literal string");
    let result = Error::new(format!("the text is not valid TOML: {message}")).at(&span);
    match advice(message, &line, start) {
        Some(advice) => result.note(advice),
        None => result,
    }
}

/// One line of the text.
struct Line<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Line<'a> {
    fn around(text: &'a str, at: usize) -> Line<'a> {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let start = text[..at].rfind('\n').map_or(0, |k| k + 1);
        let end = text[at..].find('\n').map_or(text.len(), |k| at + k);
        Line { text: &text[start..end], start }
    }

    /// Key and value, where the line has an equals sign.
    fn assignment(&self) -> Option<(&'a str, &'a str)> {
        let (key, value) = self.text.split_once('=')?;
        let value = value.split('#').next().unwrap_or("");
        Some((key.trim(), value.trim()))
    }
}

const QUOTE: &str = "a quote is opened and not closed (or closed and not opened) in this line";

/// What the writer of the line most likely has to change.
fn advice(message: &str, line: &Line, at: usize) -> Option<String> {
    let trimmed = line.text.trim();
    let Some((key, value)) = line.assignment() else {
        if trimmed.matches('"').count() % 2 == 1 {
            return Some(QUOTE.into());
        }
        if trimmed.starts_with('[') && !trimmed.ends_with(']') {
            return Some("a table header is closed by a bracket, as in [bodies.crank]".into());
        }
        if let Some((key, value)) = trimmed.split_once(':') {
            if !key.contains(['[', '"', '{']) {
                return Some(format!("keys and values are joined by '=': {} = {}", key.trim(), value.trim()));
            }
        }
        let entry = message.contains("expected `=`") || message.contains("key with no value");
        return entry.then(|| "a line gives a key and its value, as in mass = 1.5".into());
    };
    let quotes = value.matches('"').count();
    if !value.starts_with(['[', '{', '"', '\'']) {
        if let Some((whole, part)) = value.split_once(',') {
            let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
            if digits(whole.trim_start_matches(['-', '+'])) && part.starts_with(|c: char| c.is_ascii_digit()) {
                return Some(format!("numbers are written with a decimal point: {key} = {whole}.{part}"));
            }
        }
        if !value.contains('"') {
            return Some(format!("names and expressions stand in quotes: {key} = \"{value}\""));
        }
    }
    if quotes % 2 == 1 {
        return Some(QUOTE.into());
    }
    let (open, close) = (value.matches('[').count(), value.matches(']').count());
    if open > close {
        return Some("a bracket [ is opened and not closed".into());
    }
    if value.matches('{').count() > value.matches('}').count() {
        return Some("a brace { is opened and not closed".into());
    }
    if value.starts_with(['[', '{']) && at > line.start {
        return Some("inside lists, names and expressions stand in quotes and entries are separated by commas".into());
    }
    None
}

/// A key or table that was given before; says where.
fn duplicate(source: &Arc<Source>, span: &Span, line: &Line) -> Error {
    let shown = line.text.trim();
    let header = |l: &str| -> Option<String> {
        let l = l.split('#').next().unwrap_or("").trim();
        (l.starts_with('[') && l.ends_with(']') && !l.contains('=')).then(|| l.chars().filter(|c| *c != ' ').collect())
    };
    let before: Vec<&str> = source.text[..line.start].lines().collect();
    let (message, first) = match header(shown) {
        Some(this) => {
            let first = before.iter().position(|l| header(l).as_deref() == Some(this.as_str()));
            (format!("the table {this} is given twice"), first)
        }
        None => {
            let key = source.text.get(span.range.clone()).unwrap_or("").trim().to_string();
            let table = before.iter().rposition(|l| header(l).is_some()).map_or(0, |k| k + 1);
            let gives = |l: &&str| l.split_once('=').is_some_and(|(k, _)| k.trim() == key);
            let first = before.iter().skip(table).position(gives).map(|k| k + table);
            (format!("the key '{key}' is given twice in this table"), first)
        }
    };
    let error = Error::new(message).at(span);
    match first {
        Some(k) => error.note(format!("first given in line {}; keep one of them", k + 1)),
        None => error.note("keep one of them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_spans_are_kept() {
        let text = "z = 1\n[b.two]\nq = [1.5, \"x\"]\n[a]\n[b.one]\n";
        let table = parse(&Source::new("m.toml", text)).unwrap();
        let keys: Vec<&str> = table.entries.iter().map(|e| e.key.as_str()).collect();
        assert_eq!(keys, ["z", "b", "a"]);
        let Some(Value::Table(b)) = table.get("b").map(|n| &n.value) else { panic!("b is a table") };
        assert_eq!(b.entries.iter().map(|e| e.key.as_str()).collect::<Vec<_>>(), ["two", "one"]);
        let Value::Table(two) = &b.entries[0].node.value else { panic!("two is a table") };
        let q = two.get("q").and_then(|n| n.span.clone()).unwrap();
        assert_eq!(&text[q.range.clone()], "[1.5, \"x\"]");
        assert_eq!(q.place(), "m.toml:3");
        let key = two.entries[0].key_span.clone().unwrap();
        assert_eq!(&text[key.range], "q");
    }

    #[test]
    fn a_duplicate_says_where_the_first_is() {
        let error = parse(&Source::new("m.toml", "[a]\nb = 1\nc = 2\nb = 3\n")).unwrap_err();
        assert!(error.message().contains("'b' is given twice"), "{error}");
        assert!(error.notes()[0].contains("line 2"), "{error}");
        let error = parse(&Source::new("m.toml", "[a.x]\nb = 1\n[c]\n[a.x]\n")).unwrap_err();
        assert!(error.message().contains("[a.x] is given twice"), "{error}");
        assert!(error.notes()[0].contains("line 1"), "{error}");
    }
}
