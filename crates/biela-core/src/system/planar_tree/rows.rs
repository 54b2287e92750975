//! Rows of a planar tree: sums of products of vectors between points and directions of its bodies.

use super::kernel::{State, Tree};
use super::Vec2;

/// Rows with the vectors that they are made of.
#[derive(Debug, Default)]
pub struct Rows {
    /// Ends of vectors: body, place from its hub in its own axes, and whether it is a point (else a direction). The first is nothing.
    pub ends: Vec<(u32, Vec2, bool)>,
    /// Vectors: to, from.
    pub vectors: Vec<(u32, u32)>,
    /// Where the products of each row begin, and these: two vectors, weight.
    pub starts: Vec<u32>,
    pub products: Vec<(u32, u32, f64)>,
    /// Number of each row, and what is added to its products.
    pub numbers: Vec<u32>,
    pub added: Vec<f64>,
    /// Pulls on ends, in bundles: end, the vector along which, weight; where each bundle begins.
    pub pulls: Vec<(u32, u32, f64)>,
    pub bundles: Vec<u32>,
    /// Entries of Φ_v: place, joint, bundle of what lies beyond it.
    pub entries: Vec<(u32, u32, u32)>,
    /// Places of ends from the hub in the plane's axes, and of ends and vectors: position, rate, acceleration.
    spoke: Vec<Vec2>,
    end: Vec<[Vec2; 3]>,
    vector: Vec<[Vec2; 3]>,
    /// Force and moment about the plane's origin of each bundle.
    wrench: Vec<(Vec2, f64)>,
}

impl Rows {
    /// Makes room for numbers.
    pub fn make_room(&mut self) {
        self.spoke = vec![Vec2::ZERO; self.ends.len()];
        self.end = vec![[Vec2::ZERO; 3]; self.ends.len()];
        self.vector = vec![[Vec2::ZERO; 3]; self.vectors.len()];
        self.wrench = vec![(Vec2::ZERO, 0.0); self.bundles.len().saturating_sub(1)];
    }

    /// Positions of vectors where bodies were last placed.
    pub fn place(&mut self, state: &State) {
        for (((body, s, point), spoke), end) in self.ends.iter().zip(&mut self.spoke).zip(&mut self.end) {
            let body = *body as usize;
            *spoke = state.turned(body, *s);
            end[0] = if *point { state.hub[body] + *spoke } else { *spoke };
        }
        for ((to, from), vector) in self.vectors.iter().zip(&mut self.vector) {
            vector[0] = self.end[*to as usize][0] - self.end[*from as usize][0];
        }
    }

    /// Left-hand sides; returns the largest.
    pub fn residuals(&self, relief: &[f64], phi: &mut [f64]) -> f64 {
        let (mut start, mut most) = (0, 0.0f64);
        for ((number, added), end) in self.numbers.iter().zip(&self.added).zip(&self.starts[1..]) {
            let (number, end) = (*number as usize, *end as usize);
            let products = self.products[start..end].iter();
            let term = |(f, g, w): &(u32, u32, f64)| w * self.vector[*f as usize][0].dot(self.vector[*g as usize][0]);
            let value = products.fold(*added, |sum, p| sum + term(p)) + relief[number];
            phi[number] = value;
            most = if value.abs() <= most { most } else { value.abs() };
            start = end;
        }
        most
    }

    /// Entries of Φ_v; those of rows that are not here stay as they are.
    pub fn jacobian(&mut self, tree: &Tree, state: &State, phi_v: &mut [f64]) {
        let mut start = 0;
        for (wrench, end) in self.wrench.iter_mut().zip(&self.bundles[1..]) {
            let end = *end as usize;
            *wrench = (Vec2::ZERO, 0.0);
            for (on, along, weight) in &self.pulls[start..end] {
                let pull = self.vector[*along as usize][0] * *weight;
                let (_, _, point) = self.ends[*on as usize];
                wrench.1 += self.end[*on as usize][0].cross(pull);
                if point {
                    wrench.0 = wrench.0 + pull;
                }
            }
            start = end;
        }
        for (place, joint, bundle) in &self.entries {
            let joint = *joint as usize;
            let (force, moment) = self.wrench[*bundle as usize];
            phi_v[*place as usize] =
                tree.turn[joint] * (moment - state.hub[joint].cross(force)) + state.slide[joint].dot(force);
        }
    }

    /// γ where bodies were last placed and moved.
    pub fn acceleration_side(&mut self, state: &State, gamma: &mut [f64]) {
        for (((body, _, point), spoke), end) in self.ends.iter().zip(&self.spoke).zip(&mut self.end) {
            let body = *body as usize;
            let spin = state.spin[body];
            let (rate, acceleration) = (spoke.across() * spin, *spoke * -(spin * spin));
            (end[1], end[2]) = match point {
                true => (state.velocity[body] + rate, state.acceleration[body] + acceleration),
                false => (rate, acceleration),
            };
        }
        for ((to, from), vector) in self.vectors.iter().zip(&mut self.vector) {
            let (to, from) = (&self.end[*to as usize], &self.end[*from as usize]);
            (vector[1], vector[2]) = (to[1] - from[1], to[2] - from[2]);
        }
        let mut start = 0;
        for (number, end) in self.numbers.iter().zip(&self.starts[1..]) {
            let end = *end as usize;
            let bias = self.products[start..end].iter().fold(0.0, |sum, (f, g, w)| {
                let (f, g) = (&self.vector[*f as usize], &self.vector[*g as usize]);
                sum + w * (f[2].dot(g[0]) + 2.0 * f[1].dot(g[1]) + f[0].dot(g[2]))
            });
            gamma[*number as usize] = -bias;
            start = end;
        }
    }
}
