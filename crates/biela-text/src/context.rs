//! What every part of the compiler needs: parameters, the folder of the model, options, and a place for warnings.

use super::parameters::Parameters;
use super::paths::Search;
use biela_base::display_units::DisplayUnits;
use biela_base::error::{Error, Result};
use biela_core::blueprint::{Binding, Varying};
use biela_core::expr::{Name, Scope};
use biela_core::model::{Analysis, Singular, Space};
use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// What the caller asks for besides the model's own text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// Parameters to override: name and expression (`--set crank=2.2`).
    pub set: Vec<(String, String)>,
    /// Parameters whose value in SI is given outright, in place of the model's and of `set`; they keep their dimension.
    pub values: Vec<(String, f64)>,
    /// Drivers to add, or to put in place of the model's own: joint or `joint.coordinate`, and expression (`--drive`).
    pub drive: Vec<(String, String)>,
    /// Unknown keys are warnings, not errors.
    pub lenient: bool,
    /// What is doubtful in files that other programs wrote is an error; else it is told.
    pub strict: bool,
    /// Unphysical inertias are warnings, not errors, as by `unphysical = true` on every body.
    pub unphysical: bool,
    /// Gravity in place of the model's own. The third is no number where two were given, which suit planar models alone.
    pub gravity: Option<[f64; 3]>,
    /// The root of an imported robot floats.
    pub free_base: bool,
    /// Analysis in place of the model's own.
    pub analysis: Option<Analysis>,
    /// Start of the run in place of the model's own.
    pub start: Option<f64>,
    /// End of the run in place of the model's own.
    pub end: Option<f64>,
    /// Number of steps in place of the model's own.
    pub steps: Option<usize>,
    /// Units that people read, in place of the model's own.
    pub units: Option<DisplayUnits>,
    /// What to do at singular positions, in place of the model's own.
    pub singular: Option<Singular>,
    /// The distance to singularity becomes a column of the results.
    pub singularity: bool,
    /// Number of the configuration to start from, in place of the model's own.
    pub mode: Option<usize>,
    /// Meshes of files that other programs wrote are not read: nothing will be drawn.
    pub undrawn: bool,
    /// Files that the model names must lie in its own folder: for texts that come from elsewhere.
    pub confined: bool,
}

/// Shared by all readers of one model.
pub(super) struct Context<'a> {
    pub parameters: &'a Parameters,
    /// Tables and meshes are looked for here.
    pub folder: &'a Path,
    pub options: &'a Options,
    /// What the model moves in: vectors of a plane have two entries.
    pub space: Space,
    /// The parameters' values, which elements are made with while they are read.
    pub binding: Binding<'a>,
    /// Whether a file was asked for.
    pub named_files: Cell<bool>,
    /// Whether another program wrote the model.
    pub foreign: bool,
    /// Whether plans of elements are kept beside the elements that they make.
    pub planned: bool,
}

impl<'a> Context<'a> {
    pub fn new(parameters: &'a Parameters, folder: &'a Path, options: &'a Options, space: Space) -> Context<'a> {
        let binding = Binding::new(parameters.list());
        Context {
            parameters,
            folder,
            options,
            space,
            binding,
            named_files: Cell::new(false),
            foreign: false,
            planned: true,
        }
    }

    /// Whether the model is planar.
    pub fn is_planar(&self) -> bool {
        self.space.is_planar()
    }

    /// What to write, in space and in a plane.
    pub fn form<'t>(&self, spatial: &'t str, planar: &'t str) -> &'t str {
        match self.space {
            Space::Spatial => spatial,
            Space::Planar => planar,
        }
    }

    /// Where a file that the model names is; refused where it must lie in the model's folder and does not.
    pub fn path(&self, file: &str) -> Result<PathBuf> {
        self.named_files.set(true);
        let path = self.folder.join(file);
        if !self.options.confined {
            return Ok(path);
        }
        let outside = || {
            Error::new(format!("'{file}' is not in the model's folder"))
                .note("only files of that folder and of folders in it are read here")
        };
        if !Path::new(file).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir)) {
            return Err(outside());
        }
        // A link may lead elsewhere; what does not exist is for the reader to tell.
        match (path.canonicalize(), self.folder.canonicalize()) {
            (Ok(real), Ok(folder)) if !real.starts_with(&folder) => Err(outside()),
            _ => Ok(path),
        }
    }

    /// Where a mesh is: as any file, and also where packages of the model's folder lie, which files of other programs name.
    pub fn mesh_path(&self, file: &str) -> Result<PathBuf> {
        let search = Search { folder: self.folder, confined: false };
        if self.options.confined && search.holds_mesh(file) {
            self.named_files.set(true);
            return Ok(self.folder.join(file));
        }
        self.path(file)
    }

    /// What a plan makes; the plan goes into the list where plans are kept.
    pub fn make<P, T>(&self, plan: P, plans: &mut Vec<Varying<P>>, build: impl FnOnce(&P) -> Result<T>) -> Result<T> {
        let (plan, made) = Varying::make(plan, &self.binding, build)?;
        if self.planned {
            plans.push(plan);
        }
        Ok(made)
    }

    /// Keeps an error's one-line message as a warning.
    pub fn warn(&self, error: &Error) {
        self.binding.warn(error.clone());
    }

    /// What was kept.
    pub fn take_warnings(&self) -> Vec<Error> {
        self.binding.take_warnings().into_iter().map(|(_, warning)| warning).collect()
    }
}

/// The parameters alone.
impl Scope for Context<'_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        self.parameters.lookup(name)
    }
    fn names(&self) -> Vec<String> {
        self.parameters.names()
    }
    fn value(&self, parameter: usize) -> f64 {
        self.parameters.value(parameter)
    }
    fn hold(&self, parameter: usize) {
        self.parameters.hold(parameter);
    }
    fn unit_used(&self, unit: &str, text: &str) {
        self.parameters.unit_used(unit, text);
    }
}

/// Parameters, and variables that take slots of the environment.
pub(super) struct Variables<'a> {
    parameters: &'a Parameters,
    slots: HashMap<String, Name>,
    listed: Vec<String>,
}

impl<'a> Variables<'a> {
    pub fn new(parameters: &'a Parameters) -> Variables<'a> {
        Variables { parameters, slots: HashMap::new(), listed: Vec::new() }
    }

    /// Parameters and `t` in slot 0.
    pub fn time(parameters: &'a Parameters) -> Variables<'a> {
        Variables::new(parameters).with("t", 0)
    }

    pub fn with(mut self, name: impl Into<String>, slot: usize) -> Variables<'a> {
        self.add(name.into(), slot);
        self
    }

    pub fn add(&mut self, name: String, slot: usize) {
        self.add_as(name, Name::Variable(slot));
    }

    pub fn add_as(&mut self, name: String, meaning: Name) {
        self.listed.push(name.clone());
        self.slots.insert(name, meaning);
    }
}

impl Scope for Variables<'_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        match self.slots.get(name) {
            Some(meaning) => Some(*meaning),
            None => self.parameters.lookup(name),
        }
    }
    fn names(&self) -> Vec<String> {
        self.listed.iter().cloned().chain(self.parameters.names()).collect()
    }
    fn value(&self, parameter: usize) -> f64 {
        self.parameters.value(parameter)
    }
    fn hold(&self, parameter: usize) {
        self.parameters.hold(parameter);
    }
    fn unit_used(&self, unit: &str, text: &str) {
        self.parameters.unit_used(unit, text);
    }
}
