//! Diagrams of results: panels with curves, drawn as SVG, as PNG or as a sketch for the terminal.
//!
//! ```text
//! Results ──figure──► Plot ──layout──► Scene (lines, rectangles, texts) ──► svg · png
//!                      └───────────────────────────────────────────────────► sketch
//! ```
//! A [`drawing::Drawing`], frames with lines, circles and marks to scale, becomes such a scene in `frames`.
//!
//! All decisions about looks are taken once, in `layout`; the back ends only draw. The feature `plots`, on by default, has SVG and PNG.

pub mod drawing;
mod figure;
#[cfg(feature = "plots")]
mod font;
#[cfg(feature = "plots")]
mod frames;
#[cfg(feature = "plots")]
mod layout;
#[cfg(feature = "plots")]
mod lettering;
mod palette;
#[cfg(feature = "plots")]
mod png;
#[cfg(feature = "plots")]
pub mod png_file;
#[cfg(feature = "plots")]
mod scene;
mod sketch;
#[cfg(feature = "plots")]
mod svg;
#[cfg(feature = "plots")]
mod thin;
mod ticks;

pub use figure::{figure, figure_of_pairs, figure_of_runs, in_degrees, phase_portraits};
#[cfg(feature = "plots")]
pub use font::{bring, typefaces};
#[cfg(feature = "plots")]
pub use lettering::letters;
pub use palette::{body_colour, COLOURS, WHOLE_LINES};
pub use sketch::sketch;

use biela_base::error::Result;
use biela_results::{by_extension, write_atomically};
use std::path::Path;

/// A figure: panels one below the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plot {
    /// The panels, from the top.
    pub panels: Vec<Panel>,
    /// Heading.
    pub title: Option<String>,
    /// Smaller line below the heading.
    pub subtitle: Option<String>,
}

/// One pair of axes with its curves. Panels with the same `x_label` share the x axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// The curves; a legend names them where there is more than one.
    pub series: Vec<Series>,
    /// Text below, `name [unit]`; an axis in `[rad]` has ticks at fractions of pi, one in `[deg]` at parts of a right angle, where they suit its range.
    pub x_label: String,
    /// Text at the left, `name [unit]`.
    pub y_label: String,
    /// Whether a unit has the same length on both axes, as the path of a point wants it.
    pub equal_axes: bool,
}

/// A curve. It has a gap where a coordinate is not finite.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Text in the legend.
    pub label: String,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates, one for each abscissa.
    pub y: Vec<f64>,
}

/// Extensions of the picture files that [`write()`] knows.
pub const EXTENSIONS: &[&str] = if cfg!(feature = "plots") { &["svg", "png"] } else { &[] };

/// Extensions whose feature is off, with it.
const LEFT_OUT: &[(&str, &str)] = if cfg!(feature = "plots") { &[] } else { &[("svg", "plots"), ("png", "plots")] };

/// That a picture can be written under that name, by its extension.
pub fn check_extension(path: &Path) -> Result<()> {
    by_extension(path, EXTENSIONS.iter().map(|extension| (*extension, ())), LEFT_OUT)
}

/// Writes a figure as `.svg` or `.png`: whole, or not at all.
pub fn write(path: &Path, plot: &Plot) -> Result<()> {
    let draw = by_extension(path, DRAWN.iter().copied(), LEFT_OUT)?;
    let bytes = draw(plot)?;
    write_atomically(path, |out| out.write_all(&bytes))
}

/// Writes a drawing in the same way.
pub fn write_drawing(path: &Path, drawing: &drawing::Drawing) -> Result<()> {
    check_extension(path)?;
    let bytes = drawing_bytes(drawing, path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")))?;
    write_atomically(path, |out| out.write_all(&bytes))
}

/// A drawing as the bytes of a PNG or SVG file.
#[cfg(feature = "plots")]
pub fn drawing_bytes(drawing: &drawing::Drawing, as_png: bool) -> Result<Vec<u8>> {
    let scene = frames::scene(drawing);
    if as_png {
        png::draw(&scene)
    } else {
        Ok(svg::draw(&scene).into_bytes())
    }
}

/// Without the feature `plots` no extension is known.
#[cfg(not(feature = "plots"))]
fn drawing_bytes(_: &drawing::Drawing, _: bool) -> Result<Vec<u8>> {
    Ok(Vec::new())
}

/// Draws a figure as the bytes of a file.
type Draw = fn(&Plot) -> Result<Vec<u8>>;

/// How each of the [`EXTENSIONS`] is drawn.
#[cfg(feature = "plots")]
const DRAWN: [(&str, Draw); 2] = [("svg", |plot| Ok(svg(plot).into_bytes())), ("png", png)];
#[cfg(not(feature = "plots"))]
const DRAWN: [(&str, Draw); 0] = [];

/// The figure as the text of an SVG file.
#[cfg(feature = "plots")]
pub fn svg(plot: &Plot) -> String {
    svg::draw(&layout::scene(plot))
}

/// The figure as the bytes of a PNG file, two pixels per unit of the SVG.
#[cfg(feature = "plots")]
pub fn png(plot: &Plot) -> Result<Vec<u8>> {
    png::draw(&layout::scene(plot))
}
