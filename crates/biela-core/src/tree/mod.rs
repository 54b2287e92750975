//! Trees of models: what turns a [`crate::model::Model`] into the flat arrays of the crate `biela-tree`, all of which is shown here
//! too.
//!
//! | file | idea |
//! |---|---|
//! | `rotors`, `followers`, `swapped`, `lines` | elements and joints that move with others: the tree with its couplings |
//! | `coupled_derivatives`, `parameters` | derivatives with them; derivatives by joint frames |
//! | `states`, `evaluate` | tables of states, quantities at them |

mod coupled_derivatives;
pub mod evaluate;
pub mod followers;
pub mod lines;
pub mod parameters;
mod partials;
pub mod rotors;
pub mod states;
mod swapped;

pub use biela_tree::*;
