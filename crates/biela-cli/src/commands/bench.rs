//! `biela bench`: time per call of each tree algorithm, with check sums of the results.
//!
//! Inputs, order of calls and check sums follow one recipe that other libraries' benchmark programs share: splitmix64 of
//! seed 12345, state by state q, v, a, tau; check sum over the states of Σ (1 + k mod 7) out_k.

#![allow(non_snake_case)]

use super::Command;
use crate::options;
use crate::output::{give, say};
use biela::error::{Error, Result};
use biela::math::random::Random;
use biela::math::Vec3;
use biela::text::Document;
use biela::tree::batch::Batch;
use biela::tree::evaluate::MOST_SQUARE;
use biela::tree::{aba, crba, derivatives, gibbs_appell, kinematics, lagrange_dh, minverse, rnea};
use biela::tree::{counts, Count, Tree, Workspace};
use clap::{value_parser, Arg, ArgMatches};
use std::hint::black_box;
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "bench",
    about: "Times each algorithm of open chains and trees on random states",
    arguments: |command| {
        options::model_arguments(command)
            .arg(options::flag("json", "As JSON"))
            .arg(count("states", "256", "Random states that calls run through"))
            .arg(count("repeats", "200", "Repeats that the least and the median are taken of"))
            .arg(count("batch", "4096", "States of a batch; 0 for none"))
            .arg(count("lanes", "8", "Most states side by side in a batch"))
            .arg(
                Arg::new("ms")
                    .long("ms")
                    .value_name("MILLISECONDS")
                    .value_parser(value_parser!(f64))
                    .default_value("1")
                    .help("Length of a repeat"),
            )
            .arg(Arg::new("only").long("only").value_name("CALL").help("Times this call alone"))
            .arg(options::flag("counts", "Prints the operations of each algorithm instead"))
    },
    run,
};

fn count(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("COUNT").value_parser(value_parser!(u32)).default_value(default).help(help)
}

fn run(arguments: &ArgMatches) -> Result<()> {
    let mut reading = options::reading(arguments)?;
    // Timing needs no physical inertia, and a URDF says nothing of gravity.
    reading.unphysical = true;
    let gravity = reading.gravity.unwrap_or([0.0, 0.0, -9.81]);
    let mut model = Document::read(&options::file(arguments), &reading)?.model(&reading)?;
    model.change_mechanism(|mechanism| mechanism.gravity = Some(Vec3::from(gravity)));
    let tree = Tree::new(&model)?;
    if tree.nv == 0 {
        return Err(Error::new("nothing moves in this model: there is nothing to time"));
    }
    if tree.nv > MOST_SQUARE {
        return Err(Error::new(format!("too many velocities to time: {}, of {MOST_SQUARE} at most", tree.nv))
            .note("their matrices would fill the memory"));
    }
    if arguments.get_flag("counts") {
        print_counts(&tree, arguments.get_flag("json"));
        return Ok(());
    }
    let number = |name: &str| arguments.get_one::<u32>(name).copied().unwrap_or(1) as usize;
    let ms = arguments.get_one::<f64>("ms").copied().filter(|x| *x > 0.0 && x.is_finite()).unwrap_or(1.0);
    let only = arguments.get_one::<String>("only").cloned();
    let length = Duration::from_secs_f64(1e-3 * ms.min(1e4));
    let times = Times { repeats: number("repeats").max(1), length, only };
    let states = States::draw(&tree, number("states").max(1));
    let calls = calls(&tree, &states, &times);
    let batch = batches(&tree, number("batch"), number("lanes"), &times);
    if arguments.get_flag("json") {
        print_json(&model.name, &tree, &states, &times, &calls, &batch);
    } else {
        say!("{}: {} freedoms, {:?}, least and median of {} repeats", model.name, tree.nv, tree.level, times.repeats);
        for c in &calls {
            say!("{:<18} {:>10.1} ns  {:>10.1} ns", c.name, c.least, c.median);
        }
        for b in &batch {
            say!("{:<18} {:>10.1} ns  {:>10.1} ns per state, in a batch", b.name, b.least, b.median);
        }
    }
    Ok(())
}

/// Operations of every algorithm: in general, and customised for the tree.
fn print_counts(tree: &Tree, json: bool) {
    let all = counts::counts(tree);
    if json {
        let entry = |c: Count| format!("[{}, {}, {}]", c.multiplications, c.additions, c.divisions);
        let line = |o: &counts::Operations| {
            format!("  \"{}\": {{\"general\": {}, \"customised\": {}}}", o.name, entry(o.general), entry(o.customised))
        };
        give!("{{\n{}\n}}", all.iter().map(line).collect::<Vec<_>>().join(",\n"));
        return;
    }
    say!("{:<18} {:>24}    {:>24}", "", "in general", "customised");
    let titles = ["products", "sums", "divisions"].map(|t| format!("{t:>9}")).join(" ");
    say!("{:<18} {titles}   {titles}", "");
    for o in all {
        let figures = |c: Count| format!("{:>9} {:>9} {:>9}", c.multiplications, c.additions, c.divisions);
        say!("{:<18} {}   {}", o.name, figures(o.general), figures(o.customised));
    }
}

/// Random states.
struct States {
    count: usize,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
}

impl States {
    fn draw(tree: &Tree, count: usize) -> States {
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
struct Times {
    repeats: usize,
    length: Duration,
    only: Option<String>,
}

/// Time of a call, in nanoseconds, and the check sum of its results.
struct Call {
    name: &'static str,
    least: f64,
    median: f64,
    sum: f64,
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

fn calls(tree: &Tree, s: &States, times: &Times) -> Vec<Call> {
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

fn batches(tree: &Tree, count: usize, lanes: usize, times: &Times) -> Vec<Call> {
    if count == 0 {
        return Vec::new();
    }
    let (n, nq) = (tree.nv, tree.nq);
    let mut batch = Batch::new(tree, lanes);
    let per = count.div_ceil(CHUNKS).div_ceil(batch.lanes()) * batch.lanes();
    let chunks = count / per;
    let s = States::draw(tree, per * chunks.max(1));
    let pack = |x: &[f64], n: usize| -> Vec<Vec<f64>> { x.chunks(per * n).map(|c| batch.pack(c, n)).collect() };
    let (q, v, a, tau) = (pack(&s.q, nq), pack(&s.v, n), pack(&s.a, n), pack(&s.tau, n));
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
            k = (k + 1) % q.len();
        });
        list.push(Call { name, least, median, sum: 0.0 });
    };
    time("fk", &mut |k| batch.fk(tree, &q[k], &mut p));
    time("rnea", &mut |k| batch.rnea(tree, &q[k], &v[k], &a[k], &mut x));
    time("aba", &mut |k| batch.aba(tree, &q[k], &v[k], &tau[k], &mut x));
    let size = per * n * n;
    let (mut m1, mut m2, mut m3) = (room(size), room(size), room(size));
    let (m1, m2, m3) = (aligned(&mut m1, size), aligned(&mut m2, size), aligned(&mut m3, size));
    time("crba", &mut |k| batch.crba_lower(tree, &q[k], m1));
    time("rnea_derivatives", &mut |k| {
        batch.rnea_derivatives(tree, [&q[k], &v[k], &a[k]], [m1, m2, m3]);
    });
    time("aba_derivatives", &mut |k| {
        batch.aba_derivatives(tree, [&q[k], &v[k], &tau[k]], [m1, m2, m3]);
    });
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

fn print_json(name: &str, tree: &Tree, s: &States, times: &Times, calls: &[Call], batch: &[Call]) {
    let name = serde_json::Value::from(name);
    give!("{{\n  \"library\": \"biela\", \"version\": \"{}\", \"model\": {name},", env!("CARGO_PKG_VERSION"));
    give!("  \"nq\": {}, \"nv\": {}, \"level\": \"{:?}\",", tree.nq, tree.nv, tree.level);
    give!("  \"states\": {}, \"repeats\": {},\n  \"calls\": {{", s.count, times.repeats);
    let lines: Vec<String> = calls
        .iter()
        .map(|c| {
            format!(
                "    \"{}\": {{\"median_ns\": {:.2}, \"min_ns\": {:.2}, \"checksum\": {:.12e}}}",
                c.name, c.median, c.least, c.sum
            )
        })
        .collect();
    give!("{}\n  }}", lines.join(",\n"));
    if !batch.is_empty() {
        let lines: Vec<String> = batch
            .iter()
            .map(|c| {
                format!(
                    "    \"{}\": {{\"median_per_s\": {:.0}, \"max_per_s\": {:.0}}}",
                    c.name,
                    1e9 / c.median,
                    1e9 / c.least
                )
            })
            .collect();
        give!("  , \"batch\": {{\n{}\n  }}", lines.join(",\n"));
    }
    give!("}}");
}
