//! Types of a program's own, in registries that are the library's.

pub mod constant_spring;
pub mod distance_driver;
pub mod drag;
pub mod four_lengths;
pub mod gnuplot;
pub mod telescopic;
pub mod wave;

use std::sync::Once;

/// Makes them known, once. (The formulation of `plane.rs` is for plane mechanisms alone: its test takes it by itself.)
pub fn registered() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        biela::joints::register(&telescopic::Telescopic).expect("a new keyword");
        biela::joints::register(&wave::Wave).expect("a new keyword");
        biela::drivers::register(&distance_driver::Cylinder).expect("a new key");
        biela::loads::register(&drag::Drag).expect("a new keyword");
        biela::loads::register(&constant_spring::ConstantSpring).expect("a new keyword");
        biela::results::register(&gnuplot::GNUPLOT).expect("a new extension");
        biela::text::document::register(&four_lengths::FOUR_LENGTHS).expect("a new ending");
    });
}
