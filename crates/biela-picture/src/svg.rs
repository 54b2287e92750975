//! A sample as an SVG drawing: shapes from the farthest to the nearest, with marks below and over them.

use super::arcs::{Contour, Piece, Place};
use super::camera::Camera;
use super::choice::Choice;
use super::ink::Item;
use super::marks::Marks;
use super::outlines::{Outline, Shape, Shapes};
use super::theme::Theme;
use super::{Animation, Scene};
use biela_base::error::Result;
use biela_math::Vec3;
use biela_results::markup::escaped;
use std::fmt::Write;

/// Width of the line around a face, in parts of the page's width.
const EDGE: f64 = 1.0 / 800.0;

/// The text of an SVG file. Writing to a String cannot fail.
pub(super) fn svg(scene: &Scene, motion: &Animation, choice: &Choice) -> Result<String> {
    let camera = Camera::new(scene, choice.look, choice.width as f64);
    let theme = Theme::new(choice.look.dark);
    let marks = Marks::new(scene, motion, choice.look, &camera)?;
    let poses = motion.frame(choice.sample);
    let (w, h) = (camera.width, camera.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n\
         <title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n",
        escaped(&scene.name),
        hex(theme.paper)
    );
    group(&mut out, "fill=\"none\"", &marks.below(), &theme);
    let _ = writeln!(out, "<g stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">", tidy(EDGE * w));
    let shapes = Shapes::of(scene, &camera, theme, &poses);
    for run in shapes.chunk_by(|a, b| a.owner == b.owner) {
        let owner = run[0].owner;
        let name = scene.figures.get(owner).map_or_else(
            || scene.struts.get(owner - scene.figures.len()).map_or("", |s| s.name.as_str()),
            |f| f.name.as_str(),
        );
        let _ = writeln!(out, "<g data-body=\"{}\">", escaped(name));
        run.iter().for_each(|shape| draw(&mut out, shape, &camera, &theme));
        out.push_str("</g>\n");
    }
    out.push_str("</g>\n");
    const LETTERS: &str =
        "stroke-linecap=\"round\" stroke-linejoin=\"round\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\"";
    group(&mut out, LETTERS, &marks.constant(), &theme);
    group(&mut out, LETTERS, &marks.moving(&poses, choice.sample as f64), &theme);
    out.push_str("</svg>\n");
    Ok(out)
}

fn group(out: &mut String, style: &str, items: &[Item], theme: &Theme) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "<g {style}>");
    items.iter().for_each(|item| mark(out, item, theme));
    out.push_str("</g>\n");
}

fn mark(out: &mut String, item: &Item, theme: &Theme) {
    let places = |points: &[[f64; 2]]| {
        points.iter().map(|[x, y]| format!("{},{}", tidy(*x), tidy(*y))).collect::<Vec<_>>().join(" ")
    };
    let _ = match item {
        Item::Line { points, colour, width } => match points[..] {
            [[x1, y1], [x2, y2]] => writeln!(
                out,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
                tidy(x1),
                tidy(y1),
                tidy(x2),
                tidy(y2),
                hex(*colour),
                tidy(*width)
            ),
            _ => writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
                places(points),
                hex(*colour),
                tidy(*width)
            ),
        },
        Item::Fill { points, colour } => {
            writeln!(out, "<polygon points=\"{}\" fill=\"{}\"/>", places(points), hex(*colour))
        }
        Item::Dot { at: [x, y], radius, colour } => writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\"/>",
            tidy(*x),
            tidy(*y),
            tidy(*radius),
            hex(*colour),
            hex(theme.paper)
        ),
        Item::Text { at: [x, y], size, colour, text } => writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" paint-order=\"stroke\">{}</text>",
            tidy(*x),
            tidy(*y),
            tidy(0.94 * size),
            hex(*colour),
            hex(theme.paper),
            tidy(0.22 * size),
            escaped(text)
        ),
    };
}

fn draw(out: &mut String, shape: &Shape, camera: &Camera, theme: &Theme) {
    let (fill, edge) = (hex(shape.colour), hex(theme.edge(shape.colour)));
    let page = |p: &Place| camera.on_page(Vec3::new(p[0], p[1], 0.0));
    let _ = match &shape.outline {
        Outline::Circle(centre, r) => {
            let p = page(centre);
            let (x, y, r) = (tidy(p.x), tidy(p.y), tidy(r * camera.scale));
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{fill}\" stroke=\"{edge}\"/>")
        }
        Outline::Ellipse(centre, u, v) => {
            let (p, [a, b, turn]) = (page(centre), ellipse(u, v));
            let (x, y) = (tidy(p.x), tidy(p.y));
            let (a, b) = (tidy(a * camera.scale), tidy(b * camera.scale));
            writeln!(
                out,
                "<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{a}\" ry=\"{b}\" transform=\"rotate({turn} {x} {y})\" fill=\"{fill}\" stroke=\"{edge}\"/>"
            )
        }
        Outline::Faces(contours) => match &contours[..] {
            [only] if only.closed && only.is_straight() => {
                let corners: Vec<String> =
                    only.corners().iter().map(page).map(|p| format!("{},{}", tidy(p.x), tidy(p.y))).collect();
                writeln!(out, "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{edge}\"/>", corners.join(" "))
            }
            _ => writeln!(out, "<path d=\"{}\" fill=\"{fill}\" stroke=\"{edge}\"/>", path(contours, camera)),
        },
        // A thin line of the same colour closes the seams between faces.
        Outline::Bare(contours) => {
            writeln!(
                out,
                "<path d=\"{}\" fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\".4\"/>",
                path(contours, camera)
            )
        }
        Outline::Lines(contours, width) => {
            let width =
                if *width > 0.0 { format!(" stroke-width=\"{}\"", tidy(width * camera.scale)) } else { String::new() };
            writeln!(out, "<path d=\"{}\" fill=\"none\" stroke=\"{fill}\"{width}/>", path(contours, camera))
        }
    };
}

/// Semi-axes of an ellipse, and by how many degrees the first is turned on the page.
fn ellipse(u: &Place, v: &Place) -> [f64; 3] {
    use biela_math::Elementary;
    let length = |w: &Place| (w[0] * w[0] + w[1] * w[1]).sqrt();
    [length(u), length(v), tidy(-u[1].arctangent2(u[0]).to_degrees())]
}

/// Contours as the data of a path.
fn path(contours: &[Contour], camera: &Camera) -> String {
    let mut out = String::new();
    let page = |p: Place| {
        let p = camera.on_page(Vec3::new(p[0], p[1], 0.0));
        (tidy(p.x), tidy(p.y))
    };
    for contour in contours {
        let (x, y) = page(contour.start);
        let _ = write!(out, "M{x} {y}");
        let mut before = contour.start;
        for piece in &contour.pieces {
            let (x, y) = page(piece.end());
            let _ = match piece {
                Piece::Line(_) => write!(out, "L{x} {y}"),
                Piece::Arc { to, centre, radius, ccw } => {
                    // More than half a turn: the end lies on the other side of the line through start and centre.
                    let side =
                        (before[0] - centre[0]) * (to[1] - centre[1]) - (before[1] - centre[1]) * (to[0] - centre[0]);
                    let large = u8::from((side < 0.0) == *ccw);
                    let r = tidy(radius * camera.scale);
                    write!(out, "A{r} {r} 0 {large} {} {x} {y}", u8::from(!ccw))
                }
                Piece::Half { from, over, .. } => {
                    let [a, b, turn] = ellipse(from, over);
                    let ccw = from[0] * over[1] > from[1] * over[0];
                    let (a, b) = (tidy(a * camera.scale), tidy(b * camera.scale));
                    write!(out, "A{a} {b} {turn} 0 {} {x} {y}", u8::from(!ccw))
                }
            };
            before = piece.end();
        }
        if contour.closed {
            out.push('Z');
        }
    }
    out
}

/// A number to hundredths of a pixel.
fn tidy(x: f64) -> f64 {
    // No minus before a nought.
    (100.0 * x).round() / 100.0 + 0.0
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
