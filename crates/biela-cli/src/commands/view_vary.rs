//! Sliders for parameters in a page: the motions that other values give, made beforehand.
//!
//! With `--vary` every combination of the values asked for is stored. Without it, each of a few lengths and angles alone is varied about
//! its value, as long as the page stays small.

use crate::options;
use biela::display_units::Scale;
use biela::error::{counted, Error, Result};
use biela::expr::is_quantity;
use biela::model::{Analysis, Model};
use biela::picture::page::{Case, Own, Variation, Varied};
use biela::picture::{self, Animation, Scene};
use biela::solve::outcome::Outcome;
use biela::source::{Source, Span};
use biela::text::tree::Value;
use biela::text::{Document, Options};
use clap::ArgMatches;

/// Values of a parameter where no number is said, and by themselves.
const USUAL: usize = 9;
const BY_ITSELF: usize = 5;
/// Parameters that are varied without being asked for.
const PARAMETERS: usize = 3;
/// How far a parameter is varied by itself, in parts of its value.
const SPREAD: f64 = 0.2;
/// Motions that a page holds at most.
const MOST: usize = 200;
/// Poses (bodies times samples) of a motion that is varied without being asked for.
const POSES: usize = 1500;
/// Bytes of motions that a page holds at most: asked for, and by themselves.
const BYTES: usize = 24_000_000;
const BYTES_BY_ITSELF: usize = 1_500_000;

/// A parameter, where it goes, and at how many values.
struct Range {
    name: String,
    from: f64,
    to: f64,
    count: usize,
    /// The model's own value, and which of the others is next to it.
    own: f64,
    base: usize,
}

/// What a page of the model varies, with all motions; none where nothing is to be.
pub fn varied(arguments: &ArgMatches, model: &Model, scene: &Scene, motion: &Animation) -> Result<Option<Varied>> {
    let asked: Vec<&String> = arguments.get_many::<String>("vary").into_iter().flatten().collect();
    if asked.iter().any(|text| text.as_str() == "none") {
        return Ok(None);
    }
    let options = options::reading(arguments)?;
    let document = Document::read(&options::file(arguments), &options)?;
    let by_itself = asked.is_empty();
    let ranges = match by_itself {
        true => chosen(&document, &options, model, motion)?,
        false => asked.iter().map(|text| range(text, &document, &options)).collect::<Result<Vec<_>>>()?,
    };
    if let Some(twice) = ranges.iter().enumerate().find(|(k, r)| ranges[..*k].iter().any(|q| q.name == r.name)) {
        return Err(Error::new(format!("parameter '{}' is varied twice", twice.1.name)).of("--vary"));
    }
    if ranges.is_empty() {
        return Ok(None);
    }
    let cases = combinations(&ranges, by_itself);
    if cases.len() > MOST {
        let message = format!("{} are too many for a page; {MOST} go into one", counted(cases.len(), "motion"));
        return Err(Error::new(message).of("--vary").note("ask for fewer values, such as 'r = 20 mm..60 mm : 5'"));
    }
    let own = Own::new(scene);
    let mut made = Vec::new();
    let mut bytes = 0;
    for places in cases {
        let values: Vec<(String, f64)> =
            ranges.iter().zip(&places).map(|(r, k)| (r.name.clone(), r.value(*k))).collect();
        let case = case(&document, &Options { values, ..options.clone() }, arguments, &own)?;
        bytes += case.as_ref().map_or(0, Case::bytes);
        if bytes > if by_itself { BYTES_BY_ITSELF } else { BYTES } {
            if by_itself {
                return Ok(None);
            }
            let message = format!("the motions fill more than {} MB", BYTES / 1_000_000);
            return Err(Error::new(message)
                .of("--vary")
                .note("ask for fewer values, or for fewer samples with --steps"));
        }
        made.push((places, case));
    }
    let scale = |name: &str| {
        let place = model.parameters.iter().position(|p| p.0 == name);
        place.and_then(|k| model.parameter_scales.get(k).cloned()).unwrap_or_else(|| Scale::unchanged(""))
    };
    let variation = |r: &Range| Variation {
        name: r.name.clone(),
        scale: scale(&r.name),
        values: (0..r.count).map(|k| r.value(k)).collect(),
        base: r.base,
        own: r.own,
    };
    Ok(Some(Varied { parameters: ranges.iter().map(variation).collect(), alone: by_itself, cases: made }))
}

impl Range {
    fn value(&self, k: usize) -> f64 {
        self.from + (self.to - self.from) * k as f64 / (self.count - 1) as f64
    }
}

/// `r = 20 mm..60 mm : 9`.
fn range(text: &str, document: &Document, options: &Options) -> Result<Range> {
    const FORM: &str = "such as --vary 'r = 20 mm..60 mm : 9'";
    let source = Source::new("--vary", text);
    let wrong = |message: String| Error::new(message).of("--vary").at(&Span::new(&source, 0..text.len())).note(FORM);
    let (name, range) = text.split_once('=').ok_or_else(|| wrong("a parameter and its range are needed".into()))?;
    let name = name.trim().to_string();
    let (ends, count) = match range.split_once("..").map(|(from, to)| (from, to.split_once(':'))) {
        Some((from, Some((to, count)))) => ([from, to], Some(count)),
        Some((from, None)) => ([from, range.split_once("..").map_or("", |r| r.1)], None),
        None => return Err(wrong(format!("'{}' is no range", range.trim()))),
    };
    let count = match count.map(|c| c.trim().parse::<usize>()) {
        None => USUAL,
        Some(Ok(count)) if (2..=MOST).contains(&count) => count,
        Some(_) => return Err(wrong(format!("the number of values is a whole number from 2 to {MOST}"))),
    };
    let own = document.parameter_values(options)?;
    let Some(own) = own.iter().find(|p| p.0 == name).map(|p| p.1) else {
        let known: Vec<&str> = own.iter().map(|p| p.0.as_str()).collect();
        return Err(Error::new(format!("the model has no parameter '{name}'")).of("--vary").suggest(&name, known));
    };
    let value = |text: &str| {
        let set = options.set.iter().filter(|s| s.0 != name).cloned();
        let set = set.chain([(name.clone(), text.trim().to_string())]).collect();
        let values = document.parameter_values(&Options { set, ..options.clone() })?;
        Ok(values.iter().find(|p| p.0 == name).map_or(f64::NAN, |p| p.1))
    };
    let [from, to] = [value(ends[0])?, value(ends[1])?];
    if from >= to || from.is_nan() || to.is_nan() {
        return Err(wrong("a range goes from a lesser to a greater value".into()));
    }
    let made = Range { name, from, to, count, own, base: 0 };
    let far = |k: &usize| (made.value(*k) - own).abs();
    let base = (0..count).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0);
    Ok(Range { base, ..made })
}

/// Parameters that tell something of the form of a small mechanism, each about its value.
fn chosen(document: &Document, options: &Options, model: &Model, motion: &Animation) -> Result<Vec<Range>> {
    let driven = matches!(model.study.analysis, Analysis::Kinematics | Analysis::InverseDynamics);
    if !driven || motion.len() < 2 || motion.ended.is_some() || motion.len() * model.bodies.len() > POSES {
        return Ok(Vec::new());
    }
    // A value that follows from others is theirs.
    let Some(Value::Table(table)) = document.tree.get("parameters").map(|node| &node.value) else {
        return Ok(Vec::new());
    };
    let plain = |name: &str| match table.get(name).map(|node| &node.value) {
        Some(Value::Text(text)) => is_quantity(text),
        Some(Value::Number(_) | Value::Integer(_)) => true,
        _ => false,
    };
    // What moves a joint and turns no coupling: teeth are whole numbers.
    let form = |(name, value): &&(String, f64)| {
        let other = Options { values: vec![(name.clone(), 1.01 * value)], ..options.clone() };
        let Ok(other) = document.model(&other) else { return false };
        let moved = model.joints.iter().zip(&other.joints).any(|(a, b)| a.frames != b.frames);
        moved && format!("{:?}", model.couplings) == format!("{:?}", other.couplings)
    };
    let own = model.parameters.iter().filter(|(name, value)| *value != 0.0 && plain(name));
    let own = own.filter(|(name, _)| options.set.iter().all(|s| s.0 != *name));
    let range = |(name, value): &(String, f64)| {
        let wide = SPREAD * value.abs();
        Range {
            name: name.clone(),
            from: value - wide,
            to: value + wide,
            count: BY_ITSELF,
            own: *value,
            base: BY_ITSELF / 2,
        }
    };
    Ok(own.filter(form).take(PARAMETERS).map(range).collect())
}

/// Places of all values together, or of each with the others at theirs.
fn combinations(ranges: &[Range], alone: bool) -> Vec<Vec<usize>> {
    let base: Vec<usize> = ranges.iter().map(|r| r.base).collect();
    if alone {
        let mut all = vec![base.clone()];
        for (k, range) in ranges.iter().enumerate() {
            for n in (0..range.count).filter(|n| *n != base[k]) {
                let mut places = base.clone();
                places[k] = n;
                all.push(places);
            }
        }
        return all;
    }
    let mut all = vec![Vec::new()];
    for range in ranges {
        if all.len() * range.count > 100 * MOST {
            // Too many already: their number alone is told.
            return vec![Vec::new(); all.len() * range.count];
        }
        all = all.iter().flat_map(|p| (0..range.count).map(|n| [p.clone(), vec![n]].concat())).collect();
    }
    all
}

/// The motion with the values of these options, or why there is none.
fn case(
    document: &Document,
    options: &Options,
    arguments: &ArgMatches,
    own: &Own,
) -> Result<std::result::Result<Case, String>> {
    let set = options.set.iter().filter(|s| options.values.iter().all(|v| v.0 != s.0)).cloned().collect();
    let asked = Options { set, ..options.clone() };
    let found = document.model(&asked).and_then(|model| super::run::solve_with_forces(model, arguments));
    let (model, Outcome { results, ended }) = match found {
        Ok(found) => found,
        Err(error) => return Ok(Err(error.message().to_string())),
    };
    if let Some(error) = ended {
        return Ok(Err(error.message().to_string()));
    }
    let motion = Animation::new(&model, &results)?;
    let scene = picture::scene(&model, &motion)?;
    Ok(Ok(Case::new(&scene, &motion, own)))
}
