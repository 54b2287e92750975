//! `biela::robot::Robot` on random trees of all joints: differences, skew symmetry, linearity in inertial parameters, rates of momentum.
//! (Its calls are compared with another program by validation/pinocchio.sh, and tried from Python by python/tests/test_robot.py.)
#![allow(non_snake_case)]

mod common;

use biela::math::random::Random;
use biela::math::Pose;
use biela::robot::{Axes, Robot};
use biela::tree::batch::Batch;
use common::trees::{random_tree, KINDS};

/// Sums of some hundred products of numbers of order one to ten.
const ROUNDING: f64 = 1e-10;
/// Central differences with steps of 1e-6: rounding of the values over the step, times their size.
const DIFFERENCES: f64 = 2e-7;
const STEP: f64 = 1e-6;

fn robots() -> impl Iterator<Item = Robot> {
    (0..12)
        .map(|seed| Robot::new(&random_tree(seed, 3 + seed as usize % 6, &KINDS, 2)).expect("a tree"))
        .filter(|robot| robot.nv() > 0)
}

struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

fn state(robot: &Robot, seed: u64) -> State {
    let mut random = Random(seed);
    let q = robot.random(&mut random);
    let mut draw = || (0..robot.nv()).map(|_| random.signed()).collect::<Vec<f64>>();
    State { q, v: draw(), a: draw() }
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / size
}

/// (f(q + h v) − f(q − h v)) / 2h.
fn rate(robot: &Robot, q: &[f64], v: &[f64], mut f: impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut at = |h: f64| {
        let mut to = q.to_vec();
        robot.integrate(q, &v.iter().map(|v| h * v).collect::<Vec<_>>(), &mut to);
        f(&to)
    };
    at(STEP).iter().zip(at(-STEP)).map(|(a, b)| (a - b) / (2.0 * STEP)).collect()
}

#[test]
fn a_difference_leads_from_one_configuration_to_another() {
    for robot in robots() {
        let (from, to) = (state(&robot, 1).q, state(&robot, 2).q);
        let (mut d, mut there, mut again) = (vec![0.0; robot.nv()], from.clone(), vec![0.0; robot.nv()]);
        robot.difference(&from, &to, &mut d);
        robot.integrate(&from, &d, &mut there);
        robot.difference(&from, &there, &mut again);
        assert!(apart(&again, &d) < ROUNDING);
        let mut work = robot.workspace();
        let poses = |poses: Vec<Pose>| poses.iter().flat_map(|X| X.origin.to_array()).collect::<Vec<_>>();
        let (a, b) = (poses(robot.poses(&mut work, &there)), poses(robot.poses(&mut work, &to)));
        assert!(apart(&a, &b) < ROUNDING, "the same configuration");
    }
}

#[test]
fn the_rate_of_inertia_less_twice_the_coriolis_matrix_is_skew() {
    for robot in robots() {
        let (n, State { q, v, .. }, mut work) = (robot.nv(), state(&robot, 3), robot.workspace());
        let mut C = vec![0.0; n * n];
        robot.coriolis(&mut work, &q, &v, &mut C);
        let M_rate = rate(&robot, &q, &v, |q| {
            let mut M = vec![0.0; n * n];
            robot.crba(&mut work, q, &mut M);
            M
        });
        for i in 0..n {
            for j in 0..n {
                let sum = M_rate[i * n + j] + M_rate[j * n + i] - 2.0 * (C[i * n + j] + C[j * n + i]);
                assert!(sum.abs() < 1e-6 * M_rate.iter().fold(1.0_f64, |m, x| m.max(x.abs())));
            }
        }
        let (mut bias, mut gravity) = (vec![0.0; n], vec![0.0; n]);
        robot.rnea(&mut work, &q, &v, &[], &mut bias);
        robot.rnea(&mut work, &q, &[], &[], &mut gravity);
        let forces: Vec<f64> = (0..n).map(|i| gravity[i] + (0..n).map(|j| C[i * n + j] * v[j]).sum::<f64>()).collect();
        assert!(apart(&forces, &bias) < ROUNDING);
    }
}

#[test]
fn forces_are_linear_in_inertial_parameters_and_some_combinations_suffice() {
    for robot in robots() {
        let (n, width, mut work) = (robot.nv(), robot.parameter_count(), robot.workspace());
        let base = robot.base_parameters(1).expect("few parameters");
        let (parameters, rank) = (robot.parameters(), base.independent.len());
        assert!(rank <= width && rank > 0);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let values: Vec<f64> = base.combinations.chunks(width).map(|row| dot(row, &parameters)).collect();
        for seed in 5..8 {
            let State { q, v, a } = state(&robot, seed);
            let (mut Y, mut tau) = (vec![0.0; n * width], vec![0.0; n]);
            robot.regressor(&mut work, &q, &v, &a, &mut Y);
            robot.rnea(&mut work, &q, &v, &a, &mut tau);
            let whole: Vec<f64> = Y.chunks(width).map(|row| dot(row, &parameters)).collect();
            assert!(apart(&whole, &tau) < ROUNDING);
            let few = |row: &[f64]| (0..rank).map(|k| row[base.independent[k]] * values[k]).sum::<f64>();
            assert!(apart(&Y.chunks(width).map(few).collect::<Vec<_>>(), &tau) < 1e-7);
        }
    }
}

#[test]
fn momentum_is_its_matrix_times_velocities_and_changes_as_its_derivatives_say() {
    for robot in robots() {
        let (n, State { q, v, a }, mut work) = (robot.nv(), state(&robot, 9), robot.workspace());
        let found = robot.centroidal(&mut work, &q, &v, &a);
        let times = |A: &[f64], v: &[f64]| -> Vec<f64> {
            A.chunks(n).map(|row| row.iter().zip(v).map(|(a, v)| a * v).sum()).collect()
        };
        assert!(apart(&times(&found.A, &v), &found.h) < ROUNDING);
        let sum: Vec<f64> = times(&found.A, &a).iter().zip(times(&found.A_rate, &v)).map(|(a, b)| a + b).collect();
        assert!(apart(&sum, &found.h_rate) < ROUNDING);
        let by_motion = rate(&robot, &q, &v, |q| robot.centroidal(&mut work, q, &[], &[]).A);
        assert!(apart(&found.A_rate, &by_motion) < DIFFERENCES);
        for k in 0..n {
            let e: Vec<f64> = (0..n).map(|j| if j == k { 1.0 } else { 0.0 }).collect();
            let column = |A: &[f64]| A.chunks(n).map(|row| row[k]).collect::<Vec<f64>>();
            let h = rate(&robot, &q, &e, |q| robot.centroidal(&mut work, q, &v, &a).h.to_vec());
            let force = rate(&robot, &q, &e, |q| robot.centroidal(&mut work, q, &v, &a).h_rate.to_vec());
            let size = found.h_rate.iter().chain(&found.h_rate_by_q).fold(1.0_f64, |m, x| m.max(x.abs()));
            assert!(apart(&column(&found.h_by_q), &h) < DIFFERENCES * size);
            assert!(apart(&column(&found.h_rate_by_q), &force) < DIFFERENCES * size);
        }
        let totals = robot.totals(&mut work, &q, &v);
        let due = totals.momentum.to_array().into_iter().chain(totals.angular_momentum.to_array()).collect::<Vec<_>>();
        assert!(apart(&found.h, &due) < ROUNDING, "the same by summing over bodies");
    }
}

#[test]
fn rates_of_jacobians_are_those_of_their_components() {
    for robot in robots() {
        let (n, State { q, v, .. }, mut work) = (robot.nv(), state(&robot, 4), robot.workspace());
        let last = robot.bodies().last().expect("a body").to_string();
        let frame = robot.frame(&last).expect("a frame");
        for axes in [Axes::Aligned, Axes::Local, Axes::World] {
            let mut J_rate = vec![0.0; 6 * n];
            robot.jacobian_rate(&mut work, &q, &v, (&frame, axes), &mut J_rate);
            let by_motion = rate(&robot, &q, &v, |q| {
                let mut J = vec![0.0; 6 * n];
                robot.jacobian(&mut work, q, &frame, axes, &mut J);
                J
            });
            assert!(apart(&J_rate, &by_motion) < DIFFERENCES, "{axes:?}");
        }
    }
}

#[test]
fn batches_of_poses_are_poses() {
    for robot in robots().filter(|robot| robot.tree().is_plain()) {
        let (tree, mut work) = (&robot.tree().extended, robot.workspace());
        let frames: Vec<_> = robot.bodies().map(|name| robot.placed(&robot.frame(name).expect("a frame"))).collect();
        let states: Vec<Vec<f64>> = (0..11).map(|seed| state(&robot, seed).q).collect();
        for most in [1, 4, 8] {
            let mut all = vec![0.0; 11 * 16 * frames.len()];
            Batch::new(tree, most).fk_rows(tree, 11, &states.concat(), &frames, &mut all);
            for (q, found) in states.iter().zip(all.chunks(16 * frames.len())) {
                let mut one = vec![0.0; 16 * frames.len()];
                robot.matrices(&mut work, q, &frames, &mut one);
                assert!(apart(found, &one) < ROUNDING);
                let due: Vec<f64> = robot.poses(&mut work, q)[1..].iter().map(|X| X.origin.y).collect();
                let y: Vec<f64> = found.chunks(16).map(|X| X[7]).collect();
                assert!(apart(&y, &due) < ROUNDING);
            }
        }
    }
}
