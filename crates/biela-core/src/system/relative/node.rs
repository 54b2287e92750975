//! A body on its tree joint: the joint's pose, unit motions and bias, by angles or by relative Euler parameters.

#![allow(non_snake_case)] // Frames are capital letters: X_WB, R_WF (docs/notation.md).

use super::parameters::Parameters;
use super::turning::Turning;
use crate::joints::hinge::Twist;
use crate::joints::{Hinge, Joint};
use crate::math::{Pose, Vec3};

/// A body on its tree joint.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) body: usize,
    pub(super) parent: usize,
    /// Number of joints between the body and the ground.
    pub(super) depth: usize,
    pub(super) joint: Joint,
    pub(super) hinge: &'static dyn Hinge,
    /// Which of the hinge's angles are given by parameters.
    pub(super) parameters: Parameters,
    /// The body itself, or the body of the model whose twin it is.
    pub(super) original: usize,
    /// The parent is the joint's second body: the child carries F.
    pub(super) reversed: bool,
    /// Frame of the joint on the parent, and the child's body in its own frame of the joint.
    pub(super) X_PJ: Pose,
    pub(super) X_KB: Pose,
    /// How the joint turns the child.
    pub(super) turning: Turning,
    pub(super) q: std::ops::Range<usize>,
    pub(super) v: std::ops::Range<usize>,
}

impl Node {
    /// Sign of the child's motion against the parent, in terms of M's against F.
    pub(super) fn sense(&self) -> f64 {
        if self.reversed {
            -1.0
        } else {
            1.0
        }
    }

    /// The pose X_FM.
    #[inline]
    pub(super) fn pose(&self, q: &[f64]) -> Pose {
        if self.parameters.is_empty() {
            self.hinge.pose(&self.joint, q)
        } else {
            self.hinge.pose(&self.joint, &self.parameters.angles(q)[..self.hinge.nq()])
        }
    }

    /// Motion of M in F by a unit of velocity `c`.
    #[inline]
    pub(super) fn column(&self, q: &[f64], c: usize) -> Twist {
        if self.parameters.is_empty() {
            return self.hinge.column(&self.joint, q, c);
        }
        let (k, factor) = self.parameters.column(q, c);
        let unit = self.hinge.column(&self.joint, &self.parameters.angles(q)[..self.hinge.nq()], k);
        Twist::new(unit.angular * factor, unit.linear * factor)
    }

    /// Acceleration of M in F where the velocities do not change.
    #[inline]
    pub(super) fn bias(&self, q: &[f64], v: &[f64]) -> Twist {
        if self.parameters.is_empty() {
            return self.hinge.bias(&self.joint, q, v);
        }
        let n = self.hinge.nq();
        let (angles, rates, second) =
            (self.parameters.angles(q), self.parameters.rates(q, v), self.parameters.bias(q, v));
        let mut bias = self.hinge.bias(&self.joint, &angles[..n], &rates[..n]);
        for (k, second) in second[..n].iter().enumerate().filter(|(_, second)| **second != 0.0) {
            let unit = self.hinge.column(&self.joint, &angles[..n], k);
            bias.angular += unit.angular * *second;
            bias.linear += unit.linear * *second;
        }
        bias
    }

    /// True where velocity `c` is the rate of a relative Euler parameter.
    pub(super) fn is_parameter(&self, c: usize) -> bool {
        self.parameters.pairs().any(|at| c == at || c == at + 1)
    }

    /// By how much the child turns against its parent over a displacement, as a rotation vector in its own frame.
    pub(super) fn turned(&self, dv: &[f64]) -> Vec3 {
        match self.turning {
            Turning::One { at, axis_B } => axis_B * (self.sense() * dv[at]),
            Turning::Nothing | Turning::More => Vec3::ZERO,
        }
    }

    /// Those of its coordinates, which stand in the order in which the joint names them, that are the same after a full turn: not the
    /// angle of a screw.
    pub(super) fn periodic(&self) -> Vec<usize> {
        let named = self.joint.kind.coordinates();
        if !self.parameters.is_empty() || named.len() != self.q.len() {
            return Vec::new();
        }
        let still = self.neutral();
        let before = self.hinge.pose(&self.joint, &still);
        let comes_back = |c: &usize| {
            let mut turned = still.clone();
            turned[*c] = std::f64::consts::TAU;
            self.hinge.pose(&self.joint, &turned).origin == before.origin
        };
        (0..named.len()).filter(|c| named[*c].angle).filter(comes_back).collect()
    }

    /// Coordinates in the zero position: zeros, and the identity where some are Euler parameters.
    pub(super) fn neutral(&self) -> Vec<f64> {
        let still = neutral(self.hinge);
        if self.parameters.is_empty() {
            return still;
        }
        let mut q = vec![0.0; self.q.len()];
        self.parameters.store(&still, &mut q);
        q
    }

    /// The pose X_FM, and the motions of M in F by units of all velocities.
    #[inline]
    fn realize(&self, q: &[f64], units: &mut [Twist]) -> Pose {
        if self.parameters.is_empty() {
            return self.hinge.realize(&self.joint, q, units);
        }
        units.iter_mut().enumerate().for_each(|(c, unit)| *unit = self.column(q, c));
        self.pose(q)
    }

    /// The child's pose and the origin of M, for a parent's pose and the joint's coordinates, and the unit motions in ground axes.
    #[inline]
    pub(super) fn place(&self, X_WP: &Pose, q: &[f64], units: &mut [Twist]) -> (Pose, Vec3) {
        let X_FM = self.realize(q, units);
        let R_WJ = X_WP.rotation * self.X_PJ.rotation;
        let p_WJ = X_WP.apply(self.X_PJ.origin);
        let (R_WF, R_WK, hub, p_WK) = if self.reversed {
            let R_WF = R_WJ * X_FM.rotation.transposed();
            (R_WF, R_WF, p_WJ, p_WJ - R_WF.apply(X_FM.origin))
        } else {
            let p_WM = p_WJ + R_WJ.apply(X_FM.origin);
            let R_WM = if self.turning == Turning::Nothing { R_WJ } else { R_WJ * X_FM.rotation };
            (R_WJ, R_WM, p_WM, p_WM)
        };
        let in_ground = |part: &mut Vec3| {
            if *part != Vec3::ZERO {
                *part = R_WF.apply(*part) * self.sense();
            }
        };
        for unit in units {
            in_ground(&mut unit.angular);
            in_ground(&mut unit.linear);
        }
        (Pose::new(R_WK * self.X_KB.rotation, p_WK + R_WK.apply(self.X_KB.origin)), hub)
    }
}

/// The motion that velocities give to a body by their unit motions.
#[inline]
pub(super) fn total(units: &[Twist], v: &[f64]) -> Twist {
    let mut sum = Twist::default();
    for (unit, v) in units.iter().zip(v) {
        sum.angular += unit.angular * *v;
        sum.linear += unit.linear * *v;
    }
    sum
}

/// Coordinates of a joint in its zero position: zeros, and the identity where four of them are Euler parameters.
pub(super) fn neutral(hinge: &dyn Hinge) -> Vec<f64> {
    let mut q = vec![0.0; hinge.nq()];
    if hinge.nq() > hinge.nv() {
        q[0] = 1.0;
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::triple::bent;
    use crate::math::EulerParameters;

    /// Terms of the sixth order over h = 0.1, with coefficients of about 1/100; half the step has a 64th of them.
    const SIXTH: f64 = 1e-8;

    #[test]
    fn turns_that_do_not_commute_are_told_to_the_fifth_order() {
        let rates = [[0.7, -0.4, 0.9], [-0.5, 0.8, 0.3], [0.6, 0.2, -0.9], [-0.8, 0.5, 0.4]]
            .map(|[x, y, z]| Vec3::new(x, y, z));
        let [w, a, j, s] = rates;
        let error = |h: f64| {
            // The turn itself, by many small ones about the velocity in the middle of each.
            const PARTS: i32 = 20_000;
            let (step, mut p) = (h / f64::from(PARTS), EulerParameters::IDENTITY);
            for k in 0..PARTS {
                let t = (f64::from(k) + 0.5) * step;
                let middle = w + a * t + j * (0.5 * t * t) + s * (t * t * t / 6.0);
                p = p.times(&EulerParameters::from_rotation_vector(middle * step));
            }
            let integral = w * h + a * (0.5 * h * h) + j * (h * h * h / 6.0) + s * (h * h * h * h / 24.0);
            let told = EulerParameters::from_rotation_vector(integral + bent(h, rates.map(Vec3::to_array)).into());
            (0..4).map(|k| (told.0[k] - p.0[k]).abs()).fold(0.0, f64::max)
        };
        let (whole, half) = (error(0.4), error(0.2));
        assert!(error(0.1) < SIXTH && whole / half > 40.0, "{whole:e} {half:e} {:e}", error(0.1));
    }
}
