//! Directions and rates in any axes: components of one marker's axes along another's, velocities as an observer on any part sees them, and rates of
//! turning, all made of the places of points that gauges tell.

use super::parts::Marker;
use super::Writer;
use crate::tree::{Node, Value};
use biela_math::Vec3;

/// A number, or what the model file computes, in units of the deck.
#[derive(Debug, Clone)]
pub(super) enum Term {
    Number(f64),
    Text(String),
}
use Term::{Number, Text};

impl Term {
    pub const ZERO: Term = Number(0.0);

    pub fn text(&self) -> String {
        match self {
            Number(x) if *x < 0.0 => format!("({x:?})"),
            Number(x) => format!("{x:?}"),
            Text(text) => text.clone(),
        }
    }

    pub fn negative(self) -> Term {
        match self {
            Number(x) => Number(-x),
            Text(text) => Text(format!("(-{text})")),
        }
    }

    pub fn plus(self, other: Term) -> Term {
        match (self, other) {
            (Number(a), Number(b)) => Number(a + b),
            (Number(0.0), other) | (other, Number(0.0)) => other,
            (a, b) => Text(format!("({} + {})", a.text(), b.text())),
        }
    }

    pub fn minus(self, other: Term) -> Term {
        match (self, other) {
            (Number(a), Number(b)) => Number(a - b),
            (a, Number(0.0)) => a,
            (Number(0.0), b) => b.negative(),
            (a, b) => Text(format!("({} - {})", a.text(), b.text())),
        }
    }

    pub fn times(self, other: Term) -> Term {
        match (self, other) {
            (Number(a), Number(b)) => Number(a * b),
            (Number(0.0), _) | (_, Number(0.0)) => Term::ZERO,
            (Number(1.0), other) | (other, Number(1.0)) => other,
            (a, b) => Text(format!("{}*{}", a.text(), b.text())),
        }
    }

    /// What a value of the document says.
    pub fn of(node: &Node) -> Term {
        match &node.value {
            Value::Number(x) => Number(*x),
            Value::Text(text) => Text(format!("({text})")),
            _ => Term::ZERO,
        }
    }

    pub fn node(self) -> Node {
        match self {
            Number(x) => Node::from(x),
            Text(text) => Node::from(text),
        }
    }
}

/// Σ aₖ bₖ.
pub(super) fn dot(a: [Term; 3], b: [Term; 3]) -> Term {
    a.into_iter().zip(b).fold(Term::ZERO, |sum, (a, b)| sum.plus(a.times(b)))
}

impl Writer<'_> {
    /// Where a marker is in another's frame, along one of its axes.
    pub fn place(&mut self, i: &Marker, k: &Marker, axis: usize, rate: bool) -> Term {
        if i.part == k.part {
            let d: Vec3 = k.X_BM.apply_inverse(i.X_BM.origin);
            return Number(if rate { 0.0 } else { d[axis] / self.units.length });
        }
        let name = self.gauge("gauge", i, k, 2);
        Text(self.coordinate_text(&name, ["x", "y", "z"][axis.min(2)], false, rate))
    }

    /// How far one marker is from another along an axis of a third.
    pub fn between(&mut self, (i, j): (&Marker, &Marker), k: &Marker, axis: usize, rate: bool) -> Term {
        let (of_i, of_j) = (self.place(i, k, axis, rate), self.place(j, k, axis, rate));
        of_i.minus(of_j)
    }

    /// The component of axis `a` of one marker along axis `c` of another, or its rate: how far the tip of that axis is from its origin.
    pub fn cosine(&mut self, (m, a): (&Marker, usize), (f, c): (&Marker, usize), rate: bool) -> Term {
        // A quarter turn leaves rounding behind, which is no component.
        const ROUNDING: f64 = 1e-15;
        if m.part == f.part {
            let x = m.X_BM.rotation.axes[a].dot(f.X_BM.rotation.axes[c]);
            return Number(if rate || x.abs() < ROUNDING { 0.0 } else { x });
        }
        let mut tip = m.clone();
        tip.X_BM.origin += m.X_BM.rotation.axes[a] * self.units.length;
        let wish = format!("{}_axis_{}_{}", ["x", "y", "z"][a.min(2)], m.id, f.id);
        let name = self.measuring(&wish, "gauge", &tip, f, 2);
        let tip = Text(self.coordinate_text(&name, ["x", "y", "z"][c.min(2)], false, rate));
        tip.minus(self.place(m, f, c, rate))
    }

    fn cosines(&mut self, m: (&Marker, usize), f: &Marker, rate: bool) -> [Term; 3] {
        [0, 1, 2].map(|c| self.cosine(m, (f, c), rate))
    }

    /// The velocity of I less that of J along an axis of K, as an observer on the part of L sees it.
    pub fn velocity_between(&mut self, (i, j): (&Marker, &Marker), (k, axis): (&Marker, usize), l: &Marker) -> Term {
        if k.part == l.part {
            return self.between((i, j), k, axis, true);
        }
        let apart = [0, 1, 2].map(|c| self.between((i, j), l, c, true));
        let along = self.cosines((k, axis), l, false);
        dot(apart, along)
    }

    /// How fast I turns against J, about an axis of K: with R the axes of I in those of J, the rates are those of Ṙ Rᵀ.
    pub fn turning(&mut self, (i, j): (&Marker, &Marker), (k, axis): (&Marker, usize)) -> Term {
        if i.part == j.part {
            return Term::ZERO;
        }
        if let Some(found) = self.turning_of_joint((i, j), (k, axis)) {
            return found;
        }
        let along = self.cosines((k, axis), j, false);
        let mut rates = [Term::ZERO, Term::ZERO, Term::ZERO];
        for (c, rate) in rates.iter_mut().enumerate() {
            if matches!(along[c], Number(0.0)) {
                continue;
            }
            let (from, to) = ((c + 1) % 3, (c + 2) % 3);
            let moving = [0, 1, 2].map(|a| self.cosine((i, a), (j, to), true));
            let still = [0, 1, 2].map(|a| self.cosine((i, a), (j, from), false));
            *rate = dot(moving, still);
        }
        dot(rates, along)
    }

    /// The same where a joint of both parts turns about that axis alone: the rate of one angle.
    fn turning_of_joint(&mut self, (i, j): (&Marker, &Marker), (k, axis): (&Marker, usize)) -> Option<Term> {
        const COSINE: f64 = 1.0 - 1e-9;
        let wanted = self.parts.drawn(k).rotation.axes[axis];
        let both = |a: usize, b: usize| (a, b) == (i.part, j.part) || (b, a) == (i.part, j.part);
        let turns = self.joints.values().any(|joint| {
            let own = self.parts.drawn(&joint.j).rotation.axes[2];
            joint.turn.is_some() && both(joint.i.part, joint.j.part) && own.dot(wanted).abs() > COSINE
        });
        // K stands still against the axis only where it belongs to one of the two.
        if !turns || !(k.part == i.part || k.part == j.part) {
            return None;
        }
        let axes = self.parts.drawn(j).rotation.axes;
        let own = (0..3).find(|c| axes[*c].dot(wanted).abs() > COSINE)?;
        let rate = Text(self.angle(i, j, own, true));
        Some(if axes[own].dot(wanted) < 0.0 { rate.negative() } else { rate })
    }
}
