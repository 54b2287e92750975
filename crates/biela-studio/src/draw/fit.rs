//! A path that is sketched, and a drawing that follows it: places and lengths that the text writes become parameters, and the library's own
//! optimisation finds them (points met in their order, at any times). What comes out is the same text with other numbers.
//!
//! Round 0 lays the drawing over the path (its middle, its size, its direction, turned over too) and goes downhill from the best of these; later
//! rounds look around it. Each is computed from the text and its number alone, so that the same sketch gives the same mechanism.

use super::mass;
use super::place::Place;
use super::sketch::{number, Sketch};
use super::spots::{self, Spot};
use crate::given::Given;
use biela::error::{Error, Result};
use biela::math::Elementary;
use biela::model::Analysis;
use biela::optimise::Optimisation;
use biela::signal_name;
use biela::solve::newton::METHODS;
use biela::solve::run;
use biela::text::edit::Step;
use biela::text::tree::{Node, Table, Value as Word};
use biela::text::AskedGoal;
use biela::units::{Dimension, Kind};
use serde_json::{json, Value};

/// Points that a sketched path is read as, and the least that are one.
const POINTS: usize = 24;
const LEAST: usize = 3;
/// Designs that one start may look at, roughly.
const ITERATIONS: u64 = 60;
/// Of the rounds that look around: designs looked at, and how many of them are refined.
const SAMPLES: u64 = 120;
const STARTS: u64 = 4;

/// What is free of a drawing, and what it is to do.
struct Wish {
    /// The point that goes along the path: a body's and its own name.
    point: String,
    path: Vec<[f64; 2]>,
    /// Joints and points that stay where they are.
    held: Vec<String>,
}

/// A design: the text, and how far its point stays from the path (root of the mean square, and at most).
struct Design {
    text: String,
    rms: f64,
    largest: f64,
    /// The same before.
    before: Option<f64>,
}

/// `{"point": "link2.T", "path": [[x, y], …], "held": ["A", …], "round": 0}` gives `{"text", "sketch", "rms", "largest", "before"}`, all in m.
pub(crate) fn fit(given: &Given, asked: &Value) -> Result<Value> {
    let place =
        |p: &Value| Some([p[0].as_f64()?, p[1].as_f64()?]).filter(|p: &[f64; 2]| p.iter().all(|x| x.is_finite()));
    let path: Vec<[f64; 2]> = asked["path"].as_array().into_iter().flatten().filter_map(place).collect();
    let held = asked["held"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string);
    let wish =
        Wish { point: asked["point"].as_str().unwrap_or("").to_string(), path: evenly(&path), held: held.collect() };
    if wish.path.len() < LEAST {
        return Err(Error::new("a path has three points at least"));
    }
    let mut given = given.clone();
    given.reading.analysis = Some(Analysis::Kinematics);
    given.reading.values.clear();
    let drawing = Sketch::read(&given)?;
    if drawing.dimensions != 2 {
        return Err(Error::new("a path is sketched in a planar model"));
    }
    let round = asked["round"].as_u64().unwrap_or(0);
    let found = match round {
        0 => first(&given, &wish)?,
        _ => refined(&given, &wish, round)?,
    };
    given.text.clone_from(&found.text);
    let sketch = Sketch::read(&given)?.json();
    Ok(
        json!({ "text": found.text, "made": [], "sketch": sketch, "rms": found.rms, "largest": found.largest, "before": found.before }),
    )
}

/// A path as points evenly along it; a closed one has no end. Few points are meant as they are.
fn evenly(path: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let closed = is_closed(path);
    match path.len() <= POINTS && !closed {
        true => path.to_vec(),
        false => along(path, POINTS, closed),
    }
}

fn way(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    (b[0] - a[0]).hypotenuse(b[1] - a[1])
}

fn length(path: &[[f64; 2]]) -> f64 {
    path.windows(2).map(|w| way(&w[0], &w[1])).sum()
}

/// Whether a path ends where it began, as nearly as a hand does that.
pub(super) fn is_closed(path: &[[f64; 2]]) -> bool {
    /// Part of a path's length that a hand leaves open.
    const GAP: f64 = 0.15;
    let (Some(from), Some(to)) = (path.first(), path.last()) else { return false };
    path.len() > LEAST && way(from, to) < GAP * length(path)
}

/// So many points evenly along a path of three or more; none where it is shorter.
pub(super) fn along(path: &[[f64; 2]], count: usize, closed: bool) -> Vec<[f64; 2]> {
    let mut path: Vec<[f64; 2]> = path.to_vec();
    path.dedup_by(|a, b| way(a, b) == 0.0);
    let (Some(from), Some(to)) = (path.first().copied(), path.last().copied()) else { return path };
    if path.len() < LEAST {
        return Vec::new();
    }
    if closed {
        path.push(from);
    }
    let step = length(&path) / if closed { count } else { count - 1 } as f64;
    let (mut found, mut gone) = (vec![from], 0.0);
    for w in path.windows(2) {
        let l = way(&w[0], &w[1]);
        while found.len() < count && gone + l >= step * found.len() as f64 && l > 0.0 {
            let part = (step * found.len() as f64 - gone) / l;
            found.push([0, 1].map(|k| w[0][k] + part * (w[1][k] - w[0][k])));
        }
        gone += l;
    }
    if !closed && found.len() < count {
        found.push(to);
    }
    found
}

/// The drawing as it is and laid over the path in several ways, each followed downhill; the best of them.
fn first(given: &Given, wish: &Wish) -> Result<Design> {
    let mut texts = vec![given.text.clone()];
    if wish.held.is_empty() {
        texts.extend(laid(given, wish).unwrap_or_default());
    }
    let (mut best, mut before): (Option<Design>, _) = (None, None);
    let mut fault = None;
    for (k, text) in texts.into_iter().enumerate() {
        let own = given.with_text(text);
        match design(&own, wish, f64::INFINITY, (1, 1, 0)) {
            Ok(found) => {
                // What it was is that of the drawing as it stands.
                before = if k == 0 { found.before } else { before };
                best = Some(found).into_iter().chain(best).min_by(|a, b| a.rms.total_cmp(&b.rms));
            }
            Err(error) => drop(fault.get_or_insert(error)),
        }
    }
    match (best, fault) {
        (Some(found), _) => Ok(Design { before, ..found }),
        (None, Some(error)) => Err(error),
        (None, None) => Err(Error::new("nothing can be moved to follow a path")),
    }
}

/// Designs around the drawing, farther and nearer in turns.
fn refined(given: &Given, wish: &Wish, round: u64) -> Result<Design> {
    let reach = [0.5, 0.2, 1.0][(round % 3) as usize];
    design(given, wish, reach, (STARTS, SAMPLES, round))
}

/// Middle, extent and direction of points.
fn form(points: &[[f64; 2]]) -> ([f64; 2], f64, f64) {
    let n = points.len().max(1) as f64;
    let middle = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / n);
    let moment = |i: usize, j: usize| points.iter().map(|p| (p[i] - middle[i]) * (p[j] - middle[j])).sum::<f64>() / n;
    let (xx, yy, xy) = (moment(0, 0), moment(1, 1), moment(0, 1));
    (middle, (xx + yy).sqrt(), 0.5 * (2.0 * xy).arctangent2(xx - yy))
}

/// Texts of the drawing laid over the path.
fn laid(given: &Given, wish: &Wish) -> Result<Vec<String>> {
    let drawing = Sketch::read(given)?;
    let Some(model) = &drawing.model else { return Ok(Vec::new()) };
    let results = run::run(model, run::formulation_of(model), METHODS[0], |_, _| true)?;
    let column = |leaf: &str| results.get(&signal_name::join(&wish.point, leaf)).map(|c| c.data.clone());
    let (Some(x), Some(y)) = (column("x"), column("y")) else { return Err(no_point(&wish.point)) };
    let traced: Vec<[f64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
    let ((from, own, heading), (to, wide, goal)) = (form(&traced), form(&wish.path));
    if own <= 0.0 || wide <= 0.0 {
        return Ok(Vec::new());
    }
    // Directions that the text writes do not turn.
    let written = |section: &str, key: &str| {
        drawing.sheet.names(&[section]).iter().any(|name| drawing.sheet.get(&[section, name, key]).is_some())
    };
    let turns = !written("joints", "axis") && !written("forces", "value");
    let mut found = Vec::new();
    let angles: &[f64] = if turns { &[0.0, goal - heading, goal - heading + std::f64::consts::PI] } else { &[0.0] };
    for (angle, over) in angles.iter().flat_map(|a| [(a, 1.0), (a, -1.0)]).filter(|(_, over)| turns || *over > 0.0) {
        let scale = wide / own;
        let lay = |p: Place| {
            // Turned over about its own direction first.
            let (sh, ch) = heading.sine_cosine();
            let d = [p[0] - from[0], p[1] - from[1]];
            let (along, aside) = (d[0] * ch + d[1] * sh, over * (d[1] * ch - d[0] * sh));
            let d = [along * ch - aside * sh, along * sh + aside * ch];
            let (s, c) = angle.sine_cosine();
            [to[0] + scale * (d[0] * c - d[1] * s), to[1] + scale * (d[0] * s + d[1] * c), 0.0]
        };
        let mut own = Sketch::read(given)?;
        let all = spots::spots(&own);
        let chosen = vec![true; all.len()];
        if spots::write(&mut own, &all, &chosen, lay).is_ok()
            && Sketch::read(&given.with_text(own.sheet.text())).is_ok()
        {
            found.push(own.sheet.text().to_string());
        }
    }
    Ok(found)
}

fn no_point(name: &str) -> Error {
    Error::new(format!("there is no point '{name}' that could follow a path")).note("trace a point of a link first")
}

/// Places that move together, as two parameters; and lengths that are parameters of the text already.
struct Free {
    /// Which spots, and the names of the displacements.
    groups: Vec<(Vec<bool>, [String; 2])>,
    /// Names, values, bounds.
    lengths: Vec<(String, f64)>,
}

/// The best design within `reach` times the drawing's size, by so many starts of so many samples and a seed.
fn design(given: &Given, wish: &Wish, reach: f64, (starts, samples, seed): (u64, u64, u64)) -> Result<Design> {
    let drawing = Sketch::read(given)?;
    let all = spots::spots(&drawing);
    let free = free(given, &drawing, &all, wish)?;
    let mut trial = Sketch::read(given)?;
    let mut vary: Vec<(String, String)> = Vec::new();
    let wide = {
        let (low, high) = extent(&wish.path);
        let around = drawing.size() + (high[0] - low[0]).hypotenuse(high[1] - low[1]);
        if reach.is_finite() {
            reach * drawing.size()
        } else {
            0.8 * around
        }
    };
    for (group, names) in &free.groups {
        for (spot, _) in all.iter().zip(group).filter(|(_, chosen)| **chosen) {
            spot.displaced(&mut trial, names)?;
        }
        for name in names {
            trial.sheet.set(&["parameters", name], &number(0.0))?;
            vary.push((name.clone(), format!("{:?}:{wide:?}", -wide)));
        }
    }
    for (name, x) in &free.lengths {
        let factor = if reach.is_finite() { 1.0 + reach } else { 5.0 };
        let (a, b) = (x / factor, x * factor);
        vary.push((name.clone(), format!("{:?}:{:?}", a.min(b), a.max(b))));
    }
    if vary.is_empty() {
        return Err(Error::new("nothing that the text writes as a number can change here")
            .note("let a pin go that is selected, or write lengths as numbers or parameters"));
    }
    let own = given.with_text(trial.sheet.text());
    let mut document = own.document()?;
    document.tree.set("optimise", goal(wish, vary));
    let asked = AskedGoal {
        starts: Some(starts),
        samples: Some(samples),
        seed: Some(seed),
        iterations: Some(ITERATIONS),
        ..AskedGoal::default()
    };
    let goal = document.goal(&own.reading, &asked)?;
    let optimisation = Optimisation::new(&document, &own.reading, goal, None, METHODS[0])?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found = optimisation.solve(threads, &|_| true)?;
    let value = |name: &str| found.parameters.iter().find(|p| p.name == name).map_or(0.0, |p| p.best);
    let met = found.after.fits.first().ok_or_else(|| Error::new("no design was found"))?;
    let before = found.before.as_ref().and_then(|b| b.fits.first()).map(|f| f.rms);
    let mut done = Sketch::read(given)?;
    let uniform = mass::uniform(&done);
    // Numbers as a person would write them, far below what a hand can tell.
    let grid = 10.0.power((0.1 * drawing.size()).logarithm10().floor() - 4.0);
    let tidy = |x: f64| (x / grid).round() * grid;
    for (group, names) in &free.groups {
        let by = [value(&names[0]), value(&names[1])];
        spots::write(&mut done, &all, group, |p| [tidy(p[0] + by[0]), tidy(p[1] + by[1]), 0.0])?;
    }
    for (name, _) in &free.lengths {
        done.write_length(&[Step::Key("parameters"), Step::Key(name)], tidy(value(name)))?;
    }
    mass::keep(&mut done, &uniform)?;
    Ok(Design { text: done.sheet.text().to_string(), rms: met.rms, largest: met.largest, before })
}

fn extent(points: &[[f64; 2]]) -> ([f64; 2], [f64; 2]) {
    let fold = |start: f64, f: fn(f64, f64) -> f64| [0, 1].map(|k| points.iter().map(|p| p[k]).fold(start, f));
    (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
}

/// What may change and the path, as `[optimise]` has them.
fn goal(wish: &Wish, vary: Vec<(String, String)>) -> Table {
    let points: Vec<Node> =
        wish.path.iter().map(|p| p.iter().map(|x| number(*x)).collect::<Vec<Node>>().into()).collect();
    let signals: Vec<Node> = ["x", "y"].map(|leaf| Node::from(signal_name::join(&wish.point, leaf))).into();
    let (mut path, mut fit, mut goal) = (Table::default(), Table::default(), Table::default());
    path.set("signals", signals);
    path.set("points", points);
    fit.set("path", path);
    goal.set("fit", fit);
    let mut free = Table::default();
    vary.into_iter().for_each(|(name, bounds)| free.set(name, bounds));
    goal.set("vary", free);
    goal
}

/// What may change: places of joints and of the point, and parameters that are lengths.
fn free(given: &Given, drawing: &Sketch, all: &[Spot], wish: &Wish) -> Result<Free> {
    let Some(model) = &drawing.model else { return Err(Error::new("nothing is drawn yet")) };
    let (body, point) = signal_name::split(&wish.point).ok_or_else(|| no_point(&wish.point))?;
    if !model.bodies.iter().any(|b| b.name == body && b.points.iter().any(|p| p.0 == point)) {
        return Err(no_point(&wish.point));
    }
    let held = |spot: &Spot| spot.named("joints").is_some_and(|name| wish.held.iter().any(|h| h == name));
    let mut taken = vec![false; all.len()];
    let mut groups = Vec::new();
    for k in 0..all.len() {
        // What nothing moves about, or only a force, makes no path.
        if taken[k] || !(all[k].named("joints").is_some() || all[k].is_point(body, point)) {
            continue;
        }
        let mut only = vec![false; all.len()];
        only[k] = true;
        let group = spots::together(all, only, drawing.size());
        group.iter().zip(&mut taken).for_each(|(own, taken)| *taken |= own);
        let mine = || all.iter().zip(&group).filter(|(_, own)| **own).map(|(spot, _)| spot);
        if mine().all(|spot| spot.is_plain(drawing)) && !mine().any(held) {
            let name = |axis: &str| format!("fit_{}_{axis}", groups.len() + 1);
            let names = [name("x"), name("y")];
            groups.push((group, names));
        }
    }
    let kinds = given.document()?.parameter_kinds(&given.reading)?;
    let is_length = |name: &str| kinds.iter().any(|k| k.0 == name && k.1 == Kind::Known(Dimension::LENGTH));
    let plain = |name: &str| {
        let node = drawing.sheet.get(&["parameters", name])?;
        let own = match &node.value {
            Word::Text(words) => !words.contains(char::is_alphabetic) || words.trim().split(' ').count() == 2,
            _ => true,
        };
        drawing.read_length(node).filter(|x| own && *x != 0.0)
    };
    let names = drawing.sheet.names(&["parameters"]);
    let lengths =
        names.into_iter().filter(|name| is_length(name)).filter_map(|name| plain(&name).map(|x| (name, x))).collect();
    Ok(Free { groups, lengths })
}
