//! Formulations that a run may ask for: those of the library, and those that programs bring.

use super::{FormulationType, FORMULATIONS, VARIANTS};
use crate::error::Result;
use biela_base::registry::Added;

static ADDED: Added<FormulationType> = Added::new();

/// Makes a formulation known by its keyword: to help, `[run]`, documents and every solver. A keyword that is taken is refused.
pub fn register(formulation: &'static FormulationType) -> Result<()> {
    let word = formulation.keyword;
    let own = FORMULATIONS.iter().chain(VARIANTS);
    ADDED.add(formulation, own, |other| other.keyword == word, format!("a formulation '{word}'"))
}

/// All formulations, the principal ones first.
pub fn formulations() -> impl Iterator<Item = &'static FormulationType> {
    ADDED.after(FORMULATIONS.iter().chain(VARIANTS)).into_iter()
}
