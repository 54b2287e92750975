//! The library of biela for other languages, one file for both faces:
//!
//! | module | idea |
//! |---|---|
//! | `border` | pointers, texts and errors between Rust and C; nothing unwinds across |
//! | [`c`] | the C interface of `include/biela.h` |
//! | `instance` | a live mechanism as FMI sees it: phases, variables, events |
//! | [`fmi2`], [`fmi3`] | the functions of FMI 2.0 and 3.0 |
//!
//! Different handles may be used by different threads at the same time; one handle by one thread at a time.

mod border;
pub mod c;
pub mod fmi2;
pub mod fmi3;
mod instance;
