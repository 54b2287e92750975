//! What the editor offers while a text is written: keys, types, functions and units, from the registries that read it.

use biela::expr::FUNCTIONS;
use biela::text::words;
use biela::units::UNITS;
use serde_json::{json, Value};

/// All of it; the page asks once.
pub(crate) fn offered() -> Value {
    let map = |list: Vec<(&'static str, Vec<&'static str>)>| -> Value {
        list.into_iter().map(|(name, words)| (name.to_string(), json!(words))).collect::<serde_json::Map<_, _>>().into()
    };
    let choices: serde_json::Map<String, Value> = words::choices()
        .into_iter()
        .map(|(section, list)| {
            let list = list.iter().map(|c| json!({"word": c.word, "help": c.help, "keys": c.keys}));
            (section.to_string(), list.collect())
        })
        .collect();
    json!({
        "tables": map(words::tables()),
        "inner": map(words::inner_tables()),
        "values": map(words::values()),
        "types": choices,
        "functions": FUNCTIONS.iter().map(|f| json!({"word": f.signature().split('(').next(), "help": format!("{}: {}", f.signature(), f.help)})).collect::<Vec<_>>(),
        "units": UNITS.iter().map(|u| json!({"word": u.name, "help": u.help})).collect::<Vec<_>>(),
    })
}
