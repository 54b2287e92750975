//! Kinematics of rigid-body mechanisms.

pub mod couplings;
pub mod drivers;
pub mod error;
pub mod expr;
pub mod joints;
pub mod math;
pub mod model;
pub mod motion;
pub mod source;
pub mod text;

pub use error::{Error, Result};
