//! Solvers, written once against any formulation.
//!
//! From the ground up; each uses only those before it (`house` prints the arrows):
//!
//! | module | idea |
//! |---|---|
//! | [`newton`] | Newton and its relatives, one file each, registry `METHODS` |
//! | [`idle`], [`mobility`] | spins that nothing feels; ranks, drivers against freedoms |
//! | `joined`, [`redundancy`], [`solvability`], [`suggest`] | sets that grow together; groups of dependent rows; unique reactions; freer joints |
//! | [`loop_closure`], [`assemble`], [`impose`], [`convert`] | the dimension at fault; drawing to position; given values; a state in other coordinates |
//! | [`finite_mobility`] | freedoms that are motions |
//! | [`branch`] | what tells assembly modes apart: parts in closed form, signs of determinants |
//! | [`singularity`] | distance to singular positions, and their type |
//! | [`ik`], [`assembly_modes`], [`manual_pose`], [`loose_coordinates`] | inverse kinematics; every way to close; a position held by hand, and what is free to be |
//! | [`forces`] | loads, multipliers, reactions, what is unique |
//! | `quantities`, `made`, `derivation`, [`recorder`], `observer`, [`headline`], [`noise`], [`outcome`] | quantities of linkages; signals on request, and those made of others; state to columns; signals between samples; those to know first; what is rounding alone; samples up to where a run ended |
//! | [`motion`] | a driven motion: a stepper on one branch, with monitors |
//! | [`range`] | how far a driver can go, and what ends it; Grashof's classes |
//! | [`kinematics`], [`statics`], [`design_sensitivity`] | runs of prescribed motion; where loads balance; positions of neighbouring designs |
//! | [`forward`] | motion under forces: equations, integrators, open chains by tree algorithms, events, energy watch |
//! | [`vibration`], [`state_space`] | natural modes; deviations from a motion |
//! | [`run`], [`summary`] | any analysis, by one door; what a run tells, as data |
//! | [`mechanism`] | what the theory of machines reads off a planar linkage |
//! | [`check`], [`verify`] | the report; formulation against formulation |

pub mod assemble;
pub mod assembly_modes;
pub mod branch;
pub mod check;
pub mod convert;
mod derivation;
pub mod design_sensitivity;
pub mod finite_mobility;
pub mod forces;
pub mod forward;
pub mod headline;
pub mod idle;
pub mod ik;
pub mod impose;
mod joined;
mod joint_limits;
pub mod kinematics;
mod least_squares;
pub mod loop_closure;
pub mod loose_coordinates;
mod made;
pub mod manual_pose;
pub mod mechanism;
pub mod mobility;
pub mod motion;
pub mod newton;
pub mod noise;
mod observer;
pub mod outcome;
mod quantities;
pub mod range;
pub mod recorder;
pub mod redundancy;
pub mod run;
pub mod samples;
pub mod singularity;
pub mod solvability;
pub mod state_space;
pub mod statics;
pub mod suggest;
pub mod summary;
pub(crate) use crate::math::vectors;
pub mod verify;
pub mod vibration;
