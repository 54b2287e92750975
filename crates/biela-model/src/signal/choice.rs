//! Columns that are asked for: what else a run would tell is not computed.

use super::derived::with_advice;
use super::Signals;
use crate::error::Result;
use crate::model::{Model, Study};
use crate::results::{matching, Column, Results};
use std::sync::Arc;

/// A choice among the columns of a run.
#[derive(Debug, Clone)]
pub struct Choice {
    patterns: Vec<String>,
    /// Places of the columns, in the order of the patterns; `None` where the run itself says which there are.
    places: Option<Vec<usize>>,
    /// Columns that are filled besides and not taken.
    besides: Vec<usize>,
    /// Number of columns of a full run, and of all with those on request.
    columns: (usize, usize),
    /// Names of signals on request, where the run itself says which columns there are.
    on_request: Vec<String>,
}

impl Choice {
    /// The columns that patterns name, as [`chosen`] reads them; all those of a full run where there is no pattern.
    ///
    /// # Errors
    /// Where a pattern names none, as far as that is known before the run.
    pub fn new(model: &Model, patterns: &[&str]) -> Result<Choice> {
        let signals = Signals::of(model);
        let columns = (signals.len(), signals.all().len());
        // Names are looked at where some are asked for, or where the run says which there are.
        let named = if signals.complete && patterns.is_empty() { &[] } else { signals.all() };
        let names: Vec<String> = named.iter().map(|s| s.name(model)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let places = match (signals.complete, patterns) {
            (true, []) => Some((0..signals.len()).collect()),
            (true, _) => {
                let advise = |e| patterns.iter().fold(e, |e, pattern| with_advice(e, model, pattern));
                Some(chosen(&names, signals.len(), patterns).map_err(advise)?)
            }
            (false, _) => None,
        };
        let patterns = patterns.iter().map(|p| p.to_string()).collect();
        let on_request = match places {
            Some(_) => Vec::new(),
            None => names[signals.len()..].iter().map(|name| name.to_string()).collect(),
        };
        Ok(Choice { patterns, places, besides: Vec::new(), columns, on_request })
    }

    /// Has these columns filled as well, for what is made of them. Places count those of a full run, then those on request.
    pub fn fill(&mut self, places: impl IntoIterator<Item = usize>) {
        self.besides.extend(places);
    }

    /// A study in which these columns alone are filled.
    pub fn narrowed(&self, study: &Study) -> Study {
        let (told, all) = self.columns;
        if self.patterns.is_empty() && self.besides.iter().all(|k| *k < told) && self.places.is_some() {
            return study.clone();
        }
        let Some(places) = &self.places else {
            // Columns that only the run itself can tell are chosen from every one that there is.
            return match self.besides.is_empty() && self.patterns.is_empty() {
                true => study.clone(),
                false => Study { every: true, ..study.clone() },
            };
        };
        let every = places.iter().chain(&self.besides).any(|k| *k >= told);
        let mut filled = vec![false; if every { all } else { told }];
        places.iter().chain(&self.besides).for_each(|k| filled[*k] = true);
        Study { filled: Some(Arc::from(filled)), every, ..study.clone() }
    }

    /// These columns of what the run has found.
    ///
    /// # Errors
    /// Where a pattern names none of the columns that only the run itself could tell.
    pub fn take(&self, mut found: Results) -> Result<Results> {
        let places = match &self.places {
            Some(places) => places.clone(),
            None => {
                let told = found.columns.iter().take_while(|c| !self.on_request.contains(&c.name)).count();
                let names: Vec<&str> = found.columns.iter().map(|c| c.name.as_str()).collect();
                let patterns: Vec<&str> = self.patterns.iter().map(String::as_str).collect();
                match patterns.is_empty() {
                    true => (0..told).collect(),
                    false => chosen(&names, told, &patterns)?,
                }
            }
        };
        let mut all: Vec<Option<Column>> = std::mem::take(&mut found.columns).into_iter().map(Some).collect();
        found.columns = places.iter().filter_map(|k| all.get_mut(*k)?.take()).collect();
        Ok(found)
    }
}

/// Places of the columns that patterns name, as [`Results::select`] reads them. A pattern chooses among the first `told` columns, those of a full
/// run; where it fits none of them, among signals on request, which stand behind.
///
/// # Errors
/// Where a pattern names none.
pub fn chosen(names: &[&str], told: usize, patterns: &[&str]) -> Result<Vec<usize>> {
    if let Ok(places) = matching(&names[..told], patterns) {
        return Ok(places);
    }
    let mut places = Vec::new();
    let mut taken = vec![false; names.len()];
    for pattern in patterns {
        let found = matching(&names[..told], &[pattern]).or_else(|_| matching(names, &[pattern]))?;
        places.extend(found.into_iter().filter(|k| !std::mem::replace(&mut taken[*k], true)));
    }
    Ok(places)
}
