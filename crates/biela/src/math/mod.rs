//! Small mathematics of the library's own: jets, vectors, rotations, poses, and the linear algebra of constraints.

pub mod elementary;
pub mod jet;

pub use jet::Jet;
