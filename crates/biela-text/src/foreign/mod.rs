//! The door for files that other programs wrote: read as they stand, every doubtful thing told once.
//!
//! [`xml`] parses and reads elements with their places, in bounded depth, size and entities; [`Told`] gathers what is doubtful
//! and, where reading is strict, makes an error of it; [`Search`] finds files that it names. A reader of a format asks of an element what it knows, and
//! [`xml::Reader::allow`] tells the rest.

mod dust;
pub(crate) mod element;
mod mass;
mod mesh;
mod planar;
mod solid;
mod told;
pub(crate) mod xml;

pub(crate) use crate::paths::{Found, Search};
pub(crate) use dust::swept;
pub(crate) use element::{Element, Folder};
pub(crate) use mass::{keeps_doubtful, set_mass};
pub(crate) use mesh::{mesh_shape, MeshFile};
pub(crate) use planar::flatten_planar_loops;
pub(crate) use solid::{Filling, Solid};
pub(crate) use told::Told;
pub(crate) use xml::{parse, root_tag, tidied, Placed, Reader, Xml};
