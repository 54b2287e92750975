//! The door for files that other programs wrote: read as they stand, every doubtful thing told once.
//!
//! [`xml`] parses and reads elements with their places, in bounded depth, size and entities; [`Told`] gathers what is doubtful
//! and, where reading is strict, makes an error of it. A reader of a format asks of an element what it knows, and
//! [`xml::Reader::allow`] tells the rest.

mod told;
pub(crate) mod xml;

pub(crate) use told::Told;
pub(crate) use xml::{parse, root_tag, Placed, Reader, Xml};
