//! Forces in a mechanism whose motion is known: loads, inertia, reactions, efforts of drivers.
//!
//! For every body the loads, the inertia forces and the constraint forces balance. The constraint forces are Σ −λ_i ∂Φ_i, one
//! multiplier for each constraint row; in the coordinates of a formulation the balance reads Φ_vᵀ λ = b, with b the generalised
//! forces of loads and inertia. Where redundant rows leave λ undetermined the shortest one is taken.

mod analysis;
mod applied;
mod bearing;
mod friction;
mod marks;
mod multipliers;
mod reactions;

pub use analysis::{ForceAnalysis, NOT_UNIQUE};
pub use applied::{kinetic_energy, potential_energy, spring_energy, Applied};
pub use bearing::Bearing;
pub use friction::{answer, hold_share, independent, is_contraction, settle_box, Answer, Presses, Rub, Rubbed, Rule};
pub use marks::Marks;
pub use multipliers::Multipliers;
pub use reactions::{Reactions, Shares};
