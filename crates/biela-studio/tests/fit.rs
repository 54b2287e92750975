//! Paths that are sketched, and drawings that follow them.

mod common;

use common::Studio;
use serde_json::{json, Value};

/// A crank-rocker with a traced point, as a hand draws it: crank 1, coupler √10, rocker √5, pivots 4 apart.
const DRAWN: &str = r#"name    = "drawing"
planar  = true

[bodies]
link1 = {}
link2 = { points = { T = [1.6, 2.4] } }   # the coupler
link3 = {}

[joints]
A = { type = "revolute", bodies = ["ground", "link1"], at = [0, 0] }
B = { type = "revolute", bodies = ["link1", "link2"], at = [0, 1] }
C = { type = "revolute", bodies = ["link2", "link3"], at = [3, 2] }
D = { type = "revolute", bodies = ["ground", "link3"], at = [4, 0] }

[drivers]
motor = { joint = "A", value = "60 rpm * t" }
"#;

/// Where the coupler's point of a four-bar is for a crank angle, by two circles that meet: A, B, C, D, T of the drawing.
fn coupler_point([a, b, c, d, t]: [[f64; 2]; 5], turn: f64) -> Option<[f64; 2]> {
    let sub = |p: [f64; 2], q: [f64; 2]| [p[0] - q[0], p[1] - q[1]];
    let (sin, cos) = turn.sin_cos();
    let ab = sub(b, a);
    let b1 = [a[0] + cos * ab[0] - sin * ab[1], a[1] + sin * ab[0] + cos * ab[1]];
    let [l, r] = [sub(c, b), sub(c, d)].map(|v| v[0].hypot(v[1]));
    let across = sub(d, b1);
    let f = across[0].hypot(across[1]);
    let along = (l * l + f * f - r * r) / (2.0 * f);
    let high = (l * l - along * along).sqrt();
    let side = |p: [f64; 2], q: [f64; 2]| (p[0] * q[1] - p[1] * q[0]).signum();
    let over = side(sub(d, b), sub(c, b));
    let u = [across[0] / f, across[1] / f];
    let c1 = [b1[0] + along * u[0] - over * high * u[1], b1[1] + along * u[1] + over * high * u[0]];
    // The coupler carries its point along.
    let (old, new) = (sub(c, b), sub(c1, b1));
    let (cos, sin) = ((old[0] * new[0] + old[1] * new[1]) / (l * l), (old[0] * new[1] - old[1] * new[0]) / (l * l));
    let s = sub(t, b);
    Some([b1[0] + cos * s[0] - sin * s[1], b1[1] + sin * s[0] + cos * s[1]]).filter(|p| p[0].is_finite())
}

fn path(points: [[f64; 2]; 5], count: usize) -> Vec<[f64; 2]> {
    (0..count).filter_map(|k| coupler_point(points, std::f64::consts::TAU * k as f64 / count as f64)).collect()
}

/// The five points as a text has them.
fn points(text: &str) -> [[f64; 2]; 5] {
    let pair = |rest: &str| -> [f64; 2] {
        let list = rest.split(['[', ']']).next().expect("a list");
        let numbers: Vec<f64> = list.split(',').map(|x| x.trim().parse().expect("a number")).collect();
        [numbers[0], numbers[1]]
    };
    let joint = |name: &str| {
        let line = text.lines().find(|l| l.starts_with(&format!("{name} = "))).expect("a joint");
        pair(line.split("at = [").nth(1).expect("a place"))
    };
    let own = pair(text.split("T = [").nth(1).expect("a point"));
    [joint("A"), joint("B"), joint("C"), joint("D"), own]
}

/// Greatest distance of wanted points from the path of the text's mechanism, by the closed form.
fn off(text: &str, wanted: &[[f64; 2]]) -> f64 {
    let there = path(points(text), 7200);
    assert_eq!(there.len(), 7200, "the crank turns round");
    let near = |p: &[f64; 2]| there.iter().map(|q| (p[0] - q[0]).hypot(p[1] - q[1])).fold(f64::INFINITY, f64::min);
    wanted.iter().map(near).fold(0.0, f64::max)
}

fn fitted(studio: &Studio, text: &str, wanted: &[[f64; 2]], held: Value, rounds: u64) -> (String, Value) {
    let (mut text, mut last) = (text.to_string(), Value::Null);
    for round in 0..rounds {
        last = studio.json(
            "fit",
            &json!({"text": text, "name": "model.toml", "point": "link2.T", "path": wanted, "held": held, "round": round}),
        );
        assert!(last["error"].is_null(), "{last}");
        text = last["text"].as_str().expect("a text").to_string();
    }
    (text, last)
}

#[test]
fn a_path_that_a_larger_one_draws_elsewhere_is_followed() {
    let studio = Studio::start();
    // The same mechanism half as large again, turned by 40° and shifted: its path can be met, and by the drawing laid over it.
    let (sin, cos) = 40f64.to_radians().sin_cos();
    let moved = points(DRAWN).map(|[x, y]| [5.0 + 1.5 * (cos * x - sin * y), -2.0 + 1.5 * (sin * x + cos * y)]);
    let wanted = path(moved, 36);
    let (text, told) = fitted(&studio, DRAWN, &wanted, json!([]), 1);
    /// A sketched path is read as 24 points, and numbers are written to a ten-thousandth of the size; a path of 10 m.
    const MET: f64 = 0.02;
    assert!(off(&text, &wanted) < MET, "{} {told}", off(&text, &wanted));
    assert!(told["rms"].as_f64().expect("a figure") < MET);
    assert!(told["before"].as_f64().is_some(), "{told}");
    assert!(text.contains("# the coupler"), "comments stay");
    assert!(!text.contains("fit_") && !text.contains("optimise"), "{text}");
}

#[test]
fn what_is_held_stays_and_the_rest_comes_near() {
    let studio = Studio::start();
    let mut other = points(DRAWN);
    other[1] = [0.1, 0.9];
    other[4] = [1.2, 2.9];
    let wanted = path(other, 36);
    let before = off(DRAWN, &wanted);
    let (text, _) = fitted(&studio, DRAWN, &wanted, json!(["A", "C", "D"]), 2);
    let [a, _, c, d, _] = points(&text);
    assert_eq!([a, c, d], [[0.0, 0.0], [3.0, 2.0], [4.0, 0.0]]);
    /// As above.
    const MET: f64 = 0.02;
    assert!(before > 0.3 && off(&text, &wanted) < MET, "{before} to {}", off(&text, &wanted));
}

#[test]
fn parameters_are_lengths_to_be_found() {
    let studio = Studio::start();
    // The shipped four-bar is made of parameters: crank 2, coupler 8, rocker 5, pivots 10 apart.
    let text = common::FOUR_BAR.replace("[bodies.coupler]\npoints = {", "[bodies.coupler]\npoints = { T = [3, 2, 0],");
    let circle: Vec<[f64; 2]> =
        (0..24).map(|k| f64::from(k) * 0.2618).map(|a| [3.0 + 2.2 * a.cos(), 3.0 + 1.2 * a.sin()]).collect();
    let asked = json!({"text": text, "name": "m.toml", "point": "coupler.T", "path": circle, "round": 0});
    let told = studio.json("fit", &asked);
    // It is a model in space: said so, whatever it could do.
    assert!(told["error"]["message"].as_str().is_some_and(|m| m.contains("planar")), "{told}");
    let planar =
        DRAWN.replace("[bodies]", "[parameters]\nr = \"1 m\"\n\n[bodies]").replace("at = [0, 1]", "at = [0, \"r\"]");
    let mut wider = points(DRAWN);
    wider[1] = [0.0, 1.25];
    let wanted = path(wider, 36);
    let (text, _) = fitted(&studio, &planar, &wanted, json!(["A", "C", "D"]), 2);
    let r: f64 =
        text.split("r = \"").nth(1).and_then(|t| t.split(" m").next()).and_then(|x| x.parse().ok()).expect("a length");
    // The traced point is free too and could make up for a little.
    assert!((r - 1.25).abs() < 0.02, "{text}");
}

#[test]
fn impossible_wishes_are_told() {
    let studio = Studio::start();
    let told = |text: &str, point: &str, path: Value| {
        let found =
            studio.json("fit", &json!({"text": text, "name": "m.toml", "point": point, "path": path, "round": 0}));
        found["error"]["message"].as_str().unwrap_or("").to_string()
    };
    let line = json!([[0, 0], [1, 1], [2, 1]]);
    assert!(told(DRAWN, "link2.X", line.clone()).contains("no point 'link2.X'"));
    assert!(told(DRAWN, "", line.clone()).contains("no point"));
    assert!(told(DRAWN, "link2.T", json!([[0, 0], [0, 0]])).contains("three points"));
    assert!(told(DRAWN, "link2.T", json!("x")).contains("three points"));
    let loose = DRAWN.split("[drivers]").next().expect("a text");
    assert!(!told(loose, "link2.T", line.clone()).is_empty());
    assert!(!told("planar = true\n", "link2.T", line).is_empty());
}

/// Nine places of a coupler's path give back the four-bar that it is drawn by, among all that pass them; and of a whole path, sketched round,
/// the first design goes along all of it.
#[test]
fn nine_places_of_a_path_give_the_four_bar_back() {
    let five = points(DRAWN);
    let studio = Studio::start();
    let told = |path: &[[f64; 2]]| {
        let asked =
            json!({"text": "planar = true\nunits = \"cm\"\n", "name": "m.toml", "path": path, "title": "drawn"});
        let told = studio.json("through", &asked);
        assert!(told["real"].as_u64().is_some_and(|n| n > 0), "{told}");
        told
    };
    let exact = told(&path(five, 12)[..9]);
    let number = |text: &str, key: &str| -> f64 {
        let line = text.lines().find(|l| l.starts_with(&format!("{key} = "))).expect("a length");
        line[key.len() + 3..].parse().expect("a number")
    };
    /// Rounding of the closed form, through the sensitivity of a linkage to its nine places.
    const ROUNDING: f64 = 1e-6;
    let near = |text: &str| {
        let found = ["crank", "coupler", "rocker", "ground"].map(|key| number(text, key));
        let own = [1.0, 10f64.sqrt(), 5f64.sqrt(), 4.0];
        let same = |order: [usize; 4]| order.iter().zip(own).all(|(k, b)| (found[*k] - b).abs() < ROUNDING * b);
        // Driven by either of its links.
        same([0, 1, 2, 3]) || same([2, 1, 0, 3])
    };
    let designs = exact["designs"].as_array().expect("designs");
    assert!(designs.iter().any(|d| near(d["text"].as_str().unwrap_or(""))), "none is the one drawn: {exact}");

    let best = &told(&path(five, 120))["designs"][0];
    assert_eq!(best["defects"].as_array().map(Vec::len), Some(0), "{best}");
    assert!(best["text"].as_str().is_some_and(|text| text.contains("units = \"cm\"")), "read in the drawing's units");
    /// Chords of 120 points, and those of the motion's samples, leave the curve by this much where it bends.
    const CHORDS: f64 = 2e-3;
    assert!(best["rms"].as_f64().is_some_and(|rms| rms < CHORDS), "{best}");
}

#[test]
fn a_path_that_determines_nothing_is_refused() {
    let studio = Studio::start();
    for path in [json!([]), json!([[0, 0], [1, 1]]), json!([[0, 0], [0, 0], [0, 0], [0, 0]]), json!("path")] {
        let told = studio.json("through", &json!({"text": "planar = true\n", "name": "m.toml", "path": path}));
        assert!(told["error"]["message"].as_str().is_some_and(|m| m.contains("three points")), "{told}");
    }
}
