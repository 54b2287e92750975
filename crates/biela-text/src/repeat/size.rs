//! How large a model may grow by its repeats and parts.

use biela_base::error::{Error, Result};
use biela_base::source::Span;

/// Values of all that repeats and parts stand for. A model of so many takes about as much memory as the longest file that is read.
const MOST: usize = 400_000;

/// Counts values.
#[derive(Default)]
pub(super) struct Size(usize);

impl Size {
    /// Counts some more, which stand at `span`.
    pub fn add(&mut self, values: usize, span: Option<&Span>) -> Result<()> {
        self.0 += values;
        match self.0 <= MOST {
            true => Ok(()),
            false => Err(Error::new(format!(
                "repeats and parts make more than {MOST} values of the model; that is as many as are taken"
            ))
            .at_opt(span)
            .note("lower 'count'")),
        }
    }
}
