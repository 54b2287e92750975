//! Load types that models may name: those of the library, and those that programs bring.

use super::{LoadKind, LOADS};
use crate::error::Result;
use biela_base::registry::Added;

static ADDED: Added<dyn LoadKind> = Added::new();

/// Makes a load type known by its keyword: to model texts, help, documents, statics and dynamics. A keyword that is taken is refused.
pub fn register(load: &'static dyn LoadKind) -> Result<()> {
    let word = load.keyword();
    ADDED.add(load, LOADS.iter().copied(), |other| other.keyword() == word, format!("a load type '{word}'"))
}

/// Every load type, in the order help lists them.
pub fn all() -> Vec<&'static dyn LoadKind> {
    ADDED.after(LOADS.iter().copied())
}

/// The load type of that keyword.
pub fn kind(keyword: &str) -> Option<&'static dyn LoadKind> {
    all().into_iter().find(|k| k.keyword() == keyword)
}
