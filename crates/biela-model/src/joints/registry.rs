//! Joint types that models may name: those of the library, and those that programs bring.

use super::{JointKind, JOINTS};
use crate::error::Result;
use biela_base::registry::Added;

static ADDED: Added<dyn JointKind> = Added::new();

/// Makes a joint type known by its keyword: to model texts, help, documents, pictures, suggestions and every solver. A keyword that is
/// taken is refused.
pub fn register(joint: &'static dyn JointKind) -> Result<()> {
    let word = joint.keyword();
    ADDED.add(joint, JOINTS.iter().copied(), |other| other.keyword() == word, format!("a joint type '{word}'"))
}

/// Every joint type, in the order help lists them.
pub fn all() -> Vec<&'static dyn JointKind> {
    ADDED.after(JOINTS.iter().copied())
}

/// The joint type of that keyword.
pub fn kind(keyword: &str) -> Option<&'static dyn JointKind> {
    JOINTS
        .iter()
        .copied()
        .find(|k| k.keyword() == keyword)
        .or_else(|| all().into_iter().find(|k| k.keyword() == keyword))
}
