//! A sheet of designs: each linkage in its first position, the curve of its coupler point, and what it was to pass; Burmester's curves before them.

use super::burmester::curves;
use biela_analysis::synthesis::{Carried, Design, Linkage, Outcome, Shape};
use biela_plot::drawing::{Drawing, Frame, Look, Shape as Mark};
use biela_plot::COLOURS;

/// Designs on a sheet.
const SHOWN: usize = 12;
/// Places of a coupler curve.
const PLACES: usize = 720;
const INK: [u8; 3] = [40, 40, 40];
const PALE: [u8; 3] = [150, 150, 150];

/// The best designs, two in a row.
pub fn sheet(name: &str, outcome: &Outcome, length: (String, f64)) -> Drawing {
    let mut frames = Vec::new();
    if !outcome.curves[0].is_empty() {
        frames.push(burmester(outcome, length.clone()));
    }
    let planar = |d: &&Design| !matches!(d.linkage.shape, Shape::Spherical(_));
    for (k, design) in outcome.designs.iter().filter(planar).take(SHOWN).enumerate() {
        frames.push(frame(k + 1, design, length.clone()));
    }
    let subtitle = format!("{} of {} designs, the best first", frames.len().min(SHOWN), outcome.designs.len());
    Drawing { title: name.to_string(), subtitle, frames }
}

fn burmester(outcome: &Outcome, unit: (String, f64)) -> Frame {
    let dots = |list: &[[f64; 2]], colour: [u8; 3]| -> Vec<Mark> {
        list.iter().map(|p| Mark::Mark { at: *p, name: String::new(), colour }).collect()
    };
    let [centres, circles] = &outcome.curves;
    // The curves go to infinity: what is seen is where most of them is.
    let all: Vec<[f64; 2]> = centres.iter().chain(circles).copied().collect();
    let window = |axis: usize| {
        let mut list: Vec<f64> = all.iter().map(|p| p[axis]).collect();
        list.sort_by(f64::total_cmp);
        let part = |share: f64| list[((list.len() - 1) as f64 * share) as usize];
        (part(0.1), part(0.9))
    };
    let ((x, xx), (y, yy)) = (window(0), window(1));
    // As wide as a frame, with a border.
    let half = 0.7 * (xx - x).max(yy - y);
    let (cx, cy) = (0.5 * (x + xx), 0.5 * (y + yy));
    let seen = [cx - 1.25 * half, cx + 1.25 * half, cy - half, cy + half];
    let mut shapes = Vec::new();
    let poses = outcome.designs.iter().find_map(|d| match &d.linkage.carried {
        Carried::Frame(frames) => Some(frames.as_slice()),
        _ => None,
    });
    for (points, colour) in curves(poses.unwrap_or_default(), seen).into_iter().zip(COLOURS) {
        shapes.push(Mark::Line { points, look: Look { colour, width: 1.2, dashed: false }, arrow: false });
    }
    shapes.extend(dots(centres, COLOURS[0]));
    shapes.extend(dots(circles, COLOURS[1]));
    let title = "Burmester's curves: fixed pivots, and moving ones in the first pose".to_string();
    Frame { title, unit, window: Some(seen), shapes }
}

fn frame(number: usize, design: &Design, unit: (String, f64)) -> Frame {
    let linkage = &design.linkage;
    let mut shapes = Vec::new();
    let line = |points: Vec<[f64; 2]>, colour: [u8; 3], width: f64, dashed: bool| Mark::Line {
        points,
        look: Look { colour, width, dashed },
        arrow: false,
    };
    // The other branch behind the own.
    for (other, colour) in [(true, PALE), (false, COLOURS[1])] {
        let curve = linkage.curve(PLACES, other);
        if !curve.is_empty() {
            shapes.push(line(curve, colour, 1.2, other));
        }
    }
    for links in links(linkage) {
        shapes.push(line(links, INK, 2.5, false));
    }
    let pivots = linkage.pivots();
    shapes.push(line(pivots.iter().take(2).map(|z| [z.re, z.im]).collect(), PALE, 1.0, true));
    for (pivot, name) in pivots.iter().zip(["A", "D", "G"]) {
        shapes.push(Mark::Mark { at: [pivot.re, pivot.im], name: name.into(), colour: INK });
    }
    let passed: Vec<[f64; 2]> = match &linkage.carried {
        Carried::Nothing => Vec::new(),
        Carried::Point(points) => points.iter().map(|z| [z.re, z.im]).collect(),
        Carried::Frame(frames) => frames.iter().map(|(z, _)| [z.re, z.im]).collect(),
    };
    for (k, at) in passed.into_iter().enumerate() {
        shapes.push(Mark::Mark { at, name: format!("{}", k + 1), colour: COLOURS[3] });
    }
    let defects: Vec<&str> = design.judged.defects.iter().map(|d| d.word()).collect();
    let defects = if defects.is_empty() { String::new() } else { format!(", defects: {}", defects.join(", ")) };
    let class = design.judged.class.map_or(String::new(), |c| format!(", {c}"));
    let title = format!(
        "{number}: curve {}{class}, transmission {:.1} deg{defects}",
        design.curve,
        design.judged.transmission.to_degrees()
    );
    Frame { title, unit, window: None, shapes }
}

/// Links in the first position, as lines.
fn links(linkage: &Linkage) -> Vec<Vec<[f64; 2]>> {
    let at = |z: biela_analysis::synthesis::Complex| [z.re, z.im];
    let (b, c) = (linkage.b[0], linkage.c[0]);
    let mut list = vec![vec![at(linkage.a), at(b)]];
    let carried = match &linkage.carried {
        Carried::Nothing => None,
        Carried::Point(points) => Some(points[0]),
        Carried::Frame(frames) => Some(frames[0].0),
    };
    list.push(match carried {
        Some(p) => vec![at(b), at(c), at(p), at(b)],
        None => vec![at(b), at(c)],
    });
    match &linkage.shape {
        Shape::FourBar(d) => list.push(vec![at(c), at(*d)]),
        Shape::SixBar(d, g, f) => {
            list.push(vec![at(c), at(*d)]);
            list.push(vec![at(*g), at(f[0])]);
            if let Some(p) = carried {
                list.push(vec![at(f[0]), at(p)]);
            }
        }
        Shape::SliderCrank(direction) => {
            let reach = direction.times(0.5 * (c - b).norm());
            list.push(vec![at(c - reach), at(c + reach)]);
        }
        Shape::Spherical(_) => {}
    }
    list
}
