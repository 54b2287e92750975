//! Inverse kinematics against closed forms and independent figures.
#![allow(non_snake_case)]

mod common;

use biela::drivers::Attitude;
use biela::expr::{Expression, Name};
use biela::math::{Pose, Rotation, Vec3};
use biela::model::Model;
use biela::motion::{Motion, Spline};
use biela::results::Results;
use biela::solve::ik::{self, Redundancy, Task};
use biela::solve::{assembly_modes, ik::chain::Chain};
use biela::text::Options;
use common::cases::*;
use common::record::{held, COMPUTED, OTHER};
use common::Stream;

fn motion(text: &str) -> Motion {
    Motion::Expression(Expression::parse(text, &[("t", Name::Variable(0))]).unwrap())
}

fn task(model: &Model, tool: &str, place: [Option<Motion>; 3], end: f64, steps: usize) -> Task {
    let (body, p_B) = ik::tool(model, tool).unwrap();
    let times = (0..=steps).map(|k| end * k as f64 / steps as f64).collect();
    Task { body, p_B, place, attitude: None, times }
}

fn solve(model: &Model, task: &Task) -> Results {
    ik::run(model, task, &[], Redundancy::MinimumNorm).unwrap_or_else(|e| panic!("{e}"))
}

/// A pose of the PUMA's line: constant orientation, and the way from the first point to the second in T seconds.
fn puma_line(wanted: &serde_json::Value) -> ([Option<Motion>; 3], Attitude, f64) {
    let (from, to, end) = (numbers(&wanted["P0"]), numbers(&wanted["P1"]), wanted["T"].as_f64().unwrap());
    let line = |k: usize| Some(motion(&format!("{:?} + {:?}*t", from[k], (to[k] - from[k]) / end)));
    let rows: Vec<Vec<f64>> = wanted["R"].as_array().unwrap().iter().map(numbers).collect();
    let axis = |c: usize| Vec3::new(rows[0][c], rows[1][c], rows[2][c]);
    let e = Rotation { axes: [axis(0), axis(1), axis(2)] }.euler_parameters().0;
    ([line(0), line(1), line(2)], Attitude::Euler(Box::new(e.map(Motion::Constant))), end)
}

#[test]
fn the_puma_has_its_eight_postures() {
    /// The reference's own error in the pose is 5e-16; angles lose a digit or two near folded postures.
    const AGREE: f64 = 1e-12;
    let wanted = reference("seeds_004.json");
    let model = load("puma-560", &Options::default());
    let (place, attitude, end) = puma_line(&wanted);
    let mut task = task(&model, "link6", place, end, 1);
    task.attitude = Some(attitude);
    let swapped = ik::with_tool(&model, &task, &[]).unwrap();
    for (t, key) in [(0.0, "start"), (end, "end")] {
        let found = assembly_modes::postures(&model, &swapped, &task, &[], t).unwrap();
        assert!(found.complete && found.modes.len() == 8, "{} {}", found.modes.len(), found.proof);
        for q in wanted[key].as_array().unwrap().iter().map(numbers) {
            let off = |m: &assembly_modes::Mode| {
                let turn = |(a, b): (&f64, &f64)| (a - b).sin().abs().max(1.0 - (a - b).cos());
                m.coordinates.iter().zip(&q).map(turn).fold(0.0f64, f64::max)
            };
            let nearest = found.modes.iter().map(off).fold(f64::INFINITY, f64::min);
            held(COMPUTED, "eight postures", AGREE, nearest, format_args!("t = {t}: {q:?}"));
        }
    }
}

#[test]
fn the_puma_follows_its_line_with_exact_rates() {
    let wanted = reference("seeds_004.json");
    let table = columns(&wanted["rows"]);
    // The drawing stands near the first posture, so that this branch is the one followed.
    let text = text("puma-560");
    let first: Vec<f64> = (1..7).map(|k| table[k][0] + 0.05).collect();
    let mut drawn = text.split("[drivers").next().unwrap().replace("theta = 0\n", "");
    for q in &first {
        drawn = drawn.replacen("[[arm.links]]\n", &format!("[[arm.link]]\ntheta = {q:?}\n"), 1);
    }
    let model = parse(&drawn.replace("[[arm.link]]", "[[arm.links]]"));
    let (place, attitude, end) = puma_line(&wanted);
    let mut task = task(&model, "link6", place, end, 50);
    task.attitude = Some(attitude);
    let results = solve(&model, &task);
    let every = 50 / (table[0].len() - 1);
    for k in 0..6 {
        // The table's theta is the coordinate's zero.
        let name = format!("joint{}.angle", k + 1);
        let angles: Vec<f64> = column(&results, &name).iter().step_by(every).map(|q| q + first[k]).collect();
        for (found, wanted) in angles.iter().zip(&table[k + 1]) {
            let off = (found - wanted).sin().abs().max(1.0 - (found - wanted).cos());
            held(COMPUTED, &name, AGREEMENT, off, format_args!("{found} where {wanted} is due"));
        }
        agrees(&results, &format!("{name}.rate"), every, &table[k + 7]);
        agrees(&results, &format!("{name}.accel"), every, &table[k + 13]);
    }
}

#[test]
fn the_arm_of_three_axes_follows_its_tip() {
    let model = load("arm-3r", &Options::default());
    let place = [Some(Motion::Constant(1.0)), Some(motion("0.5*t")), Some(Motion::Constant(4.0))];
    let results = solve(&model, &task(&model, "forearm.tip", place, 2.0, 100));
    // Elbow up: the shoulder is 2 long on both sides of an isosceles triangle over the distance ρ in the plane.
    let rho = |t: f64| (1.0 + 0.25 * t * t).sqrt();
    follows(&results, "base.angle", |t| (0.5 * t).atan());
    follows(&results, "base.angle.rate", |t| 0.5 / (1.0 + 0.25 * t * t));
    follows(&results, "base.angle.accel", |t| -0.25 * t / (1.0 + 0.25 * t * t).powi(2));
    follows(&results, "shoulder.angle", |t| -(rho(t) / 4.0).acos());
    follows(&results, "elbow.angle", |t| 2.0 * (rho(t) / 4.0).acos());
    follows(&results, "elbow.angle.rate", |t| -2.0 * 0.25 * t / rho(t) / (16.0 - rho(t) * rho(t)).sqrt());
    // The same by the model's own drivers on the point: two ways to one answer.
    let driven = run(&model);
    for name in ["shoulder.angle", "shoulder.angle.rate", "shoulder.angle.accel", "elbow.angle.accel"] {
        agrees_with(OTHER, &results, name, 1, column(&driven, name), 1e-3);
    }
}

#[test]
fn the_two_link_hand_in_both_branches() {
    for elbow in [1.0, -1.0] {
        let model = load("two-link-hand", &set(&[("elbow", &format!("{elbow}"))]));
        let place = [Some(motion("-5.5 + t")), Some(Motion::Constant(4.0)), Some(Motion::Constant(0.0))];
        // z is prescribed too, though the arm cannot leave its plane: a consistent repetition.
        let results = solve(&model, &task(&model, "fore.hand", place, 11.0, 110));
        let bend = |t: f64| elbow * (((t - 5.5).powi(2) + 16.0 - 25.0) / 24.0).acos();
        follows(&results, "elbow.angle", bend);
        follows(&results, "shoulder.angle", |t| {
            4f64.atan2(t - 5.5) - (3.0 * bend(t).sin()).atan2(4.0 + 3.0 * bend(t).cos())
        });
        follows(&results, "elbow.angle.rate", |t| -elbow * (t - 5.5) / 12.0 / bend(t).sin().abs());
        let found =
            assembly_modes::postures(&model, &model, &task(&model, "fore.hand", [None, None, None], 1.0, 1), &[], 4.0);
        let found = found.unwrap();
        assert!(found.complete && found.modes.len() == 2, "{}", found.proof);
    }
}

/// A planar arm of three links, 1 m each, one freedom more than its tip needs.
const THREE: &str = r#"
[bodies.a]
points = { O = [0, 0, 0], E = [1, 0, 0] }
pose = { angle = "60 deg", axis = "z" }
[bodies.b]
points = { E = [0, 0, 0], F = [1, 0, 0] }
pose = { at = [0.5, 0.866, 0], angle = "0 deg", axis = "z" }
[bodies.c]
points = { F = [0, 0, 0], tip = [1, 0, 0] }
pose = { at = [1.5, 0.866, 0], angle = "-60 deg", axis = "z" }
[joints.J1]
type = "revolute"
bodies = ["ground", "a"]
at = [[0, 0, 0], "O"]
axis = "z"
limits = { lower = 0, upper = 2 }
[joints.J2]
type = "revolute"
bodies = ["a", "b"]
at = ["E", "E"]
axis = "z"
limits = { lower = -2, upper = 0 }
[joints.J3]
type = "revolute"
bodies = ["b", "c"]
at = ["F", "F"]
axis = "z"
limits = { lower = -1, upper = 0.5 }
[run]
end = 1
"#;

#[test]
fn a_redundant_arm_moves_by_the_shortest_rates_and_its_accelerations_belong_to_them() {
    /// Differences of the rates over 1e-3 s: the error of the fourth-order formula and of the path's own correction.
    const DIFFERENCE: f64 = 1e-7;
    let model = parse(THREE);
    let place = || [Some(motion("2 - 0.8*t")), Some(motion("0.6*sin(2*t)")), None];
    for rule in [Redundancy::MinimumNorm, Redundancy::Limits] {
        let results = ik::run(&model, &task(&model, "c.tip", place(), 1.0, 1000), &[], rule).unwrap();
        let get = |leaf: &str| ["J1", "J2", "J3"].map(|j| column(&results, &format!("{j}.angle{leaf}")).to_vec());
        let (q, v, a) = (get(""), get(".rate"), get(".accel"));
        for k in (2..999).step_by(37) {
            // The direction in which the tip rests: normal to both rows of the tip's Jacobian.
            let sums = [q[0][k], q[0][k] + q[1][k], q[0][k] + q[1][k] + q[2][k]];
            let row = |f: fn(f64) -> f64| [0, 1, 2].map(|j| sums[j..].iter().map(|s| f(*s)).sum::<f64>());
            let (x, y) = (row(|s| -s.sin()), row(|s| s.cos()));
            let n = Vec3::from(x).cross(Vec3::from(y));
            let along = Vec3::new(v[0][k], v[1][k], v[2][k]).dot(n) / n.norm();
            if rule == Redundancy::MinimumNorm {
                assert!(along.abs() < 1e-10, "sample {k}: {along:e} of needless motion");
            }
            for j in 0..3 {
                let d = |f: &[f64]| (f[k - 2] - 8.0 * f[k - 1] + 8.0 * f[k + 1] - f[k + 2]) / 0.012;
                assert!((d(&q[j]) - v[j][k]).abs() < DIFFERENCE, "{rule:?} rate {j} at {k}: {} {}", d(&q[j]), v[j][k]);
                assert!((d(&v[j]) - a[j][k]).abs() < 1e-5, "{rule:?} accel {j} at {k}: {} {}", d(&v[j]), a[j][k]);
            }
        }
        let strain =
            |k: usize| [(1.0, 0), (-1.0, 1), (-0.25, 2)].map(|(m, j)| (q[j][k] - m).powi(2)).iter().sum::<f64>();
        if rule == Redundancy::Limits {
            let plain =
                ik::run(&model, &task(&model, "c.tip", place(), 1.0, 10), &[], Redundancy::MinimumNorm).unwrap();
            let last = |j: &str| *column(&plain, &format!("{j}.angle")).last().unwrap();
            let without = (last("J1") - 1.0).powi(2) + (last("J2") + 1.0).powi(2) + (last("J3") + 0.25).powi(2);
            assert!(strain(1000) < without - 1e-3, "{} {without}", strain(1000));
        }
    }
}

#[test]
fn a_target_out_of_reach_gets_the_nearest_pose_and_the_distance() {
    /// The distance is stationary there, so that it is exact though the angles have half the digits.
    const EXACT: f64 = 1e-9;
    let model = load("two-link-hand", &set(&[("elbow", "1")]));
    let place = [Some(motion("3 + t")), Some(Motion::Constant(4.0)), None];
    let results = solve(&model, &task(&model, "fore.hand", place, 6.0, 60));
    follows_within(&results, "distance", EXACT, |t| ((3.0 + t).hypot(4.0) - 7.0).max(0.0));
    let (t, rate) = (results.times(), column(&results, "elbow.angle.rate"));
    for k in 0..t.len() {
        let reached = (3.0 + t[k]).hypot(4.0) < 7.0 - 1e-6;
        assert_eq!(rate[k].is_finite(), reached, "t = {}", t[k]);
    }
    let angle = column(&results, "shoulder.angle");
    assert!((angle[60] - 4f64.atan2(9.0)).abs() < 1e-5, "{}", angle[60]);
}

/// Out of reach and back: the arm waits stretched towards its target, and folds again to the side that it came from.
#[test]
fn a_target_that_comes_back_finds_the_arm_on_its_side() {
    for side in [1.0, -1.0] {
        let model = parse(&format!(
            "[bodies.a]\npose = {{ angle = {}, axis = [0, 0, 1] }}\n[bodies.b]\npoints = {{ tip = [1, 0, 0] }}\npose = {{ at = [0.9, {}, 0], angle = {}, axis = [0, 0, 1] }}\n\
             [joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [[0, 0, 0], [0, 0, 0]]\naxis = \"z\"\n\
             [joints.B]\ntype = \"revolute\"\nbodies = [\"a\", \"b\"]\nat = [[1, 0, 0], [0, 0, 0]]\naxis = \"z\"\n",
            side * 0.5, side * 0.5, -side * 0.5
        ));
        let task = task(&model, "b.tip", [Some(motion("1.7 + 0.8*sin(pi*t)")), Some(motion("0.2*t")), None], 1.0, 40);
        let results = solve(&model, &task);
        let (elbow, distance) = (column(&results, "B.angle"), column(&results, "distance"));
        for (k, t) in results.times().iter().enumerate() {
            let target = (1.7 + 0.8 * (std::f64::consts::PI * t).sin()).hypot(0.2 * t);
            assert!((distance[k] - (target - 2.0).max(0.0)).abs() < 1e-12, "t = {t}: {}", distance[k]);
            // The law of cosines: target² = 2 + 2 cos(elbow).
            let due = -side * (0.5 * target * target - 1.0).clamp(-1.0, 1.0).acos();
            assert!((elbow[k] - due).abs() < 1e-7, "t = {t}: {} where {due} is due", elbow[k]);
        }
    }
}

fn follows_within(results: &Results, name: &str, tolerance: f64, law: impl Fn(f64) -> f64) {
    for (t, x) in results.times().iter().zip(column(results, name)) {
        assert!((x - law(*t)).abs() < tolerance, "{name} at t = {t}: {x} where {} is due", law(*t));
    }
}

#[test]
fn a_closed_loop_is_led_by_a_table() {
    // The piston is led by a table of places; the crank's own motor gives way.
    let model = load("slider-crank", &Options::default());
    let times: Vec<f64> = (0..=20).map(|k| k as f64 / 20.0).collect();
    let x: Vec<f64> = times.iter().map(|t| 4.6 - 0.5 * t).collect();
    let place = [Some(Motion::Table(Spline::new(&times, &x).unwrap())), None, None];
    let results = solve(&model, &task(&model, "piston", place, 1.0, 20));
    // cos of the crank angle from the triangle crank 2, rod 3.5, slide x.
    follows(&results, "O.angle", |t| {
        let x = 4.6 - 0.5 * t;
        ((x * x + 4.0 - 12.25) / (4.0 * x)).acos()
    });
    assert!(ik::run(
        &model,
        &task(&model, "piston", [None, None, None], 1.0, 2),
        &["nobody".into()],
        Redundancy::MinimumNorm
    )
    .unwrap_err()
    .to_string()
    .contains("no driver 'nobody'"));
}

#[test]
fn postures_of_random_arms_are_found_again() {
    /// Postures come back to the digits that a pose determines; nearly singular arms lose some.
    const AGAIN: f64 = 1e-6;
    let mut random = Stream(11);
    let kind = biela::joints::kind("revolute").unwrap();
    let mut most = 0;
    for case in 0..300 {
        // A random regional arm and a random wrist: the last three axes meet in the last joints' common point.
        let mut joints = Vec::new();
        for k in 0..6 {
            let (mut first, mut second) = (random.pose(), random.pose());
            if k >= 3 {
                second.origin = Vec3::ZERO;
            }
            if k >= 4 {
                first.origin = Vec3::ZERO;
            }
            if case % 3 == 1 && k == 1 {
                // Axes 1 and 2 meet, as in most arms.
                first.origin = joints.last().map_or(Vec3::ZERO, |j: &biela::joints::Joint| j.frames[1].origin);
            }
            joints.push(common::joint(&format!("J{k}"), kind, [k, k + 1], [first, second]));
        }
        let bodies = (0..6).map(|k| common::body(&format!("L{k}"), Pose::IDENTITY)).collect();
        let model = common::model(bodies, joints);
        let chain = Chain::new(&model, 6).expect("a chain");
        assert!(chain.wrist().is_some(), "case {case}");
        let q: Vec<f64> = (0..6).map(|_| 3.0 * random.next()).collect();
        let found = chain.reach_pose(&chain.pose(&q)).expect("a regular arm");
        assert!(found.angles.len() % 2 == 0 && found.angles.len() <= 8, "case {case}: {}", found.angles.len());
        most = most.max(found.angles.len());
        let off = |p: &Vec<f64>| p.iter().zip(&q).map(|(a, b)| (0.5 * (a - b)).sin().abs()).fold(0.0f64, f64::max);
        let nearest = found.angles.iter().map(off).fold(f64::INFINITY, f64::min);
        assert!(nearest < AGAIN, "case {case}: missed by {nearest:e}");
    }
    assert_eq!(most, 8);
}

#[test]
fn limits_are_kept_where_some_posture_keeps_them() {
    // Two links of 1 and 0.8 reach (1, 0.5) by shoulder angles of −0.303 and 1.231 only; the drawing is nearer to the first.
    let arm = |upper: f64| {
        parse(&format!(
            "arm = {{ convention = \"standard\", links = [\n\
             {{ type = \"revolute\", a = 1, limits = {{ lower = \"-10 deg\", upper = \"{upper} deg\" }} }},\n\
             {{ type = \"revolute\", a = 0.8 }} ] }}\n"
        ))
    };
    let place = [Some(motion("1")), Some(motion("0.5")), None];
    let wide = arm(90.0);
    let kept = solve(&wide, &task(&wide, "link2", place.clone(), 1.0, 2));
    assert!((column(&kept, "joint1.angle")[0] - 1.231).abs() < 1e-3 && kept.notes_of("warning").next().is_none());
    let narrow = arm(60.0);
    let results = solve(&narrow, &task(&narrow, "link2", place, 1.0, 2));
    let told: Vec<&str> = results.notes_of("warning").collect();
    assert!(told.len() == 1 && told[0].contains("joint1.angle falls to -0.303"), "{told:?}");
    let outside: Vec<&str> = results.notes_of("outside limits").collect();
    assert!(outside.len() == 1 && outside[0].starts_with("joint1.angle = -0.303"), "{outside:?}");
}

/// A row of Denavit and Hartenberg (standard): whether it slides, a, α, d, θ.
type Row = (bool, [f64; 4]);

/// Pose of an arm's last link, by the rows alone.
fn by_rows(rows: &[Row], q: &[f64]) -> Pose {
    let step = |pose: Pose, ((slides, [a, alpha, d, theta]), q): (&Row, &f64)| {
        let (theta, d) = if *slides { (*theta, d + q) } else { (theta + q, *d) };
        let turn = Pose::new(Rotation::from_rpy(0.0, 0.0, theta), Vec3::new(0.0, 0.0, d));
        pose * turn * Pose::new(Rotation::from_rpy(*alpha, 0.0, 0.0), Vec3::new(*a, 0.0, 0.0))
    };
    rows.iter().zip(q).fold(Pose::IDENTITY, step)
}

/// Random arms of many sorts, each with a posture that is meant.
fn random_arm(random: &mut Stream, case: usize) -> (Vec<Row>, Vec<f64>, bool) {
    let axes = match case % 8 {
        2 => 5,
        3 => 7,
        _ => 6,
    };
    let right = |x: f64| std::f64::consts::FRAC_PI_2 * (2.0 * x).round();
    let mut rows: Vec<Row> = Vec::new();
    for k in 0..axes {
        let mut row = [random.next(), 3.1 * random.next(), random.next(), 3.1 * random.next()];
        let mut slides = false;
        match case % 8 {
            // One to three slides among the axes.
            1 => slides = (k + case / 8) % 6 < 1 + (case / 8) % 3 && k % 2 == (case / 16) % 2,
            // Right angles and missing offsets, as arms are built.
            4 => {
                row[1] = right(row[1] / 3.1);
                let zero = [random.next() > 0.0, random.next() > 0.0];
                row[0] *= f64::from(u8::from(zero[0]));
                row[2] *= f64::from(u8::from(zero[1]));
                row[3] = 0.0;
            }
            // A wrist: the last three axes meet.
            5 if k >= 3 => {
                row[0] = 0.0;
                row[2] = if k == 5 { row[2] } else { 0.0 };
            }
            // Parallel axes 2, 3, 4.
            7 if k == 1 || k == 2 => row[1] = 0.0,
            _ => {}
        }
        rows.push((slides, row));
    }
    let q = rows.iter().map(|r| if r.0 { random.next() } else { 3.1 * random.next() }).collect();
    (rows, q, case % 8 == 6)
}

/// Text of such an arm; limits around the posture that is meant, where asked for.
fn text_of(rows: &[Row], q: &[f64], limited: bool) -> String {
    let link = |((slides, [a, alpha, d, theta]), q): (&Row, &f64)| {
        let kind = if *slides { "prismatic" } else { "revolute" };
        let limits = match limited {
            true => format!(", limits = {{ lower = {:?}, upper = {:?} }}", q - 1.0, q + 0.8),
            false => String::new(),
        };
        format!("{{ type = \"{kind}\", a = {a:?}, alpha = {alpha:?}, d = {d:?}, theta = {theta:?}{limits} }}")
    };
    let links: Vec<String> = rows.iter().zip(q).map(link).collect();
    format!("arm = {{ convention = \"standard\", links = [\n{}] }}\n", links.join(",\n"))
}

/// Whether the tool tells the posture to first order, by differences.
fn is_isolated(rows: &[Row], q: &[f64]) -> bool {
    const H: f64 = 1e-5;
    let here = by_rows(rows, q);
    let mut slopes = biela::math::dense::Matrix::zeros(6, q.len());
    for k in 0..q.len() {
        let mut there = q.to_vec();
        there[k] += H;
        let there = by_rows(rows, &there);
        let turn = (there.rotation * here.rotation.transposed()).euler_parameters().rotation_vector();
        let way = (there.origin - here.origin).to_array().into_iter().chain(turn.to_array());
        way.enumerate().for_each(|(i, x)| slopes.row_mut(i)[k] = x / H);
    }
    let values = slopes.singular_values();
    values[q.len() - 1] > 1e-3 * values[0]
}

/// Pose of the last link is a goal that both `ik` and the list of postures must reach, whatever the arm.
#[test]
fn a_pose_that_some_posture_reaches_is_reached() {
    /// Distance, in metres and radians, at which a pose counts as reached.
    const REACHED: f64 = 1e-9;
    /// Postures come back to the digits that a pose determines.
    const AGAIN: f64 = 1e-5;
    let count: usize = std::env::var("BIELA_ARMS").ok().and_then(|n| n.parse().ok()).unwrap_or(64);
    let (mut random, mut isolated) = (Stream(5), 0);
    let (mut lost, mut slowest, mut total) = (Vec::new(), 0.0f64, 0.0);
    for case in 0..count {
        let (rows, q, limited) = random_arm(&mut random, case);
        let model = parse(&text_of(&rows, &q, limited));
        let goal = by_rows(&rows, &q);
        let still = |x: f64| Some(Motion::Constant(x));
        let Vec3 { x, y, z } = goal.origin;
        let tool = format!("link{}", rows.len());
        let mut task = task(&model, &tool, [still(x), still(y), still(z)], 0.0, 1);
        task.times = vec![0.0];
        let e = goal.rotation.euler_parameters().0;
        task.attitude = Some(Attitude::Euler(Box::new(e.map(Motion::Constant))));
        let away = |posture: &[f64]| {
            let there = by_rows(&rows, posture);
            let turn = (there.rotation.transposed() * goal.rotation).euler_parameters().rotation_vector().norm();
            (there.origin - goal.origin).norm().max(turn)
        };
        let begun = std::time::Instant::now();
        let one = solve(&model, &task);
        let name = |k: usize| format!("joint{}.{}", k + 1, if rows[k].0 { "slide" } else { "angle" });
        let found: Vec<f64> = (0..rows.len()).map(|k| column(&one, &name(k))[0]).collect();
        assert!(away(&found) < REACHED, "case {case}: {found:?} misses by {:e}", away(&found));
        let within = |p: &[f64]| p.iter().zip(&q).all(|(p, q)| (q - 1.0 - 1e-9..=q + 0.8 + 1e-9).contains(p));
        assert!(!limited || within(&found), "case {case}: {found:?} for {q:?}");
        let swapped = ik::with_tool(&model, &task, &[]).unwrap();
        let all =
            assembly_modes::postures(&model, &swapped, &task, &[], 0.0).unwrap_or_else(|e| panic!("case {case}: {e}"));
        let seconds = begun.elapsed().as_secs_f64();
        (slowest, total) = (slowest.max(seconds), total + seconds);
        assert!(!all.modes.is_empty(), "case {case}: {}", all.proof);
        for mode in &all.modes {
            assert!(away(&mode.coordinates) < REACHED, "case {case}: {:e}", away(&mode.coordinates));
            assert!(!limited || within(&mode.coordinates) == mode.identity.is_empty(), "case {case}");
        }
        // Some arms of right angles can move on while the tool rests: then one posture of a curve is as good as another.
        if rows.len() <= 6 && is_isolated(&rows, &q) {
            let off = |((r, a), b): ((&Row, &f64), &f64)| if r.0 { (a - b).abs() } else { (0.5 * (a - b)).sin().abs() };
            let apart =
                |m: &assembly_modes::Mode| rows.iter().zip(&m.coordinates).zip(&q).map(off).fold(0.0f64, f64::max);
            let nearest = all.modes.iter().map(apart).fold(f64::INFINITY, f64::min);
            isolated += 1;
            if nearest > AGAIN {
                lost.push((case, case % 8, nearest, all.modes.len(), all.proof.clone()));
            }
        }
    }
    assert!(isolated > count / 2, "{isolated}");
    println!(
        "{count} arms, {isolated} with isolated postures, slowest {slowest:.3} s, {:.4} s on average",
        total / count as f64
    );
    assert!(lost.is_empty(), "{} of {count}: {lost:#?}", lost.len());
}

/// R. Manseur and K. L. Doty, A robot manipulator with 16 real inverse kinematic solution sets, 1989: as many as any six-axis arm can have.
#[test]
fn manseurs_and_dotys_arm_has_its_sixteen_postures_and_no_more() {
    let rows = [(0.3, 90, 0.0), (1.0, 1, 0.0), (0.0, 90, 0.2), (1.5, 1, 0.0), (0.0, 90, 0.0), (0.0, 1, 0.0)];
    let link =
        |(a, alpha, d): (f64, i32, f64)| format!("[[arm.links]]\na = {a:?}\nalpha = \"{alpha} deg\"\nd = {d:?}\n");
    let model = parse(&format!("name = \"arm\"\n[arm]\nconvention = \"standard\"\n{}", rows.map(link).concat()));
    // The pose printed, to six digits.
    let still = |x: f64| Some(Motion::Constant(x));
    let mut task = task(&model, "link6", [still(-1.140175), still(0.0), still(0.0)], 0.0, 1);
    let columns = [[-0.760117, 0.133333, -0.635959], [-0.641689, 0.0, 0.766965], [0.102262, 0.991071, 0.085558]];
    let [x, _, z] = columns.map(|[x, y, z]| Vec3::new(x, y, z));
    let turn = Rotation::from_z_x(z, x).expect("a frame");
    task.attitude = Some(Attitude::Euler(Box::new(turn.euler_parameters().0.map(Motion::Constant))));
    let swapped = ik::with_tool(&model, &task, &[]).unwrap();
    let all = assembly_modes::postures(&model, &swapped, &task, &[], 0.0).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((all.complete, all.modes.len(), all.complex), (true, 16, Some(16)), "{}", all.proof);
}
