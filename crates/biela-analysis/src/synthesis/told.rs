//! The outcome of a synthesis, for people and for programs.

use super::{Design, Outcome};
use crate::display_units::DisplayUnits;
use serde_json::{json, Value};
use std::fmt::Write;

/// Designs that people are told of: the best.
const SHOWN: usize = 20;

impl Outcome {
    /// For programs, SI.
    pub fn json(&self) -> Value {
        let design = |d: &Design| {
            let parameters: serde_json::Map<String, Value> =
                d.parameters.iter().map(|(name, x)| (name.to_string(), json!(x))).collect();
            json!({
                "curve": d.curve,
                "class": d.judged.class,
                "defects": d.judged.defects.iter().map(|d| d.word()).collect::<Vec<_>>(),
                "transmission": d.judged.transmission,
                "parameters": parameters,
                "model": d.model,
            })
        };
        json!({
            "roots": self.roots,
            "complex": self.complex,
            "real": self.real,
            "complete": self.complete,
            "proof": self.proof,
            "refused": self.refused,
            "designs": self.designs.iter().map(design).collect::<Vec<_>>(),
        })
    }
}

impl Outcome {
    /// For people.
    pub fn text(&self, units: &DisplayUnits) -> String {
        let mut text = format!(
            "{} roots, {} solutions, {} of them real; {}\n",
            self.roots,
            self.complex,
            self.real,
            if self.complete { "proved to be all" } else { "not proved to be all" }
        );
        let _ = writeln!(text, "{}", self.proof);
        let length = units.scale("m");
        let _ = writeln!(
            text,
            "{} designs{}",
            self.designs.len(),
            if self.refused > 0 { format!(", and {} that the limits refuse", self.refused) } else { String::new() }
        );
        if self.designs.is_empty() {
            return text;
        }
        let _ = writeln!(
            text,
            "\n{:>6}  {:>5}  {:14}  {:22}  {:>12}  dimensions [{}, deg]",
            "number", "curve", "class", "defects", "transmission", length.unit
        );
        for (k, d) in self.designs.iter().take(SHOWN).enumerate() {
            let defects: Vec<&str> = d.judged.defects.iter().map(|d| d.word()).collect();
            let defects = if defects.is_empty() { "none".to_string() } else { defects.join(", ") };
            let angles = ["tilt", "start", "arm_angle"];
            let spherical = d.model.lines().all(|l| l != "planar = true");
            let shown = |(name, x): &(&str, f64)| match spherical || angles.contains(name) {
                true => format!("{name} {:.2}", x.to_degrees()),
                false if *name == "branch" => format!("{name} {x}"),
                false => format!("{name} {:.5}", length.shown(*x)),
            };
            let dimensions: Vec<String> = d.parameters.iter().map(shown).collect();
            let _ = writeln!(
                text,
                "{:>6}  {:>5}  {:14}  {:22}  {:>8.2} deg  {}",
                k + 1,
                d.curve,
                d.judged.class.unwrap_or(""),
                defects,
                d.judged.transmission.to_degrees(),
                dimensions.join(", ")
            );
        }
        if self.designs.len() > SHOWN {
            let _ = writeln!(text, "and {} more", self.designs.len() - SHOWN);
        }
        text
    }
}
