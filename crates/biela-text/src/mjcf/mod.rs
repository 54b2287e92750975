//! Reads MJCF, the models of MuJoCo: bodies, joints, inertias from geoms, default classes, included files, equalities, actuators.
//!
//! A body becomes a body whose frame is its own; of several joints all but the last lead to bodies without mass. Joint coordinates are those of
//! `qpos`. `connect`, `weld` and `joint` equalities become spherical joints, fixed joints and couplings; motors and servos become loads whose control is a
//! parameter. `docs/mjcf.md` tells the mapping in full; what is not read is told.

mod actuators;
mod attach;
mod bodies;
mod defaults;
mod emit;
mod equalities;
mod geometry;
mod geoms;
mod include;
mod known;
mod reference;
mod replicate;
mod tables;

use super::context::Options;
use super::foreign::element::Attribute;
use super::foreign::{flatten_planar_loops, Element, Folder, Told};
use super::imported::Imported;
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_math::Vec3;
use std::path::Path;
use std::sync::Arc;

/// What `<compiler>` and `<option>` say.
struct Compiler {
    degrees: bool,
    sequence: [u8; 3],
    mesh_folder: String,
    autolimits: bool,
    /// Whether inertias come from geoms: always, never, or where a body has no `<inertial>`.
    from_geoms: Option<bool>,
    groups: [f64; 2],
    least_mass: f64,
    total_mass: f64,
    gravity: Vec3,
    /// Where that is said.
    gravity_span: Span,
    /// Whether volumes of meshes are counted as they are.
    exact_meshes: bool,
    /// Whether all poses are those in the world, as older files may have it.
    global: bool,
    /// What `<flag>` switches off.
    off: Vec<&'static str>,
}

impl Compiler {
    /// Whether no flag switches this off.
    fn acts(&self, what: &str) -> bool {
        !self.off.contains(&what)
    }
}

/// Bodies and equalities at most: what is looked for by name is looked for among all.
const MOST: usize = 20_000;

/// Flags that switch off parts of the mechanics; those behind an older one's name, or one of all constraints, are switched off with it.
const FLAGS: &[(&str, &[&str])] = &[
    ("equality", &["equality"]),
    ("spring", &["spring"]),
    ("damper", &["damper"]),
    ("passive", &["spring", "damper"]),
    ("frictionloss", &["frictionloss"]),
    ("limit", &["limit"]),
    ("constraint", &["equality", "frictionloss", "limit"]),
    ("actuation", &["actuation"]),
];

/// Sections that are read, and those that say nothing of the mechanism.
const READ: &[&str] =
    &["compiler", "option", "default", "asset", "worldbody", "equality", "tendon", "actuator", "keyframe"];
const ASIDE: &[&str] = &["size", "visual", "statistic", "sensor", "contact", "custom", "extension"];

/// Reads the model of an MJCF text in a folder. Of the options `strict` and `confined` count.
pub fn read(source: &Arc<Source>, folder: &Path, options: &Options) -> Result<Imported> {
    let mut told = Told::new(options.strict);
    let mut folder = Folder::new(folder, options.confined);
    let mut root = include::load(source, &mut folder, &mut told)?;
    const PART: &str = "where other models include this file, open one of those";
    if root.tag == "mujocoinclude" {
        return Err(root.error("this is a part of a model, not a model").note(PART));
    }
    if root.tag != "mujoco" {
        return Err(root.error(format!("the outermost element is <{}>, an MJCF has <mujoco>", root.tag)));
    }
    root.allow(&mut told, &["model"], &[READ, ASIDE].concat())?;
    for child in root.children.iter().filter(|c| ASIDE.contains(&c.tag.as_str())) {
        told.unused(
            &child.span,
            "sections about solution, sensors, contacts and looks (<visual>, <sensor>, <contact> …) are not used",
        );
    }
    known::tell_unknown(&root, &mut told)?;
    let compiler = compiler(&root, &mut told)?;
    attach::expand(&mut root, &compiler, &mut folder, &mut told, 0)?;
    replicate::expand(&mut root, &compiler, &mut told)?;
    let classes = defaults::read(&root)?;
    let mut world = bodies::World::new(&compiler, &classes, &root, &folder)?;
    world.drawn = !options.undrawn;
    world.read(&root, &mut told)?;
    if world.list.len() < 2 {
        return Err(root.error("the model has no bodies").note(PART));
    }
    let mut tree = emit::document(&world, &root, &mut told)?;
    flatten_planar_loops(&mut tree, &mut told)?;
    Ok(Imported { tree, warnings: told.finish() })
}

fn compiler(root: &Element, told: &mut Told) -> Result<Compiler> {
    let mut found = Compiler {
        degrees: true,
        sequence: *b"xyz",
        mesh_folder: String::new(),
        autolimits: true,
        from_geoms: None,
        groups: [0.0, 5.0],
        least_mass: 0.0,
        total_mass: -1.0,
        gravity: Vec3::new(0.0, 0.0, -9.81),
        gravity_span: root.span.clone(),
        exact_meshes: false,
        global: false,
        off: Vec::new(),
    };
    for e in root.all("compiler") {
        if let Some(angle) = e.get("angle") {
            found.degrees = angle != "radian";
        }
        if let Some(sequence) = e.get("eulerseq") {
            let fits = sequence.len() == 3 && sequence.bytes().all(|b| b"xyzXYZ".contains(&b));
            found.sequence = sequence
                .as_bytes()
                .try_into()
                .ok()
                .filter(|_| fits)
                .ok_or_else(|| e.error("eulerseq has three letters of x, y, z"))?;
        }
        if let Some(folder) = e.get("assetdir").or(e.get("meshdir")) {
            found.mesh_folder = e.get("meshdir").unwrap_or(folder).to_string();
        }
        if let Some(on) = e.get("autolimits") {
            found.autolimits = Element::is_on(on);
        }
        if let Some(word) = e.get("inertiafromgeom") {
            found.from_geoms = match word {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            };
        }
        if let Some([low, high]) = e.numbers("inertiagrouprange")?.as_deref() {
            found.groups = [*low, *high];
        }
        found.exact_meshes |= e.get("exactmeshinertia").is_some_and(Element::is_on);
        found.least_mass = e.number("boundmass")?.unwrap_or(found.least_mass);
        found.total_mass = e.number("settotalmass")?.unwrap_or(found.total_mass);
        if let Some(a) = e.attribute("coordinate").filter(|a| a.value == "global") {
            let error = Error::new("global coordinates, which MJCF had before 2.3.3").at(&a.span);
            told.doubt(error, "frames of bodies without a place are those of the world")?;
            found.global = true;
        }
        if let Some(a) = e.attribute("alignfree").filter(|a| Element::is_on(&a.value)) {
            let error = Error::new("'alignfree' of <compiler>").at(&a.span);
            told.doubt(error, "bodies keep their frames, in which their coordinates count")?;
        }
        for (name, unless) in [("boundinertia", "0"), ("balanceinertia", "false")] {
            if let Some(a) = e.attribute(name).filter(|a| a.value != unless) {
                told.doubt(
                    Error::new(format!("'{name}' of <compiler>")).at(&a.span),
                    "inertias are taken as they stand",
                )?;
            }
        }
    }
    options(root, &mut found, told)?;
    Ok(found)
}

/// What `<option>` says of gravity and of fluids.
fn options(root: &Element, found: &mut Compiler, told: &mut Told) -> Result<()> {
    for e in root.all("option") {
        if let (Some(g), Some(a)) = (e.vector("gravity")?, e.attribute("gravity")) {
            (found.gravity, found.gravity_span) = (g, a.span.clone());
        }
        if e.all("flag").any(|f| f.get("gravity") == Some("disable")) {
            found.gravity = Vec3::ZERO;
        }
        for (name, parts) in FLAGS {
            let off = |a: &&Attribute| a.name == *name && a.value == "disable";
            if let Some(a) = e.all("flag").flat_map(|f| &f.attributes).find(off) {
                told.unused(&a.span, format!("'{name}' is switched off by <flag>"));
                found.off.extend_from_slice(parts);
            }
        }
        for name in ["density", "viscosity", "wind", "magnetic"] {
            if let Some(a) = e
                .attribute(name)
                .filter(|a| name != "magnetic" && a.value.split_whitespace().any(|w| w.parse() != Ok(0.0)))
            {
                told.doubt(
                    Error::new(format!("'{name}' of <option>")).at(&a.span),
                    "not read, forces of a fluid are missing",
                )?;
            }
        }
    }
    Ok(())
}
