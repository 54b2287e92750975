//! Readers and writers of model texts.
//!
//! A text becomes a [`tree`] of tables whose parts remember their places, and [`Document::model`] compiles the tree into a
//! [`biela_core::model::Model`]. TOML is written back from the tree, so expressions and parameters survive.

pub mod adams;
mod at;
mod bearers;
mod bodies;
mod builder;
mod cams;
mod colours;
mod columns;
mod context;
mod couplings;
pub mod dh;
pub mod document;
mod drive;
mod drivers;
pub mod edit;
mod events;
pub mod export;
mod files;
mod foreign;
mod frames;
pub mod imported;
mod joint_friction;
mod joints;
mod loads;
pub mod mesh;
mod mesh_files;
pub mod mjcf;
mod motions;
mod names;
mod nodes;
mod optimise;
mod order;
mod parameters;
mod parametric;
pub mod python_code;
mod reader;
mod repeat;
mod rotors;
mod run;
mod scalar;
pub mod sdf;
mod shapes;
mod shown_units;
mod signals;
mod sweep;
pub mod thesis;
pub mod toml;
pub mod tree;
pub mod urdf;
mod values;
mod vectors;
mod wheels;
pub mod words;
pub mod write_toml;

pub use builder::{BodyId, Builder, Element, JointId};
pub use context::Options;
pub use document::Document;
pub use files::read_text;
pub use imported::Imported;
pub use optimise::AskedGoal;
pub use parametric::Parametric;
pub use scalar::{Point, Scalar, Triple};
pub use sweep::Asked;
