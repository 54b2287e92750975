//! Drawing in space: what a hand does to a text, and what comes of it by closed forms.

mod common;

use common::Studio;
use serde_json::{json, Value};

const EMPTY: &str = "name    = \"drawing\"\ngravity = [0, 0, -9.81]\n";
/// Numbers are written to nine digits.
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

/// Crank 1 about z, a rod with balls, rocker 2.5 about x.
fn rssr(studio: &Studio) -> String {
    let ball = json!({"type": "spherical"});
    edited(
        studio,
        EMPTY,
        json!([
            {"do": "link", "ends": [{"at": [0, 0, 0]}, {"at": [1, 0, 0]}]},
            {"do": "link", "ends": [{"at": [2, 3, 0]}, {"at": [2, 3, 2.5]}]},
            {"do": "link", "ends": [{"at": [1, 0, 0], "body": "link1"}, {"at": [2, 3, 2.5], "body": "link2"}], "joint": ball},
            {"do": "drive", "end": {"at": [0, 0, 0], "body": "link1"}, "joint": {"type": "revolute", "axis": [0, 0, 2]}},
            {"do": "ground", "end": {"at": [2, 3, 0], "body": "link2"}, "joint": {"type": "revolute", "axis": [3, 0, 0]}},
        ]),
    )
}

#[test]
fn a_spatial_crank_rocker_is_tidy_text_and_runs_as_the_closed_form_has_it() {
    let studio = Studio::start();
    let text = rssr(&studio);
    let due =
        "name    = \"drawing\"\ngravity = [0, 0, -9.81]\n\n[bodies]\nlink1 = {}\nlink2 = {}\nlink3 = {}\n\n[joints]\n\
               B = { type = \"spherical\", bodies = [\"link1\", \"link3\"], at = [1, 0, 0] }\n\
               D = { type = \"spherical\", bodies = [\"link2\", \"link3\"], at = [2, 3, 2.5] }\n\
               A = { type = \"revolute\", bodies = [\"ground\", \"link1\"], at = [0, 0, 0], axis = [0, 0, 1] }\n\
               C = { type = \"revolute\", bodies = [\"ground\", \"link2\"], at = [2, 3, 0], axis = [1, 0, 0] }\n\n\
               [drivers]\nmotor = { joint = \"A\", value = \"60 rpm * t\" }\n";
    assert_eq!(text, due);
    let results = biela::run(&biela::model(&text).expect("a model")).expect("a run");
    let column = |name: &str| &results.get(name).expect(name).data;
    // |B - D|² = 1² + 3² + 2.5² with B = (cos a, sin a, 0), D = (2, 3 - 2.5 sin b, 2.5 cos b).
    for (t, b) in column("t").iter().zip(column("C.angle")) {
        let (s, c) = (std::f64::consts::TAU * t).sin_cos();
        let due = ((2.0 - c).powi(2) + (3.0 - s).powi(2) + 6.25 - 16.25) / (5.0 * (3.0 - s));
        assert!((b.sin() - due).abs() < CLOSE, "{t}: {b} {due}");
    }
}

#[test]
fn an_arm_of_three_turns_reaches_where_its_angles_say() {
    let studio = Studio::start();
    let about = |axis: [f64; 3]| json!({"type": "revolute", "axis": axis});
    let text = edited(
        &studio,
        EMPTY,
        json!([
            {"do": "link", "ends": [{"at": [0, 0, 0]}, {"at": [0, 0, 1]}]},
            {"do": "link", "ends": [{"at": [0, 0, 1], "body": "link1"}, {"at": [2, 0, 1]}], "joint": about([0.0, 1.0, 0.0])},
            {"do": "link", "ends": [{"at": [2, 0, 1], "body": "link2"}, {"at": [3, 0, 1]}], "joint": about([0.0, 1.0, 0.0])},
            {"do": "trace", "end": {"at": [3, 0, 1], "body": "link3"}},
            {"do": "drive", "end": {"at": [0, 0, 0], "body": "link1"}, "joint": about([0.0, 0.0, 1.0])},
            {"do": "drive", "end": {"at": [0, 0, 1], "joint": "B"}},
            {"do": "drive", "end": {"at": [2, 0, 1], "joint": "C"}},
            {"do": "set", "path": ["drivers", "motor2", "value"], "value": "-0.5*t"},
            {"do": "set", "path": ["drivers", "motor3", "value"], "value": "0.75*t"},
        ]),
    );
    let results = biela::run(&biela::model(&text).expect("a model")).expect("a run");
    let column = |name: &str| &results.get(name).expect(name).data;
    for (k, t) in column("t").iter().enumerate() {
        let (yaw, first, second) = (std::f64::consts::TAU * t, -0.5 * t, 0.25 * t);
        let (reach, height) = (2.0 * first.cos() + second.cos(), 1.0 - 2.0 * first.sin() - second.sin());
        for (name, due) in [("x", reach * yaw.cos()), ("y", reach * yaw.sin()), ("z", height)] {
            let found = column(&format!("link3.T.{name}"))[k];
            assert!((found - due).abs() < CLOSE, "{t} {name}: {found} {due}");
        }
    }
}

#[test]
fn joints_change_their_kind_and_axis_and_what_meets_moves() {
    let studio = Studio::start();
    let text = rssr(&studio).replace("link3 = {}", "link3 = {}   # the rod");
    let joint = |kind: &str, axis: Value| json!([{"do": "joint", "name": "B", "joint": {"type": kind, "axis": axis}}]);
    let cardan = edited(&studio, &text, joint("universal", json!([0, 3, 4])));
    let line = "B = { type = \"universal\", bodies = [\"link1\", \"link3\"], at = [1, 0, 0], axis = [0, 0.6, 0.8], axis2 = [1, 0, 0] }";
    assert!(cardan.contains(line) && cardan.contains("# the rod"), "{cardan}");
    assert_eq!(edited(&studio, &cardan, joint("spherical", json!(null))), text);
    assert!(refused(&studio, &text, joint("gearbox", json!(null))).contains("'gearbox' is not drawn"));
    assert!(refused(&studio, &text, joint("revolute", json!([0, 0, 0]))).contains("direction"));
    let moved = edited(&studio, &text, json!([{"do": "move", "what": [{"joint": "D"}], "by": [0, 0, 0.5]}]));
    assert_eq!(moved, text.replace("[2, 3, 2.5]", "[2, 3, 3]"));
    let over = edited(&studio, &text, json!([{"do": "mirror", "about": [0, 0, 1], "axis": 2}]));
    assert!(over.contains("at = [2, 3, -0.5]") && over.contains("axis = [0, 0, -1]"), "{over}");
    let less = edited(&studio, &text, json!([{"do": "delete", "what": [["bodies", "link3"]]}]));
    assert!(!less.contains("spherical") && less.contains("link2 = { points = { D = [2, 3, 2.5] } }"), "{less}");
    // What the page is told of it.
    let told = studio.json("sketch", &json!({"text": cardan}));
    let b = &told["joints"][0];
    let near = |key: &str, due: [f64; 3]| (0..3).all(|k| (b[key][k].as_f64().unwrap_or(9.0) - due[k]).abs() < CLOSE);
    assert!(told["planar"] == json!(false) && near("axis", [0.0, 0.6, 0.8]) && near("axis2", [1.0, 0.0, 0.0]), "{b}");
}
