//! What a displacement of any length makes of attitudes, and what turns that do not commute add to one.

use super::node::Node;
use super::turning::Turning;
use super::{Cache, Relative, Variant};
use crate::math::{triple, EulerParameters};

impl Relative {
    /// True where each joint turns its body about one axis at most, so that displacements tell all turns.
    pub(super) fn turns_one_by_one(&self) -> bool {
        self.variant == Variant::PLAIN && self.nodes.iter().all(|node| node.turning != Turning::More)
    }

    /// Counts attitudes and headings on. Where a joint turns its body by Δ about one axis, fixed in the body, R_WB = (R_WP R_WP⁻¹) R_WB R(Δ) with the
    /// old attitudes in the middle; and so do Euler parameters with their signs.
    pub(super) fn carry(&self, dv: &[f64], cache: &mut Cache) {
        for (body, kept) in cache.bodies.iter_mut().zip(&cache.kept) {
            body.attitude = *kept;
        }
        for node in &self.nodes {
            let turned = node.turned(&dv[node.v.clone()]);
            let [parent, old] = [node.parent, node.body].map(|body| cache.bodies[body].attitude);
            let carried = cache.kept[node.parent].times(&parent.conjugate()).times(&old);
            cache.kept[node.body] = carried.times(&EulerParameters::from_rotation_vector(turned));
            if let Some(heading) = cache.headings.get_mut(node.body) {
                let by = cache.gained[node.parent].angular.z + turned.z;
                (cache.gained[node.body].angular.z, *heading) = (by, *heading + by);
            }
        }
    }

    /// What turns that do not commute add to displacements of joints that turn about a point.
    pub(super) fn bend_attitudes(&self, h: f64, rates: &dyn Fn(usize) -> [f64; 4], dv: &mut [f64]) {
        let turning = |node: &Node| Some(node.v.start + node.hinge.attitude().filter(|_| node.parameters.is_empty())?);
        for at in self.nodes.iter().filter_map(turning) {
            let [x, y, z] = [0, 1, 2].map(|k| rates(at + k));
            let bent = triple::bent(h, [0, 1, 2, 3].map(|k| [x[k], y[k], z[k]]));
            (0..3).for_each(|k| dv[at + k] += bent[k]);
        }
    }
}
