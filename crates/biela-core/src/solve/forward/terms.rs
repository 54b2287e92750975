//! Terms of the equations of motion that depend on time by themselves: components of loads, and what drivers and other moving
//! rows ask of accelerations, with the weight that each has for the velocities.

use super::dynamics::Probe;
use super::sight::{Seen, ORDERS};
use super::{Dynamics, Point, Rates};
use crate::drivers::{Attitude, Target};
use crate::expr::{Enclosed, Expression, Switch};
use crate::loads::{Effort, Formula, Law};
use crate::math::{Interval, Series, Vec3};
use crate::motion::{self, Motion, Spline};
use crate::system::constraint::Owner;
use crate::system::{rotor, System, Workspace};

/// How a term follows from expressions.
#[derive(Debug, Clone, Copy)]
enum Rule<'m> {
    /// As it stands.
    Value(&'m Expression),
    /// k (x − rest) + c ẋ.
    Spring([&'m Expression; 3]),
    /// c ẋ + f tanh(ẋ/ẋ₀).
    Friction([&'m Expression; 2]),
    /// m (1 − ẋ/ẋ₀).
    Motor([&'m Expression; 2]),
    /// Anything else.
    Formula(&'m Formula),
    /// The second derivative in time, of the square where told.
    Row(&'m Expression, bool),
}

impl<'m> Rule<'m> {
    fn expressions(&self) -> Vec<&'m Expression> {
        match *self {
            Rule::Value(e) | Rule::Row(e, _) => vec![e],
            Rule::Spring(list) => list.to_vec(),
            Rule::Friction(list) | Rule::Motor(list) => list.to_vec(),
            Rule::Formula(formula) => formula.keys().collect(),
        }
    }
}

/// What besides time a term depends on.
#[derive(Debug, Clone, Copy)]
enum Own {
    /// Joint coordinates and rates in their slots alone.
    Joints,
    /// Besides, a coordinate and its rate.
    Coordinate(usize),
    /// A rotor's angle and its rate.
    Rotor(usize),
    /// The distance of two points and its rate.
    Distance([(usize, Vec3); 2]),
    /// The measures of a row.
    Row(usize),
}

/// A term that depends on time by itself.
#[derive(Debug)]
pub(super) struct Term<'m> {
    rule: Rule<'m>,
    own: Own,
    /// What changes with it.
    probes: Vec<Probe>,
    /// True where it depends on more than time.
    pub mixed: bool,
    /// Largest change of v̇ that a change of the term by one causes, against max(1, |v|).
    pub weight: f64,
}

/// Everything in a model that depends on time by itself.
#[derive(Debug, Default)]
pub(super) struct Terms<'m> {
    /// Terms in closed form.
    pub list: Vec<Term<'m>>,
    /// Changes of formula in time: those of one expression, innermost first, in each list.
    pub switches: Vec<Vec<Switch>>,
    /// Motion laws.
    pub laws: Vec<&'m motion::Law>,
    /// Tables, with their rows and the weight of their second derivative.
    pub tables: Vec<(&'m Spline, Probe, f64)>,
}

impl<'m> Terms<'m> {
    /// Gathers the terms of a system.
    pub(super) fn new(system: &'m System<'m>) -> Terms<'m> {
        let mut terms = Terms::default();
        for (k, load) in system.model.loads.iter().enumerate() {
            terms.add_load(system, k, &load.law);
        }
        for i in 0..system.constraints.len() {
            if let Some(law) = system.constraints.law(i) {
                terms.add_motion(law, system.constraints.is_squared(i), &[Probe::Row(i)]);
            }
            if let Some(value) = system.constraints.expression(i) {
                terms.add(Rule::Row(value, false), Own::Row(i), vec![Probe::Row(i)]);
            }
        }
        for (d, driver) in system.model.drivers.iter().enumerate() {
            let Target::Orientation { attitude, .. } = &driver.target else { continue };
            let rows = 0..system.constraints.len();
            let rows = rows.filter(|i| system.constraints.owner(*i) == Owner::Driver(d)).map(Probe::Row);
            let rows: Vec<Probe> = rows.collect();
            let motions = match attitude {
                Attitude::Euler(p) => p.as_slice(),
                Attitude::Rpy(p) => p.as_slice(),
            };
            motions.iter().for_each(|motion| terms.add_motion(motion, false, &rows));
        }
        terms
    }

    fn add_load(&mut self, system: &System, k: usize, law: &'m Law) {
        let number = |joint: usize, coordinate: usize| system.constraints.coordinate_number(joint, coordinate);
        match law {
            Law::Force { value, .. } | Law::Torque { value, .. } => {
                // A direction that has no lever now may have one soon: all three are tried.
                for value in value.iter() {
                    self.add(Rule::Value(value), Own::Joints, (0..3).map(|c| Probe::Load(k, c)).collect());
                }
            }
            Law::Between { ends, effort } => self.add(rule(effort), Own::Distance(*ends), vec![Probe::Load(k, 0)]),
            Law::Coordinate { of, effort } => {
                if let Some(number) = number(of.joint, of.coordinate) {
                    self.add(rule(effort), Own::Coordinate(number), vec![Probe::Load(k, 0)]);
                }
            }
            Law::Rotor { rotor, effort } => self.add(rule(effort), Own::Rotor(*rotor), vec![Probe::Load(k, 0)]),
            Law::Contact(_) => {}
        }
    }

    fn add_motion(&mut self, motion: &'m Motion, squared: bool, probes: &[Probe]) {
        match motion {
            Motion::Constant(_) => {}
            Motion::Expression(value) => self.add(Rule::Row(value, squared), Own::Joints, probes.to_vec()),
            Motion::Law(law) => self.laws.push(law),
            Motion::Segments(segments) => self.laws.extend(segments.laws()),
            Motion::Table(spline) => {
                self.tables.extend(probes.iter().map(|probe| (spline, *probe, 0.0)));
            }
        }
    }

    /// Adds a term if it depends on time by itself.
    fn add(&mut self, rule: Rule<'m>, own: Own, probes: Vec<Probe>) {
        let expressions = rule.expressions();
        if !expressions.iter().any(|e| e.variables().contains(&0)) {
            return;
        }
        self.switches.extend(expressions.iter().map(|e| e.switches()).filter(|s| !s.is_empty()));
        let more = !matches!(rule, Rule::Value(_) | Rule::Row(..));
        let mixed = more || expressions.iter().any(|e| e.variables().iter().any(|slot| *slot != 0));
        self.list.push(Term { rule, own, probes, mixed, weight: 0.0 });
    }

    /// Steps after which the weights are found anew: rarely enough not to cost much.
    pub(super) fn renewed(&self) -> usize {
        const RENEWED: usize = 16;
        /// Sooner where a term has no weight at the moment.
        const SOON: usize = 4;
        let probes: usize = self.list.iter().map(|term| term.probes.len()).sum::<usize>() + self.tables.len();
        let idle = self.list.iter().any(|term| term.weight == 0.0) || self.tables.iter().any(|table| table.2 == 0.0);
        if idle { SOON } else { RENEWED }.max(4 * probes)
    }

    /// True where nothing depends on time by itself.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty() && self.laws.is_empty() && self.tables.is_empty()
    }

    /// Finds anew how much each term weighs at a point.
    pub(super) fn weigh(&mut self, dynamics: &mut Dynamics, point: &Point) {
        /// Large beside loads and accelerations, so that rounding of these does not count; the response is proportional.
        const BY: f64 = 1e6;
        // What is looked at here is not counted: evaluations are those of the integration.
        let evaluations = dynamics.evaluations;
        let (mut base, mut changed) = (Rates::default(), Rates::default());
        base.make_room(point);
        changed.make_room(point);
        if dynamics.stage(point, &mut base).is_err() {
            return;
        }
        let largest = base.v.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        let mut weight = |probe: Probe| {
            let by = BY * largest;
            dynamics.probed(point, probe, by, &mut changed).ok()?;
            let parts = changed.v.iter().zip(&base.v).zip(&point.v);
            let weight = parts.map(|((a, b), v)| (a - b).abs() / v.abs().max(1.0)).fold(0.0, f64::max) / by;
            weight.is_finite().then_some(weight)
        };
        for term in &mut self.list {
            // The rows of an orientation move with all of its functions, by twice their rates at most.
            let factor = if matches!(term.rule, Rule::Row(..)) && term.probes.len() > 1 { 2.0 } else { 1.0 };
            let found = term.probes.iter().filter_map(|probe| weight(*probe)).reduce(f64::max);
            term.weight = found.map_or(term.weight, |w| factor * w);
        }
        for (_, probe, known) in &mut self.tables {
            *known = weight(*probe).unwrap_or(*known);
        }
        dynamics.evaluations = evaluations;
    }
}

fn rule(effort: &Effort) -> Rule<'_> {
    match effort {
        Effort::Value(value) => Rule::Value(value),
        Effort::Spring { stiffness, damping, rest } => Rule::Spring([stiffness, damping, rest]),
        Effort::Friction { viscous, coulomb } => Rule::Friction([viscous, coulomb]),
        Effort::Motor { stall, speed } => Rule::Motor([stall, speed]),
        Effort::Formula(formula) => Rule::Formula(formula),
    }
}

impl Term<'_> {
    /// What the term depends on besides time, at the state realised: slots 1 …, then its own coordinate and rate.
    pub(super) fn state(&self, system: &System, ws: &Workspace) -> Vec<f64> {
        let constraints = &system.constraints;
        let value = |m: usize| constraints.value(m, &ws.evaluation);
        let rate = |m: usize| constraints.rate(m, &ws.evaluation);
        if let Own::Row(i) = self.own {
            return constraints.measures_of(i).iter().map(|m| value(*m)).collect();
        }
        let mut state: Vec<f64> =
            constraints.named_coordinates().iter().flat_map(|c| [value(c.2), rate(c.2)]).collect();
        match self.own {
            Own::Joints | Own::Row(_) => {}
            Own::Coordinate(k) => {
                state.extend(constraints.coordinates().get(k).map(|c| [value(c.2), rate(c.2)]).into_iter().flatten())
            }
            Own::Rotor(r) => {
                let turn = rotor::turn(system, ws, r);
                state.extend([turn.v, turn.d]);
            }
            Own::Distance(ends) => {
                let end = |(body, p): (usize, Vec3)| {
                    let b = &ws.cache.bodies[body];
                    let s = b.pose.rotation.apply(p);
                    (b.pose.origin + s, b.velocity_at(s))
                };
                let ((p, v), (q, w)) = (end(ends[0]), end(ends[1]));
                let along = (q - p).unit().map_or(0.0, |u| u.dot(w - v));
                state.extend([(q - p).norm(), along]);
            }
        }
        state
    }

    /// The term over a step.
    pub(super) fn over<'a>(&'a self, t: f64, h: f64, states: [&'a [f64]; 2]) -> Over<'a> {
        Over { term: self, t, h, states }
    }
}

/// A term over a step from t of length h, on the straight way between the states at its ends.
pub(super) struct Over<'a> {
    term: &'a Term<'a>,
    t: f64,
    h: f64,
    states: [&'a [f64]; 2],
}

impl Over<'_> {
    fn time<const K: usize>(&self, s: Interval) -> Enclosed<K> {
        let t = Interval::point(self.t) + Interval::point(self.h) * s;
        // A step ends where a condition of time alone changes.
        Enclosed { middle: self.t + 0.5 * self.h, series: Series::line(t, self.h), settled: true }
    }

    /// Value with Taylor coefficients; rows: before they are differentiated.
    fn enclosed<const K: usize>(&self, s: Interval) -> Series<K> {
        let time = self.time(s);
        if !self.term.mixed {
            return self.composed(&[time]);
        }
        let line = |(a, b): (&f64, &f64)| {
            let x = Interval::point(*a) + Interval::point(b - a) * s;
            Enclosed { middle: 0.5 * (a + b), series: Series::line(x, b - a), settled: false }
        };
        let mut env = vec![time];
        env.extend(self.states[0].iter().zip(self.states[1]).map(line));
        self.composed(&env)
    }

    fn composed<const K: usize>(&self, env: &[Enclosed<K>]) -> Series<K> {
        let own = |k: usize| env.get(env.len().wrapping_sub(k)).map_or(Series::constant(0.0), |x| x.series);
        // The last two slots, where the rule has a coordinate of its own.
        let (x, rate) = (own(2), own(1));
        match self.term.rule {
            Rule::Value(e) | Rule::Row(e, false) => e.enclosed(env),
            Rule::Row(e, true) => e.enclosed(env).whole_power(2),
            Rule::Spring([k, c, rest]) => k.enclosed(env) * (x - rest.enclosed(env)) + c.enclosed(env) * rate,
            Rule::Friction([viscous, coulomb]) => {
                let sense = Series::tanh(rate / Series::constant(Effort::TRANSITION));
                viscous.enclosed(env) * rate + coulomb.enclosed(env) * sense
            }
            Rule::Motor([stall, speed]) => stall.enclosed(env) * (Series::constant(1.0) - rate / speed.enclosed(env)),
            Rule::Formula(formula) => match env {
                [.., x, rate] => formula.enclosed([*x, *rate], env),
                _ => Series::constant(0.0),
            },
        }
    }

    fn is_row(&self) -> bool {
        matches!(self.term.rule, Rule::Row(..))
    }
}

impl Seen for Over<'_> {
    fn value(&self, s: f64) -> f64 {
        let s = Interval::point(s);
        let (x, factor) = match self.is_row() {
            true => (self.enclosed::<3>(s).0[2], 2.0 / (self.h * self.h)),
            false => (self.enclosed::<1>(s).0[0], 1.0),
        };
        factor * (0.5 * x.low + 0.5 * x.high)
    }

    fn series(&self, s: Interval) -> Series<ORDERS> {
        if !self.is_row() {
            return self.enclosed(s);
        }
        let f = self.enclosed::<{ ORDERS + 2 }>(s);
        let factor = |k: usize| Interval::point((k + 1) as f64 * (k + 2) as f64 / (self.h * self.h));
        Series(std::array::from_fn(|k| factor(k) * f.0[k + 2]))
    }
}
