//! Samples of a run as columns: those that are asked for, each from the state.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::error::{Error, ErrorKind, Reason, Result};
use crate::joints::Space;
use crate::math::Vec3;
use crate::model::Model;
use crate::results::{check_room, Column, Results, Spill};
use crate::signal::{Asked, Cost, Element, Signal, Signals};
use crate::solve::branch::Identity;
use crate::solve::derivation::Derivation;
use crate::solve::forces::{contact, Applied, ForceAnalysis};
use crate::solve::joint_limits::{has_limit, overstepped};
use crate::solve::made;
use crate::solve::noise::{place_of, PLACES};
use crate::solve::quantities::origin;
use crate::system::{System, Workspace};
use std::sync::Arc;

/// A sample to be recorded: everything is realised in the workspace.
pub struct Sample<'a, 's> {
    /// The system.
    pub system: &'a System<'s>,
    /// Its arrays.
    pub ws: &'a Workspace,
    /// Time.
    pub t: f64,
    /// Largest residual.
    pub residual: f64,
}

/// The balance of energy and work in a motion under forces.
#[derive(Debug, Clone, Copy)]
pub struct Balance {
    /// Work done so far by everything that has no potential.
    pub work: f64,
    /// Energy now, less that work, less the energy at the start.
    pub drift: f64,
}

/// Gathers samples into columns.
#[derive(Debug)]
pub struct Recorder {
    /// How many columns a full run has, and what of the forces must be computed for those that are filled.
    told: usize,
    asked: Asked,
    columns: Vec<Column>,
    /// Which of them are filled.
    filled: Vec<bool>,
    /// The largest values of the others, where these are weighed.
    weights: Option<Weights>,
    /// Elements that have any of these, or any that derived signals are made of.
    blocks: Vec<Block>,
    /// What derived signals are made from, where any is filled, and the columns, which nothing else asks for.
    derived: Option<(Derivation, Signals)>,
    /// What the assembly mode is known by.
    identity: Option<Identity>,
    /// Distance to singularity and lag of the sample to come, where asked for.
    distance: f64,
    lag: f64,
    /// Samples that are whole.
    done: usize,
    /// Where they wait, if not in the columns.
    spilled: Option<Spilled>,
}

/// Largest values of columns that are not filled, of each kind of quantity.
#[derive(Debug)]
struct Weights {
    /// The kind of each such column.
    kinds: Vec<Option<u8>>,
    largest: [f64; PLACES],
}

impl Weights {
    fn new(signals: &[Signal], filled: &[bool]) -> Weights {
        let kind = |(signal, filled): (&Signal, &bool)| place_of(signal.unit()).filter(|_| !filled).map(|k| k as u8);
        Weights { kinds: signals.iter().zip(filled).map(kind).collect(), largest: [0.0; PLACES] }
    }

    /// Weighs values of the columns from `first` on.
    fn weigh(&mut self, first: usize, values: &[f64]) {
        for (kind, value) in self.kinds[first..].iter().zip(values) {
            if let (Some(kind), true) = (kind, value.is_finite()) {
                let largest = &mut self.largest[usize::from(*kind)];
                *largest = largest.max(value.abs());
            }
        }
    }

    /// Puts them where the first column of each kind would have its values.
    fn tell(&self, columns: &mut [Column]) {
        for (k, largest) in self.largest.iter().enumerate() {
            if let Some(place) = self.kinds.iter().position(|kind| kind.is_some_and(|kind| usize::from(kind) == k)) {
                columns[place].data = vec![*largest];
            }
        }
    }
}

/// Columns of a long run on their way to the disk.
#[derive(Debug)]
struct Spilled {
    to: Arc<Spill>,
    /// Columns that are looked at when the run is told, and stay in memory besides.
    kept: Vec<bool>,
    /// Samples that have gone, and after how many the next go.
    gone: usize,
    block: usize,
}

/// The columns of one element, which follow each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub element: Element,
    pub first: usize,
    /// The measure of a joint coordinate.
    pub measure: usize,
}

/// Values in memory of a run whose samples wait on the disk.
const BLOCK: usize = 1 << 19;
/// How much larger a table on the disk may be than one in memory: nobody's file fills the disk by a number of steps alone.
const ON_DISK: u64 = 4;

/// Most columns that an element has.
pub(super) const MOST: usize = 19;

/// Whether a column is looked at when a run is told, whatever is asked for: how well the constraints hold, and joint limits.
fn is_noted(model: &Model, signal: &Signal) -> bool {
    match signal.element {
        Element::Residual => true,
        Element::Coordinate(j, c) => has_limit(&model.joints[j], c, signal.level()),
        _ => false,
    }
}

impl Recorder {
    /// For columns of a system, with room for `samples`: those that the run asks for are filled. The others keep their place, without
    /// name and values.
    pub fn new(system: &System, samples: usize, signals: Signals) -> Result<Recorder> {
        let model = system.model;
        let full = signals.len();
        let asked = |k: usize| match model.study.filled.as_deref() {
            Some(filled) => filled.get(k).copied().unwrap_or(false),
            // A full run tells what is on request where every signal is wanted.
            None => k < full || model.study.every,
        };
        let noted = |signal: &Signal| !model.study.silent && is_noted(model, signal);
        // Time is always there.
        let kept = |(k, signal): (usize, &Signal)| k == 0 || asked(k) || noted(signal);
        let filled: Vec<bool> = signals.all().iter().enumerate().map(kept).collect();
        let count = filled.iter().filter(|f| **f).count();
        let spilled = model.study.spill.as_ref().map(|to| {
            let weak = model.joints.iter().any(|joint| joint.all_limits().any(|(_, limits)| limits.effort.is_some()));
            let effort = |signal: &Signal| weak && matches!(signal.element, Element::Driver(_) | Element::Borne(..));
            let looked_at = |(k, signal): (usize, &Signal)| k == 0 || is_noted(model, signal) || effort(signal);
            let kept = signals.all().iter().enumerate().map(looked_at).collect();
            Spilled { to: Arc::clone(to), kept, gone: 0, block: (BLOCK / count.max(1)).max(1) }
        });
        let room = spilled.as_ref().map_or(samples, |s| s.block.min(samples));
        match &spilled {
            Some(spilled) => {
                check_room(spilled.kept.iter().filter(|k| **k).count(), samples, model.study.room)?;
                check_room(count, samples, model.study.room.saturating_mul(ON_DISK))?;
            }
            None => check_room(count, samples, model.study.room)?,
        }
        let column = |(signal, filled): (&Signal, &bool)| Column {
            name: if *filled { signal.name(model) } else { String::new() },
            unit: signal.unit(),
            data: Vec::new(),
        };
        let mut columns: Vec<Column> = signals.all().iter().zip(&filled).map(column).collect();
        if let Some(spilled) = &spilled {
            spilled.to.begin(columns.iter().zip(&filled).filter(|c| *c.1).map(|c| c.0.name.clone()).collect());
        }
        let derived = Derivation::new(&signals, &filled);
        let weights = model.study.weighed.then(|| Weights::new(signals.all(), &filled));
        let every = weights.is_some().then(|| vec![true; filled.len()]);
        let needed = every.as_ref().unwrap_or(derived.as_ref().map_or(&filled, |d| &d.needed));
        let blocks = blocks(system, &signals, needed);
        let asked = Asked { forces: signals.ask(needed, Cost::Forces), energies: signals.ask(needed, Cost::Energy) };
        let told = signals.len();
        // Of a large table the list of its columns is gone before there is room for their values.
        let derived = derived.map(|derived| (derived, signals));
        columns.iter_mut().zip(&filled).filter(|c| *c.1).for_each(|(column, _)| column.data.reserve_exact(room));
        Ok(Recorder {
            told,
            asked,
            derived,
            columns,
            filled,
            weights,
            blocks,
            identity: None,
            distance: 0.0,
            lag: 0.0,
            done: 0,
            spilled,
        })
    }

    /// What of the forces must be computed.
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// Whether the mode, the distance to singularity or the lag is a column that is filled.
    pub fn watches(&self) -> bool {
        self.blocks.iter().any(|block| is_watched(block.element))
    }

    /// Whether any column is filled that is made of joint coordinates, or may be.
    pub fn reads_coordinates(&self) -> bool {
        let reads = |e: Element| matches!(e, Element::Coordinate(..)) || made::is_made(e);
        self.blocks.iter().any(|block| reads(block.element))
    }

    /// Tells the assembly mode by `identity`.
    pub fn carry(&mut self, identity: Identity) {
        self.identity = Some(identity);
    }

    /// Takes further samples from a system of the same mechanism, whose measures may have other numbers.
    pub fn rebase(&mut self, system: &System) {
        for block in &mut self.blocks {
            if let Element::Coordinate(joint, coordinate) = block.element {
                let number = system.constraints.coordinate_number(joint, coordinate);
                block.measure = number.map_or(block.measure, |k| system.constraints.named_coordinates()[k].2);
            }
        }
    }

    /// Distance to singularity and lag of the sample to come.
    pub fn tell(&mut self, distance: Option<f64>, lag: f64) {
        (self.distance, self.lag) = (distance.unwrap_or(f64::NAN), lag);
    }

    /// Adds a sample.
    pub fn record(&mut self, sample: &Sample, forces: Option<&ForceAnalysis>, balance: Option<Balance>) -> Result<()> {
        refuse_unbounded(sample)?;
        let mut unsound = None;
        for Block { element, first, measure } in self.blocks.iter().copied() {
            let mut values = [0.0; MOST];
            let count = match element {
                Element::Mode => {
                    put(&mut values, &[self.identity.as_ref().map_or(0.0, |i| i.mode(&sample.ws.cache.bodies))])
                }
                Element::Singularity => put(&mut values, &[self.distance]),
                Element::Lag => put(&mut values, &[self.lag]),
                Element::Balance => put(&mut values, &balance.map_or([0.0; 2], |b| [b.work, b.drift])),
                _ if made::is_made(element) => made::values((sample.system, sample.ws), forces, element, &mut values),
                _ => motion(sample, element, measure, &mut values).unwrap_or_else(|| match forces {
                    Some(forces) => force(sample, forces, element, &mut values),
                    None => 0,
                }),
            };
            let values = &values[..count];
            // What tells about the motion may be unbounded.
            if let Some(k) = values.iter().position(|x| !x.is_finite()).filter(|_| !may_be_unbounded(element)) {
                unsound.get_or_insert((element, k));
            }
            let columns = self.columns[first..].iter_mut().zip(&self.filled[first..]).zip(values);
            columns.filter(|((_, filled), _)| **filled).for_each(|((column, _), x)| column.data.push(*x));
            if let Some(weights) = &mut self.weights {
                weights.weigh(first, values);
            }
            if let Some((derived, _)) = &mut self.derived {
                derived.latest[first..first + count].copy_from_slice(values);
            }
        }
        if let Some((derived, signals)) = &mut self.derived {
            derived.derive(sample.system.model, signals, sample.t);
            for place in derived.recipes.iter().map(|k| signals.recipes()[*k].place) {
                if self.filled[place] {
                    self.columns[place].data.push(derived.latest[place]);
                }
            }
        }
        let Some((element, k)) = unsound else {
            self.done += 1;
            return match &self.spilled {
                Some(spilled) if self.done - spilled.gone >= spilled.block => self.spill(),
                _ => Ok(()),
            };
        };
        let Sample { system, ws, t, .. } = sample;
        Err(Applied::fault(system, ws, *t).unwrap_or_else(|| {
            let name = element.signals(system.model).nth(k).map(|s| s.name(system.model)).unwrap_or_default();
            not_finite(format!("has no finite value at t = {t:.9} s"), *t).of(format!("signal '{name}'"))
        }))
    }

    /// Hands the samples that are in memory over to where they wait.
    fn spill(&mut self) -> Result<()> {
        let Some(Spilled { to, kept, gone, .. }) = &mut self.spilled else { return Ok(()) };
        let fresh = self.done - *gone;
        if fresh == 0 {
            return Ok(());
        }
        let part =
            |k: usize| if kept[k] { &self.columns[k].data[*gone..self.done] } else { &self.columns[k].data[..fresh] };
        let filled = || (0..self.columns.len()).filter(|k| self.filled[*k]);
        to.block(&filled().map(part).collect::<Vec<_>>())?;
        *gone = self.done;
        for k in (0..self.columns.len()).filter(|k| self.filled[*k] && !kept[*k]) {
            self.columns[k].data.clear();
        }
        Ok(())
    }

    /// Samples recorded so far.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The samples as results, with a warning for every joint limit that the motion oversteps.
    pub fn finish(mut self, model: &Model) -> Results {
        // A sample that turned out to be unsound is none. What the disk does not take is told when the table is written.
        let _ = self.spill();
        self.columns.iter_mut().for_each(|column| column.data.truncate(self.done));
        if let Some(weights) = &self.weights {
            weights.tell(&mut self.columns);
        }
        let mut results = Results { columns: self.columns, ..Results::default() };
        if !model.study.every {
            // Signals on request that derived ones are made of.
            results.columns.truncate(self.told);
        }
        if model.study.silent {
            return results;
        }
        let joints = 0..model.joints.len();
        let warnings: Vec<String> = joints.flat_map(|j| overstepped(model, j, &results)).collect();
        results.notes.extend(warnings.into_iter().map(|text| ("warning".into(), text)));
        results
    }
}

/// Elements with columns that are filled; derived signals follow from others.
pub(super) fn blocks(system: &System, signals: &Signals, filled: &[bool]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut measures = system.constraints.named_coordinates().iter();
    let (mut last, mut kept) = (None, false);
    let counts = |signal: &Signal| !matches!(signal.element, Element::Derived(_));
    for (k, signal) in signals.all().iter().enumerate().filter(|(_, signal)| counts(signal)) {
        if last != Some(signal.element) {
            let measure = match signal.element {
                Element::Coordinate(..) => measures.next().map_or(0, |c| c.2),
                _ => 0,
            };
            // An element of which nothing is filled makes way for the next.
            if last.is_some() && !kept {
                blocks.pop();
            }
            blocks.push(Block { element: signal.element, first: k, measure });
            (last, kept) = (Some(signal.element), false);
        }
        kept |= filled[k];
    }
    if !kept {
        blocks.pop();
    }
    blocks
}

/// Whether what an element tells may be infinite or no number, as the radius of curvature is where a profile is straight.
fn may_be_unbounded(element: Element) -> bool {
    let of_friction = matches!(element, Element::Efficiency(_) | Element::Hold(_));
    is_watched(element) || of_friction || element.is_of_linkage() || matches!(element, Element::CamFigures(_))
}

fn is_watched(element: Element) -> bool {
    matches!(element, Element::Mode | Element::Singularity | Element::Lag)
}

fn not_finite(message: String, t: f64) -> Error {
    ErrorKind::Integration.error(message).because(Reason::NotFinite).at_time(t)
}

/// A body without finite motion is an error, whatever is asked for.
fn refuse_unbounded(sample: &Sample) -> Result<()> {
    let Sample { system, ws, t, .. } = sample;
    let finite = |k: usize| {
        let [p, v, a] = origin(system, ws, k);
        let state = &ws.cache.bodies[k];
        [p, v, state.w, a, state.alpha].iter().all(|x| x.is_finite())
    };
    match (1..system.model.bodies.len()).find(|k| !finite(*k)) {
        Some(k) => {
            let body = &system.model.bodies[k].name;
            Err(not_finite(format!("has no finite motion at t = {t:.9} s"), *t).of(format!("body '{body}'")))
        }
        None => Ok(()),
    }
}

/// Copies values to the front; how many they are.
fn put(values: &mut [f64; MOST], from: &[f64]) -> usize {
    values[..from.len()].copy_from_slice(from);
    from.len()
}

/// Copies vectors to the front; how many numbers they are.
fn put_vectors(values: &mut [f64], from: &[Vec3]) -> usize {
    values.chunks_exact_mut(3).zip(from).for_each(|(slot, part)| slot.copy_from_slice(&part.to_array()));
    3 * from.len()
}

/// Copies a force and a moment to the front; how many numbers they are.
fn put_wrench(values: &mut [f64; MOST], space: Space, [force, moment]: [Vec3; 2]) -> usize {
    match space {
        Space::Spatial => put_vectors(values, &[force, moment]),
        Space::Planar => put(values, &[force.x, force.y, moment.z]),
    }
}

/// Values of an element that moves; `None` for any other.
pub(super) fn motion(sample: &Sample, element: Element, measure: usize, values: &mut [f64; MOST]) -> Option<usize> {
    let Sample { system, ws, t, residual } = sample;
    Some(match element {
        Element::Time => put(values, &[*t]),
        Element::Residual => put(values, &[*residual]),
        Element::Body(k) => {
            let [p, v, a] = origin(system, ws, k);
            let state = &ws.cache.bodies[k];
            if system.model.space.is_planar() {
                let angle = ws.cache.heading(k);
                return Some(put(values, &[p.x, p.y, angle, v.x, v.y, state.w.z, a.x, a.y, state.alpha.z]));
            }
            put_vectors(values, &[p]);
            values[3..7].copy_from_slice(&state.attitude.0);
            7 + put_vectors(&mut values[7..], &[v, state.w, a, state.alpha])
        }
        Element::Point(k, point) => {
            let state = &ws.cache.bodies[k];
            let mut p = state.pose.origin;
            if system.model.reference.is_some() {
                p += system.model.ground_reference();
            }
            let s = state.pose.rotation.apply(system.model.bodies[k].points[point].1);
            let [p, v, a] = [p + s, state.velocity_at(s), state.acceleration_at(s)];
            match system.model.space {
                Space::Spatial => put_vectors(values, &[p, v, a]),
                Space::Planar => put(values, &[p.x, p.y, v.x, v.y, a.x, a.y]),
            }
        }
        Element::Gap(k) => put(values, &[contact::gap(&system.model.contacts[k], &ws.cache.bodies)]),
        Element::Coordinate(..) => {
            let (rows, at) = (&system.constraints, &ws.evaluation);
            put(values, &[rows.value(measure, at), rows.rate(measure, at), rows.acceleration(measure, at)])
        }
        _ => return None,
    })
}

/// Values of an element that forces act in: reactions in ground axes and in the second body's, efforts, energies.
pub(super) fn force(sample: &Sample, forces: &ForceAnalysis, element: Element, values: &mut [f64; MOST]) -> usize {
    let Sample { system, ws, .. } = sample;
    let (model, reactions) = (system.model, &forces.reactions);
    match element {
        Element::Reaction(k) => {
            put_wrench(values, model.space, [reactions.joints[k].force, reactions.joints[k].moment])
        }
        Element::LocalReaction(k) => {
            let rotation = &ws.cache.bodies[model.joints[k].bodies[1]].pose.rotation;
            let parts = [reactions.joints[k].force, reactions.joints[k].moment];
            put_wrench(values, model.space, parts.map(|p| rotation.apply_transposed(p)))
        }
        Element::Contact(k) => {
            let pressure = match model.contacts[k].is_rigid() {
                true => contact::pressed(k, &forces.touching.pressed),
                false => contact::pressure(&model.contacts[k], &ws.cache.bodies),
            };
            put(values, &[pressure.normal, pressure.tangent])
        }
        Element::Coupling(k) => put(values, &[reactions.couplings[k]]),
        Element::Borne(j, c) => put(values, &[forces.borne(j, c)]),
        // A driver with one effort tells it in the first place.
        Element::Driver(k) => put(values, &reactions.drivers[k].to_array()[..element.leaves(model).len()]),
        Element::Energy => {
            // Potential energy is told from the ground's own origin.
            let bodies = model.bodies.iter().filter_map(|b| b.mass.as_ref());
            let masses = bodies.chain(model.rotors.iter().map(|r| &r.mass));
            let weight = model.gravity.map_or(0.0, |g| g.dot(model.ground_reference()));
            let potential = forces.potential - weight * masses.map(|m| m.mass).sum::<f64>();
            put(values, &[forces.kinetic, potential, forces.kinetic + potential])
        }
        _ => 0,
    }
}
