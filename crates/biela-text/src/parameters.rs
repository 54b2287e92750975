//! `[parameters]`: numbers with names, which may refer to each other in any order.

use super::order::order_of_use;
use super::tree::{Node, Table, Value};
use super::values::{self, describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_base::units::{self, Kind};
use biela_core::blueprint::{Binding, ParametersPlan, Quantity};
use biela_core::expr::{self, Name, Scope};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Parameters with their values.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    values: Vec<(String, f64)>,
    /// Values by the places of the parameters, in the order of the file.
    list: Vec<f64>,
    /// Places and dimensions of those read so far.
    known: HashMap<String, (usize, Kind)>,
    /// Every parameter as a number or a formula of others.
    plan: ParametersPlan,
    /// Parameters whose values decided more than numbers.
    held: RefCell<BTreeSet<usize>>,
    /// Parameters called like a unit, and where they are defined.
    like_units: Vec<(String, Option<Span>)>,
    /// Of those units, the ones that expressions have used, each with the first text that does.
    units_used: RefCell<BTreeMap<String, String>>,
}

impl Scope for Parameters {
    fn lookup(&self, name: &str) -> Option<Name> {
        self.known.get(name).map(|(place, kind)| Name::Parameter(*place, *kind))
    }
    fn names(&self) -> Vec<String> {
        self.values.iter().map(|(name, _)| name.clone()).collect()
    }
    fn value(&self, parameter: usize) -> f64 {
        self.list.get(parameter).copied().unwrap_or(f64::NAN)
    }
    fn hold(&self, parameter: usize) {
        self.held.borrow_mut().insert(parameter);
    }
    fn unit_used(&self, unit: &str, text: &str) {
        if self.like_units.iter().any(|(name, _)| name == unit) {
            let mut used = self.units_used.borrow_mut();
            used.entry(unit.to_string()).or_insert_with(|| text.trim().to_string());
        }
    }
}

/// A parameter before it has a value.
struct Definition {
    name: String,
    key_span: Option<Span>,
    /// Where the model defines it, whatever puts another value in place of its own.
    defined_at: Option<Span>,
    node: Node,
    /// Indices of the parameters it uses.
    uses: Vec<usize>,
}

impl Parameters {
    /// Names and values, in the order of the file.
    pub fn values(&self) -> &[(String, f64)] {
        &self.values
    }

    /// Values alone.
    pub fn list(&self) -> &[f64] {
        &self.list
    }

    /// Every parameter as a number or a formula of others.
    pub fn plan(&self) -> &ParametersPlan {
        &self.plan
    }

    /// Parameters whose values decided more than numbers, with these values.
    pub fn held(&self) -> Vec<(usize, f64)> {
        self.held.borrow().iter().map(|k| (*k, self.value(*k))).collect()
    }

    /// What is known of a parameter's dimension.
    pub fn kind(&self, name: &str) -> Kind {
        self.known.get(name).map_or(Kind::Any, |known| known.1)
    }

    /// Refuses a parameter that is called like a unit which an expression read so far uses: one of the two would be misread by
    /// people, if not by the program. Where no expression uses that unit the name is told as a warning, in the list given back.
    pub fn check_unit_names(&self) -> Result<Vec<Error>> {
        let mut warnings = Vec::new();
        let used = self.units_used.borrow();
        for (name, span) in &self.like_units {
            let help = units::unit(name).map_or("", |u| u.help);
            let error = |message: String| Error::new(message).of(format!("parameter '{name}'")).at_opt(span.as_ref());
            if let Some(text) = used.get(name) {
                let message = format!("'{name}' is a unit ({help}), and the model uses it: '{}'", shortened(text));
                return Err(error(message)
                    .note("after a number a unit's name is always the unit")
                    .note(format!("give the parameter another name, such as {name}_0")));
            }
            warnings.push(error(format!("'{name}' is also a unit ({help}), and always that after a number")));
        }
        Ok(warnings)
    }

    /// Evaluates the table with the overrides put in: texts by `set`, numbers by `given`, which keep the dimension of what
    /// they replace.
    pub fn read(table: Option<&Node>, set: &[(String, String)], given: &[(String, f64)]) -> Result<Parameters> {
        let empty = Table::default();
        let table = match table.map(|n| (n, &n.value)) {
            None => &empty,
            Some((_, Value::Table(table))) => table,
            Some((node, _)) => {
                let message = format!("'parameters' is a table of numbers, not {}", describe(node));
                return Err(wrong(node, message).note("write [parameters], then name = value lines"));
            }
        };
        let mut definitions = definitions(table, set)?;
        let index: HashMap<String, usize> = definitions.iter().enumerate().map(|(k, d)| (d.name.clone(), k)).collect();
        for definition in &mut definitions {
            if let Value::Text(text) = &definition.node.value {
                // A fault in the text is reported when the expression itself is read.
                let used = expr::free_names_among(text, &|name| index.contains_key(name)).unwrap_or_default();
                definition.uses = used.iter().filter_map(|name| index.get(name).copied()).collect();
            }
        }
        let like_units = definitions.iter().filter(|d| units::unit(&d.name).is_some());
        let given: HashMap<&str, f64> = given.iter().rev().map(|(name, value)| (name.as_str(), *value)).collect();
        let mut found = Parameters {
            list: vec![f64::NAN; definitions.len()],
            like_units: like_units.map(|d| (d.name.clone(), d.defined_at.clone())).collect(),
            ..Parameters::default()
        };
        let uses: Vec<&[usize]> = definitions.iter().map(|d| d.uses.as_slice()).collect();
        let order = order_of_use(&uses).map_err(|path| circle(&definitions, path))?;
        let mut formulas = vec![Quantity::Number(f64::NAN); definitions.len()];
        for k in &order {
            let definition = &definitions[*k];
            let blame =
                |e: Error| e.of(format!("parameter '{}'", definition.name)).at_opt(definition.key_span.as_ref());
            let (formula, kind) = evaluate(definition, &found).map_err(blame)?;
            found.list[*k] = match given.get(definition.name.as_str()) {
                Some(value) => *value,
                None => formula.value(&Binding::new(&found.list)).map_err(blame)?,
            };
            formulas[*k] = formula;
            found.known.insert(definition.name.clone(), (*k, kind));
        }
        found.values = definitions.iter().zip(&found.list).map(|(d, value)| (d.name.clone(), *value)).collect();
        let named = definitions.into_iter().map(|d| d.name).zip(formulas).collect();
        found.plan = ParametersPlan::new(named, order);
        Ok(found)
    }
}

fn definitions(table: &Table, set: &[(String, String)]) -> Result<Vec<Definition>> {
    let mut definitions: Vec<Definition> = Vec::new();
    for entry in &table.entries {
        check_name(&entry.key)
            .map_err(|e| e.of(format!("parameter '{}'", entry.key)).at_opt(entry.key_span.as_ref()))?;
        definitions.push(Definition {
            name: entry.key.clone(),
            key_span: entry.key_span.clone(),
            defined_at: entry.key_span.clone(),
            node: entry.node.clone(),
            uses: Vec::new(),
        });
    }
    let index: HashMap<&str, usize> = table.entries.iter().enumerate().map(|(k, e)| (e.key.as_str(), k)).collect();
    for (name, text) in set {
        let source = Source::new(format!("--set {name}"), text.as_str());
        let span = Span::new(&source, 0..text.len());
        let Some(definition) = index.get(name.as_str()).and_then(|k| definitions.get_mut(*k)) else {
            let names: Vec<&str> = table.entries.iter().map(|e| e.key.as_str()).collect();
            let error = Error::new(format!("--set {name}={text}: the model has no parameter '{name}'"));
            return Err(match names.is_empty() {
                true => error.note("it has no [parameters] at all"),
                false => error.suggest(name, names),
            });
        };
        definition.node = Node::from(text.as_str()).at(&span);
        definition.key_span = None;
    }
    Ok(definitions)
}

fn check_name(name: &str) -> Result<()> {
    if expr::is_reserved(name) {
        return Err(Error::new(format!("'{name}' has a meaning of its own in every expression"))
            .note("give the parameter another name"));
    }
    let fine = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(fine) || name.starts_with('-') {
        return Err(Error::new("a parameter's name is made of letters, digits, _ and -, and does not begin with -"));
    }
    if expr::is_quantity(name) {
        return Err(Error::new(format!("'{name}' is a number in every expression, so it cannot name a parameter"))
            .note("begin the name with a letter"));
    }
    Ok(())
}

/// The beginning of an expression, for a message.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

fn evaluate(definition: &Definition, scope: &Parameters) -> Result<(Quantity, Kind)> {
    let node = &definition.node;
    if let Some(value) = values::plain_number(node)? {
        return Ok((Quantity::Number(value), Kind::Any));
    }
    let Value::Text(text) = &node.value else {
        return Err(wrong(node, format!("a parameter is a number or an expression, not {}", describe(node))));
    };
    // A formula whose place a number takes needs no value; otherwise it is evaluated next.
    let expression = values::of_any_value(node, "a parameter", text, None, scope)?;
    let kind = match expression.kind() {
        Kind::Pure => Kind::Any,
        kind => kind,
    };
    match values::constant(node, text, expression) {
        Ok(quantity) => Ok((quantity, kind)),
        Err(_) => Err(wrong(node, "a parameter must be a constant")),
    }
}

fn circle(definitions: &[Definition], mut path: Vec<usize>) -> Error {
    let first = &definitions[path[0]];
    path.push(path[0]);
    let names: Vec<&str> = path.iter().map(|k| definitions[*k].name.as_str()).collect();
    let message = if names.len() == 2 {
        "its value refers to itself".to_string()
    } else {
        format!("the values go round in a circle: {}", names.join(" → "))
    };
    Error::new(message)
        .of(format!("parameter '{}'", first.name))
        .at_opt(first.node.span.as_ref())
        .note(if names.len() == 2 { "give it a number" } else { "give one of them a number" })
}

#[cfg(test)]
mod tests {
    use super::super::toml::parse;
    use super::*;

    fn read(text: &str, set: &[(&str, &str)]) -> Result<Parameters> {
        let tree = parse(&Source::new("m.toml", text))?;
        let set: Vec<(String, String)> = set.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Parameters::read(tree.get("parameters"), &set, &[])
    }

    #[test]
    fn any_order_and_overrides() {
        let text = "[parameters]\nc = \"a + b\"\nb = \"2*a\"\na = 3\nlength = \"25 mm\"";
        let found = read(text, &[]).unwrap();
        assert_eq!(found.values()[..3], [("c".into(), 9.0), ("b".into(), 6.0), ("a".into(), 3.0)]);
        assert_eq!(
            found.lookup("length").map(|n| matches!(n, Name::Parameter(3, Kind::Known(_))) && found.value(3) == 0.025),
            Some(true)
        );
        let found = read(text, &[("a", "b/4"), ("b", "8")]).unwrap();
        assert_eq!(found.values()[..3], [("c".into(), 10.0), ("b".into(), 8.0), ("a".into(), 2.0)]);
    }

    #[test]
    fn circles_are_named() {
        let error = read("[parameters]\na = \"b\"\nb = \"c+1\"\nc = \"2*a\"", &[]).unwrap_err();
        assert!(error.message().contains("a → b → c → a"), "{error}");
        assert!(read("[parameters]\na = \"a\"", &[]).unwrap_err().message().contains("itself"));
        // A long chain must not exhaust the stack.
        let chain: String = (0..20_000).map(|k| format!("p{k} = \"p{}\"\n", k + 1)).collect();
        let found = read(&format!("[parameters]\n{chain}p20000 = 7"), &[]).unwrap();
        assert_eq!(found.values()[0].1, 7.0);
    }

    #[test]
    fn an_unknown_override_lists_parameters() {
        let error = read("[parameters]\ncrank = 1", &[("crnak", "2")]).unwrap_err();
        assert!(error.to_string().contains("did you mean 'crank'?"), "{error}");
    }

    #[test]
    fn names_that_units_have_are_told() {
        let with = |body: &str| {
            let text = format!("[parameters]\n{body}");
            let found = read(&text, &[]).unwrap();
            found.check_unit_names().map(|warnings| warnings.len())
        };
        assert_eq!(with("m = 0.8\nk = \"3*m\"\nx = \"5 N*mm\"").unwrap(), 1);
        let error = with("x = \"5 N*m\"\nm = 0.8").unwrap_err();
        assert_eq!(error.span().map(|s| s.line_column().0), Some(3), "{error}");
        assert!(error.to_string().contains("'5 N*m'") && error.to_string().contains("metre"), "{error}");
        for name in ["5mm", "2e3", "7", "1e2N"] {
            let error = read(&format!("[parameters]\n{name} = 1"), &[]).unwrap_err();
            assert!(error.message().contains("is a number in every expression"), "{error}");
        }
        assert!(read("[parameters]\n5th = 1", &[]).is_ok());
    }
}
