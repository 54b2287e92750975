//! Operation counts of every algorithm for a tree.

use super::{Count, Traced};
use biela_tree::evaluation::{evaluate, Given, Scratch, COUNTED};
use biela_tree::Tree;

/// Operations of an algorithm, counted in two ways: see [`Traced`].
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
    // A tape for each: what one has computed is not known to the next.
    let of = |&(what, name)| {
        let record = || {
            let inputs = |first: usize, n: usize| -> Vec<f64> {
                (first..first + n).map(|k| Traced::input(k as u32).entry()).collect()
            };
            let (q, v, x) = (inputs(0, tree.nq), inputs(tree.nq, tree.nv), inputs(tree.nq + tree.nv, tree.nv));
            let mut scratch = Scratch::<Traced>::new(tree);
            Traced::take_counts();
            evaluate(tree, &mut scratch, what, Given { q: &q, v: &v, x: &x, frames: &[] }, &mut Default::default());
            Traced::take_counts()
        };
        let ((general, customised), _) = Traced::record(record);
        Operations { name, general, customised }
    };
    COUNTED.iter().map(of).collect()
}
