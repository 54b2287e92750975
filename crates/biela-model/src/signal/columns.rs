//! Every column of a run in its order, before anything runs.

use super::derived::{self, Recipe};
use super::parse::whole;
use super::quantities;
use super::{bearers, coordinate_elements, Cost, Element, Signal};
use crate::drivers::Target;
use crate::model::{Analysis, Model, Singular, Study};
use crate::signal_name;

/// The columns of a run.
#[derive(Debug, Clone)]
pub struct Signals {
    /// Columns of a full run, derived signals last, then signals on request where they are among the columns.
    list: Vec<Signal>,
    /// How many of them a full run has.
    told: usize,
    recipes: Vec<Recipe>,
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
            Analysis::StateSpace => {
                Signals { complete: false, ..Signals::plain(Element::Time.signals(model).collect()) }
            }
            Analysis::Statics => {
                let extent = Extent::of(&model.study);
                // Whether loads have anything to settle, and then no driver gives way, is seen in the assembled position.
                let limited = model.joints.iter().any(|j| j.limits.lower.is_some() || j.limits.upper.is_some());
                Signals { complete: !(limited || extent.singularity || extent.lag), ..Signals::every(model, extent) }
            }
            _ => Signals::every(model, Extent::of(&model.study)),
        }
    }

    /// Columns of which none is derived or on request.
    fn plain(list: Vec<Signal>) -> Signals {
        Signals { told: list.len(), list, recipes: Vec::new(), complete: true }
    }

    /// The columns of a table of natural vibrations.
    pub fn of_modes(model: &Model) -> Signals {
        let shapes = coordinate_elements(model).map(|(j, c)| Element::Shape(j, c));
        let elements = std::iter::once(Element::Eigenvalue).chain(shapes);
        Signals::plain(elements.flat_map(|e| e.signals(model)).collect())
    }

    /// The columns of a motion told to that extent: signals on request among them where the study wants every signal, or where derived
    /// signals stand on them.
    pub fn with(model: &Model, extent: Extent) -> Signals {
        if !model.study.every && model.study.derived.is_empty() {
            return Signals::plain(full(model, extent));
        }
        let mut signals = Signals::every(model, extent);
        let behind = signals.told;
        if !model.study.every && signals.recipes.iter().all(|r| r.inputs.iter().all(|k| *k < behind)) {
            signals.list.truncate(behind);
        }
        signals
    }

    /// All that can be told of a motion to that extent.
    pub fn every(model: &Model, extent: Extent) -> Signals {
        let (mut list, more) = (full(model, extent), on_request(model, extent));
        let recipes = derived::recipes(model, &list, &more);
        list.extend(recipes.iter().flat_map(|r| Element::Derived(r.derived).signals(model)));
        let told = list.len();
        list.extend(more);
        Signals { list, told, recipes, complete: true }
    }

    /// Columns of a full run, in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Signal> {
        self.list[..self.told].iter()
    }

    /// All columns: those of a full run, then signals on request where they are among them.
    pub fn all(&self) -> &[Signal] {
        &self.list
    }

    /// Signals that are told where they are asked for by name.
    pub fn on_request(&self) -> &[Signal] {
        &self.list[self.told..]
    }

    /// How derived columns follow from others, each after those that it uses.
    pub fn recipes(&self) -> &[Recipe] {
        &self.recipes
    }

    /// How many columns a full run has.
    pub fn len(&self) -> usize {
        self.told
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.told == 0
    }

    /// Names, in the order of the columns of a full run.
    pub fn names(&self, model: &Model) -> Vec<String> {
        self.iter().map(|s| s.name(model)).collect()
    }

    /// Whether any of those that are needed costs that.
    pub fn ask(&self, needed: &[bool], cost: Cost) -> bool {
        self.list.iter().zip(needed).any(|(signal, needed)| *needed && signal.cost() == cost)
    }
}

/// The columns of a full run, without derived signals.
fn full(model: &Model, extent: Extent) -> Vec<Signal> {
    let mut elements = Vec::with_capacity(2 * model.bodies.len() + 2 * model.joints.len());
    let mut add = |element: Element| elements.push(element);
    add(Element::Time);
    for (k, body) in model.bodies.iter().enumerate().skip(1) {
        add(Element::Body(k));
        (0..body.points.len()).for_each(|p| add(Element::Point(k, p)));
    }
    coordinate_elements(model).for_each(|(j, c)| add(Element::Coordinate(j, c)));
    (0..model.contacts.len()).for_each(|k| add(Element::Gap(k)));
    if extent.forces {
        // What presses rigid shapes together is found where they move under forces.
        let told = |k: &usize| !model.contacts[*k].is_rigid() || model.study.analysis == Analysis::Dynamics;
        (0..model.contacts.len()).filter(told).for_each(|k| add(Element::Contact(k)));
        // A joint without rows carries nothing, but for one that is made of springs.
        for (k, _) in model.joints.iter().enumerate().filter(|(_, j)| j.bears()) {
            add(Element::Reaction(k));
            add(Element::LocalReaction(k));
        }
        let rubs = |k: &usize| model.joints[*k].friction.is_some();
        (0..model.joints.len()).filter(rubs).for_each(|k| add(Element::Friction(k)));
        (0..model.couplings.len()).for_each(|k| add(Element::Coupling(k)));
        // A driver that joints bear has no effort of its own.
        let own = |k: &usize| model.drivers[*k].effort.is_empty();
        (0..model.drivers.len()).filter(own).for_each(|k| add(Element::Driver(k)));
        bearers(&model.drivers).into_iter().for_each(|(j, c)| add(Element::Borne(j, c)));
        add(Element::Energy);
    }
    if extent.balance {
        add(Element::Balance);
    }
    add(Element::Residual);
    let last = [(extent.mode, Element::Mode), (extent.singularity, Element::Singularity), (extent.lag, Element::Lag)];
    last.into_iter().filter(|(told, _)| *told).for_each(|(_, element)| add(element));
    signals_of(model, &elements)
}

/// The signals of elements, in a list no longer than they are.
fn signals_of(model: &Model, elements: &[Element]) -> Vec<Signal> {
    let mut list = Vec::with_capacity(elements.iter().map(|element| element.leaves(model).len()).sum());
    elements.iter().for_each(|element| list.extend(element.signals(model)));
    list
}

/// Signals that are told where they are asked for.
fn on_request(model: &Model, extent: Extent) -> Vec<Signal> {
    let mut elements = Vec::new();
    let mut add = |element: Element| elements.push(element);
    for (k, body) in model.bodies.iter().enumerate().skip(1) {
        add(Element::BodyFigures(k));
        (0..body.points.len()).for_each(|p| add(Element::PointFigures(k, p)));
    }
    let rolls = |k: &usize| model.couplings[*k].follower.is_some();
    (0..model.couplings.len()).filter(rolls).for_each(|k| add(Element::CamFigures(k)));
    if extent.forces {
        for (k, joint) in model.joints.iter().enumerate() {
            // An actuator has no reaction besides what it pulls or pushes with.
            (joint.bears() || joint.kind.is_axial()).then(|| add(Element::Resultant(k)));
            joint.kind.is_axial().then(|| add(Element::Axial(k)));
        }
        bearers(&model.drivers).into_iter().for_each(|(j, c)| add(Element::BornePower(j, c)));
        // What holds a joint at its limit moves nothing, nor does a driver that others bear.
        let limit = |k: &usize| signal_name::is_limit_effort(&signal_name::effort(&model.drivers[*k].name));
        let moves = |k: &usize| !limit(k) && model.drivers[*k].effort.is_empty();
        (0..model.drivers.len()).filter(moves).for_each(|k| add(Element::Power(k)));
        if model.rubs() {
            let one = |k: &usize| moves(k) && !matches!(model.drivers[*k].target, Target::Orientation { .. });
            let element = match model.study.analysis {
                Analysis::InverseDynamics => Some(Element::Efficiency as fn(usize) -> Element),
                Analysis::Statics => Some(Element::Hold as fn(usize) -> Element),
                _ => None,
            };
            let drivers = (0..model.drivers.len()).filter(one);
            element.into_iter().for_each(|element| drivers.clone().for_each(|k| add(element(k))));
        }
    }
    whole(model).filter(|element| extent.forces || *element != Element::Ground).for_each(&mut add);
    quantities::elements(model).into_iter().for_each(add);
    signals_of(model, &elements)
}
