//! Constraint rows as quadratic polynomials of the coordinates.
//!
//! Where markers are linear in the coordinates (natural ones), so is every component of a marker or of the difference of two:
//! a *form* f = c + Σ a_k q_k. A row made of scalar products is then Φ = Σ w f g − target, its derivative Σ w (f a_g + g a_f),
//! and, since forms have no second derivative, γ = −Σ 2 w ḟ ġ. Forms are gathered once, those alike as one, and a row costs a
//! few products of numbers.

use super::constraint::{Evaluation, Products};
use super::{Formulation, System, Workspace};
use crate::joints::Marker;
use crate::math::Vec3;
use std::collections::{BTreeMap, HashMap};

/// All rows of a system, with the values of their forms.
#[derive(Debug)]
pub struct Quadratic {
    /// Constant of each form, where its parts start, and these: column, coefficient.
    constants: Vec<f64>,
    starts: Vec<u32>,
    parts: Vec<(u32, f64)>,
    /// Where the products of each row start, and these: two forms, weight.
    rows: Vec<u32>,
    products: Vec<(u32, u32, f64)>,
    /// What is added to the products of each row.
    added: Vec<f64>,
    /// Parts of the entries of Φ_v: entry, form, coefficient.
    entries: Vec<(u32, u32, f64)>,
    /// Values of the forms, and their rates.
    value: Vec<f64>,
    rate: Vec<f64>,
}

impl Quadratic {
    /// The rows of a system; `None` where one is no such polynomial, or spins are held besides.
    pub fn new(system: &System, ws: &Workspace) -> Option<Quadratic> {
        let linear = (1..system.model.bodies.len()).all(|body| system.formulation.affine(body).is_some());
        if !linear || !ws.idle().is_empty() {
            return None;
        }
        let mut forms = Forms::new(system);
        let mut made = Quadratic {
            constants: Vec::new(),
            starts: Vec::new(),
            parts: Vec::new(),
            rows: vec![0],
            products: Vec::new(),
            added: Vec::new(),
            entries: Vec::new(),
            value: Vec::new(),
            rate: Vec::new(),
        };
        for i in 0..system.constraints.len() {
            let Products { terms, target, scale } = system.constraints.products(i, ws.size)?;
            let mut added = -target * scale;
            let mut gradient: BTreeMap<(usize, usize), f64> = BTreeMap::new();
            for (weight, pair) in &terms {
                let weight = weight * scale;
                let [f, g] = [forms.of(&pair[0])?, forms.of(&pair[1])?];
                for (f, g) in f.iter().zip(&g) {
                    match (f, g) {
                        (Form::Number(a), Form::Number(b)) => added += weight * a * b,
                        (Form::Number(a), _) | (_, Form::Number(a)) if *a == 0.0 => {}
                        _ => {
                            let (f, g) = (forms.number(f), forms.number(g));
                            made.products.push((f as u32, g as u32, weight));
                            for (of, other) in [(f, g), (g, f)] {
                                for (column, a) in &forms.list[of].1 {
                                    *gradient.entry((*column, other)).or_default() += weight * a;
                                }
                            }
                        }
                    }
                }
            }
            let range = ws.pattern.range(i);
            for ((column, form), weight) in gradient {
                let place = range.start + ws.pattern.index[range.clone()].binary_search(&column).ok()?;
                let length = system.formulation.scale(column, ws.size);
                made.entries.push((place as u32, form as u32, weight * length));
            }
            made.added.push(added);
            made.rows.push(made.products.len() as u32);
        }
        made.starts.push(0);
        for (constant, parts) in forms.list {
            made.constants.push(constant);
            made.parts.extend(parts.iter().map(|(column, a)| (*column as u32, *a)));
            made.starts.push(made.parts.len() as u32);
        }
        made.value = vec![0.0; made.constants.len()];
        made.rate = made.value.clone();
        Some(made)
    }

    /// Residuals at q. Returns the largest.
    pub fn residuals(&mut self, q: &[f64], e: &mut Evaluation) -> f64 {
        let mut start = 0;
        for ((value, constant), end) in self.value.iter_mut().zip(&self.constants).zip(&self.starts[1..]) {
            let end = *end as usize;
            *value = self.parts[start..end].iter().fold(*constant, |sum, (column, a)| sum + a * q[*column as usize]);
            start = end;
        }
        let (mut start, mut most) = (0, 0.0f64);
        for (i, end) in self.rows[1..].iter().enumerate() {
            let end = *end as usize;
            let products = self.products[start..end].iter();
            let term = |(f, g, w): &(u32, u32, f64)| w * self.value[*f as usize] * self.value[*g as usize];
            let phi = products.fold(self.added[i], |sum, p| sum + term(p)) + e.relief[i];
            e.phi[i] = phi;
            most = if phi.abs() <= most { most } else { phi.abs() };
            start = end;
        }
        most
    }

    /// Entries of Φ_v where the residuals were last found.
    pub fn jacobian(&self, e: &mut Evaluation) {
        e.phi_v.fill(0.0);
        for (entry, form, a) in &self.entries {
            e.phi_v[*entry as usize] += a * self.value[*form as usize];
        }
    }

    /// Right-hand side γ for velocities v.
    pub fn acceleration_side(&mut self, v: &[f64], e: &mut Evaluation) {
        let mut start = 0;
        for (rate, end) in self.rate.iter_mut().zip(&self.starts[1..]) {
            let end = *end as usize;
            *rate = self.parts[start..end].iter().map(|(column, a)| a * v[*column as usize]).sum();
            start = end;
        }
        let mut start = 0;
        for (gamma, end) in e.gamma.iter_mut().zip(&self.rows[1..]) {
            let end = *end as usize;
            let products = self.products[start..end].iter();
            *gamma = -2.0 * products.map(|(f, g, w)| w * self.rate[*f as usize] * self.rate[*g as usize]).sum::<f64>();
            start = end;
        }
    }
}

/// A component of a sum of markers.
pub(super) enum Form {
    Number(f64),
    /// Constant, columns with their coefficients.
    Linear(f64, Vec<(usize, f64)>),
}

/// A form by the bits of its numbers.
type Key = (u64, Vec<(usize, u64)>);

/// Forms gathered so far.
pub(super) struct Forms<'s> {
    formulation: &'s dyn Formulation,
    /// Everything at q = 0.
    origin: super::Cache,
    /// Constants, and columns with their coefficients.
    pub(super) list: Vec<(f64, Vec<(usize, f64)>)>,
    known: HashMap<Key, usize>,
}

impl<'s> Forms<'s> {
    pub(super) fn new(system: &'s System) -> Forms<'s> {
        let formulation = &*system.formulation;
        let mut origin = formulation.cache(system.model);
        let q = vec![0.0; formulation.nq()];
        let bodies: Vec<usize> = (1..system.model.bodies.len()).collect();
        formulation.marker_positions(&q, &bodies, &mut origin);
        Forms { formulation, origin, list: Vec::new(), known: HashMap::new() }
    }

    /// The three components of a sum of markers.
    pub(super) fn of(&self, sum: &[(Marker, f64)]) -> Option<[Form; 3]> {
        let mut constant = Vec3::ZERO;
        let mut parts: BTreeMap<usize, Vec3> = BTreeMap::new();
        for (marker, sign) in sum {
            if matches!(marker, Marker::Prescribed { .. }) {
                return None;
            }
            let mut value = [Vec3::ZERO];
            self.formulation.place_markers(&[*marker], &self.origin, &mut value);
            constant += value[0] * *sign;
            let columns = self.formulation.columns(marker);
            let slots: Vec<usize> = (0..columns.len()).collect();
            for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let mut row = vec![0.0; columns.len()];
                self.formulation.scatter(marker, axis, &self.origin, &slots, &mut row);
                for (column, a) in columns.iter().zip(row) {
                    parts.entry(*column).or_default()[k] += a * sign;
                }
            }
        }
        Some([0, 1, 2].map(|k| {
            let found: Vec<(usize, f64)> = parts.iter().map(|(c, a)| (*c, a[k])).filter(|p| p.1 != 0.0).collect();
            if found.is_empty() {
                Form::Number(constant[k])
            } else {
                Form::Linear(constant[k], found)
            }
        }))
    }

    /// The number of a form in the list.
    pub(super) fn number(&mut self, form: &Form) -> usize {
        let (constant, parts) = match form {
            Form::Number(c) => (*c, &[][..]),
            Form::Linear(c, parts) => (*c, parts.as_slice()),
        };
        let key = (constant.to_bits(), parts.iter().map(|(column, a)| (*column, a.to_bits())).collect());
        *self.known.entry(key).or_insert_with(|| {
            self.list.push((constant, parts.to_vec()));
            self.list.len() - 1
        })
    }
}
