//! Constraint rows of all joints, couplings and drivers, evaluated once for every formulation.
//!
//! [`Constraints::new`] gathers the markers and measures that the rows use, each once. Evaluation then runs in stages:
//! marker values → measures and residuals Φ → gradients with respect to markers, which the formulation turns into Φ_v;
//! marker rates → ν; marker accelerations for v̇ = 0 → γ = target″ − bias.

use super::formulation::{Cache, Formulation};
use super::turns::Tie;
use crate::drivers::Target;
use crate::joints::hinge::nearest_turn;
use crate::joints::{Form, Marker, Measure, Row};
use crate::math::sparse::Pattern;
use crate::math::Elementary;
use crate::math::{Jet, Vec3};
use crate::model::Model;
use crate::motion::Motion;

/// Who a constraint row belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A joint, by its index.
    Joint(usize),
    /// A coupling, by its index.
    Coupling(usize),
    /// A driver, by its index.
    Driver(usize),
    /// A body that the formulation keeps rigid, by its index.
    Body(usize),
}

/// A measure with its markers as indices.
#[derive(Debug, Clone, Copy)]
pub(super) enum Compiled {
    Dot(usize, usize),
    Along(usize, usize, usize),
    DistanceSquared(usize, usize),
    Angle(usize, usize, usize),
}

/// A row with its measures as indices.
#[derive(Debug, Clone)]
pub(super) struct CompiledRow {
    pub(super) row: Row,
    pub(super) owner: Owner,
    pub(super) measures: Vec<usize>,
    /// For each measure and each of its markers: where the marker's columns lie among the row's entries.
    slots: Vec<Vec<Vec<usize>>>,
    /// True where a marker moves by itself with time.
    prescribed: bool,
}

/// All constraint rows of a model, and the measures of its joint coordinates.
#[derive(Debug)]
pub struct Constraints {
    markers: Vec<Marker>,
    /// True for each marker that is a point.
    points: Vec<bool>,
    pub(super) measures: Vec<Compiled>,
    pub(super) rows: Vec<CompiledRow>,
    /// Measure of each joint coordinate: joint, coordinate, measure.
    coordinates: Vec<(usize, usize, usize)>,
    /// Measures that are positive in the assembly meant, with their owner.
    positive: Vec<(Owner, usize)>,
    /// What ties turns of angles together besides couplings.
    pub(super) ties: Vec<Tie>,
    /// True for each measure that is an angle whose turns are tied to other coordinates.
    pub(super) counted: Vec<bool>,
    /// Markers that drivers turn.
    prescribed: Vec<usize>,
    /// Markers that rows are made of; they come first.
    row_markers: usize,
    /// Bodies whose points and directions rows are made of.
    pub row_bodies: Vec<usize>,
    /// Pattern of Φ_v.
    pub pattern: Pattern,
}

/// Markers with their signs.
pub(super) type Sum = Vec<(Marker, f64)>;

/// A row as Σ weight · a·b of sums of markers.
pub(super) struct Products {
    /// Weights, and the two sums.
    pub terms: Vec<(f64, [Sum; 2])>,
    /// The right-hand side.
    pub target: f64,
    /// Factor on the whole row.
    pub scale: f64,
}

/// Numbers of one evaluation. Allocated once, filled stage by stage.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// Marker positions or components (position stage).
    value: Vec<Vec3>,
    /// Marker rates (velocity stage).
    rate: Vec<Vec3>,
    /// Marker accelerations (acceleration stage).
    acceleration: Vec<Vec3>,
    /// Angles near which angle measures are counted (kept from the last accepted sample).
    pub near: Vec<f64>,
    /// Jets of one row's measures (scratch).
    jets: Vec<Jet>,
    /// Residuals Φ, scaled (position stage).
    pub phi: Vec<f64>,
    /// Entries of Φ_v in the order of the pattern, scaled (position stage).
    pub phi_v: Vec<f64>,
    /// Size of the terms that make up each row of Φ_v, before any cancel (position stage).
    pub weight: Vec<f64>,
    /// Right-hand side of the velocity problem, scaled.
    pub nu: Vec<f64>,
    /// Right-hand side of the acceleration problem, scaled.
    pub gamma: Vec<f64>,
    /// Added to each residual: lets a solver lead rows gradually to their targets.
    pub relief: Vec<f64>,
}

impl Constraints {
    /// Gathers the rows of a model for a formulation. Rows of drivers come last.
    pub fn new(model: &Model, formulation: &dyn Formulation) -> Constraints {
        let mut made = Constraints {
            markers: Vec::new(),
            points: Vec::new(),
            measures: Vec::new(),
            rows: Vec::new(),
            coordinates: Vec::new(),
            positive: Vec::new(),
            ties: Vec::new(),
            counted: Vec::new(),
            prescribed: Vec::new(),
            row_markers: 0,
            row_bodies: Vec::new(),
            pattern: Pattern::new(formulation.nv()),
        };
        let mut index = Index::default();
        let mut positive = Vec::new();
        for (body, row) in formulation.own_rows() {
            made.add_row(row, Owner::Body(body), formulation, &mut index);
        }
        for (k, joint) in model.joints.iter().enumerate() {
            if let Some(rows) = formulation.closure(k) {
                for row in rows {
                    made.add_row(row, Owner::Joint(k), formulation, &mut index);
                }
            } else {
                for row in joint.kind.rows(joint) {
                    if formulation.needs(k, &row) {
                        made.add_row(formulation.adapt(joint, row), Owner::Joint(k), formulation, &mut index);
                    }
                }
            }
            positive.extend(joint.kind.positive(joint).into_iter().map(|m| (Owner::Joint(k), m)));
        }
        for (k, coupling) in model.couplings.iter().enumerate() {
            made.add_row(coupling.row(&model.joints), Owner::Coupling(k), formulation, &mut index);
        }
        for (k, driver) in model.drivers.iter().enumerate() {
            for row in driver.rows(k, &model.joints) {
                made.add_row(row, Owner::Driver(k), formulation, &mut index);
            }
            positive.extend(driver.positive(k).into_iter().map(|m| (Owner::Driver(k), m)));
        }
        made.row_markers = made.markers.len();
        let body = |marker: &Marker| match *marker {
            Marker::Point { body, .. } | Marker::Direction { body, .. } if body > 0 => Some(body),
            _ => None,
        };
        made.row_bodies = made.markers.iter().filter_map(body).collect();
        made.row_bodies.sort_unstable();
        made.row_bodies.dedup();
        for (owner, measure) in positive {
            let measure = made.measure(&measure, &mut index);
            made.positive.push((owner, measure));
        }
        for (j, joint) in model.joints.iter().enumerate() {
            for c in 0..joint.kind.coordinates().len() {
                if let Some(measure) = joint.kind.coordinate(joint, c) {
                    let measure = made.measure(&measure, &mut index);
                    made.coordinates.push((j, c, measure));
                }
            }
        }
        for (terms, constant) in super::turns::ties(model) {
            let terms = terms.into_iter().map(|(c, m)| (c, made.measure(&m, &mut index))).collect();
            made.ties.push(Tie { terms, constant });
        }
        made.count_turns();
        let is_point = |marker: &Marker| match marker {
            Marker::Point { .. } => true,
            Marker::Own { .. } => formulation.columns(marker).first().is_some_and(|c| formulation.length_column(*c)),
            Marker::Direction { .. } | Marker::Prescribed { .. } => false,
        };
        made.points = made.markers.iter().map(is_point).collect();
        let driven = |k: &usize| matches!(made.markers[*k], Marker::Prescribed { .. });
        made.prescribed = (0..made.markers.len()).filter(driven).collect();
        made
    }

    fn marker(&mut self, marker: &Marker, index: &mut Index) -> usize {
        let markers = &mut self.markers;
        *index.markers.entry(key(marker)).or_insert_with(|| {
            markers.push(*marker);
            markers.len() - 1
        })
    }

    fn measure(&mut self, measure: &Measure, index: &mut Index) -> usize {
        let m: Vec<usize> = measure.markers().iter().map(|m| self.marker(m, index)).collect();
        let (tag, compiled) = match measure {
            Measure::Dot(..) => (0, Compiled::Dot(m[0], m[1])),
            Measure::Along { .. } => (1, Compiled::Along(m[0], m[1], m[2])),
            Measure::DistanceSquared { .. } => (2, Compiled::DistanceSquared(m[0], m[1])),
            Measure::Angle { .. } => (3, Compiled::Angle(m[0], m[1], m[2])),
        };
        let measures = &mut self.measures;
        *index.measures.entry((tag, m)).or_insert_with(|| {
            measures.push(compiled);
            measures.len() - 1
        })
    }

    fn add_row(&mut self, row: Row, owner: Owner, formulation: &dyn Formulation, index: &mut Index) {
        let measures: Vec<Measure> = match &row.form {
            Form::Linear(terms) => terms.iter().map(|t| t.1).collect(),
            Form::Expression(_, measures) => measures.clone(),
            Form::Profile(_, measures, _) => measures.to_vec(),
        };
        let of = |measure: &Measure| formulation.measure_columns(&measure.markers());
        let needed: Vec<Vec<Vec<usize>>> = measures.iter().map(of).collect();
        let mut columns: Vec<usize> = needed.iter().flatten().flatten().copied().collect();
        columns.sort_unstable();
        columns.dedup();
        let slot = |c: &usize| columns.binary_search(c).unwrap_or(0);
        let slots = needed.iter().map(|m| m.iter().map(|c| c.iter().map(slot).collect()).collect()).collect();
        let prescribed = measures.iter().flat_map(|m| m.markers()).any(|m| matches!(m, Marker::Prescribed { .. }));
        let measures = measures.iter().map(|m| self.measure(m, index)).collect();
        self.pattern.push_row(&columns);
        self.rows.push(CompiledRow { row, owner, measures, slots, prescribed });
    }

    /// Scratch of the right size.
    pub fn evaluation(&self) -> Evaluation {
        let (markers, rows) = (self.markers.len(), self.rows.len());
        let most = self.rows.iter().map(|r| r.measures.len()).max().unwrap_or(0);
        Evaluation {
            value: vec![Vec3::ZERO; markers],
            rate: vec![Vec3::ZERO; markers],
            acceleration: vec![Vec3::ZERO; markers],
            near: vec![0.0; self.measures.len()],
            jets: vec![Jet::constant(0.0); most + 1],
            phi: vec![0.0; rows],
            phi_v: vec![0.0; self.pattern.index.len()],
            weight: vec![0.0; rows],
            nu: vec![0.0; rows],
            gamma: vec![0.0; rows],
            relief: vec![0.0; rows],
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True where nothing is constrained.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whom row `i` belongs to.
    pub fn owner(&self, i: usize) -> Owner {
        self.rows[i].owner
    }

    /// The component that row `i` withholds, such as `fx`.
    pub fn component(&self, i: usize) -> &'static str {
        self.rows[i].row.component
    }

    /// Row `i` as it was given, with the numbers of its measures.
    pub fn row(&self, i: usize) -> (&Row, &[usize]) {
        (&self.rows[i].row, &self.rows[i].measures)
    }

    /// Factor by which row `i` is multiplied at time `t`.
    pub fn scale(&self, i: usize, t: f64, size: f64) -> f64 {
        self.rows[i].scale(t, size)
    }

    /// True where row `i` is a length.
    pub fn is_length(&self, i: usize) -> bool {
        self.rows[i].row.length
    }

    /// Number of rows that are not drivers'; they come first.
    pub fn undriven(&self) -> usize {
        self.rows.iter().take_while(|r| !matches!(r.owner, Owner::Driver(_))).count()
    }

    /// True where some row moves with time by itself.
    pub fn is_moving(&self) -> bool {
        let still = |r: &CompiledRow| matches!(r.row.target, Motion::Constant(_)) && !r.prescribed;
        self.rows.iter().any(|r| !still(r) || matches!(r.row.form, Form::Expression(..)))
    }

    /// Measures of joint coordinates: joint, coordinate, measure.
    pub fn coordinates(&self) -> &[(usize, usize, usize)] {
        &self.coordinates
    }

    /// True where measure `k` is an angle.
    pub fn is_angle(&self, k: usize) -> bool {
        matches!(self.measures[k], Compiled::Angle(..))
    }

    /// Marker values at time `t`, from the bodies' positions.
    pub fn place_markers(&self, system: Stage, cache: &Cache, e: &mut Evaluation) {
        system.formulation.place_markers(&self.markers, cache, &mut e.value);
        for k in &self.prescribed {
            e.value[*k] = system.prescribed(&self.markers[*k])[0];
        }
    }

    /// Marker rates.
    pub fn move_markers(&self, system: Stage, cache: &Cache, e: &mut Evaluation) {
        system.formulation.move_markers(&self.markers, cache, &e.value, &mut e.rate);
        for k in &self.prescribed {
            e.rate[*k] = system.prescribed(&self.markers[*k])[1];
        }
    }

    /// Marker accelerations: true ones or for v̇ = 0, whichever the bodies' accelerations are.
    pub fn accelerate_markers(&self, system: Stage, cache: &Cache, e: &mut Evaluation) {
        system.formulation.accelerate_markers(&self.markers, cache, &e.value, &mut e.acceleration);
        for k in &self.prescribed {
            e.acceleration[*k] = system.prescribed(&self.markers[*k])[2];
        }
    }

    /// The same for the rows' own markers alone, from as much of the stage as they need.
    pub fn place_row_markers(&self, system: Stage, cache: &Cache, e: &mut Evaluation) {
        system.formulation.place_markers(&self.markers[..self.row_markers], cache, &mut e.value);
        for k in &self.prescribed {
            e.value[*k] = system.prescribed(&self.markers[*k])[0];
        }
    }

    /// Rates and accelerations for v̇ = 0 of the rows' own markers.
    pub fn move_row_markers(&self, system: Stage, cache: &Cache, e: &mut Evaluation) {
        let markers = &self.markers[..self.row_markers];
        system.formulation.move_markers(markers, cache, &e.value, &mut e.rate);
        system.formulation.accelerate_markers(markers, cache, &e.value, &mut e.acceleration);
        for k in &self.prescribed {
            [_, e.rate[*k], e.acceleration[*k]] = system.prescribed(&self.markers[*k]);
        }
    }

    /// Value of measure `k` from marker values.
    pub fn value(&self, k: usize, e: &Evaluation) -> f64 {
        let m = &e.value;
        match self.measures[k] {
            Compiled::Dot(a, b) => m[a].dot(m[b]),
            Compiled::Along(a, from, to) => m[a].dot(m[to] - m[from]),
            Compiled::DistanceSquared(from, to) => {
                let d = m[to] - m[from];
                d.dot(d)
            }
            Compiled::Angle(x, y, u) => nearest_turn(m[y].dot(m[u]).arctangent2(m[x].dot(m[u])), e.near[k]),
        }
    }

    /// Rate of measure `k` from marker values and rates.
    pub fn rate(&self, k: usize, e: &Evaluation) -> f64 {
        let (m, r) = (&e.value, &e.rate);
        match self.measures[k] {
            Compiled::Dot(a, b) => r[a].dot(m[b]) + m[a].dot(r[b]),
            Compiled::Along(a, from, to) => r[a].dot(m[to] - m[from]) + m[a].dot(r[to] - r[from]),
            Compiled::DistanceSquared(from, to) => 2.0 * (m[to] - m[from]).dot(r[to] - r[from]),
            Compiled::Angle(x, y, u) => {
                let (c, s) = (m[x].dot(m[u]), m[y].dot(m[u]));
                let (c1, s1) = (r[x].dot(m[u]) + m[x].dot(r[u]), r[y].dot(m[u]) + m[y].dot(r[u]));
                (c * s1 - s * c1) / (c * c + s * s)
            }
        }
    }

    /// Second derivative of measure `k` from marker values, rates and accelerations.
    pub fn acceleration(&self, k: usize, e: &Evaluation) -> f64 {
        let (m, r, a) = (&e.value, &e.rate, &e.acceleration);
        let dot2 = |p: usize, q: usize| a[p].dot(m[q]) + 2.0 * r[p].dot(r[q]) + m[p].dot(a[q]);
        match self.measures[k] {
            Compiled::Dot(p, q) => dot2(p, q),
            Compiled::Along(u, from, to) => {
                let (d, d1, d2) = (m[to] - m[from], r[to] - r[from], a[to] - a[from]);
                a[u].dot(d) + 2.0 * r[u].dot(d1) + m[u].dot(d2)
            }
            Compiled::DistanceSquared(from, to) => {
                let (d, d1, d2) = (m[to] - m[from], r[to] - r[from], a[to] - a[from]);
                2.0 * (d.dot(d2) + d1.dot(d1))
            }
            Compiled::Angle(x, y, u) => {
                let (c, s) = (m[x].dot(m[u]), m[y].dot(m[u]));
                let (c1, s1) = (r[x].dot(m[u]) + m[x].dot(r[u]), r[y].dot(m[u]) + m[y].dot(r[u]));
                let (c2, s2) = (dot2(x, u), dot2(y, u));
                let square = c * c + s * s;
                (c * s2 - s * c2) / square - 2.0 * (c * c1 + s * s1) * (c * s1 - s * c1) / (square * square)
            }
        }
    }

    /// Gradients of measure `k` with respect to its markers, in the order of [`Measure::markers`].
    #[inline]
    fn gradient(&self, k: usize, e: &Evaluation) -> ([usize; 3], [Vec3; 3], usize) {
        let m = &e.value;
        match self.measures[k] {
            Compiled::Dot(a, b) => ([a, b, 0], [m[b], m[a], Vec3::ZERO], 2),
            Compiled::Along(a, from, to) => ([a, from, to], [m[to] - m[from], -m[a], m[a]], 3),
            Compiled::DistanceSquared(from, to) => {
                let d = (m[to] - m[from]) * 2.0;
                ([from, to, 0], [-d, d, Vec3::ZERO], 2)
            }
            Compiled::Angle(x, y, u) => {
                let (c, s) = (m[x].dot(m[u]), m[y].dot(m[u]));
                let f = 1.0 / (c * c + s * s);
                ([x, y, u], [m[u] * (-s * f), m[u] * (c * f), (m[y] * c - m[x] * s) * f], 3)
            }
        }
    }

    /// Markers of measure `k`, their values, and the gradient with respect to each.
    pub fn measure_gradient(&self, k: usize, e: &Evaluation) -> [Option<(Marker, Vec3, Vec3)>; 3] {
        let (markers, gradients, count) = self.gradient(k, e);
        [0, 1, 2].map(|p| (p < count).then(|| (self.markers[markers[p]], e.value[markers[p]], gradients[p])))
    }

    /// Markers of row `i`, their values, and the gradient of its left-hand side (not scaled) with respect to each, in `found`.
    pub fn row_gradient(&self, i: usize, t: f64, e: &mut Evaluation, found: &mut Vec<(Marker, Vec3, Vec3)>) {
        let row = &self.rows[i];
        found.clear();
        for (k, measure) in row.measures.iter().enumerate() {
            let factor = self.sensitivity(row, k, t, e);
            found.extend(self.measure_gradient(*measure, e).into_iter().flatten().map(|(m, v, g)| (m, v, g * factor)));
        }
    }

    /// ∂(left-hand side)/∂(last coordinate) of a coupling's row: what turns its multiplier into the effort along that coordinate,
    /// however the equation is written.
    pub fn coupling_slope(&self, i: usize, t: f64, e: &mut Evaluation) -> f64 {
        let row = &self.rows[i];
        match row.row.form {
            // The follower comes first there.
            Form::Profile(..) => self.sensitivity(row, 0, t, e),
            _ => row.measures.len().checked_sub(1).map_or(0.0, |last| self.sensitivity(row, last, t, e)),
        }
    }

    /// Residuals Φ, lengths divided by `size`; marker values are known.
    pub fn residuals(&self, t: f64, size: f64, e: &mut Evaluation) {
        /// Angles beyond this, in radians, are many turns.
        const MANY: f64 = 100.0;
        for (i, row) in self.rows.iter().enumerate() {
            let target = row.target_value(t);
            let form = match &row.row.form {
                Form::Linear(terms) => terms.iter().zip(&row.measures).map(|(t, m)| t.0 * self.value(*m, e)).sum(),
                Form::Expression(expression, _) => {
                    self.fill(row, e, |m, e| Jet::constant(self.value(m, e)));
                    e.jets[0] = Jet::constant(t);
                    expression.jet(&e.jets[..=row.measures.len()]).v
                }
                Form::Profile(profile, _, period) => {
                    let input = fold(self.value(row.measures[1], e), *period, profile.range());
                    self.value(row.measures[0], e) - profile.jet(input).v
                }
            };
            let target = if row.row.squared { target * target } else { target };
            let mut gap: f64 = form - target;
            // After many turns the angles of a gear or a driven joint are large numbers, and their rounding is no violation.
            let many = |m: &usize| self.is_angle(*m) && e.near[*m].abs() > MANY;
            let large = matches!(row.owner, Owner::Coupling(_)) || row.measures.iter().any(many);
            if large && gap != 0.0 && gap.abs() <= self.rounding(row, t, e) {
                gap = 0.0;
            }
            e.phi[i] = gap * row.scale(t, size) + e.relief[i];
        }
    }

    /// Rounding of a row's left-hand side, from the size of its terms.
    fn rounding(&self, row: &CompiledRow, t: f64, e: &mut Evaluation) -> f64 {
        /// Each term is rounded when it is measured, multiplied and added.
        const ROUNDINGS: f64 = 3.0;
        let term = |k: usize, e: &mut Evaluation| self.sensitivity(row, k, t, e) * self.value(row.measures[k], e);
        ROUNDINGS * f64::EPSILON * (0..row.measures.len()).map(|k| term(k, e).abs()).sum::<f64>()
    }

    /// Entries of Φ_v: rows that are lengths divided by `size`, columns that are lengths multiplied by it.
    pub fn jacobian(&self, system: Stage, size: f64, cache: &Cache, e: &mut Evaluation) {
        self.jacobian_entries(system, size, cache, e);
        self.weigh(system.t, size, e);
    }

    /// Sizes of the terms of each row of Φ_v.
    fn weigh(&self, t: f64, size: f64, e: &mut Evaluation) {
        for (i, row) in self.rows.iter().enumerate() {
            let scale = row.scale(t, size);
            let mut weight = 0.0;
            for (k, measure) in row.measures.iter().enumerate() {
                let factor = scale * self.sensitivity(row, k, t, e);
                let (markers, gradients, count) = self.gradient(*measure, e);
                for p in 0..count {
                    let reach = if self.points[markers[p]] { size } else { 1.0 };
                    weight += reach * factor.abs() * gradients[p].norm();
                }
            }
            e.weight[i] = weight;
        }
    }

    /// The entries alone, without the sizes of their terms.
    pub fn jacobian_entries(&self, system: Stage, size: f64, cache: &Cache, e: &mut Evaluation) {
        let Stage { formulation, t, .. } = system;
        let mut out = std::mem::take(&mut e.phi_v);
        out.fill(0.0);
        for (i, row) in self.rows.iter().enumerate() {
            let range = self.pattern.range(i);
            let entries = &mut out[range.clone()];
            let scale = row.scale(t, size);
            for (k, measure) in row.measures.iter().enumerate() {
                let factor = scale * self.sensitivity(row, k, t, e);
                let (markers, gradients, count) = self.gradient(*measure, e);
                for p in 0..count {
                    let marker = &self.markers[markers[p]];
                    formulation.scatter(marker, gradients[p] * factor, cache, &row.slots[k][p], entries);
                }
            }
            for (entry, c) in entries.iter_mut().zip(&self.pattern.index[range]) {
                if formulation.length_column(*c) {
                    *entry *= size;
                }
            }
        }
        e.phi_v = out;
    }

    /// ∂(left-hand side)/∂(measure k of the row).
    fn sensitivity(&self, row: &CompiledRow, k: usize, t: f64, e: &mut Evaluation) -> f64 {
        match &row.row.form {
            Form::Linear(terms) => terms[k].0,
            Form::Expression(expression, _) => {
                self.fill(row, e, |m, e| Jet::constant(self.value(m, e)));
                e.jets[0] = Jet::constant(t);
                e.jets[k + 1].d = 1.0;
                expression.jet(&e.jets[..=row.measures.len()]).d
            }
            Form::Profile(profile, _, period) => {
                if k == 0 {
                    1.0
                } else {
                    -profile.jet(fold(self.value(row.measures[1], e), *period, profile.range())).d
                }
            }
        }
    }

    /// Jets of a row's measures into the scratch, from slot 1.
    fn fill(&self, row: &CompiledRow, e: &mut Evaluation, jet: impl Fn(usize, &Evaluation) -> Jet) {
        for (slot, measure) in row.measures.iter().enumerate() {
            e.jets[slot + 1] = jet(*measure, e);
        }
    }

    /// Right-hand side ν of Φ_v v = ν, scaled like the rows.
    pub fn velocity_side(&self, system: Stage, size: f64, e: &mut Evaluation) {
        let t = system.t;
        for (i, row) in self.rows.iter().enumerate() {
            let mut side = row.target(t).d;
            if let Form::Expression(expression, _) = &row.row.form {
                self.fill(row, e, |m, e| Jet::constant(self.value(m, e)));
                e.jets[0] = Jet::variable(t);
                side -= expression.jet(&e.jets[..=row.measures.len()]).d;
            }
            if row.prescribed {
                for (k, measure) in row.measures.iter().enumerate() {
                    let factor = self.sensitivity(row, k, t, e);
                    let (markers, gradients, count) = self.gradient(*measure, e);
                    for p in 0..count {
                        let [_, rate, _] = system.prescribed(&self.markers[markers[p]]);
                        side -= factor * gradients[p].dot(rate);
                    }
                }
            }
            e.nu[i] = side * row.scale(t, size);
        }
    }

    /// Right-hand side γ of Φ_v v̇ = γ, scaled like the rows; marker rates and accelerations for v̇ = 0 are known.
    pub fn acceleration_side(&self, t: f64, size: f64, e: &mut Evaluation) {
        for (i, row) in self.rows.iter().enumerate() {
            let bias = match &row.row.form {
                Form::Linear(terms) => {
                    terms.iter().zip(&row.measures).map(|(t, m)| t.0 * self.acceleration(*m, e)).sum()
                }
                Form::Expression(expression, _) => {
                    self.fill(row, e, |m, e| Jet::new(self.value(m, e), self.rate(m, e), self.acceleration(m, e)));
                    e.jets[0] = Jet::variable(t);
                    expression.jet(&e.jets[..=row.measures.len()]).dd
                }
                Form::Profile(profile, _, period) => {
                    let [follower, cam] = [row.measures[0], row.measures[1]];
                    let f = profile.jet(fold(self.value(cam, e), *period, profile.range()));
                    let cam = Jet::new(0.0, self.rate(cam, e), self.acceleration(cam, e));
                    self.acceleration(follower, e) - cam.chain(f.v, f.d, f.dd).dd
                }
            };
            e.gamma[i] = (row.target(t).dd - bias) * row.scale(t, size);
        }
    }

    /// Row `i` as scalar products of sums of markers; `None` where it is made of other things too, or changes with time.
    pub(super) fn products(&self, i: usize, size: f64) -> Option<Products> {
        let row = &self.rows[i];
        let (Form::Linear(terms), Motion::Constant(target)) = (&row.row.form, &row.row.target) else { return None };
        let marker = |k: usize| (self.markers[k], 1.0);
        let between = |from: usize, to: usize| vec![(self.markers[to], 1.0), (self.markers[from], -1.0)];
        let pair = |measure: &usize| match self.measures[*measure] {
            Compiled::Dot(a, b) => Some([vec![marker(a)], vec![marker(b)]]),
            Compiled::Along(a, from, to) => Some([vec![marker(a)], between(from, to)]),
            Compiled::DistanceSquared(from, to) => Some([between(from, to), between(from, to)]),
            Compiled::Angle(..) => None,
        };
        let terms = terms.iter().zip(&row.measures).map(|(term, measure)| Some((term.0, pair(measure)?)));
        let target = if row.row.squared { target * target } else { *target };
        Some(Products { terms: terms.collect::<Option<_>>()?, target, scale: row.scale(0.0, size) })
    }

    /// Second time derivative of row `i`'s right-hand side, scaled like the row.
    pub fn target_dd(&self, i: usize, t: f64, size: f64) -> f64 {
        let row = &self.rows[i];
        row.target(t).dd * row.scale(t, size)
    }

    /// The first owner whose joint is assembled the reversed way round, if any.
    pub fn reversed(&self, e: &Evaluation) -> Option<Owner> {
        self.positive.iter().find(|(_, measure)| self.value(*measure, e) <= 0.0).map(|p| p.0)
    }

    /// A row's left-hand side less its target, in its own unit (a distance row: in length).
    pub fn gap(&self, i: usize, size: f64, e: &Evaluation) -> f64 {
        // A distance row is scaled to (d² − f²) / (2 f): its length near the solution.
        (e.phi[i] - e.relief[i]) * if self.rows[i].row.length { size } else { 1.0 }
    }
}

impl CompiledRow {
    /// Factor on the row: 1/size for lengths, and 1/(2 length) besides for squared ones.
    fn scale(&self, t: f64, size: f64) -> f64 {
        let length = if self.row.length { 1.0 / size } else { 1.0 };
        if self.row.squared {
            let target = self.target_value(t).abs();
            // A distance of zero has no direction; its square is then measured against the size itself.
            length * 0.5 / if target > 1e-9 * size { target } else { size }
        } else {
            length
        }
    }

    /// The value given in the row.
    #[inline]
    pub(super) fn target_value(&self, t: f64) -> f64 {
        match self.row.target {
            Motion::Constant(value) => value,
            ref moving => moving.jet(t).v,
        }
    }

    /// The right-hand side with its derivatives.
    #[inline]
    fn target(&self, t: f64) -> Jet {
        let target = match self.row.target {
            Motion::Constant(value) => Jet::constant(value),
            ref moving => moving.jet(t),
        };
        if self.row.squared {
            target * target
        } else {
            target
        }
    }
}

/// The argument of a profile brought into its range where it repeats.
fn fold(x: f64, period: Option<f64>, range: Option<(f64, f64)>) -> f64 {
    match (period, range) {
        (Some(period), Some((start, _))) => start + (x - start).rem_euclid(period),
        _ => x,
    }
}

/// What evaluation needs to know besides the numbers: the coordinates, the drivers, and the time.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// The model, for its drivers.
    pub model: &'a Model,
    /// The coordinates.
    pub formulation: &'a dyn Formulation,
    /// The time.
    pub t: f64,
}

impl Stage<'_> {
    /// Axis, rate and acceleration of a marker that a driver turns; zero for any other.
    fn prescribed(&self, marker: &Marker) -> [Vec3; 3] {
        let Marker::Prescribed { driver, axis } = *marker else { return [Vec3::ZERO; 3] };
        match self.model.drivers.get(driver).map(|d| &d.target) {
            Some(Target::Orientation { attitude, .. }) => {
                let jet = attitude.jet(self.t);
                [jet.axes[axis], jet.rates[axis], jet.accelerations[axis]]
            }
            _ => [Vec3::ZERO; 3],
        }
    }
}

/// Markers and measures already gathered, by their contents, so that large models build in linear time.
#[derive(Default)]
struct Index {
    markers: std::collections::HashMap<(u8, usize, [u64; 3]), usize>,
    measures: std::collections::HashMap<(u8, Vec<usize>), usize>,
}

fn key(marker: &Marker) -> (u8, usize, [u64; 3]) {
    let bits = |v: Vec3| v.to_array().map(f64::to_bits);
    match *marker {
        Marker::Point { body, p_B } => (0, body, bits(p_B)),
        Marker::Direction { body, u_B } => (1, body, bits(u_B)),
        Marker::Prescribed { driver, axis } => (2, driver, [axis as u64, 0, 0]),
        Marker::Own { index } => (3, index, [0; 3]),
    }
}
