//! `biela.Model`: a model's text, compiled when it is first needed, and what can be asked of it.

use crate::compiled::Compiled;
use crate::errors::{interruptible, leavable, solve, told, BielaError};
use crate::results::{display_units, Results};
use crate::tree_values;
use biela::model::{Analysis, Model as Mechanism, Singular};
use biela::plan::{measure, Measures, Wanted};
use biela::results::Column;
use biela::signal::Choice;
use biela::sizing::{Sizing, USUAL_FLUCTUATION};
use biela::solve::ik::{self, Redundancy, Task};
use biela::solve::mechanism::linkage;
use biela::solve::newton::{self, Method, METHODS};
use biela::solve::outcome::Outcome;
use biela::solve::range::range;
use biela::solve::run::{counted_in, formulation_of, run_as_far, run_with_forces};
use biela::solve::verify::verify_by;
use biela::solve::{assembly_modes, check};
use biela::source::{Source, Span};
use biela::system::{formulation_words, FORMULATIONS, VARIANTS};
use biela::text::tree::{Table, Value};
use biela::text::{Document, Options};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

struct State {
    document: Arc<Document>,
    options: Options,
    compiled: Option<Arc<Compiled>>,
}

/// The part of `biela.Model` that is Rust.
#[pyclass(subclass, frozen, module = "biela._biela", name = "Model")]
pub struct Model(Mutex<State>);

type Pairs = Vec<(String, String)>;
type Values = Vec<(String, f64)>;

/// The method of correction of that name.
pub fn newton_method(word: Option<&str>) -> PyResult<&'static dyn Method> {
    let words = || METHODS.iter().map(|m| m.keyword());
    let Some(word) = word else { return Ok(METHODS[0]) };
    newton::method(word).ok_or_else(|| unknown("newton", word, words()))
}

fn unknown<'a>(what: &str, word: &str, allowed: impl Iterator<Item = &'a str>) -> PyErr {
    told(biela::Error::new(format!("no {what} '{word}'")).suggest(word, allowed))
}

fn chosen<T: Copy>(what: &str, word: Option<&str>, all: &[(&'static str, T)]) -> PyResult<Option<T>> {
    let Some(word) = word else { return Ok(None) };
    let found = all.iter().find(|a| a.0 == word).map(|a| Some(a.1));
    found.ok_or_else(|| unknown(what, word, all.iter().map(|a| a.0)))
}

fn formulation<'a>(asked: Option<&'a str>, model: &'a Mechanism) -> PyResult<&'a str> {
    match asked {
        None => Ok(formulation_of(model)),
        Some(word) if formulation_words().any(|f| f == word) => Ok(word),
        Some(word) => Err(unknown("formulation", word, formulation_words())),
    }
}

fn json<'py>(py: Python<'py>, text: String) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

impl Model {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|p| p.into_inner())
    }

    /// The text and how it is read.
    pub fn source(&self) -> (Arc<Document>, Options) {
        let state = self.lock();
        (state.document.clone(), state.options.clone())
    }

    /// What a run is to measure; `choice` then fills what that needs.
    fn measures(
        &self,
        model: &Mechanism,
        asked: Option<&Bound<'_, PyDict>>,
        choice: &mut Choice,
    ) -> PyResult<Measures> {
        let mut wanted = Vec::new();
        for (name, text) in asked.iter().flat_map(|asked| asked.iter()) {
            let (name, text): (String, String) = (name.extract()?, text.extract()?);
            measure::check_name(&name).map_err(told)?;
            let source = Source::new(format!("measure '{name}'"), text.as_str());
            let span = Some(Span::new(&source, 0..text.len()));
            wanted.push(Wanted { name, text, span });
        }
        let (document, options) = self.source();
        let kinds = if wanted.is_empty() { Vec::new() } else { document.parameter_kinds(&options).map_err(told)? };
        Measures::new(model, kinds, wanted, choice).map_err(told)
    }

    /// The same with other values of parameters: nothing is read again.
    fn bound(&self, py: Python<'_>, values: Values) -> PyResult<Model> {
        let compiled = self.compiled(py)?;
        let (document, mut options) = self.source();
        options.values.retain(|(name, _)| !values.iter().any(|v| v.0 == *name));
        options.values.extend(values);
        let compiled = solve(py, || compiled.bound(&document, &options))?;
        Ok(Model(Mutex::new(State { document, options, compiled: Some(compiled) })))
    }

    /// The compiled model. The lock is never held while anything is computed.
    pub fn compiled(&self, py: Python<'_>) -> PyResult<Arc<Compiled>> {
        if let Some(compiled) = &self.lock().compiled {
            return Ok(compiled.clone());
        }
        let (document, options) = self.source();
        let compiled = solve(py, || Compiled::new(&document, &options))?;
        let mut state = self.lock();
        if Arc::ptr_eq(&state.document, &document) {
            state.compiled = Some(compiled.clone());
        }
        Ok(compiled)
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (*, text = None, path = None, tree = None, bound = None, file = String::new(), folder = PathBuf::new(), set = vec![],
        values = vec![], drive = vec![], gravity = None, unphysical = false, lenient = false, strict = false, free_base = false, start = None, end = None, steps = None,
        analysis = None, units = None, mode = None))]
    #[allow(clippy::too_many_arguments)]
    // Many: keyword arguments of Python.
    fn new(
        py: Python<'_>,
        text: Option<String>,
        path: Option<PathBuf>,
        tree: Option<&Bound<'_, PyDict>>,
        bound: Option<(PyRef<'_, Model>, Values)>,
        file: String,
        folder: PathBuf,
        set: Pairs,
        values: Values,
        drive: Pairs,
        gravity: Option<Vec<f64>>,
        unphysical: bool,
        lenient: bool,
        strict: bool,
        free_base: bool,
        start: Option<f64>,
        end: Option<f64>,
        steps: Option<usize>,
        analysis: Option<&str>,
        units: Option<&str>,
        mode: Option<usize>,
    ) -> PyResult<Model> {
        if mode == Some(0) {
            return Err(BielaError::new_err("modes are numbered from 1, as assemble(all=True) lists them"));
        }
        if let Some((model, values)) = bound {
            return model.bound(py, values);
        }
        // Two numbers are gravity of a planar model.
        let gravity = match gravity.as_deref() {
            None => None,
            Some(&[x, y, z]) if [x, y, z].iter().all(|x| x.is_finite()) => Some([x, y, z]),
            Some(&[x, y]) if x.is_finite() && y.is_finite() => Some([x, y, f64::NAN]),
            Some(_) => {
                return Err(BielaError::new_err("gravity is not three finite numbers, nor two of a planar model"))
            }
        };
        let analysis = chosen("analysis", analysis, &Analysis::ALL)?;
        let options = Options {
            set,
            values,
            drive,
            gravity,
            unphysical,
            lenient,
            strict,
            free_base,
            start,
            end,
            steps,
            analysis,
            units: units.map(display_units).transpose()?,
            mode,
            ..Options::default()
        };
        let tree = tree.map(tree_values::table).transpose()?;
        let document = solve(py, || match (path, tree) {
            (Some(path), _) => Document::read(&path, &options),
            (None, Some(tree)) => Ok(Document { file, folder, ..Document::from_tree(tree, Vec::new()) }),
            (None, None) => {
                let document = Document::from_toml(&Source::new(&file, text.unwrap_or_default()))?;
                Ok(Document { folder, ..document })
            }
        })?;
        Ok(Model(Mutex::new(State { document: Arc::new(document), options, compiled: None })))
    }

    /// Puts keys into a section of the model: all of an element's, where one is named.
    #[pyo3(signature = (section, name, keys))]
    fn _edit(&self, section: &str, name: Option<String>, keys: &Bound<'_, PyDict>) -> PyResult<()> {
        let keys = tree_values::table(keys)?;
        let mut state = self.lock();
        let tree = &mut Arc::make_mut(&mut state.document).tree;
        if tree.get(section).is_none() {
            tree.set(section, Table::default());
        }
        let there = tree.entries.iter_mut().find(|e| e.key == section).map(|e| &mut e.node.value);
        let Some(Value::Table(inside)) = there else {
            return Err(BielaError::new_err(format!("'{section}' of this model is not a table")));
        };
        match name {
            Some(name) => inside.set(name, keys),
            None => keys.entries.into_iter().for_each(|e| inside.set(e.key, e.node)),
        }
        state.compiled = None;
        Ok(())
    }

    /// All that the model is made of, for pickling.
    fn _source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (document, options) = self.source();
        let source = PyDict::new(py);
        source.set_item("text", document.to_toml_with(&Options::default(), &[]).map_err(told)?)?;
        source.set_item("file", &document.file)?;
        source.set_item("folder", &document.folder)?;
        source.set_item("set", options.set)?;
        source.set_item("values", options.values)?;
        source.set_item("drive", options.drive)?;
        source.set_item(
            "gravity",
            options.gravity.map(|g| g.into_iter().filter(|x| x.is_finite()).collect::<Vec<f64>>()),
        )?;
        source.set_item("unphysical", options.unphysical)?;
        source.set_item("lenient", options.lenient)?;
        source.set_item("strict", options.strict)?;
        source.set_item("free_base", options.free_base)?;
        source.set_item("start", options.start)?;
        source.set_item("end", options.end)?;
        source.set_item("steps", options.steps)?;
        let word = options.analysis.and_then(|a| Analysis::ALL.iter().find(|x| x.1 == a)).map(|a| a.0);
        source.set_item("analysis", word)?;
        source.set_item("units", options.units.map(|units| units.to_string()))?;
        source.set_item("mode", options.mode)?;
        Ok(source)
    }

    /// The model as TOML, with the values of parameters that it has. Where it was read from a text and nothing but values of parameters
    /// has changed, everything else in the text stays, comments too.
    fn to_toml(&self) -> PyResult<String> {
        let (document, options) = self.source();
        document.to_toml_with(&options, &options.values).map_err(told)
    }

    /// Name of the model.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.compiled(py)?.model.name.clone())
    }

    /// What deserves a warning, one line each.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.compiled(py)?.warnings.clone())
    }

    /// Units in which tables, plots and pages show results: a list such as ``"mm, deg, N, rpm"``; empty for SI.
    #[getter]
    fn units(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.compiled(py)?.model.study.units.to_string())
    }

    /// Names of the bodies, without the ground.
    #[getter]
    fn bodies(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.compiled(py)?.model.bodies.iter().skip(1).map(|b| b.name.clone()).collect())
    }

    /// Names of the joints.
    #[getter]
    fn joints(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.compiled(py)?.model.joints.iter().map(|j| j.name.clone()).collect())
    }

    /// The parameters in force, in SI.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = PyDict::new(py);
        self.compiled(py)?.model.parameters.iter().try_for_each(|(name, x)| parameters.set_item(name, x))?;
        Ok(parameters)
    }

    /// Reads, assembles and counts: the report of ``biela check --json`` as a dict.
    #[pyo3(signature = (formulation = None))]
    fn check<'py>(&self, py: Python<'py>, formulation: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let word = counted_in(&compiled.model, formulation).to_string();
        self::formulation(Some(&word), &compiled.model)?;
        let report = leavable(py, move || {
            let mut told = check::check(&compiled.model, &word)?.json();
            told["warnings"] = compiled.warnings.clone().into();
            Ok(told.to_string())
        })?;
        json(py, report)
    }

    /// Closes the loops at the start: the report of ``biela assemble --json``; ``all`` finds every configuration.
    #[pyo3(signature = (all = false))]
    fn assemble<'py>(&self, py: Python<'py>, all: bool) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let find = if all { assembly_modes::all } else { assembly_modes::drawn };
        let report =
            leavable(py, move || find(&compiled.model, compiled.model.study.start).map(|m| m.json().to_string()))?;
        json(py, report)
    }

    /// How far a driver can go both ways, and what ends it: the report of ``biela range --json``. ``driver`` names one, or a joint or its
    /// coordinate to drive in place of the model's one driver.
    #[pyo3(signature = (driver = None))]
    fn range<'py>(&self, py: Python<'py>, driver: Option<String>) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let report = leavable(py, move || range(&compiled.model, driver.as_deref()).map(|r| r.json().to_string()))?;
        json(py, report)
    }

    /// What motors must give, what bearings bear, masses and paths, over a run with forces: the data of ``biela report --json``.
    /// ``fluctuation`` is the wanted (greatest - least)/mean speed of steadily turning drivers, for their flywheels.
    #[pyo3(signature = (fluctuation = USUAL_FLUCTUATION))]
    fn sizing<'py>(&self, py: Python<'py>, fluctuation: f64) -> PyResult<Bound<'py, PyAny>> {
        if !(fluctuation > 0.0 && fluctuation <= 1.0) {
            return Err(BielaError::new_err("a coefficient of fluctuation lies above 0 and at 1 at most"));
        }
        let compiled = self.compiled(py)?;
        let report = interruptible(py, |go_on| {
            let model = compiled.model.with_study(compiled.model.study.clone());
            let formulation = formulation_of(&model).to_string();
            let (model, found) = run_with_forces(model, &formulation, METHODS[0], |_, _| go_on())?;
            found.ended.map_or(Ok(Sizing::of(&model, &found.results, fluctuation).json().to_string()), Err)
        })?;
        json(py, report)
    }

    /// What the theory of machines reads off a planar linkage at a time, or at the start: the report of ``biela linkage --json``.
    #[pyo3(signature = (at = None))]
    fn linkage<'py>(&self, py: Python<'py>, at: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let report = leavable(py, move || linkage(&compiled.model, at).map(|r| r.json().to_string()))?;
        json(py, report)
    }

    /// Solves by every formulation that can: the report of ``biela verify --json``.
    #[pyo3(signature = (all = false, newton = None))]
    fn verify<'py>(&self, py: Python<'py>, all: bool, newton: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let compiled = self.compiled(py)?;
        let method = newton_method(newton)?;
        let variants = if all { VARIANTS } else { &[] };
        let report = interruptible(py, |go_on| {
            let by = FORMULATIONS.iter().chain(variants);
            verify_by(by, &compiled.model, method, |_, _| go_on()).map(|v| v.json().to_string())
        })?;
        json(py, report)
    }

    /// Solves over time. What is not given is as the model says. ``measure`` maps names to expressions of signals reduced to one number, such as
    /// ``{"peak": "max(abs(motor.effort))"}``: ``Results.measures``.
    #[pyo3(signature = (analysis = None, *, start = None, end = None, steps = None, formulation = None, newton = None,
        signals = None, measure = None, singular = None, singularity = false))]
    #[allow(clippy::too_many_arguments)]
    // Many: keyword arguments of Python.
    fn run(
        &self,
        py: Python<'_>,
        analysis: Option<&str>,
        start: Option<f64>,
        end: Option<f64>,
        steps: Option<usize>,
        formulation: Option<&str>,
        newton: Option<&str>,
        signals: Option<Vec<String>>,
        measure: Option<Bound<'_, PyDict>>,
        singular: Option<&str>,
        singularity: bool,
    ) -> PyResult<Results> {
        let analysis = chosen("analysis", analysis, &Analysis::ALL)?;
        let singular = chosen("policy", singular, &Singular::ALL)?;
        let method = newton_method(newton)?;
        let asked = analysis.is_some() || start.is_some() || end.is_some() || steps.is_some() || singular.is_some();
        let compiled = if asked || singularity {
            let (document, mut options) = self.source();
            options.analysis = analysis.or(options.analysis);
            options.start = start.or(options.start);
            options.end = end.or(options.end);
            options.steps = steps.or(options.steps);
            options.singular = singular.or(options.singular);
            options.singularity = singularity;
            solve(py, || Compiled::new(&document, &options))?
        } else {
            self.compiled(py)?
        };
        let word = self::formulation(formulation, &compiled.model)?;
        let wanted: Vec<&str> =
            signals.as_ref().unwrap_or(&compiled.model.study.signals).iter().map(|s| &**s).collect();
        let mut choice = Choice::new(&compiled.model, &wanted).map_err(told)?;
        let measures = self.measures(&compiled.model, measure.as_ref(), &mut choice)?;
        let narrow = compiled.model.with_study(choice.narrowed(&compiled.model.study));
        let Outcome { results, ended } = match narrow.study.analysis {
            // Natural modes are found in one piece.
            Analysis::Modes => {
                let word = word.to_string();
                leavable(py, move || run_as_far(&narrow, &word, method, |_, _| true))?
            }
            _ => interruptible(py, |go_on| run_as_far(&narrow, word, method, |_, _| go_on()))?,
        };
        let measured = measures.of(&compiled.model, &results).map_err(told)?;
        let measured = measured.into_iter().map(|m| (m.name, m.value)).collect();
        let found = Results::new(choice.take(results).map_err(told)?, Some(compiled)).with_measures(measured);
        match ended {
            None => Ok(found),
            Some(error) => {
                let raised = told(error);
                raised.value(py).setattr("results", Bound::new(py, found)?)?;
                Err(raised)
            }
        }
    }

    /// Joint coordinates for a tool's path: expressions of t for x, y, z, roll, pitch, yaw, or ``path``, a dict of columns.
    #[pyo3(signature = (tool, *, x = None, y = None, z = None, roll = None, pitch = None, yaw = None, path = None,
        keep = vec![], redundancy = None))]
    #[allow(clippy::too_many_arguments)]
    // Many: keyword arguments of Python.
    fn _ik(
        &self,
        py: Python<'_>,
        tool: String,
        x: Option<String>,
        y: Option<String>,
        z: Option<String>,
        roll: Option<String>,
        pitch: Option<String>,
        yaw: Option<String>,
        path: Option<Vec<(String, PyReadonlyArray1<'_, f64>)>>,
        keep: Vec<String>,
        redundancy: Option<&str>,
    ) -> PyResult<Results> {
        let rule = chosen("redundancy", redundancy, &Redundancy::ALL)?.unwrap_or_default();
        let compiled = self.compiled(py)?;
        let table = path.map(|columns| {
            let columns = columns.into_iter().map(|(name, data)| Column::new(name, "1", data.as_array().to_vec()));
            biela::results::Results { columns: columns.collect(), ..Default::default() }
        });
        let own = compiled.clone();
        let found = leavable(py, move || {
            let task = match &table {
                Some(table) => {
                    table.check()?;
                    Task::by_table(&own.model, &tool, table)?
                }
                None => {
                    let given = [&x, &y, &z, &roll, &pitch, &yaw].map(|text| text.as_deref());
                    Task::by_expressions(&own.model, &tool, given, "")?
                }
            };
            let chosen = assembly_modes::chosen(&own.model)?;
            ik::run(chosen.as_ref().unwrap_or(&own.model), &task, &keep, rule)
        })?;
        Ok(Results::new(found, Some(compiled)))
    }
}
