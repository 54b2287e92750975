//! Rates of gaps against differences of the gap itself, along motions of both bodies.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground.

use biela_distance::{Chain, Form, Hermite, Moving, Pair, Piece, Placed, Source};
use biela_math::{EulerParameters, Pose, Vec3};

/// Differences over this time are off by its square times fourth rates of order one hundred, and by rounding over its square.
const H: f64 = 1e-4;
const OFF: f64 = 2e-5;

/// A body that moves steadily: constant velocity and angular velocity from a pose, and so no acceleration.
fn moving(start: Pose, v: Vec3, w: Vec3, t: f64) -> Moving {
    let turned = EulerParameters::from_rotation_vector(w * t).rotation();
    let pose = Pose::new(turned * start.rotation, start.origin + v * t);
    Moving { pose, v: [v, w], a: [Vec3::ZERO; 2] }
}

fn placed(form: Form) -> Placed {
    Placed::new(form, Pose::new(biela_math::Rotation::about(Vec3::Z, 0.2), Vec3::new(0.1, -0.05, 0.0)))
}

fn check(name: &str, pair: &Pair, starts: [Pose; 2], planar: bool) {
    let (v, w) = match planar {
        true => ([Vec3::new(0.3, 0.2, 0.0), Vec3::new(-0.4, 0.7, 0.0)], [Vec3::Z * 0.8, Vec3::Z * -1.1]),
        false => (
            [Vec3::new(0.3, 0.2, 0.1), Vec3::new(-0.4, 0.7, -0.2)],
            [Vec3::new(0.5, 0.3, 0.8), Vec3::new(-0.2, 0.9, -1.1)],
        ),
    };
    let at = |t: f64| [0, 1].map(|k| moving(starts[k], v[k], w[k], t));
    let mut seen = 0;
    for k in 0..pair.sources().len() {
        let touch = |t: f64| {
            let [a, b] = at(t);
            pair.touch(k, [&a.pose, &b.pose])
        };
        let gap = |t: f64| touch(t).gap;
        if [-H, 0.0, H].iter().any(|t| !gap(*t).is_finite()) {
            continue;
        }
        seen += 1;
        let [a, b] = at(0.0);
        let change = touch(0.0).change([&a, &b]);
        let rate = (gap(H) - gap(-H)) / (2.0 * H);
        let second = (gap(H) - 2.0 * gap(0.0) + gap(-H)) / (H * H);
        assert!((change.gap[0] - rate).abs() < OFF * 0.01, "{name} {k}: {} for {rate}", change.gap[0]);
        assert!((change.gap[1] - second).abs() < OFF, "{name} {k}: {} for {second}", change.gap[1]);
        // The rate of the gap is that of the bodies along the normal.
        assert!((change.slide[0].dot(touch(0.0).normal) - rate).abs() < OFF * 0.01, "{name} {k}: slide");
    }
    assert!(seen > 0, "{name}: nothing is looked at");
}

#[test]
fn gaps_change_as_their_rates_say() {
    let start = |x: f64, y: f64, z: f64| Pose::new(biela_math::Rotation::from_rpy(0.3, -0.2, 0.5), Vec3::new(x, y, z));
    let flat = |x: f64, y: f64| Pose::new(biela_math::Rotation::about(Vec3::Z, 0.4), Vec3::new(x, y, 0.0));
    let floor = || Form::HalfSpace { normal: Vec3::new(0.6, 0.0, 0.8) };
    let ball = || Form::Ball { radius: 0.3 };
    let cube = || Form::Box { half: Vec3::new(0.5, 0.4, 0.3) };
    let capsule = || Form::Capsule { half: 0.7, radius: 0.2 };
    let cylinder = || Form::Cylinder { half: 0.6, radius: 0.25 };
    let away = Pose::new(biela_math::Rotation::from_rpy(1.1, 0.7, -0.4), Vec3::new(1.7, 0.4, 1.1));
    for (name, a, b) in [
        ("balls", ball(), ball()),
        ("ball on capsule", ball(), capsule()),
        ("ball beside box", ball(), cube()),
        ("ball beside cylinder", cylinder(), ball()),
        ("ball on floor", floor(), ball()),
        ("box on floor", floor(), cube()),
        ("capsule on floor", capsule(), floor()),
        ("cylinder on floor", floor(), cylinder()),
        ("boxes", cube(), cube()),
        ("capsules", capsule(), capsule()),
    ] {
        let pair = Pair::new([placed(a), placed(b)], false).expect("a pair");
        check(name, &pair, [start(0.0, 0.0, 0.0), away], false);
    }
    // Above the end of the cylinder, beside its rim, and beside it.
    for (x, y, z) in [(0.1, 0.1, 2.0), (1.2, 0.2, 1.5), (1.3, 0.3, 0.0)] {
        let pair = Pair::new([placed(cylinder()), placed(ball())], false).expect("a pair");
        check("cylinder and ball", &pair, [Pose::IDENTITY, Pose::translation(Vec3::new(x, y, z))], false);
    }
    let square = || {
        Form::Chain(Chain::polygon(
            &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0)),
        ))
    };
    let arc =
        || Form::Chain(Chain::new(vec![Piece::Arc { middle: Vec3::ZERO, radius: 2.0, from: -1.0, sweep: 3.0 }], false));
    let curve = || {
        let ends = [Vec3::new(1.0, -1.0, 0.0), Vec3::new(-1.0, -1.0, 0.0)];
        Form::Chain(Chain::new(
            vec![Piece::Cubic(Hermite { ends, slopes: [Vec3::new(1.0, 6.0, 0.0), Vec3::new(1.0, -6.0, 0.0)] })],
            false,
        ))
    };
    for (name, a, b, away) in [
        ("disc beside square", square(), ball(), flat(1.8, 0.2)),
        ("disc beside corner", square(), ball(), flat(2.0, 2.1)),
        ("squares", square(), square(), flat(3.0, 0.6)),
        ("disc within arc", arc(), ball(), flat(0.8, 0.5)),
        ("disc beyond arc", ball(), arc(), flat(-2.5, -0.3)),
        ("curve and disc", curve(), ball(), flat(0.3, 2.0)),
        ("curve and square", curve(), square(), flat(0.2, 2.8)),
        ("curve and arc", curve(), arc(), flat(-6.0, 0.5)),
        ("capsule and square", square(), Form::Capsule { half: 0.5, radius: 0.1 }, flat(2.5, 0.3)),
    ] {
        let pair = Pair::new([placed(a), placed(b)], true).expect("a pair");
        assert!(!pair.sources().iter().any(|s| matches!(s, Source::Solids { .. })));
        check(name, &pair, [flat(0.0, 0.0), away], true);
    }
}

/// A wheel that rolls: its slide is none and stays so.
#[test]
fn a_rolling_ball_does_not_slide() {
    let pair = Pair::new(
        [
            Placed::new(Form::HalfSpace { normal: Vec3::Z }, Pose::IDENTITY),
            Placed::new(Form::Ball { radius: 0.5 }, Pose::IDENTITY),
        ],
        false,
    )
    .expect("a pair");
    let still = Moving { pose: Pose::IDENTITY, v: [Vec3::ZERO; 2], a: [Vec3::ZERO; 2] };
    // Speeding up along x while it turns about z too.
    let ball = Moving {
        pose: Pose::translation(Vec3::new(3.0, 1.0, 0.5)),
        v: [Vec3::X * 2.0, Vec3::new(0.0, 4.0, 7.0)],
        a: [Vec3::X * 3.0, Vec3::new(0.0, 6.0, -1.0)],
    };
    let touch = pair.touch(0, [&still.pose, &ball.pose]);
    let change = touch.change([&still, &ball]);
    let small = |v: Vec3| v.norm() < 1e-14;
    assert!(small(change.slide[0]) && small(change.slide[1]) && change.gap == [0.0, 0.0], "{change:?}");
}
