//! The scene as PNG bytes, two pixels for each unit of the page.

use super::lettering::letters;
use super::png_file;
use super::scene::{Anchor, Colour, Item, Scene, Stroke, Text};
use super::thin::Point;
use biela_base::error::{Error, Result};
use tiny_skia as skia;

const SCALE: f32 = 2.0;

/// Bytes of a PNG file.
pub(super) fn draw(scene: &Scene) -> Result<Vec<u8>> {
    let pixels = |length: f64| (length as f32 * SCALE).ceil() as u32;
    let mut page = skia::Pixmap::new(pixels(scene.width), pixels(scene.height)).ok_or_else(|| {
        Error::new(format!("the picture is too large: {:.0} by {:.0}", scene.width, scene.height))
            .note("plot fewer signals, or write .svg")
    })?;
    page.fill(skia::Color::WHITE);
    for item in &scene.items {
        match item {
            Item::Polyline { points, stroke } => line(&mut page, points, stroke, false),
            Item::Line { from, to, stroke } => line(&mut page, &[*from, *to], stroke, false),
            Item::Rect { corner: (x, y), width, height, stroke } => {
                let corners = [(*x, *y), (x + width, *y), (x + width, y + height), (*x, y + height)];
                line(&mut page, &corners, stroke, true);
            }
            Item::Text(words) => text(&mut page, words),
        }
    }
    // Nothing is seen through: the page was filled first.
    let pixels: Vec<[u8; 3]> = page.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
    Ok(png_file::png(&pixels, page.width() as usize))
}

fn paint([red, green, blue]: Colour) -> skia::Paint<'static> {
    let mut paint = skia::Paint { anti_alias: true, ..Default::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn line(page: &mut skia::Pixmap, points: &[Point], stroke: &Stroke, closed: bool) {
    let mut path = skia::PathBuilder::new();
    for (k, &(x, y)) in points.iter().enumerate() {
        match k {
            0 => path.move_to(x as f32, y as f32),
            _ => path.line_to(x as f32, y as f32),
        }
    }
    if closed {
        path.close();
    }
    let Some(path) = path.finish() else { return };
    let dash: Vec<f32> = stroke.dash.iter().map(|length| *length as f32).collect();
    let pen = skia::Stroke {
        width: stroke.width as f32,
        line_join: skia::LineJoin::Round,
        // Round ends would close the gaps of a dashed line.
        line_cap: if dash.is_empty() { skia::LineCap::Round } else { skia::LineCap::Butt },
        dash: skia::StrokeDash::new(dash, 0.0),
        ..Default::default()
    };
    page.stroke_path(&path, &paint(stroke.colour), &pen, skia::Transform::from_scale(SCALE, SCALE), None);
}

fn text(page: &mut skia::Pixmap, text: &Text) {
    let (paths, width) = letters(&text.text, text.size);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let turn = if text.upwards { skia::Transform::from_rotate(-90.0) } else { skia::Transform::identity() };
    let to_page = skia::Transform::from_translate(-before as f32, 0.0)
        .post_concat(turn)
        .post_translate(text.at.0 as f32, text.at.1 as f32)
        .post_scale(SCALE, SCALE);
    let paint = paint(text.colour);
    for path in paths {
        page.fill_path(&path, &paint, skia::FillRule::Winding, to_page, None);
    }
}
