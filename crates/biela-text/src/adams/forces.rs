//! Forces: along the line of two markers, about an axis, or by components.

use super::deck::{Statement, Text};
use super::parts::Marker;
use super::{add, number, numbers, Writer};
use crate::nodes;
use crate::tree::Node;
use biela_base::error::{Error, Result};

impl Writer<'_> {
    /// Reads a force. One that cannot be said here is told, and its effect is missing.
    pub fn force(&mut self, s: &Statement) -> Result<()> {
        let done = match s.kind.word {
            "SFORCE" => self.single(s),
            "SPRINGDAMPER" => self.spring_damper(s),
            "BUSHING" => self.bushing(s),
            _ => self.components(s),
        };
        if let Err(Unread(message)) = done {
            self.told.doubt(Error::new(message).of(s.shown()).at(&s.span), "not read, its force is missing")?;
        }
        Ok(())
    }

    /// An effort along a coordinate.
    fn effort(&mut self, name: &str, s: &Statement, joint: &str, coordinate: &str, value: Node) {
        let keys = vec![
            ("type", "joint-torque".into()),
            ("joint", joint.into()),
            ("coordinate", coordinate.into()),
            ("value", value),
        ];
        add(&mut self.forces, name, s, keys);
    }

    fn single(&mut self, s: &Statement) -> Done {
        let (i, j) = (self.marker(s, "I")?, self.marker(s, "J")?);
        let torque = s.has("ROTATIONAL");
        let scale = if torque { self.units.force * self.units.length } else { self.units.force };
        let value = self.value(s, "FUNCTION", scale)?;
        let name = self.name(s);
        if s.has("ACTIONONLY") {
            return self.action(s, &name, (&i, &j), torque, [None, None, Some(value)]);
        }
        if i.part == j.part {
            return Err(Unread("both markers belong to the same part".into()));
        }
        match torque {
            true => {
                let gauge = self.gauge("angle-gauge", &i, &j, 2);
                self.effort(&name, s, &gauge, "angle", value);
            }
            false => {
                let actuator = self.gauge("actuator", &i, &j, 2);
                self.effort(&name, s, &actuator, "length", value);
            }
        }
        Ok(())
    }

    /// Components along the axes of a marker, on the part of I alone (or with the ground bearing the reaction).
    fn action(
        &mut self,
        s: &Statement,
        name: &str,
        (i, axes): (&Marker, &Marker),
        torque: bool,
        values: [Option<Node>; 3],
    ) -> Done {
        let frame = match axes.part {
            0 => "ground",
            part if part == i.part => "body",
            _ => return Err(Unread("its components stand in axes of a third part".into())),
        };
        // Each component along an axis of the marker, added up along the body's or the ground's.
        let mut sums = [String::new(), String::new(), String::new()];
        for (k, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let text = match &value.value {
                crate::tree::Value::Text(text) => text.clone(),
                crate::tree::Value::Number(x) => format!("({x:?})"),
                _ => continue,
            };
            let axis = axes.X_BM.rotation.axes[k];
            for (sum, share) in sums.iter_mut().zip(axis.to_array()) {
                // A quarter turn leaves rounding behind, which is no component.
                const ROUNDING: f64 = 1e-15;
                if share.abs() > ROUNDING {
                    let factor = if share == 1.0 { String::new() } else { format!("({share:?})*") };
                    *sum =
                        if sum.is_empty() { format!("{factor}({text})") } else { format!("{sum} + {factor}({text})") };
                }
            }
        }
        let list = sums.map(|sum| if sum.is_empty() { Node::from(0.0) } else { Node::from(sum) });
        let mut keys = vec![
            ("type", if torque { "torque" } else { "force" }.into()),
            ("body", self.parts.list[i.part].name.as_str().into()),
        ];
        if !torque {
            keys.push(("at", nodes::vector(i.X_BM.origin)));
        }
        keys.extend([("value", Node::from(list.to_vec())), ("frame", frame.into())]);
        add(&mut self.forces, name, s, keys);
        Ok(())
    }

    /// VFORCE, VTORQUE, GFORCE.
    fn components(&mut self, s: &Statement) -> Done {
        let i = self.marker(s, "I")?;
        let reaction = match s.has("JFLOAT") {
            true => self.marker(s, "JFLOAT")?,
            false => return Err(Unread("JFLOAT is missing".into())),
        };
        let axes = if s.has("RM") { self.marker(s, "RM")? } else { self.parts.marker(0, &s.span)? };
        let name = self.name(s);
        for (torque, words) in [(false, ["FX", "FY", "FZ"]), (true, ["TX", "TY", "TZ"])] {
            if !words.iter().any(|w| s.has(w)) {
                continue;
            }
            let scale = if torque { self.units.force * self.units.length } else { self.units.force };
            let mut values = [None, None, None];
            for (value, word) in values.iter_mut().zip(words) {
                *value = if s.has(word) { Some(self.value(s, word, scale)?) } else { None };
            }
            let name = if torque && s.has("FX") | s.has("FY") | s.has("FZ") {
                nodes::unused(&format!("{name}_torque"), &mut self.names)
            } else {
                name.clone()
            };
            if reaction.part == 0 && (axes.part == 0 || axes.part == i.part) {
                self.action(s, &name, (&i, &axes), torque, values)?;
            } else if !torque && axes.part == reaction.part {
                // Along axes of the part that bears the reaction: efforts along the place of I in it, which act at I on both.
                let gauge = self.gauge("gauge", &i, &axes, 2);
                for (value, letter) in values.into_iter().zip(["x", "y", "z"]) {
                    if let Some(value) = value {
                        let name = nodes::unused(&format!("{name}_{letter}"), &mut self.names);
                        self.effort(&name, s, &gauge, letter, value);
                    }
                }
            } else if torque && axes.part == 0 {
                let against = values.clone().map(|v| v.map(negative));
                self.action(s, &name, (&i, &axes), true, values)?;
                let name = nodes::unused(&format!("{name}_reaction"), &mut self.names);
                self.action(s, &name, (&reaction, &axes), true, against)?;
            } else {
                return Err(Unread("its reaction is borne by one moving part and its axes belong to another".into()));
            }
        }
        Ok(())
    }

    fn spring_damper(&mut self, s: &Statement) -> Done {
        let (i, j) = self.markers(s)?;
        let name = self.name(s);
        let (force, length, time) = (self.units.force, self.units.length, self.units.time);
        let get = |key: &str| number(s, key).map(|x| x.unwrap_or(0.0));
        if s.has("ROTATIONAL") {
            let gauge = self.gauge("angle-gauge", &i, &j, 2);
            let moment = force * length;
            let (k, c, rest) = (get("KT")? * moment, get("CT")? * moment * time, get("ANGLE")?);
            let keys = vec![
                ("type", "joint-spring".into()),
                ("joint", gauge.as_str().into()),
                ("stiffness", Node::from(k)),
                ("damping", Node::from(c)),
                ("rest", Node::from(rest)),
            ];
            add(&mut self.forces, &name, s, keys);
            if let Some(torque) = number(s, "TORQUE")?.filter(|t| *t != 0.0) {
                let name = nodes::unused(&format!("{name}_preload"), &mut self.names);
                self.effort(&name, s, &gauge, "angle", Node::from(torque * moment));
            }
            return Ok(());
        }
        let (k, c) = (get("K")? * force / length, get("C")? * force * time / length);
        let keys = vec![
            ("type", "spring-damper".into()),
            ("bodies", self.bodies(&i, &j)),
            ("at", self.points(&i, &j)),
            ("stiffness", Node::from(k)),
            ("damping", Node::from(c)),
            ("length", Node::from(get("LENGTH")? * length)),
        ];
        add(&mut self.forces, &name, s, keys);
        if let Some(preload) = number(s, "FORCE")?.filter(|f| *f != 0.0) {
            let actuator = self.gauge("actuator", &i, &j, 2);
            let name = nodes::unused(&format!("{name}_preload"), &mut self.names);
            self.effort(&name, s, &actuator, "length", Node::from(preload * force));
        }
        Ok(())
    }

    /// BUSHING: springs and dampers along and about the axes of J.
    fn bushing(&mut self, s: &Statement) -> Done {
        let (i, j) = self.markers(s)?;
        let name = self.name(s);
        let (force, length, time) = (self.units.force, self.units.length, self.units.time);
        let moment = force * length;
        let rows = [("K", "C", "FORCE", force / length, force), ("KT", "CT", "TORQUE", moment, moment)];
        for (row, (stiff, damp, load, scale, load_scale)) in rows.into_iter().enumerate() {
            let list = |key: &str| s.get(key).map(numbers).transpose().map(Option::unwrap_or_default);
            let (k, c, f) = (list(stiff)?, list(damp)?, list(load)?);
            for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
                let get = |list: &[f64]| list.get(axis).copied().unwrap_or(0.0);
                if get(&k) == 0.0 && get(&c) == 0.0 && get(&f) == 0.0 {
                    continue;
                }
                let (gauge, coordinate) = match row {
                    0 => (self.gauge("gauge", &i, &j, 2), letter),
                    _ => (self.gauge("angle-gauge", &i, &j, axis), "angle"),
                };
                let wish = format!("{name}_{}{letter}", if row == 0 { "" } else { "t" });
                let one = nodes::unused(&wish, &mut self.names);
                let keys = vec![
                    ("type", "joint-spring".into()),
                    ("joint", gauge.as_str().into()),
                    ("coordinate", coordinate.into()),
                    ("stiffness", Node::from(get(&k) * scale)),
                    ("damping", Node::from(get(&c) * scale * time)),
                ];
                add(&mut self.forces, &one, s, keys);
                if get(&f) != 0.0 {
                    let one = nodes::unused(&format!("{wish}_preload"), &mut self.names);
                    self.effort(&one, s, &gauge, coordinate, Node::from(get(&f) * load_scale));
                }
            }
        }
        Ok(())
    }

    /// The function of a key, in SI.
    fn value(&mut self, s: &Statement, key: &str, scale: f64) -> std::result::Result<Node, Unread> {
        let text: &Text =
            s.get(key).and_then(|a| a.values.first()).ok_or_else(|| Unread(format!("{key} has no function")))?;
        let found = self.function(text).and_then(|e| self.written(&e, text, scale));
        found.map_err(|e| Unread(e.message().to_string()))
    }
}

/// Why a force is not read.
struct Unread(String);

type Done = std::result::Result<(), Unread>;

impl From<Error> for Unread {
    fn from(error: Error) -> Unread {
        Unread(error.message().to_string())
    }
}

fn negative(node: Node) -> Node {
    let value = match node.value {
        crate::tree::Value::Number(x) => crate::tree::Value::Number(-x),
        crate::tree::Value::Text(text) => crate::tree::Value::Text(format!("-({text})")),
        other => other,
    };
    Node { value, span: node.span }
}
