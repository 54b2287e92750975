//! What every crate of biela shares: texts from outside with places in them, the one [`Error`], the grammar of
//! signal names, units, and what programs add to registries.

pub mod display_units;
pub mod error;
pub mod failure;
pub mod joined;
pub mod quick_hash;
pub mod reason;
pub mod registry;
pub mod signal_name;
pub mod sorting;
pub mod source;
pub mod unit_product;
pub mod units;

pub use error::{Error, Result};
