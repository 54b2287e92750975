//! Turns of angles: poses tell an angle up to whole turns, and couplings, threads and drivers tell which turn is meant.
//!
//! Equations Σ c_i x_i = b between joint coordinates, in which angles count with their turns: rows of couplings; advance − pitch/2π ·
//! angle = 0 of each screw; and, where a screw closes a loop of joints with parallel axes, angle = Σ ± the other angles + c, since what
//! turns about parallel axes adds up (c, a constant of the joint frames, is the least that fits). What drivers or given values say is
//! handed on along these as far as it goes; lengths, which poses tell in full, are the next to say; an angle that nothing is known of is
//! read within half a turn of zero. While a mechanism is being closed, angles tied in this way are counted on from step to step.

use super::constraint::{CompiledRow, Constraints, Evaluation, Left, Owner};
use super::ties::Tie;
use crate::math::Jet;
use std::f64::consts::{PI, TAU};

impl Constraints {
    /// Marks the angles that are tied to other coordinates.
    pub(super) fn count_turns(&mut self) {
        self.counted = vec![false; self.measures.len()];
        let coupled = self.rows.iter().filter(|r| matches!(r.owner, Owner::Coupling(_))).flat_map(|r| &r.measures);
        let tied = self.ties.iter().flat_map(|t| t.terms.iter().map(|term| &term.1));
        let all: Vec<usize> = coupled.chain(tied).copied().filter(|k| self.is_angle(*k)).collect();
        all.into_iter().for_each(|k| self.counted[k] = true);
    }

    /// Whether turns of some angle are tied to other coordinates.
    pub fn counts_turns(&self) -> bool {
        self.counted.contains(&true)
    }

    /// Whether angles about the parallel axes of screws' loops add up to the least constant there can be.
    pub fn turns_add_up(&self, e: &Evaluation) -> bool {
        let sum = |tie: &Tie| tie.terms.iter().map(|(c, m)| c * self.value(*m, e)).sum::<f64>();
        // Half a turn may be read either way.
        self.ties.iter().filter(|tie| tie.constant.is_none()).all(|tie| sum(tie).abs() < 1.5 * PI)
    }

    /// Counts angles that are tied to other coordinates on from their present values: steps must be shorter than half a turn.
    pub fn follow_turns(&self, e: &mut Evaluation) {
        self.keep(|k| self.counted[k], e);
    }

    /// Whether each row is a driver's that leads one velocity by itself, so that drivers tell every turn of an angle.
    pub fn lead_each(&self) -> bool {
        let alone = |(i, ..): &(usize, usize, f64)| !self.rows[*i].squared && self.pattern.range(*i).len() == 1;
        let led = || self.driven_alone().filter(|(.., factor)| *factor != 0.0).filter(alone);
        let angles = (0..self.measures.len()).filter(|k| self.is_angle(*k)).count();
        self.rows.len() == self.pattern.columns
            && led().count() == self.rows.len()
            && led().filter(|(_, measure, _)| self.is_angle(*measure)).count() == angles
            && self.ties.is_empty()
    }

    /// Counts angles that drivers lead ([`Constraints::lead_each`]) from what these ask for at time `t`, however many turns that is.
    pub fn turn_as_led(&self, t: f64, e: &mut Evaluation) {
        self.aim(t, e);
        for (i, measure, factor) in self.driven_alone().filter(|(_, measure, _)| self.is_angle(*measure)) {
            e.near[measure] = self.aimed(i, e).v / factor;
        }
    }

    /// Counts angle measures on from their present values.
    pub fn keep_turns(&self, e: &mut Evaluation) {
        self.keep(|k| self.is_angle(k), e);
    }

    fn keep(&self, which: impl Fn(usize) -> bool, e: &mut Evaluation) {
        for k in (0..self.measures.len()).filter(|k| which(*k)) {
            let value = self.value(k, e);
            if value.is_finite() {
                e.near[k] = value;
            }
        }
    }

    /// Counts angle measures from their first values, which lie in (−π, π] unless a driver means another turn: half a turn
    /// that rounding has brought to the wrong end is put right.
    pub fn start_turns(&self, e: &mut Evaluation) {
        /// Positions are accurate to about 1e-14; an angle this near −π is half a turn.
        const HALF_TURN: f64 = 1e-9;
        for k in 0..self.measures.len() {
            if self.is_angle(k) && e.near[k] == 0.0 && self.value(k, e) < -PI + HALF_TURN {
                e.near[k] = PI;
            }
        }
        self.keep_turns(e);
    }

    /// Starts angle measures on the turn that drivers, threads and couplings mean at time `t`, and measures `given` near their values.
    /// Markers are placed: of couplings that are no straight lines, the turn is taken that fulfils them best there.
    pub fn choose_turns(&self, t: f64, given: &[(usize, f64)], e: &mut Evaluation) {
        /// A half turn reads +π, though rounding may have made it −π.
        const TIE: f64 = 1e-9;
        e.near.fill(TIE);
        let mut known: Vec<Option<f64>> = vec![None; self.measures.len()];
        for (i, measure, factor) in self.driven_alone() {
            // A length that is driven is led there, and what it turns with it.
            if self.is_angle(measure) && factor != 0.0 {
                known[measure] = Some(self.rows[i].target_value(t) / factor);
            }
        }
        let lines = self.lines(t, e);
        hand_on(&lines, &mut known);
        // Drivers know better than what is given.
        for (measure, value) in given {
            known[*measure].get_or_insert(*value);
        }
        hand_on(&lines, &mut known);
        // Next the turns that lengths tell, one tie after the other, and at last angles by themselves.
        let lengths = |terms: &[(f64, usize)], known: &mut [Option<f64>], e: &Evaluation| {
            let unknown: Vec<usize> = terms.iter().map(|t| t.1).filter(|m| known[*m].is_none()).collect();
            let angles = unknown.iter().filter(|m| self.is_angle(**m)).count();
            if angles == 1 && angles < unknown.len() {
                unknown.iter().filter(|m| !self.is_angle(**m)).for_each(|m| known[*m] = Some(self.value(*m, e)));
            }
        };
        for k in 0..self.ties.len() {
            lengths(&self.ties[k].terms, &mut known, e);
            hand_on(&lines, &mut known);
        }
        for row in self.rows.iter().filter(|r| matches!(r.owner, Owner::Coupling(_))) {
            match &row.left {
                Left::One(_) | Left::Sum(_) => {
                    let terms = linear(row).unwrap_or_default();
                    lengths(&terms, &mut known, e);
                    hand_on(&lines, &mut known);
                    // Nothing known of either: the first is within half a turn of zero.
                    if let Some((_, first)) = terms.iter().find(|t| known[t.1].is_none()) {
                        known[*first] = Some(self.value(*first, e));
                        hand_on(&lines, &mut known);
                    }
                }
                Left::Expression(_) => {
                    self.fit_turn(row, t, &mut known, e);
                    hand_on(&lines, &mut known);
                }
                Left::Profile(_) => {}
            }
        }
        for (k, value) in known.iter().enumerate().filter(|(k, _)| self.is_angle(*k)) {
            if let Some(value) = value.filter(|x| x.is_finite()) {
                e.near[k] = value;
            }
        }
    }

    /// Ties and couplings that are straight lines: terms and constant.
    fn lines(&self, t: f64, e: &Evaluation) -> Vec<(Vec<(f64, usize)>, f64)> {
        let couplings = self.rows.iter().filter(|r| matches!(r.owner, Owner::Coupling(_)));
        let lines = couplings.filter_map(|row| Some((linear(row)?, row.target_value(t))));
        let constant = |tie: &Tie| tie.constant.unwrap_or_else(|| self.constant(tie, e));
        self.ties.iter().map(|tie| (tie.terms.clone(), constant(tie))).chain(lines).collect()
    }

    /// The constant of a tie that fits the present position, within half a turn of zero.
    fn constant(&self, tie: &Tie, e: &Evaluation) -> f64 {
        let sum: f64 = tie.terms.iter().map(|(c, m)| c * self.value(*m, e)).sum();
        sum - TAU * (sum / TAU).round()
    }

    /// Puts the last angle of a coupling that is on no turn yet on the one in which the coupling is fulfilled best.
    fn fit_turn(&self, row: &CompiledRow, t: f64, known: &mut [Option<f64>], e: &Evaluation) {
        /// Turns looked at either way.
        const MOST: i32 = 64;
        let free = |m: &&usize| self.is_angle(**m) && known[**m].is_none();
        let Some(last) = row.measures.iter().rev().find(free).copied() else { return };
        let Left::Expression(expression) = &row.left else { return };
        let mut values = vec![Jet::constant(t)];
        let value = |m: &usize| known[*m].unwrap_or_else(|| self.value(*m, e));
        values.extend(row.measures.iter().map(|m| Jet::constant(value(m))));
        let (start, target) = (self.value(last, e), row.target_value(t));
        let mut off = |turns: i32| {
            let angle = start + f64::from(turns) * TAU;
            for (value, measure) in values[1..].iter_mut().zip(&row.measures) {
                if *measure == last {
                    *value = Jet::constant(angle);
                }
            }
            (expression.jet(&values).v - target).abs()
        };
        // A turn that fits no better than one nearer to zero is none.
        let mut best = (off(0), 0);
        for turns in (1..=MOST).flat_map(|k| [k, -k]) {
            let off = off(turns);
            if off < best.0 - 1e-9 * best.0.abs().max(1.0) {
                best = (off, turns);
            }
        }
        if best.1 != 0 {
            known[last] = Some(start + f64::from(best.1) * TAU);
        }
    }
}

/// Fills in what follows from what is known along straight lines.
fn hand_on(lines: &[(Vec<(f64, usize)>, f64)], known: &mut [Option<f64>]) {
    loop {
        let mut news = false;
        for (terms, constant) in lines {
            let mut unknown = terms.iter().filter(|term| known[term.1].is_none() && term.0 != 0.0);
            if let (Some((factor, last)), None) = (unknown.next(), unknown.next()) {
                let sum: f64 = terms.iter().map(|(c, m)| c * known[*m].unwrap_or(0.0)).sum();
                known[*last] = Some((constant - sum) / factor);
                news = true;
            }
        }
        if !news {
            return;
        }
    }
}

/// Terms of a row that is a sum of measures.
fn linear(row: &CompiledRow) -> Option<Vec<(f64, usize)>> {
    row.left.factors().map(|factors| factors.iter().copied().zip(row.measures.iter().copied()).collect())
}
