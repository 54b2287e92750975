//! A sample and paths as a DXF drawing for CAD: ASCII of release 12, which every program reads.
//!
//! Entities LINE, ARC, CIRCLE, POLYLINE and TEXT lie on a layer for each body, paths on layers of their own, in the model's
//! unit of length, at true size. Their z is nought: what is in space is seen by the camera.

use super::arcs::{Contour, Piece, Place};
use super::camera::Camera;
use super::choice::Choice;
use super::look::{point_name, Named};
use super::outlines::{Outline, Shapes};
use super::theme::Theme;
use super::{Animation, Scene};
use biela_base::display_units::Scale;
use biela_math::{Elementary, Vec3};
use std::f64::consts::PI;

/// `$INSUNITS` of units of length.
const UNITS: [(&str, u8); 12] = [
    ("in", 1),
    ("inch", 1),
    ("ft", 2),
    ("mi", 3),
    ("mm", 4),
    ("cm", 5),
    ("m", 6),
    ("km", 7),
    ("yd", 10),
    ("nm", 12),
    ("um", 13),
    ("dm", 14),
];
/// AutoCAD's colours with numbers, and what they look like.
const COLOURS: [([u8; 3], u8); 14] = [
    ([255, 0, 0], 1),
    ([220, 200, 0], 2),
    ([0, 200, 0], 3),
    ([0, 200, 200], 4),
    ([0, 0, 255], 5),
    ([255, 0, 255], 6),
    ([128, 128, 128], 8),
    ([192, 192, 192], 9),
    ([255, 127, 0], 30),
    ([0, 165, 124], 114),
    ([0, 82, 165], 154),
    ([127, 0, 255], 190),
    ([165, 82, 124], 235),
    ([165, 0, 41], 242),
];
/// Corners of half an ellipse, which the release has no entity for.
const HALF: usize = 36;
/// Points of a path at most.
const MOST_PLACES: usize = 4000;

/// The text of a DXF file.
pub(super) fn dxf(scene: &Scene, motion: &Animation, choice: &Choice) -> String {
    let camera = Camera::new(scene, choice.look, choice.width as f64);
    let poses = motion.frame(choice.sample);
    let own = scene.units.scale("m");
    let known = UNITS.iter().find(|u| u.0 == own.unit);
    let (scale, unit) = known.map_or((Scale::unchanged("m"), 6), |u| (own, u.1));
    let mut drawing =
        Drawing { entities: String::new(), layers: Vec::new(), scale, low: [f64::MAX; 2], high: [f64::MIN; 2] };
    let bodies: Vec<String> = scene.figures.iter().map(|f| drawing.layer(&f.name, f.colour)).collect();
    let steel = scene.colour(0, super::scene::Tint::Steel);
    let struts: Vec<String> = scene.struts.iter().map(|s| drawing.layer(&s.name, steel)).collect();
    for shape in Shapes::of(scene, &camera, Theme::new(false), &poses) {
        let Some(layer) = bodies.iter().chain(&struts).nth(shape.owner) else { continue };
        match &shape.outline {
            Outline::Circle(centre, radius) => drawing.circle(layer, *centre, *radius),
            // The edges of a mesh tell of it; its faces are for the eye.
            Outline::Bare(_) => {}
            other => other.contours().iter().for_each(|c| drawing.contour(layer, c)),
        }
    }
    for k in &choice.look.traces {
        let point = &scene.points[*k];
        let layer = drawing.layer(&format!("path {}", point_name(scene, point)), scene.figures[point.body].colour);
        let place = |sample: usize| {
            let p = camera.project(motion.pose(point.body, sample).apply(point.at));
            [p.x, p.y]
        };
        let points: Vec<Place> = motion.some(MOST_PLACES).map(place).collect();
        drawing.polyline(&layer, &points, false);
    }
    let size = 0.9 * scene.thickness;
    let mut named: Vec<(String, Place)> = Vec::new();
    let mut name = |text: &str, p: Vec3| {
        let layer = drawing.layer("names", [128; 3]);
        let p = camera.project(p);
        let mut place = [p.x + size, p.y + size];
        let near = |q: &Place, place: &Place| (q[0] - place[0]).abs() + (q[1] - place[1]).abs() < size;
        // Points of several bodies in one joint mostly have one name; others stand below each other.
        while let Some(there) = named.iter().find(|n| near(&n.1, &place)) {
            if there.0 == text {
                return;
            }
            place[1] -= 1.5 * size;
        }
        drawing.text(&layer, place, size, text);
        named.push((text.to_string(), place));
    };
    for kind in &choice.look.names {
        match kind {
            Named::Bodies => {
                let bodies = scene.figures.iter().zip(&poses).skip(1);
                bodies.for_each(|(f, pose)| name(&f.name, pose.apply(f.label)));
            }
            Named::Joints => scene.joints.iter().for_each(|j| name(&j.name, poses[j.bodies[1]].apply(j.at[1]))),
            Named::Points => {
                let named = scene.points.iter().filter(|p| !p.name.is_empty());
                named.for_each(|p| name(&p.name, poses[p.body].apply(p.at)));
            }
        }
    }
    drawing.finish(unit)
}

/// A drawing as it grows: pairs of a group code and a value, a line each.
struct Drawing {
    entities: String,
    /// Names as users gave them, as the file has them, and colours.
    layers: Vec<(String, String, u8)>,
    scale: Scale,
    low: Place,
    high: Place,
}

fn pair(out: &mut String, code: u16, value: &str) {
    out.push_str(&format!("{code:3}\n{value}\n"));
}

/// A number of ten digits after the point, without noughts at its end.
fn number(x: f64) -> String {
    let text = format!("{:.10}", if x.is_finite() { x } else { 0.0 });
    let short = text.trim_end_matches('0');
    let short = if short.ends_with('.') { format!("{short}0") } else { short.to_string() };
    if short == "-0.0" {
        "0.0".into()
    } else {
        short
    }
}

impl Drawing {
    /// The layer of a name: letters, digits, `-` and `_` alone, at most 31, and no two names have one layer.
    fn layer(&mut self, name: &str, colour: [u8; 3]) -> String {
        if let Some(known) = self.layers.iter().find(|l| l.0 == name) {
            return known.1.clone();
        }
        let fit = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
        let plain: String = name.chars().map(fit).take(26).collect();
        let plain = if plain.is_empty() { "_".to_string() } else { plain };
        let taken = |text: &str| self.layers.iter().any(|l| l.1.eq_ignore_ascii_case(text));
        let numbered = (2..).map(|k| format!("{plain}_{k}")).find(|text| !taken(text)).unwrap_or_default();
        let own = if taken(&plain) { numbered } else { plain };
        let apart = |c: &[u8; 3]| (0..3).map(|k| u32::from(c[k].abs_diff(colour[k])).pow(2)).sum::<u32>();
        let nearest = COLOURS.iter().min_by_key(|c| apart(&c.0)).map_or(7, |c| c.1);
        self.layers.push((name.to_string(), own.clone(), nearest));
        own
    }

    fn entity(&mut self, kind: &str, layer: &str) {
        pair(&mut self.entities, 0, kind);
        pair(&mut self.entities, 8, layer);
    }

    fn real(&mut self, code: u16, value: f64) {
        pair(&mut self.entities, code, &number(value));
    }

    /// Makes the drawing's extent hold a circle.
    fn measure(&mut self, p: Place, radius: f64) {
        for k in 0..2 {
            self.low[k] = self.low[k].min(self.scale.shown(p[k] - radius));
            self.high[k] = self.high[k].max(self.scale.shown(p[k] + radius));
        }
    }

    /// A point of the drawing by the code of its x.
    fn point(&mut self, code: u16, p: Place) {
        self.measure(p, 0.0);
        let p = p.map(|x| self.scale.shown(x));
        self.real(code, p[0]);
        self.real(code + 10, p[1]);
        self.real(code + 20, 0.0);
    }

    fn circle(&mut self, layer: &str, centre: Place, radius: f64) {
        self.measure(centre, radius);
        self.entity("CIRCLE", layer);
        self.point(10, centre);
        self.real(40, self.scale.shown(radius));
    }

    fn line(&mut self, layer: &str, from: Place, to: Place) {
        self.entity("LINE", layer);
        self.point(10, from);
        self.point(11, to);
    }

    fn text(&mut self, layer: &str, at: Place, size: f64, text: &str) {
        self.entity("TEXT", layer);
        self.point(10, at);
        self.real(40, self.scale.shown(size));
        // Codes for letters beyond ASCII; two per cent signs would begin a code too.
        let plain: String = text
            .chars()
            .map(|c| match c {
                ' '..='~' => c.to_string(),
                _ if c.is_control() => " ".into(),
                _ => format!("\\U+{:04X}", u32::from(c)),
            })
            .collect();
        pair(&mut self.entities, 1, &plain.replace("%%", "% %"));
    }

    fn polyline(&mut self, layer: &str, points: &[Place], closed: bool) {
        if points.len() < 2 {
            return;
        }
        self.entity("POLYLINE", layer);
        pair(&mut self.entities, 66, "1");
        for code in [10, 20, 30] {
            self.real(code, 0.0);
        }
        pair(&mut self.entities, 70, if closed { "1" } else { "0" });
        for p in points {
            self.entity("VERTEX", layer);
            self.point(10, *p);
        }
        self.entity("SEQEND", layer);
    }

    fn contour(&mut self, layer: &str, contour: &Contour) {
        if let [Piece::Arc { centre, radius, .. }, Piece::Arc { centre: other, .. }] = &contour.pieces[..] {
            if contour.closed && centre == other {
                return self.circle(layer, *centre, *radius);
            }
        }
        if let (false, [Piece::Line(to)]) = (contour.closed, &contour.pieces[..]) {
            return self.line(layer, contour.start, *to);
        }
        if contour.pieces.iter().any(|p| matches!(p, Piece::Half { .. })) || contour.is_straight() {
            let corners = if contour.is_straight() { contour.corners() } else { cornered(contour) };
            return self.polyline(layer, &corners, contour.closed);
        }
        let mut before = contour.start;
        for piece in &contour.pieces {
            match piece {
                Piece::Arc { to, centre, radius, ccw } => {
                    let (from, to) = if *ccw { (before, *to) } else { (*to, before) };
                    self.arc(layer, *centre, *radius, [from, to]);
                }
                other => self.line(layer, before, other.end()),
            }
            before = piece.end();
        }
        if contour.closed && before != contour.start {
            self.line(layer, before, contour.start);
        }
    }

    /// An arc, anticlockwise from one place to the other.
    fn arc(&mut self, layer: &str, centre: Place, radius: f64, ends: [Place; 2]) {
        self.entity("ARC", layer);
        self.point(10, centre);
        self.real(40, self.scale.shown(radius));
        for (code, p) in [(50, ends[0]), (51, ends[1])] {
            let angle = (p[1] - centre[1]).arctangent2(p[0] - centre[0]).to_degrees();
            self.real(code, if angle < 0.0 { angle + 360.0 } else { angle });
        }
    }

    fn finish(self, unit: u8) -> String {
        let mut out = String::new();
        let begin = |out: &mut String, name: &str| {
            pair(out, 0, "SECTION");
            pair(out, 2, name);
        };
        begin(&mut out, "HEADER");
        pair(&mut out, 9, "$ACADVER");
        pair(&mut out, 1, "AC1009");
        pair(&mut out, 9, "$INSUNITS");
        pair(&mut out, 70, &unit.to_string());
        let measured = self.low[0] <= self.high[0];
        for (name, corner) in [("$EXTMIN", self.low), ("$EXTMAX", self.high)] {
            pair(&mut out, 9, name);
            let corner = if measured { corner } else { [0.0; 2] };
            for (code, x) in [(10, corner[0]), (20, corner[1]), (30, 0.0)] {
                pair(&mut out, code, &number(x));
            }
        }
        pair(&mut out, 0, "ENDSEC");
        begin(&mut out, "TABLES");
        for (code, value) in
            [(0, "TABLE"), (2, "LTYPE"), (70, "1"), (0, "LTYPE"), (2, "CONTINUOUS"), (70, "0"), (3, "Solid line")]
        {
            pair(&mut out, code, value);
        }
        for (code, value) in [(72, "65"), (73, "0"), (40, "0.0"), (0, "ENDTAB"), (0, "TABLE"), (2, "LAYER")] {
            pair(&mut out, code, value);
        }
        pair(&mut out, 70, &(self.layers.len() + 1).to_string());
        let first = [("0", 7)].into_iter();
        for (name, colour) in first.chain(self.layers.iter().map(|l| (l.1.as_str(), l.2))) {
            for (code, value) in [(0, "LAYER"), (2, name), (70, "0"), (62, &colour.to_string()), (6, "CONTINUOUS")] {
                pair(&mut out, code, value);
            }
        }
        pair(&mut out, 0, "ENDTAB");
        pair(&mut out, 0, "ENDSEC");
        begin(&mut out, "ENTITIES");
        out.push_str(&self.entities);
        pair(&mut out, 0, "ENDSEC");
        pair(&mut out, 0, "EOF");
        out
    }
}

/// A contour as a polygon.
fn cornered(contour: &Contour) -> Vec<Place> {
    let mut out = vec![contour.start];
    for piece in &contour.pieces {
        if let Piece::Half { centre, from, over } = piece {
            for k in 1..HALF {
                let angle = PI * k as f64 / HALF as f64;
                out.push([0, 1].map(|i| centre[i] + from[i] * angle.cosine() + over[i] * angle.sine()));
            }
        }
        out.push(piece.end());
    }
    if contour.closed && out.first() == out.last() {
        out.pop();
    }
    out
}
