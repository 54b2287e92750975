//! A row as evaluation reads it: its measures by their numbers, and which entries of Φ_v they have. A large mechanism has millions, so that each is small.

use super::{Constraints, Owner};
use crate::expr::Expression;
use crate::joints::{Form, Marker};
use crate::math::Jet;
use crate::motion::Motion;
use std::sync::Arc;

/// Most markers of a measure.
pub(super) const MARKERS: usize = 3;

/// A row with its measures as indices.
#[derive(Debug, Clone)]
pub(in crate::system) struct CompiledRow {
    pub(in crate::system) left: Left,
    pub(in crate::system) target: Aim,
    /// True where the right-hand side is target².
    pub(in crate::system) squared: bool,
    /// True where the equation is a length, or one squared.
    pub(super) length: bool,
    /// The force or moment component this row withholds.
    pub(super) component: &'static str,
    pub(in crate::system) owner: Owner,
    pub(in crate::system) measures: Box<[usize]>,
    /// For each measure and each of its markers, up to [`MARKERS`]: where the marker's columns lie among the row's entries. First where each
    /// list starts, then the lists; rows of one kind have them in common.
    pub(super) slots: Arc<[usize]>,
    /// The same for each measure where velocities move bodies by screws.
    pub(super) walks: Box<[Walk]>,
    /// True where a marker moves by itself with time.
    pub(super) prescribed: bool,
    /// True where a measure is an angle.
    pub(super) angles: bool,
}

impl CompiledRow {
    /// Where the columns of marker `p` of measure `k` lie among the row's entries.
    #[inline]
    pub(super) fn slots(&self, k: usize, p: usize) -> &[usize] {
        let at = MARKERS * k + p;
        &self.slots[self.slots[at]..self.slots[at + 1]]
    }
}

/// The left-hand side of a row, of measures that the row lists.
#[derive(Debug, Clone)]
pub(in crate::system) enum Left {
    /// One measure times a factor, as nearly all are.
    One(f64),
    /// The sum of measures times factors.
    Sum(Box<[f64]>),
    /// An expression whose slot 0 is t and whose slots 1… are the measures.
    Expression(Box<Expression>),
    /// The first measure less a profile of the second, which repeats where there is a period.
    Profile(Box<(Motion, Option<f64>)>),
}

impl Left {
    pub(super) fn of(form: &Form) -> Left {
        match form {
            Form::Linear(terms) => match terms[..] {
                [(factor, _)] => Left::One(factor),
                _ => Left::Sum(terms.iter().map(|term| term.0).collect()),
            },
            Form::Expression(expression, _) => Left::Expression(expression.clone()),
            Form::Profile(profile, _, period) => Left::Profile(Box::new((Motion::clone(profile), *period))),
        }
    }

    /// Factors of the measures, where it is their sum.
    #[inline]
    pub(in crate::system) fn factors(&self) -> Option<&[f64]> {
        match self {
            Left::One(factor) => Some(std::slice::from_ref(factor)),
            Left::Sum(factors) => Some(factors),
            Left::Expression(_) | Left::Profile(_) => None,
        }
    }

    pub(in crate::system) fn expression(&self) -> Option<&Expression> {
        match self {
            Left::Expression(expression) => Some(expression),
            _ => None,
        }
    }
}

/// The right-hand side of a row.
#[derive(Debug, Clone)]
pub(in crate::system) enum Aim {
    Still(f64),
    Moving(Box<Motion>),
}

impl Aim {
    pub(super) fn of(target: Motion) -> Aim {
        match target {
            Motion::Constant(value) => Aim::Still(value),
            moving => Aim::Moving(Box::new(moving)),
        }
    }

    #[inline]
    pub(super) fn jet(&self, t: f64) -> Jet {
        match self {
            Aim::Still(value) => Jet::constant(*value),
            Aim::Moving(law) => law.jet(t),
        }
    }

    pub(in crate::system) fn law(&self) -> Option<&Motion> {
        match self {
            Aim::Still(_) => None,
            Aim::Moving(law) => Some(law),
        }
    }
}

/// Lists of each measure's markers in one piece, as [`CompiledRow::slots`] reads them.
pub(super) fn laid_out(lists: &[Vec<Vec<usize>>]) -> Vec<usize> {
    let lists = || lists.iter().flat_map(|m| (0..MARKERS).map(|p| m.get(p).map_or(&[][..], |c| c)));
    let mut end = lists().count() + 1;
    let mut slots = Vec::with_capacity(end + lists().map(<[usize]>::len).sum::<usize>());
    slots.push(end);
    for list in lists() {
        end += list.len();
        slots.push(end);
    }
    slots.extend(lists().flatten());
    slots
}

/// The velocities that move the bodies of a measure.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    /// For each marker, the number of its body among those of the measure.
    pub(super) body: [u8; 3],
    pub(super) steps: Box<[Step]>,
}

/// A velocity that moves a body: the body's number, the velocity, and its place among the row's entries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) body: u8,
    pub(super) column: u32,
    pub(super) slot: u32,
}

impl Walk {
    /// That of these markers, whose columns and slots are known; `None` where a marker is no body's.
    pub(super) fn new(markers: &[Marker], columns: &[Vec<usize>], slots: &[Vec<usize>]) -> Option<Walk> {
        let (mut bodies, mut steps) = ([0; 3], Vec::new());
        for (p, marker) in markers.iter().enumerate() {
            let body = marker.body()?;
            let first = markers[..p].iter().position(|m| m.body() == Some(body)).unwrap_or(p);
            bodies[p] = first as u8;
            if first == p {
                let places = columns[p].iter().zip(&slots[p]);
                let step = |(column, slot): (&usize, &usize)| Step {
                    body: p as u8,
                    column: *column as u32,
                    slot: *slot as u32,
                };
                steps.extend(places.map(step));
            }
        }
        Some(Walk { body: bodies, steps: steps.into() })
    }
}

impl Constraints {
    /// Numbers of the rows of drivers that are one measure times a factor, with both.
    pub(in crate::system) fn driven_alone(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.rows.iter().enumerate().filter_map(|(i, row)| match (row.owner, &row.left, &row.measures[..]) {
            (Owner::Driver(_), Left::One(factor), [measure]) => Some((i, *measure, *factor)),
            _ => None,
        })
    }
}
