//! What the back ends draw: a page with lines, rectangles and texts, in units of 1/96 inch, y downwards.

use super::thin::Point;

/// A page.
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    /// In the order in which they are drawn.
    pub items: Vec<Item>,
}

/// One thing to draw.
pub(super) enum Item {
    /// A line through points, with round joins and ends.
    Polyline { points: Vec<Point>, stroke: Stroke },
    /// A straight line.
    Line { from: Point, to: Point, stroke: Stroke },
    /// The outline of a rectangle.
    Rect { corner: Point, width: f64, height: f64, stroke: Stroke },
    /// A line of text.
    Text(Text),
}

/// How a line looks.
#[derive(Clone, Copy)]
pub(super) struct Stroke {
    pub colour: Colour,
    pub width: f64,
    /// Lengths of strokes and gaps; empty for a solid line.
    pub dash: &'static [f64],
}

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

/// A text by the place of its anchor on the base line.
pub(super) struct Text {
    pub at: Point,
    pub size: f64,
    pub anchor: Anchor,
    /// Whether it reads upwards, turned by a quarter.
    pub upwards: bool,
    pub colour: Colour,
    pub text: String,
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}
