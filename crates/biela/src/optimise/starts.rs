//! Many designs on all cores: those of a Latin hypercube are looked at, the best of them and the model's own descend. Each is
//! computed from its number alone and kept under it, so the result is the same for any number of threads.

use super::descend::Descent;
use super::found::{Found, Start};
use super::way::rank;
use super::Optimisation;
use crate::error::{Error, Result};
use biela_base::sorting::sort_by;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

/// How far an optimisation is.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Designs looked at, and how many there are.
    pub designs: (u64, u64),
    /// Starts that have come to an end, and how many there are.
    pub starts: (u64, u64),
    /// Least error of a start so far.
    pub best: Option<f64>,
}

/// Hears how far an optimisation is; false ends it.
pub type Progress<'a> = &'a (dyn Fn(Step) -> bool + Sync);

/// Where a descent starts: the number of the design looked at, none for the model's own, and its parameters.
type From = (Option<usize>, Vec<f64>);

impl Optimisation<'_> {
    /// Looks at designs, refines the best of them, and tells what was found.
    pub fn solve(&self, threads: usize, progress: Progress) -> Result<Found> {
        let stop = AtomicBool::new(false);
        let tell = |step: Step| {
            if !progress(step) {
                stop.store(true, Ordering::Relaxed);
            }
            !stop.load(Ordering::Relaxed)
        };
        let ended = || Error::new("stopped by the user");
        let (samples, wanted) = (self.goal.plan.samples, self.goal.starts);
        let own = self.own.iter().zip(&self.goal.bounds).map(|(x, (least, greatest))| x.clamp(*least, *greatest));
        let own: Vec<f64> = own.collect();
        let before = self.evaluate(&self.own, false);
        // One start alone is the model's own, where that can be.
        let looked = match wanted {
            1 if before.is_ok() => Vec::new(),
            _ => all(samples as usize, threads, &|k, done| {
                let mut values = Vec::new();
                self.goal.plan.values(k as u64, &mut values);
                let rank = self.evaluate(&values, false).map(|o| {
                    let violation = self.violation(&o);
                    (violation, o.error())
                });
                let designs = (done as u64, samples);
                let go_on = tell(Step { designs, starts: (0, wanted), best: None });
                go_on.then_some((rank.ok(), values))
            })
            .ok_or_else(ended)?,
        };
        let designs_looked_at = looked.len() as u64;
        let refused = looked.iter().filter(|d| d.0.is_none()).count();
        let mut designs: Vec<(usize, (f64, f64), Vec<f64>)> =
            looked.into_iter().enumerate().filter_map(|(k, (rank, values))| Some((k, rank?, values))).collect();
        sort_by(&mut designs, |a, b| a.1 .0.total_cmp(&b.1 .0).then(a.1 .1.total_cmp(&b.1 .1)).then(a.0.cmp(&b.0)));
        let mut starts: Vec<From> = Vec::new();
        if self.evaluate(&own, false).is_ok() {
            starts.push((None, own));
        }
        let room = (wanted as usize).saturating_sub(starts.len());
        starts.extend(designs.into_iter().take(room).map(|(k, _, values)| (Some(k), values)));
        if starts.is_empty() {
            let error = match before {
                Err(error) => error,
                Ok(_) => Error::new("no design can be assembled and run"),
            };
            let message =
                format!("neither the model's own design nor any of {samples} others can be assembled and run");
            return Err(error.note(message).note("widen or shift the bounds, or look at more designs (--samples)"));
        }
        let count = starts.len();
        let best: Mutex<Option<f64>> = Mutex::new(None);
        let descents = all(count, threads, &|k, done| {
            let now = |extra: u64| {
                let best = *best.lock().unwrap_or_else(|p| p.into_inner());
                tell(Step { designs: (samples, samples), starts: (extra, count as u64), best })
            };
            let descent = self.descend(&starts[k].1, &|| now(done as u64 - 1));
            if let Some(descent) = &descent {
                let mut best = best.lock().unwrap_or_else(|p| p.into_inner());
                *best = Some(best.map_or(descent.error, |b: f64| b.min(descent.error)));
            }
            (!stop.load(Ordering::Relaxed)).then_some(descent)
        })
        .ok_or_else(ended)?;
        let table = self.table(starts.into_iter().zip(descents))?;
        self.found(table, before.ok(), designs_looked_at, refused)
    }

    /// Starts and where they have led, the best first.
    fn table(&self, descents: impl Iterator<Item = (From, Option<Descent>)>) -> Result<Vec<Start>> {
        let mut table: Vec<Start> = Vec::new();
        for ((sample, from), descent) in descents {
            let first = self.evaluate(&from, false)?;
            let end = descent.unwrap_or_else(|| Descent {
                values: from.clone(),
                error: first.error(),
                violation: self.violation(&first),
                evaluations: 1,
                ended: "ended early",
            });
            table.push(Start { sample, from, before: first.error(), end });
        }
        let order = |a: &Start, b: &Start| {
            let (a, b) = (rank(a.end.error, a.end.violation), rank(b.end.error, b.end.violation));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        sort_by(&mut table, order);
        Ok(table)
    }
}

/// What `work` makes of each number below `count`, on threads, in their order. It hears the number and how many have been begun;
/// `None` ends everything.
fn all<T: Send>(count: usize, threads: usize, work: &(dyn Fn(usize, usize) -> Option<T> + Sync)) -> Option<Vec<T>> {
    /// As much as a program's own thread has.
    const STACK: usize = 8 << 20;
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let made: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let worker = || {
        while !stop.load(Ordering::Relaxed) {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return;
            }
            match work(k, k + 1) {
                Some(value) => made.lock().unwrap_or_else(|p| p.into_inner())[k] = Some(value),
                None => stop.store(true, Ordering::Relaxed),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            // Where a thread cannot be had, the others do its work.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
        }
        worker();
    });
    made.into_inner().unwrap_or_else(|p| p.into_inner()).into_iter().collect()
}
