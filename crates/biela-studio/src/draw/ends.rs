//! What a hand has pointed at, as a place and the body that it belongs to.

use super::place::{near, place_of, to_place, Place};
use super::sketch::Sketch;
use biela::error::Result;
use biela::joints::{Joint, JointKind, Key, ACTUATOR, DISTANCE, FREE, POINT_ON_LINE, POINT_ON_PLANE, PRISMATIC, ROD};
use biela::signal_name;
use biela::text::edit::Step;
use biela::text::tree::{Node, Table, Value as Word};
use serde_json::Value;

/// One thing pointed at: `{"at": [x, y], "joint": …}`, or with `body`, or nothing but a place.
#[derive(Debug, Clone)]
pub(super) struct End {
    pub at: Place,
    pub joint: Option<String>,
    pub body: Option<String>,
}

impl End {
    pub fn read(value: &Value) -> Result<End> {
        let word = |key: &str| value[key].as_str().map(str::to_string);
        Ok(End { at: place_of(&value["at"])?, joint: word("joint"), body: word("body") })
    }

    /// The body that something new is joined to there: of a pin the ground where it has it, of a guide what slides.
    pub fn partner(&self, drawing: &Sketch) -> Result<Option<String>> {
        let Some(name) = &self.joint else { return Ok(self.body.clone()) };
        let Some(model) = &drawing.model else { return Ok(None) };
        let joint = &model.joints[drawing.joint(name)?];
        let side = usize::from(!is_pin(joint));
        Ok(Some(drawing.body_name(joint.bodies[side]).to_string()))
    }

    /// A body that moves and has this place.
    pub fn mover(&self, drawing: &Sketch) -> Result<Option<String>> {
        let Some(name) = &self.joint else { return Ok(self.body.clone().filter(|b| b != "ground")) };
        let Some(model) = &drawing.model else { return Ok(None) };
        let bodies = model.joints[drawing.joint(name)?].bodies;
        Ok(bodies.iter().find(|b| **b > 0).map(|b| drawing.body_name(*b).to_string()))
    }
}

/// Whether a joint is of a kind.
pub(super) fn is(joint: &Joint, kind: &dyn JointKind) -> bool {
    joint.kind.keyword() == kind.keyword()
}

/// Whether a joint holds two bodies together at one place, as a pin or a ball does.
pub(super) fn is_pin(joint: &Joint) -> bool {
    joint.kind.keys().contains(&Key::At) && !APART.iter().any(|kind| is(joint, *kind))
}

/// Joints whose two places go apart.
const APART: [&dyn JointKind; 7] = [PRISMATIC, POINT_ON_LINE, POINT_ON_PLANE, DISTANCE, ROD, ACTUATOR, FREE];

/// Names for pins and ends: A, B, C … then A1, B1 …; T is for points that are traced.
pub(super) fn letter(drawing: &Sketch, more: &[String]) -> String {
    let points =
        drawing.sheet.names(&["bodies"]).into_iter().flat_map(|b| drawing.sheet.names(&["bodies", &b, "points"]));
    let mut taken: Vec<String> = points.chain(drawing.sheet.names(&["joints"])).chain(more.iter().cloned()).collect();
    taken.extend(drawing.sheet.names(&["parameters"]));
    let all = (0..).flat_map(|round: usize| {
        ('A'..='Z').filter(|c| *c != 'T').map(move |c| if round == 0 { c.to_string() } else { format!("{c}{round}") })
    });
    all.into_iter().find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Whether a name is one that drawing gives to an end of its own accord.
fn is_letter(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase() && c != 'T') && chars.all(|c| c.is_ascii_digit())
}

/// `stem`, `stem2`, `stem3` … or with a number from the first on, whichever is free in all sections: names of elements stand side by side in signals.
pub(super) fn fresh(drawing: &Sketch, stem: &str, counted: bool) -> String {
    let sections = ["bodies", "joints", "couplings", "drivers", "forces", "contacts", "parameters", "signals"];
    let taken: Vec<String> = sections.iter().flat_map(|s| drawing.sheet.names(&[s])).collect();
    let name = |k: usize| if k == 1 && !counted { stem.to_string() } else { format!("{stem}{k}") };
    (1..).map(name).find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Whether anything in the text speaks of a body's point.
fn spoken_of(drawing: &Sketch, body: &str, point: &str) -> bool {
    let whole = signal_name::join(body, point);
    fn says(node: &Node, test: &dyn Fn(&str) -> bool) -> bool {
        match &node.value {
            Word::Text(words) => test(words),
            Word::List(list) => list.iter().any(|n| says(n, test)),
            Word::Table(table) => table.entries.iter().any(|e| says(&e.node, test)),
            _ => false,
        }
    }
    let elements = drawing.sheet.tree().entries.iter().filter(|e| e.key != "bodies");
    let named = |node: &Node| says(node, &|w| w == body) && says(node, &|w| w == point);
    elements.into_iter().any(|section| match &section.node.value {
        Word::Table(table) => table.entries.iter().any(|e| says(&e.node, &|w| w.contains(&whole)) || named(&e.node)),
        _ => says(&section.node, &|w| w.contains(&whole)),
    })
}

/// An end becomes a pin: the pin takes the name of the point there, and the point goes where it was nothing but an end.
pub(super) fn take_point(drawing: &mut Sketch, body: &str, at: Place) -> Result<Option<String>> {
    let k = drawing.body(body)?;
    let (pose, size) = (drawing.pose(k), drawing.size());
    let points = drawing.model.as_ref().map_or(&[][..], |m| &m.bodies[k].points);
    let found = points.iter().find(|(name, p)| is_letter(name) && near(to_place(pose.apply(*p)), at, size));
    let Some(name) = found.map(|(name, _)| name.clone()) else { return Ok(None) };
    if !spoken_of(drawing, body, &name) {
        drawing.sheet.remove(&["bodies", body, "points", &name])?;
    }
    let taken = drawing.sheet.get(&["joints", &name]).is_some();
    Ok(Some(name).filter(|_| !taken))
}

/// A place in a body's own frame, as it is written.
pub(super) fn in_body(drawing: &Sketch, body: &str, at: Place) -> Result<Node> {
    let pose = drawing.pose(drawing.body(body)?);
    let own = pose.apply_inverse(at.into());
    Ok(drawing.place(to_place(own)))
}

/// Adds a named point to a body.
pub(super) fn add_point(drawing: &mut Sketch, body: &str, name: &str, at: Place) -> Result<()> {
    let place = in_body(drawing, body, at)?;
    drawing.sheet.set(&["bodies", body, "points", name], &place)
}

/// Adds a joint of two bodies at a place.
pub(super) fn add_joint(
    drawing: &mut Sketch,
    name: &str,
    kind: &dyn JointKind,
    bodies: [&str; 2],
    more: Vec<(&str, Node)>,
) -> Result<()> {
    let mut joint = Table::default();
    joint.set("type", kind.keyword());
    joint.set("bodies", vec![bodies[0], bodies[1]]);
    more.into_iter().for_each(|(key, node)| joint.set(key, node));
    drawing.sheet.add("joints", name, joint)
}

/// The path of an element's list.
pub(super) fn item<'a>(path: &[&'a str], k: usize) -> Vec<Step<'a>> {
    path.iter().map(|key| Step::Key(key)).chain([Step::Item(k)]).collect()
}
