//! Sweeps: a plan made ready for one model, its chunks one by one for any engine, and the parts joined.

use crate::errors::{solve, told, Watch};
use crate::model::{newton_method, Model};
use biela::results::parts::Parts;
use biela::results::rows::Rows;
use biela::sweep::{self, Gather, Work};
use biela::text::Asked;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::path::PathBuf;
use std::sync::Mutex;

/// A plan made ready for one model. Chunk k depends on model, plan and k alone.
#[pyclass(frozen, module = "biela._biela")]
pub struct Sweep(sweep::Sweep<'static>);

type Pairs = Vec<(String, String)>;

impl Sweep {
    fn parts(&self, output: &std::path::Path, resume: bool) -> biela::Result<Parts> {
        Parts::open(output, self.0.header.clone(), resume)
    }
}

#[pymethods]
impl Sweep {
    #[new]
    #[pyo3(signature = (model, vary, measure, series, sampling, samples, seed, formulation, newton))]
    #[allow(clippy::too_many_arguments)]
    // Many: keyword arguments of Python.
    fn new(
        py: Python<'_>,
        model: &Bound<'_, Model>,
        vary: Pairs,
        measure: Pairs,
        series: Vec<String>,
        sampling: Option<String>,
        samples: Option<u64>,
        seed: Option<u64>,
        formulation: Option<String>,
        newton: Option<&str>,
    ) -> PyResult<Sweep> {
        let (document, options) = model.get().source();
        let method = newton_method(newton)?;
        let asked = Asked { vary, measure, series, sampling, samples, seed };
        solve(py, || {
            let plan = document.plan(&options, &asked)?;
            let document = std::sync::Arc::unwrap_or_clone(document);
            sweep::Sweep::new(document, &options, plan, formulation.as_deref(), method).map(Sweep)
        })
    }

    /// Number of chunks.
    #[getter]
    fn chunks(&self) -> u64 {
        self.0.plan.chunks()
    }

    /// Number of samples.
    #[getter]
    fn samples(&self) -> u64 {
        self.0.plan.samples
    }

    /// A text that tells this sweep from any other.
    #[getter]
    fn fingerprint(&self) -> &str {
        biela::results::parts::fingerprint(&self.0.header)
    }

    /// Computes a chunk: the bytes of its Parquet file, with their sum.
    fn chunk<'py>(&self, py: Python<'py>, chunk: u64) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = solve(py, || {
            let bytes = Parts::bytes(&self.0.header, chunk, &self.0.chunk(chunk));
            bytes.map_err(|e| biela::Error::new(format!("the rows of a chunk cannot be written: {e}")))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Opens the folder of parts beside an output and tells which chunks are not there yet, or are damaged.
    fn open(&self, py: Python<'_>, output: PathBuf, resume: bool) -> PyResult<Vec<u64>> {
        solve(py, || Ok(self.parts(&output, resume)?.missing(0..self.0.plan.chunks()).0))
    }

    /// Keeps a chunk that was made elsewhere.
    fn put(&self, output: PathBuf, chunk: u64, bytes: &[u8]) -> PyResult<()> {
        self.parts(&output, true).and_then(|parts| parts.put(chunk, bytes)).map_err(told)
    }

    /// Computes chunks on threads of this process. Ctrl-C leaves what is done.
    fn run(&self, py: Python<'_>, output: PathBuf, chunks: Vec<u64>, threads: Option<usize>) -> PyResult<()> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let work = Work { chunks, threads: threads.unwrap_or(cores).clamp(1, 1024) };
        let watch = Mutex::new(Watch::default());
        // Python hears of signals on one thread alone.
        let caller = std::thread::current().id();
        let outcome = solve(py, || {
            let parts = self.parts(&output, true)?;
            sweep::run(&self.0, &work, &|chunk, rows| parts.write(chunk, &rows), &|_, _| {
                std::thread::current().id() != caller || watch.lock().unwrap_or_else(|p| p.into_inner()).go_on()
            })
        });
        match watch.into_inner().unwrap_or_else(|p| p.into_inner()).raised {
            Some(raised) => Err(raised),
            None => outcome,
        }
    }

    /// Joins the parts into the output and tells the statistics, as JSON.
    fn join(&self, py: Python<'_>, output: PathBuf) -> PyResult<String> {
        solve(py, || {
            let mut gather = Gather::new(&self.0);
            self.parts(&output, true)?.join(self.0.plan.chunks(), |rows| gather.add(rows))?;
            Ok(self.0.report(&gather.finish()).to_string())
        })
    }
}

type Table<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyDict>, Bound<'py, PyList>, Bound<'py, PyDict>);

/// The table of a sweep: samples, columns by name, reasons, units by name.
#[pyfunction]
pub fn read_table(py: Python<'_>, path: PathBuf) -> PyResult<Table<'_>> {
    let (header, rows) = solve(py, || Rows::read_parquet(&path))?;
    let (columns, units) = (PyDict::new(py), PyDict::new(py));
    for ((name, unit), data) in header.columns.iter().zip(rows.columns) {
        columns.set_item(name, data.into_pyarray(py))?;
        units.set_item(name, unit)?;
    }
    Ok((rows.samples.into_pyarray(py), columns, PyList::new(py, rows.reasons)?, units))
}
