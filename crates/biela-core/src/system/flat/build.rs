//! Rows of a system in natural coordinates, written out flat.

#![allow(non_snake_case)] // p_B, u_B: in a body's frame (docs/notation.md).

use super::{Flat, Kind, Shape, Target};
use crate::joints::Marker;
use crate::math::Vec3;
use crate::system::constraint::{Flattened, Sum};
use crate::system::quadratic::{Form, Forms};
use crate::system::{System, Workspace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Axes that differ by less from z are z: rounding of a drawing.
const UPRIGHT: f64 = 1e-12;

/// What is gathered on the way.
#[derive(Default)]
struct Gathered {
    shape: Shape,
    weights: Vec<f64>,
    added: Vec<f64>,
    scales: Vec<f64>,
    template: Vec<f64>,
    entries: Vec<f64>,
    angles: Vec<f64>,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            row_forms: 0,
            starts: vec![0],
            columns: Vec::new(),
            polynomials: vec![0],
            products: Vec::new(),
            rows: Vec::new(),
            entries: Vec::new(),
            angles: Vec::new(),
            moving: Vec::new(),
            bodies: None,
        }
    }
}

/// Coefficients of a gradient: column and form.
type Gradient = BTreeMap<(usize, usize), f64>;

impl Flat<f64> {
    /// The rows of a system; `None` where bodies are not linear in the coordinates, a row is of another kind, or spins are held besides.
    pub fn new(system: &System, ws: &Workspace) -> Option<Flat<f64>> {
        let linear = (1..system.model.bodies.len()).all(|body| system.formulation.affine(body).is_some());
        if !linear || !ws.idle().is_empty() {
            return None;
        }
        let mut forms = Forms::new(system);
        let mut made = Gathered { template: vec![0.0; ws.pattern.index.len()], ..Gathered::default() };
        let mut factors = 0;
        for i in 0..system.constraints.len() {
            let kind = match system.constraints.flattened(i, ws.size)? {
                Flattened::Products { terms, target: Some(target), scale } => {
                    let (polynomial, gradient) = made.polynomial(&mut forms, &terms, scale, -target * scale)?;
                    made.enter(system, ws, &forms, i, gradient)?;
                    Kind::Still(polynomial)
                }
                Flattened::Products { terms, target: None, scale } => {
                    let (polynomial, gradient) = made.polynomial(&mut forms, &terms, scale, 0.0)?;
                    made.enter(system, ws, &forms, i, gradient)?;
                    Kind::Moving(polynomial, made.moves(i, scale))
                }
                Flattened::Angle { sine, cosine } => {
                    let factor = factors;
                    factors += 2;
                    let (sine, of_sine) = made.polynomial(&mut forms, &[(1.0, sine)], 1.0, 0.0)?;
                    let (cosine, of_cosine) = made.polynomial(&mut forms, &[(1.0, cosine)], 1.0, 0.0)?;
                    made.enter_angle(system, ws, (i, factor), of_sine)?;
                    made.enter_angle(system, ws, (i, factor + 1), of_cosine)?;
                    Kind::Angle { sine, cosine, target: made.moves(i, 1.0), factor }
                }
            };
            made.shape.rows.push(kind);
        }
        made.shape.row_forms = forms.list.len();
        made.shape.bodies = bodies(system, &mut forms);
        Some(made.finish(forms, factors as usize))
    }
}

impl Gathered {
    /// A row whose target moves; the target's number.
    fn moves(&mut self, row: usize, scale: f64) -> u32 {
        self.shape.moving.push(row as u32);
        self.scales.push(scale);
        self.shape.moving.len() as u32 - 1
    }

    /// A polynomial of weighted products of sums of markers, and its gradient.
    fn polynomial(
        &mut self,
        forms: &mut Forms,
        terms: &[(f64, [Sum; 2])],
        scale: f64,
        constant: f64,
    ) -> Option<(u32, Gradient)> {
        let mut added = constant;
        let mut gradient = Gradient::new();
        for (weight, pair) in terms {
            let weight = weight * scale;
            let [f, g] = [forms.of(&pair[0])?, forms.of(&pair[1])?];
            for (f, g) in f.iter().zip(&g) {
                match (f, g) {
                    (Form::Number(a), Form::Number(b)) => added += weight * a * b,
                    (Form::Number(a), _) | (_, Form::Number(a)) if *a == 0.0 => {}
                    _ => {
                        let (f, g) = (forms.number(f), forms.number(g));
                        self.shape.products.push((f as u32, g as u32));
                        self.weights.push(weight);
                        for (of, other) in [(f, g), (g, f)] {
                            for (column, a) in &forms.list[of].1 {
                                *gradient.entry((*column, other)).or_default() += weight * a;
                            }
                        }
                    }
                }
            }
        }
        self.added.push(added);
        self.shape.polynomials.push(self.shape.products.len() as u32);
        Some((self.added.len() as u32 - 1, gradient))
    }

    /// Enters the gradient of row `i`; what multiplies a number is constant.
    fn enter(&mut self, system: &System, ws: &Workspace, forms: &Forms, i: usize, gradient: Gradient) -> Option<()> {
        for ((column, form), weight) in gradient {
            let (entry, weight) = place(system, ws, i, column, weight)?;
            match &forms.list[form] {
                (constant, parts) if parts.is_empty() => self.template[entry] += weight * constant,
                _ => {
                    self.shape.entries.push((entry as u32, form as u32));
                    self.entries.push(weight);
                }
            }
        }
        Some(())
    }

    fn enter_angle(
        &mut self,
        system: &System,
        ws: &Workspace,
        (i, factor): (usize, u32),
        gradient: Gradient,
    ) -> Option<()> {
        for ((column, form), weight) in gradient {
            let (entry, weight) = place(system, ws, i, column, weight)?;
            self.shape.angles.push((entry as u32, form as u32, factor));
            self.angles.push(weight);
        }
        Some(())
    }

    fn finish(mut self, forms: Forms, factors: usize) -> Flat<f64> {
        let (mut constants, mut parts) = (Vec::new(), Vec::new());
        for (constant, list) in forms.list {
            constants.push(constant);
            self.shape.columns.extend(list.iter().map(|(column, _)| *column as u32));
            parts.extend(list.iter().map(|(_, a)| *a));
            self.shape.starts.push(parts.len() as u32);
        }
        let (forms, polynomials) = (constants.len(), self.added.len());
        Flat {
            targets: vec![Target::zero(); self.shape.moving.len()],
            shape: Arc::new(self.shape),
            constants,
            parts,
            weights: self.weights,
            added: self.added,
            scales: self.scales,
            template: self.template,
            entries: self.entries,
            angles: self.angles,
            value: vec![0.0; forms],
            rate: vec![0.0; forms],
            second: vec![0.0; forms],
            polynomial: vec![0.0; polynomials],
            turning: vec![0.0; polynomials],
            factors: vec![0.0; factors],
        }
    }
}

/// Where an entry of row `i` stands, and its coefficient with lengths in sizes.
fn place(system: &System, ws: &Workspace, i: usize, column: usize, weight: f64) -> Option<(usize, f64)> {
    let range = ws.pattern.range(i);
    let entry = range.start + ws.pattern.index[range].binary_search(&column).ok()?;
    Some((entry, weight * system.formulation.scale(column, ws.size)))
}

/// Forms of the origin and the first axis of each moving body, where all turn about z alone at one height.
fn bodies(system: &System, forms: &mut Forms) -> Option<Vec<[u32; 4]>> {
    let mut found = Vec::new();
    for body in 1..system.model.bodies.len() {
        let origin = forms.of(&[(Marker::Point { body, p_B: Vec3::ZERO }, 1.0)])?;
        let axis = |forms: &Forms, u_B: Vec3| forms.of(&[(Marker::Direction { body, u_B }, 1.0)]);
        let (x, z) = (axis(forms, Vec3::X)?, axis(forms, Vec3::Z)?);
        let is = |form: &Form, value: f64| matches!(form, Form::Number(c) if (c - value).abs() < UPRIGHT);
        let upright = is(&z[0], 0.0) && is(&z[1], 0.0) && is(&z[2], 1.0) && is(&x[2], 0.0);
        if !upright || !matches!(origin[2], Form::Number(_)) {
            return None;
        }
        found.push([&origin[0], &origin[1], &x[0], &x[1]].map(|form| forms.number(form) as u32));
    }
    Some(found)
}
