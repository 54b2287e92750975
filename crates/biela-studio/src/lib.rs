//! The studio: a page on which a mechanism is written, seen and moved. One page with two engines: served by the program itself, or one
//! file with the program inside, in a worker.
//!
//! ```text
//! page ──HTTP on the loopback──► server (guards) ──┐
//! page ──messages to a worker──► browser ──────────┴──► api ──► the library
//! ```
//! | file | idea |
//! |---|---|
//! | `http` | requests and responses of HTTP/1.1, with limits on all that comes in |
//! | `server` | threads, and who is let in: token, Host, Origin |
//! | `page` | the page of a server and its policy |
//! | `file` | the page as one file with the program inside |
//! | `host` | what calls need of the machine: a clock, work aside |
//! | `store` | names and stamps of models, wherever they are kept |
//! | `browser` | the same calls without a server |
//! | `folder` | model files of the opened folder, and no others |
//! | `given` | what a call brings |
//! | `answer` | what a call is answered with |
//! | `api` | what the page may ask for |
//! | `words` | what the editor offers while a text is written |
//! | `lessons` | models of the lessons |
//! | `fix` | what a mistake is mended by |
//! | `thumb` | a small picture of a model |
//! | `draw` | what is drawn, as edits of the text |
//! | `look` | a text as picture, parameters and diagnostics |
//! | `pose` | the mechanism moved by hand |
//! | `sweeps` | many runs, in shares that are gathered |
//! | `jobs` | runs with progress and cancel; exports |

mod answer;
mod api;
mod browser;
mod draw;
#[cfg(feature = "whole")]
mod file;
mod fix;
mod folder;
mod given;
mod host;
mod http;
mod jobs;
mod lessons;
mod look;
mod page;
mod pose;
mod server;
mod store;
mod sweeps;
mod thumb;
mod words;

pub use answer::Answer;
pub use api::BODY_LIMIT;
pub use biela::error::Result;
pub use browser::Browser;
#[cfg(feature = "whole")]
pub use file::file;
pub use host::Host;
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
