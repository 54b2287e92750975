//! Motions of many designs as arrays.

use crate::errors::interruptible;
use crate::model::Model;
use biela::model::{Model as Mechanism, Study};
use biela::solve::designs::{Designs as Beside, Group};
use biela::solve::many::{motions, NUMBERS};
use biela::solve::newton::METHODS;
use biela::solve::run::formulation_of;
use biela::solve::samples::{samples, time};
use biela::system::{resolve, System, AUTO};
use biela::text::{Options, Parametric};
use biela::tree::Level;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

/// Designs whose models are held at a time.
const TOGETHER: usize = 64;

/// What is told of bodies: names, first number, how many.
const PARTS: [(&str, usize, usize); 6] = [
    ("position", 0, 3),
    ("attitude", 3, 4),
    ("velocity", 7, 3),
    ("angular_velocity", 10, 3),
    ("acceleration", 13, 3),
    ("angular_acceleration", 16, 3),
];

/// What changes from design to design.
enum Given {
    /// Names of parameters, and the values of each design, in SI.
    Parameters(Vec<String>, Vec<Vec<f64>>),
    /// Laws of joints in each design.
    Laws(Vec<Vec<(String, String)>>),
}

impl Given {
    /// N numbers for each parameter, or N laws of time for each joint.
    fn of(dict: &Bound<'_, PyDict>) -> PyResult<Given> {
        let (mut names, mut numbers, mut laws) = (Vec::new(), Vec::new(), Vec::new());
        for (name, values) in dict.iter() {
            let name: String = name.extract()?;
            match values.extract::<Vec<f64>>() {
                Ok(values) => {
                    names.push(name);
                    numbers.push(values);
                }
                Err(_) => laws.push((name, values.extract::<Vec<String>>()?)),
            }
        }
        let counts: Vec<usize> = numbers.iter().map(Vec::len).chain(laws.iter().map(|l| l.1.len())).collect();
        let count = counts.first().copied().unwrap_or(0);
        if counts.iter().any(|n| *n != count) {
            return Err(PyValueError::new_err("every name needs as many values as the others"));
        }
        match (names.is_empty(), laws.is_empty()) {
            (false, false) => {
                Err(PyValueError::new_err("give numbers for parameters or laws for joints, not both at once"))
            }
            (true, false) => {
                let of = |k: usize| laws.iter().map(|(name, of)| (name.clone(), of[k].clone())).collect();
                Ok(Given::Laws((0..count).map(of).collect()))
            }
            _ => {
                let of = |k: usize| numbers.iter().map(|of| of[k]).collect();
                Ok(Given::Parameters(names, (0..count).map(of).collect()))
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Given::Parameters(_, values) => values.len(),
            Given::Laws(laws) => laws.len(),
        }
    }
}

/// Numbers of all designs: time by time, body by body, [`NUMBERS`] each; and why some have none.
struct Found {
    numbers: Vec<f64>,
    /// Numbers of one design.
    each: usize,
    failed: Vec<(usize, String)>,
}

#[pymethods]
impl Model {
    /// Position, velocity and acceleration of all bodies at the samples of the run, or at ``times``, of N designs side by side. ``given`` maps
    /// names of parameters to N numbers in SI, or names of joints to N laws of time, as ``drive`` takes them. The answer maps ``t`` to the times and ``position``,
    /// ``attitude`` (Euler parameters), ``velocity``, ``angular_velocity``, ``acceleration`` and ``angular_acceleration`` to arrays of shape (N, times, bodies, 3 or 4),
    /// bodies in the order of ``bodies``; designs that cannot be moved are NaN there, and ``failed`` maps their numbers to the reason.
    #[pyo3(signature = (given, *, times = None))]
    fn kinematics<'py>(
        &self,
        py: Python<'py>,
        given: &Bound<'py, PyDict>,
        times: Option<Vec<f64>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let given = Given::of(given)?;
        let compiled = self.compiled(py)?;
        let nominal = &compiled.model;
        let times = times.unwrap_or_else(|| (0..samples(nominal)).map(|k| time(nominal, k)).collect());
        let bodies = nominal.bodies.len() - 1;
        let (count, each) = (given.len(), times.len() * bodies * NUMBERS);
        if (count as u64).saturating_mul(each as u64).saturating_mul(8) > Study::ROOM {
            return Err(PyValueError::new_err(format!(
                "{count} designs at {} times do not fit into memory",
                times.len()
            )));
        }
        let word = resolve(nominal, formulation_of(nominal)).to_string();
        let (document, options) = self.source();
        let mut found = interruptible(py, |go_on| {
            let closed =
                (formulation_of(nominal) == AUTO).then(|| Beside::of_bodies(nominal, &word, METHODS[0], &times));
            let closed = closed.flatten();
            let mut found = Found { numbers: vec![0.0; count * each], each, failed: Vec::new() };
            let mut made = Designs::new(&document, &options, &given, closed.as_ref());
            for first in (0..count).step_by(TOGETHER) {
                if !go_on() {
                    return Err(biela::Error::new(format!("stopped by the user after {first} of {count} designs")));
                }
                made.run(first..(first + TOGETHER).min(count), &times, &word, &mut found);
            }
            for (k, _) in &found.failed {
                found.numbers[k * each..(k + 1) * each].fill(f64::NAN);
            }
            Ok(found)
        })?;
        let answer = PyDict::new(py);
        answer.set_item("t", PyArray1::from_slice(py, &times))?;
        // Parts are views of one array.
        let all = PyArray1::from_vec(py, found.numbers).reshape([count, times.len(), bodies, NUMBERS])?;
        for (name, first, width) in PARTS {
            let of_part = PySlice::new(py, first as isize, (first + width) as isize, 1);
            answer.set_item(name, all.get_item((py.Ellipsis(), of_part))?)?;
        }
        let failed = PyDict::new(py);
        found.failed.sort_unstable();
        found.failed.into_iter().try_for_each(|(k, reason)| failed.set_item(k, reason))?;
        answer.set_item("failed", failed)?;
        Ok(answer)
    }
}

/// Makes models of designs, and runs them.
struct Designs<'a> {
    document: &'a biela::Document,
    options: &'a Options,
    given: &'a Given,
    parametric: Option<Parametric<'a>>,
    /// Lanes in which designs stand side by side.
    group: Option<Group<'a>>,
}

impl<'a> Designs<'a> {
    fn new(document: &'a biela::Document, options: &'a Options, given: &'a Given, closed: Option<&'a Beside>) -> Self {
        let parametric = match given {
            Given::Parameters(names, _) => Some(Parametric::new(document, options, names.iter().cloned())),
            Given::Laws(_) => None,
        };
        // Registers wider than there are designs would work for nothing; the bits are the same.
        let level = match given.len() {
            1 => Level::Portable,
            2..=4 => Level::detect().min(Level::Avx2),
            _ => Level::detect(),
        };
        Designs { document, options, given, parametric, group: closed.map(|plan| Group::new(plan, level)) }
    }

    /// Hands a design's model on.
    fn with_model<T>(
        &mut self,
        k: usize,
        use_it: impl FnOnce(&Mechanism, Option<&mut Group<'a>>) -> T,
    ) -> biela::Result<T> {
        match (self.given, &mut self.parametric) {
            (Given::Parameters(names, values), Some(parametric)) => {
                if let Some(at) = values[k].iter().position(|x| !x.is_finite()) {
                    let error = biela::Error::new("it is not a finite number");
                    return Err(error.of(format!("parameter '{}'", names[at])));
                }
                Ok(use_it(parametric.bind(&values[k])?, self.group.as_mut()))
            }
            (Given::Laws(laws), _) => {
                let mut options = self.options.clone();
                options.drive.extend(laws[k].iter().cloned());
                Ok(use_it(&self.document.model(&options)?, self.group.as_mut()))
            }
            (Given::Parameters(..), None) => Ok(use_it(&self.document.model(self.options)?, self.group.as_mut())),
        }
    }

    /// Runs these designs and puts their numbers in place.
    fn run(&mut self, range: std::ops::Range<usize>, times: &[f64], word: &str, found: &mut Found) {
        let Some(width) = self.group.as_ref().map(Group::width) else {
            return self.run_alone(&range.collect::<Vec<_>>(), times, word, found);
        };
        // Designs in the first lanes, whatever becomes of those between.
        let mut waiting = range;
        while !waiting.is_empty() {
            let (mut seated, mut alone) = (Vec::new(), Vec::new());
            while let Some(k) = (seated.len() < width).then(|| waiting.next()).flatten() {
                let lane = seated.len();
                match self.with_model(k, |model, group| group.is_some_and(|group| group.seat(lane, model))) {
                    Ok(true) => seated.push(k),
                    Ok(false) => alone.push(k),
                    Err(error) => found.failed.push((k, error.to_string())),
                }
            }
            if let Some(group) = &mut self.group {
                let first = seated.first().copied().unwrap_or(0);
                let rows = found.numbers.chunks_exact_mut(found.each.max(1)).skip(first).zip(first..waiting.start);
                let mut rows: Vec<&mut [f64]> = rows.filter(|(_, k)| seated.contains(k)).map(|(row, _)| row).collect();
                group.run_into(&mut rows);
                let lanes = seated.into_iter().enumerate();
                alone.extend(lanes.filter(|(lane, _)| !group.is_whole(*lane)).map(|(_, k)| k));
            }
            self.run_alone(&alone, times, word, found);
        }
    }

    /// The same by the general solvers.
    fn run_alone(&mut self, designs: &[usize], times: &[f64], word: &str, found: &mut Found) {
        let models: Vec<(usize, Mechanism)> =
            designs.iter().filter_map(|k| Some((*k, self.with_model(*k, |model, _| model.clone()).ok()?))).collect();
        let (mut places, mut systems) = (Vec::new(), Vec::new());
        for (k, model) in &models {
            match System::new(model, word) {
                Ok(system) => {
                    places.push(*k);
                    systems.push(system);
                }
                Err(error) => found.failed.push((*k, error.to_string())),
            }
        }
        let each = found.each;
        for (k, motion) in places.into_iter().zip(motions(&systems, times)) {
            match motion {
                Ok(numbers) if numbers.len() == each => {
                    found.numbers[k * each..(k + 1) * each].copy_from_slice(&numbers);
                }
                Ok(_) => found.failed.push((k, "it has other bodies than the model".into())),
                Err(error) => found.failed.push((k, error.to_string())),
            }
        }
    }
}
