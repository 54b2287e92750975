//! What names what: attributes that name something that moves, and names of what stands in an element.

use crate::foreign::element::Attribute;
use crate::foreign::Element;
use std::collections::HashSet;

/// Attributes that name what moves.
pub(super) const MOVING: &[&str] = &[
    "joint",
    "joint1",
    "joint2",
    "jointinparent",
    "body",
    "body1",
    "body2",
    "site",
    "site1",
    "site2",
    "tendon",
    "tendon1",
    "tendon2",
    "slidersite",
    "cranksite",
    "refsite",
    "geom",
    "sidesite",
];

/// Names of what stands in an element.
pub(super) fn gather(e: &Element, out: &mut HashSet<String>) {
    out.extend(e.get("name").map(str::to_string));
    e.children.iter().for_each(|c| gather(c, out));
}

/// Whether it names any of these.
pub(super) fn names_any(e: &Element, names: &HashSet<String>) -> bool {
    let own = e.attributes.iter().any(|a| MOVING.contains(&a.name.as_str()) && names.contains(&a.value));
    own || e.children.iter().any(|c| names_any(c, names))
}

/// Gives an attribute another value.
pub(super) fn set(e: &mut Element, name: &str, value: String) {
    let span = e.span.clone();
    e.attributes.retain(|a| a.name != name);
    e.attributes.push(Attribute { name: name.into(), value, span });
}

/// Numbers as an attribute.
pub(super) fn words(values: &[f64]) -> String {
    values.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ")
}
