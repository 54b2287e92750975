//! Kinematics of rigid-body mechanisms.

pub mod error;
pub mod math;
pub mod source;
pub mod text;

pub use error::{Error, Result};
