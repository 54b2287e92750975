//! What rounding leaves of a zero, so that people are not shown it as a figure.
//!
//! Positions, rates and forces are solutions of n linear equations whose coefficients are known to ε + r: the rounding of numbers and the
//! largest constraint residual of the run. Each of n equations adds its own, so that a result is known to n (ε + r) of the largest
//! quantity of its kind in the run, and what is smaller is nothing. Quantities of one kind are compared by the size L of the mechanism: a
//! force at the end of L is a moment of F L, a turn by ω moves points by ω L. Data files keep every bit.

use crate::model::{Model, GROUND};
use crate::results::Results;
use crate::signal::{Element, Index};
use crate::signal_name;
use std::cell::LazyCell;

/// What is told along a line and about one: of these pairs the second is the first times L or over L.
const KINDS: [[&str; 2]; 4] = [["m", "rad"], ["m/s", "rad/s"], ["m/s^2", "rad/s^2"], ["N", "N*m"]];

/// The least figure of each kind that is one, in SI.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    floors: [[f64; 2]; 4],
}

impl Noise {
    /// Of a run of a model; `found` is in SI.
    pub fn of(model: &Model, found: &Results) -> Noise {
        let size = size(model);
        let mut largest = [[0.0f64; 2]; 4];
        for column in &found.columns {
            let Some((kind, about)) = place(column.unit) else { continue };
            let most = column.data.iter().copied().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
            largest[kind][about] = largest[kind][about].max(most);
        }
        largest[0][0] = largest[0][0].max(size);
        largest[0][1] = largest[0][1].max(1.0);
        let masses = model.bodies.iter().skip(GROUND + 1).filter_map(|b| b.mass.as_ref()).map(|m| m.mass);
        largest[3][0] = largest[3][0].max(masses.sum::<f64>() * model.gravity.map_or(0.0, |g| g.norm()));
        let known_to = known_to(model, found);
        let mut floors = [[0.0; 2]; 4];
        for (kind, [along, about]) in largest.into_iter().enumerate() {
            // Moments grow with L, turns fall with it.
            let arm = if kind == 3 { size } else { 1.0 / size };
            floors[kind] = [known_to * along.max(about / arm), known_to * about.max(along * arm)];
        }
        Noise { floors }
    }

    /// The least figure in an SI unit that is more than rounding; zero for kinds of which that is not known.
    pub fn floor(&self, unit: &str) -> f64 {
        place(unit).map_or(0.0, |(kind, about)| self.floors[kind][about])
    }

    /// Makes zeros of what is rounding in the columns of bodies, joints and drivers. Those that the model makes of others are its own.
    pub fn hush(&self, model: &Model, found: &mut Results) {
        // Most runs leave nothing to look up.
        let index = LazyCell::new(|| Index::new(model));
        for column in &mut found.columns {
            let floor = self.floor(column.unit);
            // Nothing to make zero is nothing to look up.
            let is_nothing = |x: &f64| x.abs() <= floor && x.to_bits() != 0;
            if !(floor > 0.0 && column.data.iter().any(is_nothing)) {
                continue;
            }
            let own = index.parse(&column.name).is_none_or(|s| matches!(s.element, Element::Derived(_)));
            if !own {
                column.data.iter_mut().filter(|x| x.abs() <= floor).for_each(|x| *x = 0.0);
            }
        }
    }
}

/// The part of the largest quantity of its kind to which a result of the run is known.
pub fn known_to(model: &Model, found: &Results) -> f64 {
    let residual = found.get(signal_name::RESIDUAL).map_or(0.0, |c| c.data.iter().fold(0.0f64, |m, x| m.max(*x)));
    let unknowns = (model.space.freedoms() * (model.bodies.len() - 1)).max(1);
    unknowns as f64 * (f64::EPSILON + residual)
}

/// Number of kinds of quantities by which rounding is told.
pub(super) const PLACES: usize = 2 * KINDS.len();

/// The kind of a unit among them.
pub(super) fn place_of(unit: &str) -> Option<usize> {
    place(unit).map(|(kind, about)| 2 * kind + about)
}

fn place(unit: &str) -> Option<(usize, usize)> {
    let mut places = KINDS.iter().enumerate().flat_map(|(k, units)| [(k, 0, units[0]), (k, 1, units[1])]);
    places.find(|p| p.2 == unit).map(|(kind, about, _)| (kind, about))
}

/// Diagonal of the box of all joint points in the drawing; one where they are in one place.
fn size(model: &Model) -> f64 {
    let points = model
        .joints
        .iter()
        .flat_map(|j| [0, 1].map(|side| model.bodies[j.bodies[side]].X_WB.apply(j.frames[side].origin).to_array()));
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(point[k]), high[k].max(point[k]));
        }
    }
    let size = (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt();
    if size > 0.0 && size.is_finite() {
        size
    } else {
        1.0
    }
}
