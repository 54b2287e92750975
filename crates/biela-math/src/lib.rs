//! Small mathematics of the library's own: jets, vectors, rotations, poses, and the linear algebra of constraints.
//!
//! It knows nothing of mechanisms, and its results have the same bits on every processor.

pub mod dense;
pub mod eigen;
pub mod elementary;
pub mod functions;
pub mod homogeneous;
mod inertia;
pub mod interval;
pub mod jet;
pub mod ldl;
pub mod levenberg_marquardt;
mod mass;
mod number;
pub mod pose;
pub mod principal;
pub mod random;
pub mod rotation;
pub mod series;
pub mod slope;
pub mod sparse;
pub mod symmetric;
pub mod triple;
pub mod vec3;
pub mod vectors;

pub use functions::Elementary;
pub use inertia::Inertia;
pub use interval::Interval;
pub use jet::Jet;
pub use mass::MassProperties;
pub use number::{directions, horner, sines_cosines, whole, Lanes, Number};
pub use pose::Pose;
pub use rotation::{EulerParameters, Rotation};
pub use series::Series;
pub use slope::Slope;
pub use vec3::Vec3;
