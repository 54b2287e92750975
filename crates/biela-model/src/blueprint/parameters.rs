//! Parameters as symbols: what each is, and in which order they follow from each other.

use super::quantity::{Binding, Quantity};
use crate::error::Result;

/// Parameters in the order of the model, with formulas of one another.
#[derive(Debug, Clone, Default)]
pub struct ParametersPlan {
    names: Vec<String>,
    quantities: Vec<Quantity>,
    /// An order in which each comes after those it uses.
    order: Vec<usize>,
}

impl ParametersPlan {
    /// Names with their formulas, and an order in which each comes after those it uses.
    pub fn new(list: Vec<(String, Quantity)>, order: Vec<usize>) -> ParametersPlan {
        let (names, quantities) = list.into_iter().unzip();
        ParametersPlan { names, quantities, order }
    }

    /// The place of the parameter of that name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// Names, in the order of the model.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Which of them change where those of these places do.
    pub(super) fn moving(&self, places: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut moving = vec![false; self.names.len()];
        let mut given = vec![false; self.names.len()];
        places.for_each(|k| given.iter_mut().skip(k).take(1).for_each(|given| *given = true));
        for k in &self.order {
            let follows = match &self.quantities[*k] {
                Quantity::Formula(formula) => formula.expression.parameters().any(|used| moving[used]),
                Quantity::Number(_) => false,
            };
            moving[*k] = given[*k] || follows;
        }
        moving
    }

    /// Values of all, where some are given outright.
    pub fn values(&self, given: &[(usize, f64)], values: &mut Vec<f64>) -> Result<()> {
        values.clear();
        values.resize(self.names.len(), f64::NAN);
        for k in &self.order {
            values[*k] = match given.iter().rev().find(|g| g.0 == *k) {
                Some((_, value)) => *value,
                None => {
                    let value = self.quantities[*k].value(&Binding::new(values));
                    value.map_err(|e| e.of(format!("parameter '{}'", self.names[*k])))?
                }
            };
        }
        Ok(())
    }
}
