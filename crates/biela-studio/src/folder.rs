//! The model files of one folder, and no path that leads out of it.

use crate::http::BODY_LIMIT;
use biela::error::{Error, Result};
use biela::picture::page::sha256;
use biela::results::Root;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The opened folder.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    root: Root,
    /// What each file held when it was last read or saved here.
    seen: Mutex<HashMap<String, String>>,
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
    /// A file as it was when it was opened: what had this stamp, or, where none is told, what was last seen of it here.
    Same(Option<&'a str>),
    /// Whatever is there.
    Any,
}

/// What tells a file's content from any other.
pub(crate) fn stamp(bytes: &[u8]) -> String {
    sha256(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// Folders below the opened one that are looked into, and files listed.
const DEPTH: usize = 2;
const MOST: usize = 300;

impl Folder {
    pub fn new(path: &Path) -> Result<Folder> {
        let shown = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let path = shown.canonicalize().map_err(|e| Error::new(format!("cannot open '{}': {e}", shown.display())))?;
        let root = Root::open(&path).map_err(|e| Error::new(format!("cannot open '{}': {e}", shown.display())))?;
        Ok(Folder { path, root, seen: Mutex::default() })
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.seen.lock().unwrap_or_else(|p| p.into_inner())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a model in the folder, if its name is one.
    fn resolve<'n>(&self, name: &'n str) -> Result<&'n Path> {
        let wrong = |why: &str| Err(Error::new(format!("'{}' {why}", name.chars().take(120).collect::<String>())));
        let given = Path::new(name);
        let plain = |c: Component| match c {
            Component::Normal(part) => {
                part.to_str().is_some_and(|s| !s.starts_with('.') && !s.contains(['\\', ':', '\0']))
            }
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

    /// The text of a model.
    pub fn read(&self, name: &str) -> Result<Held> {
        let path = self.resolve(name)?;
        let bytes = self.root.read(path, BODY_LIMIT as u64).map_err(|e| e.of(format!("'{name}'")))?;
        let stamp = stamp(&bytes);
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| Error::new("the file is not text in UTF-8").of(format!("'{name}'")))?;
        self.seen().insert(name.to_string(), stamp.clone());
        Ok(Held { text, stamp })
    }

    /// Saves a model, whole or not at all, and tells its stamp. A file that exists is replaced only where asked.
    pub fn save(&self, name: &str, text: &str, replace: Replace) -> Result<String> {
        let path = self.resolve(name)?;
        // One save at a time: between looking and writing nobody here comes in between.
        let mut seen = self.seen();
        if self.root.holds(path) {
            let due = match replace {
                Replace::No => return Err(Error::new(format!("'{name}' exists already"))),
                Replace::Same(Some(due)) => Some(due.to_string()),
                Replace::Same(None) => seen.get(name).cloned(),
                Replace::Any => None,
            };
            let same = |due: &String| self.root.read(path, u64::MAX).is_ok_and(|bytes| stamp(&bytes) == *due);
            if due.is_some_and(|due| !same(&due)) {
                return Err(Error::new(format!("'{name}' has changed on disk since it was opened"))
                    .note("open it again to see it as it is, or overwrite it"));
            }
        }
        self.root.write(path, |out| out.write_all(text.as_bytes()))?;
        let stamp = stamp(text.as_bytes());
        seen.insert(name.to_string(), stamp.clone());
        Ok(stamp)
    }

    /// Models of the folder, by name.
    pub fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![(self.path.clone(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten().take(5000) {
                let (path, name) = (entry.path(), entry.file_name());
                let hidden = name.to_str().is_none_or(|n| n.starts_with('.') || n == "target" || n == "node_modules");
                let Ok(kind) = entry.file_type() else { continue };
                if hidden {
                    continue;
                }
                if kind.is_dir() && depth < DEPTH {
                    open.push((path, depth + 1));
                } else if kind.is_file() && path.extension().is_some_and(|e| e == "toml") {
                    let shown = path.strip_prefix(&self.path).ok().and_then(Path::to_str).map(|s| s.replace('\\', "/"));
                    found.extend(shown);
                }
            }
        }
        found.sort();
        found.truncate(MOST);
        found
    }
}
