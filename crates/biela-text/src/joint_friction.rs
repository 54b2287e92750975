//! `friction = { … }` of a joint: which keys go with its type and with each other.

use super::reader::Reader;
use biela_base::error::{Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::FrictionPlan;
use biela_core::joints::{self, JointKind, Rubbing, FRICTION};

/// Every key, in the order messages list them.
pub(super) const KEYS: [&str; 8] =
    ["coefficient", "static", "radius", "collar", "length", "torque", "stribeck", "viscous"];

/// Reads it, where it is given.
pub(super) fn read(joint: &Reader, kind: &dyn JointKind) -> Result<Option<FrictionPlan>> {
    let Some(reader) = joint.inner(FRICTION, "friction.")? else { return Ok(None) };
    let Some(rubbing) = kind.rubbing() else {
        let takes = joints::all().into_iter().filter(|k| k.rubbing().is_some()).map(|k| k.keyword());
        let message = format!("a {} joint takes no 'friction': there is no one way in which it slides", kind.keyword());
        return Err(joint
            .wrong_value(FRICTION, message)
            .note(format!("joints that do: {}", takes.collect::<Vec<_>>().join(", ")))
            .note("put such joints in its place, one for each freedom that rubs"));
    };
    reader.allow(&KEYS)?;
    refuse(&reader, kind, rubbing)?;
    let angle = kind.coordinates().first().is_some_and(|c| c.angle);
    let [effort, rate, damping] = match angle {
        true => [Dimension::TORQUE, Dimension::ANGULAR_VELOCITY, Dimension::ROTATIONAL_DAMPING],
        false => [Dimension::FORCE, Dimension::VELOCITY, Dimension::DAMPING],
    };
    let at_rest = if reader.has("coefficient") { Dimension::NUMBER } else { effort };
    Ok(Some(FrictionPlan {
        coefficient: reader.quantity("coefficient", Dimension::NUMBER)?,
        at_rest: reader.quantity("static", at_rest)?,
        radius: reader.quantity("radius", Dimension::LENGTH)?,
        collar: reader.quantity("collar", Dimension::LENGTH)?,
        length: reader.quantity("length", Dimension::LENGTH)?,
        torque: reader.quantity("torque", effort)?,
        stribeck: reader.quantity("stribeck", rate)?,
        viscous: reader.quantity("viscous", damping)?,
        place: reader.place(),
    }))
}

/// Keys that the type cannot use, or that mean nothing beside or without others.
fn refuse(reader: &Reader, kind: &dyn JointKind, rubbing: Rubbing) -> Result<()> {
    let has = |key: &str| reader.has(key);
    let useless =
        |key: &str, why: String, advice: &str| -> Result<()> { Err(reader.wrong_value(key, why).note(advice)) };
    let word = kind.keyword();
    let thrust = matches!(rubbing, Rubbing::Pin | Rubbing::Thread);
    let turns = thrust || rubbing == Rubbing::Sleeve;
    let long = matches!(rubbing, Rubbing::Pin | Rubbing::Sleeve | Rubbing::Guide);
    for (key, takes, what) in [
        ("radius", turns, "does not turn"),
        ("collar", thrust, "bears no thrust on a collar"),
        ("length", long, "bears no moment across an axis"),
    ] {
        if has(key) && !takes {
            let why = format!("'friction.{key}' has no use in a {word} joint, which {what}");
            return useless(key, why, "leave it out");
        }
        if has(key) && !has("coefficient") {
            let why = format!("'friction.{key}' has no use without 'coefficient'");
            return useless(key, why, "give the coefficient of friction, or 'torque' alone");
        }
    }
    if has("collar") && reader.context.is_planar() {
        let why = "'friction.collar' has no use in a planar model, in which nothing thrusts along an axis".to_string();
        return useless("collar", why, "leave it out");
    }
    if has("coefficient") && rubbing == Rubbing::Seal {
        let why = format!("nothing presses a {word}: it has no reaction that a coefficient could multiply");
        return useless("coefficient", why, "give 'torque': the force that its seals resist with");
    }
    if has("coefficient") && !has("radius") && (rubbing == Rubbing::Thread || (turns && !has("collar"))) {
        let what = if rubbing == Rubbing::Thread { "the mean radius of the thread" } else { "the radius of the pin" };
        return Err(reader.missing("radius", &format!("{what}, such as radius = \"10 mm\"")));
    }
    if has("static") && !has("coefficient") && !has("torque") {
        let why = "'friction.static' is that of 'coefficient' or of 'torque', and neither is given".to_string();
        return useless("static", why, "give the coefficient, or the torque, while it slides");
    }
    if has("stribeck") && !has("static") {
        let why = "'friction.stribeck' has no use without 'static', from which friction falls".to_string();
        return useless("stribeck", why, "give 'static', or leave 'stribeck' out");
    }
    if ["coefficient", "torque", "viscous"].into_iter().any(has) {
        return Ok(());
    }
    Err(empty(reader))
}

fn empty(reader: &Reader) -> Error {
    reader
        .error("the friction is not given")
        .note("give 'coefficient' (with 'radius' where it turns), 'torque', 'viscous', or several of them")
}
