//! The house as text.

use crate::{Graph, House, LONG, MANY};
use std::fmt;

/// Files shown, of the longest.
const SHOWN: usize = 12;

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "# Crates, each after those it is built on: lines, name, what it uses")?;
        write!(f, "{}", self.graph())?;
        for one in &self.crates {
            for folder in one.folders() {
                let graph = one.graph(&folder);
                if graph.nodes().count() > 1 {
                    writeln!(
                        f,
                        "\n# {}\n{graph}",
                        [std::slice::from_ref(&one.name), folder.as_slice()].concat().join("::")
                    )?;
                }
            }
        }
        let mut lines: Vec<_> = self.files().map(|file| (file.lines, file.path.display())).collect();
        lines.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let sum: usize = lines.iter().map(|l| l.0).sum();
        writeln!(f, "\n# {} files, {sum} lines, median {}; the longest", lines.len(), self.median())?;
        for (count, path) in lines.iter().take(SHOWN) {
            writeln!(f, "{count:6}  {path}")?;
        }
        writeln!(f, "\n# Functions of more than {LONG} lines or {MANY} parameters, and why")?;
        for file in self.files() {
            for function in file.functions.iter().filter(|function| function.is_large()) {
                let (place, name) = (format!("{}:{}", file.path.display(), function.line), &function.name);
                let why = function.reason.as_deref().unwrap_or("no reason given");
                writeln!(f, "{:6} lines {:2} parameters  {place} {name}: {why}", function.lines, function.parameters)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for name in self.order() {
            let uses: Vec<&str> = self.uses(name).collect();
            writeln!(f, "{:6}  {name:<20}{}", self.lines(name), uses.join(" "))?;
        }
        for circle in self.circles() {
            writeln!(f, "circle: {}", circle.join(" "))?;
        }
        Ok(())
    }
}
