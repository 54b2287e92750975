//! Signals at any state, outside the samples of a run: what events look at.

use super::derivation::Derivation;
use super::forces::ForceAnalysis;
use super::made;
use super::recorder::{blocks, force, motion, Block, Sample, MOST};
use crate::error::{Error, Result};
use crate::signal::{is_watchable, Asked, Cost, Extent, Signal, Signals};
use crate::system::{System, Workspace};

/// Signals that are looked at, by their places among all columns.
#[derive(Debug)]
pub struct Observer {
    signals: Signals,
    places: Vec<usize>,
    blocks: Vec<Block>,
    derivation: Derivation,
}

impl Observer {
    /// For signals of these names.
    ///
    /// # Errors
    /// Where there is no such signal, or where samples alone have it.
    pub fn new(system: &System, names: &[String]) -> Result<Observer> {
        let model = system.model;
        let signals = Signals::every(model, Extent { forces: true, ..Extent::default() });
        let mut places = Vec::new();
        for name in names {
            let signal = Signal::parse(model, name).filter(|s| is_watchable(model, *s));
            let place = signal.and_then(|signal| signals.all().iter().position(|s| *s == signal));
            places.push(place.ok_or_else(|| Error::new(format!("'{name}' is no signal that can be watched")))?);
        }
        let mut filled = vec![false; signals.all().len()];
        places.iter().for_each(|k| filled[*k] = true);
        let derivation = Derivation::of(&signals, &filled);
        let blocks = blocks(system, &signals, &derivation.needed);
        Ok(Observer { signals, places, blocks, derivation })
    }

    /// What of the forces must be known where it looks; `None` where positions and velocities do.
    pub fn asked(&self) -> Option<Asked> {
        let needs = |cost: Cost| self.signals.ask(&self.derivation.needed, cost);
        let asked = Asked { forces: needs(Cost::Forces), energies: needs(Cost::Energy) };
        (asked.forces || asked.energies || needs(Cost::Acceleration)).then_some(asked)
    }

    /// Values at the state realised, with accelerations and forces where they are [asked](Observer::asked) for.
    pub fn look(
        &mut self,
        (system, ws): (&System, &Workspace),
        forces: Option<&ForceAnalysis>,
        t: f64,
        values: &mut [f64],
    ) {
        let sample = Sample { system, ws, t, residual: 0.0 };
        for Block { element, first, measure } in self.blocks.iter().copied() {
            let mut own = [0.0; MOST];
            let count = match made::is_made(element) {
                true => made::values((system, ws), forces, element, &mut own),
                false => motion(&sample, element, measure, &mut own)
                    .unwrap_or_else(|| forces.map_or(0, |forces| force(&sample, forces, element, &mut own))),
            };
            self.derivation.latest[first..first + count].copy_from_slice(&own[..count]);
        }
        self.derivation.derive(system.model, &self.signals, t);
        values.iter_mut().zip(&self.places).for_each(|(value, k)| *value = self.derivation.latest[*k]);
    }
}
