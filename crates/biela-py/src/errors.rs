//! Errors, panics and Ctrl-C at the border to Python.

use biela::error::ErrorKind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

pyo3::create_exception!(
    biela,
    BielaError,
    PyValueError,
    "What is wrong with a model, its data or what was asked of it; the message is that of the command line."
);

/// Exceptions of one kind each, under [`BielaError`].
macro_rules! kinds {
    ($($name:ident: $($kind:ident)|+, $help:literal;)+) => {
        $(pyo3::create_exception!(biela, $name, BielaError, $help);)+

        /// The exceptions of the library, with their names.
        pub fn exceptions(py: Python<'_>) -> Vec<(&'static str, Bound<'_, pyo3::types::PyType>)> {
            vec![("BielaError", py.get_type::<BielaError>()), $((stringify!($name), py.get_type::<$name>())),+]
        }

        fn exception(kind: ErrorKind, message: String) -> PyErr {
            match kind {
                $($(ErrorKind::$kind)|+ => $name::new_err(message),)+
                _ => BielaError::new_err(message),
            }
        }
    };
}

kinds! {
    InputError: Input, "What was given cannot be understood, or makes no sense.";
    FileError: File, "A file cannot be read or written.";
    AssemblyError: Assembly, "The loops cannot be closed; `residual` says by how much they stay open.";
    DriveError: Drive, "Drivers do not match the freedoms, or prescribe what cannot be followed.";
    SingularError: Singular, "A singular position ends the motion, at `time`.";
    MotionError: Motion | Integration, "The motion goes no further than `time`.";
    EquilibriumError: Equilibrium, "Loads balance nowhere that was found.";
    CapacityError: Capacity, "More than can be held, or done in time.";
}

/// An error of the library as an exception, with `kind`, `reason`, `element`, `time` and `residual` as attributes, of a run that ended before
/// its time `driver` and `value` too (None where unknown), and `results`, which are none here.
pub fn told(error: biela::Error) -> PyErr {
    let told = exception(error.kind(), error.to_string());
    Python::attach(|py| {
        let value = told.value(py);
        // Attributes of a new exception can always be set; where memory has run out the message is enough.
        let _ = value.setattr("kind", error.kind().word());
        let _ = value.setattr("reason", error.reason().map(biela::error::Reason::word));
        let _ = value.setattr("element", error.element());
        let _ = value.setattr("time", error.time());
        let _ = value.setattr("residual", error.residual());
        let end = error.end();
        let _ = value.setattr("driver", end.and_then(|e| e.driver.as_deref()));
        let _ = value.setattr("value", end.and_then(|e| e.value));
        let _ = value.setattr("results", py.None());
    });
    told
}

/// Works without the interpreter's lock. A fault of the program itself is an exception like any other.
pub fn solve<T: Send>(py: Python<'_>, work: impl FnOnce() -> biela::Result<T> + Send) -> PyResult<T> {
    match py.detach(|| catch_unwind(AssertUnwindSafe(work))) {
        Ok(outcome) => outcome.map_err(told),
        Err(_) => Err(BielaError::new_err("the program itself failed; please report the model that makes it")),
    }
}

/// Looks for Ctrl-C now and then while Rust is at work.
#[derive(Default)]
pub struct Watch {
    last: Option<Instant>,
    /// What a signal handler has raised.
    pub raised: Option<PyErr>,
}

impl Watch {
    /// False once a handler has raised an exception.
    pub fn go_on(&mut self) -> bool {
        const PERIOD: Duration = Duration::from_millis(20);
        let now = Instant::now();
        if self.last.is_some_and(|last| now - last < PERIOD) {
            return true;
        }
        self.last = Some(now);
        self.raised = Python::attach(|py| py.check_signals()).err();
        self.raised.is_none()
    }
}

/// Works like [`solve`]; what `work` calls between its steps lets Ctrl-C through.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> biela::Result<T> + Send,
) -> PyResult<T> {
    let mut watch = Watch::default();
    let outcome = solve(py, || work(&mut || watch.go_on()));
    match watch.raised {
        Some(raised) => Err(raised),
        None => outcome,
    }
}

/// Works like [`solve`], for work that cannot be ended between two steps: Ctrl-C leaves it, and it comes to its end unheard, on a
/// thread of its own.
pub fn leavable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> biela::Result<T> + Send + 'static,
) -> PyResult<T> {
    const PERIOD: Duration = Duration::from_millis(20);
    /// As much as a program's own thread has.
    const STACK: usize = 8 << 20;
    let (send, receive) = std::sync::mpsc::sync_channel(1);
    let job = move || {
        // Where nobody waits any more, the outcome is dropped.
        let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
    };
    let spawned = std::thread::Builder::new().name("biela".into()).stack_size(STACK).spawn(job);
    spawned.map_err(|e| BielaError::new_err(format!("no thread can be had: {e}")))?;
    let receive = std::sync::Mutex::new(receive);
    loop {
        match py.detach(|| receive.lock().unwrap_or_else(|p| p.into_inner()).recv_timeout(PERIOD)) {
            Ok(outcome) => return solve(py, || outcome.unwrap_or_else(|fault| std::panic::resume_unwind(fault))),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(_) => {
                return Err(BielaError::new_err("the program itself failed; please report the model that makes it"))
            }
        }
    }
}
