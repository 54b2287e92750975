//! What statements and functions of Adams decks mean where it is easily misread: who sees a velocity, whose axes a force has, which way shafts point.

mod common;

use biela::math::{EulerParameters, Rotation, Vec3};
use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run::{formulation_of, run};
use biela::source::Source;
use biela::text::{adams, Document, Options};
use common::record::{held, CLOSED, KEPT};
use common::{column, difference};
use std::path::Path;

/// Tolerance 1e-8 of the integration, over a second.
const INTEGRATED: f64 = 1e-7;
/// Positions are solved to 1e-12 of the mechanism's size.
const SOLVED: f64 = 1e-10;

fn load(text: &str) -> (Model, Vec<String>) {
    let read = adams::read(&Source::new("test.adm", text), false).unwrap_or_else(|e| panic!("{e}"));
    let document = Document::from_tree(read.tree, read.warnings);
    document.compile(&Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn deck(file: &str) -> String {
    let path = Path::new("tests/data/adams").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn moved(text: &str, analysis: Analysis) -> Results {
    let (mut model, told) = load(text);
    assert!(told.is_empty(), "{told:?}");
    model.study.analysis = analysis;
    (model.study.end, model.study.steps, model.study.every) = (1.0, 20, true);
    run(&model, formulation_of(&model), METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{e}"))
}

fn last(results: &Results, name: &str) -> f64 {
    *column(results, name).last().expect("samples")
}

fn vector(results: &Results, of: &str, leaves: [&str; 3], k: usize) -> Vec3 {
    Vec3::from(leaves.map(|leaf| column(results, &format!("{of}.{leaf}"))[k]))
}

/// Both z axes point away from the joint, as the manual asks; shafts bent by 37 degrees turn as one.
#[test]
fn shafts_of_a_constant_velocity_joint_turn_as_one() {
    let results = moved(&deck("convel.adm"), Analysis::Kinematics);
    let back: Vec<f64> = column(&results, "JOINT_2.angle").iter().map(|b| -b).collect();
    let off = difference(column(&results, "JOINT_1.angle"), &back);
    assert!((last(&results, "JOINT_1.angle") - 3.0).abs() < SOLVED);
    held(CLOSED, "angles of a bent constant-velocity joint", SOLVED, off, format_args!("{off:e}"));
}

/// VY(i, j, j) is seen from the ground, so that a slot's own turning counts; VY(i, j, j, j) is seen from the slot, where nothing moves sideways.
#[test]
fn a_velocity_is_that_which_its_observer_sees() {
    let results = moved(&deck("observer.adm"), Analysis::Dynamics);
    // 2 kg at r in a slot that turns by 3 rad/s, pulled by 0.7·3r: r'' = (9 - 1.05) r.
    let rate = (9.0_f64 - 0.7 * 3.0 / 2.0).sqrt();
    let due: Vec<f64> = results.times().iter().map(|t| 0.5 * (rate * t).cosh()).collect();
    let off = difference(column(&results, "JOINT_2.slide"), &due);
    held(CLOSED, "slide pulled by what VY sees", INTEGRATED, off, format_args!("{off:e}"));
}

/// A ball in space, braked about its own axes by WX, WY, WZ: its angular velocity keeps its direction and dies out; its centre stays where it is.
#[test]
fn rates_of_turning_are_those_about_any_axes() {
    let results = moved(&deck("spin.adm"), Analysis::Dynamics);
    let turned = |a: f64, b: f64, c: f64| {
        Rotation::about(Vec3::Z, a) * Rotation::about(Vec3::X, b) * Rotation::about(Vec3::Z, c)
    };
    let first = turned(0.3, 0.4, 0.5).apply(Vec3::new(1.0, 2.0, 3.0));
    for (k, t) in results.times().to_vec().into_iter().enumerate() {
        let off = (vector(&results, "PART_2", ["wx", "wy", "wz"], k) - first * (-0.25 * t).exp()).norm();
        held(CLOSED, "ball braked by its rates of turning", INTEGRATED, off, format_args!("{off:e}"));
        assert!(vector(&results, "PART_2", ["x", "y", "z"], k).norm() < SOLVED);
    }
}

/// Forces and torques in axes of the ground, of a third part and of the one that bears the reaction: momentum and angular momentum of both stay.
#[test]
fn what_two_parts_exert_on_each_other_moves_neither_both() {
    let results = moved(&deck("pair.adm"), Analysis::Dynamics);
    let both = |k: usize| {
        let (mut p, mut l) = (Vec3::ZERO, Vec3::ZERO);
        for (body, mass) in [("PART_2", 1.0), ("PART_3", 2.0)] {
            let of = |leaves: [&str; 3]| vector(&results, body, leaves, k);
            let v = of(["vx", "vy", "vz"]) * mass;
            let e = ["e0", "e1", "e2", "e3"].map(|leaf| column(&results, &format!("{body}.{leaf}"))[k]);
            let turned = EulerParameters(e).rotation();
            let w = turned.apply_transposed(of(["wx", "wy", "wz"]));
            p += v;
            l += of(["x", "y", "z"]).cross(v) + turned.apply(Vec3::new(w.x, 1.5 * w.y, 2.0 * w.z));
        }
        (p, l)
    };
    let (p, l) = both(0);
    assert!(last(&results, "PART_3.vy") < -0.5);
    for k in 1..results.times().len() {
        let off = (both(k).0 - p).norm().max((both(k).1 - l).norm());
        held(KEPT, "momenta of two parts with forces in any axes", INTEGRATED, off, format_args!("{off:e}"));
    }
}

/// A cantilever under a force across, one along its other axis and a moment, with shear: P L³/3EI + P L k/GA, M L²/2EI, and their slopes.
#[test]
fn a_beam_bends_and_shears() {
    let results = moved(&deck("beam.adm"), Analysis::Dynamics);
    let (e, g, l, area, iyy, izz) = (2.1e11, 8e10, 0.5_f64, 1e-4, 1e-9, 1.5e-9);
    let (fy, fz, m) = (-3.0, 2.0, 0.15);
    let y = fy * (l.powi(3) / (3.0 * e * izz) + 1.1 * l / (g * area)) + m * l * l / (2.0 * e * izz);
    let z = fz * (l.powi(3) / (3.0 * e * iyy) + 1.2 * l / (g * area));
    let due = [
        ("PART_2.y", y),
        ("PART_2.z", z),
        ("BEAM_1.angle_y", -fz * l * l / (2.0 * e * iyy)),
        ("BEAM_1.angle_z", fy * l * l / (2.0 * e * izz) + m * l / (e * izz)),
    ];
    // What is left of the vibration after a second of strong damping, and angles of 1e-3 rad that are not all small.
    const SETTLED: f64 = 1e-5;
    for (name, due) in due {
        let off = (last(&results, name) / due - 1.0).abs();
        held(CLOSED, "tip of a BEAM", SETTLED, off, format_args!("{name}: {off:e}"));
    }
}

/// A FIELD of the same matrix, by columns, with its length and a preload in place of one of the forces, is the same beam.
#[test]
fn a_field_of_a_beams_matrix_is_the_beam() {
    let beam = deck("beam.adm");
    let (e, g, l, area, ixx, iyy, izz) = (2.1e5, 8e4, 500.0_f64, 100.0, 2000.0, 1000.0, 1500.0);
    let (py, pz) = (12.0 * e * izz * 1.1 / (g * area * l * l), 12.0 * e * iyy * 1.2 / (g * area * l * l));
    let mut k = [[0.0; 6]; 6];
    (k[0][0], k[3][3]) = (e * area / l, g * ixx / l);
    (k[1][1], k[2][2]) = (12.0 * e * izz / (l.powi(3) * (1.0 + py)), 12.0 * e * iyy / (l.powi(3) * (1.0 + pz)));
    (k[4][4], k[5][5]) = ((4.0 + pz) * e * iyy / (l * (1.0 + pz)), (4.0 + py) * e * izz / (l * (1.0 + py)));
    (k[1][5], k[2][4]) = (-6.0 * e * izz / (l * l * (1.0 + py)), 6.0 * e * iyy / (l * l * (1.0 + pz)));
    (k[5][1], k[4][2]) = (k[1][5], k[2][4]);
    let columns: Vec<String> =
        (0..6).map(|c| (0..6).map(|r| format!("{:?}", k[r][c])).collect::<Vec<_>>().join(",")).collect();
    let field = format!(
        "FIELD/1,I=20,J=1,CRATIO=0.01,LENGTH=500,0,0,0,0,0\n,FORCE=0,0,2,0,0,0,\n,KMATRIX={}\n",
        columns.join("\n,")
    );
    let at = beam.find("BEAM/1").expect("a beam");
    let end = at + beam[at..].find("SFORCE/1").expect("a force");
    let text = format!("{}{field}{}", &beam[..at], &beam[end..]).replace("J=3,FUNCTION=2\n", "J=3,FUNCTION=0\n");
    let (a, b) = (moved(&beam, Analysis::Dynamics), moved(&text, Analysis::Dynamics));
    for name in ["PART_2.y", "PART_2.z", "PART_2.wz"] {
        assert!(difference(column(&a, name), column(&b, name)) < INTEGRATED * 1e-3, "{name}");
    }
}

/// Six motions between two markers: X, Y, Z along the axes of J, and B1, B2, B3 about axes x, y, z that turn with the body.
#[test]
fn motions_between_markers_give_a_whole_pose() {
    let results = moved(&deck("attitude.adm"), Analysis::Kinematics);
    let frame = Rotation::about(Vec3::Z, 0.2) * Rotation::about(Vec3::X, 0.5) * Rotation::about(Vec3::Z, 0.1);
    for (k, t) in results.times().to_vec().into_iter().enumerate() {
        let turned = Rotation::about(Vec3::X, 0.5 * t)
            * Rotation::about(Vec3::Y, 0.3 * (2.0 * t).sin())
            * Rotation::about(Vec3::Z, -t);
        let e = ["e0", "e1", "e2", "e3"].map(|leaf| column(&results, &format!("PART_2.{leaf}"))[k]);
        let found = EulerParameters(e).rotation();
        let due = frame * turned;
        let off = (0..3).map(|c| (found.axes[c] - due.axes[c]).norm()).fold(0.0, f64::max);
        held(CLOSED, "attitude by B1, B2, B3", SOLVED, off, format_args!("{off:e}"));
        let place = Vec3::new(1.0, 2.0, 3.0) + frame.apply(Vec3::new(t, 0.0, t.sin()));
        let off = (vector(&results, "PART_2", ["x", "y", "z"], k) - place).norm();
        held(CLOSED, "place by X, Y, Z", SOLVED, off, format_args!("{off:e}"));
    }
}

/// A four-bar that is a parallelogram at the start: cranks turn as one, the coupler does not. The nearest to 1, 1.05 rad/s and -0.5 m/s is
/// (1 + 1.05 + 0.5·0.5)/(1 + 1 + 0.25).
#[test]
fn velocities_of_a_deck_that_do_not_fit_give_way_and_are_told() {
    let results = moved(&deck("start.adm"), Analysis::Dynamics);
    let w = column(&results, "PART_2.wz")[0];
    assert!((w - 2.3 / 2.25).abs() < SOLVED, "{w}");
    assert!(column(&results, "PART_3.wz")[0].abs() < SOLVED);
    let told = results.notes.iter().filter(|n| n.0 == "warning").map(|n| n.1.as_str()).collect::<Vec<_>>().join("\n");
    assert!(told.contains("PART_4.wz = 1.05 became 1.02222"), "{told}");
}

#[test]
fn a_function_ends_at_a_backslash_and_arrays_hold_constants() {
    let text = "t\nPART/1,GROUND\nMARKER/1\nPART/2,MASS=1,CM=2,IP=1,1,1\nMARKER/2\nJOINT/1,REV,I=2,J=1\nARRAY/3,IC,SIZE=2\n,NUMBERS=7,\n,0.25\nMOTION/1,JOINT=1,FUNC=ARYVAL(3,2)*TIME\\, VEL\n, ICDISP=1\nEND";
    let results = moved(text, Analysis::Kinematics);
    assert!((last(&results, "JOINT_1.angle") - 1.125).abs() < SOLVED);
}

/// An arm that turns by 0.5 + t²: what its requests tell is known. One measure alone is told in SI, an expression in units of the deck.
#[test]
fn requests_are_signals() {
    let (mut model, told) = load(&deck("requests.adm"));
    for line in ["the function PITCH is not read", "the function JOINT", "of a program's own"] {
        assert!(told.iter().any(|t| t.contains(line)), "{line}: {told:?}");
    }
    assert_eq!(told.len(), 3, "{told:?}");
    model.study.analysis = Analysis::InverseDynamics;
    (model.study.end, model.study.steps, model.study.every) = (1.0, 20, true);
    let results = run(&model, formulation_of(&model), METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{e}"));
    let (mass, arm, tip, g) = (2.0, 0.2, 0.3, 9.80665);
    for (k, t) in results.times().to_vec().into_iter().enumerate() {
        let (angle, rate, second): (f64, f64, f64) = (0.5 + t * t, 2.0 * t, 2.0);
        let (x, y) = (Vec3::new(angle.cos(), angle.sin(), 0.0), Vec3::new(-angle.sin(), angle.cos(), 0.0));
        let place = Vec3::new(0.1, 0.0, -0.05) + x * tip;
        let tilted = Rotation::about(Vec3::Z, 30_f64.to_radians());
        let seen = tilted.apply_transposed(place);
        let force = (y * (second * arm) - x * (rate * rate * arm) + Vec3::Y * g) * mass;
        let own = Rotation::about(Vec3::Z, angle + 20_f64.to_radians());
        let due = [
            ("REQUEST_1_DM", place.norm()),
            ("REQUEST_1_DX", seen.x),
            ("REQUEST_1_DY", seen.y),
            ("REQUEST_1_DZ", seen.z),
            ("REQUEST_1_THETA", 0.0),
            ("REQUEST_2_VM", tip * rate),
            ("REQUEST_2_VX", y.x * tip * rate),
            ("REQUEST_2_WZ", rate),
            ("REQUEST_3_ACCM", tip * (second * second + rate.powi(4)).sqrt()),
            ("REQUEST_3_WDTZ", second),
            ("REQUEST_4_FM", force.norm()),
            ("REQUEST_4_FX", force.x),
            ("REQUEST_4_FY", force.y),
            ("REQUEST_4_TZ", (0.005 + mass * arm * arm) * second + mass * g * arm * x.x),
            ("tip_deep", own.apply_transposed(place).x),
            ("tip_F3", -47.0),
            ("tip_F4", angle + 20_f64.to_radians()),
            ("tip_F5", 0.0),
            ("tip_F6", 600.0 * x.x),
            ("MEA_V7", 600.0 * x.x),
            ("REQUEST_9_F2", 2.0 * t),
            ("REQUEST_9_F3", 5.0),
            ("REQUEST_9_F4", t),
            ("REQUEST_9_F5", tip * x.x),
        ];
        for (name, due) in due {
            let off = (column(&results, name)[k] - due).abs() / due.abs().max(1.0);
            held(CLOSED, "requests of an Adams deck", SOLVED, off, format_args!("{name} at {t}: {off:e}"));
        }
    }
    let units = ["REQUEST_1_DX", "REQUEST_2_VM", "REQUEST_4_TZ", "tip_F3"].map(|name| unit(&results, name));
    assert_eq!(units, ["m", "m/s", "N*m", "1"]);
}

fn unit(results: &Results, name: &str) -> String {
    let k = results.columns.iter().position(|c| c.name == name).unwrap_or_else(|| panic!("no column '{name}'"));
    results.columns[k].unit.to_string()
}

/// A rack on the other side of its pinion goes the other way; both fall as one does.
#[test]
fn a_rack_rolls_on_the_side_where_it_lies() {
    let before = deck("rack.adm");
    let behind = before.replace("QP=-0.08,0", "QP=0.08,0");
    let [before, behind] = [before, behind].map(|text| {
        let (mut model, told) = load(&text);
        assert_eq!(told.is_empty(), text.contains("QP=-0.08,0"), "{told:?}");
        model.study.analysis = Analysis::Dynamics;
        run(&model, formulation_of(&model), METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{e}"))
    });
    assert!((last(&before, "PART_3.z") - last(&behind, "PART_3.z")).abs() < INTEGRATED);
    assert!((last(&before, "PART_2.wy") + last(&behind, "PART_2.wy")).abs() < INTEGRATED * 100.0);
    assert!(last(&before, "PART_2.wy") < -1.0);
}

/// Exponents of Fortran, a statement without a slash, and units by their consistency alone: a force counts a thousand times.
#[test]
fn numbers_and_statements_of_older_programs_are_read() {
    let text =
        "t\nUNITS/UCF=1000\nPART/1, GROUND\nPART/2, MASS=2.5D-01, CM=3, IP=1.0D+02, 2d2, 250.\nMARKER/3\nMARKER/4\n\
                MARKER/5,PART=1\nACCGRAV\n, KGRAV=-9.8\nSFORCE/1, I=4, J=5, TRANS, ACTIONONLY, FUNC=30D+2\nEND";
    let results = moved(text, Analysis::Dynamics);
    // In a function a D means degrees; in values it is an exponent where digits follow.
    let due = -9.8 + 1000.0 * (std::f64::consts::PI / 6.0 + 2.0) / 0.25;
    assert!((last(&results, "PART_2.az") / due - 1.0).abs() < SOLVED);
}
