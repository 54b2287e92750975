//! Signal names must be told apart: no two elements may give a column of the same name.

use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_core::couplings::Coupling;
use biela_core::drivers::{Driver, Target};
use biela_core::joints::Joint;
use biela_core::model::Body;
use std::collections::HashMap;

/// Refuses models in which two signals would coincide.
///
/// Names alone may repeat: a revolute joint may be called like a body, because they share no signal.
pub(super) fn check(bodies: &[Body], joints: &[Joint], couplings: &[Coupling], drivers: &[Driver]) -> Result<()> {
    let mut seen = Seen::default();
    for body in bodies {
        // Bodies and points share all their leaves or none, so one stands for x … alz; planar joints have x and y.
        let element = ("body", body.name.as_str(), body.span.as_ref());
        seen.claim(format!("{}.x", body.name), element)?;
        seen.claim(format!("{}.y", body.name), element)?;
        for (point, _) in &body.points {
            seen.claim(format!("{}.{point}.x", body.name), element)?;
        }
    }
    for joint in joints {
        let element = ("joint", joint.name.as_str(), joint.span.as_ref());
        for coordinate in joint.kind.coordinates() {
            for leaf in ["", ".rate", ".accel"] {
                seen.claim(format!("{}.{}{leaf}", joint.name, coordinate.name), element)?;
            }
        }
        seen.claim(format!("{}.fx", joint.name), element)?;
        seen.claim(format!("{}.local.fx", joint.name), element)?;
    }
    for coupling in couplings {
        let element = ("coupling", coupling.name.as_str(), coupling.span.as_ref());
        seen.claim(format!("{}.effort", coupling.name), element)?;
    }
    for driver in drivers {
        let element = ("driver", driver.name.as_str(), driver.span.as_ref());
        match driver.target {
            Target::Orientation { .. } => seen.claim(format!("{}.effort.x", driver.name), element)?,
            _ => seen.claim(format!("{}.effort", driver.name), element)?,
        }
    }
    Ok(())
}

/// What an element is, its name, its place.
type Element<'a> = (&'static str, &'a str, Option<&'a Span>);

/// Signals and whose they are.
#[derive(Default)]
struct Seen<'a>(HashMap<String, Element<'a>>);

impl<'a> Seen<'a> {
    fn claim(&mut self, signal: String, element: Element<'a>) -> Result<()> {
        let (what, name, span) = element;
        let Some((other, other_name, place)) = self.0.get(&signal) else {
            self.0.insert(signal, element);
            return Ok(());
        };
        let message = format!("its signal '{signal}' would have the same name as one of {other} '{other_name}'");
        let error = Error::new(message).of(format!("{what} '{name}'")).at_opt(span);
        let error = error.note("give one of the two another name");
        Err(match place {
            Some(place) => error.note(format!("{other} '{other_name}' stands at {}", place.place())),
            None => error,
        })
    }
}
