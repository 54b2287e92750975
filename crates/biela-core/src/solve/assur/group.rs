//! Designs side by side: as many as registers have lanes, through all times of a motion.

use super::kinetostatics::Balance;
use super::parts::{sense, Numbers};
use super::place::{Lead, Placing};
use super::plane::{cross, dot, less, sum, times, Frame};
use super::told::Telling;
use super::Assur;
use crate::math::{Elementary, Lanes, Number};
use crate::model::Model;
use crate::motion::Motion;
use crate::results::Results;
use crate::solve::motion::{is_even, DISAGREEMENT, FREE_DISAGREEMENT, LARGEST_STEP};
use biela_tree::wide::{run_portable, Kernel, Level};

/// A group of designs, by the width of its lanes.
#[derive(Debug)]
pub struct Group<'p> {
    plan: &'p Assur,
    level: Level,
    lanes: Width,
    /// Scratch: numbers of one design, heights of its bodies, its drivers' values.
    list: Vec<f64>,
    heights: Vec<f64>,
    leads: Vec<Lead<f64>>,
}

#[derive(Debug)]
enum Width {
    /// One after the other.
    One(Beside<f64>),
    #[cfg(target_arch = "x86_64")]
    Four(Beside<Lanes<4>>),
    #[cfg(target_arch = "x86_64")]
    Eight(Beside<Lanes<8>>),
}

/// The same for any width.
macro_rules! each_width {
    ($lanes:expr, $beside:ident => $what:expr) => {
        match $lanes {
            Width::One($beside) => $what,
            #[cfg(target_arch = "x86_64")]
            Width::Four($beside) => $what,
            #[cfg(target_arch = "x86_64")]
            Width::Eight($beside) => $what,
        }
    };
}

/// What designs side by side have.
#[derive(Debug)]
struct Beside<N> {
    numbers: Vec<N>,
    /// Drivers at all times, time by time.
    leads: Vec<Lead<N>>,
    /// Lanes whose drivers are not the model's own.
    differ: u32,
    frames: [Vec<Frame<N>>; 2],
    last: Vec<[N; 2]>,
    /// Columns one after the other, in each all times.
    columns: Vec<N>,
    /// Forces, where they are told.
    balance: Option<Balance<N>>,
    good: N,
}

impl<N: Number> Beside<N> {
    fn new(plan: &Assur) -> Beside<N> {
        let still = Frame::still(plan.ground.0, plan.ground.1);
        let frames = vec![still; plan.bodies];
        let zero = N::splat(0.0);
        let lead = Lead { v: zero, d: zero, dd: zero, sine: zero, cosine: zero };
        let mut made = Beside {
            numbers: vec![zero; plan.numbers],
            leads: vec![lead; plan.leads.len()],
            differ: 0,
            frames: [frames.clone(), frames],
            last: vec![[zero; 2]; plan.told.len()],
            columns: vec![zero; plan.places.len() * plan.times.len()],
            balance: plan.kinetostatics.as_ref().map(|forces| Balance::new(forces, plan.bodies)),
            good: zero,
        };
        (0..N::LANES).for_each(|lane| made.seat(lane, &[], &plan.leads, true));
        made.differ = 0;
        made
    }

    #[inline(never)]
    fn seat(&mut self, lane: usize, list: &[f64], leads: &[Lead<f64>], own: bool) {
        self.numbers.iter_mut().zip(list).for_each(|(number, x)| number.set(lane, *x));
        let bit = 1 << lane;
        if own || self.differ & bit != 0 {
            for (lead, l) in self.leads.iter_mut().zip(leads) {
                lead.v.set(lane, l.v);
                lead.d.set(lane, l.d);
                lead.dd.set(lane, l.dd);
                lead.sine.set(lane, l.sine);
                lead.cosine.set(lane, l.cosine);
            }
        }
        self.differ = if own { self.differ | bit } else { self.differ & !bit };
    }

    fn column(&self, lane: usize, samples: std::ops::Range<usize>, out: &mut Vec<f64>) {
        out.extend(self.columns[samples].iter().map(|x| x.lane(lane)));
    }

    /// All times; `keep` hears every number that is told, by its place, and its time. Forces are told where `FORCES`.
    #[inline(always)]
    fn follow<const FORCES: bool>(&mut self, plan: &Assur, mut keep: impl FnMut(&mut [N], usize, usize, N)) {
        let (drivers, samples) = (plan.laws.len(), plan.times.len());
        self.good = N::splat(1.0);
        for k in 0..samples {
            let leads = &self.leads[k * drivers..(k + 1) * drivers];
            let [now, before] = &mut self.frames;
            std::mem::swap(now, before);
            let mut placing = Placing { frames: now, leads, size: plan.size, good: self.good };
            placing.all(&plan.parts, &self.numbers);
            self.good = placing.good;
            if k > 0 {
                let h = plan.times[k] - plan.times[k - 1];
                for (before, now) in before[1..].iter().zip(&now[1..]) {
                    self.good = self.good * smooth(before, now, h, plan.size);
                }
            }
            if self.good.all(|good| good == 0.0) {
                return;
            }
            let (columns, balance) = (&mut self.columns, &mut self.balance);
            let mut telling = Telling {
                told: &plan.told,
                frames: now,
                leads,
                numbers: &self.numbers[plan.numbers_of_parts..plan.numbers_told],
                planar: plan.planar,
                first: k == 0,
                last: &mut self.last,
                coordinates: balance.as_mut().map_or(&mut [], |balance| &mut balance.coordinates),
            };
            telling.all(|place, x| keep(columns, place, k, x));
            if let (true, Some(forces), Some(balance)) = (FORCES, &plan.kinetostatics, balance) {
                let numbers = &self.numbers[plan.numbers_told..];
                self.good = self.good * balance.find(forces, &plan.parts, now, numbers, plan.times[k]);
                balance.tell(forces, now, leads, |place, x| keep(columns, place, k, x));
            }
        }
    }
}

/// One where a body has moved as its velocities and accelerations at both ends of a step say, and not too far for turns to be counted.
#[inline(always)]
fn smooth<N: Number>(before: &Frame<N>, now: &Frame<N>, h: f64, size: f64) -> N {
    let (half, step, twelfth) = (N::splat(0.5 * h), N::splat(h), N::splat(h * h / 12.0));
    let bend = N::splat(0.5 * h * h);
    // The sine of the turn, as an angle: half a radian to two thousandths.
    let sine = cross(before.turn, now.turn);
    let square = sine * sine;
    let turn = sine * (N::splat(1.0) + square * (N::splat(1.0 / 6.0) + square * N::splat(0.075)));
    let ahead = dot(before.turn, now.turn);
    let rule = half * (before.w + now.w) + twelfth * (before.alpha - now.alpha);
    let (a, b) = (&before.origin, &now.origin);
    let moved = less(b.p, a.p);
    let due = sum(times(sum(a.v, b.v), half), times(less(a.a, b.a), twelfth));
    let off = less(moved, due);
    let allowed = |x: N, unit: f64| N::splat(FREE_DISAGREEMENT * unit) + N::splat(DISAGREEMENT) * x;
    let within = |x: N, most: N| x.zip(most, |x, most| if x <= most { 1.0 } else { 0.0 });
    let largest = |v: [N; 2]| v[0].abs().most(v[1].abs());
    let [turns, lengths] = [LARGEST_STEP, LARGEST_STEP * size].map(|most| N::splat(most * most));
    within((turn - rule).abs(), allowed(turn.abs(), 1.0))
        * within(largest(off), allowed(largest(moved), size))
        * within((before.w * step) * (before.w * step), turns)
        * within((before.alpha * bend) * (before.alpha * bend), turns)
        * within(dot(a.v, a.v) * (step * step), lengths)
        * within(dot(a.a, a.a) * (bend * bend), lengths)
        * within(N::splat(0.5), ahead)
}

/// All times of a group, compiled for the registers there are.
struct Work<'a, N> {
    beside: &'a mut Beside<N>,
    plan: &'a Assur,
}

impl<N: Number> Kernel for Work<'_, N> {
    #[inline(always)]
    fn run(self) {
        let samples = self.plan.times.len();
        // Columns are those of runs; where bodies are told, rows are.
        self.beside.follow::<true>(self.plan, |columns, place, k, x| {
            if let Some(slot) = columns.get_mut(place * samples + k) {
                *slot = x;
            }
        });
    }
}

/// The same, with all numbers of a lane in a row of its own, time by time.
struct InRows<'a, 'r, N> {
    beside: &'a mut Beside<N>,
    plan: &'a Assur,
    rows: &'a mut [&'r mut [f64]],
}

impl<N: Number> Kernel for InRows<'_, '_, N> {
    #[inline(always)]
    fn run(self) {
        let (rows, columns) = (self.rows, self.plan.columns);
        self.beside.follow::<false>(self.plan, |_, place, k, x| {
            for (lane, row) in rows.iter_mut().enumerate() {
                row[k * columns + place] = x.lane(lane);
            }
        });
    }
}

/// Runs a kernel made of the group, compiled for the registers there are.
macro_rules! run {
    ($group:expr, $beside:ident, $plan:ident => $kernel:expr) => {{
        let Group { plan: $plan, level, lanes, .. } = $group;
        // Where there is one width, nothing depends on it.
        let _ = &level;
        match lanes {
            #[cfg(target_arch = "x86_64")]
            Width::Eight($beside) => {
                biela_tree::wide::run_eight(*level, $kernel);
            }
            #[cfg(target_arch = "x86_64")]
            Width::Four($beside) => {
                biela_tree::wide::run_four(*level, $kernel);
            }
            Width::One($beside) => run_portable($kernel),
        }
    }};
}

impl<'p> Group<'p> {
    /// A group as wide as these registers allow.
    pub fn new(plan: &'p Assur, level: Level) -> Group<'p> {
        let lanes = match level.lanes() {
            #[cfg(target_arch = "x86_64")]
            8 => Width::Eight(Beside::new(plan)),
            #[cfg(target_arch = "x86_64")]
            4 => Width::Four(Beside::new(plan)),
            _ => Width::One(Beside::new(plan)),
        };
        Group { plan, level, lanes, list: Vec::new(), heights: Vec::new(), leads: Vec::new() }
    }

    /// How many designs it holds.
    pub fn width(&self) -> usize {
        match &self.lanes {
            Width::One(_) => 1,
            #[cfg(target_arch = "x86_64")]
            Width::Four(_) => 4,
            #[cfg(target_arch = "x86_64")]
            Width::Eight(_) => 8,
        }
    }

    /// Puts a design into a lane; false where it is none of this kind, and is to be run alone.
    pub fn seat(&mut self, lane: usize, design: &Model) -> bool {
        self.number(design).is_some_and(|own| {
            let leads = if own { &self.leads } else { &self.plan.leads };
            each_width!(&mut self.lanes, beside => {
                beside.seat(lane, &self.list, leads, own);
                if let (Some(forces), Some(balance)) = (&self.plan.kinetostatics, &mut beside.balance) {
                    forces.loads.laws.of(design, &mut balance.own[lane]);
                }
            });
            true
        })
    }

    /// The numbers of a design; whether its drivers' values are its own.
    fn number(&mut self, design: &Model) -> Option<bool> {
        let plan = self.plan;
        if !plan.fits(design)
            || plan.parts.iter().any(|part| sense(design, part, design.guess().poses()) != part.sense())
        {
            return None;
        }
        self.list.clear();
        self.heights.clear();
        self.heights.resize(plan.bodies, plan.height);
        let (list, heights) = (&mut self.list, &mut self.heights);
        let mut numbers = Numbers { model: design, size: plan.size, list, heights };
        for part in &plan.parts {
            numbers.add(part)?;
        }
        for told in &plan.told {
            numbers.tell(told)?;
        }
        if let Some(forces) = &plan.kinetostatics {
            forces.number(&mut numbers)?;
        }
        if !self.list.iter().all(|x| x.is_finite()) {
            return None;
        }
        let laws = || plan.laws.iter().zip(Assur::laws_of(design));
        if laws().all(|(own, law)| law.is_some_and(|law| law.is_same(own))) {
            return Some(false);
        }
        let laws: Vec<&Motion> = laws().map(|(_, law)| law).collect::<Option<_>>()?;
        leads(&laws, &plan.times, &mut self.leads)?;
        is_even(design, plan.size, &plan.times).then_some(true)
    }

    /// Follows all designs that are seated.
    pub fn run(&mut self) {
        run!(self, beside, plan => Work { beside, plan });
    }

    /// The same, with the numbers of each lane put into a row: those of the first time, then those of the next. There are as many rows as designs are
    /// seated in the first lanes, each as long as all its numbers.
    pub fn run_into(&mut self, rows: &mut [&mut [f64]]) {
        let long = self.plan.columns * self.plan.times.len();
        if rows.len() <= self.width() && rows.iter().all(|row| row.len() == long) {
            run!(self, beside, plan => InRows { beside, plan, rows });
        }
    }

    /// Whether a design has come to its end; if not, it is to be run alone.
    pub fn is_whole(&self, lane: usize) -> bool {
        each_width!(&self.lanes, beside => beside.good.lane(lane)) == 1.0
    }

    /// Fills the [table](Assur::table) of a design.
    pub fn fill(&self, lane: usize, table: &mut Results) {
        for (k, place) in self.plan.places.iter().enumerate() {
            let data = &mut table.columns[*place].data;
            data.clear();
            self.column(lane, k, data);
        }
    }

    /// Adds a column of a design, by its place among those that are kept.
    pub fn column(&self, lane: usize, place: usize, out: &mut Vec<f64>) {
        let samples = self.plan.times.len();
        let range = place * samples..(place + 1) * samples;
        each_width!(&self.lanes, beside => beside.column(lane, range, out));
    }
}

/// Values of drivers at all times; `None` where one has none.
pub(super) fn leads(laws: &[&Motion], times: &[f64], found: &mut Vec<Lead<f64>>) -> Option<()> {
    found.clear();
    for t in times {
        for law in laws {
            let jet = law.jet(*t);
            if !(jet.v.is_finite() && jet.d.is_finite() && jet.dd.is_finite()) {
                return None;
            }
            let (sine, cosine) = jet.v.sine_cosine();
            found.push(Lead { v: jet.v, d: jet.d, dd: jet.dd, sine, cosine });
        }
    }
    Some(())
}
