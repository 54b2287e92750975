//! A run in legs, with the table of what sticks and slips.

use super::super::events::{Events, Holds, Turning};
use super::super::journey::{begin, Journey};
use super::super::sample_forces::SampleForces;
use super::super::Dynamics;
use super::transition::Decider;
use super::{Sliding, State, Watch};
use crate::couplings::CoordinateRef;
use crate::drivers::{Driver, Target};
use crate::error::Result;
use crate::model::Model;
use crate::motion::Motion;
use crate::solve::forces::Rub;
use crate::solve::motion::check_drivers;
use crate::solve::outcome::Outcome;
use crate::system::{System, Workspace};

/// Rates whose part of the energies at play is below the square of this are none, at least.
const REST: f64 = 1e-10;
/// The same in tolerances: what a step may be off.
const TOLERANCES: f64 = 10.0;
/// Changes of state in no time, beyond which friction does not come to an answer.
const CROWD: usize = 100;
/// Part of the run that is no time.
const NO_TIME: f64 = 1e-12;
/// Changes of state that are told one by one.
const TOLD: usize = 40;

/// What changes from leg to leg besides the motion.
struct Course {
    states: Vec<State>,
    /// Changes of state so far, and those that came upon each other in no time, since when.
    changes: usize,
    crowd: usize,
    since: f64,
}

/// Integrates a model in which joints rub, as far as the motion goes.
pub fn run(model: &Model, formulation: &str, progress: &mut dyn FnMut(usize, usize) -> bool) -> Result<Outcome> {
    let base = System::new(model, formulation)?;
    check_drivers(&base, model.study.start)?;
    let (mut dynamics, point, at_rest) = begin(&base, None)?;
    let mut journey = Journey::new(&mut dynamics, point, at_rest)?;
    let mut decider = Decider::new(dynamics)?;
    let mut course = Course { states: Vec::new(), changes: 0, crowd: 0, since: f64::NEG_INFINITY };
    let mut outcome = Ok(());
    let mut turning = Some(Turning { t: journey.point.t, turns: true, slips: Vec::new(), stops: Vec::new() });
    while let Some(met) = turning.take() {
        match leg(&base, &mut decider, (&mut journey, &mut course), &met, progress) {
            Ok(next) => turning = next,
            Err(error) => outcome = Err(error),
        }
    }
    if course.changes > TOLD {
        let more = course.changes - TOLD;
        journey.notes.push(("event".into(), format!("{more} more changes between sticking and sliding")));
    }
    if let Some(t) = decider.grown {
        let text = format!(
            "friction presses itself so strongly from t = {t:.9} s on that other answers are not excluded; told is the one that grows out of \
             the motion without friction"
        );
        journey.notes.push(("warning".into(), text));
    }
    journey.finish(outcome, &decider.dynamics)
}

/// Decides what sticks and slides from here on, and travels up to the next change.
fn leg(
    base: &System,
    decider: &mut Decider,
    (journey, course): (&mut Journey, &mut Course),
    met: &Turning,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Option<Turning>> {
    let (model, t) = (base.model, met.t);
    let first = model.drivers.len();
    journey.point.t = t;
    decider.dynamics.project(&mut journey.point)?;
    let stops: Vec<usize> = decider.places(&met.stops);
    let rest = REST.max(TOLERANCES * model.study.tolerance);
    let states = decider.decide(&journey.point, (&met.slips, &stops), (journey.watch.at_play(), rest), first)?;
    let span = (model.study.end - model.study.start).abs();
    course.crowd = if t - course.since <= NO_TIME * span { course.crowd + 1 } else { 0 };
    course.since = t;
    if course.crowd > CROWD {
        return Err(decider.undecided(t));
    }
    decider.dynamics.realize(&journey.point);
    let rubs = Rub::all(base);
    tell_changes(&rubs, (&course.states, &states), journey, &mut course.changes);
    course.states.clone_from(&states);
    let value = |rub: &Rub| base.constraints.value(rub.measure, &decider.dynamics.ws.evaluation);
    let mut holds: Vec<(usize, Driver)> = Vec::new();
    for (rub, state) in rubs.iter().zip(&states) {
        if let State::Stuck(number) = state {
            let of = CoordinateRef { joint: rub.number, coordinate: 0 };
            let target = Target::Coordinate { of, value: Motion::Constant(value(rub)) };
            holds.push((*number, Driver::new(&format!("friction of {}", rub.joint.name), target)));
        }
    }
    holds.sort_by_key(|hold| hold.0);
    let mut case = model.with_more_drivers(holds.into_iter().map(|hold| hold.1));
    if case.drivers.len() > first {
        // Algorithms of trees know no holds.
        case.study.algorithm = None;
    }
    let system = System::new(&case, base.formulation.name())?;
    let mut ws = Workspace::new(&system);
    carry((base, &decider.dynamics.ws), (&system, &mut ws));
    let idle = decider.dynamics.ws.idle().to_vec();
    if !idle.is_empty() {
        ws.hold_spins(&system, idle);
    }
    let mut dynamics = Dynamics::new(&system, ws, t, &journey.point.q)?;
    dynamics.sliding = Some(Box::new(Sliding::new(&system, states.clone())?));
    dynamics.project(&mut journey.point)?;
    dynamics.realize(&journey.point);
    let mut told = SampleForces::new(&system)?;
    let mut events = Events::new(&system)?;
    let slide = |(rub, state): (&Rub, &State)| match state {
        State::Slides(sense) => Some((rub.coordinate, *sense)),
        _ => None,
    };
    let slides: Vec<_> = rubs.iter().zip(&states).filter_map(slide).collect();
    let watch = Watch::new(&system, &states)?;
    events.watch_friction(&slides, watch.map(|watch| Box::new(watch) as Box<dyn Holds>));
    let outcome = journey.travel(&mut dynamics, (&mut events, &mut told), progress);
    journey.happened.append(&mut events.happened);
    for note in told.notes(&system) {
        if !journey.notes.contains(&note) {
            journey.notes.push(note);
        }
    }
    if let Some(grown) = dynamics.sliding.as_ref().and_then(|sliding| sliding.grown()) {
        decider.grown.get_or_insert(grown);
    }
    let turning = outcome?.filter(|_| !journey.is_done());
    dynamics.keep(&journey.point);
    carry((&system, &dynamics.ws), (base, &mut decider.dynamics.ws));
    Ok(turning)
}

/// Names attitudes and turns on from what they are in another system of the same mechanism.
fn carry((from, given): (&System, &Workspace), (to, ws): (&System, &mut Workspace)) {
    (ws.size, ws.accepted) = (given.size, given.accepted);
    for (kept, body) in ws.cache.kept.iter_mut().zip(&given.cache.bodies) {
        *kept = body.attitude;
    }
    for (body, heading) in ws.cache.headings.iter_mut().enumerate() {
        *heading = given.cache.heading(body);
    }
    // Other measures than those of coordinates are counted anew, from the turn that they are in.
    for ((.., there), (.., here)) in from.constraints.coordinates().iter().zip(to.constraints.coordinates()) {
        ws.evaluation.near[*here] = from.constraints.value(*there, &given.evaluation);
    }
}

/// Tells joints that stick or slip from here on, not what they do at the start.
fn tell_changes(rubs: &[Rub], (before, now): (&[State], &[State]), journey: &mut Journey, changes: &mut usize) {
    for (rub, (before, now)) in rubs.iter().zip(before.iter().zip(now)) {
        if before.is_stuck() == now.is_stuck() {
            continue;
        }
        *changes += 1;
        if *changes <= TOLD {
            let what = if now.is_stuck() { "sticks" } else { "slips" };
            journey.happened.push((format!("joint '{}' {what}", rub.joint.name), journey.point.t));
        }
    }
}
