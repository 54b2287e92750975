//! The program looked at from outside.
//!
//! `shipped`: every shipped model by every formulation and analysis, as a table. `docs/models-by-analysis.md` is that table.

#[path = "../common/record.rs"]
#[allow(dead_code)]
mod record;
mod shipped;
