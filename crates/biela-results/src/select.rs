//! Choosing columns: exact names, `*` globs, and a bare element name for all its columns.

use super::{Column, Results};
use biela_base::error::{nearest, Error, Result};
use std::collections::{BTreeSet, HashMap};

impl Results {
    /// The columns that the patterns name, in the order of the patterns, each once; `t` first and always kept.
    ///
    /// `crank.x` is that signal, `crank` every signal of the crank, `crank.*` and `*.x` are globs.
    pub fn select(&self, patterns: &[&str]) -> Result<Results> {
        let mut chosen: Vec<usize> = self.columns.iter().position(|column| column.name == "t").into_iter().collect();
        let mut taken = vec![false; self.columns.len()];
        for &k in &chosen {
            taken[k] = true;
        }
        let places = self.places();
        for pattern in patterns {
            for k in self.matching(pattern.trim(), &places)? {
                if !std::mem::replace(&mut taken[k], true) {
                    chosen.push(k);
                }
            }
        }
        let columns = chosen.into_iter().map(|k| self.columns[k].clone()).collect();
        Ok(Results { columns, notes: self.notes.clone() })
    }

    /// The columns that one pattern names, in the order of the table.
    pub(crate) fn find_all(&self, pattern: &str) -> Result<Vec<&Column>> {
        Ok(self.matching(pattern, &self.places())?.into_iter().map(|k| &self.columns[k]).collect())
    }

    /// Number of the column of each name.
    pub fn places(&self) -> HashMap<&str, usize> {
        self.columns.iter().enumerate().map(|(k, column)| (column.name.as_str(), k)).collect()
    }

    fn matching(&self, pattern: &str, places: &HashMap<&str, usize>) -> Result<Vec<usize>> {
        if let Some(k) = places.get(pattern) {
            return Ok(vec![*k]);
        }
        let of_element = |name: &str| name.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('.'));
        let is_glob = pattern.contains('*');
        let fits = |name: &str| if is_glob { glob(pattern, name) } else { of_element(name) };
        let found: Vec<usize> =
            self.columns.iter().enumerate().filter(|(_, column)| fits(&column.name)).map(|(k, _)| k).collect();
        if found.is_empty() || pattern.is_empty() {
            Err(self.unknown(pattern))
        } else {
            Ok(found)
        }
    }

    /// The error for a name that no column bears, with what may have been meant.
    fn unknown(&self, name: &str) -> Error {
        if name.contains('*') {
            let error = Error::new(format!("no signal fits '{name}'"));
            return error.note("a '*' stands for any letters, dots included").suggest(name, self.elements());
        }
        let error = Error::new(format!("no signal '{name}'"));
        if let Some((element, _)) = name.rsplit_once('.') {
            let own: Vec<&str> =
                self.columns.iter().map(|column| column.name.as_str()).filter(|other| starts(other, element)).collect();
            if !own.is_empty() {
                return error.suggest(name, own);
            }
            let all: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
            if let Some(near) = nearest(name, &all) {
                return error.note(format!("did you mean '{near}'?"));
            }
        }
        error.suggest(name, self.elements())
    }

    /// What stands before the first dot of each name, each once.
    fn elements(&self) -> BTreeSet<&str> {
        self.columns.iter().filter_map(|column| column.name.split('.').next()).collect()
    }
}

fn starts(name: &str, element: &str) -> bool {
    name.strip_prefix(element).is_some_and(|rest| rest.starts_with('.'))
}

/// Whether `name` fits `pattern`, in which `*` stands for any letters. Takes at most |pattern|·|name| steps.
fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    // The last star met and where in the name its run of letters ends so far.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, end)) = star {
            star = Some((at, end + 1));
            p = at + 1;
            n = end + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Results {
        let names = ["t", "crank.x", "crank.y", "crank.B.x", "rod.x", "O.angle", "O.angle.rate", "residual"];
        let columns = names.iter().map(|name| Column::new(*name, "1", vec![0.0])).collect();
        Results { columns, notes: Vec::new() }
    }

    fn names(patterns: &[&str]) -> Vec<String> {
        table().select(patterns).unwrap().columns.into_iter().map(|column| column.name).collect()
    }

    #[test]
    fn names_globs_and_elements() {
        assert_eq!(names(&[]), ["t"]);
        assert_eq!(names(&["rod.x", "t", "crank.x"]), ["t", "rod.x", "crank.x"]);
        assert_eq!(names(&["crank"]), ["t", "crank.x", "crank.y", "crank.B.x"]);
        assert_eq!(names(&["crank.B"]), ["t", "crank.B.x"]);
        assert_eq!(names(&["O.angle"]), ["t", "O.angle"]);
        assert_eq!(names(&["O"]), ["t", "O.angle", "O.angle.rate"]);
        assert_eq!(names(&["*.x", "crank.*"]), ["t", "crank.x", "crank.B.x", "rod.x", "crank.y"]);
        assert_eq!(names(&["*"]).len(), 8);
    }

    #[test]
    fn unknown_names_come_with_advice() {
        let advice = |pattern: &str| table().select(&[pattern]).unwrap_err().to_string();
        assert!(advice("crnak").contains("did you mean 'crank'?"));
        assert!(advice("crnak.x").contains("did you mean 'crank.x'?"));
        assert!(advice("crank.q").contains("allowed: crank.x, crank.y, crank.B.x"));
        assert!(advice("*.zz").contains("no signal fits '*.zz'"));
        assert!(table().select(&[""]).is_err());
    }

    #[test]
    fn globs_end_where_they_should() {
        assert!(glob("a*b*c", "aXbYbZc") && glob("**", "") && glob("*c", "abcc"));
        assert!(!glob("a*b*c", "aXbYcZ") && !glob("*.x", "crank.xx") && !glob("a", "") && !glob("a*", "ba"));
    }
}
