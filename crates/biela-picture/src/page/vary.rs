//! Motions of one model with other values of its parameters, for sliders in a page.

use super::data::{self, Extent};
use crate::look::Look;
use crate::{Animation, Scene};
use biela_base::display_units::Scale;
use serde_json::{json, Value};

/// A parameter that a page varies.
#[derive(Debug, Clone)]
pub struct Variation {
    /// Its name.
    pub name: String,
    /// Unit in which people read it.
    pub scale: Scale,
    /// Its values, in SI, ascending.
    pub values: Vec<f64>,
    /// Which of them is next to the model's own.
    pub base: usize,
    /// The model's own.
    pub own: f64,
}

/// A motion for some values, as a page reads it: with the signals that people look at first alone.
#[derive(Debug, Clone)]
pub struct Case(String);

/// All that a page varies.
#[derive(Debug, Clone)]
pub struct Varied {
    /// The parameters.
    pub parameters: Vec<Variation>,
    /// Whether each is varied with the others at their own values; else all combinations are there.
    pub alone: bool,
    /// Places of values, and the motion that they give, or why there is none.
    pub cases: Vec<(Vec<usize>, Result<Case, String>)>,
}

/// The picture with the model's own values, of which others keep what they have in common.
#[derive(Debug, Clone)]
pub struct Own(Vec<Value>);

impl Own {
    /// Of this scene.
    pub fn new(scene: &Scene) -> Own {
        Own(data::surfaces(scene))
    }
}

impl Case {
    /// A motion and how it is drawn, in a page about `own`.
    pub fn new(scene: &Scene, motion: &Animation, own: &Own) -> Case {
        Case(data::told(scene, motion, &Look::default(), Extent::Short, &own.0))
    }

    /// How long it is.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }
}

impl Varied {
    /// As the page reads it.
    pub(super) fn data(&self) -> String {
        let parameters: Vec<_> = self
            .parameters
            .iter()
            .map(|p| json!({ "name": p.name, "shown": p.scale.unit, "ratio": p.scale.ratio(), "values": p.values, "base": p.base, "own": p.own }))
            .collect();
        let cases: Vec<String> = self
            .cases
            .iter()
            .map(|(places, case)| match case {
                Ok(case) => format!("{{\"at\":{},\"data\":{}}}", json!(places), case.0),
                Err(why) => data::safe(&json!({ "at": places, "why": why }).to_string()),
            })
            .collect();
        let head = data::safe(&json!({ "parameters": parameters, "alone": self.alone }).to_string());
        format!("{},\"cases\":[{}]}}", &head[..head.len() - 1], cases.join(","))
    }
}
