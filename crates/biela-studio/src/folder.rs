//! The model files of one folder, and no path that leads out of it.

use crate::api::BODY_LIMIT;
use crate::store::{path_of, stamp, Held, Replace, Store};
use biela::error::{Error, Result};
use biela::results::Root;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The opened folder.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    root: Root,
    /// What each file held when it was last read or saved here.
    seen: Mutex<HashMap<String, String>>,
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
}

impl Store for Folder {
    fn folder(&self) -> &Path {
        &self.path
    }

    fn read(&self, name: &str) -> Result<Held> {
        let path = path_of(name)?;
        let bytes = self.root.read(path, BODY_LIMIT as u64).map_err(|e| e.of(format!("'{name}'")))?;
        let stamp = stamp(&bytes);
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| Error::new("the file is not text in UTF-8").of(format!("'{name}'")))?;
        self.seen().insert(name.to_string(), stamp.clone());
        Ok(Held { text, stamp })
    }

    fn save(&self, name: &str, text: &str, replace: Replace) -> Result<String> {
        let path = path_of(name)?;
        // One save at a time: between looking and writing nobody here comes in between.
        let mut seen = self.seen();
        if self.root.holds(path) {
            let is = |due: &str| self.root.read(path, u64::MAX).is_ok_and(|bytes| stamp(&bytes) == due);
            replace.allow(name, seen.get(name).map(String::as_str), "on disk", is)?;
        }
        self.root.write(path, |out| out.write_all(text.as_bytes()))?;
        let stamp = stamp(text.as_bytes());
        seen.insert(name.to_string(), stamp.clone());
        Ok(stamp)
    }

    fn list(&self) -> Vec<String> {
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
