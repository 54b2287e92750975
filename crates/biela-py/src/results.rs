//! `biela.Results`: the columns of a run as NumPy arrays that share their memory.

use crate::compiled::Compiled;
use crate::errors::{solve, told, BielaError};
use biela::display_units::DisplayUnits;
use biela::picture::{self, page, Animation};
use biela::plan::drawn::{self, Parameters};
use biela::results::{self, plot};
use biela::solve::summary::Summary;
use biela::source::{Source, Span};
use biela::units::Kind;
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// What a run leaves behind: named columns with units. ``r["C.fx"]`` is a NumPy array that shares the memory of the result
/// and cannot be written to.
#[pyclass(frozen, module = "biela", name = "Results")]
pub struct Results {
    table: results::Results,
    compiled: Option<Arc<Compiled>>,
    /// Whether the units of the table were asked for: then people read them too.
    in_units: bool,
    measures: Vec<(String, f64)>,
}

impl Results {
    pub fn new(table: results::Results, compiled: Option<Arc<Compiled>>) -> Results {
        Results { table, compiled, measures: Vec::new(), in_units: false }
    }

    /// The same with numbers that were measured in the run.
    pub fn with_measures(self, measures: Vec<(String, f64)>) -> Results {
        Results { measures, ..self }
    }

    /// The column as an array. It owns a reference to the results, whose memory it shows.
    #[allow(unsafe_code)]
    fn array<'py>(slf: &Bound<'py, Self>, column: usize) -> Bound<'py, PyArray1<f64>> {
        let view = ArrayView1::from(&slf.get().table.columns[column].data[..]);
        // SAFETY: the class is frozen and nothing inside it changes the table, so the memory neither moves nor changes;
        // the array holds `slf` and with it the memory; and it is made read-only before anyone else sees it.
        let array = unsafe { PyArray1::borrow_from_array(&view, slf.clone().into_any()) };
        array.readwrite().make_nonwriteable();
        array
    }

    fn helper<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("biela._show")?.getattr(name)
    }
}

#[pymethods]
impl Results {
    /// The samples of a signal.
    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let table = &slf.get().table;
        match table.columns.iter().position(|c| c.name == name) {
            Some(k) => Ok(Self::array(slf, k)),
            None => {
                let names = table.columns.iter().map(|c| c.name.as_str());
                Err(told(biela::Error::new(format!("no signal '{name}'")).suggest(name, names)))
            }
        }
    }

    fn __contains__(&self, name: &str) -> bool {
        self.table.get(name).is_some()
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(slf.get().names().into_pyobject(slf.py())?.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        let name = self.table.note("model").unwrap_or("");
        format!("<biela.Results of '{name}': {} samples of {} signals>", self.table.len(), self.table.columns.len())
    }

    /// Names of all signals, in the order of the table.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.table.columns.iter().map(|c| c.name.as_str()).collect()
    }

    /// Numbers that were measured in the run, by their names, in SI.
    #[getter]
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let measures = PyDict::new(py);
        self.measures.iter().try_for_each(|(name, value)| measures.set_item(name, value))?;
        Ok(measures)
    }

    /// Unit of each signal.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        self.table.columns.iter().try_for_each(|c| units.set_item(&c.name, c.unit))?;
        Ok(units)
    }

    /// What is said about the run as a whole: pairs of key and text. A key may occur more than once.
    #[getter]
    fn notes(&self) -> Vec<(&str, &str)> {
        self.table.notes.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect()
    }

    /// Whether the run came to its end.
    #[getter]
    fn complete(&self) -> bool {
        self.table.is_complete()
    }

    /// Where and why the run ended before its time: a dict with ``t``, ``reason``, ``driver`` and ``value``; None where it is complete.
    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(ended) = &self.table.ended else { return Ok(None) };
        let told = PyDict::new(py);
        told.set_item("t", ended.t)?;
        told.set_item("reason", &ended.reason)?;
        told.set_item("driver", &ended.driver)?;
        told.set_item("value", ended.value)?;
        Ok(Some(told))
    }

    /// All columns: a dict from name to array.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(slf.py());
        for (k, column) in slf.get().table.columns.iter().enumerate() {
            columns.set_item(&column.name, Self::array(slf, k))?;
        }
        Ok(columns)
    }

    /// The results with these signals alone (and t): names, elements or patterns such as ``"*.x"``.
    fn select(&self, signals: Vec<String>) -> PyResult<Results> {
        let patterns: Vec<&str> = signals.iter().map(String::as_str).collect();
        let table = self.table.select(&patterns).map_err(told)?;
        Ok(Results { table, compiled: self.compiled.clone(), measures: self.measures.clone(), in_units: self.in_units })
    }

    /// The results in other units, such as ``"mm, deg, N, rpm"``: units not named follow from those named. Without an argument, in
    /// those of the model.
    #[pyo3(signature = (units = None))]
    fn in_units(&self, units: Option<&str>) -> PyResult<Results> {
        let table = match units {
            Some(text) => self.table.clone().in_units(&display_units(text)?),
            None => self.read_by_people().into_owned(),
        };
        Ok(Results { table, compiled: self.compiled.clone(), measures: self.measures.clone(), in_units: true })
    }

    /// Least and greatest value of each signal, as text, in the units of the model.
    fn summary(&self) -> String {
        results::summary(&self.read_by_people(), usize::MAX)
    }

    /// What the run tells besides its columns, as ``biela run --json`` does: how it was found, how well its laws hold, warnings.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(compiled) = &self.compiled else { return Ok(PyDict::new(py).into_any()) };
        let summary = Summary::of(&compiled.model, &self.in_si());
        let mut told = summary.json();
        told["warnings"] = compiled.warnings.iter().chain(&summary.warnings).cloned().collect();
        self.measures.iter().for_each(|(name, value)| told["measures"][name] = (*value).into());
        py.import("json")?.call_method1("loads", (told.to_string(),))
    }

    /// A pandas DataFrame with ``t`` as its index; units are in its ``attrs``.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::helper(slf, "to_pandas")?.call1((slf,))
    }

    /// A pyarrow Table; units and notes are in the metadata of its schema.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::helper(slf, "to_arrow")?.call1((slf,))
    }

    /// Writes the table; the ending says how: csv, json, npz, parquet.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        solve(py, || results::write(&path, &self.table))
    }

    /// A diagram of signals (names, patterns or expressions) over ``x``, shown by notebooks as SVG; ``save`` writes .svg or .png.
    #[pyo3(signature = (*signals, x = "t", title = None))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        signals: Vec<String>,
        x: &str,
        title: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let svg = slf.get().drawn(&signals, x, title.clone()).map(|p| plot::svg(&p))?;
        Self::helper(slf, "Plot")?.call1((slf, svg, signals, x, title))
    }

    /// Writes a diagram.
    fn _save_plot(&self, path: PathBuf, signals: Vec<String>, x: &str, title: Option<String>) -> PyResult<()> {
        plot::write(&path, &self.drawn(&signals, x, title)?).map_err(told)
    }

    /// The motion as a web page that a notebook shows inline and that needs no server; ``save`` writes it.
    fn view<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.get();
        let Some(compiled) = &this.compiled else {
            return Err(BielaError::new_err("results read from a file have no mechanism to draw"));
        };
        let html = solve(slf.py(), || {
            let table = this.in_si();
            let motion = Animation::new(&compiled.model, &table)?;
            Ok(page::html(&picture::scene(&compiled.model, &motion)?, &motion))
        })?;
        Self::helper(slf, "Page")?.call1((html,))
    }
}

impl Results {
    /// The table as people read it: in the units asked for, or else in those of the model.
    fn read_by_people(&self) -> Cow<'_, results::Results> {
        match self.compiled.as_ref().map(|compiled| &compiled.model.study.units) {
            Some(units) if !self.in_units && !units.is_si() => Cow::Owned(self.table.clone().in_units(units)),
            _ => Cow::Borrowed(&self.table),
        }
    }

    /// The table in SI, whatever it was turned into.
    fn in_si(&self) -> Cow<'_, results::Results> {
        match self.in_units {
            true => Cow::Owned(self.table.clone().in_units(&DisplayUnits::si())),
            false => Cow::Borrowed(&self.table),
        }
    }

    fn drawn(&self, signals: &[String], x: &str, title: Option<String>) -> PyResult<plot::Plot> {
        let patterns: Vec<&str> = signals.iter().map(String::as_str).collect();
        let parameters = self.compiled.as_ref().map(|c| c.model.parameters.clone()).unwrap_or_default();
        let parameters = Parameters {
            values: parameters.iter().map(|p| p.1).collect(),
            kinds: parameters.into_iter().map(|p| (p.0, Kind::Any)).collect(),
        };
        let texts: Vec<&str> = patterns.iter().copied().chain([x]).collect();
        let mut table = self.table.clone();
        drawn::complete(&mut table, None, &texts, &parameters).map_err(told)?;
        let chosen = table.select(&patterns).map_err(told)?;
        let given = |n: &&str| *n != "t" || patterns.contains(n);
        let names: Vec<&str> = chosen.columns.iter().map(|c| c.name.as_str()).filter(given).collect();
        if names.is_empty() {
            return Err(told(biela::Error::new("there is nothing to draw").note("name signals: r.plot(\"crank.x\")")));
        }
        // Units that were asked for stay; others are those of the model.
        let units = self.compiled.as_ref().filter(|_| !self.in_units).map(|c| c.model.study.units.clone());
        let table = table.in_units(&units.unwrap_or_default());
        let mut figure = plot::figure(&table, x, &names).map_err(told)?;
        figure.title = title.or(figure.title);
        Ok(figure)
    }
}

/// A list of units as Python gives it.
pub fn display_units(text: &str) -> PyResult<DisplayUnits> {
    let source = Source::new("units", text);
    DisplayUnits::parse(text, Some(&Span::new(&source, 0..text.len()))).map_err(|e| told(e.of("units")))
}

/// Reads a result file: csv, json, npz.
#[pyfunction]
pub fn read(py: Python<'_>, path: PathBuf) -> PyResult<Results> {
    solve(py, || results::read(&path)).map(|table| Results::new(table, None))
}
