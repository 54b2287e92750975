//! What a body weighs, as other programs say it: taken as it stands, and told where no body is so.

use super::Told;
use crate::nodes::{numbers, vector};
use crate::tree::Table;
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_core::blueprint::unphysical;
use biela_math::{Inertia, Vec3};

/// Sets mass, centre and inertia of a body. `element` names it in what is told.
pub(crate) fn set_mass(
    body: &mut Table,
    (mass, com, inertia): (f64, Vec3, Inertia),
    told: &mut Told,
    (element, span): (&str, &Span),
) -> Result<()> {
    if mass < 0.0 {
        return Err(Error::new(format!("a mass cannot be negative, found {mass}")).of(element).at(span));
    }
    body.set("mass", mass);
    body.set("com", vector(com));
    body.set("inertia", numbers(inertia.entries()));
    if keeps_doubtful(told, (mass, inertia), element, span, span)? {
        body.set("unphysical", true);
    }
    Ok(())
}

/// Tells a mass and an inertia that no body has; whether they are such, and kept as they stand.
pub(crate) fn keeps_doubtful(
    told: &mut Told,
    (mass, inertia): (f64, Inertia),
    element: &str,
    mass_span: &Span,
    inertia_span: &Span,
) -> Result<bool> {
    let weightless = mass == 0.0 && inertia != Inertia::ZERO;
    if weightless {
        let error = Error::new("the mass is 0, and there is an inertia").at(mass_span).of(element);
        let error = error.note("leave out <inertial> for a link without mass");
        told.doubt(error, "both are kept as they stand")?;
    }
    let wrong = unphysical(inertia);
    if let Some(error) = &wrong {
        told.doubt(error.clone().at(inertia_span).of(element), "kept as it stands")?;
    }
    Ok(weightless || wrong.is_some())
}
