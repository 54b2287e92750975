//! What names of files and manifests say.

use crate::Module;
use std::collections::BTreeSet;
use std::path::Path;

/// The module of a file, by its path inside `src`.
pub(crate) fn module_of(path: &Path) -> Module {
    let mut parts: Module = path.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// Names under the tables of dependencies of a manifest, those of tests left out.
pub(crate) fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.contains("dependencies]") && !line.contains("dev-");
        } else if inside {
            let name = line.split(['=', '.', ' ']).next().unwrap_or("");
            if !name.is_empty() && !name.starts_with('#') {
                found.insert(name.to_string());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_dependencies_are_read() {
        let module = |path: &str| module_of(Path::new(path)).join("::");
        assert_eq!(module("lib.rs"), "");
        assert_eq!(module("solve/mod.rs"), "solve");
        assert_eq!(module("solve/ik/chain.rs"), "solve::ik::chain");
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nb = \"1\"\nc = { path = \"../c\" }\n# d = 1\n\n[dev-dependencies]\ne = \"1\"\n";
        assert_eq!(dependencies(manifest).into_iter().collect::<Vec<_>>(), ["b", "c"]);
    }
}
