//! `[contacts]`: bodies whose shapes may touch.

use super::bodies::Bodies;
use super::joints::Joints;
use super::reader::{check_name, section, Reader};
use super::tree::{Entry, Node, Value};
use super::values::{describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::{ContactPlan, Varying};
use biela_core::joints::{Freedom, Impact, Joint};
use biela_core::loads::Load;
use biela_core::model::Contact;

/// Contacts, what they were made of, and the loads of those that give way.
pub(super) struct Read {
    pub contacts: Vec<Contact>,
    pub plans: Vec<Varying<ContactPlan>>,
    pub loads: Vec<Load>,
}

pub(super) const KEYS: &[&str] =
    &["bodies", "except", "friction", "restitution", "impact", "stiffness", "damping", "slip"];
/// The word for all bodies with shapes.
const ALL: &str = "all";
/// Pairs of bodies in one contact at most.
const MOST: usize = 1_000_000;

/// Reads `[contacts]`.
pub(super) fn read(root: &Reader, bodies: &Bodies, joints: &Joints) -> Result<Read> {
    let mut read = Read { contacts: Vec::new(), plans: Vec::new(), loads: Vec::new() };
    for (k, entry) in section(root, "contacts", "[contacts.floor]")?.iter().enumerate() {
        check_name("contact", entry)?;
        let plan = read_contact(root, entry, bodies, joints)?;
        let binding = &root.context.binding;
        let (space, mut load) = (root.context.space, None);
        let plan = ContactPlan { space, ..plan };
        let contact = root.context.make(plan, &mut read.plans, |plan| {
            let contact = plan.build(binding, &bodies.list)?;
            load = plan.load(k, &contact);
            Ok(contact)
        })?;
        read.contacts.push(contact);
        read.loads.extend(load);
    }
    Ok(read)
}

fn read_contact(root: &Reader, entry: &Entry, bodies: &Bodies, joints: &Joints) -> Result<ContactPlan> {
    let reader = Reader::of_entry(root.context, format!("contact '{}'", entry.key), entry)?;
    reader.allow(KEYS)?;
    let pairs = match reader.get("bodies").map(|node| &node.value) {
        Some(Value::Text(word)) if word == ALL => read_all(&reader, bodies, joints)?,
        _ => vec![read_pair(&reader, bodies, joints)?],
    };
    if let Some(key) = ["restitution", "impact"].into_iter().find(|key| reader.has("stiffness") && reader.has(key)) {
        let message = format!("'{key}' is for rigid contacts, and 'stiffness' makes this one give way");
        let error = reader.wrong_value(key, message);
        return Err(error.note("keep one of them; with 'stiffness' it is 'damping' that takes energy out"));
    }
    if let Some(key) = ["damping", "slip"].into_iter().find(|key| reader.has(key) && !reader.has("stiffness")) {
        let error = reader.wrong_value(key, format!("'{key}' needs 'stiffness' beside it"));
        return Err(error.note("a contact without stiffness is rigid: it has 'restitution' and 'friction' alone"));
    }
    Ok(ContactPlan {
        name: entry.key.clone(),
        bodies: pairs,
        friction: reader.quantity("friction", Dimension::NUMBER)?,
        restitution: reader.quantity("restitution", Dimension::NUMBER)?,
        impact: reader.choice("impact", &Impact::WORDS)?.and_then(Impact::named).unwrap_or_default(),
        stiffness: reader.quantity("stiffness", Dimension::STIFFNESS)?,
        damping: reader.quantity("damping", Dimension::DAMPING)?,
        slip: reader.quantity("slip", Dimension::VELOCITY)?,
        place: reader.place(),
        ..ContactPlan::default()
    })
}

/// `bodies = ["a", "b"]`.
fn read_pair(reader: &Reader, bodies: &Bodies, joints: &Joints) -> Result<[usize; 2]> {
    const FORM: &str = "such as bodies = [\"ground\", \"ball\"], or bodies = \"all\"";
    let node = reader.required("bodies", FORM)?;
    let two = match &node.value {
        Value::List(list) => match list.as_slice() {
            [a, b] => Some([a, b]),
            _ => None,
        },
        _ => None,
    };
    let Some([a, b]) = two else {
        let message = format!("'bodies' is a pair of bodies or \"{ALL}\", not {}", describe(node));
        return Err(reader.blame(wrong(node, message)).note(FORM));
    };
    if reader.has("except") {
        let message = format!("'except' goes with bodies = \"{ALL}\"; this contact has two bodies");
        return Err(reader.wrong_value("except", message).note("leave it out"));
    }
    let pair = [bodies.named(reader, "bodies", a)?, bodies.named(reader, "bodies", b)?];
    if pair[0] == pair[1] {
        let message = format!("a body cannot touch itself: both are '{}'", bodies.list[pair[0]].name);
        return Err(reader.blame(wrong(b, message)).note("name two different bodies"));
    }
    for (k, node) in pair.iter().zip([a, b]) {
        let body = &bodies.list[*k];
        if body.shapes.is_empty() {
            let form = reader
                .context
                .form("{ type = \"sphere\", radius = \"50 mm\" }", "{ type = \"circle\", radius = \"50 mm\" }");
            let message = format!("body '{}' has no shape that could touch", body.name);
            return Err(reader
                .blame(wrong(node, message))
                .note(format!("such as shape = {form} in [bodies.{}]", body.name)));
        }
    }
    if let Some(joint) = joined(joints, pair).find(|joint| holds_together(joint)) {
        return Err(across(reader, node, joint));
    }
    Ok(pair)
}

/// Joints of two bodies that hold something.
fn joined(joints: &Joints, pair: [usize; 2]) -> impl Iterator<Item = &Joint> {
    let same = move |joint: &&Joint| joint.bodies == pair || joint.bodies == [pair[1], pair[0]];
    joints.list.iter().filter(same).filter(|joint| joint.bears())
}

/// Whether a joint keeps a point of one body on a point of the other, so that they cannot come together or part.
fn holds_together(joint: &Joint) -> bool {
    let slides = |f: &Freedom| f.sliding().is_some();
    joint.kind.freedoms(joint).is_some_and(|freedoms| !freedoms.iter().any(slides))
}

fn across(reader: &Reader, node: &Node, joint: &Joint) -> Error {
    let message = format!("these bodies are held together by joint '{}', so they do not come to touch", joint.name);
    let error = reader.blame(wrong(node, message));
    let error = match &joint.span {
        Some(place) => error.note(format!("joint '{}' stands at {}", joint.name, place.place())),
        None => error,
    };
    error.note("limits = { lower, upper } of the joint stop it; or name bodies that no joint holds together")
}

/// `bodies = "all"`: every pair with shapes that no joint joins, less `except`.
fn read_all(reader: &Reader, bodies: &Bodies, joints: &Joints) -> Result<Vec<[usize; 2]>> {
    let except = read_except(reader, bodies)?;
    let shaped: Vec<usize> = (0..bodies.list.len()).filter(|k| !bodies.list[*k].shapes.is_empty()).collect();
    let mut held: Vec<[usize; 2]> = joints.list.iter().filter(|j| j.bears()).map(|j| sorted(j.bodies)).collect();
    held.extend(except);
    held.sort_unstable();
    let mut pairs = Vec::new();
    for (k, a) in shaped.iter().enumerate() {
        for b in &shaped[k + 1..] {
            if held.binary_search(&[*a, *b]).is_err() {
                pairs.push([*a, *b]);
            }
        }
        if pairs.len() > MOST {
            let message = format!("there are more than {MOST} pairs of bodies with shapes");
            return Err(reader.wrong_value("bodies", message).note("declare the pairs that may touch"));
        }
    }
    if pairs.is_empty() {
        let error = reader.wrong_value("bodies", "no two bodies with shapes can come to touch");
        return Err(error.note("bodies that a joint joins are left out; give others a shape, the ground included"));
    }
    Ok(pairs)
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// `except = [["a", "b"], …]`.
fn read_except(reader: &Reader, bodies: &Bodies) -> Result<Vec<[usize; 2]>> {
    const FORM: &str = "such as except = [[\"crank\", \"ground\"]]";
    let Some(node) = reader.get("except") else { return Ok(Vec::new()) };
    let Value::List(list) = &node.value else {
        return Err(reader
            .blame(wrong(node, format!("'except' is a list of pairs, not {}", describe(node))))
            .note(FORM));
    };
    let pair = |item: &Node| match &item.value {
        Value::List(two) if two.len() == 2 => {
            Ok(sorted([bodies.named(reader, "except", &two[0])?, bodies.named(reader, "except", &two[1])?]))
        }
        _ => Err(reader
            .blame(wrong(item, format!("a pair of bodies is expected here, not {}", describe(item))))
            .note(FORM)),
    };
    list.iter().map(pair).collect()
}
