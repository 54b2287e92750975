//! Default classes: attributes that elements have where they say nothing, inherited from class to class.

use crate::foreign::element::Attribute;
use crate::foreign::Element;
use biela_base::error::Result;
use std::collections::HashMap;

/// The class of what names none.
pub(super) const MAIN: &str = "main";

/// Attributes by class and tag, with those of the classes around it.
#[derive(Debug, Default)]
pub(super) struct Classes(HashMap<String, HashMap<String, Vec<Attribute>>>);

pub(super) fn read(root: &Element) -> Result<Classes> {
    let mut classes = Classes::default();
    classes.0.insert(MAIN.into(), HashMap::new());
    for e in root.all("default") {
        classes.add(e, MAIN)?;
    }
    Ok(classes)
}

impl Classes {
    /// The depth is bounded by the parser.
    fn add(&mut self, e: &Element, parent: &str) -> Result<()> {
        let name = e.get("class").unwrap_or(MAIN).to_string();
        let mut own =
            self.0.get(if self.0.contains_key(&name) { name.as_str() } else { parent }).cloned().unwrap_or_default();
        for child in e.children.iter().filter(|c| c.tag != "default") {
            let merged = merge(own.get(&child.tag).map_or(&[][..], Vec::as_slice), &child.attributes);
            own.insert(child.tag.clone(), merged);
        }
        self.0.insert(name.clone(), own);
        e.all("default").try_for_each(|inner| self.add(inner, &name))
    }

    /// The element with what its class adds to it: its own `class`, or the one that the bodies around it give.
    pub fn filled(&self, e: &Element, inherited: &str) -> Result<Element> {
        let class = e.get("class").unwrap_or(inherited);
        let Some(found) = self.0.get(class) else {
            return Err(e.error(format!("there is no default class '{class}'")));
        };
        let mut filled = e.clone();
        if let Some(attributes) = found.get(&e.tag) {
            filled.attributes = merge(attributes, &e.attributes);
        }
        Ok(filled)
    }
}

/// The second attributes, and those of the first that the second do not have.
fn merge(first: &[Attribute], second: &[Attribute]) -> Vec<Attribute> {
    const TURNS: &[&str] = &["quat", "axisangle", "euler", "xyaxes", "zaxis"];
    let turned = second.iter().any(|a| TURNS.contains(&a.name.as_str()));
    let kept =
        |a: &&Attribute| second.iter().all(|b| b.name != a.name) && !(turned && TURNS.contains(&a.name.as_str()));
    first.iter().filter(kept).chain(second).cloned().collect()
}
