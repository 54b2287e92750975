//! Edits of a TOML text: what is not touched stays as it stands, comments and all.
//!
//! A text is lines under headings. An element (a body, a joint) is either a line of its section, `crank = { mass = 1 }`, or a block with a
//! heading of its own, `[bodies.crank]`; what is added is written as its neighbours are.

use super::toml::parse;
use super::tree::{Entry, Node, Table, Value};
use super::write_toml::{key, value};
use biela_base::error::{Error, Result};
use biela_base::source::Source;
use std::ops::Range;

/// Sections in the order in which people read them; any other comes after these.
const ORDER: [&str; 9] =
    ["parameters", "bodies", "joints", "couplings", "drivers", "forces", "contacts", "signals", "run"];

/// A step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step<'a> {
    /// Into a table.
    Key(&'a str),
    /// Into a list.
    Item(usize),
}

/// The steps through tables alone.
fn keys<'a>(path: &[&'a str]) -> Vec<Step<'a>> {
    path.iter().map(|k| Step::Key(k)).collect()
}

/// A text with its tree.
#[derive(Debug)]
pub struct Sheet {
    text: String,
    tree: Table,
}

/// A heading: what it opens, its line, and where what stands under it ends (at the next heading).
#[derive(Debug)]
struct Heading {
    path: Vec<String>,
    /// Whether it opens one more table of a list: `[[repeat]]`.
    list: bool,
    line: Range<usize>,
    end: usize,
}

impl Sheet {
    /// Reads a text.
    pub fn read(text: &str) -> Result<Sheet> {
        let tree = parse(&Source::new("the drawing", text))?;
        Ok(Sheet { text: text.to_string(), tree })
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it says.
    pub fn tree(&self) -> &Table {
        &self.tree
    }

    /// The value at the end of a path.
    pub fn node(&self, path: &[Step]) -> Option<&Node> {
        let (Step::Key(first), rest) = path.split_first()? else { return None };
        rest.iter().try_fold(self.tree.get(first)?, |node, step| match (&node.value, step) {
            (Value::Table(table), Step::Key(key)) => table.get(key),
            (Value::List(list), Step::Item(k)) => list.get(*k),
            _ => None,
        })
    }

    /// The value under keys.
    pub fn get(&self, path: &[&str]) -> Option<&Node> {
        self.node(&keys(path))
    }

    /// Keys of a table, in order; none where there is no table.
    pub fn names(&self, path: &[&str]) -> Vec<String> {
        match self.get(path).map(|node| &node.value) {
            Some(Value::Table(table)) => table.entries.iter().map(|e| e.key.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// Puts a value in the place of another.
    pub fn replace(&mut self, path: &[Step], node: &Node) -> Result<()> {
        let found = self.node(path).and_then(|old| old.span.as_ref()).map(|span| span.range.clone());
        let range = found.ok_or_else(|| Error::new("the text says nothing there that could be replaced"))?;
        self.splice(range, &value(node))
    }

    /// Gives a key a value, whether it has one or not.
    pub fn set(&mut self, path: &[&str], node: &Node) -> Result<()> {
        if self.get(path).is_some() {
            return self.replace(&keys(path), node);
        }
        let Some((last, parents)) = path.split_last() else { return Err(Error::new("a value needs a name")) };
        let pair = format!("{} = {}", key(last), value(node));
        if parents.is_empty() {
            return self.at_the_top(&pair);
        }
        let Some(parent) = self.get(parents) else {
            let mut table = Table::default();
            table.set(*last, node.clone());
            return match parents {
                [section] => self.open(section, &[pair]),
                [section, name] => self.add(section, name, table),
                _ => self.set(parents, &table.into()),
            };
        };
        match self.braces(parent) {
            Some(inside) => self.within(inside, &pair),
            None => self.under(parents, &pair),
        }
    }

    /// Adds an element to a section, in the manner of those that are there.
    pub fn add(&mut self, section: &str, name: &str, element: Table) -> Result<()> {
        let line = |prefix: &str, element: &Table| {
            format!("{prefix}{} = {}", key(name), value(&Node::new(Value::Table(element.clone()))))
        };
        let headings = self.headings();
        if headings.iter().any(|h| !h.list && h.path == [section]) {
            return self.under(&[section], &line("", &element));
        }
        if let Some(last) = headings.iter().rfind(|h| !h.list && h.path.len() > 1 && h.path[0] == section) {
            let mut block = format!("\n\n[{}.{}]", key(section), key(name));
            element.entries.iter().for_each(|e| block += &format!("\n{} = {}", key(&e.key), value(&e.node)));
            let at = self.last_line(last.line.end, last.end);
            return self.splice(at..at, &block);
        }
        match self.get(&[section]) {
            Some(node) => match self.braces(node) {
                Some(inside) => self.within(inside, &line("", &element)),
                None => self.at_the_top(&line(&format!("{}.", key(section)), &element)),
            },
            None => self.open(section, &[line("", &element)]),
        }
    }

    /// Takes away what stands under keys, if it is there; a section that is left empty goes too.
    pub fn remove(&mut self, path: &[&str]) -> Result<()> {
        let starts =
            |h: &Heading| !h.list && h.path.len() >= path.len() && h.path.iter().zip(path).all(|(a, b)| a == b);
        while let Some(heading) = self.headings().iter().find(|h| starts(h)) {
            let (start, mut end) = (heading.line.start, self.last_line(heading.line.end, heading.end));
            end += self.text[end..].find(|c: char| c != '\n').unwrap_or(self.text.len() - end);
            self.splice(start..end, "")?;
        }
        while let Some((entry, alone)) = self.entry(path) {
            let range = if alone { self.whole_lines(entry) } else { self.with_comma(entry) };
            self.splice(range, "")?;
        }
        match path.split_last() {
            Some((_, parents)) if !parents.is_empty() => self.tidy(parents),
            _ => Ok(()),
        }
    }

    /// Gives a key another name, wherever it stands.
    pub fn rename(&mut self, path: &[&str], name: &str) -> Result<()> {
        let Some((last, parents)) = path.split_last() else { return Ok(()) };
        let mut places: Vec<Range<usize>> = Vec::new();
        let table = if parents.is_empty() { Some(&self.tree) } else { self.table(parents) };
        if let Some(span) = table.and_then(|t| t.entry(last)).and_then(|e| e.key_span.clone()) {
            places.push(span.range);
        }
        // In headings the key may stand more than once: [bodies.crank], [bodies.crank.shape].
        for heading in self.headings() {
            if heading.path.len() >= path.len() && heading.path.iter().zip(path).all(|(a, b)| a == b) {
                let spots = key_ranges(&self.text, &heading.line);
                places.extend(spots.get(path.len() - 1).map(|(_, range)| range.clone()));
            }
        }
        places.sort_by_key(|r| r.start);
        places.dedup();
        let mut text = self.text.clone();
        places.iter().rev().for_each(|range| text.replace_range(range.clone(), &key(name)));
        self.take(text)
    }

    fn table(&self, path: &[&str]) -> Option<&Table> {
        match &self.get(path)?.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    fn take(&mut self, text: String) -> Result<()> {
        *self = Sheet::read(&text)?;
        Ok(())
    }

    fn splice(&mut self, range: Range<usize>, words: &str) -> Result<()> {
        let mut text = self.text.clone();
        text.replace_range(range, words);
        self.take(text)
    }

    /// The place between the braces of a table that is written as a value.
    fn braces(&self, node: &Node) -> Option<Range<usize>> {
        let range = node.span.as_ref()?.range.clone();
        let text = self.text.get(range.clone())?;
        (text.starts_with('{') && text.ends_with('}')).then(|| range.start + 1..range.end - 1)
    }

    /// Adds a pair between braces.
    fn within(&mut self, inside: Range<usize>, pair: &str) -> Result<()> {
        let held = self.text[inside.clone()].trim_end();
        match held.trim().is_empty() {
            true => self.splice(inside, &format!(" {pair} ")),
            false => {
                let end = inside.start + held.len();
                let comma = if held.ends_with(',') { "" } else { "," };
                self.splice(end..end, &format!("{comma} {pair}"))
            }
        }
    }

    /// Adds a line under a heading.
    fn under(&mut self, path: &[&str], pair: &str) -> Result<()> {
        let headings = self.headings();
        let Some(heading) = headings.iter().find(|h| !h.list && h.path == path) else {
            // The table has no heading of its own: its keys stand as `a.b = …`, or only deeper tables have headings.
            let header = path.iter().map(|k| key(k)).collect::<Vec<_>>().join(".");
            return match headings
                .iter()
                .find(|h| h.path.starts_with(&path.iter().map(|k| k.to_string()).collect::<Vec<_>>()))
            {
                Some(first) => {
                    let at = first.line.start;
                    self.splice(at..at, &format!("[{header}]\n{pair}\n\n"))
                }
                None => self.at_the_top(&[header.as_str(), pair].join(".")),
            };
        };
        let at = self.last_line(heading.line.end, heading.end);
        self.splice(at..at, &format!("\n{pair}"))
    }

    /// Adds a line before all headings.
    fn at_the_top(&mut self, pair: &str) -> Result<()> {
        let end = self.headings().first().map_or(self.text.len(), |h| h.line.start);
        match self.leaves().iter().filter(|r| r.end <= end).map(|r| r.end).max() {
            Some(last) => {
                let at = line_end(&self.text, last);
                self.splice(at..at, &format!("\n{pair}"))
            }
            None => self.splice(0..0, &format!("{pair}\n")),
        }
    }

    /// A new section with these lines, where a reader would look for it.
    fn open(&mut self, section: &str, lines: &[String]) -> Result<()> {
        let rank = |name: &str| ORDER.iter().position(|s| *s == name).unwrap_or(ORDER.len());
        let headings = self.headings();
        let body = format!("[{}]\n{}\n", key(section), lines.join("\n"));
        let before = headings.iter().find(|h| rank(&h.path[0]) > rank(section));
        match before {
            // What is said of a heading stands in the lines above it.
            Some(next) => {
                let mut at = next.line.start;
                while let Some(start) = self.text[..at].strip_suffix('\n').map(|s| s.rfind('\n').map_or(0, |k| k + 1)) {
                    if !self.text[start..at].trim_start().starts_with('#') {
                        break;
                    }
                    at = start;
                }
                self.splice(at..at, &format!("{body}\n"))
            }
            None => {
                let held = self.text.trim_end().len();
                let gap = if held == 0 { "" } else { "\n\n" };
                self.splice(held..self.text.len(), &format!("{gap}{body}"))
            }
        }
    }

    /// Key and value of an entry as a range, and whether it has lines of its own.
    fn entry(&self, path: &[&str]) -> Option<(Range<usize>, bool)> {
        let (last, parents) = path.split_last()?;
        let (table, inline) = match parents {
            [] => (&self.tree, false),
            _ => (self.table(parents)?, self.get(parents).and_then(|node| self.braces(node)).is_some()),
        };
        let Entry { key_span, node, .. } = table.entry(last)?;
        let (start, end) = (key_span.as_ref()?.range.start, node.span.as_ref()?.range.end);
        Some((start..end, !inline))
    }

    fn whole_lines(&self, range: Range<usize>) -> Range<usize> {
        let start = self.text[..range.start].rfind('\n').map_or(0, |k| k + 1);
        let end = line_end(&self.text, range.end);
        start..(end + 1).min(self.text.len())
    }

    /// With the comma that parts it from its neighbour.
    fn with_comma(&self, range: Range<usize>) -> Range<usize> {
        let (before, after) = (self.text[..range.start].trim_end(), &self.text[range.end..]);
        let gap = after.len() - after.trim_start().len();
        if after.trim_start().starts_with(',') {
            let more = &after[gap + 1..];
            let space = more.len() - more.trim_start_matches(' ').len();
            return range.start..range.end + gap + 1 + space;
        }
        match before.strip_suffix(',') {
            Some(rest) => rest.len()..range.end,
            None => range.start..range.end,
        }
    }

    /// Takes away a table that holds nothing any more, unless something is said of it.
    fn tidy(&mut self, path: &[&str]) -> Result<()> {
        let deep = path.len() > 1;
        let inside = self.get(path).and_then(|node| self.braces(node));
        if let Some(inside) = inside.filter(|r| !r.is_empty() && self.text[r.clone()].trim().is_empty()) {
            self.splice(inside, "")?;
        }
        if deep && self.get(path).is_some_and(|n| matches!(&n.value, Value::Table(t) if t.entries.is_empty())) {
            // An element may be empty, a part of one says nothing then.
            return if path.len() > 2 { self.remove(path) } else { Ok(()) };
        }
        let headings = self.headings();
        let Some(heading) = headings.iter().find(|h| !h.list && h.path == path) else { return Ok(()) };
        let held = &self.text[heading.line.end..heading.end];
        if deep || !held.trim().is_empty() || self.text[heading.line.clone()].contains('#') {
            return Ok(());
        }
        let (start, end) = (heading.line.start, heading.end);
        self.splice(start..end, "")?;
        if self.text.ends_with("\n\n") {
            let text = format!("{}\n", self.text.trim_end());
            return self.take(text);
        }
        Ok(())
    }

    /// The end of the last line between two places that says something; comments before the next heading speak of that one.
    fn last_line(&self, from: usize, to: usize) -> usize {
        let last = self.leaves().iter().filter(|r| r.start >= from && r.end <= to).map(|r| r.end).max();
        last.map_or(from, |end| line_end(&self.text, end))
    }

    /// Ranges of all values that are written as values.
    fn leaves(&self) -> Vec<Range<usize>> {
        fn visit(text: &str, node: &Node, out: &mut Vec<Range<usize>>) {
            let Some(range) = node.span.as_ref().map(|s| s.range.clone()) else { return };
            let written = text.get(range.clone()).unwrap_or("");
            match &node.value {
                Value::Table(table) if !written.starts_with('{') => {
                    table.entries.iter().for_each(|e| visit(text, &e.node, out));
                }
                Value::List(list) if is_of_headings(text, list) => list.iter().for_each(|n| visit(text, n, out)),
                _ => out.push(range),
            }
        }
        let mut out = Vec::new();
        self.tree.entries.iter().for_each(|e| visit(&self.text, &e.node, &mut out));
        out.sort_by_key(|r| r.start);
        out
    }

    /// All headings, in order.
    fn headings(&self) -> Vec<Heading> {
        let leaves = self.leaves();
        let mut found: Vec<Heading> = Vec::new();
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let (start, shown) = (at, line.trim_start());
            at += line.len();
            let within = || leaves.iter().any(|r| r.start < start + (line.len() - shown.len()) && start < r.end);
            if !shown.starts_with('[') || within() {
                continue;
            }
            let range = start..start + line.trim_end_matches(['\n', '\r']).len();
            let path: Vec<String> = key_ranges(&self.text, &range).into_iter().map(|(name, _)| name).collect();
            if path.is_empty() {
                continue;
            }
            if let Some(last) = found.last_mut() {
                last.end = start;
            }
            found.push(Heading { path, list: shown.starts_with("[["), line: range, end: self.text.len() });
        }
        found
    }
}

/// Whether the tables of a list have headings: `[[repeat]]`.
fn is_of_headings(text: &str, list: &[Node]) -> bool {
    let braces = |n: &Node| n.span.as_ref().and_then(|s| text.get(s.range.clone())).is_some_and(|t| t.starts_with('{'));
    !list.is_empty() && list.iter().all(|n| matches!(n.value, Value::Table(_)) && !braces(n))
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |k| from + k)
}

/// The keys of a heading, each with its place in the text.
fn key_ranges(text: &str, line: &Range<usize>) -> Vec<(String, Range<usize>)> {
    let words = &text[line.clone()];
    let mut found = Vec::new();
    let mut at = words.len() - words.trim_start_matches([' ', '\t', '[']).len();
    loop {
        let rest = &words[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &words[at..];
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c));
        let length = match quote {
            Some(q) => rest[1..].find(q).map_or(rest.len(), |k| k + 2),
            None => rest.find(['.', ']', ' ', '\t']).unwrap_or(rest.len()),
        };
        let name = rest[..length].trim_matches(['"', '\'']);
        if length == 0 {
            return found;
        }
        found.push((name.to_string(), line.start + at..line.start + at + length));
        at += length;
        let rest = words[at..].trim_start();
        if !rest.starts_with('.') {
            return found;
        }
        at = words.len() - rest.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i64) -> Node {
        Value::Integer(n).into()
    }

    fn table(pairs: &[(&str, i64)]) -> Table {
        let mut table = Table::default();
        pairs.iter().for_each(|(k, v)| table.set(*k, number(*v)));
        table
    }

    fn edited(text: &str, edit: impl Fn(&mut Sheet) -> Result<()>) -> String {
        let mut sheet = Sheet::read(text).unwrap();
        edit(&mut sheet).unwrap();
        sheet.text().to_string()
    }

    #[test]
    fn values_change_and_comments_stay() {
        let text = "a = 1 # first\n[bodies]\ncrank = { mass = 2, points = { A = [0, 1] } } # short\n\n# long\n[run]\nend = 1\n";
        assert_eq!(
            edited(text, |s| s.set(&["bodies", "crank", "mass"], &3.5.into())),
            text.replace("mass = 2", "mass = 3.5")
        );
        let point = [Step::Key("bodies"), Step::Key("crank"), Step::Key("points"), Step::Key("A"), Step::Item(1)];
        assert_eq!(edited(text, |s| s.replace(&point, &Node::from("2*a"))), text.replace("[0, 1]", "[0, \"2*a\"]"));
        assert_eq!(
            edited(text, |s| s.set(&["bodies", "crank", "x"], &number(4))),
            text.replace("} } #", "}, x = 4 } #")
        );
        assert_eq!(
            edited(text, |s| s.set(&["planar"], &true.into())),
            text.replace("first\n", "first\nplanar = true\n")
        );
        assert_eq!(edited(text, |s| s.set(&["run", "steps"], &number(9))), format!("{text}steps = 9\n"));
        let deep = |s: &mut Sheet| s.set(&["bodies", "crank", "limits", "lower"], &number(1));
        assert!(edited(text, deep).contains("}, limits = { lower = 1 } } # short"));
    }

    #[test]
    fn elements_are_written_as_their_neighbours_are() {
        let lines = "[bodies]\na = {}   # the first\n\n# what moves\n[drivers]\nm = { v = 1 }\n";
        let due = lines.replace("first\n", "first\nb = { mass = 1 }\n");
        assert_eq!(edited(lines, |s| s.add("bodies", "b", table(&[("mass", 1)]))), due);
        // A section that was not there goes where a reader would look for it.
        let joints = edited(lines, |s| s.add("joints", "A", table(&[("x", 1)])));
        assert_eq!(joints, lines.replace("# what", "[joints]\nA = { x = 1 }\n\n# what"));
        let blocks = "[bodies.a]\nmass = 1\n\n# joints\n[joints.A]\nx = 1\n";
        let due = blocks.replace("mass = 1\n", "mass = 1\n\n[bodies.b]\nmass = 2\n");
        assert_eq!(edited(blocks, |s| s.add("bodies", "b", table(&[("mass", 2)]))), due);
        assert_eq!(edited("", |s| s.add("bodies", "b", Table::default())), "[bodies]\nb = {}\n");
        let dotted = "bodies.a = {}\nend = 1\n";
        assert_eq!(
            edited(dotted, |s| s.add("bodies", "b", Table::default())),
            "bodies.a = {}\nend = 1\nbodies.b = {}\n"
        );
    }

    #[test]
    fn what_is_removed_leaves_the_rest() {
        let text = "[bodies]\na = { p = 1, q = 2, r = 3 }   # one\n# two is next\nb = {}\n\n[joints.A]\nx = 1\n# of B\n[joints.B]\ny = [\n1,\n2 ]\n";
        assert_eq!(
            edited(text, |s| s.remove(&["bodies", "a"])),
            text.replace("a = { p = 1, q = 2, r = 3 }   # one\n", "")
        );
        for (key, due) in [("p", "{ q = 2, r = 3 }"), ("q", "{ p = 1, r = 3 }"), ("r", "{ p = 1, q = 2 }")] {
            assert_eq!(edited(text, |s| s.remove(&["bodies", "a", key])), text.replace("{ p = 1, q = 2, r = 3 }", due));
        }
        assert_eq!(edited(text, |s| s.remove(&["joints", "A"])), text.replace("[joints.A]\nx = 1\n", ""));
        assert_eq!(edited(text, |s| s.remove(&["joints", "B"])), text.replace("[joints.B]\ny = [\n1,\n2 ]\n", ""));
        assert_eq!(edited("[bodies]\na = {}\n\n[run]\nend = 1\n", |s| s.remove(&["bodies", "a"])), "[run]\nend = 1\n");
        assert_eq!(edited("[run]\nend = 1\n\n[bodies]\na = {}\n", |s| s.remove(&["bodies", "a"])), "[run]\nend = 1\n");
        assert_eq!(edited(text, |s| s.remove(&["no", "such"])), text);
        let one = "[bodies]\na = { points = { A = [0, 0] } }\n";
        assert_eq!(edited(one, |s| s.remove(&["bodies", "a", "points", "A"])), "[bodies]\na = {}\n");
    }

    #[test]
    fn names_change_where_they_stand() {
        let text = "[bodies.a]\nmass = 1\n[bodies.a.shape]\nr = 1\n[bodies.ab]\n";
        assert_eq!(
            edited(text, |s| s.rename(&["bodies", "a"], "crank 2")),
            text.replace("bodies.a]", "bodies.\"crank 2\"]").replace("bodies.a.", "bodies.\"crank 2\".")
        );
        assert_eq!(edited("[bodies]\na = {}\n", |s| s.rename(&["bodies", "a"], "b")), "[bodies]\nb = {}\n");
    }

    #[test]
    fn brackets_in_values_are_no_headings() {
        let text = "s = \"\"\"\n[bodies]\n\"\"\"\nl = [\n[1, 2],\n[3, 4] ]\n[bodies]\na = {}\n[[repeat]]\ncount = 2\n";
        let sheet = Sheet::read(text).unwrap();
        assert_eq!(sheet.headings().iter().map(|h| h.path.join(".")).collect::<Vec<_>>(), ["bodies", "repeat"]);
        assert_eq!(
            edited(text, |s| s.add("bodies", "b", Table::default())),
            text.replace("a = {}\n", "a = {}\nb = {}\n")
        );
    }
}
