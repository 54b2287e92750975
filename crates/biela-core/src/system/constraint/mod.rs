//! Constraint rows of all joints, couplings and drivers, evaluated once for every formulation.
//!
//! [`Constraints::new`] gathers the markers and measures that the rows use, each once. Evaluation then runs in stages:
//! marker values → measures and residuals Φ → gradients with respect to markers, which the formulation turns into Φ_v;
//! marker rates → ν; marker accelerations for v̇ = 0 → γ = target″ − bias.

mod measures;
mod row;
mod sides;

use super::formulation::{Cache, Formulation};
use super::ties::{ties, Tie};
use crate::drivers::Target;
use crate::expr::Expression;
use crate::joints::{Form, Marker, Measure, Row};
use crate::math::sparse::Pattern;
use crate::math::{Jet, Vec3};
use crate::model::Model;
use crate::motion::Motion;
use biela_base::quick_hash::QuickMap;
use row::{laid_out, Aim, Walk, MARKERS};
pub(super) use row::{CompiledRow, Left};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// How many sets of rows have been made.
static MADE: AtomicU64 = AtomicU64::new(0);

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
    Distance(usize, usize),
    Elevation(usize, usize),
    Angle(usize, usize, usize),
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
    /// Number of those that results tell; behind them stand those by which friction alone knows how a joint slides.
    named: usize,
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
    /// Rows whose right-hand sides move, each with the first of those that follow the same law.
    moving: Vec<(usize, usize)>,
    /// True for each entry of Φ_v whose column is a length.
    lengths: Vec<bool>,
    /// Pattern of Φ_v.
    pub pattern: Arc<Pattern>,
    /// One for each set of rows made, so that what is kept of one is not taken for another's.
    id: u64,
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

/// A row as polynomials of sums of markers.
pub(super) enum Flattened {
    /// Σ weight · a·b less a target, which moves where there is none here, all times a factor.
    Products {
        /// Weights, and the two sums.
        terms: Vec<(f64, [Sum; 2])>,
        /// The right-hand side, where it stands still.
        target: Option<f64>,
        /// Factor on the whole row.
        scale: f64,
    },
    /// The angle whose sine and cosine are these products.
    Angle {
        /// The sine.
        sine: [Sum; 2],
        /// The cosine.
        cosine: [Sum; 2],
    },
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
    /// Values given in the rows, with their rates; whose they are, and of what time.
    targets: Vec<Jet>,
    aimed: Option<(u64, u64)>,
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
            named: 0,
            positive: Vec::new(),
            ties: Vec::new(),
            counted: Vec::new(),
            prescribed: Vec::new(),
            row_markers: 0,
            row_bodies: Vec::new(),
            moving: Vec::new(),
            lengths: Vec::new(),
            pattern: Arc::default(),
            id: MADE.fetch_add(1, Ordering::Relaxed),
        };
        let mut index = Index { pattern: Pattern::new(formulation.nv()), ..Index::default() };
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
                for row in joint.rows() {
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
        made.take_pattern(&mut index);
        made.row_markers = made.markers.len();
        made.row_bodies = made.markers.iter().filter_map(Marker::body).filter(|body| *body > 0).collect();
        made.row_bodies.sort_unstable();
        made.row_bodies.dedup();
        for (owner, measure) in positive {
            let measure = made.measure(&measure, &mut index);
            made.positive.push((owner, measure));
        }
        made.take_coordinates(model, &mut index);
        for (terms, constant) in ties(model) {
            let terms = terms.into_iter().map(|(c, m)| (c, made.measure(&m, &mut index))).collect();
            made.ties.push(Tie { terms, constant });
        }
        made.count_turns();
        made.moving = moving(&made.rows);
        made.lengths = made.pattern.index.iter().map(|c| formulation.length_column(*c)).collect();
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
        let mut m = [usize::MAX; MARKERS];
        m.iter_mut().zip(&*measure.markers()).for_each(|(m, marker)| *m = self.marker(marker, index));
        let (tag, compiled) = match measure {
            Measure::Dot(..) => (0, Compiled::Dot(m[0], m[1])),
            Measure::Along { .. } => (1, Compiled::Along(m[0], m[1], m[2])),
            Measure::DistanceSquared { .. } => (2, Compiled::DistanceSquared(m[0], m[1])),
            Measure::Angle { .. } => (3, Compiled::Angle(m[0], m[1], m[2])),
            Measure::Distance { .. } => (4, Compiled::Distance(m[0], m[1])),
            Measure::Elevation { .. } => (5, Compiled::Elevation(m[0], m[1])),
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
        let lists: Vec<Vec<Vec<usize>>> =
            needed.iter().map(|m| m.iter().map(|c| c.iter().map(slot).collect()).collect()).collect();
        let walks = match formulation.has_screws() {
            true => (measures.iter().zip(&needed).zip(&lists))
                .map(|((measure, columns), slots)| Walk::new(&measure.markers(), columns, slots))
                .collect::<Option<Vec<Walk>>>()
                .unwrap_or_default(),
            false => Vec::new(),
        };
        let slots = index.shared(laid_out(&lists));
        let (left, target) = (Left::of(&row.form), Aim::of(row.target));
        let prescribed = measures.iter().flat_map(|m| m.markers()).any(|m| matches!(m, Marker::Prescribed { .. }));
        let measures: Vec<usize> = measures.iter().map(|m| self.measure(m, index)).collect();
        let angles = measures.iter().any(|m| self.is_angle(*m));
        index.pattern.push_row(&columns);
        let Row { squared, length, component, .. } = row;
        self.rows.push(CompiledRow {
            left,
            target,
            squared,
            length,
            component,
            owner,
            measures: measures.into(),
            slots,
            walks: walks.into(),
            prescribed,
            angles,
        });
    }

    /// Measures of joint coordinates: those that results tell, then those by which friction alone knows how a joint slides.
    fn take_coordinates(&mut self, model: &Model, index: &mut Index) {
        for (j, joint) in model.joints.iter().enumerate() {
            for c in 0..joint.kind.coordinates().len() {
                if let Some(measure) = joint.kind.coordinate(joint, c) {
                    let measure = self.measure(&measure, index);
                    self.coordinates.push((j, c, measure));
                }
            }
        }
        self.named = self.coordinates.len();
        for (j, joint) in model.joints.iter().enumerate().filter(|(_, joint)| joint.friction.is_some()) {
            for c in joint.kind.coordinates().len()..joint.kind.rubs_along() {
                if let Some(measure) = joint.kind.coordinate(joint, c) {
                    let measure = self.measure(&measure, index);
                    self.coordinates.push((j, c, measure));
                }
            }
        }
    }

    /// The pattern of all rows, which are there now.
    fn take_pattern(&mut self, index: &mut Index) {
        self.rows.shrink_to_fit();
        index.pattern.index.shrink_to_fit();
        self.pattern = Arc::new(std::mem::take(&mut index.pattern));
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
            targets: vec![Jet::constant(0.0); rows],
            aimed: None,
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
        self.rows[i].component
    }

    /// Numbers of the measures that row `i` is made of.
    pub fn measures_of(&self, i: usize) -> &[usize] {
        &self.rows[i].measures
    }

    /// Factors on these, where the left-hand side is their sum.
    pub fn factors(&self, i: usize) -> Option<&[f64]> {
        self.rows[i].left.factors()
    }

    /// The left-hand side of row `i` as an expression of time and its measures, where it is one.
    pub fn expression(&self, i: usize) -> Option<&Expression> {
        self.rows[i].left.expression()
    }

    /// Whether its right-hand side is squared.
    pub fn is_squared(&self, i: usize) -> bool {
        self.rows[i].squared
    }

    /// The right-hand side of row `i`, before it is squared, where it moves.
    pub fn law(&self, i: usize) -> Option<&Motion> {
        self.rows[i].target.law()
    }

    /// Measure `k` with its markers.
    pub fn measure_of(&self, k: usize) -> Measure {
        let m = |k: usize| self.markers[k];
        match self.measures[k] {
            Compiled::Dot(a, b) => Measure::Dot(m(a), m(b)),
            Compiled::Along(a, from, to) => Measure::Along { a: m(a), from: m(from), to: m(to) },
            Compiled::DistanceSquared(from, to) => Measure::DistanceSquared { from: m(from), to: m(to) },
            Compiled::Distance(from, to) => Measure::Distance { from: m(from), to: m(to) },
            Compiled::Elevation(n, u) => Measure::Elevation { n: m(n), u: m(u) },
            Compiled::Angle(x, y, u) => Measure::Angle { x: m(x), y: m(y), m: m(u) },
        }
    }

    /// Factor by which row `i` is multiplied at time `t`.
    pub fn scale(&self, i: usize, t: f64, size: f64) -> f64 {
        self.rows[i].scale(t, size)
    }

    /// True where row `i` is a length.
    pub fn is_length(&self, i: usize) -> bool {
        self.rows[i].length
    }

    /// Number of rows that are not drivers'; they come first.
    pub fn undriven(&self) -> usize {
        self.rows.iter().take_while(|r| !matches!(r.owner, Owner::Driver(_))).count()
    }

    /// True where some row moves with time by itself.
    pub fn is_moving(&self) -> bool {
        let still = |r: &CompiledRow| r.target.law().is_none() && !r.prescribed;
        self.rows.iter().any(|r| !still(r) || r.left.expression().is_some())
    }

    /// Measures of joint coordinates: joint, coordinate, measure.
    pub fn coordinates(&self) -> &[(usize, usize, usize)] {
        &self.coordinates
    }

    /// Those that results tell: all but those by which friction alone knows how a joint slides, which stand behind them.
    pub fn named_coordinates(&self) -> &[(usize, usize, usize)] {
        &self.coordinates[..self.named]
    }

    /// Number of a coordinate of a joint among all, which stand in the order of joints.
    pub fn coordinate_number(&self, joint: usize, coordinate: usize) -> Option<usize> {
        let (named, hidden) = self.coordinates.split_at(self.named);
        let place = |of: &[(usize, usize, usize)]| of.binary_search_by_key(&(joint, coordinate), |c| (c.0, c.1)).ok();
        place(named).or_else(|| Some(self.named + place(hidden)?))
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
}

/// Rows whose right-hand sides move, each with the first of those that follow the same law.
fn moving(rows: &[CompiledRow]) -> Vec<(usize, usize)> {
    /// Laws that each is compared with: a platform's legs share few.
    const COMPARED: usize = 8;
    let mut laws: Vec<(usize, &Motion)> = Vec::new();
    let mut found = Vec::new();
    for (i, target) in rows.iter().enumerate().filter_map(|(i, row)| Some((i, row.target.law()?))) {
        let same = |(_, law): &&(usize, &Motion)| match (law, target) {
            (Motion::Expression(a), Motion::Expression(b)) => a.computes_as(b),
            _ => false,
        };
        let first = laws.iter().rev().take(COMPARED).find(same).map(|law| law.0);
        if first.is_none() {
            laws.push((i, target));
        }
        found.push((i, first.unwrap_or(i)));
    }
    found
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

/// Markers and measures already gathered, by their contents, and columns of rows, so that large models build in linear time.
#[derive(Default)]
struct Index {
    markers: QuickMap<(u8, usize, [u64; 3]), usize>,
    measures: QuickMap<(u8, [usize; MARKERS]), usize>,
    /// Places of columns among a row's entries.
    slots: QuickMap<Arc<[usize]>, ()>,
    /// The columns of each row.
    pattern: Pattern,
}

impl Index {
    /// The list that there is of these, or this one.
    fn shared(&mut self, slots: Vec<usize>) -> Arc<[usize]> {
        if let Some((known, ())) = self.slots.get_key_value(&slots[..]) {
            return Arc::clone(known);
        }
        let slots: Arc<[usize]> = slots.into();
        self.slots.insert(Arc::clone(&slots), ());
        slots
    }
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
