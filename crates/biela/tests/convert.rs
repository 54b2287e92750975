//! States converted from formulation to formulation: bodies move as before, the way back returns, and motions stay continuous.

mod common;

use biela::solve::convert::convert;
use biela::solve::motion::Follower;
use biela::system::{formulations, System, Workspace};
use biela::text::Options;
use common::cases::*;

/// Agreement of bodies and coordinates, relative to the largest number of their kind. Positions are good to 1e-12 at worst and
/// each derivative loses a digit or two where the position is poorly conditioned.
const AGREEMENT: [f64; 3] = [1e-10, 1e-9, 1e-8];

fn close(a: &[f64], b: &[f64], bound: f64) -> bool {
    let scale = a.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= bound * scale)
}

#[test]
fn every_state_goes_everywhere_and_back() {
    for name in shipped_kinematic() {
        let model = load(&name, &Options::default());
        let span = model.study.end - model.study.start;
        for home in formulations() {
            let system = System::new(&model, home.keyword).unwrap();
            let mut follower = Follower::new(&system, model.study.start, span).unwrap();
            follower.advance(model.study.start + 0.37 * span).unwrap();
            let t = follower.stepper.state.t;
            for away in formulations() {
                let what = format!("{name}, {} to {}", home.keyword, away.keyword);
                let other = System::new(&model, away.keyword).unwrap();
                let mut there = Workspace::new(&other);
                let state = convert((&system, &follower.stepper.ws), t, &other, &mut there, None);
                let state = state.unwrap_or_else(|e| panic!("{what}: {e}"));
                let residual = there.realize_position(&other, t, &state.q);
                assert!(residual < 1e-11, "{what}: residual {residual:e}");
                there.realize_velocity(&other, t, &state.v);
                there.realize_acceleration(&other, t, &state.vdot);
                let mut back = Workspace::new(&system);
                let again = convert((&other, &there), t, &system, &mut back, Some(&follower.stepper.state.q));
                let again = again.unwrap_or_else(|e| panic!("{what} and back: {e}"));
                assert!(close(&follower.stepper.state.q, &again.q, AGREEMENT[0]), "{what}: q");
                assert!(close(&follower.stepper.state.v, &again.v, AGREEMENT[1]), "{what}: v");
                assert!(close(&follower.stepper.state.vdot, &again.vdot, AGREEMENT[2]), "{what}: v̇");
                for (a, b) in follower.stepper.ws.cache.bodies.iter().zip(&there.cache.bodies).take(model.bodies.len())
                {
                    assert!(
                        (a.pose.origin - b.pose.origin).norm() <= AGREEMENT[0] * follower.stepper.ws.size,
                        "{what}"
                    );
                    assert!((a.attitude.dot(&b.attitude) - 1.0).abs() <= AGREEMENT[0], "{what}: attitude");
                    let speed = 1.0 + a.v.norm() + a.w.norm();
                    assert!((a.v - b.v).norm() + (a.w - b.w).norm() <= AGREEMENT[1] * speed, "{what}: velocity");
                    let rate = 1.0 + a.a.norm() + a.alpha.norm();
                    assert!(
                        (a.a - b.a).norm() + (a.alpha - b.alpha).norm() <= AGREEMENT[2] * rate,
                        "{what}: acceleration"
                    );
                }
            }
        }
    }
}

#[test]
fn a_converted_motion_is_continuous_over_turns() {
    let mut model = load("slider-crank", &Options::default());
    model.study.end = 2.5;
    for home in formulations() {
        let system = System::new(&model, home.keyword).unwrap();
        for away in formulations() {
            let other = System::new(&model, away.keyword).unwrap();
            let mut follower = Follower::new(&system, 0.0, model.study.end).unwrap();
            let mut there = Workspace::new(&other);
            let mut before: Option<Vec<f64>> = None;
            for k in 0..=100 {
                follower.advance(0.025 * k as f64).unwrap();
                let near = before.as_deref();
                let state =
                    convert((&system, &follower.stepper.ws), follower.stepper.state.t, &other, &mut there, near)
                        .unwrap();
                if let Some(before) = &before {
                    let jump = before.iter().zip(&state.q).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                    // A sample is 9° of the crank, whose pin moves 2 m times that.
                    assert!(jump < 0.4, "{} to {}: a jump of {jump}", home.keyword, away.keyword);
                }
                before = Some(state.q);
            }
            // Turn counts arrive too: 2.5 turns from 45°.
            let (_, _, measure) = other.constraints.coordinates()[0];
            let angle = other.constraints.value(measure, &there.evaluation);
            assert!((angle - std::f64::consts::PI * 5.25).abs() < 1e-9, "{}: {angle}", away.keyword);
        }
    }
}

#[test]
fn bodies_that_joints_do_not_allow_are_refused() {
    let model = load("slider-crank", &Options::default());
    let (source, target) = (System::new(&model, "absolute").unwrap(), System::new(&model, "relative").unwrap());
    let mut follower = Follower::new(&source, 0.0, 1.0).unwrap();
    let mut there = Workspace::new(&target);
    follower.stepper.ws.cache.bodies[2].v.x += 0.1;
    let refused = convert((&source, &follower.stepper.ws), 0.0, &target, &mut there, None).unwrap_err();
    assert!(refused.to_string().contains("velocity"), "{refused}");
    follower.stepper.ws.cache.bodies[2].pose.origin.y += 0.1;
    let refused = convert((&source, &follower.stepper.ws), 0.0, &target, &mut there, None).unwrap_err();
    assert!(refused.to_string().contains("position"), "{refused}");
}

/// Rows as polynomials of natural coordinates say what markers and measures say, on and off the constraints, at any velocity.
#[test]
fn rows_as_polynomials_are_the_rows() {
    use biela::system::Quadratic;
    /// Both sum the same few products in another order.
    const ROUNDING: f64 = 1e-12;
    let mut compared = 0;
    for name in shipped_kinematic() {
        let model = load(&name, &Options::default()).released();
        let system = System::new(&model, "natural").unwrap();
        let mut ws = Workspace::new(&system);
        let Some(mut rows) = Quadratic::new(&system, &ws) else { continue };
        compared += 1;
        let nv = system.formulation.nv();
        let poses: Vec<_> = model.bodies.iter().map(|b| b.X_WB).collect();
        let mut stream = common::Stream(5);
        let mut q = vec![0.0; nv];
        system.formulation.coordinates(&poses, &mut q);
        q.iter_mut().for_each(|x| *x += 0.1 * stream.next());
        let v: Vec<f64> = (0..nv).map(|_| stream.next()).collect();
        ws.realize_position(&system, 0.0, &q);
        ws.realize_jacobian(&system, 0.0);
        ws.realize_velocity(&system, 0.0, &v);
        system.formulation.accelerations(None, &mut ws.cache);
        system.constraints.accelerate_markers(system.at(0.0), &ws.cache, &mut ws.evaluation);
        system.constraints.acceleration_side(0.0, ws.size, &mut ws.evaluation);
        let mut polynomial = ws.evaluation.clone();
        for list in [&mut polynomial.phi, &mut polynomial.phi_v, &mut polynomial.gamma] {
            list.fill(f64::NAN);
        }
        rows.residuals(&q, &mut polynomial);
        rows.jacobian(&mut polynomial);
        rows.acceleration_side(&v, &mut polynomial);
        assert!(close(&ws.evaluation.phi, &polynomial.phi, ROUNDING), "{name}: residuals");
        assert!(close(&ws.evaluation.phi_v, &polynomial.phi_v, ROUNDING), "{name}: entries");
        assert!(close(&ws.evaluation.gamma, &polynomial.gamma, ROUNDING), "{name}: sides");
    }
    assert!(compared > 10, "{compared} models");
}
