//! Loads that the library does not have, registered by a program, against closed forms.

mod common;
mod own;

use biela::loads::{self, LoadKind};
use biela::model::{Analysis, Model};
use biela::picture::{scene, Animation};
use biela::solve::kinematics;
use common::forward::{dynamics, run, FORMULATIONS};
use common::{column, difference};
use own::drag::Drag;

/// Roundings of a few dozen operations on numbers of order one.
const ROUNDING: f64 = 1e-12;
/// Tolerance 1e-10 of the integration, and its steps.
const INTEGRATED: f64 = 1e-8;

fn parse(text: &str) -> Model {
    own::registered();
    common::parse(text)
}

/// A sledge on a level guide.
const SLEDGE: &str = r#"
    gravity = [0, 0, -9.81]
    bodies.sledge = { mass = 3, inertia = [0.1, 0.1, 0.1] }
    joints.guide = { type = "prismatic", bodies = ["ground", "sledge"], at = [[0, 0, 0], [0, 0, 0]], axis = [[1, 0, 0], [1, 0, 0]] }
"#;

#[test]
fn a_registered_load_is_known_by_its_word_and_taken_words_are_refused() {
    own::registered();
    assert_eq!(loads::all().len(), loads::LOADS.len() + 2);
    for taken in [&Drag as &'static dyn LoadKind, loads::LOADS[0]] {
        let error = loads::register(taken).expect_err("a taken keyword").to_string();
        assert!(error.contains(taken.keyword()), "{error}");
    }
    let text = format!("{SLEDGE}[forces.air]\ntype = \"drag\"\njoint = \"guide\"\ncoefficient = -2\n");
    let document = biela::text::Document::from_toml(&biela::source::Source::new("test.toml", text.as_str()));
    let error = document.and_then(|d| d.model(&biela::text::Options::default())).expect_err("a wrong sign").to_string();
    assert!(error.contains("drag cannot push; 'coefficient' is -2"), "{error}");
}

/// m v̇ = −c v |v|: v = v₀ / (1 + c v₀ t / m), x = (m / c) ln(1 + c v₀ t / m). A coefficient that changes with time makes it ∫ c dt.
#[test]
fn a_sledge_is_slowed_by_the_square_of_its_speed() {
    let (mass, start) = (3.0, 4.0);
    for (coefficient, integral) in [("0.5", [0.5, 0.0]), ("0.5 kg/m + 0.1 kg/m/s*t", [0.5, 0.05])] {
        let text = format!(
            "{SLEDGE}[forces.air]\ntype = \"drag\"\njoint = \"guide\"\ncoefficient = \"{coefficient}\"\n[initial]\n\"guide.slide.rate\" = {start}\n{}",
            dynamics(5.0, 25, 1e-10)
        );
        parse(&text);
        for formulation in FORMULATIONS {
            let results = run(&text, formulation);
            let due: Vec<f64> = (column(&results, "t").iter())
                .map(|t| start / (1.0 + start / mass * (integral[0] * t + integral[1] * t * t)))
                .collect();
            let off = difference(column(&results, "guide.slide.rate"), &due);
            assert!(off < INTEGRATED, "{coefficient}, {formulation}: off by {off:e}");
        }
    }
}

/// A lift hangs on a spring that pulls as strongly everywhere: the driver holds the rest of its weight, wherever it stands.
#[test]
fn a_spring_of_constant_force_holds_a_lift_anywhere() {
    let mut model = parse(
        r#"
        gravity = [0, 0, -9.81]
        bodies.lift = { mass = 3, inertia = [0.1, 0.1, 0.1] }
        joints.guide = { type = "prismatic", bodies = ["ground", "lift"], at = [[0, 0, 0], [0, 0, 0]], axis = [[0, 0, 1], [0, 0, 1]] }
        drivers.hand = { joint = "guide", value = "0.3*t" }
        [forces.rope]
        type = "constant-spring"
        bodies = ["ground", "lift"]
        at = [[0, 0, 2], [0, 0, 0]]
        pull = "20 N"
        [run]
        end = 3
        steps = 12
    "#,
    );
    for analysis in [Analysis::Statics, Analysis::InverseDynamics] {
        model.study.analysis = analysis;
        for formulation in ["absolute", "relative"] {
            let results = kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{e}"));
            let due = vec![3.0 * 9.81 - 20.0; results.len()];
            assert!(difference(column(&results, "hand.effort"), &due) < ROUNDING, "{formulation}");
            let motion = Animation::new(&model, &results).expect("a motion");
            let strut = |s: &biela::picture::scene::Strut| s.name == "rope";
            assert!(scene(&model, &motion).expect("a scene").struts.iter().any(strut), "the picture shows it");
        }
    }
}
