//! Bodies, their joints and their geoms.

#![allow(non_snake_case)] // Frames are capital letters: X_PB (docs/notation.md).

use super::defaults::{Classes, MAIN};
use super::geometry::shortest;
use super::Compiler;
use crate::foreign::element::inside;
use crate::foreign::{Element, Solid, Told};
use crate::mesh;
use crate::nodes::{self, numbers, unused, vector};
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
    meshes: HashMap<String, (PathBuf, Element)>,
    colours: HashMap<String, String>,
    folder: PathBuf,
}

/// Bodies and equalities at most: what is looked for by name is looked for among all.
pub(super) const MOST: usize = 20_000;

/// Children of a body, and those that are known and have no part in its mechanics.
const CHILDREN: &[&str] = &["inertial", "joint", "freejoint", "geom", "site", "body", "frame", "camera", "light"];

/// Attributes of joints and geoms, read or without a part in the mechanics.
#[rustfmt::skip]
const OF_JOINTS: &[&str] = &[
    "name", "class", "type", "group", "springdamper", "solreflimit", "solimplimit", "solreffriction", "solimpfriction", "stiffness", "range",
    "actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp", "limited", "margin", "ref", "springref", "armature", "damping", "frictionloss", "pos", "axis",
    "user", "align",
];
#[rustfmt::skip]
const OF_GEOMS: &[&str] = &[
    "name", "class", "type", "contype", "conaffinity", "condim", "group", "priority", "size", "material", "rgba", "friction", "mass", "density", "shellinertia",
    "solmix", "solref", "solimp", "margin", "gap", "fromto", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "hfield", "mesh", "fitscale", "fluidshape",
    "fluidcoef", "user",
];

impl<'c> World<'c> {
    pub fn new(compiler: &'c Compiler, classes: &'c Classes, root: &Element, folder: &Path) -> Result<World<'c>> {
        let (mut meshes, mut colours) = (HashMap::new(), HashMap::new());
        for asset in root.all("asset").flat_map(|a| &a.children) {
            let filled = classes.filled(asset, MAIN)?;
            let named = |file: &str| Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
            match asset.tag.as_str() {
                "mesh" => {
                    let file = filled.get("file").unwrap_or_default();
                    let name = filled.get("name").map(str::to_string).or_else(|| named(file)).unwrap_or_default();
                    meshes.insert(name, (Path::new(&compiler.mesh_folder).join(file), filled));
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
            points: Table::default(),
            shapes: Vec::new(),
            span: root.span.clone(),
        };
        let names = [HashSet::from(["ground".to_string()]), HashSet::new()];
        let (list, sites, folder) = (vec![ground], HashMap::new(), folder.to_path_buf());
        Ok(World { compiler, classes, list, sites, names, meshes, colours, folder })
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
                    self.joint(child, body, X_BF, class)?;
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
        let (points, shapes) = (Table::default(), Vec::new());
        self.list.push(Body {
            name,
            parent,
            X_PB,
            joints: Vec::new(),
            mass: None,
            points,
            shapes,
            span: e.span.clone(),
        });
        self.children(e, k, &Pose::IDENTITY, class, told)?;
        if let (Some(inertial), false) = (e.child("inertial"), self.compiler.from_geoms == Some(true)) {
            self.list[k].mass = Some(self.inertial(inertial)?);
        }
        let least = self.compiler.least_mass;
        if let Some(m) = self.list[k].mass.as_mut().filter(|m| m.mass < least) {
            m.mass = least;
        }
        Ok(())
    }

    fn inertial(&self, e: &Element) -> Result<Mass> {
        let X = self.compiler.pose(e)?;
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

    fn joint(&mut self, e: &Element, body: usize, X_BF: &Pose, class: &str) -> Result<()> {
        let filled = if e.tag == "freejoint" { e.clone() } else { self.classes.filled(e, class)? };
        let kind = match filled.get("type").unwrap_or(if e.tag == "freejoint" { "free" } else { "hinge" }) {
            "hinge" => Kind::Hinge,
            "slide" => Kind::Slide,
            "ball" => Kind::Ball,
            "free" => Kind::Free,
            other => return Err(e.error(format!("there is no joint type '{other}'"))),
        };
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

    /// The frame of a geom or site, and half its length where `fromto` gives its ends.
    fn placed(&self, e: &Element) -> Result<(Pose, Option<f64>)> {
        let Some(ends) = e.numbers("fromto")? else { return Ok((self.compiler.pose(e)?, None)) };
        let [a, b, c, d, f, g] = ends[..] else { return Err(e.error("'fromto' has six numbers")) };
        let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, f, g));
        // z points from the second end to the first, as MuJoCo has it.
        let rotation = shortest(from - to).unwrap_or(Rotation::IDENTITY);
        Ok((Pose::new(rotation, (from + to) * 0.5), Some((to - from).norm() / 2.0)))
    }

    fn geom(&mut self, e: &Element, body: usize, X_BF: &Pose, class: &str, told: &mut Told) -> Result<()> {
        let g = self.classes.filled(e, class)?;
        let (X, half) = self.placed(&g)?;
        let X_BG = *X_BF * X;
        let size = g.numbers("size")?.unwrap_or_default();
        let s = |k: usize| size.get(k).copied().unwrap_or(0.0);
        let length = half.unwrap_or_else(|| s(1));
        let kind = g.get("type").unwrap_or(if g.get("mesh").is_some() { "mesh" } else { "sphere" });
        let mut scale = 1.0;
        let solid = match kind {
            "sphere" => Solid::Sphere(s(0)),
            "capsule" => Solid::Capsule(s(0), length),
            "cylinder" => Solid::Cylinder(s(0), length),
            "box" | "ellipsoid" => {
                let three = if half.is_some() { [s(0), s(0), length] } else { [s(0), s(1), s(2)] };
                if kind == "box" {
                    Solid::Box(three)
                } else {
                    Solid::Ellipsoid(three)
                }
            }
            "mesh" => match self.mesh(&g, told)? {
                Some((mesh, uniform)) => {
                    scale = uniform;
                    Solid::Mesh(mesh)
                }
                None => return Ok(()),
            },
            "plane" | "hfield" => {
                if kind == "plane" && body == 0 {
                    self.plane(&g, &X_BG);
                }
                return Ok(());
            }
            _ => {
                told.doubt(Error::new(format!("a geom of type '{kind}'")).at(&e.span), "not read")?;
                return Ok(());
            }
        };
        self.draw(&g, body, &X_BG, &solid, scale);
        let group = g.number("group")?.unwrap_or(0.0);
        let counts = group >= self.compiler.groups[0] && group <= self.compiler.groups[1];
        if body == 0 || !counts || self.compiler.from_geoms == Some(false) {
            return Ok(());
        }
        let (volume, centre, inertia) = solid.moments();
        if volume <= 0.0 {
            if g.number("mass")?.unwrap_or(1.0) > 0.0 && g.number("density")?.unwrap_or(1.0) > 0.0 {
                told.doubt(Error::new(format!("a {kind} without volume")).at(&e.span), "it has no mass")?;
            }
            return Ok(());
        }
        let mass = g.number("mass")?.unwrap_or(volume * g.number("density")?.unwrap_or(1000.0));
        if let Some(a) = g.attribute("shellinertia").filter(|a| Element::is_on(&a.value)) {
            told.doubt(Error::new("'shellinertia' of <geom>").at(&a.span), "taken as solid")?;
        }
        let inertia = Inertia::from_entries(inertia.entries().map(|x| x * mass / volume)).turned(&X_BG.rotation);
        self.list[body].add(Mass { mass, com: X_BG.apply(centre), inertia });
        Ok(())
    }

    /// The mesh of a geom, and its scale where that is the same along all axes; told where it cannot be had.
    fn mesh(&self, g: &Element, told: &mut Told) -> Result<Option<(biela_core::model::Mesh, f64)>> {
        let name = g.get("mesh").unwrap_or_default();
        let Some((file, asset)) = self.meshes.get(name) else {
            return Err(g.error(format!("there is no mesh '{name}'")));
        };
        let scale = asset.vector("scale")?.unwrap_or(Vec3::new(1.0, 1.0, 1.0));
        let read = inside(&self.folder, &file.to_string_lossy())
            .and_then(|path| mesh::read(&path, Vec3::new(1.0, 1.0, 1.0)).map(|painted| painted.mesh));
        match read {
            Ok(mut found) if asset.get("refpos").is_none() && asset.get("refquat").is_none() => {
                found.points.iter_mut().for_each(|p| *p = Vec3::new(p.x * scale.x, p.y * scale.y, p.z * scale.z));
                if found.is_closed() {
                    found.turn_outwards();
                }
                let uniform = if scale.x == scale.y && scale.y == scale.z { scale.x } else { f64::NAN };
                Ok(Some((found, uniform)))
            }
            Ok(_) => {
                told.doubt(
                    asset.error("a mesh with a frame of its own"),
                    "not read, its mass and its looks are missing",
                )?;
                Ok(None)
            }
            Err(error) => {
                told.doubt(
                    Error::new(error.message()).at(&g.span),
                    "the mesh is missing, and so are its mass and its looks",
                )?;
                Ok(None)
            }
        }
    }

    fn colour(&self, g: &Element) -> Option<String> {
        let rgba = g.get("rgba").or_else(|| self.colours.get(g.get("material")?).map(String::as_str))?;
        let list: Vec<f64> = rgba.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        let byte = |x: f64| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
        (list.len() >= 3).then(|| format!("#{:02x}{:02x}{:02x}", byte(list[0]), byte(list[1]), byte(list[2])))
    }

    fn plane(&mut self, g: &Element, X_BG: &Pose) {
        let mut shape = Table::default();
        shape.set("type", "plane");
        shape.set("normal", vector(X_BG.rotation.axes[2]));
        shape.set("at", vector(X_BG.origin));
        self.list[0].shapes.push(nodes::placed(shape.into(), Some(&g.span)));
    }

    fn draw(&mut self, g: &Element, body: usize, X_BG: &Pose, solid: &Solid, scale: f64) {
        // MuJoCo shows groups 0, 1 and 2 unless told otherwise.
        if g.number("group").ok().flatten().unwrap_or(0.0) > 2.0 {
            return;
        }
        let mut shape = Table::default();
        match solid {
            Solid::Sphere(r) => {
                shape.set("type", "sphere");
                shape.set("radius", *r);
            }
            Solid::Capsule(r, h) | Solid::Cylinder(r, h) => {
                shape.set("type", if matches!(solid, Solid::Capsule(..)) { "capsule" } else { "cylinder" });
                shape.set("radius", *r);
                shape.set("length", 2.0 * h);
            }
            Solid::Box(half) => {
                shape.set("type", "box");
                shape.set("size", numbers(half.map(|x| 2.0 * x)));
            }
            Solid::Mesh(_) if scale.is_finite() && scale > 0.0 => {
                let Some((file, _)) = self.meshes.get(g.get("mesh").unwrap_or_default()) else { return };
                shape.set("type", "mesh");
                shape.set("file", file.to_string_lossy().into_owned());
                shape.set("scale", scale);
            }
            _ => return,
        }
        let positive = |n: &Node| match &n.value {
            crate::tree::Value::Number(x) => *x > 0.0,
            crate::tree::Value::List(l) => {
                l.iter().all(|n| matches!(n.value, crate::tree::Value::Number(x) if x > 0.0))
            }
            _ => true,
        };
        if !shape.entries.iter().all(|e| positive(&e.node)) {
            return;
        }
        shape.set("at", vector(X_BG.origin));
        shape.set("rpy", numbers(X_BG.rotation.to_rpy()));
        if let Some(colour) = self.colour(g) {
            shape.set("colour", colour);
        }
        self.list[body].shapes.push(nodes::placed(shape.into(), Some(&g.span)));
    }

    /// Where bodies are in the world, joints at these values of `qpos` or else at their references.
    pub fn poses(&self, qpos: Option<&[f64]>) -> Vec<Pose> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.list.len());
        let mut at = 0;
        for (k, body) in self.list.iter().enumerate() {
            let parent = if k == 0 { Pose::IDENTITY } else { poses[body.parent] };
            let mut X = parent * body.X_PB;
            for joint in &body.joints {
                let count = match joint.kind {
                    Kind::Hinge | Kind::Slide => 1,
                    Kind::Ball => 4,
                    Kind::Free => 7,
                };
                let values = qpos.and_then(|q| q.get(at..at + count));
                at += count;
                let Some(q) = values else { continue };
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
            }
            poses.push(X);
        }
        poses
    }
}

impl Body {
    /// Adds a mass to what the body has.
    fn add(&mut self, m: Mass) {
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
