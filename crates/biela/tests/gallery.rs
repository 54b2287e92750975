//! The gallery of mechanisms against closed forms.

mod common;

use common::cases::*;
use common::record::CLOSED;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Differences that must vanish: a few roundings of numbers of the size of the mechanism.
const NOTHING: f64 = 1e-12;

/// An angle brought within half a turn of another.
fn near(angle: f64, other: f64) -> f64 {
    angle - TAU * ((angle - other) / TAU).round()
}

/// Where two circles meet; `side` +1 is to the left of the line from the first centre to the second.
fn meet(a: [f64; 2], ra: f64, b: [f64; 2], rb: f64, side: f64) -> [f64; 2] {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let d = dx.hypot(dy);
    let along = (ra * ra - rb * rb + d * d) / (2.0 * d);
    let across = side * (ra * ra - along * along).sqrt();
    [a[0] + (along * dx - across * dy) / d, a[1] + (along * dy + across * dx) / d]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn scotch_yoke_is_a_pure_cosine() {
    let results = run(&load("scotch-yoke", &set(&[])));
    follows(&results, "yoke.x", |t| 0.05 * (TAU * t).cos());
    follows(&results, "yoke.vx", |t| -0.05 * TAU * (TAU * t).sin());
    follows(&results, "yoke.ax", |t| -0.05 * TAU * TAU * (TAU * t).cos());
    follows(&results, "pin.slide", |t| 0.05 * (TAU * t).sin());
}

#[test]
fn quick_return_turns_its_lever_unevenly() {
    let results = run(&load("quick-return", &set(&[])));
    let lever = |t: f64| {
        let (s, c) = (TAU * t).sin_cos();
        near((1.0 + 2.5 * s).atan2(2.5 * c), TAU * t)
    };
    follows(&results, "D.angle", lever);
    follows(&results, "slot.slide", |t| (2.5 * (TAU * t).cos()).hypot(1.0 + 2.5 * (TAU * t).sin()));
    follows(&results, "ram.x", |t| {
        let (s, c) = lever(t).sin_cos();
        -2.0 * c - (36.0 - 4.0 * s * s).sqrt()
    });
}

#[test]
fn bennett_obeys_its_relation_through_a_full_turn() {
    let results = run(&load("bennett", &set(&[])));
    let (alpha, beta) = (30f64.to_radians(), 70f64.to_radians());
    let k = (0.5 * (beta + alpha)).sin() / (0.5 * (beta - alpha)).sin();
    for i in 0..results.len() {
        let angle = |name: &str| column(&results, name)[i];
        let second = 2.0 * (k * (0.5 * angle("j1.angle")).cos()).atan2((0.5 * angle("j1.angle")).sin());
        assert!(near(angle("j2.angle") - second, 0.0).abs() < 1e-11, "sample {i}");
        assert!(near(angle("j3.angle") + angle("j1.angle"), 0.0).abs() < 1e-11, "sample {i}");
        assert!(near(angle("j4.angle") + angle("j2.angle"), 0.0).abs() < 1e-11, "sample {i}");
    }
}

#[test]
fn bennett_with_other_lengths_is_rigid() {
    let stiff = altered("bennett", &[("b     = \"a*sin(beta)/sin(alpha)\"", "b     = 2.0")]);
    // It can be put together in some positions only, and moves in none.
    let report = biela::solve::check::check(&stiff, "absolute");
    assert!(report.map_or(true, |r| r.instantaneous_mobility == 0 || r.overdriven > 0));
}

#[test]
fn sarrus_goes_straight_up() {
    let results = run(&load("sarrus", &set(&[])));
    follows(&results, "platform.centre.z", |t| 2.0 * (0.8f64.atan2(0.6) + 20f64.to_radians() * (TAU * t).sin()).sin());
    for name in ["platform.x", "platform.y", "platform.e1", "platform.e2", "platform.e3", "platform.wx", "platform.wz"]
    {
        assert!(magnitude(column(&results, name), 0.0) < NOTHING, "{name}");
    }
}

#[test]
fn rssr_rocks_as_its_rod_allows() {
    let results = run(&load("rssr", &set(&[])));
    let (radius, length2) = (2.5, 1.0 + 9.0 + 6.25);
    follows(&results, "D.angle", |t| {
        let (y, x) = (TAU * t).sin_cos();
        let k = 3.0 - y;
        (((2.0 - x).powi(2) + k * k + radius * radius - length2) / (2.0 * k * radius)).asin()
    });
    // The spin along the rod is held.
    for i in 0..results.len() {
        let along: f64 = ["x", "y", "z"]
            .iter()
            .map(|a| {
                let end = |p: &str| column(&results, &format!("rod.{p}.{a}"))[i];
                (end("C") - end("B")) * column(&results, &format!("rod.w{a}"))[i]
            })
            .sum();
        assert!(along.abs() < 1e-10, "sample {i}: {along:e}");
    }
}

#[test]
fn stewart_platform_rises_and_turns_as_its_legs_say() {
    let results = run(&load("stewart-platform", &set(&[])));
    let yaw = |t: f64| 15f64.to_radians() * (TAU * t).sin();
    follows(&results, "platform.centre.z", |t| 1.2 + 0.2 * (TAU * t).sin());
    follows(&results, "platform.e3", |t| (0.5 * yaw(t)).sin());
    follows(&results, "platform.e0", |t| (0.5 * yaw(t)).cos());
    follows(&results, "platform.wz", |t| 15f64.to_radians() * TAU * (TAU * t).cos());
    follows(&results, "platform.corner.y", |t| 0.6 * yaw(t).sin());
    for name in ["platform.centre.x", "platform.centre.y", "platform.e1", "platform.e2"] {
        assert!(magnitude(column(&results, name), 0.0) < NOTHING, "{name}");
    }
}

#[test]
fn delta_robot_stays_level_and_its_arms_follow_the_path() {
    let results = run(&load("delta-robot", &set(&[])));
    for name in ["platform.e1", "platform.e2", "platform.e3", "platform.wx", "platform.wy", "platform.wz"] {
        assert!(magnitude(column(&results, name), 0.0) < NOTHING, "{name}");
    }
    let (base, arm, rod, tool): (f64, f64, f64, f64) = (0.2, 0.3, 0.6, 0.1);
    let h = (rod * rod - (base + arm - tool) * (base + arm - tool)).sqrt();
    for k in 0..3 {
        let (s, c) = (TAU * k as f64 / 3.0).sin_cos();
        follows(&results, &format!("motor{}.angle", k + 1), |t| {
            let (st, ct) = (TAU * t).sin_cos();
            let p = [0.1 * st, 0.1 * (1.0 - ct), -h - 0.05 * st * st];
            // Radial, sideways and height of the rod's lower end, from the arm's axis.
            let (x, y, z) = (tool + p[0] * c + p[1] * s - base, -p[0] * s + p[1] * c, p[2]);
            let wanted = (x * x + y * y + z * z + arm * arm - rod * rod) / (2.0 * arm);
            (-z).atan2(x) - (wanted / x.hypot(z)).acos()
        });
    }
}

#[test]
fn double_cardan_undoes_its_unevenness() {
    let results = run(&load("double-cardan", &set(&[])));
    follows(&results, "out.angle", |t| TAU * t);
    follows(&results, "out.angle.rate", |_| TAU);
    let accel = magnitude(column(&results, "out.angle.accel"), 0.0);
    assert!(accel < 1e-10, "{accel}");
    // Hooke: tan θ₂ = tan θ₁ cos β, so the middle shaft turns at cos β / (cos² θ₁ + cos² β sin² θ₁) of the speed.
    let (sin, cos) = 30f64.to_radians().sin_cos();
    for (i, t) in results.times().iter().enumerate() {
        let (s, c) = (TAU * t).sin_cos();
        let speed = cos * column(&results, "middle.wx")[i] + sin * column(&results, "middle.wy")[i];
        assert!((speed - TAU * cos / (c * c + cos * cos * s * s)).abs() < 1e-10, "sample {i}: {speed}");
    }
}

#[test]
fn gears_count_their_turns() {
    let results = run(&load("gear-train", &set(&[])));
    follows(&results, "B.angle", |t| -TAU * t / 2.0);
    follows(&results, "C.angle", |t| TAU * t / 6.0);
    assert!((column(&results, "C.angle")[120] - TAU).abs() < NOTHING);
    // A thousand turns, after which angles are large numbers.
    let mut long = load("gear-train", &set(&[]));
    (long.study.end, long.study.steps) = (1000.0, 50);
    follows(&run(&long), "C.angle", |t| TAU * t / 6.0);
}

#[test]
fn planetary_gear_has_its_ratio() {
    let results = run(&load("planetary-gear", &set(&[])));
    let ratio = 24.0 / (24.0 + 60.0);
    follows(&results, "H.angle", |t| TAU * t * ratio);
    follows(&results, "P.angle", |t| -TAU * t * ratio * 60.0 / 18.0);
    // The planet rolls on the fixed ring: the drawn contact point begins at rest.
    assert!(column(&results, "planet.mark.vy")[0].abs() < 1e-12 && column(&results, "planet.mark.vx")[0].abs() < 1e-12);
    let mut long = load("planetary-gear", &set(&[]));
    (long.study.end, long.study.steps) = (500.0, 20);
    follows(&run(&long), "H.angle", |t| TAU * t * ratio);
}

#[test]
fn rack_follows_the_pinion_over_three_turns() {
    let results = run(&load("rack-and-pinion", &set(&[])));
    let angle = |t: f64| 3.0 * TAU * (t / 2.0 - (TAU * t / 2.0).sin() / TAU);
    follows(&results, "A.angle", angle);
    follows(&results, "guide.slide", |t| 0.02 * angle(t));
    follows(&results, "rack.vx", |t| 0.02 * 3.0 * TAU * (0.5 - 0.5 * (TAU * t / 2.0).cos()));
}

#[test]
fn cam_lifts_by_its_law() {
    let results = run(&load("cam-follower", &set(&[])));
    follows(&results, "guide.slide", |t| 0.005 * (1.0 - (2.0 * TAU * t).cos()));
    follows(&results, "follower.vy", |t| 0.005 * 2.0 * TAU * (2.0 * TAU * t).sin());
    follows(&results, "follower.ay", |t| 0.005 * (2.0 * TAU).powi(2) * (2.0 * TAU * t).cos());
}

#[test]
fn screw_advances_by_its_pitch_every_turn() {
    let results = run(&load("power-screw", &set(&[])));
    // slide = pitch · angle / 2π of the nut on the spindle, which turns under it.
    follows(&results, "thread.angle", |t| -TAU * t);
    follows(&results, "guide.slide", |t| -0.004 * t);
    assert!((column(&results, "nut.z")[100] - (0.1 - 5.0 * 0.004)).abs() < NOTHING);
}

#[test]
fn oldham_disc_circles_twice_per_turn() {
    let results = run(&load("oldham", &set(&[])));
    follows(&results, "B.angle", |t| TAU * t);
    follows(&results, "disc.centre.x", |t| 0.005 * (2.0 * TAU * t).sin());
    follows(&results, "disc.centre.y", |t| 0.005 * (1.0 - (2.0 * TAU * t).cos()));
}

#[test]
fn hoeken_is_nearly_straight_over_half_a_turn() {
    let results = run(&load("hoeken", &set(&[])));
    let tracer = |t: f64| {
        let (s, c) = (FRAC_PI_2 + TAU * t).sin_cos();
        let q = meet([c, s], 2.5, [2.0, 0.0], 2.5, 1.0);
        [2.0 * q[0] - c, 2.0 * q[1] - s]
    };
    follows(&results, "coupler.T.x", |t| tracer(t)[0]);
    follows(&results, "coupler.T.y", |t| tracer(t)[1]);
    // From 90 to 270 degrees of the crank: four long and straight to half a percent of that.
    let half = &column(&results, "coupler.T.y")[..=60];
    let (least, most) = half.iter().fold((f64::MAX, f64::MIN), |(l, m), y| (l.min(*y), m.max(*y)));
    let x = column(&results, "coupler.T.x");
    assert!(most - least < 0.02 && x[0] - x[60] > 3.9, "{} over {}", most - least, x[0] - x[60]);
}

#[test]
fn pantograph_doubles() {
    let results = run(&load("pantograph", &set(&[])));
    for axis in ["x", "y", "vx", "vy", "ax", "ay"] {
        let tracer: Vec<f64> = column(&results, &format!("bar1.T.{axis}")).iter().map(|x| 2.0 * x).collect();
        agrees_with(CLOSED, &results, &format!("arm2.P.{axis}"), 1, &tracer, 1e-3);
    }
    let report = biela::solve::check::check(&load("pantograph", &set(&[])), "absolute").unwrap();
    assert_eq!((report.grubler, report.instantaneous_mobility), (-1, 2));
}

#[test]
fn parallelogram_does_not_turn_its_coupler() {
    let results = run(&load("parallelogram", &set(&[])));
    follows(&results, "D.angle", |t| PI / 3.0 * (TAU * t).sin());
    follows(&results, "coupler.middle.x", |t| 2.5 - 2.0 * (PI / 3.0 * (TAU * t).sin()).sin());
    assert!(magnitude(column(&results, "coupler.e3"), 0.0) < NOTHING);
}

#[test]
fn peaucellier_is_exactly_straight() {
    let results = run(&load("peaucellier", &set(&[])));
    let half = |t: f64| PI / 6.0 * (TAU * t).sin();
    follows(&results, "AD.D.x", |_| 6.75);
    follows(&results, "AD.D.y", |t| 6.75 * half(t).tan());
    for name in ["AD.D.vx", "AD.D.ax"] {
        assert!(magnitude(column(&results, name), 0.0) < 1e-9, "{name}");
    }
}

#[test]
fn six_bars_close_by_circles() {
    let (p0, q0) = ([1.0, 1.7320508], [8.4125, 4.7413]);
    let four_bar = |t: f64| {
        let (s, c) = (TAU * t).sin_cos();
        let p = [p0[0] * c - p0[1] * s, p0[0] * s + p0[1] * c];
        (p, meet(p, distance(p0, q0), [10.0, 0.0], distance(q0, [10.0, 0.0]), 1.0))
    };
    // A point fixed to two others, as it is drawn.
    let carried = |a0: [f64; 2], b0: [f64; 2], e0: [f64; 2], a: [f64; 2], b: [f64; 2]| {
        let turn = (b[1] - a[1]).atan2(b[0] - a[0]) - (b0[1] - a0[1]).atan2(b0[0] - a0[0]);
        let (s, c) = turn.sin_cos();
        let (x, y) = (e0[0] - a0[0], e0[1] - a0[1]);
        [a[0] + c * x - s * y, a[1] + s * x + c * y]
    };
    let watt = run(&load("watt-six-bar", &set(&[])));
    let (b, e0, f0, g) = ([10.0, 0.0], [12.0, 3.0], [18.0, 4.5], [18.0, 0.0]);
    let f = |t: f64| {
        let e = carried(b, q0, e0, b, four_bar(t).1);
        meet(e, distance(e0, f0), g, distance(f0, g), 1.0)
    };
    follows(&watt, "output.F.x", |t| f(t)[0]);
    follows(&watt, "output.F.y", |t| f(t)[1]);

    let stephenson = run(&load("stephenson-six-bar", &set(&[])));
    let (e0, f0, g) = ([4.0, 6.0], [-3.0, 8.0], [-3.0, 2.0]);
    let f = |t: f64| {
        let (p, q) = four_bar(t);
        let e = carried(p0, q0, e0, p, q);
        meet(e, distance(e0, f0), g, distance(f0, g), -1.0)
    };
    follows(&stephenson, "output.F.x", |t| f(t)[0]);
    follows(&stephenson, "output.F.y", |t| f(t)[1]);
}

/// Bounce and yaw alone, sway with roll and surge with pitch: √ of the roots of det(K − ω²M) = 0. The preload stands below the mass
/// centre, which takes m g h off the stiffness against roll and pitch.
#[test]
fn engine_mounts_have_six_modes_in_closed_form() {
    let mut model = load("engine-mounts", &set(&[("c", "0")]));
    model.study.analysis = biela::model::Analysis::Modes;
    let (m, [ix, iy, iz]) = (160.0, [6.0, 9.0, 11.0]);
    let ([a, b, h], [kx, ky, kz]) = ([0.35, 0.26, 0.12], [110e3, 90e3, 180e3].map(|k: f64| 4.0 * k));
    let pair = |k: f64, arm: f64, inertia: f64| {
        let turn = k * h * h + kz * arm * arm - m * 9.81 * h;
        // m I λ² − (m turn + I k) λ + k turn − (k h)² = 0.
        let (p, q) = ((m * turn + inertia * k) / (m * inertia), (k * turn - (k * h).powi(2)) / (m * inertia));
        let root = (0.25 * p * p - q).sqrt();
        [0.5 * p - root, 0.5 * p + root]
    };
    let mut due = [[kz / m, (kx * b * b + ky * a * a) / iz], pair(ky, b, ix), pair(kx, a, iy)].concat();
    due.sort_by(f64::total_cmp);
    for formulation in ["absolute", "relative", "natural"] {
        let linear = biela::solve::vibration::linearise(&model, formulation).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(linear.modes.len(), 6);
        for (mode, due) in linear.modes.iter().zip(&due) {
            // Error of central differences of the accelerations.
            assert!((mode.frequency() * TAU / due.sqrt() - 1.0).abs() < 1e-6, "{formulation}: {}", mode.frequency());
        }
    }
}

/// What runs under forces with a tolerance of 1e-12 are off after some hundred steps, of lengths and angles of order one.
const INTEGRATED: f64 = 1e-9;

/// A motion under forces, to twelve digits a step.
fn moved(name: &str, parameters: &[(&str, &str)], end: Option<f64>) -> biela::results::Results {
    let mut model = load(name, &set(parameters));
    model.study.tolerance = 1e-12;
    model.study.end = end.unwrap_or(model.study.end);
    biela::solve::forward::run(&model, biela::solve::run::formulation_of(&model), |_, _| true)
        .unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Flights of T eᵏ between impacts sum up to T (1 + e)/(1 − e) from the fall of T/2 on: then it rests.
#[test]
fn the_bouncing_ball_comes_to_rest() {
    let (g, r, e, fall) = (9.81, 0.04, 0.6, (2.0f64 * 0.5 / 9.81).sqrt());
    let height = |t: f64| {
        if t < fall {
            return r + 0.5 - 0.5 * g * t * t;
        }
        let (mut s, mut v) = (t - fall, e * g * fall);
        while v > 1e-9 && s > 2.0 * v / g {
            (s, v) = (s - 2.0 * v / g, e * v);
        }
        if v > 1e-9 {
            r + v * s - 0.5 * g * s * s
        } else {
            r
        }
    };
    let results = moved("bouncing-ball", &[], None);
    let rest = fall * (1.0 + e) / (1.0 - e);
    for (t, y) in results.times().iter().zip(column(&results, "ball.y")) {
        assert!((y - height(*t)).abs() < INTEGRATED, "{t}: {y}");
        assert!(*t < rest || (y - r).abs() < 1e-15, "at rest, {t}: {y}");
    }
}

/// The follower rides on R + a sin θ, leaves it where a ω² sin θ = g, and flies.
#[test]
fn the_follower_lifts_off_as_it_must() {
    let (g, big, a, w) = (9.81f64, 0.05, 0.02, 286.0 * TAU / 60.0);
    let leaves = (g / (a * w * w)).asin();
    let due = |t: f64| {
        let angle = w * t - FRAC_PI_2;
        let s = (angle - leaves) / w;
        match s < 0.0 {
            true => big + a * angle.sin(),
            false => big + a * (leaves.sin() + w * leaves.cos() * s) - 0.5 * g * s * s,
        }
    };
    let results = moved("lift-off", &[], Some(0.21));
    for (t, y) in results.times().iter().zip(column(&results, "follower.y")) {
        assert!((y - due(*t)).abs() < INTEGRATED, "{t}: {y}, not {}", due(*t));
    }
}

/// The pin lies on a side of its slot, off the middle by its play; from turn to turn the wheel goes by a quarter.
#[test]
fn the_geneva_wheel_goes_by_quarters() {
    let (r, d, play) = (0.05f64, 0.05 * 2f64.sqrt(), 2e-4);
    let wheel = |crank: f64| {
        let (x, y) = (r * crank.cos() - d, r * crank.sin());
        y.atan2(x).rem_euclid(TAU) - PI + (play / x.hypot(y)).asin()
    };
    let results = moved("geneva", &[], None);
    let angle = column(&results, "W.angle");
    for (t, angle) in results.times().iter().zip(angle) {
        let (turn, crank) = ((t / 2.0).floor(), PI * (t % 2.0) - FRAC_PI_2);
        if crank.abs() < 0.95 * FRAC_PI_2 / 2.0 {
            assert!((angle - wheel(crank) + turn * FRAC_PI_2).abs() < INTEGRATED, "{t}: {angle}");
        }
    }
    assert!((angle[angle.len() - 1] - angle[angle.len() / 2] + FRAC_PI_2).abs() < INTEGRATED);
}

/// A line through the circles of friction of all pins, of radius μ r, is up to 2 μ r beside the knee: the clamp locks.
#[test]
fn the_toggle_clamp_locks_by_its_friction() {
    let results = moved("toggle-clamp", &[], Some(1e6));
    assert_eq!(results.times().last(), Some(&1e6));
    assert!(column(&results, "K.stuck").iter().all(|x| *x == 1.0));
    let angle = column(&results, "O.angle");
    assert!(angle.iter().all(|x| (x - (1.5f64 / 60.0).asin()).abs() < NOTHING), "{angle:?}");
    let open = moved("toggle-clamp", &[("beside", "1.81 mm")], Some(1e-6));
    assert!(column(&open, "K.stuck").iter().all(|x| *x == 0.0));
}
