//! Forward of inverse: efforts from inverse dynamics, evaluated at every stage, reproduce the prescribed motion.

mod common;

use biela::drivers::Target;
use biela::model::Model;
use biela::solve::follow::Follower;
use biela::solve::forces::ForceAnalysis;
use biela::solve::forward::{start, Dynamics, Point, Rates};
use biela::system::System;
use biela::text::{Document, Options};
use common::forward::*;

/// Efforts of a driven model over time: (number among the joint coordinates, effort).
struct Efforts<'s> {
    follower: Follower<'s>,
    forces: ForceAnalysis,
    known: Vec<(usize, f64)>,
}

impl Efforts<'_> {
    fn at(&mut self, t: f64) -> Vec<(usize, f64)> {
        if t > self.follower.state.t || self.known.is_empty() {
            self.follower.advance(t).unwrap();
            let system = self.follower.system;
            self.forces.evaluate(system, &mut self.follower.ws, t);
            self.known.clear();
            for (driver, effort) in system.model.drivers.iter().zip(&self.forces.reactions.drivers) {
                let Target::Coordinate { of, .. } = &driver.target else { panic!("a driver of another kind") };
                let coordinates = system.constraints.coordinates();
                let k = coordinates.iter().position(|c| (c.0, c.1) == (of.joint, of.coordinate)).unwrap();
                self.known.push((k, effort.x));
            }
        }
        self.known.clone()
    }
}

fn room(point: &Point) -> Rates {
    Rates { q: vec![0.0; point.q.len()], v: vec![0.0; point.v.len()], power: 0.0 }
}

/// Largest distance, over the run, between the driven coordinates and their laws, when the free model starts `off` beside.
fn largest_error(model: &Model, formulation: &str, end: f64, steps: usize, off: f64) -> f64 {
    let driven = System::new(model, formulation).unwrap();
    let follower = Follower::new(&driven, 0.0, end).unwrap();
    let forces = ForceAnalysis::new(&driven, true).unwrap();
    let mut efforts = Efforts { follower, forces, known: Vec::new() };
    let free = Model { drivers: Vec::new(), ..model.clone() };
    let system = System::new(&free, formulation).unwrap();
    let mut point = Point {
        t: 0.0,
        q: efforts.follower.state.q.clone(),
        v: efforts.follower.state.v.iter().map(|v| v * (1.0 + off)).collect(),
        work: 0.0,
    };
    let mut ws = start(&free_start(&system, &free)).unwrap().ws;
    ws.realize_position(&system, 0.0, &point.q);
    let mut dynamics = Dynamics::new(&system, ws, 0.0, &point.q).unwrap();
    dynamics.project(&mut point).unwrap();
    let h = end / steps as f64;
    let mut k = [0; 4].map(|_| room(&point));
    let mut worst = 0.0f64;
    for step in 0..steps {
        let t = end * step as f64 / steps as f64;
        for (s, c) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
            let mut at = point.clone();
            at.t = t + c * h;
            if s > 0 {
                at.q.iter_mut().zip(&k[s - 1].q).for_each(|(x, k)| *x += c * h * k);
                at.v.iter_mut().zip(&k[s - 1].v).for_each(|(x, k)| *x += c * h * k);
            }
            dynamics.efforts = efforts.at(at.t);
            dynamics.stage(&at, &mut k[s]).unwrap();
        }
        for (weight, k) in [1.0, 2.0, 2.0, 1.0].iter().zip(&k) {
            point.q.iter_mut().zip(&k.q).for_each(|(x, k)| *x += weight * h / 6.0 * k);
            point.v.iter_mut().zip(&k.v).for_each(|(x, k)| *x += weight * h / 6.0 * k);
        }
        point.t = t + h;
        dynamics.project(&mut point).unwrap();
        // Both at the same time: where each body of the free model is, against the driven one.
        dynamics.realize(&point);
        efforts.at(point.t);
        for (a, b) in dynamics.ws.cache.bodies.iter().zip(&efforts.follower.ws.cache.bodies) {
            worst = worst.max((a.pose.origin - b.pose.origin).norm());
            worst = worst.max((a.pose.rotation.axes[0] - b.pose.rotation.axes[0]).norm());
        }
    }
    worst
}

/// The same system; its start gives a workspace of the right size.
fn free_start<'m>(system: &System<'m>, free: &'m Model) -> System<'m> {
    System::new(free, system.formulation.name()).unwrap()
}

#[test]
fn efforts_of_inverse_dynamics_reproduce_the_motion() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/slider-crank.toml");
    let slider_crank = Document::read(path.as_ref(), &Options::default()).unwrap().model(&Options::default()).unwrap();
    let mut slider_crank = slider_crank;
    slider_crank.gravity.get_or_insert(biela::math::Vec3::new(0.0, -9.81, 0.0));
    let driver = "[drivers.motor]\njoint = \"O\"\nvalue = \"pi/3 + 2*t + 0.3*sin(4*t)\"\n";
    let four_bar = parse(
        &FOUR_BAR
            .replace("[initial]", &format!("{driver}[unused]"))
            .replace("[unused]\n    \"O.angle\" = \"60 deg\"\n    \"O.angle.rate\" = 3\n", ""),
    );
    let arm = double_pendulum(0.5, 1.0).split("[initial]").next().unwrap_or("").to_string()
        + "[drivers.a]\njoint = \"O\"\nvalue = \"0.5 + sin(2*t)\"\n[drivers.b]\njoint = \"A\"\nvalue = \"0.5 + 0.4*cos(3*t)\"\n";
    for (name, model, end) in
        [("slider-crank", slider_crank, 0.5), ("four-bar", four_bar, 1.0), ("arm", parse(&arm), 1.0)]
    {
        if model.bodies.iter().skip(1).any(|b| b.mass.is_none()) && name == "slider-crank" {
            continue;
        }
        for formulation in ["absolute", "relative"] {
            let steps = 400;
            let error = largest_error(&model, formulation, end, steps, 0.0);
            // How much a start off by 1e-8 is amplified, and what steps of order 4 leave.
            let amplification = (largest_error(&model, formulation, end, steps, 1e-8) / 1e-8).max(1.0);
            let half = largest_error(&model, formulation, end, 2 * steps, 0.0);
            assert!(error < 1e-7 * amplification, "{name}, {formulation}: {error:e}, amplification {amplification:e}");
            assert!(half < error / 8.0 + 1e-11 * amplification, "{name}, {formulation}: {error:e} then {half:e}");
        }
    }
}
