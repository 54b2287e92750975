//! Forces in a mechanism whose motion is known: loads, inertia, reactions, efforts of drivers.
//!
//! For every body the loads, the inertia forces and the constraint forces balance. The constraint forces are Σ −λ_i ∂Φ_i, one
//! multiplier for each constraint row; in the coordinates of a formulation the balance reads Φ_vᵀ λ = b, with b the generalised
//! forces of loads and inertia. Where redundant rows leave λ undetermined the shortest one is taken.

mod analysis;
mod applied;
mod bearing;
pub mod contact;
mod friction;
mod marks;
mod multipliers;
mod reactions;

pub use analysis::{ForceAnalysis, NOT_UNIQUE};
pub use applied::{kinetic_energy, potential_energy, spring_energy, wrenches_along, Applied, Touching};
pub use bearing::{solve_borne, Bearing};
pub use friction::{
    answer, eliminate, hold_share, independent, is_contraction, settle, settle_box, Answer, Disc, Presses, Rub, Rubbed,
    Rule,
};
pub use marks::Marks;
pub use multipliers::Multipliers;
pub use reactions::{Reactions, Shares};
