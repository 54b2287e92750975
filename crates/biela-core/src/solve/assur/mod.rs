//! Driven linkages that close dyad by dyad, in closed form, and many designs of one side by side.
//!
//! ```text
//! Model as it stands ──► Assur: parts in order, their senses, what is told ──► Group: designs in lanes ──► columns
//! ```
//! A planar linkage whose drivers lead pivots and slides, and whose other bodies come in dyads, is placed body by body by roots and quotients alone:
//! no system, no assembly, no iteration. What changes from design to design is numbers, read off the joints' frames. A design has the same bits
//! whatever stands beside it, and however wide the registers are.
//!
//! The branch is the senses in which the dyads are closed, those of the model as it stands. A design whose own drawing shows another sense, or none
//! clearly, is not taken; nor is one whose motion comes near to a singular position, leaves a residual above what is accepted anywhere, or moves
//! further in one step than turns can be counted in. Such designs are for the general solvers, from their start.

mod group;
mod kinetostatics;
mod loads;
mod parts;
mod place;
mod plane;
mod told;

pub use group::Group;

use crate::drivers::Target;
use crate::model::{Analysis, Model};
use crate::motion::Motion;
use crate::results::Results;
use crate::signal::{Extent, Signals};
use crate::solve::branch::dyads::Plan;
use crate::solve::kept::table;
use crate::solve::likeness::{driven, Likeness};
use crate::solve::motion::{is_even, Follower};
use crate::solve::newton::Method;
use crate::solve::samples::{samples, time};
use crate::system::System;
use kinetostatics::Kinetostatics;
use parts::{is_pivot, sense, Dyad, Numbers, Part};
use place::Lead;
use told::{Columns, Told};

/// How a linkage is closed, and what is told of it.
#[derive(Debug)]
pub struct Assur {
    parts: Vec<Part>,
    told: Vec<Told>,
    /// Forces that are told, where any are.
    kinetostatics: Option<Kinetostatics>,
    /// Columns that are kept, by their places in a run, where they are a run's.
    places: Vec<usize>,
    /// How many there are.
    columns: usize,
    /// Numbers of a design: those of the parts, with those of what is told, and all.
    numbers_of_parts: usize,
    numbers_told: usize,
    numbers: usize,
    bodies: usize,
    planar: bool,
    size: f64,
    /// The ground's origin and turn, and its height.
    ground: ([f64; 2], [f64; 2]),
    height: f64,
    times: Vec<f64>,
    /// The drivers' laws, and their values at all times.
    laws: Vec<Motion>,
    leads: Vec<Lead<f64>>,
    likeness: Likeness,
}

impl Assur {
    /// For runs of designs of a model, as its study asks for them; `None` where it is no such linkage, or more is asked for than positions, velocities
    /// and accelerations of bodies, points and joints, and the forces that go with them: of joints, drivers and the ground.
    pub fn of_runs(model: &Model, formulation: &str, method: &'static dyn Method) -> Option<Assur> {
        let study = &model.study;
        let known = match study.analysis {
            Analysis::Kinematics => true,
            Analysis::InverseDynamics | Analysis::Statics => model.gravity.is_some(),
            _ => false,
        };
        let plain = known && study.mode.is_none() && !study.singularity && !model.has_stops();
        if !plain || !study.silent || study.spill.is_some() {
            return None;
        }
        let signals = Signals::with(model, Extent::of(study));
        let filled = study.filled.as_deref()?;
        let Columns { mut told, forces, places } =
            Told::columns(model, signals.all(), &|k| filled.get(k) == Some(&true))?;
        let kinetostatics = match forces.is_empty() {
            true => None,
            false => Some(Kinetostatics::new(model, &forces)?),
        };
        for (place, joint) in kinetostatics.iter().flat_map(|k| k.loads.laws.read.iter().enumerate()) {
            told.push(Told::read(model, *joint, place)?);
        }
        let times = (0..samples(model)).map(|k| time(model, k)).collect();
        let columns = places.len();
        let mut made = Assur::new(model, (formulation, method), times, (told, kinetostatics), columns)?;
        made.likeness.study = Some((study.start, study.end, study.steps));
        Some(Assur { places, ..made })
    }

    /// For the motions of all bodies at these times, in ascending order: [`crate::solve::many::NUMBERS`] of each.
    pub fn of_bodies(model: &Model, formulation: &str, method: &'static dyn Method, times: &[f64]) -> Option<Assur> {
        let ascending = times.windows(2).all(|pair| pair[0] < pair[1]);
        let told = Told::bodies(model);
        let columns = told.len() * crate::solve::many::NUMBERS;
        let made = Assur::new(model, (formulation, method), times.to_vec(), (told, None), columns)?;
        (ascending && model.study.mode.is_none()).then_some(Assur { planar: false, ..made })
    }

    fn new(
        model: &Model,
        (formulation, method): (&str, &'static dyn Method),
        times: Vec<f64>,
        (told, kinetostatics): (Vec<Told>, Option<Kinetostatics>),
        columns: usize,
    ) -> Option<Assur> {
        let near = model.reference.is_none() && model.near().is_none();
        if !near || !model.couplings.is_empty() || !model.rotors.is_empty() || times.is_empty() {
            return None;
        }
        let laws: Vec<Motion> = Assur::laws_of(model).map(|law| law.cloned()).collect::<Option<_>>()?;
        let system = System::new(model, formulation).ok()?;
        let span = times[times.len() - 1] - times[0];
        let follower = Follower::with_method(&system, times[0], span, method).ok()?;
        let (ws, ground) = (&follower.stepper.ws, model.bodies[0].X_WB);
        let poses: Vec<_> = ws.cache.bodies.iter().map(|body| body.pose).collect();
        let parts = order(model, &Plan::new(model, &poses, ws.size)?, &poses)?;
        let mut leads = Vec::new();
        group::leads(&laws.iter().collect::<Vec<_>>(), &times, &mut leads)?;
        let level = ground.rotation.axes[2].z == 1.0;
        if !level || !is_even(model, ws.size, &times) {
            return None;
        }
        let (mut list, mut heights) = (Vec::new(), vec![ground.origin.z; poses.len()]);
        let mut numbers = Numbers { model, size: ws.size, list: &mut list, heights: &mut heights };
        parts.iter().try_for_each(|part| numbers.add(part))?;
        let numbers_of_parts = numbers.list.len();
        told.iter().try_for_each(|told| numbers.tell(told))?;
        let numbers_told = numbers.list.len();
        kinetostatics.iter().try_for_each(|forces| forces.number(&mut numbers))?;
        let x = ground.rotation.axes[0];
        Some(Assur {
            numbers_of_parts,
            numbers_told,
            numbers: list.len(),
            kinetostatics,
            places: Vec::new(),
            columns,
            bodies: poses.len(),
            planar: model.space.is_planar(),
            size: ws.size,
            ground: ([ground.origin.x, ground.origin.y], [x.x, x.y]),
            height: ground.origin.z,
            laws,
            leads,
            likeness: Likeness::of(model),
            parts,
            told,
            times,
        })
    }

    /// A table for the columns of one design, each at its place in a run; those that are not kept have neither name nor values.
    pub fn table(&self) -> Results {
        table(&self.places, &self.times)
    }

    /// Laws of joint coordinates; `None` for a driver of another kind.
    fn laws_of(model: &Model) -> impl Iterator<Item = Option<&Motion>> {
        model.drivers.iter().map(|driver| match &driver.target {
            Target::Coordinate { value, .. } => Some(value),
            _ => None,
        })
    }

    /// Whether a model has the elements of this one.
    fn fits(&self, model: &Model) -> bool {
        self.likeness.is_of(model)
    }
}

impl Part {
    /// The sense in which a dyad is closed.
    fn sense(&self) -> f64 {
        match self {
            Part::Rrr(dyad) | Part::Rrp(dyad) | Part::Rpr(dyad) => dyad.sense,
            Part::Turn { .. } | Part::Slide { .. } => 1.0,
        }
    }
}

/// Parts in the order in which they place all bodies, from the ground on; `None` where some body is left, or where the drawing does not show the sense
/// in which a dyad is closed at these poses.
fn order(model: &Model, plan: &Plan, poses: &[crate::math::Pose]) -> Option<Vec<Part>> {
    let (mut placed, mut parts) = (vec![false; model.bodies.len()], Vec::new());
    placed[0] = true;
    let mut dyads = plan.dyads()?;
    let mut leads: Vec<(usize, usize)> = driven(model).enumerate().collect();
    while !(leads.is_empty() && dyads.is_empty()) {
        let next = leads.iter().position(|(_, joint)| {
            let [a, b] = model.joints[*joint].bodies;
            placed[a] != placed[b]
        });
        if let Some(k) = next {
            let (driver, joint) = leads.remove(k);
            let of = &model.joints[joint];
            let from = usize::from(!placed[of.bodies[0]]);
            let (parent, child) = (of.bodies[from], of.bodies[1 - from]);
            let sign = if from == 0 { 1.0 } else { -1.0 };
            parts.push(match is_pivot(of)? {
                true => Part::Turn { joint, driver, parent, child, sign: sign * parts::upright(of)? },
                false => Part::Slide { joint, driver, parent, child, sign },
            });
            placed[child] = true;
            continue;
        }
        let known = |joint: usize, body: usize| {
            let [a, b] = model.joints[joint].bodies;
            let known = if a == body { b } else { a };
            placed[known].then_some(known)
        };
        let next = dyads.iter().position(|([i, _, j], [a, b])| known(*i, *a).and(known(*j, *b)).is_some())?;
        let (joints, bodies) = dyads.remove(next);
        let known = [known(joints[0], bodies[0])?, known(joints[2], bodies[1])?];
        let dyad = Dyad { joints, known, bodies, sense: 0.0 };
        let sorts = [0, 1, 2].map(|k| is_pivot(&model.joints[joints[k]]));
        let made = |dyad: Dyad| match sorts {
            [Some(true), Some(true), Some(true)] => Some(Part::Rrr(dyad)),
            [Some(true), Some(true), Some(false)] => Some(Part::Rrp(dyad)),
            [Some(true), Some(false), Some(true)] => Some(Part::Rpr(dyad)),
            _ => None,
        };
        let closed = sense(model, &made(dyad)?, poses);
        let part = made(Dyad { sense: closed, ..dyad })?;
        if closed == 0.0 || sense(model, &part, model.guess().poses()) != closed {
            return None;
        }
        bodies.into_iter().for_each(|body| placed[body] = true);
        parts.push(part);
    }
    // Every joint has its part, so that none is left open.
    let joints: usize =
        parts.iter().map(|p| if matches!(p, Part::Turn { .. } | Part::Slide { .. }) { 1 } else { 3 }).sum();
    (placed.iter().all(|placed| *placed) && joints == model.joints.len()).then_some(parts)
}
