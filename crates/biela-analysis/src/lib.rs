//! What is asked of a mechanism beyond its motion, and the one door to every analysis. No run waits for what is here, so it is optimised
//! for size.
//!
//! From the ground up; each uses only those before it (`house` prints the arrows):
//!
//! | module | idea |
//! |---|---|
//! | [`redundancy`], [`solvability`], [`suggest`] | groups of dependent rows; unique reactions; freer joints |
//! | [`ik`], [`assembly_modes`], [`loose_coordinates`], [`manual_pose`] | inverse kinematics; every way to close; what is free to be held by hand, and a position so held |
//! | [`range`] | how far a driver can go, and what ends it; Grashof's classes |
//! | [`vibration`], [`state_space`] | natural modes; deviations from a motion |
//! | [`run`], [`summary`] | any analysis, by one door; what a run tells, as data |
//! | [`interference`] | how near bodies come to each other over a motion |
//! | [`mechanism`] | what the theory of machines reads off a planar linkage |
//! | [`synthesis`] | linkages through points and poses, or for functions: all of them |
//! | [`check`], [`verify`] | the report; formulation against formulation |

pub mod assembly_modes;
pub mod at_rest;
pub mod check;
pub mod ik;
pub mod interference;
pub mod loose_coordinates;
pub mod manual_pose;
pub mod mechanism;
pub mod range;
pub mod redundancy;
pub mod run;
pub mod solvability;
pub mod state_space;
pub mod suggest;
pub mod summary;
pub mod synthesis;
pub mod verify;
pub mod vibration;

// The crates below, by the names that modules here give them.
use biela_base::{display_units, error, signal_name, sorting, units, Error};
use biela_core::{couplings, drivers, expr, joints, linkage, model, motion, signal, solve, synthesis as task, system};
use biela_math as math;
use biela_results as results;
