//! Ways from a body towards the ground: the velocities that move it, and their entries in a row of Φ_v.

use super::node::Node;
use super::Relative;
use crate::joints::hinge::Twist;
use crate::system::formulation::Cache;

/// The parent of a body and the velocities by which it moves against it; of the ground, none and itself.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stem {
    pub(super) parent: usize,
    pub(super) first: usize,
    pub(super) count: usize,
}

impl Relative {
    pub(super) fn node(&self, body: usize) -> Option<&Node> {
        self.node_of.get(body).copied().flatten().map(|k| &self.nodes[k])
    }

    pub(super) fn depth(&self, body: usize) -> usize {
        self.node(body).map_or(0, |n| n.depth)
    }

    /// The last body through which both hang on the ground.
    pub(super) fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let deeper = if self.depth(a) >= self.depth(b) { &mut a } else { &mut b };
            *deeper = self.node(*deeper).map_or(0, |n| n.parent);
        }
        a
    }

    /// Columns that move `body` against `base`, which carries it.
    pub(super) fn columns_between(&self, body: usize, base: usize) -> Vec<usize> {
        let mut columns = Vec::new();
        let mut body = body;
        while body != base {
            let Some(node) = self.node(body) else { break };
            columns.extend(node.v.clone().rev());
            body = node.parent;
        }
        columns.reverse();
        columns
    }

    /// Adds to `out[slots]` what `entry` says of each column from `body` towards the ground, as far as the slots go.
    #[inline]
    pub(super) fn scatter_path(
        &self,
        mut body: usize,
        cache: &Cache,
        slots: &[usize],
        out: &mut [f64],
        entry: impl Fn(&Twist) -> f64,
    ) {
        let mut slots = slots.iter().rev();
        while body != 0 {
            let Stem { parent, first, count } = self.stems[body];
            for twist in cache.screws[first..first + count].iter().rev() {
                let Some(slot) = slots.next() else { return };
                out[*slot] += entry(twist);
            }
            body = parent;
        }
    }
}
