//! Marks over a picture: grid and scale, paths of points, names, arrows with their legend.

use super::camera::Camera;
use super::grid::{round_number, Grid};
use super::ink::{At, Item};
use super::look::{point_name, Arrow, Look, Named};
use super::theme::Theme;
use super::{Animation, Scene};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::{Elementary, Pose, Vec3};
use biela_plot::letters;
use std::f64::consts::PI;

/// The width of a page on which measures below are pixels; on wider pages all grow with it.
const USUAL: f64 = 640.0;
/// Letters on small pages shrink no further than this.
const LEAST: f64 = 0.75;
/// The longest arrow, in parts of the page's smaller side.
const LONGEST: f64 = 0.24;
/// Points of a path at most.
const MOST_PLACES: usize = 4000;

/// What is drawn over and below the solids of a scene.
pub(super) struct Marks<'a> {
    scene: &'a Scene,
    motion: &'a Animation<'a>,
    look: &'a Look,
    theme: Theme,
    camera: Camera,
    /// Pixels of the page for one of the usual page.
    u: f64,
    vectors: Vec<Vector<'a>>,
    labels: Vec<Label>,
    /// In front of all layers of a planar mechanism.
    lift: Vec3,
}

/// A vector that is drawn at a point of a body.
struct Vector<'a> {
    kind: Arrow,
    body: usize,
    at: Vec3,
    source: Source<'a>,
    /// The greatest magnitude of its kind over the motion, with its unit.
    most: f64,
    unit: &'static str,
}

/// Where a vector comes from.
enum Source<'a> {
    /// Its components in ground axes; planar ones have no third.
    Columns([Option<&'a [f64]>; 3]),
    /// A magnitude along a direction of the body, or of the ground; about it where it is a torque.
    Along { effort: &'a [f64], along: Vec3, in_ground: bool, torque: bool },
}

/// A name and the point of a body that it stands beside.
struct Label {
    text: String,
    width: f64,
    body: usize,
    at: Vec3,
    colour: [u8; 3],
}

impl<'a> Marks<'a> {
    pub fn new(scene: &'a Scene, motion: &'a Animation<'a>, look: &'a Look, camera: &Camera) -> Result<Marks<'a>> {
        let u = (camera.width / USUAL).max(LEAST);
        let theme = Theme::new(look.dark);
        let mut vectors = Vec::new();
        for kind in &look.arrows {
            vectors.extend(sources(scene, motion, look, *kind)?);
        }
        let lift = if scene.planar { scene.front * (1.2 * scene.lift) } else { Vec3::ZERO };
        let labels = labels(scene, look, &theme, 12.0 * u);
        Ok(Marks { scene, motion, look, theme, camera: camera.clone(), u, vectors, labels, lift })
    }

    /// What lies below the solids: the grid.
    pub fn below(&self) -> Vec<Item> {
        if !self.look.grid {
            return Vec::new();
        }
        let grid = Grid::new(self.scene, &self.camera);
        let line = |(ends, origin): &([Vec3; 2], bool)| Item::Line {
            points: ends.iter().map(|p| [p.x, p.y]).collect(),
            colour: self.theme.grid[usize::from(*origin)],
            width: self.u,
        };
        grid.lines.iter().map(line).collect()
    }

    /// What lies over the solids and is the same at all samples: paths, the scale, the legend of arrows.
    pub fn constant(&self) -> Vec<Item> {
        let mut items: Vec<Item> = self.look.traces.iter().map(|k| self.path(*k)).collect();
        let mut base = self.camera.height - 0.4 * self.camera.foot;
        let left = 14.0 * self.u;
        let mut x = left;
        if self.look.grid {
            let grid = Grid::new(self.scene, &self.camera);
            let words = if grid.flat { grid.label.clone() } else { format!("grid {}", grid.label) };
            if grid.flat {
                x = self.bar(&mut items, [x, base], grid.step * self.camera.scale);
            }
            x = self.words(&mut items, [x, base], words) + 24.0 * self.u;
        }
        for kind in &self.look.arrows {
            let mut told: Vec<(f64, &str)> = Vec::new();
            for v in self.vectors.iter().filter(|v| v.kind == *kind) {
                if !told.iter().any(|t| t.1 == v.unit) {
                    told.push((v.most, v.unit));
                }
            }
            for (most, unit) in told {
                let mut key = Vec::new();
                let mut end = self.key(&mut key, [x, base], *kind, most, unit);
                // What has no room in this line begins one above it.
                if end > self.camera.width && x > left {
                    (x, base) = (left, base - 20.0 * self.u);
                    key.clear();
                    end = self.key(&mut key, [x, base], *kind, most, unit);
                }
                items.append(&mut key);
                x = end + 20.0 * self.u;
            }
        }
        items
    }

    /// What lies over the solids with bodies at these poses, at a place in the motion.
    pub fn moving(&self, poses: &[Pose], at: f64) -> Vec<Item> {
        let mut items = Vec::new();
        for k in &self.look.traces {
            let point = &self.scene.points[*k];
            let p = self.camera.see(poses[point.body].apply(point.at) + self.lift);
            let colour = self.theme.pen(self.scene.figures[point.body].colour);
            items.push(Item::Dot { at: [p.x, p.y], radius: 3.2 * self.u, colour });
        }
        for vector in &self.vectors {
            self.arrow(&mut items, vector, poses, at);
        }
        self.names(&mut items, poses);
        items
    }

    /// The path of a point over the whole motion.
    fn path(&self, k: usize) -> Item {
        let point = &self.scene.points[k];
        let place = |sample: usize| {
            let p = self.camera.see(self.motion.pose(point.body, sample).apply(point.at) + self.lift);
            [p.x, p.y]
        };
        Item::Line {
            points: self.motion.some(MOST_PLACES).map(place).collect(),
            colour: self.theme.pen(self.scene.figures[point.body].colour),
            width: 1.6 * self.u,
        }
    }

    /// A bar of a length with strokes at its ends. Where it ends.
    fn bar(&self, items: &mut Vec<Item>, [x, y]: At, length: f64) -> f64 {
        let (colour, tick) = (self.theme.soft, 3.5 * self.u);
        let middle = y - 4.0 * self.u;
        for points in [
            vec![[x, middle], [x + length, middle]],
            vec![[x, middle - tick], [x, middle + tick]],
            vec![[x + length, middle - tick], [x + length, middle + tick]],
        ] {
            items.push(Item::Line { points, colour, width: 1.3 * self.u });
        }
        x + length + 7.0 * self.u
    }

    fn words(&self, items: &mut Vec<Item>, at: At, text: String) -> f64 {
        let size = 12.0 * self.u;
        let end = at[0] + letters(&text, size).1;
        items.push(Item::Text { at, size, colour: self.theme.soft, text });
        end
    }

    /// An arrow of a round length with what it is worth. Where it ends.
    fn key(&self, items: &mut Vec<Item>, [x, y]: At, kind: Arrow, most: f64, unit: &str) -> f64 {
        let scale = self.scene.units.scale(unit);
        let (number, text) = round_number(scale.shown(0.1 * most));
        let length = self.longest() * scale.back(number) / most;
        let middle = y - 4.0 * self.u;
        shaft(items, [[x, middle], [x + length, middle]], self.tint(kind), self.u);
        let unit = scale.unit.replace("^2", "\u{b2}").replace('*', "\u{b7}");
        self.words(items, [x + length + 6.0 * self.u, y], format!("{} {text} {unit}", kind.word()))
    }

    fn tint(&self, kind: Arrow) -> [u8; 3] {
        self.theme.tone(kind.colour())
    }

    fn longest(&self) -> f64 {
        LONGEST * self.camera.width.min(self.camera.height)
    }

    fn arrow(&self, items: &mut Vec<Item>, vector: &Vector, poses: &[Pose], at: f64) {
        let pose = &poses[vector.body];
        let start = pose.apply(vector.at) + self.lift;
        let value = |data: &[f64]| self.motion.value_at(data, at);
        let per = self.longest() / self.camera.scale / vector.most;
        let v = match &vector.source {
            Source::Columns(columns) => {
                let [x, y, z] = columns.map(|c| c.map_or(0.0, value));
                Vec3::new(x, y, z)
            }
            Source::Along { effort, along, in_ground, torque } => {
                let axis = if *in_ground { *along } else { pose.rotation.apply(*along) };
                let size = value(effort);
                if *torque {
                    return self.turn(items, (vector, start), axis, size);
                }
                axis * size
            }
        };
        let ends = [start, start + v * per].map(|p| self.camera.see(p)).map(|p| [p.x, p.y]);
        shaft(items, ends, self.tint(vector.kind), self.u);
    }

    /// A torque: a round arrow about an axis that points to the viewer or away, else a straight one with two heads.
    fn turn(&self, items: &mut Vec<Item>, (vector, start): (&Vector, Vec3), axis: Vec3, size: f64) {
        let (colour, part) = (self.tint(vector.kind), size / vector.most);
        let towards = axis.dot(self.camera.axes()[2]);
        let centre = self.camera.see(start);
        if towards.abs() < 0.5 {
            let reach = self.longest() / self.camera.scale * part;
            let ends = [start, start + axis * reach].map(|p| self.camera.see(p)).map(|p| [p.x, p.y]);
            let short = [0, 1].map(|k| ends[1][k] - 0.06 * (ends[1][k] - ends[0][k]));
            shaft(items, ends, colour, self.u);
            return shaft(items, [ends[0], short], colour, self.u);
        }
        let radius = (2.6 * self.scene.thickness * self.camera.scale).clamp(14.0 * self.u, 40.0 * self.u);
        let sweep = 1.5 * PI * part * towards.signum();
        let steps = (sweep.abs() / 0.1).ceil().max(1.0) as usize;
        // On a page whose y points down.
        let place = |k: usize| {
            let angle = 0.25 * PI + sweep * k as f64 / steps as f64;
            [centre.x + radius * angle.cosine(), centre.y - radius * angle.sine()]
        };
        let mut points: Vec<At> = (0..=steps).map(place).collect();
        let arc = radius * sweep.abs();
        let size = (8.0 * self.u).min(arc);
        if let (true, Some([x, y])) = (arc > 1.0, points.last().copied()) {
            let angle = 0.25 * PI + sweep;
            let along = [-angle.sine() * sweep.signum(), -angle.cosine() * sweep.signum()];
            items.push(Item::Fill {
                points: head([x + 0.5 * size * along[0], y + 0.5 * size * along[1]], along, size),
                colour,
            });
            points.pop();
        }
        if points.len() > 1 {
            items.push(Item::Line { points, colour, width: 2.2 * self.u });
        }
    }

    /// Names beside their points, where they do not cover each other.
    fn names(&self, items: &mut Vec<Item>, poses: &[Pose]) {
        /// Places around a point, the best first: to the side and up, in parts of the room a text needs.
        const AROUND: [(f64, f64); 10] = [
            (0.0, 1.0),
            (1.0, 0.4),
            (-1.0, 0.4),
            (0.0, -1.0),
            (1.0, 1.0),
            (-1.0, 1.0),
            (1.0, -1.0),
            (-1.0, -1.0),
            (0.0, 2.0),
            (0.0, -2.0),
        ];
        let size = 12.0 * self.u;
        let near = (1.5 * self.scene.thickness * self.camera.scale).clamp(5.0 * self.u, 24.0 * self.u);
        let mut taken: Vec<[f64; 4]> = Vec::new();
        let mut named: Vec<(&str, Vec3)> = Vec::new();
        for label in &self.labels {
            let p = self.camera.see(poses[label.body].apply(label.at) + self.lift);
            // Points of several bodies in one joint mostly have one name.
            let there = |(text, q): &(&str, Vec3)| *text == label.text && (q.x - p.x).abs() + (q.y - p.y).abs() < near;
            if named.iter().any(there) {
                continue;
            }
            named.push((&label.text, p));
            for (i, j) in AROUND {
                let x = p.x + i * (near + 0.5 * label.width) - 0.5 * label.width;
                let y = p.y - j * (near + 0.5 * size) - 0.5 * size;
                let own = [x - 2.0, y - 1.0, x + label.width + 2.0, y + size + 1.0];
                let inside =
                    own[0] >= 0.0 && own[1] >= 0.0 && own[2] <= self.camera.width && own[3] <= self.camera.height;
                let free = |b: &[f64; 4]| b[0] >= own[2] || own[0] >= b[2] || b[1] >= own[3] || own[1] >= b[3];
                if inside && taken.iter().all(free) {
                    taken.push(own);
                    let at = [x, y + 0.82 * size];
                    items.push(Item::Text { at, size, colour: label.colour, text: label.text.clone() });
                    break;
                }
            }
        }
    }
}

/// A straight arrow.
fn shaft(items: &mut Vec<Item>, [from, to]: [At; 2], colour: [u8; 3], u: f64) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = (dx * dx + dy * dy).sqrt();
    if !(length > 0.5 && length < 1e6) {
        return;
    }
    let along = [dx / length, dy / length];
    let size = (9.0 * u).min(length);
    let neck = [to[0] - 0.8 * size * along[0], to[1] - 0.8 * size * along[1]];
    items.push(Item::Line { points: vec![from, neck], colour, width: 2.2 * u });
    items.push(Item::Fill { points: head(to, along, size), colour });
}

/// A triangle with its tip at a place.
fn head(tip: At, along: [f64; 2], size: f64) -> Vec<At> {
    let side = |s: f64| {
        [tip[0] - size * along[0] - s * 0.4 * size * along[1], tip[1] - size * along[1] + s * 0.4 * size * along[0]]
    };
    vec![tip, side(1.0), side(-1.0)]
}

fn labels(scene: &Scene, look: &Look, theme: &Theme, size: f64) -> Vec<Label> {
    let label = |text: &str, body: usize, at: Vec3, colour| Label {
        width: letters(text, size).1,
        text: text.to_string(),
        body,
        at,
        colour,
    };
    let mut found = Vec::new();
    if look.names.contains(&Named::Bodies) {
        let bodies = scene.figures.iter().enumerate().skip(1);
        found.extend(bodies.map(|(k, f)| label(&f.name, k, f.label, theme.pen(f.colour))));
    }
    if look.names.contains(&Named::Joints) {
        found.extend(scene.joints.iter().map(|j| label(&j.name, j.bodies[1], j.at[1], theme.ink)));
    }
    if look.names.contains(&Named::Points) {
        // Bodies without points have their origins among them, which have no name.
        let named = scene.points.iter().filter(|p| !p.name.is_empty());
        found.extend(named.map(|p| label(&p.name, p.body, p.at, theme.soft)));
    }
    found
}

/// The vectors of a kind; an error where the run tells none.
fn sources<'a>(scene: &Scene, motion: &Animation<'a>, look: &Look, kind: Arrow) -> Result<Vec<Vector<'a>>> {
    let columns = |element: &str, leaves: [&str; 3]| {
        let found = leaves.map(|leaf| motion.signal(&signal_name::join(element, leaf)));
        let unit = found[0]?.unit;
        found[1].map(|_| (Source::Columns(found.map(|c| c.map(|c| c.data.as_slice()))), unit))
    };
    let vector = |body: usize, at: Vec3, (source, unit): (Source<'a>, &'static str)| Vector {
        kind,
        body,
        at,
        source,
        most: 0.0,
        unit,
    };
    // Arrows at the points whose paths are drawn, where some are.
    let points = scene.points.iter().enumerate();
    let points = points.filter(|(k, _)| look.traces.is_empty() || look.traces.contains(k)).map(|(_, p)| p);
    let of_points = |leaves: [&str; 3]| -> Vec<Vector<'a>> {
        let found = points.filter_map(|p| Some(vector(p.body, p.at, columns(&point_name(scene, p), leaves)?)));
        found.collect()
    };
    let mut found = match kind {
        Arrow::Velocity => of_points(["vx", "vy", "vz"]),
        Arrow::Acceleration => of_points(["ax", "ay", "az"]),
        Arrow::Reaction => {
            let joints = scene.joints.iter();
            joints.filter_map(|j| Some(vector(j.bodies[1], j.at[1], columns(&j.name, ["fx", "fy", "fz"])?))).collect()
        }
        Arrow::Effort => {
            let told = scene.drivers.iter().filter_map(|d| {
                let column = motion.signal(&signal_name::effort(&d.name))?;
                let source =
                    Source::Along { effort: &column.data, along: d.along?, in_ground: d.in_ground, torque: d.torque };
                Some(vector(d.body, d.at, (source, column.unit)))
            });
            told.collect::<Vec<_>>()
        }
    };
    if found.is_empty() {
        let fault = Error::new(format!("there is no {} to draw", kind.word())).of("--arrows");
        return Err(match kind {
            Arrow::Velocity | Arrow::Acceleration => {
                fault.note("positions alone are told; give the model a motion, or a point")
            }
            Arrow::Reaction => fault.note(
                "forces are computed where the model states gravity and masses, or with --analysis inverse-dynamics",
            ),
            Arrow::Effort => fault
                .note("efforts are told of drivers of joints and points, where the model states gravity and masses"),
        });
    }
    let mut greatest: Vec<(&'static str, f64)> = Vec::new();
    for v in &found {
        let most = (0..motion.len()).map(|k| magnitude(&v.source, k)).filter(|m| m.is_finite()).fold(0.0, f64::max);
        match greatest.iter_mut().find(|g| g.0 == v.unit) {
            Some(own) => own.1 = own.1.max(most),
            None => greatest.push((v.unit, most)),
        }
    }
    for v in &mut found {
        v.most = greatest.iter().find(|g| g.0 == v.unit).map_or(0.0, |g| g.1);
    }
    // What is nothing all the time has no length to compare with.
    found.retain(|v| v.most > 0.0);
    Ok(found)
}

fn magnitude(source: &Source, sample: usize) -> f64 {
    match source {
        Source::Columns(columns) => {
            let [x, y, z] = columns.map(|c| c.and_then(|c| c.get(sample)).copied().unwrap_or(0.0));
            Vec3::new(x, y, z).norm()
        }
        Source::Along { effort, .. } => effort.get(sample).copied().unwrap_or(0.0).abs(),
    }
}
