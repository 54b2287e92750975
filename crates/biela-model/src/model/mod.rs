//! A model in three nouns: the mechanism, what is asked of it, where to begin. Validated, every number evaluated.
//!
//! | noun | what it says |
//! |---|---|
//! | [`Mechanism`] | what is there: bodies, joints, couplings, rotors, loads, gravity |
//! | [`Study`] | what is asked: analysis, times, formulation, method, policies, what is recorded |
//! | [`Guess`] | from which poses an assembly starts |
//!
//! A [`Model`] is one case of them, with the drivers that move it. Cases of one mechanism share it.

mod case;
mod contact;
mod forms;
pub mod graph;
mod guess;
mod mechanism;
mod mesh;
mod reference;
mod shape;
mod study;
mod touching;
mod tree;

pub use crate::joints::Space;
pub use crate::math::{principal, Inertia, MassProperties};
pub use case::Model;
pub use contact::{Compliance, Contact, Touching};
pub use forms::{form, Unfit};
pub use guess::Guess;
pub use mechanism::{Body, Mechanism, Reference, Rotor, GROUND};
pub use mesh::Mesh;
pub use shape::{area as polygon_area, Curve, Shape, Solid};
pub use study::{Analysis, Derived, Event, Integration, Reduction, Singular, Study};
