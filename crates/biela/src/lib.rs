//! Kinematics and dynamics of rigid-body mechanisms, from a short text.
//!
//! ```text
//! text ──► Document ──► Model ──► run ──► Results ──► table · plot · picture
//! ```
//! Eleven types carry the work: [`Document`] and [`Options`] (a text and how it is read), [`Builder`] (the same by calls), [`Model`]
//! (a mechanism, what moves it, and the [`Study`](model::Study) with its [`Analysis`]), [`Results`] (named columns with units), [`Report`] (what [`check`] finds), [`Tree`] (an open
//! chain for the algorithms of robots), [`Sweep`](sweep::Sweep) and [`Optimisation`](optimise::Optimisation) (many designs, the best one), and
//! [`Error`] with its [`ErrorKind`].
//! What lies below them is in the modules of the same names as the chapters of the book.
//!
//! # A motion
//! ```
//! let text = r#"
//!     bodies.crank  = { points = { B = ["100 mm", 0, 0] } }
//!     bodies.piston = { pose = { at = [0.4, 0, 0] } }
//!     joints.O     = { type = "revolute",  bodies = ["ground", "crank"],  at = [0, 0, 0], axis = "z" }
//!     joints.guide = { type = "prismatic", bodies = ["ground", "piston"], at = [0, 0, 0], axis = "x" }
//!     joints.rod   = { type = "distance",  bodies = ["crank", "piston"],  at = ["B", [0, 0, 0]], length = 0.3 }
//!     drivers.motor = { joint = "O", value = "2*pi*t" }
//! "#;
//! let model = biela::model(text)?;
//! let results = biela::run(&model)?;
//! let x = results.get("piston.x").expect("a body has its place");
//! // Half a turn on, crank and rod lie folded: 0.3 m − 0.1 m.
//! assert!((x.data[50] - 0.2).abs() < 1e-12 && x.unit == "m");
//! # Ok::<(), biela::Error>(())
//! ```
//! # Without a text
//! [`Builder`] puts the same mechanisms together by calls; parameters are symbols, and [`text::Parametric`] binds them to other values in
//! microseconds.
//! ```
//! use biela::{joints::{DISTANCE, PRISMATIC, REVOLUTE}, text::{BodyId, Options, Parametric, Scalar}, Builder};
//!
//! let mut engine = Builder::new("engine");
//! let r = engine.parameter("r", 0.1);
//! let crank = engine.body("crank").point("B", (&r, 0, 0)).id();
//! let piston = engine.body("piston").at((4.0 * &r, 0, 0)).id();
//! let turn = engine.joint("O", REVOLUTE, [BodyId::GROUND, crank]).at_drawn([0, 0, 0]).axis([0, 0, 1]).id();
//! engine.joint("guide", PRISMATIC, [BodyId::GROUND, piston]).at_drawn([0, 0, 0]).axis([1, 0, 0]);
//! engine.joint("rod", DISTANCE, [crank, piston]).at("B", [0, 0, 0]).key("length", 3.0 * &r);
//! engine.drive("motor", turn, 3.141592653589793 * Scalar::time());
//!
//! let document = engine.document()?;
//! let mut engines = Parametric::new(&document, &Options::default(), ["r".to_string()]);
//! for r in [0.1, 0.15, 0.2] {
//!     let results = biela::run(engines.bind(&[r])?)?;
//!     // Half a turn on, crank and rod lie folded: three cranks less one.
//!     assert!((results.get("piston.x").unwrap().data[100] - 2.0 * r).abs() < 1e-12);
//! }
//! # Ok::<(), biela::Error>(())
//! ```
//! # Forces
//! A lever at rest: the pin carries the weight, the motor holds its moment.
//! ```
//! let text = r#"
//!     gravity = [0, -9.81, 0]
//!     bodies.lever = { mass = 2, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }
//!     joints.pin   = { type = "revolute", bodies = ["ground", "lever"], at = [0, 0, 0], axis = "z" }
//!     drivers.hold = { joint = "pin", value = 0 }
//!     run = { analysis = "inverse-dynamics", end = 1 }
//! "#;
//! let results = biela::run(&biela::model(text)?)?;
//! let at = |name| results.get(name).map(|c| c.data[0]);
//! assert!((at("pin.fy").unwrap() - 2.0 * 9.81).abs() < 1e-9);
//! assert!((at("hold.effort").unwrap() - 2.0 * 9.81 * 0.5).abs() < 1e-9);
//! # Ok::<(), biela::Error>(())
//! ```
//! # Motion under forces
//! The same lever let go, another case of one mechanism: it swings, and its energy stays.
//! ```
//! use biela::{model::Study, Analysis};
//!
//! # let text = r#"
//! #     gravity = [0, -9.81, 0]
//! #     bodies.lever = { mass = 2, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }
//! #     joints.pin   = { type = "revolute", bodies = ["ground", "lever"], at = [0, 0, 0], axis = "z" }
//! #     drivers.hold = { joint = "pin", value = 0 }
//! # "#;
//! let held = biela::model(text)?;
//! let free = held.released().with_study(Study { analysis: Analysis::Dynamics, end: 2.0, ..held.study.clone() });
//! let results = biela::run(&free)?;
//! let energy = results.get("energy.total").expect("dynamics tells energies");
//! assert!(energy.data.iter().all(|e| (e - energy.data[0]).abs() < 1e-6));
//! # Ok::<(), biela::Error>(())
//! ```
//! # What is wrong with it
//! ```
//! let report = biela::check(&biela::model(r#"
//!     bodies.door = {}
//!     joints.upper = { type = "revolute", bodies = ["ground", "door"], at = [0, 0, 1], axis = "z" }
//!     joints.lower = { type = "revolute", bodies = ["ground", "door"], at = [0, 0, 0], axis = "z" }
//! "#)?)?;
//! // Two hinges hold the door five times more than one would need.
//! assert_eq!((report.motion.mobility, report.motion.redundancies), (Some(1), 5));
//!
//! let error = biela::model("bodies.door = { mas = 3 }").unwrap_err();
//! assert_eq!(error.kind(), biela::ErrorKind::Input);
//! assert!(error.to_string().contains("did you mean 'mass'?"));
//! # Ok::<(), biela::Error>(())
//! ```
//! # Robots
//! Trees have the algorithms of robots; the crate `biela-tree` has them alone, from numbers.
//! ```
//! use biela::{tree::{aba::aba, rnea::rnea, Workspace}, Tree};
//!
//! let model = biela::model(r#"
//!     gravity = [0, 0, -9.81]
//!     bodies.arm  = { mass = 3, com = [0.2, 0, 0], inertia = [0.01, 0.05, 0.05] }
//!     bodies.fore = { mass = 1, com = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02], pose = { at = [0.4, 0, 0] } }
//!     joints.shoulder = { type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0], axis = "y" }
//!     joints.elbow    = { type = "revolute", bodies = ["arm", "fore"], at = [[0.4, 0, 0], [0, 0, 0]], axis = "y" }
//! "#)?;
//! let tree = Tree::new(&model)?;
//! let mut workspace = Workspace::new(&tree);
//! let (q, v, a) = ([0.3, -0.7], [1.0, 0.5], [2.0, -1.0]);
//! let (mut torques, mut back) = ([0.0; 2], [0.0; 2]);
//! rnea(&tree, &mut workspace, &q, &v, &a, &mut torques);
//! aba(&tree, &mut workspace, &q, &v, &torques, &mut back);
//! assert!(a.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-12));
//! # Ok::<(), biela::Error>(())
//! ```
//! # Files
//! [`Document::read`] reads a model file in any format, [`results::write`] writes results as CSV, JSON, NPZ or Parquet by the file's name.
//! The features `parquet`, `plots` and `pictures`, on by default, switch these outputs off; without `fonts` the program brings the typefaces.

pub mod generate;
pub mod optimise;
#[cfg(all(feature = "pictures", feature = "plots"))]
pub mod report;
pub mod robot;
pub mod sizing;
pub mod sweep;

pub use biela_base::error::ErrorKind;
pub use biela_base::{display_units, error, failure, signal_name, source, unit_product, units, Error, Result};
pub use biela_core::{
    blueprint, couplings, drivers, expr, joints, linkage, loads, model, motion, plan, signal, synthesis, system,
};
pub use biela_math as math;
#[cfg(feature = "pictures")]
pub use biela_picture as picture;
pub use biela_text as text;

/// Results: the crate `biela-results`, and diagrams of them, the crate `biela-plot`.
pub mod results {
    pub use biela_plot as plot;
    pub use biela_results::*;
}

/// Solvers: those that a run spends its time in, the module of the crate `biela-core`, and those of `biela-analysis`.
pub mod solve {
    pub use biela_analysis::*;
    pub use biela_core::solve::*;
}

/// Open chains and trees in joint coordinates: the crate `biela-tree`, trees of models, and operation counts.
pub mod tree {
    pub use biela_core::tree::*;
    pub use biela_trace::{self as counts, Count};
}

pub use model::{Analysis, Model};
pub use results::Results;
pub use solve::check::Report;
pub use text::{Builder, Document, Options};
pub use tree::Tree;

/// The mechanism that a text in TOML describes.
pub fn model(text: &str) -> Result<Model> {
    Document::from_toml(&source::Source::new("text", text))?.model(&Options::default())
}

/// Solves a mechanism by the analysis and the formulation that it asks for. [`solve::run::run`] takes a formulation, a method and
/// something that hears of progress besides.
pub fn run(model: &Model) -> Result<Results> {
    solve::run::run(model, solve::run::formulation_of(model), solve::newton::METHODS[0], |_, _| true)
}

/// Freedoms, redundant constraints, drivers: what a mechanism is.
pub fn check(model: &Model) -> Result<Report> {
    solve::check::check(model, solve::run::counted_in(model, None))
}
