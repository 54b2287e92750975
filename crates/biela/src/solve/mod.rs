//! Solvers, written once against any formulation.

pub mod assemble;
pub mod check;
pub mod continuation;
pub mod convert;
pub mod equilibrium;
pub mod finite;
pub mod follow;
pub mod forces;
pub mod forward;
pub mod ik;
pub mod impose;
pub mod kinematics;
pub mod mobility;
pub mod modes;
pub mod newton;
pub mod outputs;
pub mod passage;
pub mod reach;
pub mod redundancy;
pub mod run;
pub mod signals;
pub mod singularity;
pub mod solvability;
pub mod suggest;
pub mod verify;
pub mod vibration;
