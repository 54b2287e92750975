//! Solvers, written once against any formulation.

pub mod assemble;
pub mod check;
pub mod convert;
pub mod equilibrium;
pub mod finite;
pub mod follow;
pub mod forces;
pub mod forward;
pub mod impose;
pub mod kinematics;
pub mod mobility;
pub mod newton;
pub mod redundancy;
pub mod signals;
pub mod solvability;
pub mod suggest;
pub mod verify;
