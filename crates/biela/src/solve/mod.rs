//! Solvers, written once against any formulation.

pub mod assemble;
pub mod check;
pub mod follow;
pub mod ik;
pub mod impose;
pub mod kinematics;
pub mod mobility;
pub mod modes;
pub mod newton;
pub mod passage;
pub mod reach;
pub mod signals;
pub mod singularity;
pub mod verify;
