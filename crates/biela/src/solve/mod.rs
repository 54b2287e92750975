//! Solvers, written once against any formulation.

pub mod assemble;
pub mod check;
pub mod convert;
pub mod follow;
pub mod forces;
pub mod forward;
pub mod impose;
pub mod kinematics;
pub mod mobility;
pub mod vibration;
pub mod newton;
pub mod signals;
pub mod verify;
