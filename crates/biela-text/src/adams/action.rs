//! Forces and torques whose components stand in axes of any part, and whose reaction any part bears.

use super::deck::Statement;
use super::directions::{dot, Term};
use super::measures::LONGEST;
use super::parts::Marker;
use super::{add, Done, Unread, Writer};
use crate::nodes;
use crate::tree::Node;

/// On whom a force or torque acts, who bears its reaction, and in whose axes its components stand.
pub(super) struct Acting<'m> {
    pub i: &'m Marker,
    pub reaction: Option<&'m Marker>,
    pub axes: &'m Marker,
    pub torque: bool,
}

/// One of the two that a force or torque acts on.
struct Bearer<'m> {
    name: String,
    marker: &'m Marker,
    torque: bool,
}

impl Writer<'_> {
    /// Components along the axes of a marker, on the part of I alone or on that of `reaction` too. The reaction of a force acts where I is.
    pub fn action(&mut self, s: &Statement, name: &str, acting: Acting, values: [Option<Node>; 3]) -> Done {
        let Acting { i, reaction, axes, torque } = acting;
        let values = values.map(|v| v.as_ref().map_or(Term::ZERO, Term::of));
        let reaction = reaction.filter(|r| r.part != 0);
        if axes.part == i.part && axes.part != 0 && reaction.is_none() {
            // The axes go with the body: components along its own.
            let own = [0, 1, 2].map(|c| {
                let share = |k: usize| tidy(axes.X_BM.rotation.axes[k].to_array()[c]);
                dot(values.clone(), [0, 1, 2].map(|k| Term::Number(share(k))))
            });
            return self.exert(s, Bearer { name: name.into(), marker: i, torque }, own, "body");
        }
        let global = self.parts.marker(0, &s.span)?;
        let sums = [0, 1, 2].map(|c| {
            let along = [0, 1, 2].map(|k| self.cosine((axes, k), (&global, c), false));
            dot(values.clone(), along)
        });
        if i.part != 0 {
            self.exert(s, Bearer { name: name.into(), marker: i, torque }, sums.clone(), "ground")?;
        }
        let Some(r) = reaction else { return Ok(()) };
        let against = sums.map(Term::negative);
        let called = nodes::unused(&format!("{name}_reaction"), &mut self.names);
        self.exert(s, Bearer { name: called, marker: r, torque }, against.clone(), "ground")?;
        if torque {
            return Ok(());
        }
        // From where the reaction is written down to where it acts.
        let length = Term::Number(self.units.length);
        let arm = [0, 1, 2].map(|c| self.between((i, r), &global, c, false).times(length.clone()));
        let moment = [(1, 2), (2, 0), (0, 1)]
            .map(|(a, b)| arm[a].clone().times(against[b].clone()).minus(arm[b].clone().times(against[a].clone())));
        let called = nodes::unused(&format!("{name}_reaction_moment"), &mut self.names);
        self.exert(s, Bearer { name: called, marker: r, torque: true }, moment, "ground")
    }

    fn exert(&mut self, s: &Statement, bearer: Bearer, components: [Term; 3], frame: &str) -> Done {
        let list: Vec<Node> = components.into_iter().map(Term::node).collect();
        let long = |n: &Node| matches!(&n.value, crate::tree::Value::Text(text) if text.len() > LONGEST);
        if list.iter().any(long) {
            return Err(Unread("its components are too long when they are written out".into()));
        }
        let mut keys = vec![
            ("type", if bearer.torque { "torque" } else { "force" }.into()),
            ("body", self.parts.list[bearer.marker.part].name.as_str().into()),
        ];
        if !bearer.torque {
            keys.push(("at", nodes::vector(bearer.marker.X_BM.origin)));
        }
        keys.extend([("value", Node::from(list)), ("frame", frame.into())]);
        add(&mut self.forces, &bearer.name, s, keys);
        Ok(())
    }
}

/// A quarter turn leaves rounding behind, which is no component.
fn tidy(share: f64) -> f64 {
    const ROUNDING: f64 = 1e-15;
    if share.abs() < ROUNDING {
        0.0
    } else {
        share
    }
}
