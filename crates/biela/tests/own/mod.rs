//! Types of a program's own, in registries that are the library's.

pub mod constant_spring;
pub mod distance_driver;
pub mod drag;
pub mod telescopic;
pub mod wave;

use std::sync::Once;

/// Makes them known, once.
pub fn registered() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        biela::joints::register(&telescopic::Telescopic).expect("a new keyword");
        biela::joints::register(&wave::Wave).expect("a new keyword");
        biela::drivers::register(&distance_driver::Cylinder).expect("a new key");
        biela::loads::register(&drag::Drag).expect("a new keyword");
        biela::loads::register(&constant_spring::ConstantSpring).expect("a new keyword");
    });
}
