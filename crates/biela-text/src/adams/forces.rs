//! Forces: along the line of two markers, about an axis, or by components.

use super::action::Acting;
use super::deck::{Statement, Text};
use super::{add, number, Done, Unread, Writer};
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
            "FIELD" => self.field(s),
            "BEAM" => self.beam(s),
            _ => self.components(s),
        };
        if let Err(Unread(message)) = done {
            self.told.doubt(Error::new(message).of(s.shown()).at(&s.span), "not read, its force is missing")?;
        }
        Ok(())
    }

    /// An effort along a coordinate.
    pub fn effort(&mut self, name: &str, s: &Statement, joint: &str, coordinate: &str, value: Node) {
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
            let acting = Acting { i: &i, reaction: None, axes: &j, torque };
            return self.action(s, &name, acting, [None, None, Some(value)]);
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
            if !torque && axes.part == reaction.part && axes.part != 0 && axes.part != i.part {
                // Along axes of the part that bears the reaction: efforts along the place of I in it, which act at I on both.
                let gauge = self.gauge("gauge", &i, &axes, 2);
                for (value, letter) in values.into_iter().zip(["x", "y", "z"]) {
                    if let Some(value) = value {
                        let name = nodes::unused(&format!("{name}_{letter}"), &mut self.names);
                        self.effort(&name, s, &gauge, letter, value);
                    }
                }
            } else {
                let acting = Acting { i: &i, reaction: Some(&reaction), axes: &axes, torque };
                self.action(s, &name, acting, values)?;
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

    /// The function of a key, in SI.
    fn value(&mut self, s: &Statement, key: &str, scale: f64) -> std::result::Result<Node, Unread> {
        let text: &Text =
            s.get(key).and_then(|a| a.values.first()).ok_or_else(|| Unread(format!("{key} has no function")))?;
        let found = self.function(text).and_then(|e| self.written(&e, text, scale));
        found.map_err(|e| Unread(e.message().to_string()))
    }
}
