//! Formulations that a run may ask for: those of the library, and those that programs bring.

use super::{FormulationType, AUTO, FORMULATIONS, VARIANTS};
use crate::error::{Error, Result};
use biela_base::registry::Added;

static ADDED: Added<FormulationType> = Added::new();

/// Makes a formulation known by its keyword: to help, `[run]`, documents and every solver. A keyword that is taken is refused.
pub fn register(formulation: &'static FormulationType) -> Result<()> {
    let word = formulation.keyword;
    if word == AUTO {
        return Err(Error::new(format!("there is a formulation '{word}' already")));
    }
    let own = FORMULATIONS.iter().chain(VARIANTS);
    ADDED.add(formulation, own, |other| other.keyword == word, format!("a formulation '{word}'"))
}

/// All formulations, the principal ones first.
pub fn formulations() -> impl Iterator<Item = &'static FormulationType> {
    ADDED.after(FORMULATIONS.iter().chain(VARIANTS)).into_iter()
}

/// The words after `--formulation`: that which leaves the choice to a rule, then all keywords.
pub fn formulation_words() -> impl Iterator<Item = &'static str> {
    std::iter::once(AUTO).chain(formulations().map(|f| f.keyword))
}
