//! Natural coordinates: points and unit vectors that bodies share, and nothing else.
//!
//! The coordinates are Cartesian components of *elements*. Joints that make points coincide share one point, joints that
//! make axes parallel share one unit vector, joints that lock orientation share every direction (`sharing`); what is
//! shared with the ground is a constant. A planar mechanism is described in its plane by two coordinates for each point
//! (`plane`). Bodies whose elements do not span a frame get auxiliary unit vectors (`layout`).
//!
//! A body's frame is linear in its elements, p = o + A p_B, so every point and direction is, its rates and accelerations
//! use the same coefficients, and every constraint is a quadratic polynomial whose Jacobian is linear in q. The equations
//! are constant lengths and products of a body's elements, linear rows for elements beyond its basis, and those rows of
//! joints that sharing does not fulfil. On these A is a rotation; only what is reported is made orthonormal off them.
//!
//! Angles are no coordinates here. A driver prescribes [`crate::joints::Measure::Angle`], atan2 of a sine and a cosine that
//! are products of markers: its derivative, c δs − s δc over c² + s², takes each with the weight of the other, which is the
//! smooth form of switching between the sine equation and the cosine equation.
//!
//! Lengths and products do not tell a body from its mirror image; [`Formulation::mirrored`] does.

mod layout;
mod plane;
mod sharing;

use super::formulation::{BodyState, Cache, Formulation};
use crate::joints::{Marker, Measure, Row, NORMAL};
use crate::math::{EulerParameters, Pose, Rotation, Vec3};
use crate::model::Model;
use biela_base::sorting::sort_by_key;
pub use layout::Element;
use layout::{drawn, Frame, Layout};
use plane::Plane;
use sharing::{vanishing, Sharing, SAME};

/// The natural formulation of a model.
#[derive(Debug)]
pub struct Natural {
    elements: Vec<Element>,
    frames: Vec<Frame>,
    rows: Vec<(usize, Row)>,
    nv: usize,
    /// True for each coordinate that is a length.
    lengths: Vec<bool>,
    sharing: Option<Sharing>,
    plane: Option<Plane>,
    /// True where the model is planar: every frame turns about z, so that its x axis tells the others.
    flat: bool,
}

impl Natural {
    /// Elements and rows for a model.
    pub fn new(model: &Model) -> Natural {
        let sharing = Sharing::of(model);
        let level = |plane: &Plane| {
            sharing.points.classes.iter().all(|class| {
                let mut heights = class.iter().map(|(body, p_B)| plane.height_of(*body, *p_B));
                let first = heights.next().unwrap_or(0.0);
                heights.all(|h| (h - first).abs() <= 10.0 * SAME * sharing.reach)
            })
        };
        let plane = Plane::of(model, &sharing).filter(level);
        let layout = Layout::of(model, &sharing, plane.as_ref());
        let Layout { elements, frames, rows, nv } = layout;
        let lengths = lengths(&elements);
        let flat = model.space.is_planar();
        let mut natural =
            Natural { elements, frames, rows: Vec::new(), nv, lengths, sharing: Some(sharing), plane, flat };
        // What stands still and holds needs no equation; what stands still and does not hold must be seen.
        let cache = natural.drawn_cache(model);
        natural.rows = rows.into_iter().filter(|(_, row)| !natural.holds_still(row, &cache)).collect();
        natural
    }

    /// Elements and rows chosen by hand, for a model of the ground alone.
    pub fn of_elements(mut elements: Vec<Element>, rows: Vec<Row>) -> Natural {
        let mut nv = 0;
        for element in &mut elements {
            element.first = nv;
            nv += element.axes.len();
        }
        let rows = rows.into_iter().map(|row| (0, row)).collect();
        let lengths = lengths(&elements);
        let frames = vec![Frame::default()];
        Natural { elements, frames, rows, nv, lengths, sharing: None, plane: None, flat: false }
    }

    /// The points and vectors.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    fn drawn_cache(&self, model: &Model) -> Cache {
        let mut q = vec![0.0; self.nv];
        self.coordinates(model.guess().poses(), &mut q);
        let mut cache = self.cache(model);
        self.positions(&q, &mut cache);
        cache
    }

    /// True where a row depends on no coordinate and is fulfilled.
    fn holds_still(&self, row: &Row, cache: &Cache) -> bool {
        let crate::joints::Form::Linear(terms) = &row.form else { return false };
        let still = terms.iter().flat_map(|t| t.1.markers()).all(|m| self.columns(&m).is_empty());
        let at = |m: Marker| self.place(&m, cache, 0);
        let value = |measure: &Measure| match *measure {
            Measure::Dot(a, b) => at(a).dot(at(b)),
            Measure::Along { a, from, to } => at(a).dot(at(to) - at(from)),
            Measure::DistanceSquared { from, to } => {
                let d = at(to) - at(from);
                d.dot(d)
            }
            Measure::Distance { from, to } => (at(to) - at(from)).norm(),
            Measure::Elevation { .. } | Measure::Angle { .. } => f64::NAN,
        };
        let target = row.target.jet(0.0).v;
        let target = if row.squared { target * target } else { target };
        let size = if row.length { self.sharing.as_ref().map_or(1.0, |s| s.reach) } else { 1.0 };
        let size = if row.squared { size * size } else { size };
        still && (terms.iter().map(|(c, m)| c * value(m)).sum::<f64>() - target).abs() <= 10.0 * SAME * size
    }

    /// Element `k` with its weights in a marker of a body.
    fn terms<'a>(&'a self, body: usize, x: Vec3, point: bool) -> impl Iterator<Item = (&'a Element, f64, f64)> + 'a {
        self.frames[body].terms.iter().filter_map(move |term| {
            let element = &self.elements[term.element];
            if element.axes.is_empty() {
                return None;
            }
            let (c, s) = term.weights(x, point);
            (c != 0.0 || s != 0.0).then_some((element, c, s))
        })
    }

    /// Value (level 0), rate (1) or acceleration (2) of a marker from the elements' and frames'.
    #[inline]
    fn place(&self, marker: &Marker, cache: &Cache, level: usize) -> Vec3 {
        let own = &cache.own[level];
        let turned = |body: usize, u: Vec3| {
            let at = self.elements.len() + 4 * body;
            own[at + 1] * u.x + own[at + 2] * u.y + own[at + 3] * u.z
        };
        match *marker {
            Marker::Point { body, p_B } => own[self.elements.len() + 4 * body] + turned(body, p_B),
            Marker::Direction { body, u_B } => turned(body, u_B),
            Marker::Own { index } => own[index],
            Marker::Prescribed { .. } => Vec3::ZERO,
        }
    }

    /// Elements and frames at one level from coordinates or their derivatives.
    fn fill(&self, x: &[f64], level: usize, cache: &mut Cache) {
        self.fill_elements(x, level, cache);
        (1..self.frames.len()).for_each(|body| self.fill_frame(body, level, cache));
    }

    fn fill_elements(&self, x: &[f64], level: usize, cache: &mut Cache) {
        let own = &mut cache.own[level];
        for (element, value) in self.elements.iter().zip(own.iter_mut()) {
            let constant = if level == 0 { element.constant } else { Vec3::ZERO };
            let parts = element.axes.iter().zip(x.get(element.first..).unwrap_or(&[]));
            *value = parts.fold(constant, |sum, (axis, x)| sum + *axis * *x);
        }
    }

    fn fill_frame(&self, body: usize, level: usize, cache: &mut Cache) {
        let own = &mut cache.own[level];
        let frame = &self.frames[body];
        let mut columns = [Vec3::ZERO; 4];
        for term in &frame.terms {
            let value = own[term.element];
            let crossed = frame.normal.cross(value);
            let (c, s) = term.origin();
            columns[0] += value * c + crossed * s;
            for k in 0..if self.flat { 1 } else { 3 } {
                let (c, s) = term.axis(k);
                columns[k + 1] += value * c + crossed * s;
            }
        }
        if self.flat {
            columns[2] = quarter_turn(columns[1]);
            columns[3] = if level == 0 { NORMAL } else { Vec3::ZERO };
        }
        let at = self.elements.len() + 4 * body;
        own[at..at + 4].copy_from_slice(&columns);
    }

    /// Angular velocity of axes with these rates, or angular acceleration with these accelerations: in a plane that of any one.
    #[inline]
    fn turning(&self, axes: &[Vec3], rates: &[Vec3]) -> Vec3 {
        match self.flat {
            true => NORMAL * (axes[0].x * rates[0].y - axes[0].y * rates[0].x),
            false => half_cross(axes, rates),
        }
    }

    fn frame_of<'a>(&self, cache: &'a Cache, level: usize, body: usize) -> &'a [Vec3] {
        let at = self.elements.len() + 4 * body;
        &cache.own[level][at..at + 4]
    }
}

/// n × u: u turned by a quarter in the plane.
#[inline]
fn quarter_turn(u: Vec3) -> Vec3 {
    Vec3::new(-u.y, u.x, 0.0)
}

/// Euler parameters of the turn about z that takes the first axis to the unit vector `x`: half the angle, by its sine and cosine.
#[inline]
fn half_angle(x: Vec3) -> EulerParameters {
    EulerParameters::about_z(x.x, x.y)
}

fn lengths(elements: &[Element]) -> Vec<bool> {
    elements.iter().flat_map(|e| e.axes.iter().map(|_| e.point)).collect()
}

/// ½ Σ a_k × b_k: the angular velocity where b are the rates of the axes a, and the angular acceleration where b are their
/// accelerations, since Σ a_k × (ω × (ω × a_k)) vanishes.
fn half_cross(a: &[Vec3], b: &[Vec3]) -> Vec3 {
    a.iter().zip(b).fold(Vec3::ZERO, |sum, (a, b)| sum + a.cross(*b)) * 0.5
}

impl Formulation for Natural {
    fn name(&self) -> &'static str {
        "natural"
    }
    fn tells_forces(&self) -> bool {
        false
    }
    fn nq(&self) -> usize {
        self.nv
    }
    fn nv(&self) -> usize {
        self.nv
    }
    fn implicit_equations(&self) -> usize {
        0
    }

    fn cache(&self, model: &Model) -> Cache {
        let mut cache = Cache::new(model);
        let size = self.elements.len() + 4 * self.frames.len();
        cache.own = [0, 1, 2].map(|_| vec![Vec3::ZERO; size]);
        let ground = model.bodies.first().map_or(Pose::IDENTITY, |b| b.X_WB);
        let at = self.elements.len();
        cache.own[0][at] = ground.origin;
        cache.own[0][at + 1..at + 4].copy_from_slice(&ground.rotation.axes);
        cache
    }

    fn own_rows(&self) -> Vec<(usize, Row)> {
        self.rows.clone()
    }

    fn needs(&self, _: usize, row: &Row) -> bool {
        let (Some(sharing), Some(measure)) = (&self.sharing, vanishing(row)) else { return true };
        let small = 10.0 * SAME;
        let in_group = |body: usize, u_B: Vec3| (sharing.groups.of_body[body], sharing.groups.direction(body, u_B));
        let along_normal = |body: usize, u_B: Vec3| {
            self.plane.as_ref().is_some_and(|plane| plane.normal_B[body].cross(u_B).norm() <= small)
        };
        match measure {
            Measure::Along {
                a: Marker::Direction { body, u_B },
                from: Marker::Point { body: i, p_B: p },
                to: Marker::Point { body: j, p_B: q },
            } => {
                let near = small * sharing.reach;
                let one = sharing.points.share(i, j, |x, y| (x - p).norm() <= near && (y - q).norm() <= near);
                let level = |plane: &Plane| (plane.height_of(i, p) - plane.height_of(j, q)).abs() <= near;
                !(one || along_normal(body, u_B) && self.plane.as_ref().is_some_and(level))
            }
            Measure::Dot(Marker::Direction { body: i, u_B: u }, Marker::Direction { body: j, u_B: w }) => {
                let ((g, u_G), (h, w_G)) = (in_group(i, u), in_group(j, w));
                if g == h {
                    return u_G.dot(w_G).abs() > small;
                }
                if let Some(plane) = &self.plane {
                    if along_normal(i, u) || along_normal(j, w) {
                        return (plane.normal_B[i].dot(u) * plane.normal_B[j].dot(w)).abs() > small;
                    }
                    return true;
                }
                // One of the two is a vector that the other's group holds as well, at right angles to the other.
                let parallel = |x: Vec3, y: Vec3| x.cross(y).norm() <= small;
                !sharing.vectors.share(g, h, |x, y| {
                    parallel(x, u_G) && y.dot(w_G).abs() <= small || parallel(y, w_G) && x.dot(u_G).abs() <= small
                })
            }
            _ => true,
        }
    }

    fn columns(&self, marker: &Marker) -> Vec<usize> {
        let of = |e: &Element| e.first..e.first + e.axes.len();
        match *marker {
            Marker::Point { body, p_B } => self.terms(body, p_B, true).flat_map(|(e, ..)| of(e)).collect(),
            Marker::Direction { body, u_B } => self.terms(body, u_B, false).flat_map(|(e, ..)| of(e)).collect(),
            Marker::Own { index } => of(&self.elements[index]).collect(),
            Marker::Prescribed { .. } => Vec::new(),
        }
    }

    fn length_column(&self, column: usize) -> bool {
        self.lengths[column]
    }

    fn coordinates(&self, poses: &[Pose], q: &mut [f64]) {
        for element in &self.elements {
            let value = drawn(element, poses);
            for (k, axis) in element.axes.iter().enumerate() {
                q[element.first + k] = axis.dot(value);
            }
        }
    }

    fn is_additive(&self) -> bool {
        true
    }

    fn step(&self, q: &mut [f64], dv: &[f64]) {
        for (q, dv) in q.iter_mut().zip(dv) {
            *q += dv;
        }
    }

    fn positions(&self, q: &[f64], cache: &mut Cache) {
        self.fill(q, 0, cache);
        for body in 1..self.frames.len() {
            let frame = self.frame_of(cache, 0, body);
            let kept = cache.kept[body];
            if self.flat {
                let (origin, x) = (frame[0], frame[1].unit());
                let state: &mut BodyState = &mut cache.bodies[body];
                let x = x.unwrap_or(state.pose.rotation.axes[0]);
                state.pose = Pose::new(Rotation { axes: [x, quarter_turn(x), NORMAL] }, origin);
                state.attitude = half_angle(x).near(&kept);
                continue;
            }
            let (origin, rotation) = (frame[0], nearest_rotation(&frame[1..]));
            let state: &mut BodyState = &mut cache.bodies[body];
            let rotation = rotation.unwrap_or(state.pose.rotation);
            state.pose = Pose::new(rotation, origin);
            state.attitude = rotation.euler_parameters().near(&kept);
        }
    }

    fn marker_positions(&self, q: &[f64], bodies: &[usize], cache: &mut Cache) {
        self.fill_elements(q, 0, cache);
        bodies.iter().for_each(|body| self.fill_frame(*body, 0, cache));
    }

    fn marker_velocities(&self, v: &[f64], bodies: &[usize], cache: &mut Cache) {
        self.fill_elements(v, 1, cache);
        bodies.iter().for_each(|body| self.fill_frame(*body, 1, cache));
    }

    fn fill_markers(&self, state: [&[f64]; 3], cache: &mut Cache) {
        state.iter().enumerate().for_each(|(level, x)| self.fill(x, level, cache));
    }

    fn marker_bias(&self, cache: &mut Cache) {
        cache.own[2].fill(Vec3::ZERO);
    }

    fn affine(&self, body: usize) -> Option<Vec<(usize, [Vec3; 4])>> {
        let frame = &self.frames[body];
        let mut found = Vec::new();
        for term in &frame.terms {
            let element = &self.elements[term.element];
            for (k, axis) in element.axes.iter().enumerate() {
                let crossed = frame.normal.cross(*axis);
                let part = |(c, s): (f64, f64)| *axis * c + crossed * s;
                let moved = [part(term.origin()), part(term.axis(0)), part(term.axis(1)), part(term.axis(2))];
                found.push((element.first + k, moved));
            }
        }
        sort_by_key(&mut found, |f| f.0);
        Some(found)
    }

    fn velocities(&self, v: &[f64], cache: &mut Cache) {
        self.fill(v, 1, cache);
        for body in 1..self.frames.len() {
            let (axes, rates) = (self.frame_of(cache, 0, body), self.frame_of(cache, 1, body));
            let (w, v) = (self.turning(&axes[1..], &rates[1..]), rates[0]);
            (cache.bodies[body].w, cache.bodies[body].v) = (w, v);
        }
    }

    fn accelerations(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        match vdot {
            Some(vdot) => self.fill(vdot, 2, cache),
            None => cache.own[2].fill(Vec3::ZERO),
        }
        for body in 1..self.frames.len() {
            let (axes, rates) = (self.frame_of(cache, 0, body), self.frame_of(cache, 2, body));
            let (alpha, a) = (self.turning(&axes[1..], &rates[1..]), rates[0]);
            (cache.bodies[body].alpha, cache.bodies[body].a) = (alpha, a);
        }
    }

    fn place_markers(&self, markers: &[Marker], cache: &Cache, value: &mut [Vec3]) {
        for (marker, value) in markers.iter().zip(value) {
            *value = self.place(marker, cache, 0);
        }
    }

    fn move_markers(&self, markers: &[Marker], cache: &Cache, _: &[Vec3], rate: &mut [Vec3]) {
        for (marker, rate) in markers.iter().zip(rate) {
            *rate = self.place(marker, cache, 1);
        }
    }

    fn accelerate_markers(&self, markers: &[Marker], cache: &Cache, _: &[Vec3], acceleration: &mut [Vec3]) {
        for (marker, acceleration) in markers.iter().zip(acceleration) {
            *acceleration = self.place(marker, cache, 2);
        }
    }

    #[inline]
    fn scatter(&self, marker: &Marker, g: Vec3, _: &Cache, slots: &[usize], out: &mut [f64]) {
        let mut slots = slots.iter();
        let mut add = |element: &Element, g: Vec3| {
            for (axis, slot) in element.axes.iter().zip(&mut slots) {
                out[*slot] += axis.dot(g);
            }
        };
        let (body, x, point) = match *marker {
            Marker::Point { body, p_B } => (body, p_B, true),
            Marker::Direction { body, u_B } => (body, u_B, false),
            Marker::Own { index } => return add(&self.elements[index], g),
            Marker::Prescribed { .. } => return,
        };
        // (n × E)·g = E·(g × n).
        let crossed = g.cross(self.frames[body].normal);
        for (element, c, s) in self.terms(body, x, point) {
            add(element, g * c + crossed * s);
        }
    }

    fn scatter_spin(&self, body: usize, u: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        // ω·u = ½ Σ (a_k × ȧ_k)·u = ½ Σ ȧ_k·(u × a_k), with ȧ_k linear in the elements' rates.
        let axes = self.frame_of(cache, 0, body);
        let normal = self.frames[body].normal;
        let mut slots = slots.iter();
        for term in &self.frames[body].terms {
            let element = &self.elements[term.element];
            let mut g = Vec3::ZERO;
            for k in 0..3 {
                let (c, s) = term.axis(k);
                let lever = u.cross(axes[k + 1]) * 0.5;
                g += lever * c + lever.cross(normal) * s;
            }
            for (axis, slot) in element.axes.iter().zip(&mut slots) {
                out[*slot] += axis.dot(g);
            }
        }
    }

    fn spin_columns(&self, body: usize) -> Vec<usize> {
        let elements = self.frames[body].terms.iter().map(|t| &self.elements[t.element]);
        elements.flat_map(|e| e.first..e.first + e.axes.len()).collect()
    }

    fn mirrored(&self, cache: &Cache) -> Option<usize> {
        (1..self.frames.len()).find(|body| {
            let frame = self.frame_of(cache, 0, *body);
            frame[1].dot(frame[2].cross(frame[3])) <= 0.0
        })
    }
}

/// The rotation of axes that are orthonormal but for small errors; `None` where they do not span.
fn nearest_rotation(axes: &[Vec3]) -> Option<Rotation> {
    let x = axes[0].unit()?;
    let y = (axes[1] - x * x.dot(axes[1])).unit()?;
    Some(Rotation { axes: [x, y, x.cross(y)] })
}
