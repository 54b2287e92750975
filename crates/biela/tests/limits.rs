//! What a mechanism cannot do is told: by time, by joint, by driver.

mod common;

use common::cases::*;
use std::f64::consts::{FRAC_PI_3, FRAC_PI_4, TAU};

/// The time told in "cannot be followed beyond t = … s" or "singular position at t = … s".
fn told_time(message: &str) -> f64 {
    let at = message.find("t = ").unwrap_or_else(|| panic!("no time in: {message}")) + 4;
    message[at..].split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("no time in: {message}"))
}

#[test]
fn a_rod_too_short_leaves_a_named_joint_open() {
    // At 45 degrees the crank pin stands 1.414 m high; a rod of 1 m does not reach the guide.
    let message = failure(&load("slider-crank", &set(&[("rod", "1")])));
    assert!(message.contains("cannot be assembled at t = 0 s"), "{message}");
    assert!(
        message.contains("joint 'guide' stays open by") || message.contains("joint 'C' stays open by"),
        "{message}"
    );
    let message = failure(&load("four-bar", &set(&[("coupler", "20")])));
    assert!(message.contains("cannot be assembled") && message.contains("stays open by"), "{message}");
}

#[test]
fn too_many_drivers_are_named() {
    let extra = "[drivers.second]\njoint = \"C\"\nvalue = \"t\"\n\n[run]";
    let message = failure(&altered("slider-crank", &[("[run]", extra)]));
    // Two drivers of one freedom that agree nowhere: it may fail to close already.
    assert!(message.contains("over-driven") || message.contains("driver"), "{message}");
    let agreeing = "[drivers.second]\njoint = \"guide\"\nvalue = \"2*cos(pi/4 + omega*t) + sqrt(3.5^2 - 4*sin(pi/4 + omega*t)^2)\"\n\n[run]";
    let message = failure(&altered("slider-crank", &[("[run]", agreeing)]));
    assert!(message.contains("over-driven at t = 0 s: 1 driver equation(s) too many for 1 freedom(s)"), "{message}");
    assert!(message.contains("'motor'") && message.contains("'second'"), "{message}");
}

#[test]
fn too_few_drivers_are_told_with_what_is_loose() {
    let message =
        failure(&altered("slider-crank", &[("[drivers.motor]\njoint = \"O\"\nvalue = \"pi/4 + omega*t\"\n", "")]));
    assert!(message.contains("under-driven at t = 0 s: 1 of 1 freedom(s)"), "{message}");
    for name in ["O.angle", "B.angle", "C.angle", "guide.slide"] {
        assert!(message.contains(name), "{name} is loose: {message}");
    }
}

#[test]
fn a_driver_that_jumps_is_named_with_its_time() {
    for (law, height) in
        [("pi/4 + floor(3*t)", "1"), ("pi/4 + 0.01*floor(3*t)", "0.01"), ("pi/4 + t + 0.02*floor(3*t)", "0.02")]
    {
        let message = failure(&altered("slider-crank", &[("pi/4 + omega*t", law)]));
        assert!(message.contains("driver 'motor'") && message.contains(&format!("jumps by {height}")), "{message}");
        assert!((told_time(&message) - 1.0 / 3.0).abs() < 1e-6, "{message}");
    }
    // A steep but continuous law is followed.
    let steep = altered("slider-crank", &[("pi/4 + omega*t", "pi/4 + atan(500*(t - 0.5))")]);
    follows(&run(&steep), "O.angle", |t| FRAC_PI_4 + (500.0 * (t - 0.5)).atan());
    // A law that moves and rests again between two samples is not missed.
    let brief = altered("slider-crank", &[("pi/4 + omega*t", "pi/4 + 2*smoothstep(t, 0.502, 0.508)")]);
    follows(&run(&brief), "O.angle", |t| FRAC_PI_4 + if t > 0.505 { 2.0 } else { 0.0 });
}

#[test]
fn a_four_bar_ends_at_its_toggle() {
    // With crank 6 the crank cannot turn: coupler and rocker come into line where A-P1-B spans 8 + 5.
    let model = load("four-bar", &set(&[("crank", "6")]));
    let limit = ((36.0 + 100.0 - 169.0f64) / (2.0 * 6.0 * 10.0)).acos();
    assert!((told_time(&failure(&model)) - (limit - FRAC_PI_3)).abs() < 1e-6);
    // With a rod of 1.9 m the slider-crank stops where the crank pin is 1.9 m high.
    let model = load("slider-crank", &set(&[("rod", "1.9")]));
    let limit = ((1.9f64 / 2.0).asin() - FRAC_PI_4) / TAU;
    assert!((told_time(&failure(&model)) - limit).abs() < 1e-6);
    // Haug's mechanism with a rod of 0.23 m: rod² = y² + z² at the crank pin.
    let model = load("haug-slider-crank", &set(&[("rod", "0.23")]));
    let open = |t: f64| {
        let (s, c) = (TAU * t).sin_cos();
        0.23f64.powi(2) - (0.1 - 0.08 * s).powi(2) - (0.12 + 0.08 * c).powi(2)
    };
    let (mut low, mut high) = (0.5, 1.0);
    assert!(open(low) > 0.0 && (0..1000).map(|k| open(0.5 * f64::from(k) / 1000.0)).all(|x| x > 0.0));
    for k in 0..1000 {
        if open(0.5 + 0.5 * f64::from(k) / 1000.0) < 0.0 {
            high = 0.5 + 0.5 * f64::from(k) / 1000.0;
            break;
        }
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *if open(middle) > 0.0 { &mut low } else { &mut high } = middle;
    }
    let told = told_time(&failure(&model));
    assert!((told - low).abs() < 1e-6, "{told} where {low} is due");
}

#[test]
fn the_hand_cannot_reach_beyond_the_arm() {
    let model = altered("two-link-hand", &[("value = \"-5.5 + speed*t\"", "value = \"2 + speed*t\"")]);
    // 7 long: at y = 4 the hand comes to x = sqrt(33).
    let told = told_time(&failure(&model));
    assert!((told - (33f64.sqrt() - 2.0)).abs() < 1e-6, "{told}");
}

#[test]
fn a_parallelogram_does_not_choose_at_its_change_point() {
    // In the flat position two motions are possible and the rates are not determined: it stops there and says so.
    let mut model = altered("parallelogram", &[("60 deg * sin(2*pi*t)", "2*pi*t")]);
    for steps in [100, 1000, 37, 99] {
        model.study.steps = steps;
        let message = failure(&model);
        assert!(message.contains("singular position"), "{message}");
        assert!((told_time(&message) - 0.25).abs() < 1e-6, "{message}");
    }
}

#[test]
fn turns_are_counted() {
    let mut model = load("slider-crank", &set(&[]));
    (model.study.end, model.study.steps) = (3.0, 30);
    let results = run(&model);
    follows(&results, "O.angle", |t| FRAC_PI_4 + TAU * t);
    // The rod's angle on the crank goes back three turns.
    let back = column(&results, "B.angle");
    assert!((back[30] - back[0] + 3.0 * TAU).abs() < 1e-12);
    // Backwards, and by a driver that begins several turns away.
    let backwards = altered("slider-crank", &[("pi/4 + omega*t", "9*pi - omega*t")]);
    follows(&run(&backwards), "O.angle", |t| 9.0 * TAU / 2.0 - TAU * t);
}

#[test]
fn few_samples_follow_the_same_motion() {
    // Steps between samples are the solver's own affair: three samples of ten turns are on the same motion.
    let mut coarse = load("slider-crank", &set(&[("omega", "20*pi")]));
    coarse.study.steps = 3;
    let results = run(&coarse);
    follows(&results, "O.angle", |t| FRAC_PI_4 + 10.0 * TAU * t);
    let mut fine = coarse.clone();
    fine.study.steps = 3000;
    let fine = run(&fine);
    for k in 0..4 {
        for name in ["piston.x", "piston.vx", "rod.e0", "rod.e3"] {
            let (a, b) = (column(&results, name)[k], column(&fine, name)[1000 * k]);
            assert!((a - b).abs() <= AGREEMENT * magnitude(column(&fine, name), 0.0), "{name}: {a} and {b}");
        }
    }
}
