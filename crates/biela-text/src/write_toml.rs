//! The document tree as TOML text that a person would write: sections with headers, everything below on one line.

use super::tree::{Entry, Node, Table, Value};
use std::fmt::Write;

/// Lists longer than this are broken, one entry to a line.
const LONGEST_LINE: usize = 100;

/// The text of a document. Reading it back gives the same tree.
pub fn write(root: &Table) -> String {
    let mut out = String::new();
    let (sections, plain): (Vec<&Entry>, Vec<&Entry>) =
        root.entries.iter().partition(|e| matches!(e.node.value, Value::Table(_)) || is_list_of_tables(&e.node));
    write_entries(&mut out, &plain);
    for section in sections {
        let name = key(&section.key);
        match &section.node.value {
            Value::Table(table) => write_section(&mut out, &name, table),
            Value::List(list) => write_list_of_tables(&mut out, &name, list),
            _ => {}
        }
    }
    out
}

/// `[name]` with its plain entries, then a header for each element.
fn write_section(out: &mut String, name: &str, table: &Table) {
    // Elements get headers of their own; a section of values (parameters, run) stays in one piece.
    let elements = table.entries.iter().all(|e| matches!(e.node.value, Value::Table(_)));
    let lists = |e: &Entry| is_list_of_tables(&e.node);
    let plain: Vec<&Entry> = table.entries.iter().filter(|e| !elements && !lists(e)).collect();
    if !plain.is_empty() || table.entries.is_empty() {
        header(out, &format!("[{name}]"));
        write_entries(out, &plain);
    }
    for entry in &table.entries {
        let path = format!("{name}.{}", key(&entry.key));
        match &entry.node.value {
            Value::Table(element) if elements => {
                header(out, &format!("[{path}]"));
                write_entries(out, &element.entries.iter().collect::<Vec<_>>());
            }
            Value::List(list) if lists(entry) => write_list_of_tables(out, &path, list),
            _ => {}
        }
    }
}

fn write_list_of_tables(out: &mut String, path: &str, list: &[Node]) {
    for node in list {
        if let Value::Table(table) = &node.value {
            header(out, &format!("[[{path}]]"));
            // Elements of a repeat stand in lines of their own.
            let elements = |e: &&Entry| matches!(&e.node.value, Value::Table(t) if !t.entries.is_empty());
            let (nested, plain): (Vec<&Entry>, Vec<&Entry>) = table.entries.iter().partition(elements);
            write_entries(out, &plain);
            for entry in nested {
                let Value::Table(inner) = &entry.node.value else { continue };
                for element in &inner.entries {
                    let mut value = String::new();
                    inline(&mut value, &element.node);
                    let _ = writeln!(out, "{}.{} = {value}", key(&entry.key), key(&element.key));
                }
            }
        }
    }
}

fn is_list_of_tables(node: &Node) -> bool {
    match &node.value {
        Value::List(list) => !list.is_empty() && list.iter().all(|n| matches!(n.value, Value::Table(_))),
        _ => false,
    }
}

fn header(out: &mut String, text: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
    out.push('\n');
}

/// `key = value` lines with the equals signs under each other.
fn write_entries(out: &mut String, entries: &[&Entry]) {
    const WIDEST_KEY: usize = 16;
    let keys: Vec<String> = entries.iter().map(|e| key(&e.key)).collect();
    let width = keys.iter().map(String::len).filter(|w| *w <= WIDEST_KEY).max().unwrap_or(0);
    for (entry, key) in entries.iter().zip(keys) {
        let mut value = String::new();
        inline(&mut value, &entry.node);
        if value.len() + width > LONGEST_LINE {
            if let Value::List(list) = &entry.node.value {
                value = broken(list);
            }
        }
        let _ = writeln!(out, "{key:width$} = {value}");
    }
}

/// A list with one entry to a line.
fn broken(list: &[Node]) -> String {
    let mut out = String::from("[\n");
    for node in list {
        out.push_str("  ");
        inline(&mut out, node);
        out.push_str(",\n");
    }
    out.push(']');
    out
}

/// A value as it stands behind its key.
pub(super) fn value(node: &Node) -> String {
    let mut out = String::new();
    inline(&mut out, node);
    out
}

/// A value on one line. Nesting is as deep as the tree's, which its readers limit.
fn inline(out: &mut String, node: &Node) {
    match &node.value {
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Integer(n) => {
            let _ = write!(out, "{n}");
        }
        Value::Number(x) => {
            let _ = write!(out, "{}", number(*x));
        }
        Value::Text(text) => quoted(out, text),
        Value::List(list) => {
            out.push('[');
            for (k, item) in list.iter().enumerate() {
                out.push_str(if k > 0 { ", " } else { "" });
                inline(out, item);
            }
            out.push(']');
        }
        Value::Table(table) if table.entries.is_empty() => out.push_str("{}"),
        Value::Table(table) => {
            for (k, entry) in table.entries.iter().enumerate() {
                out.push_str(if k > 0 { ", " } else { "{ " });
                out.push_str(&key(&entry.key));
                out.push_str(" = ");
                inline(out, &entry.node);
            }
            out.push_str(" }");
        }
    }
}

/// The shortest digits that read back as the same number, with a point or exponent so that it stays a float.
fn number(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    format!("{x:?}")
}

/// A key, quoted where it must be.
pub(super) fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare {
        return name.to_string();
    }
    let mut out = String::new();
    quoted(&mut out, name);
    out
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::toml::parse;
    use super::*;
    use biela_base::source::Source;

    /// The tree without places, for comparison; keys in sorted order.
    fn shape(node: &Node) -> String {
        match &node.value {
            Value::List(list) => format!("[{}]", list.iter().map(shape).collect::<Vec<_>>().join(",")),
            Value::Table(table) => {
                let mut items: Vec<String> =
                    table.entries.iter().map(|e| format!("{:?}:{}", e.key, shape(&e.node))).collect();
                items.sort();
                format!("{{{}}}", items.join(","))
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = r#"
            name = "a \"quoted\" name\twith\u0001 marks"
            gravity = [0, -9.81, 1e-300]
            big = 12345678901234567890123.0
            "odd key" = true
            parameters = { a = 1, "b c" = "2*a" }
            long = [[1.0, 2.0, 3.0], [1.25, 2.25, 3.25], [1.125, 2.125, 3.125], [4.5, 5.5, 6.5], [7.5, 8.5, 9.5], [1, 2, 3]]
            [bodies.x]
            points = { A = [0, 0, 0], "B/1" = ["a", 0, 0] }
            pose = { at = [1, 2, 3], rpy = [0, 0, "30 deg"] }
            [bodies.empty]
            [joints]
            [arm]
            convention = "standard"
            [[arm.links]]
            a = 1
            [[arm.links]]
            a = 2
            m = [[1, 2], [3, 4]]
        "#;
        let tree = parse(&Source::new("a", text)).unwrap();
        let written = write(&tree);
        let again = parse(&Source::new("b", written.as_str())).unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(shape(&tree.into()), shape(&again.clone().into()), "{written}");
        assert_eq!(write(&again), written);
        assert!(written.contains("\n[bodies.x]\npoints = { A = [0, 0, 0], \"B/1\" = [\"a\", 0, 0] }\n"), "{written}");
        assert!(written.contains("\n[[arm.links]]\n"), "{written}");
    }
}
