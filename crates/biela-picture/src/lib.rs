//! Pictures of a mechanism in motion.
//!
//! [`scene()`] draws a model: solids fixed to bodies, made up where the model gives none. [`Animation`] holds the motion that a
//! run has left in its results. Every output reads these two and nothing else.
//!
//! | file | idea |
//! |---|---|
//! | `scene` | what is drawn |
//! | `draw`, `build`, `room`, `plane`, `links`, `shapes`, `hardware`, `cams`, `telescope`, `cylinders`, `meshes`, `gears` | a model as a scene |
//! | `animation` | poses and signals over time |
//! | `surface` | forms as triangles |
//! | `look`, `theme`, `choice` | what a picture shows beside, from where, in which colours, how fast |
//! | `export` | the registry of file formats |
//! | `page` | one web page that plays the motion |
//! | `camera`, `shade` | how pictures see a scene, and where its shadow falls |
//! | `grid`, `marks`, `ink` | grid and scale; paths, names, arrows; the lines and letters that they are made of |
//! | `facets`, `raster` | all faces at a sample; pixels |
//! | `film`, `frames` | frames on all cores; what changes from one to the next |
//! | `png`, `gif` | files of pixels |
//! | `outlines`, `arcs` | a sample as lines, arcs and polygons |
//! | `svg`, `dxf` | drawings |
//! | `gltf` | binary glTF with animation |
//! | `designs` | a sheet of designs that a synthesis found |
//! | `linkage` | instant centres, polygons and pole curves of a planar linkage |

mod animation;
mod arcs;
mod build;
mod burmester;
mod camera;
mod cams;
mod choice;
mod cylinders;
pub mod designs;
mod draw;
mod dxf;
pub mod export;
mod facets;
mod film;
mod frames;
mod gears;
mod gif;
mod gltf;
mod grid;
mod hardware;
mod ink;
pub mod linkage;
mod links;
mod look;
mod marks;
mod meshes;
mod outlines;
pub mod page;
mod plane;
mod png;
mod raster;
mod room;
pub mod scene;
mod shade;
mod shapes;
pub mod surface;
mod svg;
mod telescope;
mod theme;
mod thinning;

pub use animation::Animation;
pub use draw::scene;
pub use film::Film;
pub use look::{Arrow, Look, Named, View};
pub use scene::Scene;
