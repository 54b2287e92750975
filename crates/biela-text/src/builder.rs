//! A model put together by a program, without a text: bodies, joints, drivers and loads by calls, numbers that may be formulas of parameters.
//!
//! What is built is a [`Document`], so that everything is checked as a text is, parameters stay symbols that can be bound to other values,
//! and the model can be written as TOML.

use super::context::Options;
use super::document::{Document, PLANAR};
use super::scalar::{Point, Scalar, Triple};
use super::tree::{Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_core::couplings::CouplingKind;
use biela_core::joints::JointKind;
use biela_core::loads::LoadKind;
use biela_core::model::{Analysis, Model};

/// A body of a [`Builder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyId(usize);

/// A joint of a [`Builder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointId(usize);

impl BodyId {
    /// The fixed body.
    pub const GROUND: BodyId = BodyId(0);
}

/// Puts a model together.
///
/// ```
/// use biela_core::joints::{PRISMATIC, REVOLUTE, DISTANCE};
/// use biela_text::{BodyId, Builder, Scalar};
///
/// let mut engine = Builder::new("engine");
/// let r = engine.parameter("r", 0.1);
/// let crank = engine.body("crank").point("B", (&r, 0, 0)).id();
/// let piston = engine.body("piston").at((4.0 * &r, 0, 0)).id();
/// let turn = engine.joint("O", REVOLUTE, [BodyId::GROUND, crank]).at_drawn([0, 0, 0]).axis([0, 0, 1]).id();
/// engine.joint("guide", PRISMATIC, [BodyId::GROUND, piston]).at_drawn([0, 0, 0]).axis([1, 0, 0]);
/// engine.joint("rod", DISTANCE, [crank, piston]).at("B", [0, 0, 0]).key("length", 3.0 * &r);
/// engine.drive("motor", turn, 6.28 * Scalar::time());
///
/// let model = engine.model()?;
/// assert_eq!(model.bodies[1].points[0].1.x, 0.1);
/// // The same mechanism as a text, with its parameter.
/// assert!(engine.document()?.to_toml().contains("length = \"3.0 * r\""));
/// # Ok::<(), biela_base::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    tree: Table,
    bodies: Vec<String>,
    joints: Vec<String>,
    /// The first name that was given twice.
    twice: Option<Error>,
}

/// An element that is being described; each call adds a key.
#[derive(Debug)]
pub struct Element<'b, Id> {
    table: &'b mut Table,
    id: Id,
}

impl Builder {
    /// A model of that name, of the ground alone.
    pub fn new(name: &str) -> Builder {
        let mut tree = Table::default();
        tree.set("name", name);
        Builder { tree, bodies: vec!["ground".into()], joints: Vec::new(), twice: None }
    }

    /// What the model is, in words.
    pub fn about(&mut self, words: &str) -> &mut Builder {
        self.tree.set("about", words);
        self
    }

    /// Keeps the model to the plane z = 0: vectors have two components, axes of turning are z without saying, inertias are one number.
    ///
    /// ```
    /// use biela_core::joints::REVOLUTE;
    /// use biela_text::{BodyId, Builder};
    ///
    /// let mut pendulum = Builder::new("pendulum");
    /// pendulum.planar().gravity([0.0, -9.81]);
    /// let rod = pendulum.body("rod").mass(1.0).com([0.5, 0.0]).moment(0.02).at([0, 0]).angle("30 deg").id();
    /// pendulum.joint("pivot", REVOLUTE, [BodyId::GROUND, rod]).at_drawn([0, 0]);
    /// assert!(pendulum.model()?.space.is_planar());
    /// # Ok::<(), biela_base::Error>(())
    /// ```
    pub fn planar(&mut self) -> &mut Builder {
        self.tree.set(PLANAR, true);
        self
    }

    /// Units in which people read what is found, such as `mm, deg, N, rpm`.
    pub fn units(&mut self, units: &str) -> &mut Builder {
        self.tree.set("units", units);
        self
    }

    /// Acceleration of gravity in ground axes.
    pub fn gravity(&mut self, gravity: impl Into<Triple>) -> &mut Builder {
        self.tree.set("gravity", gravity.into());
        self
    }

    /// A parameter, as the symbol that formulas are made of.
    pub fn parameter(&mut self, name: &str, value: impl Into<Scalar>) -> Scalar {
        self.check("parameters", "parameter", name);
        section(&mut self.tree, "parameters").set(name, value.into());
        Scalar::Formula(name.to_string())
    }

    /// A point of the ground.
    pub fn ground_point(&mut self, name: &str, at: impl Into<Triple>) -> &mut Builder {
        let ground = section(section(&mut self.tree, "bodies"), "ground");
        section(ground, "points").set(name, at.into());
        self
    }

    /// A body.
    pub fn body(&mut self, name: &str) -> Element<'_, BodyId> {
        let id = BodyId(self.bodies.len());
        self.bodies.push(name.to_string());
        Element { table: self.element("bodies", "body", name), id }
    }

    /// A joint: the motion of the second body is measured from the first.
    pub fn joint(&mut self, name: &str, kind: &'static dyn JointKind, bodies: [BodyId; 2]) -> Element<'_, JointId> {
        let id = JointId(self.joints.len());
        self.joints.push(name.to_string());
        let bodies = self.names(bodies);
        let table = self.element("joints", "joint", name);
        table.set("type", kind.keyword());
        table.set("bodies", bodies);
        Element { table, id }
    }

    /// A coupling of two joints; keys such as `ratio` are added to it.
    pub fn couple(&mut self, name: &str, kind: &'static dyn CouplingKind, joints: [JointId; 2]) -> Element<'_, ()> {
        let joints: Vec<String> = joints.iter().map(|j| self.joints[j.0].clone()).collect();
        let table = self.element("couplings", "coupling", name);
        table.set("type", kind.keyword());
        table.set("joints", joints);
        Element { table, id: () }
    }

    /// A driver of a joint with one coordinate.
    pub fn drive(&mut self, name: &str, joint: JointId, value: impl Into<Scalar>) -> Element<'_, ()> {
        let joint = self.joints[joint.0].clone();
        self.driver(name).key("joint", joint).key("value", value.into())
    }

    /// A driver; its keys are added to it.
    pub fn driver(&mut self, name: &str) -> Element<'_, ()> {
        Element { table: self.element("drivers", "driver", name), id: () }
    }

    /// A load; what it acts on and its keys are added to it.
    pub fn load(&mut self, name: &str, kind: &'static dyn LoadKind) -> Element<'_, ()> {
        let table = self.element("forces", "force", name);
        table.set("type", kind.keyword());
        Element { table, id: () }
    }

    /// A load between points of two bodies, such as a spring.
    pub fn load_between(&mut self, name: &str, kind: &'static dyn LoadKind, bodies: [BodyId; 2]) -> Element<'_, ()> {
        let bodies = self.names(bodies);
        self.load(name, kind).key("bodies", bodies)
    }

    /// A load on a body, such as a force.
    pub fn load_on(&mut self, name: &str, kind: &'static dyn LoadKind, body: BodyId) -> Element<'_, ()> {
        let body = self.bodies[body.0].clone();
        self.load(name, kind).key("body", body)
    }

    /// A load along a joint's coordinate, such as a motor.
    pub fn load_along(&mut self, name: &str, kind: &'static dyn LoadKind, joint: JointId) -> Element<'_, ()> {
        let joint = self.joints[joint.0].clone();
        self.load(name, kind).key("joint", joint)
    }

    /// A rotor on a body; its keys are added to it.
    pub fn rotor(&mut self, name: &str, body: BodyId) -> Element<'_, ()> {
        let body = self.bodies[body.0].clone();
        let table = self.element("rotors", "rotor", name);
        table.set("body", body);
        Element { table, id: () }
    }

    /// A joint's coordinate as a symbol, for loads, rotors and couplings.
    pub fn coordinate(&self, joint: JointId, coordinate: &str) -> Scalar {
        Scalar::Formula(signal_name::join(&self.joints[joint.0], coordinate))
    }

    /// A signal that is made of others: an expression of their names.
    pub fn signal(&mut self, name: &str, expression: &str) -> &mut Builder {
        section(&mut self.tree, "signals").set(name, expression);
        self
    }

    /// The value of a signal at the start of a motion under forces.
    pub fn initial(&mut self, signal: &str, value: impl Into<Scalar>) -> &mut Builder {
        section(&mut self.tree, "initial").set(signal, value.into());
        self
    }

    /// What is analysed, from when to when, in how many steps.
    pub fn study(&mut self, analysis: Analysis, start: f64, end: impl Into<Scalar>, steps: usize) -> Element<'_, ()> {
        let word = Analysis::ALL.iter().find(|a| a.1 == analysis).map_or("", |a| a.0);
        let table = section(&mut self.tree, "run");
        table.set("analysis", word);
        table.set("start", start);
        table.set("end", end.into());
        table.set("steps", Node::new(Value::Integer(steps as i64)));
        Element { table, id: () }
    }

    /// The model as a document.
    pub fn document(&self) -> Result<Document> {
        match &self.twice {
            Some(error) => Err(error.clone()),
            None => Ok(Document::from_tree(self.tree.clone(), Vec::new())),
        }
    }

    /// The model, checked.
    pub fn model(&self) -> Result<Model> {
        self.document()?.model(&Options::default())
    }

    fn names(&self, bodies: [BodyId; 2]) -> Vec<String> {
        bodies.iter().map(|b| self.bodies[b.0].clone()).collect()
    }

    fn element(&mut self, key: &str, what: &str, name: &str) -> &mut Table {
        self.check(key, what, name);
        let section = section(&mut self.tree, key);
        section.set(name, Table::default());
        self::section(section, name)
    }

    /// Remembers a name that is given twice.
    fn check(&mut self, key: &str, what: &str, name: &str) {
        let there = section(&mut self.tree, key).get(name).is_some();
        if there && self.twice.is_none() {
            let error = Error::new(format!("there is a {what} of this name already"));
            self.twice = Some(error.of(format!("{what} '{name}'")));
        }
    }
}

/// The table under a key, which is made where there is none.
fn section<'t>(table: &'t mut Table, key: &str) -> &'t mut Table {
    if !matches!(table.get(key).map(|node| &node.value), Some(Value::Table(_))) {
        table.set(key, Table::default());
    }
    let k = table.entries.iter().position(|e| e.key == key).unwrap_or(0);
    match &mut table.entries[k].node.value {
        Value::Table(inner) => inner,
        // It was made just before.
        _ => unreachable!("'{key}' is a table"),
    }
}

impl<Id> Element<'_, Id> {
    /// A key by its name, as the model's reference lists them.
    pub fn key(self, name: &str, value: impl Into<Node>) -> Self {
        self.table.set(name, value);
        self
    }

    /// What the element is known by in further calls.
    pub fn id(self) -> Id {
        self.id
    }
}

impl Element<'_, BodyId> {
    /// Its mass.
    pub fn mass(self, mass: impl Into<Scalar>) -> Self {
        self.key("mass", mass.into())
    }

    /// Its centre of mass in its own frame.
    pub fn com(self, com: impl Into<Triple>) -> Self {
        self.key("com", com.into())
    }

    /// Its moments of inertia about the centre of mass, in axes of its own frame.
    pub fn inertia(self, moments: impl Into<Triple>) -> Self {
        self.key("inertia", moments.into())
    }

    /// Its moment of inertia about z through the centre of mass, in a planar model.
    pub fn moment(self, about_z: impl Into<Scalar>) -> Self {
        self.key("inertia", about_z.into())
    }

    /// A point, in its own frame.
    pub fn point(self, name: &str, at: impl Into<Triple>) -> Self {
        section(self.table, "points").set(name, at.into());
        self
    }

    /// Where its frame is in the drawing.
    pub fn at(self, place: impl Into<Triple>) -> Self {
        section(self.table, "pose").set("at", place.into());
        self
    }

    /// By what angle its frame is turned in the drawing of a planar model.
    pub fn angle(self, angle: impl Into<Scalar>) -> Self {
        section(self.table, "pose").set("angle", angle.into());
        self
    }

    /// By what angle its frame is turned in the drawing, about what axis.
    pub fn turned(self, angle: impl Into<Scalar>, axis: impl Into<Triple>) -> Self {
        let pose = section(self.table, "pose");
        pose.set("angle", angle.into());
        pose.set("axis", axis.into());
        self
    }
}

impl Element<'_, JointId> {
    /// The joint point on the first and on the second body.
    pub fn at(self, first: impl Into<Point>, second: impl Into<Point>) -> Self {
        let points = vec![Node::from(first.into()), Node::from(second.into())];
        self.key("at", points)
    }

    /// The joint point in the drawing.
    pub fn at_drawn(self, place: impl Into<Triple>) -> Self {
        self.key("at", place.into())
    }

    /// The axis, in the drawing.
    pub fn axis(self, axis: impl Into<Triple>) -> Self {
        self.key("axis", axis.into())
    }

    /// The axis in the frame of the first and of the second body.
    pub fn axes(self, first: impl Into<Triple>, second: impl Into<Triple>) -> Self {
        let axes = vec![Node::from(first.into()), Node::from(second.into())];
        self.key("axis", axes)
    }

    /// Least and greatest value of its coordinate.
    pub fn limits(self, lower: impl Into<Scalar>, upper: impl Into<Scalar>) -> Self {
        let limits = section(self.table, "limits");
        limits.set("lower", lower.into());
        limits.set("upper", upper.into());
        self
    }
}

impl Element<'_, ()> {
    /// A vector under a key.
    pub fn vector(self, name: &str, vector: impl Into<Triple>) -> Self {
        self.key(name, vector.into())
    }

    /// The points of the first and of the second body between which it acts.
    pub fn between(self, first: impl Into<Point>, second: impl Into<Point>) -> Self {
        let points = vec![Node::from(first.into()), Node::from(second.into())];
        self.key("at", points)
    }
}
