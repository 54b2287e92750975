//! Readers and writers of model texts.

mod columns;
pub mod dh;
pub mod imported;
mod nodes;
pub mod thesis;
pub mod tree;
pub mod urdf;

pub use imported::Imported;
