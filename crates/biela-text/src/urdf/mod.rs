//! Reads a URDF (Unified Robot Description Format), generously: what is doubtful is told once and read as it stands, what is known
//! and not used is told too, and nothing is dropped without a word. Strictly, each doubt is an error.
//!
//! A link becomes a body, a joint a joint whose coordinate is zero where the URDF's is; `<mimic>` becomes a gear
//! coupling and `<dynamics>` joint friction. The root link is the ground, or a body on a free joint where asked for.
//! Loops are read in the dialects of `loops.rs` and `closures.rs`. `docs/urdf.md` tells the mapping in full.

mod closures;
mod emit;
mod gazebo;
mod graph;
mod joint;
mod link;
mod loops;
mod materials;
mod origin;
mod robot;
mod shape;
#[cfg(test)]
mod tests;
mod transmission;

use super::files::read_foreign_text;
use super::foreign::{flatten_planar_loops, parse, tidied, Placed, Reader, Search, Told, Xml};
use super::imported::Imported;
use biela_base::error::{Error, Result};
use biela_base::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How to read a URDF.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What is doubtful is an error, not told.
    pub strict: bool,
    /// The root link is a body free to move instead of the ground.
    pub free_base: bool,
    /// The folder of the file, where meshes and closures are looked for; none where nothing is looked for.
    pub folder: Option<PathBuf>,
    /// Whether only files in that folder may be read.
    pub confined: bool,
}

/// Elements that other programs put into `<robot>`; they say nothing about the mechanics.
const EXTENSIONS: [&str; 4] = ["gazebo", "ros2_control", "mujoco", "sensor"];

/// Reads the robot of a URDF text, and the closures in a YAML file beside it.
pub fn read(source: &Arc<Source>, options: &Options) -> Result<Imported> {
    let closures = match closures_beside(source, options) {
        Some(file) => Some(read_foreign_text(&file, &file.display().to_string())?.0),
        None => other_closures(options),
    };
    let closes = closures.as_ref().filter(|f| closures::recognises(&f.text));
    let mut imported = read_with(source, closes, options)?;
    if let (Some(file), None) = (&closures, closes) {
        imported.warnings.push(format!("{}: a YAML beside the URDF that lists no closed loops: not read", file.name));
    }
    Ok(imported)
}

/// Reads the robot of a URDF text with the closures of another text.
pub fn read_with(source: &Arc<Source>, closures: Option<&Arc<Source>>, options: &Options) -> Result<Imported> {
    let mut told = Told::new(options.strict);
    let source = &tidied(source, &mut told)?;
    let document = parse(source)?;
    let mut reader = Reader { source, told };
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let tag = root.tag_name().name();
        return Err(
            Error::new(format!("the outermost element is <{tag}>, a URDF has <robot>")).at(&reader.tag_span(root))
        );
    }
    refuse_xacro(&reader, root)?;
    let mut robot = read_robot(&mut reader, root, options)?;
    if robot.links.is_empty() {
        return Err(Error::new("the robot has no links").at(&reader.tag_span(root)));
    }
    if let Some(text) = closures {
        let parts = (&robot.links[..], &mut robot.joints[..]);
        robot.loops.extend(closures::apply(text, &mut reader.told, parts)?);
    }
    name_joints_for_expressions(&mut reader, &mut robot);
    second_parents_close_loops(&mut reader, &mut robot)?;
    world_that_is_not_there(&mut reader, &mut robot)?;
    let mut graph = graph::Graph::new(&mut reader, &robot)?;
    graph.face(&robot);
    let mut tree = emit::document(&mut reader, &robot, &graph, options)?;
    flatten_planar_loops(&mut tree, &mut reader.told)?;
    Ok(Imported { tree, warnings: reader.told.finish() })
}

fn read_robot(reader: &mut Reader, root: Xml, options: &Options) -> Result<robot::Robot> {
    const KNOWN: [&str; 4] = ["link", "joint", "transmission", "material"];
    let children = [&KNOWN, EXTENSIONS.as_slice(), &loops::TAGS].concat();
    reader.allow(root, &["name", "version"], &children)?;
    let search = options.folder.as_deref().map(|folder| Search { folder, confined: options.confined });
    let materials = materials::Materials::read(reader, root)?;
    let mut robot = robot::Robot {
        name: robot_name(reader, root)?,
        links: Vec::new(),
        joints: Vec::new(),
        loops: Vec::new(),
        couplings: Vec::new(),
        rotors: Vec::new(),
    };
    for node in root.children().filter(|n| n.is_element() && n.tag_name().namespace().is_none()) {
        match node.tag_name().name() {
            "link" => robot.links.push(link::read(reader, node, &materials, search.as_ref())?),
            "joint" => robot.joints.push(joint::read(reader, node)?),
            "transmission" => robot.rotors.extend(transmission::read(reader, node)?),
            "gazebo" => robot.loops.extend(gazebo::read(reader, node)?),
            tag if loops::TAGS.contains(&tag) => match loops::read(reader, node)? {
                loops::Closure::Joint(joint) => robot.loops.push(*joint),
                loops::Closure::Coupling(coupling) => robot.couplings.push(*coupling),
            },
            tag if EXTENSIONS.contains(&tag) => {
                let span = reader.tag_span(node);
                reader.told.unused(&span, format!("<{tag}> is an extension that is not used; it was not read"));
            }
            _ => {} // A material, read above, or told by `allow`.
        }
    }
    Ok(robot)
}

/// The robot's name; told where it has none.
fn robot_name(reader: &mut Reader, root: Xml) -> Result<Placed<String>> {
    match reader.text(root, "name").filter(|name| !name.value.trim().is_empty()) {
        Some(name) => Ok(name),
        None => {
            let span = reader.tag_span(root);
            reader.told.doubt(Error::new("<robot> has no attribute 'name'").at(&span), "called 'robot'")?;
            Ok(Placed { value: "robot".into(), span })
        }
    }
}

/// A text that xacro has not expanded holds elements of its namespace, and expressions in place of numbers.
fn refuse_xacro(reader: &Reader, root: Xml) -> Result<()> {
    let element = |n: &Xml| {
        let name = n.tag_name();
        n.is_element() && (name.namespace().is_some_and(|s| s.contains("xacro")) || name.name().starts_with("xacro_"))
    };
    let expression = |n: &Xml| n.attributes().any(|a| a.value().contains("${") || a.value().contains("$("));
    let Some(node) = root.descendants().find(|n| element(n) || expression(n)) else { return Ok(()) };
    let what = match element(&node) {
        true => format!("<xacro:{}>", node.tag_name().name().trim_start_matches("xacro_")),
        false => "an expression in ${} or $()".into(),
    };
    Err(Error::new(format!("this file is still to be expanded by xacro: it holds {what}"))
        .at(&reader.tag_span(node))
        .note("run `xacro FILE > robot.urdf` (of ROS, or `pip install xacro`), and read the URDF it writes"))
}

/// The file of closures beside the URDF: of the same name, or `robot.yaml`.
fn closures_beside(source: &Arc<Source>, options: &Options) -> Option<PathBuf> {
    let folder = options.folder.as_ref()?;
    let stem = Path::new(&source.name).file_stem()?.to_string_lossy().into_owned();
    let names = [format!("{stem}.yaml"), format!("{stem}.yml"), "robot.yaml".to_string()];
    names.into_iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// The only YAML in the folder that lists closures, whatever it is called; none where there are several, or several robots.
fn other_closures(options: &Options) -> Option<Arc<Source>> {
    /// Files that are looked into, at most, and their largest size.
    const MOST: usize = 20;
    const LARGEST: u64 = 1 << 20;
    let ending = |path: &Path, endings: &[&str]| {
        path.extension().is_some_and(|e| endings.iter().any(|ending| e.eq_ignore_ascii_case(ending)))
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(options.folder.as_ref()?).ok()?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    if files.iter().filter(|path| ending(path, &["urdf"])).count() != 1 {
        return None;
    }
    let small = |path: &PathBuf| path.is_file() && path.metadata().is_ok_and(|m| m.len() <= LARGEST);
    let texts = files.iter().filter(|path| ending(path, &["yaml", "yml"]) && small(path)).take(MOST);
    let mut found = texts
        .filter_map(|path| Some(read_foreign_text(path, &path.display().to_string()).ok()?.0))
        .filter(|text| closures::recognises(&text.text));
    match (found.next(), found.next()) {
        (one, None) => one,
        _ => None,
    }
}

/// Where couplings or rotors are told as expressions of joint coordinates, names of joints hold nothing that ends a name there.
fn name_joints_for_expressions(reader: &mut Reader, robot: &mut robot::Robot) {
    if robot.couplings.is_empty() && robot.rotors.is_empty() {
        return;
    }
    let fit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let fitted = |name: &str| name.chars().map(|c| if fit(c) { c } else { '_' }).collect::<String>();
    for joint in &mut robot.joints {
        let name = fitted(&joint.name.value);
        if name != joint.name.value {
            let message = format!("joint '{}' is called '{name}' here: it stands in expressions", joint.name.value);
            reader.told.unused(&joint.name.span, message);
            joint.name.value = name;
        }
        if let Some(mimic) = &mut joint.mimic {
            mimic.leader.value = fitted(&mimic.leader.value);
        }
    }
    for rotor in &mut robot.rotors {
        rotor.joint.value = fitted(&rotor.joint.value);
    }
}

/// Drake and Simbody let joints name a link `world` that no `<link>` describes: it is the ground. Where nothing else stands on it,
/// the robot floats.
fn world_that_is_not_there(reader: &mut Reader, robot: &mut robot::Robot) -> Result<()> {
    const WORLD: &str = "world";
    let ends = robot.joints.iter().flat_map(|j| [&j.parent, &j.child]).chain(robot.loops.iter().flat_map(|l| &l.links));
    let Some(first) = ends.filter(|end| end.value == WORLD).map(|end| end.span.clone()).next() else { return Ok(()) };
    if robot.links.iter().any(|l| l.name.value == WORLD) {
        return Ok(());
    }
    reader.told.doubt(Error::new("no link 'world'").at(&first), "taken as the ground")?;
    let carried: std::collections::HashSet<&str> = robot.joints.iter().map(|j| j.child.value.as_str()).collect();
    let roots: Vec<&link::Link> = robot.links.iter().filter(|l| !carried.contains(l.name.value.as_str())).collect();
    if let ([root], false) = (&roots[..], robot.joints.iter().any(|j| j.parent.value == WORLD)) {
        let name = Placed { value: "floating_base".to_string(), span: first.clone() };
        let child = root.name.clone();
        let parent = Placed { value: WORLD.to_string(), span: first.clone() };
        robot.joints.push(joint::Joint::floating(name, parent, child));
    }
    let name = Placed { value: WORLD.to_string(), span: first };
    robot.links.push(link::Link { name, inertial: None, shapes: Vec::new() });
    Ok(())
}

/// A joint whose child has a parent already closes a loop: its frame is the child's own.
fn second_parents_close_loops(reader: &mut Reader, robot: &mut robot::Robot) -> Result<()> {
    let mut children = std::collections::HashSet::new();
    let mut tree = Vec::new();
    for joint in std::mem::take(&mut robot.joints) {
        if children.insert(joint.child.value.clone()) {
            tree.push(joint);
            continue;
        }
        let error = Error::new("a link is the child of two joints; a link has one parent")
            .of(format!("joint '{}'", joint.name.value))
            .at(&joint.child.span)
            .note("close a loop by a <loop_joint>, which gives one frame in each of two links");
        reader.told.doubt(error, "the second joint closes a loop")?;
        if joint.limit.is_some() || joint.dynamics.is_some() || joint.mimic.is_some() {
            reader
                .told
                .unused(&joint.span, "<limit>, <dynamics> and <mimic> of a joint that closes a loop are not used");
        }
        let kind = match joint.kind.value {
            joint::Kind::Revolute | joint::Kind::Continuous => "revolute",
            joint::Kind::Prismatic => "prismatic",
            joint::Kind::Planar => "planar",
            joint::Kind::Fixed => "fixed",
            joint::Kind::Spherical => loops::SPHERICAL,
            joint::Kind::Floating | joint::Kind::Universal(_) => {
                return Err(Error::new("a joint of this type cannot close a loop")
                    .of(format!("joint '{}'", joint.name.value))
                    .at(&joint.kind.span));
            }
        };
        robot.loops.push(loops::LoopJoint {
            name: joint.name,
            span: joint.span,
            kind: Placed { value: kind, span: joint.kind.span },
            links: [joint.parent, joint.child],
            frames: [joint.origin, origin::Origin::NONE],
            axes: [joint.axis.clone(), joint.axis],
            pitch: None,
            closed_at_zero: false,
        });
    }
    robot.joints = tree;
    Ok(())
}
