//! A part reflected in a plane through the ground's origin: S = diag(±1), with −1 at the coordinate that changes its sign.
//!
//! A body at (p, R) becomes one at (S p, S R S), with its own points at S q: places and directions of the drawing and of every body
//! frame are multiplied by S. S R S turns by the same angle about S a the other way round, so that the component of a rotation along
//! the normal keeps its sign and the two others change theirs. Slides are what they were; angles and the lead of a screw change sign.

use super::super::parameters::Parameters;
use super::super::tree::{Entry, Node, Table, Value};
use super::super::values::{describe, wrong};
use super::super::vectors::named_axis;
use biela_base::error::{Error, Result};
use biela_core::expr::Expression;
use biela_core::joints::{self, CoordinateName, JointKind};

/// The coordinate that changes its sign.
#[derive(Clone, Copy)]
pub(super) struct Mirror {
    axis: usize,
}

const NAMES: [&str; 3] = ["x", "y", "z"];

impl Mirror {
    /// `mirror = "x"`.
    pub fn read(node: &Node) -> Result<Mirror> {
        let axis = match &node.value {
            Value::Text(name) => NAMES.iter().position(|axis| axis == name),
            _ => None,
        };
        axis.map(|axis| Mirror { axis }).ok_or_else(|| {
            wrong(node, format!("'mirror' is the coordinate that changes its sign, not {}", describe(node)))
                .note("one of \"x\", \"y\", \"z\": mirror = \"x\" makes left of right")
        })
    }

    /// Reflects an element of a section.
    pub fn apply(&self, section: &str, node: &mut Node, parameters: &Parameters) -> Result<()> {
        const ADVICE: &str =
            "a mirrored part has bodies, joints, springs, forces and signals; write what drives or couples it beside the part, with its elements' names";
        let place = node.span.clone();
        let Value::Table(table) = &mut node.value else { return Ok(()) };
        match section {
            "bodies" => self.body(table),
            "joints" => self.joint(table, parameters),
            "forces" => self.force(table, parameters),
            "run" => Ok(()),
            _ => Err(Error::new(format!("{section} cannot be mirrored")).at_opt(place.as_ref()).note(ADVICE)),
        }
    }

    fn body(&self, body: &mut Table) -> Result<()> {
        for Entry { key, node, .. } in &mut body.entries {
            match (key.as_str(), &mut node.value) {
                ("points", Value::Table(points)) => points.entries.iter_mut().for_each(|p| self.vector(&mut p.node)),
                ("com", _) => self.vector(node),
                ("pose", Value::Table(pose)) => self.pose(pose),
                // Products of inertia with the coordinate that changes its sign.
                ("inertia", Value::List(list)) if list.len() == 6 => {
                    for (k, pair) in [[0, 1], [0, 2], [1, 2]].iter().enumerate() {
                        if pair.contains(&self.axis) {
                            negate(&mut list[3 + k]);
                        }
                    }
                }
                ("shape", Value::Table(shape)) => self.shape(shape)?,
                ("shape", Value::List(list)) => {
                    for shape in list {
                        if let Value::Table(shape) = &mut shape.value {
                            self.shape(shape)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `at`, and a rotation in any of its forms.
    fn pose(&self, pose: &mut Table) {
        for Entry { key, node, .. } in &mut pose.entries {
            match (key.as_str(), &mut node.value) {
                ("at", _) | ("axis", Value::List(_)) => self.vector(node),
                ("axis", Value::Text(_)) => self.direction(node),
                ("angle", _) => negate(node),
                ("rpy", Value::List(list)) => {
                    list.iter_mut().enumerate().filter(|(k, _)| *k != self.axis).for_each(|(_, angle)| negate(angle));
                }
                ("euler", Value::List(list)) => {
                    let others = list.iter_mut().enumerate().skip(1).filter(|(k, _)| *k != self.axis + 1);
                    others.for_each(|(_, e)| negate(e));
                }
                _ => {}
            }
        }
    }

    fn shape(&self, shape: &mut Table) -> Result<()> {
        let word = |shape: &Table| match shape.get("type").map(|n| &n.value) {
            Some(Value::Text(word)) => word.clone(),
            _ => String::new(),
        };
        match word(shape).as_str() {
            "mesh" => {
                let place = shape.entry("type").and_then(|e| e.key_span.as_ref());
                return Err(Error::new("a mesh cannot be mirrored")
                    .at_opt(place)
                    .note("write this body beside the part"));
            }
            // It reaches from the origin along x; reflected in x it reaches the other way.
            "rod" if self.axis == 0 => {
                let half = |node: Option<&Node>| match node.map(|n| &n.value) {
                    Some(Value::Text(text)) => Node::from(format!("180 deg - ({text})")),
                    Some(Value::Number(x)) => Node::from(std::f64::consts::PI - x),
                    Some(Value::Integer(n)) => Node::from(std::f64::consts::PI - *n as f64),
                    _ => Node::from("180 deg"),
                };
                if let Some(Entry { node, .. }) = shape.entries.iter_mut().find(|e| e.key == "at") {
                    self.vector(node);
                }
                if let Some(angle) = shape.get("angle") {
                    let angle = half(Some(angle));
                    shape.set("angle", angle);
                    return Ok(());
                }
                let zero = || Node::new(Value::Integer(0));
                let [_, pitch, yaw] = match shape.get("rpy").map(|n| &n.value) {
                    Some(Value::List(list)) if list.len() == 3 => [list[0].clone(), list[1].clone(), list[2].clone()],
                    _ => [zero(), zero(), zero()],
                };
                shape.set("rpy", vec![zero(), pitch, half(Some(&yaw))]);
                return Ok(());
            }
            _ => {}
        }
        self.pose(shape);
        Ok(())
    }

    fn joint(&self, joint: &mut Table, parameters: &Parameters) -> Result<()> {
        let word =
            joint.get("type").and_then(|n| if let Value::Text(word) = &n.value { Some(word.as_str()) } else { None });
        let kind = word.and_then(joints::kind);
        if let (Some(entry), None, Some(_)) = (joint.entry("type"), kind, word.and_then(biela_core::couplings::kind)) {
            let error = Error::new("a coupling cannot be mirrored").at_opt(entry.node.span.as_ref());
            return Err(
                error.note("write it beside the part, with its elements' names: angles of a mirrored part change sign")
            );
        }
        for Entry { key, node, .. } in &mut joint.entries {
            match (key.as_str(), &mut node.value) {
                ("at", _) => self.place(node, parameters),
                ("axis" | "axis2" | "x" | "a" | "along", _) => self.directions(node),
                ("pitch", _) => negate(node),
                ("limits", Value::Table(limits)) => mirror_limits(limits, kind),
                ("limits", Value::List(list)) => list.iter_mut().for_each(|node| {
                    if let Value::Table(limits) = &mut node.value {
                        mirror_limits(limits, kind);
                    }
                }),
                _ => {}
            }
        }
        Ok(())
    }

    fn force(&self, force: &mut Table, parameters: &Parameters) -> Result<()> {
        if let Some(entry) = force.entry("joint") {
            return Err(Error::new("a load along a joint coordinate cannot be mirrored")
                .at_opt(entry.key_span.as_ref())
                .note("write it beside the part, with its joint's name: angles of a mirrored part change sign"));
        }
        for Entry { key, node, .. } in &mut force.entries {
            match (key.as_str(), &node.value) {
                ("at", _) => self.place(node, parameters),
                ("value", Value::List(_)) => self.vector(node),
                ("value", _) => negate(node),
                _ => {}
            }
        }
        // Torques are axial: what was reflected as a vector is turned round.
        if matches!(force.get("type").map(|n| &n.value), Some(Value::Text(word)) if word == "torque") {
            if let Some(Entry { node: Node { value: Value::List(list), .. }, .. }) =
                force.entries.iter_mut().find(|e| e.key == "value")
            {
                list.iter_mut().for_each(negate);
            }
        }
        Ok(())
    }

    /// `at`: one place, or one for each body.
    fn place(&self, node: &mut Node, parameters: &Parameters) {
        let Value::List(list) = &mut node.value else { return };
        let is_number = |n: &Node| match &n.value {
            Value::Text(text) => Expression::parse(text, parameters).is_ok(),
            Value::Integer(_) | Value::Number(_) => true,
            _ => false,
        };
        match list.iter().all(is_number) {
            true => self.vector(node),
            false => list.iter_mut().for_each(|place| self.vector(place)),
        }
    }

    /// One direction, or one for each body.
    fn directions(&self, node: &mut Node) {
        let pair = |n: &Node| {
            matches!(&n.value, Value::List(_)) || matches!(&n.value, Value::Text(t) if named_axis(t).is_some())
        };
        match &mut node.value {
            Value::List(list) if list.len() == 2 && list.iter().all(pair) => {
                list.iter_mut().for_each(|d| self.direction(d))
            }
            _ => self.direction(node),
        }
    }

    /// A vector, or an axis by its name.
    fn direction(&self, node: &mut Node) {
        match &node.value {
            Value::Text(name) => {
                let letter = name.trim().trim_start_matches(['-', '+']).to_lowercase();
                if letter == NAMES[self.axis] {
                    let opposite = if name.trim().starts_with('-') { letter } else { format!("-{letter}") };
                    node.value = Value::Text(opposite);
                }
            }
            _ => self.vector(node),
        }
    }

    /// A list of components.
    fn vector(&self, node: &mut Node) {
        if let Value::List(list) = &mut node.value {
            list.get_mut(self.axis).into_iter().for_each(negate);
        }
    }
}

/// Changes the sign of a number or an expression.
fn negate(node: &mut Node) {
    match &mut node.value {
        Value::Integer(n) => *n = n.saturating_neg(),
        Value::Number(x) => *x = -*x,
        Value::Text(text) => *text = format!("-({text})"),
        _ => {}
    }
}

/// Limits of an angle change their signs, and so their places.
fn mirror_limits(limits: &mut Table, kind: Option<&'static dyn JointKind>) {
    let word = match limits.get("coordinate").map(|node| &node.value) {
        Some(Value::Text(word)) => Some(word.clone()),
        _ => None,
    };
    let of = |c: &&CoordinateName| word.as_ref().is_none_or(|word| c.name == word);
    if !kind.is_some_and(|kind| kind.coordinates().iter().find(of).is_some_and(|c| c.angle)) {
        return;
    }
    for entry in &mut limits.entries {
        let other = match entry.key.as_str() {
            "lower" => "upper",
            "upper" => "lower",
            _ => continue,
        };
        negate(&mut entry.node);
        entry.key = other.into();
    }
}
