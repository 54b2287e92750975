//! Four-bars whose coupler's point P goes through nine places of a sketched path: all that there are, by the library's own synthesis. Those that pass the
//! places in one motion come first, the nearest to the whole path before the others, each as the text of a model.

use super::fit::{along, is_closed};
use super::place::Place;
use crate::given::Given;
use biela::error::{Error, Result};
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run;
use biela::solve::synthesis::{synthesise, Design, Work};
use biela::synthesis::{Family, Limits, Synthesis, Task};
use biela::text::tree::Value as Word;
use serde_json::{json, Value};
use std::cmp::Ordering;

/// Places that determine four-bars, all but finitely many.
const PLACES: usize = 9;
/// Points of the path that a motion is compared with.
const COMPARED: usize = 72;
/// Designs that are followed through their motion, and that are told.
const FOLLOWED: usize = 60;
const TOLD: usize = 24;

/// A design, and how far its point stays from the whole path: root of the mean square, where it goes all the way.
struct Found<'d> {
    design: &'d Design,
    text: String,
    rms: Option<f64>,
}

/// `{"path": [[x, y], …]}` gives `{"places", "real", "sound", "proof", "designs": [{"text", "class", "defects", "transmission", "rms"}]}`, all SI.
pub(crate) fn through(given: &Given, asked: &Value) -> Result<Value> {
    let place =
        |p: &Value| Some([p[0].as_f64()?, p[1].as_f64()?]).filter(|p: &[f64; 2]| p.iter().all(|x| x.is_finite()));
    let path: Vec<[f64; 2]> = asked["path"].as_array().into_iter().flatten().filter_map(place).collect();
    let closed = is_closed(&path);
    let places = match path.len() == PLACES && !closed {
        true => path.clone(),
        false => along(&path, PLACES, closed),
    };
    if places.len() < PLACES {
        return Err(Error::new("a path has three points at least"));
    }
    let task = Synthesis {
        name: asked["title"].as_str().unwrap_or("four-bar").chars().take(60).collect(),
        family: Family::FourBar,
        task: Task::Path(places.clone(), None),
        chosen: Vec::new(),
        samples: 1,
        limits: Limits::default(),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let outcome = synthesise(&task, &Work { threads, stop: None })?;
    let units = given.document().ok().and_then(|d| match &d.tree.get("units")?.value {
        Word::Text(units) => Some(units.clone()),
        _ => None,
    });
    let whole = along(&path, COMPARED, closed);
    let follow = |(k, design): (usize, &'_ Design)| {
        let text = in_units(&design.model, units.as_deref());
        let sound = design.judged.defects.is_empty() && k < FOLLOWED;
        (sound.then(|| distance(&given.with_text(text.clone()), &whole).ok()).flatten(), text)
    };
    let mut found: Vec<Found> = (outcome.designs.iter().enumerate())
        .map(|one| {
            let (rms, text) = follow(one);
            Found { design: one.1, text, rms }
        })
        .collect();
    // Without a distance they stay in the library's order.
    found.sort_by(|a, b| match (a.rms, b.rms) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()).then(Ordering::Equal),
    });
    let sound = found.iter().filter(|f| f.design.judged.defects.is_empty()).count();
    let designs: Vec<Value> = (found.iter().take(TOLD))
        .map(|f| {
            let defects: Vec<&str> = f.design.judged.defects.iter().map(|d| d.word()).collect();
            json!({
                "text": f.text, "class": f.design.judged.class, "defects": defects,
                "transmission": f.design.judged.transmission, "rms": f.rms,
            })
        })
        .collect();
    Ok(json!({
        "places": places, "count": found.len(), "real": outcome.real, "sound": sound, "complete": outcome.complete,
        "proof": outcome.proof, "designs": designs,
    }))
}

/// The text of a design, whose lengths people read as they read those of the drawing.
fn in_units(text: &str, units: Option<&str>) -> String {
    match units.filter(|u| u.chars().all(|c| c.is_ascii_alphanumeric() || " ,/^*.-".contains(c))) {
        Some(units) => text.replacen("planar = true\n", &format!("planar = true\nunits = \"{units}\"\n"), 1),
        None => text.to_string(),
    }
}

/// How far the path is from where the coupler's point goes, on average.
fn distance(given: &Given, path: &[[f64; 2]]) -> Result<f64> {
    let (model, _) = given.model()?;
    let results: Results = run::run(&model, run::formulation_of(&model), METHODS[0], |_, _| true)?;
    let column = |name: &str| results.get(name).map(|c| c.data.as_slice());
    let (Some(x), Some(y)) = (column("coupler.P.x"), column("coupler.P.y")) else {
        return Err(Error::new("a design without its point"));
    };
    let way: Vec<Place> = x.iter().zip(y).map(|(x, y)| [*x, *y, 0.0]).collect();
    let squares =
        path.iter().map(|p| way.windows(2).map(|w| aside([p[0], p[1], 0.0], w[0], w[1])).fold(f64::INFINITY, f64::min));
    Ok((squares.sum::<f64>() / path.len() as f64).sqrt())
}

/// Square of a place's distance from a line between two others.
fn aside(p: Place, a: Place, b: Place) -> f64 {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let l = u[0] * u[0] + u[1] * u[1];
    let part = if l > 0.0 { ((u[0] * v[0] + u[1] * v[1]) / l).clamp(0.0, 1.0) } else { 0.0 };
    let d = [v[0] - part * u[0], v[1] - part * u[1]];
    d[0] * d[0] + d[1] * d[1]
}
