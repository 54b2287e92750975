//! Straight-line programs of algorithms.
//!
//! An algorithm that is written over [`biela_tree::Scalar`] runs once on numbers that record what is done with them ([`Traced`]). What comes
//! out is a [`Program`]: a list of sums, products, reciprocals, roots, sines and cosines without branches or loops, in which what follows from
//! constants alone is computed, products with 0 and 1 are gone, and nothing stands twice. It can be counted, evaluated, differentiated and
//! printed in another language ([`print::LANGUAGES`]).
//!
//! A crate of its own because of how it is built: nothing here need be fast, and all algorithms once more over one more number take
//! minutes to optimise.
//!
//! | file | idea |
//! |---|---|
//! | `tape`, `traced` | what was done, each thing once; the number that writes it down |
//! | `counts` | operations of every algorithm for a tree |
//! | `program` | inputs, operations, outputs; evaluation; derivatives |
//! | `print` | a program as text of a language, one file each |

mod counts;
pub mod print;
mod program;
mod tape;
mod traced;

pub use counts::{counts, Operations};
pub use program::{Argument, Program};
pub use tape::{Count, Operation, Tape};
pub use traced::Traced;
