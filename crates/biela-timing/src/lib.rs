//! Time per call of each tree algorithm, with check sums of the results. Apart from the program, whose own code is optimised little.
//!
//! Inputs, order of calls and check sums follow one recipe that other libraries' benchmark programs share: splitmix64 of
//! seed 12345, state by state q, v, a, tau; check sum over the states of Σ (1 + k mod 7) out_k.

#![allow(non_snake_case)]

use biela_core::tree::batch::Batch;
use biela_core::tree::{aba, crba, derivatives, gibbs_appell, kinematics, lagrange_dh, minverse, rnea};
use biela_core::tree::{Tree, Workspace};
use biela_math::random::Random;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Random states.
pub struct States {
    /// How many they are.
    pub count: usize,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
}

impl States {
    /// Draws states of a tree.
    pub fn draw(tree: &Tree, count: usize) -> States {
        let mut random = Random(12345);
        let mut draw = |low: f64, high: f64| low + (high - low) * random.unit();
        let mut made = States { count, q: Vec::new(), v: Vec::new(), a: Vec::new(), tau: Vec::new() };
        for _ in 0..count {
            let pi = std::f64::consts::PI;
            made.q.extend((0..tree.nq).map(|_| draw(-pi, pi)));
            made.v.extend((0..tree.nv).map(|_| draw(-1.0, 1.0)));
            made.a.extend((0..tree.nv).map(|_| draw(-1.0, 1.0)));
            made.tau.extend((0..tree.nv).map(|_| draw(-10.0, 10.0)));
        }
        made
    }
}

/// How long and how often to measure.
pub struct Times {
    /// Repeats that the least and the median are taken of.
    pub repeats: usize,
    /// Length of a repeat.
    pub length: Duration,
    /// The one call that is timed; all where there is none.
    pub only: Option<String>,
}

/// Time of a call, in nanoseconds, and the check sum of its results.
pub struct Call {
    /// The algorithm.
    pub name: &'static str,
    /// Least time of the repeats.
    pub least: f64,
    /// Median of the repeats.
    pub median: f64,
    /// Check sum over all states.
    pub sum: f64,
}

/// Σ (1 + k mod 7) x_k.
fn weighted(out: &[f64]) -> f64 {
    out.iter().enumerate().map(|(k, x)| (1 + k % 7) as f64 * x).sum()
}

/// Rows as columns: a triangle on its other side.
fn transposed(M: &[f64], n: usize) -> Vec<f64> {
    (0..n * n).map(|k| M[k % n * n + k / n]).collect()
}

/// The upper triangle of a matrix, row by row.
fn upper(M: &[f64], n: usize) -> Vec<f64> {
    (0..n).flat_map(|r| M[r * n + r..(r + 1) * n].to_vec()).collect()
}

impl Times {
    /// Whether a call is not asked for.
    fn leaves_out(&self, name: &str) -> bool {
        self.only.as_ref().is_some_and(|only| only != name)
    }

    /// Least and median time of `work`, which does `units` pieces, per piece.
    fn measure(&self, units: usize, mut work: impl FnMut()) -> (f64, f64) {
        let mut once = f64::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            work();
            once = once.min(start.elapsed().as_secs_f64().max(1e-9));
        }
        let rounds = (self.length.as_secs_f64() / once).ceil().clamp(1.0, 1e6) as usize;
        let mut found: Vec<f64> = (0..self.repeats)
            .map(|_| {
                let start = Instant::now();
                for _ in 0..rounds {
                    work();
                }
                1e9 * start.elapsed().as_secs_f64() / (rounds * units) as f64
            })
            .collect();
        found.sort_by(f64::total_cmp);
        (found[0], found[found.len() / 2])
    }
}

/// Calls timed one after another on the same states.
struct Calls<'t> {
    times: &'t Times,
    states: usize,
    list: Vec<Call>,
}

impl Calls<'_> {
    /// Times a call whose check sum is that of all its results.
    fn time(&mut self, name: &'static str, out: &mut Vec<f64>, call: impl FnMut(usize, &mut Vec<f64>)) {
        self.time_with(name, out, weighted, call);
    }

    /// Times a call; `sum` makes the check sum of its results.
    fn time_with(
        &mut self,
        name: &'static str,
        out: &mut Vec<f64>,
        sum: impl Fn(&[f64]) -> f64,
        mut call: impl FnMut(usize, &mut Vec<f64>),
    ) {
        if self.times.leaves_out(name) {
            return;
        }
        let mut whole = 0.0;
        for i in 0..self.states {
            call(i, out);
            whole += sum(out);
        }
        let (least, median) = self.times.measure(self.states, || {
            for i in 0..self.states {
                call(i, out);
                black_box(&*out);
            }
        });
        self.list.push(Call { name, least, median, sum: whole });
    }
}

/// Largest tree whose products by Lagrange are timed: their cost grows with the fourth power.
const LAGRANGE_MOST: usize = 40;

/// Times every algorithm, one state after another.
pub fn calls(tree: &Tree, s: &States, times: &Times) -> Vec<Call> {
    let (n, nq) = (tree.nv, tree.nq);
    let mut ws = Workspace::new(tree);
    let (mut m1, mut m2) = (vec![0.0; n * n], vec![0.0; n * n]);
    let q = |i: usize| &s.q[i * nq..(i + 1) * nq];
    let v = |i: usize| &s.v[i * n..(i + 1) * n];
    let a = |i: usize| &s.a[i * n..(i + 1) * n];
    let tau = |i: usize| &s.tau[i * n..(i + 1) * n];
    let moving: Vec<usize> = bodies_in_order(tree);
    let mut vector = vec![0.0; n];
    let mut matrix = vec![0.0; n * n];
    let mut calls = Calls { times, states: s.count, list: Vec::new() };

    // The workspace is looked at between calls, so these two sum apart from their timing.
    let mut fk_sum = 0.0;
    let mut motion_sum = 0.0;
    for i in 0..s.count {
        kinematics::fk(tree, &mut ws, q(i));
        let mut out = Vec::new();
        for &b in &moving {
            let X = kinematics::body_pose(tree, &ws, b);
            out.extend(X.rotation.rows().into_iter().flatten());
            out.extend(X.origin.to_array());
        }
        fk_sum += weighted(&out);
        kinematics::fk_vel_acc(tree, &mut ws, q(i), v(i), a(i));
        let mut out = Vec::new();
        for &b in &moving {
            let [_, _, al, acc] = kinematics::body_motion(tree, &ws, b);
            out.extend(acc.to_array());
            out.extend(al.to_array());
        }
        motion_sum += weighted(&out);
    }
    calls.time("fk", &mut Vec::new(), |i, _| kinematics::fk(tree, &mut ws, q(i)));
    calls.time("fk_vel_acc", &mut Vec::new(), |i, _| kinematics::fk_vel_acc(tree, &mut ws, q(i), v(i), a(i)));
    for call in &mut calls.list {
        call.sum = if call.name == "fk" { fk_sum } else { motion_sum };
    }
    let mut J = vec![0.0; 6 * n];
    calls.time("joint_jacobians", &mut J, |i, out| kinematics::joint_jacobians(tree, &mut ws, q(i), out));
    calls.time("rnea", &mut vector, |i, out| rnea::rnea(tree, &mut ws, q(i), v(i), a(i), out));
    let sum = |M: &[f64]| weighted(&upper(&transposed(M, n), n));
    calls.time_with("crba", &mut matrix, sum, |i, out| crba::crba_lower(tree, &mut ws, q(i), out));
    calls.time("aba", &mut vector, |i, out| aba::aba(tree, &mut ws, q(i), v(i), tau(i), out));
    let sum = |M: &[f64]| weighted(&upper(M, n));
    calls.time_with("minverse", &mut matrix, sum, |i, out| minverse::minverse(tree, &mut ws, q(i), out));
    calls.time("crba_cholesky_fd", &mut vector, |i, out| {
        minverse::forward_by_cholesky(tree, &mut ws, q(i), v(i), tau(i), out);
    });
    let mut both = vec![0.0; 2 * n * n];
    calls.time("rnea_derivatives", &mut both, |i, out| {
        let (dq, dv) = out.split_at_mut(n * n);
        derivatives::rnea_derivatives(tree, &mut ws, [q(i), v(i), a(i)], [dq, dv, &mut m1]);
    });
    calls.time("aba_derivatives", &mut both, |i, out| {
        let (dq, dv) = out.split_at_mut(n * n);
        derivatives::aba_derivatives(tree, &mut ws, [q(i), v(i), tau(i)], [dq, dv, &mut m2]);
    });
    calls.time("gah", &mut vector, |i, out| gibbs_appell::forward(tree, &mut ws, q(i), v(i), tau(i), out));
    if n <= LAGRANGE_MOST {
        calls.time("lagrange", &mut vector, |i, out| {
            lagrange_dh::lagrange(tree, &mut ws, q(i), v(i), &mut matrix, out);
        });
    }
    calls.list
}

/// Bodies that a joint with freedoms carries, in the order of those joints.
fn bodies_in_order(tree: &Tree) -> Vec<usize> {
    let carried = |joint: Option<usize>| tree.bodies.iter().position(|b| b.joint == joint && b.joint.is_some());
    tree.joints.iter().filter_map(|j| carried(j.joint)).collect()
}

/// Chunks of a batch that are timed apart.
const CHUNKS: usize = 16;

/// States in chunks of `per`, packed as a workspace takes them.
struct Packed {
    q: Vec<Vec<f64>>,
    v: Vec<Vec<f64>>,
    a: Vec<Vec<f64>>,
    tau: Vec<Vec<f64>>,
}

impl Packed {
    fn new(batch: &Batch, tree: &Tree, s: &States, per: usize) -> Packed {
        let pack = |x: &[f64], n: usize| x.chunks(per * n).map(|c| batch.pack(c, n)).collect();
        Packed { q: pack(&s.q, tree.nq), v: pack(&s.v, tree.nv), a: pack(&s.a, tree.nv), tau: pack(&s.tau, tree.nv) }
    }
}

/// A call of q, v, a and tau of one block into as many matrices as it has.
type ByBlock<'c> = &'c mut dyn FnMut(&mut Batch, [&[f64]; 4], [&mut [f64]; 3]);

/// Times the algorithms that take states side by side, per state.
pub fn batches(tree: &Tree, count: usize, lanes: usize, times: &Times) -> Vec<Call> {
    if count == 0 {
        return Vec::new();
    }
    let (n, nq) = (tree.nv, tree.nq);
    let mut batch = Batch::new(tree, lanes);
    let per = count.div_ceil(CHUNKS).div_ceil(batch.lanes()) * batch.lanes();
    let chunks = (count / per).max(1);
    let s = States::draw(tree, per * chunks);
    let (mut x, mut p) = (vec![0.0; per * n], vec![0.0; per * 3]);
    let mut list = Vec::new();
    let mut k = 0;
    let shorter = Times { repeats: (times.repeats / 4).max(8), length: times.length, only: times.only.clone() };
    let mut time = |name, work: &mut dyn FnMut(usize)| {
        if shorter.leaves_out(name) {
            return;
        }
        let (least, median) = shorter.measure(per, || {
            work(k);
            k = (k + 1) % chunks;
        });
        list.push(Call { name, least, median, sum: 0.0 });
    };
    let Packed { q, v, a, tau } = Packed::new(&batch, tree, &s, per);
    time("fk", &mut |k| batch.fk(tree, &q[k], &mut p));
    time("rnea", &mut |k| batch.rnea(tree, &q[k], &v[k], &a[k], &mut x));
    time("aba", &mut |k| batch.aba(tree, &q[k], &v[k], &tau[k], &mut x));
    // Matrices are written over, as those of single calls are: a block of states at a time.
    let mut by_block = |name, call: ByBlock| {
        let (one, size) = (batch.lanes(), batch.lanes() * n * n);
        let mut rooms = [(); 3].map(|()| room(size));
        time(name, &mut |k| {
            for block in 0..per / one {
                let part = |x: &[Vec<f64>], n: usize| block * one * n..((block + 1) * one * n).min(x[k].len());
                let given = [&q[k][part(&q, nq)], &v[k][part(&v, n)], &a[k][part(&a, n)], &tau[k][part(&tau, n)]];
                call(&mut batch, given, rooms.each_mut().map(|room| aligned(room, size)));
            }
        });
    };
    by_block("crba", &mut |batch, [q, ..], [M, ..]| batch.crba_lower(tree, q, M));
    by_block("rnea_derivatives", &mut |batch, [q, v, a, _], by| batch.rnea_derivatives(tree, [q, v, a], by));
    by_block("aba_derivatives", &mut |batch, [q, v, _, tau], by| batch.aba_derivatives(tree, [q, v, tau], by));
    list
}

/// Room for `size` numbers from the start of a cache line on.
fn room(size: usize) -> Vec<f64> {
    vec![0.0; size + LINE / 8]
}

/// Bytes of a cache line: stores of a whole line that begin elsewhere touch two.
const LINE: usize = 64;

fn aligned(room: &mut [f64], size: usize) -> &mut [f64] {
    let from = room.as_ptr().align_offset(LINE).min(room.len() - size);
    &mut room[from..from + size]
}
