//! A progress line on the terminal, for runs that take a while.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Prints how far a run is, on standard error, only where that is a terminal and only once a second has passed.
pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    pub fn new() -> Progress {
        Progress { started: Instant::now(), shown: None, terminal: std::io::stderr().is_terminal() }
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
        eprint!("\r{:3} %  {done} of {all} samples, {:.0} s left \x1b[K", 100 * done / all.max(1), left.as_secs_f64());
        let _ = std::io::stderr().flush();
        self.shown = Some(Instant::now());
    }

    /// Removes the line and tells the time taken.
    pub fn finish(self) -> Duration {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
        self.started.elapsed()
    }
}
