//! Kinematics of rigid-body mechanisms.

pub mod couplings;
pub mod drivers;
pub mod error;
pub mod expr;
pub mod math;
pub mod motion;
pub mod source;
pub mod units;

pub use error::{Error, Result};
