//! Sweeps in shares, and natural modes in motion.

mod common;

use biela::results::row_formats::CSV;
use biela::results::rows::Rows;
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::sweep::Sweep;
use biela::text::{Asked, Document, Options};
use common::{Studio, FOUR_BAR};
use serde_json::json;

/// Bytes of the table as the library makes it in one go.
fn whole(text: &str, asked: &Asked) -> String {
    let document = Document::from_toml(&Source::new("model.toml", text)).expect("a model");
    let options = Options::default();
    let plan = document.plan(&options, asked).expect("a plan");
    let sweep = Sweep::new(&document, &options, plan, None, METHODS[0]).expect("a sweep");
    let mut all = Rows::new(sweep.header.columns.len());
    (0..sweep.plan.chunks()).for_each(|k| all.append(&sweep.chunk(k)));
    let (mut once, mut bytes) = (Some(all), Vec::new());
    CSV.table(&sweep.header, &mut || Ok(once.take()), &mut bytes).expect("a table");
    String::from_utf8(bytes).expect("a text")
}

#[test]
fn shares_in_any_number_are_one_table() {
    let studio = Studio::start();
    // Some of these cannot close.
    let vary = [("crank", "0.5:6:150"), ("coupler", "7:9:2")];
    let measure = [("wide", "max(B.angle) - min(B.angle)")];
    let pairs = |list: &[(&str, &str)]| list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    let due = whole(FOUR_BAR, &Asked { vary: pairs(&vary), measure: pairs(&measure), ..Asked::default() });
    assert!(due.lines().count() == 301 && due.lines().any(|l| l.contains("NaN,")), "{due}");
    for of in [1, 2, 7] {
        let asked = json!({"text": FOUR_BAR, "name": "model.toml", "vary": vary, "measure": measure, "of": of});
        let mut parts = Vec::new();
        // In any order.
        for share in (0..of).rev() {
            let mut own = asked.clone();
            own["share"] = share.into();
            let told = studio.json("share", &own);
            assert!(told["error"].is_null(), "{told}");
            parts.extend(told["parts"].as_array().expect("parts").clone());
        }
        let mut own = asked.clone();
        own["parts"] = parts.clone().into();
        let found = studio.json("gather", &own);
        assert_eq!(found["csv"].as_str(), Some(due.as_str()), "{of} shares");
        assert_eq!(found["summary"]["samples"], 300);
        assert!(found["summary"]["failed"].as_u64().is_some_and(|n| n > 0));
        assert_eq!(found["columns"].as_array().map(Vec::len), Some(3));
        // One that is missing, or twice there, is told.
        parts.pop();
        own["parts"] = parts.into();
        let found = studio.json("gather", &own);
        assert!(found["error"]["message"].as_str().is_some_and(|m| m.contains("do not fit")), "{found}");
    }
    let large = json!({"text": FOUR_BAR, "name": "m.toml", "vary": [["crank", "1:2:1000000"]]});
    let told = studio.json("share", &large);
    assert!(told["error"]["message"].as_str().is_some_and(|m| m.contains("20000 at most")), "{told}");
    let none = studio.json("share", &json!({"text": FOUR_BAR, "name": "m.toml"}));
    assert!(none["error"]["message"].as_str().is_some_and(|m| m.contains("no parameter varies")), "{none}");
}

/// Two equal pendulums one below the other.
const DOUBLE: &str = r#"name = "double pendulum"
planar = true
gravity = [0, -9.81]
bodies.upper = { mass = 1, com = [0, -1] }
bodies.lower = { mass = 1, com = [0, -2] }
[joints]
A = { type = "revolute", bodies = ["ground", "upper"], at = [0, 0] }
B = { type = "revolute", bodies = ["upper", "lower"], at = [0, -1] }
[run]
analysis = "modes"
"#;

#[test]
fn a_mode_is_a_motion_for_the_page() {
    let studio = Studio::start();
    let swing = |mode: u64| studio.json("swing", &json!({"text": DOUBLE, "name": "m.toml", "mode": mode}));
    let told = swing(2);
    assert_eq!(told["picture"]["bodies"].as_array().map(Vec::len), Some(3), "{told}");
    assert!(told["picture"]["samples"].as_u64().is_some_and(|n| n > 24));
    assert!(swing(3)["error"]["message"].as_str().is_some_and(|m| m.contains("no mode 3 (there are 2)")));
    // Modes need to know whether there is gravity; a run for them tells frequencies.
    let told = studio
        .json("swing", &json!({"text": DOUBLE.replace("gravity = [0, -9.81]\n", ""), "name": "m.toml", "mode": 1}));
    assert!(told["error"]["message"].is_string());
}

#[test]
fn the_light_of_interference_tells_what_meets_where() {
    let studio = Studio::start();
    // Discs of 15 mm and 20 mm: one at the end of a crank of 60 mm that turns once, one at a place beyond it.
    let text = |at: f64, shape: &str| {
        format!(
            "planar = true\nunits = 'mm, deg'\nbodies.ground = {{ shape = {{ type = 'circle', radius = '15 mm', at = [{at}, 0] }} }}\n\
             bodies.crank = {{ {shape} }}\njoints.A = {{ type = 'revolute', bodies = ['ground', 'crank'], at = [0, 0] }}\n\
             bodies.free = {{ shape = {{ type = 'circle', radius = '20 mm', at = [0.06, 0] }} }}\n\
             joints.F = {{ type = 'fixed', bodies = ['crank', 'free'], at = [0, 0] }}\n\
             drivers.a = {{ joint = 'A', value = '2*pi*t + 2' }}\nrun = {{ end = 1, steps = 20 }}\n"
        )
    };
    for (at, distance) in [(0.11, 0.015), (0.09, -0.005)] {
        let told = studio.json("interference", &json!({"text": text(at, ""), "name": "m.toml"}));
        let least = &told["least"];
        assert!((least["distance"].as_f64().unwrap_or(f64::NAN) - distance).abs() < 1e-10, "{told}");
        let when = 1.0 - 1.0 / std::f64::consts::PI;
        // A least distance is flat: its time is known to the root of what its value is.
        assert!((least["t"].as_f64().unwrap_or(f64::NAN) - when).abs() < 1e-6, "{told}");
        assert_eq!(told["complete"], true);
        assert!(least["points"][0][0].as_f64().is_some_and(|x| x > 0.07), "{told}");
    }
    let none = studio.json("interference", &json!({"text": DOUBLE, "name": "m.toml"}));
    assert!(none["error"]["message"].as_str().is_some_and(|m| m.contains("no two bodies have shapes")), "{none}");
}
