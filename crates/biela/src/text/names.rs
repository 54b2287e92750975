//! Signal names must be told apart: no two elements may give a column of the same name.

use crate::couplings::Coupling;
use crate::drivers::{Driver, Target};
use crate::error::{Error, Result};
use crate::joints::Joint;
use crate::model::Body;
use crate::source::Span;
use std::collections::HashMap;

/// Refuses models in which two signals would coincide.
///
/// Bodies give `x … alz` and `<point>.x …`, joints their coordinates and reactions, drivers and couplings `effort`. Only
/// elements of one name can coincide, and only in those leaves that both have.
pub(super) fn check(bodies: &[Body], joints: &[Joint], couplings: &[Coupling], drivers: &[Driver]) -> Result<()> {
    let mut seen: HashMap<String, (String, Option<Span>)> = HashMap::new();
    let mut claim = |signal: String, element: String, span: Option<&Span>| match seen.get(&signal) {
        Some((other, place)) => {
            let error = Error::new(format!("its signal '{signal}' would have the same name as one of {other}"));
            let error = error.of(element).at_opt(span).note("give one of the two another name");
            Err(match place {
                Some(place) => error.note(format!("{other} stands at {}", place.place())),
                None => error,
            })
        }
        None => {
            seen.insert(signal, (element, span.cloned()));
            Ok(())
        }
    };
    // Of all leaves of bodies and joints only x and y are shared, by planar joints.
    for body in bodies {
        for leaf in ["x", "y"] {
            claim(format!("{}.{leaf}", body.name), format!("body '{}'", body.name), body.span.as_ref())?;
        }
    }
    for joint in joints {
        for coordinate in joint.kind.coordinates() {
            claim(
                format!("{}.{}", joint.name, coordinate.name),
                format!("joint '{}'", joint.name),
                joint.span.as_ref(),
            )?;
        }
    }
    for coupling in couplings {
        let element = format!("coupling '{}'", coupling.name);
        claim(format!("{}.effort", coupling.name), element, coupling.span.as_ref())?;
    }
    for driver in drivers {
        let leaf = match driver.target {
            // Orientation drivers give effort.x and so on.
            Target::Orientation { .. } => "effort.x",
            _ => "effort",
        };
        claim(format!("{}.{leaf}", driver.name), format!("driver '{}'", driver.name), driver.span.as_ref())?;
    }
    Ok(())
}
