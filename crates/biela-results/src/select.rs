//! Choosing columns: exact names, `*` globs, and a bare element name for all its columns.

use super::{Column, Results};
use biela_base::error::{nearest, Error, Result};
use biela_base::quick_hash::QuickMap;
use biela_base::signal_name::{self, is_of};
use std::collections::BTreeSet;

impl Results {
    /// The columns that the patterns name, in the order of the patterns, each once; `t` first and always kept.
    ///
    /// `crank.x` is that signal, `crank` every signal of the crank, `crank.*` and `*.x` are globs.
    pub fn select(&self, patterns: &[&str]) -> Result<Results> {
        let columns = matching(&self.names(), patterns)?.into_iter().map(|k| self.columns[k].clone()).collect();
        Ok(Results { columns, notes: self.notes.clone(), ended: self.ended.clone() })
    }

    /// Columns by their numbers, `t` first and always kept: as many as `most` beside it, and how many there are beyond.
    pub fn first_of(&self, columns: &[usize], most: usize) -> (Results, usize) {
        let is_time = |k: &usize| self.columns[*k].name == signal_name::TIME;
        let time = (0..self.columns.len()).find(is_time);
        let signals = || columns.iter().copied().filter(|k| !is_time(k));
        let shown = time.into_iter().chain(signals().take(most)).map(|k| self.columns[k].clone());
        let results = Results { columns: shown.collect(), notes: self.notes.clone(), ended: self.ended.clone() };
        (results, signals().count().saturating_sub(most))
    }

    /// The columns that one pattern names, in the order of the table.
    pub fn find_all(&self, pattern: &str) -> Result<Vec<&Column>> {
        let names = self.names();
        Ok(fitting(&names, pattern, &places(&names))?.into_iter().map(|k| &self.columns[k]).collect())
    }

    /// Number of the column of each name.
    pub fn places(&self) -> QuickMap<&str, usize> {
        places(&self.names())
    }

    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }
}

/// Places of the names that patterns name, as [`Results::select`] chooses columns: of a run that is still to come.
pub fn matching(names: &[&str], patterns: &[&str]) -> Result<Vec<usize>> {
    let mut chosen: Vec<usize> = names.iter().position(|name| *name == signal_name::TIME).into_iter().collect();
    let mut taken = vec![false; names.len()];
    for &k in &chosen {
        taken[k] = true;
    }
    let places = places(names);
    for pattern in patterns {
        for k in fitting(names, pattern.trim(), &places)? {
            if !std::mem::replace(&mut taken[k], true) {
                chosen.push(k);
            }
        }
    }
    Ok(chosen)
}

fn places<'n>(names: &[&'n str]) -> QuickMap<&'n str, usize> {
    names.iter().enumerate().map(|(k, name)| (*name, k)).collect()
}

/// Places of the names that one pattern names, in their order.
fn fitting(names: &[&str], pattern: &str, places: &QuickMap<&str, usize>) -> Result<Vec<usize>> {
    if let Some(k) = places.get(pattern) {
        return Ok(vec![*k]);
    }
    let is_glob = pattern.contains('*');
    let fits = |name: &str| if is_glob { glob(pattern, name) } else { is_of(name, pattern) };
    let found: Vec<usize> = names.iter().enumerate().filter(|(_, name)| fits(name)).map(|(k, _)| k).collect();
    if found.is_empty() || pattern.is_empty() {
        Err(unknown(names, pattern))
    } else {
        Ok(found)
    }
}

/// The error for a name that no column bears, with what may have been meant.
fn unknown(names: &[&str], name: &str) -> Error {
    // What stands before the first dot of each name, each once.
    let elements: BTreeSet<&str> = names.iter().map(|name| signal_name::first(name)).collect();
    if name.contains('*') {
        let error = Error::new(format!("no signal fits '{name}'"));
        return error.note("a '*' stands for any letters, dots included").suggest(name, elements);
    }
    let error = Error::new(format!("no signal '{name}'"));
    if let Some((element, _)) = signal_name::split(name) {
        let own: Vec<&str> = names.iter().copied().filter(|other| is_of(other, element)).collect();
        if !own.is_empty() {
            return error.suggest(name, own);
        }
        if let Some(near) = nearest(name, names) {
            return error.note(format!("did you mean '{near}'?"));
        }
    }
    error.suggest(name, elements)
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
        Results { columns, ..Results::default() }
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
