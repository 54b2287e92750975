//! Faces of solids as pixels, and pixels as GIF packs them: what a film spends its time in, apart so that it is optimised alone.
//!
//! | file | idea |
//! |---|---|
//! | `faces` | triangles put together to convex faces |
//! | `painter` | faces drawn nearest first, lit and smoothed, with their shadows |
//! | `fine` | the fine pixels that it draws on |
//! | `cuts` | outlines as rows of these |
//! | `palette`, `lzw` | the few colours of a film; its pixels packed |

mod cuts;
mod faces;
mod fine;
pub mod lzw;
mod painter;
pub mod palette;

pub use faces::{faces, Face, Triangles};
pub use painter::{lights, Affine, Canvas, Facet, Painter, Pixels, View};
