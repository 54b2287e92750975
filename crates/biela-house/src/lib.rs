//! The shape of the source, read from the source: crates and modules, what uses what, how long files and functions are.
//!
//! ```text
//! folder ──► House { crates } ──► Crate { files } ──► SourceFile { imports, functions, lines }
//!                                                          │
//!                                     Graph of siblings ◄──┘   (modules of one folder, with arrows)
//! ```
//! An import from one module to another is an arrow between those two of their ancestors that stand side by side. What a folder's own
//! file (`mod.rs`) only passes on is followed to where it comes from.

mod file;
mod graph;
mod show;
mod text;

pub use file::{Function, SourceFile};
pub use graph::Graph;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Lines of a function, and its parameters, beyond which a reason is to be written above it.
pub const LONG: usize = 80;
/// See [`LONG`].
pub const MANY: usize = 6;

/// A module by its path inside its crate; the crate's root is empty.
pub type Module = Vec<String>;

/// The crates of a workspace.
#[derive(Debug)]
pub struct House {
    /// In the order of their folders.
    pub crates: Vec<Crate>,
}

/// A crate.
#[derive(Debug)]
pub struct Crate {
    /// Its name in `Cargo.toml`.
    pub name: String,
    /// Crates of the same workspace that it is built on.
    pub uses: BTreeSet<String>,
    /// Files of its `src`.
    pub files: Vec<SourceFile>,
}

impl House {
    /// Reads the crates under `crates/` and `benches/` of a workspace.
    ///
    /// # Errors
    /// Where a file cannot be read, or is no Rust.
    pub fn read(root: &Path) -> io::Result<House> {
        let mut folders: Vec<PathBuf> =
            fs::read_dir(root.join("crates"))?.map(|e| Ok(e?.path())).collect::<io::Result<_>>()?;
        folders.push(root.join("benches"));
        folders.retain(|folder| folder.join("Cargo.toml").is_file());
        folders.sort();
        let mut crates = folders.iter().map(|folder| Crate::read(folder, root)).collect::<io::Result<Vec<_>>>()?;
        let names: BTreeSet<String> = crates.iter().map(|c| c.name.clone()).collect();
        crates.iter_mut().for_each(|c| c.uses.retain(|used| names.contains(used)));
        Ok(House { crates })
    }

    /// Arrows between crates.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        for one in &self.crates {
            graph.add(&one.name, one.lines());
            one.uses.iter().for_each(|used| graph.link(&one.name, used));
        }
        graph
    }

    /// Every file.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.crates.iter().flat_map(|c| &c.files)
    }

    /// Lines of the file in the middle.
    pub fn median(&self) -> usize {
        let mut lines: Vec<usize> = self.files().map(|f| f.lines).collect();
        lines.sort_unstable();
        lines.get(lines.len() / 2).copied().unwrap_or(0)
    }

    /// Modules that use each other in circles: the folder they stand in, and their names.
    pub fn circles(&self) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<_> = self.graph().circles().into_iter().map(|circle| (String::new(), circle)).collect();
        for one in &self.crates {
            for folder in one.folders() {
                let place = [std::slice::from_ref(&one.name), folder.as_slice()].concat().join("::");
                found.extend(one.graph(&folder).circles().into_iter().map(|circle| (place.clone(), circle)));
            }
        }
        found
    }
}

impl Crate {
    fn read(folder: &Path, root: &Path) -> io::Result<Crate> {
        let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
        let name = manifest.lines().find_map(|l| l.strip_prefix("name = \"")).and_then(|l| l.split('"').next());
        let name = name.ok_or_else(|| io::Error::other(format!("{}: no name", folder.display())))?.to_string();
        let mut files = Vec::new();
        let src = folder.join("src");
        let mut paths = Vec::new();
        walk(&src, &mut paths)?;
        paths.sort();
        for path in paths {
            let module = text::module_of(path.strip_prefix(&src).unwrap_or(&path));
            let shown = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
            files.push(SourceFile::read(&path, shown, module)?);
        }
        Ok(Crate { name, uses: text::dependencies(&manifest), files })
    }

    /// Lines of its source.
    pub fn lines(&self) -> usize {
        self.files.iter().map(|f| f.lines).sum()
    }

    /// The folders of the crate: modules that have others inside.
    pub fn folders(&self) -> BTreeSet<Module> {
        self.files.iter().filter_map(|f| f.module.split_last()).map(|(_, parent)| parent.to_vec()).collect()
    }

    /// Modules that stand side by side in a folder, with arrows where one uses another.
    pub fn graph(&self, folder: &[String]) -> Graph {
        let known: BTreeSet<&Module> = self.files.iter().map(|f| &f.module).collect();
        let given: BTreeMap<&Module, &SourceFile> = self.files.iter().map(|f| (&f.module, f)).collect();
        let mut graph = Graph::default();
        for file in &self.files {
            let Some(from) = file.module.strip_prefix(folder).and_then(<[String]>::first) else { continue };
            graph.add(from, file.lines);
            for import in &file.imports {
                let to = follow(import, &known, &given);
                match to.strip_prefix(folder).and_then(<[String]>::first) {
                    Some(to) if to != from => graph.link(from, to),
                    _ => {}
                }
            }
        }
        graph
    }
}

/// The module that an imported path leads to: its longest part that is a module, then what that one passes on.
fn follow(import: &[String], known: &BTreeSet<&Module>, given: &BTreeMap<&Module, &SourceFile>) -> Module {
    /// Names passed on this many times lead nowhere.
    const MOST: usize = 8;
    let mut path = import.to_vec();
    for _ in 0..MOST {
        let mut length = path.len();
        while length > 0 && !known.contains(&path[..length].to_vec()) {
            length -= 1;
        }
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        let passed = rest.first().and_then(|name| given.get(&module)?.passes.get(name));
        match passed {
            Some(origin) if *origin != path => path = origin.iter().chain(&rest[1..]).cloned().collect(),
            _ => return module,
        }
    }
    path
}

/// Rust files under a folder.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    Ok(())
}
