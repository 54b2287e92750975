//! Mechanisms as data: what there is, what moves it, and what is asked.
//!
//! ```text
//! Blueprint ── values of parameters ──► Model ──► its Signals
//! ```
//! Each module uses only those before it: `expr`, `motion`, `joints`, `couplings`, `drivers`, `loads`, `model`, `blueprint`, `linkage`,
//! `signal`, `plan`, `synthesis`. Coordinates and solvers are in `biela-core`, texts in `biela-text`.

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
pub mod synthesis;

// The crates below, by the names that modules here give them.
use biela_base::{display_units, error, signal_name, source, units};
use biela_math as math;
use biela_results as results;
