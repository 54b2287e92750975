//! Mechanisms held live: a model whose drivers and loads are set from outside, whose motion goes on step by step, and whose state can be kept and
//! put back.
//!
//! | module | idea |
//! |---|---|
//! | [`ports`] | inputs, parameters and outputs by their names |
//! | `laws` | laws of drivers from numbers |
//! | [`live`] | the mechanism at a time: inputs set, steps made, outputs read |
//! | [`freedom`], `states` | independent coordinates and their rates as states, for solvers from outside |
//! | [`kept`] | a state as bytes |
//! | [`fmu`] | what an FMU says of it, and the archive |
//! ```
//! use biela_live::Live;
//!
//! let mut lever = Live::of_text(r#"
//!     bodies.lever = { points = { tip = [2, 0, 0] } }
//!     joints.pin   = { type = "revolute", bodies = ["ground", "lever"], at = [0, 0, 0], axis = "z" }
//!     drivers.hand = { joint = "pin", value = 0 }
//! "#, &["lever.tip.y", "lever.tip.vy"])?;
//! lever.set("hand", 0.5)?;
//! lever.set("hand.rate", 3.0)?;
//! let values = lever.values()?;
//! assert!((values[0] - 2.0 * 0.5_f64.sin()).abs() < 1e-12 && (values[1] - 6.0 * 0.5_f64.cos()).abs() < 1e-12);
//! # Ok::<(), biela::Error>(())
//! ```

pub mod fmu;
pub mod freedom;
pub mod kept;
mod laws;
pub mod live;
pub mod ports;
mod states;

pub use live::Live;
