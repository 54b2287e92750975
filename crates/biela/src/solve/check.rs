//! What a mechanism is: counts, ranks, redundancies, drivers. The initial filter of the thesis, and more.

use crate::error::Result;
use crate::model::Model;
use crate::results::significant;
use crate::solve::assemble::assemble;
use crate::solve::follow::check_drivers;
use crate::solve::mobility;
use crate::system::{Owner, System, Workspace};
use serde_json::{json, Value};

/// The report of `biela check`. Counts are without drivers, in the chosen formulation.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the model.
    pub name: String,
    /// Formulation counted in.
    pub formulation: String,
    /// Moving bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Coordinates.
    pub coordinates: usize,
    /// Equations: rows of joints and couplings, and normalisations.
    pub equations: usize,
    /// Independent ones among them.
    pub rank: usize,
    /// Grübler-Kutzbach: 6 · bodies − rows of joints and couplings.
    pub grubler: i64,
    /// The thesis's own count, in which the ground is a body: coordinates and equations.
    pub thesis: (usize, usize),
    /// Freedoms in the assembled position.
    pub instantaneous_mobility: usize,
    /// Bodies that spin alone.
    pub idle: Vec<String>,
    /// Prescribed coordinates.
    pub drivers: usize,
    /// Freedoms without a driver, idle ones not counted.
    pub undriven: usize,
    /// Names of what is still free to move.
    pub loose: Vec<String>,
    /// Driver equations too many.
    pub overdriven: usize,
    /// Drivers any of which could be left out.
    pub superfluous_drivers: Vec<String>,
    /// Joints (or couplings) with redundant rows, and the components those withhold.
    pub redundant: Vec<(String, Vec<&'static str>)>,
    /// Greatest over least singular value of the independent part of Φ_v, drivers included.
    pub condition: Option<f64>,
    /// Largest scaled residual as assembled.
    pub residual: f64,
    /// Rows of each joint and coupling, in order: name, type, rows.
    pub rows: Vec<(String, &'static str, usize)>,
    /// Size by which lengths are divided.
    pub size: f64,
}

/// Assembles `model` at the start of its run and counts.
pub fn check(model: &Model, formulation: &str) -> Result<Report> {
    let t = model.run.start;
    let system = System::new(model, formulation)?;
    check_drivers(&system, t)?;
    let mut ws = Workspace::new(&system);
    let q = assemble(&system, &mut ws, t)?;
    let residual = ws.realize_position(&system, t, &q);
    let counted = mobility::count(&system, &mut ws, t);
    let constraints = &system.constraints;
    let implicit = system.formulation.implicit_equations();
    let rows: Vec<(String, &'static str, usize)> = (model.joints.iter())
        .map(|j| (j.name.clone(), j.kind.keyword(), j.kind.rows(j).len()))
        .chain(model.couplings.iter().map(|c| (c.name.clone(), c.kind.keyword(), 1)))
        .collect();
    let joint_rows: usize = rows.iter().map(|r| r.2).sum();
    let bodies = model.bodies.len() - 1;
    let mut redundant: Vec<(String, Vec<&'static str>)> = Vec::new();
    for i in &counted.redundant_rows {
        let name = match constraints.owner(*i) {
            Owner::Joint(k) => model.joints[k].name.clone(),
            Owner::Coupling(k) => model.couplings[k].name.clone(),
            owner => system.owner_name(owner),
        };
        let component = constraints.component(*i);
        match redundant.iter_mut().find(|r| r.0 == name) {
            Some(entry) => entry.1.push(component),
            None => redundant.push((name, vec![component])),
        }
    }
    let superfluous: Vec<usize> =
        if counted.overdriven > 0 { mobility::idle_drivers(&system, &mut ws, t) } else { Vec::new() };
    let condition = mobility::condition(&system, &mut ws, t, counted.driven_rank);
    ws.hold_spins(&system, counted.idle.clone());
    let loose = if counted.undriven > 0 { mobility::loose_joints(&system, &mut ws, t) } else { Vec::new() };
    Ok(Report {
        name: model.name.clone(),
        formulation: formulation.into(),
        bodies,
        joints: model.joints.len(),
        coordinates: system.formulation.nq(),
        equations: constraints.undriven() + implicit,
        rank: counted.rank + implicit,
        grubler: 6 * bodies as i64 - joint_rows as i64,
        // The ground's seven coordinates are fixed by six equations and a normalisation.
        thesis: (7 * (bodies + 1), joint_rows + bodies + 7),
        instantaneous_mobility: counted.freedoms,
        idle: counted.idle.iter().map(|s| model.bodies[s.body].name.clone()).collect(),
        drivers: constraints.len() - constraints.undriven(),
        undriven: counted.undriven,
        loose,
        overdriven: counted.overdriven,
        superfluous_drivers: superfluous.iter().map(|k| model.drivers[*k].name.clone()).collect(),
        redundant,
        condition,
        residual,
        rows,
        size: ws.size,
    })
}

impl Report {
    /// The report with the keys of the user's contract. What later analyses will tell is null.
    pub fn json(&self) -> Value {
        let redundant: Vec<Value> = self
            .redundant
            .iter()
            .map(|(joint, components)| json!({"joint": joint, "components": components}))
            .collect();
        json!({
            "name": self.name,
            "formulation": self.formulation,
            "bodies": self.bodies,
            "joints": self.joints,
            "coordinates": self.coordinates,
            "equations": self.equations,
            "rank": self.rank,
            "grubler": self.grubler,
            "thesis": [self.thesis.0, self.thesis.1],
            "mobility": Value::Null,
            "instantaneous_mobility": self.instantaneous_mobility,
            "idle": self.idle,
            "drivers": self.drivers,
            "undriven": self.undriven,
            "loose": self.loose,
            "overdriven": self.overdriven,
            "redundant": redundant,
            "indeterminate_reactions": Value::Null,
            "condition": self.condition,
            "singularity_distance": Value::Null,
            "assembled": true,
            "residual": self.residual,
            "size": self.size,
        })
    }

    /// The report in words.
    pub fn text(&self) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let _ = writeln!(
            out,
            "{}: {} moving bod{}, {} joint{}, {} driver{}",
            self.name,
            self.bodies,
            if self.bodies == 1 { "y" } else { "ies" },
            self.joints,
            plural(self.joints),
            self.drivers,
            plural(self.drivers)
        );
        let _ = writeln!(out, "assembled: residual {:.1e}, size {:.6} m", self.residual, self.size);
        let _ = writeln!(out);
        let width = self.rows.iter().map(|r| r.0.chars().count() + r.1.len() + 3).max().unwrap_or(0).max(34);
        let mut line = |label: &str, value: String| {
            let _ = writeln!(out, "  {label:<width$}  {value:>6}");
        };
        line(&format!("coordinates ({})", self.formulation), self.coordinates.to_string());
        // A long list helps nobody; the sum below counts all.
        const MOST: usize = 30;
        for (name, kind, rows) in self.rows.iter().take(MOST) {
            line(&format!("  {name} ({kind})"), rows.to_string());
        }
        if self.rows.len() > MOST {
            line(&format!("  … {} more", self.rows.len() - MOST), String::new());
        }
        line("equations", self.equations.to_string());
        line("  independent (rank)", self.rank.to_string());
        line("  redundant", (self.equations - self.rank).to_string());
        line("thesis count, ground included", format!("{} coordinates, {} equations", self.thesis.0, self.thesis.1));
        line("Grübler-Kutzbach mobility", self.grubler.to_string());
        line("mobility here (from the rank)", self.instantaneous_mobility.to_string());
        line("  idle (a body spinning alone)", self.idle.len().to_string());
        if let Some(condition) = self.condition {
            line("condition", significant(condition, 4));
        }
        let _ = writeln!(out);
        if !self.redundant.is_empty() {
            let list: Vec<String> = self.redundant.iter().map(|(j, c)| format!("{j} ({})", c.join(", "))).collect();
            let _ = writeln!(out, "redundant constraints, one possible choice: {}", list.join("; "));
        }
        if !self.idle.is_empty() {
            let _ = writeln!(out, "idle: {} may spin about its own line; the spin is held", self.idle.join(", "));
        }
        let _ = match (self.overdriven, self.undriven) {
            (0, 0) => writeln!(out, "drivers: they determine the motion"),
            (0, free) => writeln!(
                out,
                "under-driven: {free} freedom{} without a driver; still free: {}",
                plural(free),
                self.loose.join(", ")
            ),
            (over, _) => writeln!(
                out,
                "over-driven: {over} driver equation{} too many; any of these could go: {}",
                plural(over),
                self.superfluous_drivers.join(", ")
            ),
        };
        out
    }
}
