//! Quantities of mechanisms against closed forms: the law of cosines and Freudenstein, Kennedy's theorem, Euler and Savary, Cardan's circles, quick
//! returns, and the balance of torques.

#![allow(non_snake_case)] // A, B, C, D: points of the drawing.

mod common;

use biela::error::Error;
use biela::linkage::plane;
use biela::math::Vec3;
use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::signal::{Element, Signal, Signals};
use biela::solve::mechanism::linkage;
use biela::solve::newton::METHODS;
use biela::solve::run::{formulation_of, run};
use biela::system::FORMULATIONS;
use biela::text::Options;
use common::cases::load;
use common::record::{held, CLOSED};
use common::{column, parse};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A few dozen operations on positions and rates that are solved to 1e-12.
const SOLVED: f64 = 1e-9;

type P = [f64; 2];

fn everything(model: &Model, formulation: &str) -> Results {
    let mut model = model.clone();
    model.study.every = true;
    run(&model, formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

fn sub(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1]]
}

fn plus(a: P, b: P, s: f64) -> P {
    [a[0] + s * b[0], a[1] + s * b[1]]
}

fn dot(a: P, b: P) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: P, b: P) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn length(a: P) -> f64 {
    dot(a, a).sqrt()
}

/// Where the lines a–b and c–d meet.
fn meeting(a: P, b: P, c: P, d: P) -> P {
    let (u, v) = (sub(b, a), sub(d, c));
    plus(a, u, cross(sub(c, a), v) / cross(u, v))
}

/// The circle through three points: its centre.
fn middle(a: P, b: P, c: P) -> P {
    let (u, v) = (sub(b, a), sub(c, a));
    let (p, q, det) = (dot(u, u), dot(v, v), 2.0 * cross(u, v));
    [a[0] + (v[1] * p - u[1] * q) / det, a[1] + (u[0] * q - v[0] * p) / det]
}

/// Ground 4, crank 1.5, coupler 3.5, rocker 3, in drawing style with the crank drawn along x.
fn four_bar(law: &str, more: &str) -> String {
    let (a, b, c, d) = (1.5, 3.5, 3.0, 4.0f64);
    let z: f64 = d - a;
    let along = (b * b - c * c + z * z) / (2.0 * z);
    let (x, y) = (a + along, (b * b - along * along).sqrt());
    format!(
        r#"
name = "bars"
planar = true
bodies.crank = {{ points = {{ B = [{a:?}, 0] }} }}
bodies.coupler = {{ points = {{ T = [2.5, 3.5], C = [{x:?}, {y:?}] }} }}
bodies.rocker = {{ points = {{ C = [{x:?}, {y:?}] }} }}
joints.A = {{ type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }}
joints.B = {{ type = "revolute", bodies = ["crank", "coupler"], at = [{a:?}, 0] }}
joints.C = {{ type = "revolute", bodies = ["coupler", "rocker"], at = [{x:?}, {y:?}] }}
joints.D = {{ type = "revolute", bodies = ["ground", "rocker"], at = [{d:?}, 0] }}
drivers.motor = {{ joint = "A", value = "{law}" }}
run = {{ end = "2*pi", steps = 90 }}
{more}
"#
    )
}

#[test]
fn a_four_bar_has_its_closed_forms() {
    let (a, b, c) = (1.5, 3.5, 3.0);
    let model = parse(&four_bar("0.3 + 2*t + 0.1*t^2", ""));
    for formulation in FORMULATIONS {
        let found = everything(&model, formulation.keyword);
        let value = |name: &str, k: usize| column(&found, name)[k];
        let place = |name: &str, k: usize| [value(&format!("{name}.x"), k), value(&format!("{name}.y"), k)];
        let mut worst = [0.0f64; 6];
        for k in 0..found.len() {
            let (A, D) = ([0.0, 0.0], [4.0, 0.0]);
            let (B, C, T) = (place("crank.B", k), place("rocker.C", k), place("coupler.T", k));
            // The law of cosines, folded to an acute angle.
            let z = length(sub(D, B));
            let mu = ((b * b + c * c - z * z) / (2.0 * b * c)).acos();
            worst[0] = worst[0].max((value("C.transmission", k) - mu.min(PI - mu)).abs());
            // Kennedy: three centres of three bodies lie on a line.
            let (pole, between) = (meeting(A, B, D, C), meeting(A, D, B, C));
            let near = |found: P, due: P| length(sub(found, due)) / length(due).max(1.0);
            worst[1] = worst[1].max(near(place("ground.coupler.centre", k), pole));
            worst[1] = worst[1].max(near(place("crank.rocker.centre", k), between));
            worst[1] = worst[1].max(near(place("ground.rocker.centre", k), D));
            worst[1] = worst[1].max(near(place("crank.coupler.centre", k), B));
            // The moving centrode: the same place in the coupler's frame.
            let angle = value("coupler.angle", k);
            let (s, cos) = angle.sin_cos();
            let r = sub(pole, place("coupler", k));
            let local = [cos * r[0] + s * r[1], cos * r[1] - s * r[0]];
            worst[1] = worst[1].max(near(place("ground.coupler.centre.local", k), local));
            // Rates are in the ratio of the distances from the centre of crank and rocker; torques in the reverse.
            let (u, v) = (sub(B, A), sub(C, D));
            let w = sub(C, B);
            let ratio = cross(u, w) / cross(v, w);
            let by_centre = between[0] / (between[0] - 4.0);
            worst[2] = worst[2].max((value("D.angle.ratio", k) - ratio).abs() + (ratio - by_centre).abs());
            worst[2] = worst[2].max((value("D.angle.advantage", k) * ratio - 1.0).abs());
            // Euler and Savary: BJ = BP²/BA towards A, so that B's path has A for its centre.
            let on_circle =
                |X: P, O: P| plus(X, sub(O, X), dot(sub(X, pole), sub(X, pole)) / dot(sub(O, X), sub(O, X)));
            let m = middle(pole, on_circle(B, A), on_circle(C, D));
            let W = plus(m, sub(m, pole), 1.0);
            let size = length(sub(W, pole));
            worst[3] = worst[3].max((value("coupler.inflection.diameter", k) / size - 1.0).abs());
            worst[3] = worst[3].max(length(sub(place("coupler.inflection", k), W)) / size);
            // The same backwards for the path of T.
            let ray = sub(T, pole);
            let J = plus(pole, ray, dot(sub(W, pole), ray) / dot(ray, ray));
            let TJ = sub(J, T);
            let O = plus(T, TJ, dot(ray, ray) / dot(TJ, TJ));
            let radius = length(sub(O, T));
            worst[4] = worst[4].max((value("coupler.T.radius", k) / radius - 1.0).abs());
            worst[4] = worst[4].max(length(sub(place("coupler.T.evolute", k), O)) / radius.max(1.0));
            worst[4] = worst[4].max((value("coupler.T.curvature", k).abs() * radius - 1.0).abs());
            // Paths about fixed pivots; to the left where the crank turns so.
            worst[5] = worst[5].max((value("crank.B.curvature", k) - 1.0 / a).abs());
            worst[5] = worst[5].max((value("rocker.C.radius", k) - c).abs() + length(place("crank.B.evolute", k)));
        }
        let words = formulation.keyword;
        held(CLOSED, "transmission angle by the law of cosines", SOLVED, worst[0], words);
        held(CLOSED, "instant centres by Kennedy's theorem", SOLVED, worst[1], words);
        held(CLOSED, "ratio and advantage by Freudenstein and Kennedy", SOLVED, worst[2], words);
        held(CLOSED, "inflection circle by Euler and Savary", 1e-7, worst[3], words);
        held(CLOSED, "curvature of a coupler point by Euler and Savary", 1e-7, worst[4], words);
        held(CLOSED, "curvature of paths about pivots", SOLVED, worst[5], words);
    }
}

/// Without mass the power of the motor is that of the load: torques are in the ratio of the advantage.
#[test]
fn the_advantage_is_the_ratio_of_torques() {
    let more = r#"
gravity = [0, 0]
loads.work = { type = "joint-torque", joint = "D", value = -10 }
"#;
    let text = four_bar("0.3 + 2*t", "").replace("planar = true", &format!("planar = true\n{}", more.trim()));
    let text =
        text.replace("loads.work", "forces.work").replace("steps = 90", "steps = 90, analysis = \"inverse-dynamics\"");
    let found = everything(&parse(&text), "absolute");
    let (effort, advantage) = (column(&found, "motor.effort"), column(&found, "D.angle.advantage"));
    for (torque, gain) in effort.iter().zip(advantage) {
        // The load resists with 10 N m.
        assert!((torque * gain - 10.0).abs() < 1e-7 * gain.abs().max(1.0), "{torque} and {gain}");
    }
}

const SLIDER: &str = r#"
name = "offset"
planar = true
bodies.crank = { points = { B = [1, 0] } }
bodies.rod = { points = { G = [2.4, 0.4] } }
bodies.piston = { points = { C = ["1 + sqrt(9 - 0.64)", 0.8] } }
joints.O = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }
joints.B = { type = "revolute", bodies = ["crank", "rod"], at = [1, 0] }
joints.C = { type = "revolute", bodies = ["rod", "piston"], at = ["1 + sqrt(9 - 0.64)", 0.8] }
joints.guide = { type = "prismatic", bodies = ["ground", "piston"], at = ["1 + sqrt(9 - 0.64)", 0.8], axis = [1, 0] }
drivers.motor = { joint = "O", value = "t" }
run = { end = "2*pi", steps = 60 }
"#;

#[test]
fn an_offset_slider_crank_has_its_closed_forms() {
    let (r, l, e) = (1.0, 3.0, 0.8f64);
    let model = parse(SLIDER);
    let found = everything(&model, "absolute");
    for (k, t) in found.times().iter().enumerate() {
        let value = |name: &str| column(&found, name)[k];
        let (s, c) = t.sin_cos();
        let rise = e - r * s;
        let root = (l * l - rise * rise).sqrt();
        let near = |found: f64, due: f64, what: &str| {
            assert!((found - due).abs() < SOLVED * due.abs().max(1.0), "{what} at {t}: {found} and {due}");
        };
        near(value("C.transmission"), FRAC_PI_2 - (rise / l).asin().abs(), "transmission angle");
        let ratio = -r * s + rise * r * c / root;
        near(value("guide.slide.ratio"), ratio, "ratio");
        near(value("guide.slide.advantage") * ratio, 1.0, "advantage");
        assert!(value("ground.piston.centre.x").is_infinite() && value("ground.piston.centre.y").is_infinite());
        // The rod's pole: on the crank's line, above the pin.
        if c.abs() > 1e-3 {
            let x = r * c + root;
            near(value("ground.rod.centre.x"), x, "pole, x");
            near(value("ground.rod.centre.y"), x * s / c, "pole, y");
        }
        near(value("piston.C.curvature"), 0.0, "a straight path");
        assert!(value("piston.C.radius").is_infinite());
    }
    let told = linkage(&model, None).unwrap();
    let quick = told.outputs.iter().find(|o| o.coordinate == "guide.slide").and_then(|o| o.quick_return).unwrap();
    // Dead centres: crank and rod stretched, and folded.
    let (out, back) = ((e / (l + r)).asin(), PI + (e / (l - r)).asin());
    held(
        CLOSED,
        "time ratio of an offset slider-crank",
        1e-9,
        (quick.ratio - (back - out) / (TAU - back + out)).abs(),
        "",
    );
    let stroke = ((l + r).powi(2) - e * e).sqrt() - ((l - r).powi(2) - e * e).sqrt();
    assert!((quick.ends[1] - quick.ends[0] - stroke).abs() < 1e-9, "{quick:?}");
    assert_eq!((told.class, told.axes), (None, ["x", "y"]));
}

#[test]
fn dead_centres_and_standstill_are_told_as_such() {
    // At a dead centre the piston stands still: the advantage has no bound.
    let central = SLIDER.replace("0.8]", "0]").replace("sqrt(9 - 0.64)", "3");
    let found = everything(&parse(&central), "absolute");
    for k in [0, 30, 60] {
        assert_eq!(column(&found, "guide.slide.ratio")[k], 0.0);
        assert_eq!(column(&found, "guide.slide.advantage")[k], f64::INFINITY);
        assert!(column(&found, "piston.C.curvature")[k].is_nan(), "a point that stands still has no path");
    }
    let told = linkage(&parse(&central), None).unwrap();
    assert!((told.outputs.iter().find_map(|o| o.quick_return).unwrap().ratio - 1.0).abs() < 1e-9);
    let json = told.json();
    let output = json["outputs"].as_array().unwrap().iter().find(|o| o["coordinate"] == "guide.slide").unwrap();
    assert!(output["advantage"].is_null() && output["infinite_advantage"] == true, "{output}");
    assert!(told.text().contains("infinite"), "{}", told.text());
    // A driver that stands still leaves what is in joints alone …
    let still = parse(&four_bar("0.7", ""));
    let found = everything(&still, "absolute");
    for name in ["ground.coupler.centre.x", "coupler.inflection.diameter", "D.angle.ratio", "coupler.T.radius"] {
        assert!(column(&found, name)[0].is_nan(), "{name}");
    }
    assert!((column(&found, "ground.rocker.centre.x")[0] - 4.0).abs() < SOLVED);
    assert!(column(&found, "C.transmission")[0].is_finite());
    // … but a position has its centres all the same.
    let (told, moving) = (linkage(&still, None).unwrap(), linkage(&parse(&four_bar("0.7 + t", "")), None).unwrap());
    assert!(told.input.as_ref().is_some_and(|i| i.assumed && (i.rate - 1.0).abs() < SOLVED));
    for (a, b) in told.centres.iter().zip(&moving.centres) {
        assert!(length(sub(a.at, b.at)) < SOLVED, "{a:?} and {b:?}");
    }
    assert!((told.circles[0].diameter - moving.circles[0].diameter).abs() < 1e-7);
}

#[test]
fn parallel_links_have_centres_at_infinity() {
    let text = r#"
planar = true
bodies.crank = {}
bodies.coupler = { points = { T = [1.5, 1.2] } }
bodies.rocker = {}
joints.A = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }
joints.B = { type = "revolute", bodies = ["crank", "coupler"], at = [0.3, 1] }
joints.C = { type = "revolute", bodies = ["coupler", "rocker"], at = [3.3, 1] }
joints.D = { type = "revolute", bodies = ["ground", "rocker"], at = [3, 0] }
drivers.motor = { joint = "A", value = "t/2" }
run = { end = 1, steps = 20 }
"#;
    let model = parse(text);
    let found = everything(&model, "absolute");
    for k in 0..found.len() {
        for name in ["ground.coupler.centre.x", "crank.rocker.centre.y", "coupler.inflection.diameter"] {
            assert_eq!(column(&found, name)[k], f64::INFINITY, "{name}");
        }
        assert!((column(&found, "D.angle.ratio")[k] - 1.0).abs() < SOLVED);
        assert!((column(&found, "coupler.T.radius")[k] - 1.09f64.sqrt()).abs() < SOLVED);
    }
    let told = linkage(&model, None).unwrap();
    assert_eq!(told.class.map(|c| c.word()), Some("change-point"));
    assert!(told.text().contains("at infinity"), "{}", told.text());
}

/// Cardan: a rod whose ends go along two lines at right angles. Its pole goes round on a circle of its length, and in the rod on one of half
/// that size, which is the inflection circle too.
#[test]
fn a_trammel_rolls_on_cardans_circles() {
    let text = r#"
planar = true
bodies.rod = { points = { M = [1, 0], P = [0, 0], Q = [2, 0] } }
bodies.across = {}
bodies.up = {}
joints.h = { type = "prismatic", bodies = ["ground", "across"], at = [2, 0], axis = [1, 0] }
joints.v = { type = "prismatic", bodies = ["ground", "up"], at = [0, 0], axis = [0, 1] }
joints.Q = { type = "revolute", bodies = ["across", "rod"], at = [2, 0] }
joints.P = { type = "revolute", bodies = ["up", "rod"], at = [0, 0] }
drivers.turn = { joint = "Q", value = "0.2 + t" }
run = { end = "2*pi", steps = 48 }
"#;
    let found = everything(&parse(text), "absolute");
    let mut worst = 0.0f64;
    for k in 0..found.len() {
        let value = |name: &str| column(&found, name)[k];
        worst = worst.max((value("ground.rod.centre.x").hypot(value("ground.rod.centre.y")) - 2.0).abs());
        let (x, y) = (value("ground.rod.centre.local.x") - 1.0, value("ground.rod.centre.local.y"));
        worst = worst.max((x.hypot(y) - 1.0).abs());
        worst = worst.max((value("rod.inflection.diameter") - 2.0).abs());
        worst = worst.max(value("rod.inflection.x").hypot(value("rod.inflection.y")));
        worst = worst.max((value("rod.M.radius") - 1.0).abs());
        assert_eq!((value("rod.P.curvature"), value("rod.Q.radius")), (0.0, f64::INFINITY));
    }
    held(CLOSED, "pole curves and inflection circle of an elliptic trammel", SOLVED, worst, "");
}

#[test]
fn a_whitworth_quick_return_has_its_time_ratio() {
    let model = load("quick-return", &Options::default());
    let told = linkage(&model, Some(0.25)).unwrap();
    let ram = told.outputs.iter().find(|o| o.coordinate == "guide.slide").unwrap();
    // The lever lies along the ram's line where the crank's pin does: asin(e/r) beyond half a turn, and before.
    let beyond = 2.0 * (1.0f64 / 2.5).asin();
    let due = (PI + beyond) / (PI - beyond);
    held(CLOSED, "time ratio of Whitworth's quick return", 1e-8, (ram.quick_return.unwrap().ratio - due).abs(), "");
    // The lever goes round: no stroke, no time ratio.
    assert!(told.outputs.iter().find(|o| o.coordinate == "D.angle").unwrap().quick_return.is_none());
    // The block presses across the slot, which leads through the lever's pivot.
    let angle = |joint: &str| told.transmissions.iter().find(|t| t.joint == joint).map(|t| t.angle);
    assert!((angle("slot").unwrap() - FRAC_PI_2).abs() < 1e-9 && angle("F").is_some(), "{:?}", told.transmissions);
    assert!(told.transmissions.iter().all(|t| t.least <= t.angle + 1e-12 && t.least >= 0.0));
}

/// A crank shaper: the lever swings, and the time ratio is that of the angles on either side of the tangents.
#[test]
fn a_crank_shaper_has_its_time_ratio() {
    let text = r#"
planar = true
bodies.crank = { points = { P = [1, 3] } }
bodies.block = { pose = { at = [1, 3], angle = "atan2(3, 1)" } }
bodies.lever = { points = { E = [5, 0] }, pose = { angle = "atan2(3, 1)" } }
joints.O = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 3], [0, 3]] }
joints.P = { type = "revolute", bodies = ["crank", "block"], at = ["P", [0, 0]] }
joints.slot = { type = "prismatic", bodies = ["lever", "block"], at = [[0, 0], [0, 0]], axis = [[1, 0], [1, 0]] }
joints.D = { type = "revolute", bodies = ["ground", "lever"], at = [[0, 0], [0, 0]] }
drivers.motor = { joint = "O", value = "t" }
run = { end = "2*pi", steps = 90 }
"#;
    let told = linkage(&parse(text), None).unwrap();
    let lever = told.outputs.iter().find(|o| o.coordinate == "D.angle").and_then(|o| o.quick_return).unwrap();
    let half = (1.0f64 / 3.0).acos();
    held(CLOSED, "time ratio of a crank shaper", 1e-9, (lever.ratio - (PI - half) / half).abs(), "");
    assert!((lever.ends[1] - lever.ends[0] - 2.0 * (1.0f64 / 3.0).asin()).abs() < 1e-9);
}

/// The same four-bar in three ways: in a planar model, in space across z, and in space across y with its links behind one another.
#[test]
fn planes_in_space_are_found() {
    let due = linkage(&parse(&four_bar("0.3 + t", "")), Some(1.0)).unwrap();
    let (x, y): (f64, f64) = (1.5 + (12.25 - 9.0 + 6.25) / 5.0, (12.25 - 1.9f64 * 1.9).sqrt());
    assert!((x - 3.4).abs() < 1e-12);
    for upright in [false, true] {
        let at = |x: f64, y: f64, depth: f64| match upright {
            false => format!("[{x:?}, {y:?}, {depth:?}]"),
            true => format!("[{x:?}, {:?}, {y:?}]", -depth),
        };
        let axis = if upright { "[0, -1, 0]" } else { "[0, 0, 1]" };
        let text = format!(
            r#"
bodies.crank = {{ points = {{ B = {B} }} }}
bodies.coupler = {{ points = {{ T = {T}, C = {C} }} }}
bodies.rocker = {{ points = {{ C = {C} }} }}
joints.A = {{ type = "revolute", bodies = ["ground", "crank"], at = {A}, axis = {axis} }}
joints.B = {{ type = "cylindrical", bodies = ["crank", "coupler"], at = {B}, axis = {axis} }}
joints.C = {{ type = "spherical", bodies = ["coupler", "rocker"], at = {C} }}
joints.D = {{ type = "revolute", bodies = ["ground", "rocker"], at = {D}, axis = {axis} }}
drivers.motor = {{ joint = "A", value = "0.3 + t" }}
run = {{ end = "2*pi", steps = 90 }}
"#,
            A = at(0.0, 0.0, 0.0),
            B = at(1.5, 0.0, 0.2),
            C = at(x, y, 0.3),
            D = at(4.0, 0.0, 0.1),
            T = at(2.5, 3.5, 0.3),
        );
        let model = parse(&text);
        let normal = plane(&model).expect("a plane");
        assert!(normal.cross(if upright { Vec3::Y } else { Vec3::Z }).norm() < 1e-12);
        let told = linkage(&model, Some(1.0)).unwrap();
        assert_eq!(told.axes, if upright { ["x", "z"] } else { ["x", "y"] });
        assert!((told.transmissions[0].angle - due.transmissions[0].angle).abs() < SOLVED, "{:?}", told.transmissions);
        assert!((told.outputs[0].ratio - due.outputs[0].ratio).abs() < SOLVED);
        for (a, b) in told.centres.iter().zip(&due.centres) {
            assert!(length(sub(a.at, b.at)) < SOLVED, "{a:?} and {b:?}");
        }
        assert!((told.circles[0].diameter - due.circles[0].diameter).abs() < 1e-7);
        let radius = |l: &biela::solve::mechanism::Linkage| {
            l.points.iter().find(|p| p.name == "T").and_then(|p| p.curvature).map(f64::abs).unwrap()
        };
        assert!((radius(&told) - radius(&due)).abs() < 1e-7);
    }
    for name in ["slider-crank", "slider-crank-purged", "quick-return", "peaucellier", "watt-six-bar", "hoeken"] {
        assert!(plane(&load(name, &Options::default())).is_some(), "{name}");
    }
}

#[test]
fn mechanisms_in_space_say_so() {
    for name in ["rssr", "cccc", "delta-robot", "stewart-platform", "bennett", "spherical-four-bar"] {
        let model = load(name, &Options::default());
        assert!(plane(&model).is_none(), "{name}");
        let error: Error = linkage(&model, None).unwrap_err();
        assert!(error.message().contains("no planar linkage") && !error.notes().is_empty(), "{name}: {error}");
        let signals = Signals::of(&model);
        let of_planes =
            |s: &Signal| matches!(s.element, Element::Centre(_) | Element::Inflection(_) | Element::Transmission(_));
        assert!(!signals.on_request().iter().any(of_planes), "{name}");
    }
    // Paths bend in space too.
    let mut rssr = load("rssr", &Options::default());
    rssr.study.analysis = Analysis::Kinematics;
    let point = Signals::of(&rssr).on_request().iter().any(|s| s.leaf.word == "curvature");
    assert!(point);
    let undriven = parse(&four_bar("t", "")).released();
    assert!(linkage(&undriven, None).unwrap_err().message().contains("nothing drives"));
    assert!(linkage(&parse(&four_bar("t", "")), Some(9.0)).unwrap_err().message().contains("lies outside"));
}

/// Names are read as they are written, whichever model has them.
#[test]
fn every_name_is_read_back() {
    for name in ["four-bar", "quick-return", "rssr", "peaucellier", "planetary-gear", "delta-robot"] {
        let model = load(name, &Options::default());
        for signal in Signals::of(&model).all() {
            let written = signal.name(&model);
            assert_eq!(Signal::parse(&model, &written), Some(*signal), "{name}: {written}");
        }
    }
}

#[test]
fn signals_and_measures_are_made_of_them() {
    use biela::plan::{Measures, Wanted};
    use biela::signal::Choice;
    use biela::source::{Source, Span};
    let text = four_bar("0.3 + t", "signals.off = \"90 deg - C.transmission\"\nsignals.far = \"norm(ground.coupler.centre)\"\nsignals.bent = \"coupler.T.curvature * 1 m\"");
    let model = parse(&text);
    let found = run(&model, formulation_of(&model), METHODS[0], |_, _| true).unwrap();
    assert!(found.get("off").is_some_and(|c| c.unit == "rad") && found.get("bent").is_some_and(|c| c.unit == "1"));
    let span = |text: &str| Span::new(&Source::new("measure", text), 0..text.len());
    let wanted = |name: &str, text: &str| Wanted { name: name.into(), text: text.into(), span: Some(span(text)) };
    let mut choice = Choice::new(&model, &["off"]).unwrap();
    let measures =
        Measures::new(&model, Vec::new(), vec![wanted("worst", "min(C.transmission)")], &mut choice).unwrap();
    let narrow = model.with_study(choice.narrowed(&model.study));
    let results = run(&narrow, formulation_of(&model), METHODS[0], |_, _| true).unwrap();
    let worst = measures.of(&model, &results).unwrap()[0].value;
    // The angle is least where the crank lies along the ground line: folded over it, or stretched.
    let angle = |z: f64| ((3.5f64 * 3.5 + 9.0 - z * z) / 21.0).acos();
    let due = [angle(2.5), angle(5.5)].map(|mu| mu.min(PI - mu)).into_iter().fold(PI, f64::min);
    assert!(worst >= due && worst - due < 1e-3, "{worst} and {due}");
}
