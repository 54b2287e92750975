//! Driven mechanisms with loops of any kind, in space or in a plane, and many designs of one side by side.
//!
//! ```text
//! Model as it stands ──► Loops: tree, rows, order of elimination, first position ──► Group: designs in lanes ──► columns
//! ```
//! The mechanism is solved once by the general solvers, in joint coordinates: that tells its tree, its rows, which of them are independent, in which
//! order they are eliminated, and where the motion begins. What changes from design to design is numbers: frames of tree joints, markers and
//! right-hand sides of rows. A design is closed from the first position of the model as it stands, and steps as the general solvers do: predicted,
//! corrected, its rates by one factorisation, held to the same residual, the same sign of the determinant, the same distance from singular positions
//! and the same smoothness. A design that fails one of these, or whose drawing shows it another way than the model's, is not taken; it is for the general
//! solvers, from its start. A design has the same bits whatever stands beside it, and however wide the registers are.

#![allow(non_snake_case)] // Frames are capital letters: X_WB (docs/notation.md).

mod bearing;
mod forces;
mod gauge;
mod group;
mod loads;
mod multipliers;
mod rows;
mod spin;
mod step;
mod told;
mod tree;

pub use group::Group;

use crate::math::sparse::{Order, Pattern};
use crate::math::{Pose, Vec3};
use crate::model::{Analysis, Model};
use crate::motion::Motion;
use crate::results::Results;
use crate::signal::{Cost, Element, Extent, Signals};
use crate::solve::kept::{table, Kept, Numbers};
use crate::solve::likeness::Likeness;
use crate::solve::motion::{is_even, Follower, DOUBTFUL};
use crate::solve::newton::Method;
use crate::solve::samples::{samples, time};
use crate::system::{Formulation, Relative, System, Variant, Workspace, ACCEPTED};
use biela_tree::wide::Level;
use forces::{is_round, Forces};
use rows::{aimed, Aim, Rows};
use spin::line;
use told::Told;
use tree::{put, Tree, POSE};

/// A mechanism made ready for its designs.
#[derive(Debug)]
pub struct Loops {
    tree: Tree,
    rows: Rows,
    told: Vec<Told>,
    /// Forces that are told, where any are.
    forces: Option<Forces>,
    /// How many numbers of a design what is told needs, forces not counted.
    numbers_told: usize,
    /// Columns that are kept, by their places in a run, where they are a run's.
    places: Vec<usize>,
    /// How many there are.
    columns: usize,
    planar: bool,
    /// Times of all steps, and how many steps there are from one sample to the next.
    times: Vec<f64>,
    stride: usize,
    /// What share of the way that a step may go it goes at most: less than all while the stride is chosen.
    share: f64,
    /// Right-hand sides that move: their laws, and they themselves at all times.
    laws: Vec<Motion>,
    aims: Vec<Aim<f64>>,
    /// Numbers of the model as it stands.
    own: Vec<f64>,
    /// Where the motion begins, and how bodies stand there against the drawing.
    start: Vec<f64>,
    drawn: Vec<Drawn>,
    /// Joint coordinates, by which rows of designs are told.
    relative: Relative,
    pattern: Pattern,
    order: Order,
    /// Sizes of pivots where they were chosen, least scales of rows, what counts as well away from singular, and the determinant's sign.
    chosen: Vec<f64>,
    least: Vec<f64>,
    well_away: f64,
    sign: f64,
    /// Violation of rows that repeat others, as it is where they were chosen.
    settled: f64,
    /// What turns scaled velocities into velocities.
    scales: Vec<f64>,
    size: f64,
    /// The point at which motions are told, from the ground's origin.
    origin: [f64; 3],
    likeness: Likeness,
}

/// How a body stands against its drawing: the turn and the shift between.
#[derive(Debug)]
struct Drawn {
    body: usize,
    turn: [[f64; 3]; 3],
    shift: [f64; 3],
}

impl Loops {
    /// For runs of designs of a model, as its study asks for them; `None` where it is no such mechanism, or more is asked for than positions, velocities
    /// and accelerations of bodies, points and joints, and the forces that go with them: of joints, drivers and the ground.
    pub fn of_runs(model: &Model, method: &'static dyn Method) -> Option<Loops> {
        let study = &model.study;
        let known = matches!(study.analysis, Analysis::Kinematics | Analysis::InverseDynamics | Analysis::Statics);
        let plain = known && study.mode.is_none() && !study.singularity && !model.has_stops();
        if !plain || !study.silent || study.spill.is_some() {
            return None;
        }
        let filled = study.filled.as_deref()?;
        let signals = Signals::with(model, Extent::of(study));
        let Kept { elements, places } = Kept::new(signals.all(), &|k| filled.get(k) == Some(&true));
        let asked = |forces: bool| {
            let own = elements.iter().filter(move |(_, cost, _)| (*cost == Cost::Forces) == forces);
            own.map(|(element, _, kept)| (*element, kept.clone())).collect::<Vec<_>>()
        };
        let times = (0..samples(model)).map(|k| time(model, k)).collect();
        let columns = places.len();
        let mut made = Loops::new(model, method, times, [asked(false), asked(true)], columns, false)?;
        made.likeness.study = Some((study.start, study.end, study.steps));
        made.places = places;
        made.refined(model)
    }

    /// For the motions of all bodies at these times, in ascending order: [`crate::solve::many::NUMBERS`] of each.
    pub fn of_bodies(model: &Model, method: &'static dyn Method, times: &[f64]) -> Option<Loops> {
        let ascending = times.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || model.study.mode.is_some() {
            return None;
        }
        let elements: Vec<_> = Told::bodies(model).collect();
        let columns = elements.len() * crate::solve::many::NUMBERS;
        let made = Loops::new(model, method, times.to_vec(), [elements, Vec::new()], columns, true)?;
        Loops { planar: false, ..made }.refined(model)
    }

    /// Where `spins`, attitudes of bodies that may spin idly are told too.
    fn new(
        model: &Model,
        method: &'static dyn Method,
        times: Vec<f64>,
        [elements, forces]: [Vec<(Element, Numbers)>; 2],
        columns: usize,
        spins: bool,
    ) -> Option<Loops> {
        let near = model.reference.is_none() && model.near().is_none();
        if !near || !model.couplings.is_empty() || !model.rotors.is_empty() || times.is_empty() {
            return None;
        }
        let system = System::new(model, Variant::PLAIN.keyword).ok()?;
        let span = times[times.len() - 1] - times[0];
        let follower = Follower::with_method(&system, times[0], span, method).ok()?;
        let (ws, state) = (&follower.stepper.ws, &follower.stepper.state);
        let order = ws.order().filter(|order| order.is_full())?.clone();
        if ws.accepted > ACCEPTED {
            return None;
        }
        let relative = Relative::new(model, Variant::PLAIN);
        let tree = Tree::new(model).filter(|tree| (tree.nq, tree.nv) == (relative.nq(), relative.nv()))?;
        let rows = Rows::new(model, &relative, &ws.pattern, ws.idle(), ws.size)?;
        let idle: Vec<usize> = rows.idle().collect();
        let (mut told, forces) = telling(&system, ws, [elements, forces], &idle, spins)?;
        let aim_of = driver_aims(model, &relative);
        told.iter_mut().for_each(|told| told.aim_at(|driver| aim_of.get(driver).copied().flatten()));
        let bodies = &ws.cache.bodies;
        let mut made = Loops {
            laws: aimed(model, &relative).map(|row| row.target).collect(),
            aims: Vec::new(),
            own: Vec::new(),
            start: state.q.clone(),
            drawn: Vec::new(),
            pattern: (*ws.pattern).clone(),
            chosen: ws.chosen_pivots().to_vec(),
            least: ws.evaluation.weight.iter().map(|weight| 0.1 * weight).collect(),
            well_away: well_away(ws.weakest_pivot()),
            sign: f64::from(ws.elimination.as_ref()?.sign()),
            settled: ws.redundant_violation(),
            scales: (0..tree.nv).map(|k| relative.scale(k, ws.size)).collect(),
            size: ws.size,
            origin: bodies[0].pose.apply(middle(model)).to_array(),
            likeness: Likeness::of(model),
            places: Vec::new(),
            planar: model.space.is_planar(),
            relative,
            order,
            tree,
            rows,
            forces,
            numbers_told: told.iter().map(Told::numbers).sum(),
            told,
            columns,
            times,
            stride: 1,
            share: 1.0,
        };
        let drawing = model.guess().poses();
        for body in (1..bodies.len()).filter(|body| !idle.contains(body)) {
            let (drawn, placed) = (&drawing[body], &bodies[body].pose);
            let turn = (placed.rotation * drawn.rotation.transposed()).axes.map(Vec3::to_array);
            made.drawn.push(Drawn { body, turn, shift: (placed.origin - drawn.origin).to_array() });
        }
        let mut own = Vec::new();
        made.number(model, &mut own)?;
        made.own = own;
        Some(made)
    }

    /// The same with as many steps from sample to sample as the model as it stands needs to come to the end of its motion in this way, with something to
    /// spare: then its designs may. `None` where it does not.
    fn refined(mut self, model: &Model) -> Option<Loops> {
        /// More steps than these from one sample to the next mean more work than they save.
        const STRIDES: [usize; 5] = [1, 2, 3, 4, 6];
        /// What designs may move faster by.
        const SHARE: f64 = 0.9;
        let samples = std::mem::take(&mut self.times);
        for stride in STRIDES {
            self.stride = stride;
            self.times.clear();
            for pair in samples.windows(2) {
                let part = |k: usize| pair[0] + (pair[1] - pair[0]) * k as f64 / stride as f64;
                self.times.extend((0..stride).map(part));
            }
            self.times.extend(samples.last());
            let mut aims = Vec::new();
            group::sides(&self, model, &mut aims)?;
            self.aims = aims;
            self.share = SHARE;
            if is_even(model, self.size, &self.times) && self.is_followed() {
                self.share = 1.0;
                return Some(self);
            }
        }
        None
    }

    /// Whether the model as it stands comes to the end of its motion.
    fn is_followed(&self) -> bool {
        let mut group = Group::new(self, Level::Portable);
        group.run();
        group.is_whole(0)
    }

    /// Number of samples.
    fn samples(&self) -> usize {
        (self.times.len() - 1) / self.stride + 1
    }

    /// Their times.
    fn sampled(&self) -> Vec<f64> {
        self.times.iter().step_by(self.stride).copied().collect()
    }

    /// Numbers of a design: the ground, the tree, the rows, drawings, what is told. `None` where it is no design of this mechanism.
    fn number(&self, model: &Model, list: &mut Vec<f64>) -> Option<()> {
        let near = model.reference.is_none() && model.near().is_none();
        if !near || !model.couplings.is_empty() || !model.rotors.is_empty() {
            return None;
        }
        let shifted = |pose: &Pose| Pose { origin: pose.origin - Vec3::from(self.origin), ..*pose };
        put(&shifted(&model.bodies[0].X_WB), list);
        self.tree.number(model, list);
        let axis = |body: usize| line(model, body, self.size).map(|[_, u]| u.to_array());
        let idle: Vec<[f64; 3]> = self.rows.idle().map(axis).collect::<Option<_>>()?;
        let mut spins = self.rows.idle().zip(&idle);
        if self.forces.is_some() && !spins.all(|(body, u)| is_round(model, body, Vec3::from(*u), self.size)) {
            return None;
        }
        self.rows.number(model, &self.relative, &idle, list)?;
        let drawing = model.guess().poses();
        self.drawn.iter().for_each(|drawn| put(&shifted(&drawing[drawn.body]), list));
        self.told.iter().try_for_each(|told| told.number(model, self.size, list))?;
        self.forces.iter().try_for_each(|forces| forces.number(model, list))?;
        list.iter().all(|x| x.is_finite()).then_some(())
    }

    /// Numbers of the tree, and those of the rows.
    #[inline(always)]
    fn parts<'n, N>(&self, n: &'n [N]) -> (&'n [N], &'n [N]) {
        let (tree, rest) = n[POSE..].split_at(self.tree.numbers());
        (tree, &rest[..self.rows.numbers()])
    }

    /// Poses of the drawing.
    #[inline(always)]
    fn drawings<'n, N>(&self, n: &'n [N]) -> &'n [N] {
        &n[POSE + self.tree.numbers() + self.rows.numbers()..][..POSE * self.drawn.len()]
    }

    /// Numbers of what is told.
    #[inline(always)]
    fn told_numbers<'n, N>(&self, n: &'n [N]) -> &'n [N] {
        &n[self.numbers_before()..][..self.numbers_told]
    }

    /// Numbers of forces.
    #[inline(always)]
    fn force_numbers<'n, N>(&self, n: &'n [N]) -> &'n [N] {
        &n[self.numbers_before() + self.numbers_told..]
    }

    /// How many numbers stand before those of what is told.
    #[inline(always)]
    fn numbers_before(&self) -> usize {
        POSE + self.tree.numbers() + self.rows.numbers() + POSE * self.drawn.len()
    }

    /// A table for the columns of one design, each at its place in a run; those that are not kept have neither name nor values.
    pub fn table(&self) -> Results {
        table(&self.places, &self.sampled())
    }
}

/// What is told of these elements, and of these forces with the joint coordinates that their loads read.
fn telling(
    system: &System,
    ws: &Workspace,
    [elements, forces]: [Vec<(Element, Numbers)>; 2],
    idle: &[usize],
    spins: bool,
) -> Option<(Vec<Told>, Option<Forces>)> {
    let mut told = Vec::with_capacity(elements.len());
    for (element, kept) in elements {
        told.push(Told::new(system.model, element, kept, idle, spins)?);
    }
    let forces = match forces.is_empty() {
        true => None,
        false => Some(Forces::new(system, ws, forces)?),
    };
    let read = forces.iter().flat_map(|forces| &forces.loads.laws.read).enumerate();
    for (place, number) in read {
        let (joint, coordinate, _) = *system.constraints.coordinates().get(*number)?;
        told.push(Told::read(system.model, (joint, coordinate), place)?);
    }
    Some((told, forces))
}

/// What counts as well away from singular where the weakest pivot is this.
fn well_away(weakest: f64) -> f64 {
    /// Pivots above this, or above a tenth of what they are at the start, are well away.
    const WELL_AWAY: f64 = 1e-2;
    WELL_AWAY.min(0.1 * weakest).max(DOUBTFUL)
}

/// A point near the mechanism, in the ground: its first joint's.
fn middle(model: &Model) -> Vec3 {
    let on_ground = |joint: &&crate::joints::Joint| joint.bodies.contains(&0);
    let joint = model.joints.iter().find(on_ground);
    joint.map_or(Vec3::ZERO, |joint| joint.frames[usize::from(joint.bodies[0] != 0)].origin)
}

/// For each driver of a joint coordinate the place of its right-hand side among those that move.
fn driver_aims(model: &Model, relative: &Relative) -> Vec<Option<usize>> {
    let all: usize = model.drivers.iter().enumerate().map(|(k, d)| d.rows(k, &model.joints).len()).sum();
    let mut next = rows::rows_of(model, relative).count() - all;
    let flags: Vec<bool> = rows::rows_of(model, relative).map(|row| rows::is_aimed(&row)).collect();
    let place = |row: usize| flags[row].then(|| flags[..row].iter().filter(|aimed| **aimed).count());
    let of = |(k, driver): (usize, &crate::drivers::Driver)| {
        let count = driver.rows(k, &model.joints).len();
        next += count;
        (count == 1).then(|| place(next - 1)).flatten()
    };
    model.drivers.iter().enumerate().map(of).collect()
}
