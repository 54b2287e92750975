//! A live mechanism as FMI sees it: phases, variables by their references, events. Both versions of the standard speak to this.

use biela::error::{Error, Result};
use biela_live::fmu::{roles, unpacked, Role};
use biela_live::freedom::{Cause, Effect};
use biela_live::live::State;
use biela_live::{kept, Live};
use std::path::Path;

/// What happens at an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Made, not begun.
    Instantiated,
    /// Its start is being found.
    Initializing,
    /// Steps are made (co-simulation).
    Stepping,
    /// What happens at a moment is decided (model exchange).
    Event,
    /// Time goes on (model exchange).
    Continuous,
    /// The motion is over.
    Terminated,
}

/// How an importer hears: status, category, words.
pub type Log = dyn Fn(i32, &str, &str);

/// An instance.
pub struct Instance {
    pub live: Live,
    roles: Vec<Role>,
    pub phase: Phase,
    /// Whether solvers from outside hold it.
    exchange: bool,
    /// Parameters that are yet to be put in force.
    bound: Vec<(String, f64)>,
    interpolate: bool,
    start: f64,
    /// Told of what went wrong: status, category, words.
    log: Box<Log>,
}

/// A state kept for an importer.
#[derive(Clone)]
pub struct Kept {
    pub state: State,
    pub phase: Phase,
}

impl Instance {
    /// From a folder `resources`; the token must be that of the archive.
    pub fn new(folder: &Path, token: &str, exchange: bool, log: Box<Log>) -> Result<Instance> {
        let (live, own) = unpacked(folder)?;
        if token != own {
            return Err(Error::new(format!("the token '{token}' is not that of this model, '{own}'"))
                .note("modelDescription.xml and resources belong to different exports"));
        }
        let why = live.without_states().filter(|_| exchange);
        if let Some(why) = why {
            return Err(Error::new(format!("model exchange is not possible: {why}")).note("use co-simulation"));
        }
        let start = live.time();
        let roles = roles(&live);
        Ok(Instance {
            live,
            roles,
            phase: Phase::Instantiated,
            exchange,
            bound: Vec::new(),
            interpolate: false,
            start,
            log,
        })
    }

    /// Tells the importer.
    pub fn tell(&self, status: i32, category: &str, words: &str) {
        (self.log)(status, category, words);
    }

    /// Refuses a call that may not come now.
    pub fn only(&self, call: &str, phases: &[Phase]) -> Result<()> {
        match phases.contains(&self.phase) {
            true => Ok(()),
            false => Err(Error::new(format!("{call} may not be called in the phase {:?}", self.phase))
                .note(format!("it may be in {phases:?}"))),
        }
    }

    /// Begins to find the start.
    pub fn enter_initialization(&mut self, start: Option<f64>) -> Result<()> {
        self.only("EnterInitializationMode", &[Phase::Instantiated])?;
        if let Some(t) = start {
            self.start = t;
        }
        self.live.begin_at(self.start)?;
        self.phase = Phase::Initializing;
        Ok(())
    }

    /// Ends it.
    pub fn exit_initialization(&mut self) -> Result<()> {
        self.only("ExitInitializationMode", &[Phase::Initializing])?;
        self.put_in_force()?;
        self.live.begin()?;
        self.phase = if self.exchange { Phase::Event } else { Phase::Stepping };
        Ok(())
    }

    /// Puts parameters in force.
    fn put_in_force(&mut self) -> Result<()> {
        if !self.bound.is_empty() {
            let bound = std::mem::take(&mut self.bound);
            let freedoms = self.live.freedoms().len();
            self.live.bind(&bound)?;
            self.live.begin_at(self.start)?;
            if self.live.freedoms().len() != freedoms {
                return Err(Error::new("with these parameters the mechanism has another number of freedoms")
                    .note("export the model with them: biela export --set"));
            }
        }
        Ok(())
    }

    /// Back to where it was made.
    pub fn reset(&mut self) -> Result<()> {
        self.live = self.live.fresh()?;
        self.bound.clear();
        self.interpolate = false;
        self.phase = Phase::Instantiated;
        Ok(())
    }

    /// Values of variables.
    pub fn get(&mut self, references: &[u32], values: &mut [f64]) -> Result<()> {
        if references.len() != values.len() {
            return Err(Error::new(format!("{} values for {} variables", values.len(), references.len())));
        }
        if self.phase == Phase::Initializing {
            self.put_in_force()?;
        }
        for (reference, value) in references.iter().zip(values) {
            let k = *reference as usize;
            *value = match self.roles.get(k) {
                Some(Role::Time) => self.live.time(),
                Some(Role::Input(k)) => self.live.input(*k),
                Some(Role::Parameter(k)) => {
                    let told = &self.live.parameters()[*k];
                    self.bound.iter().find(|b| b.0 == told.name).map_or(told.start, |b| b.1)
                }
                Some(Role::Interpolate) => f64::from(u8::from(self.interpolate)),
                Some(Role::Output(k)) => self.live.values()?.get(*k).copied().unwrap_or(f64::NAN),
                Some(Role::State(k)) => self.live.states()?[*k],
                Some(Role::Rate(k)) => self.live.rates()?[*k],
                None => {
                    let indicators = self.live.indicators()?;
                    *indicators.get(k - self.roles.len()).ok_or_else(|| unknown(*reference))?
                }
            };
        }
        Ok(())
    }

    /// Sets variables.
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<()> {
        if references.len() != values.len() {
            return Err(Error::new(format!("{} values for {} variables", values.len(), references.len())));
        }
        for (reference, value) in references.iter().zip(values) {
            match self.roles.get(*reference as usize).copied().ok_or_else(|| unknown(*reference))? {
                Role::Input(k) => {
                    let all =
                        [Phase::Instantiated, Phase::Initializing, Phase::Stepping, Phase::Event, Phase::Continuous];
                    self.only("setting an input", &all)?;
                    self.live.set_input(k, *value)?;
                }
                Role::Parameter(k) => {
                    self.only("setting a parameter", &[Phase::Instantiated, Phase::Initializing])?;
                    let name = self.live.parameters()[k].name.clone();
                    self.bound.retain(|b| b.0 != name);
                    self.bound.push((name, *value));
                }
                Role::Interpolate => {
                    self.only("setting a parameter", &[Phase::Instantiated, Phase::Initializing])?;
                    self.interpolate = *value != 0.0;
                    self.live.interpolate(self.interpolate);
                }
                Role::State(_) if matches!(self.phase, Phase::Instantiated | Phase::Initializing) => {}
                _ => return Err(Error::new(format!("the variable {reference} is told, not set"))),
            }
        }
        Ok(())
    }

    /// A step of co-simulation. Returns whether an event has ended the motion.
    pub fn step(&mut self, t: f64, h: f64) -> Result<bool> {
        self.only("DoStep", &[Phase::Stepping])?;
        let here = self.live.time();
        // Times that importers add up differ by roundings.
        if (t - here).abs() > 1e-9 * here.abs().max(1.0) {
            return Err(Error::new(format!("a step from t = {t} s, where the mechanism is at t = {here} s")));
        }
        if !(h.is_finite() && h >= 0.0) {
            return Err(Error::new(format!("a step of {h} s")));
        }
        self.live.advance((t + h).max(here))?;
        Ok(self.live.has_stopped())
    }

    /// States, their rates, or functions watched.
    pub fn list(&mut self, of: fn(&mut Live) -> Result<Vec<f64>>, to: &mut [f64]) -> Result<()> {
        let found = of(&mut self.live)?;
        if found.len() != to.len() {
            return Err(Error::new(format!("{} values asked for where there are {}", to.len(), found.len())));
        }
        to.copy_from_slice(&found);
        Ok(())
    }

    /// Time of a solver from outside.
    pub fn set_time(&mut self, t: f64) -> Result<()> {
        self.only("SetTime", &[Phase::Event, Phase::Continuous])?;
        if !t.is_finite() {
            return Err(Error::new(format!("a time of {t} s")));
        }
        self.live.ask(Some(t), None)
    }

    /// States of a solver from outside.
    pub fn set_states(&mut self, states: &[f64]) -> Result<()> {
        self.only("SetContinuousStates", &[Phase::Event, Phase::Continuous])?;
        self.live.ask(None, Some(states))
    }

    /// Decides what happens at a moment. Returns whether states have other values, and whether the motion ends.
    pub fn update(&mut self) -> Result<(bool, bool)> {
        self.only("UpdateDiscreteStates", &[Phase::Event])?;
        let changed = self.live.decide()?;
        Ok((changed, self.live.is_over()?))
    }

    /// After a step of a solver from outside: whether something is to be decided.
    pub fn completed(&mut self) -> Result<bool> {
        self.only("CompletedIntegratorStep", &[Phase::Continuous])?;
        self.live.values()?;
        self.live.count_on();
        Ok(self.live.is_doubtful())
    }

    /// Change of unknowns along changes of knowns.
    pub fn slope(&mut self, unknowns: &[u32], knowns: &[u32], seed: &[f64], to: &mut [f64]) -> Result<()> {
        if knowns.len() != seed.len() || unknowns.len() != to.len() {
            return Err(Error::new("as many numbers as variables are needed"));
        }
        let effect = |reference: &u32| match self.roles.get(*reference as usize) {
            Some(Role::Output(k)) => Ok(Effect::Output(*k)),
            Some(Role::Rate(k)) => Ok(Effect::Rate(*k)),
            _ => Err(Error::new(format!("the variable {reference} is no output and no rate of a state"))),
        };
        let cause = |(reference, seed): (&u32, &f64)| match self.roles.get(*reference as usize) {
            Some(Role::Input(k)) => Ok((Cause::Input(*k), *seed)),
            Some(Role::State(k)) => Ok((Cause::State(*k), *seed)),
            _ => Err(Error::new(format!("the variable {reference} is no input and no state"))),
        };
        let effects = unknowns.iter().map(effect).collect::<Result<Vec<_>>>()?;
        let causes = knowns.iter().zip(seed).map(cause).collect::<Result<Vec<_>>>()?;
        to.copy_from_slice(&self.live.slope(&effects, &causes)?);
        Ok(())
    }

    /// The present state, to be put back.
    pub fn keep(&self) -> Kept {
        Kept { state: self.live.state(), phase: self.phase }
    }

    /// Puts a state back.
    pub fn put_back(&mut self, kept: &Kept) {
        self.live.put_back(kept.state.clone());
        self.phase = kept.phase;
    }
}

/// Every phase, in the order in which bytes count them.
const PHASES: [Phase; 6] =
    [Phase::Instantiated, Phase::Initializing, Phase::Stepping, Phase::Event, Phase::Continuous, Phase::Terminated];

impl Kept {
    /// Its bytes: the phase, then the state.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![PHASES.iter().position(|phase| *phase == self.phase).unwrap_or(0) as u8];
        bytes.extend(kept::bytes(&self.state));
        bytes
    }

    /// From bytes of a state of the same mechanism.
    pub fn from_bytes(bytes: &[u8], of: &Instance) -> Result<Kept> {
        let damaged = || Error::new("these bytes are no state of this mechanism");
        let (first, rest) = bytes.split_first().ok_or_else(damaged)?;
        let phase = *PHASES.get(usize::from(*first)).ok_or_else(damaged)?;
        let state = kept::state(rest, &of.live).ok_or_else(damaged)?;
        Ok(Kept { state, phase })
    }
}

fn unknown(reference: u32) -> Error {
    Error::new(format!("there is no variable {reference}"))
}
