//! Where models are kept: a folder on a disk, or a browser's storage. Names, stamps and what a save may replace are the same for both.

use biela::error::{Error, Result};
use biela::picture::page::sha256;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Debug;
use std::path::{Component, Path};
use std::sync::{Mutex, PoisonError};

/// Models by name.
pub(crate) trait Store: Debug + Send + Sync {
    /// The folder in which files are looked for that texts name, and no other.
    fn folder(&self) -> &Path;

    /// Takes what a call brings of it, where models are kept by the page itself.
    fn bring(&self, _asked: &Value) {}

    /// The text of a model.
    fn read(&self, name: &str) -> Result<Held>;

    /// Saves a model, whole or not at all, and tells its stamp. What exists is replaced only where asked.
    fn save(&self, name: &str, text: &str, replace: Replace) -> Result<String>;

    /// All models, by name.
    fn list(&self) -> Vec<String>;
}

/// A text with what tells it from any other.
#[derive(Debug)]
pub(crate) struct Held {
    pub text: String,
    pub stamp: String,
}

/// What a save may replace.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Replace<'a> {
    /// Nothing.
    No,
    /// A model as it was when it was opened: what had this stamp, or, where none is told, what was last seen of it here.
    Same(Option<&'a str>),
    /// Whatever is there.
    Any,
}

impl Replace<'_> {
    /// Refuses to replace a model that exists, unless this is what was meant. `seen` is its stamp when it was last seen, `is` tells
    /// whether its stamp is still this one, and `place` where it would have changed.
    pub fn allow(self, name: &str, seen: Option<&str>, place: &str, is: impl Fn(&str) -> bool) -> Result<()> {
        let due = match self {
            Replace::No => return Err(Error::new(format!("'{name}' exists already"))),
            Replace::Same(due) => due.or(seen),
            Replace::Any => None,
        };
        match due.is_some_and(|due| !is(due)) {
            true => Err(Error::new(format!("'{name}' has changed {place} since it was opened"))
                .note("open it again to see it as it is, or overwrite it")),
            false => Ok(()),
        }
    }
}

/// What tells a file's content from any other.
pub(crate) fn stamp(bytes: &[u8]) -> String {
    sha256(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// The path of a model in its folder, if its name is one.
pub(crate) fn path_of(name: &str) -> Result<&Path> {
    let wrong = |why: &str| Err(Error::new(format!("'{}' {why}", name.chars().take(120).collect::<String>())));
    let given = Path::new(name);
    let plain = |c: Component| match c {
        Component::Normal(part) => part.to_str().is_some_and(|s| !s.starts_with('.') && !s.contains(['\\', ':', '\0'])),
        _ => false,
    };
    if name.split('/').any(str::is_empty)
        || name.len() > 200
        || !given.components().all(plain)
        || name.chars().any(char::is_control)
    {
        return wrong("is no file of the opened folder");
    }
    if given.extension().is_none_or(|e| e != "toml") {
        return wrong("does not end in .toml");
    }
    Ok(given)
}

/// Models that the page keeps: it brings with a call what it has of the name (`held`) and all names (`names`), and puts away itself
/// what was saved.
#[derive(Debug, Default)]
pub(crate) struct Brought(Mutex<(HashMap<String, String>, Vec<String>)>);

impl Brought {
    fn kept(&self) -> std::sync::MutexGuard<'_, (HashMap<String, String>, Vec<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Brought {
    fn folder(&self) -> &Path {
        Path::new("")
    }

    fn bring(&self, asked: &Value) {
        let mut kept = self.kept();
        if let Some(held) = asked["held"].as_object() {
            kept.0 = held.iter().filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_string()))).collect();
        }
        if let Some(names) = asked["names"].as_array() {
            kept.1 = names.iter().filter_map(|name| Some(name.as_str()?.to_string())).collect();
            kept.1.sort();
        }
    }

    fn read(&self, name: &str) -> Result<Held> {
        path_of(name)?;
        let text = self.kept().0.get(name).cloned();
        let text = text.ok_or_else(|| Error::new("this browser keeps no such model").of(format!("'{name}'")))?;
        Ok(Held { stamp: stamp(text.as_bytes()), text })
    }

    fn save(&self, name: &str, text: &str, replace: Replace) -> Result<String> {
        path_of(name)?;
        let mut kept = self.kept();
        if let Some(held) = kept.0.get(name) {
            replace.allow(name, None, "in another window", |due| stamp(held.as_bytes()) == due)?;
        }
        if !kept.1.iter().any(|known| known == name) {
            kept.1.push(name.to_string());
            kept.1.sort();
        }
        Ok(stamp(text.as_bytes()))
    }

    fn list(&self) -> Vec<String> {
        self.kept().1.clone()
    }
}
