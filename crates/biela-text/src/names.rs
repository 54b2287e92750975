//! Signal names must be told apart: no two elements may give a column of the same name.

use biela_base::error::{Error, Result};
use biela_base::signal_name::{effort, join, local};
use biela_base::source::Span;
use biela_core::couplings::Coupling;
use biela_core::drivers::Driver;
use biela_core::joints::Joint;
use biela_core::model::{Body, Space};
use biela_core::signal::{bearers, borne_name, coordinate_leaves, effort_leaves, COMPONENTS, HEADING};
use std::collections::HashMap;

/// Refuses models in which two signals would coincide.
///
/// Names alone may repeat: a revolute joint may be called like a body, because they share no signal.
pub(super) fn check(
    space: Space,
    bodies: &[Body],
    joints: &[Joint],
    couplings: &[Coupling],
    drivers: &[Driver],
) -> Result<()> {
    let mut seen = Seen::default();
    for body in bodies {
        // Bodies and points share all their leaves or none, so one stands for x … alz; planar joints have x and y.
        let element = ("body", body.name.as_str(), body.span.as_ref());
        seen.claim(join(&body.name, "x"), element)?;
        seen.claim(join(&body.name, "y"), element)?;
        if space.is_planar() {
            // Which revolute joints have too.
            seen.claim(join(&body.name, HEADING), element)?;
        }
        for (point, _) in &body.points {
            seen.claim(join(&join(&body.name, point), "x"), element)?;
        }
    }
    for joint in joints {
        let element = ("joint", joint.name.as_str(), joint.span.as_ref());
        for coordinate in joint.kind.coordinates() {
            for leaf in coordinate_leaves(coordinate) {
                seen.claim(join(&join(&joint.name, coordinate.name), leaf.word), element)?;
            }
        }
        seen.claim(join(&joint.name, COMPONENTS[0]), element)?;
        seen.claim(join(&local(&joint.name), COMPONENTS[0]), element)?;
    }
    for coupling in couplings {
        let element = ("coupling", coupling.name.as_str(), coupling.span.as_ref());
        seen.claim(effort(&coupling.name), element)?;
    }
    for driver in drivers {
        let element = ("driver", driver.name.as_str(), driver.span.as_ref());
        if driver.effort.is_empty() {
            seen.claim(join(&driver.name, effort_leaves(driver, joints)[0].word), element)?;
        }
    }
    for (joint, coordinate) in bearers(drivers) {
        let joint = &joints[joint];
        seen.claim(effort(&borne_name(joint, coordinate)), ("joint", joint.name.as_str(), joint.span.as_ref()))?;
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
