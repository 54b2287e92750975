//! Mechanisms and their solvers.
//!
//! ```text
//! Blueprint ── values of parameters ──► Model ──► System (a formulation of it) ──► solvers ──► Results
//! ```
//! Each module uses only those before it: `expr`, `motion`, `joints`, `couplings`, `drivers`, `loads`, `model`, `blueprint`, `linkage`,
//! `signal`, `plan`, `system`, `tree`, `solve`. Texts and pictures are crates above this one.

pub mod blueprint;
pub mod couplings;
pub mod drivers;
pub mod expr;
pub mod joints;
pub mod linkage;
pub mod loads;
pub mod model;
pub mod motion;
pub mod plan;
pub mod signal;
pub mod solve;
pub mod system;
pub mod tree;

// The crates below, by the names that modules here give them.
use biela_base::{display_units, error, signal_name, source, units, Error};
use biela_math as math;
use biela_results as results;
