//! Limits of any coordinate of a joint, not of the first alone.

use biela_base::source::Source;
use biela_core::model::{Analysis, Model};
use biela_core::solve::{forward, kinematics, newton};
use biela_results::Results;
use biela_text::{Document, Options};
use std::f64::consts::PI;

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;

fn read(text: &str) -> Result<Model, String> {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    document.map(|read| read.0).map_err(|e| format!("{e:?} {e}"))
}

fn run(text: &str, formulation: &str) -> Results {
    let model = read(text).unwrap_or_else(|e| panic!("{e}"));
    let found = match model.study.analysis {
        Analysis::Dynamics => forward::run(&model, formulation, |_, _| true),
        _ => kinematics::follow(&model, formulation, newton::METHODS[0], &mut |_, _| true).map(|o| o.results),
    };
    found.unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

fn events(results: &Results, what: &str) -> Vec<f64> {
    let told = results.notes.iter().filter(|(key, text)| key == "event" && text.contains(what));
    told.map(|(_, text)| text.rsplit("t = ").next().and_then(|t| t.strip_suffix(" s")).unwrap().parse().unwrap())
        .collect()
}

fn near(found: f64, wanted: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off <= CLOSED, "{what}: {found} where {wanted} is due, off by {off:e}");
}

const ALL: [&str; 6] = ["absolute", "natural", "relative", "relative-euler", "relative-matrix", "homogeneous"];

fn body(joint: &str, more: &str) -> String {
    format!(
        "gravity = [0, 0, -10]
         bodies.a = {{ mass = 2, inertia = [0.1, 0.1, 0.1] }}
         joints.J = {{ bodies = ['ground', 'a'], at = [[0, 0, 0], [0, 0, 0]], {joint} }}
         {more}"
    )
}

/// A shaft falls onto a stop of its slide while it turns on, and against one of its angle.
#[test]
fn a_cylindrical_joint_has_stops_along_both_of_its_coordinates() {
    let text = body(
        "type = 'cylindrical', axis = [0, 0, 1], limits = [{ coordinate = 'slide', lower = 0, stop = 'hard', restitution = 0.5 }, { coordinate = 'angle', upper = 3, stop = 'hard', restitution = 1 }]",
        "initial.'J.slide' = 0.2
         initial.'J.angle.rate' = 10
         run = { analysis = 'dynamics', end = 0.45, steps = 10, tolerance = 1e-12 }",
    );
    for formulation in ALL {
        let results = run(&text, formulation);
        let falls = events(&results, "lower stop 0 m of J.slide is struck");
        near(falls[0], 0.2, "first");
        near(falls[1], 0.2 + 0.2, "second: half of 2 m/s up and down");
        near(events(&results, "upper stop 3 rad of J.angle is struck")[0], 0.3, "angle");
        near(column(&results, "J.angle")[10], 3.0 - 1.5, "angle in the end");
    }
}

#[test]
fn second_angles_and_places_have_stops() {
    let universal = body(
        "type = 'universal', axis = [0, 0, 1], axis2 = [1, 0, 0], limits = { coordinate = 'angle2', upper = 0.4, stop = 'hard', restitution = 0.5 }",
        "initial.'J.angle2.rate' = 2
         run = { analysis = 'dynamics', end = 0.4, steps = 4, tolerance = 1e-12 }",
    )
    .replace("at = [[0, 0, 0], [0, 0, 0]]", "at = [0, 0, 0]");
    let planar = "planar = true
        gravity = [0, -10]
        bodies.a = { mass = 2, inertia = 0.1 }
        joints.J = { type = 'planar', bodies = ['ground', 'a'], at = [[0, 0], [0, 0]], x = [[1, 0], [1, 0]], limits = [{ coordinate = 'y', lower = -0.2, stop = 'hard', restitution = 0.5 }] }
        initial.'J.x.rate' = 3
        run = { analysis = 'dynamics', end = 0.3, steps = 3, tolerance = 1e-12 }";
    for formulation in ALL {
        let results = run(&universal, formulation);
        near(events(&results, "upper stop 0.4 rad of J.angle2 is struck")[0], 0.2, "angle2");
        near(column(&results, "J.angle2")[4], 0.4 - 0.2, "half as fast back");
        let results = run(planar, formulation);
        near(events(&results, "lower stop -0.2 m of J.y is struck")[0], 0.2, "y");
        near(column(&results, "J.y")[3], -0.2 + 0.1 - 0.05, "half as fast up");
        near(column(&results, "J.x")[3], 0.9, "x goes on");
    }
}

/// A soft stop of a slide that is not the first coordinate: half a period of 20 rad/s.
#[test]
fn soft_stops_stand_at_any_coordinate() {
    let text = body(
        "type = 'cylindrical', axis = [0, 0, 1], limits = { coordinate = 'slide', upper = 1, stop = 'soft', stiffness = 800 }",
        "initial.'J.slide.rate' = 2
         run = { analysis = 'dynamics', end = 1.5, steps = 150, tolerance = 1e-12 }",
    )
    .replace("-10", "0");
    let half = PI / 20.0;
    let at = |t: f64| match t {
        t if t < 0.5 => 2.0 * t,
        t if t < 0.5 + half => 1.0 + 0.1 * (20.0 * (t - 0.5)).sin(),
        t => 1.0 - 2.0 * (t - 0.5 - half),
    };
    for formulation in ALL {
        let results = run(&text, formulation);
        for (t, x) in results.times().iter().zip(column(&results, "J.slide")) {
            near(*x, at(*t), formulation);
        }
    }
}

/// A driver that leads a second coordinate beyond a hard stop ends the run there; without a stop the limit is told.
#[test]
fn drivers_and_warnings_know_limits_of_any_coordinate() {
    let text = |stop: &str| {
        body(
            &format!("type = 'cylindrical', axis = [0, 0, 1], limits = {{ coordinate = 'slide', upper = 0.5{stop} }}"),
            "drivers.turn = { joint = 'J.angle', value = 't' }
             drivers.push = { joint = 'J.slide', value = 't^2' }
             run = { end = 1, steps = 10 }",
        )
    };
    for formulation in ALL {
        let ended = run(&text(", stop = 'hard'"), formulation).ended.expect("it ends");
        assert_eq!((ended.reason.as_str(), ended.driver.as_deref()), ("limit", Some("push")));
        near(ended.t, 0.5f64.sqrt(), "end");
        let results = run(&text(""), formulation);
        assert!(results.notes.iter().any(|(_, text)| text.contains("J.slide rises to 1 m")), "{:?}", results.notes);
    }
}

#[test]
fn limits_of_no_coordinate_are_told() {
    let told = |limits: &str| {
        let text = body(&format!("type = 'cylindrical', axis = [0, 0, 1], limits = {limits}"), "");
        read(&text).expect_err("refused")
    };
    let error = told("{ coordinate = 'slid', lower = 0 }");
    assert!(error.contains("no coordinate 'slid'") && error.contains("did you mean 'slide'"), "{error}");
    let error = told("[{ lower = 0 }, { coordinate = 'angle', upper = 1 }]");
    assert!(error.contains("'angle' has limits already"), "{error}");
    let error = told("{ coordinate = 'slide', lower = '1 kg' }");
    assert!(error.contains("'limits.lower'") || error.contains("length"), "{error}");
}
