//! Motions: joint coordinates, or the place of one marker seen from another, prescribed over time.

use super::constraints::joint_of;
use super::deck::Statement;
use super::function::Expression;
use super::parts::Marker;
use super::{add, identifier, number, Writer};
use crate::nodes::{pair, vector};
use crate::tree::{Node, Value};
use biela_base::error::{Error, Result};
use biela_math::Elementary;

impl Writer<'_> {
    pub fn motion(&mut self, s: &Statement) -> Result<()> {
        let text = s.get("FUNCTION").and_then(|a| a.values.first()).ok_or_else(|| Error::new("FUNCTION is missing"))?;
        let found = self.function(text)?;
        if !found.of_time() {
            return Err(Error::new("a motion is a function of the time alone").at(&text.span));
        }
        match joint_of(s)? {
            Some(id) => {
                let (coordinate, turns, drawn) = self.driven(s, id)?;
                let scale = if turns { 1.0 } else { self.units.length };
                let value = self.displacement(s, found, drawn / scale, scale)?;
                let name = self.name(s);
                add(&mut self.drivers, &name, s, vec![("joint", coordinate.into()), ("value", value)]);
                self.driven_joints.push((id, name, turns));
                Ok(())
            }
            None => self.between_markers(s, found),
        }
    }

    /// X, Y or Z: where I is along an axis of J. B1, B2 or B3: how far it is turned about one.
    fn between_markers(&mut self, s: &Statement, found: Expression) -> Result<()> {
        let (i, j) = self.markers(s)?;
        let axis = |words: [&str; 3]| words.iter().position(|w| s.has(w));
        let name = self.name(s);
        let axis = match (axis(["X", "Y", "Z"]), axis(["B1", "B2", "B3"])) {
            (Some(axis), _) => axis,
            (_, Some(axis)) => return self.turned(s, found, name, (&i, &j), axis),
            _ => return Err(Error::new("a motion names a joint, or two markers and X, Y, Z, B1, B2 or B3")),
        };
        let (of_j, of_i) = (self.parts.drawn(&j), self.parts.drawn(&i));
        let drawn = of_j.apply_inverse(of_i.origin)[axis];
        let value = self.displacement(s, found, drawn / self.units.length, self.units.length)?;
        let a = vector(j.X_BM.rotation.axes[axis]);
        let keys = vec![
            ("type", "dot2".into()),
            ("bodies", self.bodies(&i, &j)),
            ("at", self.points(&i, &j)),
            ("a", a),
            ("value", value),
        ];
        add(&mut self.elements, &name, s, keys);
        Ok(())
    }

    /// B1, B2, B3: angles about x, y and z that turn with the body, which take the axes of J to those of I. The first is that of z of I about x of J, the
    /// last that of x of J about z of I; the second is one of the same kind where nothing prescribes the first, else it is told by a product of axes.
    fn turned(
        &mut self,
        s: &Statement,
        found: Expression,
        name: String,
        (i, j): (&Marker, &Marker),
        axis: usize,
    ) -> Result<()> {
        let [x, y, z] = (self.parts.drawn(j).rotation.transposed() * self.parts.drawn(i).rotation).axes;
        let drawn = match axis {
            0 => (-z.y).arctangent2(z.z),
            1 => z.x.clamp(-1.0, 1.0).arcsine(),
            _ => (-y.x).arctangent2(x.x),
        };
        let value = self.displacement(s, found, drawn, 1.0)?;
        if axis == 1 && self.turns_first(s) {
            let a = pair(vector(j.X_BM.rotation.axes[0]), vector(i.X_BM.rotation.axes[2]));
            let value = match value.value {
                Value::Number(x) => Node::from(x.sine()),
                Value::Text(text) => Node::from(format!("sin({text})")),
                _ => Node::from(0.0),
            };
            let keys = vec![("type", "dot1".into()), ("bodies", self.bodies(i, j)), ("a", a), ("value", value)];
            add(&mut self.elements, &name, s, keys);
            return Ok(());
        }
        // Seen from I, J is turned the other way.
        let (gauge, value) = match axis {
            2 => (self.gauge("angle-gauge", j, i, 2), negative(value)),
            _ => (self.gauge("angle-gauge", i, j, axis), value),
        };
        add(
            &mut self.drivers,
            &name,
            s,
            vec![("joint", gauge.into()), ("coordinate", "angle".into()), ("value", value)],
        );
        Ok(())
    }

    /// Whether another motion of the same markers prescribes B1.
    fn turns_first(&self, s: &Statement) -> bool {
        let ends = |s: &Statement| ["I", "J"].map(|key| s.get(key).and_then(|a| identifier(a).ok()));
        self.motions.iter().any(|other| other.has("B1") && ends(other) == ends(s))
    }

    /// The displacement over time: as it is given, or integrated once or twice from where the drawing or ICDISP says it begins.
    fn displacement(&mut self, s: &Statement, found: Expression, drawn: f64, scale: f64) -> Result<Node> {
        let text = s.get("FUNCTION").and_then(|a| a.values.first()).ok_or_else(|| Error::new("FUNCTION is missing"))?;
        let open = || {
            Error::new("no closed form is known here for the integral of this motion").at(&text.span).note(
                "sums of powers, sines, cosines, exponentials, STEP, STEP5 and IF of the time are integrated; give the displacement for others",
            )
        };
        let from = |e: Expression, start: f64| -> Option<Expression> {
            let whole = e.integrated()?;
            let at_zero = whole.value(Some(0.0))?;
            Some(Expression::Sum(whole.into(), Expression::Number(start - at_zero).into()))
        };
        let (place, speed) = (number(s, "ICDISP")?, number(s, "ICVEL")?.unwrap_or(0.0));
        let place = place.unwrap_or(drawn);
        let value = if s.has("VELOCITY") {
            from(found, place).ok_or_else(open)?
        } else if s.has("ACCELERATION") {
            from(found, speed).and_then(|v| from(v, place)).ok_or_else(open)?
        } else {
            found
        };
        self.written(&value, text, scale)
    }
}

fn negative(node: Node) -> Node {
    let value = match node.value {
        Value::Number(x) => Value::Number(-x),
        Value::Text(text) => Value::Text(format!("-({text})")),
        other => other,
    };
    Node { value, span: node.span }
}
