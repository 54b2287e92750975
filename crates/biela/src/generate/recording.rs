//! Algorithms of a model's tree, recorded: rotors and joints that follow others come in as they do in numbers, by τ = Gᵀ τ_e and M = Gᵀ M_e G.

#![allow(non_snake_case)] // A, G, M as in the theory (docs/notation.md).

use crate::math::Pose;
use crate::tree::evaluation::{evaluate, Evaluation, Given, Scratch};
use crate::tree::kinematics::{Placed, MATRIX};
use crate::tree::lines::Line;
use crate::tree::rotors::Coupled;
use crate::tree::{Scalar, Tree, GROUND, ROOT};
use biela_trace::Traced;

/// What algorithms take and give, recorded.
pub(super) type Numbers = Vec<Traced>;

/// A model's tree with inputs that record.
pub(super) struct Recording<'t> {
    tree: &'t Tree,
    lines: &'t [Line],
    /// Number of bodies of the model with the ground.
    bodies: usize,
    nq: usize,
    nv: usize,
    /// Coordinates, velocities and accelerations or forces of the model.
    pub q: Numbers,
    pub v: Numbers,
    pub x: Numbers,
}

/// Nothing where an algorithm is to be without velocities, or without accelerations.
const NONE: &[Traced] = &[];

impl<'t> Recording<'t> {
    /// With inputs numbered in the order q, v, x, as far as a quantity takes them.
    pub fn new(coupled: &'t Coupled, lines: &'t [Line], bodies: usize, takes: usize) -> Recording<'t> {
        let mut next = 0;
        let mut inputs = |n: usize, taken: bool| -> Numbers {
            let first = next;
            next += if taken { n } else { 0 };
            (first..first + n).filter(|_| taken).map(|k| Traced::input(k as u32)).collect()
        };
        let (nq, nv) = (coupled.nq, coupled.nv);
        let (q, v, x) = (inputs(nq, takes > 0), inputs(nv, takes > 1), inputs(nv, takes > 2));
        Recording { tree: &coupled.extended, lines, bodies, nq, nv, q, v, x }
    }

    /// Results of an algorithm of the extended tree, at the model's motion.
    fn extended(&self, what: Evaluation, v: &[Traced], x: &[Traced], frames: &[Placed]) -> [Numbers; 3] {
        let entries = |list: &[Traced]| list.iter().map(|x| x.entry()).collect::<Vec<f64>>();
        let (mut q, mut v, mut x) = (entries(&self.q), entries(v), entries(x));
        q.resize(self.nq, 0.0);
        for line in self.lines {
            let followed = |from: &[f64], at: usize| Traced::at(from[at]) * Traced::splat(line.ratio);
            q.push((followed(&q, line.leads.0) + Traced::splat(line.offset)).entry());
            for list in [&mut v, &mut x].into_iter().filter(|list| !list.is_empty()) {
                list.push(followed(list, line.leads.1).entry());
            }
        }
        let mut out = Default::default();
        let given = Given { q: &q, v: &v, x: &x, frames };
        evaluate(self.tree, &mut Scratch::<Traced>::new(self.tree), what, given, &mut out);
        out.map(|list| list.into_iter().map(Traced::at).collect())
    }

    /// Gᵀ τ_e.
    fn pulled(&self, tau: &[Traced]) -> Numbers {
        let mut own: Numbers = tau[..self.nv].to_vec();
        for (line, more) in self.lines.iter().zip(&tau[self.nv..]) {
            own[line.leads.1] = own[line.leads.1] + scaled(*more, line.ratio);
        }
        own
    }

    /// Rows over the extended tree's velocities as rows over the model's.
    fn rows(&self, rows: &[Traced]) -> Numbers {
        rows.chunks(self.tree.nv.max(1)).flat_map(|row| self.pulled(row)).collect()
    }

    /// Gᵀ A G.
    fn both(&self, matrix: &[Traced]) -> Numbers {
        let (e, n) = (self.tree.nv, self.nv);
        let right = self.rows(matrix);
        let columns: Vec<Numbers> =
            (0..n).map(|j| self.pulled(&(0..e).map(|i| right[i * n + j]).collect::<Numbers>())).collect();
        (0..n * n).map(|k| columns[k % n][k / n]).collect()
    }

    /// Forces of the motion; without velocities, or without accelerations, where none are given.
    pub fn forces(&self, v: &[Traced], a: &[Traced]) -> Numbers {
        self.pulled(&self.extended(Evaluation::Rnea, v, a, &[])[0])
    }

    /// Inertia matrix.
    pub fn matrix(&self) -> Numbers {
        self.both(&self.extended(Evaluation::Crba, NONE, NONE, &[])[0])
    }

    /// Inverse of the inertia matrix.
    pub fn inverse(&self) -> Numbers {
        if self.lines.is_empty() {
            let [inverse, ..] = self.extended(Evaluation::Minverse, NONE, NONE, &[]);
            return inverse;
        }
        let n = self.nv;
        let factors = Factors::of(self.matrix(), n);
        let column = |j: usize| factors.solve((0..n).map(|i| number(f64::from(u8::from(i == j)))).collect());
        // It is symmetric.
        (0..n).flat_map(column).collect()
    }

    /// Accelerations under the forces.
    pub fn accelerations(&self) -> Numbers {
        if self.lines.is_empty() {
            let [a, ..] = self.extended(Evaluation::Aba, &self.v, &self.x, &[]);
            return a;
        }
        let bias = self.forces(&self.v, NONE);
        let rest = self.x.iter().zip(&bias).map(|(tau, bias)| *tau - *bias).collect();
        Factors::of(self.matrix(), self.nv).solve(rest)
    }

    /// Derivatives of forces by q, v and accelerations, at these accelerations.
    pub fn derivatives(&self, a: &[Traced]) -> [Numbers; 3] {
        self.extended(Evaluation::RneaDerivatives, &self.v, a, &[]).map(|matrix| self.both(&matrix))
    }

    /// Derivatives of accelerations by q, v and forces.
    pub fn forward_derivatives(&self) -> [Numbers; 3] {
        if self.lines.is_empty() {
            return self.extended(Evaluation::AbaDerivatives, &self.v, &self.x, &[]);
        }
        let n = self.nv;
        let [by_q, by_v, _] = self.derivatives(&self.accelerations());
        let factors = Factors::of(self.matrix(), n);
        let solved = |matrix: &[Traced]| -> Numbers {
            let columns: Vec<Numbers> =
                (0..n).map(|j| factors.solve((0..n).map(|i| -matrix[i * n + j]).collect())).collect();
            (0..n * n).map(|k| columns[k % n][k / n]).collect()
        };
        [solved(&by_q), solved(&by_v), self.inverse()]
    }

    /// Poses of the model's bodies: three rows of four numbers each.
    pub fn poses(&self) -> Numbers {
        let frames: Vec<Placed> =
            (GROUND + 1..self.bodies).map(|k| Placed::on_body(self.tree, k, Pose::IDENTITY)).collect();
        let [matrices, ..] = self.extended(Evaluation::Frames, NONE, NONE, &frames);
        matrices.chunks(MATRIX).flat_map(|matrix| matrix[..12].to_vec()).collect()
    }

    /// Jacobians of the bodies' origins: six rows each, velocity first.
    pub fn jacobians(&self) -> Numbers {
        let (e, poses) = (self.tree.nv, self.poses());
        let [columns, ..] = self.extended(Evaluation::Jacobians, NONE, NONE, &[]);
        let body = |k: usize| {
            let p = [3, 7, 11].map(|at| poses[12 * (k - 1) + at]);
            let mut rows = vec![number(0.0); 6 * e];
            let mut at = self.tree.bodies[k].node;
            while at != ROOT {
                let node = &self.tree.nodes[at];
                let column = |row: usize| columns[row * e + node.v];
                let w = [column(3), column(4), column(5)];
                // The point at the ground's origin, carried along, and what turning adds at the body's.
                for row in 0..3 {
                    let (i, j) = ((row + 1) % 3, (row + 2) % 3);
                    rows[row * e + node.v] = column(row) + (w[i] * p[j] - w[j] * p[i]);
                    rows[(3 + row) * e + node.v] = w[row];
                }
                at = node.parent;
            }
            self.rows(&rows)
        };
        (GROUND + 1..self.bodies).flat_map(body).collect()
    }
}

fn number(x: f64) -> Traced {
    Traced::splat(x)
}

fn scaled(x: Traced, by: f64) -> Traced {
    x * number(by)
}

/// L D Lᵀ of a symmetric positive definite matrix.
struct Factors {
    n: usize,
    /// L below the diagonal, row by row; 1 / D on it.
    entries: Numbers,
}

impl Factors {
    fn of(mut A: Numbers, n: usize) -> Factors {
        for k in 0..n {
            let inverse = A[k * n + k].recip();
            for i in k + 1..n {
                let l = A[i * n + k] * inverse;
                for j in k + 1..=i {
                    A[i * n + j] = A[i * n + j] - l * A[j * n + k];
                }
            }
            for i in k + 1..n {
                A[i * n + k] = A[i * n + k] * inverse;
            }
            A[k * n + k] = inverse;
        }
        Factors { n, entries: A }
    }

    fn solve(&self, mut x: Numbers) -> Numbers {
        let (n, A) = (self.n, &self.entries);
        for i in 0..n {
            for j in 0..i {
                x[i] = x[i] - A[i * n + j] * x[j];
            }
        }
        for i in (0..n).rev() {
            x[i] = x[i] * A[i * n + i];
            for j in i + 1..n {
                x[i] = x[i] - A[j * n + i] * x[j];
            }
        }
        x
    }
}
