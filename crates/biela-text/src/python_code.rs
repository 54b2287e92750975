//! A model as Python code that makes it anew by calls and runs it.

use super::tree::{Table, Value};
use std::fmt::Write;

/// Sections whose elements are made one by one: the call, and the keys that it takes by their place.
const CALLS: [(&str, &str, &[&str]); 5] = [
    ("bodies", "body", &[]),
    ("joints", "joint", &["type", "bodies"]),
    ("couplings", "coupling", &["type"]),
    ("drivers", "driver", &[]),
    ("forces", "force", &["type"]),
];
/// Columns after which a line is broken.
const WIDE: usize = 100;
/// Words that Python keeps to itself, and so no names of arguments.
const KEPT: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The code. Values that somebody chose for parameters go before those of the text.
pub fn python_code(tree: &Table, chosen: &[(String, f64)]) -> String {
    let called = |key: &str| CALLS.iter().find(|call| call.0 == key);
    let mut settings: Vec<(String, String)> = Vec::new();
    let mut calls = String::new();
    let mut name = "None".to_string();
    for entry in &tree.entries {
        let made = match (&entry.node.value, called(&entry.key)) {
            (Value::Table(elements), Some((_, call, placed))) => elements_by_calls(elements, call, placed),
            _ => None,
        };
        match made {
            Some(made) => calls.push_str(&made),
            None if entry.key == "name" => name = literal(&entry.node.value),
            None => settings.push((entry.key.clone(), literal(&entry.node.value))),
        }
    }
    let mut out = String::from("import biela\n\n");
    out.push_str(&call_of("m = biela.Model", vec![name], settings));
    out.push_str(&calls);
    if !chosen.is_empty() {
        let values = chosen.iter().map(|(name, x)| (name.clone(), number(*x))).collect();
        out.push_str(&call_of("m = m.with_parameters", Vec::new(), values));
    }
    out.push_str("\nresults = m.run()\nprint(results.summary())\n# results[\"NAME\"] is a signal as an array, results.names all names; results.view() shows it in a notebook.\n");
    out
}

/// Calls for all elements of a section; none where one of them lacks what the call takes.
fn elements_by_calls(elements: &Table, call: &str, placed: &[&str]) -> Option<String> {
    let mut out = String::new();
    for element in &elements.entries {
        let Value::Table(keys) = &element.node.value else { return None };
        let mut first = vec![text(&element.key)];
        for key in placed {
            first.push(literal(&keys.get(key)?.value));
        }
        let rest = keys.entries.iter().filter(|e| !placed.contains(&e.key.as_str()));
        if keys.entries.iter().any(|e| e.key == "name") {
            return None;
        }
        let rest = rest.map(|e| (e.key.clone(), literal(&e.node.value))).collect();
        out.push_str(&call_of(&format!("m.{call}"), first, rest));
    }
    Some(out)
}

/// A call in one line, or in several where that is too long.
fn call_of(call: &str, placed: Vec<String>, named: Vec<(String, String)>) -> String {
    let is_name = |key: &str| {
        let letters = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        letters && !key.is_empty() && !key.as_bytes()[0].is_ascii_digit() && !KEPT.contains(&key)
    };
    let (plain, other): (Vec<_>, Vec<_>) = named.into_iter().partition(|(key, _)| is_name(key));
    let mut parts = placed;
    parts.extend(plain.into_iter().map(|(key, value)| format!("{key}={value}")));
    if !other.is_empty() {
        let inner: Vec<String> = other.iter().map(|(key, value)| format!("{}: {value}", text(key))).collect();
        parts.push(format!("**{{{}}}", inner.join(", ")));
    }
    let line = format!("{call}({})\n", parts.join(", "));
    if line.len() <= WIDE {
        return line;
    }
    let mut out = format!("{call}(\n");
    for part in parts {
        let _ = writeln!(out, "    {part},");
    }
    out + ")\n"
}

/// A value as Python writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::Text(word) => text(word),
        Value::Integer(n) => n.to_string(),
        Value::Number(x) => number(*x),
        Value::Bool(yes) => if *yes { "True" } else { "False" }.to_string(),
        Value::List(list) => {
            let inner: Vec<String> = list.iter().map(|n| literal(&n.value)).collect();
            format!("[{}]", inner.join(", "))
        }
        Value::Table(table) => {
            let inner: Vec<String> =
                table.entries.iter().map(|e| format!("{}: {}", text(&e.key), literal(&e.node.value))).collect();
            format!("{{{}}}", inner.join(", "))
        }
    }
}

fn number(x: f64) -> String {
    match x {
        _ if x.is_finite() => format!("{x:?}"),
        _ => format!("float(\"{x}\")"),
    }
}

/// A text in quotes. Nothing in it ends them, and nothing that is not seen stays as it is.
fn text(word: &str) -> String {
    let mut out = String::from("\"");
    for c in word.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control()
                || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::python_code;
    use crate::Document;
    use biela_base::source::Source;

    #[test]
    fn elements_are_calls_and_the_rest_is_said_at_once() {
        let text = "name = \"a \\\"b\\\"\\u0007\"\nplanar = true\n[parameters]\nlambda = 2\n[bodies]\nlink = { points = { P = [\"1 mm\", 0.5] } }\n\
                    [joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"link\"]\nat = [0, 0]\n[drivers.d]\njoint = \"A\"\nvalue = \"t\"\n";
        let document = Document::from_toml(&Source::new("m", text)).expect("a document");
        let code = python_code(&document.tree, &[("lambda".into(), 0.1), ("crank".into(), 3.0)]);
        let due =
            "import biela\n\nm = biela.Model(\"a \\\"b\\\"\\U00000007\", planar=True, parameters={\"lambda\": 2})\n\
                   m.body(\"link\", points={\"P\": [\"1 mm\", 0.5]})\n\
                   m.joint(\"A\", \"revolute\", [\"ground\", \"link\"], at=[0, 0])\n\
                   m.driver(\"d\", joint=\"A\", value=\"t\")\n\
                   m = m.with_parameters(crank=3.0, **{\"lambda\": 0.1})\n\nresults = m.run()\n";
        assert!(code.starts_with(due), "{code}");
    }

    /// A coupling that stands among the joints has no bodies to be called with: the section is said whole.
    #[test]
    fn what_no_call_takes_is_said_whole() {
        let text = "[bodies]\na = {}\n[joints.g]\ntype = \"gear\"\njoints = [\"A\", \"B\"]\nratio = 2\n";
        let document = Document::from_toml(&Source::new("m", text)).expect("a document");
        let code = python_code(&document.tree, &[]);
        assert!(code.contains("m = biela.Model(None, joints={\"g\": {\"type\": \"gear\", \"joints\": [\"A\", \"B\"], \"ratio\": 2}})\nm.body(\"a\")\n"), "{code}");
    }
}
