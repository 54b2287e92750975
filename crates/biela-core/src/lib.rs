//! Mechanisms in motion: coordinates, and the solvers that a run spends its time in.
//!
//! ```text
//! Model ──► System (a formulation of it) ──► solvers ──► Results
//! ```
//! Each module uses only those before it: `system`, `tree`, `solve`. Mechanisms as data are the crate `biela-model`, whose modules stand
//! here under their names; what is asked beyond a motion is `biela-analysis`; texts and pictures are crates above this one.

pub mod solve;
pub mod system;
pub mod tree;

// The crates below, by the names that modules here give them.
use biela_base::{error, signal_name};
use biela_math as math;
pub use biela_model::{
    blueprint, couplings, drivers, expr, joints, linkage, loads, model, motion, plan, signal, synthesis,
};
use biela_results as results;
