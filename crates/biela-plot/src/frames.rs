//! From a drawing to a page: each frame at its own scale, lines cut at its edge, names moved apart.

use super::drawing::{Drawing, Frame, Look, Shape};
use super::font::room;
use super::scene::{Anchor, Colour, Item, Scene, Stroke, Text};
use super::thin::Point;

const INK: Colour = [34, 34, 34];
const FAINT: Colour = [100, 100, 100];
const BORDER: Stroke = Stroke { colour: [200, 200, 200], width: 0.8, dash: &[] };
const DASH: &[f64] = &[5.0, 3.0];
const EDGE: f64 = 16.0;
const GAP: f64 = 14.0;
const TITLE: f64 = 16.0;
const HEADING: f64 = 12.5;
const SMALL: f64 = 11.0;
/// Size of a frame.
const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 360.0;
/// Left free inside a frame, for names at its edge; below, for the scale.
const MARGIN: f64 = 30.0;
const BELOW: f64 = 26.0;
/// Corners of a circle.
const CORNERS: usize = 360;

/// Lays a drawing out.
pub(super) fn scene(drawing: &Drawing) -> Scene {
    let mut items = Vec::new();
    let mut top = EDGE;
    for (text, size, colour) in [(&drawing.title, TITLE, INK), (&drawing.subtitle, SMALL, FAINT)] {
        if !text.is_empty() {
            top += size;
            items.push(written((EDGE, top), size, Anchor::Start, colour, text));
            top += 0.5 * size;
        }
    }
    top += 4.0;
    let columns = drawing.frames.len().clamp(1, 2);
    for (k, frame) in drawing.frames.iter().enumerate() {
        let corner = ((k % columns) as f64 * (WIDTH + GAP) + EDGE, (k / columns) as f64 * (HEIGHT + GAP + 22.0) + top);
        draw(frame, corner, &mut items);
    }
    let rows = drawing.frames.len().div_ceil(columns) as f64;
    let width = 2.0 * EDGE + columns as f64 * (WIDTH + GAP) - GAP;
    Scene { width, height: top + rows * (HEIGHT + GAP + 22.0) - GAP + EDGE, items }
}

/// Where a frame's plane is on the page.
struct Fit {
    corner: Point,
    middle: [f64; 2],
    scale: f64,
}

impl Fit {
    fn new(frame: &Frame, corner: Point) -> Fit {
        let [x0, x1, y0, y1] = frame.window.unwrap_or_else(|| extent(&frame.shapes));
        let span = |low: f64, high: f64| (high - low).max(1e-300);
        let (width, height) = (WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN - BELOW);
        let scale = (width / span(x0, x1)).min(height / span(y0, y1));
        Fit { corner, middle: [0.5 * (x0 + x1), 0.5 * (y0 + y1)], scale: scale.min(1e150) }
    }

    fn place(&self, [x, y]: [f64; 2]) -> Point {
        let centre = (self.corner.0 + 0.5 * WIDTH, self.corner.1 + 0.5 * (HEIGHT - BELOW));
        (centre.0 + self.scale * (x - self.middle[0]), centre.1 - self.scale * (y - self.middle[1]))
    }

    /// Least and greatest coordinates inside the frame.
    fn bounds(&self) -> [f64; 4] {
        [self.corner.0 + 2.0, self.corner.0 + WIDTH - 2.0, self.corner.1 + 2.0, self.corner.1 + HEIGHT - BELOW]
    }
}

/// Least and greatest x, then y, of what is finite.
fn extent(shapes: &[Shape]) -> [f64; 4] {
    let mut found = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
    let mut add = |[x, y]: [f64; 2]| {
        if x.is_finite() && y.is_finite() {
            found = [found[0].min(x), found[1].max(x), found[2].min(y), found[3].max(y)];
        }
    };
    for shape in shapes {
        match shape {
            Shape::Line { points, .. } => points.iter().for_each(|p| add(*p)),
            Shape::Circle { centre: [x, y], radius: r, .. } => {
                [[x - r, y - r], [x + r, y + r]].map(&mut add).into_iter().collect()
            }
            Shape::Mark { at, .. } => add(*at),
        }
    }
    if found[0] <= found[1] {
        found
    } else {
        [-1.0, 1.0, -1.0, 1.0]
    }
}

fn draw(frame: &Frame, corner: Point, items: &mut Vec<Item>) {
    items.push(written((corner.0, corner.1 + HEADING), HEADING, Anchor::Start, INK, &frame.title));
    let corner = (corner.0, corner.1 + 20.0);
    items.push(Item::Rect { corner, width: WIDTH, height: HEIGHT, stroke: BORDER });
    let fit = Fit::new(frame, corner);
    let bounds = fit.bounds();
    let mut names = Names { taken: Vec::new(), bounds };
    for shape in &frame.shapes {
        match shape {
            Shape::Line { points, look, arrow } => {
                let places: Vec<Point> = points.iter().map(|p| fit.place(*p)).collect();
                lines(&places, *look, bounds, items);
                if let ([.., from, to], true) = (&places[..], arrow) {
                    head(*from, *to, *look, bounds, items);
                }
            }
            Shape::Circle { centre, radius, look } => {
                let corner = |k: usize| {
                    let angle = std::f64::consts::TAU * k as f64 / CORNERS as f64;
                    fit.place([centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()])
                };
                lines(&(0..=CORNERS).map(corner).collect::<Vec<_>>(), *look, bounds, items);
            }
            Shape::Mark { at, colour, .. } => {
                let (x, y) = fit.place(*at);
                if names.holds([x, x, y, y]) {
                    let stroke = Stroke { colour: *colour, width: 5.0, dash: &[] };
                    items.push(Item::Polyline { points: vec![(x, y), (x + 0.02, y)], stroke });
                    names.taken.push([x - 3.0, x + 3.0, y - 3.0, y + 3.0]);
                }
            }
        }
    }
    for shape in &frame.shapes {
        if let Shape::Mark { at, name, colour } = shape {
            names.write(fit.place(*at), name, *colour, items);
        }
    }
    bar(frame, &fit, items);
}

/// Names beside their places, none over another.
struct Names {
    taken: Vec<[f64; 4]>,
    bounds: [f64; 4],
}

impl Names {
    fn holds(&self, [x0, x1, y0, y1]: [f64; 4]) -> bool {
        let b = self.bounds;
        x0 >= b[0] && x1 <= b[1] && y0 >= b[2] && y1 <= b[3]
    }

    fn write(&mut self, (x, y): Point, name: &str, colour: Colour, items: &mut Vec<Item>) {
        if name.is_empty() || !self.holds([x, x, y, y]) {
            return;
        }
        let (width, height) = (room(name, SMALL), SMALL);
        let around =
            [(1.0, -0.7), (1.0, 0.7), (-1.0, -0.7), (-1.0, 0.7), (0.0, -1.3), (0.0, 1.3), (1.0, -1.9), (-1.0, 1.9)];
        for (i, j) in around {
            let middle = (x + i * (6.0 + 0.5 * width), y + j * (4.0 + 0.5 * height));
            let own =
                [middle.0 - 0.5 * width, middle.0 + 0.5 * width, middle.1 - 0.5 * height, middle.1 + 0.5 * height];
            let free = |o: &[f64; 4]| own[1] <= o[0] || own[0] >= o[1] || own[3] <= o[2] || own[2] >= o[3];
            if self.holds(own) && self.taken.iter().all(free) {
                self.taken.push(own);
                items.push(written((middle.0, middle.1 + 0.35 * SMALL), SMALL, Anchor::Middle, colour, name));
                return;
            }
        }
    }
}

/// A line, cut at the bounds; it has gaps where a coordinate is not finite.
fn lines(places: &[Point], look: Look, bounds: [f64; 4], items: &mut Vec<Item>) {
    let stroke = Stroke { colour: look.colour, width: look.width, dash: if look.dashed { DASH } else { &[] } };
    let mut run: Vec<Point> = Vec::new();
    let mut end = |run: &mut Vec<Point>| {
        if run.len() > 1 {
            items.push(Item::Polyline { points: std::mem::take(run), stroke });
        }
        run.clear();
    };
    for pair in places.windows(2) {
        let Some((from, to)) = cut(pair[0], pair[1], bounds) else {
            end(&mut run);
            continue;
        };
        if run.last() != Some(&from) {
            end(&mut run);
            run.push(from);
        }
        run.push(to);
        if to != pair[1] {
            end(&mut run);
        }
    }
    end(&mut run);
}

/// The part of a straight line inside the bounds (Liang and Barsky).
fn cut(from: Point, to: Point, [x0, x1, y0, y1]: [f64; 4]) -> Option<(Point, Point)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if !(dx.is_finite() && dy.is_finite()) {
        return None;
    }
    let (mut enters, mut leaves) = (0.0f64, 1.0f64);
    for (way, room) in [(-dx, from.0 - x0), (dx, x1 - from.0), (-dy, from.1 - y0), (dy, y1 - from.1)] {
        match way {
            0.0 if room < 0.0 => return None,
            0.0 => {}
            w if w < 0.0 => enters = enters.max(room / w),
            w => leaves = leaves.min(room / w),
        }
    }
    let at = |s: f64| (from.0 + s * dx, from.1 + s * dy);
    let start = if enters > 0.0 { at(enters) } else { from };
    (enters <= leaves).then(|| (start, if leaves < 1.0 { at(leaves) } else { to }))
}

/// The head of an arrow.
fn head(from: Point, to: Point, look: Look, bounds: [f64; 4], items: &mut Vec<Item>) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt();
    if !(length > 1.0) {
        return;
    }
    let (u, size) = ((dx / length, dy / length), length.min(9.0));
    let side = |s: f64| (to.0 - size * (u.0 + s * 0.36 * u.1), to.1 - size * (u.1 - s * 0.36 * u.0));
    lines(&[side(1.0), to, side(-1.0)], Look { dashed: false, ..look }, bounds, items);
}

/// A bar that shows the scale: a round length of about a quarter of the frame.
fn bar(frame: &Frame, fit: &Fit, items: &mut Vec<Item>) {
    let (unit, per) = &frame.unit;
    let wanted = 0.28 * WIDTH / fit.scale * per;
    if !(wanted.is_finite() && wanted > 0.0) {
        return;
    }
    let power = 10f64.powf(wanted.log10().floor());
    let length = [5.0, 2.0, 1.0].map(|m| m * power).into_iter().find(|l| *l <= wanted).unwrap_or(power);
    let (x, y) = (fit.corner.0 + 12.0, fit.corner.1 + HEIGHT - 10.0);
    let end = x + length / per * fit.scale;
    let stroke = Stroke { colour: FAINT, width: 1.2, dash: &[] };
    items.push(Item::Polyline { points: vec![(x, y - 4.0), (x, y), (end, y), (end, y - 4.0)], stroke });
    let words = format!("{} {unit}", biela_results::significant(length, 6));
    let words = words.replace("^2", "\u{b2}");
    items.push(written((end + 8.0, y), SMALL, Anchor::Start, FAINT, words.trim_end()));
}

fn written(at: Point, size: f64, anchor: Anchor, colour: Colour, text: &str) -> Item {
    Item::Text(Text { at, size, anchor, upwards: false, colour, text: text.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { colour: [0; 3], width: 1.0, dashed: false };

    #[test]
    fn lines_are_cut_at_the_frame() {
        let bounds = [0.0, 10.0, 0.0, 10.0];
        assert_eq!(cut((-5.0, 5.0), (5.0, 5.0), bounds), Some(((0.0, 5.0), (5.0, 5.0))));
        assert_eq!(cut((-5.0, 5.0), (25.0, 5.0), bounds), Some(((0.0, 5.0), (10.0, 5.0))));
        assert_eq!(cut((-5.0, -5.0), (-1.0, 20.0), bounds), None);
        assert_eq!(cut((1.0, 1.0), (f64::INFINITY, 1.0), bounds), None);
        let mut items = Vec::new();
        lines(
            &[(1.0, 1.0), (5.0, 5.0), (f64::NAN, 1.0), (2.0, 2.0), (50.0, 2.0), (50.0, 3.0), (2.0, 3.0)],
            LOOK,
            bounds,
            &mut items,
        );
        let runs: Vec<usize> =
            items.iter().map(|i| if let Item::Polyline { points, .. } = i { points.len() } else { 0 }).collect();
        assert_eq!(runs, [2, 2, 2]);
    }

    #[test]
    fn what_is_not_finite_does_not_shape_a_frame() {
        let line = |points: Vec<[f64; 2]>| Shape::Line { points, look: LOOK, arrow: true };
        let mark = Shape::Mark { at: [0.0, 0.0], name: "<o>".into(), colour: [0; 3] };
        let shapes = vec![line(vec![[0.0, 0.0], [4.0, 3.0], [f64::INFINITY, 1.0]]), line(vec![]), mark];
        assert_eq!(extent(&shapes), [0.0, 4.0, 0.0, 3.0]);
        assert_eq!(extent(&[]), [-1.0, 1.0, -1.0, 1.0]);
        let frame = Frame { title: "a".into(), unit: ("m/s^2".into(), 1.0), window: None, shapes };
        let drawing = Drawing { title: "t".into(), subtitle: "s".into(), frames: vec![frame, Frame::default()] };
        let text = String::from_utf8(crate::drawing_bytes(&drawing, false).unwrap()).unwrap();
        assert!(
            text.contains("&lt;o&gt;")
                && text.contains("1 m/s\u{b2}")
                && !text.contains("NaN")
                && !text.contains("inf")
        );
        assert!(crate::drawing_bytes(&drawing, true).unwrap().starts_with(b"\x89PNG"));
    }
}
