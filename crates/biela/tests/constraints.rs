//! What constraint rows say besides their residuals and derivatives: turns of angles, sides of an assembly, gaps, weights, and
//! gradients by markers. Answers come from the geometry of two hands on one axis.
#![allow(non_snake_case)]

mod common;

use biela::couplings::{self, CoordinateRef, Coupling};
use biela::drivers::{Attitude, Driver, Target};
use biela::expr::{Expression, Name};
use biela::joints::{self, Marker};
use biela::math::{Pose, Rotation, Vec3};
use biela::model::Model;
use biela::motion::{Motion, Spline};
use biela::system::{Owner, System, Workspace};
use common::{body, joint, model, Stream};
use std::f64::consts::{PI, TAU};

/// Roundings of a few dozen operations on numbers of order ten.
const ROUNDING: f64 = 1e-13;

fn law(text: &str) -> Motion {
    Motion::Expression(Expression::parse(text, &[("t", Name::Variable(0))]).unwrap())
}

fn turned(angle: f64, at: Vec3) -> Pose {
    Pose::new(Rotation::about(Vec3::Z, angle), at)
}

/// Bodies on hinges about z, drawn at these angles, a metre apart.
fn hands(angles: &[f64]) -> Model {
    let at = |k: usize| Vec3::X * k as f64;
    let bodies = angles.iter().enumerate().map(|(k, angle)| body(&format!("hand {k}"), turned(*angle, at(k))));
    let kind = joints::kind("revolute").unwrap();
    let frames = |k: usize| [Pose::translation(at(k)), Pose::IDENTITY];
    let joints = (0..angles.len()).map(|k| joint(&format!("hinge {k}"), kind, [0, k + 1], frames(k)));
    let joints = joints.collect();
    model(bodies.collect(), joints)
}

fn angle(joint: usize) -> CoordinateRef {
    CoordinateRef { joint, coordinate: 0 }
}

fn drive(model: &mut Model, joint: usize, value: Motion) {
    let target = Target::Coordinate { of: angle(joint), value };
    *model = model.with_more_drivers([Driver { name: "motor".into(), target, effort: Vec::new(), span: None }]);
}

fn couple(model: &mut Model, keyword: &str, joints: [usize; 2], ratio: f64, value: Option<&str>) {
    let scope = [("t", Name::Variable(0)), ("a", Name::Variable(1)), ("b", Name::Variable(2))];
    let coupling = Coupling {
        name: "coupling".into(),
        kind: couplings::kind(keyword).unwrap(),
        coordinates: joints.map(angle).to_vec(),
        ratio,
        offset: 0.25,
        train: None,
        profile: None,
        period: None,
        value: value.map(|text| Expression::parse(text, &scope).unwrap()),
        span: None,
    };
    model.change_mechanism(|mechanism| mechanism.couplings.push(coupling));
}

/// Everything evaluated at the drawn position.
fn drawn<'m>(model: &'m Model, t: f64) -> (System<'m>, Workspace) {
    let system = System::new(model, "absolute").unwrap();
    let mut ws = Workspace::new(&system);
    realize(&system, &mut ws, t);
    (system, ws)
}

fn realize(system: &System, ws: &mut Workspace, t: f64) {
    let poses: Vec<Pose> = system.model.bodies.iter().map(|b| b.X_WB).collect();
    let mut q = vec![0.0; system.formulation.nq()];
    system.formulation.coordinates(&poses, &mut q);
    ws.realize_position(system, t, &q);
}

/// Angles of all hinges as they are counted now.
fn angles(system: &System, ws: &Workspace) -> Vec<f64> {
    let value = |m: &(usize, usize, usize)| system.constraints.value(m.2, &ws.evaluation);
    system.constraints.coordinates().iter().map(value).collect()
}

fn assert_angles(system: &System, ws: &Workspace, expected: &[f64]) {
    let found = angles(system, ws);
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < ROUNDING), "{found:?} for {expected:?}");
}

#[test]
fn drivers_and_gears_say_which_turn_is_meant() {
    // The first hand is driven to 7 rad, a gear of −3 makes the second −21 + 1/4, another of 2 the third −41.5 + 1/4.
    let meant = [7.0, -20.75, -41.25];
    let mut model = hands(&meant);
    // The last gear first: turns are handed on however the couplings are ordered.
    couple(&mut model, "gear", [1, 2], 2.0, None);
    couple(&mut model, "gear", [0, 1], -3.0, None);
    drive(&mut model, 0, law("7 + t"));
    let (system, mut ws) = drawn(&model, 0.0);
    let shown: Vec<f64> = meant.iter().map(|a| a - TAU * (a / TAU).round()).collect();
    assert_angles(&system, &ws, &shown);
    system.constraints.choose_turns(0.0, &[], &mut ws.evaluation);
    assert_angles(&system, &ws, &meant);
    realize(&system, &mut ws, 0.0);
    assert!(ws.evaluation.phi.iter().all(|phi| phi.abs() < ROUNDING), "{:?}", ws.evaluation.phi);
    // A gear knows better than what is given; where nothing else is known, that is kept.
    let measure = system.constraints.coordinates()[2].2;
    system.constraints.choose_turns(0.0, &[(measure, 3.0 * TAU)], &mut ws.evaluation);
    assert_angles(&system, &ws, &meant);
    let free = hands(&[0.5]);
    let (system, mut ws) = drawn(&free, 0.0);
    let measure = system.constraints.coordinates()[0].2;
    system.constraints.choose_turns(0.0, &[(measure, 3.0 * TAU)], &mut ws.evaluation);
    assert_angles(&system, &ws, &[3.0 * TAU + 0.5]);
}

#[test]
fn couplings_that_are_no_lines_take_the_turn_that_fits() {
    // b = a³ + t: with a = 2.5 at t = 0.5 the second hand stands at 16.125, two turns and a half on; with a = −2.5 at −15.125.
    for a in [2.5f64, -2.5] {
        let meant = [a, a * a * a + 0.5];
        let mut model = hands(&meant);
        couple(&mut model, "coupling", [0, 1], 1.0, Some("b - a^3 - t"));
        let (system, mut ws) = drawn(&model, 0.5);
        system.constraints.choose_turns(0.5, &[], &mut ws.evaluation);
        assert_angles(&system, &ws, &meant);
        // Where the last angle is given, it is not touched.
        let measure = system.constraints.coordinates()[1].2;
        let given = meant[1] + TAU;
        system.constraints.choose_turns(0.5, &[(measure, given)], &mut ws.evaluation);
        assert_angles(&system, &ws, &[a, given]);
    }
    // Any turn fulfils a coupling by sines; then none is added.
    let mut model = hands(&[0.4, 0.4]);
    couple(&mut model, "coupling", [0, 1], 1.0, Some("sin(b) - sin(a)"));
    let (system, mut ws) = drawn(&model, 0.0);
    system.constraints.choose_turns(0.0, &[], &mut ws.evaluation);
    assert_angles(&system, &ws, &[0.4, 0.4]);
}

#[test]
fn turns_are_counted_from_half_a_turn_and_kept() {
    // Half a turn, drawn a rounding short of −π: it reads π from the start.
    let model = hands(&[-PI + 1e-12, -PI + 1e-6, 1.0]);
    let (system, mut ws) = drawn(&model, 0.0);
    system.constraints.start_turns(&mut ws.evaluation);
    assert_angles(&system, &ws, &[PI + 1e-12, -PI + 1e-6, 1.0]);
    // From there the first goes on over π without a jump, and the last, seen every third of a turn, three times round.
    let mut moved = model.clone();
    for step in 1..=9 {
        let turn = step as f64 * TAU / 3.0;
        moved.change_mechanism(|mechanism| {
            mechanism.bodies[1].X_WB = turned(-PI + 0.1 * step as f64, Vec3::ZERO);
            mechanism.bodies[3].X_WB = turned(1.0 + turn, Vec3::X * 2.0);
        });
        let system = System::new(&moved, "absolute").unwrap();
        realize(&system, &mut ws, 0.0);
        assert_angles(&system, &ws, &[PI + 0.1 * step as f64, -PI + 1e-6, 1.0 + turn]);
        system.constraints.keep_turns(&mut ws.evaluation);
    }
}

#[test]
fn a_hinge_turned_over_is_reversed() {
    let upright = hands(&[0.3, 0.5]);
    let (system, ws) = drawn(&upright, 0.0);
    assert_eq!(system.constraints.reversed(&ws.evaluation), None);
    let mut over = upright.clone();
    over.change_mechanism(|m| m.bodies[2].X_WB = Pose::new(Rotation::about(Vec3::X, PI), Vec3::X));
    let (system, ws) = drawn(&over, 0.0);
    assert_eq!(system.constraints.reversed(&ws.evaluation), Some(Owner::Joint(1)));
    // Lying on its side it is neither; that is not meant either.
    let side = Rotation { axes: [Vec3::X, Vec3::Z, -Vec3::Y] };
    over.change_mechanism(|m| m.bodies[2].X_WB = Pose::new(side, Vec3::X));
    let (system, ws) = drawn(&over, 0.0);
    assert_eq!(system.constraints.reversed(&ws.evaluation), Some(Owner::Joint(1)));
}

#[test]
fn many_turns_of_a_gear_leave_no_residual_of_rounding() {
    // 100 000 turns: angles of 6e5 are rounded to 1e-10, and so is their difference. A real gap of a millionth stays.
    for (gap, seen) in [(0.0, false), (1e-6, true)] {
        let a = 1e5 * TAU + 0.3;
        let mut model = hands(&[a, -3.0 * a + 0.25 + gap]);
        couple(&mut model, "gear", [0, 1], -3.0, None);
        drive(&mut model, 0, Motion::Constant(a));
        let (system, mut ws) = drawn(&model, 0.0);
        system.constraints.choose_turns(0.0, &[], &mut ws.evaluation);
        realize(&system, &mut ws, 0.0);
        let row = (0..system.constraints.len()).find(|i| system.constraints.owner(*i) == Owner::Coupling(0)).unwrap();
        let phi = ws.evaluation.phi[row];
        assert_eq!(phi != 0.0, seen, "{phi}");
        assert!((phi - gap).abs() < 1e-9, "{phi}");
    }
}

#[test]
fn a_profile_that_repeats_is_read_within_its_period() {
    // ½ cos x, given from 1 to 1 + 2π: the cam stands at 7.6 and −3 rad, outside of it, the follower where the cosine is.
    let x: Vec<f64> = (0..=400).map(|k| 1.0 + TAU * f64::from(k) / 400.0).collect();
    let y: Vec<f64> = x.iter().map(|x| 0.5 * x.cos()).collect();
    for a in [7.6f64, -3.0, 2.0] {
        let mut model = hands(&[a, 0.5 * a.cos()]);
        couple(&mut model, "cam", [0, 1], 1.0, None);
        model.change_mechanism(|mechanism| {
            mechanism.couplings[0].profile = Some(Motion::Table(Spline::new(&x, &y).unwrap()));
            mechanism.couplings[0].period = Some(TAU);
        });
        drive(&mut model, 0, Motion::Constant(a));
        let (system, mut ws) = drawn(&model, 0.0);
        system.constraints.choose_turns(0.0, &[], &mut ws.evaluation);
        realize(&system, &mut ws, 0.0);
        // A cubic spline of step 0.016 is off by 1e-9; at its ends, where the second derivative is taken as zero, by 1e-5.
        let phi = &ws.evaluation.phi;
        assert!(phi.iter().all(|phi| phi.abs() < 1e-7), "{a}: {phi:?}");
        // Its slope, −½ sin a, is minus that of the row where the cam turns by 1 rad/s.
        let row = (0..system.constraints.len()).find(|i| system.constraints.owner(*i) == Owner::Coupling(0)).unwrap();
        ws.realize_jacobian(&system, 0.0);
        let mut spin = vec![0.0; 12];
        spin[5] = 1.0;
        let mut product = vec![0.0; system.constraints.len()];
        system.constraints.pattern.multiply(&ws.evaluation.phi_v, &spin, &mut product);
        assert!((product[row] - 0.5 * a.sin()).abs() < 1e-5, "{a}: {}", product[row]);
    }
}

#[test]
fn gaps_are_in_metres_and_scales_make_them_so() {
    // A rod of 2 + t² m between the origin and (3, 4, 0) at t = 1: (25 − 9)/(2·3) m too long; its rate of change is given.
    let mut rod = hands(&[0.0]);
    rod.change_mechanism(|m| {
        m.bodies[1].X_WB = Pose::translation(Vec3::new(3.0, 4.0, 0.0));
        m.joints[0].kind = joints::kind("distance").unwrap();
        m.joints[0].value = law("2 + t^2");
    });
    // A box of joint points 5 m across says how large the mechanism is.
    let (system, ws) = drawn(&rod, 1.0);
    let (rows, e) = (&system.constraints, &ws.evaluation);
    assert_eq!((rows.len(), rows.undriven(), rows.is_length(0), ws.size), (1, 1, true, 5.0));
    assert!((rows.gap(0, ws.size, e) - 16.0 / 6.0).abs() < ROUNDING);
    assert!((rows.scale(0, 1.0, ws.size) - 1.0 / 6.0 / 5.0).abs() < ROUNDING);
    // (f²)″ = 2 ḟ² + 2 f f̈ = 8 + 12, scaled.
    assert!((rows.target_dd(0, 1.0, ws.size) - 20.0 / 30.0).abs() < ROUNDING);
    // A rod of no length is measured against the size: 25/(2·5) m.
    rod.change_mechanism(|m| m.joints[0].value = Motion::Constant(0.0));
    let (system, mut none) = drawn(&rod, 1.0);
    assert!((system.constraints.gap(0, none.size, &none.evaluation) - 2.5).abs() < ROUNDING);
    // Relief is taken out of the gap again.
    none.evaluation.relief[0] = 0.7;
    realize(&system, &mut none, 1.0);
    assert!((none.evaluation.phi[0] - (0.5 + 0.7)).abs() < ROUNDING);
    assert!((system.constraints.gap(0, none.size, &none.evaluation) - 2.5).abs() < ROUNDING);
}

#[test]
fn weights_are_the_sizes_of_terms() {
    // 2 d / (2 f) = 5/3 at either end of the rod of 3 m whose points are 5 m apart: its length per its own, in any unit.
    let mut rod = hands(&[0.0]);
    rod.change_mechanism(|m| {
        m.bodies[1].X_WB = Pose::translation(Vec3::new(3.0, 4.0, 0.0));
        m.joints[0].kind = joints::kind("distance").unwrap();
        m.joints[0].value = Motion::Constant(3.0);
    });
    let (system, mut ws) = drawn(&rod, 0.0);
    ws.realize_jacobian(&system, 0.0);
    assert!((ws.evaluation.weight[0] - 2.0 * 5.0 / 3.0).abs() < ROUNDING, "{}", ws.evaluation.weight[0]);
    // A hinge 2 m off its place, in a mechanism of that size: three rows of two points and a direction that a length of 2 m
    // turns, in metres over metres; then two of unit vectors by unit vectors.
    let mut hinge = hands(&[0.4]);
    hinge.change_mechanism(|m| m.bodies[1].X_WB.origin = Vec3::new(0.0, 0.0, 2.0));
    let (system, mut ws) = drawn(&hinge, 0.0);
    ws.realize_jacobian(&system, 0.0);
    let expected = [3.0, 3.0, 3.0, 2.0, 2.0];
    assert!(
        ws.evaluation.weight.iter().zip(expected).all(|(w, e)| (w - e).abs() < ROUNDING),
        "{:?}",
        ws.evaluation.weight
    );
}

#[test]
fn gradients_by_markers_are_those_by_coordinates() {
    // Σ gradient · marker's velocity = Φ_v v, for a random motion of both bodies of every joint type and of couplings.
    for (seed, kind) in joints::JOINTS.iter().enumerate() {
        let mut s = Stream(seed as u64 + 1);
        let frames = [s.pose(), s.pose()];
        let mut model = model(vec![body("a", s.pose()), body("b", s.pose())], vec![joint("j", *kind, [1, 2], frames)]);
        model.change_mechanism(|m| m.joints[0].value = Motion::Constant(0.8));
        if kind.coordinates().len() > 1 {
            let [a, b] = [0, 1].map(|coordinate| CoordinateRef { joint: 0, coordinate });
            couple(&mut model, "coupling", [0, 0], 1.0, Some("sin(a)*b + 0.3*t*a*a"));
            model.change_mechanism(|m| m.couplings[0].coordinates = vec![a, b]);
        }
        let t = 0.6;
        let (system, mut ws) = drawn(&model, t);
        system.constraints.keep_turns(&mut ws.evaluation);
        ws.realize_jacobian(&system, t);
        let v: Vec<f64> = (0..12).map(|_| s.next()).collect();
        let scaled: Vec<f64> = (0..12).map(|k| if k % 6 < 3 { v[k] / ws.size } else { v[k] }).collect();
        let mut product = vec![0.0; system.constraints.len()];
        system.constraints.pattern.multiply(&ws.evaluation.phi_v, &scaled, &mut product);
        let part = |k: usize| Vec3::new(v[k], v[k + 1], v[k + 2]);
        let velocity = |marker: Marker| match marker {
            Marker::Point { body: 0, .. } | Marker::Direction { body: 0, .. } => Vec3::ZERO,
            Marker::Point { body, p_B } => {
                part(6 * body - 6) + part(6 * body - 3).cross(model.bodies[body].X_WB.rotation.apply(p_B))
            }
            Marker::Direction { body, u_B } => part(6 * body - 3).cross(model.bodies[body].X_WB.rotation.apply(u_B)),
            _ => unreachable!("no driver and no coordinates of the formulation's own"),
        };
        let mut found = Vec::new();
        for (i, product) in product.iter().enumerate() {
            system.constraints.row_gradient(i, t, &mut ws.evaluation, &mut found);
            let sum: f64 = found.iter().map(|(marker, _, gradient)| gradient.dot(velocity(*marker))).sum();
            let scale = system.constraints.scale(i, t, ws.size);
            assert!((sum * scale - product).abs() < ROUNDING, "{}: row {i}: {sum} {product}", kind.keyword());
        }
    }
}

#[test]
fn what_moves_by_itself_is_known() {
    let moving = |change: &dyn Fn(&mut Model)| {
        let mut model = hands(&[0.3, 0.5]);
        change(&mut model);
        System::new(&model, "absolute").unwrap().constraints.is_moving()
    };
    assert!(!moving(&|_| ()));
    assert!(!moving(&|m| drive(m, 0, Motion::Constant(1.0))));
    assert!(!moving(&|m| couple(m, "gear", [0, 1], 2.0, None)));
    assert!(moving(&|m| drive(m, 0, law("t"))));
    assert!(moving(&|m| couple(m, "coupling", [0, 1], 2.0, Some("a - b*t"))));
    assert!(moving(&|m| {
        let attitude = Attitude::Rpy(Box::new([law("t"), law("0"), law("0")]));
        let target = Target::Orientation { body: 1, attitude };
        *m = m.with_more_drivers([Driver { name: "o".into(), target, effort: Vec::new(), span: None }]);
    }));
    let mut model = hands(&[0.3, 0.5]);
    couple(&mut model, "gear", [0, 1], 2.0, None);
    drive(&mut model, 0, law("t"));
    let system = System::new(&model, "absolute").unwrap();
    assert_eq!(
        (system.constraints.len(), system.constraints.undriven(), system.constraints.is_empty()),
        (12, 11, false)
    );
    assert_eq!(system.constraints.row_bodies, [1, 2]);
    let components: Vec<&str> = (0..12).map(|i| system.constraints.component(i)).collect();
    assert_eq!(components[..5], ["fx", "fy", "fz", "mx", "my"]);
    // Points that meet are lengths, axes that are parallel, angles and gears of angles are not.
    assert!((0..12).all(|i| system.constraints.is_length(i) == (i % 5 < 3 && i < 10)));
}
