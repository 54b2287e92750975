//! The numbers of a planar tree: one pass outwards for positions, one for velocities, one inwards for masses and forces.
//!
//! All is counted from a reference position: there every body has the angle 0, and its axes are those of the plane. A point of body k at s from its
//! hub (the origin of its joint) lies at P_k + R(φ_k) s. Velocity k moves what lies beyond joint k by the field σ_k (x − P_k)⊥ + u_k: σ = ±1 and
//! u = 0 for a turn, σ = 0 for a slide along u. So masses, weights and rows need no distinction of the two:
//!
//! - composite bodies beyond k have mass m, first moment h and moment of inertia I about P_k; a unit of velocity k gives them the momentum p =
//!   σ h⊥ + m u and the moment of momentum L = σ I + h × u about P_k, and M_kj = σ_j (L + (P_k − P_j) × p) + u_j·p for each j that carries k;
//! - with v̇ = 0 no body has an angular acceleration: forces m A − ω² h and moments h × A of the bodies, gathered inwards, are what velocities
//!   quadratic and weight (the ground accelerates by −g) ask for.

use super::Vec2;
use biela_tree::angles::sines_and_cosines;
use biela_tree::Level;

/// Joints of a tree, parents before children; place 0 is the ground.
#[derive(Debug)]
pub struct Tree {
    /// Body on which each hangs.
    pub parent: Vec<u32>,
    /// σ and u in the parent's axes, for a scaled velocity.
    pub turn: Vec<f64>,
    pub slide: Vec<Vec2>,
    /// Hub from the parent's hub, in the parent's axes, at the reference coordinate.
    pub arm: Vec<Vec2>,
    /// Reference coordinate, and factor that makes a scaled velocity of a velocity.
    pub reference: Vec<f64>,
    pub scaling: Vec<f64>,
    /// Place of the coordinate and of the velocity of each joint in the system's.
    pub place: Vec<[u32; 2]>,
    /// Mass, first moment in own axes and moment of inertia about the hub.
    pub mass: Vec<f64>,
    pub moment: Vec<Vec2>,
    pub inertia: Vec<f64>,
    /// Weight's acceleration.
    pub gravity: Vec2,
    /// Registers to be used.
    pub level: Level,
}

/// Position and motion of every body.
#[derive(Debug, Default)]
pub struct State {
    /// φ, its cosine and sine, P, and P from the parent's P.
    pub angle: Vec<f64>,
    pub cosine: Vec<f64>,
    pub sine: Vec<f64>,
    pub hub: Vec<Vec2>,
    pub from_parent: Vec<Vec2>,
    /// u in the plane's axes.
    pub slide: Vec<Vec2>,
    /// First moment in the plane's axes.
    pub moment: Vec<Vec2>,
    /// Scaled velocities by joint, ω, velocity of the hub, and its acceleration for v̇ = 0 less that of weight.
    pub rate: Vec<f64>,
    pub spin: Vec<f64>,
    pub velocity: Vec<Vec2>,
    pub acceleration: Vec<Vec2>,
    /// What acts on each body besides weight: force, and moment about the hub.
    pub force: Vec<Vec2>,
    pub torque: Vec<f64>,
    /// Composite mass, first moment and moment of inertia about the hub (scratch).
    composite: Vec<Composite>,
    gathered: Vec<Wrench>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Composite {
    mass: f64,
    moment: Vec2,
    inertia: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Wrench {
    force: Vec2,
    moment: f64,
}

impl State {
    /// At the reference position, at rest.
    pub fn new(tree: &Tree) -> State {
        let count = tree.parent.len();
        // Sines and cosines are found four at a time.
        let padded = count.next_multiple_of(4);
        State {
            angle: vec![0.0; padded],
            cosine: vec![1.0; padded],
            sine: vec![0.0; padded],
            hub: vec![Vec2::ZERO; count],
            from_parent: vec![Vec2::ZERO; count],
            slide: vec![Vec2::ZERO; count],
            moment: vec![Vec2::ZERO; count],
            rate: vec![0.0; count],
            spin: vec![0.0; count],
            velocity: vec![Vec2::ZERO; count],
            acceleration: vec![Vec2::ZERO; count],
            force: vec![Vec2::ZERO; count],
            torque: vec![0.0; count],
            composite: vec![Composite::default(); count],
            gathered: vec![Wrench::default(); count],
        }
    }

    /// A vector fixed in a body, in the plane's axes.
    #[inline]
    pub fn turned(&self, body: usize, s: Vec2) -> Vec2 {
        let (c, d) = (self.cosine[body], self.sine[body]);
        Vec2 { x: c * s.x - d * s.y, y: d * s.x + c * s.y }
    }

    /// Positions at q.
    pub fn place(&mut self, tree: &Tree, q: &[f64]) {
        let count = tree.parent.len();
        for k in 1..count {
            // What a slide has moved waits where its rate will stand.
            let moved = q[tree.place[k][0] as usize] - tree.reference[k];
            self.rate[k] = moved * tree.scaling[k];
            self.angle[k] = self.angle[tree.parent[k] as usize] + tree.turn[k] * moved;
        }
        sines_and_cosines(tree.level, &self.angle, &mut self.sine, &mut self.cosine);
        for k in 1..count {
            let parent = tree.parent[k] as usize;
            let slide = self.turned(parent, tree.slide[k]);
            let arm = self.turned(parent, tree.arm[k]) + slide * self.rate[k];
            self.slide[k] = slide;
            self.from_parent[k] = arm;
            self.hub[k] = self.hub[parent] + arm;
            self.moment[k] = self.turned(k, tree.moment[k]);
        }
    }

    /// Velocities and accelerations for v̇ = 0 where bodies were last placed.
    pub fn travel(&mut self, tree: &Tree, v: &[f64]) {
        let count = tree.parent.len();
        self.acceleration[0] = tree.gravity * -1.0;
        for k in 1..count {
            let parent = tree.parent[k] as usize;
            let rate = v[tree.place[k][1] as usize] * tree.scaling[k];
            let (spin, arm, slide) = (self.spin[parent], self.from_parent[k], self.slide[k] * rate);
            self.rate[k] = rate;
            self.spin[k] = spin + tree.turn[k] * rate;
            self.velocity[k] = self.velocity[parent] + arm.across() * spin + slide;
            let turning = slide.across() * (2.0 * spin) - arm * (spin * spin);
            self.acceleration[k] = self.acceleration[parent] + turning;
        }
    }

    /// Entries of M: for each, its place, the joint k and the joint j that carries it or is it.
    pub fn weigh(&mut self, tree: &Tree, places: &[([u32; 2], u32, u32)], entries: &mut [f64]) {
        let count = tree.parent.len();
        for k in 1..count {
            self.composite[k] = Composite { mass: tree.mass[k], moment: self.moment[k], inertia: tree.inertia[k] };
        }
        for k in (1..count).rev() {
            let Composite { mass, moment, inertia } = self.composite[k];
            let arm = self.from_parent[k];
            let carried = &mut self.composite[tree.parent[k] as usize];
            carried.mass += mass;
            carried.moment = carried.moment + moment + arm * mass;
            carried.inertia += inertia + 2.0 * moment.dot(arm) + mass * arm.dot(arm);
        }
        for ([place, mirrored], k, j) in places {
            let (k, j) = (*k as usize, *j as usize);
            let Composite { mass, moment, inertia } = self.composite[k];
            let (turn, slide) = (tree.turn[k], self.slide[k]);
            let momentum = moment.across() * turn + slide * mass;
            let about = turn * inertia + moment.cross(slide);
            let entry =
                tree.turn[j] * (about + (self.hub[k] - self.hub[j]).cross(momentum)) + self.slide[j].dot(momentum);
            entries[*place as usize] = entry;
            entries[*mirrored as usize] = entry;
        }
    }

    /// Generalised forces: what acts, less what velocities and weight ask for.
    pub fn push(&mut self, tree: &Tree, h: &mut [f64]) {
        let count = tree.parent.len();
        for k in 1..count {
            let (spin, moment, acceleration) = (self.spin[k], self.moment[k], self.acceleration[k]);
            let force = self.force[k] - acceleration * tree.mass[k] + moment * (spin * spin);
            self.gathered[k] = Wrench { force, moment: self.torque[k] - moment.cross(acceleration) };
        }
        for k in (1..count).rev() {
            let Wrench { force, moment } = self.gathered[k];
            h[tree.place[k][1] as usize] = tree.turn[k] * moment + self.slide[k].dot(force);
            let carried = &mut self.gathered[tree.parent[k] as usize];
            carried.force = carried.force + force;
            carried.moment += moment + self.from_parent[k].cross(force);
        }
    }

    /// Kinetic energy, and that of weight with zero at the plane's origin.
    pub fn energies(&self, tree: &Tree) -> (f64, f64) {
        let (mut kinetic, mut weight) = (0.0, 0.0);
        for k in 1..tree.parent.len() {
            let (mass, moment, v, spin) = (tree.mass[k], self.moment[k], self.velocity[k], self.spin[k]);
            kinetic += 0.5 * (mass * v.dot(v) + spin * spin * tree.inertia[k]) + spin * moment.cross(v);
            weight -= tree.gravity.dot(self.hub[k] * mass + moment);
        }
        (kinetic, weight)
    }
}
