//! Unilateral constraints ([`super::gaps`]): what is closed, what impacts do, who stays and who parts. One layer for hard stops of joints and for
//! contacts of bodies.
//!
//! What an effort does to the velocities is one more solution with the factors of the equations of motion ([`Dynamics::respond`](super::Dynamics)), in
//! any coordinates, with loops and redundant rows. All of that is in G = W M⁻¹ Wᵀ, the rates that unit efforts (or unit impulses) cause along all
//! directions.
//!
//! | file | what |
//! |---|---|
//! | `held` | within a leg: closed ones have g̈ = 0 by efforts found at every stage, and g = ġ = 0 by projection after every step |
//! | `compliance` | G, and what projections need of it |
//! | `impact` | velocities after impacts |
//! | `decide` | complementarity at accelerations: which stay closed, which part |
//! | `cone` | one contact that rubs, by itself |
//! | `rough` | the same with friction, and impacts with friction: which stick, slide or part |
//! | `routh` | one impact with friction, followed through compression and expansion |
//! | `share` | what contacts that stick bear together, where that is not unique |
//! | `stepping`, `crowd` | many contacts: impulses over fixed steps, of pairs that are near |
//! | `transition` | both at an event, with accumulation points |
//!
//! A run goes in legs ([`super::legs`]): each keeps its set of closed ones, and ends where a gap closes, an effort would pull, or a sliding one
//! stops (margins that [`super::events`] watches on bounds of the dense output, so that two crossings within a step are seen). At its end
//! `transition` strikes those that approach, then decides who stays.

mod compliance;
mod cone;
mod crowd;
mod decide;
mod held;
mod impact;
mod rough;
mod routh;
mod share;
mod stepping;
mod transition;

pub(super) use held::Held;
pub(super) use stepping::{is_crowded, Stepping, TimeStepping};
pub(super) use transition::{Setting, Told};

use super::gaps::{Unilateral, DIRECTIONS, SOURCES};
