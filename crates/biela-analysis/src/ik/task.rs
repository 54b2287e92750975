//! What a tool is to do, from expressions of time or from a table of poses.

use super::{tool, Task};
use crate::drivers::Attitude;
use crate::error::{Error, Result};
use crate::expr::{Expression, Name, Scope};
use crate::model::Model;
use crate::motion::{Motion, Spline};
use crate::results::Results;
use crate::solve::samples::time;
use crate::units::Kind;

/// Columns of a table of poses, and names of expressions: where the tool's point is, in ground axes.
pub const PLACES: [&str; 3] = ["x", "y", "z"];
/// Turns of the tool's body about the fixed axes x, y, z.
pub const ANGLES: [&str; 3] = ["roll", "pitch", "yaw"];
const EULER: [&str; 4] = ["e0", "e1", "e2", "e3"];

impl Task {
    /// A tool (`link.point`, or `link` for its origin) that is to do nothing yet.
    fn of(model: &Model, name: &str) -> Result<Task> {
        let (body, p_B) = tool(model, name)?;
        Ok(Task { body, p_B, place: [None, None, None], attitude: None, times: Vec::new() })
    }

    /// The tool led by expressions of `t` and the parameters: x, y, z, roll, pitch, yaw, those that matter. Messages put
    /// `prefix` before these names.
    pub fn by_expressions(model: &Model, name: &str, texts: [Option<&str>; 6], prefix: &str) -> Result<Task> {
        let mut task = Task::of(model, name)?;
        if let Some(k) = [2, 3, 4].into_iter().find(|k| model.space.is_planar() && texts[*k].is_some()) {
            let which = if k < 3 { PLACES[k] } else { ANGLES[k - 3] };
            return Err(Error::new("leads out of the plane, which planar = true keeps to")
                .of(format!("{prefix}{which}"))
                .note(format!("in a planar model a tool has {prefix}x, {prefix}y and {prefix}yaw")));
        }
        let scope = Names(model);
        let motion = |k: usize| -> Result<Option<Motion>> {
            let Some(text) = texts[k] else { return Ok(None) };
            let which = if k < 3 { PLACES[k] } else { ANGLES[k - 3] };
            let expression = Expression::parse(text, &scope)
                .map_err(|e| Error::new(e.message).of(format!("{prefix}{which} '{text}'")))?;
            Ok(Some(match expression.as_constant() {
                Some(x) => Motion::Constant(x),
                None => Motion::Expression(expression),
            }))
        };
        for (k, place) in task.place.iter_mut().enumerate() {
            *place = motion(k)?;
        }
        task.attitude = match [motion(3)?, motion(4)?, motion(5)?] {
            [None, None, None] => None,
            angles => Some(Attitude::Rpy(Box::new(angles.map(|a| a.unwrap_or(Motion::Constant(0.0)))))),
        };
        if task.place.iter().all(Option::is_none) && task.attitude.is_none() {
            return Err(Error::new("no path for the tool")
                .note(format!("give {prefix}path, or {prefix}x, {prefix}y, {prefix}z as expressions of t")));
        }
        let constant = |m: &Motion| matches!(m, Motion::Constant(_));
        let still = task.place.iter().flatten().all(constant)
            && !matches!(&task.attitude, Some(Attitude::Rpy(a)) if !a.iter().all(constant));
        let study = &model.study;
        // A single pose needs no more than one sample.
        task.times = if still { vec![study.start] } else { (0..=study.steps).map(|k| time(model, k)).collect() };
        Ok(task)
    }

    /// The tool led along a table of poses: columns t, x, y, z and e0 … e3 or roll, pitch, yaw, those that matter.
    pub fn by_table(model: &Model, name: &str, table: &Results) -> Result<Task> {
        let mut task = Task::of(model, name)?;
        if table.is_empty() {
            return Err(Error::new("no poses in it"));
        }
        let planar = model.space.is_planar();
        let allowed: Vec<&str> = match planar {
            true => vec!["t", PLACES[0], PLACES[1], ANGLES[2]],
            false => ["t"].into_iter().chain(PLACES).chain(EULER).chain(ANGLES).collect(),
        };
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        for column in &table.columns {
            if !allowed.contains(&column.name.as_str()) {
                return Err(Error::new(format!("no column '{}' in a path", column.name)).suggest(&column.name, allowed));
            }
            let factor = factor(column.unit).ok_or_else(|| Error::new(format!("'{}' is no unit", column.unit)))?;
            columns.push((column.name.clone(), column.data.iter().map(|x| x * factor).collect()));
        }
        let take = |name: &str| columns.iter().find(|c| c.0 == name).map(|c| c.1.clone());
        let study = &model.study;
        let last = table.len().max(2) - 1;
        let even = |k: usize| study.start + (study.end - study.start) * k as f64 / last as f64;
        task.times = take("t").unwrap_or_else(|| (0..table.len()).map(even).collect());
        let curve = |data: Vec<f64>| -> Result<Motion> {
            match data[..] {
                [x] => Ok(Motion::Constant(x)),
                _ => Spline::new(&task.times, &data).map(Motion::Table),
            }
        };
        for (place, name) in task.place.iter_mut().zip(PLACES) {
            *place = take(name).map(curve).transpose()?;
        }
        let (angles, euler) = (ANGLES.map(take), EULER.map(take));
        task.attitude = match (angles, euler) {
            ([None, None, None], [None, None, None, None]) => None,
            ([_, _, Some(yaw)], _) if planar => {
                Some(Attitude::Rpy(Box::new([Motion::Constant(0.0), Motion::Constant(0.0), curve(yaw)?])))
            }
            ([Some(a), Some(b), Some(c)], [None, None, None, None]) => {
                Some(Attitude::Rpy(Box::new([curve(a)?, curve(b)?, curve(c)?])))
            }
            ([None, None, None], [Some(a), Some(b), Some(c), Some(d)]) => {
                let mut p = [a, b, c, d];
                for k in 1..table.len() {
                    // p and −p are one attitude; the curve through them needs one sign.
                    if (0..4).map(|i| p[i][k] * p[i][k - 1]).sum::<f64>() < 0.0 {
                        p.iter_mut().for_each(|p| p[k] = -p[k]);
                    }
                }
                let [a, b, c, d] = p;
                Some(Attitude::Euler(Box::new([curve(a)?, curve(b)?, curve(c)?, curve(d)?])))
            }
            _ => {
                return Err(Error::new(
                    "an orientation is given by all of e0, e1, e2, e3 or by all of roll, pitch, yaw",
                ))
            }
        };
        Ok(task)
    }
}

/// Time and the model's parameters.
struct Names<'m>(&'m Model);

impl Scope for Names<'_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        if name == "t" {
            return Some(Name::Variable(0));
        }
        let parameter = self.0.parameters.iter().find(|p| p.0 == name)?;
        Some(Name::Constant(parameter.1, Kind::Any))
    }

    fn names(&self) -> Vec<String> {
        std::iter::once("t".to_string()).chain(self.0.parameters.iter().map(|p| p.0.clone())).collect()
    }
}

/// How many SI units one of this unit is.
fn factor(unit: &str) -> Option<f64> {
    match unit.trim() {
        "" | "1" | "-" => Some(1.0),
        unit => Expression::parse(&format!("1 {unit}"), &()).ok()?.as_constant(),
    }
}
