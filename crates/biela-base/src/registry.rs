//! What programs add to a registry of the library: joints, loads, drivers, formulations, formats.

use crate::error::{Error, Result};
use std::sync::{PoisonError, RwLock};

/// Entries that programs have added, in that order.
pub struct Added<T: ?Sized + 'static>(RwLock<Vec<&'static T>>);

impl<T: ?Sized> Added<T> {
    /// Nothing yet.
    pub const fn new() -> Added<T> {
        Added(RwLock::new(Vec::new()))
    }

    /// Adds an entry, unless one of the library's `own` or one added before `is` known by the same word: then "there is `what` already".
    pub fn add(
        &self,
        entry: &'static T,
        own: impl IntoIterator<Item = &'static T>,
        is: impl Fn(&T) -> bool,
        what: String,
    ) -> Result<()> {
        let mut added = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if own.into_iter().chain(added.iter().copied()).any(is) {
            return Err(Error::new(format!("there is {what} already")));
        }
        added.push(entry);
        Ok(())
    }

    /// Those of the library, then these.
    pub fn after(&self, own: impl IntoIterator<Item = &'static T>) -> Vec<&'static T> {
        let added = self.0.read().unwrap_or_else(PoisonError::into_inner);
        own.into_iter().chain(added.iter().copied()).collect()
    }
}

impl<T: ?Sized> Default for Added<T> {
    fn default() -> Added<T> {
        Added::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_taken_once_and_entries_keep_their_order() {
        static WORDS: Added<str> = Added::new();
        const OWN: [&str; 2] = ["pin", "slide"];
        let add = |word: &'static str| WORDS.add(word, OWN, |w| w == word, format!("a word '{word}'"));
        assert!(add("wave").is_ok() && add("arm").is_ok());
        for taken in ["pin", "wave"] {
            assert_eq!(add(taken).unwrap_err().to_string(), format!("there is a word '{taken}' already"));
        }
        assert_eq!(WORDS.after(OWN), ["pin", "slide", "wave", "arm"]);
    }
}
