//! TOML text into the document tree.

mod plain;

use super::tree::{Entry, Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_base::quick_hash::{Folding, QuickMap};
use biela_base::signal_name::first;
use biela_base::sorting::sort_by_key;
use biela_base::source::{Source, Span};
use std::collections::HashSet;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

/// Reads a TOML text. Tables keep the order in which their keys first stood.
pub fn parse(source: &Arc<Source>) -> Result<Table> {
    /// Bytes of a long text, and of a piece of it.
    const LONG: usize = 1 << 16;
    const PIECE: usize = 1 << 14;
    let long = source.text.len() >= LONG;
    let pieces = if long { in_pieces(source, PIECE) } else { None };
    pieces.map_or_else(|| in_one(source), Ok)
}

fn in_one(source: &Arc<Source>) -> Result<Table> {
    match DeTable::parse(&source.text) {
        Ok(table) => read_table(source, table.into_inner(), 0),
        Err(error) => Err(syntax_error(source, &error)),
    }
}

/// A text in pieces of at least so many bytes, each up to a table's heading: a parser's own tables take sixty times the room of the text, and
/// of a piece that is little. A piece that ends within a list or a string is no TOML, so pieces that are stand for the whole, unless one
/// says anew what another has said. `None` wherever the whole has to be looked at.
fn in_pieces(source: &Arc<Source>, piece: usize) -> Option<Table> {
    let text = &source.text;
    let mut whole = Table::default();
    let mut places: QuickMap<String, usize> = QuickMap::default();
    let mut headings: HashSet<&str, Folding> = HashSet::default();
    let (mut start, mut at) = (0, 0);
    let mut begun = false;
    for line in text.split_inclusive('\n').chain([""]) {
        let end = line.is_empty();
        if end || line.starts_with('[') && (!begun || at - start >= piece) {
            let table = match plain::read(source, start..at) {
                Some(table) => table,
                None => read_table(source, DeTable::parse(&text[start..at]).ok()?.into_inner(), start).ok()?,
            };
            for entry in table.entries {
                let Some(place) = places.get(&entry.key) else {
                    places.insert(entry.key.clone(), whole.entries.len());
                    whole.entries.push(entry);
                    continue;
                };
                let (Value::Table(own), Value::Table(more)) = (&mut whole.entries[*place].node.value, entry.node.value)
                else {
                    return None;
                };
                own.entries.extend(more.entries);
            }
            if !begun {
                // What is assigned before any heading has no heading besides.
                headings
                    .extend(text[..at].lines().filter_map(|line| line.split('=').next()).map(|key| first(key).trim()));
                begun = true;
            }
            start = at;
        }
        // One that is indented, or a row of a list, is for the whole to tell.
        if line.trim_start().starts_with('[') {
            let name = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
            let (head, bare) = (first(name), |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
            // A table of its own may be opened once; of tables within tables the keys tell.
            let is_own = head.len() == name.len();
            if !name.bytes().all(bare)
                || headings.contains(head)
                || is_own && (places.contains_key(name) || !headings.insert(name))
            {
                return None;
            }
        }
        at += line.len();
    }
    let twice = |entry: &Entry| match &entry.node.value {
        Value::Table(table) => {
            let mut keys: HashSet<&str, Folding> = HashSet::default();
            !table.entries.iter().all(|e| keys.insert(&e.key))
        }
        _ => false,
    };
    (!whole.entries.iter().any(twice)).then_some(whole)
}

/// Of a piece of the text that starts at `from`. The nesting of values is limited by the TOML parser, so recursion here is too.
fn read_table(source: &Arc<Source>, table: DeTable<'_>, from: usize) -> Result<Table> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let key_span = span_from(source, key.span(), from);
        let node = read_value(source, value, from)?;
        entries.push(Entry { key: key.into_inner().into_owned(), key_span: Some(key_span), node });
    }
    sort_by_key(&mut entries, |e| e.key_span.as_ref().map_or(0, |s| s.range.start));
    Ok(Table { entries })
}

/// A range of a piece of the text that starts at `from`.
fn span_from(source: &Arc<Source>, range: std::ops::Range<usize>, from: usize) -> Span {
    Span::new(source, range.start + from..range.end + from)
}

fn read_value(source: &Arc<Source>, value: Spanned<DeValue<'_>>, from: usize) -> Result<Node> {
    let span = span_from(source, value.span(), from);
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
            Value::List(list.into_iter().map(|item| read_value(source, item, from)).collect::<Result<_>>()?)
        }
        DeValue::Table(table) => Value::Table(read_table(source, table, from)?),
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

    /// Keys, values and places.
    fn told(table: &Table) -> String {
        fn of_node(node: &Node) -> String {
            let value = match &node.value {
                Value::Table(table) => told(table),
                Value::List(list) => list.iter().map(of_node).collect::<Vec<_>>().join(", "),
                value => format!("{value:?}"),
            };
            format!("{:?} {} ({value})", node.span.as_ref().map(|s| s.range.clone()), node.describe())
        }
        let place = |span: &Option<Span>| span.as_ref().map(|s| s.range.clone());
        let entry = |e: &Entry| format!("{} {:?} {}", e.key, place(&e.key_span), of_node(&e.node));
        table.entries.iter().map(entry).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn pieces_are_the_whole() {
        let row = |k: usize| format!("[b.l{k}]\np = {{ at = [{k}, 0] }}\n[j.j{k}]\ns = \"\"\"\n [x]\n\"\"\"\n");
        let rows: String = (0..9).map(row).collect();
        let plain = rows.replace(" [x]\n", "");
        for (text, split) in [
            (format!("n = 1\ng = [1,\n2]\n{plain}[run]\nend = 1\n"), true),
            (format!("{plain}[b]\nq = 1\n"), false),
            // Headings in a string or a list, tables opened twice, lists of tables: for the whole to tell.
            (rows.clone(), false),
            (rows.replace(" [x]", "[x]"), false),
            (format!("[run]\na = 1\n{plain}[run]\nb = 1\n"), false),
            (format!("{plain}[b.l3]\n"), false),
            (format!("{plain}[b.l3.c]\n"), false),
            (format!("b.z = 1\n{plain}"), false),
            (format!("{plain}[[k]]\na = 1\n[[k]]\na = 2\n"), false),
            (format!("{plain}[c]\nm = [\n[1, 2],\n[3, 4]\n]\n"), false),
            (format!("{plain}broken\n"), false),
        ] {
            let source = Source::new("m.toml", text.as_str());
            let pieces = in_pieces(&source, 1);
            assert_eq!(pieces.is_some(), split, "{text}");
            if let Some(pieces) = pieces {
                assert_eq!(told(&pieces), told(&in_one(&source).unwrap()), "{text}");
            }
        }
    }

    #[test]
    fn what_is_plain_is_read_as_the_general_parser_does() {
        for (text, plain) in [
            ("", true),
            ("# said\nn = 1 # so\n\ng = [0, -9.81, 0]\n[b.l0]\nmass = 1.5e-3\np = { at = [1, 2e3], s = \"x µ\" }\n[b.l1]\n[j.a]\nt = true\n", true),
            ("[a]\r\nb = -0\r\nc = []\r\nd = {}\r\n", true),
            ("a = [ 1 , [ 2, ], \"\" , ]\n \t b = 1E+2\n[x]\n\n[y-_1.2]\nq=false", true),
            ("a = 9223372036854775807\nb = 1e999\n", true),
            ("a = 92233720368547758070\n", false),
            ("a.b = 1\n", false),
            ("'a' = 1\n", false),
            ("a = 'x'\n", false),
            ("a = \"\"\"x\"\"\"\n", false),
            ("a = \"x\\ty\"\n", false),
            ("a = [1,\n2]\n", false),
            ("a = { b = 1, }\n", false),
            ("a = 1_000\n", false),
            ("a = 0x1f\n", false),
            ("a = +1\n", false),
            ("a = inf\n", false),
            ("a = 1979-05-27\n", false),
            ("a = 01\n", false),
            ("a = 1.\n", false),
            ("a = 1e\n", false),
            ("a = .5\n", false),
            ("a = 1 b = 2\n", false),
            ("a = 1\na = 2\n", false),
            ("a = { b = 1, b = 2 }\n", false),
            ("a = \"x\"y\n", false),
            ("a = [1 2]\n", false),
            ("a =\n", false),
            ("[a.b.c]\n", false),
            ("[[a]]\n", false),
            ("[ a ]\n", false),
            ("[a]\n[a.b]\n", false),
            ("[a.b]\n[a]\n", false),
            ("a = 1\n[a.b]\n", false),
            ("a = 1 # \u{1}\n", false),
            ("[a] b = 1\n", false),
            ("\u{feff}a = 1\n", false),
        ] {
            let source = Source::new("m.toml", text);
            let found = plain::read(&source, 0..text.len());
            assert_eq!(found.is_some(), plain, "{text}");
            if let Some(found) = found {
                assert_eq!(told(&found), told(&in_one(&source).unwrap()), "{text}");
            }
        }
    }

    #[test]
    fn shipped_models_are_read_as_the_general_parser_does() {
        let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
        let mut plain = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "toml") {
                continue;
            }
            let source = Source::new("m.toml", std::fs::read_to_string(&path).unwrap());
            let Some(found) = plain::read(&source, 0..source.text.len()) else { continue };
            plain += 1;
            assert_eq!(told(&found), told(&in_one(&source).unwrap()), "{}", path.display());
        }
        assert!(plain > 5, "{plain}");
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
