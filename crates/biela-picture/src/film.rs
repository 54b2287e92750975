//! The frames of a moving picture, drawn on all cores and handed over in their order.

use super::choice::{Choice, Pace};
use super::raster::{Canvas, Raster};
use super::{Animation, Scene};
use biela_base::error::{Error, Result};
use biela_base::sorting::sort_by_key;
use biela_raster::Pixels;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// Frames of a film whose length is not told, at most: those of about five seconds.
const USUAL_FRAMES: usize = 121;
/// Frames of any film, at most.
const MOST_FRAMES: f64 = 20_000.0;
/// Threads at most: each holds a page of fine pixels.
const THREADS: usize = 16;

/// A film that is about to be drawn.
pub struct Film<'a> {
    raster: Raster<'a>,
    canvases: Mutex<Vec<Canvas>>,
    threads: usize,
    told: &'a (dyn Fn(usize, usize) -> bool + Sync),
    /// Places in the motion, one for each frame.
    places: Vec<f64>,
    /// Frames a second.
    pub fps: f64,
}

impl<'a> Film<'a> {
    /// A film of a motion.
    pub fn new(scene: &'a Scene, motion: &'a Animation<'a>, choice: &'a Choice<'a>) -> Result<Film<'a>> {
        Film::between(scene, motion, choice, places(motion, &choice.pace)?)
    }

    /// A film of these places in the motion.
    pub(super) fn between(
        scene: &'a Scene,
        motion: &'a Animation<'a>,
        choice: &'a Choice<'a>,
        places: Vec<f64>,
    ) -> Result<Film<'a>> {
        let raster = Raster::new(scene, motion, choice.look, choice.width)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.min(THREADS).min(places.len()).max(1);
        Ok(Film { raster, canvases: Mutex::default(), threads, told: choice.told, places, fps: choice.pace.fps })
    }

    /// Pixels of a frame, along and down.
    pub fn size(&self) -> (usize, usize) {
        (self.raster.width, self.raster.height)
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.places.len()
    }

    /// Hands over the bytes red, green, blue of each frame, in their order.
    pub fn each(&self, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.batches(|_, pixels| pixels, |frames| frames.iter().try_for_each(|f| take(f.as_flattened())))
    }

    /// What `make` makes of each frame on all cores, handed to `take` some at a time, in their order.
    pub(super) fn batches<T: Send>(
        &self,
        make: impl Fn(usize, Pixels) -> T + Sync,
        mut take: impl FnMut(Vec<T>) -> Result<()>,
    ) -> Result<()> {
        let batch = 4 * self.threads;
        for start in (0..self.frames()).step_by(batch) {
            let numbers: Vec<usize> = (start..self.frames().min(start + batch)).collect();
            take(self.some(&numbers, &make)?)?;
            if !(self.told)(numbers.last().map_or(0, |k| k + 1), self.frames()) {
                return Err(Error::new("interrupted"));
            }
        }
        Ok(())
    }

    /// What `make` makes of some frames, in their order.
    pub(super) fn some<T: Send>(&self, numbers: &[usize], make: impl Fn(usize, Pixels) -> T + Sync) -> Result<Vec<T>> {
        let work = |k: usize| {
            let kept = self.canvases.lock().unwrap_or_else(|p| p.into_inner()).pop();
            let mut canvas = kept.map_or_else(|| self.raster.canvas(), Ok)?;
            let pixels = self.raster.frame(&mut canvas, self.places[numbers[k]]);
            self.canvases.lock().unwrap_or_else(|p| p.into_inner()).push(canvas);
            Ok(make(numbers[k], pixels))
        };
        on_all_cores(numbers.len(), self.threads, &work).into_iter().collect()
    }
}

/// What `work` makes of each number below `count`, in their order.
pub(super) fn on_all_cores<T: Send>(count: usize, threads: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut own = Vec::new();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return own;
            }
            own.push((k, work(k)));
        }
    };
    let mut found = std::thread::scope(|scope| {
        // Where a thread cannot be had, the others do its work.
        let others: Vec<_> =
            (1..threads).filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, worker).ok()).collect();
        let mut found = worker();
        for other in others {
            match other.join() {
                Ok(own) => found.extend(own),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    });
    sort_by_key(&mut found, |f| f.0);
    found.into_iter().map(|f| f.1).collect()
}

/// Places in the motion for the frames of a film: samples where nothing else is asked for, else spread evenly over the time.
fn places(motion: &Animation, pace: &Pace) -> Result<Vec<f64>> {
    let last = (motion.len() - 1) as f64;
    if last == 0.0 {
        return Ok(vec![0.0]);
    }
    let usual = motion.len().min(USUAL_FRAMES);
    let seconds = pace.seconds.unwrap_or(usual as f64 / Pace::USUAL);
    let count = (seconds * pace.fps).round();
    if count > MOST_FRAMES {
        return Err(Error::new(format!(
            "{seconds} s of {} frames each are {count} frames; at most {MOST_FRAMES} are made",
            pace.fps
        ))
        .note("ask for fewer frames a second by --fps, or for a shorter film by --length"));
    }
    let count = (count as usize).max(2);
    if count == motion.len() {
        return Ok((0..count).map(|k| k as f64).collect());
    }
    // Samples of an adaptive run are not spread evenly.
    let (first, span) = (motion.times[0], motion.times[motion.len() - 1] - motion.times[0]);
    let place = |k: usize| {
        let t = first + span * k as f64 / (count - 1) as f64;
        let after = motion.times.partition_point(|x| *x < t).clamp(1, motion.len() - 1);
        let (a, b) = (motion.times[after - 1], motion.times[after]);
        let part = if b > a { ((t - a) / (b - a)).clamp(0.0, 1.0) } else { 1.0 };
        (after - 1) as f64 + part
    };
    Ok((0..count).map(place).collect())
}
