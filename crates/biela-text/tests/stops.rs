//! Stops against closed forms, in every formulation that integrates.

use biela_base::source::Source;
use biela_core::model::Model;
use biela_core::solve::{forward, kinematics, newton};
use biela_results::Results;
use biela_text::{Document, Options};
use std::f64::consts::PI;

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;
/// Events are told with nine decimals, speeds with six digits.
const TOLD: f64 = 6e-10;
const SPEED: f64 = 1e-5;
/// What is closed is as far off as one solution of its row is: roundings of a metre or a radian.
const STILL: f64 = 1e-14;

/// Formulations, with the variants of the relative one.
const ALL: [&str; 6] = ["absolute", "natural", "relative", "relative-euler", "relative-matrix", "homogeneous"];

fn model(text: &str) -> Model {
    let options = Options::default();
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&options));
    document.unwrap_or_else(|e| panic!("{e}")).0
}

fn run(text: &str, formulation: &str) -> Results {
    forward::run(&model(text), formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn refused(text: &str) -> String {
    let options = Options::default();
    match Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&options)) {
        Err(error) => error.to_string(),
        Ok((model, ..)) => forward::run(&model, "absolute", |_, _| true).expect_err("refused").to_string(),
    }
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

fn last(results: &Results, name: &str) -> f64 {
    *column(results, name).last().unwrap()
}

/// Events whose text has these words: text, time.
fn events<'r>(results: &'r Results, what: &str) -> Vec<(&'r str, f64)> {
    let told = results.notes.iter().filter(|(key, text)| key == "event" && text.contains(what));
    let time = |text: &str| text.rsplit("t = ").next().and_then(|t| t.strip_suffix(" s")).unwrap().parse().unwrap();
    told.map(|(_, text)| (text.as_str(), time(text))).collect()
}

/// Speeds of impacts.
fn speeds(results: &Results, what: &str) -> Vec<f64> {
    let speed = |text: &str| text.split(" is struck at ").nth(1)?.split(' ').next()?.parse().ok();
    events(results, what).iter().filter_map(|(text, _)| speed(text)).collect()
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off <= tolerance, "{what}: {found} where {wanted} is due, off by {off:e}");
}

fn never_grows(results: &Results, what: &str) {
    let energy = column(results, "energy.total");
    let most = energy.iter().fold(0.0f64, |m, e| m.max(e.abs()));
    for pair in energy.windows(2) {
        assert!(pair[1] <= pair[0] + 1e-10 * most, "{what}: energy grows from {} to {}", pair[0], pair[1]);
    }
}

fn ball(restitution: f64, run: &str) -> String {
    format!(
        r#"
planar = true
gravity = [0, -10]
[bodies.ball]
mass = 2
inertia = 0.01
[joints.up]
type = "prismatic"
bodies = ["ground", "ball"]
at = [[0, 0], [0, 0]]
axis = [[0, 1], [0, 1]]
limits = {{ lower = 0, stop = "hard", restitution = {restitution} }}
[initial]
"up.slide" = 1
[run]
analysis = "dynamics"
tolerance = 1e-12
{run}
"#
    )
}

/// v_n = eⁿ √(2gh); the flights sum up to T (1 + e)/(1 − e) with T = √(2h/g), and it rests there.
#[test]
fn a_bouncing_mass_comes_to_rest_where_its_impacts_accumulate() {
    for formulation in ALL {
        for e in [0.5f64, 0.8] {
            let results = run(&ball(e, "end = 6\nsteps = 60"), formulation);
            let (v, fall) = (20.0f64.sqrt(), 0.2f64.sqrt());
            let speeds = speeds(&results, "lower stop 0 m of up.slide");
            let times: Vec<f64> = events(&results, "is struck").iter().map(|e| e.1).collect();
            for n in 0..12 {
                near(speeds[n] / (v * e.powi(n as i32)), 1.0, SPEED, &format!("{formulation}: speed {n}"));
                let before: f64 = (1..=n).map(|k| 2.0 * fall * e.powi(k as i32)).sum();
                near(times[n], fall + before, TOLD, &format!("{formulation}: impact {n}"));
            }
            let rests = events(&results, "comes to rest");
            assert_eq!(rests.len(), 1, "{:?}", results.notes);
            near(rests[0].1, fall * (1.0 + e) / (1.0 - e), CLOSED, &format!("{formulation}, e = {e}"));
            never_grows(&results, formulation);
            for (t, y) in results.times().iter().zip(column(&results, "up.slide")) {
                if *t > rests[0].1 {
                    assert!(y.abs() < STILL, "{formulation}: {y} at {t}");
                }
            }
        }
        // Without restitution it stays at once; without loss it returns to where it began.
        let results = run(&ball(0.0, "end = 2\nsteps = 20"), formulation);
        assert_eq!(events(&results, "").len(), 1);
        near(last(&results, "up.slide.rate"), 0.0, STILL, formulation);
        let end = 10.0 * 2.0 * 0.2f64.sqrt();
        let results = run(&ball(1.0, &format!("end = {end}\nsteps = 20")), formulation);
        assert_eq!(events(&results, "is struck").len(), 10);
        near(last(&results, "up.slide"), 1.0, CLOSED, formulation);
        near(last(&results, "energy.total"), column(&results, "energy.total")[0], 1e-10, formulation);
    }
}

/// Methods with long fixed steps see every impact, several within what would be one step.
#[test]
fn several_impacts_within_a_step_are_each_followed() {
    for method in ["method = \"rk4\"\nstep = 2.5", "method = \"alpha\"\nstep = 0.5", ""] {
        let results = run(&ball(0.5, &format!("end = 2.5\nsteps = 1\n{method}")), "absolute");
        let times: Vec<f64> = events(&results, "is struck").iter().map(|e| e.1).collect();
        assert!(times.len() > 8, "{method}: {times:?}");
        near(times[1] - times[0], 0.2f64.sqrt(), 1e-6, method);
        near(last(&results, "up.slide"), 0.0, STILL, method);
    }
}

/// A pendulum that falls from the horizontal against a stop at −60 deg: ω² = 3 g sin 60° / l, and with ω⁺ = −e ω⁻ it rises to sin θ = sin 60° (1 − e²).
#[test]
fn a_pendulum_leaves_its_stop_with_its_restitution() {
    for law in ["", ", impact = \"poisson\"", ", impact = \"energetic\""] {
        let text = format!(
            r#"
gravity = [0, -9.81, 0]
[bodies.rod]
mass = 3
com = [0.5, 0, 0]
inertia = [0.001, 0.25, 0.25]
[joints.O]
type = "revolute"
bodies = ["ground", "rod"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
limits = {{ lower = "-60 deg", stop = "hard", restitution = 0.6{law} }}
[events.top]
when = "O.angle.rate"
action = "report"
[signals]
height = "sin(O.angle)"
[run]
analysis = "dynamics"
end = 1.6
steps = 1600
tolerance = 1e-12
"#
        );
        let sine = (PI / 3.0).sin();
        for formulation in ["absolute", "natural", "relative"] {
            let results = run(&text, formulation);
            let speeds = speeds(&results, "lower stop");
            near(speeds[0], (3.0 * 9.81 * sine).sqrt(), SPEED, formulation);
            near(speeds[1], 0.6 * (3.0 * 9.81 * sine).sqrt(), SPEED, formulation);
            never_grows(&results, formulation);
            let top = events(&results, "event 'top'");
            let after = top.iter().find(|(_, t)| *t > events(&results, "is struck")[0].1).expect("it turns");
            let k = results.times().iter().position(|t| *t > after.1).unwrap();
            let angles = &column(&results, "O.angle")[k - 1..=k];
            let highest = (-sine * (1.0 - 0.36)).asin();
            assert!(angles.iter().all(|a| *a <= highest + CLOSED && *a > highest - 1e-3), "{angles:?} {highest}");
        }
    }
}

/// The double pendulum's impulse by hand: M Δq̇ = Λ e₁ with q̇₁⁺ = −e q̇₁⁻, so Δq̇₂ = −M₂₁/M₂₂ Δq̇₁ in relative angles.
#[test]
fn a_double_pendulum_against_a_stop() {
    let (q2, w1, w2, e) = (0.7f64, -2.0, 3.0, 0.7);
    let text = format!(
        r#"
planar = true
gravity = [0, -9.81]
[bodies.a]
mass = 1
com = [0.5, 0]
inertia = "1/12"
[bodies.b]
mass = 2
com = [0.4, 0]
inertia = 0.3
pose = {{ at = [1, 0], angle = 0.7 }}
[joints.O]
type = "revolute"
bodies = ["ground", "a"]
at = [[0, 0], [0, 0]]
limits = {{ lower = 0, stop = "hard", restitution = {e} }}
[joints.P]
type = "revolute"
bodies = ["a", "b"]
at = [[1, 0], [0, 0]]
[initial]
"O.angle" = 0
"P.angle" = {q2}
"O.angle.rate" = {w1}
"P.angle.rate" = {w2}
[run]
analysis = "dynamics"
end = 0.01
steps = 1
"#
    );
    let (m, c, inertia) = (2.0, 0.4, 0.3);
    let (m21, m22) = (inertia + m * c * c + m * c * q2.cos(), inertia + m * c * c);
    let change = -(1.0 + e) * w1;
    for formulation in ALL {
        let results = run(&text, formulation);
        near(column(&results, "O.angle.rate")[0], -e * w1, CLOSED, formulation);
        near(column(&results, "P.angle.rate")[0], w2 - m21 / m22 * change, CLOSED, formulation);
    }
}

/// Equal masses in a row that touch: the last one leaves, the others stop. Between them there are actuators whose least length is a stop.
#[test]
fn newtons_cradle_throws_out_the_last_mass() {
    let mut text = "planar = true\ngravity = [0, 0]\n".to_string();
    for k in 0..4 {
        let x = if k == 0 { -1.0 } else { 0.1 * k as f64 };
        text += &format!(
            "[bodies.m{k}]\nmass = 1\ninertia = 1\npose = {{ at = [{x}, 0] }}\n[joints.s{k}]\ntype = \"prismatic\"\n\
             bodies = [\"ground\", \"m{k}\"]\nat = [[0, 0], [0, 0]]\naxis = [[1, 0], [1, 0]]\n"
        );
        if k > 0 {
            text += &format!(
                "[joints.c{k}]\ntype = \"actuator\"\nbodies = [\"m{}\", \"m{k}\"]\nat = [[0, 0], [0, 0]]\n\
                 limits = {{ lower = 0.1, stop = \"hard\", restitution = 1 }}\n",
                k - 1
            );
        }
    }
    text +=
        "[initial]\n\"s0.slide.rate\" = 2\n[run]\nanalysis = \"dynamics\"\nend = 1\nsteps = 10\ntolerance = 1e-12\n";
    for formulation in ["absolute", "natural", "relative"] {
        let results = run(&text, formulation);
        for k in 0..3 {
            near(last(&results, &format!("s{k}.slide.rate")), 0.0, CLOSED, &format!("{formulation}: {k}"));
        }
        near(last(&results, "s3.slide.rate"), 2.0, CLOSED, formulation);
        near(last(&results, "s3.slide"), 0.3 + 2.0 * 0.5, CLOSED, formulation);
        assert_eq!(events(&results, "is struck").len(), 3);
    }
}

fn five_bar(stop: &str, more: &str) -> String {
    format!(
        r#"
gravity = [0, -9.81, 0]
[bodies.a]
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
pose = {{ angle = "110 deg", axis = [0, 0, 1] }}
[bodies.b]
mass = 2
com = [0.75, 0, 0]
inertia = [0.01, 0.3, 0.3]
pose = {{ at = [-0.342, 0.94, 0], angle = "35 deg", axis = [0, 0, 1] }}
[bodies.c]
mass = 2
com = [0.75, 0, 0]
inertia = [0.01, 0.3, 0.3]
pose = {{ at = [2.0, 0.9, 0], angle = "140 deg", axis = [0, 0, 1] }}
[bodies.d]
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
pose = {{ at = [1.8, 0, 0], angle = "70 deg", axis = [0, 0, 1] }}
[joints.A]
type = "revolute"
bodies = ["ground", "a"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
zero = "axes"
{stop}
[joints.B]
type = "revolute"
bodies = ["a", "b"]
at = [[1, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.C]
type = "revolute"
bodies = ["b", "c"]
at = [[1.5, 0, 0], [1.5, 0, 0]]
axis = [0, 0, 1]
[joints.D]
type = "revolute"
bodies = ["d", "c"]
at = [[1, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.E]
type = "revolute"
bodies = ["ground", "d"]
at = [[1.8, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
{more}
[run]
analysis = "dynamics"
end = 0.5
steps = 50
tolerance = 1e-12
"#
    )
}

/// An impact travels through a loop in space with redundant rows: the same motion in every formulation, the speeds of the stop in the ratio e,
/// and as much energy lost as the impulse takes.
#[test]
fn impacts_travel_through_loops() {
    let text = five_bar("limits = { upper = 2.2, stop = \"hard\", restitution = 0.5 }", "");
    let runs: Vec<Results> = ALL.iter().map(|f| run(&text, f)).collect();
    for (formulation, results) in ALL.iter().zip(&runs) {
        assert!(!events(results, "upper stop").is_empty(), "{:?}", results.notes);
        for name in ["A.angle", "E.angle", "C.angle.rate", "A.fx", "D.fy"] {
            for (x, y) in column(results, name).iter().zip(column(&runs[0], name)) {
                near(*x, *y, 1e-7, &format!("{formulation}: {name}"));
            }
        }
        never_grows(results, formulation);
    }
    // With one freedom all rates reverse in the same ratio: no other direction is left for the impulse.
    let tied = "[joints.tie]\ntype = \"gear\"\njoints = [\"A\", \"E\"]\nratio = 1\noffset = -0.5\n[initial]\n\"A.angle\" = 1.8\n\"A.angle.rate\" = 2\n";
    let text = five_bar("limits = { upper = 1.8, stop = \"hard\", restitution = 0.5 }", tied);
    let free = five_bar("", tied);
    for formulation in ALL {
        let (struck, free) = (run(&text, formulation), run(&free, formulation));
        for name in ["A.angle.rate", "B.angle.rate", "C.angle.rate", "E.angle.rate", "c.vx"] {
            near(column(&struck, name)[0], -0.5 * column(&free, name)[0], CLOSED, &format!("{formulation}: {name}"));
        }
    }
}

/// A lever rests on its stop until the torque that lifts it has grown to its weight: m g l = 4 t.
#[test]
fn what_rests_on_a_stop_leaves_it_when_it_would_be_pulled() {
    let text = r#"
planar = true
gravity = [0, -10]
[bodies.lever]
mass = 2
com = [0.5, 0]
inertia = 0.5
[joints.O]
type = "revolute"
bodies = ["ground", "lever"]
at = [[0, 0], [0, 0]]
limits = { lower = 0, stop = "hard" }
[forces.lift]
type = "joint-torque"
joint = "O"
value = "4*t"
[run]
analysis = "dynamics"
end = 3
steps = 30
tolerance = 1e-12
"#;
    for formulation in ALL {
        let results = run(text, formulation);
        let left = events(&results, "is left");
        assert_eq!(left.len(), 1, "{:?}", results.notes);
        near(left[0].1, 2.5, TOLD, formulation);
        for (t, angle) in results.times().iter().zip(column(&results, "O.angle")) {
            assert!(if *t <= 2.5 { angle.abs() < STILL } else { *angle > 0.0 }, "{formulation}: {angle} at {t}");
        }
        // What the stop bears is in the joint's balance: the bearing has the weight less nothing while the lever stands still.
        near(column(&results, "O.fy")[10], 20.0, CLOSED, formulation);
    }
}

/// A block that rubs slides against a stop, without restitution, and stays though the push goes on.
#[test]
fn friction_and_stops_share_one_coordinate() {
    let text = r#"
planar = true
gravity = [0, -10]
[bodies.block]
mass = 1
inertia = 0.01
[joints.guide]
type = "prismatic"
bodies = ["ground", "block"]
at = [[0, 0], [0, 0]]
axis = [[1, 0], [1, 0]]
friction = { coefficient = 0.2 }
limits = { lower = 0, upper = 1, stop = "hard", restitution = 0.5 }
[forces.push]
type = "joint-torque"
joint = "guide"
value = "if(t < 4, 4, -4)"
[run]
analysis = "dynamics"
end = 7
steps = 70
tolerance = 1e-12
"#;
    for formulation in ALL {
        let results = run(text, formulation);
        // 2 m/s² along 1 m, then back against the push at 6 m/s² and forth at 2 m/s².
        let struck: Vec<f64> =
            events(&results, "upper stop 1 m of guide.slide is struck").iter().map(|e| e.1).collect();
        let (v, back) = (2.0, 0.5f64 * 2.0);
        let flight = back / 6.0 + (back * back / 12.0).sqrt();
        near(struck[0], 1.0, TOLD, formulation);
        near(struck[1], 1.0 + flight, TOLD, formulation);
        near(v, 2.0, STILL, formulation);
        let k = results.times().iter().position(|t| *t > 3.9).unwrap();
        near(column(&results, "guide.slide")[k], 1.0, STILL, formulation);
        // After 4 s it goes back at −2 m/s².
        near(column(&results, "guide.slide")[45], 1.0 - 0.25, CLOSED, formulation);
        never_grows_against(&results);
    }
}

fn never_grows_against(results: &Results) {
    assert!(events(results, "is left").len() == 1, "{:?}", results.notes);
}

/// A mass of 2 kg against 800 N/m beyond 1 m: half a period of 20 rad/s, and it comes back as fast as it went.
#[test]
fn a_soft_stop_is_a_spring_that_never_pulls() {
    let text = |damping: &str| {
        format!(
            r#"
gravity = [0, 0, 0]
[bodies.block]
mass = 2
inertia = [0.01, 0.01, 0.01]
[joints.guide]
type = "prismatic"
bodies = ["ground", "block"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [1, 0, 0]
limits = {{ lower = -9, upper = 1, stop = "soft", stiffness = "0.8 N/mm"{damping} }}
[initial]
"guide.slide" = 0
"guide.slide.rate" = 2
[run]
analysis = "dynamics"
end = 1.5
steps = 150
tolerance = 1e-12
"#
        )
    };
    for formulation in ["absolute", "natural", "relative"] {
        let results = run(&text(""), formulation);
        let half = PI / 20.0;
        let at = |t: f64| match t {
            t if t < 0.5 => 2.0 * t,
            t if t < 0.5 + half => 1.0 + 0.1 * (20.0 * (t - 0.5)).sin(),
            t => 1.0 - 2.0 * (t - 0.5 - half),
        };
        for (t, x) in results.times().iter().zip(column(&results, "guide.slide")) {
            near(*x, at(*t), CLOSED, &format!("{formulation} at {t}"));
        }
        let damped = run(&text(", damping = 30"), formulation);
        let rate = last(&damped, "guide.slide.rate");
        assert!(rate < 0.0 && rate > -2.0, "{rate}");
    }
}

/// A crank led past its stop, and past one that it would only dip beyond between two samples: the run ends there.
#[test]
fn a_driver_that_leads_beyond_a_stop_ends_the_run() {
    let text = |value: &str, steps: usize, limits: &str| {
        format!(
            r#"
planar = true
[bodies.crank]
points = {{ A = [0, 0], B = [1, 0] }}
[bodies.rod]
points = {{ B = [0, 0], C = [3, 0] }}
pose = {{ at = [1, 0] }}
[bodies.piston]
pose = {{ at = [4, 0] }}
[joints.A]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0], "A"]
[joints.B]
type = "revolute"
bodies = ["crank", "rod"]
at = ["B", "B"]
[joints.C]
type = "revolute"
bodies = ["rod", "piston"]
at = ["C", [0, 0]]
[joints.guide]
type = "prismatic"
bodies = ["ground", "piston"]
at = [[0, 0], [0, 0]]
axis = [[1, 0], [1, 0]]
limits = {{ {limits} }}
[drivers.motor]
joint = "A"
value = "{value}"
[run]
end = 1
steps = {steps}
"#
        )
    };
    let follow = |text: &str, formulation: &str| {
        kinematics::follow(&model(text), formulation, newton::METHODS[0], &mut |_, _| true).expect("a part")
    };
    // x = cos a + √(9 − sin² a) is 3 where cos a = 1/6.
    let angle = (1.0f64 / 6.0).acos();
    for formulation in ALL {
        let outcome = follow(&text("2*t", 20, "lower = 3, stop = \"hard\""), formulation);
        let ended = outcome.results.ended.clone().expect("it ends");
        assert_eq!((ended.reason.as_str(), ended.driver.as_deref()), ("limit", Some("motor")));
        near(ended.value.unwrap(), angle, CLOSED, formulation);
        assert_eq!(outcome.results.len(), (angle / 0.1).floor() as usize + 1);
        // Out and back within one sample.
        let dips = text("1.5*sin(pi*t)", 1, "lower = 3, stop = \"hard\"");
        let ended = follow(&dips, formulation).results.ended.expect("it ends");
        near(ended.value.unwrap(), angle, CLOSED, formulation);
        // Without a hard stop, or up to it exactly, it goes on.
        for limits in ["lower = 3", "lower = 3, stop = \"soft\", stiffness = 100"] {
            assert!(follow(&text("2*t", 20, limits), formulation).results.ended.is_none());
        }
        let exactly = text(&format!("{angle:.15}*t"), 3, "lower = 3, stop = \"hard\"");
        assert!(follow(&exactly, formulation).results.ended.is_none());
    }
}

#[test]
fn stops_that_make_no_sense_are_refused_with_place_and_advice() {
    let with =
        |limits: &str| ball(0.5, "end = 1\nsteps = 1").replace("lower = 0, stop = \"hard\", restitution = 0.5", limits);
    for (limits, words) in [
        ("lower = 0, stop = \"hart\"", "did you mean 'hard'"),
        ("stop = \"hard\"", "there is none"),
        ("lower = 0, stop = \"hard\", restitution = 1.5", "between 0 and 1"),
        ("lower = 0, stop = \"hard\", restitution = -0.1", "between 0 and 1"),
        ("lower = 0, restitution = 0.5", "no use without stop = \"hard\""),
        ("lower = 0, stop = \"hard\", stiffness = 5", "no use without stop = \"soft\""),
        ("lower = 0, stop = \"soft\"", "stiffness"),
        ("lower = 0, stop = \"hard\", impact = \"stronge\"", "impact"),
        ("lower = 2, stop = \"hard\"", "starts 1 m beyond it"),
    ] {
        let error = refused(&with(limits));
        assert!(error.contains(words), "{limits}: {error}");
    }
}
