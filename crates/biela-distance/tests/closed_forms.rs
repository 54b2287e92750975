//! Distances against closed forms, and against the least over many directions.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground.

use biela_distance::{Chain, Form, Hermite, Pair, Piece, Placed, Unmatched};
use biela_math::{Pose, Rotation, Vec3};

const ROUNDING: f64 = 1e-13; // a few dozen operations on numbers of order one
const ROUND: f64 = 1e-7; // the search among round solids ends where a round brings less than the root of rounding

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(Vec3::new(x, y, z))
}

fn placed(form: Form) -> Placed {
    Placed::new(form, Pose::IDENTITY)
}

fn pair(a: Form, b: Form, planar: bool) -> Pair {
    Pair::new([placed(a), placed(b)], planar).expect("a pair")
}

/// The gap of two forms, whose witness points must lie that far apart along the normal.
fn gap(a: &Form, A: Pose, b: &Form, B: Pose, planar: bool) -> f64 {
    let of = |a: &Form, A: &Pose, b: &Form, B: &Pose| {
        let touch = pair(a.clone(), b.clone(), planar).least([A, B]);
        let apart = touch.points[1] - touch.points[0];
        assert!((apart - touch.normal * touch.gap).norm() < ROUND, "{touch:?}");
        (touch.gap, touch.normal)
    };
    let (one, two) = (of(a, &A, b, &B), of(b, &B, a, &A));
    assert!((one.0 - two.0).abs() < ROUND, "{} one way, {} the other", one.0, two.0);
    assert!((one.1 + two.1).norm() < 1e-6, "normals are opposite");
    one.0
}

fn near(found: f64, expected: f64, bound: f64) {
    assert!((found - expected).abs() <= bound, "{found} for {expected}");
}

#[test]
fn balls_from_everything() {
    let ball = Form::Ball { radius: 0.3 };
    let tilted = Rotation::from_rpy(0.3, -0.4, 0.9);
    // A point of the frame of each form, and how far it is.
    let forms = [
        (Form::Ball { radius: 0.5 }, [1.0, 2.0, 2.0], 2.5),
        (Form::Capsule { half: 1.0, radius: 0.2 }, [3.0, 4.0, 0.5], 4.8),
        (Form::Capsule { half: 1.0, radius: 0.2 }, [0.0, 3.0, 5.0], 4.8),
        (Form::Cylinder { half: 1.0, radius: 0.5 }, [2.0, 0.0, 0.3], 1.5),
        (Form::Cylinder { half: 1.0, radius: 0.5 }, [0.1, 0.2, -3.0], 2.0),
        (Form::Cylinder { half: 1.0, radius: 0.5 }, [3.5, 0.0, 5.0], 5.0),
        (Form::Cylinder { half: 1.0, radius: 0.5 }, [0.4, 0.0, 0.2], -0.1),
        (Form::Box { half: Vec3::new(1.0, 2.0, 3.0) }, [1.5, 0.3, -0.2], 0.5),
        (Form::Box { half: Vec3::new(1.0, 2.0, 3.0) }, [4.0, 6.0, 0.0], 5.0),
        (Form::Box { half: Vec3::new(1.0, 2.0, 3.0) }, [2.0, 4.0, 5.0], 3.0),
        (Form::Box { half: Vec3::new(1.0, 2.0, 3.0) }, [-0.9, 0.0, 0.0], -0.1),
        (Form::HalfSpace { normal: Vec3::Z }, [7.0, -3.0, 0.7], 0.7),
    ];
    for (form, p, expected) in forms {
        let X = Pose::new(tilted, Vec3::new(0.2, -0.1, 0.4));
        let middle = X.apply(Vec3::from(p));
        near(gap(&form, X, &ball, at(middle.x, middle.y, middle.z), false), expected - 0.3, ROUNDING * 10.0);
    }
}

#[test]
fn solids_against_a_plane() {
    let floor = Form::HalfSpace { normal: Vec3::Z };
    // A cylinder that leans by 30 degrees: its lowest point is half the length and the radius away.
    let lean = Pose::new(Rotation::about(Vec3::X, 30f64.to_radians()), Vec3::new(0.0, 0.0, 2.0));
    let cylinder = Form::Cylinder { half: 0.8, radius: 0.25 };
    near(gap(&floor, Pose::IDENTITY, &cylinder, lean, false), 2.0 - 0.8 * 0.75f64.sqrt() - 0.125, ROUNDING);
    let cube = Form::Box { half: Vec3::new(0.5, 0.5, 0.5) };
    let on_edge = Pose::new(Rotation::about(Vec3::X, 45f64.to_radians()), Vec3::new(0.0, 0.0, 0.5));
    near(gap(&floor, Pose::IDENTITY, &cube, on_edge, false), 0.5 - 0.5f64.sqrt(), ROUNDING);
    let capsule = Form::Capsule { half: 1.0, radius: 0.1 };
    let lean = Pose::new(Rotation::about(Vec3::Y, 60f64.to_radians()), Vec3::new(0.0, 0.0, 1.0));
    near(gap(&floor, Pose::IDENTITY, &capsule, lean, false), 1.0 - 0.5 - 0.1, ROUNDING);
    assert_eq!(Pair::new([placed(floor.clone()), placed(floor)], false).err(), Some(Unmatched::HalfSpaces));
}

#[test]
fn boxes_and_hulls_face_edge_and_depth() {
    let cube = Form::Box { half: Vec3::new(0.5, 0.5, 0.5) };
    near(gap(&cube, Pose::IDENTITY, &cube, at(1.7, 0.2, 0.1), false), 0.7, ROUNDING);
    near(gap(&cube, Pose::IDENTITY, &cube, at(0.9, 0.2, 0.1), false), -0.1, ROUNDING);
    // Two edges at right angles: that of the first along z, that of the second along y.
    let first = Pose::new(Rotation::about(Vec3::Z, 45f64.to_radians()), Vec3::ZERO);
    let second = Pose::new(Rotation::about(Vec3::Y, 45f64.to_radians()), Vec3::new(2.0, 0.1, 0.05));
    near(gap(&cube, first, &cube, second, false), 2.0 - 2f64.sqrt(), ROUNDING);
    let second = Pose::new(second.rotation, Vec3::new(1.4, 0.1, 0.05));
    near(gap(&cube, first, &cube, second, false), 1.4 - 2f64.sqrt(), ROUNDING);
    // The same box by its corners.
    let sign = |k: usize, bit: usize| if k >> bit & 1 == 0 { -0.5 } else { 0.5 };
    let hull = Form::Hull { points: (0..8).map(|k| Vec3::new(sign(k, 0), sign(k, 1), sign(k, 2))).collect() };
    for k in 0..40 {
        let a = k as f64;
        let X = Pose::new(Rotation::from_rpy(a, 2.0 * a, 0.7 * a), Vec3::new(0.4 + 0.05 * a, 0.3, 0.02 * a));
        let (by_box, by_hull) =
            (gap(&cube, Pose::IDENTITY, &cube, X, false), gap(&hull, Pose::IDENTITY, &hull, X, false));
        near(by_hull, by_box, 1e-12);
        let ball = Form::Ball { radius: 0.1 };
        near(gap(&hull, X, &ball, Pose::IDENTITY, false), gap(&cube, X, &ball, Pose::IDENTITY, false), 1e-12);
    }
}

#[test]
fn round_solids_apart_and_into_each_other() {
    let capsule = Form::Capsule { half: 1.0, radius: 0.25 };
    // Crossed at right angles.
    let turned = Pose::new(Rotation::about(Vec3::X, 90f64.to_radians()), Vec3::new(0.9, 0.2, 0.3));
    near(gap(&capsule, Pose::IDENTITY, &capsule, turned, false), 0.4, ROUNDING);
    let turned = Pose::new(turned.rotation, Vec3::new(0.3, 0.2, 0.3));
    near(gap(&capsule, Pose::IDENTITY, &capsule, turned, false), -0.2, ROUNDING);
    let cylinder = Form::Cylinder { half: 1.0, radius: 0.5 };
    near(gap(&cylinder, Pose::IDENTITY, &cylinder, at(1.2, 0.9, 0.3), false), 0.5, ROUND);
    near(gap(&cylinder, Pose::IDENTITY, &cylinder, at(0.1, 0.2, 2.3), false), 0.3, ROUND);
    let cube = Form::Box { half: Vec3::new(0.5, 0.5, 0.5) };
    near(gap(&cylinder, Pose::IDENTITY, &cube, at(1.3, 0.1, 0.2), false), 0.3, ROUND);
}

fn square() -> Form {
    Form::Chain(Chain::polygon(
        &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0)),
    ))
}

#[test]
fn forms_in_a_plane() {
    let disc = Form::Ball { radius: 0.5 };
    near(gap(&square(), Pose::IDENTITY, &disc, at(2.0, 0.3, 0.0), true), 0.5, ROUNDING);
    near(gap(&square(), Pose::IDENTITY, &disc, at(4.0, 5.0, 0.0), true), 4.5, ROUNDING);
    near(gap(&square(), Pose::IDENTITY, &disc, at(0.8, 0.0, 0.0), true), -0.7, ROUNDING);
    let turned = Pose::new(Rotation::about(Vec3::Z, 45f64.to_radians()), Vec3::new(3.0, 0.2, 0.0));
    near(gap(&square(), Pose::IDENTITY, &square(), turned, true), 2.0 - 2f64.sqrt(), ROUNDING);
    // A notch: the corner within is no corner to the outside.
    let notched = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let notched = Form::Chain(Chain::polygon(&notched.map(|[x, y]| Vec3::new(x, y, 0.0))));
    let pin = Form::Ball { radius: 0.4 };
    near(gap(&notched, Pose::IDENTITY, &pin, at(1.5, 2.0, 0.0), true), 0.1, ROUNDING);
    near(gap(&notched, Pose::IDENTITY, &pin, at(1.55, 1.3, 0.0), true), -0.1, ROUNDING);
    // A cross of two bars, of which no corner lies in the other.
    let bar = |w: f64, h: f64| {
        Form::Chain(Chain::polygon(&[[-w, -h], [w, -h], [w, h], [-w, h]].map(|[x, y]| Vec3::new(x, y, 0.0))))
    };
    assert!(pair(bar(2.0, 0.1), bar(0.1, 2.0), true).least([&Pose::IDENTITY, &Pose::IDENTITY]).gap < 0.0);
}

#[test]
fn arcs_have_two_sides() {
    let arc = Piece::Arc { middle: Vec3::ZERO, radius: 2.0, from: 0.0, sweep: std::f64::consts::PI };
    let arc = Form::Chain(Chain::new(vec![arc], false));
    let pin = Form::Ball { radius: 0.25 };
    let far = |x: f64, y: f64| gap(&arc, Pose::IDENTITY, &pin, at(x, y, 0.0), true);
    near(far(0.6, 0.8), 2.0 - 1.0 - 0.25, ROUNDING);
    near(far(3.0, 4.0), 5.0 - 2.0 - 0.25, ROUNDING);
    near(far(2.0, -3.0), 3.0 - 0.25, ROUNDING);
    // A straight edge above touches the top.
    near(gap(&arc, Pose::IDENTITY, &square(), at(0.2, 3.5, 0.0), true), 0.5, 1e-12);
}

#[test]
fn cubics_are_met_where_they_are() {
    // The parabola y = x^2 for x from -1 to 1.
    let parabola = Hermite {
        ends: [Vec3::new(-1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.0)],
        slopes: [Vec3::new(2.0, -4.0, 0.0), Vec3::new(2.0, 4.0, 0.0)],
    };
    let curve = Form::Chain(Chain::new(vec![Piece::Cubic(parabola)], false));
    // Along the normal at x = 0.5, which is (1, -1)/sqrt 2, one unit below.
    let d = 0.5f64.sqrt();
    let ball = Form::Ball { radius: 0.125 };
    near(gap(&curve, Pose::IDENTITY, &ball, at(0.5 + d, 0.25 - d, 0.0), true), 0.875, ROUNDING);
    // A half space below it, leaning by 45 degrees: touched where the slope is 1.
    let floor = Form::HalfSpace { normal: Vec3::new(-d, d, 0.0) };
    near(gap(&floor, at(0.5, 0.25, 0.0), &curve, Pose::IDENTITY, true), 0.0, ROUNDING);
    // Curvature 2/(1 + 4 x^2)^1.5 is told to whoever asks how the gap changes.
    let touch = pair(curve, ball, true).least([&Pose::IDENTITY, &at(0.5 + d, 0.25 - d, 0.0)]);
    let biela_distance::Core::Point { radius, .. } = touch.cores[0] else { panic!("{touch:?}") };
    near(radius.abs(), 2f64.powf(1.5) / 2.0, 1e-10);
}

#[test]
fn a_cylinder_stands_on_points_of_its_rim() {
    let standing = pair(Form::HalfSpace { normal: Vec3::Z }, Form::Cylinder { half: 0.8, radius: 0.25 }, false);
    let gaps = |lean: f64| -> Vec<f64> {
        let X = Pose::new(Rotation::about(Vec3::X, lean), Vec3::new(0.0, 0.0, 0.8));
        (0..standing.sources().len()).map(|k| standing.touch(k, [&Pose::IDENTITY, &X]).gap).collect()
    };
    assert_eq!(gaps(0.0).iter().filter(|g| g.abs() < ROUNDING).count(), 8);
    assert_eq!(gaps(0.3).iter().filter(|g| g.is_finite()).count(), 2);
    // What is lowest never jumps by more than this part of the radius.
    for lean in [0.99e-6f64, 1.01e-6, 0.99e-3, 1.01e-3] {
        let lowest = gaps(lean).into_iter().fold(f64::INFINITY, f64::min);
        near(lowest, 0.8 - 0.8 * lean.cos() - 0.25 * lean.sin(), 0.25 * 1e-7);
    }
}

fn polygon(corners: &[[f64; 2]]) -> Form {
    Form::Chain(Chain::polygon(&corners.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect::<Vec<_>>()))
}

/// Gaps of all places of a pair, in order of their size.
fn gaps(pair: &Pair, poses: [&Pose; 2]) -> Vec<f64> {
    let mut found: Vec<f64> = (0..pair.sources().len()).map(|k| pair.touch(k, poses).gap).collect();
    found.sort_by(f64::total_cmp);
    found
}

#[test]
fn a_hollow_has_two_sides() {
    let pin = Form::Ball { radius: 0.3 };
    for (alpha, beta) in [(45f64, 45f64), (60.0, 20.0), (10.0, 15.0), (30.0, 50.0)] {
        let (a, b) = (alpha.to_radians(), beta.to_radians());
        let (left, right) = ([-2.0 * a.cos(), 2.0 * a.sin()], [2.0 * b.cos(), 2.0 * b.sin()]);
        let hollow = polygon(&[[left[0], -1.0], [right[0], -1.0], right, [0.0, 0.0], left]);
        let sides = pair(hollow, pin.clone(), true);
        // On the bisector, beside either slope, and a little within one.
        for (along, up) in [(0.0, 1.0), (-1.2, 0.31), (1.2, 0.35), (-1.3, 0.299)] {
            let lean = if along < 0.0 { -a } else { b };
            let (x, y) = (along * lean.cos() - up * lean.sin(), along * lean.sin() + up * lean.cos());
            let found = gaps(&sides, [&Pose::IDENTITY, &at(x, y, 0.0)]);
            let mut due = [x * a.sin() + y * a.cos() - 0.3, -x * b.sin() + y * b.cos() - 0.3];
            due.sort_by(f64::total_cmp);
            near(found[0], due[0], ROUNDING);
            near(found[1], due[1], ROUNDING);
        }
    }
    // What lies outside of a thin wall is not within what the wall is a side of.
    let cup = polygon(&[
        [-1.0, 0.0],
        [1.0, 0.0],
        [1.0, 2.0],
        [0.99, 2.0],
        [0.99, 0.01],
        [-0.99, 0.01],
        [-0.99, 2.0],
        [-1.0, 2.0],
    ]);
    let pin = Form::Ball { radius: 0.001 };
    for (x, y, due) in [(1.003, 0.02, 0.002), (1.003, 1.0, 0.002), (0.5, -0.003, 0.002), (0.0, 0.013, 0.002)] {
        near(gaps(&pair(cup.clone(), pin.clone(), true), [&Pose::IDENTITY, &at(x, y, 0.0)])[0], due, ROUNDING);
    }
    // In its corner both sides are near.
    let found = gaps(&pair(cup, pin, true), [&Pose::IDENTITY, &at(0.987, 0.014, 0.0)]);
    near(found[0], 0.002, ROUNDING);
    near(found[1], 0.003, ROUNDING);
}

#[test]
fn a_corner_on_a_corner_touches_the_side_below() {
    let block = polygon(&[[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]]);
    let cube = Form::Box { half: Vec3::new(0.3, 0.2, 0.1) };
    for (form, up, planar, count) in [(block, Vec3::Y, true, 4), (cube, Vec3::Z, false, 8)] {
        let pair = pair(form.clone(), form, planar);
        let above = Pose::translation(up * 0.2);
        let touches: Vec<_> = (0..pair.sources().len()).map(|k| pair.touch(k, [&Pose::IDENTITY, &above])).collect();
        let on: Vec<_> = touches.iter().filter(|touch| touch.gap.abs() < ROUNDING).collect();
        assert_eq!(on.len(), count);
        for touch in on {
            assert!((touch.normal - up).norm() < ROUNDING, "{touch:?}");
            assert!(touch.ends.iter().flatten().any(|end| end.0.abs() < ROUNDING), "{touch:?}");
        }
    }
}
