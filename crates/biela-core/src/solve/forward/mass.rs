//! The mass matrix in the coordinates of any formulation: M = Σ J_bᵀ 𝓜_b J_b over the bodies.
//!
//! Where every body's frame is a linear function of the coordinates (natural ones), the velocity of each of its mass points is
//! too, with coefficients that never change: M is then constant, there are no terms quadratic in the velocities, and the
//! weight of each body is a constant generalised force.

use crate::joints::Marker;
use crate::math::sparse::Pattern;
use crate::math::Vec3;
use crate::model::MassProperties;
use crate::system::composite::Composite;
use crate::system::generalised::GeneralisedForces;
use crate::system::wrench::Wrench;
use crate::system::{rotor, BodyState, System, Workspace};

/// The mass matrix with its pattern and scratch; empty where nothing needs it.
#[derive(Debug, Default)]
pub struct MassMatrix {
    /// Pattern of M, rows and columns the velocities.
    pub pattern: Pattern,
    /// Entries, scaled: velocities that are lengths counted in sizes.
    pub entries: Vec<f64>,
    /// True where M never changes and inertia has no terms quadratic in the velocities.
    pub constant: bool,
    /// True where that holds for the bodies, rotors apart.
    pub linear: bool,
    /// Generalised weight, scaled like M, where M is constant.
    pub weight: Vec<f64>,
    /// True for each velocity that is a length.
    pub lengths: Vec<bool>,
    /// What never changes of the entries.
    base: Vec<f64>,
    /// Masses along a tree, where the coordinates weigh them so; then no body has a Jacobian of its own.
    tree: Option<Tree>,
    bodies: Vec<Contribution>,
    rotors: Vec<Contribution>,
}

/// Masses along a tree.
#[derive(Debug)]
struct Tree {
    masses: Vec<Option<MassProperties>>,
    /// Places of each entry and its mirror image, and the factor that scales both; none where all that moves there is without mass.
    places: Vec<Option<([usize; 2], f64)>>,
    values: Vec<f64>,
    composites: Vec<Composite>,
    forces: GeneralisedForces,
}

impl Tree {
    fn new(system: &System, ws: &Workspace, pattern: &Pattern) -> Option<Tree> {
        let pairs = system.formulation.mass_pairs();
        if pairs.is_empty() {
            return None;
        }
        let at = |i: usize, j: usize| {
            let range = pattern.range(i);
            Some(range.start + pattern.index[range].binary_search(&j).ok()?)
        };
        let scale = |k: usize| system.formulation.scale(k, ws.size);
        let place = |(i, j): &(usize, usize)| Some(([at(*i, *j)?, at(*j, *i)?], scale(*i) * scale(*j)));
        Some(Tree {
            masses: system.model.bodies.iter().map(|body| body.mass).collect(),
            places: pairs.iter().map(place).collect(),
            values: vec![0.0; pairs.len()],
            composites: vec![Composite::default(); ws.cache.bodies.len()],
            forces: GeneralisedForces::new(system),
        })
    }

    fn evaluate(&mut self, system: &System, ws: &Workspace, entries: &mut [f64]) {
        system.formulation.weigh(&self.masses, &ws.cache, &mut self.composites, &mut self.values);
        for (value, place) in self.values.iter().zip(&self.places) {
            if let Some((places, scale)) = place {
                places.iter().for_each(|k| entries[*k] = value * scale);
            }
        }
    }
}

/// A body, or a rotor on it: its columns, and where their products lie.
#[derive(Debug)]
struct Contribution {
    body: usize,
    mass: Option<MassProperties>,
    /// The rotor, and for each coordinate that turns it the places among the columns of each marker of its measure.
    rotor: Option<usize>,
    turns: Vec<Vec<Vec<usize>>>,
    /// Rate of the rotor's angle for each column (scratch).
    rate: Vec<f64>,
    /// All columns the body moves with; linear and angular ones as places among them.
    columns: Vec<usize>,
    linear: Vec<usize>,
    angular: Vec<usize>,
    /// Place of the product of columns i and j among the entries, row by row.
    places: Vec<usize>,
    /// Factor that scales each column.
    scale: Vec<f64>,
    /// The six rows of the body's Jacobian (scratch).
    jacobian: [Vec<f64>; 6],
    /// The same times the body's own mass matrix (scratch).
    weighted: [Vec<f64>; 6],
}

impl MassMatrix {
    /// The pattern for a system, and the entries where they are constant. The position is realised.
    pub fn new(system: &System, ws: &Workspace) -> MassMatrix {
        let model = system.model;
        let nv = system.formulation.nv();
        let bodies = model.bodies.iter().enumerate().skip(1);
        let mut bodies: Vec<_> = bodies.map(|(b, of)| Contribution::new(system, ws, b, of.mass, None)).collect();
        let rotors = model.rotors.iter().enumerate();
        let mut rotors: Vec<_> =
            rotors.map(|(r, of)| Contribution::new(system, ws, of.body, Some(of.mass), Some(r))).collect();
        let mut neighbours: Vec<Vec<usize>> = (0..nv).map(|k| vec![k]).collect();
        for part in bodies.iter().chain(&rotors).filter(|p| p.mass.is_some()) {
            for c in &part.columns {
                neighbours[*c].extend_from_slice(&part.columns);
            }
        }
        let mut pattern = Pattern::new(nv);
        for mut row in neighbours {
            row.sort_unstable();
            row.dedup();
            pattern.push_row(&row);
        }
        for part in bodies.iter_mut().chain(&mut rotors).filter(|p| p.mass.is_some()) {
            for i in &part.columns {
                let range = pattern.range(*i);
                let row = &pattern.index[range.clone()];
                part.places.extend(part.columns.iter().map(|j| range.start + row.binary_search(j).unwrap_or(0)));
            }
        }
        let entries = vec![0.0; pattern.index.len()];
        let (base, weight) = (Vec::new(), vec![0.0; nv]);
        let lengths = (0..nv).map(|k| system.formulation.length_column(k)).collect();
        let (constant, linear) = (false, false);
        let mut made =
            MassMatrix { pattern, entries, constant, linear, weight, lengths, base, tree: None, bodies, rotors };
        made.linear = made.fill_constant(system);
        made.constant = made.linear && made.rotors.is_empty();
        if made.constant {
            made.leave_zeros_out();
        }
        if !made.linear {
            made.tree = Tree::new(system, ws, &made.pattern);
        }
        made.base.clone_from(&made.entries);
        made
    }

    /// Leaves out entries that are zero for good, but for rounding: those of bars between a length along x and one along y.
    fn leave_zeros_out(&mut self) {
        /// Products of four numbers, added up over a few bodies.
        const ROUNDING: f64 = 1e-15;
        let nv = self.pattern.rows();
        let row = |i: usize| self.pattern.range(i).map(|k| (self.pattern.index[k], self.entries[k]));
        let diagonal: Vec<f64> = (0..nv).map(|i| row(i).find(|e| e.0 == i).map_or(0.0, |e| e.1)).collect();
        let (mut pattern, mut entries) = (Pattern::new(nv), Vec::with_capacity(self.entries.len()));
        for i in 0..nv {
            let matters = |(j, x): &(usize, f64)| *j == i || x * x > ROUNDING * ROUNDING * diagonal[i] * diagonal[*j];
            let (columns, kept): (Vec<usize>, Vec<f64>) = row(i).filter(matters).unzip();
            pattern.push_row(&columns);
            entries.extend(kept);
        }
        (self.pattern, self.entries) = (pattern, entries);
    }

    /// Fills entries and weight where frames are linear in the coordinates; false where one is not.
    fn fill_constant(&mut self, system: &System) -> bool {
        let gravity = system.model.gravity.unwrap_or(Vec3::ZERO);
        let mut entries = vec![0.0; self.entries.len()];
        let mut weight = vec![0.0; self.weight.len()];
        for body in &self.bodies {
            let Some(affine) = system.formulation.affine(body.body) else { return false };
            let Some(mass) = &body.mass else { continue };
            let moments = second_moments(mass);
            let place = |c: usize| body.columns.binary_search(&c).unwrap_or(0);
            let count = body.columns.len();
            for (c, moves) in &affine {
                let i = place(*c);
                let weighted: [Vec3; 4] = std::array::from_fn(|k| {
                    (0..4).fold(Vec3::ZERO, |sum, l| sum + moves[l] * (moments[k][l] * body.scale[i]))
                });
                // weighted[0] is m times the movement of the mass centre.
                weight[*c] += weighted[0].dot(gravity);
                for (d, others) in &affine {
                    let j = place(*d);
                    let product: f64 = (0..4).map(|k| weighted[k].dot(others[k])).sum();
                    entries[body.places[i * count + j]] += product * body.scale[j];
                }
            }
        }
        (self.entries, self.weight) = (entries, weight);
        true
    }

    /// Entries at the position realised in the workspace, and the bodies' Jacobians.
    pub fn evaluate(&mut self, system: &System, ws: &Workspace) {
        if !self.constant {
            self.entries.copy_from_slice(&self.base);
        }
        if let Some(tree) = &mut self.tree {
            tree.evaluate(system, ws, &mut self.entries);
        }
        for body in self.bodies.iter_mut().filter(|_| self.tree.is_none()) {
            body.fill_jacobian(system, ws);
            if !self.linear && body.mass.is_some() {
                body.weigh(&ws.cache.bodies[body.body]);
                body.add_to(&mut self.entries);
            }
        }
        for part in &mut self.rotors {
            let Some(r) = part.rotor else { continue };
            part.fill_jacobian(system, ws);
            part.turn(system, ws, r);
            part.weigh(&rotor::state(system, ws, r));
            part.add_to(&mut self.entries);
        }
    }

    /// The generalised force of a wrench on one body, at the position realised: velocity and number, as the velocities count (not scaled).
    pub fn of_body(
        &self,
        system: &System,
        ws: &Workspace,
        (body, wrench): (usize, &Wrench),
        out: &mut Vec<(usize, f64)>,
    ) {
        let Some(of) = body.checked_sub(1).and_then(|k| self.bodies.get(k)) else { return };
        let mut entries = vec![0.0; of.columns.len()];
        let origin = Marker::Point { body, p_B: Vec3::ZERO };
        system.formulation.scatter(&origin, wrench.force, &ws.cache, &of.linear, &mut entries);
        system.formulation.scatter_spin(body, wrench.moment, &ws.cache, &of.angular, &mut entries);
        out.extend(of.columns.iter().copied().zip(entries));
    }

    /// Generalised forces of wrenches on the bodies (ground first), with the Jacobians last evaluated.
    pub fn generalised(&mut self, system: &System, ws: &Workspace, wrenches: &[Wrench], out: &mut [f64]) {
        if let Some(tree) = &mut self.tree {
            return tree.forces.generalised(system, ws, wrenches, out);
        }
        out.fill(0.0);
        for body in &self.bodies {
            let Wrench { force: f, moment: m } = wrenches[body.body];
            let [x, y, z, a, b, c] = &body.jacobian;
            for (p, column) in body.columns.iter().enumerate() {
                out[*column] += f.x * x[p] + f.y * y[p] + f.z * z[p] + m.x * a[p] + m.y * b[p] + m.z * c[p];
            }
        }
    }
}

/// Measures of the coordinates that turn rotor `r`.
fn measures<'s>(system: &'s System, r: usize) -> impl Iterator<Item = usize> + 's {
    let all = system.constraints.coordinates();
    system.model.rotors[r].coordinates.iter().filter_map(|of| Some(all[rotor::coordinate_number(system, *of)?].2))
}

/// ∫ p pᵀ dm with p = (1, place in the body's frame).
fn second_moments(mass: &MassProperties) -> [[f64; 4]; 4] {
    let (m, c) = (mass.mass, mass.com.to_array());
    let central = mass.inertia.second_moments();
    let mut moments = [[0.0; 4]; 4];
    moments[0][0] = m;
    for k in 0..3 {
        moments[0][k + 1] = m * c[k];
        moments[k + 1][0] = m * c[k];
        for l in 0..3 {
            moments[k + 1][l + 1] = central[k][l] + m * c[k] * c[l];
        }
    }
    moments
}

impl Contribution {
    fn new(
        system: &System,
        ws: &Workspace,
        body: usize,
        mass: Option<MassProperties>,
        rotor: Option<usize>,
    ) -> Contribution {
        let formulation = &*system.formulation;
        let linear = formulation.columns(&Marker::Point { body, p_B: Vec3::ZERO });
        let angular = formulation.spin_columns(body);
        let affine = formulation.affine(body).unwrap_or_default();
        let of = |measure: usize| {
            let markers = system.constraints.measure_gradient(measure, &ws.evaluation);
            let markers: Vec<Marker> = markers.into_iter().flatten().map(|m| m.0).collect();
            formulation.measure_columns(&markers)
        };
        let turns: Vec<Vec<Vec<usize>>> = rotor.map_or(Vec::new(), |r| measures(system, r).map(of).collect());
        let mut columns = [linear.as_slice(), &angular].concat();
        columns.extend(affine.iter().map(|a| a.0));
        columns.extend(turns.iter().flatten().flatten());
        columns.sort_unstable();
        columns.dedup();
        let place = |c: &usize| columns.binary_search(c).unwrap_or(0);
        let scale = |c: &usize| formulation.scale(*c, ws.size);
        let places = |list: &Vec<usize>| list.iter().map(place).collect();
        let count = columns.len();
        Contribution {
            body,
            mass,
            rotor,
            turns: turns.iter().map(|m| m.iter().map(places).collect()).collect(),
            rate: vec![0.0; count],
            linear: places(&linear),
            angular: places(&angular),
            places: Vec::new(),
            scale: columns.iter().map(scale).collect(),
            jacobian: std::array::from_fn(|_| vec![0.0; count]),
            weighted: std::array::from_fn(|_| vec![0.0; count]),
            columns,
        }
    }

    /// From the Jacobian of the body to that of rotor `r` on it.
    fn turn(&mut self, system: &System, ws: &Workspace, r: usize) {
        let of = &system.model.rotors[r];
        let rotation = &ws.cache.bodies[of.body].pose.rotation;
        let (s, axis) = (rotation.apply(of.at), rotation.apply(of.axis));
        self.rate.fill(0.0);
        for (k, (measure, slots)) in measures(system, r).zip(&self.turns).enumerate() {
            let factor = rotor::sensitivity(system, ws, r, k);
            let gradient = system.constraints.measure_gradient(measure, &ws.evaluation);
            for ((marker, _, g), slots) in gradient.into_iter().flatten().zip(slots) {
                system.formulation.scatter(&marker, g * factor, &ws.cache, slots, &mut self.rate);
            }
        }
        for p in 0..self.columns.len() {
            let column = |r: usize| self.jacobian[r][p];
            let w = Vec3::new(column(3), column(4), column(5));
            let (more, turn) = (w.cross(s), axis * (self.rate[p] * self.scale[p]));
            for k in 0..3 {
                self.jacobian[k][p] += more[k];
                self.jacobian[k + 3][p] += turn[k];
            }
        }
    }

    /// Adds the products of Jacobian and weighted Jacobian to the entries.
    fn add_to(&self, entries: &mut [f64]) {
        let count = self.columns.len();
        for i in 0..count {
            for j in 0..count {
                let product: f64 = (0..6).map(|r| self.jacobian[r][i] * self.weighted[r][j]).sum();
                entries[self.places[i * count + j]] += product;
            }
        }
    }

    /// Rows: velocity of the origin along x, y, z; angular velocity about x, y, z; for scaled velocities.
    fn fill_jacobian(&mut self, system: &System, ws: &Workspace) {
        let origin = Marker::Point { body: self.body, p_B: Vec3::ZERO };
        for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            self.jacobian[k].fill(0.0);
            self.jacobian[k + 3].fill(0.0);
            system.formulation.scatter(&origin, axis, &ws.cache, &self.linear, &mut self.jacobian[k]);
            system.formulation.scatter_spin(self.body, axis, &ws.cache, &self.angular, &mut self.jacobian[k + 3]);
        }
        for row in &mut self.jacobian {
            row.iter_mut().zip(&self.scale).for_each(|(entry, scale)| *entry *= scale);
        }
    }

    /// The body's own mass matrix, about its origin in ground axes, times the Jacobian.
    fn weigh(&mut self, state: &BodyState) {
        let Some(mass) = &self.mass else { return };
        let rotation = &state.pose.rotation;
        let (m, c) = (mass.mass, rotation.apply(mass.com));
        for p in 0..self.columns.len() {
            let column = |r: usize| self.jacobian[r][p];
            let (v, w) = (Vec3::new(column(0), column(1), column(2)), Vec3::new(column(3), column(4), column(5)));
            let momentum = (v + w.cross(c)) * m;
            let spin = mass.inertia.apply_in(rotation, w);
            let moment = spin + c.cross(momentum);
            for k in 0..3 {
                self.weighted[k][p] = momentum[k];
                self.weighted[k + 3][p] = moment[k];
            }
        }
    }
}
