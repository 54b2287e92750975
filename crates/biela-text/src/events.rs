//! `[events.NAME]`: expressions of time and of signals that are watched for zero.

use super::reader::{check_name, section, Reader};
use super::signals::Known;
use super::values::{self, describe, wrong};
use crate::tree::Value;
use biela_base::error::Result;
use biela_core::model::{Event, Model};

pub(super) const KEYS: &[&str] = &["when", "action"];
pub(super) const ACTIONS: &[&str] = &["stop", "report"];

/// Reads the section into the model's study. `coordinates` are names of all joint coordinates.
pub(super) fn read(root: &Reader, model: &mut Model, coordinates: &[String]) -> Result<()> {
    let scope = Known::watched(model, root.context.parameters, coordinates);
    let mut events = Vec::new();
    for entry in section(root, "events", "[events.top]")? {
        check_name("event", entry)?;
        let reader = Reader::of_entry(root.context, format!("event '{}'", entry.key), entry)?;
        reader.allow(KEYS)?;
        let Some(node) = reader.get("when") else {
            return Err(
                reader.missing("when", "an expression whose zero is looked for, such as when = \"O.angle - pi\"")
            );
        };
        let Value::Text(text) = &node.value else {
            let message = format!("'when' is an expression, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)));
        };
        if let Some(name) = scope.too_much(text) {
            let message =
                format!("'{name}' is found at the samples of a run alone, and cannot be watched between them");
            let advice = "an event sees positions, velocities, accelerations, forces and energies";
            return Err(reader.blame(wrong(node, message).note(advice)));
        }
        let when = values::expression(node, &reader.name("when"), text, None, &scope).map_err(|e| reader.blame(e))?;
        let stop = reader.choice("action", ACTIONS)? != Some("report");
        events.push(Event { name: entry.key.clone(), when, stop });
    }
    let watched = scope.others.into_inner();
    (model.study.events, model.study.watched) = (events, watched);
    Ok(())
}
