//! Formulation against formulation: random mechanisms of every kind move the same way by whatever coordinates.
#![allow(non_snake_case)]

mod common;

use biela::couplings::CoordinateRef;
use biela::math::{EulerParameters, Pose, Vec3};
use biela::model::Model;
use biela::results::Results;
use biela::solve::motion::Follower;
use biela::solve::{kinematics, mobility};
use biela::system::{formulations, System, FORMULATIONS};
use common::random::{frame, Builder};
use common::record::{told, OTHER};

/// Largest differences between formulations, relative to the signal's largest magnitude, where Φ_v is well conditioned.
/// Positions are solved to 1e-12 at worst, and each derivative may lose a digit or two more.
const POSITION: f64 = 1e-9;
const VELOCITY: f64 = 1e-8;
const ACCELERATION: f64 = 1e-7;
/// The bounds hold up to this condition and grow in proportion beyond it.
const WELL_CONDITIONED: f64 = 1e4;
/// A signal that hardly moves is measured against this fraction of the largest of its kind (sizes are about a metre).
const LEAST_SHARE: f64 = 1e-2;
/// Motions into a singular position end within this fraction of the run of each other: coming near to it, positions
/// change with the square root of the time that is left.
const SAME_END: f64 = 3e-4;
/// Draws of a random mechanism before its family counts as impossible.
const DRAWS: u64 = 60;

/// Joint types with named coordinates, by which a loop can be driven.
const NAMED: [&str; 6] = ["revolute", "prismatic", "cylindrical", "screw", "universal", "planar"];
/// Every joint type with a hinge.
const HINGED: [&str; 9] =
    ["revolute", "prismatic", "cylindrical", "screw", "universal", "planar", "spherical", "fixed", "free"];

fn run(model: &Model, formulation: &str) -> Result<Results, String> {
    kinematics::run(model, formulation, |_, _| true).map_err(|e| format!("{formulation}: {e:?}"))
}

/// When a motion ends, and why.
fn end(model: &Model, formulation: &str) -> (f64, String) {
    let system = System::new(model, formulation).unwrap();
    let span = model.study.end - model.study.start;
    let mut follower = match Follower::new(&system, model.study.start, span) {
        Ok(follower) => follower,
        Err(why) => return (model.study.start, format!("{why:?}")),
    };
    for k in 1..=model.study.steps {
        let t = model.study.start + span * k as f64 / model.study.steps as f64;
        if let Err(why) = follower.advance(t) {
            return (follower.stepper.state.t, format!("{why:?}"));
        }
    }
    (model.study.end, "the end".into())
}

/// Largest condition along the motion, and the bodies whose spin is idle.
fn condition_and_idle(model: &Model) -> (f64, Vec<usize>) {
    let system = System::new(model, "absolute").unwrap();
    let mut follower = Follower::new(&system, model.study.start, model.study.end - model.study.start).unwrap();
    let idle = follower.stepper.ws.idle().iter().map(|spin| spin.body).collect();
    let mut worst = 1.0f64;
    for k in 0..=model.study.steps {
        let t = model.study.start + (model.study.end - model.study.start) * k as f64 / model.study.steps as f64;
        follower.advance(t).unwrap();
        let rank = system.formulation.nv() - follower.stepper.ws.idle().len();
        worst = worst.max(mobility::condition(&system, &mut follower.stepper.ws, t, rank).unwrap_or(1.0));
    }
    (worst, idle)
}

/// True where a joint of the body stands at its origin.
fn joined_at_origin(model: &Model, body: usize) -> bool {
    let at_origin = |j: &biela::joints::Joint| (0..2).any(|s| j.bodies[s] == body && j.frames[s].origin.norm() < 1e-12);
    model.joints.iter().any(at_origin)
}

/// Largest differences of position, velocity and acceleration.
type Differences = [(f64, String); 3];

/// 0 for positions, 1 for velocities, 2 for accelerations.
fn level(unit: &str) -> usize {
    match unit {
        "m" | "rad" | "1" | "s" => 0,
        "m/s" | "rad/s" => 1,
        _ => 2,
    }
}

/// Compares every formulation with the first; `None` where all of them find that the motion ends.
fn compare(model: &Model) -> Result<Option<Differences>, String> {
    let mut largest: Differences = Default::default();
    let reference = match run(model, FORMULATIONS[0].keyword) {
        Ok(reference) => reference,
        Err(why) => {
            // A motion that ends in a singular position ends there in any coordinates.
            let ends: Vec<(f64, String)> = formulations().map(|f| end(model, f.keyword)).collect();
            let apart = ends.iter().any(|e| (e.0 - ends[0].0).abs() > SAME_END * model.study.end);
            let started = ends.iter().all(|e| e.0 > model.study.start);
            return if apart || !started || why.contains("contradict") {
                Err(format!("{why}; motions end at {ends:?}"))
            } else {
                Ok(None)
            };
        }
    };
    let (condition, idle) = condition_and_idle(model);
    let allowance = (condition / WELL_CONDITIONED).max(1.0);
    for formulation in formulations().skip(1) {
        let other = run(model, formulation.keyword)?;
        let greatest = |data: &[f64]| data.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for (a, b) in reference.columns.iter().zip(&other.columns) {
            assert_eq!(a.name, b.name);
            let leaf = a.name.rsplit('.').next().unwrap_or("");
            let spinning = idle.iter().find(|k| a.name.starts_with(&format!("{}.", model.bodies[**k].name)));
            // The origin shares in the spin unless it lies on the line, at a joint.
            let apart = spinning.is_some_and(|k| !joined_at_origin(model, *k))
                || model
                    .joints
                    .iter()
                    .any(|j| a.name.starts_with(&format!("{}.", j.name)) && idle.iter().any(|k| j.bodies.contains(k)));
            if a.name == "t"
                || a.name == "residual"
                || (spinning.is_some() && (leaf.starts_with('e') || a.name.contains(".P.")))
                || apart
            {
                continue;
            }
            let level = level(a.unit);
            let fellows = reference
                .columns
                .iter()
                .filter(|c| self::level(c.unit) == level && c.name != "t")
                .map(|c| greatest(&c.data));
            let scale = greatest(&a.data).max(LEAST_SHARE * fellows.fold(0.0, f64::max)).max(f64::MIN_POSITIVE);
            let (k, worst) = a
                .data
                .iter()
                .zip(&b.data)
                .map(|(a, b)| (a - b).abs() / scale)
                .enumerate()
                .fold((0, 0.0f64), |m, (k, d)| if d > m.1 || d.is_nan() { (k, d) } else { m });
            if worst > largest[level].0 || worst.is_nan() {
                largest[level] = (worst, format!("{} at sample {k}, {}", a.name, formulation.keyword));
            }
        }
    }
    for (bound, (difference, signal)) in [POSITION, VELOCITY, ACCELERATION].iter().zip(&largest) {
        if difference.is_nan() || *difference > bound * allowance {
            return Err(format!("differs by {difference:.2e} in {signal} (condition {condition:.1e})"));
        }
    }
    Ok(Some(largest))
}

/// Draws `count` mechanisms of a family and compares formulations on each.
fn family(name: &str, count: u64, build: impl Fn(u64) -> Option<Model>) {
    let mut largest: Differences = Default::default();
    let (mut failures, mut ended) = (Vec::new(), 0);
    for k in 0..count {
        let drawn = (0..DRAWS).find_map(|draw| {
            let seed = 1_000_000 * (k + 1) + draw;
            let model = build(seed)?;
            let kinds: Vec<String> =
                model.joints.iter().map(|j| format!("{}{:?}", j.kind.keyword(), j.bodies)).collect();
            match compare(&model) {
                Ok(Some(found)) => Some(Ok(found)),
                Ok(None) => {
                    ended += 1;
                    None
                }
                Err(why) => Some(Err(format!("{name}, seed {seed}, joints {}:\n    {why}", kinds.join(" ")))),
            }
        });
        match drawn {
            Some(Ok(found)) => {
                for (largest, found) in largest.iter_mut().zip(found) {
                    if found.0 > largest.0 {
                        *largest = found;
                    }
                }
            }
            Some(Err(failure)) => failures.push(failure),
            None => failures.push(format!("{name}: no mechanism found for number {k}")),
        }
    }
    println!("{name}: {ended} ended in a singular position");
    println!(
        "{name}: {count} mechanisms, largest differences {:.1e} {:.1e} {:.1e}",
        largest[0].0, largest[1].0, largest[2].0
    );
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    let levels = [("positions", POSITION), ("velocities", VELOCITY), ("accelerations", ACCELERATION)];
    for ((level, bound), (difference, _)) in levels.iter().zip(&largest) {
        told(OTHER, level, *bound, *difference);
    }
}

/// Disturbs the drawing, from which assembly must find back.
fn roughen(model: &mut Model, s: &mut common::Stream, by: f64) {
    let mut poses = model.guess().poses().to_vec();
    for pose in &mut poses[1..] {
        let turn = EulerParameters::from_rotation_vector(s.vector() * by).rotation();
        *pose = Pose::new(turn * pose.rotation, pose.origin + s.vector() * by);
    }
    *model = model.with_guess(&poses);
}

/// A tree of any joints, everything driven.
fn tree(seed: u64, chain: bool) -> Option<Model> {
    let mut b = Builder::new(seed);
    b.rate = if seed.is_multiple_of(2) { 9.0 * b.s.next() } else { 0.0 };
    let bodies = 1 + b.below(6);
    for k in 0..bodies {
        let parent = if chain { k } else { b.below(k + 1) };
        let kind = HINGED[b.below(HINGED.len())];
        let child = b.carry_anyhow(kind, parent);
        let joint = b.joints.len() - 1;
        for c in 0..b.joints[joint].kind.coordinates().len() {
            b.drive(joint, c);
        }
        if kind == "spherical" || kind == "free" {
            b.drive_orientation(child);
        }
        if kind == "free" {
            b.drive_origin(child);
        }
    }
    let mut model = b.model();
    if seed.is_multiple_of(3) {
        roughen(&mut model, &mut b.s, 0.03);
    }
    Some(model)
}

#[test]
fn open_chains() {
    family("open chains", 40, |seed| tree(seed, true));
}

#[test]
fn trees() {
    family("trees", 30, |seed| tree(seed, false));
}

/// A chain from the ground and back, of random joints with `freedoms` in all or a little more.
fn loop_of(seed: u64, kinds: &[&str], closing: &str) -> Option<Model> {
    let mut b = Builder::new(seed);
    let mut last = 0;
    for kind in kinds {
        last = b.carry_anyhow(kind, last);
    }
    let at = b.s.pose();
    let bodies = if b.s.next() > 0.0 { [0, last] } else { [last, 0] };
    b.close(closing, bodies, at, 1.0);
    b.driven()
}

#[test]
fn single_spatial_loops() {
    family("RSUR", 12, |seed| loop_of(seed, &["revolute", "spherical", "universal"], "revolute"));
    family("RCCC", 12, |seed| loop_of(seed, &["revolute", "cylindrical", "cylindrical"], "cylindrical"));
    family("CCCC", 8, |seed| loop_of(seed, &["cylindrical", "cylindrical", "cylindrical"], "cylindrical"));
    family("6R", 6, |seed| loop_of(seed, &["revolute"; 5], "revolute"));
    family("7R", 10, |seed| loop_of(seed, &["revolute"; 6], "revolute"));
    family("HUSP", 8, |seed| loop_of(seed, &["screw", "universal", "spherical"], "prismatic"));
}

#[test]
fn random_single_loops() {
    family("random loops", 30, |seed| {
        let mut b = Builder::new(seed ^ 0xABCD);
        let (mut freedoms, mut kinds) = (0, Vec::new());
        while freedoms < 7 {
            let kind = if b.below(6) == 0 { "spherical" } else { NAMED[b.below(NAMED.len())] };
            freedoms += biela::joints::kind(kind)?.hinge()?.nv();
            kinds.push(kind);
        }
        if kinds.len() < 3 {
            return None;
        }
        let closing = kinds.pop()?;
        loop_of(seed, &kinds, closing)
    });
}

/// Two spherical joints leave the coupler an idle spin about its line.
#[test]
fn rods_with_idle_spins() {
    family("RSSR", 12, |seed| {
        let mut b = Builder::new(seed);
        let crank = b.carry_anyhow("revolute", 0);
        let (on_crank, q) = (b.s.pose(), b.coordinates(biela::joints::kind("spherical")?, 1.0));
        let on_rod = Pose::new(b.s.attitude().rotation(), Vec3::ZERO);
        let rod = b.carry("spherical", crank, on_crank, on_rod, q);
        let rocker = {
            let on_rod = b.s.pose();
            let on_rocker = b.s.pose();
            let q = b.coordinates(biela::joints::kind("spherical")?, 1.0);
            b.carry("spherical", rod, on_rod, on_rocker, q)
        };
        let at = b.s.pose();
        b.close("revolute", [rocker, 0], at, 1.0);
        b.driven()
    });
}

/// Points of a random sketch, turned into a random plane.
struct Sketch {
    X_WS: Pose,
}

impl Sketch {
    fn new(b: &mut Builder) -> Sketch {
        Sketch { X_WS: b.s.pose() }
    }
    fn pivot(&self, x: f64, y: f64) -> Pose {
        self.X_WS * Pose::translation(Vec3::new(x, y, 0.0))
    }
    fn slide(&self, x: f64, y: f64, angle: f64) -> Pose {
        let along = Vec3::new(angle.cos(), angle.sin(), 0.0);
        self.X_WS * frame(Vec3::new(x, y, 0.0), along)
    }
    /// Three bodies on revolute joints one after another; the last of them.
    fn three_bars(&self, b: &mut Builder) -> usize {
        (0..3).fold(0, |last, _| {
            let (x, y) = (b.s.next(), b.s.next());
            b.pin("revolute", last, self.pivot(x, y))
        })
    }
}

#[test]
fn planar_loops_in_space() {
    family("four-bars", 12, |seed| {
        let mut b = Builder::new(seed);
        let sketch = Sketch::new(&mut b);
        let last = sketch.three_bars(&mut b);
        let (x, y) = (b.s.next(), b.s.next());
        b.close("revolute", [last, 0], sketch.pivot(x, y), 0.8);
        b.driven()
    });
    family("slider-cranks", 12, |seed| {
        let mut b = Builder::new(seed);
        let sketch = Sketch::new(&mut b);
        let last = sketch.three_bars(&mut b);
        let (x, y, angle) = (b.s.next(), b.s.next(), 3.0 * b.s.next());
        b.close("prismatic", [0, last], sketch.slide(x, y, angle), 0.8);
        b.driven()
    });
    family("planar networks", 16, |seed| {
        let mut b = Builder::new(seed);
        let sketch = Sketch::new(&mut b);
        let bodies = 5 + b.below(4);
        for k in 0..bodies {
            let parent = b.below(k + 1);
            let (x, y, angle) = (b.s.next(), b.s.next(), 3.0 * b.s.next());
            if b.below(5) == 0 {
                b.pin("prismatic", parent, sketch.slide(x, y, angle));
            } else {
                b.pin("revolute", parent, sketch.pivot(x, y));
            }
        }
        for _ in 0..2 {
            let (first, second) = (b.below(bodies + 1), b.below(bodies + 1));
            if first == second {
                return None;
            }
            let (x, y) = (b.s.next(), b.s.next());
            b.close("revolute", [first, second], sketch.pivot(x, y), 0.8);
        }
        b.driven()
    });
}

/// More constraints than any count allows, and yet they move.
#[test]
fn overconstrained_mechanisms() {
    family("parallel cranks", 8, |seed| {
        let mut b = Builder::new(seed);
        let sketch = Sketch::new(&mut b);
        let (dx, dy) = (0.8 + 0.4 * b.s.next(), 0.5 + 0.4 * b.s.next());
        let cranks = 3 + b.below(3);
        let mut platform = 0;
        for k in 0..cranks {
            let (x, y) = (2.0 * k as f64 + 0.3 * b.s.next(), b.s.next());
            let crank = b.pin("revolute", 0, sketch.pivot(x, y));
            let head = sketch.pivot(x + dx, y + dy);
            if k == 0 {
                platform = b.pin("revolute", crank, head);
            } else {
                b.close("revolute", [crank, platform], head, 0.8);
            }
        }
        b.driven()
    });
    family("Sarrus", 8, |seed| {
        let mut b = Builder::new(seed);
        let X_WS = b.s.pose();
        let (h, knee) = (1.0 + 0.3 * b.s.next(), 1.0 + 0.4 * b.s.next());
        let mut platform = None;
        let sides = 2 + b.below(2);
        for side in 0..sides {
            let turn = 0.3 + 1.2 * side as f64 + 0.2 * b.s.next();
            let (radial, axis) = (Vec3::new(turn.cos(), turn.sin(), 0.0), Vec3::new(-turn.sin(), turn.cos(), 0.0));
            let at = |r: f64, z: f64| X_WS * frame(radial * r + Vec3::Z * z, axis);
            let lower = b.pin("revolute", 0, at(1.0, 0.0));
            let upper = b.pin("revolute", lower, at(1.0 + knee, 0.5 * h));
            match platform {
                None => platform = Some(b.pin("revolute", upper, at(1.0, h))),
                Some(platform) => b.close("revolute", [upper, platform], at(1.0, h), 0.8),
            }
        }
        b.driven()
    });
}

#[test]
fn nested_loops() {
    family("nested loops", 24, |seed| {
        let mut b = Builder::new(seed);
        let bodies = 5 + b.below(4);
        for k in 0..bodies {
            let parent = if b.below(3) == 0 { b.below(k + 1) } else { k };
            let kind = NAMED[b.below(NAMED.len())];
            b.carry_anyhow(kind, parent);
        }
        for _ in 0..2 {
            let (first, second) = (b.below(bodies + 1), b.below(bodies + 1));
            if first == second {
                return None;
            }
            let kind = if b.below(2) == 0 { "spherical" } else { NAMED[b.below(NAMED.len())] };
            let at = b.s.pose();
            b.close(kind, [first, second], at, 0.8);
        }
        b.driven()
    });
}

#[test]
fn geared_trees() {
    family("geared trees", 10, |seed| {
        let mut b = Builder::new(seed);
        let mut last = 0;
        for k in 0..4 {
            let parent = if b.below(2) == 0 { last } else { 0 };
            last = b.carry_anyhow("revolute", parent);
            if k > 0 && b.below(2) == 0 {
                let ratio = 1.5 * b.s.next();
                let of = |joint| CoordinateRef { joint, coordinate: 0 };
                b.gear(of(k - 1), of(k), ratio);
            }
        }
        b.driven()
    });
}
