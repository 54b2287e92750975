//! What writers of tables share.

use super::Results;
use std::io;

/// Number of rows, or the error that keeps a writer from starting.
pub(super) fn rows(results: &Results) -> io::Result<usize> {
    match results.check() {
        Ok(()) => Ok(results.len()),
        Err(error) => Err(io::Error::new(io::ErrorKind::InvalidInput, error.to_string())),
    }
}
