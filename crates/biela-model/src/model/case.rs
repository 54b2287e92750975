//! The case: one mechanism, what moves it, what is asked, and where to begin.
//!
//! Solvers often need the same mechanism under other drivers, another study, or from another position. Such cases are made by the methods
//! here and share the mechanism, so that one costs little whatever its size.

use super::{Guess, Mechanism, Study};
use crate::drivers::Driver;
use crate::math::Pose;
use std::ops::Deref;
use std::sync::Arc;

/// A mechanism with all that a solver is to know: its drivers, the study, and the guess to start from. It reads as its mechanism
/// (`model.bodies`); what moves it is `model.drivers`, what is asked of it `model.study`.
#[derive(Debug, Clone)]
pub struct Model {
    mechanism: Arc<Mechanism>,
    /// What moves it.
    pub drivers: Arc<[Driver]>,
    /// What is asked of it.
    pub study: Study,
    guess: Guess,
}

impl Deref for Model {
    type Target = Mechanism;

    fn deref(&self) -> &Mechanism {
        &self.mechanism
    }
}

impl Model {
    /// A case that starts from the drawing.
    pub fn new(mechanism: impl Into<Arc<Mechanism>>, drivers: impl Into<Arc<[Driver]>>, study: Study) -> Model {
        let mechanism = mechanism.into();
        let guess = Guess::drawn(&mechanism);
        Model { mechanism, drivers: drivers.into(), study, guess }
    }

    /// The mechanism, to be shared.
    pub fn mechanism(&self) -> &Arc<Mechanism> {
        &self.mechanism
    }

    /// Where an assembly starts from.
    pub fn guess(&self) -> &Guess {
        &self.guess
    }

    /// The same mechanism moved by other drivers.
    pub fn with_drivers(&self, drivers: impl Into<Arc<[Driver]>>) -> Model {
        Model {
            mechanism: Arc::clone(&self.mechanism),
            drivers: drivers.into(),
            study: self.study.clone(),
            guess: self.guess.clone(),
        }
    }

    /// The same with more drivers behind its own.
    pub fn with_more_drivers(&self, more: impl IntoIterator<Item = Driver>) -> Model {
        self.with_drivers(self.drivers.iter().cloned().chain(more).collect::<Vec<_>>())
    }

    /// The same mechanism with its drivers let go.
    pub fn released(&self) -> Model {
        self.with_drivers([])
    }

    /// The same mechanism, of which something else is asked.
    pub fn with_study(&self, study: Study) -> Model {
        Model {
            mechanism: Arc::clone(&self.mechanism),
            drivers: Arc::clone(&self.drivers),
            study,
            guess: self.guess.clone(),
        }
    }

    /// The same mechanism, to be assembled from these poses: one per body, ground first. The ground stays where it is drawn, and so do
    /// bodies beyond the end of the list.
    pub fn with_guess(&self, poses: &[Pose]) -> Model {
        Model {
            mechanism: Arc::clone(&self.mechanism),
            drivers: Arc::clone(&self.drivers),
            study: self.study.clone(),
            guess: self.guess.moved(poses),
        }
    }

    /// Makes it a case of another mechanism, which `change` makes of this one; it starts from the drawing. Cases that share the present
    /// mechanism keep it.
    pub fn change_mechanism<T>(&mut self, change: impl FnOnce(&mut Mechanism) -> T) -> T {
        let changed = change(Mechanism::of_its_own(&mut self.mechanism));
        self.guess.draw(&self.mechanism);
        changed
    }

    /// The same with its drivers and study, for other values of parameters. What nobody shares is changed where it is.
    pub(crate) fn change_parts<T>(&mut self, change: impl FnOnce(&mut Mechanism, &mut [Driver], &mut Study) -> T) -> T {
        let drivers = Arc::make_mut(&mut self.drivers);
        let changed = change(Mechanism::of_its_own(&mut self.mechanism), drivers, &mut self.study);
        self.guess.draw(&self.mechanism);
        changed
    }
}
