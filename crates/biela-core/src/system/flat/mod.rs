//! The rows of a system written out flat, for steps of a motion: lists of numbers and places, and no marker, measure or row in between.
//!
//! Where bodies' frames are linear in the coordinates (natural ones), every component of a difference of markers is a *form* f = c + Σ a q, and
//! everything that rows are made of is a polynomial Σ w f g of forms. A row is such a polynomial less its target, constant or moving, or the
//! angle of two of them, atan2(s, c), less its target θ. With S = s cos θ − c sin θ and C = c cos θ + s sin θ its residual is arctan(S/C), and so
//! near to the target that a short series tells it.
//!
//! What changes from design to design is numbers alone; places are the same. So all is written over [`Number`]: one design, or several side
//! by side with the same bits.

mod build;

use crate::math::{Elementary, Jet, Number};

/// Where the numbers of a system's rows stand.
#[derive(Debug, PartialEq)]
pub(super) struct Shape {
    /// Forms that rows are made of; they come first.
    row_forms: usize,
    /// Where the parts of each form begin, and their columns.
    starts: Vec<u32>,
    columns: Vec<u32>,
    /// Where the products of each polynomial begin, and their two forms.
    polynomials: Vec<u32>,
    products: Vec<(u32, u32)>,
    rows: Vec<Kind>,
    /// Parts of entries of Φ_v that are no angle's: entry, form.
    entries: Vec<(u32, u32)>,
    /// Those of angles: entry, form, factor.
    angles: Vec<(u32, u32, u32)>,
    /// Rows whose targets move, in the order of the targets.
    moving: Vec<u32>,
    /// Forms of each body's origin and first axis in the plane; none where bodies do not turn about z alone.
    bodies: Option<Vec<[u32; 4]>>,
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// The polynomial of that number, its target among its constants.
    Still(u32),
    /// A polynomial less the target of that number.
    Moving(u32, u32),
    /// The angle of sine and cosine less a target; the number of its first factor.
    Angle { sine: u32, cosine: u32, target: u32, factor: u32 },
}

/// A moving target at one time: value, rate, acceleration; sine and cosine of the value.
#[derive(Debug, Clone, Copy)]
pub struct Target<N> {
    v: N,
    d: N,
    dd: N,
    sine: N,
    cosine: N,
}

impl<N: Number> Target<N> {
    fn zero() -> Target<N> {
        let zero = N::splat(0.0);
        Target { v: zero, d: zero, dd: zero, sine: zero, cosine: zero }
    }
}

/// The rows of one system, or of several of one shape side by side, with the values of their forms.
#[derive(Debug)]
pub struct Flat<N> {
    shape: std::sync::Arc<Shape>,
    /// Constant of each form, and coefficients of its parts.
    constants: Vec<N>,
    parts: Vec<N>,
    /// Weights of products, and what is added to each polynomial.
    weights: Vec<N>,
    added: Vec<N>,
    /// Factor on moving targets.
    scales: Vec<N>,
    /// Entries of Φ_v as far as they are constant, and coefficients of the other parts.
    template: Vec<N>,
    entries: Vec<N>,
    angles: Vec<N>,
    /// Moving targets at the time last told.
    targets: Vec<Target<N>>,
    /// Values of forms and their first and second rates; values of polynomials, and rates.
    pub(super) value: Vec<N>,
    rate: Vec<N>,
    second: Vec<N>,
    polynomial: Vec<N>,
    turning: Vec<N>,
    /// Factors of angles' entries: c/r² and −s/r² of each.
    factors: Vec<N>,
}

/// Beyond this quotient of S and C the series of an angle's residual ends too early.
const NEAR: f64 = 1e-3;

impl<N: Number> Flat<N> {
    /// The rows of several systems side by side, the last in all lanes that are left over; `None` where their places differ.
    pub fn abreast(members: &[&Flat<f64>]) -> Option<Flat<N>> {
        let first = members.first()?;
        if members.iter().any(|m| m.shape != first.shape) {
            return None;
        }
        let gather = |of: fn(&Flat<f64>) -> &[f64]| {
            let mut all = vec![N::splat(0.0); of(first).len()];
            for lane in 0..N::LANES {
                let member = of(members[lane.min(members.len() - 1)]);
                all.iter_mut().zip(member).for_each(|(all, x)| all.set(lane, *x));
            }
            all
        };
        Some(Flat {
            shape: first.shape.clone(),
            constants: gather(|f| &f.constants),
            parts: gather(|f| &f.parts),
            weights: gather(|f| &f.weights),
            added: gather(|f| &f.added),
            scales: gather(|f| &f.scales),
            template: gather(|f| &f.template),
            entries: gather(|f| &f.entries),
            angles: gather(|f| &f.angles),
            targets: vec![Target::zero(); first.targets.len()],
            value: gather(|f| &f.value),
            rate: gather(|f| &f.rate),
            second: gather(|f| &f.second),
            polynomial: gather(|f| &f.polynomial),
            turning: gather(|f| &f.turning),
            factors: gather(|f| &f.factors),
        })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.shape.rows.len()
    }

    /// Tells the moving targets of lane `lane` at time `t`.
    pub fn aim(&mut self, lane: usize, mut jet: impl FnMut(usize) -> Jet) {
        for (target, row) in self.targets.iter_mut().zip(&self.shape.moving) {
            let jet = jet(*row as usize);
            target.v.set(lane, jet.v);
            target.d.set(lane, jet.d);
            target.dd.set(lane, jet.dd);
            if let Kind::Angle { .. } = self.shape.rows[*row as usize] {
                let (sine, cosine) = jet.v.sine_cosine();
                target.sine.set(lane, sine);
                target.cosine.set(lane, cosine);
            }
        }
    }

    /// Residuals at `q`. The largest; infinite where an angle is far from its target.
    #[inline(always)]
    pub fn residuals(&mut self, q: &[N], phi: &mut [N]) -> N {
        self.shape.linear(0..self.shape.row_forms, &self.parts, q, &mut self.value);
        let shape = &*self.shape;
        for (value, constant) in self.value[..shape.row_forms].iter_mut().zip(&self.constants) {
            *value = *constant + *value;
        }
        let mut start = 0;
        for (k, end) in shape.polynomials[1..].iter().enumerate() {
            let end = *end as usize;
            let mut sum = self.added[k];
            for ((f, g), w) in shape.products[start..end].iter().zip(&self.weights[start..end]) {
                sum = sum + *w * self.value[*f as usize] * self.value[*g as usize];
            }
            self.polynomial[k] = sum;
            start = end;
        }
        let mut most = N::splat(0.0);
        for (kind, phi) in shape.rows.iter().zip(phi.iter_mut()) {
            *phi = match *kind {
                Kind::Still(p) => self.polynomial[p as usize],
                Kind::Moving(p, target) => {
                    self.polynomial[p as usize] - self.targets[target as usize].v * self.scales[target as usize]
                }
                Kind::Angle { sine, cosine, target, .. } => {
                    let (s, c) = (self.polynomial[sine as usize], self.polynomial[cosine as usize]);
                    let aim = &self.targets[target as usize];
                    let x = (s * aim.cosine - c * aim.sine).zip(c * aim.cosine + s * aim.sine, |s, c| {
                        let x = s / c;
                        if c > 0.0 && x.abs() < NEAR {
                            x
                        } else {
                            f64::INFINITY
                        }
                    });
                    let z = x * x;
                    x - x * z * (N::splat(1.0 / 3.0) - z * N::splat(0.2))
                }
            };
            most = most.most(phi.abs());
        }
        most
    }

    /// Entries of Φ_v where the residuals were last found.
    #[inline(always)]
    pub fn jacobian(&mut self, phi_v: &mut [N]) {
        let shape = &*self.shape;
        phi_v.copy_from_slice(&self.template);
        for ((entry, form), a) in shape.entries.iter().zip(&self.entries) {
            let entry = &mut phi_v[*entry as usize];
            *entry = *entry + *a * self.value[*form as usize];
        }
        for kind in &shape.rows {
            if let Kind::Angle { sine, cosine, factor, .. } = *kind {
                let (s, c) = (self.polynomial[sine as usize], self.polynomial[cosine as usize]);
                let f = N::splat(1.0) / (c * c + s * s);
                self.factors[factor as usize] = c * f;
                self.factors[factor as usize + 1] = -(s * f);
            }
        }
        for ((entry, form, factor), a) in shape.angles.iter().zip(&self.angles) {
            let entry = &mut phi_v[*entry as usize];
            *entry = *entry + *a * self.value[*form as usize] * self.factors[*factor as usize];
        }
    }

    /// Right-hand side ν of the velocities.
    #[inline(always)]
    pub fn velocity_side(&self, nu: &mut [N]) {
        nu.fill(N::splat(0.0));
        for (k, row) in self.shape.moving.iter().enumerate() {
            nu[*row as usize] = self.targets[k].d * self.scales[k];
        }
    }

    /// Right-hand side γ of the accelerations for velocities `v`; the residuals are those of the position.
    #[inline(always)]
    pub fn acceleration_side(&mut self, v: &[N], gamma: &mut [N]) {
        let two = N::splat(2.0);
        self.shape.linear(0..self.shape.row_forms, &self.parts, v, &mut self.rate);
        let shape = &*self.shape;
        let mut start = 0;
        for (k, end) in shape.polynomials[1..].iter().enumerate() {
            let end = *end as usize;
            let mut sum = N::splat(0.0);
            for ((f, g), w) in shape.products[start..end].iter().zip(&self.weights[start..end]) {
                sum = sum + *w * self.rate[*f as usize] * self.rate[*g as usize];
            }
            self.turning[k] = two * sum;
            start = end;
        }
        for (kind, gamma) in shape.rows.iter().zip(gamma.iter_mut()) {
            *gamma = match *kind {
                Kind::Still(p) => -self.turning[p as usize],
                Kind::Moving(p, target) => {
                    self.targets[target as usize].dd * self.scales[target as usize] - self.turning[p as usize]
                }
                Kind::Angle { sine, cosine, target, factor } => {
                    let (s2, c2) = (self.turning[sine as usize], self.turning[cosine as usize]);
                    let (s, c) = (self.polynomial[sine as usize], self.polynomial[cosine as usize]);
                    let (s1, c1) = (self.polynomial_rate(sine), self.polynomial_rate(cosine));
                    let (to_s, to_c) = (self.factors[factor as usize], self.factors[factor as usize + 1]);
                    let turn = to_s * s1 + to_c * c1;
                    let stretch = (c * c1 + s * s1) / (c * c + s * s);
                    self.targets[target as usize].dd - (to_s * s2 + to_c * c2 - two * stretch * turn)
                }
            };
        }
    }

    /// Rate of a polynomial.
    #[inline(always)]
    fn polynomial_rate(&self, k: u32) -> N {
        let k = k as usize;
        let (start, end) = (self.shape.polynomials[k] as usize, self.shape.polynomials[k + 1] as usize);
        let mut sum = N::splat(0.0);
        for ((f, g), w) in self.shape.products[start..end].iter().zip(&self.weights[start..end]) {
            let (f, g) = (*f as usize, *g as usize);
            sum = sum + *w * (self.value[f] * self.rate[g] + self.rate[f] * self.value[g]);
        }
        sum
    }

    /// Forms of bodies at q, v and v̇, where those of rows are at q and v.
    #[inline(always)]
    pub fn place_bodies(&mut self, q: &[N], v: &[N], vdot: &[N]) {
        let (rows, all) = (self.shape.row_forms, self.constants.len());
        self.shape.linear(rows..all, &self.parts, q, &mut self.value);
        for (value, constant) in self.value[rows..].iter_mut().zip(&self.constants[rows..]) {
            *value = *constant + *value;
        }
        self.shape.linear(rows..all, &self.parts, v, &mut self.rate);
        self.shape.linear(0..all, &self.parts, vdot, &mut self.second);
    }

    /// Whether bodies are told by [`Flat::body`].
    pub fn tells_bodies(&self) -> bool {
        self.shape.bodies.is_some()
    }

    /// Origin and first axis of a moving body in the plane, with their rates and second rates.
    #[inline(always)]
    pub fn body(&self, k: usize) -> Option<[[N; 4]; 3]> {
        let forms = self.shape.bodies.as_ref()?.get(k)?;
        Some([&self.value, &self.rate, &self.second].map(|of| forms.map(|f| of[f as usize])))
    }
}

impl Shape {
    /// Σ a x of these forms.
    #[inline(always)]
    fn linear<N: Number>(&self, forms: std::ops::Range<usize>, parts: &[N], x: &[N], out: &mut [N]) {
        let mut start = self.starts[forms.start] as usize;
        for (end, out) in self.starts[forms.start + 1..=forms.end].iter().zip(&mut out[forms]) {
            let end = *end as usize;
            let mut sum = N::splat(0.0);
            for (column, a) in self.columns[start..end].iter().zip(&parts[start..end]) {
                sum = sum + *a * x[*column as usize];
            }
            *out = sum;
            start = end;
        }
    }
}
