//! Designs side by side, through all times of a motion: four, where registers have so many lanes. Eight take as long (docs/performance.md), since
//! numbers of eight designs find no room in registers.

use super::forces::Balance;
use super::rows::{aim, aimed, Aim};
use super::step::Stepping;
use super::told::{Telling, Told};
use super::Loops;
use crate::math::{Lanes, Number};
use crate::model::Model;
use crate::results::Results;
use crate::solve::motion::{is_even, Moment};
use biela_tree::wide::{run_portable, Kernel, Level};

/// Hears a number that is told, with its lane, its place and its sample; the columns are handed on.
type Keep<'k> = dyn FnMut(&mut [f64], [usize; 3], f64) + 'k;

/// A group of designs, by the width of its lanes.
#[derive(Debug)]
pub struct Group<'p> {
    plan: &'p Loops,
    level: Level,
    lanes: Width,
    /// Scratch: numbers of one design, right-hand sides of its rows.
    list: Vec<f64>,
    aims: Vec<Aim<f64>>,
}

#[derive(Debug)]
enum Width {
    /// One after the other.
    One(Box<Beside<f64>>),
    #[cfg(target_arch = "x86_64")]
    Four(Box<Beside<Lanes<4>>>),
}

/// The same for any width.
macro_rules! each_width {
    ($lanes:expr, $beside:ident => $what:expr) => {
        match $lanes {
            Width::One($beside) => $what,
            #[cfg(target_arch = "x86_64")]
            Width::Four($beside) => $what,
        }
    };
}

/// What designs side by side have.
#[derive(Debug)]
struct Beside<N> {
    numbers: Vec<N>,
    /// Right-hand sides that move, time by time.
    aims: Vec<Aim<N>>,
    /// Lanes whose right-hand sides are not those of the plan's own design.
    differ: u32,
    stepping: Stepping<N>,
    /// Forces, where they are told.
    balance: Option<Balance<N>>,
    /// Lane by lane, angles and attitudes of the last sample.
    last: Vec<[f64; 5]>,
    /// Lane by lane, moments of bodies that may spin idly, where attitudes of such are told.
    moments: Vec<Option<Moment>>,
    /// Lane by lane, columns one after the other, in each all samples.
    columns: Vec<f64>,
    /// One in each lane where all has gone well.
    good: N,
}

impl<N: Number> Beside<N> {
    fn new(plan: &Loops) -> Box<Beside<N>> {
        let zero = N::splat(0.0);
        let none = Aim { v: zero, d: zero, dd: zero, sine: zero, cosine: zero, scale: zero };
        let mut made = Box::new(Beside {
            numbers: vec![zero; plan.own.len()],
            aims: vec![none; plan.aims.len()],
            differ: 0,
            stepping: Stepping::new(plan),
            balance: plan.forces.as_ref().map(|forces| Balance::new(plan, forces)),
            last: vec![[0.0; 5]; plan.told.len() * N::LANES],
            moments: vec![None; if plan.told.iter().any(Told::spins) { plan.told.len() * N::LANES } else { 0 }],
            columns: vec![0.0; plan.places.len() * plan.samples() * N::LANES],
            good: zero,
        });
        // Lanes that nobody takes have the plan's own design, so that they cost no correction more than others.
        (0..N::LANES).for_each(|lane| made.seat(lane, &plan.own, &plan.aims, true));
        made.differ = 0;
        made
    }

    #[inline(never)]
    fn seat(&mut self, lane: usize, list: &[f64], aims: &[Aim<f64>], own: bool) {
        self.numbers.iter_mut().zip(list).for_each(|(number, x)| number.set(lane, *x));
        let bit = 1 << lane;
        if own || self.differ & bit != 0 {
            for (to, aim) in self.aims.iter_mut().zip(aims) {
                to.v.set(lane, aim.v);
                to.d.set(lane, aim.d);
                to.dd.set(lane, aim.dd);
                to.sine.set(lane, aim.sine);
                to.cosine.set(lane, aim.cosine);
                to.scale.set(lane, aim.scale);
            }
        }
        self.differ = if own { self.differ | bit } else { self.differ & !bit };
    }

    /// All at one time: where bodies are and how they move, or the forces that go with that.
    #[inline(always)]
    fn advance(&mut self, plan: &Loops, k: usize, what: What) {
        let moving = plan.rows.aims;
        let aims = &self.aims[k * moving..(k + 1) * moving];
        match (what, &mut self.balance, &plan.forces) {
            (What::Forces, Some(balance), Some(forces)) => {
                let found = balance.find((plan, forces), &self.stepping, &self.numbers, aims, plan.times[k]);
                self.good = self.good * found;
            }
            _ => self.good = self.stepping.advance(plan, &self.numbers, aims, k, self.good),
        }
    }

    /// All times, `advance` being one of them; `keep` hears of each lane what is told at each sample.
    fn follow(&mut self, plan: &Loops, advance: impl Fn(&mut Self, usize, What), keep: &mut Keep) {
        self.good = N::splat(1.0);
        for k in 0..plan.times.len() {
            advance(self, k, What::Motion);
            let told = k % plan.stride == 0;
            for lane in 0..N::LANES {
                if k == 0 && !self.stepping.is_as_drawn(plan, &self.numbers, lane) {
                    self.good.set(lane, 0.0);
                }
                if (told || !self.moments.is_empty()) && self.good.lane(lane) == 1.0 {
                    self.tell(plan, k, lane, keep);
                }
            }
            if self.good.all(|good| good == 0.0) {
                return;
            }
            if told && plan.forces.is_some() {
                advance(self, k, What::Forces);
                for lane in 0..N::LANES {
                    if self.good.lane(lane) == 1.0 {
                        self.tell_forces(plan, k, lane, keep);
                    }
                }
            }
        }
    }

    /// What is told of the forces of a lane.
    fn tell_forces(&mut self, plan: &Loops, k: usize, lane: usize, keep: &mut Keep) {
        let (Some(balance), Some(forces)) = (&self.balance, &plan.forces) else { return };
        let columns = &mut self.columns;
        balance.tell(forces, &self.stepping.bodies, lane, &mut |place, x| {
            keep(columns, [lane, place, k / plan.stride], x);
        });
    }

    /// What is told of a lane.
    fn tell(&mut self, plan: &Loops, k: usize, lane: usize, keep: &mut Keep) {
        let (moving, told) = (plan.rows.aims, plan.told.len());
        let columns = &mut self.columns;
        let mut telling = Telling {
            lane,
            told: &plan.told,
            bodies: &self.stepping.bodies,
            aims: &self.aims[k * moving..(k + 1) * moving],
            numbers: plan.told_numbers(&self.numbers),
            origin: plan.origin,
            planar: plan.planar,
            first: k == 0,
            last: &mut self.last[lane * told..(lane + 1) * told],
            coordinates: self.balance.as_mut().map_or(&mut [], |balance| &mut balance.coordinates),
        };
        if let Some(moments) = self.moments.get_mut(lane * told..(lane + 1) * told) {
            if !telling.spin(if k == 0 { 0.0 } else { plan.times[k] - plan.times[k - 1] }, moments) {
                self.good.set(lane, 0.0);
                return;
            }
        }
        if k % plan.stride == 0 {
            telling.all(&mut |place, x| keep(columns, [lane, place, k / plan.stride], x));
        }
    }

    /// All times of a run, in columns.
    fn run(&mut self, plan: &Loops, advance: impl Fn(&mut Self, usize, What)) {
        let (samples, width) = (plan.samples(), plan.places.len());
        self.follow(plan, advance, &mut |columns, [lane, place, k], x| {
            if let Some(slot) = columns.get_mut((lane * width + place) * samples + k) {
                *slot = x;
            }
        });
    }

    /// The same with all numbers of a lane in a row of its own, time by time.
    fn run_into(&mut self, plan: &Loops, advance: impl Fn(&mut Self, usize, What), rows: &mut [&mut [f64]]) {
        let width = plan.columns;
        self.follow(plan, advance, &mut |_, [lane, place, k], x| {
            if let Some(row) = rows.get_mut(lane) {
                row[k * width + place] = x;
            }
        });
    }
}

/// What of a time is to be found.
#[derive(Debug, Clone, Copy)]
enum What {
    Motion,
    Forces,
}

/// One time of a group, compiled for the registers there are.
struct Work<'a, N> {
    beside: &'a mut Beside<N>,
    plan: &'a Loops,
    k: usize,
    what: What,
}

impl<N: Number> Kernel for Work<'_, N> {
    #[inline(always)]
    fn run(self) {
        self.beside.advance(self.plan, self.k, self.what);
    }
}

/// Hands a group's lanes on with the function that takes them to one time, compiled for the registers there are.
macro_rules! run {
    ($group:expr, $plan:ident, ($beside:ident, $advance:ident) => $what:expr) => {{
        let Group { level, lanes, .. } = $group;
        // Where there is one width, nothing depends on it.
        let _ = &level;
        match lanes {
            #[cfg(target_arch = "x86_64")]
            Width::Four($beside) => {
                let $advance = |beside: &mut Beside<_>, k: usize, what: What| {
                    biela_tree::wide::run_four(*level, Work { beside, plan: $plan, k, what });
                };
                $what
            }
            Width::One($beside) => {
                let $advance =
                    |beside: &mut Beside<_>, k: usize, what: What| run_portable(Work { beside, plan: $plan, k, what });
                $what
            }
        }
    }};
}

impl<'p> Group<'p> {
    /// A group as wide as it is worth with these registers.
    pub fn new(plan: &'p Loops, level: Level) -> Group<'p> {
        let lanes = match level {
            Level::Portable => Width::One(Beside::new(plan)),
            #[cfg(target_arch = "x86_64")]
            _ => Width::Four(Beside::new(plan)),
            #[cfg(not(target_arch = "x86_64"))]
            _ => Width::One(Beside::new(plan)),
        };
        Group { plan, level, lanes, list: Vec::new(), aims: Vec::new() }
    }

    /// How many designs it holds.
    pub fn width(&self) -> usize {
        match &self.lanes {
            Width::One(_) => 1,
            #[cfg(target_arch = "x86_64")]
            Width::Four(_) => 4,
        }
    }

    /// Puts a design into a lane; false where it is none of this kind, and is to be run alone.
    pub fn seat(&mut self, lane: usize, design: &Model) -> bool {
        let plan = self.plan;
        self.number(design).is_some_and(|own| {
            let aims = if own { &self.aims } else { &plan.aims };
            each_width!(&mut self.lanes, beside => {
                beside.seat(lane, &self.list, aims, own);
                if let (Some(forces), Some(balance)) = (&plan.forces, &mut beside.balance) {
                    forces.loads.laws.of(design, &mut balance.own[lane]);
                }
            });
            true
        })
    }

    /// The numbers of a design; whether its right-hand sides are its own.
    fn number(&mut self, design: &Model) -> Option<bool> {
        let plan = self.plan;
        if !plan.likeness.is_of(design) {
            return None;
        }
        self.list.clear();
        plan.number(design, &mut self.list)?;
        let mut laws = plan.laws.iter();
        if aimed(design, &plan.relative).all(|row| laws.next().is_some_and(|law| law.is_same(&row.target))) {
            return laws.next().is_none().then_some(false);
        }
        self.aims.clear();
        sides(plan, design, &mut self.aims)?;
        (self.aims.len() == plan.aims.len() && is_even(design, plan.size, &plan.times)).then_some(true)
    }

    /// Follows all designs that are seated.
    pub fn run(&mut self) {
        let plan = self.plan;
        run!(self, plan, (beside, advance) => beside.run(plan, advance));
    }

    /// The same, with the numbers of each lane put into a row: those of the first time, then those of the next. There are as many rows as designs are
    /// seated in the first lanes, each as long as all its numbers.
    pub fn run_into(&mut self, rows: &mut [&mut [f64]]) {
        let plan = self.plan;
        let long = plan.columns * plan.samples();
        if rows.len() <= self.width() && rows.iter().all(|row| row.len() == long) {
            run!(self, plan, (beside, advance) => beside.run_into(plan, advance, rows));
        }
    }

    /// Whether a design has come to its end; if not, it is to be run alone.
    pub fn is_whole(&self, lane: usize) -> bool {
        each_width!(&self.lanes, beside => beside.good.lane(lane)) == 1.0
    }

    /// Fills the table of a design.
    pub fn fill(&self, lane: usize, table: &mut Results) {
        let (samples, width) = (self.plan.samples(), self.plan.places.len());
        for (k, place) in self.plan.places.iter().enumerate() {
            let data = &mut table.columns[*place].data;
            let range = (lane * width + k) * samples..(lane * width + k + 1) * samples;
            data.clear();
            each_width!(&self.lanes, beside => data.extend_from_slice(&beside.columns[range]));
        }
    }
}

/// Right-hand sides of a design at all times; `None` where one has none.
pub(super) fn sides(plan: &Loops, design: &Model, found: &mut Vec<Aim<f64>>) -> Option<()> {
    let rows: Vec<_> = aimed(design, &plan.relative).collect();
    // Legs of a platform follow few laws, and formulas take time: those that follow one are evaluated once.
    let same = |k: usize| {
        let row = &rows[k];
        let like = |other: &crate::joints::Row| {
            (row.squared, row.length) == (other.squared, other.length) && row.target.is_same(&other.target)
        };
        rows[..k].iter().position(like).unwrap_or(k)
    };
    let first: Vec<usize> = (0..rows.len()).map(same).collect();
    for t in &plan.times {
        let start = found.len();
        for (row, first) in rows.iter().zip(&first) {
            let at = start + first;
            let side = if at < found.len() { found[at] } else { aim(row, *t, plan.size)? };
            found.push(side);
        }
    }
    Some(())
}
