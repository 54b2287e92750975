//! Readers and writers of model texts.

pub mod tree;
