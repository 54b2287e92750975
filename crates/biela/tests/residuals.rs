//! Every sample of every shipped model is held to its joints, couplings and drivers by arithmetic of this file alone: from the
//! positions, Euler parameters and joint coordinates that the written table gives. What must hold of a joint's two frames is
//! said here a second time, in other words than those of the library.

mod common;

use biela::drivers::Target;
use biela::joints::Joint;
use biela::math::Pose;
use biela::model::{Analysis, Model};
use biela::motion::Motion;
use biela::results::{Results, FORMATS};
use biela::solve::newton::METHODS;
use biela::solve::run;
use biela::text::{Document, Options};
use common::cases::models;
use std::collections::HashMap;
use std::path::PathBuf;

/// The library holds single rows to 1e-12; here some are joined to vectors, and roundings of the table's frames come on top.
const RESIDUAL: f64 = 5e-12;

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Place and axes of a frame in the ground.
#[derive(Clone, Copy)]
struct Frame {
    at: Vector,
    axes: [Vector; 3],
}

impl Frame {
    /// By position and Euler parameters, whose rotation is written out as in textbooks.
    fn new(at: Vector, [a, b, c, d]: [f64; 4]) -> Frame {
        let x = [a * a + b * b - c * c - d * d, 2.0 * (b * c + a * d), 2.0 * (b * d - a * c)];
        let y = [2.0 * (b * c - a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d + a * b)];
        let z = [2.0 * (b * d + a * c), 2.0 * (c * d - a * b), a * a - b * b - c * c + d * d];
        Frame { at, axes: [x, y, z] }
    }

    /// A vector given in this frame, in ground axes.
    fn turn(&self, v: Vector) -> Vector {
        let part = |k: usize| self.axes[0][k] * v[0] + self.axes[1][k] * v[1] + self.axes[2][k] * v[2];
        [part(0), part(1), part(2)]
    }

    /// A frame that the body of this one carries.
    fn carries(&self, pose: &Pose) -> Frame {
        let p = self.turn(pose.origin.to_array());
        let axes = pose.rotation.axes.map(|a| self.turn(a.to_array()));
        Frame { at: [self.at[0] + p[0], self.at[1] + p[1], self.at[2] + p[2]], axes }
    }
}

/// The samples of a table by name.
struct Table(HashMap<String, Vec<f64>>);

impl Table {
    /// By way of the bytes of a CSV file.
    fn written(results: &Results) -> Table {
        let mut bytes = Vec::new();
        (FORMATS[0].write)(results, &mut bytes).expect("written");
        let read = FORMATS[0].read.expect("a reader")(&bytes).expect("read");
        Table(read.columns.into_iter().map(|c| (c.name, c.data)).collect())
    }

    fn at(&self, name: &str, k: usize) -> f64 {
        self.0.get(name).unwrap_or_else(|| panic!("no signal '{name}'"))[k]
    }

    fn body(&self, model: &Model, body: usize, k: usize) -> Frame {
        if body == 0 {
            return Frame::new([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        }
        let of = |leaf: &str| self.at(&format!("{}.{leaf}", model.bodies[body].name), k);
        if model.space.is_planar() {
            let (sin, cos) = (0.5 * of("angle")).sin_cos();
            return Frame::new([of("x"), of("y"), 0.0], [cos, 0.0, 0.0, sin]);
        }
        Frame::new(["x", "y", "z"].map(of), ["e0", "e1", "e2", "e3"].map(of))
    }
}

/// How far a joint's frames are from what the joint demands: lengths in sizes, the rest as sines and cosines.
fn gap(joint: &Joint, first: &Frame, second: &Frame, size: f64, t: f64, angle: Option<f64>) -> f64 {
    let [f, m] = [first.carries(&joint.frames[0]), second.carries(&joint.frames[1])];
    let d = minus(m.at, f.at);
    let apart = norm(d) / size;
    let aside = (dot(d, f.axes[0]).powi(2) + dot(d, f.axes[1]).powi(2)).sqrt() / size;
    let above = dot(d, f.axes[2]).abs() / size;
    let unlike = |k: usize| norm(minus(f.axes[k], m.axes[k]));
    let skew = unlike(2);
    let due = |t: f64| match &joint.value {
        Motion::Constant(x) => *x,
        law => law.jet(t).v,
    };
    match joint.kind.keyword() {
        "revolute" => apart.max(skew),
        "prismatic" => aside.max(skew).max(unlike(0)),
        "cylindrical" => aside.max(skew),
        "screw" => {
            let advance = joint.pitch * angle.expect("an angle") / std::f64::consts::TAU;
            aside.max(skew).max((dot(d, f.axes[2]) - advance).abs() / size)
        }
        "universal" => apart.max(dot(f.axes[2], m.axes[0]).abs()),
        "spherical" => apart,
        "planar" => above.max(skew),
        "fixed" => apart.max(skew).max(unlike(0)),
        "free" | "actuator" | "gauge" | "angle-gauge" | "bushing" => 0.0,
        "distance" | "rod" => (norm(d) - due(t)).abs() / size,
        "point-on-line" => aside,
        "point-on-plane" => above,
        "coordinate" => (dot(joint.directions[0].to_array(), d) - due(t)).abs() / size,
        "dot1" | "perpendicular1" => {
            let a = first.turn(joint.directions[0].to_array());
            (dot(a, second.turn(joint.directions[1].to_array())) - due(t)).abs()
        }
        "dot2" | "perpendicular2" => (dot(first.turn(joint.directions[0].to_array()), d) - due(t)).abs() / size,
        other => panic!("no second description of '{other}'"),
    }
}

/// The largest gap of one sample, with what has it.
fn worst(model: &Model, table: &Table, k: usize, size: f64, shift: f64) -> (f64, String) {
    let t = table.at("t", k);
    let mut found = (0.0, String::new());
    let mut see = |gap: f64, name: String| {
        // What is not a number is worse than anything.
        if gap.is_nan() || gap > found.0 {
            found = (gap, name);
        }
    };
    let coordinate = |joint: usize, index: usize| {
        let joint = &model.joints[joint];
        let name = joint.kind.coordinates()[index].name;
        table.at(&format!("{}.{name}", joint.name), k)
    };
    for joint in &model.joints {
        let [first, mut second] = joint.bodies.map(|b| table.body(model, b, k));
        second.at[0] += shift;
        second.at[1] -= shift;
        let angle = table.0.get(&format!("{}.angle", joint.name)).map(|c| c[k]);
        see(gap(joint, &first, &second, size, t, angle), format!("joint '{}'", joint.name));
        // A joint's angle is that between its frames, whole turns aside.
        if matches!(joint.kind.keyword(), "revolute" | "cylindrical") {
            let [f, m] = [first.carries(&joint.frames[0]), second.carries(&joint.frames[1])];
            let (sin, cos) = angle.expect("an angle").sin_cos();
            let off = (dot(m.axes[0], f.axes[0]) - cos).abs().max((dot(m.axes[0], f.axes[1]) - sin).abs());
            see(off, format!("angle of joint '{}'", joint.name));
        }
    }
    for coupling in &model.couplings {
        let q: Vec<f64> = coupling.coordinates.iter().map(|c| coordinate(c.joint, c.coordinate)).collect();
        let off = match coupling.kind.keyword() {
            "gear" | "rack" | "belt" => {
                let arms = coupling.train.iter().flat_map(|train| &train.arms).zip(&q[1..]).map(|(arm, q)| arm * q);
                q[q.len() - 1] - coupling.ratio * q[0] - arms.sum::<f64>() - coupling.offset
            }
            "cam" => {
                let profile = coupling.profile.as_ref().expect("a profile");
                q[1] - profile.jet(coupling.period.map_or(q[0], |p| q[0].rem_euclid(p))).v
            }
            _ => {
                let values: Vec<f64> = std::iter::once(t).chain(q.iter().copied()).collect();
                coupling.value.as_ref().expect("an expression").eval(&values)
            }
        };
        see(off.abs(), format!("coupling '{}'", coupling.name));
    }
    if model.study.analysis != Analysis::Dynamics {
        for driver in model.drivers.iter() {
            if let Target::Coordinate { of, value } = &driver.target {
                let due = value.jet(t).v;
                // A large angle is known to its own rounding.
                let off = (coordinate(of.joint, of.coordinate) - due).abs() / due.abs().max(1.0);
                see(off, format!("driver '{}'", driver.name));
            }
        }
    }
    found
}

fn all() -> Vec<PathBuf> {
    let list = |folder: PathBuf| std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path());
    let single = list(models()).filter(|p| p.extension().is_some_and(|e| e == "toml"));
    let mut found: Vec<PathBuf> = single.chain(list(models().join("thesis")).filter(|p| p.is_dir())).collect();
    found.sort();
    found
}

#[test]
fn every_sample_of_every_shipped_model_closes() {
    let mut samples = 0;
    for path in all() {
        let options = Options { unphysical: true, ..Options::default() };
        let model = Document::read(&path, &options).and_then(|d| d.model(&options)).expect("a model");
        for formulation in ["absolute", "natural", "relative"] {
            let Ok(results) = run::run(&model, formulation, METHODS[0], |_, _| true) else {
                // Not every formulation tells forces.
                assert_ne!(formulation, "absolute", "{}", path.display());
                continue;
            };
            let table = Table::written(&results);
            let points = model
                .joints
                .iter()
                .flat_map(|j| [0, 1].map(|side| table.body(&model, j.bodies[side], 0).carries(&j.frames[side]).at));
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for p in points {
                for k in 0..3 {
                    (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
                }
            }
            let size = norm(minus(high, low));
            for k in 0..results.len() {
                let (gap, what) = worst(&model, &table, k, size, 0.0);
                let t = table.at("t", k);
                assert!(gap <= RESIDUAL, "{}, {formulation}, t = {t}: {what} is off by {gap:e}", path.display());
                samples += 1;
            }
            // A body on springs alone may be anywhere.
            if model.joints.iter().all(|joint| joint.is_free()) {
                continue;
            }
            // The arithmetic sees a shift that the bound must not pass.
            let (seen, _) = worst(&model, &table, 0, size, 1e-9 * size);
            assert!(seen > 10.0 * RESIDUAL, "{}: a shift of a billionth is not seen ({seen:e})", path.display());
        }
    }
    println!("{samples} samples");
    assert!(samples > 8_000, "only {samples} samples");
}
