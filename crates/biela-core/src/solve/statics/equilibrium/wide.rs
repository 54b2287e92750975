//! Equilibrium of many freedoms in absolute coordinates: the search of [`super`] with neither a basis of motions nor a full stiffness, so that
//! its work grows with the mechanism.
//!
//! Motions are velocities d of all bodies with Φ_v d = 0. What of the loads works on them is the f of [1 Φ_vᵀ; Φ_v 0] (f, λ) = (b, 0), the same
//! as Z Zᵀ b; steps are the d of [K + μ, Φ_vᵀ; Φ_v 0] (d, ·) = (f, 0), where K = −∂(b − Φ_vᵀ λ)/∂q ties together only bodies that a row or a load
//! ties. It is found by differences in which bodies that have no neighbour in common are displaced at once. K is positive on all
//! motions where that matrix has as many negative eigenvalues as it has rows of Φ_v.
//!
//! A step is as long as its largest displacement, whatever the number of bodies, so that the number of steps does not grow with it.

use super::{Equilibrium, Rest, Stand, ACCEPTED, BALANCED, DIFFERENCE, LARGEST, MANY, MOST, NUDGE, SLACK};
use crate::error::{Error, Reason, Result};
use crate::loads::Law;
use crate::math::symmetric::{Symmetric, SymmetricRows};
use crate::model::Model;
use crate::solve::vectors::{dot, max_abs, norm};
use crate::system::{System, Workspace};

/// What of the loads works on motions, and what holds the rest: a multiplier for each row.
struct Along {
    f: Vec<f64>,
    lambda: Vec<f64>,
}

/// The stiffness with the rows of Φ_v that are independent.
struct Tangent {
    matrix: SymmetricRows,
    velocities: usize,
    rows: usize,
    /// Largest stiffness.
    largest: f64,
}

impl Tangent {
    /// Factors with `shift` added to the stiffness, where that is positive on all motions.
    fn positive(&self, shift: f64) -> Option<Symmetric> {
        let mut matrix = self.matrix.clone();
        (0..self.velocities).for_each(|i| matrix.add(i, i, shift));
        Symmetric::factor(&matrix).filter(|factors| factors.negative() == self.rows)
    }

    /// The motion that a force along motions leads to.
    fn solve(&self, factors: &Symmetric, f: &[f64]) -> Vec<f64> {
        let mut x = f.to_vec();
        x.resize(self.velocities + self.rows, 0.0);
        factors.solve(&mut x);
        x.truncate(self.velocities);
        x
    }

    /// The least stiffness and its direction; no more than that it lies above `slack`, where it does.
    fn softest(&self, slack: f64) -> Option<(f64, Vec<f64>)> {
        const ROUNDS: usize = 60;
        if self.positive(-slack).is_some() {
            return Some((f64::INFINITY, Vec::new()));
        }
        let mut shift = slack.max(f64::MIN_POSITIVE);
        let factors = loop {
            match self.positive(shift) {
                Some(factors) => break factors,
                None if shift.is_finite() => shift *= 4.0,
                None => return None,
            }
        };
        let mut x: Vec<f64> = (0..self.velocities).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect();
        for _ in 0..ROUNDS {
            x = self.solve(&factors, &x);
            let length = norm(&x);
            x.iter_mut().for_each(|x| *x /= length);
        }
        let mut padded = x.clone();
        padded.resize(self.velocities + self.rows, 0.0);
        let least = dot(&x, &self.matrix.times(&padded)[..self.velocities]);
        Some((least, x))
    }
}

/// Bodies that rows and loads tie together, and sets of bodies of which no two have a neighbour in common.
struct Neighbours {
    /// Of each moving body, itself among them.
    of: Vec<Vec<usize>>,
    apart: Vec<Vec<usize>>,
    /// Velocities of a body.
    width: usize,
}

impl Neighbours {
    fn new(system: &System, ws: &Workspace) -> Neighbours {
        let (model, width) = (system.model, system.model.space.freedoms());
        let mut of: Vec<Vec<usize>> = (0..model.bodies.len() - 1).map(|k| vec![k]).collect();
        let mut tie = |bodies: &[usize]| {
            for a in bodies {
                of[*a].extend(bodies.iter().filter(|b| *b != a));
            }
        };
        for i in 0..ws.pattern.rows() {
            let mut bodies: Vec<usize> = ws.pattern.range(i).map(|k| ws.pattern.index[k] / width).collect();
            bodies.dedup();
            tie(&bodies);
        }
        for load in &model.loads {
            tie_moving(touched(system, &load.law), &mut tie);
        }
        for r in 0..model.rotors.len() {
            tie_moving(of_rotor(model, r), &mut tie);
        }
        for list in &mut of {
            list.sort_unstable();
            list.dedup();
        }
        // Greedily: the first set none of whose bodies is near.
        let mut apart: Vec<Vec<usize>> = Vec::new();
        let mut set_of = vec![usize::MAX; of.len()];
        let mut taken: Vec<usize> = Vec::new();
        for k in 0..of.len() {
            for near in of[k].iter().flat_map(|a| &of[*a]) {
                if let Some(last) = taken.get_mut(set_of[*near]) {
                    *last = k;
                }
            }
            let set = taken.iter().position(|last| *last != k).unwrap_or(taken.len());
            if set == taken.len() {
                taken.push(usize::MAX);
                apart.push(Vec::new());
            }
            set_of[k] = set;
            apart[set].push(k);
        }
        Neighbours { of, apart, width }
    }
}

/// The bodies that a rotor's angle and torque depend on or act on, ground counted.
fn of_rotor(model: &Model, r: usize) -> Vec<usize> {
    let rotor = &model.rotors[r];
    rotor.coordinates.iter().flat_map(|of| model.joints[of.joint].bodies).chain([rotor.body]).collect()
}

/// Ties those of the bodies that move, each once.
fn tie_moving(mut bodies: Vec<usize>, tie: &mut impl FnMut(&[usize])) {
    bodies.retain(|k| *k > 0);
    bodies.iter_mut().for_each(|k| *k -= 1);
    bodies.sort_unstable();
    bodies.dedup();
    tie(&bodies);
}

/// The bodies that a load acts on or reads, ground counted.
fn touched(system: &System, law: &Law) -> Vec<usize> {
    let joints = &system.model.joints;
    let mut bodies = match law {
        Law::Force { body, .. } | Law::Torque { body, .. } => vec![*body],
        Law::Between { ends, .. } => ends.map(|end| end.0).to_vec(),
        Law::Coordinate { of, .. } => joints[of.joint].bodies.to_vec(),
        Law::Rotor { rotor, .. } => of_rotor(system.model, *rotor),
        Law::Contact(k) => system.model.contacts[*k].bodies.as_flattened().to_vec(),
    };
    // Slot 0 is the time; then each coordinate and its rate.
    for slot in law.expressions().iter().flat_map(|e| e.variables()).filter(|slot| **slot > 0) {
        let coordinate = system.constraints.coordinates().get((slot - 1) / 2);
        bodies.extend(coordinate.into_iter().flat_map(|(joint, _, _)| joints[*joint].bodies));
    }
    bodies
}

impl Equilibrium<'_> {
    /// The equilibrium that a search in absolute coordinates finds from where it was, taken over.
    pub(super) fn find_as(&mut self, other: &mut Equilibrium) -> Result<Rest> {
        other.t = self.t;
        let before = other.iterations;
        let rest = other.find_wide()?;
        self.iterations += other.iterations - before;
        let mut q = Stand::of(other.system, &other.ws).take(self.system, &mut self.ws, self.t);
        if !self.project(&mut q) {
            return Err(self.failure(Reason::LoopsOpen, "the loops no longer close"));
        }
        self.q = q;
        self.place();
        Ok(rest)
    }

    /// Moves to the equilibrium near the present position, which is left realised, at rest, with Φ_v factored.
    pub(super) fn find_wide(&mut self) -> Result<Rest> {
        let mut q = self.q.clone();
        if !self.project(&mut q) {
            return Err(self.failure(Reason::LoopsOpen, "the loops no longer close"));
        }
        self.q = q;
        let neighbours = Neighbours::new(self.system, &self.ws);
        let (mut nudged, mut before) = (false, f64::INFINITY);
        self.place();
        let mut along = self.along();
        for _ in 0..MOST {
            self.iterations += 1;
            let Some(Along { f, lambda }) = along else { return Err(self.not_finite()) };
            let size = norm(&f);
            if !size.is_finite() {
                return Err(self.not_finite());
            }
            let tangent = self.tangent(&neighbours, &lambda);
            // Forces of a unit displacement count beside those that act, which may all cancel where the search starts.
            let scale = self.scale + tangent.largest;
            let slack = self.wide_slack() * scale;
            let Some((least, softest)) = tangent.softest(slack) else { return Err(self.not_finite()) };
            let rest = if least > slack { Rest::Stable } else { Rest::Indifferent };
            // Soft ways of a long chain are many times softer than its stiffest: steps go on while they gain.
            let gained = size > 0.0 && least >= -slack && size < 0.1 * before;
            before = size;
            if size <= BALANCED * scale && !gained {
                self.place();
                if least >= -slack {
                    return Ok(rest);
                }
                let most = max_abs(&softest);
                let mut q = self.displaced(softest.iter().map(|x| x * NUDGE / most).collect());
                if !self.project(&mut q) {
                    return Err(self.failure(Reason::Immobile, "it cannot move"));
                }
                self.q = q;
                nudged = true;
                self.place();
                along = self.along();
                continue;
            }
            along = self.wide_step(&tangent, &f, least, scale);
            self.place();
            if along.is_none() {
                if size <= ACCEPTED * scale && least >= -slack {
                    return Ok(rest);
                }
                return Err(match nudged {
                    true => self.failure(Reason::Unstable, "it leaves an unstable position and finds no other"),
                    false => self.failure(Reason::NoDescent, "no step goes with the forces"),
                });
            }
        }
        Err(self.failure(Reason::Unsettled, &format!("{MOST} steps with the forces have not come to an end")))
    }

    /// Stiffness below this fraction of the forces is none. A chain bends as a whole with the square of its length less stiffly than its
    /// joints.
    fn wide_slack(&self) -> f64 {
        /// What differences of forces are good to.
        const LEAST: f64 = 1e-10;
        (SLACK * (MANY as f64 / self.freedoms as f64).powi(2)).max(LEAST)
    }

    fn not_finite(&mut self) -> Error {
        self.failure(Reason::NotFinite, "the loads are not finite")
    }

    /// One step with the forces, and the forces at its end; `None` where none is any good.
    fn wide_step(&mut self, tangent: &Tangent, f: &[f64], least: f64, scale: f64) -> Option<Along> {
        let slack = self.wide_slack() * scale;
        let mut shift = if least > slack { 0.0 } else { slack.max(f64::MIN_POSITIVE) - 2.0 * least.min(0.0) };
        for _ in 0..60 {
            if let Some(factors) = tangent.positive(shift) {
                let mut d = tangent.solve(&factors, f);
                let length = max_abs(&d);
                if length > LARGEST {
                    d.iter_mut().for_each(|x| *x *= LARGEST / length);
                }
                let here = dot(f, &d);
                let mut q = self.displaced(d.clone());
                if self.project(&mut q) {
                    self.rest();
                    self.ws.factor(true);
                    if let Some(along) = self.along() {
                        let there = dot(&along.f, &d);
                        // The forces work along the step, and at its end do not push back harder than they pushed.
                        if here + there > 0.0 && there > -0.9 * here {
                            self.q = q;
                            return Some(along);
                        }
                        // Steps so short that forces are rounding end here.
                        if here <= 4.0 * f64::EPSILON * scale * norm(&d) {
                            return None;
                        }
                    }
                }
            }
            shift = 4.0 * shift.max(0.25 * norm(f)).max(tangent.largest * 0.1).max(f64::MIN_POSITIVE);
        }
        None
    }

    /// Rows of Φ_v that are independent, in order.
    fn independent(&self) -> Vec<usize> {
        let mut dependent = vec![false; self.ws.pattern.rows()];
        let known = self.ws.elimination.as_ref().map_or(&[][..], |e| e.dependent_rows());
        known.iter().for_each(|i| dependent[*i] = true);
        (0..dependent.len()).filter(|i| !dependent[*i]).collect()
    }

    /// Puts independent rows of Φ_v with these entries, times a factor, behind the velocities.
    fn put_rows(&self, rows: &[usize], phi_v: &[f64], factor: f64, matrix: &mut SymmetricRows) {
        let pattern = &self.ws.pattern;
        for (k, i) in rows.iter().enumerate() {
            for e in pattern.range(*i).filter(|e| phi_v[*e] != 0.0) {
                matrix.add(self.zeros.len() + k, pattern.index[e], factor * phi_v[e]);
            }
        }
    }

    /// What of the loads works on the motions of the position realised, whose Φ_v is factored.
    fn along(&mut self) -> Option<Along> {
        self.weigh();
        let (n, rows) = (self.zeros.len(), self.independent());
        let mut matrix = SymmetricRows::zeros(n + rows.len());
        (0..n).for_each(|i| matrix.add(i, i, 1.0));
        self.put_rows(&rows, &self.ws.evaluation.phi_v, 1.0, &mut matrix);
        let mut x = self.b.clone();
        x.resize(n + rows.len(), 0.0);
        Symmetric::factor(&matrix)?.solve(&mut x);
        let mut lambda = vec![0.0; self.ws.pattern.rows()];
        rows.iter().zip(&x[n..]).for_each(|(i, x)| lambda[*i] = *x);
        x.truncate(n);
        Some(Along { f: x, lambda })
    }

    /// The stiffness at the present position, with λ held, and the rows. The position realised is another afterwards.
    fn tangent(&mut self, neighbours: &Neighbours, lambda: &[f64]) -> Tangent {
        let (n, rows) = (self.zeros.len(), self.independent());
        let Neighbours { of, apart, width } = neighbours;
        let mut matrix = SymmetricRows::zeros(n + rows.len());
        let mut difference = vec![0.0; n];
        let phi_v = self.ws.evaluation.phi_v.clone();
        for set in apart {
            for along in 0..*width {
                difference.fill(0.0);
                for sign in [-1.0, 1.0] {
                    let mut dv = vec![0.0; n];
                    set.iter().for_each(|body| dv[width * body + along] = sign * DIFFERENCE);
                    self.take_away(sign, dv, lambda, &mut difference);
                }
                for body in set {
                    let column = width * body + along;
                    for row in of[*body].iter().flat_map(|near| width * near..width * (near + 1)) {
                        let entry = difference[row] / (2.0 * DIFFERENCE);
                        if entry != 0.0 {
                            matrix.add(row, column, if row == column { entry } else { 0.5 * entry });
                        }
                    }
                }
            }
        }
        let largest = matrix.largest();
        // As large as the stiffness, rows and velocities that they hold make pivots of two.
        self.put_rows(&rows, &phi_v, if largest > 0.0 { largest } else { 1.0 }, &mut matrix);
        Tangent { matrix, velocities: n, rows: rows.len(), largest }
    }
}
