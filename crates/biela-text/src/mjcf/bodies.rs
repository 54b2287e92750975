//! Bodies, their joints and their geoms.

#![allow(non_snake_case)] // Frames are capital letters: X_PB (docs/notation.md).

use super::attach::MESHES;
use super::defaults::{Classes, MAIN};
use super::{Compiler, MOST};
use crate::foreign::{Element, Folder, Told};
use crate::nodes::{self, unused, vector};
use crate::reader::plain_name;
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::{EulerParameters, Inertia, Pose, Rotation, Vec3};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Hinge,
    Slide,
    Ball,
    Free,
}

pub(super) struct Joint {
    pub name: String,
    pub kind: Kind,
    /// Point and axis in the body's frame.
    pub pos: Vec3,
    pub axis: Vec3,
    /// The coordinate at which the body stands as it is written.
    pub reference: f64,
    pub element: Element,
}

/// A joint's name as expressions can have it: letters, digits, `_` and dots.
pub(super) fn joint_name(name: &str) -> String {
    let plain = plain_name(name).replace(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.', "_");
    if plain.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{plain}")
    } else {
        plain
    }
}

impl Joint {
    /// The name of its coordinate.
    pub fn coordinate(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Hinge => Some("angle"),
            Kind::Slide => Some("slide"),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Mass {
    pub mass: f64,
    pub com: Vec3,
    pub inertia: Inertia,
}

pub(super) struct Body {
    pub name: String,
    pub parent: usize,
    /// Where its frame is in the parent's, joints at their references.
    pub X_PB: Pose,
    pub joints: Vec<Joint>,
    pub mass: Option<Mass>,
    /// Whether its mass is given, so that geoms weigh nothing.
    pub weighed: bool,
    pub points: Table,
    pub shapes: Vec<Node>,
    pub span: Span,
}

/// All that stands in `<worldbody>`; the ground first.
pub(super) struct World<'c> {
    pub compiler: &'c Compiler,
    pub classes: &'c Classes,
    pub list: Vec<Body>,
    /// Sites: their body and their frame in it.
    pub sites: HashMap<String, (usize, Pose)>,
    names: [HashSet<String>; 2],
    /// Where each body stands in the world, joints at their references.
    worlds: Vec<Pose>,
    pub meshes: HashMap<String, (PathBuf, Element)>,
    pub colours: HashMap<String, String>,
    pub folder: &'c Folder,
    /// Whether meshes are looked for that only show.
    pub drawn: bool,
}

/// Children of a body, and those that are known and have no part in its mechanics.
const CHILDREN: &[&str] = &["inertial", "joint", "freejoint", "geom", "site", "body", "frame", "camera", "light"];

/// Attributes of joints and geoms, read or without a part in the mechanics.
#[rustfmt::skip]
const OF_JOINTS: &[&str] = &[
    "name", "class", "type", "group", "springdamper", "solreflimit", "solimplimit", "solreffriction", "solimpfriction", "stiffness", "range",
    "actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp", "limited", "margin", "ref", "springref", "springyield", "armature", "damping", "frictionloss",
    "pos", "axis", "user", "align",
];
#[rustfmt::skip]
const OF_GEOMS: &[&str] = &[
    "name", "class", "type", "contype", "conaffinity", "condim", "group", "priority", "size", "material", "rgba", "friction", "mass", "density", "shellinertia",
    "solmix", "solref", "solimp", "margin", "gap", "fromto", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "hfield", "mesh", "fitscale", "fluidshape",
    "fluidcoef", "user", "adhesion", "castshadow", "surfacevel",
];

impl<'c> World<'c> {
    pub fn new(compiler: &'c Compiler, classes: &'c Classes, root: &Element, folder: &'c Folder) -> Result<World<'c>> {
        let (mut meshes, mut colours) = (HashMap::new(), HashMap::new());
        for asset in root.all("asset").flat_map(|a| &a.children) {
            let filled = classes.filled(asset, MAIN)?;
            let named = |file: &str| Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
            match asset.tag.as_str() {
                "mesh" => {
                    let file = filled.get("file").unwrap_or_default();
                    let name = filled.get("name").map(str::to_string).or_else(|| named(file)).unwrap_or_default();
                    let folder = filled.get(MESHES).unwrap_or(&compiler.mesh_folder);
                    meshes.insert(name, (Path::new(folder).join(file), filled));
                }
                "material" => {
                    if let (Some(name), Some(rgba)) = (filled.get("name"), filled.get("rgba")) {
                        colours.insert(name.to_string(), rgba.to_string());
                    }
                }
                _ => {}
            }
        }
        let ground = Body {
            name: "ground".into(),
            parent: 0,
            X_PB: Pose::IDENTITY,
            joints: Vec::new(),
            mass: None,
            weighed: false,
            points: Table::default(),
            shapes: Vec::new(),
            span: root.span.clone(),
        };
        let names = [HashSet::from(["ground".to_string()]), HashSet::new()];
        let (list, sites) = (vec![ground], HashMap::new());
        let worlds = vec![Pose::IDENTITY];
        Ok(World { compiler, classes, list, sites, names, worlds, meshes, colours, folder, drawn: true })
    }

    pub fn read(&mut self, root: &Element, told: &mut Told) -> Result<()> {
        for e in root.all("worldbody") {
            let class = e.get("childclass").unwrap_or(MAIN);
            self.children(e, 0, &Pose::IDENTITY, class, told)?;
        }
        let total: f64 = self.list.iter().filter_map(|b| b.mass).map(|m| m.mass).sum();
        if self.compiler.total_mass > 0.0 && total > 0.0 {
            let scale = self.compiler.total_mass / total;
            for m in self.list.iter_mut().filter_map(|b| b.mass.as_mut()) {
                m.mass *= scale;
                m.inertia = Inertia::from_entries(m.inertia.entries().map(|x| x * scale));
            }
        }
        Ok(())
    }

    /// What stands in a body, or in a frame of it.
    fn children(&mut self, e: &Element, body: usize, X_BF: &Pose, class: &str, told: &mut Told) -> Result<()> {
        for child in &e.children {
            let tag = child.tag.as_str();
            match tag {
                "body" => self.body(child, body, X_BF, class, told)?,
                "frame" => {
                    let class = child.get("childclass").unwrap_or(class);
                    self.children(child, body, &(*X_BF * self.compiler.pose(child)?), class, told)?;
                }
                "joint" | "freejoint" if body == 0 => return Err(child.error("the world has no joints")),
                "joint" | "freejoint" => {
                    child.allow(told, OF_JOINTS, &[])?;
                    self.joint(child, body, X_BF, class, told)?;
                }
                "geom" => {
                    child.allow(told, OF_GEOMS, &["plugin"])?;
                    self.geom(child, body, X_BF, class, told)?;
                }
                "site" => self.site(child, body, X_BF, class)?,
                "inertial" => {}
                "camera" | "light" => told.unused(&child.span, "cameras and lights are not used"),
                _ => {
                    let error = Error::new(format!("unknown element <{tag}> in <{}>", e.tag)).at(&child.span);
                    told.doubt(error.suggest(tag, CHILDREN.iter().copied()), "not read")?;
                }
            }
        }
        Ok(())
    }

    fn name(&mut self, kind: usize, wish: Option<&str>, other: &str) -> String {
        let wish = plain_name(wish.filter(|w| !w.trim().is_empty()).unwrap_or(other));
        unused(&wish, &mut self.names[kind])
    }

    fn body(&mut self, e: &Element, parent: usize, X_PF: &Pose, class: &str, told: &mut Told) -> Result<()> {
        let class = e.get("childclass").unwrap_or(class);
        let known = &[
            "name",
            "pos",
            "quat",
            "axisangle",
            "euler",
            "xyaxes",
            "zaxis",
            "childclass",
            "user",
            "gravcomp",
            "mocap",
            "sleep",
            "simple",
            "fuse",
        ];
        e.allow(told, known, &e.children.iter().map(|c| c.tag.as_str()).collect::<Vec<_>>())?;
        for (name, instead) in [("gravcomp", "not read, its weight counts in full"), ("mocap", "it stays where it is")]
        {
            if let Some(a) = e.attribute(name).filter(|a| !["0", "false"].contains(&a.value.as_str())) {
                told.doubt(Error::new(format!("'{name}' of <body>")).at(&a.span), instead)?;
            }
        }
        let k = self.list.len();
        if k > MOST {
            return Err(e.error(format!("there are more than {MOST} bodies")));
        }
        let name = self.name(0, e.get("name"), &format!("body{k}"));
        if let Some(given) = e.attribute("name").filter(|g| g.value == "ground") {
            told.doubt(
                Error::new("a body called 'ground' that moves").at(&given.span),
                &format!("called '{name}' here"),
            )?;
        }
        let X_PB = *X_PF * self.compiler.pose(e)?;
        let X_WB = self.worlds[parent] * X_PB;
        self.worlds.push(X_WB);
        let (points, shapes) = (Table::default(), Vec::new());
        let weighed = e.child("inertial").is_some() && self.compiler.from_geoms != Some(true);
        self.list.push(Body {
            name,
            parent,
            X_PB,
            joints: Vec::new(),
            mass: None,
            weighed,
            points,
            shapes,
            span: e.span.clone(),
        });
        let X_BF = if self.compiler.global { X_WB.inverse() } else { Pose::IDENTITY };
        self.children(e, k, &X_BF, class, told)?;
        if let (Some(inertial), true) = (e.child("inertial"), weighed) {
            self.list[k].mass = Some(self.inertial(inertial, &X_BF)?);
        }
        let least = self.compiler.least_mass;
        if let Some(m) = self.list[k].mass.as_mut().filter(|m| m.mass < least) {
            m.mass = least;
        }
        Ok(())
    }

    fn inertial(&self, e: &Element, X_BF: &Pose) -> Result<Mass> {
        let X = *X_BF * self.compiler.pose(e)?;
        let mass = e.number("mass")?.ok_or_else(|| e.error("<inertial> has no mass"))?;
        let inertia = match (e.numbers("fullinertia")?, e.vector("diaginertia")?) {
            (Some(list), _) => {
                Inertia::from_entries(list.try_into().map_err(|_| e.error("'fullinertia' has six numbers"))?)
            }
            (None, Some(d)) => Inertia::diagonal(d.to_array()),
            (None, None) => Inertia::ZERO,
        };
        Ok(Mass { mass, com: X.origin, inertia: inertia.turned(&X.rotation) })
    }

    fn joint(&mut self, e: &Element, body: usize, X_BF: &Pose, class: &str, told: &mut Told) -> Result<()> {
        let filled = if e.tag == "freejoint" { e.clone() } else { self.classes.filled(e, class)? };
        let kind = match filled.get("type").unwrap_or(if e.tag == "freejoint" { "free" } else { "hinge" }) {
            "hinge" => Kind::Hinge,
            "slide" => Kind::Slide,
            "ball" => Kind::Ball,
            "free" => Kind::Free,
            "fixed" => {
                told.doubt(Error::new("'fixed' is no joint type of MJCF").at(&e.span), "the body has no joint for it")?;
                return Ok(());
            }
            other => return Err(e.error(format!("there is no joint type '{other}'"))),
        };
        if let Some(a) = e.attribute("align").filter(|a| e.tag == "freejoint" && a.value == "true") {
            let error = Error::new("'align' of <freejoint>").at(&a.span);
            told.doubt(error, "the body keeps its frame, in which its coordinates count")?;
        }
        let count = self.list[body].joints.len();
        // A body has six freedoms; more joints than a few say the same again.
        const MOST_JOINTS: usize = 20;
        if count >= MOST_JOINTS {
            return Err(e.error(format!("a body has more than {MOST_JOINTS} joints")));
        }
        let other = match count {
            0 => format!("{}_joint", self.list[body].name),
            n => format!("{}_joint{}", self.list[body].name, n + 1),
        };
        let name = self.name(1, filled.get("name").map(joint_name).as_deref(), &joint_name(&other));
        let axis = filled.vector("axis")?.unwrap_or(Vec3::Z);
        let axis = X_BF.rotation.apply(axis.unit().ok_or_else(|| e.error("the axis has no length"))?);
        let pos = X_BF.apply(filled.vector("pos")?.unwrap_or(Vec3::ZERO));
        let reference = filled.number("ref")?.unwrap_or(0.0);
        let reference = if kind == Kind::Hinge { self.compiler.angle(reference) } else { reference };
        self.list[body].joints.push(Joint { name, kind, pos, axis, reference, element: filled });
        Ok(())
    }

    fn site(&mut self, e: &Element, body: usize, X_BF: &Pose, class: &str) -> Result<()> {
        let filled = self.classes.filled(e, class)?;
        let Some(name) = filled.get("name") else { return Ok(()) };
        let (X, _) = self.placed(&filled)?;
        let X = *X_BF * X;
        self.sites.insert(name.to_string(), (body, X));
        let points = &mut self.list[body].points;
        points.set(plain_name(name).replace('.', "_"), nodes::placed(vector(X.origin), Some(&e.span)));
        Ok(())
    }

    /// Where bodies are in the world, joints at their references.
    pub fn poses(&self) -> Vec<Pose> {
        self.stages(None).iter().map(|stages| stages.last().copied().unwrap_or(Pose::IDENTITY)).collect()
    }

    /// Where bodies are in the world after each of their joints, these at the values of `qpos` or else at their references. A body without
    /// joints has one stage.
    pub fn stages(&self, qpos: Option<&[f64]>) -> Vec<Vec<Pose>> {
        let mut all: Vec<Vec<Pose>> = Vec::with_capacity(self.list.len());
        let mut at = 0;
        for (k, body) in self.list.iter().enumerate() {
            let parent = if k == 0 { None } else { all[body.parent].last() };
            let mut X = parent.copied().unwrap_or(Pose::IDENTITY) * body.X_PB;
            let mut stages = Vec::with_capacity(body.joints.len().max(1));
            for joint in &body.joints {
                let count = match joint.kind {
                    Kind::Hinge | Kind::Slide => 1,
                    Kind::Ball => 4,
                    Kind::Free => 7,
                };
                let values = qpos.and_then(|q| q.get(at..at + count));
                at += count;
                let Some(q) = values else {
                    stages.push(X);
                    continue;
                };
                let turned = |q: &[f64]| match EulerParameters([q[0], q[1], q[2], q[3]]) {
                    e if e.norm() > 0.0 => e.normalised().rotation(),
                    _ => Rotation::IDENTITY,
                };
                let about = |R: Rotation| Pose::new(R, joint.pos - R.apply(joint.pos));
                X = match joint.kind {
                    Kind::Hinge => X * about(Rotation::about(joint.axis, q[0] - joint.reference)),
                    Kind::Slide => X * Pose::translation(joint.axis * (q[0] - joint.reference)),
                    Kind::Ball => X * about(turned(q)),
                    Kind::Free => Pose::new(turned(&q[3..]), Vec3::new(q[0], q[1], q[2])),
                };
                stages.push(X);
            }
            if stages.is_empty() {
                stages.push(X);
            }
            all.push(stages);
        }
        all
    }
}

impl Body {
    /// Adds a mass to what the body has.
    pub fn add(&mut self, m: Mass) {
        let Some(had) = self.mass else {
            self.mass = Some(m);
            return;
        };
        let mass = had.mass + m.mass;
        if mass <= 0.0 {
            return;
        }
        let com = (had.com * had.mass + m.com * m.mass) * (1.0 / mass);
        let mut inertia = had.inertia.moved_from_centre(had.mass, had.com - com);
        inertia += m.inertia.moved_from_centre(m.mass, m.com - com);
        self.mass = Some(Mass { mass, com, inertia });
    }
}
