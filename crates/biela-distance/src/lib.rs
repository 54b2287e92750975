//! Distances between shapes of bodies: how far they are apart, where they are nearest, and along which normal.
//!
//! A [`Form`] is a solid or, in a plane, what a curve encloses; [`Placed`] puts it into a body's frame. Almost every distance is one of a ball
//! (a point with a radius) from a form, which is found in closed form: gap = distance of the ball's middle from the form, less its radius.
//! A [`Pair`] knows which balls, rims, corners and curves of one form may touch the other: each is a [`Source`], whose gap is a continuous function
//! of the two poses, positive apart and negative by the depth of an overlap. Only two convex solids with edges need a search
//! (Gilbert, Johnson and Keerthi's, and the expanding polytope where they overlap). Curves are met where the derivative of the
//! distance along them vanishes, bisected down to rounding.
//!
//! | file | idea |
//! |---|---|
//! | `form` | forms, and where they stand in their body |
//! | `foot` | how far a point is from a form in space |
//! | `chain` | the same in a plane, for polygons, arcs and splines |
//! | `convex` | two convex solids apart |
//! | `overlap` | two convex solids that overlap |
//! | `pair` | two forms: what of them may touch, and how far it is from that |
//! | `seat` | a corner that bears on a flat side, up to the ends of that |
//! | `change` | how that changes: first and second rate |
//!
//! Every number has the same bits on every processor.

#![allow(non_snake_case)] // X_BS, p_B: a shape's frame, a point in its body's frame (docs/notation.md).

mod chain;
mod change;
mod convex;
mod foot;
mod form;
mod overlap;
mod pair;
mod seat;

pub use chain::{Chain, Hermite, Piece};
pub use change::{Change, Moving};
pub use foot::{Core, Ends, Foot};
pub use form::{Form, Placed};
pub use pair::{Pair, Source, Touch, Unmatched};
pub use seat::Seat;
