//! Comparisons with independent sources: held to their tolerances, and told to the verification manual where it is made.
//!
//! Where the environment variable `BIELA_RECORD` names a folder, each comparison is a line of JSON in a file there, named after the
//! test program. `cargo run --release -p biela-book -- verification` sets it and makes `docs/verification.md` of these lines.

use std::fmt::Display;
use std::io::Write;

/// A formula worked out by hand.
pub const CLOSED: &str = "closed form";
/// Digits that a source document prints; differences are in units of the last one.
pub const PRINTED: &str = "printed digits";
/// Figures that another program computed, in `tests/reference/`.
pub const COMPUTED: &str = "independent computation";
/// Figures of Pinocchio.
pub const PINOCCHIO: &str = "Pinocchio";
/// Figures that the literature has published.
pub const PUBLISHED: &str = "published figures";
/// The same by another formulation or algorithm of the program.
pub const OTHER: &str = "other formulation";
/// Energy, momentum or another quantity that stays as it is.
pub const KEPT: &str = "conserved quantity";

/// Holds a difference to its tolerance; `detail` says which comparison of the quantity it was.
#[track_caller]
pub fn held(source: &str, quantity: &str, tolerance: f64, difference: f64, detail: impl Display) {
    assert!(difference <= tolerance, "{quantity} differs by {difference:e} from its {source}: {detail}");
    told(source, quantity, tolerance, difference);
}

/// Tells of a comparison that was held already.
pub fn told(source: &str, quantity: &str, tolerance: f64, difference: f64) {
    let Some(folder) = std::env::var_os("BIELA_RECORD") else { return };
    let program = std::env::current_exe().expect("a test program");
    let stem = program.file_stem().expect("a name").to_string_lossy().to_string();
    let file = stem.rsplit_once('-').map_or(stem.as_str(), |(name, _)| name).to_string();
    let thread = std::thread::current();
    let case = thread.name().unwrap_or("?");
    let line = serde_json::json!([file, case, source, quantity, tolerance, difference]).to_string() + "\n";
    let path = std::path::Path::new(&folder).join(file + ".jsonl");
    // One short write at the end of a file is whole, whatever other threads do.
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a folder for records");
    out.write_all(line.as_bytes()).expect("a record");
}
