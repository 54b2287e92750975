//! Positions of neighbouring designs against the closed form of a slider-crank, in every formulation.

use biela::model::Model;
use biela::results::Results;
use biela::solve::design_sensitivity::{is_position, positions, Neighbour};
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::system::FORMULATIONS;
use biela::text::{Document, Options};

const MODEL: &str = r#"
[parameters]
crank = 1
rod = 2.5
lift = 0.3
[bodies.crank]
points = { B = ["crank", 0, 0] }
pose = { angle = "0.4", axis = [0, 0, 1] }
[bodies.rod]
points = { C = ["rod", 0, 0], M = ["rod/2", "lift", 0] }
pose = { at = ["crank*cos(0.4)", "crank*sin(0.4)", 0], angle = "-0.15", axis = [0, 0, 1] }
[bodies.piston]
points = { C = [0, 0, 0] }
pose = { at = ["crank + rod", 0, 0] }
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.B]
type = "revolute"
bodies = ["crank", "rod"]
at = ["B", [0, 0, 0]]
axis = [0, 0, 1]
[joints.C]
type = "revolute"
bodies = ["rod", "piston"]
at = ["C", "C"]
axis = [0, 0, 1]
[joints.guide]
type = "prismatic"
bodies = ["ground", "piston"]
at = [[0, 0, 0], "C"]
axis = [1, 0, 0]
[drivers.motor]
joint = "O"
value = "0.4 + t"
[run]
end = 7
"#;

/// x of the piston and position of M in closed form.
fn closed(crank: f64, rod: f64, lift: f64, t: f64) -> [f64; 3] {
    let (s, c) = (0.4 + t).sin_cos();
    let phi = (-crank * s / rod).asin();
    let (half, up) = (0.5 * rod, lift);
    [
        crank * c + rod * phi.cos(),
        crank * c + half * phi.cos() - up * phi.sin(),
        crank * s + half * phi.sin() + up * phi.cos(),
    ]
}

#[test]
fn derivatives_are_those_of_the_closed_form() {
    /// A step of 1e-5 leaves δ² and rounding over δ.
    const TOLERANCE: f64 = 2e-9;
    const STEP: f64 = 1e-5;
    let document = Document::from_toml(&Source::new("m.toml", MODEL)).unwrap();
    let base = [1.0, 2.5, 0.3];
    let names = ["crank", "rod", "lift"];
    let model = |values: &[f64; 3]| {
        let values = names.iter().zip(values).map(|(n, x)| (n.to_string(), *x)).collect();
        document.model(&Options { values, ..Options::default() }).unwrap()
    };
    let moved = |k: usize, by: f64| {
        let mut values = base;
        values[k] += by;
        values
    };
    let here = model(&base);
    let others: Vec<Model> = (0..3).flat_map(|k| [moved(k, STEP), moved(k, -STEP)]).map(|v| model(&v)).collect();
    let mut neighbours: Vec<Neighbour> = others.iter().map(|m| Neighbour { model: m, later: 0.0 }).collect();
    neighbours.extend([STEP, -STEP].map(|later| Neighbour { model: &here, later }));
    let times = [0.0, 0.37, 1.9, 3.3, 6.6];
    for formulation in FORMULATIONS {
        let (at, near) = positions(&here, &neighbours, formulation.keyword, METHODS[0], &times).unwrap();
        for (row, t) in times.into_iter().enumerate() {
            let value = |results: &Results, k: usize| {
                let name = ["piston.x", "rod.M.x", "rod.M.y"][k];
                results.columns.iter().find(|c| c.name == name).unwrap().data[row]
            };
            for k in 0..3 {
                let due = closed(base[0], base[1], base[2], t)[k];
                assert!((value(&at, k) - due).abs() < 1e-12, "{} {k}", formulation.keyword);
                for p in 0..4 {
                    let found = (value(&near[2 * p], k) - value(&near[2 * p + 1], k)) / (2.0 * STEP);
                    // A difference of the closed form by a step of its own is as good.
                    let step = 1e-4;
                    let at = |by: f64| match p {
                        3 => closed(base[0], base[1], base[2], t + by)[k],
                        _ => closed(moved(p, by)[0], moved(p, by)[1], moved(p, by)[2], t)[k],
                    };
                    let due = (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
                    let keyword = formulation.keyword;
                    assert!((found - due).abs() < TOLERANCE, "{keyword} t {t} signal {k} by {p}: {found} {due}");
                }
            }
        }
    }
}

#[test]
fn positions_are_told_from_rates_and_forces() {
    let model = Document::from_toml(&Source::new("m.toml", MODEL)).unwrap().model(&Options::default()).unwrap();
    for name in ["t", "piston.x", "rod.M.z", "rod.e3", "O.angle", "guide.slide"] {
        assert!(is_position(&model, name), "{name}");
    }
    for name in ["piston.vx", "rod.M.ay", "O.angle.rate", "B.fx", "motor.effort", "residual", "energy.total"] {
        assert!(!is_position(&model, name), "{name}");
    }
}
