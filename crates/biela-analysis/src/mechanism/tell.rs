//! A linkage in words for people, and as JSON for programs.

use super::{Linkage, MovingPoint, Planar};
use crate::results::significant;
use serde_json::{json, Value};

const DIGITS: usize = 7;

impl Linkage {
    /// For people, in the units of the model; angles in degrees where it names no unit of them.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if let Some(input) = &self.input {
            let rate = self.shown(input.rate, if input.unit == "rad" { "rad/s" } else { "m/s" });
            let value = self.shown(input.value, input.unit);
            let assumed = if input.assumed { " (the driver stands still; this rate is assumed)" } else { "" };
            out += &format!("input {} = {value}, {rate}{assumed}\n", input.coordinate);
        }
        if let Some(class) = self.class {
            out += &format!("Grashof class: {}\n", class.word());
        }
        if let Some(reason) = &self.ended {
            out += &format!("the motion ends early: {reason}\n");
        }
        let rows = self.transmissions.iter().map(|t| {
            let at = self.shown(t.t_least, "s");
            vec![t.joint.clone(), self.shown(t.angle, "rad"), self.shown(t.least, "rad"), at]
        });
        out += &table("transmission angle", &["at joint", "here", "least", "at"], rows.collect());
        out += &self.outputs_text();
        let rows = self.centres.iter().map(|c| {
            let names = c.bodies.map(|b| self.bodies[b].clone());
            let [x, y] = self.place(c.at);
            vec![names[0].clone(), names[1].clone(), x, y, c.joint.clone().unwrap_or_default()]
        });
        out += &table("instant centres", &["of", "and", self.axes[0], self.axes[1], "joint"], rows.collect());
        let rows = self.circles.iter().map(|c| {
            let [x, y] = self.place(c.opposite);
            vec![self.bodies[c.body].clone(), self.shown(c.diameter, "m"), x, y]
        });
        let heads = ["of", "diameter", self.axes[0], self.axes[1]];
        out += &table("inflection circles, with the pole opposite to the instant centre", &heads, rows.collect());
        let rows = self.points.iter().filter(|p| p.named).map(|p| {
            let radius = p.curvature.map_or(f64::NAN, |c| 1.0 / c.abs());
            let [v, a] = [(p.v, "m/s"), (p.a, "m/s^2")].map(|(v, unit)| self.shown(length(v), unit));
            vec![self.point_name(p), v, a, self.shown(radius, "m")]
        });
        out + &table("points", &["point", "speed", "acceleration", "radius of curvature"], rows.collect())
    }

    fn outputs_text(&self) -> String {
        let rows = self.outputs.iter().map(|o| {
            let (stroke, ratio) = match &o.quick_return {
                Some(q) => (self.shown(q.ends[1] - q.ends[0], o.unit), significant(q.ratio, DIGITS)),
                None => ("".into(), "".into()),
            };
            let value = self.shown(o.value, o.unit);
            let [per, gain] = [(o.ratio, o.units[0]), (o.advantage, o.units[1])].map(|(x, unit)| self.shown(x, unit));
            vec![o.coordinate.clone(), value, per, gain, stroke, ratio]
        });
        let heads = ["output", "value", "ratio", "advantage", "stroke", "time ratio"];
        table("outputs against the input", &heads, rows.collect())
    }

    /// The name that signals of a point have.
    fn point_name(&self, p: &MovingPoint) -> String {
        crate::signal_name::join(&self.bodies[p.body], &p.name)
    }

    /// A number with its unit as people read it.
    fn shown(&self, x: f64, unit: &'static str) -> String {
        match x {
            x if x.is_nan() => return "none".into(),
            x if x.is_infinite() => return "infinite".into(),
            _ => {}
        }
        let scale = self.units.scale(unit);
        let (x, unit) = match scale.unit.as_str() {
            "rad" => (x.to_degrees(), "deg"),
            "rad/s" => (x.to_degrees(), "deg/s"),
            "1" => (x, ""),
            unit => (scale.shown(x), unit),
        };
        // Roundings of a length or an angle are no figures.
        let x = if x.abs() < 1e-12 { 0.0 } else { x };
        format!("{} {unit}", significant(x, DIGITS)).trim_end().to_string()
    }

    /// The unit in which people read a quantity of that one, and how many of it make one of SI.
    pub fn unit(&self, unit: &'static str) -> (String, f64) {
        let scale = self.units.scale(unit);
        (scale.unit.clone(), scale.ratio())
    }

    fn place(&self, p: Planar) -> [String; 2] {
        match p {
            [x, _] if x.is_infinite() => ["at infinity".into(), String::new()],
            [x, _] if x.is_nan() => ["none".into(), String::new()],
            p => p.map(|x| self.shown(x, "m")),
        }
    }

    /// For programs, in SI. What is infinite or no number is null.
    pub fn json(&self) -> Value {
        let name = |b: usize| self.bodies[b].as_str();
        let quick = |q: &super::QuickReturn| {
            json!({"lower": q.ends[0], "upper": q.ends[1], "input_at_lower": q.at[0], "input_at_upper": q.at[1],
                "rise": q.rise, "time_ratio": q.ratio})
        };
        let output = |o: &super::Output| {
            json!({"coordinate": o.coordinate, "value": o.value, "ratio": finite(o.ratio), "advantage": finite(o.advantage),
                "infinite_advantage": o.advantage.is_infinite(), "time_ratio": o.quick_return.map(|q| q.ratio),
                "stroke": o.quick_return.as_ref().map(quick)})
        };
        let centre = |c: &super::InstantCentre| json!({"bodies": c.bodies.map(name), "at": place(c.at), "infinite": c.at[0].is_infinite(), "joint": c.joint});
        let circle = |c: &super::InflectionCircle| {
            json!({"body": name(c.body), "pole": place(c.pole), "inflection_pole": place(c.opposite),
                "diameter": finite(c.diameter)})
        };
        let point = |p: &MovingPoint| {
            json!({"name": p.name, "body": name(p.body), "at": place(p.at), "v": place(p.v), "a": place(p.a),
                "curvature": p.curvature.and_then(finite)})
        };
        let curves = |c: &super::PoleCurves| {
            let list = |of: &[Planar]| of.iter().map(|p| place(*p)).collect::<Vec<_>>();
            json!({"body": name(c.body), "in_ground": list(&c.fixed), "in_body": list(&c.moving)})
        };
        let input = self.input.as_ref().map(|i| {
            json!({"driver": i.driver, "coordinate": i.coordinate, "value": i.value, "rate": i.rate,
                "rate_assumed": i.assumed})
        });
        let angle = |t: &super::TransmissionAngle| json!({"joint": t.joint, "angle": finite(t.angle), "least": t.least, "t_least": t.t_least});
        json!({
            "model": self.model,
            "t": self.t,
            "axes": self.axes,
            "input": input,
            "class": self.class.map(|c| c.word()),
            "complete": self.ended.is_none(),
            "transmission": self.transmissions.iter().map(angle).collect::<Vec<_>>(),
            "outputs": self.outputs.iter().map(output).collect::<Vec<_>>(),
            "centres": self.centres.iter().map(centre).collect::<Vec<_>>(),
            "inflection": self.circles.iter().map(circle).collect::<Vec<_>>(),
            "points": self.points.iter().map(point).collect::<Vec<_>>(),
            "pole_curves": self.pole_curves.iter().map(curves).collect::<Vec<_>>(),
        })
    }
}

fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

fn place(p: Planar) -> Option<Planar> {
    p.iter().all(|x| x.is_finite()).then_some(p)
}

fn length([x, y]: Planar) -> f64 {
    (x * x + y * y).sqrt()
}

/// A table under its heading; nothing where it has no rows.
fn table(heading: &str, heads: &[&str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let all: Vec<Vec<String>> = std::iter::once(heads.iter().map(|h| h.to_string()).collect()).chain(rows).collect();
    let width = |k: usize| all.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let mut out = format!("\n{heading}\n");
    for row in &all {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        out += format!("  {}", cells.join("  ")).trim_end();
        out.push('\n');
    }
    out
}
