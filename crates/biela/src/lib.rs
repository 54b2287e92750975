//! Kinematics of rigid-body mechanisms.

pub mod error;
pub mod math;
pub mod source;

pub use error::{Error, Result};
