//! Columns that are asked for: what else a run would tell is not computed.

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
    columns: usize,
}

impl Choice {
    /// The columns that patterns name, as [`Results::select`] reads them; all of them where there is no pattern.
    ///
    /// # Errors
    /// Where a pattern names none, as far as that is known before the run.
    pub fn new(model: &Model, patterns: &[&str]) -> Result<Choice> {
        let signals = Signals::of(model);
        let names = signals.names(model);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let places = match signals.complete && !patterns.is_empty() {
            true => Some(matching(&names, patterns)?),
            false => None,
        };
        Ok(Choice { patterns: patterns.iter().map(|p| p.to_string()).collect(), places, columns: names.len() })
    }

    /// A study in which these columns alone are filled.
    pub fn narrowed(&self, study: &Study) -> Study {
        let Some(places) = &self.places else { return study.clone() };
        let mut filled = vec![false; self.columns];
        places.iter().for_each(|k| filled[*k] = true);
        Study { filled: Some(Arc::from(filled)), ..study.clone() }
    }

    /// These columns of what the run has found.
    ///
    /// # Errors
    /// Where a pattern names none of the columns that only the run itself could tell.
    pub fn take(&self, mut found: Results) -> Result<Results> {
        let Some(places) = &self.places else {
            let patterns: Vec<&str> = self.patterns.iter().map(String::as_str).collect();
            return if patterns.is_empty() { Ok(found) } else { found.select(&patterns) };
        };
        let mut all: Vec<Option<Column>> = std::mem::take(&mut found.columns).into_iter().map(Some).collect();
        found.columns = places.iter().filter_map(|k| all.get_mut(*k)?.take()).collect();
        Ok(found)
    }
}
