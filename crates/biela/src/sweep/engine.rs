//! Chunks on all cores. Each is computed by one thread from its number alone, so their order does not matter.

use super::sample::Sampler;
use super::Sweep;
use crate::error::{Error, Result};
use crate::results::rows::Rows;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::Mutex;

/// Hears the number of samples done in this run and those to be done in it; false ends the work.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) -> bool + Sync);

/// Which chunks are to be computed, and by how many threads.
#[derive(Debug, Clone)]
pub struct Work {
    /// Numbers of the chunks.
    pub chunks: Vec<u64>,
    /// Number of threads.
    pub threads: usize,
}

/// Computes chunks and hands each to `keep`, in the order in which they come to an end, from the thread that computed it.
pub fn run(
    sweep: &Sweep,
    work: &Work,
    keep: &(dyn Fn(u64, Rows) -> Result<()> + Sync),
    progress: Progress,
) -> Result<()> {
    let all: u64 = work.chunks.iter().map(|k| sweep.plan.samples_of(*k)).map(|range| range.end - range.start).sum();
    let (next, done, stop) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let fault: Mutex<Option<Error>> = Mutex::new(None);
    let worker = || {
        let mut sampler = Sampler::new(sweep);
        while let Some(chunk) = work.chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let rows = sweep.chunk_by(&mut sampler, *chunk, &mut |_| {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if !progress(done, all) {
                    stop.store(true, Ordering::Relaxed);
                }
                !stop.load(Ordering::Relaxed)
            });
            let Some(rows) = rows else { return };
            if let Err(error) = keep(*chunk, rows) {
                fault.lock().unwrap_or_else(|p| p.into_inner()).get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
                return;
            }
        }
    };
    /// As much as a program's own thread has.
    const STACK: usize = 8 << 20;
    std::thread::scope(|scope| {
        for _ in 1..work.threads.min(work.chunks.len()) {
            // Where a thread cannot be had, the others do its work.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
        }
        worker();
    });
    match fault.into_inner().unwrap_or_else(|p| p.into_inner()) {
        Some(error) => Err(error),
        None if stop.load(Ordering::Relaxed) => {
            Err(Error::new(format!("stopped by the user after {} of {all} samples", done.load(Ordering::Relaxed))))
        }
        None => Ok(()),
    }
}
