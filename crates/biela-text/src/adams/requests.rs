//! REQUEST: what a deck asks to be told, as named signals. They are made of columns of the results, so that asking changes nothing of the motion.

use super::constraints::Reaction;
use super::deck::{Statement, Text};
use super::directions::{dot, Term};
use super::function::{self, Expression};
use super::parts::Marker;
use super::{identifier, Writer};
use crate::nodes;
use crate::tree::Node;
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::Vec3;
use std::collections::HashSet;

/// Signals at most: each is a column, and a text that is compiled.
const MOST: usize = 2000;
/// Variables within variables that are followed.
const DEEPEST: usize = 20;
/// A signal that is written longer than this is not told.
const LONGEST: usize = 20_000;

/// Components of REQUESTs of two markers: the flag, and the functions of I, J and RM.
const COMPONENTS: &[(&str, &[&str])] = &[
    ("DISPLACEMENT", &["DM", "DX", "DY", "DZ", "PSI", "THETA", "PHI"]),
    ("VELOCITY", &["VM", "VX", "VY", "VZ", "WM", "WX", "WY", "WZ"]),
    ("ACCELERATION", &["ACCM", "ACCX", "ACCY", "ACCZ", "WDTM", "WDTX", "WDTY", "WDTZ"]),
    ("FORCE", &["FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"]),
];

/// The functions of a REQUEST, in the order of CNAMES.
const FUNCTIONS: [&str; 8] = ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8"];

/// What is known of a point or a body.
#[derive(Clone, Copy)]
enum Motion {
    Place,
    Velocity,
    Acceleration,
    Turning,
    TurningRate,
}

/// A value in SI, and what one of the deck's units of it is.
struct Told {
    value: Term,
    unit: String,
}

impl Writer<'_> {
    /// The signals of all requests, in the order of the deck.
    pub fn requests(&mut self, statements: &[Statement]) {
        let mut names = self.names.clone();
        let mut count = 0;
        for s in statements.iter().filter(|s| s.kind.word == "REQUEST") {
            if count >= MOST {
                self.told.unused(&s.span, format!("REQUESTs of more than {MOST} signals are not told"));
                continue;
            }
            let asked = self.asked(s);
            if asked.is_empty() {
                self.told.unused(&s.span, "a REQUEST of a program's own is not read");
            }
            for (component, text) in asked {
                count += 1;
                let told = text.and_then(|text| match text.len() > LONGEST {
                    true => Err(Error::new("an expression that is too long")),
                    false => Ok(text),
                });
                match told {
                    Ok(text) => {
                        let name = self.signal_called(s, &component, &mut names);
                        self.signals.set(name, Node::from(text).at(&s.span));
                    }
                    Err(e) => self.told.unused(&s.span, format!("{}: not told by this REQUEST", e.message())),
                }
            }
        }
    }

    fn signal_called(&self, s: &Statement, component: &str, names: &mut HashSet<String>) -> String {
        let given = |key: &str| s.get(key).and_then(|a| a.values.first()).map(|v| v.text.clone());
        let label = given("RESULTS_NAME").or(s.label.clone()).unwrap_or(format!("REQUEST_{}", s.id));
        // A measure of the model's database begins with the model's name.
        let label = label.trim_matches(['"', '\'']);
        let label = signal_name::split(label).map_or(label, |(_, last)| last);
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let fit = |text: &str| text.chars().map(plain).collect::<String>();
        let wish = match label.starts_with(|c: char| c.is_ascii_alphabetic()) {
            true => format!("{}_{}", fit(label), fit(component)),
            false => format!("_{}_{}", fit(label), fit(component)),
        };
        nodes::unused(&wish, names)
    }

    /// The components of a request: what each is called, and its expression.
    fn asked(&mut self, s: &Statement) -> Vec<(String, Result<String>)> {
        let number = |key: &str| s.get(key).map(identifier).transpose();
        if let Some((_, words)) = COMPONENTS.iter().find(|(flag, _)| s.has(flag)) {
            let ids = [number("I"), number("J"), number("RM")].map(|id| id.map(Option::unwrap_or_default));
            let ids = ids.map(|id| id.map(|id| Expression::Number(id as f64)));
            let Ok(list) = ids.into_iter().collect::<Result<Vec<_>>>() else { return Vec::new() };
            let text = Text { text: String::new(), span: s.span.clone() };
            let one = |word: &&str| (word.to_string(), self.told_of(word, &list, &text).map(|told| told.value.text()));
            return words.iter().map(one).collect();
        }
        let variables = s.get("VARIABLES").map(|a| a.values.clone()).unwrap_or_default();
        let called: Vec<String> = s.get("CNAMES").map_or(Vec::new(), |a| {
            a.values.iter().map(|v| v.text.trim_matches(['"', '\'']).trim().to_string()).collect()
        });
        let component =
            |k: usize, other: &str| called.get(k).filter(|c| !c.is_empty()).map_or(other.into(), Clone::clone);
        let mut asked = Vec::new();
        for (k, id) in variables.iter().enumerate() {
            let call = id.text.parse().map(|id| Expression::Call("VARVAL".into(), vec![Expression::Number(id)]));
            let call = call.map_err(|_| Error::new("VARIABLES are numbers of variables"));
            let written = call.and_then(|call| self.signal(&call, id, 0));
            asked.push((component(k, &format!("V{}", id.text)), written));
        }
        for (k, key) in FUNCTIONS.into_iter().enumerate() {
            let Some(text) = s.get(key).and_then(|a| a.values.first()).filter(|t| !t.text.is_empty()) else { continue };
            let written = self.function(text).and_then(|e| self.signal(&e, text, 0));
            // What is not asked for is 0 in exported decks.
            if !matches!(written.as_deref(), Ok("0" | "0.0")) {
                asked.push((component(k, key), written));
            }
        }
        asked
    }

    /// A function as an expression of signals: in SI where it is one measure, else a number in units of the deck.
    fn signal(&mut self, e: &Expression, text: &Text, depth: usize) -> Result<String> {
        if depth > DEEPEST {
            return Err(Error::new("variables that are made of each other"));
        }
        match e {
            Expression::Call(name, list) if is_told(name) => return Ok(self.told_of(name, list, text)?.value.text()),
            Expression::Call(name, list) if name == "VARVAL" => {
                let (function, inner) = self.of_variable(list)?;
                return self.signal(&function, &inner, depth + 1);
            }
            _ => {}
        }
        let time = format!("(t/({:?} s))", self.units.time);
        e.written(&time, LONGEST, &mut |name, list| {
            if name == "VARVAL" {
                let (function, inner) = self.of_variable(list)?;
                // A sum with nothing is no measure alone, so it comes as a number.
                let sum = Expression::Sum(function.into(), Expression::Number(0.0).into());
                return self.signal(&sum, &inner, depth + 1).map(|text| format!("({text})"));
            }
            let told = self.told_of(name, list, text)?;
            Ok(match told.value {
                Term::Number(x) => format!("{x:?}"),
                Term::Text(value) if told.unit.is_empty() => value,
                Term::Text(value) => format!("({value})/({})", told.unit),
            })
        })
    }

    /// The function of a variable, and where it stands.
    fn of_variable(&self, list: &[Expression]) -> Result<(Expression, Text)> {
        let id = list.first().and_then(|e| e.value(None)).unwrap_or(0.0) as i64;
        let found = self.variables.get(&id).and_then(|s| s.get("FUNCTION")).and_then(|a| a.values.first());
        let text = found.ok_or_else(|| Error::new(format!("there is no variable {id} with a function")))?.clone();
        Ok((self.function(&text)?, text))
    }

    /// What a function of markers says, in SI.
    fn told_of(&mut self, name: &str, list: &[Expression], text: &Text) -> Result<Told> {
        if !is_told(name) {
            return Err(Error::new(format!("the function {name} is not read")));
        }
        let marker = |k: usize| list.get(k).map(|e| self.marker_of(e, text)).transpose();
        let global = self.parts.marker(0, &text.span)?;
        let i = marker(0)?.ok_or_else(|| Error::new(format!("{name} needs a marker")))?;
        let given = marker(1)?;
        let (k, l) = (marker(2)?.unwrap_or_else(|| global.clone()), marker(3)?.unwrap_or_else(|| global.clone()));
        let j = given.clone().unwrap_or_else(|| global.clone());
        if l.part != 0 && !name.starts_with('D') {
            return Err(Error::new(format!("{name} as seen from a part that moves")));
        }
        let axis = name.bytes().last().and_then(|c| b"XYZ".iter().position(|x| *x == c));
        let (length, time, force) = (self.units.length, self.units.time, self.units.force);
        let apart = |motion: Motion| {
            let (of_i, of_j) = (self.known(&i, motion), self.known(&j, motion));
            let mut pairs = of_i.into_iter().zip(of_j).map(|(a, b)| a.minus(b));
            [0, 1, 2].map(|_| pairs.next().unwrap_or(Term::ZERO))
        };
        let kind = match name {
            "DM" | "DX" | "DY" | "DZ" => Some((Motion::Place, format!("{length:?} m"))),
            "VM" | "VX" | "VY" | "VZ" => Some((Motion::Velocity, format!("{:?} m/s", length / time))),
            "ACCM" | "ACCX" | "ACCY" | "ACCZ" => {
                Some((Motion::Acceleration, format!("{:?} m/s^2", length / (time * time))))
            }
            "WM" | "WX" | "WY" | "WZ" => Some((Motion::Turning, format!("{:?} rad/s", 1.0 / time))),
            "WDTM" | "WDTX" | "WDTY" | "WDTZ" => {
                Some((Motion::TurningRate, format!("{:?} rad/s^2", 1.0 / (time * time))))
            }
            _ => None,
        };
        if let Some((motion, unit)) = kind {
            let apart = apart(motion);
            let value = match axis {
                Some(axis) => dot(apart, self.along(&k, axis)),
                None => length_of(apart),
            };
            return Ok(Told { value, unit });
        }
        match name {
            "VR" => {
                let (place, speed) = (apart(Motion::Place), apart(Motion::Velocity));
                let value = match (dot(place.clone(), speed), length_of(place)) {
                    (Term::Text(product), Term::Text(length)) => Term::Text(format!("({product})/{length}")),
                    _ => Term::ZERO,
                };
                Ok(Told { value, unit: format!("{:?} m/s", length / time) })
            }
            "AX" | "AY" | "AZ" => Ok(Told { value: self.told_angle(&i, &j, axis.unwrap_or(2)), unit: String::new() }),
            "PSI" | "THETA" | "PHI" | "YAW" | "ROLL" => {
                let of = |a: usize, c: usize| dot(self.along(&i, a), self.along(&j, c));
                let value = Term::Text(format!("{}*(1 rad)", super::measures::sequence(name, of)));
                Ok(Told { value, unit: "1 rad".into() })
            }
            _ => {
                let given = given.filter(|j| j.id != 0).ok_or_else(|| Error::new(format!("{name} of one marker")))?;
                let torque = name.starts_with('T');
                let parts = self.exerted(&i, &given, torque)?;
                let value = match axis {
                    Some(axis) => dot(parts, self.along(&k, axis)),
                    None => length_of(parts),
                };
                let unit = if torque { format!("{:?} N*m", force * length) } else { format!("{force:?} N") };
                Ok(Told { value, unit })
            }
        }
    }

    /// The place of a marker or its rates, along the ground's axes.
    fn known(&self, m: &Marker, motion: Motion) -> [Term; 3] {
        let part = &self.parts.list[m.part].name;
        if m.part == 0 {
            let o = self.parts.drawn(m).origin.to_array();
            return match motion {
                Motion::Place => o.map(|x| if x == 0.0 { Term::ZERO } else { Term::Text(format!("({x:?} m)")) }),
                _ => [Term::ZERO, Term::ZERO, Term::ZERO],
            };
        }
        let leaves = match motion {
            Motion::Place => ["x", "y", "z"],
            Motion::Velocity => ["vx", "vy", "vz"],
            Motion::Acceleration => ["ax", "ay", "az"],
            Motion::Turning => ["wx", "wy", "wz"],
            Motion::TurningRate => ["alx", "aly", "alz"],
        };
        let of = match motion {
            Motion::Turning | Motion::TurningRate => part.clone(),
            _ => signal_name::join(part, &m.name),
        };
        leaves.map(|leaf| Term::Text(signal_name::join(&of, leaf)))
    }

    /// An axis of a marker, along the ground's axes.
    fn along(&self, m: &Marker, axis: usize) -> [Term; 3] {
        let tidy = |v: Vec3| {
            const ROUNDING: f64 = 1e-15;
            v.to_array().map(|c| Term::Number(if c.abs() < ROUNDING { 0.0 } else { c }))
        };
        if m.part == 0 {
            return tidy(self.parts.drawn(m).rotation.axes[axis]);
        }
        let own = tidy(m.X_BM.rotation.axes[axis]);
        let part = &self.parts.list[m.part].name;
        let [e0, e1, e2, e3] = ["e0", "e1", "e2", "e3"].map(|leaf| signal_name::join(part, leaf));
        let square = |a: &str, b: &str| Term::Text(format!("(1 - 2*({a}^2 + {b}^2))"));
        let plus = |a: &str, b: &str, c: &str, d: &str| Term::Text(format!("(2*({a}*{b} + {c}*{d}))"));
        let minus = |a: &str, b: &str, c: &str, d: &str| Term::Text(format!("(2*({a}*{b} - {c}*{d}))"));
        let rows = [
            [square(&e2, &e3), minus(&e1, &e2, &e0, &e3), plus(&e1, &e3, &e0, &e2)],
            [plus(&e1, &e2, &e0, &e3), square(&e1, &e3), minus(&e2, &e3, &e0, &e1)],
            [minus(&e1, &e3, &e0, &e2), plus(&e2, &e3, &e0, &e1), square(&e1, &e2)],
        ];
        rows.map(|row| dot(row, own.clone()))
    }

    /// AX, AY, AZ: the coordinate of a joint where it is one, which counts turns; else that of a gauge.
    fn told_angle(&mut self, i: &Marker, j: &Marker, axis: usize) -> Term {
        let found = self.joints.values().find(|joint| joint.i.id == i.id && joint.j.id == j.id && !joint.from_drawing);
        match found.and_then(|joint| Some(signal_name::join(&joint.name, joint.turn?))).filter(|_| axis == 2) {
            Some(coordinate) => Term::Text(coordinate),
            None => Term::Text(self.angle(i, j, axis, false)),
        }
    }

    /// The force or torque on I of the one joint between two markers, and of the motion along or about its axis.
    fn exerted(&mut self, i: &Marker, j: &Marker, torque: bool) -> Result<[Term; 3]> {
        let both = |a: i64, b: i64| (a, b) == (i.id, j.id) || (b, a) == (i.id, j.id);
        let unread = || Error::new("forces between markers of no one joint, or of a joint and other forces");
        if self.loaded.iter().any(|(a, b)| both(*a, *b)) {
            return Err(unread());
        }
        let mut found = self.reactions.iter().filter(|r| both(r.i, r.j));
        let (Some(Reaction { name, joint, i: first, .. }), None) = (found.next(), found.next()) else {
            return Err(unread());
        };
        // The moment on J is that about the point of I, which J need not share.
        if torque && *first != i.id {
            return Err(Error::new("a torque on the second marker of a joint"));
        }
        let leaves = if torque { ["mx", "my", "mz"] } else { ["fx", "fy", "fz"] };
        let mut sum = leaves.map(|leaf| Term::Text(signal_name::join(name, leaf)));
        let of_joint = joint.and_then(|id| Some((id, self.joints.get(&id)?)));
        for (id, driver, turns) in &self.driven_joints {
            let Some((_, joint)) = of_joint.filter(|(joint, _)| joint == id && *turns == torque) else { continue };
            let effort = Term::Text(signal_name::join(driver, "effort"));
            let along = self.along(&joint.j, 2).map(|share| share.times(effort.clone()));
            let mut along = along.into_iter();
            sum = sum.map(|part| part.plus(along.next().unwrap_or(Term::ZERO)));
        }
        Ok(if *first == i.id { sum } else { sum.map(Term::negative) })
    }
}

/// Whether a function is a measure of markers that `told_of` tells.
fn is_told(name: &str) -> bool {
    function::is_measure(name) && !["VARVAL", "ARYVAL", "PITCH"].contains(&name)
}

/// The length of a vector.
fn length_of(parts: [Term; 3]) -> Term {
    let squares: Vec<String> =
        parts.iter().filter(|p| !matches!(p, Term::Number(0.0))).map(|p| format!("({})^2", p.text())).collect();
    match squares.is_empty() {
        true => Term::ZERO,
        false => Term::Text(format!("sqrt({})", squares.join(" + "))),
    }
}
