//! Velocities and accelerations of the tree by Ṫ = T D and T̈ = T B, joint by joint (thesis 002, chapters 2 and 3).
//!
//! T_WB = T_WP C T_FM C′ with constant C and C′, or with T_FM⁻¹ where the parent is the joint's second body; Ṫ and T̈ follow by
//! Leibniz's rule. D and B of a joint come from its hinge: V_FM = H v and Ḣ v, seen in M.

use super::node::Node;
use super::Relative;
use crate::joints::hinge::Twist;
use crate::math::homogeneous::{extended, Homogeneous, Operators};
use crate::system::formulation::Cache;

impl Node {
    /// T, D and B of X_FM for coordinates, velocities and their rates.
    fn operators(&self, q: &[f64], v: &[f64], vdot: Option<&[f64]>) -> Operators {
        let (mut velocity, mut acceleration) = (Twist::default(), self.bias(q, v));
        for (k, rate) in v.iter().enumerate() {
            let unit = self.column(q, k);
            velocity.angular += unit.angular * *rate;
            velocity.linear += unit.linear * *rate;
            let change = vdot.map_or(0.0, |vdot| vdot[k]);
            acceleration.angular += unit.angular * change;
            acceleration.linear += unit.linear * change;
        }
        let parts = |twist: Twist| (twist.angular, twist.linear);
        Operators::of_motion(self.pose(q), parts(velocity), parts(acceleration))
    }

    /// T, Ṫ and T̈ of the child in its parent.
    fn transform(&self, q: &[f64], v: &[f64], vdot: Option<&[f64]>) -> [Homogeneous; 3] {
        let joint = self.operators(q, v, vdot);
        let [t, rate, acceleration] =
            if self.reversed { joint.inverse() } else { [joint.t, joint.rate(), joint.acceleration()] };
        let (before, after): (Homogeneous, Homogeneous) = (self.X_PJ.into(), self.X_KB.into());
        [t, rate, acceleration].map(|m| before * m * after)
    }
}

impl Relative {
    /// Ṫ of all bodies, and their velocities from it.
    pub(super) fn velocities_by_operators(&self, cache: &mut Cache) {
        self.by_operators(None, cache);
        for node in &self.nodes {
            let body = &mut cache.bodies[node.body];
            (body.w, body.v) = cache.chain[node.body][1].velocity(&body.pose);
        }
    }

    /// T̈ of all bodies, and their accelerations from it.
    pub(super) fn accelerations_by_operators(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        self.by_operators(vdot, cache);
        for node in &self.nodes {
            let body = &mut cache.bodies[node.body];
            (body.alpha, body.a) = cache.chain[node.body][2].acceleration(&body.pose);
        }
    }

    fn by_operators(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        if let Some(ground) = cache.chain.first_mut() {
            *ground = [cache.bodies[0].pose.into(), Homogeneous::ZERO, Homogeneous::ZERO];
        }
        for node in &self.nodes {
            let (q, v) = (&cache.q[node.q.clone()], &cache.v[node.v.clone()]);
            let own = node.transform(q, v, vdot.map(|vdot| &vdot[node.v.clone()]));
            cache.chain[node.body] = extended(&cache.chain[node.parent], &own);
        }
    }
}
