//! Lines, fills and texts over a picture, in pixels from its upper left corner: what marks are made of, and how pixels show them.

use biela_plot::letters;
use std::collections::HashMap;
use tiny_skia as skia;

/// A place on the page.
pub(super) type At = [f64; 2];

/// One thing to draw.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// A line through points with round joins and ends.
    Line { points: Vec<At>, colour: [u8; 3], width: f64 },
    /// A polygon.
    Fill { points: Vec<At>, colour: [u8; 3] },
    /// A disc with a rim of the paper's colour.
    Dot { at: At, radius: f64, colour: [u8; 3] },
    /// A text that begins at its place on the base line, with a rim of the paper's colour.
    Text { at: At, size: f64, colour: [u8; 3], text: String },
}

/// What was drawn: pixels that have ink, with how much of what is below they hide.
pub(super) struct Layer(Vec<(usize, [u8; 3], u8)>);

impl Layer {
    /// Lays it over pixels.
    pub fn over(&self, pixels: &mut [[u8; 3]]) {
        for (k, colour, alpha) in &self.0 {
            let left = 255 - u32::from(*alpha);
            let under = &mut pixels[*k];
            *under =
                [0, 1, 2].map(|k| (u32::from(colour[k]) + (u32::from(under[k]) * left + 127) / 255).min(255) as u8);
        }
    }
}

/// Draws items on a page; keeps the outlines of texts that it has drawn.
pub(super) struct Pen {
    page: skia::Pixmap,
    paper: [u8; 3],
    known: HashMap<(String, u64), Vec<skia::Path>>,
}

impl Pen {
    /// A pen for pages of so many pixels; none where they are too many.
    pub fn new(width: usize, height: usize, paper: [u8; 3]) -> Option<Pen> {
        Some(Pen { page: skia::Pixmap::new(width as u32, height as u32)?, paper, known: HashMap::new() })
    }

    /// Draws items.
    pub fn draw(&mut self, items: &[Item]) -> Layer {
        if items.is_empty() {
            return Layer(Vec::new());
        }
        self.page.fill(skia::Color::TRANSPARENT);
        for item in items {
            match item {
                Item::Line { points, colour, width } => self.stroke(&along(points, false), *colour, 1.0, *width),
                Item::Fill { points, colour } => self.fill(&along(points, true), *colour),
                Item::Dot { at: [x, y], radius, colour } => {
                    let disc = |r: f64| skia::PathBuilder::from_circle(*x as f32, *y as f32, r as f32);
                    self.fill(&disc(1.4 * radius), self.paper);
                    self.fill(&disc(*radius), *colour);
                }
                Item::Text { at, size, colour, text } => self.text(*at, *size, *colour, text),
            }
        }
        let inked = self.page.pixels().iter().enumerate().filter(|(_, over)| over.alpha() > 0);
        Layer(inked.map(|(k, over)| (k, [over.red(), over.green(), over.blue()], over.alpha())).collect())
    }

    fn stroke(&mut self, path: &Option<skia::Path>, colour: [u8; 3], opacity: f32, width: f64) {
        let Some(path) = path else { return };
        let pen = skia::Stroke {
            width: width as f32,
            line_join: skia::LineJoin::Round,
            line_cap: skia::LineCap::Round,
            ..Default::default()
        };
        self.page.stroke_path(path, &paint(colour, opacity), &pen, skia::Transform::identity(), None);
    }

    fn fill(&mut self, path: &Option<skia::Path>, colour: [u8; 3]) {
        let Some(path) = path else { return };
        let still = skia::Transform::identity();
        self.page.fill_path(path, &paint(colour, 1.0), skia::FillRule::Winding, still, None);
    }

    fn text(&mut self, [x, y]: At, size: f64, colour: [u8; 3], text: &str) {
        let key = (text.to_string(), size.to_bits());
        let paths = self.known.entry(key).or_insert_with(|| letters(text, size).0).clone();
        let moved = skia::Transform::from_translate(x as f32, y as f32);
        let placed: Vec<Option<skia::Path>> = paths.into_iter().map(|p| p.transform(moved)).collect();
        placed.iter().for_each(|path| self.stroke(path, self.paper, 0.85, 0.26 * size));
        placed.iter().for_each(|path| self.fill(path, colour));
        // Light letters of a thin typeface need a little more weight.
        placed.iter().for_each(|path| self.stroke(path, colour, 1.0, 0.035 * size));
    }
}

fn paint([red, green, blue]: [u8; 3], opacity: f32) -> skia::Paint<'static> {
    let mut paint = skia::Paint { anti_alias: true, ..Default::default() };
    paint.set_color_rgba8(red, green, blue, (255.0 * opacity) as u8);
    paint
}

fn along(points: &[At], closed: bool) -> Option<skia::Path> {
    let mut path = skia::PathBuilder::new();
    for (k, [x, y]) in points.iter().enumerate().filter(|(_, p)| p.iter().all(|c| c.abs() < 1e6)) {
        match k {
            0 => path.move_to(*x as f32, *y as f32),
            _ => path.line_to(*x as f32, *y as f32),
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}
