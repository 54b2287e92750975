//! Code from models: straight-line programs of a tree's quantities, as C, Rust or CUDA.
//!
//! The algorithms run once on numbers that record what is done with them (`biela_trace`); constants of the model are folded in, so that what is
//! printed has neither loops nor tables and fewer operations than the general algorithms. Each module comes with a self-test whose figures are
//! those of the general algorithms at random states.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | what can be asked for, and a module of it |
//! | `recording` | the algorithms of a model's tree, recorded |
//! | `figures` | what the general algorithms give |

#![allow(non_snake_case)] // M, J as in the theory (docs/notation.md).

mod figures;
mod recording;

pub use biela_trace::print::{File, Language, Module, Precision, LANGUAGES};
pub use biela_trace::{Argument, Program};

use crate::error::{Error, Reason, Result};
use crate::model::{Model, GROUND};
use crate::tree::rotors::Coupled;
use biela_trace::print::{Function, Trial};
use biela_trace::Traced;
use recording::{Numbers, Recording};

/// A quantity of a tree that code can be made of.
pub struct Quantity {
    /// Its name.
    pub name: &'static str,
    /// One sentence for help and for the code.
    pub help: &'static str,
    /// Whether it depends on gravity.
    gravity: bool,
    /// What it takes: of q, v and what stands third as many as this has entries.
    takes: &'static [Input],
    /// Its results, with their sizes.
    gives: &'static [(&'static str, Size, &'static str)],
    record: fn(&Recording) -> Vec<Numbers>,
    figures: fn(&figures::State) -> Result<Vec<Vec<f64>>>,
}

/// What a quantity takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Positions,
    Velocities,
    Accelerations,
    Forces,
}

/// How many numbers a result has.
#[derive(Clone, Copy)]
enum Size {
    /// One for each velocity.
    Vector,
    /// Velocities by velocities, row by row.
    Square,
    /// Three rows of four for each body.
    Poses,
    /// Six rows for each body.
    Jacobians,
}

use Input::{Accelerations, Forces, Positions, Velocities};

/// Every quantity, in the order help lists them.
pub static QUANTITIES: &[Quantity] = &[
    Quantity {
        name: "rnea",
        help: "Inverse dynamics: forces of the motion q, v, a",
        gravity: true,
        takes: &[Positions, Velocities, Accelerations],
        gives: &[("tau", Size::Vector, "generalised forces")],
        record: |r| vec![r.forces(&r.v, &r.x)],
        figures: |s| Ok(vec![s.forces(&s.v, &s.x)]),
    },
    Quantity {
        name: "bias",
        help: "Bias: forces of the motion without acceleration",
        gravity: true,
        takes: &[Positions, Velocities],
        gives: &[("tau", Size::Vector, "generalised forces")],
        record: |r| vec![r.forces(&r.v, &[])],
        figures: |s| Ok(vec![s.forces(&s.v, &[])]),
    },
    Quantity {
        name: "gravity",
        help: "Forces that hold the tree at rest",
        gravity: true,
        takes: &[Positions],
        gives: &[("tau", Size::Vector, "generalised forces")],
        record: |r| vec![r.forces(&[], &[])],
        figures: |s| Ok(vec![s.forces(&[], &[])]),
    },
    Quantity {
        name: "crba",
        help: "Inertia matrix",
        gravity: false,
        takes: &[Positions],
        gives: &[("M", Size::Square, "row by row")],
        record: |r| vec![r.matrix()],
        figures: |s| Ok(vec![s.matrix()]),
    },
    Quantity {
        name: "minverse",
        help: "Inverse of the inertia matrix",
        gravity: false,
        takes: &[Positions],
        gives: &[("Minv", Size::Square, "row by row")],
        record: |r| vec![r.inverse()],
        figures: |s| Ok(vec![s.inverse()?]),
    },
    Quantity {
        name: "aba",
        help: "Forward dynamics: accelerations under forces",
        gravity: true,
        takes: &[Positions, Velocities, Forces],
        gives: &[("a", Size::Vector, "accelerations")],
        record: |r| vec![r.accelerations()],
        figures: |s| Ok(vec![s.accelerations()?]),
    },
    Quantity {
        name: "fk",
        help: "Poses of all bodies in the ground",
        gravity: false,
        takes: &[Positions],
        gives: &[(
            "X",
            Size::Poses,
            "for each body three rows: a row of its rotation matrix, then a coordinate of its origin",
        )],
        record: |r| vec![r.poses()],
        figures: |s| Ok(vec![s.poses()]),
    },
    Quantity {
        name: "jacobian",
        help: "Jacobians of all bodies' origins, in ground axes",
        gravity: false,
        takes: &[Positions],
        gives: &[("J", Size::Jacobians, "for each body three rows of velocity, then three of angular velocity")],
        record: |r| vec![r.jacobians()],
        figures: |s| Ok(vec![s.jacobians()]),
    },
    Quantity {
        name: "rnea_derivatives",
        help: "Partial derivatives of inverse dynamics; positions along velocity coordinates",
        gravity: true,
        takes: &[Positions, Velocities, Accelerations],
        gives: &[
            ("dq", Size::Square, "by positions, row by row"),
            ("dv", Size::Square, "by velocities, row by row"),
            ("da", Size::Square, "by accelerations, row by row: the inertia matrix"),
        ],
        record: |r| r.derivatives(&r.x).into(),
        figures: |s| Ok(s.derivatives()),
    },
    Quantity {
        name: "aba_derivatives",
        help: "Partial derivatives of forward dynamics; positions along velocity coordinates",
        gravity: true,
        takes: &[Positions, Velocities, Forces],
        gives: &[
            ("dq", Size::Square, "by positions, row by row"),
            ("dv", Size::Square, "by velocities, row by row"),
            ("dtau", Size::Square, "by forces, row by row: the inverse of the inertia matrix"),
        ],
        record: |r| r.forward_derivatives().into(),
        figures: |s| s.forward_derivatives(),
    },
];

/// Words that stand for several quantities.
pub static GROUPS: &[(&str, &[&str])] = &[("derivatives", &["rnea_derivatives", "aba_derivatives"])];

/// The quantities that words name.
pub fn quantities(words: &[&str]) -> Result<Vec<&'static Quantity>> {
    let mut list: Vec<&'static Quantity> = Vec::new();
    for word in words {
        let names: &[&str] = match GROUPS.iter().find(|(group, _)| group == word) {
            Some((_, names)) => names,
            None => std::slice::from_ref(word),
        };
        for name in names {
            let found = QUANTITIES.iter().find(|q| q.name == *name).ok_or_else(|| {
                let known = QUANTITIES.iter().map(|q| q.name).chain(GROUPS.iter().map(|g| g.0));
                Error::new(format!("'{name}' is no quantity that code is made of")).suggest(name, known)
            })?;
            if !list.iter().any(|q| std::ptr::eq(*q, found)) {
                list.push(found);
            }
        }
    }
    match list.is_empty() {
        true => Err(Error::new("no quantity is asked for").note("such as --quantity rnea,aba")),
        false => Ok(list),
    }
}

/// Most operations of one function: compilers take minutes for more.
const MOST_OPERATIONS: usize = 1_000_000;

/// Most velocities of a tree whose numbers grow with them, and with their square: what is recorded has at most ten times the operations that may be
/// printed, so that memory is bounded before they are counted.
const MOST_VELOCITIES: [usize; 2] = [10_000, 300];

/// States that a self-test tries.
const TRIALS: usize = 3;

/// A module of a model's quantities, as code of any language can be made of it; `name` stands before all names.
pub fn module(model: &Model, name: &str, quantities: &[&Quantity], precision: Precision) -> Result<Module> {
    let coupled = Coupled::with_followers(model)?;
    if coupled.nv == 0 {
        return Err(Error::new("nothing in the model moves, so there is nothing to make code of"));
    }
    if let Some(joint) = coupled.first_swapped() {
        return Err(Error::new("code is not made of joints that are written from the outer body inwards")
            .of(format!("joint '{joint}'"))
            .note("exchange its two bodies (and 'at'): the one nearer to the ground comes first"));
    }
    if let (None, Some(q)) = (model.gravity, quantities.iter().find(|q| q.gravity)) {
        return Err(Error::new(format!("'{}' depends on gravity, which the model does not state", q.name))
            .note("add gravity = [0, 0, -9.81] to the model, or --gravity 0,0,-9.81"));
    }
    let lines = coupled.lines()?;
    let mut functions = Vec::new();
    for quantity in quantities {
        let square = quantity.gives.iter().any(|(_, size, _)| matches!(size, Size::Square | Size::Jacobians));
        let most = MOST_VELOCITIES[usize::from(square)];
        if coupled.extended.nv > most {
            let words = format!(
                "'{}' of {} velocities is too large: code is made of {most} at most",
                quantity.name, coupled.extended.nv
            );
            return Err(Error::new(words).note("call the library for trees of this size, or ask for another quantity"));
        }
        let record = || {
            let recording = Recording::new(&coupled, &lines, model.bodies.len(), quantity.takes.len());
            (quantity.record)(&recording)
        };
        let (results, tape) = Traced::record(record);
        let places: Vec<u32> = results.iter().flatten().map(|number| number.place()).collect();
        let (inputs, outputs) = arguments(quantity, &coupled, model);
        let program = Program::new(&tape, inputs, outputs, &places);
        if program.undefined() {
            return Err(Error::new(format!(
                "'{}' is not determined: some motion moves nothing with mass or inertia",
                quantity.name
            ))
            .because(Reason::Massless)
            .note("give the last bodies of the tree mass and inertia"));
        }
        if program.operations.len() > MOST_OPERATIONS {
            let words = format!(
                "'{}' has {} operations; functions have {MOST_OPERATIONS} at most",
                quantity.name,
                program.operations.len()
            );
            return Err(Error::new(words).note("call the library for trees of this size, or ask for another quantity"));
        }
        let trials = (0..TRIALS).map(|k| trial(quantity, &coupled, model, k)).collect::<Result<_>>()?;
        functions.push(Function { name: quantity.name.into(), help: quantity.help.into(), program, trials });
    }
    Ok(Module { name: name.into(), about: about(model, &coupled), precision, functions })
}

/// What a module is, for its head.
fn about(model: &Model, coupled: &Coupled) -> Vec<String> {
    let tree = &coupled.extended;
    let mut lines = vec![
        format!("{}: code made by biela {} from its model.", model.name, env!("CARGO_PKG_VERSION")),
        "All numbers are SI, angles in radians.".into(),
    ];
    let names: Vec<String> = (0..coupled.nv).map(|k| tree.velocity_name(k)).collect();
    lines.push(format!("Velocities, accelerations and forces: {}.", names.join(", ")));
    if coupled.nq != coupled.nv {
        lines.push(format!(
            "There are {} positions: attitudes have four Euler parameters each, the real one first.",
            coupled.nq
        ));
    }
    let bodies: Vec<&str> = model.bodies[GROUND + 1..].iter().map(|b| b.name.as_str()).collect();
    lines.push(format!("Bodies: {}.", bodies.join(", ")));
    if let Some(g) = model.gravity {
        lines.push(format!("Gravity: {}, {}, {}.", g.x, g.y, g.z));
    }
    // What ends a comment in one of the languages does not end it here.
    lines
        .iter()
        .map(|line| {
            line.chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect::<String>()
                .replace("*/", "* /")
                .replace("/*", "/ *")
        })
        .collect()
}

fn arguments(quantity: &Quantity, coupled: &Coupled, model: &Model) -> (Vec<Argument>, Vec<Argument>) {
    let (nq, n, bodies) = (coupled.nq, coupled.nv, model.bodies.len() - 1);
    let input = |input: &Input| match input {
        Positions => Argument::new("q", nq, "positions"),
        Velocities => Argument::new("v", n, "velocities"),
        Accelerations => Argument::new("a", n, "accelerations"),
        Forces => Argument::new("tau", n, "generalised forces"),
    };
    let size = |size: Size| match size {
        Size::Vector => n,
        Size::Square => n * n,
        Size::Poses => 12 * bodies,
        Size::Jacobians => 6 * n * bodies,
    };
    let output = |&(name, of, help): &(&str, Size, &str)| Argument::new(name, size(of), help);
    (quantity.takes.iter().map(input).collect(), quantity.gives.iter().map(output).collect())
}

/// Figures of the general algorithms at a random state.
fn trial(quantity: &Quantity, coupled: &Coupled, model: &Model, number: usize) -> Result<Trial> {
    let state = figures::State::random(coupled, model.bodies.len(), number as u64);
    let given: [&[f64]; 3] = [&state.q, &state.v, &state.x];
    let inputs = given[..quantity.takes.len()].concat();
    Ok(Trial { inputs, outputs: (quantity.figures)(&state)?.concat() })
}
