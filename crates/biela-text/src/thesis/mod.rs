//! Reads the four text files of Peinado's thesis (general inverse kinematics of mechanisms in three dimensions, 2016):
//! general data, joints, drivers, initial position.
//!
//! A joint row has 22 columns: type, bodies i and j, points P Q R of body i, points P Q R of body j (each in its body's own
//! frame), a value. P is the joint's point; Q − P and R − P are its vectors. A driver row has the points, and instead of
//! the value the motion law as an expression of t. Body 1 is the ground. `docs/thesis-format.md` tells it in full.

mod emit;
mod files;
mod rows;
#[cfg(test)]
mod tests;

use super::columns::{self, Separator, Word};
use super::imported::Imported;
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_math::{EulerParameters, Pose, Vec3};
use std::sync::Arc;

/// The four texts of a model.
#[derive(Debug, Clone)]
pub struct ThesisFiles {
    /// Number of bodies, length of time, number of intervals.
    pub general: Arc<Source>,
    /// One row for each joint.
    pub joints: Arc<Source>,
    /// One row for each driver.
    pub drivers: Arc<Source>,
    /// Seven coordinates of each body.
    pub q0: Arc<Source>,
}

/// Reads the mechanism that the four texts describe.
pub fn read(files: &ThesisFiles) -> Result<Imported> {
    let general = read_general(&files.general)?;
    let poses = read_q0(&files.q0, general.bodies)?;
    let joints = rows::read_joints(&files.joints, general.bodies)?;
    let drivers = rows::read_drivers(&files.drivers, general.bodies)?;
    emit::document(&general, &poses, &joints, &drivers)
}

/// The general data.
struct General {
    bodies: usize,
    time: f64,
    intervals: usize,
    spans: [Span; 3],
}

/// A body's place in the initial position.
struct Placement {
    pose: Pose,
    parameters: EulerParameters,
    span: Span,
}

/// Matlab and shell both have their comments.
const COMMENTS: [char; 2] = ['%', '#'];

fn all_words(source: &Arc<Source>) -> Result<Vec<Word>> {
    let mut all = Vec::new();
    for line in columns::lines(source) {
        all.extend(columns::words(source, line, Separator::Space, &COMMENTS)?);
    }
    if let Some(first) = all.first_mut() {
        first.text = first.text.trim_start_matches('\u{feff}').to_string();
    }
    all.retain(|word| !word.text.is_empty());
    Ok(all)
}

/// Three numbers nb, T, t: bare, or with these names as labels or as a line of titles.
fn read_general(source: &Arc<Source>) -> Result<General> {
    const NAMES: [&str; 3] = ["nb", "T", "t"];
    let (mut labels, mut numbers) = (Vec::new(), Vec::new());
    for word in all_words(source)? {
        // `nb=4` and `nb = 4` are both written.
        for part in word.text.split(['=', ':']).map(str::trim).filter(|part| !part.is_empty()) {
            let part = Word { text: part.to_string(), span: word.span.clone(), quoted: false };
            if part.text.starts_with(|c: char| c.is_alphabetic()) {
                labels.push(part);
            } else {
                numbers.push(part);
            }
        }
    }
    let whole = Span::new(source, 0..source.text.len().min(1));
    let fail = |message: String, span: &Span| {
        let note = "the general data are three numbers: nb (bodies with the frame), T (seconds), t (intervals)";
        Error::new(message).at(span).note(note)
    };
    if numbers.len() != 3 {
        let span = numbers.get(3).map_or(&whole, |word| &word.span);
        return Err(fail(format!("3 numbers are needed, found {}", numbers.len()), span));
    }
    let mut order = [0, 1, 2];
    if !labels.is_empty() {
        for (k, name) in NAMES.iter().enumerate() {
            let place = labels.iter().position(|label| label.text == *name);
            order[k] = place.filter(|&p| p < 3 && labels.len() == 3).ok_or_else(|| {
                let odd = labels.iter().find(|label| !NAMES.contains(&label.text.as_str()));
                let span = odd.or(labels.last()).map_or(&whole, |label| &label.span);
                fail(format!("the labels must be nb, T and t; '{name}' is missing"), span)
            })?;
        }
    }
    let [nb, time, intervals] = order.map(|k| &numbers[k]);
    let general = General {
        bodies: nb.count()?,
        time: time.number()?,
        intervals: intervals.count()?,
        spans: [nb, time, intervals].map(|word| word.span.clone()),
    };
    if general.bodies < 2 {
        return Err(fail(format!("nb = {}: the frame counts, so there are 2 or more", general.bodies), &nb.span));
    }
    if general.time <= 0.0 {
        return Err(fail(format!("T = {}: the time must be greater than zero", general.time), &time.span));
    }
    if general.intervals == 0 {
        return Err(fail("t = 0: one interval at least".to_string(), &intervals.span));
    }
    Ok(general)
}

/// `q0`, then seven numbers for each body.
fn read_q0(source: &Arc<Source>, bodies: usize) -> Result<Vec<Placement>> {
    let mut words = all_words(source)?;
    if words.first().is_some_and(|w| w.text.eq_ignore_ascii_case("q0") || w.text.eq_ignore_ascii_case("qo")) {
        words.remove(0);
    }
    let values = words.iter().map(Word::number).collect::<Result<Vec<f64>>>()?;
    if values.len() != 7 * bodies {
        let span = words.last().map_or_else(|| Span::new(source, 0..0), |word| word.span.clone());
        let message = format!("q0 needs {} numbers, 7 for each of {bodies} bodies, found {}", 7 * bodies, values.len());
        return Err(Error::new(message).at(&span));
    }
    let mut placements = Vec::new();
    for (k, q) in values.chunks_exact(7).enumerate() {
        let ends = (&words[7 * k].span, &words[7 * k + 6].span);
        let span = Span::new(source, ends.0.range.start..ends.1.range.end);
        let parameters = EulerParameters([q[3], q[4], q[5], q[6]]);
        // A first guess is written with one or two digits; half or twice the length is a column slip.
        const SHORTEST: f64 = 0.5;
        const LONGEST: f64 = 2.0;
        if !(SHORTEST..LONGEST).contains(&parameters.norm()) {
            let message = format!("Euler parameters have length 1, found {:.3}", parameters.norm());
            return Err(Error::new(message).of(format!("body {}", k + 1)).at(&span));
        }
        let parameters = parameters.normalised();
        let pose = Pose::new(parameters.rotation(), Vec3::new(q[0], q[1], q[2]));
        placements.push(Placement { pose, parameters, span });
    }
    if let Some(ground) = placements.first().filter(|p| p.pose != Pose::IDENTITY) {
        return Err(Error::new("body 1 is the frame: its coordinates are 0 0 0 1 0 0 0").at(&ground.span));
    }
    Ok(placements)
}
