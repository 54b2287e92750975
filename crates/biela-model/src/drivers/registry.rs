//! Driver types that models may use: those of the library, and those that programs bring.

use super::{DriverKind, DRIVERS};
use crate::error::Result;
use biela_base::registry::Added;

static ADDED: Added<dyn DriverKind> = Added::new();

/// Makes a driver type known by its first key: to model texts, help, documents and every solver. A key that is taken is refused.
pub fn register(driver: &'static dyn DriverKind) -> Result<()> {
    let key = driver.key();
    ADDED.add(driver, DRIVERS.iter().copied(), |other| other.key() == key, format!("a driver with the key '{key}'"))
}

/// Every driver type, in the order help lists them.
pub fn all() -> Vec<&'static dyn DriverKind> {
    ADDED.after(DRIVERS.iter().copied())
}
