//! Assembly modes against closed forms and the figures of the sources.

mod common;

use biela::solve::assembly_modes::{self, Modes};
use biela::text::Options;
use common::cases::*;

/// Closed forms and reference figures against positions solved to 1e-12.
const AGREE: f64 = 1e-9;

fn all(name: &str) -> Modes {
    assembly_modes::all(&load(name, &Options::default()), 0.0).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn values(found: &Modes, name: &str) -> Vec<f64> {
    let k = found.names.iter().position(|n| n.0 == name).unwrap_or_else(|| panic!("no {name}"));
    found.modes.iter().map(|m| m.coordinates[k]).collect()
}

#[test]
fn the_four_bar_has_the_two_of_the_circles() {
    let found = all("four-bar");
    assert!(found.complete && found.modes.len() == 2, "{}", found.proof);
    // Circles of 8 about the crank's pin and of 5 about (10, 0).
    let (px, py) = (2.0 * 60f64.to_radians().cos(), 2.0 * 60f64.to_radians().sin());
    let d = (10.0 - px).hypot(py);
    let along = (d * d + 64.0 - 25.0) / (2.0 * d);
    let h = (64.0 - along * along).sqrt();
    let (ex, ey) = ((10.0 - px) / d, -py / d);
    for sign in [1.0, -1.0] {
        let (x, y) = (px + along * ex - sign * h * ey, py + along * ey + sign * h * ex);
        let angle = y.atan2(x - 10.0);
        let near = values(&found, "B.angle").iter().map(|a| (a - angle).sin().abs()).fold(1.0f64, f64::min);
        assert!(near < AGREE, "{angle}: {near:e}");
    }
    let signs: Vec<&str> = found.modes.iter().map(|m| m.identity.as_str()).collect();
    assert!(signs.contains(&"P1-P2-B +") && signs.contains(&"P1-P2-B -"), "{signs:?}");
}

#[test]
fn second_modes_of_the_spatial_linkages() {
    const INCH: f64 = 0.0254;
    let cccc = all("cccc");
    assert!(cccc.complete && cccc.modes.len() == 2, "{}", cccc.proof);
    // Slides of the two modes differ in sign alone (reference: second assembly mode at 0 deg).
    let slides: Vec<f64> = cccc
        .names
        .iter()
        .enumerate()
        .filter(|(_, n)| n.1 == "m")
        .map(|(k, _)| k)
        .map(|k| cccc.modes[1].coordinates[k].abs())
        .collect();
    for z in [0.11508137008713966, 0.20982883777651454, 2.693007787933551] {
        let near = slides.iter().map(|s| (s - z * INCH).abs()).fold(1.0f64, f64::min);
        assert!(near < AGREE, "{z}: {near:e}");
    }
    let cssp = all("cssp");
    assert!(cssp.complete && cssp.modes.len() == 2, "{}", cssp.proof);
    let slide = values(&cssp, "guide.slide");
    let near = slide.iter().map(|s| (s.abs() - 5.854024256868091 * INCH).abs()).fold(1.0f64, f64::min);
    assert!(near < AGREE, "{slide:?}");
}

#[test]
fn lists_say_whether_they_are_proven() {
    for (name, count) in
        [("rssr", 2), ("spherical-four-bar", 2), ("slider-crank", 2), ("stephenson-six-bar", 4), ("quick-return", 4)]
    {
        let found = all(name);
        assert!(found.complete && found.proof.starts_with("complete"), "{name}: {}", found.proof);
        assert_eq!(found.modes.len(), count, "{name}");
        let mut identities: Vec<&String> = found.modes.iter().map(|m| &m.identity).collect();
        identities.sort();
        identities.dedup();
        assert_eq!(identities.len(), count, "{name}: identities repeat: {identities:?}");
    }
    let cam = all("cam");
    assert!(!cam.complete && cam.proof.contains("not proven complete"), "{}", cam.proof);
}

#[test]
fn undriven_freedoms_are_named() {
    let model = load("four-bar", &Options::default()).released();
    let message = assembly_modes::all(&model, 0.0).unwrap_err().to_string();
    assert!(message.contains("no driver") && message.contains("A.angle"), "{message}");
}

#[test]
fn legs_turned_over_are_no_modes_of_their_own() {
    let found = all("stewart-platform");
    assert!(found.proof.contains("turned over"), "{}", found.proof);
    // No two have their platform in one place: turning a leg over leaves it where it is.
    let place = |m: &assembly_modes::Mode| m.poses[1];
    for (k, a) in found.modes.iter().enumerate() {
        for b in &found.modes[..k] {
            let (a, b) = (place(a), place(b));
            let turn = a.rotation.axes.iter().zip(&b.rotation.axes).map(|(x, y)| (*x - *y).norm()).fold(0.0, f64::max);
            assert!((a.origin - b.origin).norm() > 1e-6 || turn > 1e-6, "a platform in one place twice");
        }
    }
    assert!(found.modes.len() < 41, "a platform has at most 40 places [Raghavan 1993]: {}", found.modes.len());
}

#[test]
fn every_analysis_carries_the_mode() {
    use biela::model::Analysis;
    use biela::solve::{forward, kinematics};
    for (drawn, due) in [("22 deg", 0.0), ("-45 deg", 1.0)] {
        let mut model = altered(
            "four-bar",
            &[
                ("at = [1, 1.7, 0], angle = \"22 deg\"", &format!("at = [1, 1.7, 0], angle = \"{drawn}\"")),
                ("angle = \"108 deg\"", if due > 0.0 { "angle = \"-130 deg\"" } else { "angle = \"108 deg\"" }),
            ],
        );
        for analysis in [Analysis::Kinematics, Analysis::InverseDynamics, Analysis::Statics, Analysis::Dynamics] {
            model.study.analysis = analysis;
            model.study.end = 0.05;
            let mut found = vec![match analysis {
                Analysis::Dynamics => forward::run(&model, "absolute", |_, _| true).unwrap(),
                _ => kinematics::run(&model, "absolute", |_, _| true).unwrap(),
            }];
            if analysis == Analysis::Dynamics {
                // Coasting without any driver: the crank takes its place.
                found.push(forward::run(&model.released(), "relative", |_, _| true).unwrap());
            }
            for results in found {
                assert!(column(&results, "mode").iter().all(|m| *m == due), "{analysis:?}");
            }
        }
    }
}

/// The model drawn another way: all bodies where another configuration has them, and a little off.
fn redrawn(model: &biela::model::Model, poses: &[biela::math::Pose]) -> biela::model::Model {
    use biela::math::{Pose, Rotation, Vec3};
    let off = Pose::new(Rotation::about(Vec3::Z, 0.02), Vec3::new(0.01, -0.02, 0.0));
    model.with_guess(&poses.iter().map(|p| *p * off).collect::<Vec<_>>())
}

#[test]
fn numbers_depend_neither_on_the_drawing_nor_on_where_a_search_began() {
    for name in ["four-bar", "slider-crank", "stephenson-six-bar", "quick-return", "rssr", "cccc"] {
        let model = load(name, &Options::default());
        let found = all(name);
        assert!(found.numbered);
        for mode in &found.modes {
            let again = assembly_modes::all(&redrawn(&model, &mode.poses), 0.0).expect("the same");
            assert_eq!(again.modes.len(), found.modes.len(), "{name}");
            for (a, b) in again.modes.iter().zip(&found.modes) {
                let off =
                    a.coordinates.iter().zip(&b.coordinates).map(|(x, y)| (x - y).sin().abs()).fold(0.0, f64::max);
                assert!(off < 1e-6, "{name}: {:?} {:?}", a.coordinates, b.coordinates);
            }
        }
    }
}

/// A mode that is chosen is where every command starts: the run's first sample and the assembled position have its coordinates.
#[test]
fn a_chosen_mode_is_where_everything_starts() {
    use biela::solve::{manual_pose, range::range};
    for name in ["four-bar", "slider-crank", "stephenson-six-bar"] {
        let found = all(name);
        let mut columns = Vec::new();
        for (k, mode) in found.modes.iter().enumerate() {
            let model = load(name, &Options { mode: Some(k + 1), ..Options::default() });
            let results = biela::run(&model).unwrap_or_else(|e| panic!("{name}: {e}"));
            let assembled = manual_pose::assembled(&model, 0.0).expect("a position");
            let drawn = assembly_modes::drawn(&model, 0.0).expect("a position");
            for ((coordinate, _), x) in found.names.iter().zip(&mode.coordinates) {
                let there = assembled.coordinates.iter().find(|c| c.0 == *coordinate).expect("a coordinate").1;
                let first = column(&results, coordinate)[0];
                assert!((first - x).sin().abs() < AGREE && (there - x).sin().abs() < AGREE, "{name}: {coordinate}");
            }
            assert!(drawn.modes[0].identity == mode.identity && !drawn.numbered);
            assert_eq!(column(&results, "mode")[0], mode.number, "{name}");
            columns.push(column(&results, "mode")[0]);
            range(&model, None).expect("a range");
        }
        columns.sort_by(f64::total_cmp);
        columns.dedup();
        assert_eq!(columns.len(), found.modes.len(), "{name}: each has its own");
        let none = load(name, &Options { mode: Some(found.modes.len() + 1), ..Options::default() });
        let told = biela::run(&none).unwrap_err().to_string();
        assert!(told.contains("is asked for") && told.contains("assemble FILE --all"), "{told}");
    }
}

#[test]
fn what_programs_hear_has_the_numbers_of_the_table() {
    let four = all("four-bar").json();
    assert_eq!(
        (four["complete"].as_bool(), four["real"].as_u64(), four["complex"].as_u64()),
        (Some(true), Some(2), Some(2))
    );
    let found = all("four-bar");
    for (k, mode) in four["modes"].as_array().unwrap().iter().enumerate() {
        assert_eq!(mode["number"], k + 1);
        let line = format!("mode {}: {}", k + 1, mode["identity"].as_str().unwrap());
        let text = found.text(&biela::display_units::DisplayUnits::default());
        assert!(text.contains(&line), "{line}: {text}");
    }
    let open = all("cam").json();
    assert!(open["complete"] == false && open["complex"].is_null() && open["real"].as_u64().unwrap() > 0);
}
