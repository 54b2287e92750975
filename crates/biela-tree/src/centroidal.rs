//! Momentum about the centre of mass, as a linear map of the velocities, with its rate and all its derivatives.
//!
//! In ground axes about the ground's origin, with composite I, B, momentum h and force f (without gravity) of what node j carries:
//! A_j = I S_j; ∂h/∂q_j = S_j ×* h + I ψ̇_j; ∂ḣ/∂q_j = S_j ×* f + 2B ψ̇_j + I ψ̈_j; ∂ḣ/∂v_j = 2B S_j + I (ψ̇_j + Ṡ_j) (Singh, Russo,
//! Wensing 2022, without the projection on axes). As ∂ḣ/∂v_j = Ȧ_j + ∂(A v)/∂q_j, Ȧ_j is the difference of two of them. About the
//! centre of mass c the angular part is that about the origin less c × the linear part; ∂c/∂q_j and ċ are linear momenta over the mass.

#![allow(non_snake_case)]

use super::articulated::{minus, plus};
use super::derivatives::products;
use super::scalar::Scalar;
use super::spatial::V3;
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Workspace};
use super::world::place_and_move;
use super::world_nodes::{add_mass, cross, motion, Mass, Pair};
use super::Tree;
use biela_math::Vec3;

/// Rows of the matrices: linear x, y, z, then angular about the centre of mass.
pub const ROWS: usize = 6;

/// Numbers that do not grow with the tree.
const NUMBERS: usize = 16;

/// Momentum about the centre of mass and what belongs to it, in ground axes; matrices are 6 × nv, row by row.
#[derive(Debug, Clone, Default)]
pub struct Centroidal {
    /// Mass of all moving bodies.
    pub mass: f64,
    /// Centre of mass.
    pub com: Vec3,
    /// Linear and angular momentum.
    pub h: [f64; ROWS],
    /// Their rates.
    pub h_rate: [f64; ROWS],
    /// A: h = A v.
    pub A: Vec<f64>,
    /// Ȧ: ḣ = A v̇ + Ȧ v.
    pub A_rate: Vec<f64>,
    /// ∂h/∂q along velocity coordinates.
    pub h_by_q: Vec<f64>,
    /// ∂ḣ/∂q along velocity coordinates.
    pub h_rate_by_q: Vec<f64>,
    /// ∂ḣ/∂v.
    pub h_rate_by_v: Vec<f64>,
}

/// Momentum about the centre of mass at q, v, v̇ with its derivatives; empty slices are zero.
pub fn centroidal(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], a: &[f64]) -> Centroidal {
    let size = ROWS * tree.nv;
    let (mut matrices, mut numbers) = (vec![0.0; 5 * size], vec![0.0; NUMBERS]);
    {
        let (matrices, numbers) = (&mut matrices[..], &mut numbers[..]);
        dispatch!(tree, workspace, Momentum { q, v, a, matrices, numbers });
    }
    let six = |from: usize| std::array::from_fn(|k| numbers[from + k]);
    let part = |k: usize| matrices[k * size..(k + 1) * size].to_vec();
    Centroidal {
        mass: numbers[0],
        com: Vec3::new(numbers[1], numbers[2], numbers[3]),
        h: six(4),
        h_rate: six(10),
        A: part(0),
        A_rate: part(1),
        h_by_q: part(2),
        h_rate_by_q: part(3),
        h_rate_by_v: part(4),
    }
}

kernel! {
    Momentum<'t> { q: &'t [f64], v: &'t [f64], a: &'t [f64], matrices: &'t mut [f64], numbers: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Momentum<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        let Momentum { tree, work, q, v, a, matrices, numbers } = self;
        place_and_move(tree, work, q, v, a);
        let n = tree.nodes.len();
        let (axes, psis, psi2s, rates) = (work.s.view(), work.psi.view(), work.psi2.view(), work.rate.view());
        let (world, mut totals) = (&mut work.world[..n], work.totals.open());
        // Accelerations are those of a ground that moves upwards with −g: taken off again.
        let up: Pair<S> = (V3::zero(), V3::splat(&(-tree.gravity).to_array()));
        // Their own place takes the angular momentum, which is summed like the rest.
        for i in 0..n {
            world[i].al = Mass::from(totals.view().numbers(i)).times((world[i].w, world[i].v)).0;
        }
        let mut whole = Whole::<S>::zero();
        for i in (0..n).rev() {
            let node = &tree.nodes[i];
            let (body, total) = (world[i], Mass::from(totals.view().numbers(i)));
            let momentum = (body.al, body.F);
            let force = minus((body.n, body.f), total.times(up));
            match world.get_mut(node.parent) {
                Some(parent) => {
                    parent.add_products(&body);
                    parent.add_force(&body);
                    parent.al = parent.al + body.al;
                    add_mass(&mut totals, node.parent, &total);
                }
                None => whole.add(&total, momentum, force),
            }
            let (s, psi) = (motion(axes.numbers(i)), motion(psis.numbers(i)));
            let psi2 = minus(motion(psi2s.numbers(i)), cross(up, s));
            let h_by_q = plus(total.times(psi), turned(s, momentum));
            let by_q = plus(products(&body, psi.0, total.times(psi2)), turned(s, force));
            let by_v = products(&body, s.0, total.times(motion(rates.numbers(i))));
            let columns = [total.times(s), minus(by_v, h_by_q), h_by_q, by_q, by_v];
            for (k, column) in columns.into_iter().enumerate() {
                put(matrices, k, n, node.v, column);
            }
        }
        whole.shift(tree, matrices, numbers);
    }
}

/// Sums over all that hangs on the ground.
struct Whole<S> {
    mass: Mass<S>,
    momentum: Pair<S>,
    force: Pair<S>,
}

impl<S: Scalar> Whole<S> {
    #[inline(always)]
    fn zero() -> Whole<S> {
        let z = (V3::zero(), V3::zero());
        Whole { mass: Mass::from([S::zero(); 10]), momentum: z, force: z }
    }

    #[inline(always)]
    fn add(&mut self, mass: &Mass<S>, momentum: Pair<S>, force: Pair<S>) {
        self.mass.add(mass);
        self.momentum = plus(self.momentum, momentum);
        self.force = plus(self.force, force);
    }

    /// Angular parts about the origin become those about the centre of mass.
    #[inline(always)]
    fn shift(&self, tree: &Tree, matrices: &mut [f64], numbers: &mut [f64]) {
        // Where nothing has mass all is zero about any point.
        let massive = tree.nodes.iter().any(|node| node.m > 0.0);
        let per_mass = if massive { self.mass.m.recip() } else { S::zero() };
        let c = self.mass.g.scale(per_mass);
        let (p, f) = (self.momentum.1, self.force.1);
        let c_rate = p.scale(per_mass);
        let n = tree.nodes.len();
        for node in &tree.nodes {
            let j = node.v;
            let [A, A_rate, h_by_q, by_q, by_v] = [0, 1, 2, 3, 4].map(|k| get::<S>(matrices, k, n, j));
            let c_by_q = A.1.scale(per_mass);
            let about = |x: Pair<S>, moved: V3<S>| (x.0 - c.cross(x.1) - moved, x.1);
            put(matrices, 0, n, j, about(A, V3::zero()));
            put(matrices, 1, n, j, about(A_rate, c_rate.cross(A.1)));
            put(matrices, 2, n, j, about(h_by_q, c_by_q.cross(p)));
            put(matrices, 3, n, j, about(by_q, c_by_q.cross(f)));
            put(matrices, 4, n, j, about(by_v, V3::zero()));
        }
        let (h, force) = (self.momentum.0 - c.cross(p), self.force.0 - c.cross(f));
        let list = [self.mass.m, c.x, c.y, c.z, p.x, p.y, p.z, h.x, h.y, h.z, f.x, f.y, f.z, force.x, force.y, force.z];
        for (k, x) in list.into_iter().enumerate() {
            x.store(numbers, k);
        }
    }
}

#[inline(always)]
fn put<S: Scalar>(matrices: &mut [f64], k: usize, n: usize, j: usize, (ang, lin): Pair<S>) {
    for (row, x) in [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z].into_iter().enumerate() {
        x.store(matrices, (k * ROWS + row) * n + j);
    }
}

#[inline(always)]
fn get<S: Scalar>(matrices: &[f64], k: usize, n: usize, j: usize) -> Pair<S> {
    let at = |row: usize| S::load(matrices, (k * ROWS + row) * n + j);
    (V3::new(at(3), at(4), at(5)), V3::new(at(0), at(1), at(2)))
}

/// S ×* (n, f): a load that turns with an axis.
#[inline(always)]
fn turned<S: Scalar>(s: Pair<S>, (n, f): Pair<S>) -> Pair<S> {
    (s.0.cross_add(n, s.1.cross(f)), s.0.cross(f))
}
