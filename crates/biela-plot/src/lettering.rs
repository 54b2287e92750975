//! Texts as outlines, with the typefaces that are part of the program: for figures, and for pictures of mechanisms.

use super::font::{place, units_per_em};
use ab_glyph::{Font, FontRef, OutlineCurve, Point as Corner};
use tiny_skia as skia;

/// The outlines of a text of this size and its width. Its base line runs along x from the origin, y points downwards.
pub fn letters(text: &str, size: f64) -> (Vec<skia::Path>, f64) {
    let (glyphs, width) = place(text);
    let paths = glyphs.iter().filter_map(|placed| {
        // Outlines are in units of the font, y upwards.
        let scale = (size * placed.scale / units_per_em(placed.font)) as f32;
        let to_line = skia::Transform::from_scale(scale, -scale)
            .post_translate((placed.x * size) as f32, (-placed.rise * size) as f32);
        outline(placed.font, placed.glyph)?.transform(to_line)
    });
    (paths.collect(), width * size)
}

/// The outline of a glyph; none for a space.
fn outline(font: &FontRef, glyph: ab_glyph::GlyphId) -> Option<skia::Path> {
    let mut path = skia::PathBuilder::new();
    let mut pen: Option<Corner> = None;
    for curve in font.outline(glyph)?.curves {
        let start = match curve {
            OutlineCurve::Line(start, ..) | OutlineCurve::Quad(start, ..) | OutlineCurve::Cubic(start, ..) => start,
        };
        if pen != Some(start) {
            if pen.is_some() {
                path.close();
            }
            path.move_to(start.x, start.y);
        }
        pen = Some(match curve {
            OutlineCurve::Line(_, end) => {
                path.line_to(end.x, end.y);
                end
            }
            OutlineCurve::Quad(_, a, end) => {
                path.quad_to(a.x, a.y, end.x, end.y);
                end
            }
            OutlineCurve::Cubic(_, a, b, end) => {
                path.cubic_to(a.x, a.y, b.x, b.y, end.x, end.y);
                end
            }
        });
    }
    path.close();
    path.finish()
}
