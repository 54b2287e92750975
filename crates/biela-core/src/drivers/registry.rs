//! Driver types that models may use: those of the library, and those that programs bring.

use super::{DriverKind, DRIVERS};
use crate::error::{Error, Result};
use std::sync::{PoisonError, RwLock};

/// What programs have registered, in that order.
static REGISTERED: RwLock<Vec<&'static dyn DriverKind>> = RwLock::new(Vec::new());

/// Makes a driver type known by its first key: to model texts, help, documents and every solver. A key that is taken is refused.
pub fn register(driver: &'static dyn DriverKind) -> Result<()> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let key = driver.key();
    if DRIVERS.iter().chain(registered.iter()).any(|other| other.key() == key) {
        return Err(Error::new(format!("there is a driver with the key '{key}' already")));
    }
    registered.push(driver);
    Ok(())
}

/// Every driver type, in the order help lists them.
pub fn all() -> Vec<&'static dyn DriverKind> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    DRIVERS.iter().chain(registered.iter()).copied().collect()
}
