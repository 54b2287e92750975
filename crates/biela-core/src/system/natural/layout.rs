//! Elements of a model and how each body's frame is made of them.
//!
//! Every group of bodies of one orientation gets three independent directions, out of the vectors it shares, the
//! differences of its points, the normal product with a direction that stands still in the ground (n × d is linear in d),
//! and, where these do not span, auxiliary unit vectors. Every body gets a base point besides. The frame of a body is then
//! a linear function of elements: the transformation matrix A = X X̄⁻¹ of the chapter's section 9.

use super::plane::Plane;
use super::sharing::{Class, Sharing, SAME};
use crate::joints::{Form, Marker, Measure, Row};
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::motion::Motion;
use biela_base::sorting::sort_by_key;
use std::collections::{HashMap, HashSet};

/// A direction counts as independent of others where its sine to their span exceeds this: an affine basis so oblique
/// multiplies roundings by ten at most.
const INDEPENDENT: f64 = 0.1;

/// A point or unit vector that is shared, or that some body needs for its frame.
#[derive(Debug, Clone)]
pub struct Element {
    /// A point (a length), not a unit vector.
    pub point: bool,
    /// The part that never changes.
    pub constant: Vec3,
    /// Directions of its coordinates: none for what stands still, two in a plane, three in space.
    pub axes: Vec<Vec3>,
    /// Its first coordinate.
    pub first: usize,
    /// The moving bodies that see it, and where in their frames.
    pub seen: Vec<(usize, Vec3)>,
}

/// How a frame depends on an element E: c E + s (n × E), where c and s are affine functions of the place p in the frame,
/// c₀ + c·p; for directions only the linear part counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub element: usize,
    c: (f64, Vec3),
    s: (f64, Vec3),
}

/// Weights that are zero but for rounding are zero, so that markers on elements depend on these alone.
fn weight((zero, slope): (f64, Vec3), p: Vec3, point: bool) -> f64 {
    let zero = if point { zero } else { 0.0 };
    let parts = [zero, slope.x * p.x, slope.y * p.y, slope.z * p.z];
    let (sum, size) = parts.iter().fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
    if sum.abs() <= 1e-13 * size {
        0.0
    } else {
        sum
    }
}

impl Term {
    /// Weights of E and n × E in a point (or direction) of the frame.
    pub fn weights(&self, p: Vec3, point: bool) -> (f64, f64) {
        (weight(self.c, p, point), weight(self.s, p, point))
    }

    /// Weights of E and n × E in the frame's origin.
    pub fn origin(&self) -> (f64, f64) {
        (self.c.0, self.s.0)
    }

    /// Weights of E and n × E in the frame's axis `k`.
    pub fn axis(&self, k: usize) -> (f64, f64) {
        (self.c.1[k], self.s.1[k])
    }
}

/// A body's frame as a linear function of elements.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// Its parts, by ascending element.
    pub terms: Vec<Term>,
    /// The direction n that stands still, where one is used.
    pub normal: Vec3,
}

/// A direction of a group.
#[derive(Debug, Clone, Copy)]
enum Span {
    Vector(usize),
    Difference(usize, usize),
    /// n × the direction of that number in the basis.
    Cross(usize),
}

#[derive(Debug, Clone, Copy)]
struct Direction {
    span: Span,
    /// Components in the group's frame.
    local: Vec3,
}

/// Elements, frames and rigidity rows.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub elements: Vec<Element>,
    pub frames: Vec<Frame>,
    pub rows: Vec<(usize, Row)>,
    pub nv: usize,
}

struct Builder<'a> {
    model: &'a Model,
    /// Joints of each body, with the side it is on.
    joints_of: Vec<Vec<(usize, usize)>>,
    sharing: &'a Sharing,
    plane: Option<&'a Plane>,
    made: Layout,
    /// Points of each body that are elements; the first is its base.
    points: Vec<Vec<(usize, Vec3)>>,
    /// Element of each class of vectors.
    vectors: Vec<Option<usize>>,
    /// Directions that stand still: x, y, z of the ground, then the plane's normal.
    still: Vec<usize>,
    bases: Vec<Basis>,
    /// Lengths and products that have their row.
    kept: HashMap<[usize; 4], f64>,
    /// Vectors whose length follows from linear rows.
    tied: HashSet<usize>,
}

#[derive(Clone)]
struct Basis {
    directions: [Direction; 3],
    normal: Vec3,
}

impl Layout {
    pub fn of(model: &Model, sharing: &Sharing, plane: Option<&Plane>) -> Layout {
        let mut joints_of = vec![Vec::new(); model.bodies.len()];
        for (k, joint) in model.joints.iter().enumerate() {
            for (side, body) in joint.bodies.iter().enumerate() {
                joints_of[*body].push((k, side));
            }
        }
        let mut builder = Builder {
            model,
            joints_of,
            sharing,
            plane,
            made: Layout::default(),
            points: vec![Vec::new(); model.bodies.len()],
            vectors: vec![None; sharing.vectors.classes.len()],
            still: Vec::new(),
            bases: Vec::new(),
            kept: HashMap::new(),
            tied: HashSet::new(),
        };
        builder.stand_still();
        builder.make_points();
        if plane.is_none() {
            builder.make_vectors();
        }
        builder.choose_bases();
        let mut nv = 0;
        for element in &mut builder.made.elements {
            element.first = nv;
            nv += element.axes.len();
        }
        builder.made.nv = nv;
        builder.made.frames = (0..model.bodies.len()).map(|body| builder.frame(body)).collect();
        builder.tie_vectors();
        builder.keep_rigid();
        builder.tie_points();
        builder.made
    }
}

/// The part of `u` at right angles to the orthonormal `chosen`.
fn residual(u: Vec3, chosen: &[Vec3]) -> Vec3 {
    chosen.iter().fold(u, |u, c| u - *c * c.dot(u))
}

fn orthonormal(directions: &[Direction]) -> Vec<Vec3> {
    let mut chosen: Vec<Vec3> = Vec::new();
    for direction in directions {
        let unit = direction.local.unit().unwrap_or(Vec3::ZERO);
        // Twice, for the sake of oblique ones.
        if let Some(u) = residual(residual(unit, &chosen), &chosen).unit() {
            chosen.push(u);
        }
    }
    chosen
}

impl Builder<'_> {
    fn element(&mut self, point: bool, constant: Vec3, moving: bool, seen: Vec<(usize, Vec3)>) -> usize {
        let axes = match (moving, self.plane) {
            (false, _) => Vec::new(),
            (true, Some(plane)) => plane.axes.to_vec(),
            (true, None) => vec![Vec3::X, Vec3::Y, Vec3::Z],
        };
        self.made.elements.push(Element { point, constant, axes, first: 0, seen });
        self.made.elements.len() - 1
    }

    fn moves(&self, element: usize) -> bool {
        !self.made.elements[element].axes.is_empty()
    }

    /// A point seen by these bodies: on the ground it stands still, and in a plane it keeps its height.
    fn point(&mut self, class: &Class) {
        let ground = class.get(&0);
        let constant = match (ground, self.plane) {
            (Some(p_B), _) => self.model.bodies[0].X_WB.apply(*p_B),
            (None, Some(plane)) => {
                class.first_key_value().map_or(Vec3::ZERO, |(body, p_B)| plane.normal * plane.height_of(*body, *p_B))
            }
            (None, None) => Vec3::ZERO,
        };
        let element = self.element(true, constant, ground.is_none(), class.iter().map(|(b, p)| (*b, *p)).collect());
        for (body, p_B) in class {
            self.points[*body].push((element, *p_B));
        }
    }

    fn stand_still(&mut self) {
        let ground = self.model.bodies[0].X_WB.rotation;
        let still = ground.axes.into_iter().chain(self.plane.map(|p| p.normal)).collect::<Vec<_>>();
        self.still = still.into_iter().map(|u| self.element(false, u, false, Vec::new())).collect();
    }

    fn make_points(&mut self) {
        let sharing = self.sharing;
        for class in sharing.points.classes.iter().filter(|c| !c.is_empty()) {
            self.point(class);
        }
        // A body without shared points takes the first of its joint points, or its own origin.
        for body in 1..self.model.bodies.len() {
            if self.points[body].is_empty() {
                let first = self.joints_of[body].first();
                let p_B = first.map_or(Vec3::ZERO, |(joint, side)| self.model.joints[*joint].frames[*side].origin);
                self.point(&Class::from([(body, p_B)]));
            }
            let elements = &self.made.elements;
            sort_by_key(&mut self.points[body], |(e, _)| (!elements[*e].axes.is_empty(), *e));
        }
    }

    fn make_vectors(&mut self) {
        let sharing = self.sharing;
        let ground = self.model.bodies[0].X_WB.rotation;
        for (k, class) in sharing.vectors.classes.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
            let fixed = class.get(&0).map(|u| ground.apply(*u));
            let in_body = |(group, u_G): (&usize, &Vec3)| (sharing.groups.bodies[*group][0], *u_G);
            let seen = class.iter().map(in_body).collect();
            self.vectors[k] = Some(self.element(false, fixed.unwrap_or(Vec3::ZERO), fixed.is_none(), seen));
        }
    }

    fn choose_bases(&mut self) {
        for group in 0..self.sharing.groups.bodies.len() {
            let basis = if group == 0 { self.ground_basis() } else { self.basis(group) };
            self.bases.push(basis);
        }
    }

    fn ground_basis(&self) -> Basis {
        let direction =
            |k: usize| Direction { span: Span::Vector(self.still[k]), local: [Vec3::X, Vec3::Y, Vec3::Z][k] };
        Basis { directions: [0, 1, 2].map(direction), normal: Vec3::ZERO }
    }

    /// Vectors of a group: element and components in the group's frame.
    fn vectors_of(&self, group: usize) -> Vec<Direction> {
        let classes = &self.sharing.vectors;
        let of_class = |k: &usize| {
            let local = *classes.classes[*k].get(&group)?;
            Some(Direction { span: Span::Vector(self.vectors[*k]?), local })
        };
        classes.of_holder[group].iter().filter_map(of_class).collect()
    }

    /// Differences of points from the base, of the body with most points in a group.
    fn differences_of(&self, group: usize) -> Vec<Direction> {
        let groups = &self.sharing.groups;
        let Some(body) = groups.bodies[group].iter().max_by_key(|b| self.points[**b].len()) else { return Vec::new() };
        let Some(((from, p0), rest)) = self.points[*body].split_first() else { return Vec::new() };
        let difference = |(to, p): &(usize, Vec3)| {
            let local = groups.direction(*body, *p - *p0);
            let apart = local.norm() > 1e-9 * self.sharing.reach;
            apart.then_some(Direction { span: Span::Difference(*from, *to), local })
        };
        rest.iter().filter_map(difference).collect()
    }

    fn basis(&mut self, group: usize) -> Basis {
        let vectors = self.vectors_of(group);
        let first_body = self.sharing.groups.bodies[group][0];
        let mut directions: Vec<Direction> = Vec::new();
        let mut normal = None;
        if let Some(plane) = self.plane {
            directions.push(Direction { span: Span::Vector(self.still[3]), local: plane.normal_B[first_body] });
            normal = Some(plane.normal);
        } else {
            let still = |d: &&Direction| matches!(d.span, Span::Vector(e) if !self.moves(e));
            if let Some(direction) = vectors.iter().find(still) {
                directions.push(*direction);
                if let Span::Vector(e) = direction.span {
                    normal = Some(self.made.elements[e].constant);
                }
            }
        }
        for candidates in [vectors, self.differences_of(group)] {
            while directions.len() < if normal.is_some() { 2 } else { 3 } {
                let chosen = orthonormal(&directions);
                let sine = |d: &Direction| d.local.unit().map_or(0.0, |u| residual(u, &chosen).norm());
                let best = candidates.iter().max_by(|a, b| sine(a).total_cmp(&sine(b)));
                match best.filter(|d| sine(d) > INDEPENDENT) {
                    Some(direction) => directions.push(*direction),
                    None => break,
                }
            }
        }
        while directions.len() < if normal.is_some() { 2 } else { 3 } {
            let direction = self.auxiliary(group, &orthonormal(&directions));
            directions.push(direction);
        }
        if let (Some(_), [first, second]) = (normal, directions.as_slice()) {
            // The first direction is n as the group sees it.
            let local = first.local.cross(second.local);
            directions.push(Direction { span: Span::Cross(1), local });
        }
        let directions = [directions[0], directions[1], directions[2]];
        Basis { directions, normal: normal.unwrap_or(Vec3::ZERO) }
    }

    /// A new unit vector at right angles to `chosen`, along an axis of one of the group's joints where that is possible.
    fn auxiliary(&mut self, group: usize, chosen: &[Vec3]) -> Direction {
        let groups = &self.sharing.groups;
        let body = groups.bodies[group][0];
        let joints = groups.bodies[group].iter().flat_map(|b| self.joints_of[*b].iter().map(move |j| (*b, *j)));
        let joint_axes = joints.flat_map(|(body, (joint, side))| {
            let [x, y, z] = self.model.joints[joint].frames[side].rotation.axes;
            [z, x, y].map(|u| groups.direction(body, u))
        });
        // The first that is nearly as good as can be; otherwise the best of the frame's own axes.
        let own = [Vec3::X, Vec3::Y, Vec3::Z];
        let length = |u: &Vec3| residual(*u, chosen).norm();
        let best = own.into_iter().max_by(|a, b| length(a).total_cmp(&length(b))).unwrap_or(Vec3::X);
        let mut joint_axes = joint_axes;
        let u = joint_axes.find(|u| length(u) > 0.99).unwrap_or(best);
        let local = residual(residual(u, chosen), chosen).unit().unwrap_or(Vec3::X);
        let element = self.element(false, Vec3::ZERO, true, vec![(body, local)]);
        Direction { span: Span::Vector(element), local }
    }

    /// A body's frame: base point plus reciprocal basis.
    fn frame(&self, body: usize) -> Frame {
        let groups = &self.sharing.groups;
        let basis = &self.bases[groups.of_body[body]];
        let [d0, d1, d2] = basis.directions.map(|d| groups.rotation[body].apply_transposed(d.local));
        let volume = d0.dot(d1.cross(d2));
        let reciprocal = [d1.cross(d2), d2.cross(d0), d0.cross(d1)].map(|r| r * (1.0 / volume));
        let mut terms: Vec<Term> = Vec::new();
        let mut add = |element: usize, zero: f64, slope: Vec3, crossed: bool| {
            let place = terms.iter().position(|t| t.element == element).unwrap_or_else(|| {
                terms.push(Term { element, c: (0.0, Vec3::ZERO), s: (0.0, Vec3::ZERO) });
                terms.len() - 1
            });
            let part = if crossed { &mut terms[place].s } else { &mut terms[place].c };
            part.0 += zero;
            part.1 += slope;
        };
        let mut p0 = Vec3::ZERO;
        if body == 0 {
            // The ground's own frame, for markers on it: it stands still and is never assembled from elements.
        } else if let Some((element, p_B)) = self.points[body].first() {
            p0 = *p_B;
            add(*element, 1.0, Vec3::ZERO, false);
        }
        for (k, r) in reciprocal.iter().enumerate() {
            let (span, crossed) = match basis.directions[k].span {
                Span::Cross(of) => (basis.directions[of].span, true),
                span => (span, false),
            };
            let zero = -r.dot(p0);
            match span {
                Span::Vector(element) => add(element, zero, *r, crossed),
                Span::Difference(from, to) => {
                    add(to, zero, *r, crossed);
                    add(from, -zero, -*r, crossed);
                }
                Span::Cross(_) => {}
            }
        }
        sort_by_key(&mut terms, |t| t.element);
        Frame { terms, normal: basis.normal }
    }

    fn is_basis(&self, group: usize, element: usize) -> bool {
        self.bases[group].directions.iter().any(|d| match d.span {
            Span::Vector(e) => e == element,
            Span::Difference(a, b) => a == element || b == element,
            Span::Cross(_) => false,
        })
    }

    /// Vectors of a group beyond its basis: linear rows, one for each component.
    fn tie_vectors(&mut self) {
        for group in 1..self.bases.len() {
            let body = self.sharing.groups.bodies[group][0];
            for direction in self.vectors_of(group) {
                let Span::Vector(element) = direction.span else { continue };
                if self.is_basis(group, element) {
                    continue;
                }
                self.tied.insert(element);
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let axis = Marker::Direction { body: 0, u_B: axis };
                    let own = Measure::Dot(axis, Marker::Own { index: element });
                    let seen = Measure::Dot(axis, Marker::Direction { body, u_B: direction.local });
                    let form = Form::Linear(vec![(1.0, own), (-1.0, seen)]);
                    self.made.rows.push((body, Row { form, ..Row::zero(own, RIGID) }));
                }
            }
        }
    }

    /// Points of a body beyond its base and its group's basis: linear rows.
    fn tie_points(&mut self) {
        let ground = self.model.bodies[0].X_WB.rotation;
        let axes = self.plane.map_or(vec![Vec3::X, Vec3::Y, Vec3::Z], |p| p.axes.to_vec());
        for body in 1..self.points.len() {
            let group = self.sharing.groups.of_body[body];
            for (element, p_B) in self.points[body].iter().skip(1) {
                let (base, p0) = self.points[body][0];
                let local = self.sharing.groups.direction(body, *p_B - p0);
                let from_here = |d: &Direction| match d.span {
                    Span::Difference(from, to) => {
                        (from, to) == (base, *element) && (d.local - local).norm() <= SAME * self.sharing.reach
                    }
                    _ => false,
                };
                if self.bases[group].directions.iter().any(from_here) {
                    continue;
                }
                for axis in &axes {
                    let a = Marker::Direction { body: 0, u_B: ground.apply_transposed(*axis) };
                    let from = Marker::Point { body, p_B: *p_B };
                    let measure = Measure::Along { a, from, to: Marker::Own { index: *element } };
                    self.made.rows.push((body, Row::zero_length(measure, RIGID)));
                }
            }
        }
    }

    /// Constant lengths and products of each group's directions.
    fn keep_rigid(&mut self) {
        for group in 1..self.bases.len() {
            let body = self.sharing.groups.bodies[group][0];
            let directions = self.bases[group].directions;
            for i in 0..3 {
                for j in i..3 {
                    self.keep_product(body, directions[i], directions[j], i == j);
                }
            }
        }
    }

    fn keep_product(&mut self, body: usize, a: Direction, b: Direction, same: bool) {
        let own = |index: usize| Marker::Own { index };
        let product = a.local.dot(b.local);
        let (key, row) = match (a.span, b.span) {
            (Span::Cross(_), _) | (_, Span::Cross(_)) => return,
            (Span::Vector(v), _) | (_, Span::Vector(v)) if self.plane.is_some() && v == self.still[3] => return,
            (Span::Vector(v), Span::Vector(w)) => {
                if same && self.tied.contains(&v) {
                    return;
                }
                let measure = Measure::Dot(own(v), own(w));
                ([0, v.min(w), v.max(w), 0], Row { target: Motion::Constant(product), ..Row::zero(measure, RIGID) })
            }
            (Span::Vector(v), Span::Difference(from, to)) | (Span::Difference(from, to), Span::Vector(v)) => {
                let measure = Measure::Along { a: own(v), from: own(from), to: own(to) };
                (
                    [1, v, from.min(to), from.max(to)],
                    Row { target: Motion::Constant(product), ..Row::zero_length(measure, RIGID) },
                )
            }
            (Span::Difference(from, to), Span::Difference(_, third)) => {
                let (from, to) = if same { (from, to) } else { (to, third) };
                let length = if same { a.local.norm() } else { (b.local - a.local).norm() };
                let measure = Measure::DistanceSquared { from: own(from), to: own(to) };
                let row = Row { target: Motion::Constant(length), squared: true, ..Row::zero_length(measure, RIGID) };
                ([2, from.min(to), from.max(to), 0], row)
            }
        };
        // Bodies that share several elements owe the same row, unless they contradict each other.
        let value = row.target.jet(0.0).v;
        let known = self.kept.insert(key, value);
        if known.is_none_or(|known| (known - value).abs() > SAME * self.sharing.reach.max(1.0)) {
            self.made.rows.push((body, row));
        }
    }
}

/// What the rows of a rigid body withhold.
const RIGID: &str = "rigid";

/// Where an element is when bodies stand at these poses: the mean of what they see.
pub(super) fn drawn(element: &Element, poses: &[Pose]) -> Vec3 {
    let at = |(body, x): &(usize, Vec3)| {
        let pose = &poses[*body];
        if element.point {
            pose.apply(*x)
        } else {
            pose.rotation.apply(*x)
        }
    };
    let sum = element.seen.iter().map(at).fold(Vec3::ZERO, |sum, x| sum + x);
    let count = element.seen.len().max(1) as f64;
    if element.point {
        return sum * (1.0 / count);
    }
    // Directions drawn far apart have no useful mean.
    let mean = if sum.norm() > 0.1 * count { sum } else { element.seen.first().map_or(Vec3::X, at) };
    let flat = element.axes.iter().fold(Vec3::ZERO, |flat, axis| flat + *axis * axis.dot(mean));
    flat.unit().or(element.axes.first().copied()).unwrap_or(mean)
}
