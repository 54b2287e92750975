//! Cams by segments: closed forms of the follower's motion, of the pressure angle, of the profile; what is warned of and refused.

mod common;

use biela::couplings::Follower;
use biela::math::Jet;
use biela::model::Model;
use biela::motion::{laws, Motion, LAWS};
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run::{formulation_of, run as solve};
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::*;
use common::record::{held, CLOSED};
use std::f64::consts::{PI, TAU};

fn answered(model: &Model) -> Results {
    let mut model = model.clone();
    model.study.every = true;
    solve(&model, formulation_of(&model), METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

/// The follower's lift of the shipped cam with its first two derivatives to the angle, written out: cycloid over 100 deg, dwell to 150,
/// 3-4-5 polynomial back over 110 deg, dwell.
fn lift(angle: f64) -> [f64; 3] {
    let (h, degrees) = (0.012, angle.rem_euclid(TAU).to_degrees());
    if degrees < 100.0 {
        let (b, x) = (100f64.to_radians(), degrees / 100.0);
        let w = TAU / b;
        [h * (x - (TAU * x).sin() / TAU), h / b * (1.0 - (TAU * x).cos()), h / b * w * (TAU * x).sin()]
    } else if degrees < 150.0 {
        [h, 0.0, 0.0]
    } else if degrees < 260.0 {
        let (b, x) = (110f64.to_radians(), (degrees - 150.0) / 110.0);
        let s = 10.0 * x.powi(3) - 15.0 * x.powi(4) + 6.0 * x.powi(5);
        let d = 30.0 * x.powi(2) - 60.0 * x.powi(3) + 30.0 * x.powi(4);
        let dd = 60.0 * x - 180.0 * x.powi(2) + 120.0 * x.powi(3);
        [h * (1.0 - s), -h * d / b, -h * dd / (b * b)]
    } else {
        [0.0, 0.0, 0.0]
    }
}

#[test]
fn the_shipped_cam_follows_its_closed_forms() {
    let model = load("cam", &Options::default());
    let results = answered(&model);
    let w = 300.0 * TAU / 60.0;
    follows(&results, "guide.slide", |t| lift(w * t)[0]);
    follows(&results, "guide.slide.rate", |t| w * lift(w * t)[1]);
    follows(&results, "follower.ay", |t| w * w * lift(w * t)[2]);
    // tan φ = (s′ − e)/(s + √(r² − e²)) with r = base + roller.
    let (e, r) = (0.005f64, 0.038f64);
    let height = |s: f64| s + (r * r - e * e).sqrt();
    follows(&results, "contact.pressure_angle", |t| {
        let [s, d, _] = lift(w * t);
        ((d - e) / height(s)).atan()
    });
    // The contact lies the roller's radius from its centre, along the common normal.
    follows(&results, "contact.contact_radius", |t| {
        let [s, d, _] = lift(w * t);
        let phi = ((d - e) / height(s)).atan();
        (e + 0.008 * phi.sin()).hypot(height(s) - 0.008 * phi.cos())
    });
    follows(&results, "contact.curvature_radius", |t| {
        let [s, d, dd] = lift(w * t);
        let y = height(s);
        (y * y + (d - e).powi(2)).powf(1.5) / (y * y + (d - e) * (2.0 * d - e) - y * dd) - 0.008
    });
    // What the motor gives goes into the follower: its weight and inertia along s, over the cam's angle.
    follows(&results, "motor.effort", |t| {
        let [_, d, dd] = lift(w * t);
        0.25 * (9.81 + w * w * dd) * d
    });
}

/// A cam of segments with a law for the rise and its return.
fn with_law(law: &str) -> String {
    format!(
        "planar = true\n[bodies.cam]\n[bodies.follower]\n[joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"cam\"]\nat = [0, 0]\n\
         [joints.B]\ntype = \"prismatic\"\nbodies = [\"ground\", \"follower\"]\nat = [0, 0.1]\naxis = \"y\"\n\
         [couplings.C]\ntype = \"cam\"\njoints = [\"A\", \"B\"]\n\
         segments = [{{ dwell = \"30 deg\" }}, {{ law = \"{law}\", to = 0.02, over = \"140 deg\" }}, {{ law = \"{law}\", to = 0, over = \"190 deg\" }}]\n\
         base = 0.05\nroller = 0.01\n[drivers.m]\njoint = \"A\"\nvalue = \"t - 5\"\n[run]\nend = \"4*pi\"\nsteps = 97\n"
    )
}

#[test]
fn every_law_makes_a_cam_over_any_number_of_turns() {
    for law in LAWS {
        let results = answered(&parse(&with_law(law.keyword)));
        let b = [140f64.to_radians(), 190f64.to_radians()];
        let due = |angle: f64| {
            let angle = angle.rem_euclid(TAU) - 30f64.to_radians();
            if angle < 0.0 {
                return Jet::constant(0.0);
            }
            let [shape, scale] = if angle < b[0] {
                [(law.function)(angle / b[0]), Jet::new(0.02, 0.02 / b[0], 0.02 / (b[0] * b[0]))]
            } else {
                // A return is the rise backwards; for symmetric laws that is the rise upside down.
                let back = (law.function)(1.0 - (angle - b[0]) / b[1]);
                [back, Jet::new(0.02, -0.02 / b[1], 0.02 / (b[1] * b[1]))]
            };
            Jet::new(shape.v * scale.v, shape.d * scale.d, shape.dd * scale.dd)
        };
        follows(&results, "B.slide", |t| due(t - 5.0).v);
        follows(&results, "B.slide.rate", |t| due(t - 5.0).d);
        follows(&results, "B.slide.accel", |t| due(t - 5.0).dd);
    }
    assert!(LAWS.iter().any(|law| law.keyword == "double-harmonic"));
}

/// The double harmonic as handbooks print it: rise ½[(1 − cos πτ) − ¼(1 − cos 2πτ)].
#[test]
fn the_double_harmonic_is_that_of_the_handbook() {
    let law = laws::law_type("double-harmonic").unwrap();
    for k in 0..=40 {
        let x = f64::from(k) / 40.0;
        let s = (law.function)(x);
        let due = 0.5 * ((1.0 - (PI * x).cos()) - 0.25 * (1.0 - (2.0 * PI * x).cos()));
        held(CLOSED, "double harmonic", 1e-14, (s.v - due).abs(), x);
        let rate = 0.5 * PI * ((PI * x).sin() - 0.5 * (2.0 * PI * x).sin());
        held(CLOSED, "double harmonic, rate", 1e-14, (s.d - rate).abs(), x);
    }
}

/// The profile touches the roller: each of its points is the roller's radius from the centre at its own angle, and no nearer at any other.
#[test]
fn the_profile_is_the_envelope_of_the_roller() {
    let model = load("cam", &Options::default());
    let coupling = &model.couplings[0];
    let (profile, follower) = (coupling.profile.as_ref().unwrap(), coupling.follower.unwrap());
    for k in 0..180 {
        let theta = f64::from(2 * k).to_radians();
        let [x, y] = follower.profile(profile, theta);
        let gap = |angle: f64| {
            // The roller's centre in the cam: the ground's frame turned back.
            let height = lift(angle)[0] + (0.038f64 * 0.038 - 0.005 * 0.005).sqrt();
            let (sin, cos) = angle.sin_cos();
            (x - cos * 0.005 - sin * height).hypot(y - cos * height + sin * 0.005) - 0.008
        };
        assert!(gap(theta).abs() < 1e-15, "{k}");
        assert!((-180..180).all(|other| gap(theta + f64::from(other).to_radians()) > -1e-9), "{k}");
    }
}

fn told(text: &str) -> (Option<String>, Vec<String>) {
    let read = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    match read {
        Ok((_, warnings)) => (None, warnings),
        Err(error) => (Some(error.to_string()), Vec::new()),
    }
}

#[test]
fn an_undercut_profile_is_told_with_its_place() {
    let (error, warnings) = told(
        &with_law("cycloidal")
            .replace("base = 0.05", "base = 0.004")
            .replace("roller = 0.01", "roller = 0.03")
            .replace("140 deg", "60 deg")
            .replace("190 deg", "270 deg"),
    );
    assert_eq!(error, None);
    assert!(warnings.iter().any(|w| w.contains("undercut from") && w.contains("m.toml:18")), "{warnings:?}");
    assert!(told(&with_law("cycloidal")).1.is_empty());
    let (_, warnings) = told(&with_law("linear"));
    assert!(warnings.iter().any(|w| w.contains("velocity jumps at 30 deg")), "{warnings:?}");
    // A circle never is.
    let circle = Follower { base: 0.01, roller: 1.0, eccentricity: 0.0 };
    assert_eq!(circle.undercut(&Motion::Constant(0.0)), None);
}

#[test]
fn faults_of_cams_are_told_with_their_places() {
    let text = with_law("cycloidal");
    for (from, to, parts) in [
        (
            "over = \"190 deg\"",
            "over = \"180 deg\"",
            &["m.toml:16", "350 deg", "10 deg are missing", "coupling 'C'"][..],
        ),
        ("over = \"190 deg\"", "over = \"200 deg\"", &["m.toml:16", "370 deg", "10 deg are too many"]),
        ("to = 0,", "to = 0.01,", &["m.toml:16", "does not come back", "to = 0"]),
        ("over = \"190 deg\"", "over = \"-190 deg\"", &["m.toml:16", "between 0 and 360 deg"]),
        ("law = \"cycloidal\", to = 0,", "law = \"cycloid\", to = 0,", &["m.toml:16", "did you mean 'cycloidal'?"]),
        ("{ dwell = \"30 deg\" }", "{ dwell = \"30 deg\", to = 1 }", &["m.toml:16", "exclude each other"]),
        ("{ dwell = \"30 deg\" }", "{ dwel = \"30 deg\" }", &["m.toml:16", "did you mean 'dwell'?"]),
        ("{ dwell = \"30 deg\" }", "30", &["m.toml:16", "a table is expected"]),
        (
            "{ dwell = \"30 deg\" }",
            "{ law = \"cycloidal\", over = \"30 deg\" }",
            &["m.toml:16", "'segment.to' is missing"],
        ),
        ("to = 0.02,", "to = \"2 kg\",", &["m.toml:16", "length"]),
        ("base = 0.05", "base = -0.05", &["m.toml:17", "above zero"]),
        ("base = 0.05\n", "", &["m.toml:17", "without 'base'"]),
        ("roller = 0.01", "roller = -0.01", &["m.toml:18", "negative"]),
        ("roller = 0.01", "roller = 0.01\neccentricity = 0.07", &["m.toml:19", "outside"]),
        ("to = 0.02,", "to = -0.2,", &["m.toml:17", "pass the cam's axis"]),
        ("base = 0.05", "profile = \"angle\"\nbase = 0.05", &["m.toml:17", "both give"]),
        ("joints = [\"A\", \"B\"]", "joints = [\"B\", \"A\"]", &["m.toml:16", "does not turn"]),
    ] {
        assert!(text.contains(from), "{from}");
        let (error, _) = told(&text.replacen(from, to, 1));
        let message = error.unwrap_or_else(|| panic!("{to} is accepted"));
        for part in parts {
            assert!(message.contains(part), "'{part}' is not in:\n{message}");
        }
    }
    // Neither way of giving the motion.
    let none: String = text.lines().filter(|l| !l.starts_with("segments")).map(|l| format!("{l}\n")).collect();
    let message = told(&none).0.expect("refused");
    assert!(message.contains("'profile' is missing") && message.contains("segments = ["), "{message}");
}
