//! A model's elements by their names, for whoever takes many names apart: one look into a table for each dot of a name, where
//! [`Signal::parse`] compares it with the names of all elements.

use super::{parse, Element, Signal};
use crate::model::Model;
use crate::signal_name;
use std::collections::HashMap;

/// Elements of a model by name.
#[derive(Debug)]
pub struct Index<'m> {
    model: &'m Model,
    joints: HashMap<&'m str, usize>,
    bodies: HashMap<&'m str, usize>,
    /// Elements with efforts, each of which bears the name alone or before a dot: their places in [`parse::effort_elements`].
    efforts: HashMap<String, Vec<usize>>,
    effort_elements: Vec<Element>,
}

impl<'m> Index<'m> {
    /// Of a model.
    pub fn new(model: &'m Model) -> Index<'m> {
        let effort_elements: Vec<Element> = parse::effort_elements(model).collect();
        let mut efforts: HashMap<String, Vec<usize>> = HashMap::new();
        for (k, element) in effort_elements.iter().enumerate() {
            efforts.entry(element.name(model)).or_default().push(k);
        }
        Index {
            model,
            joints: model.joints.iter().enumerate().map(|(k, joint)| (joint.name.as_str(), k)).collect(),
            bodies: model.bodies.iter().enumerate().skip(1).map(|(k, body)| (body.name.as_str(), k)).collect(),
            efforts,
            effort_elements,
        }
    }

    /// The signal of that name, the same as [`Signal::parse`] finds.
    pub fn parse(&self, name: &str) -> Option<Signal> {
        let model = self.model;
        let among = |of: &HashMap<&str, usize>| {
            let mut found: Vec<usize> =
                signal_name::splits(name).filter_map(|(start, _)| of.get(start).copied()).collect();
            found.sort_unstable();
            found
        };
        let effort = || {
            let starts = signal_name::splits(name).map(|(start, _)| start).chain([name]);
            let mut found: Vec<usize> = starts.filter_map(|start| self.efforts.get(start)).flatten().copied().collect();
            found.sort_unstable();
            found.into_iter().find_map(|k| self.effort_elements[k].named(model, name))
        };
        parse::alone(model, name)
            .or_else(|| among(&self.joints).into_iter().find_map(|j| parse::of_one_joint(model, j, name)))
            .or_else(|| among(&self.bodies).into_iter().find_map(|k| parse::of_one_body(model, k, name)))
            .or_else(effort)
            .or_else(|| parse::of_matrix(model, name))
            .or_else(|| parse::of_rest(model, name))
    }
}
