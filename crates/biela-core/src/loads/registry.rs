//! Load types that models may name: those of the library, and those that programs bring.

use super::{LoadKind, LOADS};
use crate::error::{Error, Result};
use std::sync::{PoisonError, RwLock};

/// What programs have registered, in that order.
static REGISTERED: RwLock<Vec<&'static dyn LoadKind>> = RwLock::new(Vec::new());

/// Makes a load type known by its keyword: to model texts, help, documents, statics and dynamics. A keyword that is taken is refused.
pub fn register(load: &'static dyn LoadKind) -> Result<()> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let word = load.keyword();
    if LOADS.iter().chain(registered.iter()).any(|other| other.keyword() == word) {
        return Err(Error::new(format!("there is a load type '{word}' already")));
    }
    registered.push(load);
    Ok(())
}

/// Every load type, in the order help lists them.
pub fn all() -> Vec<&'static dyn LoadKind> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    LOADS.iter().chain(registered.iter()).copied().collect()
}

/// The load type of that keyword.
pub fn kind(keyword: &str) -> Option<&'static dyn LoadKind> {
    all().into_iter().find(|k| k.keyword() == keyword)
}
