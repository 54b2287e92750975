//! Every number of the solvers that decides something, with the reason that stands above it in the source.

use super::{code, table, title};
use biela::error::{Error, Result};
use std::fs;
use std::path::Path;

/// Crates whose numbers decide.
const CRATES: [&str; 5] = ["biela-math", "biela-tree", "biela-model", "biela-core", "biela-analysis"];

/// What the others follow from.
const CHAIN: &str = "
## Where they come from
All computing is in double precision: one rounding is ε = 1.1e-16 of a number. From it the others follow.

1. **A row.** A constraint is a sum of some ten products of entries of unit size, divided by the size of the mechanism: rounding leaves
   about 10 ε. `newton::ROUNDING`, 2e-15, is where corrections can gain no more.
2. **A closed position.** Tens to thousands of rows share their unknowns, and their roundings add: `system::ACCEPTED`, 1e-12, is what every
   position, drawn or followed, is brought to. A relaxation may end at ten times that, since a polish by Newton follows.
3. **Rank.** Positions are accurate to about 1e-14 of the mechanism's size, so that rows which depend on each other show it far below
   `newton::RANK_TOLERANCE`, 1e-9; a mechanism that is regular but as near to singular as that has lost half of its digits, and is better
   told so.
4. **Contradiction.** Redundant rows that do not fit differ by what the drawing's digits leave. Half of the rank's tolerance is where a misfit is
   a fault of the model and not of rounding.
5. **Differences.** A central difference of step h errs by h² and by 2e-15/h: steps near 1e-5 leave 1e-10, and what is compared with them is
   held to no less.
6. **Near.** The distance to a singular position is the least singular value of the scaled rows: about 1 in a good position, 0 in a singular one.
   `singularity::NEAR`, 1e-3, is where a run warns: three digits are lost there.

Lengths are compared after division by the size of the mechanism, so that micrometres and kilometres are treated alike.
";

/// The page.
pub fn page(root: &Path) -> Result<String> {
    let mut text = title(
        "Tolerances",
        "What counts as zero, as equal, as near, as too long: the numbers below one that have a name of their own in mathematics, tree dynamics and\n\
         solvers, as the source has them. Numbers of tests, and pairs and single literals that serve one line, are not among them.",
    );
    text.push_str(CHAIN);
    for name in CRATES {
        let mut rows = Vec::new();
        let folder = root.join("crates").join(name).join("src");
        let mut files = Vec::new();
        sources(&folder, &mut files).map_err(|e| Error::new(format!("{}: {e}", folder.display())))?;
        files.sort();
        for file in files {
            let source = fs::read_to_string(&file).map_err(|e| Error::new(format!("{}: {e}", file.display())))?;
            let inside = file.strip_prefix(&folder).unwrap_or(&file).with_extension("");
            let module: Vec<String> = inside.iter().map(|p| p.to_string_lossy().into_owned()).collect();
            let module = module.join("::").trim_end_matches("::mod").to_string();
            for number in numbers(&source) {
                let reason = number.reason.ok_or_else(|| {
                    Error::new(format!("'{}' of {} has no comment that says why", number.name, file.display()))
                })?;
                rows.push(vec![code(format!("{module}::{}", number.name)), number.value, reason]);
            }
        }
        text.push_str(&format!("\n## `{name}`\n"));
        text.push_str(&table(&["name", "value", "what it decides"], rows));
    }
    Ok(text)
}

/// Every Rust file under a folder.
fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "rs")
            && !path.file_stem().is_some_and(|s| s.to_string_lossy().ends_with("tests"))
        {
            found.push(path);
        }
    }
    Ok(())
}

struct Number {
    name: String,
    value: String,
    reason: Option<String>,
}

/// Constants below one that are written as powers of ten or as small decimals, before the tests of a file.
fn numbers(source: &str) -> Vec<Number> {
    let own = source.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
    let lines: Vec<&str> = own.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let rest = line.strip_prefix("pub ").unwrap_or(line);
        let rest = if rest.starts_with("pub(") { rest.split_once(") ").map_or(rest, |r| r.1) } else { rest };
        let Some((name, value)) = rest.strip_prefix("const ").and_then(|r| r.split_once(": f64 = ")) else { continue };
        let Some((value, after)) = value.split_once(';') else { continue };
        // Fractions, multiples and irrational numbers are formulas, not tolerances.
        let decides = value.parse::<f64>().is_ok_and(|x| x > 0.0 && x < 1.0 && value.len() <= 7);
        if !decides {
            continue;
        }
        let mut first = k;
        while first > 0 && (lines[first - 1].starts_with("///") || lines[first - 1].starts_with("// ")) {
            first -= 1;
        }
        let above: Vec<&str> = lines[first..k].iter().map(|l| l.trim_start_matches('/').trim()).collect();
        let beside = after.trim().trim_start_matches('/').trim();
        let words = above.into_iter().chain(Some(beside)).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
        let reason = Some(words).filter(|w| !w.is_empty());
        found.push(Number { name: name.to_string(), value: value.to_string(), reason });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_decide_are_found_with_their_reasons() {
        let source = "/// Closed but\n/// for rounding.\npub(super) const CLOSED: f64 = 1e-11;\nconst BARE: f64 = 0.25;\nconst N: usize = 3;\n\
                      const THIRD: f64 = 1.0 / 3.0;\n    const LOCAL: f64 = 1e-3; // Here.\n#[cfg(test)]\nmod tests {\nconst T: f64 = 1e-9;\n}";
        let found = numbers(source);
        let told: Vec<_> = found.iter().map(|n| (n.name.as_str(), n.value.as_str(), n.reason.as_deref())).collect();
        assert_eq!(
            told,
            [
                ("CLOSED", "1e-11", Some("Closed but for rounding.")),
                ("BARE", "0.25", None),
                ("LOCAL", "1e-3", Some("Here.")),
            ]
        );
    }
}
