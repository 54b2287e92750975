//! The document tree: what every reader (TOML, URDF, the thesis's text files) produces and the compiler reads.
//!
//! It is a plain tree of tables, lists and scalars whose parts remember where in which text they stood. Parameters and
//! expressions are still strings here, so a model written back from its tree loses nothing.

use biela_base::source::Span;

/// A value and the place it came from.
#[derive(Debug, Clone)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stood; `None` where a reader made it up.
    pub span: Option<Span>,
}

/// A value of the document.
#[derive(Debug, Clone)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A string: a name, or an expression still to be parsed.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Table),
}

/// A table that keeps the order in which its entries stood.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The entries, in order; keys are unique.
    pub entries: Vec<Entry>,
}

/// One `key = value`.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stood.
    pub key_span: Option<Span>,
    /// The value.
    pub node: Node,
}

impl Table {
    /// The entry under `key`.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.key == key)
    }

    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|e| &e.node)
    }

    /// Adds an entry made by a reader, replacing one of the same key.
    pub fn set(&mut self, key: impl Into<String>, node: impl Into<Node>) {
        let (key, node) = (key.into(), node.into());
        match self.entries.iter_mut().find(|e| e.key == key) {
            Some(entry) => entry.node = node,
            None => self.entries.push(Entry { key, key_span: node.span.clone(), node }),
        }
    }
}

impl Node {
    /// A node without a place.
    pub fn new(value: Value) -> Node {
        Node { value, span: None }
    }

    /// The same node, said to stand at `span`.
    pub fn at(mut self, span: &Span) -> Node {
        self.span = Some(span.clone());
        self
    }

    /// What kind of value this is, in words for messages.
    pub fn describe(&self) -> &'static str {
        match self.value {
            Value::Bool(_) => "true or false",
            Value::Integer(_) | Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

impl From<f64> for Node {
    fn from(x: f64) -> Node {
        Node::new(Value::Number(x))
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Node {
        Node::new(Value::Text(text.to_string()))
    }
}

impl From<String> for Node {
    fn from(text: String) -> Node {
        Node::new(Value::Text(text))
    }
}

impl From<bool> for Node {
    fn from(b: bool) -> Node {
        Node::new(Value::Bool(b))
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Node {
        Node::new(value)
    }
}

impl From<Table> for Node {
    fn from(table: Table) -> Node {
        Node::new(Value::Table(table))
    }
}

impl<T: Into<Node>> From<Vec<T>> for Node {
    fn from(list: Vec<T>) -> Node {
        Node::new(Value::List(list.into_iter().map(Into::into).collect()))
    }
}
