//! What functions say of markers: distances, places and angles, as coordinates of actuators and gauges between the parts.

use super::deck::Text;
use super::function::{self, Expression};
use super::parts::Marker;
use super::spline::{Curve, Method};
use super::Writer;
use crate::nodes::{self, pair, placed, push, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::Vec3;

/// Variables within variables that are followed.
const DEEPEST: usize = 20;
/// A function that is written longer than this is refused.
const LONGEST: usize = 100_000;

impl Writer<'_> {
    /// The marker that an argument of a function names; 0 is the global frame.
    pub fn marker_of(&self, e: &Expression, text: &Text) -> Result<Marker> {
        match e {
            Expression::Number(x) if x.fract() == 0.0 && x.abs() < 1e15 => self.parts.marker(*x as i64, &text.span),
            _ => Err(Error::new("the number of a marker is expected").at(&text.span)),
        }
    }

    /// A function of the deck, with its splines.
    pub fn function(&self, text: &Text) -> Result<Expression> {
        let curve = |word: &str, id: i64| {
            let s = self.splines.get(&id).ok_or_else(|| Error::new(format!("there is no spline {id}")))?;
            let method = if word == "AKISPL" { Method::Akima } else { Method::Cubic };
            Curve::read(s, method).map_err(|e| super::about(e, s))
        };
        let found = function::read(text)?.with_curves(&curve);
        found.map_err(|e| if e.span().is_none() { e.at(&text.span) } else { e })
    }

    /// A function as the model file writes it, in SI where `scale` is what one of its units is.
    pub fn written(&mut self, e: &Expression, text: &Text, scale: f64) -> Result<Node> {
        if let Some(x) = e.value(None) {
            return Ok(Node::from(x * scale).at(&text.span));
        }
        let written = self.text(e, text)?;
        let node = Node::from(if scale == 1.0 { written } else { format!("{scale:?}*({written})") });
        Ok(node.at(&text.span))
    }

    fn text(&mut self, e: &Expression, text: &Text) -> Result<String> {
        let time = match self.units.time {
            1.0 => "t".to_string(),
            unit => format!("(t/{unit:?})"),
        };
        let written = e.written(&time, LONGEST, &mut |name, list| self.measure(name, list, text));
        written.map_err(|e| if e.span().is_none() { e.at(&text.span) } else { e })
    }

    fn measure(&mut self, name: &str, list: &[Expression], text: &Text) -> Result<String> {
        if name == "VARVAL" {
            return self.variable(list, text);
        }
        let marker = |k: usize| list.get(k).map(|e| self.marker_of(e, text)).transpose();
        let global = self.parts.marker(0, &text.span)?;
        let (i, j, k) =
            (marker(0)?.ok_or_else(|| Error::new(format!("{name} needs a marker")))?, marker(1)?, marker(2)?);
        let j = j.unwrap_or_else(|| global.clone());
        let rate = name.starts_with(['V', 'W']);
        let axis = name.as_bytes().get(1).and_then(|c| b"XYZ".iter().position(|x| x == c));
        match (name.as_bytes()[0], axis) {
            // The square of a speed is that of its components along any axes.
            (b'V', None) if name == "VM" => {
                let parts: Vec<String> =
                    (0..3).map(|axis| format!("({})^2", self.between((&i, &j), &global, axis, true))).collect();
                Ok(format!("sqrt({})", parts.join(" + ")))
            }
            (b'D' | b'V', None) if name == "DM" || name == "VR" => Ok(self.distance(&i, &j, rate)),
            (b'D' | b'V', Some(axis)) if list.len() <= 3 || !rate => {
                let k = k.unwrap_or(global);
                if rate && k.part != 0 && k.part != j.part {
                    return Err(Error::new(format!("{name} in axes of a third part is not read")));
                }
                Ok(self.between((&i, &j), &k, axis, rate))
            }
            (b'A', Some(axis)) => Ok(self.angle(&i, &j, axis, false)),
            (b'W', Some(axis)) => {
                let k = k.unwrap_or(global);
                let axes = [&j, &k].map(|m| self.parts.drawn(m).rotation.axes[axis]);
                // The axis that is asked for must be the one about which J's angle counts.
                const COSINE: f64 = 1.0 - 1e-9;
                match axes[0].dot(axes[1]) {
                    c if c > COSINE => Ok(self.angle(&i, &j, axis, true)),
                    c if c < -COSINE => Ok(format!("(-{})", self.angle(&i, &j, axis, true))),
                    _ => Err(Error::new(format!(
                        "{name} about an axis other than that of its second marker is not read"
                    ))),
                }
            }
            _ => Err(Error::new(format!("the function {name} is not read"))),
        }
    }

    fn variable(&mut self, list: &[Expression], text: &Text) -> Result<String> {
        let id = list.first().and_then(|e| e.value(None)).unwrap_or(0.0) as i64;
        let found = self.variables.get(&id).and_then(|s| s.get("FUNCTION")).and_then(|a| a.values.first());
        let function = found
            .ok_or_else(|| Error::new(format!("there is no variable {id} with a function")).at(&text.span))?
            .clone();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new("variables that are made of each other").at(&text.span));
        }
        let written = self.function(&function).and_then(|e| self.text(&e, &function));
        self.depth -= 1;
        Ok(format!("({})", written?))
    }

    /// A coordinate of a made element, in units of the deck.
    fn coordinate_text(&self, element: &str, coordinate: &str, angle: bool, rate: bool) -> String {
        let mut name = signal_name::join(element, coordinate);
        if rate {
            name = signal_name::join(&name, "rate");
        }
        let (length, time) = (self.units.length, self.units.time);
        match (angle, rate) {
            (true, false) => name,
            (true, true) => format!("{name}/({:?} rad/s)", 1.0 / time),
            (false, false) => format!("{name}/({length:?} m)"),
            (false, true) => format!("{name}/({:?} m/s)", length / time),
        }
    }

    /// The element that measures between two markers, made where there is none yet.
    pub fn gauge(&mut self, kind: &str, i: &Marker, j: &Marker, axis: usize) -> String {
        let letter = ["x", "y", "z"][axis.min(2)];
        let wish = match kind {
            "actuator" => format!("length_{}_{}", i.id, j.id),
            "gauge" => format!("place_{}_{}", i.id, j.id),
            _ => format!("angle_{letter}_{}_{}", i.id, j.id),
        };
        if let Some(name) = self.made.get(&wish) {
            return name.clone();
        }
        let name = nodes::unused(&wish, &mut self.names);
        let mut table = Table::default();
        table.set("type", kind);
        table.set("bodies", self.bodies(i, j));
        table.set("at", self.points(i, j));
        if kind != "actuator" {
            let both = |k: usize| pair(vector(j.X_BM.rotation.axes[k % 3]), vector(i.X_BM.rotation.axes[k % 3]));
            table.set("axis", both(axis));
            table.set("x", both(axis + 1));
        }
        let span = i.span.as_ref().or(j.span.as_ref());
        push(&mut self.elements, &name, span, placed(table.into(), span));
        self.made.insert(wish, name.clone());
        name
    }

    fn distance(&mut self, i: &Marker, j: &Marker, rate: bool) -> String {
        if i.part == j.part {
            let d = (self.parts.drawn(i).origin - self.parts.drawn(j).origin).norm();
            return if rate { "0".into() } else { format!("{:?}", d / self.units.length) };
        }
        let name = self.gauge("actuator", i, j, 2);
        self.coordinate_text(&name, "length", false, rate)
    }

    /// Where a marker is in another's frame, along one of its axes.
    fn place(&mut self, i: &Marker, k: &Marker, axis: usize, rate: bool) -> String {
        if i.part == k.part {
            let d: Vec3 = k.X_BM.apply_inverse(i.X_BM.origin);
            return if rate { "0".into() } else { format!("({:?})", d[axis] / self.units.length) };
        }
        let name = self.gauge("gauge", i, k, 2);
        self.coordinate_text(&name, ["x", "y", "z"][axis.min(2)], false, rate)
    }

    /// How far one marker is from another along an axis of a third.
    fn between(&mut self, (i, j): (&Marker, &Marker), k: &Marker, axis: usize, rate: bool) -> String {
        let (of_i, of_j) = (self.place(i, k, axis, rate), self.place(j, k, axis, rate));
        format!("({of_i} - {of_j})")
    }

    fn angle(&mut self, i: &Marker, j: &Marker, axis: usize, rate: bool) -> String {
        if i.part == j.part {
            return "0".into();
        }
        let name = self.gauge("angle-gauge", i, j, axis);
        self.coordinate_text(&name, "angle", true, rate)
    }
}
