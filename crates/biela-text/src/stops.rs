//! `stop` of a joint's limits, with the keys that go with each word.

use super::reader::Reader;
use biela_base::error::Result;
use biela_core::joints::{Impact, Restitution, Stop};

/// Keys of hard stops, and of soft ones.
const HARD: [&str; 2] = ["restitution", "impact"];
const SOFT: [&str; 2] = ["stiffness", "damping"];

/// What stands at the limits; the coefficient of a hard stop is read with other quantities.
pub(super) fn read(limits: &Reader) -> Result<Stop> {
    let word = limits.choice("stop", &Stop::WORDS)?;
    let needs = |keys: [&'static str; 2], needed: &'static str| match keys.into_iter().find(|key| limits.has(key)) {
        Some(key) if word != Some(needed) => Err(limits
            .wrong_value(key, format!("'limits.{key}' has no use without stop = \"{needed}\""))
            .note(format!("write stop = \"{needed}\", or leave '{key}' out"))),
        _ => Ok(()),
    };
    needs(HARD, "hard")?;
    needs(SOFT, "soft")?;
    if word.is_some_and(|word| word != "none") && !limits.has("lower") && !limits.has("upper") {
        return Err(limits
            .wrong_value("stop", "'limits.stop' stands at a limit, and there is none")
            .note("give 'lower', 'upper' or both"));
    }
    Ok(match word {
        Some("soft") => {
            if !limits.has("stiffness") {
                return Err(
                    limits.missing("stiffness", "the stiffness of a soft stop, such as stiffness = \"20 N/mm\"")
                );
            }
            Stop::Soft
        }
        Some("hard") => {
            let law = limits.choice("impact", &Impact::WORDS)?.and_then(Impact::named).unwrap_or_default();
            Stop::Hard(Restitution { coefficient: 0.0, law })
        }
        _ => Stop::None,
    })
}
