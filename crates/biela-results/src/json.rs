//! JSON: `{"signals": {name: [..]}, "units": {name: unit}, "notes": {key: text or [texts]}, "complete": true}`, columns in their order. A
//! run that ended before its time has `"complete": false` and `"ended": {"t", "reason", "driver", "value"}`.
//!
//! Keys of an object are unique, for readers keep one value of each: what is said several times under one key is a list there.

use super::{intern_unit, spill::Table, Column, Ended, Results};
use biela_base::error::{Error, Result};
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;

/// Writes the objects; a value that is not finite is `null`, for JSON knows no other way.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    write_table(&Table::of(results)?, out)
}

/// The same of a table wherever it is, a column at a time.
pub(super) fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let results = table.results;
    let mut text = String::from("{\n\"signals\": {");
    let mut number = zmij::Buffer::new();
    for (place, column) in results.columns.iter().enumerate() {
        text.push_str(if place == 0 { "\n" } else { ",\n" });
        text.push_str(&string(&column.name));
        text.push_str(": [");
        for (k, &value) in table.column(place, 0, table.rows)?.iter().enumerate() {
            if k > 0 {
                text.push(',');
            }
            text.push_str(if value.is_finite() { number.format_finite(value) } else { "null" });
        }
        text.push(']');
        out.write_all(text.as_bytes())?;
        text.clear();
    }
    text.push_str("\n},\n\"units\": ");
    text.push_str(&object(results.columns.iter().map(|column| (column.name.as_str(), column.unit))));
    text.push_str(",\n\"notes\": ");
    text.push_str(&notes(&results.notes));
    for (key, value) in mark(results) {
        text.push_str(&format!(",\n\"{key}\": {value}"));
    }
    text.push_str("\n}\n");
    out.write_all(text.as_bytes())
}

/// Notes as a JSON object: each key once, with its text, or with a list of texts where there are several.
pub(super) fn notes(notes: &[(String, String)]) -> String {
    let mut found = serde_json::Map::new();
    for (key, text) in notes {
        match found.get_mut(key) {
            None => {
                found.insert(key.clone(), text.as_str().into());
            }
            Some(serde_json::Value::Array(texts)) => texts.push(text.as_str().into()),
            Some(first) => *first = vec![first.take(), text.as_str().into()].into(),
        }
    }
    let mut keys: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    keys.extend(notes.iter().map(|n| n.0.as_str()).filter(|key| seen.insert(*key)));
    let pairs: Vec<String> = keys.iter().map(|key| format!("{}: {}", string(key), found[*key])).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// Whether the run came to its end, and what ended it: keys, each with its value as JSON.
pub(super) fn mark(results: &Results) -> Vec<(&'static str, String)> {
    let mut told = vec![("complete", results.is_complete().to_string())];
    told.extend(results.ended.as_ref().map(|ended| ("ended", ended.json().to_string())));
    told
}

/// Notes and mark as one JSON object.
pub(super) fn notes_and_mark(results: &Results) -> String {
    let own: Vec<(String, String)> = results.notes.iter().filter(|n| !is_mark(&n.0)).cloned().collect();
    let mut text = notes(&own);
    text.pop();
    for (key, value) in mark(results) {
        text.push_str(if text.len() > 1 { ", " } else { "" });
        text.push_str(&format!("\"{key}\": {value}"));
    }
    text + "}"
}

/// Whether a key is one of the mark's.
pub(super) fn is_mark(key: &str) -> bool {
    ["complete", "ended"].contains(&key)
}

/// A JSON object of texts.
pub(super) fn object<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let pairs: Vec<String> = pairs.map(|(key, value)| format!("{}: {}", string(key), string(value))).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// A text as JSON writes it.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Reads the pairs of a JSON object of texts.
pub(super) fn read_object(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    serde_json::from_slice::<Pairs<String>>(bytes).ok().map(|pairs| pairs.0)
}

/// Notes, with the mark of an early end.
type Told = (Vec<(String, String)>, Option<Ended>);

/// Reads what [`notes_and_mark`] wrote.
pub(super) fn read_notes_and_mark(bytes: &[u8]) -> Option<Told> {
    let pairs = serde_json::from_slice::<Pairs<serde_json::Value>>(bytes).ok()?.0;
    let ended = pairs.iter().find(|pair| pair.0 == "ended").and_then(|pair| Ended::read(&pair.1));
    let mut notes = Vec::new();
    for (key, value) in pairs.into_iter().filter(|pair| !is_mark(&pair.0)) {
        let texts = serde_json::from_value::<Texts>(value).ok()?.0;
        notes.extend(texts.into_iter().map(|text| (key.clone(), text)));
    }
    Some((notes, ended))
}

/// One text or several.
struct Texts(Vec<String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Texts, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Texts;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }
            fn visit_str<E>(self, text: &str) -> std::result::Result<Texts, E> {
                Ok(Texts(vec![text.to_string()]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(Texts(texts))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

fn spread(pairs: Pairs<Texts>) -> Vec<(String, String)> {
    pairs.0.into_iter().flat_map(|(key, texts)| texts.0.into_iter().map(move |text| (key.clone(), text))).collect()
}

/// Reads what [`write`] wrote; `null` becomes NaN.
pub(super) fn read(bytes: &[u8]) -> Result<Results> {
    let file: File = serde_json::from_slice(bytes).map_err(|error| {
        Error::new(format!("not a JSON file of results: {error}"))
            .note("it should read {\"signals\": {\"t\": [0, 0.1], …}, \"units\": {\"t\": \"s\", …}}")
    })?;
    let units: HashMap<&str, &str> = file.units.0.iter().map(|(name, unit)| (name.as_str(), unit.as_str())).collect();
    let mut columns = Vec::with_capacity(file.signals.0.len());
    for (name, data) in file.signals.0 {
        let unit = units.get(name.as_str()).copied().unwrap_or(if name == "t" { "s" } else { "1" });
        let unit = intern_unit(unit).map_err(|error| error.of(format!("signal '{name}'")))?;
        columns.push(Column { name, unit, data: data.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect() });
    }
    let ended = match (file.complete, &file.ended) {
        (Some(true), Some(_)) => return Err(Error::new("a run that is complete has not ended before its time")),
        (_, None) => None,
        (_, Some(value)) => Some(Ended::read(value).ok_or_else(|| {
            Error::new("'ended' is not of the form {\"t\": 0.2, \"reason\": \"singular\", \"driver\": …, \"value\": …}")
        })?),
    };
    Ok(Results { columns, notes: spread(file.notes), ended })
}

struct File {
    signals: Pairs<Vec<Option<f64>>>,
    units: Pairs<String>,
    notes: Pairs<Texts>,
    complete: Option<bool>,
    ended: Option<serde_json::Value>,
}

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<File, D::Error> {
        struct Parts;
        impl<'de> Visitor<'de> for Parts {
            type Value = File;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object with the key 'signals'")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<File, A::Error> {
                let (mut signals, mut units, mut notes) = (None, None, None);
                let (mut complete, mut ended) = (None, None);
                while let Some(key) = map.next_key::<String>()? {
                    let twice = match key.as_str() {
                        "signals" => signals.replace(map.next_value()?).is_some(),
                        "units" => units.replace(map.next_value()?).is_some(),
                        "notes" => notes.replace(map.next_value()?).is_some(),
                        "complete" => complete.replace(map.next_value()?).is_some(),
                        "ended" => ended.replace(map.next_value()?).is_some(),
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            return Err(A::Error::custom(format!("unknown key '{key}'")));
                        }
                    };
                    if twice {
                        return Err(A::Error::custom(format!("key '{key}' occurs twice")));
                    }
                }
                let signals = signals.ok_or_else(|| A::Error::custom("the key 'signals' is missing"))?;
                let (units, notes) = (units.unwrap_or_default(), notes.unwrap_or_default());
                Ok(File { signals, units, notes, complete, ended })
            }
        }
        deserializer.deserialize_map(Parts)
    }
}

/// The pairs of an object in their order in the file.
struct Pairs<T>(Vec<(String, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Pairs<T> {
        Pairs(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Pairs<T>, D::Error> {
        struct InOrder<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Pairs<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_line() {
        let told = |text: &str| read(text.as_bytes()).unwrap_err().message().to_owned();
        assert!(told("{\n\"signals\": {\"t\": [0, \"a\"]}}").contains("line 2"));
        assert!(told("{\"signal\": 1}").contains("unknown key 'signal'"));
        assert!(told("{}").contains("'signals' is missing"));
        assert!(told("{\"signals\": {\"t\": [1e999]}}").contains("out of range"));
        assert!(told(&"[".repeat(100_000)).contains("JSON"));
    }

    #[test]
    fn no_note_is_lost_to_readers_that_keep_one_value_of_a_key() {
        let told =
            [("model", "a"), ("warning", "first"), ("event", "x"), ("warning", "second \"b\""), ("warning", "third")];
        let notes = told.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let results = Results { columns: vec![Column::new("t", "s", vec![0.0])], notes, ended: None };
        let mut bytes = Vec::new();
        write(&results, &mut bytes).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(value["notes"]["warning"], serde_json::json!(["first", "second \"b\"", "third"]));
        assert_eq!(value["notes"]["model"], "a");
        let back = read(&bytes).unwrap();
        let of = |r: &Results, key: &str| r.notes_of(key).map(str::to_string).collect::<Vec<_>>();
        assert!(["model", "event", "warning"].iter().all(|k| of(&back, k) == of(&results, k)));
        // Files of earlier versions repeat the key.
        let old = br#"{"signals": {"t": [0]}, "notes": {"warning": "a", "warning": "b"}}"#;
        assert_eq!(of(&read(old).unwrap(), "warning"), ["a", "b"]);
    }

    #[test]
    fn what_is_not_finite_is_null() {
        let results = Results { columns: vec![Column::new("a", "m", vec![f64::INFINITY, 1.0])], ..Results::default() };
        let mut bytes = Vec::new();
        write(&results, &mut bytes).unwrap();
        assert!(String::from_utf8(bytes).unwrap().contains("\"a\": [null,1.0]"));
    }
}
