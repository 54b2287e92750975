//! Kinematics of rigid-body mechanisms.

pub mod couplings;
pub mod drivers;
pub mod error;
pub mod expr;
pub mod joints;
pub mod loads;
pub mod math;
pub mod model;
pub mod motion;
pub mod results;
pub mod solve;
pub mod source;
pub mod system;
pub mod text;
pub mod units;

pub use error::{Error, Result};
