//! True mobility: how many freedoms lead somewhere, and a generic position on the motion.
//!
//! The rank of Φ_v in one position counts velocities, not motions. Let the independent rows there define the manifold M,
//! whose dimension is the number of freedoms by rank. **Regular position**: the dependent rows vanish at random points of
//! M; then every point of M is a position of the mechanism, the freedoms are finite ones and the redundancy is permanent.
//! **Singular position**, where they do not: the dimension of the set of positions is found by slices. With j random
//! linear conditions u·δ = s added (u in the null space of Φ_v, s small but finite) there are positions nearby if j does
//! not exceed that dimension, and none if it does. A structure that only trembles fails for j = 1: x² = 0 and x = s.
//!
//! Near by, rows that are violated by the fifth power of a displacement look closed: Watt's linkage with its middle point on the line
//! that it nearly follows. So what was found near by must lead on: over an arc of `ARC`, step by step in the direction of the step
//! before, with all rows closed at every step. A residual of c sⁿ shows there up to n = 19; a true motion, whose set of positions is
//! analytic, has no end.

use crate::error::{counted, ErrorKind, Reason, Result};
use crate::math::random::Random;
use crate::math::sparse::{Elimination, Pattern};
use crate::math::Pose;
use crate::solve::assemble::assemble;
use crate::solve::least_squares::LeastSquares;
use crate::solve::mobility::Mobility;
use crate::solve::newton::{ACCEPTED, RANK_TOLERANCE};
use crate::solve::vectors::{dot, max_abs, norm, orthonormalise};
use crate::system::{System, Workspace};

/// Steps of the walk away from the drawn position, in radians or sizes; smaller ones where Newton fails.
const STRIDES: [f64; 4] = [0.15, 0.03, 6e-3, 1e-3];
/// Steps made to leave special positions (symmetric ones, say) behind.
const WALK: usize = 4;
/// Largest residual of the dependent rows on M that still counts as zero. Newton leaves 1e-14, and a violated row shows
/// at least about the square of the least stride.
const VANISHES: f64 = 1e-10;
/// Length of way, in radians or sizes of what moves most, over which a motion must lead to be one.
const ARC: f64 = 0.3;
/// Shortest step along it.
const LEAST: f64 = 1e-4;
/// Steps along it at most.
const MOST_STEPS: usize = 60;
/// Reaches of the slices, in radians or sizes.
const REACHES: [f64; 2] = [0.1, 0.02];
/// Residual on slices where the steps gain little more: along freedoms that tremble everywhere they only halve. What
/// cannot be reached leaves more, unless its rows are flat to the sixth order.
const CLOSED: f64 = 1e-11;
/// Rank tolerance at such points: they are known to about the root of their residual.
const ROUGH: f64 = 1e-4;
/// Random slices tried for each number of conditions and each reach.
const TRIES: usize = 16;
/// Above this many velocities fewer slices are tried …
const LARGE: usize = 300;
/// … and so many of them …
const TRIES_LARGE: usize = 2;
/// … and above this many a singular position is not explored.
const MOST_VELOCITIES: usize = 4000;
/// Steps in which a residual that reaches zero has halved: what trembles halves its displacement in each.
const STANDSTILL: usize = 8;
/// Numbers of conditions tried one after the other; more are searched by halving.
const FEW: usize = 8;

/// What exploring around a position has shown.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// Dimension of the set of positions; `None` where it was not found out.
    pub mobility: Option<usize>,
    /// Freedoms by rank in the position explored from.
    pub here: usize,
    /// Freedoms by rank in the generic position reached: what exceeds `mobility` trembles all along.
    pub generic: usize,
    /// A generic position on the motion (the position itself where nothing moves).
    pub q: Vec<f64>,
    /// Generic positions on motions that start from a singular position, `q` among them: it may be where several cross.
    pub motions: Vec<Vec<f64>>,
    /// True where it moves but trembles all along: no generic position is known exactly, and `q` is the one explored from.
    pub shaky: bool,
    /// Why `mobility` is not known.
    pub reason: Option<String>,
}

impl Exploration {
    /// As long as nothing is known to move.
    fn fixed(q: Vec<f64>, here: usize) -> Exploration {
        let motions = Vec::new();
        Exploration { mobility: Some(0), here, generic: here, q, motions, shaky: false, reason: None }
    }
}

/// A position, and the displacement that led there in scaled velocities.
type Step = (Vec<f64>, Vec<f64>);

/// How a step along M ended.
enum Stride {
    Reached(Step),
    /// The dependent rows do not vanish there.
    Violated,
    /// Newton found no point of M.
    Lost,
}

/// Explores the positions around `q` without drivers. The workspace is left at the generic position, Φ_v included. `factors` are those of
/// the rows without drivers at `q`, where they are at hand.
pub fn explore(system: &System, ws: &mut Workspace, t: f64, q: &[f64], factors: Option<Elimination>) -> Exploration {
    let rows = system.constraints.undriven();
    let part = system.constraints.pattern.first(rows);
    let mut explorer = Explorer { system, t, rows, part, random: Random(1) };
    let factors = factors.unwrap_or_else(|| explorer.factor(ws, q, RANK_TOLERANCE));
    let here = explorer.part.columns - factors.rank();
    let mut finite = Exploration::fixed(q.to_vec(), here);
    if here > 0 {
        match explorer.walk(ws, q, Some(factors)) {
            Some(q) => (finite.mobility, finite.q) = (Some(here), q),
            None if system.formulation.nv() > MOST_VELOCITIES => {
                finite.mobility = None;
                finite.reason =
                    Some(format!("the position is singular and has more than {MOST_VELOCITIES} velocities to explore"));
            }
            None => match in_joint_coordinates(system, ws, t) {
                Some(found) => finite = Exploration { here, ..found },
                None => explorer.singular(ws, &mut finite),
            },
        }
    }
    explorer.place(ws, &finite.q);
    ws.realize_jacobian(system, t);
    finite
}

/// Explores a singular position of many bodies in joint coordinates, where there are few of them: the positions about it are the same
/// ones, and each slice costs the cube of their number. Positions come back as coordinates of `system`.
fn in_joint_coordinates(system: &System, ws: &Workspace, t: f64) -> Option<Exploration> {
    /// Below these velocities slices cost little in any coordinates.
    const MANY: usize = 100;
    let nv = system.formulation.nv();
    if nv <= MANY || system.formulation.name() == "relative" {
        return None;
    }
    let poses: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
    let placed = system.model.with_guess(&poses);
    let relative = System::new(&placed, "relative").ok().filter(|s| 2 * s.formulation.nv() <= nv)?;
    let mut own = Workspace::new(&relative);
    let q = assemble(&relative, &mut own, t).ok()?;
    own.realize_position(&relative, t, &q);
    let rows = relative.constraints.undriven();
    let part = relative.constraints.pattern.first(rows);
    let mut explorer = Explorer { system: &relative, t, rows, part, random: Random(1) };
    let here = explorer.freedoms(&mut own, &q, RANK_TOLERANCE);
    let mut found = Exploration::fixed(q, here);
    explorer.singular(&mut own, &mut found);
    let mut back = |q: &[f64]| {
        explorer.place(&mut own, q);
        let poses: Vec<Pose> = own.cache.bodies.iter().map(|b| b.pose).collect();
        let mut q = vec![0.0; system.formulation.nq()];
        system.formulation.coordinates(&poses, &mut q);
        q
    };
    found.q = back(&found.q);
    found.motions = found.motions.iter().map(|q| back(q)).collect();
    Some(found)
}

/// What `count` freedoms that lead nowhere are, in words.
pub fn trembling(count: usize) -> String {
    format!("{} only for an infinitely small motion; nothing moves further that way", counted(count, "freedom"))
}

/// An error where the freedoms of the position realised in the workspace, counted there, lead nowhere.
pub fn refuse_fixed(system: &System, ws: &Workspace, t: f64, found: &Mobility) -> Result<()> {
    match finite_mobility(system, ws, t, found) {
        Some(finite) if finite <= found.idle.len() && finite < found.freedoms => Err(ErrorKind::Drive
            .error(format!("fixed at t = {t} s: {}", trembling(found.freedoms - finite)))
            .because(Reason::Immobile)
            .of(format!("mechanism '{}'", system.model.name))
            .note("some rows repeat each other in this position alone, so that its freedom by rank is no motion")
            .note("biela check tells which; make one of these joints freer, or change a dimension")),
        _ => Ok(()),
    }
}

/// Finite mobility without drivers at the position realised, where ranks leave it open and it can be told with little work; nobody
/// reads of it where only some columns are asked for.
pub fn finite_mobility(system: &System, ws: &Workspace, t: f64, found: &Mobility) -> Option<usize> {
    /// More velocities make the search longer than many a run.
    const MOST: usize = 300;
    let model = system.model;
    let open = found.freedoms > 0 && !found.redundant_rows.is_empty() && !model.study.silent;
    if !open || 6 * model.bodies.len() > MOST {
        return None;
    }
    let poses: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
    let placed = model.with_guess(&poses);
    let absolute = System::new(&placed, "absolute").ok()?;
    let mut own = Workspace::new(&absolute);
    let q = assemble(&absolute, &mut own, t).ok()?;
    own.realize_position(&absolute, t, &q);
    explore(&absolute, &mut own, t, &q, None).mobility
}

struct Explorer<'s, 'm> {
    system: &'s System<'m>,
    t: f64,
    /// Number of rows without drivers, and their pattern.
    rows: usize,
    part: Pattern,
    random: Random,
}

impl Explorer<'_, '_> {
    /// Positions and residuals; the largest of the rows without drivers.
    fn place(&self, ws: &mut Workspace, q: &[f64]) -> f64 {
        ws.realize_position(self.system, self.t, q);
        ws.largest_residual(self.rows)
    }

    fn factor(&self, ws: &mut Workspace, q: &[f64], tolerance: f64) -> Elimination {
        self.place(ws, q);
        ws.realize_jacobian(self.system, self.t);
        let (values, weight) = (&ws.evaluation.phi_v, &ws.evaluation.weight);
        let mut elimination = Elimination::analyse_weighted(&self.part, values, weight, tolerance, &[]);
        let _ = elimination.refactor(&self.part, values);
        elimination
    }

    fn freedoms(&self, ws: &mut Workspace, q: &[f64], tolerance: f64) -> usize {
        self.part.columns - self.factor(ws, q, tolerance).rank()
    }

    /// Steps `q` by a displacement in scaled velocities.
    fn step(&self, ws: &Workspace, q: &mut [f64], x: &[f64]) {
        let mut dv = x.to_vec();
        self.system.formulation.unscale(&mut dv, ws.size);
        self.system.formulation.step(q, &dv);
    }

    /// Several steps along M, each a position of the mechanism; `None` where `q` is not regular. The factors there may be at hand.
    fn walk(&mut self, ws: &mut Workspace, q: &[f64], factors: Option<Elimination>) -> Option<Vec<f64>> {
        let mut now = q.to_vec();
        let mut elimination = factors.unwrap_or_else(|| self.factor(ws, &now, RANK_TOLERANCE));
        for done in 0..WALK {
            // The same pivots serve as long as they suit the numbers: the rank along M is known.
            self.place(ws, &now);
            ws.realize_jacobian(self.system, self.t);
            if elimination.refactor(&self.part, &ws.evaluation.phi_v).is_err() {
                elimination = self.factor(ws, &now, RANK_TOLERANCE);
            }
            let mut next = None;
            for stride in STRIDES {
                match self.stride(ws, &now, None, stride, elimination.clone()) {
                    // Short steps prove little by themselves.
                    Stride::Reached(step)
                        if done == 0 && stride < STRIDES[0] && !self.leads_on(ws, &step, elimination.clone()) =>
                    {
                        return None;
                    }
                    Stride::Reached((q, _)) => {
                        next = Some(q);
                        break;
                    }
                    // Far out Newton may have jumped to another sheet of M; near by it says that `now` is singular.
                    Stride::Violated if stride < STRIDES[1] => break,
                    Stride::Violated | Stride::Lost => {}
                }
            }
            match next {
                Some(q) => {
                    now = q;
                    self.place(ws, &now);
                    self.system.constraints.keep_turns(&mut ws.evaluation);
                }
                // One point proves little; two do.
                None if done < 2 => return None,
                None => break,
            }
        }
        Some(now)
    }

    /// True where a step along M, which these factors are of, leads on over the arc with the dependent rows closed all along. Where M
    /// itself has a corner nothing more can be said.
    fn leads_on(&mut self, ws: &mut Workspace, first: &Step, mut elimination: Elimination) -> bool {
        let freedoms = elimination.free_columns().len();
        let (mut now, mut before) = first.clone();
        let mut reach = max_abs(&before);
        let mut arc = reach;
        for _ in 0..MOST_STEPS {
            self.place(ws, &now);
            ws.realize_jacobian(self.system, self.t);
            if elimination.refactor(&self.part, &ws.evaluation.phi_v).is_err() {
                elimination = self.factor(ws, &now, RANK_TOLERANCE);
                if elimination.free_columns().len() < freedoms {
                    return false;
                }
            }
            reach = (2.0 * reach).min(STRIDES[0]);
            loop {
                match self.stride(ws, &now, Some(&before), reach, elimination.clone()) {
                    Stride::Reached((q, x)) => {
                        arc += reach;
                        (now, before) = (q, x);
                        break;
                    }
                    // Newton may have jumped to another sheet of M.
                    Stride::Violated | Stride::Lost if reach > LEAST => reach *= 0.5,
                    Stride::Violated => return false,
                    Stride::Lost => return true,
                }
            }
            if arc >= ARC {
                return true;
            }
        }
        true
    }

    /// A step along M: the free columns displaced, as in the step `before` or at random, the independent rows closed by Newton.
    fn stride(
        &mut self,
        ws: &mut Workspace,
        q: &[f64],
        before: Option<&[f64]>,
        stride: f64,
        mut elimination: Elimination,
    ) -> Stride {
        const MOST: usize = 15;
        let nv = self.part.columns;
        let mut x = vec![0.0; nv];
        for c in elimination.free_columns() {
            x[*c] = before.map_or_else(|| self.random.signed(), |x| x[*c]);
        }
        elimination.complete(&mut x);
        let factor = stride / max_abs(&x).max(f64::MIN_POSITIVE);
        x.iter_mut().for_each(|x| *x *= factor);
        let mut next = q.to_vec();
        self.step(ws, &mut next, &x);
        let mut sum = x.clone();
        let mut y = vec![0.0; nv.max(self.rows)];
        let mut dependent = vec![false; self.rows];
        for i in elimination.dependent_rows() {
            dependent[*i] = true;
        }
        let mut residual = f64::INFINITY;
        for _ in 0..MOST {
            let all = self.place(ws, &next);
            let phi = &ws.evaluation.phi[..self.rows];
            let own = phi.iter().zip(&dependent).filter(|p| !p.1).fold(0.0f64, |m, p| m.max(p.0.abs()));
            if !all.is_finite() {
                return Stride::Lost;
            }
            if own <= 1e-15 || (own <= ACCEPTED && own > 0.1 * residual) {
                return if all <= VANISHES { Stride::Reached((next, sum)) } else { Stride::Violated };
            }
            residual = own;
            let side: Vec<f64> = phi.iter().map(|x| -x).collect();
            ws.realize_jacobian(self.system, self.t);
            let _ = elimination.refactor(&self.part, &ws.evaluation.phi_v);
            elimination.solve(&side, &mut x, &mut y);
            if max_abs(&x) > 4.0 * stride {
                return Stride::Lost;
            }
            self.step(ws, &mut next, &x);
            sum.iter_mut().zip(&x).for_each(|(sum, x)| *sum += x);
        }
        Stride::Lost
    }

    /// Fills in what is found around the singular position `found.q`, which has `found.here` freedoms by rank.
    fn singular(&mut self, ws: &mut Workspace, found: &mut Exploration) {
        let (q, here) = (found.q.clone(), found.here);
        let Some((j, reached)) = self.dimension(ws, &q, here) else { return };
        found.mobility = Some(j);
        let mut motions = Vec::new();
        let mut rough = here;
        for start in reached {
            // What trembles all along is known to the root of rounding: ranks that differ by a tolerance are not
            // those of a generic position.
            let walked = self.walk(ws, &start, None).map(|q| {
                let [fine, coarse] = [RANK_TOLERANCE, ROUGH].map(|tol| self.freedoms(ws, &q, tol));
                (fine == coarse, fine, q)
            });
            match walked {
                Some((true, freedoms, q)) => motions.push((freedoms, q)),
                _ => rough = rough.min(self.freedoms(ws, &start, ROUGH)),
            }
        }
        // Least freedoms by rank: the most generic.
        found.generic = motions.iter().map(|m| m.0).min().unwrap_or(rough);
        motions.retain(|m| m.0 == found.generic);
        found.motions = motions.into_iter().map(|m| m.1).collect();
        match found.motions.first() {
            Some(first) => found.q.clone_from(first),
            None => found.shaky = true,
        }
    }

    /// The largest number of conditions up to `most` that positions near `q` can meet, with such positions. What meets many
    /// conditions meets fewer as well.
    fn dimension(&mut self, ws: &mut Workspace, q: &[f64], most: usize) -> Option<(usize, Vec<Vec<f64>>)> {
        let mut found = None;
        let (mut low, mut high) = (0, most);
        // What leads away from many four-bars in line has as many freedoms by rank further on as its dimension, and one slice fewer
        // fails than one by one from above.
        let mut guesses = Vec::new();
        if most > FEW {
            let start = self.slices(ws, q, 1, 1).pop()?;
            if let Some(further) = self.walk(ws, &start, None) {
                let freedoms = self.freedoms(ws, &further, RANK_TOLERANCE);
                guesses = vec![freedoms + 1, freedoms];
            }
        }
        while high > low {
            let guess = guesses.pop();
            let by_halves = if high - low <= FEW { high } else { low + (high - low).div_ceil(2) };
            let j = match guess {
                Some(j) if j <= low || j > high => continue,
                Some(j) => j,
                None => by_halves,
            };
            let reached = self.slices(ws, q, j, usize::MAX);
            if reached.is_empty() {
                high = j - 1;
            } else {
                (low, found) = (j, Some((j, reached)));
            }
        }
        found
    }

    /// Positions near `q`, each on `j` random slices: none, or those of every try at one reach until there are `enough`.
    fn slices(&mut self, ws: &mut Workspace, q: &[f64], j: usize, enough: usize) -> Vec<Vec<f64>> {
        let mut reached = Vec::new();
        let mut null = self.factor(ws, q, RANK_TOLERANCE).null_space();
        orthonormalise(&mut null);
        for reach in REACHES {
            for _ in 0..if self.part.columns > LARGE { TRIES_LARGE } else { TRIES } {
                let mut mix = || -> Vec<f64> {
                    let mut u = vec![0.0; self.part.columns];
                    for vector in &null {
                        let factor = self.random.signed();
                        u.iter_mut().zip(vector).for_each(|(u, v)| *u += factor * v);
                    }
                    u
                };
                let mut slices: Vec<Vec<f64>> = (0..j).map(|_| mix()).collect();
                orthonormalise(&mut slices);
                // Unit vectors of many columns have small entries: the largest shall move by the reach.
                let targets: Vec<f64> = slices
                    .iter()
                    .map(|u| {
                        let sign = self.random.signed();
                        let most = max_abs(u).max(1e-3);
                        reach / most * (0.5 + 0.5 * sign.abs()) * sign.signum()
                    })
                    .collect();
                let Some(step) = self.close(ws, q, &slices, &targets, reach) else { continue };
                // In large systems one that leads on stands for all.
                let known = self.part.columns > LARGE && !reached.is_empty();
                if known || self.continues(ws, &step, &slices) {
                    reached.push(step.0);
                }
                if reached.len() >= enough {
                    break;
                }
            }
            if !reached.is_empty() {
                break;
            }
        }
        reached
    }

    /// True where a position found on slices leads on over the arc: in the direction of the step before, and not along the slices
    /// across it, so that no other freedom takes its place.
    fn continues(&self, ws: &mut Workspace, first: &Step, slices: &[Vec<f64>]) -> bool {
        /// Steps shorter than this creep along what is closed but for the tolerance.
        const SHORT: f64 = 2e-3;
        let (mut now, mut before) = first.clone();
        let mut reach = max_abs(&before);
        let mut arc = reach;
        for _ in 0..MOST_STEPS {
            if arc >= ARC {
                return true;
            }
            let length = norm(&before);
            let along: Vec<f64> = before.iter().map(|x| x / length).collect();
            let target = reach / max_abs(&along);
            // Of the slices' span what lies across the direction: one fewer than there are.
            let parts: Vec<f64> = slices.iter().map(|u| dot(u, &along)).collect();
            let nearest = (0..slices.len()).max_by(|a, b| parts[*a].abs().total_cmp(&parts[*b].abs()));
            let mut held = vec![along];
            held.extend(slices.iter().enumerate().filter(|(k, _)| Some(*k) != nearest).map(|(_, u)| u.clone()));
            orthonormalise(&mut held);
            let mut targets = vec![0.0; held.len()];
            targets[0] = target;
            match self.close(ws, &now, &held, &targets, reach) {
                Some((q, moved)) => {
                    arc += reach;
                    (now, before) = (q, moved);
                    reach = (2.0 * reach).min(REACHES[0]);
                }
                None if reach > SHORT => reach *= 0.5,
                None => return false,
            }
        }
        false
    }

    /// A position on the slices u·δ = target near `q`, by Gauss-Newton steps on all rows without drivers.
    ///
    /// Rows that are violated by the square of a displacement bend the way to the solution, so that a residual which had to
    /// fall with each step would hold the iteration up. Steps are taken in full, or up to the reach.
    fn close(&self, ws: &mut Workspace, q: &[f64], slices: &[Vec<f64>], targets: &[f64], reach: f64) -> Option<Step> {
        let most = if self.part.columns > LARGE { 20 } else { 40 };
        /// Stands clear of rounding in the normal equations, and of squares of the weakest rows that count.
        const DAMPING: f64 = 1e-12;
        let (rows, nv) = (self.rows, self.part.columns);
        let mut sum = vec![0.0; nv];
        for (u, s) in slices.iter().zip(targets) {
            sum.iter_mut().zip(u).for_each(|(x, u)| *x += s * u);
        }
        let mut now = q.to_vec();
        self.step(ws, &mut now, &sum);
        let mut before = f64::INFINITY;
        // The least residual so far, and how many steps ago it was last halved.
        let (mut least, mut idle) = (f64::INFINITY, 0);
        let all: Vec<usize> = (0..nv).collect();
        let mut pattern = self.part.clone();
        slices.iter().for_each(|_| pattern.push_row(&all));
        let mut least_squares = LeastSquares::new(&pattern, pattern.rows());
        for _ in 0..most {
            let residual = self.place(ws, &now);
            let gaps: Vec<f64> = slices.iter().zip(targets).map(|(u, s)| dot(u, &sum) - s).collect();
            let local = max_abs(&sum) <= 10.0 * reach;
            if !local || !residual.is_finite() {
                return None;
            }
            let done = residual <= 0.1 * ACCEPTED || (residual <= CLOSED && residual > 0.1 * before);
            if done && max_abs(&gaps) <= 1e-9 {
                return Some((now, sum));
            }
            before = residual;
            idle += 1;
            if residual <= 0.5 * least {
                (least, idle) = (residual, 0);
            }
            if idle == STANDSTILL {
                return None;
            }
            ws.realize_jacobian(self.system, self.t);
            let mut values = ws.evaluation.phi_v[..self.part.index.len()].to_vec();
            slices.iter().for_each(|u| values.extend(u));
            let side: Vec<f64> = ws.evaluation.phi[..rows].iter().chain(&gaps).map(|x| -x).collect();
            let mut x = least_squares.solve(&pattern, &values, &side, DAMPING)?;
            let factor = (reach / max_abs(&x)).min(1.0);
            x.iter_mut().for_each(|x| *x *= factor);
            self.step(ws, &mut now, &x);
            sum.iter_mut().zip(&x).for_each(|(sum, x)| *sum += x);
        }
        None
    }
}
