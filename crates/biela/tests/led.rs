//! Drivers that lead every joint of a tree: the motion between two samples is one step, however far its links turn. The same motion with samples so close that
//! every turn is seen as it passes is the independent answer.

use biela::error::Reason;
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run;
use biela::source::Source;
use biela::text::{Document, Options};
use std::fmt::Write;

/// Sums over sixty joints of angles and rates up to 500 rad and rad/s.
const ROUNDING: f64 = 1e-11;
/// Second rates are such sums of products of two rates, 2.5e5 rad/s², that cancel.
const CANCELLED: f64 = 1e-9;

/// Samples of the run that is to go in long steps.
const SAMPLES: usize = 5;

fn solved(text: &str, steps: usize) -> biela::error::Result<Results> {
    let document = Document::from_toml(&Source::new("led.toml", text.to_string()))?;
    let model = document.model(&Options { steps: Some(steps), ..Options::default() })?;
    run::run(&model, "relative", METHODS[0], |_, _| true)
}

/// A chain of joints of these types, in turn, with the law of each; every third joint names its bodies the other way round.
fn chain(head: &str, joints: &[&str], count: usize, law: impl Fn(usize) -> String) -> String {
    let mut text = format!("name = \"led\"\n{head}");
    let planar = head.contains("planar = true");
    let place = |x: f64| if planar { format!("[{x}, 0]") } else { format!("[{x}, 0, 0]") };
    for k in 0..count {
        let before = if k == 0 { "ground".to_string() } else { format!("l{}", k - 1) };
        let [mut bodies, mut at] = [[before, format!("l{k}")], [place(if k == 0 { 0.0 } else { 0.1 }), place(0.0)]];
        if k % 3 == 2 {
            bodies.reverse();
            at.reverse();
        }
        let _ = writeln!(
            text,
            "[bodies.l{k}]\npose = {{ at = {} }}\n[joints.j{k}]\nbodies = {bodies:?}\nat = [{}, {}]\n{}",
            place(0.1 * k as f64),
            at[0],
            at[1],
            joints[k % joints.len()]
        );
        let _ = writeln!(text, "[drivers.d{k}]\njoint = \"j{k}\"\nvalue = \"{}\"", law(k));
    }
    text + "[run]\nend = 1\n"
}

/// Largest difference of any column at the samples that both have, against its largest value or 1; and how many steps the long ones were.
fn compared(text: &str, close: usize) -> usize {
    let (long, short) = (solved(text, SAMPLES - 1).unwrap(), solved(text, (SAMPLES - 1) * close).unwrap());
    assert_eq!(long.columns.len(), short.columns.len());
    for (a, b) in long.columns.iter().zip(&short.columns).filter(|(a, _)| a.name != "residual") {
        let size = b.data.iter().fold(1.0f64, |most, x| most.max(x.abs()));
        for k in 0..SAMPLES {
            let off = (a.data[k] - b.data[k * close]).abs() / size;
            let most = if a.unit.ends_with("s^2") { CANCELLED } else { ROUNDING };
            assert!(off < most, "{} at sample {k}: {} against {}", a.name, a.data[k], b.data[k * close]);
        }
    }
    long.note("steps").unwrap().parse().unwrap()
}

const IN_SPACE: [&str; 4] = [
    "type = \"revolute\"\naxis = [0, 0, 1]",
    "type = \"revolute\"\naxis = [0, 1, 0]",
    "type = \"prismatic\"\naxis = [1, 0, 0]",
    "type = \"revolute\"\naxis = [0.6, -0.8, 0]",
];

#[test]
fn links_of_a_driven_chain_turn_as_often_in_one_step_as_in_thousands() {
    // The slides move by 0.3 m at most, the last link makes some hundred turns, joints up to twenty.
    let text =
        chain("", &IN_SPACE, 60, |k| if k % 4 == 2 { "0.005*t".into() } else { format!("{}*t", 0.5 + 0.3 * k as f64) });
    let steps = compared(&text, 1000);
    // One for the start.
    assert_eq!(steps, SAMPLES);
}

#[test]
fn angles_in_the_plane_count_their_turns_over_long_steps() {
    let joints = ["type = \"revolute\"", "type = \"revolute\"", "type = \"prismatic\"\naxis = [1, 0]"];
    let law = |k: usize| if k % 3 == 2 { "0.005*t".into() } else { format!("{}*t + 0.1*sin(t)", 0.5 - 0.3 * k as f64) };
    assert_eq!(compared(&chain("planar = true\n", &joints, 60, law), 1000), SAMPLES);
}

/// Where laws bend within a step, the usual steps are taken.
#[test]
fn laws_that_bend_are_followed_step_by_step() {
    let text = chain("", &IN_SPACE, 12, |k| if k % 4 == 2 { "0.005*t".into() } else { format!("9*sin({}*t)", k + 1) });
    assert!(compared(&text, 1000) > 10 * SAMPLES);
}

/// A jump of one joint does not pass for motion because others turn far.
#[test]
fn a_jump_is_no_long_step() {
    let law = |k: usize| match k {
        5 => "if(t < 0.6, 0, 0.4)".to_string(),
        _ if k % 4 == 2 => "0.005*t".into(),
        _ => format!("{}*t", 40 * k),
    };
    let error = solved(&chain("", &IN_SPACE, 12, law), SAMPLES - 1).unwrap_err();
    assert_eq!(error.reason(), Some(Reason::Jump), "{error}");
}
