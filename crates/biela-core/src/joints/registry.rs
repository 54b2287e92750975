//! Joint types that models may name: those of the library, and those that programs bring.

use super::{JointKind, JOINTS};
use crate::error::{Error, Result};
use std::sync::{PoisonError, RwLock};

/// What programs have registered, in that order.
static REGISTERED: RwLock<Vec<&'static dyn JointKind>> = RwLock::new(Vec::new());

/// Makes a joint type known by its keyword: to model texts, help, documents, pictures, suggestions and every solver. A keyword that is
/// taken is refused.
pub fn register(joint: &'static dyn JointKind) -> Result<()> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let word = joint.keyword();
    if JOINTS.iter().chain(registered.iter()).any(|other| other.keyword() == word) {
        return Err(Error::new(format!("there is a joint type '{word}' already")));
    }
    registered.push(joint);
    Ok(())
}

/// Every joint type, in the order help lists them.
pub fn all() -> Vec<&'static dyn JointKind> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    JOINTS.iter().chain(registered.iter()).copied().collect()
}

/// The joint type of that keyword.
pub fn kind(keyword: &str) -> Option<&'static dyn JointKind> {
    JOINTS
        .iter()
        .copied()
        .find(|k| k.keyword() == keyword)
        .or_else(|| all().into_iter().find(|k| k.keyword() == keyword))
}
