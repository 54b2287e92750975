//! From a figure to a page: ranges, margins from the real widths of texts, ticks, curves, legends.
//!
//! Texts are black on white, axes thin and grey, curves in colours that people with any colour
//! vision tell apart. Panels with the same x axis stand close together and show its texts once, below the last.

use super::font::room;
use super::scene::{Anchor, Colour, Item, Scene, Stroke, Text};
use super::thin::{runs, Point};
use super::ticks::{axis, drawable, range, Axis, Ticks};
use super::{Panel, Plot, Series, COLOURS, WHOLE_LINES};

/// Line patterns; the next is taken after so many curves as have whole lines.
const DASHES: [&[f64]; 4] = [&[], &[6.0, 2.5], &[1.8, 2.2], &[8.0, 2.5, 1.8, 2.5]];

const INK: Colour = [34, 34, 34];
const FAINT: Colour = [100, 100, 100];
const FRAME: Stroke = Stroke { colour: [80, 80, 80], width: 0.8, dash: &[] };
const GRID: Stroke = Stroke { colour: [228, 228, 228], width: 0.7, dash: &[] };
const ZERO: Stroke = Stroke { colour: [176, 176, 176], width: 0.8, dash: &[] };
const CURVE: f64 = 1.5;
/// Diameter of a sample that stands alone.
const DOT: f64 = 4.0;

/// Width of the page, unless texts need more.
const PAGE: f64 = 720.0;
/// Least width between the axes.
const NARROWEST: f64 = 420.0;
/// Height between the axes: of one panel alone, of each of several, of a path at most.
const TALL: f64 = 340.0;
const LOW: f64 = 165.0;
const PATH_HEIGHT: f64 = 460.0;
/// Least side of a path's panel.
const PATH_LEAST: f64 = 130.0;
/// A label longer than this does not make its panel grow any more.
const LONGEST_LABEL: f64 = 420.0;

const EDGE: f64 = 14.0;
const GAP: f64 = 16.0;
const TICK: f64 = 4.0;
const TITLE: f64 = 16.0;
const LABEL: f64 = 12.5;
const SMALL: f64 = 11.0;
/// From one line of the legend to the next.
const LEGEND_LINE: f64 = 17.0;
/// Length of a legend's line, and from the frame to it.
const SAMPLE: f64 = 24.0;
const LEGEND_GAP: f64 = 12.0;
/// From the middle of a digit down to its base line, in font sizes.
const HALF_DIGIT: f64 = 0.35;

/// Lays a figure out.
pub(super) fn scene(plot: &Plot) -> Scene {
    let mut frames: Vec<Frame> = plot.panels.iter().map(|panel| Frame::new(panel, plot.panels.len() == 1)).collect();
    let shared = share_x(&mut frames);
    let left = EDGE + frames.iter().map(Frame::left).fold(0.0, f64::max);
    let right = EDGE + frames.iter().map(Frame::right).fold(0.0, f64::max);
    let width = (PAGE - left - right).max(NARROWEST);
    for frame in &mut frames {
        frame.fit(width);
    }
    // The ticks of a path are known only now.
    let left = EDGE + frames.iter().map(Frame::left).fold(0.0, f64::max);
    let widest = frames.iter().map(|frame| frame.width).fold(0.0, f64::max);
    let right = right.max(EDGE + frames.iter().map(Frame::last_tick).fold(0.0, f64::max));
    let page = (left + widest + right).max(PAGE / 2.0);

    let mut items = Vec::new();
    let mut y = EDGE;
    for (text, size, colour) in [(&plot.title, TITLE, INK), (&plot.subtitle, SMALL, FAINT)] {
        if let Some(text) = text {
            y += size;
            let text = cut(text, size, page - left - EDGE);
            items.push(write((left, y), size, Anchor::Start, colour, text));
            y += 0.4 * size;
        }
    }
    if y > EDGE {
        y += 4.0;
    }
    let count = frames.len();
    for (k, frame) in frames.iter().enumerate() {
        let bottom = !shared || k + 1 == count;
        y = frame.draw((left, y), left - EDGE, bottom, &mut items);
        y += if k + 1 == count { 0.0 } else { GAP };
    }
    Scene { width: page.ceil(), height: (y + EDGE).ceil(), items }
}

/// One panel with its measures.
struct Frame<'a> {
    panel: &'a Panel,
    x_range: (f64, f64),
    y_range: (f64, f64),
    x: Axis,
    y: Axis,
    /// Size between the axes.
    width: f64,
    height: f64,
}

impl<'a> Frame<'a> {
    fn new(panel: &'a Panel, alone: bool) -> Frame<'a> {
        let margin_x = if panel.equal_axes { 0.05 } else { 0.0 };
        let points = || panel.series.iter().flat_map(points);
        let x_range = range(points().map(|point| point.0), margin_x);
        let y_range = range(points().map(|point| point.1), 0.05);
        let legend = if panel.series.len() > 1 { LEGEND_LINE * panel.series.len() as f64 } else { 0.0 };
        let label = room(&panel.y_label, LABEL).min(LONGEST_LABEL);
        let height = (if alone { TALL } else { LOW }).max(legend).max(label);
        let mut frame = Frame {
            panel,
            x_range,
            y_range,
            x: axis(x_range, 6, ticks_of(&panel.x_label)),
            y: axis(y_range, 6, ticks_of(&panel.y_label)),
            width: NARROWEST,
            height,
        };
        if panel.equal_axes {
            // Left margins are needed before the width is known; a path gets its final shape in `fit`.
            frame.fit(NARROWEST);
        } else {
            frame.y = axis(y_range, ((height / 38.0) as usize).max(6), ticks_of(&panel.y_label));
        }
        frame
    }

    /// Room at the left of the axes for the texts of the ticks and the label.
    fn left(&self) -> f64 {
        let ticks = self.y.ticks.iter().map(|tick| room(&tick.text, SMALL)).fold(0.0, f64::max);
        TICK + 4.0 + ticks + 8.0 + LABEL
    }

    /// Room at the right of the axes for the legend.
    fn right(&self) -> f64 {
        if self.panel.series.len() < 2 {
            return 4.0;
        }
        let label = |series: &Series| room(&legend_text(series), SMALL);
        LEGEND_GAP + SAMPLE + 6.0 + self.panel.series.iter().map(label).fold(0.0, f64::max)
    }

    /// Half the text of a tick at the right end, which reaches beyond the axes.
    fn last_tick(&self) -> f64 {
        self.x.ticks.last().map_or(0.0, |tick| room(&tick.text, SMALL) / 2.0)
    }

    /// Gives the panel its width, a path its shape, and the x axis its ticks.
    fn fit(&mut self, width: f64) {
        self.width = width;
        let mut x_range = self.x_range;
        let mut pitch = 70.0;
        if self.panel.equal_axes {
            let (span_x, span_y) = (self.x_range.1 - self.x_range.0, self.y_range.1 - self.y_range.0);
            let scale = (width / span_x).min(PATH_HEIGHT / span_y);
            self.width = (span_x * scale).max(PATH_LEAST);
            self.height = (span_y * scale).max(PATH_LEAST);
            let widened = |(lo, hi): (f64, f64), size: f64| {
                let (middle, half) = ((lo + hi) / 2.0, size / scale / 2.0);
                (middle - half, middle + half)
            };
            // A short side has its ticks closer, so that there are at least two.
            let pitch_of = |length: f64| if length < 250.0 { 32.0 } else { 60.0 };
            let most = (self.height / pitch_of(self.height)) as usize;
            self.y = axis(widened(self.y_range, self.height), most, ticks_of(&self.panel.y_label));
            x_range = widened(self.x_range, self.width);
            pitch = pitch_of(self.width);
        }
        // As many ticks as leave room between their texts.
        const BETWEEN: f64 = 10.0;
        for most in (2..=((self.width / pitch) as usize).max(2)).rev() {
            self.x = axis(x_range, most, ticks_of(&self.panel.x_label));
            let text = self.x.ticks.iter().map(|tick| room(&tick.text, SMALL)).fold(0.0, f64::max);
            let place = |k: usize| self.x.ticks.get(k).map(|tick| self.width * self.x.place(tick.at));
            let apart = place(1).zip(place(0)).is_none_or(|(second, first)| second - first >= text + BETWEEN);
            if apart {
                break;
            }
        }
    }

    /// Draws the panel with its upper left corner, factor included, at `corner`; returns where it ends.
    fn draw(&self, (left, top): Point, label_at: f64, with_x: bool, items: &mut Vec<Item>) -> f64 {
        let (width, height) = (self.width, self.height);
        let mut top = top;
        if let Some(factor) = &self.y.factor {
            top += SMALL;
            items.push(write((left, top - 1.0), SMALL, Anchor::Start, INK, factor.clone()));
            top += 4.0;
        }
        let (right, bottom) = (left + width, top + height);
        let at_x = |value: f64| left + width * self.x.place(value);
        let at_y = |value: f64| bottom - height * self.y.place(value);

        let mut straight = |from: Point, to: Point, stroke: Stroke| items.push(Item::Line { from, to, stroke });
        // A grid line on the frame itself would only make it look thicker.
        let inside = |at: f64, lo: f64, hi: f64| at > lo + 0.5 && at < hi - 0.5;
        for x in self.x.ticks.iter().map(|tick| at_x(tick.at)).filter(|x| inside(*x, left, right)) {
            straight((x, top), (x, bottom), GRID);
        }
        for y in self.y.ticks.iter().map(|tick| at_y(tick.at)).filter(|y| inside(*y, top, bottom)) {
            straight((left, y), (right, y), GRID);
        }
        if inside(at_y(0.0), top, bottom) {
            straight((left, at_y(0.0)), (right, at_y(0.0)), ZERO);
        }
        if self.panel.equal_axes && inside(at_x(0.0), left, right) {
            straight((at_x(0.0), top), (at_x(0.0), bottom), ZERO);
        }
        for tick in &self.x.ticks {
            straight((at_x(tick.at), bottom), (at_x(tick.at), bottom + TICK), FRAME);
        }
        for tick in &self.y.ticks {
            straight((left - TICK, at_y(tick.at)), (left, at_y(tick.at)), FRAME);
        }
        items.push(Item::Rect { corner: (left, top), width, height, stroke: FRAME });

        for (k, series) in self.panel.series.iter().enumerate() {
            let place = |(x, y): Point| (drawable(x) && drawable(y)).then(|| (at_x(x), at_y(y)));
            for points in runs(points(series).map(place)) {
                items.push(curve(points, stroke_of(k)));
            }
        }

        for tick in &self.y.ticks {
            let at = (left - TICK - 4.0, at_y(tick.at) + HALF_DIGIT * SMALL);
            items.push(write(at, SMALL, Anchor::End, INK, tick.text.clone()));
        }
        let label = cut(&self.panel.y_label, LABEL, height.max(LONGEST_LABEL));
        let at = (left - label_at + LABEL * 0.8, top + height / 2.0);
        items.push(Item::Text(Text {
            at,
            size: LABEL,
            anchor: Anchor::Middle,
            upwards: true,
            colour: INK,
            text: label,
        }));
        self.legend((right + LEGEND_GAP, top), items);
        if with_x {
            self.below((left, bottom), at_x, items)
        } else {
            bottom
        }
    }

    /// Texts of the x axis; returns where they end.
    fn below(&self, (left, bottom): Point, at_x: impl Fn(f64) -> f64, items: &mut Vec<Item>) -> f64 {
        let mut y = bottom + TICK + 2.0 + SMALL;
        for tick in &self.x.ticks {
            items.push(write((at_x(tick.at), y), SMALL, Anchor::Middle, INK, tick.text.clone()));
        }
        y += 6.0 + LABEL;
        // The factor stands at the end of the axis, beside the label.
        let factor_room = self.x.factor.as_ref().map_or(0.0, |factor| room(factor, SMALL) + 10.0);
        let label = cut(&self.panel.x_label, LABEL, (self.width - 2.0 * factor_room).max(LONGEST_LABEL));
        let middle = left + self.width / 2.0;
        items.push(write((middle, y), LABEL, Anchor::Middle, INK, label));
        if let Some(factor) = &self.x.factor {
            items.push(write((left + self.width, y), SMALL, Anchor::End, INK, factor.clone()));
        }
        y + 0.3 * LABEL
    }

    fn legend(&self, (x, top): Point, items: &mut Vec<Item>) {
        if self.panel.series.len() < 2 {
            return;
        }
        for (k, series) in self.panel.series.iter().enumerate() {
            let y = top + LEGEND_LINE * (k as f64 + 0.5);
            items.push(Item::Line { from: (x, y), to: (x + SAMPLE, y), stroke: stroke_of(k) });
            let at = (x + SAMPLE + 6.0, y + HALF_DIGIT * SMALL);
            items.push(write(at, SMALL, Anchor::Start, INK, legend_text(series)));
        }
    }
}

/// Gives all panels one x range where they have the same x axis, and says whether they do.
fn share_x(frames: &mut [Frame]) -> bool {
    let Some(first) = frames.first() else { return true };
    let label = &first.panel.x_label;
    if frames.iter().any(|frame| frame.panel.equal_axes || frame.panel.x_label != *label) {
        return false;
    }
    // Panels without a point have no say.
    let ends = frames.iter().filter(|frame| frame.panel.series.iter().flat_map(points).any(|point| drawable(point.0)));
    let all = ends.flat_map(|frame| [frame.x_range.0, frame.x_range.1]);
    let common = range(all.collect::<Vec<_>>().into_iter(), 0.0);
    for frame in frames {
        frame.x_range = common;
    }
    true
}

fn points(series: &Series) -> impl Iterator<Item = Point> + '_ {
    series.x.iter().copied().zip(series.y.iter().copied())
}

fn ticks_of(label: &str) -> Ticks {
    match label {
        _ if label.ends_with("[rad]") => Ticks::Radians,
        _ if label.ends_with("[deg]") => Ticks::Degrees,
        _ => Ticks::Round,
    }
}

fn stroke_of(k: usize) -> Stroke {
    let (colour, dash) = (COLOURS[k % COLOURS.len()], DASHES[k / WHOLE_LINES % DASHES.len()]);
    Stroke { colour, width: CURVE, dash }
}

/// A run of a curve; a sample alone becomes a dot.
fn curve(mut points: Vec<Point>, stroke: Stroke) -> Item {
    let extent = |f: fn(&Point) -> f64| {
        let ends = points.iter().map(f).fold((f64::MAX, f64::MIN), |(lo, hi), value| (lo.min(value), hi.max(value)));
        ends.1 - ends.0
    };
    if extent(|point| point.0) < 0.1 && extent(|point| point.1) < 0.1 {
        // A line of no length has no direction and is not drawn by all.
        points.truncate(1);
        if let Some(&(x, y)) = points.first() {
            points.push((x + 0.02, y));
        }
        return Item::Polyline { points, stroke: Stroke { width: DOT, dash: &[], ..stroke } };
    }
    Item::Polyline { points, stroke }
}

fn legend_text(series: &Series) -> String {
    cut(&series.label, SMALL, LONGEST_LABEL / 2.0)
}

/// A text cut with an ellipsis to fit a width.
fn cut(text: &str, size: f64, width: f64) -> String {
    if room(text, size) <= width {
        return text.to_owned();
    }
    // No letter is narrower than a tenth of the size, so that a text of any length is measured only so far.
    let most = (width / (0.1 * size)).max(1.0) as usize;
    let mut letters: Vec<char> = text.chars().take(most).collect();
    loop {
        let shorter = letters.iter().collect::<String>() + "…";
        if letters.is_empty() || room(&shorter, size) <= width {
            return shorter;
        }
        letters.pop();
    }
}

fn write(at: Point, size: f64, anchor: Anchor, colour: Colour, text: String) -> Item {
    Item::Text(Text { at, size, anchor, upwards: false, colour, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(label: &str, series: usize) -> Panel {
        let x: Vec<f64> = (0..50).map(|k| k as f64 / 10.0).collect();
        let curve = |k: usize| x.iter().map(|x| (x + k as f64).sin() * 1e-7).collect();
        Panel {
            series: (0..series).map(|k| Series { label: format!("s{k}"), x: x.clone(), y: curve(k) }).collect(),
            x_label: "t [s]".into(),
            y_label: label.into(),
            equal_axes: false,
        }
    }

    /// Box of an item: texts take the room that the widest font needs.
    fn extent(item: &Item) -> [f64; 4] {
        let of_points = |points: &[Point]| {
            points.iter().fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |e, p| {
                [e[0].min(p.0), e[1].min(p.1), e[2].max(p.0), e[3].max(p.1)]
            })
        };
        match item {
            Item::Polyline { points, .. } => of_points(points),
            Item::Line { from, to, .. } => of_points(&[*from, *to]),
            Item::Rect { corner: (x, y), width, height, .. } => [*x, *y, x + width, y + height],
            Item::Text(text) => {
                let width = room(&text.text, text.size);
                let before = match text.anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => width / 2.0,
                    Anchor::End => width,
                };
                let ((x, y), ascent) = (text.at, 0.75 * text.size);
                match text.upwards {
                    false => [x - before, y - ascent, x - before + width, y],
                    true => [x - ascent, y + before - width, x, y + before],
                }
            }
        }
    }

    fn texts<'s>(scene: &'s Scene) -> Vec<&'s Text> {
        let text = |item: &'s Item| if let Item::Text(text) = item { Some(text) } else { None };
        scene.items.iter().filter_map(text).collect()
    }

    fn awkward() -> Vec<Plot> {
        let long = "a very long name of an element that nobody should ever write.but.somebody.will [m/s²]";
        let mut wrong = panel("x [m]", 1);
        wrong.series[0].y.iter_mut().for_each(|y| *y = f64::NAN);
        let mut huge = panel("x [m]", 2);
        huge.series[0].y[3] = f64::MAX;
        huge.series[0].x[7] = 1e299;
        let mut path = panel("y [m]", 2);
        path.equal_axes = true;
        let mut flat = path.clone();
        flat.series.iter_mut().for_each(|series| series.y.fill(2.0));
        let mut steep = path.clone();
        steep.series.iter_mut().for_each(|series| series.x.fill(2.0));
        let single = Panel { series: vec![Series { label: "p".into(), x: vec![1.0], y: vec![1.0] }], ..panel("", 0) };
        let figure = |panels: Vec<Panel>| Plot { panels, title: Some(long.repeat(3)), subtitle: Some("below".into()) };
        vec![
            Plot::default(),
            figure(vec![panel(long, 6)]),
            figure(vec![panel("a [m]", 20), panel("b [m]", 1), wrong, panel("", 0)]),
            figure(vec![huge]),
            figure(vec![path]),
            figure(vec![flat, steep]),
            figure(vec![single]),
        ]
    }

    #[test]
    fn nothing_leaves_the_page() {
        for (k, plot) in awkward().iter().enumerate() {
            let scene = scene(plot);
            for item in &scene.items {
                let [left, top, right, bottom] = extent(item);
                let inside = left >= 0.0 && top >= 0.0 && right <= scene.width && bottom <= scene.height;
                assert!(inside, "figure {k}: {left} {top} {right} {bottom} on {} {}", scene.width, scene.height);
            }
            super::super::svg(plot);
            assert!(super::super::png(plot).is_ok());
        }
    }

    #[test]
    fn level_texts_do_not_overlap() {
        for (k, plot) in awkward().iter().enumerate() {
            let scene = scene(plot);
            let boxes: Vec<_> = scene.items.iter().filter(|item| matches!(item, Item::Text(_))).map(extent).collect();
            for (i, a) in boxes.iter().enumerate() {
                for b in &boxes[..i] {
                    let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                    assert!(apart, "figure {k}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn shared_axes_are_labelled_once() {
        let plot = Plot { panels: vec![panel("a", 1), panel("b", 1)], ..Default::default() };
        assert_eq!(texts(&scene(&plot)).iter().filter(|text| text.text == "t [s]").count(), 1);
        let mut other = plot.clone();
        other.panels[1].x_label = "angle [rad]".into();
        assert_eq!(texts(&scene(&other)).iter().filter(|text| text.text.contains('[')).count(), 2);
    }

    #[test]
    fn equal_axes_have_equal_scales() {
        let circle = |k: usize| (0.1 * k as f64).sin_cos();
        let series = Series {
            label: String::new(),
            x: (0..63).map(|k| 3.0 * circle(k).1).collect(),
            y: (0..63).map(|k| 3.0 * circle(k).0).collect(),
        };
        let panel = Panel { series: vec![series], equal_axes: true, ..panel("y [m]", 0) };
        let frame = {
            let mut frame = Frame::new(&panel, true);
            frame.fit(600.0);
            frame
        };
        let scale = |axis: &Axis, length: f64| length / (axis.hi - axis.lo);
        let (x, y) = (scale(&frame.x, frame.width), scale(&frame.y, frame.height));
        assert!((x / y - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_narrow_path_has_ticks_on_both_axes() {
        let series = Series { label: String::new(), x: vec![-0.1, 0.1], y: vec![1.0, 3.0] };
        let panel = Panel { series: vec![series], equal_axes: true, ..panel("y [m]", 0) };
        let mut frame = Frame::new(&panel, true);
        frame.fit(600.0);
        assert!(frame.x.ticks.len() >= 2 && frame.y.ticks.len() >= 2, "{:?} {:?}", frame.x, frame.y);
    }

    #[test]
    fn lines_differ_in_colour_or_pattern() {
        let looks: Vec<_> = (0..28).map(|k| (stroke_of(k).colour, stroke_of(k).dash)).collect();
        for (i, a) in looks.iter().enumerate() {
            assert!(looks[..i].iter().all(|b| a != b));
        }
    }
}
