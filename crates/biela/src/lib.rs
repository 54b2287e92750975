//! Kinematics of rigid-body mechanisms.

pub mod error;
pub mod math;
pub mod results;
pub mod source;

pub use error::{Error, Result};
