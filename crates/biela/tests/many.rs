//! Designs side by side: the same bits as one by one, whatever stands beside a design and however wide the registers are.

use biela::model::Model;
use biela::solve::many::{motions, motions_at, NUMBERS};
use biela::solve::motion::Follower;
use biela::source::Source;
use biela::system::System;
use biela::text::{Document, Options};
use biela::tree::Level;

fn designs(name: &str, parameter: &str, values: &[f64]) -> Vec<Model> {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let document = Document::from_toml(&Source::new(name, std::fs::read_to_string(path).unwrap())).unwrap();
    let with = |x: &f64| Options { values: vec![(parameter.to_string(), *x)], ..Options::default() };
    values.iter().map(|x| document.model(&with(x)).unwrap()).collect()
}

fn times(model: &Model, steps: usize) -> Vec<f64> {
    let (start, end) = (model.study.start, model.study.end);
    (0..=steps).map(|k| start + (end - start) * k as f64 / steps as f64).collect()
}

/// Every width against designs one by one, and one by one against a follower of each.
fn same_bits(name: &str, parameter: &str, values: &[f64], steps: usize) {
    let models = designs(name, parameter, values);
    let times = times(&models[0], steps);
    let systems: Vec<System> = models.iter().map(|m| System::new(m, "auto").unwrap()).collect();
    let alone = motions_at(Level::Portable, &systems, &times);
    for (system, found) in systems.iter().zip(&alone) {
        let Ok(found) = found else { continue };
        let mut follower = Follower::new(system, times[0], times[steps] - times[0]).unwrap();
        let bodies = system.model.bodies.len() - 1;
        assert_eq!(found.len(), NUMBERS * bodies * times.len());
        for (t, numbers) in times.iter().zip(found.chunks_exact(NUMBERS * bodies)) {
            follower.advance(*t).unwrap();
            for (body, numbers) in follower.stepper.ws.cache.bodies[1..].iter().zip(numbers.chunks_exact(NUMBERS)) {
                assert_eq!(body.pose.origin.to_array(), numbers[..3]);
                assert_eq!(body.w.to_array(), numbers[10..13]);
                assert_eq!(body.alpha.to_array(), numbers[16..]);
            }
        }
    }
    let wide = Level::ALL.iter().map(|l| l.1).filter(|level| *level <= Level::detect() && *level != Level::Portable);
    for level in wide {
        let found = motions_at(level, &systems, &times);
        for (k, (a, b)) in alone.iter().zip(&found).enumerate() {
            match (a, b) {
                (Ok(a), Ok(b)) => {
                    let differ = a.iter().zip(b).position(|(a, b)| a != b);
                    assert!(differ.is_none() && a.len() == b.len(), "{name} {k} {level:?}: {differ:?}");
                }
                (Err(a), Err(b)) => assert_eq!(a.message(), b.message()),
                _ => panic!("{name} {k} by {level:?}: {a:?} and {b:?}"),
            }
        }
    }
    assert_eq!(motions(&systems, &times).len(), systems.len());
}

#[test]
fn designs_in_lanes_have_the_bits_of_designs_alone() {
    let values: Vec<f64> = (0..21).map(|k| 8.0 + 0.01 * f64::from(k)).collect();
    for steps in [36, 400] {
        same_bits("four-bar", "coupler", &values, steps);
    }
    let values: Vec<f64> = (0..9).map(|k| 3.4 + 0.05 * f64::from(k)).collect();
    same_bits("slider-crank", "rod", &values, 100);
}

#[test]
fn a_design_that_cannot_be_moved_is_told_and_leaves_the_others_alone() {
    // A coupler of 3.5 cannot reach: the others are as they are without it.
    same_bits("four-bar", "coupler", &[8.0, 3.5, 8.1, 6.9, 8.2], 72);
}

#[test]
fn mechanisms_in_space_go_one_by_one() {
    same_bits("rssr", "omega", &[1.0, 2.0], 50);
}
