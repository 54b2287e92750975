//! A progress line on the terminal, for runs that take a while.

use crate::output;
use std::time::{Duration, Instant};

/// Prints how far a run is, on standard error, only where that is a terminal, without `--quiet`, and only once a second has passed.
pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    pub fn new() -> Progress {
        Progress { started: Instant::now(), shown: None, terminal: output::shows_progress() }
    }

    /// Hears that `done` of `all` samples are done.
    pub fn update(&mut self, done: usize, all: usize) {
        // The clock is asked for seldom: a sample may take a microsecond.
        if !self.terminal || done & 0xFF != 0 {
            return;
        }
        let elapsed = self.started.elapsed();
        if elapsed < Duration::from_secs(1) || self.shown.is_some_and(|s| s.elapsed() < Duration::from_millis(100)) {
            return;
        }
        let left = elapsed.mul_f64((all - done) as f64 / done.max(1) as f64);
        let share = 100 * done / all.max(1);
        output::progress(&format!("{share:3} %  {done} of {all} samples, {:.0} s left ", left.as_secs_f64()));
        self.shown = Some(Instant::now());
    }

    /// Removes the line and tells the time taken.
    pub fn finish(self) -> Duration {
        if self.shown.is_some() {
            output::progress("");
        }
        self.started.elapsed()
    }
}

/// The same for work on several threads, with its rate.
pub struct Shared(std::sync::Mutex<Progress>);

impl Shared {
    pub fn new() -> Shared {
        Shared(std::sync::Mutex::new(Progress::new()))
    }

    /// Hears that `done` of `all` samples are done.
    pub fn update(&self, done: u64, all: u64) {
        self.show(|elapsed| {
            let rate = done as f64 / elapsed.as_secs_f64();
            let left = (all - done) as f64 / rate.max(f64::MIN_POSITIVE);
            format!("{:3} %  {done} of {all} samples, {rate:.0}/s, {} left", 100 * done / all.max(1), time(left))
        });
    }

    /// Shows what is told, if it is time to.
    pub fn tell(&self, words: impl FnOnce() -> String) {
        self.show(|elapsed| format!("{}, {}", words(), time(elapsed.as_secs_f64())));
    }

    fn show(&self, words: impl FnOnce(Duration) -> String) {
        // A thread that finds another one printing goes on with its work.
        let Ok(mut line) = self.0.try_lock() else { return };
        if !line.terminal || line.shown.is_some_and(|s| s.elapsed() < Duration::from_millis(200)) {
            return;
        }
        let elapsed = line.started.elapsed();
        if elapsed < Duration::from_secs(1) {
            return;
        }
        output::progress(&format!("{} ", words(elapsed)));
        line.shown = Some(Instant::now());
    }

    /// Removes the line and tells the time taken.
    pub fn finish(self) -> Duration {
        self.0.into_inner().unwrap_or_else(|p| p.into_inner()).finish()
    }
}

/// Seconds as people say them.
fn time(seconds: f64) -> String {
    let whole = seconds.round().min(1e9) as u64;
    match whole {
        0..=99 => format!("{whole} s"),
        100..=5999 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}
