//! Drawing: what a hand does to a text, and what comes of it by closed forms.

mod common;

use common::Studio;
use serde_json::{json, Value};

const EMPTY: &str = "name    = \"drawing\"\nplanar  = true\ngravity = [0, -9.81]\n";
/// Places are written to nine digits.
const CLOSE: f64 = 1e-8;

fn edited(studio: &Studio, text: &str, edits: Value) -> String {
    let done = studio.json("edit", &json!({"text": text, "name": "model.toml", "edits": edits}));
    assert!(done["error"].is_null(), "{}\n{text}", done["error"]);
    done["text"].as_str().expect("a text").to_string()
}

fn refused(studio: &Studio, text: &str, edits: Value) -> String {
    let done = studio.json("edit", &json!({"text": text, "name": "model.toml", "edits": edits}));
    done["error"]["message"].as_str().expect("a refusal").to_string()
}

fn link(ends: &[(f64, f64, &str)]) -> Value {
    let end = |(x, y, on): &(f64, f64, &str)| match on.split_once(':') {
        Some((kind, name)) => json!({"at": [x, y], kind: name}),
        None => json!({"at": [x, y]}),
    };
    json!({"do": "link", "ends": ends.iter().map(end).collect::<Vec<_>>()})
}

/// A four-bar by the hand: crank 1, coupler √10, rocker to (4, 0).
fn four_bar(studio: &Studio) -> String {
    edited(
        studio,
        EMPTY,
        json!([
            link(&[(0.0, 0.0, ""), (0.0, 1.0, "")]),
            link(&[(0.0, 1.0, "body:link1"), (3.0, 2.0, "")]),
            link(&[(3.0, 2.0, "body:link2"), (4.0, 0.0, "")]),
            {"do": "ground", "end": {"at": [4.0, 0.0], "body": "link3"}},
            {"do": "drive", "end": {"at": [0.0, 0.0], "body": "link1"}},
        ]),
    )
}

#[test]
fn a_four_bar_is_tidy_text() {
    let studio = Studio::start();
    let due = "name    = \"drawing\"\nplanar  = true\ngravity = [0, -9.81]\n\n[bodies]\nlink1 = {}\nlink2 = {}\nlink3 = {}\n\n[joints]\n\
               B = { type = \"revolute\", bodies = [\"link1\", \"link2\"], at = [0, 1] }\n\
               C = { type = \"revolute\", bodies = [\"link2\", \"link3\"], at = [3, 2] }\n\
               D = { type = \"revolute\", bodies = [\"ground\", \"link3\"], at = [4, 0] }\n\
               A = { type = \"revolute\", bodies = [\"ground\", \"link1\"], at = [0, 0] }\n\n\
               [drivers]\nmotor = { joint = \"A\", value = \"60 rpm * t\" }\n";
    let text = four_bar(&studio);
    assert_eq!(text, due);
    let report = studio.json("check", &json!({"text": text, "name": "model.toml"}));
    assert_eq!((report["mobility"].as_u64(), report["undriven"].as_u64()), (Some(1), Some(0)));
}

#[test]
fn what_meets_moves_together_and_comments_stay() {
    let studio = Studio::start();
    let text = four_bar(&studio).replace("link2 = {}", "link2 = { points = { T = [3, 2], U = [\"2\", 3] } } # coupler");
    let moved = edited(&studio, &text, json!([{"do": "move", "what": [{"joint": "C"}], "by": [0.5, -1]}]));
    assert!(moved.contains("link2 = { points = { T = [3.5, 1], U = [\"2\", 3] } } # coupler"), "{moved}");
    assert!(moved.contains("\"link3\"], at = [3.5, 1] }"), "{moved}");
    assert_eq!(edited(&studio, &moved, json!([{"do": "move", "what": [{"joint": "C"}], "by": [-0.5, 1]}])), text);
    // A whole link takes its pins along, and they their neighbours' ends.
    let moved = edited(&studio, &text, json!([{"do": "move", "what": [{"body": "link1"}], "by": [1, 0]}]));
    assert!(moved.contains("at = [1, 1] }") && moved.contains("\"link1\"], at = [1, 0] }"), "{moved}");
}

#[test]
fn numbers_keep_their_units_and_parameters_take_them() {
    let studio = Studio::start();
    let text =
        "planar = true\nunits = \"mm, deg\"\n[parameters]\nw = \"300 mm\"   # wide\n[bodies.a]\n[bodies.b]\n[joints]\n\
                A = { type = \"revolute\", bodies = [\"ground\", \"a\"], at = [0, 0] }\n\
                B = { type = \"revolute\", bodies = [\"a\", \"b\"], at = [\"20 cm\", \"w\"] }\n\
                C = { type = \"revolute\", bodies = [\"ground\", \"b\"], at = [\"2*w\", 0] }\n";
    let moved = edited(&studio, text, json!([{"do": "move", "what": [{"joint": "B"}], "by": [0.05, -0.1]}]));
    assert_eq!(moved, text.replace("20 cm", "25 cm").replace("300 mm", "200 mm"));
    let why = refused(&studio, text, json!([{"do": "move", "what": [{"joint": "C"}], "by": [0.1, 0]}]));
    assert!(why.contains("2*w"), "{why}");
    // What is new is written in the unit that people read.
    let more = edited(&studio, text, json!([link(&[(0.0, 0.1, ""), (0.1, 0.1, "")])]));
    assert!(more.contains("[bodies.link1]\npoints = { D = [0, \"100 mm\"], E = [\"100 mm\", \"100 mm\"] }"), "{more}");
}

#[test]
fn a_slider_crank_runs_as_the_closed_form_has_it() {
    let studio = Studio::start();
    let text = edited(
        &studio,
        EMPTY,
        json!([
            link(&[(0.0, 0.0, ""), (1.0, 0.0, "")]),
            link(&[(1.0, 0.0, "body:link1"), (4.0, 0.0, "")]),
            {"do": "slider", "end": {"at": [4.0, 0.0], "body": "link2"}, "axis": [2.0, 0.0]},
            {"do": "drive", "end": {"at": [0.0, 0.0], "body": "link1"}},
        ]),
    );
    let model = biela::model(&text).expect("a model");
    let results = biela::run(&model).expect("a run");
    let x = &results.get("guide1.slide").expect("a slide").data;
    let t = &results.get("t").expect("times").data;
    for (x, t) in x.iter().zip(t) {
        let a = std::f64::consts::TAU * t;
        let due = a.cos() + (9.0 - a.sin().powi(2)).sqrt() - 4.0;
        assert!((x - due).abs() < CLOSE, "{x} {due}");
    }
}

#[test]
fn what_is_deleted_takes_what_hangs_on_it_and_leaves_ends() {
    let studio = Studio::start();
    let text = four_bar(&studio);
    let less = edited(&studio, &text, json!([{"do": "delete", "what": [["bodies", "link3"]]}]));
    assert!(
        less.contains("link2 = { points = { C = [3, 2] } }") && !less.contains("link3") && !less.contains("D ="),
        "{less}"
    );
    // The same link drawn again joins the end, and nothing is left over.
    let again = edited(
        &studio,
        &less,
        json!([link(&[(3.0, 2.0, "body:link2"), (4.0, 0.0, "")]), {"do": "ground", "end": {"at": [4.0, 0.0], "body": "link3"}}]),
    );
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&again), sorted(&text));
    let less = edited(&studio, &text, json!([{"do": "delete", "what": [["joints", "A"]]}]));
    assert!(
        !less.contains("motor") && !less.contains("[drivers]") && less.contains("points = { A = [0, 0] }"),
        "{less}"
    );
    let all = json!([["bodies", "link1"], ["bodies", "link2"], ["bodies", "link3"]]);
    assert_eq!(edited(&studio, &text, json!([{"do": "delete", "what": all}])), EMPTY);
}

#[test]
fn copies_and_mirror_images() {
    let studio = Studio::start();
    let text = four_bar(&studio);
    let twice = edited(&studio, &text, json!([{"do": "copy", "bodies": ["link1", "link2", "link3"], "by": [0, -5]}]));
    let report = studio.json("check", &json!({"text": twice, "name": "model.toml"}));
    assert_eq!(
        (report["bodies"].as_u64(), report["mobility"].as_u64(), report["undriven"].as_u64()),
        (Some(6), Some(2), Some(0))
    );
    assert!(twice.contains("bodies = [\"link4\", \"link5\"], at = [0, -4] }"), "{twice}");
    let turn = json!([{"do": "mirror", "about": [2, 0], "level": false}]);
    let over = edited(&studio, &text, turn.clone());
    assert!(
        over.contains("[\"link2\", \"link3\"], at = [1, 2] }")
            && over.contains("[\"ground\", \"link1\"], at = [4, 0] }"),
        "{over}"
    );
    assert_eq!(edited(&studio, &over, turn), text);
}

#[test]
fn springs_forces_gears_and_actuators_are_read() {
    let studio = Studio::start();
    let text = edited(
        &studio,
        &four_bar(&studio),
        json!([
            {"do": "coil", "ends": [{"at": [-1, 3]}, {"at": [0, 1], "joint": "B"}]},
            {"do": "force", "end": {"at": [1.5, 1.5], "body": "link2"}, "along": [0, -3]},
            {"do": "trace", "end": {"at": [1.5, 3], "body": "link2"}},
            {"do": "gears", "joints": ["A", "D"], "teeth": [20, 40]},
        ]),
    );
    for line in [
        "spring1 = { type = \"spring\", bodies = [\"ground\", \"link1\"], at = [[-1, 3], [0, 1]], stiffness = 1000, length = 2.23606798 }",
        "force1 = { type = \"force\", body = \"link2\", at = [1.5, 1.5], value = [0, -10] }",
        "link2 = { points = { T = [1.5, 3] } }",
        "gears1 = { type = \"gear\", joints = [\"A\", \"D\"], teeth = [20, 40] }",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let lift = edited(
        &studio,
        EMPTY,
        json!([
            link(&[(0.0, 0.0, ""), (2.0, 0.0, "")]),
            {"do": "ground", "end": {"at": [0.0, 0.0], "body": "link1"}},
            {"do": "ram", "ends": [{"at": [1.0, -1.0]}, {"at": [1.0, 0.0], "body": "link1"}]},
        ]),
    );
    let report = studio.json("check", &json!({"text": lift, "name": "model.toml"}));
    assert_eq!((report["mobility"].as_u64(), report["undriven"].as_u64()), (Some(1), Some(0)), "{lift}");
    // A moved foot keeps the drawing as it is: the length where the motion begins goes with it.
    let moved = edited(&studio, &lift, json!([{"do": "move", "what": [{"joint": "ram1", "end": 0}], "by": [0, -1]}]));
    assert!(moved.contains("value = \"2 + 0.1 * sin(2*pi*t)\""), "{moved}");
}

#[test]
fn names_and_values_change_everywhere() {
    let studio = Studio::start();
    let text = edited(
        &studio,
        &four_bar(&studio),
        json!([
            {"do": "rename", "section": "bodies", "name": "link1", "to": "crank"},
            {"do": "rename", "section": "joints", "name": "A", "to": "shaft"},
            {"do": "set", "path": ["bodies", "crank", "mass"], "value": "1.5"},
            {"do": "set", "path": ["drivers", "motor", "value"], "value": "90 rpm * t"},
        ]),
    );
    assert!(!text.contains("link1") && text.contains("crank = { mass = 1.5 }"), "{text}");
    assert!(text.contains("motor = { joint = \"shaft\", value = \"90 rpm * t\" }"), "{text}");
    let set = |path: Value, value: &str| json!([{"do": "set", "path": path, "value": value}]);
    assert!(refused(&studio, &text, set(json!(["drivers", "motor", "value"]), "90 rmp * t")).contains("would be wrong"));
    assert!(refused(&studio, &text, json!([{"do": "rename", "section": "bodies", "name": "crank", "to": "a b"}]))
        .contains("no name"));
}

#[test]
fn nonsense_is_refused_and_nothing_is_lost() {
    let studio = Studio::start();
    let text = four_bar(&studio);
    for edits in [
        json!(null),
        json!([{"do": "explode"}]),
        json!([{"do": "link", "ends": [{"at": [0, 0]}]}]),
        json!([{"do": "link", "ends": [{"at": [0, 0]}, {"at": [0, 0]}]}]),
        json!([{"do": "link", "ends": [{"at": [0, 0]}, {"at": ["x", 0]}]}]),
        json!([{"do": "link", "ends": [{"at": [0, 0], "joint": "no"}, {"at": [1, 0]}]}]),
        json!([{"do": "drive", "end": {"at": [0, 0], "joint": "A"}}]),
        json!([{"do": "ground", "end": {"at": [0, 0], "joint": "A"}}]),
        json!([{"do": "ground", "end": {"at": [9, 9]}}]),
        json!([{"do": "gears", "joints": ["A", "A"]}]),
        json!([{"do": "move", "what": [{"joint": "Z"}], "by": [1, 1]}]),
        json!([{"do": "delete", "what": [["bodies", "ground"]]}]),
        json!([{"do": "copy", "bodies": [], "by": [1, 1]}]),
    ] {
        let why = refused(&studio, &text, edits.clone());
        assert!(!why.is_empty(), "{edits}");
    }
    assert!(studio.json("sketch", &json!({"text": "planar = "}))["error"]["message"]
        .as_str()
        .unwrap_or("")
        .contains("no value"));
}

#[test]
fn a_four_bar_goes_together_in_two_ways() {
    let studio = Studio::start();
    let text = four_bar(&studio);
    let found = studio.json("modes", &json!({"text": text, "name": "model.toml"}));
    assert_eq!((found["real"].as_u64(), found["complete"].as_bool()), (Some(2), Some(true)), "{found}");
    // In the drawing C is at (3, 2); the other is its image in the line from B to D.
    let other = edited(&studio, &text, json!([{"do": "set", "path": ["mode"], "value": "2"}]));
    assert!(other.contains("\nmode = 2\n"), "{other}");
    let y = |text: &str| {
        let model = biela::model(text).expect("a model");
        let results = biela::run(&model).expect("a run");
        results.get("C.angle").expect("an angle").data[0]
    };
    let first = edited(&studio, &text, json!([{"do": "set", "path": ["mode"], "value": "1"}]));
    assert!((y(&first) - y(&other)).abs() > 0.1);
}

/// What a body of a text weighs: mass, centre and moment.
fn mass_of(text: &str, body: &str) -> (f64, [f64; 2], f64) {
    let document = biela::Document::from_toml(&biela::source::Source::new("model.toml", text)).expect("a text");
    let model = document.compile(&biela::Options::default()).expect("a model").0;
    let own = model.bodies.iter().find(|b| b.name == body).expect("a body");
    let mass = own.mass.as_ref().expect("a mass");
    let centre = own.X_WB.apply(mass.com);
    (mass.mass, [centre.x, centre.y], mass.inertia.about(biela::math::Vec3::new(0.0, 0.0, 1.0)))
}

#[test]
fn a_mass_alone_is_a_uniform_one_and_stays_so() {
    let studio = Studio::start();
    let text = edited(&studio, &four_bar(&studio), json!([{"do": "mass", "body": "link2", "value": "3 kg"}]));
    // A rod from (0, 1) to (3, 2): m l²/12.
    let (mass, [x, y], moment) = mass_of(&text, "link2");
    assert!(
        (mass - 3.0).abs() + (x - 1.5).abs() + (y - 1.5).abs() + (moment - 3.0 * 10.0 / 12.0).abs() < CLOSE,
        "{text}"
    );
    // Its end is moved: it is the longer rod.
    let text = edited(&studio, &text, json!([{"do": "move", "what": [{"joint": "C"}], "by": [1.0, 0.0]}]));
    let (_, [x, y], moment) = mass_of(&text, "link2");
    assert!((x - 2.0).abs() + (y - 1.5).abs() + (moment - 3.0 * 17.0 / 12.0).abs() < CLOSE, "{text}");
    // Another mass of the same form; and none.
    let heavier = edited(&studio, &text, json!([{"do": "mass", "body": "link2", "value": "6"}]));
    assert!((mass_of(&heavier, "link2").2 - 6.0 * 17.0 / 12.0).abs() < CLOSE, "{heavier}");
    let none = edited(&studio, &text, json!([{"do": "mass", "body": "link2", "value": ""}]));
    assert!(none.contains("link2 = {}"), "{none}");
    // What somebody wrote stays.
    let own = text.replacen("inertia = 4.25", "inertia = 5", 1);
    let moved = edited(&studio, &own, json!([{"do": "move", "what": [{"joint": "C"}], "by": [1.0, 0.0]}]));
    assert!(moved.contains("inertia = 5"), "{moved}");
    // A right triangle with legs of 3 and 4 on the paper: a third of each from its corner, m (a² + b²)/18.
    let plate = edited(
        &studio,
        EMPTY,
        json!([link(&[(0.0, 0.0, ""), (3.0, 0.0, ""), (0.0, 4.0, "")]), {"do": "mass", "body": "link1", "value": "18"}]),
    );
    let (_, [x, y], moment) = mass_of(&plate, "link1");
    assert!((x - 1.0).abs() + (y - 4.0 / 3.0).abs() + (moment - 25.0).abs() < 1e-7, "{plate} {moment}");
    // A wrong mass is told.
    assert!(!refused(&studio, &plate, json!([{"do": "mass", "body": "link1", "value": "3 m"}])).is_empty());
}
