//! Elements: what has signals, by its place in the model.

use super::leaf::{
    derived, Leaf, ANGLE, ANGLE_RATIO, AXIAL, BALANCE, BEND, BODY, BODY_FIGURES, CAM_FIGURES, CENTRE, CONTACT,
    EFFICIENCY, EIGENVALUE, ENERGY, FORCE, FRICTION_FORCE, FRICTION_TORQUE, GAPS, HOLD_FORCE, HOLD_TORQUE, INFLECTION,
    LENGTH_RATIO, NUMBER, PLANAR_BEND, PLANAR_BODY, PLANAR_BODY_FIGURES, PLANAR_CENTRE, PLANAR_INFLECTION,
    PLANAR_POINT, PLANAR_SYSTEM, PLANAR_WRENCH, POINT, POINT_FIGURES, POWER, RATIO, RESULTANT, SHAPE, SLIDE, SYSTEM,
    TIME, TORQUE, TORQUES, TRANSMISSION, WRENCH,
};
use super::Signal;
use crate::couplings::CoordinateRef;
use crate::drivers::{Driver, Target};
use crate::joints::{CoordinateName, Joint};
use crate::linkage::{input, Pair, Transmission};
use crate::model::{Model, GROUND};
use crate::signal_name::{self, join, limit, local};

/// What has signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// Time.
    Time,
    /// A body.
    Body(usize),
    /// A point of a body: body, point.
    Point(usize, usize),
    /// A coordinate of a joint: joint, coordinate.
    Coordinate(usize, usize),
    /// What a joint's first body exerts on its second, in ground axes.
    Reaction(usize),
    /// The same in the second body's axes.
    LocalReaction(usize),
    /// A coupling.
    Coupling(usize),
    /// A driver.
    Driver(usize),
    /// What a joint coordinate bears in the place of drivers: joint, coordinate.
    Borne(usize, usize),
    /// A limit of a joint's first coordinate, where loads press against it.
    Limit(usize),
    /// What resists a joint's first coordinate, and whether it is stuck.
    Friction(usize),
    /// What a driver's effort is worth beside friction.
    Efficiency(usize),
    /// Efforts of a driver between which friction holds.
    Hold(usize),
    /// Kinetic, potential and total energy.
    Energy,
    /// What is made of a body's motion: speed, acceleration, roll, pitch and yaw.
    BodyFigures(usize),
    /// What is made of a point's motion: speed and acceleration. Body, point.
    PointFigures(usize, usize),
    /// The magnitude of a joint's reaction force.
    Resultant(usize),
    /// The tension of a joint along the line of its points.
    Axial(usize),
    /// What a driver gives to the mechanism.
    Power(usize),
    /// What a joint coordinate that bears drivers gives to the mechanism: joint, coordinate.
    BornePower(usize, usize),
    /// How far a contact is from touching.
    Gap(usize),
    /// What presses and rubs in a contact.
    Contact(usize),
    /// How a cam and its roller touch.
    CamFigures(usize),
    /// What joints, drivers and loads exert on the ground.
    Ground,
    /// The mechanism as a whole: its mass centre and its momentum.
    System,
    /// The instant centre of two links.
    Centre(Pair),
    /// The inflection circle of a body that moves against the ground.
    Inflection(usize),
    /// How a point's path bends. Body, point.
    Bend(usize, usize),
    /// How a joint passes force on.
    Transmission(Transmission),
    /// A joint coordinate as output of the one that is driven: joint, coordinate.
    Advantage(usize, usize),
    /// A signal that the model makes of others.
    Derived(usize),
    /// The balance of energy and work in a motion under forces.
    Balance,
    /// The largest residual of the constraints.
    Residual,
    /// The assembly mode.
    Mode,
    /// The distance to singularity.
    Singularity,
    /// How far drivers are from what they ask, where they give way.
    Lag,
    /// A natural vibration.
    Eigenvalue,
    /// A joint coordinate in the shape of a natural vibration: joint, coordinate.
    Shape(usize, usize),
    /// An entry of a state-space matrix: row, column, counted from 0.
    StateMatrix(usize, usize),
}

impl Element {
    /// What its signals' names start with; empty where they are their leaves alone.
    pub fn name(&self, model: &Model) -> String {
        match *self {
            Element::Time => signal_name::TIME.into(),
            Element::Body(k) | Element::BodyFigures(k) | Element::Inflection(k) => model.bodies[k].name.clone(),
            Element::Point(k, p) | Element::PointFigures(k, p) | Element::Bend(k, p) => {
                join(&model.bodies[k].name, &model.bodies[k].points[p].0)
            }
            Element::Coordinate(k, c) | Element::Shape(k, c) | Element::Advantage(k, c) => {
                let joint = &model.joints[k];
                join(&joint.name, joint.kind.coordinates().get(c).map_or("", |c| c.name))
            }
            Element::Reaction(k) | Element::Resultant(k) | Element::Axial(k) | Element::Friction(k) => {
                model.joints[k].name.clone()
            }
            Element::Centre(pair) => join(&model.bodies[pair.bodies[0]].name, &model.bodies[pair.bodies[1]].name),
            Element::Transmission(t) => model.joints[t.joint].name.clone(),
            Element::LocalReaction(k) => local(&model.joints[k].name),
            Element::Coupling(k) | Element::CamFigures(k) => model.couplings[k].name.clone(),
            Element::Gap(k) | Element::Contact(k) => model.contacts[k].name.clone(),
            Element::Driver(k) | Element::Power(k) | Element::Efficiency(k) | Element::Hold(k) => {
                model.drivers[k].name.clone()
            }
            Element::Borne(k, c) | Element::BornePower(k, c) => borne_name(&model.joints[k], c),
            Element::Ground => model.bodies[GROUND].name.clone(),
            Element::System => signal_name::SYSTEM.into(),
            Element::Derived(k) => model.study.derived[k].name.clone(),
            Element::Limit(k) => limit(&model.joints[k].name),
            Element::Energy | Element::Balance => signal_name::ENERGY.into(),
            Element::Residual => signal_name::RESIDUAL.into(),
            Element::Mode => "mode".into(),
            Element::Singularity => "singularity".into(),
            Element::Lag => "lag".into(),
            Element::Eigenvalue => String::new(),
            Element::StateMatrix(row, column) => join("A", &join(&(row + 1).to_string(), &(column + 1).to_string())),
        }
    }

    /// What it tells, in the order of its columns.
    pub fn leaves(&self, model: &Model) -> &'static [Leaf] {
        match *self {
            Element::Time => &TIME,
            Element::Body(_) if model.space.is_planar() => &PLANAR_BODY,
            Element::Body(_) => &BODY,
            Element::Point(..) if model.space.is_planar() => &PLANAR_POINT,
            Element::Point(..) => &POINT,
            Element::Coordinate(joint, coordinate) => {
                model.joints[joint].kind.coordinates().get(coordinate).map_or(&SLIDE, coordinate_leaves)
            }
            Element::Reaction(_) | Element::LocalReaction(_) | Element::Ground if model.space.is_planar() => {
                &PLANAR_WRENCH
            }
            Element::Reaction(_) | Element::LocalReaction(_) | Element::Ground => &WRENCH,
            Element::BodyFigures(_) if model.space.is_planar() => &PLANAR_BODY_FIGURES,
            Element::BodyFigures(_) => &BODY_FIGURES,
            Element::PointFigures(..) => &POINT_FIGURES,
            Element::Resultant(_) => &RESULTANT,
            Element::Axial(_) => &AXIAL,
            Element::Power(_) | Element::BornePower(..) => &POWER,
            Element::CamFigures(_) => &CAM_FIGURES,
            Element::Gap(_) => &GAPS,
            Element::Contact(_) => &CONTACT,
            Element::System if model.space.is_planar() => &PLANAR_SYSTEM,
            Element::System => &SYSTEM,
            Element::Centre(_) if model.space.is_planar() => &PLANAR_CENTRE,
            Element::Centre(_) => &CENTRE,
            Element::Inflection(_) if model.space.is_planar() => &PLANAR_INFLECTION,
            Element::Inflection(_) => &INFLECTION,
            Element::Bend(..) if model.space.is_planar() => &PLANAR_BEND,
            Element::Bend(..) => &BEND,
            Element::Transmission(_) => &TRANSMISSION,
            Element::Advantage(joint, coordinate) => {
                let angle = |of| is_angle(&model.joints, of);
                match (angle(CoordinateRef { joint, coordinate }), input(model).is_none_or(angle)) {
                    (false, true) => &LENGTH_RATIO,
                    (true, false) => &ANGLE_RATIO,
                    _ => &RATIO,
                }
            }
            Element::Derived(k) => derived(model.study.derived[k].unit),
            Element::Coupling(k) => effort_along(&model.joints, model.couplings[k].coordinates.last().copied()),
            Element::Driver(k) => effort_leaves(&model.drivers[k], &model.joints),
            Element::Borne(joint, coordinate) => effort_along(&model.joints, Some(CoordinateRef { joint, coordinate })),
            Element::Limit(joint) => effort_along(&model.joints, Some(CoordinateRef { joint, coordinate: 0 })),
            Element::Friction(joint) => match is_angle(&model.joints, CoordinateRef { joint, coordinate: 0 }) {
                true => &FRICTION_TORQUE,
                false => &FRICTION_FORCE,
            },
            Element::Efficiency(_) => &EFFICIENCY,
            Element::Hold(k) => match effort_leaves(&model.drivers[k], &model.joints)[0].unit {
                "N" => &HOLD_FORCE,
                _ => &HOLD_TORQUE,
            },
            Element::Energy => &ENERGY,
            Element::Balance => &BALANCE,
            Element::Eigenvalue => &EIGENVALUE,
            Element::Shape(..) => &SHAPE,
            Element::Residual | Element::Mode | Element::Singularity | Element::Lag | Element::StateMatrix(..) => {
                &NUMBER
            }
        }
    }

    /// Its signals, in the order of their columns.
    pub fn signals(self, model: &Model) -> impl Iterator<Item = Signal> {
        self.leaves(model).iter().map(move |leaf| Signal { element: self, leaf })
    }

    /// The signal of it that bears the name.
    pub(super) fn named(self, model: &Model, name: &str) -> Option<Signal> {
        let start = self.name(model);
        let word = match start.is_empty() {
            true => name,
            false if name == start => "",
            false => signal_name::leaf(name, &start)?,
        };
        self.signal(model, word)
    }

    /// Its signal of that word.
    pub fn signal(self, model: &Model, word: &str) -> Option<Signal> {
        self.leaves(model).iter().find(|leaf| leaf.word == word).map(|leaf| Signal { element: self, leaf })
    }
}

/// Every joint coordinate of a model that results tell.
pub fn coordinate_elements(model: &Model) -> impl Iterator<Item = (usize, usize)> + '_ {
    model.joints.iter().enumerate().flat_map(|(j, joint)| {
        let told = move |c: &usize| joint.kind.coordinate(joint, *c).is_some();
        (0..joint.kind.coordinates().len()).filter(told).map(move |c| (j, c))
    })
}

/// What a joint coordinate tells: itself and its two rates.
pub fn coordinate_leaves(coordinate: &CoordinateName) -> &'static [Leaf] {
    match coordinate.angle {
        true => &ANGLE,
        false => &SLIDE,
    }
}

/// What a driver tells: one effort, or three about the axes of an orientation.
pub fn effort_leaves(driver: &Driver, joints: &[Joint]) -> &'static [Leaf] {
    match &driver.target {
        Target::Coordinate { of, .. } => effort_along(joints, Some(*of)),
        Target::Rotor { .. } => &TORQUE,
        Target::Point { .. } | Target::Measure { length: true, .. } => &FORCE,
        Target::Measure { .. } => &TORQUE,
        Target::Orientation { .. } => &TORQUES,
    }
}

/// Joint coordinates that bear what drivers prescribe, in the model's order: joint, coordinate.
pub fn bearers(drivers: &[Driver]) -> Vec<(usize, usize)> {
    let mut found: Vec<_> = drivers.iter().flat_map(|d| &d.effort).map(|of| (of.joint, of.coordinate)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What the signals of such a coordinate start with: the joint's name, and the coordinate's where it is one of several.
pub fn borne_name(joint: &Joint, coordinate: usize) -> String {
    match joint.kind.coordinates() {
        [_] => joint.name.clone(),
        several => join(&joint.name, several.get(coordinate).map_or("", |c| c.name)),
    }
}

/// The effort along a joint coordinate.
fn effort_along(joints: &[Joint], of: Option<CoordinateRef>) -> &'static [Leaf] {
    match of.is_some_and(|of| is_angle(joints, of)) {
        true => &TORQUE,
        false => &FORCE,
    }
}

fn is_angle(joints: &[Joint], of: CoordinateRef) -> bool {
    joints[of.joint].kind.coordinates().get(of.coordinate).is_some_and(|c| c.angle)
}
