//! Numbers, vectors and expressions out of nodes, with messages that say what was expected.

use super::tree::{Node, Value};
use biela_base::error::{listing, nearest, Error, Result};
use biela_base::signal_name;
use biela_base::source::Span;
use biela_base::units::{self, Dimension};
use biela_core::blueprint::{fault_of_value, is_computable, Formula, Quantity};
use biela_core::expr::{Expression, Scope};

/// What a node is, with its value where that is short: `the string 'abc'`, `a list of 2`.
pub(super) fn describe(node: &Node) -> String {
    const LONGEST: usize = 40;
    match &node.value {
        Value::Bool(b) => format!("{b}"),
        Value::Integer(n) => format!("the number {n}"),
        Value::Number(x) => format!("the number {x}"),
        Value::Text(text) if text.chars().count() <= LONGEST => format!("the string '{text}'"),
        Value::Text(_) => "a string".into(),
        Value::List(list) => format!("a list of {}", list.len()),
        Value::Table(_) => "a table".into(),
    }
}

/// An error at the node.
pub(super) fn wrong(node: &Node, message: impl Into<String>) -> Error {
    Error::new(message).at_opt(node.span.as_ref())
}

/// The node's place without the quotes, where the text stands there as it is, so that places inside it are exact.
pub(super) fn text_place(node: &Node, text: &str) -> Option<Span> {
    let span = node.span.as_ref()?;
    let written = span.source.text.get(span.range.clone())?;
    ["\"\"\"", "'''", "\"", "'", ""].iter().find_map(|quote| {
        let inner = written.strip_prefix(quote)?.strip_suffix(quote)?;
        let skipped = if inner == text {
            0
        } else if inner.strip_prefix("\r\n") == Some(text) {
            2
        } else if inner.strip_prefix('\n') == Some(text) {
            1
        } else {
            return None;
        };
        let start = span.range.start + quote.len() + skipped;
        Some(Span::new(&span.source, start..start + text.len()))
    })
}

/// Reads an expression and checks its dimension and, where it is a constant, its value.
pub(super) fn expression(
    node: &Node,
    what: &str,
    text: &str,
    wanted: Option<Dimension>,
    scope: &dyn Scope,
) -> Result<Expression> {
    let expression = of_any_value(node, what, text, wanted, scope)?;
    match expression.as_constant().and_then(|value| fault_of_value(text, value)) {
        Some(fault) => Err(fault.at_opt(text_place(node, text).as_ref().or(node.span.as_ref()))),
        None => Ok(expression),
    }
}

/// Reads an expression and checks its dimension alone.
pub(super) fn of_any_value(
    node: &Node,
    what: &str,
    text: &str,
    wanted: Option<Dimension>,
    scope: &dyn Scope,
) -> Result<Expression> {
    let place = text_place(node, text);
    if text.trim().is_empty() {
        return Err(wrong(node, format!("{what} is an empty string; a number or an expression is expected")));
    }
    let expression = Expression::parse(text, scope).map_err(|mut e| {
        let culprit = text.get(e.range.clone()).unwrap_or("").to_string();
        let told = !scope.components(&culprit).is_empty() || scope.advice(&culprit).is_some();
        let unknown = e.message.starts_with("unknown name") && !told;
        if let Some(notes) = coordinates_of(&culprit, scope).filter(|_| unknown) {
            e.notes = notes;
        }
        let error = match &place {
            Some(span) => e.into_error(Some(span)),
            // The text is escaped in the file: the caret marks all of it.
            None => e.into_error(None).at_opt(node.span.as_ref()),
        };
        match culprit.as_str() {
            "t" if scope.lookup("t").is_none() => error.note(format!("{what} cannot change with time")),
            c if c.contains('.') && scope.lookup("t").is_none() => {
                error.note(format!("{what} is a constant: joint coordinates cannot be used here"))
            }
            _ => error,
        }
    })?;
    if let Some(message) = wanted.and_then(|wanted| units::mismatch(text, expression.kind(), wanted)) {
        let error = Error::new(message).at_opt(place.as_ref().or(node.span.as_ref()));
        return Err(error.note(format!("{what} is {}", wanted.map(Dimension::phrase_with_unit).unwrap_or_default())));
    }
    Ok(expression)
}

/// What the joint in an unknown name such as `S.angle` does offer.
fn coordinates_of(culprit: &str, scope: &dyn Scope) -> Option<Vec<String>> {
    let (joint, _) = signal_name::splits(culprit).next()?;
    let names = scope.names();
    let offered: Vec<&str> = names.iter().map(String::as_str).filter(|n| signal_name::is_of(n, joint)).collect();
    if offered.is_empty() {
        return None;
    }
    let near = nearest(culprit, &offered).map(|near| format!("did you mean '{near}'?"));
    Some([format!("'{joint}' offers {}", listing(&offered))].into_iter().chain(near).collect())
}

/// A number without expressions, refused where it is not finite; `None` for anything but a number.
pub(super) fn plain_number(node: &Node) -> Result<Option<f64>> {
    match node.value {
        Value::Integer(n) => Ok(Some(n as f64)),
        Value::Number(x) if is_computable(x) => Ok(Some(x)),
        Value::Number(x) => {
            // As it is written, where that is known: 1e999 says more than inf.
            let written = node.span.as_ref().and_then(|s| s.source.text.get(s.range.clone()));
            let number = |w: &&str| w.replace('_', "").parse::<f64>().is_ok();
            let shown = written.filter(number).map_or_else(|| format!("{x:e}"), str::to_string);
            let fault = fault_of_value(&shown, x).filter(|_| x.is_finite());
            let fault = fault.unwrap_or_else(|| Error::new(format!("'{shown}' is not a finite number")));
            Err(fault.at_opt(node.span.as_ref()))
        }
        _ => Ok(None),
    }
}

/// A number of the wanted dimension; where a parameter stands in it, what is read holds for the parameter's value alone.
pub(super) fn number(node: &Node, what: &str, wanted: Option<Dimension>, scope: &dyn Scope) -> Result<f64> {
    match quantity(node, what, wanted, scope)? {
        Quantity::Number(x) => Ok(x),
        Quantity::Formula(formula) => {
            formula.expression.parameters().for_each(|place| scope.hold(place));
            Ok(formula.expression.as_constant().unwrap_or(f64::NAN))
        }
    }
}

/// A number of the wanted dimension, or the formula of parameters that gives it.
pub(super) fn quantity(node: &Node, what: &str, wanted: Option<Dimension>, scope: &dyn Scope) -> Result<Quantity> {
    if let Some(x) = plain_number(node)? {
        return Ok(Quantity::Number(x));
    }
    let Value::Text(text) = &node.value else {
        let phrase = wanted.map_or("a number".to_string(), Dimension::phrase_with_unit);
        return Err(wrong(node, format!("{what} is {phrase}: a number or an expression, not {}", describe(node))));
    };
    let read = expression(node, what, text, wanted, scope)?;
    match constant(node, text, read) {
        Ok(quantity) => Ok(quantity),
        Err(_) => Err(wrong(node, format!("{what} must be a constant, but '{text}' is not"))),
    }
}

/// An expression that uses no variable, as a quantity; the expression itself where it uses some.
pub(super) fn constant(node: &Node, text: &str, expression: Expression) -> std::result::Result<Quantity, Expression> {
    match expression.as_constant() {
        None => Err(expression),
        Some(x) if !expression.has_parameters() && is_computable(x) => Ok(Quantity::Number(x)),
        Some(_) => {
            let span = text_place(node, text).or_else(|| node.span.clone());
            Ok(Quantity::Formula(Box::new(Formula { expression, span })))
        }
    }
}

/// A list of `N` numbers.
pub(super) fn quantities<const N: usize>(
    node: &Node,
    what: &str,
    wanted: Option<Dimension>,
    scope: &dyn Scope,
) -> Result<[Quantity; N]> {
    let list = items(node, what, &[N])?;
    let mut found = [const { Quantity::Number(0.0) }; N];
    for (slot, item) in found.iter_mut().zip(list) {
        *slot = quantity(item, what, wanted, scope)?;
    }
    Ok(found)
}

/// The entries of a list whose length must be one of `lengths`.
pub(super) fn items<'n>(node: &'n Node, what: &str, lengths: &[usize]) -> Result<&'n [Node]> {
    let allowed = lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
    let Value::List(list) = &node.value else {
        return Err(wrong(node, format!("{what} is a list of {allowed} numbers, not {}", describe(node))));
    };
    if lengths.contains(&list.len()) {
        return Ok(list);
    }
    let plural = if list.len() == 1 { "entry" } else { "entries" };
    let error = wrong(node, format!("{what} is a list of {allowed} numbers; this one has {} {plural}", list.len()));
    let whole = |n: &Node| matches!(n.value, Value::Integer(_));
    if list.len() > 3 && list.iter().any(whole) && lengths.iter().any(|l| *l < list.len()) {
        return Err(error.note("the comma separates entries; decimals are written with a point: 0.5, not 0,5"));
    }
    if list.len() == 2 && lengths == [3] {
        return Err(error.note(PLANE_DRAWING));
    }
    Err(error)
}

/// What to do with two components where three are needed.
pub(super) const PLANE_DRAWING: &str =
    "in a plane drawing the third component is 0; with planar = true at the top of the model vectors have two";
