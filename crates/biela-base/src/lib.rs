//! What every crate of biela shares: texts from outside with places in them, the one [`Error`], units.

pub mod error;
pub mod source;
pub mod units;

pub use error::{Error, Result};
