//! One source file: what it imports, what it passes on, its functions.

use crate::{Module, LONG, MANY};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A source file.
#[derive(Debug)]
pub struct SourceFile {
    /// Its path in the repository.
    pub path: PathBuf,
    /// Its module.
    pub module: Module,
    /// Its lines.
    pub lines: usize,
    /// Paths inside the crate that it names, as whole paths from the crate's root.
    pub imports: BTreeSet<Module>,
    /// Names that it imports, with where they come from: what others may take from it.
    pub passes: BTreeMap<String, Module>,
    /// Its functions, those of tests left out.
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line it begins on.
    pub line: usize,
    /// Its lines.
    pub lines: usize,
    /// Its parameters, `self` included.
    pub parameters: usize,
    /// Why it is large, where a comment right above it says so: `// Long: …` or `// Many: …`.
    pub reason: Option<String>,
}

impl Function {
    /// Whether it is to have a reason.
    pub fn is_large(&self) -> bool {
        self.lines > LONG || self.parameters > MANY
    }
}

impl SourceFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be read, or is no Rust.
    pub fn read(path: &Path, shown: PathBuf, module: Module) -> io::Result<SourceFile> {
        let text = fs::read_to_string(path)?;
        let parsed = syn::parse_file(&text).map_err(|e| io::Error::other(format!("{}: {e}", path.display())))?;
        let mut look = Look { inner: module.clone(), module, ..Look::default() };
        look.visit_file(&parsed);
        let Look { module, imports, passes, mut functions, .. } = look;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        functions.iter_mut().for_each(|function| function.reason = reason(&lines[..function.line - 1]));
        Ok(SourceFile { path: shown, module, lines: text.lines().count(), imports, passes, functions })
    }
}

#[derive(Default)]
struct Look {
    module: Module,
    /// The module looked at: the file's own, or one written inside it.
    inner: Module,
    imports: BTreeSet<Module>,
    passes: BTreeMap<String, Module>,
    functions: Vec<Function>,
}

impl Look {
    /// The whole path, from the crate's root, of one that begins with `crate`, `self` or `super`.
    fn whole(&self, path: &[String]) -> Option<Module> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.inner.clone(),
            "super" => self.inner.split_last()?.1.to_vec(),
            _ => return None,
        };
        let mut rest = &path[1..];
        while let Some(("super", more)) = rest.split_first().map(|(first, more)| (first.as_str(), more)) {
            base.pop();
            rest = more;
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn import(&mut self, path: &[String], name: Option<String>) {
        let local = path.len() > 1 && !["crate", "self", "super"].contains(&path[0].as_str());
        // A child named without `self::`, as in `pub use child::Name` of a folder's own file.
        let whole = if local { Some([self.inner.as_slice(), path].concat()) } else { self.whole(path) };
        let Some(whole) = whole else { return };
        if let Some(name) = name.filter(|_| self.inner == self.module) {
            self.passes.insert(name, whole.clone());
        }
        if !local {
            self.imports.insert(whole);
        }
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before);
                before.pop();
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(item, before)),
            syn::UseTree::Glob(_) => self.import(&before.clone(), None),
            syn::UseTree::Name(name) => {
                let path: Vec<String> = before.iter().cloned().chain([name.ident.to_string()]).collect();
                match name.ident == "self" {
                    true => self.import(&before.clone(), before.last().cloned()),
                    false => self.import(&path, path.last().cloned()),
                }
            }
            syn::UseTree::Rename(name) => {
                let path: Vec<String> = before.iter().cloned().chain([name.ident.to_string()]).collect();
                self.import(&path, Some(name.rename.to_string()));
            }
        }
    }

    fn function(&mut self, signature: &syn::Signature, whole: proc_macro2::Span) {
        let (line, end) = (whole.start().line, whole.end().line);
        let start = signature.span().start().line;
        self.functions.push(Function {
            name: signature.ident.to_string(),
            line: start,
            lines: end - start.max(line) + 1,
            parameters: signature.inputs.len(),
            reason: None,
        });
    }
}

/// The reason that the comments and attributes right above a function give, if any.
fn reason(above: &[&str]) -> Option<String> {
    let belongs = |line: &&&str| line.starts_with("//") || line.starts_with("#[") || line.ends_with(']');
    let mut lines = above.iter().rev().take_while(belongs);
    lines.find_map(|line| line.strip_prefix("// Long: ").or(line.strip_prefix("// Many: "))).map(str::to_string)
}

/// Whether an item is there for tests alone.
fn of_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| match &a.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        meta => meta.path().is_ident("test"),
    })
}

impl<'a> Visit<'a> for Look {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if of_tests(&item.attrs) {
            return;
        }
        self.inner.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.inner.pop();
    }
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if !of_tests(&item.attrs) {
            self.tree(&item.tree, &mut Vec::new());
        }
    }
    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let Some(whole) = self.whole(&parts) {
            self.imports.insert(whole);
        }
        visit::visit_path(self, path);
    }
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if !of_tests(&item.attrs) {
            self.function(&item.sig, item.span());
            visit::visit_item_fn(self, item);
        }
    }
    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !of_tests(&item.attrs) {
            self.function(&item.sig, item.span());
            visit::visit_impl_item_fn(self, item);
        }
    }
    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        self.function(&item.sig, item.span());
        visit::visit_trait_item_fn(self, item);
    }
}
