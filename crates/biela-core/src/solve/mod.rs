//! Solvers that a run spends its time in, written once against any formulation. What is asked beyond a motion is `biela-analysis`.
//!
//! From the ground up; each uses only those before it (`house` prints the arrows):
//!
//! | module | idea |
//! |---|---|
//! | [`newton`] | Newton and its relatives, one file each, registry `METHODS` |
//! | [`idle`], [`mobility`] | spins that nothing feels; ranks, drivers against freedoms |
//! | [`loop_closure`], [`assemble`], [`impose`], [`convert`] | the dimension at fault; drawing to position; given values; a state in other coordinates |
//! | [`finite_mobility`] | freedoms that are motions |
//! | [`branch`] | what tells assembly modes apart: parts in closed form, signs of determinants |
//! | [`singularity`] | distance to singular positions, and their type |
//! | [`joint_limits`], [`priority`] | coordinates beyond their limits; rows of two ranks, the second met as well as the first allows |
//! | [`forces`] | loads, multipliers, reactions, what is unique, friction of joints |
//! | `quantities`, `made`, `derivation`, [`recorder`], `observer`, [`headline`], [`noise`], [`outcome`] | quantities of linkages; signals on request, and those made of others; state to columns; signals between samples; those to know first; what is rounding alone; samples up to where a run ended |
//! | [`motion`] | a driven motion: a stepper on one branch, with monitors |
//! | [`kinematics`], [`statics`], [`design_sensitivity`] | runs of prescribed motion; where loads balance; positions of neighbouring designs |
//! | `likeness`, `kept`, `load_laws` | what designs of a model have in common; columns that are kept of each; loads by numbers in lanes and by laws lane by lane |
//! | [`assur`] | linkages that close dyad by dyad, designs side by side |
//! | [`loops`] | loops of any kind in joint coordinates, designs side by side |
//! | [`designs`] | designs side by side, by whichever way there is |
//! | [`many`] | motions of many designs side by side |
//! | [`forward`] | motion under forces: equations, integrators, open chains by tree algorithms, events, energy watch |

pub mod assemble;
pub mod assur;
pub mod branch;
pub mod convert;
mod derivation;
pub mod design_sensitivity;
pub mod designs;
pub mod finite_mobility;
pub mod forces;
pub mod forward;
pub mod headline;
pub mod idle;
pub mod impose;
pub mod joint_limits;
mod kept;
pub mod kinematics;
mod least_squares;
mod likeness;
mod load_laws;
pub mod loop_closure;
pub mod loops;
mod made;
pub mod many;
pub mod mobility;
pub mod motion;
pub mod newton;
pub mod noise;
mod observer;
pub mod outcome;
pub mod priority;
mod quantities;
pub mod recorder;
pub mod samples;
pub mod singularity;
pub mod statics;
pub use crate::math::vectors;
