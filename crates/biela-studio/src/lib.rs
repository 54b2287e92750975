//! The studio: a page on which a mechanism is written, seen and moved, served by the program itself.
//!
//! ```text
//! browser ──HTTP on the loopback──► server (guards) ──► api ──► the library
//! ```
//! | file | idea |
//! |---|---|
//! | `http` | requests and responses of HTTP/1.1, with limits on all that comes in |
//! | `server` | threads, and who is let in: token, Host, Origin |
//! | `page` | the page and its policy |
//! | `folder` | model files of the opened folder, and no others |
//! | `given` | what a call brings |
//! | `api` | what the page may ask for |
//! | `look` | a text as picture, parameters and diagnostics |
//! | `pose` | the mechanism moved by hand |
//! | `jobs` | runs with progress and cancel; exports |

mod api;
mod folder;
mod given;
mod http;
mod jobs;
mod look;
mod page;
mod pose;
mod server;

pub use http::BODY_LIMIT;
pub use server::{secret, Server};

use std::path::PathBuf;

/// What a studio is opened with.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folder whose model files may be read and written.
    pub folder: PathBuf,
    /// Name of the model to begin with, as it would be saved in the folder.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Port; 0 for any that is free.
    pub port: u16,
    /// Models inside the program: name and text.
    pub library: &'static [(&'static str, &'static str)],
}
