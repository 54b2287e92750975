//! A planar linkage as the theory of machines draws it: the mechanism with its instant centres, velocity and acceleration polygons, and pole
//! curves with the inflection circle.

use biela_analysis::mechanism::{Linkage, MovingPoint, Planar};
use biela_base::sorting::sort_by;
use biela_math::Elementary;
use biela_plot::body_colour;
use biela_plot::drawing::{Drawing, Frame, Look, Shape};

const STEEL: [u8; 3] = [104, 112, 122];
const INK: [u8; 3] = [34, 34, 34];
/// Centres that no joint makes: a red that no body has.
const CENTRE: [u8; 3] = [178, 24, 43];

/// The drawing of a linkage.
pub fn drawing(linkage: &Linkage) -> Drawing {
    let subtitle = match (&linkage.input, linkage.class) {
        (Some(input), class) => {
            let (value, unit) =
                if input.unit == "rad" { (input.value.to_degrees(), "deg") } else { (input.value, "m") };
            let class = class.map_or(String::new(), |c| format!(", {}", c.word()));
            let value = biela_results::significant(value, 6);
            format!("t = {} s, {} = {value} {unit}{class}", biela_results::significant(linkage.t, 6), input.coordinate)
        }
        _ => format!("t = {} s", biela_results::significant(linkage.t, 6)),
    };
    let mut frames = vec![centres(linkage), polygon(linkage, "velocity polygon", "m/s", |p| p.v)];
    frames.push(pole_curves(linkage));
    frames.push(polygon(linkage, "acceleration polygon", "m/s^2", |p| p.a));
    Drawing { title: linkage.model.clone(), subtitle, frames }
}

fn colour(body: usize) -> [u8; 3] {
    // The ground, which comes first, has no colour of its own.
    body_colour(body.saturating_sub(1))
}

fn look(colour: [u8; 3], width: f64, dashed: bool) -> Look {
    Look { colour, width, dashed }
}

fn mark(at: Planar, name: &str, colour: [u8; 3]) -> Shape {
    Shape::Mark { at, name: name.to_string(), colour }
}

/// Links as lines through their points, closed where there are three or more.
fn links(linkage: &Linkage, place: impl Fn(&MovingPoint) -> Planar, width: f64) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for body in 1..linkage.bodies.len() {
        let mut points: Vec<Planar> = linkage.points.iter().filter(|p| p.body == body).map(&place).collect();
        points.dedup();
        if points.len() > 2 {
            points.push(points[0]);
        }
        shapes.push(Shape::Line { points, look: look(colour(body), width, false), arrow: false });
    }
    shapes
}

/// What holds all points of the mechanism, those of `more` that are not far from it, and a little around.
fn window(linkage: &Linkage, more: impl Iterator<Item = Planar> + Clone, near: f64) -> [f64; 4] {
    let own = linkage.points.iter().map(|p| p.at).chain(linkage.fixed.iter().map(|f| f.1));
    let finite = |p: &Planar| p[0].is_finite() && p[1].is_finite();
    let wider = |w: [f64; 4], [x, y]: Planar| [w[0].min(x), w[1].max(x), w[2].min(y), w[3].max(y)];
    let none = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
    let w = own.filter(finite).fold(none, wider);
    if w[0] > w[1] {
        return [-1.0, 1.0, -1.0, 1.0];
    }
    let grown = |w: [f64; 4], part: f64| {
        let room = part * (w[1] - w[0]).max(w[3] - w[2]).max(1e-9);
        [w[0] - room, w[1] + room, w[2] - room, w[3] + room]
    };
    let reach = grown(w, near);
    let seen = |p: &Planar| p[0] >= reach[0] && p[0] <= reach[1] && p[1] >= reach[2] && p[1] <= reach[3];
    grown(more.filter(seen).fold(w, wider), 0.06)
}

/// The mechanism with the centres that lie in sight, and lines of Kennedy's through those of three bodies.
fn centres(linkage: &Linkage) -> Frame {
    let apart = linkage.centres.iter().filter(|c| c.joint.is_none()).map(|c| c.at);
    let window = window(linkage, apart, 3.5);
    let mut shapes = kennedy(linkage, window);
    shapes.extend(links(linkage, |p| p.at, 3.0));
    shapes.extend(linkage.fixed.iter().map(|(name, at)| mark(*at, name, STEEL)));
    let joints = linkage.points.iter().filter(|p| !p.named && linkage.fixed.iter().all(|f| f.0 != p.name));
    let mut told: Vec<&str> = Vec::new();
    for p in joints {
        if !told.contains(&p.name.as_str()) {
            told.push(&p.name);
            shapes.push(mark(p.at, &p.name, STEEL));
        }
    }
    let named = linkage.points.iter().filter(|p| p.named && !told.contains(&p.name.as_str()));
    shapes.extend(named.filter(|p| linkage.fixed.iter().all(|f| f.0 != p.name)).map(|p| mark(p.at, &p.name, STEEL)));
    for c in linkage.centres.iter().filter(|c| c.joint.is_none()) {
        let name = c.bodies.map(|b| linkage.bodies[b].as_str()).join(" · ");
        shapes.push(mark(c.at, &name, CENTRE));
    }
    // What is too far away to be seen with the linkage is named.
    let [x0, x1, y0, y1] = window;
    let seen = |p: Planar| p[0] >= x0 && p[0] <= x1 && p[1] >= y0 && p[1] <= y1;
    let beyond = linkage.centres.iter().filter(|c| c.joint.is_none() && !seen(c.at));
    let beyond: Vec<String> = beyond.map(|c| c.bodies.map(|b| linkage.bodies[b].as_str()).join(" · ")).collect();
    let title = match beyond.len() {
        0 => "instant centres".to_string(),
        1..=3 => format!("instant centres; far away: {}", beyond.join(", ")),
        more => format!("instant centres; {more} are far away"),
    };
    Frame { title, unit: linkage.unit("m"), window: Some(window), shapes }
}

/// Lines through the centres of three bodies each, which lie on one: as far as they are in sight.
fn kennedy(linkage: &Linkage, [x0, x1, y0, y1]: [f64; 4]) -> Vec<Shape> {
    let seen = |p: Planar| p[0] >= x0 && p[0] <= x1 && p[1] >= y0 && p[1] <= y1;
    let centre =
        |a: usize, b: usize| linkage.centres.iter().find(|c| c.bodies == [a, b]).map(|c| (c.at, c.joint.is_some()));
    let count = linkage.bodies.len();
    let mut shapes = Vec::new();
    // Many links have too many lines to be read.
    for (a, b, c) in (0..count.min(7))
        .flat_map(|a| (a + 1..count.min(7)).flat_map(move |b| (b + 1..count.min(7)).map(move |c| (a, b, c))))
    {
        let three: Option<Vec<(Planar, bool)>> = [(a, b), (a, c), (b, c)].iter().map(|(i, j)| centre(*i, *j)).collect();
        // Two joints and what follows from them.
        let Some(three) = three.filter(|t| t.iter().filter(|c| c.1).count() == 2) else { continue };
        let mut points: Vec<Planar> = three.iter().map(|c| c.0).filter(|p| seen(*p)).collect();
        sort_by(&mut points, |p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
        if points.len() > 1 {
            shapes.push(Shape::Line { points, look: look([190, 196, 202], 1.0, true), arrow: false });
        }
    }
    shapes
}

/// Velocities or accelerations from one pole; each link has its image.
fn polygon(linkage: &Linkage, title: &str, unit: &'static str, of: fn(&MovingPoint) -> Planar) -> Frame {
    let mut shapes = Vec::new();
    let joints: Vec<&MovingPoint> = linkage.points.iter().filter(|p| !p.named).collect();
    let arrow = |p: &&MovingPoint| Shape::Line {
        points: vec![[0.0, 0.0], of(p)],
        look: look([150, 156, 162], 1.0, false),
        arrow: true,
    };
    shapes.extend(joints.iter().map(arrow));
    shapes.extend(links(linkage, of, 2.0));
    shapes.push(mark([0.0, 0.0], "o", INK));
    let size =
        linkage.points.iter().map(|p| of(p)[0].hypotenuse(of(p)[1])).filter(|x| x.is_finite()).fold(0.0, f64::max);
    // Points of one vector have one mark.
    let mut told: Vec<(Planar, Vec<&str>)> = Vec::new();
    for p in joints.iter().copied().chain(linkage.points.iter().filter(|p| p.named)) {
        let v = of(p);
        if v[0].hypotenuse(v[1]) <= 1e-9 * size {
            continue;
        }
        match told.iter_mut().find(|t| (t.0[0] - v[0]).hypotenuse(t.0[1] - v[1]) <= 1e-9 * size) {
            Some(t) if t.1.contains(&p.name.as_str()) => {}
            Some(t) => t.1.push(&p.name),
            None => told.push((v, vec![&p.name])),
        }
    }
    shapes.extend(told.iter().map(|(v, names)| mark(*v, &names.join(", ").to_lowercase(), INK)));
    Frame { title: title.into(), unit: linkage.unit(unit), window: None, shapes }
}

/// Pole curves and inflection circles with the mechanism behind them.
fn pole_curves(linkage: &Linkage) -> Frame {
    let ends = linkage.circles.iter().flat_map(|c| [c.pole, c.opposite]);
    let window = window(linkage, ends, 1.5);
    let size = (window[1] - window[0]).max(window[3] - window[2]);
    let mut shapes = links(linkage, |p| p.at, 1.2);
    for curves in &linkage.pole_curves {
        let line = |points: &[Planar], dashed: bool| Shape::Line {
            points: without_leaps(points, 0.5 * size),
            look: look(colour(curves.body), 1.8, dashed),
            arrow: false,
        };
        shapes.extend([line(&curves.fixed, false), line(&curves.moving, true)]);
    }
    for circle in linkage.circles.iter().filter(|c| c.diameter.is_finite()) {
        let centre = [0, 1].map(|k| 0.5 * (circle.pole[k] + circle.opposite[k]));
        let name = &linkage.bodies[circle.body];
        shapes.push(Shape::Circle { centre, radius: 0.5 * circle.diameter, look: look(INK, 1.0, false) });
        shapes.push(mark(circle.pole, &format!("pole of {name}"), INK));
        shapes.push(mark(circle.opposite, "inflection pole", INK));
    }
    shapes.extend(linkage.fixed.iter().map(|(name, at)| mark(*at, name, STEEL)));
    Frame {
        title: "pole curves: fixed, moving (dashed); inflection circle".into(),
        unit: linkage.unit("m"),
        window: Some(window),
        shapes,
    }
}

/// A curve with gaps where it leaps, as it does from one side of infinity to the other.
fn without_leaps(points: &[Planar], longest: f64) -> Vec<Planar> {
    let mut found: Vec<Planar> = Vec::with_capacity(points.len());
    for p in points {
        if found.last().is_some_and(|last| (last[0] - p[0]).hypotenuse(last[1] - p[1]) > longest) {
            found.push([f64::NAN; 2]);
        }
        found.push(*p);
    }
    found
}
