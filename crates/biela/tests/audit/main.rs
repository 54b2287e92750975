//! The program looked at from outside, by its public door alone.
//!
//! `shipped`: every shipped model by every formulation and analysis, as a table. `docs/models-by-analysis.md` is that table.
//!
//! `random`: machines made at random (`generate`, `machine`), written as texts in mixed units (`text`), run, and audited from the columns
//! that come out (`columns`), by arithmetic that shares nothing with the library (`vector`): balances of all bodies, reactions, energies
//! (`balance`), differences in time (`rates`), and motion under the efforts found (`freed`).

mod balance;
mod columns;
mod freed;
mod generate;
mod machine;
mod random;
mod rates;
#[path = "../common/record.rs"]
#[allow(dead_code)]
mod record;
mod shipped;
mod text;
mod vector;
