//! Natural coordinates against absolute ones: the same mechanisms, every signal.
#![allow(non_snake_case)]

mod common;

use biela::couplings::CoordinateRef;
use biela::drivers::{Attitude, Driver, Target};
use biela::expr::{Expression, Name};
use biela::joints::{self, Joint};
use biela::math::{Pose, Rotation, Vec3};
use biela::model::{Body, Model};
use biela::motion::Motion;
use biela::results::Column;
use biela::solve::{kinematics, mobility};
use biela::system::{System, Workspace};
use common::{body, joint, model, Stream};

/// Differences relative to each signal's greatest magnitude. Positions are solved to 1e-12 of the size; rates and
/// accelerations each multiply that by the condition of Φ_v, of order 10 to 1000 in these mechanisms.
const POSITION: f64 = 1e-9;
const VELOCITY: f64 = 1e-8;
const ACCELERATION: f64 = 1e-7;

/// A mechanism drawn in ground coordinates; each body's own frame stands anywhere.
struct Sketch {
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    drivers: Vec<Driver>,
    stream: Stream,
}

impl Sketch {
    /// Bodies of these names, each with a point to be reported.
    fn new(names: &[&str], seed: u64) -> Sketch {
        let mut stream = Stream(seed);
        let mut bodies: Vec<Body> = names.iter().map(|name| body(name, stream.pose())).collect();
        for body in &mut bodies {
            body.points.push(("tip".into(), stream.vector()));
        }
        Sketch { bodies, joints: Vec::new(), drivers: Vec::new(), stream }
    }

    fn pose(&self, index: usize) -> Pose {
        if index == 0 {
            Pose::IDENTITY
        } else {
            self.bodies[index - 1].X_WB
        }
    }

    /// A joint at a drawn point, with its z axis and x axis as drawn.
    fn joint(&mut self, kind: &str, bodies: [usize; 2], at: [f64; 3], z: [f64; 3], x: [f64; 3]) -> usize {
        let vector = |a: [f64; 3]| Vec3::new(a[0], a[1], a[2]);
        let drawn = Pose::new(Rotation::from_z_x(vector(z), vector(x)).unwrap(), vector(at));
        let frames = bodies.map(|b| self.pose(b).inverse() * drawn);
        let name = format!("j{}", self.joints.len());
        self.joints.push(joint(&name, joints::kind(kind).unwrap(), bodies, frames));
        self.joints.len() - 1
    }

    fn drive(&mut self, joint: usize, coordinate: usize, value: &str) {
        let target = Target::Coordinate { of: CoordinateRef { joint, coordinate }, value: motion(value) };
        self.drivers.push(Driver { name: format!("d{}", self.drivers.len()), target, effort: Vec::new(), span: None });
    }

    fn model(self, end: f64, steps: usize) -> Model {
        let mut made = model(self.bodies, self.joints);
        made.drivers = self.drivers.into();
        made.study.end = end;
        made.study.steps = steps;
        made
    }
}

fn motion(text: &str) -> Motion {
    Motion::Expression(Expression::parse(text, &[("t", Name::Variable(0))]).unwrap())
}

/// Largest differences in position, velocity and acceleration, each relative to its signal's greatest magnitude.
fn differences(model: &Model) -> [(f64, String); 3] {
    let run = |formulation: &str| {
        kinematics::run(model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
    };
    let (absolute, natural) = (run("absolute"), run("natural"));
    let largest = |c: &Column| c.data.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let mut worst = [(0.0, String::new()), (0.0, String::new()), (0.0, String::new())];
    for (a, b) in absolute.columns.iter().zip(&natural.columns) {
        assert_eq!(a.name, b.name);
        if a.name == "residual" {
            continue;
        }
        let level = if a.unit.ends_with("s^2") { 2 } else { usize::from(a.unit.ends_with("/s")) };
        // A signal that stays at zero but for rounding has no magnitude of its own; its kind has.
        let kin = absolute.columns.iter().filter(|c| c.unit == a.unit).map(largest).fold(0.0, f64::max);
        let magnitude = largest(a).max(1e-3 * kin).max(f64::MIN_POSITIVE);
        for (x, y) in a.data.iter().zip(&b.data) {
            let difference = (x - y).abs() / magnitude;
            if difference.is_nan() || difference > worst[level].0 {
                worst[level] = (difference, a.name.clone());
            }
        }
    }
    worst
}

fn assert_same(name: &str, model: &Model) {
    let worst = differences(model);
    println!("{name}: {:.1e} {:.1e} {:.1e}", worst[0].0, worst[1].0, worst[2].0);
    for ((difference, signal), tolerance) in worst.iter().zip([POSITION, VELOCITY, ACCELERATION]) {
        assert!(*difference <= tolerance, "{name}: {signal} differs by {difference:e}");
    }
}

/// Coordinates, equations, freedoms and redundant rows in the drawing, drivers left out.
fn counts(model: &Model) -> [usize; 4] {
    let model = model.released();
    let system = System::new(&model, "natural").unwrap();
    let mut ws = Workspace::new(&system);
    let mut q = vec![0.0; system.formulation.nq()];
    let poses: Vec<Pose> = model.bodies.iter().map(|b| b.X_WB).collect();
    system.formulation.coordinates(&poses, &mut q);
    ws.realize_position(&system, 0.0, &q);
    let mobility = mobility::count(&system, &mut ws, 0.0);
    [system.formulation.nv(), system.constraints.len(), mobility.freedoms, mobility.redundant_rows.len()]
}

const Z: [f64; 3] = [0.0, 0.0, 1.0];
const X: [f64; 3] = [1.0, 0.0, 0.0];

/// The chapter's four-bar: A (0, 0), B (10, 0), lengths 2, 8, 5, drawn with the crank at 60°; links in three planes.
fn four_bar() -> Model {
    let mut s = Sketch::new(&["crank", "coupler", "rocker"], 3);
    let (p1, p2) = ([1.0, 3f64.sqrt()], [8.41245, 4.74131]);
    let a = s.joint("revolute", [0, 1], [0.0, 0.0, 0.2], Z, X);
    s.joint("revolute", [1, 2], [p1[0], p1[1], 0.5], Z, X);
    s.joint("revolute", [2, 3], [p2[0], p2[1], -0.1], Z, X);
    s.joint("revolute", [3, 0], [10.0, 0.0, 0.3], [0.0, 0.0, -1.0], X);
    s.drive(a, 0, "2*pi*t");
    s.model(1.0, 60)
}

#[test]
fn four_bar_in_its_plane() {
    let model = four_bar();
    // Two points with two coordinates each, three lengths: the chapter's (3a)–(3c).
    assert_eq!(counts(&model), [4, 3, 1, 0]);
    assert_same("four-bar", &model);
}

#[test]
fn four_bar_in_an_oblique_plane() {
    let mut s = Sketch::new(&["crank", "coupler", "rocker"], 5);
    let R = s.stream.attitude().rotation();
    let at = |x: f64, y: f64, z: f64| R.apply(Vec3::new(x, y, z)).to_array();
    let (z, x) = (R.axes[2].to_array(), R.axes[0].to_array());
    let a = s.joint("revolute", [0, 1], at(0.0, 0.0, 0.2), z, x);
    s.joint("revolute", [1, 2], at(1.0, 3f64.sqrt(), 0.5), z, x);
    s.joint("revolute", [2, 3], at(8.41245, 4.74131, -0.1), z, x);
    s.joint("revolute", [3, 0], at(10.0, 0.0, 0.3), z, x);
    s.drive(a, 0, "2*pi*t + 0.3*sin(3*t)");
    let model = s.model(1.0, 60);
    assert_eq!(counts(&model), [4, 3, 1, 0]);
    assert_same("oblique four-bar", &model);
}

#[test]
fn slider_crank_in_its_plane() {
    for twist in [0.0f64, 0.7] {
        let mut s = Sketch::new(&["crank", "rod", "piston"], 7);
        let (c, x2) = (2f64.sqrt(), 2f64.sqrt() + 23f64.sqrt());
        let a = s.joint("revolute", [0, 1], [0.0, 0.0, 0.0], Z, X);
        s.joint("revolute", [1, 2], [c, c, 0.1], Z, X);
        s.joint("revolute", [2, 3], [x2, 0.0, 0.0], Z, X);
        // The reference direction of the slide may stand in the plane, across it, or askew.
        s.joint("prismatic", [0, 3], [x2, 0.0, 0.3], X, [0.0, twist.cos(), twist.sin()]);
        s.drive(a, 0, "t");
        let model = s.model(std::f64::consts::TAU, 64);
        let [coordinates, _, freedoms, _] = counts(&model);
        assert_eq!((coordinates, freedoms), (4, 1));
        assert_same("slider-crank", &model);
    }
}

#[test]
fn inverted_slider_crank_slides_on_a_moving_link() {
    let mut s = Sketch::new(&["crank", "block", "arm"], 9);
    let a = s.joint("revolute", [0, 1], [0.0, 0.0, 0.0], Z, X);
    s.joint("revolute", [1, 2], [0.6, 0.8, 0.0], Z, X);
    s.joint("prismatic", [3, 2], [0.6, 0.8, 0.1], [2.6, 0.8, 0.0], Z);
    s.joint("revolute", [0, 3], [-2.0, 0.0, 0.0], Z, X);
    s.drive(a, 0, "4*t");
    let model = s.model(1.6, 50);
    assert_eq!(counts(&model)[2], 1);
    assert_same("inverted slider-crank", &model);
}

#[test]
fn spatial_slider_crank() {
    // Crank 2 about (cos 30°, −sin 30°, 0), rod 6, slider along x; a universal joint keeps the rod from spinning.
    let mut s = Sketch::new(&["crank", "rod", "slider"], 11);
    let axis = [0.75f64.sqrt(), -0.5, 0.0];
    let x2 = 32f64.sqrt();
    let a = s.joint("revolute", [0, 1], [0.0; 3], axis, Z);
    s.joint("spherical", [1, 2], [0.0, 0.0, 2.0], Z, X);
    s.joint("universal", [3, 2], [x2, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, x2]);
    s.joint("prismatic", [0, 3], [x2, 0.0, 0.0], X, Z);
    s.drive(a, 0, "24*t");
    let model = s.model(std::f64::consts::TAU / 24.0, 48);
    assert_eq!(counts(&model)[2], 1);
    assert_same("spatial slider-crank", &model);
}

/// The chapter's spherical mechanism: four axes through the origin.
fn spherical() -> Model {
    let mut s = Sketch::new(&["crank", "coupler", "rocker"], 13);
    let y = [0.0, 1.0, 0.0];
    let a = s.joint("revolute", [0, 1], [0.0, 0.0, 7.0], Z, y);
    s.joint("revolute", [1, 2], [-3.0, 0.0, 7.0], [-3.0, 0.0, 7.0], y);
    s.joint("revolute", [2, 3], [2.0, 9.0, 0.0], [2.0, 9.0, 0.0], Z);
    s.joint("revolute", [0, 3], [2.0, 0.0, 0.0], X, y);
    s.drive(a, 0, "-60*t");
    s.model(0.02, 40)
}

#[test]
fn spherical_four_bar() {
    assert_same("spherical four-bar", &spherical());
}

#[test]
fn four_cylindrical_joints() {
    let mut s = Sketch::new(&["a", "b", "c"], 17);
    let drive = s.joint("cylindrical", [0, 1], [0.0; 3], Z, X);
    s.joint("cylindrical", [1, 2], [1.0, 0.2, 0.3], [0.3, 0.4, 1.0], X);
    s.joint("cylindrical", [2, 3], [2.0, 3.0, 0.5], [-0.6, 0.5, 0.7], X);
    s.joint("cylindrical", [3, 0], [4.0, 0.0, 0.4], [0.5, -0.9, 0.8], X);
    s.drive(drive, 0, "0.4*sin(2*t)");
    s.drive(drive, 1, "0.3*(1 - cos(t))");
    let model = s.model(2.0, 40);
    assert_eq!(counts(&model)[2], 2);
    assert_same("CCCC", &model);
}

#[test]
fn bennett_linkage() {
    // Links a, b with twists α, β: a sin β = b sin α. tan(θ1/2) tan(θ2/2) = sin((β+α)/2) / sin((β−α)/2).
    let (a, alpha, beta) = (1.0, 0.5f64, 1.1f64);
    let b = a * beta.sin() / alpha.sin();
    let theta1 = 1.2f64;
    let theta2 = 2.0 * (((0.5 * (beta + alpha)).sin() / (0.5 * (beta - alpha)).sin()) / (0.5 * theta1).tan()).atan();
    let tau = std::f64::consts::TAU;
    let angles = [theta1, theta2, tau - theta1, tau - theta2];
    let mut frame = Pose::IDENTITY;
    let mut axes = Vec::new();
    for (k, theta) in angles.iter().enumerate() {
        axes.push(frame);
        let (length, twist) = if k % 2 == 0 { (a, alpha) } else { (b, beta) };
        let turned = frame * Pose::new(Rotation::about(Vec3::Z, *theta), Vec3::ZERO);
        frame = turned * Pose::new(Rotation::about(Vec3::X, twist), Vec3::X * length);
    }
    assert!(frame.origin.norm() < 1e-12 && (frame.rotation.axes[2] - Vec3::Z).norm() < 1e-12, "{frame:?}");
    let mut s = Sketch::new(&["l1", "l2", "l3"], 19);
    let bodies = [[0, 1], [1, 2], [2, 3], [3, 0]];
    let mut first = 0;
    for (k, (pose, bodies)) in axes.iter().zip(bodies).enumerate() {
        let [x, _, z] = pose.rotation.axes.map(Vec3::to_array);
        let made = s.joint("revolute", bodies, pose.origin.to_array(), z, x);
        first = if k == 0 { made } else { first };
    }
    s.drive(first, 0, "0.9*sin(t)");
    let model = s.model(3.0, 60);
    // Two shared points and two shared vectors; mobile although Grübler counts −2.
    assert_eq!(counts(&model)[2], 1);
    assert_eq!(counts(&model)[0], 12);
    assert_same("Bennett", &model);
}

#[test]
fn open_chain_of_every_hinge() {
    let names = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9"];
    let mut s = Sketch::new(&names, 23);
    let kinds = ["revolute", "prismatic", "cylindrical", "screw", "universal", "planar", "fixed", "spherical", "free"];
    for (k, kind) in kinds.iter().enumerate() {
        let frame = s.stream.pose();
        let [x, _, z] = frame.rotation.axes.map(Vec3::to_array);
        let before = if *kind == "free" { 0 } else { k };
        let made = s.joint(kind, [before, k + 1], frame.origin.to_array(), z, x);
        for c in 0..joints::kind(kind).unwrap().coordinates().len() {
            s.drive(made, c, &format!("0.{}*sin({}*t + {c})", 3 + c, k + 1));
        }
    }
    for body in [8, 9] {
        let drawn = s.pose(body).rotation.to_rpy();
        let law = |k: usize| motion(&format!("{:.17} + 0.2*sin({}*t)", drawn[k], k + 1));
        let attitude = Attitude::Rpy(Box::new([law(0), law(1), law(2)]));
        s.drivers.push(Driver {
            name: format!("o{body}"),
            target: Target::Orientation { body, attitude },
            effort: Vec::new(),
            span: None,
        });
    }
    for (k, along) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        let p_B = Vec3::new(0.1, 0.2, 0.3);
        let start = s.pose(9).apply(p_B)[k];
        let value = motion(&format!("{start:.17} + 0.5*t^2"));
        s.drivers.push(Driver {
            name: format!("p{k}"),
            target: Target::Point { body: 9, p_B, along, value },
            effort: Vec::new(),
            span: None,
        });
    }
    let model = s.model(1.0, 40);
    let [_, _, freedoms, redundant] = counts(&model);
    assert_eq!((freedoms, redundant), (1 + 1 + 2 + 1 + 2 + 3 + 3 + 6, 0));
    assert_same("open chain", &model);
}

#[test]
fn closed_loops_of_primitives() {
    // A platform held by a point on a line, a point in a plane, a distance, two products and a driven coordinate.
    let mut s = Sketch::new(&["platform"], 29);
    s.joint("point-on-line", [0, 1], [1.0, 0.0, 0.0], [1.0, 0.2, 0.1], Z);
    let plane = s.joint("point-on-plane", [0, 1], [0.0, 1.0, 0.2], Z, X);
    let rod = s.joint("distance", [0, 1], [0.3, 0.2, 1.0], Z, X);
    let shift = s.stream.vector();
    s.joints[rod].frames[0].origin += shift * 2.0;
    s.joints[rod].value = Motion::Constant((shift * 2.0).norm());
    s.joint("perpendicular1", [0, 1], [0.0; 3], [0.0, 0.6, 0.8], X);
    let slide = s.joint("coordinate", [0, 1], [0.5, 0.4, 0.3], Z, X);
    s.joints[slide].directions[0] = Vec3::X;
    s.joints[slide].value = motion("0.1*sin(3*t)");
    let _ = plane;
    let model = s.model(1.0, 30);
    assert_eq!(counts(&model)[2], 0);
    assert_same("primitives", &model);
}

#[test]
fn a_body_is_never_assembled_as_its_mirror_image() {
    // Drawn so far off that lengths and products alone would admit reflections.
    for seed in 0..6 {
        let model = spherical();
        let mut s = Stream(seed);
        let mut poses = model.guess().poses().to_vec();
        for pose in &mut poses[1..] {
            pose.origin += s.vector() * 3.0;
            pose.rotation = s.attitude().rotation() * pose.rotation;
        }
        let model = model.with_guess(&poses);
        let system = System::new(&model, "natural").unwrap();
        let mut ws = Workspace::new(&system);
        let q = biela::solve::assemble::assemble(&system, &mut ws, 0.0).unwrap();
        ws.realize_position(&system, 0.0, &q);
        assert!(system.formulation.mirrored(&ws.cache).is_none(), "seed {seed}");
    }
}

#[test]
fn what_cannot_close_is_not_hidden_by_sharing() {
    // Two bodies held together twice, with the second pair of points 1 mm apart.
    for (first, second, bodies) in [
        ("revolute", "revolute", [0, 1]),
        ("revolute", "spherical", [0, 1]),
        ("spherical", "spherical", [1, 2]),
        ("fixed", "spherical", [1, 2]),
        ("fixed", "fixed", [0, 1]),
    ] {
        let mut s = Sketch::new(&["a", "b"], 31);
        s.joint(first, bodies, [0.0; 3], Z, X);
        let other = s.joint(second, bodies, [0.0, 1.0, 0.0], Z, X);
        let shift = s.joints[other].frames[1].origin - s.joints[0].frames[1].origin;
        s.joints[other].frames[1].origin += shift * 1e-3;
        let model = s.model(1.0, 2);
        let system = System::new(&model, "natural").unwrap();
        let mut ws = Workspace::new(&system);
        let error = biela::solve::assemble::assemble(&system, &mut ws, 0.0);
        let text = error.map(|_| ()).unwrap_err().to_string();
        assert!(text.contains("cannot be assembled"), "{first}, {second}: {text}");
    }
}
