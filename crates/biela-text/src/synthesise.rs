//! `[synthesise]`: what a linkage is to pass, what of it is given, and which designs are refused.

use super::reader::Reader;
use super::tree::{Entry, Node, Value};
use super::values::{self, describe, wrong};
use biela_base::error::Result;
use biela_base::units::Dimension;
use biela_core::synthesis::{
    quantities, Chosen, Defect, Family, Limits, Pose, Synthesis, Task, MOST_SAMPLES, USUAL_SAMPLES,
};

pub(super) const KEYS: &[&str] =
    &["kind", "linkage", "points", "poses", "timing", "given", "free", "samples", "limits"];
const LIMITS: &[&str] = &["refuse", "transmission", "region", "ratio", "length", "class"];
const POSE: &[&str] = &["at", "angle"];
/// What a task needs.
pub(super) const FORM: &str =
    "write [synthesise] with kind = \"path\", \"function\" or \"motion\", and points = [[x, y], …] or poses = [[x, y, \"angle\"], …]";
/// Least and most positions of each kind.
const PATH: (usize, usize) = (2, 9);
const OTHERS: (usize, usize) = (3, 5);

/// Reads `[synthesise]`, where there is one.
pub(super) fn read(root: &Reader) -> Result<Option<Synthesis>> {
    let Some(reader) = root.inner("synthesise", "")? else { return Ok(None) };
    reader.allow(KEYS)?;
    let kinds = ["path", "function", "motion"];
    let Some(kind) = reader.choice("kind", &kinds)? else {
        return Err(reader.missing("kind", "\"path\", \"function\" or \"motion\"").note(FORM));
    };
    let words = Family::ALL.map(|f| f.0);
    let word = reader.choice("linkage", &words)?.unwrap_or(words[0]);
    let family = Family::ALL.into_iter().find(|f| f.0 == word).map_or(Family::FourBar, |f| f.1);
    let fits = match kind {
        "path" => family == Family::FourBar,
        "motion" => family != Family::SixBar,
        _ => true,
    };
    if !fits {
        let message = format!("there is no synthesis of kind '{kind}' for the linkage '{word}'");
        return Err(reader.wrong_value("linkage", message).note(
            "paths: four-bar; functions: four-bar, slider-crank, six-bar, spherical; motions: four-bar, slider-crank, spherical",
        ));
    }
    let task = task(&reader, kind, family)?;
    let samples = reader.whole("samples", 2, MOST_SAMPLES)?.unwrap_or(USUAL_SAMPLES);
    let chosen = chosen(&reader, quantities(family, &task), samples)?;
    Ok(Some(Synthesis { name: "design".into(), family, task, chosen, samples, limits: limits(&reader)? }))
}

fn task(reader: &Reader, kind: &str, family: Family) -> Result<Task> {
    let (key, other) = if kind == "motion" { ("poses", "points") } else { ("points", "poses") };
    if reader.has(other) {
        let message = format!("'{other}' is not for kind = \"{kind}\", which takes '{key}'");
        return Err(reader.wrong_value(other, message));
    }
    if kind != "path" && reader.has("timing") {
        return Err(reader.wrong_value("timing", "'timing' is for kind = \"path\": angles of the crank at the points"));
    }
    let Some(node) = reader.get(key) else {
        return Err(reader.missing(key, "a list with what is to be passed").note(FORM));
    };
    let Value::List(list) = &node.value else {
        return Err(reader.blame(wrong(node, format!("'{key}' is a list, not {}", describe(node)))).note(FORM));
    };
    let timed = reader.has("timing");
    let (least, most) = match (kind, timed) {
        ("path", false) => PATH,
        _ => OTHERS,
    };
    if list.len() < least || list.len() > most {
        let message = format!("'{key}' has {} entries; {least} to {most} can be asked for", list.len());
        return Err(reader.wrong_value(key, message));
    }
    let (length, angle) = (Dimension::LENGTH, Dimension::ANGLE);
    let made = match (kind, family) {
        ("path", _) => Task::Path(rows(reader, list, [length; 2])?, timing(reader, list.len())?),
        ("function", Family::SliderCrank) => Task::Function(rows(reader, list, [angle, length])?),
        ("function", _) => Task::Function(rows(reader, list, [angle; 2])?),
        (_, Family::Spherical) => Task::Orientations(rows(reader, list, [angle; 3])?),
        _ => Task::Motion(list.iter().map(|node| pose(reader, node)).collect::<Result<_>>()?),
    };
    distinct(reader, key, &made)?;
    Ok(made)
}

/// Rows of numbers with their dimensions.
fn rows<const N: usize>(reader: &Reader, list: &[Node], dimensions: [Dimension; N]) -> Result<Vec<[f64; N]>> {
    let row = |node: &Node| {
        let numbers = match &node.value {
            Value::List(numbers) if numbers.len() == N => numbers,
            _ => {
                let message = format!("a list of {N} numbers is expected here, not {}", describe(node));
                return Err(reader.blame(wrong(node, message)).note(FORM));
            }
        };
        let mut made = [0.0; N];
        for ((x, node), dimension) in made.iter_mut().zip(numbers).zip(dimensions) {
            *x = number(reader, node, dimension)?;
        }
        Ok(made)
    };
    list.iter().map(row).collect()
}

fn number(reader: &Reader, node: &Node, dimension: Dimension) -> Result<f64> {
    let x = values::number(node, "this number", Some(dimension), reader.context).map_err(|e| reader.blame(e))?;
    match x.is_finite() {
        true => Ok(x),
        false => Err(reader.blame(wrong(node, "this is not a finite number"))),
    }
}

/// `[x, y, angle]` or `{ at = [x, y], angle = … }`.
fn pose(reader: &Reader, node: &Node) -> Result<Pose> {
    if let Value::List(_) = &node.value {
        let [x, y, angle] =
            rows(reader, std::slice::from_ref(node), [Dimension::LENGTH, Dimension::LENGTH, Dimension::ANGLE])?[0];
        return Ok(Pose { at: [x, y], angle });
    }
    let form = "such as [\"10 mm\", \"20 mm\", \"30 deg\"], or { at = [x, y], angle = \"30 deg\" }";
    let inner = reader.item(node, "", form)?;
    inner.allow(POSE)?;
    let at = inner.required("at", "where the body's origin is")?;
    let [x, y] = rows(reader, std::slice::from_ref(at), [Dimension::LENGTH; 2])?[0];
    let angle = inner.number("angle", Dimension::ANGLE)?.ok_or_else(|| inner.missing("angle", "the body's angle"))?;
    Ok(Pose { at: [x, y], angle })
}

fn timing(reader: &Reader, count: usize) -> Result<Option<Vec<f64>>> {
    let Some(node) = reader.get("timing") else { return Ok(None) };
    match &node.value {
        Value::List(list) if list.len() == count => {
            list.iter().map(|node| number(reader, node, Dimension::ANGLE)).collect::<Result<_>>().map(Some)
        }
        _ => {
            let message = format!("'timing' is a list of {count} angles, one for each point, not {}", describe(node));
            Err(reader.wrong_value("timing", message))
        }
    }
}

/// Refuses positions of which two are the same: they are one condition told twice, which infinitely many linkages fulfil.
fn distinct(reader: &Reader, key: &str, task: &Task) -> Result<()> {
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a == b);
    let rows: Vec<Vec<f64>> = match task {
        Task::Path(points, _) => points.iter().map(|p| p.to_vec()).collect(),
        // One input has one output.
        Task::Function(points) => points.iter().map(|p| vec![p[0]]).collect(),
        Task::Motion(poses) => poses.iter().map(|p| vec![p.at[0], p.at[1], p.angle]).collect(),
        Task::Orientations(list) => list.iter().map(|p| p.to_vec()).collect(),
    };
    for (j, b) in rows.iter().enumerate() {
        if let Some(i) = rows[..j].iter().position(|a| same(a, b)) {
            let what = if matches!(task, Task::Function(_)) { "have the same input" } else { "are the same" };
            let message = format!("entries {} and {} of '{key}' {what}", i + 1, j + 1);
            return Err(reader.wrong_value(key, message));
        }
    }
    Ok(())
}

/// What is given (a value or a list of them), and what is tried between two bounds.
fn chosen(reader: &Reader, known: &[(&str, Dimension)], samples: usize) -> Result<Vec<Chosen>> {
    let mut list: Vec<Chosen> = Vec::new();
    let names: Vec<&str> = known.iter().map(|k| k.0).collect();
    let dimension_of = |entry: &Entry, key: &str| match known.iter().find(|k| k.0 == entry.key) {
        Some((_, dimension)) => Ok(*dimension),
        None => {
            let place = Node { value: Value::Text(entry.key.clone()), span: entry.key_span.clone() };
            Err(reader.unknown_name(&place, &format!("dimension in '{key}' called"), &entry.key, "dimensions", &names))
        }
    };
    if let Some(given) = super::sweep::table_of(reader, "given", "such as given = { \"A.x\" = 0, \"A.y\" = 0 }")? {
        for entry in &given.entries {
            let dimension = dimension_of(entry, "given")?;
            let values = match &entry.node.value {
                Value::List(list) if !list.is_empty() && list.len() <= MOST_SAMPLES => {
                    list.iter().map(|node| number(reader, node, dimension)).collect::<Result<_>>()?
                }
                _ => vec![number(reader, &entry.node, dimension)?],
            };
            list.push(Chosen { name: entry.key.clone(), values });
        }
    }
    let form = "such as free = { input = [\"0 deg\", \"90 deg\"] }: least and greatest value";
    match reader.get("free").map(|n| &n.value) {
        // Names alone say what is to be found, which is all that is not given.
        Some(Value::List(names_told)) => {
            for node in names_told {
                let Value::Text(name) = &node.value else {
                    return Err(reader.blame(wrong(node, format!("a name is expected here, not {}", describe(node)))));
                };
                if !names.contains(&name.as_str()) {
                    return Err(reader.unknown_name(node, "dimension", name, "dimensions", &names));
                }
                if list.iter().any(|c| c.name == *name) {
                    return Err(reader.blame(wrong(node, format!("'{name}' is given and free"))));
                }
            }
        }
        _ => {
            let table = super::sweep::table_of(reader, "free", form)?;
            for entry in table.into_iter().flat_map(|t| &t.entries) {
                let dimension = dimension_of(entry, "free")?;
                if list.iter().any(|c| c.name == entry.key) {
                    return Err(reader.blame(wrong(&entry.node, format!("'{}' is given and free", entry.key))));
                }
                let [least, greatest] = bounds(reader, &entry.node, dimension, form)?;
                let step = (greatest - least) / (samples - 1) as f64;
                let values = (0..samples).map(|k| least + step * k as f64).collect();
                list.push(Chosen { name: entry.key.clone(), values });
            }
        }
    }
    Ok(list)
}

/// Two numbers, the first below the second.
fn bounds(reader: &Reader, node: &Node, dimension: Dimension, form: &str) -> Result<[f64; 2]> {
    let [least, greatest] = match &node.value {
        Value::List(list) if list.len() == 2 => {
            [number(reader, &list[0], dimension)?, number(reader, &list[1], dimension)?]
        }
        _ => {
            let message = format!("two numbers are expected here, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)).note(form.to_string()));
        }
    };
    match least < greatest {
        true => Ok([least, greatest]),
        false => {
            let message = format!("the least value, {least}, is not below the greatest, {greatest}");
            Err(reader.blame(wrong(node, message)).note(form.to_string()))
        }
    }
}

fn limits(outer: &Reader) -> Result<Limits> {
    let Some(reader) = outer.inner("limits", "limits.")? else { return Ok(Limits::default()) };
    reader.allow(LIMITS)?;
    let mut limits = Limits::default();
    let words = Defect::ALL.map(|d| d.0);
    for word in texts(&reader, "refuse")? {
        match Defect::ALL.iter().find(|d| d.0 == word) {
            Some(defect) => limits.refuse.push(defect.1),
            None => return Err(reader.unknown_word("refuse", &word, &words)),
        }
    }
    let positive = |key: &str, dimension: Dimension, most: f64| -> Result<Option<f64>> {
        let Some(x) = reader.number(key, dimension)? else { return Ok(None) };
        match x > 0.0 && x < most {
            true => Ok(Some(x)),
            false => Err(reader.wrong_value(key, format!("'{key}' must be above 0 and below {most}; this is {x}"))),
        }
    };
    limits.transmission = positive("transmission", Dimension::ANGLE, std::f64::consts::FRAC_PI_2)?;
    limits.ratio = positive("ratio", Dimension::NUMBER, f64::INFINITY)?;
    if let Some(node) = reader.get("length") {
        let form = "such as length = [\"10 mm\", \"200 mm\"]";
        limits.lengths = Some(bounds(&reader, node, Dimension::LENGTH, form)?);
    }
    if let Some(node) = reader.get("region") {
        let form = "such as region = [[0, 0], [\"200 mm\", \"100 mm\"]]: two corners";
        let corners = match &node.value {
            Value::List(list) if list.len() == 2 => rows(&reader, list, [Dimension::LENGTH; 2])?,
            _ => return Err(reader.blame(wrong(node, "'region' has two corners")).note(form)),
        };
        let ([a, b], [c, d]) = (corners[0], corners[1]);
        limits.region = Some([a.min(c), a.max(c), b.min(d), b.max(d)]);
    }
    let classes = ["crank-rocker", "rocker-crank", "double-crank", "double-rocker", "triple-rocker", "change-point"];
    for word in texts(&reader, "class")? {
        match classes.contains(&word.as_str()) {
            true => limits.classes.push(word),
            false => return Err(reader.unknown_word("class", &word, &classes)),
        }
    }
    Ok(limits)
}

/// One word, or a list of them.
fn texts(reader: &Reader, key: &str) -> Result<Vec<String>> {
    let one = |node: &Node| match &node.value {
        Value::Text(text) => Ok(text.clone()),
        _ => Err(reader.blame(wrong(node, format!("'{key}' holds words in quotes, not {}", describe(node))))),
    };
    match reader.get(key).map(|n| (n, &n.value)) {
        None => Ok(Vec::new()),
        Some((_, Value::List(list))) => list.iter().map(one).collect(),
        Some((node, _)) => Ok(vec![one(node)?]),
    }
}
