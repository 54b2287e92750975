//! What a mechanism is: counts, ranks, redundancies, drivers. The initial filter of the thesis, and more.

use crate::assembly_modes;
use crate::display_units::DisplayUnits;
use crate::error::{counted, some_of, Result};
use crate::joints::Space;
use crate::math::sparse::Elimination;
use crate::math::Pose;
use crate::model::Model;
use crate::range::{class_of, Class};
use crate::redundancy;
use crate::redundancy::Names;
use crate::results::significant;
use crate::run::named;
use crate::solvability::{self, Reactions};
use crate::solve::assemble::assemble;
use crate::solve::finite_mobility;
use crate::solve::mobility::{self, Factors};
use crate::solve::motion::check_drivers;
use crate::solve::singularity::{self, Kind};
use crate::suggest::{self, Change};
use crate::system::{resolve, System, Workspace};
use biela_base::sorting::{sort_by, sort_by_key};
use serde_json::{json, Value};

/// Joints (or couplings) by name with some of their components.
pub type Named = Vec<(String, Vec<&'static str>)>;

/// The report of `biela check`. Counts are without drivers, in the chosen formulation.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the model.
    pub name: String,
    /// Units in which people read it.
    pub units: DisplayUnits,
    /// Formulation counted in.
    pub formulation: String,
    /// What they move in.
    pub space: Space,
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
    /// Grübler-Kutzbach: 6 · bodies − rows of joints and couplings; 3 · bodies in a plane.
    pub grubler: i64,
    /// The thesis's own count, in which the ground is a body: coordinates and equations.
    pub thesis: (usize, usize),
    /// Freedoms in the assembled position.
    pub instantaneous_mobility: usize,
    /// What exploring the motion has shown.
    pub motion: Motion,
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
    pub redundant: Named,
    /// Greatest over least singular value of the independent part of Φ_v, drivers included.
    pub condition: Option<f64>,
    /// Distance to singularity ([`singularity::distance_in_rank`]), and the type where it is near.
    pub singularity: (Option<f64>, Option<Kind>),
    /// Largest scaled residual as assembled.
    pub residual: f64,
    /// Rows of each joint and coupling, in order: name, type, rows.
    pub rows: Vec<(String, &'static str, usize)>,
    /// Size by which lengths are divided.
    pub size: f64,
    /// Grashof's class, of a four-bar.
    pub class: Option<Class>,
}

/// What holds along the motion, from a generic position on it.
#[derive(Debug, Clone, Default)]
pub struct Motion {
    /// Freedoms that lead somewhere, idle ones included; `None` where it was not found out.
    pub mobility: Option<usize>,
    /// Freedoms by rank in a generic position: what exceeds `mobility` only trembles.
    pub generic_mobility: usize,
    /// Redundant equations all along the motion.
    pub redundancies: usize,
    /// Groups of joint components that repeat each other: how many are redundant, and the components by joint.
    pub groups: Option<Vec<(usize, Named)>>,
    /// How far reactions are determined.
    pub reactions: Option<Reactions>,
    /// Changes of joint types that leave nothing redundant, the smallest first.
    pub suggestions: Vec<Vec<Change>>,
    /// What was not told, and why.
    pub untold: Vec<String>,
}

/// Assembles `model` at the start of its run and counts.
pub fn check(model: &Model, formulation: &str) -> Result<Report> {
    let chosen = assembly_modes::chosen(model)?;
    let model = chosen.as_ref().unwrap_or(model);
    report_on(model, formulation).map_err(|e| named(e, model))
}

/// Condition of Φ_v at the start of a model's run, as [`check`] tells it; `None` where it cannot be told.
pub fn condition(model: &Model, formulation: &str) -> Option<f64> {
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    let t = model.study.start;
    let system = System::new(model, formulation).ok()?;
    check_drivers(&system, t).ok()?;
    let mut ws = Workspace::new(&system);
    let q = assemble(&system, &mut ws, t).ok()?;
    ws.realize_position(&system, t, &q);
    let counted = mobility::count(&system, &mut ws, t);
    mobility::condition(&system, &mut ws, t, counted.driven_rank)
}

fn report_on(model: &Model, formulation: &str) -> Result<Report> {
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    let t = model.study.start;
    let formulation = resolve(model, formulation);
    let system = System::new(model, formulation)?;
    check_drivers(&system, t)?;
    let mut ws = Workspace::new(&system);
    let q = assemble(&system, &mut ws, t)?;
    let residual = ws.realize_position(&system, t, &q);
    let (counted, factors) = mobility::count_by_factors(&system, &mut ws, t);
    let constraints = &system.constraints;
    let implicit = system.formulation.implicit_equations();
    let rows: Vec<(String, &'static str, usize)> = (model.joints.iter())
        .map(|j| (j.name.clone(), j.kind.keyword(), j.rows().len()))
        .chain(model.couplings.iter().map(|c| (c.name.clone(), c.kind.keyword(), 1)))
        .collect();
    let joint_rows: usize = rows.iter().map(|r| r.2).sum();
    let bodies = model.bodies.len() - 1;
    let superfluous: Vec<usize> =
        if counted.overdriven > 0 { mobility::idle_drivers(&system, &mut ws, t) } else { Vec::new() };
    let condition = mobility::condition(&system, &mut ws, t, counted.driven_rank);
    ws.hold_spins(&system, counted.idle.clone());
    let loose = if counted.undriven > 0 { mobility::loose_joints(&system, &mut ws, t) } else { Vec::new() };
    let Factors { free, all } = factors;
    let (mut motion, redundant) = match formulation {
        "absolute" => explore(&system, &mut ws, t, &q, (all.dependent_rows().is_empty(), free)),
        _ => explore_absolutely(model, &ws, t)?,
    };
    ws.realize_position(&system, t, &q);
    let singularity = nearness(&system, &mut ws, t, motion.generic_mobility, (counted.rank, all));
    let (size, coordinates, undriven) = (ws.size, system.formulation.nq(), constraints.undriven());
    let drivers = constraints.len() - undriven;
    // Names of reactions are many: where they are all that is to be told of them, they come when the numbers have gone.
    drop(ws);
    drop(system);
    if motion.groups.is_some() {
        motion.reactions.get_or_insert_with(|| Reactions::all_unique(model));
    }
    Ok(Report {
        name: model.name.clone(),
        units: model.study.units.clone(),
        formulation: formulation.into(),
        space: model.space,
        bodies,
        joints: model.joints.len(),
        coordinates,
        equations: undriven + implicit,
        rank: counted.rank + implicit,
        grubler: (model.space.freedoms() * bodies) as i64 - joint_rows as i64,
        thesis: thesis_count(model.space, bodies, joint_rows),
        instantaneous_mobility: counted.freedoms,
        motion,
        idle: counted.idle.iter().map(|s| model.bodies[s.body].name.clone()).collect(),
        drivers,
        undriven: counted.undriven,
        loose,
        overdriven: counted.overdriven,
        superfluous_drivers: superfluous.iter().map(|k| model.drivers[*k].name.clone()).collect(),
        redundant,
        condition,
        singularity,
        residual,
        rows,
        size,
        class: class_of(model),
    })
}

/// The thesis's count of coordinates and equations, in which the ground is a body: its seven coordinates are fixed by six equations and
/// a normalisation, its three of a plane by three equations.
fn thesis_count(space: Space, bodies: usize, joint_rows: usize) -> (usize, usize) {
    match space {
        Space::Spatial => (7 * (bodies + 1), joint_rows + bodies + 7),
        Space::Planar => (3 * (bodies + 1), joint_rows + 3),
    }
}

/// Distance to singularity at the position realised, and its type where near. `freedoms` is the usual number without drivers; the rank of
/// the rows without drivers there, and the factors of all rows but idle ones, are known.
fn nearness(
    system: &System,
    ws: &mut Workspace,
    t: f64,
    freedoms: usize,
    (here, factors): (usize, Elimination),
) -> (Option<f64>, Option<Kind>) {
    let (rows, undriven, nv) = (system.constraints.len(), system.constraints.undriven(), system.formulation.nv());
    let usual = (nv + ws.idle().len()).saturating_sub(freedoms).min(nv);
    ws.realize_jacobian(system, t);
    match ws.idle().is_empty() {
        true => ws.elimination = Some(factors),
        false => ws.analyse(&[]),
    }
    // Drivers that leave freedoms cannot lose what they do not hold.
    let rank = (usual + rows - undriven).min(nv);
    // Below rounding there is nothing.
    let distance = singularity::distance_in_rank(system, ws, rows, rank).map(|d| if d < 1e-15 { 0.0 } else { d });
    let kind = match distance {
        Some(d) if d < singularity::NEAR && rank == nv => Some(singularity::kind(system, ws, usual, Some(here))),
        Some(d) if d < singularity::NEAR => Some(Kind::Constraint),
        _ => None,
    };
    (distance, kind)
}

/// What holds along the motion of a system in absolute coordinates whose rows, drivers' included, are independent in the position realised:
/// the positions about it are as many as the freedoms say, the rows are independent in all but special ones of them, and so nothing is
/// redundant and every reaction unique, which is left for the caller to tell by names.
fn independent(system: &System) -> Motion {
    let freedoms = system.formulation.nv() - system.constraints.undriven();
    Motion { mobility: Some(freedoms), generic_mobility: freedoms, groups: Some(Vec::new()), ..Motion::default() }
}

/// The same as [`explore`] in absolute coordinates, where reactions of all joints show, from the position that another formulation has
/// realised.
fn explore_absolutely(model: &Model, ws: &Workspace, t: f64) -> Result<(Motion, Named)> {
    let poses: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
    let placed = model.with_guess(&poses);
    let system = System::new(&placed, "absolute")?;
    let mut ws = Workspace::new(&system);
    let q = assemble(&system, &mut ws, t)?;
    ws.realize_position(&system, t, &q);
    ws.realize_jacobian(&system, t);
    let Factors { free, all } = Factors::new(&system, &ws);
    Ok(explore(&system, &mut ws, t, &q, (all.dependent_rows().is_empty(), free)))
}

/// Explores the motion of a system in absolute coordinates from position `q`: what holds along it, and which rows (one
/// choice, by name) are redundant all along. Whether all rows are independent there is known, and factors of those without drivers may be
/// at hand.
fn explore(
    system: &System,
    ws: &mut Workspace,
    t: f64,
    q: &[f64],
    (are_independent, factors): (bool, Option<Elimination>),
) -> (Motion, Named) {
    if are_independent {
        return (independent(system), Vec::new());
    }
    let constraints = &system.constraints;
    let undriven = constraints.undriven();
    ws.realize_position(system, t, q);
    let names = Names::new(system, ws, t);
    let found = finite_mobility::explore(system, ws, t, q, factors);
    let mut motion = Motion {
        mobility: found.mobility,
        generic_mobility: found.generic,
        redundancies: (undriven + if found.shaky { found.here } else { found.generic })
            .saturating_sub(system.formulation.nv()),
        untold: found.reason.into_iter().collect(),
        ..Motion::default()
    };
    if found.shaky {
        motion
            .untold
            .push("redundancy and reactions are those of the drawn position: elsewhere it trembles too".into());
    }
    // Where several motions cross, what is told must not depend on which of them was found first.
    let mut views = Vec::new();
    let regular = found.motions.is_empty();
    for q in if found.motions.is_empty() { vec![found.q] } else { found.motions } {
        ws.realize_position(system, t, &q);
        ws.realize_jacobian(system, t);
        match view(system, ws, &names, !regular) {
            Ok(view) => views.push(view),
            Err(reason) => {
                motion.untold.push(format!("groups, reactions and suggestions: {reason}"));
                let dependent = mobility::factor_rows(&constraints.pattern, &ws.evaluation, undriven);
                return (motion, names.gather(dependent.dependent_rows()));
            }
        }
    }
    let key = |v: &View| (format!("{:?}", v.groups), format!("{:?}", v.reactions), format!("{:?}", v.suggestions));
    sort_by_key(&mut views, key);
    views.dedup_by_key(|v| key(v));
    motion.reactions = views.iter().map(|v| v.reactions.clone()).reduce(Reactions::merged);
    let Some(first) = views.into_iter().next() else { return (motion, Vec::new()) };
    motion.groups = Some(first.groups);
    motion.suggestions = first.suggestions;
    if found.mobility != Some(found.generic) {
        // What trembles would be set free for good.
        motion.suggestions.clear();
    } else if regular && undriven + found.here > system.formulation.nv() {
        // What is suggested must serve where the mechanism was drawn.
        ws.realize_position(system, t, q);
        ws.realize_jacobian(system, t);
        if let Ok(groups) = redundancy::groups(&constraints.pattern, &ws.evaluation, undriven) {
            motion.suggestions = suggest::suggestions(system, ws, &groups);
        }
    }
    (motion, first.redundant)
}

/// Redundancy and reactions in one position.
struct View {
    groups: Vec<(usize, Named)>,
    redundant: Named,
    reactions: Reactions,
    suggestions: Vec<Vec<Change>>,
}

/// What the workspace's position shows (Φ_v realised), or why it cannot be told. Suggestions are `wanted` where they are not those of
/// another position.
fn view(system: &System, ws: &Workspace, names: &Names, wanted: bool) -> std::result::Result<View, String> {
    let constraints = &system.constraints;
    let undriven = constraints.undriven();
    let all = redundancy::groups(&constraints.pattern, &ws.evaluation, constraints.len())?;
    let driven = all.iter().any(|g| g.rows.iter().any(|i| *i >= undriven));
    let own = if driven { Some(redundancy::groups(&constraints.pattern, &ws.evaluation, undriven)?) } else { None };
    let groups = own.as_ref().unwrap_or(&all);
    let key = |i: usize| (names.of(i), i);
    let rows: Vec<usize> = groups.iter().flat_map(|g| g.choice(key)).collect();
    let mut named: Vec<(usize, Named)> = groups.iter().map(|g| (g.vectors.len(), names.gather(&g.rows))).collect();
    sort_by(&mut named, |a, b| a.1.cmp(&b.1));
    Ok(View {
        groups: named,
        redundant: names.gather(&rows),
        reactions: solvability::classify(system, ws, &all),
        suggestions: if wanted { suggest::suggestions(system, ws, groups) } else { Vec::new() },
    })
}

fn named_json(named: &Named) -> Vec<Value> {
    named.iter().map(|(joint, components)| json!({"joint": joint, "components": components})).collect()
}

impl Report {
    /// The report with the keys of the user's contract. What is not told is null.
    pub fn json(&self) -> Value {
        let Motion { groups, reactions, suggestions, .. } = &self.motion;
        let group = |g: &(usize, Named)| json!({"redundant": g.0, "rows": named_json(&g.1)});
        let change = |c: &Change| json!({"joint": c.joint, "from": c.from, "to": c.to, "along": c.along});
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
            "mobility": self.motion.mobility,
            "generic_mobility": self.motion.generic_mobility,
            "instantaneous_mobility": self.instantaneous_mobility,
            "idle": self.idle.len(),
            "idle_bodies": self.idle,
            "drivers": self.drivers,
            "undriven": self.undriven,
            "loose": self.loose,
            "overdriven": self.overdriven,
            "redundant": named_json(&self.redundant),
            "redundancies": self.motion.redundancies,
            "redundancy_groups": groups.as_ref().map(|g| g.iter().map(group).collect::<Vec<Value>>()),
            "suggestions": suggestions.iter().map(|s| s.iter().map(change).collect()).collect::<Vec<Vec<Value>>>(),
            "indeterminate_reactions": reactions.as_ref().map(Reactions::indeterminate),
            "unique_sums": reactions.as_ref().map(Reactions::sums_in_words),
            "untold": self.motion.untold,
            "condition": self.condition,
            "singularity_distance": self.singularity.0,
            "singularity": self.singularity.1.map(Kind::word),
            "assembled": true,
            "residual": self.residual,
            "size": self.size,
            "class": self.class.map(Class::word),
        })
    }

    /// The report in words.
    pub fn text(&self) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{}: {} moving bod{}, {}, {}",
            self.name,
            self.bodies,
            if self.bodies == 1 { "y" } else { "ies" },
            counted(self.joints, "joint"),
            counted(self.drivers, "driver")
        );
        let size = self.units.scale("m");
        let _ =
            writeln!(out, "assembled: residual {:.1e}, size {:.6} {}", self.residual, size.shown(self.size), size.unit);
        let _ = writeln!(out);
        let width = self.rows.iter().map(|r| r.0.chars().count() + r.1.len() + 3).max().unwrap_or(0).max(36);
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
        line("mobility", self.motion.mobility.map_or("not told".into(), |m| m.to_string()));
        line("  in this position, by rank", self.instantaneous_mobility.to_string());
        line("  idle (a body spinning alone)", self.idle.len().to_string());
        if let Some(condition) = self.condition {
            line("condition", significant(condition, 4));
        }
        if let Some(distance) = self.singularity.0 {
            line("distance to singularity (0 singular)", significant(distance, 4));
        }
        let _ = writeln!(out);
        out.push_str(&self.motion_text());
        if let (Some(distance), Some(kind)) = self.singularity {
            let how = if distance < 1e-9 { "in" } else { "near" };
            let _ = match self.motion.mobility {
                Some(0) if how == "near" => {
                    writeln!(out, "nearly trembling: a freedom is held by next to nothing (distance to singularity)")
                }
                Some(0) => Ok(()),
                _ => writeln!(out, "{how} a singular position: {}", kind.words()),
            };
        }
        if !self.idle.is_empty() {
            let _ = writeln!(out, "idle: {} may spin alone about a line; the spin is held", some_of(&self.idle));
        }
        let _ = match (self.overdriven, self.undriven) {
            (0, 0) => writeln!(out, "drivers: they determine the motion"),
            (0, free) => writeln!(
                out,
                "under-driven: {} without a driver; still free: {}",
                counted(free, "freedom"),
                some_of(&self.loose)
            ),
            (over, _) => writeln!(
                out,
                "over-driven: {} too many; any of these could go: {}",
                counted(over, "driver equation"),
                some_of(&self.superfluous_drivers)
            ),
        };
        if let Some(class) = self.class {
            let _ = writeln!(out, "four-bar: {} (Grashof)", class.word());
        }
        out
    }
    /// What holds along the motion, in words.
    fn motion_text(&self) -> String {
        use std::fmt::Write;
        /// Names told of one list; the JSON report has all.
        const MOST: usize = 24;
        let mut out = String::new();
        let motion = &self.motion;
        let joined = |names: &[String], by: &str| {
            let more = names.len().saturating_sub(MOST);
            let mut text = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(by);
            if more > 0 {
                let _ = write!(text, "{by}… {more} more");
            }
            text
        };
        let words = |named: &Named| -> Vec<String> {
            named.iter().map(|(joint, components)| format!("{joint} ({})", components.join(", "))).collect()
        };
        if self.instantaneous_mobility > motion.generic_mobility {
            let lost = self.instantaneous_mobility - motion.generic_mobility;
            let lost = counted(lost, "freedom");
            let _ = writeln!(out, "singular position: {lost} more than elsewhere on the motion");
        }
        if let Some(trembling) = motion.mobility.and_then(|m| motion.generic_mobility.checked_sub(m)).filter(|n| *n > 0)
        {
            let word = if motion.mobility == Some(0) { "fixed" } else { "not all freedoms are motions" };
            let _ = writeln!(out, "{word}, trembling: {}", finite_mobility::trembling(trembling));
        }
        for (count, rows) in motion.groups.iter().flatten().take(MOST) {
            let _ = writeln!(out, "{count} redundant among: {}", joined(&words(rows), "; "));
        }
        let more = motion.groups.as_ref().map_or(0, Vec::len).saturating_sub(MOST);
        if more > 0 {
            let _ = writeln!(out, "… and {more} more such groups, which --json tells");
        }
        if !self.redundant.is_empty() {
            let _ = writeln!(out, "  one choice to leave out: {}", joined(&words(&self.redundant), "; "));
        }
        for (k, set) in motion.suggestions.iter().enumerate() {
            let label = if k == 0 { "exactly constrained by" } else { "  or by" };
            let _ = writeln!(out, "{label} {}", joined(&set.iter().map(Change::words).collect::<Vec<_>>(), ", "));
        }
        if let Some(reactions) = &motion.reactions {
            let open = reactions.indeterminate();
            if open.is_empty() {
                let _ = writeln!(out, "reactions: all unique");
            } else {
                let _ = writeln!(out, "reactions not unique: {}", joined(&open, ", "));
            }
            if !reactions.sums.is_empty() {
                let _ = writeln!(out, "  but unique in sum: {}", joined(&reactions.sums_in_words(), ", "));
            }
        }
        for reason in &motion.untold {
            let _ = writeln!(out, "not told: {reason}");
        }
        out
    }
}
