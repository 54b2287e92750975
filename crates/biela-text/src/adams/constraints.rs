//! Joints, primitives and what couples them.

#![allow(non_snake_case)] // Frames are capital letters: X_WB (docs/notation.md).

use super::deck::Statement;
use super::function::{self, Expression};
use super::parts::Marker;
use super::{add, identifier, number, numbers, Joint, Writer};
use crate::nodes::{self, pair, vector};
use crate::tree::Node;
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::{Elementary, Rotation, Vec3};
use std::f64::consts::{PI, TAU};

/// Joints whose z axes are parallel: word, type here, coordinates of the turn about the axis and the slide along it.
const ALIGNED: &[(&str, &str, Option<&str>, Option<&str>)] = &[
    ("REVOLUTE", "revolute", Some("angle"), None),
    ("TRANSLATIONAL", "prismatic", None, Some("slide")),
    ("CYLINDRICAL", "cylindrical", Some("angle"), Some("slide")),
    ("SCREW", "screw", Some("angle"), None),
    ("PLANAR", "planar", Some("angle"), None),
    ("FIXED", "fixed", None, None),
    ("INLINE", "point-on-line", None, Some("slide")),
    ("INPLANE", "point-on-plane", None, None),
];

/// Primitives of directions alone: word, and the axes of J and I that stay perpendicular.
const PERPENDICULAR: &[(&str, &[(usize, usize)])] =
    &[("ORIENTATION", &[(1, 0), (2, 1), (0, 2)]), ("PARALLEL_AXES", &[(0, 2), (1, 2)]), ("PERPENDICULAR", &[(2, 2)])];

/// An element that bears a force between two markers.
pub(super) struct Reaction {
    pub name: String,
    /// The number of the JOINT, where it is one.
    pub joint: Option<i64>,
    pub i: i64,
    pub j: i64,
}

impl Writer<'_> {
    /// The two bodies of an element, J's first.
    pub fn bodies(&self, i: &Marker, j: &Marker) -> Node {
        let name = |m: &Marker| Node::from(self.parts.list[m.part].name.as_str());
        pair(name(j), name(i))
    }

    /// The two points of an element, by name where they have one.
    pub fn points(&self, i: &Marker, j: &Marker) -> Node {
        pair(vector(j.X_BM.origin), vector(i.X_BM.origin))
    }

    /// Axis `k` of both markers, that of I in the sense that agrees with J's in the drawing.
    fn agreeing(&self, i: &Marker, j: &Marker, k: usize) -> Node {
        let drawn = |m: &Marker| self.parts.drawn(m).rotation.axes[k];
        let sense = if drawn(i).dot(drawn(j)) < 0.0 { -1.0 } else { 1.0 };
        pair(vector(j.X_BM.rotation.axes[k]), vector(i.X_BM.rotation.axes[k] * sense))
    }

    pub fn constraint(&mut self, s: &Statement) -> Result<()> {
        if s.has("RACKPIN") {
            return Ok(());
        }
        let (i, j) = self.markers(s)?;
        let name = self.name(s);
        if let Some(&(_, kind, turn, slide)) = ALIGNED.iter().find(|a| s.has(a.0)) {
            let mut keys = vec![("type", kind.into()), ("bodies", self.bodies(&i, &j)), ("at", self.points(&i, &j))];
            keys.push(("axis", self.agreeing(&i, &j, 2)));
            let locks = ["prismatic", "fixed"].contains(&kind);
            let x = |m: &Marker| vector(m.X_BM.rotation.axes[0]);
            match kind {
                "point-on-plane" | "screw" => {}
                // What locks the turn holds x of I along x of J, in either sense.
                _ if locks => keys.push(("x", self.agreeing(&i, &j, 0))),
                _ => keys.push(("x", pair(x(&j), x(&i)))),
            }
            if kind == "screw" {
                let pitch = number(s, "PITCH")?.ok_or_else(|| Error::new("a screw needs PITCH"))?;
                keys.push(("pitch", Node::from(pitch * self.units.length)));
                keys.push(("zero", "drawing".into()));
            }
            add(&mut self.elements, &name, s, keys);
            self.bears(s, &name, &i, &j);
            let several = [turn, slide].iter().flatten().count() > 1 || kind == "planar";
            let joint = Joint { name, turn, slide, several, from_drawing: kind == "screw", i, j };
            self.initial_coordinates(s, &joint)?;
            if s.kind.word == "JOINT" {
                self.joints.insert(s.id, joint);
            }
            return Ok(());
        }
        if let Some((_, axes)) = PERPENDICULAR.iter().find(|p| s.has(p.0)) {
            for (n, (of_j, of_i)) in axes.iter().enumerate() {
                let name = if axes.len() == 1 {
                    name.clone()
                } else {
                    nodes::unused(&format!("{name}_{}", n + 1), &mut self.names)
                };
                self.perpendicular(&name, s, (&i, *of_i), (&j, *of_j));
            }
            return Ok(());
        }
        match ["SPHERICAL", "ATPOINT", "UNIVERSAL", "HOOKE", "CONVEL"].into_iter().find(|w| s.has(w)) {
            Some("SPHERICAL" | "ATPOINT") => {
                self.spherical(&name, s, &i, &j);
                self.bears(s, &name, &i, &j);
            }
            Some("UNIVERSAL") => self.universal(name, s, (&i, 2), (&j, 2)),
            Some("HOOKE") => self.universal(name, s, (&i, 0), (&j, 1)),
            Some("CONVEL") => self.constant_velocity(&name, s, &i, &j),
            _ => return Err(Error::new("the type of the joint is missing or not known")),
        }
        Ok(())
    }

    /// Keeps that one element bears all of the force between two markers.
    fn bears(&mut self, s: &Statement, name: &str, i: &Marker, j: &Marker) {
        let joint = Some(s.id).filter(|_| s.kind.word == "JOINT");
        self.reactions.push(Reaction { name: name.into(), joint, i: i.id, j: j.id });
    }

    fn perpendicular(&mut self, name: &str, s: &Statement, (i, of_i): (&Marker, usize), (j, of_j): (&Marker, usize)) {
        let a = pair(vector(j.X_BM.rotation.axes[of_j]), vector(i.X_BM.rotation.axes[of_i]));
        let keys = vec![("type", "perpendicular1".into()), ("bodies", self.bodies(i, j)), ("a", a)];
        add(&mut self.elements, name, s, keys);
    }

    fn spherical(&mut self, name: &str, s: &Statement, i: &Marker, j: &Marker) {
        let keys = vec![("type", "spherical".into()), ("bodies", self.bodies(i, j)), ("at", self.points(i, j))];
        add(&mut self.elements, name, s, keys);
    }

    /// A cross with one arm along an axis of J and one along an axis of I. Where the drawing does not have them perpendicular it is a point and a right
    /// angle, which offer no angles.
    fn universal(&mut self, name: String, s: &Statement, (i, of_i): (&Marker, usize), (j, of_j): (&Marker, usize)) {
        const COSINE: f64 = 1e-9;
        let drawn = [(j, of_j), (i, of_i)].map(|(m, k)| self.parts.drawn(m).rotation.axes[k]);
        if drawn[0].dot(drawn[1]).abs() < COSINE {
            let mut keys = vec![("type", "universal".into()), ("bodies", self.bodies(i, j)), ("at", self.points(i, j))];
            keys.extend([("axis", vector(drawn[0])), ("axis2", vector(drawn[1]))]);
            add(&mut self.elements, &name, s, keys);
            self.bears(s, &name, i, j);
        } else {
            self.spherical(&name, s, i, j);
            let name = nodes::unused(&format!("{name}_cross"), &mut self.names);
            self.perpendicular(&name, s, (i, of_i), (j, of_j));
        }
    }

    /// Two crosses with the same bend, which keep what turns about the one shaft in step with the other: rotations about x of J, y of the middle and x of
    /// I, the first and the last equal, are those whose axis is normal to z. The z axes point down the shafts, away from each other, so I is seen turned
    /// about by its x axis; what it is twisted against J in the drawing it stays twisted.
    fn constant_velocity(&mut self, name: &str, s: &Statement, i: &Marker, j: &Marker) {
        let X_WJ = self.parts.drawn(j);
        let mut i = i.clone();
        let seen = |i: &Marker| X_WJ.rotation.transposed() * self.parts.drawn(i).rotation;
        if seen(&i).axes[2].z < 0.0 {
            i.X_BM.rotation = i.X_BM.rotation * Rotation::about(Vec3::X, PI);
        }
        let [x, y, _] = seen(&i).axes;
        let twist = (x.y - y.x).arctangent2(x.x + y.y);
        i.X_BM.rotation = i.X_BM.rotation * Rotation::about(Vec3::Z, -twist);
        let i = &i;
        let mut middle = [String::new(), String::new()];
        for (k, body) in middle.iter_mut().enumerate() {
            *body = nodes::unused(&format!("{name}_cross_{}", k + 1), &mut self.names);
            let pose = nodes::pose(&X_WJ).unwrap_or_else(|| crate::tree::Table::default().into());
            add(&mut self.crosses, body, s, vec![("pose", pose)]);
        }
        let axis = |m: &Marker, k: usize| vector(m.X_BM.rotation.axes[k]);
        let (of_j, of_i) = (self.parts.list[j.part].name.clone(), self.parts.list[i.part].name.clone());
        let (x, y) = (vector(Vec3::X), vector(Vec3::Y));
        let origin = || vector(Vec3::ZERO);
        let turns = [
            (
                [of_j, middle[0].clone()],
                [vector(j.X_BM.origin), origin()],
                [axis(j, 0), x.clone()],
                [axis(j, 1), y.clone()],
            ),
            (middle.clone(), [origin(), origin()], [y.clone(), y.clone()], [x.clone(), x.clone()]),
            ([middle[1].clone(), of_i], [origin(), vector(i.X_BM.origin)], [x, axis(i, 0)], [y, axis(i, 1)]),
        ];
        let mut joints = Vec::new();
        for (k, (bodies, at, axis, x)) in turns.into_iter().enumerate() {
            let name =
                if k == 0 { name.to_string() } else { nodes::unused(&format!("{name}_{}", k + 1), &mut self.names) };
            let two = |[a, b]: [Node; 2]| pair(a, b);
            let bodies = pair(bodies[0].as_str().into(), bodies[1].as_str().into());
            let keys = vec![
                ("type", "revolute".into()),
                ("bodies", bodies),
                ("at", two(at)),
                ("axis", two(axis)),
                ("x", two(x)),
            ];
            add(&mut self.elements, &name, s, keys);
            joints.push(name);
        }
        let name = nodes::unused(&format!("{name}_bend"), &mut self.names);
        let both = pair(joints[0].as_str().into(), joints[2].as_str().into());
        add(&mut self.couplings, &name, s, vec![("type", "gear".into()), ("joints", both), ("ratio", Node::from(1.0))]);
    }

    /// IC, ICTRAN and ICROT: a coordinate and its rate at the start.
    fn initial_coordinates(&mut self, s: &Statement, joint: &Joint) -> Result<()> {
        let single = joint.turn.xor(joint.slide).filter(|_| !joint.several);
        for (key, coordinate) in [("IC", single), ("ICROT", joint.turn), ("ICTRAN", joint.slide)] {
            let (Some(argument), Some(coordinate)) = (s.get(key), coordinate) else { continue };
            let scale = if Some(coordinate) == joint.slide { self.units.length } else { 1.0 };
            let name = signal_name::join(&joint.name, coordinate);
            for (k, value) in numbers(argument)?.into_iter().take(2).enumerate() {
                let (name, scale) = match k {
                    0 => (name.clone(), scale),
                    _ => (signal_name::join(&name, "rate"), scale / self.units.time),
                };
                self.initial.set(name, Node::from(value * scale).at(&argument.span));
            }
        }
        Ok(())
    }

    /// A coordinate of a joint by its number: its name, its value in the drawing, and the direction of its axis there.
    fn coordinate(&self, id: i64, turn: Option<bool>) -> Result<(String, bool, f64, Joint)> {
        let joint =
            self.joints.get(&id).ok_or_else(|| Error::new(format!("there is no joint {id} with a coordinate")))?;
        let turns = turn.unwrap_or(joint.turn.is_some());
        let coordinate = if turns { joint.turn } else { joint.slide };
        let coordinate = coordinate.ok_or_else(|| Error::new(format!("joint {id} has no such coordinate")))?;
        let [X_WJ, X_WI] = [&joint.j, &joint.i].map(|m| self.parts.drawn(m));
        let (axes, x) = (X_WJ.rotation.axes, X_WI.rotation.axes[0]);
        let drawn = match turns {
            _ if joint.from_drawing => 0.0,
            true => axes[1].dot(x).arctangent2(axes[0].dot(x)),
            false => axes[2].dot(X_WI.origin - X_WJ.origin),
        };
        Ok((signal_name::join(&joint.name, coordinate), turns, drawn, joint.clone()))
    }

    /// Σ factor · coordinate stays what it is in the drawing.
    fn linear(&mut self, s: &Statement, terms: &[(f64, String, bool, f64)]) {
        let name = self.name(s);
        let constant: f64 = terms.iter().map(|(factor, _, _, drawn)| factor * drawn).sum();
        // Sums of terms that cancel leave rounding behind.
        const ROUNDING: f64 = 1e-12;
        let size: f64 = terms.iter().map(|(factor, _, _, drawn)| (factor * drawn).abs()).sum();
        let constant = if constant.abs() <= ROUNDING * size { 0.0 } else { constant };
        if let [(a, first, turns, _), (b, second, slides, _)] = terms {
            let both = pair(first.as_str().into(), second.as_str().into());
            let (kind, key) = if turns == slides { ("gear", "ratio") } else { ("rack", "radius") };
            if turns == slides || *turns {
                let mut keys = vec![("type", kind.into()), ("joints", both), (key, Node::from(-a / b))];
                if constant != 0.0 {
                    keys.push(("offset", Node::from(constant / b)));
                }
                return add(&mut self.couplings, &name, s, keys);
            }
        }
        let term = |(factor, name, turns, _): &(f64, String, bool, f64)| match turns {
            true => format!("({factor:?})*{name}"),
            false => format!("({factor:?})*{name}/(1 m)"),
        };
        let sum: Vec<String> = terms.iter().map(term).collect();
        let value = format!("{} - ({constant:?})", sum.join(" + "));
        add(&mut self.couplings, &name, s, vec![("type", "coupling".into()), ("value", value.into())]);
    }

    /// COUPLER: the sum of scaled displacements of two or three joints vanishes.
    pub fn coupler(&mut self, s: &Statement) -> Result<()> {
        let joints = s.get("JOINTS").ok_or_else(|| Error::new("JOINTS is missing"))?;
        let mut scales = s.get("SCALES").map(numbers).transpose()?.unwrap_or_default();
        // The first is 1 where there is one less than there are joints.
        if scales.len() + 1 == joints.values.len() {
            scales.insert(0, 1.0);
        }
        let types: Vec<bool> = s.get("TYPE").and_then(|a| a.values.first()).map_or(Vec::new(), |v| {
            v.text.split(':').map(|w| w.trim().to_ascii_uppercase().starts_with('R')).collect()
        });
        let mut terms = Vec::new();
        for (k, value) in joints.values.iter().enumerate() {
            let id = value.text.parse().map_err(|_| Error::new("JOINTS are numbers of joints").at(&value.span))?;
            let (name, turns, drawn, _) = self.coordinate(id, types.get(k).copied())?;
            let scale = scales.get(k).copied().ok_or_else(|| Error::new("SCALES has a number for each joint"))?;
            terms.push((if turns { scale } else { scale / self.units.length }, name, turns, drawn));
        }
        if terms.len() < 2 || terms.iter().any(|t| t.0 == 0.0) {
            return Err(Error::new("a coupler has two or three joints, and scales other than zero"));
        }
        // A slide depends on an angle, not the other way round.
        if let [first, second] = &mut terms[..] {
            if !first.2 && second.2 {
                std::mem::swap(first, second);
            }
        }
        self.linear(s, &terms);
        Ok(())
    }

    /// GEAR: at the point of CV both wheels have the same velocity along its z axis, seen from the part that carries them.
    pub fn gear(&mut self, s: &Statement) -> Result<()> {
        let cv = self.marker(s, "CV")?;
        let X_WC = self.parts.drawn(&cv);
        let joints = s.get("JOINTS").ok_or_else(|| Error::new("JOINTS is missing"))?;
        let mut terms = Vec::new();
        for value in &joints.values {
            let id = value.text.parse().map_err(|_| Error::new("JOINTS are numbers of joints").at(&value.span))?;
            let (name, turns, drawn, joint) = self.coordinate(id, None)?;
            let X_WJ = self.parts.drawn(&joint.j);
            let axis = X_WJ.rotation.axes[2];
            let velocity = if turns { axis.cross(X_WC.origin - X_WJ.origin) } else { axis };
            let sense = if joint.i.part == cv.part { -1.0 } else { 1.0 };
            terms.push((sense * velocity.dot(X_WC.rotation.axes[2]), name, turns, drawn));
        }
        let [first, second] = &mut terms[..] else { return Err(Error::new("a gear has two joints")) };
        if first.0 == 0.0 || second.0 == 0.0 {
            return Err(Error::new("CV lies on the axis of a joint, or its z axis has no part in its motion"));
        }
        if !first.2 && second.2 {
            std::mem::swap(first, second);
        }
        second.0 = -second.0;
        self.linear(s, &terms);
        Ok(())
    }

    /// RACKPIN: the part of I turns about its z axis, the part of J slides along its own, by half the diameter per angle. The joints that say how far each
    /// has gone are those to the part that carries both.
    pub fn rack(&mut self, s: &Statement) -> Result<()> {
        let (i, j) = self.markers(s)?;
        let diameter = number(s, "PD")?.ok_or_else(|| Error::new("a rack needs PD, the diameter of its pinion"))?;
        let along = |m: &Marker, joint: &Joint| {
            self.parts.drawn(m).rotation.axes[2].dot(self.parts.drawn(&joint.j).rotation.axes[2])
        };
        // Parallel but for the digits in which angles are usually written.
        const COSINE: f64 = 1.0 - 1e-6;
        let of = |m: &Marker, turn: bool| {
            let mut found: Vec<(i64, usize, f64)> = Vec::new();
            for (id, joint) in &self.joints {
                let has = if turn { joint.turn.is_some() } else { joint.slide.is_some() };
                let cosine = along(m, joint);
                if !has || cosine.abs() < COSINE {
                    continue;
                }
                if joint.i.part == m.part {
                    found.push((*id, joint.j.part, cosine));
                } else if joint.j.part == m.part {
                    found.push((*id, joint.i.part, -cosine));
                }
            }
            found.sort_by_key(|f| f.0);
            found
        };
        let (turns, slides) = (of(&i, true), of(&j, false));
        let both = turns.iter().find_map(|t| slides.iter().find(|s| s.1 == t.1).map(|s| (*t, *s)));
        let Some((turn, slide)) = both else {
            return Err(Error::new(
                "no part carries both the pinion by a revolute joint and the rack by a translational one",
            ));
        };
        let (angle, _, q1, _) = self.coordinate(turn.0, Some(true))?;
        let (way, _, q2, _) = self.coordinate(slide.0, Some(false))?;
        let radius = diameter / 2.0 * self.units.length * self.rolling(s, &i, &j, diameter);
        self.linear(s, &[(-radius * turn.2.signum(), angle, true, q1), (slide.2.signum(), way, false, q2)]);
        Ok(())
    }

    /// Which way a turn about z of the pinion moves the rack along its z axis: that in which they roll on each other, where J lies at the pitch circle as
    /// the manual asks; else forwards, as it is with the rack at -y of a pinion whose x axis points along the rack. Told where it is backwards.
    fn rolling(&mut self, s: &Statement, i: &Marker, j: &Marker, diameter: f64) -> f64 {
        /// Beside half of the diameter.
        const NEAR: f64 = 0.1;
        let (pinion, rack) = (self.parts.drawn(i), self.parts.drawn(j));
        let (z, along) = (pinion.rotation.axes[2], rack.rotation.axes[2]);
        let radius = diameter / 2.0 * self.units.length;
        let beside = (rack.origin - pinion.origin).dot(along.cross(z));
        if (beside.abs() - radius.abs()).abs() > NEAR * radius.abs() || beside * radius > 0.0 {
            return 1.0;
        }
        self.told.unused(
            &s.span,
            "a rack beyond its pinion moves as they roll on each other: back where the pinion turns forwards",
        );
        -1.0
    }

    /// GCON: a function that must vanish.
    pub fn general_constraint(&mut self, s: &Statement) -> Result<()> {
        let text = s.get("FUNCTION").and_then(|a| a.values.first()).ok_or_else(|| Error::new("FUNCTION is missing"))?;
        let found = self.function(text)?;
        let name = self.name(s);
        // A distance of two markers that is given is a rod.
        if let Expression::Sum(a, b) = &found {
            let call = |e: &Expression| matches!(e, Expression::Call(word, list) if word == "DM" && list.len() == 2);
            let (call, other) = if call(a) { (Some(a), b) } else { (Some(b).filter(|b| call(b)), a) };
            if let (Some(Expression::Call(_, list)), true) = (call.map(|c| &**c), other.of_time()) {
                let [i, j] = [&list[0], &list[1]].map(|e| self.marker_of(e, text));
                let (i, j) = (i?, j?);
                let length = self.written(&function::negative((**other).clone()), text, self.units.length)?;
                let keys = vec![
                    ("type", "distance".into()),
                    ("bodies", self.bodies(&i, &j)),
                    ("at", self.points(&i, &j)),
                    ("length", length),
                ];
                add(&mut self.elements, &name, s, keys);
                return Ok(());
            }
        }
        let value = self.written(&found, text, 1.0)?;
        add(&mut self.couplings, &name, s, vec![("type", "coupling".into()), ("value", value)]);
        Ok(())
    }

    /// The coordinate that a motion of a joint prescribes.
    pub fn driven(&self, s: &Statement, id: i64) -> Result<(String, bool, f64)> {
        let turn = match (s.has("ROTATION"), s.has("TRANSLATION")) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        self.coordinate(id, turn).map(|(name, turns, drawn, _)| (name, turns, drawn % TAU))
    }
}

/// The number of the joint that a motion drives.
pub(super) fn joint_of(s: &Statement) -> Result<Option<i64>> {
    s.get("JOINT").map(identifier).transpose()
}
