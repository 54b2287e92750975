//! Postures along a path, joined to branches: each posture of a pose with the one of the next that it moves into, and where two branches meet.
//!
//! Branches are continuous, and two of them meet where the arm is singular: there both end, or two begin. Lists of two poses are joined by nearness.
//! Where that is not plain, or they differ in length, the pose between is solved too, until it is, or the time of the meeting is known.

use super::{Mode, Modes};
use crate::error::Result;

/// Share of the distance to any other posture below which the nearest is the one that is moved into.
const PLAIN: f64 = 0.35;
/// Halvings of a step: a meeting is told to this part of a step.
const HALVINGS: u32 = 16;
/// Poses between two of the path that are solved at most.
const BETWEEN: usize = 200;

/// Where branches end or begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Meeting {
    /// The time.
    pub t: f64,
    /// The branches: two that meet, or one that is lost or found.
    pub branches: Vec<usize>,
    /// Whether they begin there; else they end.
    pub begin: bool,
}

/// Branches as they are followed.
#[derive(Debug, Default)]
pub struct Branches {
    /// Where they meet, in the order of time.
    pub meetings: Vec<Meeting>,
    count: usize,
    last: Option<(f64, List)>,
    budget: usize,
}

/// Postures of a pose, and the branch of each.
#[derive(Debug, Clone, Default)]
struct List {
    postures: Vec<Vec<f64>>,
    branches: Vec<usize>,
}

impl Branches {
    /// Branches, counted from 1, of the postures of the next pose; `solve` gives those of poses between.
    ///
    /// # Errors
    /// Those of `solve`.
    pub fn follow(&mut self, t: f64, found: &Modes, solve: &mut dyn FnMut(f64) -> Result<Modes>) -> Result<Vec<usize>> {
        let turns: Vec<bool> = found.names.iter().map(|n| n.1 == "rad").collect();
        let next = List { postures: coordinates(&found.modes), branches: Vec::new() };
        let next = match self.last.take() {
            Some((before, last)) => {
                self.budget = BETWEEN;
                self.join((before, last), (t, next), HALVINGS, &turns, solve)?
            }
            None => {
                let branches = (1..=next.postures.len()).collect();
                self.count = next.postures.len();
                List { branches, ..next }
            }
        };
        self.last = Some((t, next.clone()));
        Ok(next.branches)
    }

    /// Gives branches to the second list from the first.
    fn join(
        &mut self,
        (from, a): (f64, List),
        (to, b): (f64, List),
        halvings: u32,
        turns: &[bool],
        solve: &mut dyn FnMut(f64) -> Result<Modes>,
    ) -> Result<List> {
        let (pairs, plain) = matched(&a.postures, &b.postures, turns);
        let same = a.postures.len() == b.postures.len();
        if plain && same || halvings == 0 || self.budget == 0 {
            return Ok(self.met(0.5 * (from + to), &a, b, (&pairs, turns)));
        }
        self.budget -= 1;
        let middle = 0.5 * (from + to);
        let between = List { postures: coordinates(&solve(middle)?.modes), branches: Vec::new() };
        let half = self.join((from, a), (middle, between), halvings - 1, turns, solve)?;
        self.join((middle, half), (to, b), halvings - 1, turns, solve)
    }

    /// Branches of the second list by pairs; those of the first without one end here, and new ones begin.
    fn met(&mut self, t: f64, a: &List, b: List, (pairs, turns): (&[Option<usize>], &[bool])) -> List {
        let mut branches = vec![0; b.postures.len()];
        let mut ended = List::default();
        for ((branch, posture), pair) in a.branches.iter().zip(&a.postures).zip(pairs) {
            match pair {
                Some(k) => branches[*k] = *branch,
                None => ended.push(*branch, posture),
            }
        }
        let mut begun = List::default();
        for (branch, posture) in branches.iter_mut().zip(&b.postures).filter(|(b, _)| **b == 0) {
            self.count += 1;
            *branch = self.count;
            begun.push(self.count, posture);
        }
        for (list, begin) in [(ended, false), (begun, true)] {
            self.meetings.extend(list.in_pairs(turns).into_iter().map(|branches| Meeting { t, branches, begin }));
        }
        List { branches, ..b }
    }
}

impl List {
    fn push(&mut self, branch: usize, posture: &[f64]) {
        self.branches.push(branch);
        self.postures.push(posture.to_vec());
    }

    /// Branches that meet: each with the nearest of those behind it.
    fn in_pairs(mut self, turns: &[bool]) -> Vec<Vec<usize>> {
        let mut pairs = Vec::new();
        while !self.branches.is_empty() {
            let (branch, posture) = (self.branches.remove(0), self.postures.remove(0));
            let scale = vec![1.0; turns.len()];
            let off = |k: &usize| apart(&posture, &self.postures[*k], turns, &scale);
            let nearest = (0..self.branches.len()).min_by(|i, j| off(i).total_cmp(&off(j)));
            pairs.push(match nearest {
                Some(k) => {
                    self.postures.remove(k);
                    vec![branch, self.branches.remove(k)]
                }
                None => vec![branch],
            });
        }
        pairs
    }
}

/// How far two postures are from each other: the greatest turn, or slide against a length for each.
fn apart(p: &[f64], q: &[f64], turns: &[bool], scale: &[f64]) -> f64 {
    let part = |k: usize| match turns[k] {
        true => crate::joints::hinge::nearest_turn(p[k] - q[k], 0.0).abs(),
        false => (p[k] - q[k]).abs() / scale[k],
    };
    (0..turns.len()).map(part).fold(0.0, f64::max)
}

fn coordinates(modes: &[Mode]) -> Vec<Vec<f64>> {
    modes.iter().map(|m| m.coordinates.clone()).collect()
}

/// For each of the first postures the one of the second that it moves into, nearest pairs first; and whether that is plain of all.
fn matched(a: &[Vec<f64>], b: &[Vec<f64>], turns: &[bool]) -> (Vec<Option<usize>>, bool) {
    // Slides against how far they lie apart.
    let scale: Vec<f64> = (0..turns.len())
        .map(|k| {
            let all = || a.iter().chain(b).map(|q| q[k]);
            let spread = all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min);
            if turns[k] || spread.is_nan() || spread <= 0.0 {
                1.0
            } else {
                spread
            }
        })
        .collect();
    let mut list: Vec<(f64, usize, usize)> = Vec::new();
    for (i, p) in a.iter().enumerate() {
        list.extend(b.iter().enumerate().map(|(j, q)| (apart(p, q, turns, &scale), i, j)));
    }
    biela_base::sorting::sort_by(&mut list, |x, y| x.0.total_cmp(&y.0));
    let (mut pairs, mut taken) = (vec![None; a.len()], vec![false; b.len()]);
    let mut plain = true;
    for (distance, i, j) in list.iter().copied() {
        if pairs[i].is_some() || taken[j] {
            continue;
        }
        pairs[i] = Some(j);
        taken[j] = true;
        let others = |other: &&(f64, usize, usize)| (other.1 == i) != (other.2 == j);
        plain &= list.iter().find(others).is_none_or(|other| distance < PLAIN * other.0);
    }
    (pairs, plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Postures ±√(1 − t²) of a point on a circle, which meet at t = 1; and one by itself that stays.
    fn circle(t: f64) -> Modes {
        let height = (1.0 - t * t).max(0.0).sqrt();
        let all: Vec<f64> = if t < 1.0 { vec![height, 5.0, -height] } else { vec![5.0] };
        let mode = |x: f64| Mode { coordinates: vec![x], poses: Vec::new(), number: 0.0, identity: String::new() };
        Modes {
            names: vec![("slide".into(), "m")],
            modes: all.into_iter().map(mode).collect(),
            complete: true,
            proof: String::new(),
            complex: None,
            counted: None,
            numbered: false,
        }
    }

    #[test]
    fn branches_meet_where_they_do() {
        let mut followed = Branches::default();
        let mut told = Vec::new();
        for k in 0..5 {
            // Down to t = 0, and up past 1.
            let t = -0.45 + 0.4 * f64::from(k);
            let branches = followed.follow(t, &circle(t), &mut |t| Ok(circle(t))).unwrap();
            told.push(branches);
        }
        assert_eq!(told, [vec![1, 2, 3], vec![1, 2, 3], vec![1, 2, 3], vec![1, 2, 3], vec![2]]);
        let [meeting] = &followed.meetings[..] else { panic!("{:?}", followed.meetings) };
        assert_eq!((meeting.branches.clone(), meeting.begin), (vec![1, 3], false));
        // To a 2¹⁶th of the step.
        assert!((meeting.t - 1.0).abs() < 0.4 / 65536.0, "{}", meeting.t);
    }
}
