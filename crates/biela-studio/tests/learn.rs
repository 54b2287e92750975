//! What is learned and shared from the page: lessons whose answers are closed forms, pictures of models, words for the editor, Python code.

mod common;

use common::{Studio, FOUR_BAR};
use serde_json::{json, Value};
use std::time::Duration;

/// A sample may miss a turning point by half a step of a motion of 180 steps: for a wave less than a part in a thousand.
const BETWEEN_SAMPLES: f64 = 1e-3;

/// The model of a lesson.
fn lesson(studio: &Studio, id: &str) -> Value {
    let found = studio.json("lesson", &json!({ "id": id }));
    json!({ "text": found["text"], "name": found["name"] })
}

/// A column of its run.
fn column(studio: &Studio, given: &Value, name: &str) -> Vec<f64> {
    let id = studio.json("run", given)["id"].clone();
    let mut left = 600;
    loop {
        let told = studio.json("job", &json!({ "id": id }));
        if told["state"] == "done" {
            assert!(told["error"].is_null() && told["warnings"].as_array().is_some_and(Vec::is_empty), "{told}");
            break;
        }
        assert!(told["state"] == "running" && left > 0, "{told}");
        left -= 1;
        std::thread::sleep(Duration::from_millis(100));
    }
    let (_, csv) = studio.call("export", &json!({ "id": id, "kind": "csv" }));
    let text = String::from_utf8(csv).expect("a table");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').map(|h| h.split(" [").next().unwrap_or(h)).collect();
    let k = head.iter().position(|h| *h == name).unwrap_or_else(|| panic!("no {name} among {head:?}"));
    lines.map(|l| l.split(',').nth(k).expect("a cell").parse().expect("a number")).collect()
}
fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::MIN, f64::max)
}
fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::MAX, f64::min)
}
fn close(found: f64, due: f64) {
    assert!((found - due).abs() <= BETWEEN_SAMPLES * due.abs(), "{found} in place of {due}");
}

#[test]
fn answers_of_lessons_are_closed_forms() {
    let studio = Studio::start();
    // A slider beside the axis: crank 40, rod 120, offset 20 mm.
    let slide = column(&studio, &lesson(&studio, "dead-centre"), "guide.slide");
    let reach = |l: f64| (l * l - 0.02_f64.powi(2)).sqrt();
    close(greatest(&slide) - least(&slide), reach(0.16) - reach(0.08));
    // The law of cosines, with the crank folded onto the ground: 90, 70 and a diagonal of 70 mm.
    let angle = column(&studio, &lesson(&studio, "transmission-angle"), "transmission");
    close(least(&angle), ((90.0_f64.powi(2) + 70.0_f64.powi(2) - 70.0_f64.powi(2)) / (2.0 * 90.0 * 70.0)).acos());
    // Crank upright: the coupler's line, from P = (0, 30) to Q, meets the ground's line at x; the ratio is −x / (100 − x) with sign.
    let ratio = column(&studio, &lesson(&studio, "instant-centre"), "ratio")[0];
    let (far, along) = (f64::hypot(100.0, 30.0), f64::atan2(-30.0, 100.0));
    let at_p = ((90.0_f64.powi(2) + far * far - 70.0_f64.powi(2)) / (2.0 * 90.0 * far)).acos() + along;
    let (qx, qy) = (90.0 * at_p.cos(), 30.0 + 90.0 * at_p.sin());
    let x = -30.0 * qx / (qy - 30.0);
    close(ratio, x / (x - 100.0));
    // Gravity and inertia over the cycloidal rise, in steps that the program does not know.
    let effort = column(&studio, &lesson(&studio, "motor-sizing"), "motor.effort");
    let (rise, tau) = (std::f64::consts::FRAC_PI_2, std::f64::consts::TAU);
    let torque = |s: f64| {
        let angle = rise * (s - (tau * s).sin() / tau);
        10.0 * 9.81 * angle.cos() + (10.0 + 0.5) * rise * tau * (tau * s).sin()
    };
    close(greatest(&effort), greatest(&(0..=10_007).map(|k| torque(f64::from(k) / 10_007.0)).collect::<Vec<_>>()));
    // The hand is nearest, at 400 mm, right above the shoulder.
    let elbow = column(&studio, &lesson(&studio, "robot-arm"), "elbow.angle");
    close(greatest(&elbow), (-0.3_f64 / (2.0 * 0.4)).acos());
    let report = |id: &str| studio.json("check", &lesson(&studio, id));
    assert_eq!(report("mobility")["redundancies"], 3);
}

/// Grashof: shortest and longest together no longer than the others together; with the coupler as the longest, 140 mm.
#[test]
fn grashof_limits_the_coupler() {
    let studio = Studio::start();
    let told = |coupler: f64| {
        let mut given = lesson(&studio, "grashof");
        given["set"] = json!({ "coupler": coupler });
        studio.json("look", &given)["error"].clone()
    };
    assert!(told(0.08).is_null() && told(0.1395).is_null());
    assert!(!told(0.1405).is_null());
}

#[test]
fn pictures_of_models_are_light_and_dark() {
    let studio = Studio::start();
    let names = studio.json("start", &json!({}))["library"].as_array().expect("a library").clone();
    assert!(!names.is_empty());
    let names = names.iter().filter_map(|m| m["name"].as_str()).chain(["grashof", "robot-arm"]);
    for name in names {
        let [light, dark] = [false, true].map(|dark| studio.json("thumb", &json!({ "shipped": name, "dark": dark })));
        for told in [&light, &dark] {
            assert!(["image/svg+xml", "image/png"].contains(&told["kind"].as_str().unwrap_or("")), "{name}: {told}");
            assert!(told["bytes"].as_str().is_some_and(|b| b.len() > 500), "{name}");
        }
        assert_ne!(light["bytes"], dark["bytes"], "{name}");
    }
}

#[test]
fn the_editor_is_offered_what_the_registries_have() {
    let words = Studio::start().json("words", &json!({}));
    let has =
        |list: &Value, word: &str| list.as_array().is_some_and(|l| l.iter().any(|w| w == word || w["word"] == word));
    assert!(has(&words["types"]["joints"], "revolute") && has(&words["types"]["forces"], "spring-damper"));
    assert!(has(&words["tables"]["bodies"], "inertia") && has(&words["tables"][""], "parameters"));
    assert!(has(&words["units"], "mm") && has(&words["functions"], "sin") && has(&words["values"]["law"], "cycloidal"));
}

#[test]
fn python_code_makes_the_model_by_calls() {
    let given = json!({ "text": FOUR_BAR, "name": "m.toml", "set": { "crank": 1.5 } });
    let code = Studio::start().json("code", &given)["code"].as_str().expect("code").to_string();
    for due in [
        "m = biela.Model(",
        "m.body(\n    \"crank\"",
        "m.joint(\"A\", \"revolute\", [\"ground\", \"crank\"]",
        "m = m.with_parameters(crank=1.5)",
        "m.run()",
    ] {
        assert!(code.contains(due), "no {due} in\n{code}");
    }
}
