//! The example of reference 004: a PUMA's hand along a straight line, torques by inverse dynamics, motion under them.
//!
//! The hand keeps its attitude and goes from P0 to P1 in 5 s at constant speed. At any time the joint angles follow by
//! Newton's method, rates and accelerations from the Jacobian and its rate, torques from inverse dynamics. The arm then moves
//! under these torques alone, by each algorithm; differences from the plan are averaged over samples 0.1 s apart. Nothing
//! holds the arm on the line: small errors grow by a factor of 1e8 to 1e9 in these 5 s.

#![allow(non_snake_case)]

use biela::error::Result;
use biela::math::dense::Matrix;
use biela::math::{Rotation, Vec3};
use biela::model::{Analysis, Model};
use biela::solve::forward::{run_under, Torques};
use biela::text::{Document, Options};
use biela::tree::{kinematics, rnea, Tree, Workspace, ALGORITHMS};
use std::path::PathBuf;

const P0: Vec3 = Vec3::new(0.50, 0.0, 0.05);
const P1: Vec3 = Vec3::new(0.62, 0.30, 0.11);
const SECONDS: f64 = 5.0;
/// A first guess of the joint angles at the start, of the eight positions the one with shoulder, elbow and wrist positive.
const GUESS: [f64; 6] = [-0.305, -1.091, -2.699, 2.766, 0.957, 0.223];

/// Figures of the paper's table 3: mean differences of q, q̇, q̈ per joint, by the Hessian of the Gibbs function.
pub const PAPER: [[f64; 6]; 3] = [
    [6.91878269e-4, 1.73972101e-2, 8.54693990e-4, 1.73972067e-2, 1.78259578e-2, 6.91878269e-4],
    [1.28209533e-3, 1.66087380e-3, 1.66087459e-3, 4.05637323e-2, 4.17630699e-2, 1.21908065e-3],
    [2.84439095e-3, 9.22318761e-2, 3.13261587e-3, 9.22318581e-2, 9.54221869e-3, 2.43724278e-3],
];
/// Evaluations in its table 4.
pub const PAPER_EVALUATIONS: [(&str, usize); 3] = [("crba", 1122), ("aba", 1089), ("gah", 1092)];

/// The arm of the example.
pub fn arm() -> Model {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/biela/tests/reference/puma_004.toml"));
    let options = Options { unphysical: true, ..Options::default() };
    Document::read(&path, &options).and_then(|d| d.model(&options)).unwrap_or_else(|e| panic!("{e}"))
}

/// The planned motion.
#[derive(Debug)]
pub struct Plan {
    tree: Tree,
    ws: Workspace,
    hand: usize,
    q: Vec<f64>,
}

impl Plan {
    /// For the arm.
    pub fn new(model: &Model) -> Plan {
        let tree = Tree::new(model).unwrap_or_else(|e| panic!("{e}"));
        Plan { ws: Workspace::new(&tree), hand: tree.bodies.len() - 1, q: GUESS.to_vec(), tree }
    }

    /// Angles, rates and accelerations at time t.
    pub fn at(&mut self, t: f64) -> [Vec<f64>; 3] {
        let speed = (P1 - P0) * (1.0 / SECONDS);
        let goal = P0 + speed * t;
        // Turns about z, y, z by 0, 90 and 180 degrees.
        let R = Rotation { axes: [Vec3::Z, -Vec3::Y, Vec3::X] };
        let (mut J, mut rate) = (vec![0.0; 36], vec![0.0; 36]);
        let Plan { tree, ws, hand, q } = self;
        for _ in 0..20 {
            kinematics::body_jacobian(tree, ws, q, *hand, Vec3::ZERO, &mut J);
            let X = kinematics::body_pose(tree, ws, *hand);
            let mut turn = Vec3::ZERO;
            for (have, want) in X.rotation.axes.iter().zip(R.axes) {
                turn += have.cross(want) * 0.5;
            }
            let error = [(goal - X.origin).to_array(), turn.to_array()].concat();
            let step = solve(&J, &error);
            q.iter_mut().zip(&step).for_each(|(q, d)| *q += d);
            if step.iter().all(|d| d.abs() < 1e-15) {
                break;
            }
        }
        kinematics::body_jacobian(tree, ws, q, *hand, Vec3::ZERO, &mut J);
        let v = solve(&J, &[speed.x, speed.y, speed.z, 0.0, 0.0, 0.0]);
        kinematics::body_jacobian_rate(tree, ws, q, &v, *hand, Vec3::ZERO, &mut rate);
        let bias: Vec<f64> = rate.chunks(6).map(|row| -row.iter().zip(&v).map(|(a, b)| a * b).sum::<f64>()).collect();
        let a = solve(&J, &bias);
        [q.clone(), v, a]
    }

    /// Torques at time t.
    pub fn torques(&mut self, t: f64, tau: &mut [f64]) {
        let [q, v, a] = self.at(t);
        rnea::rnea(&self.tree, &mut self.ws, &q, &v, &a, tau);
    }
}

/// Solves a 6 × 6 system.
fn solve(A: &[f64], b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    let factors = Matrix { rows: 6, columns: 6, entries: A.to_vec() }.lu();
    factors.unwrap_or_else(|| panic!("the line leads through a singular position")).solve(&mut x);
    x
}

/// What a simulation gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Evaluations of the accelerations.
    pub evaluations: usize,
    /// Mean differences of q, q̇, q̈ per joint.
    pub means: [[f64; 6]; 3],
}

/// Simulates by an algorithm.
pub fn simulate(algorithm: &str, tolerance: f64) -> Result<Outcome> {
    let mut model = arm();
    let mut plan = Plan::new(&model);
    let [q, v, _] = plan.at(0.0);
    for k in 0..6 {
        model.study.initial.push((format!("joint{}.angle", k + 1), q[k]));
        model.study.initial.push((format!("joint{}.angle.rate", k + 1), v[k]));
    }
    let study = &mut model.study;
    (study.analysis, study.end, study.steps, study.tolerance) = (Analysis::Dynamics, SECONDS, 50, tolerance);
    study.algorithm = Some(algorithm.to_string());
    let mut law = Plan::new(&model);
    let torques = Torques(Box::new(move |t, tau| law.torques(t, tau)));
    let results = run_under(&model, "relative", Some(torques), |_, _| true)?;
    let mut means = [[0.0; 6]; 3];
    for k in 0..results.len() {
        let planned = plan.at(SECONDS * k as f64 / 50.0);
        for (level, ending) in ["", ".rate", ".accel"].into_iter().enumerate() {
            for joint in 0..6 {
                let name = format!("joint{}.angle{ending}", joint + 1);
                let found = results.get(&name).map_or(f64::NAN, |c| c.data[k]);
                means[level][joint] += (found - planned[level][joint]).abs() / results.len() as f64;
            }
        }
    }
    let evaluations = results.note("evaluations").and_then(|n| n.parse().ok()).unwrap_or(0);
    Ok(Outcome { evaluations, means })
}

/// The table of docs/performance.md.
pub fn table() -> String {
    let mut text = String::from(
        "| | tolerance | evaluations | | 1 | 2 | 3 | 4 | 5 | 6 |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut add = |name: &str, tolerance: &str, evaluations: usize, means: &[[f64; 6]; 3]| {
        for (level, what) in ["q, rad", "q̇, rad/s", "q̈, rad/s²"].into_iter().enumerate() {
            let head = match level {
                0 => format!("| {name} | {tolerance} | {evaluations} "),
                _ => "| | | ".to_string(),
            };
            let figures: Vec<String> = means[level].iter().map(|x| format!("{x:.1e}")).collect();
            text += &format!("{head}| {what} | {} |\n", figures.join(" | "));
        }
    };
    add("paper, gah", "1e-6", PAPER_EVALUATIONS[2].1, &PAPER);
    for tolerance in [1e-6, 1e-9] {
        for algorithm in ALGORITHMS {
            let found = simulate(algorithm.keyword, tolerance).unwrap_or_else(|e| panic!("{e}"));
            add(algorithm.keyword, &format!("{tolerance:e}"), found.evaluations, &found.means);
        }
    }
    text
}
