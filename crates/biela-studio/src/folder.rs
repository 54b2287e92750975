//! The model files of one folder, and no path that leads out of it.

use biela::error::{Error, Result};
use biela::results::{read_whole, write_atomically};
use std::path::{Component, Path, PathBuf};

/// The opened folder.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

/// Folders below the opened one that are looked into, and files listed.
const DEPTH: usize = 2;
const MOST: usize = 300;

impl Folder {
    pub fn new(path: &Path) -> Result<Folder> {
        let shown = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let path = shown.canonicalize().map_err(|e| Error::new(format!("cannot open '{}': {e}", shown.display())))?;
        Ok(Folder { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a model of that name lies, inside the folder and nowhere else.
    fn resolve(&self, name: &str) -> Result<PathBuf> {
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
        let path = self.path.join(given);
        let parent = path.parent().and_then(|p| p.canonicalize().ok());
        let Some(parent) = parent.filter(|p| p.starts_with(&self.path)) else {
            return wrong("is in no folder inside the opened one");
        };
        // A link must not lead out.
        match path.symlink_metadata() {
            Ok(_) => match path.canonicalize() {
                Ok(real) if real.starts_with(&self.path) && real.is_file() => Ok(real),
                _ => wrong("is no file of the opened folder"),
            },
            Err(_) => Ok(parent.join(path.file_name().unwrap_or_default())),
        }
    }

    /// The text of a model.
    pub fn read(&self, name: &str) -> Result<String> {
        let path = self.resolve(name)?;
        let bytes = read_whole(&path, crate::BODY_LIMIT as u64).map_err(|e| e.of(format!("'{name}'")))?;
        String::from_utf8(bytes).map_err(|_| Error::new("the file is not text in UTF-8").of(format!("'{name}'")))
    }

    /// Saves a model, whole or not at all. A file that exists is replaced only where asked.
    pub fn save(&self, name: &str, text: &str, replace: bool) -> Result<()> {
        let path = self.resolve(name)?;
        if path.exists() && !replace {
            return Err(Error::new(format!("'{name}' exists already")));
        }
        write_atomically(&path, |out| out.write_all(text.as_bytes()))
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
