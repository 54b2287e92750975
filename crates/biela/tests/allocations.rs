//! Following a motion allocates nothing once the workspace exists.

#[path = "common/meter.rs"]
mod meter;

use biela::solve::forces::ForceAnalysis;
use biela::solve::motion::Follower;
use biela::system::{formulations, System};
use biela::text::{Document, Options};
use std::path::Path;
use std::sync::Mutex;

/// Tests that count take turns.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn a_sweep_allocates_nothing_per_sample() {
    let _turn = TURN.lock();
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/slider-crank.toml"));
    let options = Options::default();
    let model = Document::read(path, &options).and_then(|d| d.model(&options)).unwrap();
    for formulation in formulations() {
        let system = System::new(&model, formulation.keyword).unwrap();
        let mut follower = Follower::new(&system, 0.0, 1.0).unwrap();
        follower.advance(1e-3).unwrap();
        let before = meter::calls();
        for k in 1..=1000 {
            follower.advance(1e-3 * k as f64).unwrap();
        }
        let allocations = meter::calls() - before;
        // Pivots may be chosen anew a few times in a turn, which allocates; samples themselves do not.
        let analyses = follower.analyses();
        println!("{}: {allocations} allocations in 1000 samples, {analyses} choices of pivots", formulation.keyword);
        assert!(allocations == 0 || allocations < 500 * analyses, "{}", formulation.keyword);
        assert!(analyses < 20, "{}: pivots chosen {analyses} times", formulation.keyword);
    }
}

/// Forces are found at every sample without allocating either.
#[test]
fn force_analysis_allocates_nothing_per_sample() {
    let _turn = TURN.lock();
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/slider-crank.toml"));
    let options = Options::default();
    let mut model = Document::read(path, &options).and_then(|d| d.model(&options)).unwrap();
    model.change_mechanism(|m| m.gravity = m.gravity.or(Some(biela::math::Vec3::new(0.0, -9.81, 0.0))));
    for formulation in ["absolute", "relative"] {
        let system = System::new(&model, formulation).unwrap();
        let mut follower = Follower::new(&system, 0.0, 1.0).unwrap();
        let mut forces = ForceAnalysis::new(&system, true).unwrap();
        let mut least = usize::MAX;
        for k in 0..100 {
            follower.advance(1e-3 * f64::from(k)).unwrap();
            let before = meter::calls();
            forces.evaluate(&system, &mut follower.stepper.ws, follower.stepper.state.t).unwrap();
            least = least.min(meter::calls() - before);
        }
        // The test harness may allocate beside: the least of many samples is their own.
        assert_eq!(least, 0, "{formulation}");
    }
}
