//! Variants of the relative formulation: Euler parameters in place of angles, the matrix equation of the loop in place of
//! primitives, the operators D and B in place of the recursion of motions.
#![allow(non_snake_case)]

mod common;

use biela::math::Pose;
use biela::model::Model;
use biela::solve::motion::Follower;
use biela::solve::newton::METHODS;
use biela::solve::verify::verify_by;
use biela::system::{formulations, Formulation, Relative, System, Variant};
use biela::text::Options;
use common::cases::*;
use common::random::Builder;
use common::record::{held, OTHER};
use common::Stream;

/// Relative differences of position, velocity and acceleration between formulations on the shipped models, as everywhere.
const AGREEMENT: [f64; 3] = [1e-9, 1e-8, 1e-7];
/// Two ways of adding up the same motions: roundings of a chain of a few joints.
const ROUNDING: f64 = 1e-12;

#[test]
fn all_shipped_models_agree_by_all_variants() {
    for name in shipped_kinematic() {
        let model = load(&name, &Options::default());
        let found = verify_by(formulations(), &model, METHODS[0], |_, _| true).unwrap();
        assert!(found.failed.is_empty(), "{name}: {:?}", found.failed);
        assert_eq!(found.solved.len(), 6);
        for (bound, (level, difference)) in AGREEMENT.iter().zip(&found.largest) {
            let quantity = format!("{level:?}").to_lowercase();
            held(OTHER, &quantity, *bound, difference.difference, format_args!("{name}: {difference:?}"));
        }
    }
}

/// An open chain with a joint of every type that carries a tree, some hung the other way round.
fn chain_of_everything(seed: u64) -> Model {
    let mut b = Builder::new(seed);
    for (parent, kind) in
        ["revolute", "cylindrical", "universal", "spherical", "planar", "screw", "prismatic", "free"].iter().enumerate()
    {
        b.carry_anyhow(kind, parent);
    }
    b.model()
}

/// Velocities and accelerations by Ṫ = T D, T̈ = T B and by the recursion of motions, at random states.
#[test]
fn operators_and_recursion_give_the_same_motion() {
    for seed in 1..60 {
        let model = chain_of_everything(seed);
        for parameters in [false, true] {
            let recursion = Variant { parameters, ..Variant::PLAIN };
            let made = [recursion, Variant { operators: true, ..recursion }].map(|v| Relative::new(&model, v));
            let [a, b] = &made;
            let mut s = Stream(seed);
            let mut q = vec![0.0; a.nq()];
            let poses: Vec<Pose> = model.bodies.iter().map(|b| b.X_WB).collect();
            a.coordinates(&poses, &mut q);
            // Parameters need not have unit norm: both ways take the angle that they name.
            if parameters {
                let dv: Vec<f64> = (0..a.nv()).map(|_| 0.2 * s.next()).collect();
                a.step(&mut q, &dv);
            }
            let v: Vec<f64> = (0..a.nv()).map(|_| s.next()).collect();
            let vdot: Vec<f64> = (0..a.nv()).map(|_| s.next()).collect();
            let states = [a, b].map(|f| {
                let mut cache = f.cache(&model);
                f.positions(&q, &mut cache);
                f.velocities(&v, &mut cache);
                f.accelerations(Some(&vdot), &mut cache);
                cache.bodies
            });
            for (x, y) in states[0].iter().zip(&states[1]) {
                let speed = 1.0 + x.v.norm() + x.w.norm();
                assert!((x.v - y.v).norm() + (x.w - y.w).norm() < ROUNDING * speed, "seed {seed}");
                let rate = 1.0 + x.a.norm() + x.alpha.norm() + speed * speed;
                assert!((x.a - y.a).norm() + (x.alpha - y.alpha).norm() < ROUNDING * rate, "seed {seed}");
            }
            assert!(states[0].last().unwrap().alpha.norm() > 0.1, "nothing moves");
        }
    }
}

/// Coordinates and equations, by hand: the slider-crank has three angles and a slide.
#[test]
fn counts_of_the_slider_crank() {
    let model = load("slider-crank", &Options::default());
    // Tree: O, guide, B; cut: C, a revolute. Rows without the driver.
    for (formulation, nq, rows) in [
        ("relative", 3, 5),
        // Two angles as pairs, with a normalisation each.
        ("relative-euler", 5, 5 + 2),
        // The cut joint's angle is a coordinate; twelve entries.
        ("relative-matrix", 4, 12),
        ("homogeneous", 7, 12 + 3),
    ] {
        let system = System::new(&model, formulation).unwrap();
        assert_eq!((system.formulation.nq(), system.constraints.undriven()), (nq, rows), "{formulation}");
        let follower = Follower::new(&system, 0.0, 1.0).unwrap();
        let names: Vec<String> = (0..rows).map(|i| system.owner_name(system.constraints.owner(i))).collect();
        assert_eq!(names.iter().filter(|n| n.contains("'C'")).count(), if rows > 7 { 12 } else { 5 });
        assert!(follower.stepper.residual < RESIDUAL);
    }
}
