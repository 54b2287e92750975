//! From a model and its motion to a scene: which part is drawn how.

use super::build::Builder;
use super::{cams, gears, hardware, links, Animation, Scene};
use biela_analysis::loose_coordinates::loose;
use biela_base::error::Result;
use biela_core::model::Model;

/// Draws a model that has moved as `motion` tells.
pub fn scene(model: &Model, motion: &Animation) -> Result<Scene> {
    let mut builder = Builder::new(model, motion);
    for joint in 0..model.joints.len() {
        hardware::joint(&mut builder, joint);
    }
    gears::wheels(&mut builder);
    cams::outlines(&mut builder);
    for body in 0..model.bodies.len() {
        links::body(&mut builder, body);
    }
    let mut scene = builder.finish();
    if motion.len() == 1 {
        scene.loose = loose(model, &motion.frame(0), motion.times[0]).ok().flatten();
    }
    Ok(scene)
}
