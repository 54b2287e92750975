//! Kinematics of rigid-body mechanisms from a short text.
//!
//! ```text
//! text ──► Model ──► System (a formulation of it) ──► solvers ──► Results ──► table · plot · picture
//! ```
//! [`text`] reads a [`model::Model`]: bodies, joints, couplings, drivers. [`system::System`] puts it into coordinates;
//! [`solve`] assembles it and follows its motion; [`results::Results`] holds named columns with units.
//!
//! ```
//! use biela::{solve::kinematics, source::Source, text::{Document, Options}};
//!
//! let text = r#"
//!     bodies.crank  = { points = { B = ["100 mm", 0, 0] } }
//!     bodies.piston = { pose = { at = [0.4, 0, 0] } }
//!     joints.O     = { type = "revolute",  bodies = ["ground", "crank"],  at = [0, 0, 0], axis = "z" }
//!     joints.guide = { type = "prismatic", bodies = ["ground", "piston"], at = [0, 0, 0], axis = "x" }
//!     joints.rod   = { type = "distance",  bodies = ["crank", "piston"],  at = ["B", [0, 0, 0]], length = 0.3 }
//!     drivers.motor = { joint = "O", value = "2*pi*t" }
//! "#;
//! let model = Document::from_toml(&Source::new("crank.toml", text))?.model(&Options::default())?;
//! let results = kinematics::run(&model, "absolute", |_, _| true)?;
//! let x = results.get("piston.x").ok_or_else(|| biela::Error::new("no such signal"))?;
//! println!("{} runs from {:?} to {:?} {}", x.name, x.data[0], x.data[50], x.unit);
//! // Half a turn on, crank and rod lie folded: 0.3 m − 0.1 m.
//! assert!((x.data[50] - 0.2).abs() < 1e-12);
//! # Ok::<(), biela::Error>(())
//! ```

pub mod optimise;
#[cfg(all(feature = "pictures", feature = "plots"))]
pub mod report;
pub mod sweep;

pub use biela_base::{error, source, units, Error, Result};
pub use biela_core::{couplings, drivers, expr, joints, loads, model, motion, plan, solve, system};
pub use biela_math as math;
#[cfg(feature = "pictures")]
pub use biela_picture as picture;
pub use biela_results as results;
pub use biela_text as text;

/// Open chains and trees in joint coordinates: the crate `biela-tree`, trees of models, and operation counts.
pub mod tree {
    pub use biela_core::tree::*;
    pub use biela_counts::{self as counts, Count, Counted};
}
