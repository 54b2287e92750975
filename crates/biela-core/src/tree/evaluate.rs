//! Quantities of a tree at given states, as JSON: what `biela eval` writes. One entry of [`QUANTITIES`] each.

#![allow(non_snake_case)]

use super::algorithms::{Algorithm, ABA, CRBA, GAH, LAGRANGE};
use super::rotors::{Coupled, CoupledWorkspace};
use super::states::State;
use super::{energy, kinematics, minverse, parameters, reactions};
use crate::error::{Error, Result};
use crate::math::Vec3;
use crate::model::Model;
use serde_json::{json, Map, Value};

/// A quantity that can be asked for.
pub struct Quantity {
    /// Its name.
    pub name: &'static str,
    /// One sentence for help.
    pub help: &'static str,
    /// Whether it depends on gravity.
    pub gravity: bool,
    /// Whether it is known for models with rotors.
    pub rotors: bool,
    /// Whether its numbers grow with the square of the velocities.
    pub matrices: bool,
    of: fn(&mut Point) -> Result<Value>,
}

/// Every quantity, in the order help lists them.
pub static QUANTITIES: &[Quantity] = &[
    quantity("fk", "pose of every body", false, true, fk),
    square(quantity(
        "jacobian",
        "6 x n per body: velocity of its origin, angular velocity, ground axes",
        false,
        true,
        jacobian,
    )),
    square(quantity("jacobian_rate", "time derivative of the Jacobians", false, true, jacobian_rate)),
    quantity("rnea", "generalised forces of q, v, a", true, true, rnea),
    quantity("bias", "generalised forces at a = 0", true, true, bias),
    quantity("gravity", "generalised forces at rest", true, true, gravity),
    square(quantity("crba", "inertia matrix", false, true, |p| Ok(matrix(&p.equations(&CRBA).0, p.n())))),
    quantity("aba", "accelerations under tau", true, true, |p| Ok(json!(p.forward(&ABA)?))),
    square(quantity("minverse", "inverse of the inertia matrix", false, true, inverse)),
    square(quantity(
        "gah",
        "inertia matrix, bias and accelerations by the Hessian of the Gibbs function",
        true,
        true,
        gah,
    )),
    square(quantity("lagrange", "A and C by Lagrange with homogeneous matrices", true, true, lagrange)),
    square(quantity(
        "rnea_derivatives",
        "partial derivatives of the generalised forces by q and v",
        true,
        true,
        by_motion,
    )),
    square(quantity(
        "aba_derivatives",
        "partial derivatives of the accelerations by q, v and tau",
        true,
        true,
        by_force,
    )),
    square(quantity(
        "inertial_derivatives",
        "of forces and accelerations by m, m c (3), and xx yy zz xy xz yz about the origin, per body",
        true,
        false,
        by_inertial,
    )),
    square(quantity(
        "geometric_derivatives",
        "of forces and accelerations by displacements x y z and turns rx ry rz of each joint's frame",
        true,
        false,
        by_geometric,
    )),
    quantity("energy", "kinetic and potential energy, centre of mass, momenta", true, true, totals),
    quantity("com_jacobian", "3 x n, of the centre of mass", false, true, com_jacobian),
    quantity("reactions", "what each body's joint exerts on it, motors included", true, true, wrenches),
    quantity("shortcut", "rotors by the shortcut N^2 J, and how far it is from the truth", true, true, shortcut),
];

/// One that is as long as the list of velocities or bodies.
const fn quantity(
    name: &'static str,
    help: &'static str,
    gravity: bool,
    rotors: bool,
    of: fn(&mut Point) -> Result<Value>,
) -> Quantity {
    Quantity { name, help, gravity, rotors, matrices: false, of }
}

/// The same as one that grows with the square of the velocities.
const fn square(of: Quantity) -> Quantity {
    Quantity { matrices: true, ..of }
}

/// Most velocities of which whole matrices are given out: one fills 72 MB there, and ten times that as text.
pub const MOST_SQUARE: usize = 3000;

/// A state under evaluation.
struct Point<'e> {
    model: &'e Model,
    coupled: &'e Coupled,
    fixed: &'e Coupled,
    work: &'e mut CoupledWorkspace,
    state: &'e State,
}

impl Point<'_> {
    fn n(&self) -> usize {
        self.coupled.nv
    }
    fn vector(&self) -> Vec<f64> {
        vec![0.0; self.n()]
    }
    fn square(&self) -> Vec<f64> {
        vec![0.0; self.n() * self.n()]
    }
    fn equations(&mut self, by: &Algorithm) -> (Vec<f64>, Vec<f64>) {
        let (mut M, mut bias) = (self.square(), self.vector());
        self.coupled.equations(by, self.work, &self.state.q, &self.state.v, &mut M, &mut bias);
        (M, bias)
    }
    fn forward(&mut self, by: &Algorithm) -> Result<Vec<f64>> {
        let mut M = if self.coupled.needs_matrix(by) { self.square() } else { Vec::new() };
        let (mut bias, mut a) = (self.vector(), self.vector());
        let s = self.state;
        self.coupled.forward(by, self.work, &s.q, &s.v, &s.tau, &mut M, &mut bias, &mut a)?;
        Ok(a)
    }
    /// Bodies of the model without the ground: index and name.
    fn bodies(&self) -> Vec<(usize, String)> {
        self.model.bodies.iter().enumerate().skip(1).map(|(k, b)| (k, b.name.clone())).collect()
    }
    /// Calls an algorithm with the extended tree's state.
    fn with_tree<T>(
        &mut self,
        call: impl FnOnce(&super::Tree, &mut super::Workspace, &[f64], &[f64], &[f64]) -> T,
    ) -> T {
        let s = self.state;
        let (q, v, a, inner) = self.coupled.extended_state(self.work, &s.q, &s.v, &s.a);
        call(&self.coupled.extended, inner, q, v, a)
    }
}

/// Evaluates quantities at states.
pub fn evaluate(model: &Model, quantities: &[&str], text: &str) -> Result<Value> {
    let coupled = Coupled::with_followers(model)?;
    let fixed = Coupled::with_rotors_fixed(model)?;
    let chosen: Vec<&Quantity> = quantities.iter().map(|name| find(name)).collect::<Result<_>>()?;
    if model.gravity.is_none() {
        if let Some(q) = chosen.iter().find(|q| q.gravity) {
            return Err(Error::new(format!("'{}' depends on gravity, which the model does not state", q.name))
                .note("add gravity = [0, 0, -9.81] to the model, or --gravity 0,0,-9.81"));
        }
    }
    if let Some(q) = chosen.iter().find(|q| !q.rotors) {
        if !model.rotors.is_empty() {
            return Err(Error::new(format!("'{}' is not known for models with rotors", q.name)));
        }
        if let Some(follower) = coupled.followers.first() {
            return Err(Error::new(format!("'{}' is not known where joints follow others", q.name))
                .of(format!("joint '{}'", follower.name))
                .note(format!("it follows '{}'", follower.leader)));
        }
    }
    if let Some(q) = chosen.iter().find(|q| q.matrices && coupled.nv > MOST_SQUARE) {
        let words = format!(
            "'{}' of {} velocities is too large: matrices are given of {MOST_SQUARE} at most",
            q.name, coupled.nv
        );
        return Err(Error::new(words).note("ask for other quantities, such as --quantities rnea,aba"));
    }
    if let (Some(joint), Some(q)) = (coupled.first_swapped(), chosen.iter().find(|q| !q.rotors)) {
        return Err(Error::new(format!(
            "'{}' is not known where a joint is written from the outer body inwards",
            q.name
        ))
        .of(format!("joint '{joint}'"))
        .note("exchange its two bodies (and 'at'): the one nearer to the ground comes first"));
    }
    let states = super::states::read(&coupled, text)?;
    let mut work = coupled.workspace();
    let mut list = Vec::new();
    for (k, state) in states.iter().enumerate() {
        let mut entry = Map::new();
        for quantity in &chosen {
            let mut point = Point { model, coupled: &coupled, fixed: &fixed, work: &mut work, state };
            let value = (quantity.of)(&mut point).map_err(|e| e.note(format!("in state {}", k + 1)))?;
            entry.insert(quantity.name.into(), value);
        }
        list.push(Value::Object(entry));
    }
    let joints: Vec<String> = (0..coupled.nv).map(|k| coupled.extended.velocity_name(k)).collect();
    Ok(json!({ "joints": joints, "states": list }))
}

fn find(name: &str) -> Result<&'static Quantity> {
    QUANTITIES
        .iter()
        .find(|q| q.name == name)
        .ok_or_else(|| Error::new(format!("'{name}' is no quantity")).suggest(name, QUANTITIES.iter().map(|q| q.name)))
}

/// A matrix as rows of `columns` numbers.
fn matrix(entries: &[f64], columns: usize) -> Value {
    json!(entries.chunks(columns.max(1)).collect::<Vec<_>>())
}

fn xyz(v: Vec3) -> Value {
    json!(v.to_array())
}

fn fk(p: &mut Point) -> Result<Value> {
    p.with_tree(|tree, ws, q, _, _| kinematics::fk(tree, ws, q));
    let pose = |k: usize| kinematics::body_pose(&p.coupled.extended, &p.work.inner, k);
    let entry = |(k, name)| (name, json!({ "p": xyz(pose(k).origin), "R": pose(k).rotation.rows() }));
    Ok(Value::Object(p.bodies().into_iter().map(entry).collect()))
}

fn jacobian(p: &mut Point) -> Result<Value> {
    let mut J = vec![0.0; 6 * p.coupled.extended.nv];
    let mut map = Map::new();
    for (k, name) in p.bodies() {
        p.with_tree(|tree, ws, q, _, _| kinematics::body_jacobian(tree, ws, q, k, Vec3::ZERO, &mut J));
        map.insert(name, matrix(&p.coupled.pull(p.work, &J), p.n()));
    }
    Ok(Value::Object(map))
}

fn jacobian_rate(p: &mut Point) -> Result<Value> {
    let e = p.coupled.extended.nv;
    let (mut J, mut rate) = (vec![0.0; 6 * e], vec![0.0; 6 * e]);
    let mut map = Map::new();
    for (k, name) in p.bodies() {
        p.with_tree(|tree, ws, q, v, _| {
            kinematics::body_jacobian(tree, ws, q, k, Vec3::ZERO, &mut J);
            kinematics::body_jacobian_rate(tree, ws, q, v, k, Vec3::ZERO, &mut rate);
        });
        let mut rows = p.coupled.pull(p.work, &rate);
        rows.iter_mut().zip(p.coupled.pull_rate(p.work, &J)).for_each(|(x, more)| *x += more);
        map.insert(name, matrix(&rows, p.n()));
    }
    Ok(Value::Object(map))
}

fn rnea(p: &mut Point) -> Result<Value> {
    let mut tau = p.vector();
    p.coupled.rnea(p.work, &p.state.q, &p.state.v, &p.state.a, &mut tau);
    Ok(json!(tau))
}

fn bias(p: &mut Point) -> Result<Value> {
    let mut tau = p.vector();
    p.coupled.rnea(p.work, &p.state.q, &p.state.v, &[], &mut tau);
    Ok(json!(tau))
}

fn gravity(p: &mut Point) -> Result<Value> {
    let mut tau = p.vector();
    p.coupled.rnea(p.work, &p.state.q, &[], &[], &mut tau);
    Ok(json!(tau))
}

fn inverse(p: &mut Point) -> Result<Value> {
    if !p.coupled.is_plain() {
        let (M, _) = p.equations(&CRBA);
        return Ok(matrix(&p.coupled.inverse(&M)?, p.n()));
    }
    let mut M = p.square();
    minverse::minverse(&p.coupled.extended, &mut p.work.inner, &p.state.q, &mut M);
    Ok(matrix(&M, p.n()))
}

fn gah(p: &mut Point) -> Result<Value> {
    let (M, bias) = p.equations(&GAH);
    let qdd = p.forward(&GAH)?;
    Ok(json!({ "M": matrix(&M, p.n()), "bias": bias, "qdd": qdd }))
}

fn lagrange(p: &mut Point) -> Result<Value> {
    let (A, C) = p.equations(&LAGRANGE);
    Ok(json!({ "A": matrix(&A, p.n()), "C": C }))
}

fn by_motion(p: &mut Point) -> Result<Value> {
    let (n, s) = (p.n(), p.state);
    let (mut dq, mut dv, mut da) = (p.square(), p.square(), p.square());
    p.coupled.rnea_derivatives(p.work, [&s.q, &s.v, &s.a], [&mut dq, &mut dv, &mut da]);
    Ok(json!({ "dq": matrix(&dq, n), "dv": matrix(&dv, n), "da": matrix(&da, n) }))
}

fn by_force(p: &mut Point) -> Result<Value> {
    let (n, s) = (p.n(), p.state);
    let (mut dq, mut dv, mut dtau) = (p.square(), p.square(), p.square());
    p.coupled.aba_derivatives(p.work, [&s.q, &s.v, &s.tau], [&mut dq, &mut dv, &mut dtau])?;
    Ok(json!({ "dq": matrix(&dq, n), "dv": matrix(&dv, n), "dtau": matrix(&dtau, n) }))
}

/// ∂τ/∂π at a, and ∂v̇/∂π under tau, from the rows of ∂τ/∂π that a function gives at accelerations.
fn by_parameter(p: &mut Point, rows: impl Fn(&[f64]) -> Result<Vec<f64>>) -> Result<Value> {
    let (n, s, tree) = (p.n(), p.state, &p.coupled.extended);
    let inner = &mut p.work.inner;
    let a = parameters::accelerations(tree, inner, &s.q, &s.v, &s.tau);
    let forward = parameters::forward_rows(tree, inner, &s.q, &rows(&a)?);
    Ok(json!({ "rnea": matrix(&rows(&s.a)?, n), "aba": matrix(&forward, n) }))
}

fn by_inertial(p: &mut Point) -> Result<Value> {
    let mut map = Map::new();
    for (k, name) in p.bodies() {
        let (tree, s) = (&p.coupled.extended, p.state);
        map.insert(name, by_parameter(p, |a| Ok(parameters::rnea_by_inertial(tree, k, &s.q, &s.v, a)))?);
    }
    Ok(Value::Object(map))
}

fn by_geometric(p: &mut Point) -> Result<Value> {
    let mut map = Map::new();
    for (k, joint) in p.model.joints.iter().enumerate() {
        let (model, tree, s) = (p.model, &p.coupled.extended, p.state);
        let rows = |a: &[f64]| parameters::rnea_by_geometric(model, tree, k, &s.q, &s.v, a);
        map.insert(joint.name.clone(), by_parameter(p, rows)?);
    }
    Ok(Value::Object(map))
}

fn totals(p: &mut Point) -> Result<Value> {
    let t = p.with_tree(|tree, ws, q, v, _| energy::totals(tree, ws, q, v));
    Ok(json!({
        "kinetic": t.kinetic, "potential": t.potential, "mass": t.mass, "com": xyz(t.com),
        "com_velocity": xyz(t.com_velocity), "momentum": xyz(t.momentum), "angular_momentum": xyz(t.angular_momentum),
    }))
}

fn com_jacobian(p: &mut Point) -> Result<Value> {
    let mut J = vec![0.0; 3 * p.coupled.extended.nv];
    p.with_tree(|tree, ws, q, _, _| energy::com_jacobian(tree, ws, q, &mut J));
    Ok(matrix(&p.coupled.pull(p.work, &J), p.n()))
}

fn wrenches(p: &mut Point) -> Result<Value> {
    let mut out = vec![reactions::Wrench::default(); p.coupled.extended.bodies.len()];
    p.with_tree(|tree, ws, q, v, a| reactions::reactions(tree, ws, q, v, a, &mut out));
    let entry =
        |(k, name): (usize, String)| (name, json!({ "force": xyz(out[k].force), "moment": xyz(out[k].moment) }));
    Ok(Value::Object(p.bodies().into_iter().map(entry).collect()))
}

/// Rotors fixed on their bodies, and N² J on the diagonal: the usual shortcut beside the truth.
fn shortcut(p: &mut Point) -> Result<Value> {
    let n = p.n();
    let s = p.state;
    let (M, _) = p.equations(&CRBA);
    let mut tau = p.vector();
    p.coupled.rnea(p.work, &s.q, &s.v, &s.a, &mut tau);
    let mut work = p.fixed.workspace();
    let (mut M0, mut bias0) = (p.square(), p.vector());
    p.fixed.equations(&CRBA, &mut work, &s.q, &s.v, &mut M0, &mut bias0);
    for (t, rotor) in p.model.rotors.iter().enumerate() {
        let J = rotor.mass.inertia.about(rotor.axis);
        let N = p.coupled.gradient(p.work, t);
        for k in 0..n {
            M0[k * n + k] += J * N[k] * N[k];
        }
    }
    let short: Vec<f64> = (0..n).map(|i| bias0[i] + (0..n).map(|j| M0[i * n + j] * s.a[j]).sum::<f64>()).collect();
    let largest = tau.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let worst = tau.iter().zip(&short).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    Ok(json!({
        "crba": matrix(&M0, n), "rnea": short, "crba_exact": matrix(&M, n), "rnea_exact": tau,
        "rnea_error": worst / largest,
    }))
}
