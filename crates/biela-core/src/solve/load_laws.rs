//! Laws of loads for designs side by side.
//!
//! Whatever a load is computed from that is a number of the design stands in the lanes. Expressions of time or of joint coordinates are evaluated lane by
//! lane, each by the design's own law, as a run alone evaluates them.

use crate::loads::{Effort, Law};
use crate::math::{Elementary, Number};
use crate::model::Model;

/// Where the strength of a load comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Strength {
    /// Numbers of the design.
    Components,
    Value,
    Spring,
    Friction,
    Motor,
    /// A law that is evaluated lane by lane, by its place among those.
    Live(usize),
}

/// Laws that are evaluated lane by lane, and what they read.
#[derive(Debug)]
pub(super) struct Laws {
    /// Each with the number of its load among the model's.
    laws: Vec<(usize, Law)>,
    /// Joint coordinates that are read, each by its number among all.
    pub read: Vec<usize>,
    slots: usize,
}

impl Laws {
    /// None yet, of a model with so many joint coordinates.
    pub fn new(coordinates: usize) -> Laws {
        Laws { laws: Vec::new(), read: Vec::new(), slots: 1 + 2 * coordinates }
    }

    /// The strength of the load of that number.
    pub fn strength(&mut self, load: usize, law: &Law) -> Strength {
        strength(law).unwrap_or_else(|| {
            self.laws.push((load, law.clone()));
            let slots = law.expressions().into_iter().flat_map(|e| e.variables().to_vec());
            let coordinates: Vec<usize> = slots.filter(|slot| *slot > 0).map(|slot| (slot - 1) / 2).collect();
            for coordinate in coordinates {
                self.place(coordinate);
            }
            Strength::Live(self.laws.len() - 1)
        })
    }

    /// The place at which a joint coordinate is read.
    pub fn place(&mut self, coordinate: usize) -> usize {
        self.read.iter().position(|known| *known == coordinate).unwrap_or_else(|| {
            self.read.push(coordinate);
            self.read.len() - 1
        })
    }

    /// The laws of a design that are evaluated lane by lane: its own, where they are not the model's.
    pub fn of(&self, design: &Model, own: &mut Vec<Option<Law>>) {
        own.clear();
        own.extend(self.laws.iter().map(|(k, law)| {
            let found = design.loads.get(*k).map(|load| &load.law)?;
            (!computes_as(law, found)).then(|| found.clone())
        }));
    }

    /// How many values expressions see.
    pub fn slots(&self) -> usize {
        self.slots
    }
}

impl Strength {
    /// Adds the numbers that a load's strength is made of, of a force or torque these components; `None` where it is of another kind.
    pub fn constants(self, law: &Law, components: std::ops::Range<usize>, list: &mut Vec<f64>) -> Option<()> {
        let found = strength(law);
        let lives = matches!(self, Strength::Live(_));
        if found.is_some_and(|found| found != self) || (found.is_none() && !lives) {
            return None;
        }
        let all = law.expressions();
        let used = match self {
            Strength::Live(_) => &all[..0],
            Strength::Components => &all[components],
            _ => &all[..],
        };
        used.iter().try_for_each(|e| e.as_constant().map(|x| list.push(x)))
    }
}

/// The strength of a load that is made of numbers alone.
fn strength(law: &Law) -> Option<Strength> {
    let kind = match law {
        Law::Contact(_) => return None,
        Law::Force { .. } | Law::Torque { .. } => Strength::Components,
        Law::Between { effort, .. } | Law::Coordinate { effort, .. } | Law::Rotor { effort, .. } => match effort {
            Effort::Value(_) => Strength::Value,
            Effort::Spring { .. } => Strength::Spring,
            Effort::Friction { .. } => Strength::Friction,
            Effort::Motor { .. } => Strength::Motor,
            Effort::Formula(_) => return None,
        },
    };
    law.expressions().iter().all(|e| e.as_constant().is_some()).then_some(kind)
}

/// Whether a law is made of expressions that compute the same; formulas are not compared.
fn computes_as(a: &Law, b: &Law) -> bool {
    let formula = |law: &Law| {
        matches!(
            law,
            Law::Between { effort: Effort::Formula(_), .. } | Law::Coordinate { effort: Effort::Formula(_), .. }
        )
    };
    let (one, other) = (a.expressions(), b.expressions());
    !(formula(a) || formula(b)) && one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| a.computes_as(b))
}

/// What strengths are evaluated with at one time.
pub(super) struct Live<'a, N> {
    pub laws: &'a Laws,
    /// Joint coordinates that are read, with their rates.
    pub coordinates: &'a [[N; 2]],
    pub t: f64,
    /// Lane by lane: laws that are a design's own, and what expressions see.
    pub own: &'a [Vec<Option<Law>>],
    pub env: &'a mut [f64],
}

impl<N: Number> Live<'_, N> {
    /// The effort along a coordinate with its rate, by numbers that begin with the load's; how many it has.
    #[inline(always)]
    pub fn effort(&mut self, strength: Strength, n: &[N], [x, rate]: [N; 2]) -> (N, usize) {
        match strength {
            Strength::Components | Strength::Value => (n[0], 1),
            Strength::Spring => (-n[0] * (x - n[2]) - n[1] * rate, 3),
            Strength::Friction => {
                let dry = rate.map(|rate| (rate / Effort::TRANSITION).hyperbolic_tangent());
                (-n[0] * rate - n[1] * dry, 2)
            }
            Strength::Motor => (n[0] * (N::splat(1.0) - rate / n[1]), 2),
            Strength::Live(law) => {
                let mut value = N::splat(0.0);
                for lane in 0..N::LANES {
                    let found = match self.law(law, lane) {
                        (Law::Between { effort, .. } | Law::Coordinate { effort, .. }, env) => {
                            effort.value(x.lane(lane), rate.lane(lane), env)
                        }
                        _ => f64::NAN,
                    };
                    value.set(lane, found);
                }
                (value, 0)
            }
        }
    }

    /// A component of a force or torque, lane by lane.
    #[inline(always)]
    pub fn component(&mut self, law: usize, k: usize) -> N {
        let mut found = N::splat(0.0);
        for lane in 0..N::LANES {
            let x = match self.law(law, lane) {
                (Law::Force { value, .. } | Law::Torque { value, .. }, env) => value[k].eval(env),
                _ => f64::NAN,
            };
            found.set(lane, x);
        }
        found
    }

    /// The law of a lane, and what its expressions see.
    #[inline(always)]
    fn law(&mut self, law: usize, lane: usize) -> (&Law, &[f64]) {
        let env = &mut self.env[..self.laws.slots];
        env[0] = self.t;
        for (coordinate, [x, rate]) in self.laws.read.iter().zip(self.coordinates) {
            (env[2 * coordinate + 1], env[2 * coordinate + 2]) = (x.lane(lane), rate.lane(lane));
        }
        let own = self.own.get(lane).and_then(|laws| laws.get(law)).and_then(Option::as_ref);
        (own.unwrap_or(&self.laws.laws[law].1), env)
    }
}
