//! Signal names must be told apart: no two elements may give a column of the same name.

use biela_base::error::{Error, Result};
use biela_base::quick_hash::Folding;
use biela_base::signal_name::{effort, join, local};
use biela_base::source::Span;
use biela_core::couplings::Coupling;
use biela_core::drivers::Driver;
use biela_core::joints::Joint;
use biela_core::model::{Body, Contact, Space};
use biela_core::signal::{bearers, borne_name, coordinate_leaves, effort_leaves, COMPONENTS, GAP, HEADING};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

/// Refuses models in which two signals would coincide.
///
/// Names alone may repeat: a revolute joint may be called like a body, because they share no signal.
pub(super) fn check(space: Space, bodies: &[Body], joints: &[Joint], others: Others) -> Result<()> {
    let claims = |claim: &mut dyn FnMut(String, Element)| each(space, bodies, joints, others, claim);
    // Where no two names have the same hash no two are the same: of a large model the names would fill a tenth of the memory.
    let hash = Folding::default();
    let mut hashes: HashSet<u64, Folding> = HashSet::default();
    let mut alike = false;
    claims(&mut |signal, _| alike |= !hashes.insert(hash.hash_one(&signal)));
    if !alike {
        return Ok(());
    }
    let mut seen: HashMap<String, (&str, String, Option<Span>)> = HashMap::new();
    let mut fault = None;
    claims(&mut |signal, (what, name, span)| {
        let Some((other, other_name, place)) = seen.get(&signal) else {
            seen.insert(signal, (what, name.to_string(), span.cloned()));
            return;
        };
        let message = format!("its signal '{signal}' would have the same name as one of {other} '{other_name}'");
        let error = Error::new(message).of(format!("{what} '{name}'")).at_opt(span);
        let error = error.note("give one of the two another name");
        let error = match place {
            Some(place) => error.note(format!("{other} '{other_name}' stands at {}", place.place())),
            None => error,
        };
        fault.get_or_insert(error);
    });
    fault.map_or(Ok(()), Err)
}

/// Tells every signal that stands for those of its element.
fn each(
    space: Space,
    bodies: &[Body],
    joints: &[Joint],
    (couplings, drivers, contacts): Others,
    claim: &mut dyn FnMut(String, Element),
) {
    for body in bodies {
        // Bodies and points share all their leaves or none, so one stands for x … alz; planar joints have x and y.
        let element = ("body", body.name.as_str(), body.span.as_ref());
        claim(join(&body.name, "x"), element);
        claim(join(&body.name, "y"), element);
        if space.is_planar() {
            // Which revolute joints have too.
            claim(join(&body.name, HEADING), element);
        }
        for (point, _) in &body.points {
            claim(join(&join(&body.name, point), "x"), element);
        }
    }
    for joint in joints {
        let element = ("joint", joint.name.as_str(), joint.span.as_ref());
        for coordinate in joint.kind.coordinates() {
            for leaf in coordinate_leaves(coordinate) {
                claim(join(&join(&joint.name, coordinate.name), leaf.word), element);
            }
        }
        claim(join(&joint.name, COMPONENTS[0]), element);
        claim(join(&local(&joint.name), COMPONENTS[0]), element);
    }
    for coupling in couplings {
        let element = ("coupling", coupling.name.as_str(), coupling.span.as_ref());
        claim(effort(&coupling.name), element);
    }
    for driver in drivers {
        let element = ("driver", driver.name.as_str(), driver.span.as_ref());
        if driver.effort.is_empty() {
            claim(join(&driver.name, effort_leaves(driver, joints)[0].word), element);
        }
    }
    for contact in contacts {
        claim(join(&contact.name, GAP), ("contact", contact.name.as_str(), contact.span.as_ref()));
    }
    for (joint, coordinate) in bearers(drivers) {
        let joint = &joints[joint];
        claim(effort(&borne_name(joint, coordinate)), ("joint", joint.name.as_str(), joint.span.as_ref()));
    }
}

/// Couplings, drivers and contacts.
type Others<'a> = (&'a [Coupling], &'a [Driver], &'a [Contact]);

/// What an element is, its name, its place.
type Element<'a> = (&'static str, &'a str, Option<&'a Span>);
