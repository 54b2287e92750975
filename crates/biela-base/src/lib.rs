//! What every crate of biela shares: texts from outside with places in them, the one [`Error`], the grammar of
//! signal names, units.

pub mod error;
pub mod signal_name;
pub mod source;
pub mod units;

pub use error::{Error, Result};
