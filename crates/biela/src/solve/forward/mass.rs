//! The mass matrix in the coordinates of any formulation: M = Σ J_bᵀ 𝓜_b J_b over the bodies.

use crate::joints::Marker;
use crate::math::sparse::Pattern;
use crate::math::Vec3;
use crate::model::MassProperties;
use crate::system::wrench::tensor_times;
use crate::system::{BodyState, System, Workspace};

/// The mass matrix with its pattern and scratch.
#[derive(Debug)]
pub struct MassMatrix {
    /// Pattern of M, rows and columns the velocities.
    pub pattern: Pattern,
    /// Entries, scaled: velocities that are lengths counted in sizes.
    pub entries: Vec<f64>,
    bodies: Vec<Contribution>,
    slots: Vec<usize>,
}

/// A body with mass: its columns, and where their products lie.
#[derive(Debug)]
struct Contribution {
    body: usize,
    mass: MassProperties,
    /// All columns the body moves with; linear and angular ones as places among them.
    columns: Vec<usize>,
    linear: Vec<usize>,
    angular: Vec<usize>,
    /// Place of the product of columns i and j among the entries, row by row.
    places: Vec<usize>,
    /// The six rows of the body's Jacobian (scratch).
    jacobian: [Vec<f64>; 6],
    /// The same times the body's own mass matrix (scratch).
    weighted: [Vec<f64>; 6],
}

impl MassMatrix {
    /// The pattern for a system.
    pub fn new(system: &System) -> MassMatrix {
        let nv = system.formulation.nv();
        let mut neighbours: Vec<Vec<usize>> = (0..nv).map(|k| vec![k]).collect();
        let mut bodies = Vec::new();
        for (body, of) in system.model.bodies.iter().enumerate().skip(1) {
            let Some(mass) = of.mass else { continue };
            let linear = system.formulation.columns(&Marker::Point { body, p_B: Vec3::ZERO });
            let angular = system.formulation.spin_columns(body);
            let mut columns = [linear.as_slice(), &angular].concat();
            columns.sort_unstable();
            columns.dedup();
            for c in &columns {
                neighbours[*c].extend_from_slice(&columns);
            }
            let place = |c: &usize| columns.binary_search(c).unwrap_or(0);
            let count = columns.len();
            bodies.push(Contribution {
                body,
                mass,
                linear: linear.iter().map(place).collect(),
                angular: angular.iter().map(place).collect(),
                places: Vec::new(),
                jacobian: std::array::from_fn(|_| vec![0.0; count]),
                weighted: std::array::from_fn(|_| vec![0.0; count]),
                columns,
            });
        }
        let mut pattern = Pattern::new(nv);
        for mut row in neighbours {
            row.sort_unstable();
            row.dedup();
            pattern.push_row(&row);
        }
        for body in &mut bodies {
            for i in &body.columns {
                let range = pattern.range(*i);
                let row = &pattern.index[range.clone()];
                body.places.extend(body.columns.iter().map(|j| range.start + row.binary_search(j).unwrap_or(0)));
            }
        }
        let entries = vec![0.0; pattern.index.len()];
        MassMatrix { pattern, entries, bodies, slots: (0..nv).collect() }
    }

    /// Entries at the position realised in the workspace.
    pub fn evaluate(&mut self, system: &System, ws: &Workspace) {
        self.entries.fill(0.0);
        for body in &mut self.bodies {
            body.fill_jacobian(system, ws, &self.slots);
            body.weigh(&ws.cache.bodies[body.body]);
            let count = body.columns.len();
            for i in 0..count {
                for j in 0..count {
                    let product: f64 = (0..6).map(|r| body.jacobian[r][i] * body.weighted[r][j]).sum();
                    self.entries[body.places[i * count + j]] += product;
                }
            }
        }
    }
}

impl Contribution {
    /// Rows: velocity of the origin along x, y, z; angular velocity about x, y, z; for scaled velocities.
    fn fill_jacobian(&mut self, system: &System, ws: &Workspace, slots: &[usize]) {
        let origin = Marker::Point { body: self.body, p_B: Vec3::ZERO };
        let _ = slots;
        for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            self.jacobian[k].fill(0.0);
            self.jacobian[k + 3].fill(0.0);
            system.formulation.scatter(&origin, axis, &ws.cache, &self.linear, &mut self.jacobian[k]);
            system.formulation.scatter_spin(self.body, axis, &ws.cache, &self.angular, &mut self.jacobian[k + 3]);
        }
        for (p, c) in self.columns.iter().enumerate() {
            if system.formulation.length_column(*c) {
                for row in &mut self.jacobian {
                    row[p] *= ws.size;
                }
            }
        }
    }

    /// The body's own mass matrix, about its origin in ground axes, times the Jacobian.
    fn weigh(&mut self, state: &BodyState) {
        let rotation = &state.pose.rotation;
        let (m, c) = (self.mass.mass, rotation.apply(self.mass.com));
        for p in 0..self.columns.len() {
            let column = |r: usize| self.jacobian[r][p];
            let (v, w) = (Vec3::new(column(0), column(1), column(2)), Vec3::new(column(3), column(4), column(5)));
            let momentum = (v + w.cross(c)) * m;
            let spin = rotation.apply(tensor_times(&self.mass.inertia, rotation.apply_transposed(w)));
            let moment = spin + c.cross(momentum);
            for k in 0..3 {
                self.weighted[k][p] = momentum[k];
                self.weighted[k + 3][p] = moment[k];
            }
        }
    }
}
