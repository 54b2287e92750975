//! Inverse dynamics of every shipped model that has mass: power, balance of each body, order of elements, formulations.

mod common;

use biela::drivers::{Driver, Target};
use biela::loads::{Effort, Law};
use biela::math::{EulerParameters, Rotation, Vec3};
use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::signal::bearers;
use biela::solve::forces::NOT_UNIQUE;
use biela::solve::kinematics;
use biela::solve::newton::METHODS;
use biela::solve::verify::{verify, Level};
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::*;

/// Names of the models with mass, those with unphysical inertias included.
fn massive() -> Vec<String> {
    let mut names = shipped();
    names.retain(|name| {
        let model = load(name, &Options::default());
        let driven = matches!(model.study.analysis, Analysis::Kinematics | Analysis::InverseDynamics);
        // Those of the plane are compared with their like in space elsewhere.
        driven && !model.space.is_planar() && model.bodies.iter().any(|b| b.mass.is_some())
    });
    assert!(names.len() >= 30, "{names:?}");
    names
}

fn inverse(mut model: Model, formulation: &str) -> (Model, Results) {
    model.study.analysis = Analysis::InverseDynamics;
    let results = kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name));
    (model, results)
}

fn vector(results: &Results, signal: &str, axes: [&str; 3], k: usize) -> Vec3 {
    // Models of the plane have no others; their angular velocity is about z.
    let at = |axis: &str| results.get(&format!("{signal}.{axis}")).map(|column| column.data[k]);
    let planar = |axis: &str| match axis {
        "wz" => at("w"),
        "alz" => at("al"),
        _ => None,
    };
    let [x, y, z] = axes.map(|axis| at(axis).or_else(|| planar(axis)));
    assert!(x.or(y).or(z).is_some(), "no signals {signal}.{axes:?}");
    Vec3::new(x.unwrap_or(0.0), y.unwrap_or(0.0), z.unwrap_or(0.0))
}

const POSITION: [&str; 3] = ["x", "y", "z"];
const VELOCITY: [&str; 3] = ["vx", "vy", "vz"];
const FORCE: [&str; 3] = ["fx", "fy", "fz"];
const MOMENT: [&str; 3] = ["mx", "my", "mz"];

/// Orientation of a body at a sample.
fn rotation(model: &Model, results: &Results, body: usize, k: usize) -> Rotation {
    let leaf = |leaf: &str| column(results, &format!("{}.{leaf}", model.bodies[body].name))[k];
    match model.space.is_planar() {
        true => Rotation::about(Vec3::Z, leaf("angle")),
        false => EulerParameters(["e0", "e1", "e2", "e3"].map(leaf)).rotation(),
    }
}

/// Force and moment about the origin of the body, and its power, of what inertia withholds and gravity gives at a sample.
fn own_forces(model: &Model, results: &Results, body: usize, k: usize) -> (Vec3, Vec3, f64) {
    let b = &model.bodies[body];
    let Some(mass) = &b.mass else { return (Vec3::ZERO, Vec3::ZERO, 0.0) };
    let of = |axes| vector(results, &b.name, axes, k);
    let rotation = rotation(model, results, body, k);
    let (v, a, w, al) = (of(VELOCITY), of(["ax", "ay", "az"]), of(["wx", "wy", "wz"]), of(["alx", "aly", "alz"]));
    let c = rotation.apply(mass.com);
    let [xx, yy, zz, xy, xz, yz] = mass.inertia.entries();
    let inertia = |u: Vec3| {
        let u = rotation.apply_transposed(u);
        let row = |x, y, z| Vec3::new(x, y, z).dot(u);
        rotation.apply(Vec3::new(row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz)))
    };
    let force = (model.gravity.unwrap() - (a + al.cross(c) + w.cross(w.cross(c)))) * mass.mass;
    let moment = -(inertia(al) + w.cross(inertia(w)));
    let power = force.dot(v + w.cross(c)) + moment.dot(w);
    (force, moment + c.cross(force), power)
}

/// What drivers and loads put in is what gravity and inertia take: exact from velocities and accelerations, no differences.
#[test]
fn efforts_do_the_work() {
    /// Relative to the largest power of any driver or body; sums of a few dozen terms of condition below 100.
    const POWER: f64 = 1e-11;
    for name in massive() {
        let (model, results) = inverse(load(&name, &Options::default()), "absolute");
        let of_coordinate = |joint: usize, c: usize| {
            let joint = &model.joints[joint];
            format!("{}.{}", joint.name, joint.kind.coordinates()[c].name)
        };
        let (mut off, mut largest) = (0.0f64, 0.0f64);
        for k in 0..results.len() {
            let mut powers = Vec::new();
            let at = |signal: String| column(&results, &signal)[k];
            for (joint, c) in bearers(&model.drivers) {
                let effort = at(format!("{}.effort", model.joints[joint].name));
                powers.push(effort * at(format!("{}.rate", of_coordinate(joint, c))));
            }
            for driver in model.drivers.iter().filter(|d| d.effort.is_empty()) {
                let effort = at(format!("{}.effort", driver.name));
                powers.push(match &driver.target {
                    Target::Coordinate { of, .. } => {
                        effort * at(format!("{}.rate", of_coordinate(of.joint, of.coordinate)))
                    }
                    Target::Point { body, p_B, along, .. } => {
                        let b = &model.bodies[*body];
                        let point = b.points.iter().find(|p| p.1 == *p_B).unwrap();
                        effort * vector(&results, &format!("{}.{}", b.name, point.0), VELOCITY, k).dot(*along)
                    }
                    Target::Orientation { .. } | Target::Rotor { .. } | Target::Measure { .. } => {
                        panic!("{name}: none has such a driver")
                    }
                });
            }
            for load in &model.loads {
                let (of, stiffness, rest) = match &load.law {
                    Law::Coordinate { of, effort: Effort::Spring { stiffness, rest, .. } } => (of, stiffness, rest),
                    Law::Coordinate { of, effort: Effort::Value(value) } => {
                        let rate = at(format!("{}.rate", of_coordinate(of.joint, of.coordinate)));
                        powers.push(value.as_constant().unwrap() * rate);
                        continue;
                    }
                    Law::Force { body, p_B, value, in_body: false } => {
                        let b = &model.bodies[*body];
                        let point = b.points.iter().find(|p| p.1 == *p_B).unwrap();
                        let v = vector(&results, &format!("{}.{}", b.name, point.0), VELOCITY, k).to_array();
                        powers.push(v.iter().zip(value.iter()).map(|(v, f)| v * f.as_constant().unwrap()).sum());
                        continue;
                    }
                    _ => panic!("{name}: a load that this test does not know"),
                };
                let q = of_coordinate(of.joint, of.coordinate);
                let stretch = at(q.clone()) - rest.as_constant().unwrap();
                powers.push(-stiffness.as_constant().unwrap() * stretch * at(format!("{q}.rate")));
            }
            powers.extend((1..model.bodies.len()).map(|body| own_forces(&model, &results, body, k).2));
            off = off.max(powers.iter().sum::<f64>().abs());
            largest = powers.iter().fold(largest, |m, p| m.max(p.abs()));
        }
        // A gear train at constant speed needs no power at all.
        assert!(off <= POWER * largest.max(1e-3), "{name}: {off:e} of {largest:e} W is missing");
    }
}

/// Every body's forces and moments vanish in sum, drivers' included; a joint acts on its two bodies with opposite wrenches.
#[test]
fn every_body_is_in_balance_and_so_is_the_whole() {
    /// Relative to the largest force, or moment with forces at the largest distance.
    const BALANCE: f64 = 1e-11;
    let mut looked = 0;
    for name in massive() {
        for formulation in ["absolute", "relative"] {
            let (model, results) = inverse(load(&name, &Options::default()), formulation);
            let simple = model.couplings.is_empty() && model.loads.is_empty();
            // What an actuator exerts has no axis of its own.
            let turns = |d: &Driver| match d.target {
                Target::Coordinate { of, .. } => !model.joints[of.joint].kind.is_axial(),
                _ => false,
            };
            let on_joints = model.drivers.iter().all(turns);
            if !simple || !on_joints {
                continue;
            }
            looked += 1;
            for k in (0..results.len()).step_by(7) {
                // About the origin of the ground.
                let mut sums = vec![(Vec3::ZERO, Vec3::ZERO); model.bodies.len()];
                let (mut force, mut moment) = (0.0f64, 0.0f64);
                let origin = |body: usize| match body {
                    0 => Vec3::ZERO,
                    body => vector(&results, &model.bodies[body].name, POSITION, k),
                };
                let turned = |body: usize, u: Vec3| match body {
                    0 => u,
                    body => rotation(&model, &results, body, k).apply(u),
                };
                let mut add = |body: usize, at: Vec3, f: Vec3, m: Vec3| {
                    force = force.max(f.norm());
                    let about = m + at.cross(f);
                    moment = moment.max(about.norm()).max(m.norm());
                    sums[body].0 += f;
                    sums[body].1 += about;
                };
                for body in 1..model.bodies.len() {
                    let (f, m, _) = own_forces(&model, &results, body, k);
                    add(body, origin(body), f, m);
                }
                for joint in &model.joints {
                    let [first, second] = joint.bodies;
                    let at = origin(second) + turned(second, joint.frames[1].origin);
                    let (f, m) = (vector(&results, &joint.name, FORCE, k), vector(&results, &joint.name, MOMENT, k));
                    add(second, at, f, m);
                    add(first, at, -f, -m);
                }
                for driver in model.drivers.iter() {
                    let Target::Coordinate { of, .. } = &driver.target else { continue };
                    let joint = &model.joints[of.joint];
                    let [first, second] = joint.bodies;
                    let axis = turned(first, joint.frames[0].rotation.axes[2]);
                    let at = origin(second) + turned(second, joint.frames[1].origin);
                    let effort = axis * column(&results, &format!("{}.effort", driver.name))[k];
                    let angle = joint.kind.coordinates()[of.coordinate].angle;
                    let (f, m) = if angle { (Vec3::ZERO, effort) } else { (effort, Vec3::ZERO) };
                    add(second, at, f, m);
                    add(first, at, -f, -m);
                }
                let mut whole = (Vec3::ZERO, Vec3::ZERO);
                for (body, (f, m)) in model.bodies.iter().zip(&sums).skip(1) {
                    assert!(f.norm() <= BALANCE * force, "{name}, {formulation}, {}: {f:?} left of {force}", body.name);
                    assert!(
                        m.norm() <= BALANCE * moment,
                        "{name}, {formulation}, {}: {m:?} left of {moment}",
                        body.name
                    );
                }
                // What acts on the ground is what gravity and inertia exert on all bodies.
                for body in 1..model.bodies.len() {
                    let (f, m, _) = own_forces(&model, &results, body, k);
                    whole = (whole.0 + f, whole.1 + m + origin(body).cross(f));
                }
                let off = (whole.0 - sums[0].0, whole.1 - sums[0].1);
                assert!(off.0.norm() <= BALANCE * force && off.1.norm() <= BALANCE * moment, "{name}: {off:?}");
            }
        }
    }
    assert!(looked >= 40, "only {looked} runs are simple enough");
}

/// A model's text with its bodies and joints in reverse order.
fn reversed(text: &str) -> String {
    let mut sections: Vec<String> = vec![String::new()];
    for line in text.lines() {
        if line.starts_with('[') {
            sections.push(String::new());
        }
        let last = sections.last_mut().unwrap();
        last.push_str(line);
        last.push('\n');
    }
    let is = |s: &String, kind: &str| s.starts_with(&format!("[{kind}.")) || s.starts_with(&format!("[{kind}]"));
    // Elements of one line each below a common header.
    for section in sections.iter_mut().filter(|s| ["[bodies]", "[joints]"].iter().any(|head| s.starts_with(head))) {
        let (head, lines) = section.split_once('\n').unwrap();
        *section = format!("{head}\n{}\n", lines.lines().rev().collect::<Vec<_>>().join("\n"));
    }
    let mut out = String::new();
    out.extend(sections.iter().filter(|s| !is(s, "bodies") && !is(s, "joints")).cloned());
    out.extend(sections.iter().rev().filter(|s| is(s, "joints")).cloned());
    out.extend(sections.iter().rev().filter(|s| is(s, "bodies")).cloned());
    out
}

/// Signals that redundant constraints leave open.
fn open(results: &Results) -> Vec<String> {
    let notes = results.notes.iter().filter(|n| n.0 == NOT_UNIQUE);
    let mut names: Vec<String> = notes.flat_map(|n| n.1.split(", ")).map(str::to_string).collect();
    names.sort();
    names
}

#[test]
fn the_order_of_bodies_and_joints_changes_no_unique_component() {
    /// Relative to the largest force or moment.
    const AGREEMENT: f64 = 1e-9;
    // Links of an arm are what their order says.
    for name in massive().iter().filter(|name| !text(name).contains("[arm]")) {
        let (_, one) = inverse(load(name, &Options::default()), "absolute");
        let document = Document::from_toml(&Source::new("reversed.toml", reversed(&text(name)))).unwrap();
        let (model, other) = inverse(document.model(&Options::default()).unwrap(), "absolute");
        assert_ne!(model.bodies[1].name, load(name, &Options::default()).bodies[1].name, "{name}");
        let open = open(&one);
        assert_eq!(open, self::open(&other), "{name}");
        for unit in ["N", "N*m"] {
            let columns: Vec<_> = one.columns.iter().filter(|c| c.unit == unit).collect();
            let of_unit = |unit: &str| {
                let all = one.columns.iter().filter(|c| c.unit == unit);
                all.fold(1e-9, |m, c| magnitude(&c.data, m))
            };
            // Moments that vanish are sums of forces times lengths.
            let scale = if unit == "N" { of_unit("N") } else { of_unit("N*m").max(of_unit("N") * of_unit("m")) };
            // The effort of a `coupling` is along the last of its coordinates in the order of the joints, which is another one here.
            let turned = |name: &str| {
                let of = |c: &biela::couplings::Coupling| name == format!("{}.effort", c.name);
                model.couplings.iter().any(|c| of(c) && c.kind.keyword() == "coupling")
            };
            for c in columns.iter().filter(|c| !open.contains(&c.name) && !turned(&c.name)) {
                // The spin of an idle rod, and with it its own axes, is a choice.
                if c.name.contains(".local.")
                    && matches!(name.as_str(), "cssp" | "rssr" | "delta-robot" | "spatial-slider-crank-003")
                {
                    continue;
                }
                for (a, b) in c.data.iter().zip(column(&other, &c.name)) {
                    assert!((a - b).abs() <= AGREEMENT * scale, "{name}, {}: {a} and {b}", c.name);
                }
            }
        }
    }
}

#[test]
fn planar_loops_leave_open_what_acts_out_of_plane() {
    let (_, results) = inverse(load("four-bar", &Options::default()), "absolute");
    let out_of_plane = ["A", "P1", "P2", "B"]
        .iter()
        .flat_map(|joint| ["fz", "mx", "my", "local.fz", "local.mx", "local.my"].map(|leaf| format!("{joint}.{leaf}")));
    let mut wanted: Vec<String> = out_of_plane.collect();
    wanted.sort();
    assert_eq!(open(&results), wanted);
    // The shortest choice has no such forces at all where nothing acts out of the plane.
    for name in wanted.iter().filter(|n| n.ends_with("fz")) {
        assert!(magnitude(column(&results, name), 0.0) < 1e-9, "{name}");
    }
    let (_, purged) = inverse(load("slider-crank-purged", &Options::default()), "absolute");
    assert_eq!(open(&purged), Vec::<String>::new());
}

/// `check` finds what is not unique by another route: ranks of the rows of each joint.
#[test]
fn check_and_run_agree_on_what_is_unique() {
    for name in massive() {
        let model = load(&name, &Options::default());
        let report = biela::solve::check::check(&model, "absolute").unwrap().json();
        let list = report["indeterminate_reactions"].as_array().unwrap();
        let mut told: Vec<String> = list.iter().map(|x| x.as_str().unwrap().to_string()).collect();
        told.sort();
        let (_, results) = inverse(model, "absolute");
        let found: Vec<String> = open(&results).into_iter().filter(|n| !n.contains(".local.")).collect();
        assert_eq!(found, told, "{name}");
    }
}

#[test]
fn absolute_and_relative_agree_on_all_unique_forces() {
    /// Relative; the contract's bound for well-conditioned mechanisms.
    const AGREEMENT: f64 = 1e-8;
    for name in massive() {
        let model = load(&name, &Options::default());
        let found = verify(&model, METHODS[0], |_, _| true).unwrap();
        let reaction = found.largest.iter().find(|l| l.0 == Level::Reaction).unwrap_or_else(|| panic!("{name}"));
        assert!(reaction.1.difference <= AGREEMENT, "{name}: {:?}", reaction.1);
        assert_eq!(reaction.1.between, ("absolute", "relative"), "{name}");
        assert!(found.failed.is_empty(), "{name}: {:?}", found.failed);
        assert_eq!(found.without_forces.len(), 1, "{name}");
        assert_eq!(found.without_forces[0].0, "natural", "{name}");
        assert!(found.json()["reaction"]["difference"].as_f64().is_some());
    }
}
