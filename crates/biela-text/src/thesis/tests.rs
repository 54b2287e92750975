//! The worked examples of the thesis against their closed forms, and one refusal for every rule.

use super::*;
use crate::nodes::probe::*;
use crate::tree::Table;
use biela_math::Rotation;
use std::path::Path;

/// Products of a few rotations of numbers of order one.
const ROUNDING: f64 = 1e-14;

fn example(name: &str) -> Imported {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/thesis").join(name);
    assert!(ThesisFiles::are_at(&folder));
    let by_folder = ThesisFiles::load(&folder).unwrap();
    let by_file = ThesisFiles::load(&folder.join("general.txt")).unwrap();
    assert_eq!(by_folder.q0.text, by_file.q0.text);
    read(&by_folder).unwrap()
}

fn vec3(v: &[f64]) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

/// Largest mismatch of points, axes and locked directions of the ordinary joints, with the bodies at `poses`.
fn mismatch(tree: &Table, poses: &[Pose]) -> f64 {
    let mut worst: f64 = 0.0;
    for joint in keys(tree, &["joints"]) {
        let bodies: Vec<Pose> = words(tree, &["joints", &joint, "bodies"])
            .iter()
            .map(|name| name.strip_prefix("body").map_or(Pose::IDENTITY, |k| poses[k.parse::<usize>().unwrap() - 1]))
            .collect();
        let points = [0, 1].map(|k: usize| bodies[k].apply(vec3(&flat(tree, &["joints", &joint, "at"])[3 * k..])));
        let gap = points[1] - points[0];
        let kind = words(tree, &["joints", &joint, "type"])[0].clone();
        if kind == "coordinate" {
            let along = &words(tree, &["joints", &joint, "along"])[0];
            worst = worst.max(if along == "x" { gap.x.abs() } else { gap.y.abs() });
            continue;
        }
        let drawn = |key: &str| {
            let v = flat(tree, &["joints", &joint, key]);
            [0, 1].map(|k: usize| bodies[k].rotation.apply(vec3(&v[3 * k..])).unit().unwrap())
        };
        let axis = drawn("axis");
        worst = worst.max((axis[0] - axis[1]).norm());
        if kind == "prismatic" {
            worst = worst.max((gap - axis[0] * gap.dot(axis[0])).norm());
            let x = drawn("x");
            worst = worst.max((x[0] - x[1]).norm());
        } else {
            worst = worst.max(gap.norm());
        }
    }
    worst
}

#[test]
fn the_slider_crank_closes_in_both_models_at_every_angle() {
    for name in ["slider-crank", "slider-crank-purged"] {
        let imported = example(name);
        assert_eq!(imported.warnings, Vec::<String>::new());
        for theta in [0.25, 1.0, 2.5, 4.0, 5.5_f64].map(|x| x + std::f64::consts::FRAC_PI_4) {
            // Closed form: crank 2, rod 3.5, piston on the x axis.
            let rod_angle = -(2.0 * theta.sin() / 3.5).asin();
            let piston = 2.0 * theta.cos() + 3.5 * rod_angle.cos();
            let about = |angle: f64| Rotation::about(Vec3::Z, angle);
            let middle = Vec3::new(0.5 * (2.0 * theta.cos() + piston), theta.sin(), 0.0);
            let poses = [
                Pose::IDENTITY,
                Pose::new(about(theta), Vec3::ZERO),
                Pose::new(about(rod_angle), middle),
                Pose::translation(Vec3::new(piston, 0.0, 0.0)),
            ];
            assert!(mismatch(&imported.tree, &poses) < ROUNDING, "{name} at {theta}");
            let mut wrong = poses;
            wrong[3].origin.y = 0.1;
            assert!(mismatch(&imported.tree, &wrong) > 0.09, "{name}: the check sees a fault");
        }
    }
}

#[test]
fn joints_and_drivers_have_the_names_and_types_of_the_tables() {
    let tree = example("slider-crank").tree;
    assert_eq!(keys(&tree, &["joints"]), ["RJ1", "RJ2", "RJ3", "TJ1"]);
    assert_eq!(words(&tree, &["joints", "TJ1", "type"]), ["prismatic"]);
    assert_eq!(words(&tree, &["joints", "RJ1", "bodies"]), ["ground", "body2"]);
    assert_eq!(words(&tree, &["drivers", "driver1", "joint"]), ["RJ1"]);
    assert_eq!(words(&tree, &["drivers", "driver1", "value"]), ["pi/4 + 2*pi*t"]);
    assert_near(&flat(&tree, &["run", "end"]), &[1.0], 0.0);
    assert_near(&flat(&tree, &["run", "steps"]), &[100.0], 0.0);
    let tree = example("slider-crank-purged").tree;
    assert_eq!(keys(&tree, &["joints"]), ["RJ1", "RJ2", "TJ1", "CD1", "CD2"]);
    assert_eq!(words(&tree, &["joints", "CD2", "along"]), ["y"]);
    assert_eq!(words(&tree, &["joints", "CD2", "bodies"]), ["body3", "body4"]);
}

#[test]
fn the_arm_closes_and_its_axes_agree_with_body_j() {
    let imported = example("arm-3r");
    let tree = imported.tree;
    // x and z span the plane in body i, so the normal of (x, z) is −y; the axis of body j is +y.
    assert_near(&flat(&tree, &["joints", "RJ3", "axis"]), &[0.0, 1.0, 0.0, 0.0, 1.0, 0.0], 0.0);
    for t in [0.0, 0.7, 2.0_f64] {
        // Closed form: base angle psi, links raised and lowered by alpha, tip at (1, 0.5 t, 4).
        let (rho, psi) = (1.0_f64.hypot(0.5 * t), (0.5 * t).atan2(1.0));
        let alpha = (rho / 4.0).acos();
        let turn = |pitch: f64| Rotation::about(Vec3::Z, psi) * Rotation::about(Vec3::Y, pitch);
        let poses = [
            Pose::IDENTITY,
            Pose::new(turn(0.0), Vec3::ZERO),
            Pose::new(turn(-alpha), Vec3::new(0.0, 0.0, 4.0)),
            Pose::new(turn(alpha), Vec3::new(1.0, 0.5 * t, 4.0)),
        ];
        assert!(mismatch(&tree, &poses) < ROUNDING, "t = {t}");
    }
    assert_eq!(keys(&tree, &["drivers"]), ["driver1", "driver2", "driver3"]);
    assert_eq!(words(&tree, &["drivers", "driver2", "point"]), ["body4.P1"]);
    assert_eq!(words(&tree, &["drivers", "driver2", "along"]), ["y"]);
    assert_eq!(words(&tree, &["drivers", "driver2", "value"]), ["0.5*t"]);
    assert_eq!(keys(&tree, &["bodies", "body4", "points"]), ["P1"]);
}

#[test]
fn euler_parameters_of_q0_are_scaled() {
    let tree = example("slider-crank").tree;
    // 0.9 and 0.4 over their length √0.97.
    let wanted = [0.9138115486202572, 0.0, 0.0, 0.4061384660534476];
    assert_near(&flat(&tree, &["bodies", "body2", "pose", "euler"]), &wanted, ROUNDING);
}

const GENERAL: &str = "nb 3 T 2 t 50";
const Q0: &str = "qo 0 0 0 1 0 0 0\n1 0 0 1 0 0 0\n2 0 0 1 0 0 0";

fn texts(general: &str, joints: &str, drivers: &str, q0: &str) -> ThesisFiles {
    ThesisFiles {
        general: Source::new("general.txt", general),
        joints: Source::new("joints.txt", joints),
        drivers: Source::new("drivers.txt", drivers),
        q0: Source::new("q0.txt", q0),
    }
}

/// Points x, y in body i; y, z in body j, all from the origin.
const POINTS: &str = "0 0 0 1 0 0 0 1 0  0 0 0 0 1 0 0 0 1";

fn joint(kind: &str, value: &str) -> Table {
    read(&texts(GENERAL, &format!("{kind} 2 3 {POINTS} {value}"), "", Q0)).unwrap().tree
}

#[test]
fn every_type_has_its_model_joint() {
    for (kind, value, names) in [
        ("DP1", "0.5", vec![("DP11", "dot1")]),
        ("dp2", "0.5", vec![("DP21", "dot2")]),
        ("D", "1", vec![("D1", "distance")]),
        ("CD(k)", "2", vec![("CD1", "coordinate")]),
        ("CD (k)", "2", vec![("CD1", "coordinate")]),
        ("CDz", "2", vec![("CD1", "coordinate")]),
        ("P1", "0", vec![("P11a", "perpendicular1"), ("P11b", "perpendicular1")]),
        ("P2", "0", vec![("P21a", "perpendicular2"), ("P21b", "perpendicular2")]),
        ("SJ", "0", vec![("SJ1", "spherical")]),
        ("UJ", "0", vec![("UJ1", "universal")]),
        ("CJ", "0", vec![("CJ1", "cylindrical")]),
        ("RJ", "", vec![("RJ1", "revolute")]),
        ("2", "0", vec![("RJ1", "revolute")]),
        ("TJ", "0", vec![("TJ1", "prismatic")]),
    ] {
        let tree = joint(kind, value);
        let found: Vec<(String, String)> = keys(&tree, &["joints"])
            .into_iter()
            .map(|name| (name.clone(), words(&tree, &["joints", &name, "type"])[0].clone()))
            .collect();
        let wanted: Vec<(String, String)> = names.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        assert_eq!(found, wanted);
    }
    assert_near(&flat(&joint("DP1", "0.5"), &["joints", "DP11", "a"]), &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], 0.0);
    assert_near(&flat(&joint("D", "1.5"), &["joints", "D1", "length"]), &[1.5], 0.0);
    assert_eq!(words(&joint("CDz", "2"), &["joints", "CD1", "along"]), ["z"]);
}

#[test]
fn a_translational_joint_keeps_the_product_of_its_vectors() {
    // a_i = x, a_j = x in bodies drawn parallel, axis z in both: a_i · a_j = 0.5 is a turn of 60 degrees.
    let row = "TJ 2 3  0 0 0 1 0 0 0 1 0   0 0 0 0 0 1 1 0 0   0.5";
    let tree = read(&texts(GENERAL, row, "", Q0)).unwrap().tree;
    let x = flat(&tree, &["joints", "TJ1", "x"]);
    let cosine = x[0] * x[3] + x[1] * x[4] + x[2] * x[5];
    assert_near(&[cosine], &[0.5], ROUNDING);
    assert_near(&flat(&tree, &["joints", "TJ1", "axis"]), &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], 0.0);
}

#[test]
fn drivers_of_every_kind() {
    let revolute = "RJ 2 3  0 0 0 1 0 0 0 1 0   0 0 0 0 0 1 1 0 0   0";
    let driver = |row: &str| read(&texts(GENERAL, revolute, row, Q0)).unwrap().tree;
    let tree = driver(&format!("DP1 2 3 {POINTS} 'cos(2*t)'"));
    assert_eq!(words(&tree, &["joints", "driver1", "value"]), ["cos(2*t)"]);
    let tree = driver("1 2 3  0 0 0 1 0 0  0 0 0 0 1 0  \"cos(2*t)\"");
    assert_near(&flat(&tree, &["joints", "driver1", "a"]), &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], 0.0);
    let tree = driver(&format!("2 2 3 {POINTS} 1+t"));
    assert_eq!(words(&tree, &["joints", "driver1", "length"]), ["1+t"]);
    let tree = driver(&format!("ANGLE 3 2 {POINTS} 1+t"));
    assert_eq!(words(&tree, &["drivers", "driver1", "value"]), ["-(1+t)"]);
    let tree = driver("CDy 1 3  0 0.5 0 1 0 0  0 0 2 1 0 0  t");
    assert_eq!(words(&tree, &["drivers", "driver1", "value"]), ["(t) + (0.5)"]);
    assert_near(&flat(&tree, &["bodies", "body3", "points", "P1"]), &[0.0, 0.0, 2.0], 0.0);
}

#[track_caller]
fn refused(files: ThesisFiles, message: &str, place: &str) {
    let said = read(&files).expect_err("must be refused").to_string();
    assert!(said.contains(message), "wanted '{message}', found\n{said}");
    assert!(said.contains(place), "wanted place {place}, found\n{said}");
}

#[test]
fn faults_are_refused_with_their_place() {
    let q0 = |text: &str| texts(GENERAL, "", "", text);
    refused(q0("q0 0 0 0 1 0 0 0"), "q0 needs 21 numbers, 7 for each of 3 bodies, found 7", "q0.txt:1");
    refused(q0(&Q0.replace("1 0 0 1 0", "1 0 0 0 0")), "Euler parameters have length 1", "q0.txt:2");
    refused(q0(&Q0.replace("qo 0", "qo 1")), "body 1 is the frame", "q0.txt:1");
    refused(q0(&Q0.replace("2 0 0", "2,5 0 0")), "write decimals with a point", "q0.txt:3");
    let general = |text: &str| texts(text, "", "", Q0);
    refused(general("3 1"), "3 numbers are needed, found 2", "general.txt:1");
    refused(general("3.5 1 10"), "'3.5' is not a whole number", "general.txt:1");
    refused(general("nb 3 T 1 dt 10"), "'t' is missing", "general.txt:1");
    refused(general("3\n-1\n10"), "must be greater than zero", "general.txt:2");
    refused(general("1e300 1 10"), "not a whole number", "general.txt:1");
    let joints = |row: &str| texts(GENERAL, row, "", Q0);
    refused(joints(&format!("\nXJ 2 3 {POINTS} 0")), "did you mean", "joints.txt:2");
    refused(joints(&format!("7 2 3 {POINTS} 0")), "2 = RJ", "joints.txt:1");
    refused(joints(&format!("RJ 2 4 {POINTS} 0")), "no body 4: bodies are 1 (the frame) to 3", "joints.txt:1");
    refused(joints(&format!("RJ 2 2 {POINTS} 0")), "the same", "joints.txt:1");
    refused(joints("RJ 2 3 0 0 0"), "22 columns, found 6", "joints.txt:1");
    refused(joints(&format!("RJ 2 3 {POINTS} 5")), "has no value", "joints.txt:1");
    refused(joints(&format!("D 2 3 {POINTS} 0")), "greater than zero", "joints.txt:1");
    refused(joints("RJ 2 3  0 0 0 1 0 0 2 0 0  0 0 0 0 1 0 0 0 1 0"), "span no plane", "joints.txt:1");
    refused(joints("DP1 2 3  0 0 0 0 0 0 2 0 0  0 0 0 0 1 0 0 0 1 0"), "P and Q coincide", "joints.txt:1");
    refused(joints("TJ 2 3  0 0 0 1 0 0 0 1 0  0 0 0 0 0 1 1 0 0 7"), "cannot be 7", "joints.txt:1");
    let drivers = |row: &str| texts(GENERAL, "", row, Q0);
    refused(drivers(&format!("DP1 2 3 {POINTS}")), "the motion law is missing", "drivers.txt:1");
    refused(drivers(&format!("RJ 2 3 {POINTS} t")), "no joint with an angle between bodies 2 and 3", "drivers.txt:1");
    refused(drivers(&format!("SJ 2 3 {POINTS} t")), "cannot be a driver", "drivers.txt:1");
    refused(drivers(&format!("DP1 2 3 {POINTS} \"t")), "not closed", "drivers.txt:1");
}

#[test]
fn a_missing_file_is_named() {
    let error = ThesisFiles::load(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err().to_string();
    assert!(error.contains("general.txt or datos_generales.txt"), "{error}");
}
