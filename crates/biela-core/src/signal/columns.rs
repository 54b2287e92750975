//! Every column of a run in its order, before anything runs.

use super::{coordinate_elements, Cost, Element, Signal};
use crate::model::{Analysis, Model, Singular, Study};

/// The columns of a run.
#[derive(Debug, Clone)]
pub struct Signals {
    list: Vec<Signal>,
    /// Whether there can be no others: where loads press against joint limits, and for state-space matrices, the run itself says.
    pub complete: bool,
}

/// How much a run of a motion tells besides time, bodies, joint coordinates and residual.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extent {
    /// Reactions, efforts and energies.
    pub forces: bool,
    /// The balance of energy and work.
    pub balance: bool,
    /// The assembly mode.
    pub mode: bool,
    /// The distance to singularity.
    pub singularity: bool,
    /// How far drivers are from what they ask.
    pub lag: bool,
}

impl Extent {
    /// That of a run of a motion.
    pub fn of(study: &Study) -> Extent {
        let under_forces = study.analysis == Analysis::Dynamics;
        Extent {
            forces: study.analysis != Analysis::Kinematics,
            balance: under_forces,
            mode: true,
            singularity: study.singularity && !under_forces,
            lag: study.singular == Singular::Damp && !under_forces,
        }
    }
}

/// What of the forces a run must compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// Reactions and efforts.
    pub forces: bool,
    /// Energies.
    pub energies: bool,
}

impl Signals {
    /// The columns of a model's run.
    pub fn of(model: &Model) -> Signals {
        match model.study.analysis {
            Analysis::Modes => Signals::of_modes(model),
            Analysis::StateSpace => Signals { list: Element::Time.signals(model).collect(), complete: false },
            Analysis::Statics => {
                let extent = Extent::of(&model.study);
                // Whether loads have anything to settle, and then no driver gives way, is seen in the assembled position.
                let limited = model.joints.iter().any(|j| j.limits.lower.is_some() || j.limits.upper.is_some());
                Signals { complete: !(limited || extent.singularity || extent.lag), ..Signals::with(model, extent) }
            }
            _ => Signals::with(model, Extent::of(&model.study)),
        }
    }

    /// The columns of a table of natural vibrations.
    pub fn of_modes(model: &Model) -> Signals {
        let shapes = coordinate_elements(model).map(|(j, c)| Element::Shape(j, c));
        let elements = std::iter::once(Element::Eigenvalue).chain(shapes);
        Signals { list: elements.flat_map(|e| e.signals(model)).collect(), complete: true }
    }

    /// The columns of a motion told to that extent.
    pub fn with(model: &Model, extent: Extent) -> Signals {
        let mut list = Vec::new();
        let mut add = |element: Element| list.extend(element.signals(model));
        add(Element::Time);
        for (k, body) in model.bodies.iter().enumerate().skip(1) {
            add(Element::Body(k));
            (0..body.points.len()).for_each(|p| add(Element::Point(k, p)));
        }
        coordinate_elements(model).for_each(|(j, c)| add(Element::Coordinate(j, c)));
        if extent.forces {
            // A joint without rows carries nothing.
            for (k, _) in model.joints.iter().enumerate().filter(|(_, j)| !j.is_free()) {
                add(Element::Reaction(k));
                add(Element::LocalReaction(k));
            }
            (0..model.couplings.len()).for_each(|k| add(Element::Coupling(k)));
            (0..model.drivers.len()).for_each(|k| add(Element::Driver(k)));
            add(Element::Energy);
        }
        if extent.balance {
            add(Element::Balance);
        }
        add(Element::Residual);
        let last =
            [(extent.mode, Element::Mode), (extent.singularity, Element::Singularity), (extent.lag, Element::Lag)];
        last.into_iter().filter(|(told, _)| *told).for_each(|(_, element)| add(element));
        Signals { list, complete: true }
    }

    /// In the order of the columns.
    pub fn iter(&self) -> std::slice::Iter<'_, Signal> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Names, in the order of the columns.
    pub fn names(&self, model: &Model) -> Vec<String> {
        self.list.iter().map(|s| s.name(model)).collect()
    }

    /// Whether any of those that are filled costs that.
    pub fn ask(&self, filled: &[bool], cost: Cost) -> bool {
        self.list.iter().zip(filled).any(|(signal, filled)| *filled && signal.cost() == cost)
    }
}
