//! Events: expressions that cross zero and joint limits that are reached, located within a step on its dense output.

use super::{Dense, Dynamics, Point};
use crate::expr::Expression;
use crate::model::Model;
use crate::system::{System, Workspace};

/// What is watched.
#[derive(Debug)]
enum Watched<'m> {
    Expression(&'m Expression),
    /// A joint coordinate by its number, and the limit it may reach.
    Limit(usize, f64),
}

/// Everything that may happen in a run.
#[derive(Debug)]
pub struct Events<'m> {
    watched: Vec<(String, Watched<'m>, bool)>,
    /// t, then each joint coordinate and its rate.
    env: Vec<f64>,
    before: Vec<f64>,
    now: Vec<f64>,
    /// What has happened: in words, when.
    pub happened: Vec<(String, f64)>,
}

impl<'m> Events<'m> {
    /// The events and limits of a model.
    pub fn new(system: &System<'m>) -> Events<'m> {
        let model: &'m Model = system.model;
        let mut watched: Vec<_> = model
            .events
            .iter()
            .map(|e| (format!("event '{}'", e.name), Watched::Expression(&e.when), e.stop))
            .collect();
        for (k, (j, c, _)) in system.constraints.coordinates().iter().enumerate().filter(|(_, c)| c.1 == 0) {
            let joint = &model.joints[*j];
            for (which, limit) in [("lower", joint.limits.lower), ("upper", joint.limits.upper)] {
                if let Some(limit) = limit {
                    let coordinate = joint.kind.coordinates()[*c].name;
                    let name = format!("{which} limit {limit} of {}.{coordinate}", joint.name);
                    watched.push((name, Watched::Limit(k, limit), model.run.stop_at_limits));
                }
            }
        }
        let count = watched.len();
        Events {
            watched,
            env: vec![0.0; 1 + 2 * system.constraints.coordinates().len()],
            before: vec![0.0; count],
            now: vec![0.0; count],
            happened: Vec::new(),
        }
    }

    fn fill(&mut self, system: &System, ws: &Workspace, t: f64) {
        self.env[0] = t;
        for (k, (_, _, measure)) in system.constraints.coordinates().iter().enumerate() {
            self.env[2 * k + 1] = system.constraints.value(*measure, &ws.evaluation);
            self.env[2 * k + 2] = system.constraints.rate(*measure, &ws.evaluation);
        }
        for (now, (_, watched, _)) in self.now.iter_mut().zip(&self.watched) {
            *now = match watched {
                Watched::Expression(when) => when.eval(&self.env),
                Watched::Limit(k, limit) => self.env[2 * k + 1] - limit,
            };
        }
    }

    /// Takes the state realised as the one that nothing has happened before.
    pub fn start(&mut self, dynamics: &Dynamics, t: f64) {
        self.fill(dynamics.system, &dynamics.ws, t);
        self.before.clone_from(&self.now);
    }

    /// Looks for events in the step just made, whose end is realised. Notes those that happened, and gives the time of the
    /// first that ends the run; the state realised may be another afterwards.
    pub fn look(&mut self, dynamics: &mut Dynamics, dense: &Dense, at: &mut Point) -> Option<f64> {
        if self.watched.is_empty() {
            return None;
        }
        self.fill(dynamics.system, &dynamics.ws, dense.to.t);
        let (then, now) = (self.before.clone(), self.now.clone());
        // From zero on, or back from it, is no crossing: it was noted when zero was reached.
        let crosses = |k: &usize| then[*k] != 0.0 && (now[*k] == 0.0 || (then[*k] < 0.0) != (now[*k] < 0.0));
        let crossed: Vec<usize> = (0..self.watched.len()).filter(crosses).collect();
        let mut found: Vec<(f64, usize)> = Vec::new();
        for k in crossed {
            found.push((self.locate(k, then[k], dynamics, dense, at), k));
        }
        self.before = now;
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (t, k) in found {
            self.happened.push((self.watched[k].0.clone(), t));
            if self.watched[k].2 {
                return Some(t);
            }
        }
        None
    }

    /// Time within the step at which function `k` is zero, by bisection to rounding.
    fn locate(&mut self, k: usize, then: f64, dynamics: &mut Dynamics, dense: &Dense, at: &mut Point) -> f64 {
        let (mut low, mut high) = (dense.from.t, dense.to.t);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            dense.at(middle, at);
            dynamics.realize(at);
            self.fill(dynamics.system, &dynamics.ws, middle);
            if (self.now[k] < 0.0) == (then < 0.0) && self.now[k] != 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}
