//! What is to be drawn of a run: signals by their names, patterns of names, and expressions, which become columns.

use super::measure::{Curve, Names};
use crate::display_units::DisplayUnits;
use crate::error::Result;
use crate::model::Model;
use crate::results::{intern_unit, Column, Results};
use crate::signal::{chosen, with_advice, Index, Signals};
use crate::source::{Source, Span};
use crate::units::Kind;
use std::borrow::Cow;

/// A list of signals and expressions between commas; commas within brackets belong to expressions.
pub fn split(list: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0i32, vec![String::new()]);
    for c in list.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts.iter().map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect()
}

/// Whether a full run has not all that is to be drawn as its columns, so that signals on request may be needed.
pub fn needs_every(model: &Model, texts: &[&str]) -> bool {
    let names = Signals::of(model).names(model);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    texts.iter().any(|text| chosen(&names, names.len(), &[text]).is_err())
}

/// Parameters that expressions may use: of a model; none of a table.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    /// Their names, and what is known of their dimensions.
    pub kinds: Vec<(String, Kind)>,
    /// Their values.
    pub values: Vec<f64>,
}

/// Adds a column for each expression among `texts`, called like it, and takes away the signals on request that none of them names.
///
/// # Errors
/// Where a text is neither a name, nor a pattern that fits, nor an expression of signals and parameters.
pub fn complete(found: &mut Results, model: Option<&Model>, texts: &[&str], parameters: &Parameters) -> Result<()> {
    let index = model.map(Index::new);
    let on_request = |c: &Column| index.as_ref().is_some_and(|i| i.parse(&c.name).is_some_and(|s| s.is_on_request()));
    let told = found.columns.iter().take_while(|c| !on_request(c)).count();
    // Expressions are of SI, also in a table that has other units.
    let si = DisplayUnits::si();
    let other = found.columns.iter().any(|c| si.scale(c.unit).unit != c.unit);
    let of_si = if other { Cow::Owned(found.clone().in_units(&si)) } else { Cow::Borrowed(&*found) };
    let columns: Vec<(String, String)> = of_si.columns.iter().map(|c| (c.name.clone(), c.unit.to_string())).collect();
    let names: Vec<&str> = columns.iter().map(|c| c.0.as_str()).collect();
    let mut kept: Vec<bool> = (0..names.len()).map(|k| k < told).collect();
    let mut drawn: Vec<Column> = Vec::new();
    for text in texts {
        let fault = match chosen(&names, told, &[text]) {
            Ok(places) => {
                places.iter().for_each(|k| kept[*k] = true);
                continue;
            }
            Err(fault) => fault,
        };
        if drawn.iter().any(|c| c.name == *text) {
            continue;
        }
        let source = Source::new("expression", *text);
        let span = Span::new(&source, 0..text.len());
        let names = Names { parameters: &parameters.kinds, columns: &columns };
        let curve = Curve::parse("plot", text, Some(&span), names);
        let curve = curve.map_err(|error| {
            let error = if is_pattern(text) { fault } else { error };
            model.map_or(error.clone(), |model| with_advice(error, model, text))
        })?;
        let values = curve.values(&parameters.values, &of_si);
        drawn.push(Column::new(*text, intern_unit(&curve.unit)?, values));
    }
    drop(of_si);
    let mut kept = kept.into_iter();
    found.columns.retain(|_| kept.next().unwrap_or(false));
    found.columns.extend(drawn);
    Ok(())
}

/// Whether a text is a name or a pattern of names rather than an expression.
fn is_pattern(text: &str) -> bool {
    let star_of_names = text.starts_with('*') || text.ends_with('*') || text.contains(".*") || text.contains("*.");
    text.chars().all(|c| c.is_alphanumeric() || "._-*".contains(c)) && (star_of_names || !text.contains('*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Results {
        let column = |name: &str, unit, data: [f64; 2]| Column::new(name, unit, data.to_vec());
        let columns = vec![
            column("t", "s", [0.0, 1.0]),
            column("a.x", "m", [3.0, 1.0]),
            column("a.y", "m", [4.0, 1.0]),
            column("b-1.x", "m", [1.0, 1.0]),
        ];
        Results { columns, ..Results::default() }
    }

    #[test]
    fn lists_are_split_outside_brackets() {
        assert_eq!(split("a.x, max(a.x, a.y) ,,b"), ["a.x", "max(a.x, a.y)", "b"]);
        assert_eq!(split(")),a"), ["))", "a"]);
        assert!(split("").is_empty());
    }

    #[test]
    fn expressions_become_columns() {
        let mut found = table();
        let texts = ["a", "*.x", "norm(a)", "a.x*a.y", "a.x-b-1.x", "norm(a)", "max(a.x, 2 m)"];
        complete(&mut found, None, &texts, &Parameters::default()).unwrap();
        let added: Vec<(&str, &str, &[f64])> =
            found.columns[4..].iter().map(|c| (c.name.as_str(), c.unit, c.data.as_slice())).collect();
        assert_eq!(added[0], ("norm(a)", "m", &[5.0, 2f64.sqrt()][..]));
        assert_eq!(added[1], ("a.x*a.y", "m^2", &[12.0, 1.0][..]));
        assert_eq!(added[2], ("a.x-b-1.x", "m", &[2.0, 0.0][..]));
        assert_eq!((added[3].2, added.len()), (&[3.0, 2.0][..], 4));
        // The same numbers of a table in other units.
        let mut other = table().in_units(&DisplayUnits::parse("mm", None).unwrap());
        complete(&mut other, None, &texts, &Parameters::default()).unwrap();
        assert_eq!(other.columns[4..], found.columns[4..]);
        assert_eq!((other.columns[1].unit, other.columns[1].data[0]), ("mm", 3000.0));
    }

    #[test]
    fn faults_are_those_of_names_or_of_expressions() {
        let told = |text: &str| complete(&mut table(), None, &[text], &Parameters::default()).unwrap_err().to_string();
        assert!(told("a.z").contains("no signal 'a.z'"), "{}", told("a.z"));
        assert!(told("c.*").contains("no signal fits 'c.*'"), "{}", told("c.*"));
        assert!(told("a.x*a.z").contains("unknown name 'a.z'"), "{}", told("a.x*a.z"));
        assert!(told("a.x + 1 s").contains("cannot add"), "{}", told("a.x + 1 s"));
    }
}
