//! `[run]` without `end`: one turn of a driver that turns steadily, else one sample.

mod common;

use biela::model::Model;
use biela::source::Source;
use biela::text::{Document, Options};
use common::{column, parse};
use std::f64::consts::TAU;

fn text(drive: &str, run: &str) -> String {
    format!(
        r#"
[parameters]
speed = 4
[bodies.arm]
[joints.O]
type = "revolute"
bodies = ["ground", "arm"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[bodies.cart]
[joints.rail]
type = "prismatic"
bodies = ["arm", "cart"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [1, 0, 0]
[drivers]
{drive}
[run]
{run}
"#
    )
}

fn span(model: &Model) -> (f64, f64, usize) {
    (model.study.start, model.study.end, model.study.steps)
}

#[test]
fn a_steady_driver_makes_one_turn() {
    let slide = "slide = { joint = \"rail\", value = \"3*t\" }";
    let steady = format!("motor = {{ joint = \"O\", value = \"0.5 - speed*t\" }}\n{slide}");
    let model = parse(&text(&steady, ""));
    assert_eq!(span(&model), (0.0, TAU / 4.0, 100));
    let results = biela::run(&model).expect("a run");
    let angle = column(&results, "O.angle");
    assert!((angle[0] - angle[100] - TAU).abs() < 1e-12 && results.len() == 101);
    assert_eq!(span(&parse(&text(&steady, "start = 2\nsteps = 8"))), (2.0, 2.0 + TAU / 4.0, 8));
    // What is said goes before it, and one position has no duration.
    assert_eq!(span(&parse(&text(&steady, "end = 3"))).1, 3.0);
    assert_eq!(span(&parse(&text(&steady, "analysis = \"statics\""))), (0.0, 0.0, 1));
    // Other values of parameters: read anew, and bound without reading.
    let document = Document::from_toml(&Source::new("a.toml", text(&steady, ""))).expect("a text");
    let set = Options { values: vec![("speed".into(), 8.0)], ..Options::default() };
    assert_eq!(span(&document.model(&set).expect("a model")), (0.0, TAU / 8.0, 100));
    let (blueprint, mut model, _) = document.draw(&Options::default()).expect("a model");
    let place = blueprint.parameters.place("speed").expect("a parameter");
    blueprint.bind(&[(place, 8.0)], &mut Vec::new(), &mut model).expect("bound");
    assert_eq!(span(&model), (0.0, TAU / 8.0, 100));
}

#[test]
fn anything_else_is_one_sample_at_the_start() {
    for (motor, slide) in [("0.3", "3*t"), ("sin(t)", "0"), ("t^2", "0"), ("if(t < 1, t, 1)", "0")] {
        let drive = format!(
            "motor = {{ joint = \"O\", value = \"{motor}\" }}\nslide = {{ joint = \"rail\", value = \"{slide}\" }}"
        );
        let model = parse(&text(&drive, "start = 0.5"));
        assert_eq!(span(&model), (0.5, 0.5, 1), "{motor}");
        assert_eq!(biela::run(&model).expect("a sample").len(), 1);
    }
}
