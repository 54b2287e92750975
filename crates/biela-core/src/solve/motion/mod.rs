//! A driven motion in time.
//!
//! ```text
//! driver_fault · excursion ──► stepper ──► continuation ──► crossing ──► failure ─┐
//!                                 ├──────► lead ─────────────────────────────┘    │
//!                                 ├──────► outputs ───────────────────────────────┴──► follow
//!                                 └──────► abreast
//! ```

mod abreast;
mod continuation;
mod crossing;
mod driver_fault;
mod excursion;
mod failure;
mod follow;
mod lead;
mod limit_watch;
mod outputs;
mod stepper;

pub use abreast::Abreast;
pub use crossing::Met;
pub use driver_fault::check_drivers;
pub use driver_fault::law_of;
pub(in crate::solve) use excursion::is_even;
pub use follow::Follower;
pub use lead::led;
pub use lead::{ended_in_words, value_at, value_in_words, LIMIT, SINGULAR};
pub use limit_watch::{LimitWatch, AT_LIMIT};
pub use outputs::{Outputs, Still};
pub use stepper::Stepper;
pub(in crate::solve) use stepper::{
    lookback, spun, Moment, Past, CORRECTION, DISAGREEMENT, DOUBTFUL, FREE_CORRECTION, FREE_DISAGREEMENT, LARGEST_STEP,
};
