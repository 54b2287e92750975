//! The Newton variants on the cases of the documents, from the documents' own start positions: corrections, evaluations of
//! the residuals and of the Jacobian, and time. Prints the table of docs/theory.md.

use biela::joints::{Marker, Measure, Row};
use biela::math::Vec3;
use biela::model::Model;
use biela::motion::Motion;
use biela::solve::newton::{Memory, Method, METHODS};
use biela::system::natural::Element;
use biela::system::{Constraints, Natural, System, Workspace};
use biela_benches::model;
use std::time::Instant;

/// Solves of which the least time is taken; slow methods are given fewer.
const ROUNDS: usize = 15;
const PATIENCE_S: f64 = 0.2;

/// A case: what it is, its system, and where it starts.
struct Case<'m> {
    name: &'static str,
    system: System<'m>,
    start: Vec<f64>,
    t: f64,
}

fn main() {
    let drawn = [
        ("slider-crank, 30 equations (000)", "thesis/slider-crank"),
        ("slider-crank, purged (000)", "thesis/slider-crank-purged"),
        ("arm 3R, tip driven (000)", "thesis/arm-3r"),
        ("Haug's slider-crank, 20° on (000)", "haug-slider-crank"),
        ("CCCC (002)", "cccc"),
        ("CSSP (002)", "cssp"),
        ("slider-crank (003)", "slider-crank-003"),
        ("spatial slider-crank (003)", "spatial-slider-crank-003"),
        ("two-link hand (003)", "two-link-hand"),
    ];
    let models: Vec<(&str, Model)> = drawn.iter().map(|(name, file)| (*name, model(file))).collect();
    let empty = empty();
    let mut cases = vec![Case {
        name: "four-bar, table 1 (003), natural",
        system: four_bar(&empty),
        start: vec![1.5, 1.0, 8.0, 4.0],
        t: 0.0,
    }];
    for (name, model) in &models {
        let system = System::new(model, "absolute").unwrap_or_else(|e| panic!("{e}"));
        let mut start = vec![0.0; system.formulation.nq()];
        system.formulation.coordinates(model.guess().poses(), &mut start);
        // Haug's is drawn exactly; from there it is led on by the eighteenth part of its turn at once.
        let t =
            model.study.start + if name.contains("20°") { (model.study.end - model.study.start) / 18.0 } else { 0.0 };
        cases.push(Case { name, system, start, t });
    }
    println!("| case | {} |", METHODS.iter().map(|m| format!("`{}`", m.keyword())).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "---|".repeat(METHODS.len()));
    for case in &cases {
        let cells: Vec<String> = METHODS.iter().map(|m| measure(case, *m)).collect();
        println!("| {} | {} |", case.name, cells.join(" | "));
    }
}

/// Corrections · residuals · Jacobians · microseconds of one solve, the least of several.
fn measure(case: &Case, method: &'static dyn Method) -> String {
    let system = &case.system;
    let mut least = f64::INFINITY;
    let mut cell = String::new();
    let begin = Instant::now();
    for _ in 0..ROUNDS {
        let mut ws = Workspace::new(system);
        system.constraints.choose_turns(case.t, &[], &mut ws.evaluation);
        let mut memory = Memory::new(system.formulation.nv());
        let mut q = case.start.clone();
        let start = Instant::now();
        let found = ws.newton(method, system, case.t, &mut q, &mut memory);
        least = least.min(start.elapsed().as_secs_f64());
        let counts = ws.evaluations;
        cell = match found {
            Ok(found) => format!(
                "{} · {} · {} · {} µs",
                found.iterations,
                counts.residuals,
                counts.jacobians,
                microseconds(least)
            ),
            Err(failure) => format!("not in {} ({:.0e})", failure.iterations, failure.residual),
        };
        if begin.elapsed().as_secs_f64() > PATIENCE_S {
            break;
        }
    }
    cell
}

fn microseconds(seconds: f64) -> String {
    let us = 1e6 * seconds;
    if us < 10.0 {
        format!("{us:.1}")
    } else {
        format!("{us:.0}")
    }
}

fn empty() -> Model {
    let mut model = model("four-bar").released();
    model.change_mechanism(|mechanism| {
        mechanism.joints.clear();
        mechanism.bodies.truncate(1);
    });
    model
}

/// The four-bar of the chapter's equations (3a) to (3d): points 1 and 2, with α = 60° given by x₁ = 2 cos α.
fn four_bar(model: &Model) -> System<'_> {
    let element = |x: f64, axes: &[Vec3]| Element {
        point: true,
        constant: Vec3::X * x,
        axes: axes.to_vec(),
        first: 0,
        seen: Vec::new(),
    };
    let plane = [Vec3::X, Vec3::Y];
    let elements = vec![element(0.0, &[]), element(10.0, &[]), element(0.0, &plane), element(0.0, &plane)];
    let own = |index: usize| Marker::Own { index };
    let length = |from: usize, to: usize, value: f64| {
        let measure = Measure::DistanceSquared { from: own(from), to: own(to) };
        Row { target: Motion::Constant(value), squared: true, ..Row::zero_length(measure, "rigid") }
    };
    let across = Measure::Along { a: Marker::Direction { body: 0, u_B: Vec3::X }, from: own(0), to: own(2) };
    let angle = Row { target: Motion::Constant(1.0), ..Row::zero_length(across, "rigid") };
    let rows = vec![length(0, 2, 2.0), length(2, 3, 8.0), length(1, 3, 5.0), angle];
    let formulation = Box::new(Natural::of_elements(elements, rows));
    let constraints = Constraints::new(model, &*formulation);
    System { model, formulation, constraints }
}
