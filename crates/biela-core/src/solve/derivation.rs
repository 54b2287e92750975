//! Derived signals at a sample: which columns they need, and their values from those of the sample.

use crate::model::Model;
use crate::signal::{Recipe, Signals};

/// Values of one sample, derived signals among them.
#[derive(Debug)]
pub struct Derivation {
    /// Columns that are filled, or that derived signals are made of.
    pub needed: Vec<bool>,
    /// Values of the sample at hand, by columns.
    pub latest: Vec<f64>,
    /// Recipes that are followed, in order.
    pub recipes: Vec<usize>,
    env: Vec<f64>,
}

impl Derivation {
    /// For the derived signals among the columns that are filled; `None` where there is none.
    pub fn new(signals: &Signals, filled: &[bool]) -> Option<Derivation> {
        let asked = |recipe: &Recipe| filled[recipe.place];
        signals.recipes().iter().any(asked).then(|| Derivation::of(signals, filled))
    }

    /// The same, derived signals or none.
    pub fn of(signals: &Signals, filled: &[bool]) -> Derivation {
        let mut needed = filled.to_vec();
        let mut recipes = Vec::new();
        // Each comes after those that it uses.
        for (k, recipe) in signals.recipes().iter().enumerate().rev() {
            if needed[recipe.place] {
                recipe.inputs.iter().for_each(|input| needed[*input] = true);
                recipes.push(k);
            }
        }
        recipes.reverse();
        let most = recipes.iter().map(|k| signals.recipes()[*k].inputs.len()).max().unwrap_or(0);
        Derivation { latest: vec![f64::NAN; needed.len()], needed, recipes, env: vec![0.0; 1 + most] }
    }

    /// Finds the derived values, where all others are known. They may be unbounded, as a ratio is in a dead centre.
    pub fn derive(&mut self, model: &Model, signals: &Signals, t: f64) {
        for recipe in self.recipes.iter().map(|k| &signals.recipes()[*k]) {
            self.env[0] = t;
            self.env[1..].iter_mut().zip(&recipe.inputs).for_each(|(slot, k)| *slot = self.latest[*k]);
            self.latest[recipe.place] = model.study.derived[recipe.derived].expression.eval(&self.env);
        }
    }
}
