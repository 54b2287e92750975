//! The rows of cut joints, drivers and idle spins, over joint coordinates: residuals, entries of Φ_v and right-hand sides of one design, or of
//! several side by side.

#![allow(non_snake_case)] // p_B, u_B: in a body's frame (docs/notation.md).

use super::gauge::{carried, gauge, place, Gauge, Kind, Place};
use super::tree::{Body, Screw, Tree};
use crate::joints::{Form, Measure, Row};
use crate::math::sparse::Pattern;
use crate::math::triple::{cross, dot, sum, Triple};
use crate::math::{directions, Number};
use crate::model::Model;
use crate::motion::Motion;
use crate::system::{Formulation, IdleSpin, Relative};

/// A row's right-hand side at one time: value, rate, acceleration; sine and cosine of an angle's value; the factor on the row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aim<N> {
    pub v: N,
    pub d: N,
    pub dd: N,
    pub sine: N,
    pub cosine: N,
    pub scale: N,
}

/// A term of a row, with the velocities that move it: marker, column, entry of Φ_v.
#[derive(Debug, PartialEq)]
struct Term {
    gauge: Gauge,
    steps: Vec<[u32; 3]>,
}

#[derive(Debug)]
struct Line {
    terms: std::ops::Range<usize>,
    /// Its place among the right-hand sides that are told for each time; else its numbers say value and factor.
    aim: Option<usize>,
    /// Whether it is a length, and whether of squares.
    length: bool,
    squared: bool,
}

impl Line {
    /// Its value and its factor, it being the row of that number.
    #[inline(always)]
    fn side<N: Number>(&self, row: usize, values: &[N], aims: &[Aim<N>]) -> [N; 2] {
        self.aim.map_or([values[2 * row], values[2 * row + 1]], |k| [aims[k].v, aims[k].scale])
    }
}

/// An idle spin, and the velocities that turn the body: column, entry.
#[derive(Debug)]
struct Spin {
    body: usize,
    steps: Vec<[u32; 2]>,
}

/// All rows of a mechanism.
#[derive(Debug)]
pub(super) struct Rows {
    lines: Vec<Line>,
    terms: Vec<Term>,
    pub places: Vec<Place>,
    spins: Vec<Spin>,
    /// Entries of Φ_v whose column is a length.
    lengths: Vec<bool>,
    /// Right-hand sides that are told for each time.
    pub aims: usize,
    size: f64,
}

/// Values of markers and what follows from them.
#[derive(Debug)]
pub(super) struct Values<N> {
    value: Vec<Triple<N>>,
    rate: Vec<Triple<N>>,
    bias: Vec<Triple<N>>,
}

/// Rows of a design in their order.
pub(super) fn rows_of<'a>(model: &'a Model, relative: &'a Relative) -> impl Iterator<Item = Row> + 'a {
    let joints = model.joints.iter().enumerate().filter(|(k, _)| relative.closes(*k));
    let cut = joints.flat_map(|(_, joint)| joint.rows().into_iter().map(|row| relative.adapt(joint, row)));
    let drivers = model.drivers.iter().enumerate();
    cut.chain(drivers.flat_map(|(k, driver)| driver.rows(k, &model.joints)))
}

/// Whether a row's right-hand side is told for each time.
pub(super) fn is_aimed(row: &Row) -> bool {
    let angle = matches!(&row.form, Form::Linear(terms) if matches!(terms[..], [(_, Measure::Angle { .. })]));
    angle || !matches!(row.target, Motion::Constant(_))
}

/// Factor on a row whose right-hand side is `target`.
fn scale(row: &Row, target: f64, size: f64) -> f64 {
    let length = if row.length { 1.0 / size } else { 1.0 };
    match row.squared {
        // A distance of zero has no direction; its square is then measured against the size itself.
        true => length * 0.5 / if target.abs() > 1e-9 * size { target.abs() } else { size },
        false => length,
    }
}

/// Rows whose right-hand sides are told for each time.
pub(super) fn aimed<'a>(model: &'a Model, relative: &'a Relative) -> impl Iterator<Item = Row> + 'a {
    rows_of(model, relative).filter(is_aimed)
}

/// The right-hand side of a row at a time; `None` where it has none.
pub(super) fn aim(row: &Row, t: f64, size: f64) -> Option<Aim<f64>> {
    use crate::math::Elementary;
    let jet = row.target.jet(t);
    let scale = scale(row, jet.v, size);
    let jet = if row.squared { jet * jet } else { jet };
    let (sine, cosine) = jet.v.sine_cosine();
    let finite = jet.v.is_finite() && jet.d.is_finite() && jet.dd.is_finite() && scale.is_finite();
    finite.then_some(Aim { v: jet.v, d: jet.d, dd: jet.dd, sine, cosine, scale })
}

impl Rows {
    /// The rows of a model in that pattern; `None` where one is of another kind. Idle spins are held besides.
    pub fn new(model: &Model, relative: &Relative, pattern: &Pattern, idle: &[IdleSpin], size: f64) -> Option<Rows> {
        let mut made = Rows {
            lines: Vec::new(),
            terms: Vec::new(),
            places: Vec::new(),
            spins: Vec::new(),
            lengths: pattern.index.iter().map(|c| relative.length_column(*c)).collect(),
            aims: 0,
            size,
        };
        for (i, row) in rows_of(model, relative).enumerate() {
            let Form::Linear(terms) = &row.form else { return None };
            let first = made.terms.len();
            for (factor, measure) in terms {
                let places = &mut made.places;
                let gauge = gauge(measure, |marker| {
                    places.push(place(marker)?.0);
                    Some(places.len() - 1)
                })?;
                let whole =
                    (gauge.kind != Kind::Angle || (terms.len() == 1 && *factor == 1.0)) && gauge.kind != Kind::Distance;
                if !whole {
                    return None;
                }
                let term = made.term(relative, pattern, i, gauge, measure)?;
                made.terms.push(term);
            }
            let aim = is_aimed(&row).then(|| {
                made.aims += 1;
                made.aims - 1
            });
            let terms = first..made.terms.len();
            made.lines.push(Line { terms, aim, length: row.length, squared: row.squared });
        }
        for (k, spin) in idle.iter().enumerate() {
            let range = pattern.range(made.lines.len() + k);
            let entry = |c: &usize| pattern.index[range.clone()].binary_search(c).ok().map(|at| range.start + at);
            let columns = relative.spin_columns(spin.body);
            let steps = columns.iter().map(|c| Some([*c as u32, entry(c)? as u32])).collect::<Option<_>>()?;
            made.spins.push(Spin { body: spin.body, steps });
        }
        (pattern.rows() == made.lines.len() + made.spins.len()).then_some(made)
    }

    fn term(
        &self,
        relative: &Relative,
        pattern: &Pattern,
        row: usize,
        gauge: Gauge,
        measure: &Measure,
    ) -> Option<Term> {
        let range = pattern.range(row);
        let markers = measure.markers();
        let mut steps = Vec::new();
        for (p, (marker, columns)) in markers.iter().zip(relative.measure_columns(&markers)).enumerate() {
            // Markers of one body move together: the first of them takes the gradients of all.
            if markers[..p].iter().any(|m| m.body() == marker.body()) {
                continue;
            }
            for c in columns {
                let at = pattern.index[range.clone()].binary_search(&c).ok()?;
                steps.push([p as u32, c as u32, (range.start + at) as u32]);
            }
        }
        Some(Term { gauge, steps })
    }

    /// How many numbers of a design its rows are made of.
    pub fn numbers(&self) -> usize {
        3 * self.places.len() + self.terms.len() + 2 * self.lines.len() + 3 * self.spins.len()
    }

    /// Numbers of a design: markers, factors of terms, values and factors of rows. `None` where its rows are others.
    pub fn number(&self, model: &Model, relative: &Relative, axes: &[[f64; 3]], list: &mut Vec<f64>) -> Option<()> {
        let start = list.len();
        let (mut places, mut terms, mut lines) = (self.places.iter(), self.terms.iter(), self.lines.iter());
        let (mut factors, mut values) = (Vec::with_capacity(self.terms.len()), Vec::new());
        for row in rows_of(model, relative) {
            let line = lines.next()?;
            let Form::Linear(of) = &row.form else { return None };
            let same = of.len() == line.terms.len()
                && (row.length, row.squared) == (line.length, line.squared)
                && is_aimed(&row) == line.aim.is_some();
            if !same {
                return None;
            }
            for (factor, measure) in of {
                let term = terms.next()?;
                let mut numbers = [[0.0; 3]; 3];
                let mut count = 0;
                let gauge = gauge(measure, |marker| {
                    let (place, numbers_of) = place(marker)?;
                    numbers[count] = numbers_of;
                    count += 1;
                    (places.next()? == &place).then_some(0)
                })?;
                if gauge.kind != term.gauge.kind || (gauge.kind == Kind::Angle && *factor != 1.0) {
                    return None;
                }
                numbers[..count].iter().for_each(|n| list.extend(n));
                factors.push(*factor);
            }
            let target = match (line.aim, &row.target) {
                (None, Motion::Constant(value)) => *value,
                _ => 0.0,
            };
            values.extend([if row.squared { target * target } else { target }, scale(&row, target, self.size)]);
        }
        list.extend(factors);
        list.extend(values);
        axes.iter().for_each(|axis| list.extend(axis));
        (lines.next().is_none() && list.len() - start == self.numbers()).then_some(())
    }

    /// Number of rows, idle spins not counted.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Bodies that may spin idly.
    pub fn idle(&self) -> impl Iterator<Item = usize> + '_ {
        self.spins.iter().map(|spin| spin.body)
    }

    /// Room for values.
    pub fn values<N: Number>(&self) -> Values<N> {
        let zeros = vec![[N::splat(0.0); 3]; self.places.len()];
        Values { value: zeros.clone(), rate: zeros.clone(), bias: zeros }
    }

    /// Numbers of terms, lines and spins among those of the rows.
    fn parts<'n, N>(&self, n: &'n [N]) -> (&'n [N], &'n [N], &'n [N], &'n [N]) {
        let (markers, rest) = n.split_at(3 * self.places.len());
        let (factors, rest) = rest.split_at(self.terms.len());
        let (values, axes) = rest.split_at(2 * self.lines.len());
        (markers, factors, values, axes)
    }

    /// Residuals of bodies in place. The largest.
    #[inline(always)]
    pub fn residuals<N: Number>(
        &self,
        n: &[N],
        aims: &[Aim<N>],
        bodies: &[Body<N>],
        e: &mut Values<N>,
        phi: &mut [N],
    ) -> N {
        let (markers, factors, values, _) = self.parts(n);
        for ((place, value), n) in self.places.iter().zip(&mut e.value).zip(markers.chunks_exact(3)) {
            *value = place.value(bodies, n);
        }
        let mut most = N::splat(0.0);
        for (k, (line, phi)) in self.lines.iter().zip(phi.iter_mut()).enumerate() {
            let aim = line.aim.map(|k| &aims[k]);
            let [value, scale] = line.side(k, values, aims);
            let terms = &self.terms[line.terms.clone()];
            *phi = match (terms, aim) {
                ([Term { gauge, .. }], Some(aim)) if gauge.kind == Kind::Angle => {
                    let (s, c) = gauge.sine_cosine(&e.value);
                    scale * directions(s * aim.cosine - c * aim.sine, c * aim.cosine + s * aim.sine)
                }
                _ => {
                    let of = terms.iter().zip(&factors[line.terms.clone()]);
                    (of.fold(N::splat(0.0), |sum, (term, f)| sum + *f * term.gauge.value(&e.value)) - value) * scale
                }
            };
            most = most.most(phi.abs());
        }
        most
    }

    /// Entries of Φ_v where residuals were last found: rows that are lengths in sizes, columns that are lengths too.
    #[inline(always)]
    pub fn entries<N: Number>(
        &self,
        n: &[N],
        aims: &[Aim<N>],
        (bodies, screws): (&[Body<N>], &[Screw<N>]),
        e: &Values<N>,
        out: &mut [N],
    ) {
        let (_, factors, values, axes) = self.parts(n);
        let zero = N::splat(0.0);
        out.fill(zero);
        for (k, line) in self.lines.iter().enumerate() {
            let [_, scale] = line.side(k, values, aims);
            for at in line.terms.clone() {
                let Term { gauge, steps } = &self.terms[at];
                let (gradients, count) = gauge.gradients(&e.value, scale * factors[at]);
                let mut wrenches = [[[zero; 3]; 2]; 3];
                for p in 0..count {
                    let (marker, g) = (gauge.markers[p], gradients[p]);
                    let place = self.places[marker];
                    let first = (0..p).find(|k| self.places[gauge.markers[*k]].body == place.body).unwrap_or(p);
                    let [force, moment] = &mut wrenches[first];
                    if place.point {
                        *force = sum(*force, g);
                    }
                    *moment = sum(*moment, cross(e.value[marker], g));
                }
                for [p, column, entry] in steps {
                    let ([force, moment], screw) = (&wrenches[*p as usize], &screws[*column as usize]);
                    let entry = &mut out[*entry as usize];
                    *entry = *entry + (dot(*force, screw[1]) + dot(*moment, screw[0]));
                }
            }
        }
        for (spin, n) in self.spins.iter().zip(axes.chunks_exact(3)) {
            let u = bodies[spin.body].turned([n[0], n[1], n[2]]);
            for [column, entry] in &spin.steps {
                out[*entry as usize] = dot(u, screws[*column as usize][0]);
            }
        }
        let size = N::splat(self.size);
        for (entry, length) in out.iter_mut().zip(&self.lengths) {
            if *length {
                *entry = *entry * size;
            }
        }
    }

    /// Value and factor of a row.
    #[inline(always)]
    pub fn side<N: Number>(&self, row: usize, n: &[N], aims: &[Aim<N>]) -> [N; 2] {
        let (_, _, values, _) = self.parts(n);
        self.lines[row].side(row, values, aims)
    }

    /// Whether a row is one of squares.
    pub fn is_squared(&self, row: usize) -> bool {
        self.lines[row].squared
    }

    /// What rows exert on bodies by their multipliers where residuals were last found: row, body, force and moment about O. Idle spins, which no
    /// joint has a part in, have numbers beyond all rows.
    #[inline(always)]
    pub fn exert<N: Number>(
        &self,
        (n, aims): (&[N], &[Aim<N>]),
        bodies: &[Body<N>],
        e: &Values<N>,
        lambda: &[N],
        mut on: impl FnMut(usize, usize, [Triple<N>; 2]),
    ) {
        let (_, factors, values, axes) = self.parts(n);
        for (k, (line, lambda)) in self.lines.iter().zip(lambda).enumerate() {
            let force = -(*lambda * line.side(k, values, aims)[1]);
            for at in line.terms.clone() {
                let gauge = &self.terms[at].gauge;
                let (gradients, count) = gauge.gradients(&e.value, force * factors[at]);
                for (marker, g) in gauge.markers.into_iter().zip(gradients).take(count) {
                    let place = self.places[marker];
                    on(k, place.body, place.wrench(e.value[marker], g));
                }
            }
        }
        let rows = self.lines.len();
        for (k, (spin, n)) in self.spins.iter().zip(axes.chunks_exact(3)).enumerate() {
            let u = bodies[spin.body].turned([n[0], n[1], n[2]]);
            let moment = u.map(|x| -(x * lambda[rows + k]));
            on(rows + k, spin.body, [[N::splat(0.0); 3], moment]);
        }
    }

    /// Right-hand side ν of the velocities.
    #[inline(always)]
    pub fn velocity_side<N: Number>(&self, aims: &[Aim<N>], out: &mut [N]) {
        out.fill(N::splat(0.0));
        for (line, out) in self.lines.iter().zip(out) {
            if let Some(k) = line.aim {
                *out = aims[k].d * aims[k].scale;
            }
        }
    }

    /// Right-hand side γ of the accelerations of bodies that move, where residuals were last found.
    #[inline(always)]
    pub fn acceleration_side<N: Number>(
        &self,
        n: &[N],
        aims: &[Aim<N>],
        bodies: &[Body<N>],
        e: &mut Values<N>,
        out: &mut [N],
    ) {
        let (_, factors, values, axes) = self.parts(n);
        for (k, place) in self.places.iter().enumerate() {
            (e.rate[k], e.bias[k]) = carried(&bodies[place.body], bodies[place.body].bias, place.point, e.value[k]);
        }
        for (k, line) in self.lines.iter().enumerate() {
            let (dd, scale) = line.aim.map_or((N::splat(0.0), values[2 * k + 1]), |k| (aims[k].dd, aims[k].scale));
            let mut bias = N::splat(0.0);
            for at in line.terms.clone() {
                let gauge = &self.terms[at].gauge;
                bias = bias + factors[at] * gauge.rates(&e.value, &e.rate, &e.bias)[1];
            }
            out[k] = (dd - bias) * scale;
        }
        for (k, (spin, n)) in self.spins.iter().zip(axes.chunks_exact(3)).enumerate() {
            let body = &bodies[spin.body];
            out[self.lines.len() + k] = -dot(body.bias[0], body.turned([n[0], n[1], n[2]]));
        }
    }
}

/// A design's tree and rows at coordinates `q`.
pub(super) struct Placed<'a, N> {
    pub tree: &'a Tree,
    pub rows: &'a Rows,
    pub numbers: (&'a [N], &'a [N]),
    pub aims: &'a [Aim<N>],
    pub bodies: &'a mut [Body<N>],
    pub screws: &'a mut [Screw<N>],
    pub values: &'a mut Values<N>,
}

impl<N: Number> Placed<'_, N> {
    /// Places all at `q` and tells residuals. The largest.
    #[inline(always)]
    pub fn at(&mut self, q: &[N], phi: &mut [N]) -> N {
        self.tree.place(self.numbers.0, q, self.bodies, self.screws);
        self.rows.residuals(self.numbers.1, self.aims, self.bodies, self.values, phi)
    }

    /// Entries of Φ_v there.
    #[inline(always)]
    pub fn entries(&mut self, out: &mut [N]) {
        self.rows.entries(self.numbers.1, self.aims, (self.bodies, self.screws), self.values, out);
    }
}
