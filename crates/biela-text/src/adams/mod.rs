//! Reads a deck of the Adams solver (`.adm`): parts, markers, joints, motions, forces.
//!
//! A part becomes a body whose frame is the part's own, a marker a point of it, a joint or primitive a joint from the J marker to the I marker, so
//! that its coordinates are those of I with respect to J and its reaction is the force on I. Distances, angles and rates of markers in functions are
//! coordinates of actuators and gauges, which hold nothing. All values are turned into SI by the deck's UNITS. `docs/adams.md` tells the mapping
//! in full; what is not read is told.

mod action;
mod compliance;
mod constraints;
mod control;
mod deck;
mod directions;
mod forces;
mod function;
mod measures;
mod motions;
mod parts;
mod requests;
mod spline;
#[cfg(test)]
mod tests;
mod units;

use super::foreign::{flatten_planar_loops, Told};
use super::imported::Imported;
use crate::nodes::{placed, push, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_math::Vec3;
use constraints::Reaction;
use deck::{Argument, Statement};
use parts::{Marker, Parts};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use units::Units;

/// Whether a text is a deck: its first lines are a title, comments, or a statement of one.
pub fn recognises(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('!'));
    let starts = |l: &str, words: &[&str]| {
        let upper = l.get(..l.len().min(12)).unwrap_or("").to_ascii_uppercase();
        words.iter().any(|w| upper.starts_with(w))
    };
    lines.next().is_some_and(|l| starts(l, &["ADAMS/", "UNITS/", "PART/"]))
        || lines.next().is_some_and(|l| starts(l, &["UNITS/", "PART/1", "ACCGRAV/"]))
}

/// Reads the mechanism of a deck; where `strict`, what is doubtful is an error.
pub fn read(source: &Arc<Source>, strict: bool) -> Result<Imported> {
    read_with(source, None, strict)
}

/// The same with what the command file of its name in the folder asks for.
pub fn read_in(source: &Arc<Source>, folder: &Path, strict: bool) -> Result<Imported> {
    let commands = control::beside(source, folder).map(|path| control::load(&path)).transpose()?;
    read_with(source, commands.as_ref(), strict)
}

/// The same with the text of a command file.
pub fn read_with(source: &Arc<Source>, commands: Option<&Arc<Source>>, strict: bool) -> Result<Imported> {
    let mut told = Told::new(strict);
    let deck = deck::read(source, &mut told)?;
    let of = |words: &'static [&'static str]| deck.statements.iter().filter(|s| words.contains(&s.kind.word));
    let units = units::read(of(&["UNITS"]).next_back(), &mut told)?;
    let mut names = HashSet::from(["ground".to_string()]);
    let parts = parts::read(&deck.statements, &units, &mut told, &mut names)?;
    if parts.list.len() < 2 {
        return Err(Error::new("the deck has no parts that move").at(&Span::new(source, 0..source.text.len().min(1))));
    }
    let by_number = |word: &'static [&'static str]| of(word).map(|s| (s.id, s)).collect();
    let (variables, splines, arrays) = (by_number(&["VARIABLE"]), by_number(&["SPLINE"]), by_number(&["ARRAY"]));
    let motions = of(&["MOTION"]).collect();
    let mut writer = Writer {
        units,
        variables,
        splines,
        arrays,
        motions,
        told,
        names,
        joints: HashMap::new(),
        made: HashMap::new(),
        elements: Table::default(),
        crosses: Table::default(),
        couplings: Table::default(),
        drivers: Table::default(),
        forces: Table::default(),
        initial: Table::default(),
        signals: Table::default(),
        reactions: Vec::new(),
        driven_joints: Vec::new(),
        loaded: loaded(&deck.statements),
        depth: 0,
        parts: &parts,
    };
    writer.read(&deck.statements)?;
    let gravity = gravity(of(&["ACCGRAV", "GRAVITY"]).next_back(), &writer.units)?;
    if !writer.initial.entries.is_empty() {
        // Of a deck's velocities those that the joints do not allow give way.
        writer.initial.set("nearest", true);
    }
    let mut tree = Table::default();
    if !deck.title.is_empty() {
        tree.set("name", deck.title.as_str());
    }
    tree.set("gravity", gravity);
    let mut bodies = parts.bodies(&deck.statements, &writer.units, &mut writer.told)?;
    bodies.entries.append(&mut writer.crosses.entries);
    tree.set("bodies", bodies);
    let tables = [
        ("joints", writer.elements),
        ("couplings", writer.couplings),
        ("drivers", writer.drivers),
        ("forces", writer.forces),
        ("initial", writer.initial),
        ("signals", writer.signals),
    ];
    if let Some(run) = commands.map(|text| control::read(text, &writer.units, &mut writer.told)).transpose()?.flatten()
    {
        tree.set("run", run);
    }
    for (key, table) in tables.into_iter().filter(|(_, table)| !table.entries.is_empty()) {
        tree.set(key, table);
    }
    let mut told = writer.told;
    flatten_planar_loops(&mut tree, &mut told)?;
    Ok(Imported { tree, warnings: told.finish() })
}

/// Pairs of markers between which forces other than those of joints act.
fn loaded(statements: &[Statement]) -> Vec<(i64, i64)> {
    const FORCES: [&str; 6] = ["SFORCE", "SPRINGDAMPER", "BUSHING", "BEAM", "FIELD", "MOTION"];
    let end = |s: &Statement, key: &str| s.get(key).and_then(|a| identifier(a).ok());
    let forces = statements.iter().filter(|s| FORCES.contains(&s.kind.word));
    forces.filter_map(|s| Some((end(s, "I")?, end(s, "J")?))).collect()
}

fn gravity(statement: Option<&Statement>, units: &Units) -> Result<Node> {
    let mut g = Vec3::ZERO;
    if let Some(statement) = statement {
        for (k, key) in ["IGRAV", "JGRAV", "KGRAV"].into_iter().enumerate() {
            g[k] = number(statement, key)?.unwrap_or(0.0) * units.length / (units.time * units.time);
        }
    }
    Ok(placed(vector(g), statement.map(|s| &s.span)))
}

/// An error, said to be one of a statement.
fn about(error: Error, statement: &Statement) -> Error {
    let error = if error.span().is_none() { error.at(&statement.span) } else { error };
    if error.element().is_none() {
        error.of(statement.shown())
    } else {
        error
    }
}

/// The document while it is written.
struct Writer<'d> {
    units: Units,
    parts: &'d Parts,
    variables: HashMap<i64, &'d Statement>,
    splines: HashMap<i64, &'d Statement>,
    arrays: HashMap<i64, &'d Statement>,
    motions: Vec<&'d Statement>,
    told: Told,
    /// Names that are taken.
    names: HashSet<String>,
    /// Joints by their number: what was made of them.
    joints: HashMap<i64, Joint>,
    /// Gauges and actuators that functions asked for, by what they measure.
    made: HashMap<String, String>,
    elements: Table,
    /// Bodies without mass within joints.
    crosses: Table,
    couplings: Table,
    drivers: Table,
    forces: Table,
    initial: Table,
    signals: Table,
    /// Elements that bear a force between two markers.
    reactions: Vec<Reaction>,
    /// Motions of joints: the joint's number, the driver, and whether it turns.
    driven_joints: Vec<(i64, String, bool)>,
    /// Pairs of markers between which forces act.
    loaded: Vec<(i64, i64)>,
    /// Variables within variables.
    depth: usize,
}

/// A joint of the document.
#[derive(Clone)]
struct Joint {
    name: String,
    /// The coordinates it has: a turn about the axis, a slide along it.
    turn: Option<&'static str>,
    slide: Option<&'static str>,
    /// Whether it has several.
    several: bool,
    /// Whether its coordinate is 0 in the drawing.
    from_drawing: bool,
    i: Marker,
    j: Marker,
}

impl Writer<'_> {
    /// Reads all that is not about parts and markers.
    fn read(&mut self, statements: &[Statement]) -> Result<()> {
        self.velocities(statements)?;
        for statement in statements.iter().filter(|s| ["JOINT", "JPRIM"].contains(&s.kind.word)) {
            self.constraint(statement).map_err(|e| about(e, statement))?;
        }
        // What refers to joints comes after all of them.
        for statement in statements {
            let done = match statement.kind.word {
                "JOINT" if statement.has("RACKPIN") => self.rack(statement),
                "COUPLER" => self.coupler(statement),
                "GEAR" => self.gear(statement),
                "GCON" => self.general_constraint(statement),
                "MOTION" => self.motion(statement),
                "SFORCE" | "VFORCE" | "VTORQUE" | "GFORCE" | "SPRINGDAMPER" | "BUSHING" | "BEAM" | "FIELD" => {
                    self.force(statement)
                }
                _ => Ok(()),
            };
            done.map_err(|e| about(e, statement))?;
        }
        self.requests(statements);
        Ok(())
    }

    /// The name of an element: that of its label or comment, else its word and number.
    fn name(&mut self, statement: &Statement) -> String {
        parts::name(statement, &mut self.names)
    }

    fn marker(&self, statement: &Statement, key: &str) -> Result<Marker> {
        let argument = statement.get(key).ok_or_else(|| Error::new(format!("the marker {key} is missing")))?;
        self.parts.marker(identifier(argument)?, &argument.span)
    }

    /// Two markers, of different parts.
    fn markers(&self, statement: &Statement) -> Result<(Marker, Marker)> {
        let (i, j) = (self.marker(statement, "I")?, self.marker(statement, "J")?);
        if i.part == j.part {
            return Err(Error::new("both markers belong to the same part"));
        }
        Ok((i, j))
    }
}

/// Adds an element to a table of the document, with the place of its statement.
fn add(table: &mut Table, name: &str, statement: &Statement, keys: Vec<(&str, Node)>) {
    let mut element = Table::default();
    keys.into_iter().for_each(|(key, node)| element.set(key, node));
    push(table, name, Some(&statement.span), placed(element.into(), Some(&statement.span)));
}

/// The number that names an element.
fn identifier(argument: &Argument) -> Result<i64> {
    let first = argument.values.first().and_then(|v| v.text.parse().ok());
    first.ok_or_else(|| Error::new(format!("{} is the number of an element", argument.key)).at(&argument.span))
}

/// The values of an argument; D behind a number means degrees.
fn numbers(argument: &Argument) -> Result<Vec<f64>> {
    let one = |v: &deck::Text| {
        function::whole(&v.text).ok_or_else(|| Error::new(format!("{} is made of numbers", argument.key)).at(&v.span))
    };
    argument.values.iter().map(one).collect()
}

/// The first value of an argument, if it is there.
fn number(statement: &Statement, key: &str) -> Result<Option<f64>> {
    let Some(argument) = statement.get(key) else { return Ok(None) };
    let missing = || Error::new(format!("{key} has no value")).at(&argument.span);
    Ok(Some(*numbers(argument)?.first().ok_or_else(missing)?))
}

/// A vector of an argument, if it is there.
fn triple(statement: &Statement, key: &str) -> Result<Option<Vec3>> {
    let Some(argument) = statement.get(key) else { return Ok(None) };
    match numbers(argument)?[..] {
        [x, y, z] => Ok(Some(Vec3::new(x, y, z))),
        ref other => Err(Error::new(format!("{key} has three values; these are {}", other.len())).at(&argument.span)),
    }
}

/// Why a force is not read.
struct Unread(String);

type Done = std::result::Result<(), Unread>;

impl From<Error> for Unread {
    fn from(error: Error) -> Unread {
        Unread(error.message().to_string())
    }
}
