//! Numbers of a model that may be formulas of its parameters, and the values that these are bound to.

use crate::error::{Error, Reason, Result};
use crate::expr::{Expression, Scratch};
use crate::math::Vec3;
use crate::source::Span;
use std::cell::{Cell, RefCell};

/// A number, or the formula of parameters that gives it.
#[derive(Debug, Clone)]
pub enum Quantity {
    /// A number.
    Number(f64),
    /// A formula in which no variable stands.
    Formula(Box<Formula>),
}

/// A formula of parameters, and where it stands.
#[derive(Debug, Clone)]
pub struct Formula {
    /// The formula.
    pub expression: Expression,
    /// Its place, where it has one.
    pub span: Option<Span>,
}

/// Three components.
pub type Vector = [Quantity; 3];

/// Sizes of numbers whose squares and products can still be computed with, zero besides.
const COMPUTABLE: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Whether a number can be computed with.
pub fn is_computable(x: f64) -> bool {
    x == 0.0 || COMPUTABLE.contains(&x.abs())
}

/// A number for a message, with six digits.
pub fn shown(x: f64) -> String {
    format!("{x:.5e}").parse::<f64>().map_or_else(|_| x.to_string(), |rounded| rounded.to_string())
}

/// What is wrong with the value of `text`, if anything is.
pub fn fault_of_value(text: &str, value: f64) -> Option<Error> {
    if is_computable(value) {
        return None;
    }
    let (text, least, most) = (text.trim(), COMPUTABLE.start(), COMPUTABLE.end());
    Some(match value.is_finite() {
        true => Error::new(format!(
            "'{text}' cannot be computed with: sizes of numbers lie between {least:e} and {most:e}, or are 0"
        ))
        .because(Reason::OutOfRange),
        false => Error::new(format!("'{text}' is not a finite number"))
            .because(Reason::NotFinite)
            .note("look for a division by zero, a root or logarithm of a negative number, or an overflow"),
    })
}

/// Values of parameters, by their places, and what is met while they are put in.
#[derive(Debug)]
pub struct Binding<'v> {
    values: &'v [f64],
    scratch: RefCell<Scratch>,
    /// Whether a formula has been met since [`Binding::watched`] began.
    met: Cell<bool>,
    /// What deserves to be told, each with its place among what was told when the description was read.
    warnings: RefCell<Vec<(usize, Error)>>,
    /// Place of what is told now, where values are put into a model that stands.
    place: Cell<Option<usize>>,
    /// Parameters that change, where others do not.
    moving: Option<Vec<bool>>,
}

impl<'v> Binding<'v> {
    /// These values.
    pub fn new(values: &'v [f64]) -> Binding<'v> {
        Binding {
            values,
            scratch: RefCell::default(),
            met: Cell::new(false),
            warnings: RefCell::default(),
            place: Cell::new(None),
            moving: None,
        }
    }

    /// These values, of which some may become others: what stands on the rest alone does not count as depending on parameters.
    pub(super) fn of_moving(values: &'v [f64], moving: Vec<bool>) -> Binding<'v> {
        Binding { moving: Some(moving), ..Binding::new(values) }
    }

    /// Notes that an expression is met.
    #[inline]
    fn meet(&self, expression: &Expression) {
        let moves = |k: usize| self.moving.as_ref().is_none_or(|moving| moving.get(k) != Some(&false));
        if expression.has_parameters() && (self.moving.is_none() || expression.parameters().any(moves)) {
            self.met.set(true);
        }
    }

    /// The values of all parameters.
    pub fn values(&self) -> &'v [f64] {
        self.values
    }

    /// Does something, and tells whether its outcome depends on parameters.
    pub fn watched<T>(&self, what: impl FnOnce() -> T) -> (T, bool) {
        let before = self.met.replace(false);
        let outcome = what();
        let met = self.met.replace(before || self.met.get());
        (outcome, met)
    }

    /// Says that what is being made depends on parameters.
    pub fn depends(&self) {
        self.met.set(true);
    }

    /// Keeps something that deserves to be told.
    pub fn warn(&self, warning: Error) {
        let mut warnings = self.warnings.borrow_mut();
        let place = self.place.get().unwrap_or(warnings.len());
        warnings.push((place, warning));
    }

    /// Says where among the warnings of reading those stand that come now.
    pub(super) fn warn_at(&self, place: usize) {
        self.place.set(Some(place));
    }

    /// Number of warnings kept so far.
    pub(super) fn warned(&self) -> usize {
        self.warnings.borrow().len()
    }

    /// What was kept, with places.
    pub fn take_warnings(&self) -> Vec<(usize, Error)> {
        std::mem::take(&mut self.warnings.borrow_mut())
    }

    /// The expression with the values in it.
    pub fn expression(&self, expression: &Expression) -> Expression {
        let mut bound = expression.clone();
        self.bind(&mut bound);
        bound
    }

    /// Puts the values into an expression.
    pub fn bind(&self, expression: &mut Expression) {
        if expression.has_parameters() {
            self.meet(expression);
            expression.bind(self.values);
        }
    }

    /// The value of a vector.
    pub fn vector(&self, [x, y, z]: &Vector) -> Result<Vec3> {
        Ok(Vec3::new(x.value(self)?, y.value(self)?, z.value(self)?))
    }

    /// The values of a list.
    pub fn numbers<const N: usize>(&self, list: &[Quantity; N]) -> Result<[f64; N]> {
        let mut found = [0.0; N];
        for (slot, quantity) in found.iter_mut().zip(list) {
            *slot = quantity.value(self)?;
        }
        Ok(found)
    }
}

impl Quantity {
    /// Its value.
    #[inline]
    pub fn value(&self, binding: &Binding) -> Result<f64> {
        match self {
            Quantity::Number(x) => Ok(*x),
            Quantity::Formula(formula) => formula.value(binding),
        }
    }
}

impl From<f64> for Quantity {
    fn from(x: f64) -> Quantity {
        Quantity::Number(x)
    }
}

impl Formula {
    fn value(&self, binding: &Binding) -> Result<f64> {
        binding.meet(&self.expression);
        let value = self.expression.bound(binding.values, &mut binding.scratch.borrow_mut()).unwrap_or(f64::NAN);
        match fault_of_value(self.expression.text(), value) {
            None => Ok(value),
            Some(fault) => Err(fault.at_opt(self.span.as_ref())),
        }
    }
}

/// A direction: not zero.
#[derive(Debug, Clone)]
pub struct Direction {
    /// Its components.
    pub components: Vector,
    /// What messages call it, such as `'axis'`.
    pub what: String,
    /// Its place.
    pub span: Option<Span>,
}

impl Direction {
    /// Its value, of any length but zero.
    pub fn value(&self, binding: &Binding) -> Result<Vec3> {
        let v = binding.vector(&self.components)?;
        match v.unit() {
            Some(_) => Ok(v),
            None => {
                Err(Error::new(format!("{} is zero; a direction needs a length", self.what)).at_opt(self.span.as_ref()))
            }
        }
    }
}
