//! `[events.NAME]`: expressions of time, joint coordinates and rates that are watched for zero.

use super::reader::{check_name, section, Reader};
use super::values::{self, describe, wrong};
use crate::tree::Value;
use biela_base::error::Result;
use biela_core::expr::Scope;
use biela_core::model::Event;

const ACTIONS: &[&str] = &["stop", "report"];

/// Reads the section.
pub(super) fn read(root: &Reader, scope: &dyn Scope) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    for entry in section(root, "events", "[events.top]")? {
        check_name("event", entry)?;
        let reader = Reader::of_entry(root.context, format!("event '{}'", entry.key), entry)?;
        reader.allow(&["when", "action"])?;
        let Some(node) = reader.get("when") else {
            return Err(
                reader.missing("when", "an expression whose zero is looked for, such as when = \"O.angle - pi\"")
            );
        };
        let Value::Text(text) = &node.value else {
            let message = format!("'when' is an expression, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)));
        };
        let when = values::expression(node, &reader.name("when"), text, None, scope).map_err(|e| reader.blame(e))?;
        let stop = reader.choice("action", ACTIONS)? != Some("report");
        events.push(Event { name: entry.key.clone(), when, stop });
    }
    Ok(events)
}
