//! Default classes: attributes that elements have where they say nothing, inherited from class to class.

use crate::foreign::element::Attribute;
use crate::foreign::Element;
use biela_base::error::Result;
use std::collections::HashMap;

/// The attribute of a class that is below none. No file can have it, since names of attributes have no blanks.
pub(super) const DETACHED: &str = "below none";

/// The class of what names none.
pub(super) const MAIN: &str = "main";

/// Classes by their names.
#[derive(Debug, Default)]
pub(super) struct Classes(HashMap<String, Class>);

/// What a class says itself, and the class around it.
#[derive(Debug, Default)]
struct Class {
    parent: Option<String>,
    tags: HashMap<String, Vec<Attribute>>,
}

pub(super) fn read(root: &Element) -> Result<Classes> {
    let mut classes = Classes::default();
    classes.0.insert(MAIN.into(), Class::default());
    for e in root.all("default") {
        classes.add(e, None)?;
    }
    Ok(classes)
}

impl Classes {
    /// The depth is bounded by the parser.
    fn add(&mut self, e: &Element, parent: Option<&str>) -> Result<()> {
        let name = e.get("class").unwrap_or(MAIN).to_string();
        if parent.is_some() && self.0.contains_key(&name) {
            return Err(e.error(format!("a second default class '{name}'")));
        }
        let class = self.0.entry(name.clone()).or_default();
        let around = if e.get(DETACHED).is_some() { None } else { parent.or(Some(MAIN)) };
        class.parent = around.filter(|p| *p != name).map(str::to_string);
        for child in e.children.iter().filter(|c| c.tag != "default") {
            let merged = merge(class.tags.get(&child.tag).map_or(&[][..], Vec::as_slice), &child.attributes);
            class.tags.insert(child.tag.clone(), merged);
        }
        e.all("default").try_for_each(|inner| self.add(inner, Some(&name)))
    }

    /// The element with what its class and the classes around that add to it: its own `class`, or the one that the bodies around it give.
    pub fn filled(&self, e: &Element, inherited: &str) -> Result<Element> {
        let class = e.get("class").unwrap_or(inherited);
        let mut at = self.0.get(class);
        if at.is_none() {
            return Err(e.error(format!("there is no default class '{class}'")));
        }
        let mut filled = e.clone();
        while let Some(class) = at {
            if let Some(attributes) = class.tags.get(&e.tag) {
                filled.attributes = merge(attributes, &filled.attributes);
            }
            // A class has another name than those around it, so this ends.
            at = class.parent.as_ref().and_then(|name| self.0.get(name));
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
