//! M in joint coordinates by composite bodies: with S_i the unit motion of velocity i and 𝓜_j all mass beyond the joint of velocity j,
//! M_ij = S_i · 𝓜_j S_j for every i on the way from j to the ground, and zero for those that are on no common way.

use super::paths::Stem;
use super::{Relative, Variant};
use crate::model::MassProperties;
use crate::system::composite::Composite;
use crate::system::formulation::Cache;

impl Relative {
    /// Pairs (i, j) in the order in which [`Relative::weigh_tree`] tells their entries.
    pub(super) fn tree_pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        if self.variant != Variant::PLAIN {
            return pairs;
        }
        for node in self.nodes.iter().rev() {
            for j in node.v.clone() {
                self.along(node.body, j, |i| pairs.push((i, j)));
            }
        }
        pairs
    }

    /// Velocities on the way from a body to the ground, as far as `last` among its own.
    #[inline]
    fn along(&self, mut body: usize, last: usize, mut meet: impl FnMut(usize)) {
        let mut end = last + 1;
        while body != 0 {
            let Stem { parent, first, .. } = self.stems[body];
            (first..end).for_each(&mut meet);
            body = parent;
            end = self.stems[body].first + self.stems[body].count;
        }
    }

    /// Entries of M for the bodies' masses at the position in the cache.
    pub(super) fn weigh_tree(
        &self,
        masses: &[Option<MassProperties>],
        cache: &Cache,
        composites: &mut [Composite],
        out: &mut [f64],
    ) {
        for ((composite, mass), body) in composites.iter_mut().zip(masses).zip(&cache.bodies) {
            *composite = mass.map_or(Composite::default(), |mass| Composite::new(&mass, &body.pose, cache.reference));
        }
        let mut out = out.iter_mut();
        for node in self.nodes.iter().rev() {
            let composite = composites[node.body];
            for j in node.v.clone() {
                let momentum = composite.momentum(&cache.screws[j]);
                self.along(node.body, j, |i| {
                    let unit = &cache.screws[i];
                    if let Some(out) = out.next() {
                        *out = unit.linear.dot(momentum.force) + unit.angular.dot(momentum.moment);
                    }
                });
            }
            composites[node.parent].add(&composite);
        }
    }
}
