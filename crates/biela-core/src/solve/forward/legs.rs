//! A run in legs: in each, joints that stick or slide and what touches keep what they do; at the events between, it is decided anew.

use super::checkpoint::Checkpoint;
use super::dynamics::Touches;
use super::events::{Events, Holds, Turning};
use super::friction::{Decider, Sliding, State, Watch};
use super::journey::{begin, Journey};
use super::sample_forces::SampleForces;
use super::unilateral::{self, Held, Setting, Stepping, TimeStepping, Told};
use super::Dynamics;
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
/// The same, beyond which impacts are taken without restitution.
const RATTLE: usize = 50;
/// Part of the run that is no time.
const NO_TIME: f64 = 1e-12;
/// Changes of state that are told one by one.
const TOLD: usize = 40;
/// Impacts and partings that are told one by one.
const TOLD_OF_TOUCH: usize = 1000;

/// What changes from leg to leg besides the motion.
struct Course {
    states: Vec<State>,
    /// What may touch.
    held: Option<Box<Held>>,
    /// What is to be told of it, and how many impacts there have been.
    told: Told,
    /// Changes of state so far, and those that came upon each other in no time, since when.
    changes: usize,
    crowd: usize,
    since: f64,
}

/// Integrates a model in which joints rub or bodies touch, as far as the motion goes.
pub fn run(
    model: &Model,
    formulation: &str,
    from: Option<&Checkpoint>,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<(Outcome, Checkpoint)> {
    let base = System::new(model, formulation)?;
    check_drivers(&base, model.study.start)?;
    let (mut dynamics, point, said) = begin(&base, None, from)?;
    let mut journey = Journey::new(&mut dynamics, point, said)?;
    journey.take_up(from);
    if unilateral::is_crowded(model) {
        return steps(dynamics, journey, progress);
    }
    let mut decider = Decider::new(dynamics)?;
    let held = Held::new(&base, decider.dynamics.ws.size)?;
    let mut course =
        Course { states: Vec::new(), held, told: Told::default(), changes: 0, crowd: 0, since: f64::NEG_INFINITY };
    let mut outcome = Ok(());
    let mut turning = Some(Turning::at(journey.point.t, true));
    while let Some(met) = turning.take() {
        match leg(&base, &mut decider, (&mut journey, &mut course), &met, progress) {
            Ok(next) => turning = next,
            Err(error) => outcome = Err(error),
        }
    }
    course.told.finish(&mut journey.notes);
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
    let checkpoint = journey.checkpoint(&decider.dynamics.ws);
    Ok((journey.finish(outcome, &decider.dynamics)?, checkpoint))
}

/// The whole run by steps of one length, where there are too many contacts to follow each.
fn steps<'m>(
    mut dynamics: Dynamics<'m>,
    mut journey: Journey<'m>,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<(Outcome, Checkpoint)> {
    let system = dynamics.system;
    let stepping = Box::new(Stepping::new(system.model));
    let step = stepping.length(system.model);
    dynamics.held = Some(stepping as Box<dyn Touches>);
    journey.change(&TimeStepping, step, &mut dynamics);
    let mut told = SampleForces::new(system)?;
    let mut events = Events::new(system)?;
    let outcome = journey.travel(&mut dynamics, (&mut events, &mut told), progress).map(|_| ());
    journey.happened.append(&mut events.happened);
    journey.notes.extend(told.notes(system));
    if let Some(stepping) = dynamics.held.take().and_then(Stepping::back) {
        journey.notes.push(("contacts".into(), stepping.told(step)));
    }
    dynamics.keep(&journey.point);
    let checkpoint = journey.checkpoint(&dynamics.ws);
    Ok((journey.finish(outcome, &dynamics)?, checkpoint))
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
    let span = (model.study.end - model.study.start).abs();
    course.crowd = if t - course.since <= NO_TIME * span { course.crowd + 1 } else { 0 };
    let start = course.since == f64::NEG_INFINITY;
    course.since = t;
    if course.crowd > CROWD {
        return Err(match &course.held {
            Some(held) if !model.rubs() => held.undecided(t),
            _ => decider.undecided(t),
        });
    }
    let states = decide(decider, (journey, course), met, (&stops, rest), (first, start))?;
    course.told.hand_over(TOLD_OF_TOUCH, &mut journey.happened);
    decider.dynamics.realize(&journey.point);
    let rubs = Rub::all(base);
    tell_changes(&rubs, (&course.states, &states), journey, &mut course.changes);
    course.states.clone_from(&states);
    let case = stuck(base, decider, (&rubs, &states));
    let system = System::new(&case, base.formulation.name())?;
    let mut ws = Workspace::new(&system);
    carry((base, &decider.dynamics.ws), (&system, &mut ws));
    let idle = decider.dynamics.ws.idle().to_vec();
    if !idle.is_empty() {
        ws.hold_spins(&system, idle);
    }
    let mut dynamics = Dynamics::new(&system, ws, t, &journey.point.q)?;
    if !states.is_empty() {
        dynamics.sliding = Some(Box::new(Sliding::new(&system, states.clone())?));
    }
    let margins = course.held.as_ref().map(|held| (held.margins(), held.bears()));
    dynamics.held = course.held.take().map(|held| held as Box<dyn Touches>);
    dynamics.project(&mut journey.point)?;
    dynamics.realize(&journey.point);
    let mut told = SampleForces::new(&system)?;
    let mut events = Events::new(&system)?;
    let share = |k: usize| match states[k] {
        State::Slides(sense) => Some((rubs[k].coordinate, sense * rubs[k].weight)),
        _ => None,
    };
    let slide = |k: usize| match rubs[k].other.and_then(|other| Some((other, share(other)?))) {
        Some((other, _)) if other < k => None,
        Some((_, beside)) => Some(vec![share(k)?, beside]),
        None => Some(vec![share(k)?]),
    };
    let slides: Vec<_> = (0..rubs.len()).filter_map(slide).collect();
    if let Some((margins, bears)) = margins {
        events.watch_touching(margins, bears);
    }
    let watch = Watch::new(&system, &states)?;
    events.watch_friction(slides, watch.map(|watch| Box::new(watch) as Box<dyn Holds>));
    let outcome = journey.travel(&mut dynamics, (&mut events, &mut told), progress);
    course.held = dynamics.held.take().and_then(Held::back);
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

/// What sticks and slides, and what touches does, from here on.
fn decide(
    decider: &mut Decider,
    (journey, course): (&mut Journey, &mut Course),
    met: &Turning,
    (stops, rest): (&[usize], f64),
    (first, start): (usize, bool),
) -> Result<Vec<State>> {
    let energy = journey.watch.at_play();
    let Some(held) = &mut course.held else {
        return decider.decide(&journey.point, (&met.slips, stops), (energy, rest), first);
    };
    let plastic = course.crowd > RATTLE;
    let setting = Setting { met: &met.met, slips: &met.slips, stops, energy, rest, first, plastic, start };
    held.transition(decider, &mut journey.point, &setting, &mut course.told)
}

/// The model with a driver more for each joint that friction holds.
fn stuck(base: &System, decider: &Decider, (rubs, states): (&[Rub], &[State])) -> Model {
    let (model, first) = (base.model, base.model.drivers.len());
    let value = |rub: &Rub| base.constraints.value(rub.measure, &decider.dynamics.ws.evaluation);
    let mut holds: Vec<(usize, Driver)> = Vec::new();
    for (rub, state) in rubs.iter().zip(states) {
        if let State::Stuck(number) = state {
            let coordinate = base.constraints.coordinates()[rub.coordinate].1;
            let of = CoordinateRef { joint: rub.number, coordinate };
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
    case
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
    for (k, (rub, (before, now))) in rubs.iter().zip(before.iter().zip(now)).enumerate() {
        // A pair is told with its first.
        if before.is_stuck() == now.is_stuck() || rub.other.is_some_and(|other| other < k) {
            continue;
        }
        *changes += 1;
        if *changes <= TOLD {
            let what = if now.is_stuck() { "sticks" } else { "slips" };
            journey.happened.push((format!("joint '{}' {what}", rub.joint.name), journey.point.t));
        }
    }
}
