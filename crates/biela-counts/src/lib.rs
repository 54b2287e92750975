//! Operation counts of every algorithm for a tree, by running it on numbers that count.
//!
//! A crate of its own because of how it is built: nothing here need be fast, and all algorithms once more over one more number take
//! minutes to optimise.

mod counted;

use biela_tree::exercise::exercise;
use biela_tree::Tree;
pub use counted::{Count, Counted};

/// Operations of an algorithm, counted in two ways ([`Counted`]).
#[derive(Debug, Clone, Copy)]
pub struct Operations {
    /// The algorithm.
    pub name: &'static str,
    /// Every operation of the general recursion.
    pub general: Count,
    /// Without those that this tree's constants spare.
    pub customised: Count,
}

/// Operations of each algorithm, one evaluation.
pub fn counts(tree: &Tree) -> Vec<Operations> {
    let mut list = Vec::new();
    exercise::<Counted>(tree, Count::start, |name| {
        list.push(Operations { name, general: Count::read(), customised: Count::read_customised() });
    });
    Counted::forget();
    list
}
