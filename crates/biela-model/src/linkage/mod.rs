//! Linkages as the theory of machines reads them: the plane they move in, pairs of their links, and where one link passes its force on.
//!
//! All of it follows from joints and drivers alone, before anything is assembled; values of signals at a position are for `solve::quantities`.
//!
//! | file | idea |
//! |---|---|
//! | `plane` | whether everything moves in parallel planes |
//! | `centre` | instant centres |
//! | `pair` | two links and what lies between them |
//! | `transmission` | where a link passes its force on to one that the ground holds |

mod centre;
mod pair;
mod plane;
mod transmission;

pub use centre::{centre, Moving, FAR, NOWHERE, STILL};
pub use pair::{pair, pairs, tie, Pair, Tie, Ties};
pub use plane::{not_planar, plane};
pub use transmission::{transmission, transmissions, Force, Hold, Pin, Transmission};

use crate::couplings::CoordinateRef;
use crate::drivers::Target;
use crate::model::Model;

/// The coordinate that moves the mechanism: that of its only driver.
pub fn input(model: &Model) -> Option<CoordinateRef> {
    match &model.drivers[..] {
        [only] => match &only.target {
            Target::Coordinate { of, .. } => Some(*of),
            _ => None,
        },
        _ => None,
    }
}
