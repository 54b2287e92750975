//! What is added to a drawing by hand.

use super::ends::{add_joint, add_point, fresh, in_body, is, letter, take_point, End};
use super::fastening::Fastening;
use super::place::{apart, length, place_of};
use super::sketch::{number, tidy, Sketch};
use biela::error::{Error, Result};
use biela::joints::{ACTUATOR, PRISMATIC, REVOLUTE};
use biela::loads::SPRING;
use biela::signal_name;
use biela::text::tree::{Node, Table};
use serde_json::Value;

type Made = Vec<[String; 2]>;

/// Newtons of a force that is drawn.
const FORCE: f64 = 10.0;
/// Newtons a metre of a spring that is drawn.
const STIFFNESS: f64 = 1000.0;
/// Part of its length by which an actuator that is drawn goes out and in.
const STROKE: f64 = 0.1;

fn ends_of(asked: &Value) -> Result<Vec<End>> {
    asked["ends"].as_array().ok_or_else(|| Error::new("there are no ends"))?.iter().map(End::read).collect()
}

fn end_of(asked: &Value) -> Result<End> {
    End::read(&asked["end"])
}

fn told(made: &mut Made, section: &str, name: &str) {
    made.push([section.to_string(), name.to_string()]);
}

/// Joins a body to what an end is on, by a pin; tells the pin's name.
fn hold(drawing: &mut Sketch, body: &str, end: &End, by: &Fastening, made: &mut Made) -> Result<String> {
    let partner = end.partner(drawing)?.unwrap_or_else(|| "ground".into());
    let own = take_point(drawing, &partner, end.at)?;
    let name = own.unwrap_or_else(|| letter(drawing, &[]));
    by.join(drawing, &name, [&partner, body], end.at)?;
    told(made, "joints", &name);
    Ok(name)
}

/// A link by its ends: two, or more for a plate. Each is joined to what it is on.
pub(super) fn link(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let ends = ends_of(asked)?;
    let by = Fastening::read(drawing, asked)?;
    let far = ends.iter().map(|e| apart(e.at, ends[0].at)).fold(0.0, f64::max);
    if ends.len() < 2 || far <= 0.0 {
        return Err(Error::new("a link has two ends at two places"));
    }
    let name = fresh(drawing, "link", true);
    // Of both ends on one body the link would be a part.
    let partners = ends.iter().map(|e| e.partner(drawing)).collect::<Result<Vec<_>>>()?;
    drawing.sheet.add("bodies", &name, Table::default())?;
    drawing.again()?;
    for (end, partner) in ends.iter().zip(&partners) {
        if partner.is_some() {
            hold(drawing, &name, end, &by, made)?;
        } else {
            let point = letter(drawing, &[]);
            add_point(drawing, &name, &point, end.at)?;
        }
        drawing.again()?;
    }
    told(made, "bodies", &name);
    Ok(())
}

/// A pin between two bodies, or a hole in one.
pub(super) fn pin(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let end = end_of(asked)?;
    let bodies: Vec<&str> = asked["bodies"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    match bodies[..] {
        [first, second, ..] => {
            let own = take_point(drawing, first, end.at)?;
            drawing.again()?;
            let other = take_point(drawing, second, end.at)?;
            let name = own.or(other).unwrap_or_else(|| letter(drawing, &[]));
            Fastening::read(drawing, asked)?.join(drawing, &name, [first, second], end.at)?;
            told(made, "joints", &name);
            Ok(())
        }
        [body] => {
            let name = letter(drawing, &[]);
            told(made, "points", &signal_name::join(body, &name));
            add_point(drawing, body, &name, end.at)
        }
        [] => Err(Error::new("a pin goes through a link; draw links first")),
    }
}

/// A pivot on the ground.
pub(super) fn ground(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let end = end_of(asked)?;
    if let (Some(name), Some(model)) = (&end.joint, &drawing.model) {
        if model.joints[drawing.joint(name)?].bodies.contains(&0) {
            return Err(Error::new(format!("'{name}' is on the ground already")));
        }
    }
    let body = end.mover(drawing)?.ok_or_else(|| Error::new("the ground holds a link: point at one, or at its end"))?;
    let own = take_point(drawing, &body, end.at)?;
    let name = own.unwrap_or_else(|| letter(drawing, &[]));
    Fastening::read(drawing, asked)?.join(drawing, &name, ["ground", &body], end.at)?;
    told(made, "joints", &name);
    Ok(())
}

/// A block that slides along a line of the ground or of another link, with a pin to what is there.
pub(super) fn slider(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let end = end_of(asked)?;
    let axis = place_of(&asked["axis"]).unwrap_or([1.0, 0.0, 0.0]);
    if length(axis) <= 0.0 {
        return Err(Error::new("a slider needs a direction"));
    }
    let along = asked["along"].as_str().unwrap_or("ground").to_string();
    let (block, guide) = (fresh(drawing, "slider", true), fresh(drawing, "guide", true));
    // A pivot on the ground becomes the pin of the block.
    let pivot = match (&end.joint, &drawing.model) {
        (Some(name), Some(model)) => {
            let joint = &model.joints[drawing.joint(name)?];
            (joint.bodies[0] == 0 && along == "ground" && is(joint, REVOLUTE)).then(|| name.clone())
        }
        _ => None,
    };
    let mover = end.mover(drawing)?.ok_or_else(|| Error::new("a slider carries the end of a link: point at one"))?;
    drawing.sheet.add("bodies", &block, Table::default())?;
    match &pivot {
        Some(name) => drawing.sheet.set(&["joints", name, "bodies"], &vec![block.as_str(), mover.as_str()].into())?,
        None => {
            drawing.again()?;
            let own = take_point(drawing, &mover, end.at)?;
            let name = own.unwrap_or_else(|| letter(drawing, &[]));
            Fastening::read(drawing, asked)?.join(drawing, &name, [&mover, &block], end.at)?;
            told(made, "joints", &name);
        }
    }
    let place = drawing.place(end.at);
    let direction = drawing.direction(axis);
    add_joint(drawing, &guide, PRISMATIC, [&along, &block], vec![("at", place), ("axis", direction)])?;
    told(made, "joints", &guide);
    Ok(())
}

/// What moves a joint. An end that nothing holds becomes a pivot on the ground.
pub(super) fn motor(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let mut end = end_of(asked)?;
    if end.joint.is_none() {
        ground(drawing, asked, made)?;
        drawing.again()?;
        end.joint = made.last().map(|m| m[1].clone());
    }
    let joint = end.joint.unwrap_or_default();
    for driver in drawing.sheet.names(&["drivers"]) {
        let same = |n: &Node| matches!(&n.value, biela::text::tree::Value::Text(w) if *w == joint);
        if drawing.sheet.get(&["drivers", &driver, "joint"]).is_some_and(same) {
            return Err(Error::new(format!("'{joint}' has a motor already: '{driver}'")));
        }
    }
    let k = drawing.joint(&joint)?;
    let Some(kind) = drawing.model.as_ref().map(|m| m.joints[k].kind) else { return Ok(()) };
    // Of several coordinates the first is driven.
    let Some(first) = kind.coordinates().first() else {
        let keyword = kind.keyword();
        return Err(Error::new(format!("a motor turns a pin or pushes a slider; '{joint}' is a {keyword}")));
    };
    let value = if first.angle {
        "60 rpm * t".to_string()
    } else if kind.keyword() == ACTUATOR.keyword() {
        stroke(drawing, k)
    } else {
        format!("{} * sin(2*pi*t)", written(drawing, rounded(STROKE * drawing.size())))
    };
    drive(drawing, &joint, (kind.coordinates().len() > 1).then_some(first.name), &value, made)?;
    if first.angle {
        Ok(())
    } else {
        ending(drawing)
    }
}

fn drive(drawing: &mut Sketch, joint: &str, coordinate: Option<&str>, value: &str, made: &mut Made) -> Result<()> {
    let name = fresh(drawing, "motor", false);
    let mut driver = Table::default();
    driver.set("joint", joint);
    coordinate.into_iter().for_each(|name| driver.set("coordinate", name));
    driver.set("value", value);
    drawing.sheet.add("drivers", &name, driver)?;
    told(made, "drivers", &name);
    Ok(())
}

/// A run of a second, where the text names none and no turning motor tells when a turn is done.
fn ending(drawing: &mut Sketch) -> Result<()> {
    match drawing.sheet.get(&["run", "end"]) {
        Some(_) => Ok(()),
        None => drawing.sheet.set(&["run", "end"], &number(1.0)),
    }
}

/// 1, 2 or 5 times a power of ten, next below.
fn rounded(x: f64) -> f64 {
    let power = 10f64.powf(x.abs().max(f64::MIN_POSITIVE).log10().floor());
    [5.0, 2.0, 1.0].iter().map(|m| m * power).find(|m| *m <= x).unwrap_or(power)
}

fn stroke(drawing: &Sketch, k: usize) -> String {
    let [a, b] = drawing.joint_places(k);
    let length = apart(a, b);
    format!("{} + {} * sin(2*pi*t)", written(drawing, length), written(drawing, rounded(STROKE * length)))
}

/// A length within an expression.
pub(super) fn written(drawing: &Sketch, x: f64) -> String {
    let shown = tidy(drawing.length.shown(x));
    if drawing.length.unit == "m" {
        shown
    } else {
        format!("{shown} {}", drawing.length.unit)
    }
}

/// Bodies and places of something between two ends; an end on nothing is on the ground.
fn between(drawing: &Sketch, asked: &Value) -> Result<([String; 2], Node, f64)> {
    let ends = ends_of(asked)?;
    let [a, b] = &ends[..] else { return Err(Error::new("this has two ends")) };
    let body = |end: &End| Ok::<_, Error>(end.mover(drawing)?.or(end.body.clone()).unwrap_or_else(|| "ground".into()));
    // A pin belongs to two bodies: the one that the other end has not.
    let mut bodies = [body(a)?, body(b)?];
    if bodies[0] == bodies[1] {
        let other = |end: &End, own: &str| -> Option<String> {
            let model = drawing.model.as_ref()?;
            let joint = &model.joints[drawing.joint(end.joint.as_deref()?).ok()?];
            joint.bodies.iter().map(|k| drawing.body_name(*k).to_string()).find(|name| name != own)
        };
        match (other(b, &bodies[0]), other(a, &bodies[1])) {
            (Some(name), _) => bodies[1] = name,
            (_, Some(name)) => bodies[0] = name,
            _ => return Err(Error::new("both ends are on one body, where nothing can move")),
        }
    }
    let at: Node = vec![in_body(drawing, &bodies[0], a.at)?, in_body(drawing, &bodies[1], b.at)?].into();
    let length = apart(a.at, b.at);
    match length > 0.0 {
        true => Ok((bodies, at, length)),
        false => Err(Error::new("the two ends are at one place")),
    }
}

/// A cylinder or a screw jack between two places, moving.
pub(super) fn actuator(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let (bodies, at, _) = between(drawing, asked)?;
    let name = fresh(drawing, "ram", true);
    add_joint(drawing, &name, ACTUATOR, [&bodies[0], &bodies[1]], vec![("at", at)])?;
    told(made, "joints", &name);
    drawing.again()?;
    let value = stroke(drawing, drawing.joint(&name)?);
    drive(drawing, &name, None, &value, made)?;
    ending(drawing)
}

/// A spring between two places, as long as it is drawn.
pub(super) fn spring(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let (bodies, at, length) = between(drawing, asked)?;
    let name = fresh(drawing, SPRING.keyword(), true);
    let mut spring = Table::default();
    spring.set("type", SPRING.keyword());
    spring.set("bodies", vec![bodies[0].as_str(), bodies[1].as_str()]);
    spring.set("at", at);
    spring.set("stiffness", number(STIFFNESS));
    spring.set("length", drawing.length(length));
    drawing.sheet.add("forces", &name, spring)?;
    told(made, "forces", &name);
    Ok(())
}

/// Two wheels on two pivots.
pub(super) fn gears(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let joints: Vec<&str> = asked["joints"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let [first, second] = joints[..] else { return Err(Error::new("a gear pair has two pivots")) };
    if first == second {
        return Err(Error::new("a gear pair has two pivots at two places"));
    }
    for name in [first, second] {
        let k = drawing.joint(name)?;
        let joint = drawing.model.as_ref().map(|m| &m.joints[k]);
        if joint.is_none_or(|j| !is(j, REVOLUTE)) {
            return Err(Error::new(format!("a gear turns on a pin; '{name}' is none")));
        }
    }
    let teeth = asked["teeth"].as_array().cloned().unwrap_or_default();
    let count = |k: usize| teeth.get(k).and_then(Value::as_u64).unwrap_or(20) as f64;
    let name = fresh(drawing, "gears", true);
    let mut pair = Table::default();
    pair.set("type", "gear");
    pair.set("joints", vec![first, second]);
    pair.set("teeth", vec![number(count(0)), number(count(1))]);
    drawing.sheet.add("couplings", &name, pair)?;
    told(made, "couplings", &name);
    Ok(())
}

/// A point whose path is looked at.
pub(super) fn trace(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let end = end_of(asked)?;
    let body = end.mover(drawing)?.ok_or_else(|| Error::new("a point belongs to a link: point at one"))?;
    let taken: Vec<String> =
        drawing.sheet.names(&["bodies"]).iter().flat_map(|b| drawing.sheet.names(&["bodies", b, "points"])).collect();
    let names = (0..).map(|k: usize| if k == 0 { "T".to_string() } else { format!("T{k}") });
    let name = names.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
    add_point(drawing, &body, &name, end.at)?;
    told(made, "points", &signal_name::join(&body, &name));
    Ok(())
}

/// A force on a link.
pub(super) fn force(drawing: &mut Sketch, asked: &Value, made: &mut Made) -> Result<()> {
    let end = end_of(asked)?;
    let body = end.mover(drawing)?.ok_or_else(|| Error::new("a force acts on a link: point at one"))?;
    let along = place_of(&asked["along"]).unwrap_or([0.0, -1.0, 0.0]);
    let whole = length(along);
    if whole <= 0.0 {
        return Err(Error::new("a force needs a direction"));
    }
    let name = fresh(drawing, "force", true);
    let mut force = Table::default();
    force.set("type", "force");
    force.set("body", body.as_str());
    force.set("at", in_body(drawing, &body, end.at)?);
    let components = along[..drawing.dimensions].iter().map(|x| number(FORCE * x / whole));
    force.set("value", components.collect::<Vec<_>>());
    drawing.sheet.add("forces", &name, force)?;
    told(made, "forces", &name);
    Ok(())
}
