//! Types of a program's own, in registries that are the library's.

pub mod telescopic;
pub mod wave;

use std::sync::Once;

/// Makes them known, once.
pub fn registered() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        biela::joints::register(&telescopic::Telescopic).expect("a new keyword");
        biela::joints::register(&wave::Wave).expect("a new keyword");
    });
}
