//! The branch of a motion, or assembly mode: what tells it from the others that close the same loops.

mod determinant;
pub mod dyads;
mod identity;

pub use determinant::ChosenRows;
pub use identity::Identity;
