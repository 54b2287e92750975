//! Following a motion allocates nothing once the workspace exists.
#![allow(unsafe_code)] // A counting allocator can only be written with unsafe; it forwards to the system's.

use biela::solve::follow::Follower;
use biela::solve::forces::ForceAnalysis;
use biela::system::{formulations, System};
use biela::text::{Document, Options};
use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Tests that count take turns.
static TURN: Mutex<()> = Mutex::new(());

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { SystemAllocator.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { SystemAllocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
        let before = COUNT.load(Ordering::Relaxed);
        for k in 1..=1000 {
            follower.advance(1e-3 * k as f64).unwrap();
        }
        let allocations = COUNT.load(Ordering::Relaxed) - before;
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
    model.gravity.get_or_insert(biela::math::Vec3::new(0.0, -9.81, 0.0));
    for formulation in ["absolute", "relative"] {
        let system = System::new(&model, formulation).unwrap();
        let mut follower = Follower::new(&system, 0.0, 1.0).unwrap();
        let mut forces = ForceAnalysis::new(&system, true).unwrap();
        let mut least = usize::MAX;
        for k in 0..100 {
            follower.advance(1e-3 * f64::from(k)).unwrap();
            let before = COUNT.load(Ordering::Relaxed);
            forces.evaluate(&system, &mut follower.ws, follower.state.t);
            least = least.min(COUNT.load(Ordering::Relaxed) - before);
        }
        // The test harness may allocate beside: the least of many samples is their own.
        assert_eq!(least, 0, "{formulation}");
    }
}
