//! TOML as nearly all of a long model is written: `[table]` or `[table.name]`, and lines of a bare key and a value that ends in its line. Such
//! text is read straight into the document's tree, in less than half the instructions that events and maps of a general parser take. Whatever else
//! stands there, and whatever is wrong, is for that parser.

use crate::tree::{Entry, Node, Table, Value};
use biela_base::source::{Source, Span};
use std::ops::Range;
use std::sync::Arc;

/// Lists and tables in each other; keys of one table, which are compared one by one.
const DEEPEST: usize = 16;
const MOST_KEYS: usize = 64;

/// A piece of a text that begins and ends with whole lines; `None` where it is not all plain.
pub(super) fn read(source: &Arc<Source>, piece: Range<usize>) -> Option<Table> {
    let mut reader = Plain { source, end: piece.end, at: piece.start };
    let mut root = Table::default();
    // Places in the root of tables that hold others, by headings alone.
    let mut holders: Vec<usize> = Vec::new();
    let mut entries = Vec::new();
    let mut heading: Option<Heading> = None;
    loop {
        reader.skip_blank();
        match reader.next() {
            None => break,
            Some(b'#' | b'\n' | b'\r') => {}
            Some(b'[') => {
                finish(&mut root, &mut holders, heading.take(), std::mem::take(&mut entries))?;
                heading = Some(reader.heading()?);
            }
            Some(_) => {
                let entry = reader.assignment(&entries, 0)?;
                entries.push(entry);
            }
        }
        reader.end_of_line()?;
    }
    finish(&mut root, &mut holders, heading, entries)?;
    Some(root)
}

/// `[key]` or `[key.name]`.
struct Heading {
    key: Range<usize>,
    name: Option<Range<usize>>,
    whole: Span,
}

/// Puts what stood under a heading in its place.
fn finish(root: &mut Table, holders: &mut Vec<usize>, heading: Option<Heading>, entries: Vec<Entry>) -> Option<()> {
    let Some(Heading { key, name, whole }) = heading else {
        root.entries = entries;
        return Some(());
    };
    let source = &whole.source;
    let word = |range: &Range<usize>| (source.text[range.clone()].to_string(), Some(Span::new(source, range.clone())));
    let table = Node { value: Value::Table(Table { entries }), span: Some(whole.clone()) };
    let known = root.entries.iter().position(|e| e.key == source.text[key.clone()]);
    let (text, key_span) = word(&key);
    let Some(name) = name else {
        root.entries.push(Entry { key: text, key_span, node: table });
        return known.is_none().then_some(());
    };
    let (inner, inner_span) = word(&name);
    let inner = Entry { key: inner, key_span: inner_span, node: table };
    match known {
        Some(k) if holders.contains(&k) => {
            let Value::Table(holder) = &mut root.entries[k].node.value else { return None };
            holder.entries.push(inner);
        }
        Some(_) => return None,
        None => {
            holders.push(root.entries.len());
            let node = Node { value: Value::Table(Table { entries: vec![inner] }), span: key_span.clone() };
            root.entries.push(Entry { key: text, key_span, node });
        }
    }
    Some(())
}

struct Plain<'a> {
    source: &'a Arc<Source>,
    end: usize,
    at: usize,
}

impl Plain<'_> {
    fn next(&self) -> Option<u8> {
        self.source.text.as_bytes()[..self.end].get(self.at).copied()
    }

    /// Steps over what may stand between words of a line.
    fn skip_blank(&mut self) {
        while let Some(b' ' | b'\t') = self.next() {
            self.at += 1;
        }
    }

    /// Steps over a byte that must stand here.
    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next() == Some(byte)).then(|| self.at += 1)
    }

    /// Steps over bytes of a sort: where they stand, none where there are none.
    fn word(&mut self, holds: impl Fn(u8) -> bool) -> Option<Range<usize>> {
        let start = self.at;
        while self.next().is_some_and(&holds) {
            self.at += 1;
        }
        (self.at > start).then_some(start..self.at)
    }

    fn bare(&mut self) -> Option<Range<usize>> {
        self.word(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source, range)
    }

    /// Steps over a comment and to the next line.
    fn end_of_line(&mut self) -> Option<()> {
        self.skip_blank();
        if self.next() == Some(b'#') {
            self.word(|b| b == b'\t' || !b.is_ascii_control());
        }
        match self.next() {
            None => Some(()),
            Some(b'\r') => {
                self.at += 1;
                self.take(b'\n')
            }
            Some(_) => self.take(b'\n'),
        }
    }

    fn heading(&mut self) -> Option<Heading> {
        let start = self.at;
        self.take(b'[')?;
        let key = self.bare()?;
        let name = match self.take(b'.') {
            Some(()) => Some(self.bare()?),
            None => None,
        };
        self.take(b']')?;
        Some(Heading { key, name, whole: self.span(start..self.at) })
    }

    /// `key = value`, where no entry has that key yet.
    fn assignment(&mut self, others: &[Entry], depth: usize) -> Option<Entry> {
        let range = self.bare()?;
        let key = &self.source.text[range.clone()];
        if others.len() >= MOST_KEYS || others.iter().any(|e| e.key == key) {
            return None;
        }
        let (key, key_span) = (key.to_string(), Some(self.span(range)));
        self.skip_blank();
        self.take(b'=')?;
        self.skip_blank();
        Some(Entry { key, key_span, node: self.value(depth)? })
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        let start = self.at;
        if depth > DEEPEST {
            return None;
        }
        let value = match self.next()? {
            b'"' => {
                self.at += 1;
                let inner = self.at;
                self.word(|b| b != b'"' && b != b'\\' && !b.is_ascii_control());
                let text = &self.source.text[inner..self.at];
                self.take(b'"')?;
                Value::Text(text.to_string())
            }
            b'[' => self.list(depth)?,
            b'{' => self.table(depth)?,
            b'-' | b'0'..=b'9' => {
                let range = self.word(|b| b.is_ascii_alphanumeric() || b"+-._:".contains(&b))?;
                number(&self.source.text[range])?
            }
            _ => match &self.source.text[self.bare()?] {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => return None,
            },
        };
        let span = Some(self.span(start..self.at));
        // A second quote, or what else may not follow.
        matches!(self.next(), None | Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b']' | b'}' | b'#'))
            .then_some(Node { value, span })
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.take(b'[')?;
        // Points and axes.
        let mut list = Vec::with_capacity(3);
        loop {
            self.skip_blank();
            if self.take(b']').is_some() {
                return Some(Value::List(list));
            }
            list.push(self.value(depth + 1)?);
            self.skip_blank();
            if self.next() != Some(b']') {
                self.take(b',')?;
            }
        }
    }

    fn table(&mut self, depth: usize) -> Option<Value> {
        self.take(b'{')?;
        let mut entries = Vec::with_capacity(3);
        self.skip_blank();
        while self.take(b'}').is_none() {
            let entry = self.assignment(&entries, depth + 1)?;
            entries.push(entry);
            self.skip_blank();
            if self.next() != Some(b'}') {
                self.take(b',')?;
                self.skip_blank();
                // A comma at the end is not for every version of TOML.
                if self.next() == Some(b'}') {
                    return None;
                }
            }
        }
        Some(Value::Table(Table { entries }))
    }
}

/// A decimal number as TOML has them: no zero in front, digits on both sides of the point.
fn number(text: &str) -> Option<Value> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied();
    let digits = |at: usize| at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let first = usize::from(byte(0) == Some(b'-'));
    let mut at = digits(first);
    if at == first || at > first + 1 && byte(first) == Some(b'0') {
        return None;
    }
    if at == bytes.len() {
        return text.parse().ok().map(Value::Integer);
    }
    if byte(at) == Some(b'.') {
        let part = digits(at + 1);
        if part == at + 1 {
            return None;
        }
        at = part;
    }
    if let Some(b'e' | b'E') = byte(at) {
        let from = at + 1 + usize::from(matches!(byte(at + 1), Some(b'+' | b'-')));
        let part = digits(from.min(bytes.len()));
        if part <= from {
            return None;
        }
        at = part;
    }
    (at == bytes.len()).then(|| text.parse().ok().map(Value::Number)).flatten()
}
