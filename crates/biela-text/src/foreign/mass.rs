//! What a body weighs, as other programs say it: taken as it stands, and told where no body is so.

use super::Told;
use crate::nodes::{numbers, vector};
use crate::tree::Table;
use biela_base::error::{Error, Result};
use biela_math::{Inertia, Vec3};

/// Sets mass, centre and inertia of a body. `about` makes an error that names it.
pub(crate) fn set_mass(
    body: &mut Table,
    (mass, com, inertia): (f64, Vec3, Inertia),
    told: &mut Told,
    about: impl Fn(&str) -> Error,
) -> Result<()> {
    if mass < 0.0 {
        return Err(about("the mass is negative"));
    }
    body.set("mass", mass);
    body.set("com", vector(com));
    body.set("inertia", numbers(inertia.entries()));
    let [a, b, c] = inertia.principal_moments();
    // As readers of model files judge it: digits are lost where inertias are written down.
    const ROUNDING: f64 = 1e-9;
    if a.min(b).min(c) < 0.0 || 2.0 * a.max(b).max(c) > (a + b + c) * (1.0 + ROUNDING) {
        told.doubt(about("no body has this inertia"), "read as it stands")?;
        body.set("unphysical", true);
    }
    Ok(())
}
