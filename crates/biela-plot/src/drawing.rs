//! Drawings to scale: frames side by side, each with lines, circles and marks in a plane of its own.

/// Frames under a heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawing {
    /// Heading.
    pub title: String,
    /// Smaller line below the heading.
    pub subtitle: String,
    /// The frames, two in a row.
    pub frames: Vec<Frame>,
}

/// A part of a plane, with its scale.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// Heading.
    pub title: String,
    /// Unit of the bar that shows the scale, and how many of it are one in the plane.
    pub unit: (String, f64),
    /// What must be seen: least and greatest x, then y. All shapes where it is empty; what lies beyond is cut off.
    pub window: Option<[f64; 4]>,
    /// What is drawn, the first hindmost.
    pub shapes: Vec<Shape>,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A line through points; it has gaps where a coordinate is not finite.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// How it looks.
        look: Look,
        /// Whether an arrow head stands at its end.
        arrow: bool,
    },
    /// A circle.
    Circle {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
        /// How it looks.
        look: Look,
    },
    /// A dot with a name beside it.
    Mark {
        /// Where.
        at: [f64; 2],
        /// Its name; none is written where it is empty.
        name: String,
        /// Its colour.
        colour: [u8; 3],
    },
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// Width in 1/96 inch.
    pub width: f64,
    /// Whether it is dashed.
    pub dashed: bool,
}
