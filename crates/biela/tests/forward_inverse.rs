//! Forward of inverse: efforts from inverse dynamics, evaluated at every stage of the integrator, reproduce the prescribed motion
//! of every shipped model that has mass.

mod common;

use biela::drivers::Target;
use biela::math::Vec3;
use biela::model::{Integration, Model, Study};
use biela::signal::bearers;
use biela::solve::forces::ForceAnalysis;
use biela::solve::forward::{integrator, start, Control, Dynamics, Given, GivenLaw, Point};
use biela::solve::motion::Follower;
use biela::system::{BodyState, IdleSpin, System};
use biela::text::Options;
use common::cases::{load, shipped};
use common::forward::*;

/// Tolerance of the adaptive method.
const TOLERANCE: f64 = 1e-8;
/// By how much the start is disturbed to measure how errors grow.
const DISTURBED: f64 = 1e-8;

/// Efforts of a driven model over time.
struct Efforts {
    system: &'static System<'static>,
    follower: Follower<'static>,
    forces: ForceAnalysis,
    start: f64,
    end: f64,
}

impl Efforts {
    fn new(model: &'static Model, formulation: &str, start: f64, end: f64) -> Efforts {
        // The law that integrators call lives as long as the program.
        let system: &'static System = Box::leak(Box::new(System::new(model, formulation).unwrap()));
        let follower = Follower::new(system, start, end - start).unwrap();
        Efforts { system, follower, forces: ForceAnalysis::new(system, true).unwrap(), start, end }
    }

    /// Follows the motion to `t`; after a refused step that lies in the past.
    fn follow(&mut self, t: f64) {
        if t < self.follower.stepper.state.t {
            self.follower = Follower::new(self.system, self.start, self.end - self.start).unwrap();
        }
        self.follower.advance(t).unwrap();
    }

    fn fill(&mut self, t: f64, given: &mut Given) {
        self.follow(t);
        self.forces.evaluate(self.system, &mut self.follower.stepper.ws, t).unwrap();
        given.efforts.clear();
        given.forces.clear();
        for (joint, coordinate) in bearers(&self.system.model.drivers) {
            let coordinates = self.system.constraints.coordinates();
            let k = coordinates.iter().position(|c| (c.0, c.1) == (joint, coordinate)).unwrap();
            given.efforts.push((k, self.forces.borne(joint, coordinate)));
        }
        let own = self.system.model.drivers.iter().zip(&self.forces.reactions.drivers);
        for (driver, effort) in own.filter(|(d, _)| d.effort.is_empty()) {
            match &driver.target {
                Target::Coordinate { of, .. } => {
                    let coordinates = self.system.constraints.coordinates();
                    let k = coordinates.iter().position(|c| (c.0, c.1) == (of.joint, of.coordinate)).unwrap();
                    given.efforts.push((k, effort.x));
                }
                Target::Point { body, p_B, along, .. } => given.forces.push((*body, *p_B, *along * effort.x)),
                _ => panic!("a driver of another kind"),
            }
        }
    }
}

/// Where bodies are at the samples: mass centre and one axis of each. Where a rod may spin idly that axis is the one it spins
/// about, on which its mass centre lies: the idle spin itself is held by convention in a driven motion.
type Track = Vec<Vec<[Vec3; 2]>>;

/// Samples at which motions are compared.
const SAMPLES: usize = 40;

fn places(model: &Model, bodies: &[BodyState], idle: &[IdleSpin]) -> Vec<[Vec3; 2]> {
    let axis = |k: usize| idle.iter().find(|i| i.body == k).map_or(Vec3::X, |i| i.u_B);
    let centre = |k: usize| model.bodies[k].mass.map_or(Vec3::ZERO, |m| m.com);
    bodies.iter().enumerate().map(|(k, b)| [b.pose.apply(centre(k)), b.pose.rotation.apply(axis(k))]).collect()
}

fn distance(a: &Track, b: &Track) -> f64 {
    let parts = a.iter().flatten().flatten().zip(b.iter().flatten().flatten());
    parts.fold(0.0, |most, (a, b)| if (*a - *b).norm() <= most { most } else { (*a - *b).norm() })
}

/// Where the drivers lead the bodies.
fn driven(model: &'static Model, formulation: &str, end: f64) -> Track {
    let from = model.study.start;
    let mut efforts = Efforts::new(model, formulation, from, end);
    let mut track = Vec::new();
    for k in 1..=SAMPLES {
        efforts.follow(from + (end - from) * k as f64 / SAMPLES as f64);
        track.push(places(model, &efforts.follower.stepper.ws.cache.bodies, efforts.follower.stepper.ws.idle()));
    }
    track
}

/// Where the efforts lead the bodies of the free model, started `off` beside in position and velocity.
fn freed(model: &'static Model, formulation: &str, end: f64, off: f64) -> Result<Track, String> {
    let from = model.study.start;
    let mut efforts = Efforts::new(model, formulation, from, end);
    let free: &'static Model =
        Box::leak(Box::new(model.released().with_study(Study { initial: Vec::new(), ..model.study.clone() })));
    let system: &'static System = Box::leak(Box::new(System::new(free, formulation).unwrap()));
    let state = &efforts.follower.stepper.state;
    let idle = efforts.follower.stepper.ws.idle().to_vec();
    let mut point = Point { t: from, q: state.q.clone(), v: state.v.clone(), work: 0.0 };
    let mut ws = start(system).unwrap().ws;
    let (theirs, evaluation) = (&efforts.system.constraints, &efforts.follower.stepper.ws.evaluation);
    for ((_, _, ours), (_, _, other)) in system.constraints.coordinates().iter().zip(theirs.coordinates()) {
        ws.evaluation.near[*ours] = theirs.value(*other, evaluation);
    }
    let mut dynamics = Dynamics::new(system, ws, from, &point.q).map_err(|e| e.to_string())?;
    if off > 0.0 {
        let dv: Vec<f64> = (0..point.v.len()).map(|k| off * (1.0 + k as f64).cos()).collect();
        point.v.iter_mut().zip(&dv).for_each(|(v, dv)| *v += dv);
        system.formulation.step(&mut point.q, &dv);
    }
    dynamics.project(&mut point).map_err(|e| e.to_string())?;
    dynamics.realize(&point);
    dynamics.law = Some(GivenLaw(Box::new(move |t, given| efforts.fill(t, given))));
    let mut control = Control::new(1e-3 * (end - from), TOLERANCE);
    let mut track = Vec::new();
    for k in 1..=SAMPLES {
        let end = from + (end - from) * k as f64 / SAMPLES as f64;
        while point.t < end {
            // Turns are counted from step to step.
            let fastest = dynamics.ws.cache.bodies.iter().fold(f64::MIN_POSITIVE, |m, b| m.max(b.w.norm()));
            control.longest = 1.0 / fastest;
            integrator(Integration::Rk45)
                .step(&mut dynamics, &mut point, end, &mut control)
                .map_err(|e| format!("t = {}: {e}", point.t))?;
            dynamics.realize(&point);
            system.constraints.keep_turns(&mut dynamics.ws.evaluation);
            dynamics.ws.cache.keep_attitudes();
        }
        track.push(places(model, &dynamics.ws.cache.bodies, &idle));
    }
    Ok(track)
}

/// None where the motion is reproduced to 100 tolerances, times what disturbances of the start grow to; else what is wrong.
fn fault(name: &str, model: Model, formulation: &str, end: f64) -> Option<String> {
    let model: &'static Model = Box::leak(Box::new(model));
    let wanted = driven(model, formulation, end);
    let found = freed(model, formulation, end, 0.0);
    let disturbed = freed(model, formulation, end, DISTURBED);
    match (found, disturbed) {
        (Ok(found), Ok(disturbed)) => {
            let error = distance(&found, &wanted);
            let amplification = (distance(&found, &disturbed) / DISTURBED).max(1.0);
            let figures = format!("{name}, {formulation}: {error:.1e}, amplification {amplification:.1e}");
            println!("{figures}");
            (error.is_nan() || amplification.is_nan() || error > 100.0 * TOLERANCE * amplification).then_some(figures)
        }
        (found, disturbed) => Some(format!("{name}, {formulation}: {:?}, {:?}", found.err(), disturbed.err())),
    }
}

#[test]
fn efforts_reproduce_the_motion_of_every_shipped_model() {
    let (mut left_out, mut faults, mut done) = (Vec::new(), Vec::new(), 0);
    let mut names = shipped();
    // Impacts and sticking are no motion that efforts of drivers give back.
    let smooth =
        |name: &String| !["[contacts.", "friction = {"].iter().any(|key| common::cases::text(name).contains(key));
    names.retain(smooth);
    for name in &names {
        let model = load(name, &Options::default());
        // Models of geometry alone, those without drivers, and one whose inertias are printed wrongly in its source.
        let massless = model.bodies.iter().all(|b| b.mass.is_none());
        let unphysical = common::cases::text(name).contains("unphysical = true");
        if massless || unphysical || model.drivers.is_empty() {
            left_out.push(name.as_str());
            continue;
        }
        // A part of the run: amplification grows exponentially with time, and refused steps go back to the start.
        let end = model.study.start + PART * (model.study.end - model.study.start);
        for formulation in ["absolute", "relative"] {
            faults.extend(fault(name, model.clone(), formulation, end));
        }
        done += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let geometry = ["function-generator", "path-arc", "path-line", "path-loop"];
    assert_eq!(
        left_out,
        [&["cccc-printed", "double-wishbone", "engine-mounts"], &geometry[..], &["puma-560"]].concat()
    );
    assert_eq!(done, names.len() - left_out.len());
}

/// Part of each model's run that is gone through.
const PART: f64 = 0.5;

#[test]
fn efforts_reproduce_the_motion_of_a_four_bar_and_an_arm() {
    let driver = "[drivers.motor]\njoint = \"O\"\nvalue = \"pi/3 + 2*t + 0.3*sin(4*t)\"\n";
    let four_bar = parse(
        &FOUR_BAR
            .replace("[initial]", &format!("{driver}[unused]"))
            .replace("[unused]\n    \"O.angle\" = \"60 deg\"\n    \"O.angle.rate\" = 3\n", ""),
    );
    let arm = double_pendulum(0.5, 1.0).split("[initial]").next().unwrap_or("").to_string()
        + "[drivers.a]\njoint = \"O\"\nvalue = \"0.5 + sin(2*t)\"\n[drivers.b]\njoint = \"A\"\nvalue = \"0.5 + 0.4*cos(3*t)\"\n";
    for (name, model) in [("four-bar", four_bar), ("arm", parse(&arm))] {
        for formulation in ["absolute", "relative"] {
            assert_eq!(fault(name, model.clone(), formulation, 1.0), None);
        }
    }
}
