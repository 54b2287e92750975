//! Pictures of a mechanism in motion.
//!
//! [`scene()`] draws a model: solids fixed to bodies, made up where the model gives none. [`Animation`] holds the motion that a
//! run has left in its results. Every output reads these two and nothing else.
//!
//! | file | idea |
//! |---|---|
//! | `scene` | what is drawn |
//! | `draw`, `build`, `room`, `plane`, `links`, `shapes`, `hardware`, `telescope`, `cylinders`, `meshes`, `gears` | a model as a scene |
//! | `animation` | poses and signals over time |
//! | `surface` | forms as triangles |
//! | `export` | the registry of file formats |
//! | `page` | one web page that plays the motion |
//! | `facets`, `camera` | all triangles at a sample, and how still pictures see them |
//! | `raster`, `svg`, `gif` | pixels (PNG), drawing, animated pixels |
//! | `gltf` | binary glTF with animation |
//! | `linkage` | instant centres, polygons and pole curves of a planar linkage |

mod animation;
mod build;
mod camera;
mod cylinders;
mod draw;
pub mod export;
mod facets;
mod gears;
mod gif;
mod gltf;
mod hardware;
pub mod linkage;
mod links;
mod meshes;
pub mod page;
mod plane;
mod raster;
mod room;
pub mod scene;
mod shapes;
pub mod surface;
mod svg;
mod telescope;

pub use animation::Animation;
pub use draw::scene;
pub use scene::Scene;
