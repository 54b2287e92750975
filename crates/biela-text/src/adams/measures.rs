//! What functions say of markers: distances, places and angles, as coordinates of actuators and gauges between the parts.

use super::deck::{Statement, Text};
use super::directions::Term;
use super::function::{self, Expression};
use super::parts::Marker;
use super::spline::{Curve, Method};
use super::Writer;
use crate::nodes::{self, pair, placed, push, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::signal_name;

/// Variables within variables that are followed.
const DEEPEST: usize = 20;
/// A function that is written longer than this is refused.
pub(super) const LONGEST: usize = 100_000;

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
        let entry = |id: i64, k: i64| {
            let s = self.arrays.get(&id).filter(|s| s.has("IC"))?;
            function::whole(&entry_of(s, "NUMBERS", k)?.text)
        };
        let found = function::read(text)?.with_data(&function::Data { curve: &curve, entry: &entry });
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
        match name {
            "VARVAL" => return self.variable(list, text),
            "ARYVAL" => return self.entry(list, text),
            _ => {}
        }
        let marker = |k: usize| list.get(k).map(|e| self.marker_of(e, text)).transpose();
        let global = self.parts.marker(0, &text.span)?;
        let i = marker(0)?.ok_or_else(|| Error::new(format!("{name} needs a marker")))?;
        let or_global = |m: Option<Marker>| m.unwrap_or_else(|| global.clone());
        let (j, k, l) = (or_global(marker(1)?), or_global(marker(2)?), or_global(marker(3)?));
        let axis = name.as_bytes().get(1).and_then(|c| b"XYZ".iter().position(|x| x == c));
        let length = |parts: [Term; 3]| {
            let squares = parts.map(|p| format!("({})^2", p.text()));
            format!("sqrt({})", squares.join(" + "))
        };
        Ok(match (name, name.as_bytes()[0], axis) {
            ("DM" | "VR", ..) => self.distance(&i, &j, name == "VR"),
            // The square of a speed is that of its components along any axes; the third marker is the observer.
            ("VM", ..) => length([0, 1, 2].map(|axis| self.between((&i, &j), &k, axis, true))),
            ("WM", ..) => length([0, 1, 2].map(|axis| self.turning((&i, &j), (&j, axis)))),
            (_, b'D', Some(axis)) => self.between((&i, &j), &k, axis, false).text(),
            (_, b'V', Some(axis)) => self.velocity_between((&i, &j), (&k, axis), &l).text(),
            (_, b'A', Some(axis)) => self.angle(&i, &j, axis, false),
            (_, b'W', Some(axis)) => self.turning((&i, &j), (&k, axis)).text(),
            ("PSI" | "THETA" | "PHI" | "YAW" | "ROLL", ..) => {
                sequence(name, |a, c| self.cosine((&i, a), (&j, c), false))
            }
            _ => return Err(Error::new(format!("the function {name} is not read"))),
        })
    }

    /// ARYVAL of what is no constant: the value of a variable in an ARRAY.
    fn entry(&mut self, list: &[Expression], text: &Text) -> Result<String> {
        let [id, k] = [0, 1].map(|n| list.get(n).and_then(|e| e.value(None)).unwrap_or(0.0) as i64);
        let missing = || Error::new(format!("entry {k} of array {id} is no constant and no variable")).at(&text.span);
        let found = self.arrays.get(&id).and_then(|s| entry_of(s, "VARIABLES", k));
        let variable: f64 = found.and_then(|v| v.text.parse().ok()).ok_or_else(missing)?;
        self.variable(&[Expression::Number(variable)], text)
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
    pub fn coordinate_text(&self, element: &str, coordinate: &str, angle: bool, rate: bool) -> String {
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
        self.measuring(&wish, kind, i, j, axis)
    }

    /// The same under a name that tells what is measured.
    pub fn measuring(&mut self, wish: &str, kind: &str, i: &Marker, j: &Marker, axis: usize) -> String {
        if let Some(name) = self.made.get(wish) {
            return name.clone();
        }
        let name = nodes::unused(wish, &mut self.names);
        let mut table = Table::default();
        table.set("type", kind);
        table.set("bodies", self.bodies(i, j));
        table.set("at", self.points(i, j));
        if kind != "actuator" {
            // AX and AY follow the z axis of I, AZ its x axis.
            let second = if kind == "angle-gauge" && axis == 0 { 2 } else { (axis + 1) % 3 };
            let both = |k: usize| pair(vector(j.X_BM.rotation.axes[k]), vector(i.X_BM.rotation.axes[k]));
            table.set("axis", both(axis % 3));
            table.set("x", both(second));
        }
        let span = i.span.as_ref().or(j.span.as_ref());
        push(&mut self.elements, &name, span, placed(table.into(), span));
        self.made.insert(wish.to_string(), name.clone());
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

    pub fn angle(&mut self, i: &Marker, j: &Marker, axis: usize, rate: bool) -> String {
        if i.part == j.part {
            return "0".into();
        }
        let name = self.gauge("angle-gauge", i, j, axis);
        self.coordinate_text(&name, "angle", true, rate)
    }
}

/// Angles of the body-fixed sequences z, x, z (PSI, THETA, PHI) and z, y, x (YAW, then ROLL at its end), from the components of axis `a` of I along
/// axis `c` of J.
pub(super) fn sequence(name: &str, mut of: impl FnMut(usize, usize) -> Term) -> String {
    let (x_axis, y_axis, z_axis) = (0, 1, 2);
    let (y, x) = match name {
        "PSI" => (of(z_axis, x_axis), of(z_axis, y_axis).negative()),
        "PHI" => (of(x_axis, z_axis), of(y_axis, z_axis)),
        "YAW" => (of(x_axis, y_axis), of(x_axis, x_axis)),
        "ROLL" => (of(y_axis, z_axis), of(z_axis, z_axis)),
        _ => return format!("acos(min(max({}, -1), 1))", of(z_axis, z_axis).text()),
    };
    format!("atan2({}, {})", y.text(), x.text())
}

/// An entry of a list of an ARRAY, counted from 1.
fn entry_of<'s>(s: &'s Statement, key: &str, k: i64) -> Option<&'s Text> {
    s.get(key)?.values.get(usize::try_from(k - 1).ok()?)
}
