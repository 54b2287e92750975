//! `[optimise]`: parameters between bounds, curves to be met, measures to be made small or kept within limits.

use super::context::Context;
use super::reader::Reader;
use super::sweep::{named, table_of, wanted};
use super::tree::{Entry, Node, Table, Value};
use super::values::{self, describe, text_place, wrong};
use biela_base::error::{Error, Result};
use biela_base::units::Kind;
use biela_core::plan::goal::{MOST_STARTS, USUAL_DESIGNS, USUAL_ITERATIONS, USUAL_STARTS};
use biela_core::plan::{distribution, sampling, Fit, Goal, Limit, Plan, Spread, Target, Variation, Wanted};

pub(super) const KEYS: &[&str] = &["vary", "fit", "minimise", "limit", "starts", "samples", "seed", "iterations"];
const FIT_KEYS: &[&str] = &["signals", "points", "t", "wanted", "file", "weight"];
/// How bounds are written.
const BOUNDS: &str = "such as \"0.5:3\" (least and greatest value) or [0.5, 3]";
/// How a limit is written.
const LIMIT: &str = "such as limit.pin = \"max(abs(B.fx)) <= 50 N\", or \"0 <= min(gap) <= 2 mm\"";
/// What a goal needs.
pub(super) const FORM: &str =
    "write [optimise] with vary.NAME = \"least:greatest\" and fit, minimise or limit, or give --vary, --fit, --minimise, --limit";

/// What a caller asks of an optimisation, before what the model says.
#[derive(Debug, Clone, Default)]
pub struct AskedGoal {
    /// Parameters and their bounds, as texts. Where there are any, those of the model do not count.
    pub vary: Vec<(String, String)>,
    /// Tables of wanted points. Where there are any, the curves of the model do not count.
    pub fit: Vec<String>,
    /// Measures to be made small: name and expression; in place of the model's own.
    pub minimise: Vec<(String, String)>,
    /// Limits: name and expression with its bounds; in place of the model's own of that name.
    pub limit: Vec<(String, String)>,
    /// Number of starts.
    pub starts: Option<u64>,
    /// Number of designs looked at for starts.
    pub samples: Option<u64>,
    /// Seed.
    pub seed: Option<u64>,
    /// Corrections of one start, at most.
    pub iterations: Option<u64>,
}

/// Puts what is asked for into the model's table.
pub(super) fn add(tree: &mut Table, asked: &AskedGoal) {
    let mut table = match tree.get("optimise").map(|n| &n.value) {
        Some(Value::Table(table)) => table.clone(),
        // A value of another kind is for the reader to refuse.
        Some(_) => return,
        None => Table::default(),
    };
    for (key, pairs) in [("vary", &asked.vary), ("minimise", &asked.minimise), ("limit", &asked.limit)] {
        if pairs.is_empty() {
            continue;
        }
        let mut inner = match table.get(key).map(|n| &n.value) {
            Some(Value::Table(inner)) if key == "limit" => inner.clone(),
            _ => Table::default(),
        };
        for (name, text) in pairs {
            inner.set(name.clone(), named(&format!("--{key} {name}"), text));
        }
        table.set(key, inner);
    }
    if !asked.fit.is_empty() {
        let mut fits = Table::default();
        for (k, file) in asked.fit.iter().enumerate() {
            let mut fit = Table::default();
            fit.set("file", named("--fit", file));
            let name = if k == 0 { "fit".to_string() } else { format!("fit{}", k + 1) };
            fits.set(name, fit);
        }
        table.set("fit", fits);
    }
    let numbers =
        [("starts", asked.starts), ("samples", asked.samples), ("seed", asked.seed), ("iterations", asked.iterations)];
    for (key, number) in numbers {
        if let Some(number) = number {
            table.set(key, named(&format!("--{key}"), &number.to_string()));
        }
    }
    if !table.entries.is_empty() {
        tree.set("optimise", table);
    }
}

/// Reads `[optimise]`, where there is one.
pub(super) fn read(root: &Reader) -> Result<Option<Goal>> {
    let Some(reader) = root.inner("optimise", "")? else { return Ok(None) };
    reader.allow(KEYS)?;
    let (mut variations, mut bounds) = (Vec::new(), Vec::new());
    if let Some(vary) = table_of(&reader, "vary", "such as vary.crank = \"0.5:3\"")? {
        for entry in &vary.entries {
            let (variation, ends) = between(&reader, entry)?;
            variations.push(variation);
            bounds.push(ends);
        }
    }
    if variations.is_empty() {
        return Err(reader.error("no parameter may change").note("write vary.NAME = \"least:greatest\""));
    }
    let starts = reader.whole("starts", 1, MOST_STARTS as usize)?.map_or(USUAL_STARTS, |n| n as u64);
    let samples = reader.whole("samples", 1, 1_000_000_000)?.map_or(USUAL_DESIGNS.max(starts), |n| n as u64);
    let seed = reader.seed()?.unwrap_or(0);
    let iterations = reader.whole("iterations", 1, 1_000_000)?.unwrap_or(USUAL_ITERATIONS);
    let plan = Plan::new(variations, sampling("latin-hypercube"), Some(samples), seed).map_err(|e| reader.blame(e))?;
    let mut goal =
        Goal { plan, bounds, starts, iterations, fits: Vec::new(), minimise: Vec::new(), limits: Vec::new() };
    if let Some(fits) = table_of(&reader, "fit", "such as [optimise.fit.path] with its keys below")? {
        for entry in &fits.entries {
            goal.fits.push(fit(reader.context, entry)?);
        }
    }
    if let Some(measures) = table_of(&reader, "minimise", "such as minimise.effort = \"rms(motor.effort)\"")? {
        for entry in &measures.entries {
            goal.minimise.push(wanted(&reader, entry)?);
        }
    }
    if let Some(limits) = table_of(&reader, "limit", LIMIT)? {
        for entry in &limits.entries {
            goal.limits.push(limit(&reader, entry)?);
        }
    }
    if goal.fits.is_empty() && goal.minimise.is_empty() && goal.limits.is_empty() {
        return Err(reader.error("there is nothing to be met, made small or kept within limits").note(FORM));
    }
    Ok(Some(goal))
}

/// A parameter and its bounds.
fn between(reader: &Reader, entry: &Entry) -> Result<(Variation, (f64, f64))> {
    let context = reader.context;
    let (dimension, unit) = super::sweep::parameter(reader, entry, KEYS)?;
    let name = format!("'{}'", entry.key);
    let blame = |e: Error| e.of(format!("[optimise] {name}")).at_opt(entry.node.span.as_ref());
    let neither = || {
        let message = format!("bounds are expected here, not {}", describe(&entry.node));
        blame(wrong(&entry.node, message)).note(BOUNDS)
    };
    let ends: Vec<Node> = match &entry.node.value {
        Value::List(list) if list.len() == 2 => list.clone(),
        Value::Text(text) => {
            let Some((first, second)) = text.split_once(':').filter(|(_, s)| !s.contains(':')) else {
                return Err(neither());
            };
            let place = text_place(&entry.node, text);
            let part = |part: &str, start: usize| Node {
                value: Value::Text(part.into()),
                span: place.as_ref().map(|s| s.inner(start..start + part.len())).or_else(|| entry.node.span.clone()),
            };
            vec![part(first, 0), part(second, first.len() + 1)]
        }
        _ => return Err(neither()),
    };
    let number = |node: &Node| values::number(node, &name, dimension, context).map_err(blame);
    let (least, greatest) = (number(&ends[0])?, number(&ends[1])?);
    if least >= greatest {
        let message = format!("the least value, {least}, is not below the greatest, {greatest}");
        return Err(blame(Error::new(message)).note(BOUNDS));
    }
    let uniform = distribution("uniform").ok_or_else(|| Error::new("there is no uniform distribution"))?;
    let spread = Spread::of(uniform, vec![least, greatest]).map_err(blame)?;
    Ok((Variation { name: entry.key.clone(), unit, spread }, (least, greatest)))
}

/// `"expression <= number"`, `"expression >= number"` or `"number <= expression <= number"`.
fn limit(reader: &Reader, entry: &Entry) -> Result<Limit> {
    let whole = wanted(reader, entry)?;
    let blame = |e: Error| e.of(format!("limit '{}'", entry.key)).at_opt(entry.node.span.as_ref()).note(LIMIT);
    let text = whole.text.as_str();
    let signs: Vec<(usize, bool)> = {
        let mut found: Vec<(usize, bool)> = text.match_indices("<=").map(|(k, _)| (k, true)).collect();
        found.extend(text.match_indices(">=").map(|(k, _)| (k, false)));
        found.sort_unstable();
        found
    };
    let inner = |start: usize, end: usize| whole.span.as_ref().map(|s| s.inner(start..end));
    let number = |start: usize, end: usize| {
        let node = Node { value: Value::Text(text[start..end].into()), span: inner(start, end) };
        values::number(&node, "a limit", None, reader.context).map_err(blame)
    };
    let (middle, lower, upper) = match signs[..] {
        [(k, true)] => ((0, k), None, Some(number(k + 2, text.len())?)),
        [(k, false)] => ((0, k), Some(number(k + 2, text.len())?), None),
        [(j, true), (k, true)] => ((j + 2, k), Some(number(0, j)?), Some(number(k + 2, text.len())?)),
        _ => return Err(blame(Error::new("a limit is an expression with <= or >= and a number"))),
    };
    if lower.zip(upper).is_some_and(|(lower, upper)| lower > upper) {
        return Err(blame(Error::new("the least value allowed is above the greatest")));
    }
    let (start, end) = middle;
    let measure = Wanted { name: whole.name.clone(), text: text[start..end].into(), span: inner(start, end) };
    Ok(Limit { measure, lower, upper })
}

fn fit(context: &Context, entry: &Entry) -> Result<Fit> {
    let reader = Reader::of_entry(context, format!("fit '{}'", entry.key), entry)?;
    reader.allow(FIT_KEYS)?;
    let weight = reader.number("weight", biela_base::units::Dimension::NUMBER)?.unwrap_or(1.0);
    if !(weight > 0.0 && weight.is_finite()) {
        return Err(reader.wrong_value("weight", format!("'weight' must be greater than zero; this is {weight}")));
    }
    let name = entry.key.clone();
    if let Some(file) = reader.text("file")? {
        if let Some(key) = ["signals", "points", "t", "wanted"].iter().find(|key| reader.has(key)) {
            return Err(reader.wrong_value(key, format!("'{key}' and 'file' exclude each other")));
        }
        let (signals, target) = from_file(&reader, file).map_err(|e| reader.blame(e))?;
        return Ok(Fit { name, signals, target, weight });
    }
    let signals = texts(&reader, "signals", "such as signals = [\"coupler.C.x\", \"coupler.C.y\"]")?
        .ok_or_else(|| reader.missing("signals", "such as signals = [\"coupler.C.x\", \"coupler.C.y\"]"))?;
    let form = "one expression of t for each signal, such as wanted = [\"30 deg + t/2\"]";
    let curves = texts(&reader, "wanted", form)?;
    let target = match (curves, reader.get("points")) {
        (Some(_), Some(_)) => return Err(reader.error("'points' and 'wanted' exclude each other")),
        (Some(_), None) if reader.has("t") => {
            return Err(reader.wrong_value("t", "'t' belongs to 'points': 'wanted' counts at every sample of the run"))
        }
        (Some(curves), None) if curves.len() == signals.len() => Target::Curve(curves),
        (Some(curves), None) => {
            let message = format!("'wanted' has {} expressions for {} signals", curves.len(), signals.len());
            return Err(reader.wrong_value("wanted", message).note(form));
        }
        (None, Some(node)) => points(&reader, node, signals.len())?,
        (None, None) => {
            let forms = "points = [[1, 2], [1, 3]], wanted = [\"expression of t\"], or file = \"points.csv\"";
            return Err(reader.error("it does not say what is wanted").note(forms));
        }
    };
    Ok(Fit { name, signals, target, weight })
}

fn texts(reader: &Reader, key: &str, form: &str) -> Result<Option<Vec<Wanted>>> {
    let Some(node) = reader.get(key) else { return Ok(None) };
    let one = |node: &Node| match &node.value {
        Value::Text(text) => Ok(Wanted { name: text.clone(), text: text.clone(), span: text_place(node, text) }),
        _ => Err(reader
            .blame(wrong(node, format!("'{key}' holds expressions in quotes, not {}", describe(node))))
            .note(form)),
    };
    match &node.value {
        Value::List(list) if !list.is_empty() => list.iter().map(one).collect::<Result<Vec<_>>>().map(Some),
        Value::Text(_) => Ok(Some(vec![one(node)?])),
        _ => {
            let message = format!("'{key}' is a list of expressions in quotes, not {}", describe(node));
            Err(reader.blame(wrong(node, message)).note(form))
        }
    }
}

fn points(reader: &Reader, node: &Node, width: usize) -> Result<Target> {
    let form = format!("one list of {width} number(s) for each point");
    let wrong_kind = |node: &Node| {
        reader.blame(wrong(node, format!("'points' is a list of points, not {}", describe(node)))).note(form.clone())
    };
    let number = |node: &Node| values::number(node, "a point", None, reader.context).map_err(|e| reader.blame(e));
    let Value::List(list) = &node.value else { return Err(wrong_kind(node)) };
    let mut rows = Vec::with_capacity(list.len());
    for item in list {
        rows.push(match &item.value {
            Value::List(row) if row.len() == width => row.iter().map(number).collect::<Result<Vec<_>>>()?,
            Value::List(row) => {
                let message = format!("this point has {} numbers for {width} signal(s)", row.len());
                return Err(reader.blame(wrong(item, message)).note(form.clone()));
            }
            Value::Integer(_) | Value::Number(_) | Value::Text(_) if width == 1 => vec![number(item)?],
            _ => return Err(wrong_kind(item)),
        });
    }
    if rows.is_empty() {
        return Err(wrong_kind(node));
    }
    let Some(times) = reader.get("t") else { return untimed(rows).map_err(|e| reader.blame(e)) };
    let time = |node: &Node| {
        let time = Some(biela_base::units::Dimension::TIME);
        values::number(node, "a time", time, reader.context).map_err(|e| reader.blame(e))
    };
    let Value::List(list) = &times.value else {
        let message = format!("'t' is a list with the time of each point, not {}", describe(times));
        return Err(reader.blame(wrong(times, message)));
    };
    if list.len() != rows.len() {
        let message = format!("there are {} times for {} points", list.len(), rows.len());
        return Err(reader.blame(wrong(times, message)));
    }
    Ok(Target::Timed(list.iter().map(time).collect::<Result<_>>()?, rows))
}

/// Points whose times are not prescribed. Of one signal alone they would be met by any curve that passes their values.
fn untimed(rows: Vec<Vec<f64>>) -> Result<Target> {
    if rows[0].len() < 2 {
        return Err(Error::new("points of a single signal need their times").note("write t = [0, 0.5, 1]"));
    }
    Ok(Target::Untimed(rows))
}

/// A table of points: columns named by signals, and `t` where times are prescribed.
fn from_file(reader: &Reader, file: &str) -> Result<(Vec<Wanted>, Target)> {
    let path = reader.context.path(file)?;
    let table = biela_results::read(&path)?;
    let (times, columns): (Vec<_>, Vec<_>) = table.columns.iter().partition(|c| c.name == "t");
    let signals: Vec<Wanted> =
        columns.iter().map(|c| Wanted { name: c.name.clone(), text: c.name.clone(), span: None }).collect();
    if signals.is_empty() || table.is_empty() {
        return Err(Error::new(format!("'{file}' holds no points"))
            .note("its columns are named by signals, such as coupler.C.x,coupler.C.y; a column t prescribes times"));
    }
    let rows: Vec<Vec<f64>> = (0..table.len()).map(|k| columns.iter().map(|c| c.data[k]).collect()).collect();
    if rows.iter().flatten().any(|x| !x.is_finite()) {
        return Err(Error::new(format!("'{file}' holds a number that is not finite")));
    }
    let target = match times.first() {
        Some(t) => Target::Timed(t.data.clone(), rows),
        None => untimed(rows)?,
    };
    Ok((signals, target))
}

/// The dimension that a written-back value keeps.
pub(super) fn written(value: f64, kind: Kind) -> Node {
    match kind {
        Kind::Known(dimension) if dimension.unit() != "1" => {
            Node::from(format!("{value:?} {}", dimension.unit()).as_str())
        }
        _ => Node::new(Value::Number(value)),
    }
}
