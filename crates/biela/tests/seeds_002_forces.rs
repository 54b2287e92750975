//! Reactions and efforts of the spatial linkages CCCC and CSSP of the thesis on homogeneous matrices, over a full turn, against
//! independent figures.

mod common;

use biela::math::Vec3;
use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::kinematics;
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::*;
use common::record::{held, COMPUTED};

/// Newtons in a pound-force, metres in an inch.
const POUND: f64 = 4.4482216152605;
const INCH: f64 = 0.0254;
/// Agreement relative to a component's largest magnitude, or a thousandth of the largest force (moment) where it vanishes.
/// Both sides are good to about 1e-12; the condition of the balances is below 1e3.
const REACTION: f64 = 1e-10;

fn forces(model: &Model, analysis: Analysis, formulation: &str) -> Results {
    let mut model = model.clone();
    model.study.analysis = analysis;
    kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

/// Three components of a signal at a sample.
fn vector(results: &Results, signal: &str, axes: [&str; 3], k: usize) -> Vec3 {
    let [x, y, z] = axes.map(|axis| column(results, &format!("{signal}{axis}"))[k]);
    Vec3::new(x, y, z)
}

const F: [&str; 3] = ["fx", "fy", "fz"];
const M: [&str; 3] = ["mx", "my", "mz"];

/// The components of `v` after a turn of the axes about x.
fn about_x(v: Vec3, angle: f64) -> Vec3 {
    let (s, c) = angle.sin_cos();
    Vec3::new(v.x, c * v.y + s * v.z, -s * v.y + c * v.z)
}

/// The eighteen unknowns of CCCC at a sample, in the order of the figures, in SI.
fn cccc(results: &Results, k: usize) -> Vec<f64> {
    let part = |joint: &str, axes| vector(results, &format!("{joint}.local."), axes, k);
    let base8 = |v: Vec3| about_x(-v, (-225f64).to_radians());
    let pairs = [
        (part("in", F), part("in", M)),
        (part("pin", F), part("pin", M)),
        (base8(part("far", F)), base8(part("far", M))),
        (-part("out", F), -part("out", M)),
    ];
    let mut found: Vec<f64> = pairs.iter().flat_map(|(f, m)| [f.x, f.y, m.x, m.y]).collect();
    // A cylindrical joint carries nothing along its axis.
    let size = found.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for (f, m) in pairs {
        assert!(f.z.abs() <= 1e-11 * size && m.z.abs() <= 1e-11 * size, "sample {k}: {f:?} {m:?}");
    }
    found.extend(["hold.effort", "turn.effort"].map(|name| column(results, name)[k]));
    found
}

/// True for the moments among CCCC's unknowns.
fn cccc_is_moment(c: usize) -> bool {
    c == 17 || (c < 16 && c % 4 >= 2)
}

/// Holds rows of unknowns to rows of figures in pounds and inches.
fn agree(found: &[Vec<f64>], wanted: &[Vec<f64>], moment: impl Fn(usize) -> bool, what: &str) {
    assert_eq!(found.len(), wanted.len());
    let unit = |c: usize| if moment(c) { POUND * INCH } else { POUND };
    let largest = |c: usize| wanted.iter().fold(0.0f64, |m, row| m.max(row[c].abs())) * unit(c);
    let of_kind = |c: usize| (0..wanted[0].len()).filter(|k| moment(*k) == moment(c)).map(largest).fold(0.0, f64::max);
    for c in 0..wanted[0].len() {
        let scale = largest(c).max(1e-3 * of_kind(c));
        for (k, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            let off = (found[c] - wanted[c] * unit(c)).abs() / scale;
            let kind = if moment(c) { "moments" } else { "forces" };
            let wanted = wanted[c] * unit(c);
            held(
                COMPUTED,
                kind,
                REACTION,
                off,
                format_args!("{what}, unknown {c}, row {k}: {} where {wanted} is due", found[c]),
            );
        }
    }
}

fn rows(value: &serde_json::Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(|row| numbers(row)[1..].to_vec()).collect()
}

#[test]
fn cccc_full_turn_with_both_sets_of_inertias() {
    let figures = &reference("seeds_002_forces.json")["cccc"];
    for (name, key) in [("cccc", "physical_inertias"), ("cccc-printed", "printed_inertias")] {
        let model = load(name, &set(&[]));
        for formulation in ["absolute", "relative"] {
            let results = forces(&model, Analysis::InverseDynamics, formulation);
            let found: Vec<Vec<f64>> = (0..37).map(|k| cccc(&results, 10 * k)).collect();
            agree(&found, &rows(&figures[key]), cccc_is_moment, &format!("{key}, {formulation}"));
        }
    }
}

#[test]
fn cccc_at_rest_and_with_both_inputs_moving() {
    let figures = &reference("seeds_002_forces.json")["cccc"];
    let model = load("cccc", &set(&[]));
    for formulation in ["absolute", "relative"] {
        let results = forces(&model, Analysis::Statics, formulation);
        agree(&[cccc(&results, 0)], &[numbers(&figures["static"])], cccc_is_moment, "at rest");
    }
    let case = &figures["both_inputs_moving"];
    let number = |key: &str| case[key].as_f64().unwrap();
    let (angle, rate, accel) = (number("theta21_deg"), number("theta21d"), number("theta21dd"));
    let angle = format!("value = \"{angle} deg + {rate} rad/s * t + {accel} rad/s^2 * t^2/2\"");
    let (slide, rate, accel) = (number("z10"), number("z10d"), number("z10dd"));
    let slide = format!("value = \"{slide} in + {rate} in/s * t + {accel} in/s^2 * t^2/2\"");
    let mut model = altered("cccc", &[("value = \"speed*t\"", &angle), ("value = 0", &slide)]);
    (model.study.end, model.study.steps) = (1e-3, 1);
    let results = forces(&model, Analysis::InverseDynamics, "absolute");
    agree(&[cccc(&results, 0)], &[numbers(&case["reactions"])], cccc_is_moment, "both inputs moving");
}

#[test]
fn printed_inertias_are_refused_unless_allowed_and_then_warned_of() {
    let text = text("cccc-printed");
    let read = |text: String| {
        Document::from_toml(&Source::new("cccc-printed.toml", text)).unwrap().compile(&Options::default())
    };
    let (_, warnings) = read(text.clone()).unwrap();
    let of_inertia: Vec<&String> = warnings.iter().filter(|w| w.contains("inertia")).collect();
    assert_eq!(of_inertia.len(), 3, "{warnings:?}");
    for body in ["crank", "coupler", "rocker"] {
        assert!(of_inertia.iter().any(|w| w.contains(body)), "{body}: {warnings:?}");
    }
    let error = read(text.replace("unphysical = true\n", "")).unwrap_err().to_string();
    assert!(error.contains("unphysical = true") && error.contains("crank"), "{error}");
}

/// The unknowns of CSSP at a sample in the order of the figures, in SI; the moment of the universal joint comes last.
fn cssp(results: &Results, k: usize) -> Vec<f64> {
    let local = |joint: &str, axes| vector(results, &format!("{joint}.local."), axes, k);
    // Base 5 does not roll: x along the rod, y level.
    let end = |point: &str| vector(results, &format!("rod.{point}."), ["x", "y", "z"], k);
    let x5 = (end("C") - end("B")).unit().unwrap();
    let y5 = Vec3::Z.cross(x5).unit().unwrap();
    let z5 = x5.cross(y5);
    let (f41, m41) = (local("A", F), local("A", M));
    let f12 = vector(results, "B.", F, k);
    let f23 = local("C", F);
    let (f, m) = (local("guide", F), local("guide", M));
    let (f34, m34) = (-f, Vec3::new(-0.4 * INCH, 0.0, 0.0).cross(f) - m);
    let mut found = vec![f41.x, f41.y, m41.x, m41.y, f12.dot(x5), f12.dot(y5), f12.dot(z5), f23.x, f23.y, f23.z];
    found.extend([f34.x, f34.y, m34.x, m34.y, m34.z]);
    found.extend(["hold.effort", "turn.effort"].map(|name| column(results, name)[k]));
    let x4 = y5.cross(Vec3::Z).unit().unwrap();
    found.push(vector(results, "B.", M, k).dot(x4));
    found
}

fn cssp_is_moment(c: usize) -> bool {
    matches!(c, 2 | 3 | 12..=14 | 16 | 17)
}

#[test]
fn cssp_full_turn_with_universal_and_with_spherical_joint() {
    let figures = &reference("seeds_002_forces.json")["cssp"];
    let (old, new) = ("value = \"speed*t\"", "value = \"2 rad/s * t\"");
    let end = ("end   = \"2*pi/speed\"", "end = \"pi\"");
    let ball = "type   = \"spherical\"\nbodies = [\"crank\", \"rod\"]";
    let cross = "type   = \"universal\"\naxis = [0, 0, 1]\naxis2 = [\"-sin(108 deg)\", \"cos(108 deg)\", 0]\nbodies = [\"crank\", \"rod\"]";
    let spherical = altered("cssp", &[(old, new), end]);
    let universal = altered("cssp", &[(old, new), end, (ball, cross)]);
    for (model, key) in [(spherical, "spherical"), (universal, "universal")] {
        for formulation in ["absolute", "relative"] {
            let results = forces(&model, Analysis::InverseDynamics, formulation);
            let found: Vec<Vec<f64>> = (0..37).map(|k| cssp(&results, 10 * k)).collect();
            agree(&found, &rows(&figures[key]), cssp_is_moment, &format!("{key}, {formulation}"));
            // The rod is a body of revolution: nothing is left about its line.
            assert!(results.notes.iter().all(|n| n.0 != "warning"), "{:?}", results.notes);
        }
    }
}
