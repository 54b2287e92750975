//! Friction of a motion that is prescribed: it enters what drivers must give.
//!
//! Every joint slides as the motion says, and one at rest resists nothing: what it holds there is not determined. In statics friction is no load but a
//! range: each driver may give anything between what it takes to begin to move one way and the other.

use super::{answer, Answer, Presses, Rub};
use crate::error::Result;
use crate::joints::Pressed;
use crate::system::{System, Workspace};

/// What friction does in a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Resists the motion.
    Resist,
    /// Holds.
    Hold,
    /// Is given from outside: its efforts, and drivers that hold joints which are stuck.
    Given,
}

/// Friction of a mechanism, sample by sample.
#[derive(Debug)]
pub struct Rubbed {
    /// What it does.
    pub rule: Rule,
    /// Effort of each joint that rubs, in the order of [`Rub::all`].
    pub tau: Vec<f64>,
    /// Whether it is stuck.
    pub stuck: Vec<bool>,
    /// Of each joint that is stuck: the driver that holds it.
    pub held_by: Vec<Option<usize>>,
    /// Number of each rub's joint.
    pub joints: Vec<usize>,
    /// Efforts of drivers without friction.
    pub without: Vec<f64>,
    /// Efforts of drivers between which friction holds.
    pub hold: Vec<[f64; 2]>,
    /// When an answer was first found beside which others are not excluded.
    pub grown: Option<f64>,
}

/// A rate that is rounding, of a motion in which a unit is a metre or a radian per second.
const AT_REST: f64 = 1e-12;

/// Reactions under efforts of friction, found by whoever balances forces: pressings, and efforts of drivers.
pub type Balance<'a> = dyn FnMut(&mut Workspace, &[f64]) -> Result<(Vec<Pressed>, Vec<f64>)> + 'a;

impl Rubbed {
    /// For a system; none where nothing rubs.
    pub fn new(system: &System, rule: Rule) -> Option<Rubbed> {
        let rubs = Rub::all(system);
        let (n, drivers) = (rubs.len(), system.model.drivers.len());
        (n > 0).then(|| Rubbed {
            rule,
            tau: vec![0.0; n],
            stuck: vec![false; n],
            held_by: vec![None; n],
            joints: rubs.iter().map(|rub| rub.number).collect(),
            without: vec![0.0; drivers],
            hold: vec![[0.0; 2]; drivers],
            grown: None,
        })
    }

    /// The place of a joint among those that rub.
    pub fn place(&self, joint: usize) -> Option<usize> {
        self.joints.iter().position(|k| *k == joint)
    }

    /// Finds the efforts of a sample, and leaves the balance under them.
    pub fn find(&mut self, system: &System, ws: &mut Workspace, t: f64, balance: &mut Balance) -> Result<()> {
        let rubs = Rub::all(system);
        if self.rule == Rule::Given {
            let (_, drivers) = balance(ws, &self.tau)?;
            for (k, by) in self.held_by.iter().enumerate() {
                if let Some(by) = by {
                    self.tau[k] = drivers[*by];
                }
            }
            return Ok(());
        }
        let n = rubs.len();
        let mut tau = vec![0.0; n];
        let (base, without) = balance(ws, &tau)?;
        self.without.clone_from(&without);
        let mut presses = Presses { base, unit: vec![vec![Pressed::default(); n]; n] };
        let mut ways = vec![vec![0.0; without.len()]; n];
        for j in 0..n {
            // About as large as what else acts, so that differences keep their digits.
            let unit = 1.0 + presses.base.iter().map(|p| p.across.norm().max(p.along.abs())).fold(0.0, f64::max);
            tau[j] = unit;
            let (pressed, drivers) = balance(ws, &tau)?;
            tau[j] = 0.0;
            for k in 0..n {
                presses.unit[k][j] = Pressed::default().plus(1.0 / unit, pressed[k]).plus(-1.0 / unit, presses.base[k]);
            }
            ways[j] = drivers.iter().zip(&without).map(|(with, without)| (with - without) / unit).collect();
        }
        match self.rule {
            Rule::Hold => {
                self.find_range(&rubs, &presses, &ways);
                self.stuck.fill(true);
            }
            _ => {
                let rate = |rub: &Rub| Some(rub.rate(system, ws)).filter(|rate| rate.abs() > AT_REST).unwrap_or(0.0);
                let rates: Vec<f64> = rubs.iter().map(rate).collect();
                let slips = Rub::slips(&rubs, &rates, |_| None);
                let law = |k: usize, pressed: Pressed| rubs[k].kinetic(pressed, slips[k]);
                match answer(&rubs, &presses, &law, &mut tau) {
                    Answer::Unique => {}
                    Answer::Grown => {
                        self.grown.get_or_insert(t);
                    }
                    Answer::None => {
                        let pressed = rubs.iter().find(|rub| rub.friction.is_pressed()).unwrap_or(&rubs[0]);
                        return Err(pressed.jammed(t));
                    }
                }
                for k in 0..n {
                    self.stuck[k] = slips[k].1 == 0.0 && rubs[k].friction.is_dry();
                }
            }
        }
        balance(ws, &tau)?;
        self.tau = tau;
        Ok(())
    }

    /// Efforts at which each driver begins to move one way and the other; without bound where friction locks against it.
    fn find_range(&mut self, rubs: &[Rub], presses: &Presses, ways: &[Vec<f64>]) {
        for driver in 0..self.without.len() {
            // Virtual work: where the driver moves on, joint k moves by −ways per unit.
            let begins = |way: f64| {
                let rates: Vec<f64> = ways.iter().map(|ways| -way * ways[driver]).collect();
                let slips = Rub::slips(rubs, &rates, |_| None);
                let law = |k: usize, pressed: Pressed| match slips[k].0 {
                    0.0 => 0.0,
                    sense => -sense * rubs[k].weight * rubs[k].friction.hold(rubs[k].joint, pressed, sense),
                };
                let mut tau = vec![0.0; rubs.len()];
                match answer(rubs, presses, &law, &mut tau) {
                    Answer::None => way * f64::INFINITY,
                    _ => self.without[driver] + tau.iter().zip(ways).map(|(tau, ways)| tau * ways[driver]).sum::<f64>(),
                }
            };
            self.hold[driver] = [begins(-1.0), begins(1.0)];
        }
    }

    /// What a driver's effort is worth beside friction: the ideal effort as a share of that given where it drives, the inverse where it is driven.
    /// `power` is the driver's, with friction. A mechanism that locks itself against what drives it back has a negative one.
    pub fn efficiency(&self, driver: usize, with: f64, power: f64) -> f64 {
        let without = self.without[driver];
        match power * without * with >= 0.0 {
            true => without / with,
            false => with / without,
        }
    }
}
