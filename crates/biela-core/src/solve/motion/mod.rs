//! A driven motion in time.
//!
//! ```text
//! driver_fault · excursion ──► stepper ──► continuation ──► crossing ──► failure ─┐
//!                                 └──────► outputs ───────────────────────────────┴──► follow
//! ```

mod continuation;
mod crossing;
mod driver_fault;
mod excursion;
mod failure;
mod follow;
mod outputs;
mod stepper;

pub use crossing::Met;
pub(crate) use driver_fault::check_drivers;
pub use follow::Follower;
pub use outputs::{Outputs, Still};
pub use stepper::Stepper;
