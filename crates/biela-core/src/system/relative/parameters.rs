//! One-axis turns by relative Euler parameters (p0, p) in place of angles, as in thesis 002.
//!
//! The angle is θ = 2 atan2(p, p0) (the thesis prints a tangent in one place), whatever the norm of (p0, p); so its rates are
//!
//!   θ̇ = 2 (p0 ṗ − p ṗ0) / m,  θ̈ = 2 (p0 p̈ − p p̈0) / m − 2 θ̇ (p0 ṗ0 + p ṗ) / m,  m = p0² + p²,
//!
//! exact everywhere, and the row m = 1 makes the parameters determined. Both are velocities of their own.

use crate::joints::{Hinge, Joint};
use crate::math::Elementary;
use crate::math::Vec3;

/// Most coordinates of a hinge.
const MOST: usize = 8;

/// Coordinates or rates of a hinge.
pub(super) type Inner = [f64; MOST];

/// Which coordinates of a hinge are replaced by two parameters.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// For each coordinate of the hinge, whether it is an angle by parameters. Empty where none is.
    turns: Vec<bool>,
}

impl Parameters {
    /// Replaces the angles of a joint that return after one turn. A screw's angle does not, since it advances.
    pub fn of(joint: &Joint, hinge: &dyn Hinge) -> Parameters {
        /// A full turn of the angle changes the pose by rounding only.
        const SAME: f64 = 1e-12;
        if hinge.nq() != hinge.nv() || hinge.nq() > MOST / 2 {
            return Parameters::default();
        }
        let still = vec![0.0; hinge.nq()];
        let returns = |k: usize| {
            let mut turned = still.clone();
            turned[k] = std::f64::consts::TAU;
            let (a, b) = (hinge.pose(joint, &still), hinge.pose(joint, &turned));
            let axes = (0..3).map(|k| (a.rotation.axes[k] - b.rotation.axes[k]).norm());
            (a.origin - b.origin).norm() + axes.sum::<f64>() < SAME
        };
        let named = joint.kind.coordinates();
        let turns: Vec<bool> = (0..hinge.nq()).map(|k| named.get(k).is_some_and(|c| c.angle) && returns(k)).collect();
        Parameters { turns: if turns.contains(&true) { turns } else { Vec::new() } }
    }

    /// True where every coordinate is the hinge's own.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// How many coordinates are replaced, each of which adds one.
    pub fn count(&self) -> usize {
        self.turns.iter().filter(|t| **t).count()
    }

    /// Places of (p0, p) among the coordinates.
    pub fn pairs(&self) -> impl Iterator<Item = usize> + '_ {
        let mut at = 0;
        self.turns.iter().filter_map(move |turn| {
            let here = at;
            at += if *turn { 2 } else { 1 };
            turn.then_some(here)
        })
    }

    /// Coordinates of the hinge.
    pub fn angles(&self, q: &[f64]) -> Inner {
        self.walk(|at, turn| if turn { 2.0 * q[at + 1].arctangent2(q[at]) } else { q[at] })
    }

    /// Rates of the hinge's coordinates.
    pub fn rates(&self, q: &[f64], v: &[f64]) -> Inner {
        self.walk(|at, turn| if turn { Pair::new(&q[at..]).rate(&v[at..]) } else { v[at] })
    }

    /// Second rates of the hinge's coordinates that those of the parameters leave where they vanish.
    pub fn bias(&self, q: &[f64], v: &[f64]) -> Inner {
        self.walk(|at, turn| {
            if !turn {
                return 0.0;
            }
            let pair = Pair::new(&q[at..]);
            -2.0 * pair.rate(&v[at..]) * (pair.p[0] * v[at] + pair.p[1] * v[at + 1]) / pair.square
        })
    }

    /// The hinge's coordinate that velocity `column` moves, and its rate per unit.
    pub fn column(&self, q: &[f64], column: usize) -> (usize, f64) {
        let mut at = 0;
        for (k, turn) in self.turns.iter().enumerate() {
            if *turn && column <= at + 1 {
                let unit = if column == at { [1.0, 0.0] } else { [0.0, 1.0] };
                return (k, Pair::new(&q[at..]).rate(&unit));
            }
            if column == at {
                return (k, 1.0);
            }
            at += if *turn { 2 } else { 1 };
        }
        (0, 0.0)
    }

    /// Parameters of the hinge's coordinates.
    pub fn store(&self, inner: &[f64], q: &mut [f64]) {
        let mut at = 0;
        for (turn, x) in self.turns.iter().zip(inner) {
            if *turn {
                (q[at + 1], q[at]) = (0.5 * x).sine_cosine();
                at += 2;
            } else {
                q[at] = *x;
                at += 1;
            }
        }
    }

    /// Fills coordinates of the hinge in order; `value` hears where each begins and whether it is replaced.
    #[inline]
    fn walk(&self, value: impl Fn(usize, bool) -> f64) -> Inner {
        let mut inner = [0.0; MOST];
        let mut at = 0;
        for (x, turn) in inner.iter_mut().zip(&self.turns) {
            *x = value(at, *turn);
            at += if *turn { 2 } else { 1 };
        }
        inner
    }
}

/// (p0, p) and their sum of squares.
struct Pair {
    p: [f64; 2],
    square: f64,
}

impl Pair {
    fn new(q: &[f64]) -> Pair {
        let p = [q[0], q[1]];
        // A pair of zeros names no angle; any finite number does until it has left there.
        Pair { p, square: (p[0] * p[0] + p[1] * p[1]).max(f64::MIN_POSITIVE) }
    }

    fn rate(&self, v: &[f64]) -> f64 {
        2.0 * (self.p[0] * v[1] - self.p[1] * v[0]) / self.square
    }
}

/// (p0, p) as a marker's value.
pub(super) fn as_vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], 0.0)
}
