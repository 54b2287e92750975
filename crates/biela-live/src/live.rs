//! A mechanism at a time: its inputs, its state, and what is told of it.
//!
//! A prescribed motion (kinematics, inverse dynamics) stands in the poses that its drivers ask for, on the branch that it has come along; a motion under
//! forces stands in a checkpoint of its run. Each step is a run of the library from one communication point to the next: so joints rub, bodies touch and
//! events end a motion as they do there. A driver that is set follows v + r (t − t₀) + a (t − t₀)²/2 from the time t₀ at which it stands.

use crate::freedom::Freedom;
use crate::laws::{law_of, quiet, rates, unstopped, value};
use crate::ports::{self, Input, To, Told};
use biela::drivers::{Driver, Target};
use biela::error::{Error, ErrorKind, Reason, Result};
use biela::math::{Jet, Pose};
use biela::model::{Analysis, Model};
use biela::motion::Motion;
use biela::results::Results;
use biela::signal::{Choice, Signals};
use biela::solve::forward::{self, Checkpoint};
use biela::solve::kinematics::{self, Stance};
use biela::solve::run::formulation_of;
use biela::solve::{assembly_modes, outcome::Outcome};
use biela::source::Source;
use biela::system::{resolve, Turns};
use biela::text::{Document, Options};

/// Values of drivers closer than this stand where they stood.
const STILL: f64 = 1e-12;
/// The shortest time in which drivers are led from where they stood to where they are set.
const LED: f64 = 1e-2;
/// Values of the past by which rates of a driver are found.
const REMEMBERED: usize = 3;

/// A mechanism held live.
#[derive(Debug)]
pub struct Live {
    document: Document,
    options: Options,
    /// Values of parameters that it was made with.
    made_with: Vec<(String, f64)>,
    patterns: Vec<String>,
    /// The model in force, its reference points near, with loads as they are set.
    pub(crate) model: Model,
    /// The same with the loads that it was written with.
    plain: Model,
    guess: Vec<Pose>,
    pub(crate) formulation: String,
    choice: Choice,
    /// Names of signals that are read besides outputs.
    pub(crate) besides: Vec<String>,
    inputs: Vec<Input>,
    parameters: Vec<Told>,
    outputs: Vec<Told>,
    pub(crate) freedoms: Vec<Freedom>,
    /// Freedoms that no joint coordinate tells.
    pub(crate) unnamed: usize,
    /// How far the choice of independent coordinates is from failing.
    pub(crate) distance: f64,
    /// Whether rates of drivers are found from the values that they have had.
    interpolate: bool,
    pub(crate) state: State,
    /// What was seen last at the present state.
    pub(crate) seen: Option<Seen>,
    /// Components of loads that the model in force has.
    loaded: Vec<Option<f64>>,
}

/// All that changes while the mechanism moves.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Inputs that are set.
    pub(crate) given: Vec<Option<f64>>,
    pub(crate) stand: Stand,
    /// Times and values of each driver at the last communication points.
    pub(crate) past: Vec<Vec<(f64, f64)>>,
    /// Whether an event has ended the motion.
    pub stopped: bool,
    /// The independent coordinates in force, by joint and coordinate.
    pub(crate) chosen: Vec<(usize, usize)>,
    /// On which sides of their zeros functions watched were at the start.
    pub(crate) sides: Vec<f64>,
    /// Independent coordinates and rates that are asked for in place of the state's own.
    pub(crate) asked: Option<Vec<f64>>,
}

/// Where the mechanism stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stand {
    /// Not begun yet.
    Start,
    /// Led by its drivers: where, and by which values of theirs.
    Led(Box<Stance>, Vec<f64>),
    /// Under forces.
    Free(Box<Checkpoint>),
}

/// What is told at a state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// Outputs.
    pub values: Vec<f64>,
    /// Signals besides, in the order of their names.
    pub besides: Vec<f64>,
}

impl Live {
    /// A model file's mechanism, with outputs that patterns choose as `--signals` does; all columns of a run where there are none.
    pub fn new(document: Document, options: Options, patterns: &[&str]) -> Result<Live> {
        let patterns: Vec<String> = patterns.iter().map(|p| p.to_string()).collect();
        let (model, guess) = compiled(&document, &options)?;
        let formulation = resolve(&model, formulation_of(&model)).to_string();
        let choice = Choice::new(&model, &patterns.iter().map(String::as_str).collect::<Vec<_>>())?;
        let inputs = ports::inputs(&document.model(&options)?);
        let parameters = parameters(&document, &options)?;
        let state = State::start(&model, inputs.len());
        let mut live = Live {
            loaded: vec![None; inputs.len()],
            document,
            made_with: options.values.clone(),
            options,
            patterns,
            plain: model.clone(),
            model,
            guess,
            formulation,
            choice,
            besides: Vec::new(),
            inputs,
            parameters,
            outputs: Vec::new(),
            freedoms: Vec::new(),
            unnamed: 0,
            distance: 1.0,
            interpolate: false,
            state,
            seen: None,
        };
        live.begin()?;
        let names = live.inputs.iter().map(|p| &p.name).chain(live.parameters.iter().map(|p| &p.name));
        ports::refuse_twice(names.chain(live.outputs.iter().map(|p| &p.name)).map(String::as_str))?;
        Ok(live)
    }

    /// The mechanism of a text in TOML.
    pub fn of_text(text: &str, patterns: &[&str]) -> Result<Live> {
        Live::new(Document::from_toml(&Source::new("text", text))?, Options::default(), patterns)
    }

    /// The model in force.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What can be set.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Parameters, with the values in force.
    pub fn parameters(&self) -> &[Told] {
        &self.parameters
    }

    /// What is told, with its values at the start.
    pub fn outputs(&self) -> &[Told] {
        &self.outputs
    }

    /// Its time.
    pub fn time(&self) -> f64 {
        self.state.t
    }

    /// Whether an event has ended the motion.
    pub fn has_stopped(&self) -> bool {
        self.state.stopped
    }

    /// Finds rates of drivers from the values that they have had, where only values are set.
    pub fn interpolate(&mut self, whether: bool) {
        self.interpolate = whether;
        self.seen = None;
    }

    /// Gives parameters other values and begins anew. Inputs that are set stay set.
    pub fn bind(&mut self, values: &[(String, f64)]) -> Result<()> {
        for (name, _) in values {
            if !self.parameters.iter().any(|p| p.name == *name) {
                let known: Vec<&str> = self.parameters.iter().map(|p| p.name.as_str()).collect();
                return Err(Error::new(format!("there is no parameter '{name}'")).suggest(name, known));
            }
        }
        let mut options = self.options.clone();
        options.values.retain(|(name, _)| !values.iter().any(|v| v.0 == *name));
        options.values.extend_from_slice(values);
        let patterns: Vec<&str> = self.patterns.iter().map(String::as_str).collect();
        let mut fresh = Live::new(self.document.clone(), options, &patterns)?;
        fresh.made_with.clone_from(&self.made_with);
        fresh.interpolate = self.interpolate;
        fresh.state.given.clone_from(&self.state.given);
        fresh.begin()?;
        *self = fresh;
        Ok(())
    }

    /// The same mechanism as it was made, with the parameters that it was made with and no input set.
    pub fn fresh(&self) -> Result<Live> {
        let patterns: Vec<&str> = self.patterns.iter().map(String::as_str).collect();
        let options = Options { values: self.made_with.clone(), ..self.options.clone() };
        Live::new(self.document.clone(), options, &patterns)
    }

    /// Goes back to the start of the run, or to another time at which it begins. Inputs that are set stay set.
    pub fn begin_at(&mut self, t: f64) -> Result<()> {
        self.model.study.start = t;
        self.begin()
    }

    /// The same at the time it has begun at.
    pub fn begin(&mut self) -> Result<()> {
        let given = std::mem::take(&mut self.state.given);
        self.state = State { given, ..State::start(&self.model, 0) };
        self.seen = None;
        self.load();
        self.watch()?;
        let t = self.state.t;
        let case = self.case((t, t), None).with_guess(&self.guess);
        if case.study.analysis == Analysis::Dynamics {
            let (outcome, left) = forward::go_on(&case, &self.formulation, None)?;
            self.state.stand = Stand::Free(Box::new(left));
            self.take(outcome)?;
        } else {
            let (outcome, left) = kinematics::go_on(&case, &self.formulation, None)?;
            self.state.stand = Stand::Led(Box::new(left), self.driven(t));
            self.take(outcome)?;
        }
        if self.choose_freedoms()? {
            self.watch()?;
            self.seen = None;
        }
        self.state.sides = self.indicators()?;
        Ok(())
    }

    /// Reads what events and states look at besides the outputs.
    pub(crate) fn watch(&mut self) -> Result<()> {
        let names = self.watched();
        let all = Signals::of(&self.model).all().iter().map(|s| s.name(&self.model)).collect::<Vec<_>>();
        let patterns: Vec<&str> = self.patterns.iter().map(String::as_str).collect();
        self.choice = Choice::new(&self.model, &patterns)?;
        self.choice.fill(names.iter().filter_map(|name| all.iter().position(|known| known == name)));
        self.besides = names;
        Ok(())
    }

    /// Sets an input by its name.
    pub fn set(&mut self, name: &str, value: f64) -> Result<()> {
        match self.inputs.iter().position(|input| input.name == name) {
            Some(k) => self.set_input(k, value),
            None => {
                let known: Vec<&str> = self.inputs.iter().map(|p| p.name.as_str()).collect();
                Err(Error::new(format!("there is no input '{name}'")).suggest(name, known))
            }
        }
    }

    /// Sets an input by its place.
    pub fn set_input(&mut self, k: usize, value: f64) -> Result<()> {
        if !value.is_finite() {
            let name = self.inputs.get(k).map_or("", |input| &input.name);
            return Err(Error::new(format!("the input '{name}' cannot be {value}")));
        }
        if let Some(given) = self.state.given.get_mut(k) {
            if *given != Some(value) {
                *given = Some(value);
                self.seen = None;
            }
        }
        Ok(())
    }

    /// The value of an input as it is set, or as the model has it at the start.
    pub fn input(&self, k: usize) -> f64 {
        let given = self.state.given.get(k).copied().flatten();
        given.unwrap_or_else(|| self.inputs.get(k).map_or(f64::NAN, |input| input.start))
    }

    /// Outputs at the present time, under the inputs as they are set.
    pub fn values(&mut self) -> Result<&[f64]> {
        self.look()?;
        Ok(self.seen.as_ref().map_or(&[], |seen| &seen.values))
    }

    /// Goes on to a time. Where an event ends the motion before, it stands there, and has stopped.
    pub fn advance(&mut self, to: f64) -> Result<()> {
        if self.state.stopped {
            return Err(ErrorKind::Stopped.error(format!("an event has ended the motion at t = {} s", self.state.t)));
        }
        let t = self.state.t;
        if !to.is_finite() || to < t {
            return Err(Error::new(format!("a motion at t = {t} s cannot go on to t = {to} s")));
        }
        self.remember(t);
        if to == t {
            return self.look();
        }
        self.settle()?;
        self.load();
        self.seen = None;
        match self.state.stand.clone() {
            Stand::Start => {}
            Stand::Led(stance, _) => {
                let case = self.case((t, to), None).with_guess(&stance.poses);
                let (outcome, left) = kinematics::go_on(&case, &self.formulation, Some(&stance.turns))?;
                let driven: Vec<f64> = case.drivers.iter().map(|d| value(d, to)).collect();
                self.state.stand = Stand::Led(Box::new(left), driven);
                self.arrive(outcome, to)?;
            }
            Stand::Free(checkpoint) => {
                let case = self.case((t, to), None);
                let (outcome, left) = forward::go_on(&case, &self.formulation, Some(&checkpoint))?;
                self.state.stand = Stand::Free(Box::new(left));
                self.arrive(outcome, to)?;
            }
        }
        Ok(())
    }

    /// Takes what a step has come to.
    fn arrive(&mut self, outcome: Outcome, to: f64) -> Result<()> {
        let stopped = outcome.results.note("stopped at").is_some();
        let last = outcome.results.times().last().copied().unwrap_or(to);
        self.take(outcome)?;
        self.state.t = if stopped { last } else { to };
        self.state.stopped = stopped;
        Ok(())
    }

    /// Reads the last sample.
    fn take(&mut self, outcome: Outcome) -> Result<()> {
        if let Some(error) = outcome.ended {
            return Err(error);
        }
        let last = |results: &Results, name: &String| results.get(name).and_then(|c| c.data.last().copied());
        let besides = self.besides.iter().map(|name| last(&outcome.results, name).unwrap_or(f64::NAN)).collect();
        let columns = self.choice.take(outcome.results)?.columns;
        let told = || columns.iter().filter(|column| column.name != "t");
        if self.outputs.is_empty() {
            let start = |data: &[f64]| data.last().copied().unwrap_or(f64::NAN);
            let made = told().map(|c| Told { name: c.name.clone(), unit: c.unit.into(), start: start(&c.data) });
            self.outputs = made.collect();
        }
        let values = told().map(|column| column.data.last().copied().unwrap_or(f64::NAN)).collect();
        self.seen = Some(Seen { values, besides });
        Ok(())
    }

    /// Sees what is told at the present state, if nobody has yet.
    pub(crate) fn look(&mut self) -> Result<()> {
        if self.seen.is_some() {
            return Ok(());
        }
        self.settle()?;
        self.load();
        let t = self.state.t;
        let case = self.case((t, t), None);
        let outcome = match self.state.stand.clone() {
            Stand::Start => return self.begin(),
            Stand::Led(stance, _) => {
                kinematics::go_on(&case.with_guess(&stance.poses), &self.formulation, Some(&stance.turns))?.0
            }
            Stand::Free(mut checkpoint) => {
                let (outcome, left) = match forward::go_on(&case, &self.formulation, Some(&checkpoint)) {
                    // A solver from outside tries what lies beyond a stop before it knows when that is struck.
                    Err(error) if error.reason() == Some(Reason::LimitPassed) && case.has_stops() => {
                        forward::go_on(&unstopped(case), &self.formulation, Some(&checkpoint))?
                    }
                    found => found?,
                };
                // Turns are counted on from here.
                checkpoint.turns = left.turns;
                self.state.stand = Stand::Free(checkpoint);
                outcome
            }
        };
        self.take(outcome)
    }

    /// Leads the mechanism to where drivers and states ask it to be.
    fn settle(&mut self) -> Result<()> {
        if let Some(asked) = self.state.asked.clone() {
            self.hold(&asked)?;
            self.state.asked = None;
            return Ok(());
        }
        let t = self.state.t;
        let wanted = self.driven(t);
        let Stand::Led(stance, driven) = self.state.stand.clone() else { return Ok(()) };
        if driven.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= STILL * a.abs().max(1.0)) {
            return Ok(());
        }
        let led = self.lead((&stance.poses, Some(&stance.turns)), (&driven, &wanted), &[])?;
        self.state.stand = Stand::Led(Box::new(led), wanted);
        Ok(())
    }

    /// Leads drivers, with more besides, straight from values to others, before the present time.
    pub(crate) fn lead(
        &self,
        (poses, turns): (&[Pose], Option<&Turns>),
        (old, new): (&[f64], &[f64]),
        more: &[Driver],
    ) -> Result<Stance> {
        let t = self.state.t;
        let before = t - LED;
        let laws: Vec<Motion> =
            old.iter().zip(new).map(|(a, b)| law_of(Jet::new(*a, (b - a) / LED, 0.0), before)).collect();
        let drivers = self.model.drivers.iter().chain(more).zip(laws);
        let led: Vec<Driver> = drivers.map(|(driver, law)| ports::led(driver, law)).collect();
        let case = self.model.with_drivers(led);
        // Where the motion is prescribed it ends at a stop; states that are tried do not.
        let case = if more.is_empty() { case } else { unstopped(case) };
        let mut case = case.with_guess(poses);
        quiet(&mut case.study, (before, t));
        let (outcome, left) = kinematics::go_on(&case, &self.formulation, turns)?;
        match outcome.ended {
            Some(error) => Err(error),
            None => Ok(left),
        }
    }

    /// The case of a part of the motion: drivers as they are set, what is asked for alone.
    pub(crate) fn case(&self, (from, to): (f64, f64), more: Option<Vec<Driver>>) -> Model {
        let led = |(k, driver): (usize, &Driver)| match self.jet(k, from) {
            Some(jet) => ports::led(driver, law_of(jet, from)),
            None => driver.clone(),
        };
        let drivers: Vec<Driver> =
            self.model.drivers.iter().enumerate().map(led).chain(more.unwrap_or_default()).collect();
        let mut case = self.model.with_drivers(drivers);
        case.study = self.choice.narrowed(&case.study);
        (case.study.start, case.study.end, case.study.steps) = (from, to, 1);
        case
    }

    /// Value, rate and acceleration that a driver has been set to; `None` where it follows its own law.
    fn jet(&self, driver: usize, t: f64) -> Option<Jet> {
        let law = ports::law(&self.model.drivers[driver].target)?;
        let set = |order: usize| {
            let place = self.inputs.iter().position(|input| input.to == To::Driver(driver, order))?;
            self.state.given.get(place).copied().flatten()
        };
        let [v, d, dd] = [set(0), set(1), set(2)];
        if v.is_none() && d.is_none() && dd.is_none() {
            return None;
        }
        let own = law.jet(t);
        // Points of a mechanism far from the origin are counted from nearby.
        let v = v.map_or(own.v, |v| v - self.shift(driver));
        let past = self.interpolate.then(|| rates(&self.state.past[driver])).flatten();
        let (slope, bend) = past.unwrap_or((0.0, 0.0));
        Some(Jet::new(v, d.unwrap_or(slope), dd.unwrap_or(bend)))
    }

    fn shift(&self, driver: usize) -> f64 {
        match &self.model.drivers[driver].target {
            Target::Point { along, .. } => along.dot(self.model.ground_reference()),
            _ => 0.0,
        }
    }

    /// Values of all drivers at a time.
    pub(crate) fn driven(&self, t: f64) -> Vec<f64> {
        let drivers = self.model.drivers.iter().enumerate();
        drivers.map(|(k, driver)| self.jet(k, t).map_or_else(|| value(driver, t), |jet| jet.v)).collect()
    }

    /// Notes the values of drivers at a communication point.
    fn remember(&mut self, t: f64) {
        if !self.interpolate {
            return;
        }
        let values = self.driven(t);
        for (past, value) in self.state.past.iter_mut().zip(values) {
            past.retain(|(then, _)| *then < t);
            if past.len() >= REMEMBERED {
                past.remove(0);
            }
            past.push((t, value));
        }
    }

    /// Puts loads in force as they are set.
    fn load(&mut self) {
        let given: Vec<Option<f64>> = (self.inputs.iter().zip(&self.state.given))
            .map(|(input, given)| given.filter(|_| matches!(input.to, To::Load(..))))
            .collect();
        if given == self.loaded {
            return;
        }
        let inputs = &self.inputs;
        let study = self.model.study.clone();
        self.model = self.plain.with_study(study);
        self.model.change_mechanism(|mechanism| {
            for (input, number) in inputs.iter().zip(&given) {
                if let (To::Load(k, component), Some(number)) = (input.to, number) {
                    ports::load(&mut mechanism.loads[k], component, *number);
                }
            }
        });
        self.loaded = given;
    }

    /// The value of an input at the present time, whoever says it.
    pub(crate) fn input_now(&self, k: usize) -> f64 {
        match self.inputs[k].to {
            To::Load(..) => self.input(k),
            To::Driver(driver, order) => {
                let t = self.state.t;
                let own = ports::law(&self.model.drivers[driver].target).map(|law| law.jet(t));
                let jet = self.jet(driver, t).or(own).unwrap_or(Jet::constant(0.0));
                [jet.v + self.shift(driver), jet.d, jet.dd][order]
            }
        }
    }

    /// Lets what happens at this moment happen: impacts, and what sticks or touches from here on.
    pub(crate) fn settle_free(&mut self) -> Result<()> {
        self.settle()?;
        self.load();
        let t = self.state.t;
        if let Stand::Free(checkpoint) = self.state.stand.clone() {
            let (outcome, left) = forward::go_on(&self.case((t, t), None), &self.formulation, Some(&checkpoint))?;
            self.state.stand = Stand::Free(Box::new(left));
            self.take(outcome)?;
        }
        Ok(())
    }

    /// The present state, to be put back later.
    pub fn state(&self) -> State {
        self.state.clone()
    }

    /// Puts a state of the same mechanism back.
    pub fn put_back(&mut self, state: State) {
        if state.chosen != self.state.chosen {
            self.freedoms = state.chosen.iter().map(|of| Freedom::new(&self.model, *of)).collect();
        }
        self.state = state;
        self.seen = None;
    }
}

impl State {
    fn start(model: &Model, inputs: usize) -> State {
        State {
            t: model.study.start,
            given: vec![None; inputs],
            stand: Stand::Start,
            past: vec![Vec::new(); model.drivers.len()],
            stopped: false,
            chosen: Vec::new(),
            sides: Vec::new(),
            asked: None,
        }
    }
}

/// The model of a document, ready to move: nearest to the drawing or in the configuration asked for.
fn compiled(document: &Document, options: &Options) -> Result<(Model, Vec<Pose>)> {
    let model = document.model(options)?;
    match model.study.analysis {
        Analysis::Kinematics | Analysis::InverseDynamics | Analysis::Dynamics => {}
        other => {
            let word = Analysis::ALL.iter().find(|a| a.1 == other).map_or("", |a| a.0);
            return Err(Error::new(format!("a mechanism held live moves; '{word}' is no motion"))
                .note("ask for --analysis kinematics, inverse-dynamics or dynamics"));
        }
    }
    let chosen = assembly_modes::chosen(&model)?;
    let model = chosen.unwrap_or(model);
    let mut model = model.near().unwrap_or(model);
    model.study.silent = true;
    let guess = model.guess().poses().to_vec();
    Ok((model, guess))
}

fn parameters(document: &Document, options: &Options) -> Result<Vec<Told>> {
    let kinds = document.parameter_kinds(options)?;
    let values = document.parameter_values(options)?;
    let told = kinds.into_iter().zip(values);
    Ok(told.map(|((name, kind), (_, start))| Told { name, unit: kind.unit(), start }).collect())
}
