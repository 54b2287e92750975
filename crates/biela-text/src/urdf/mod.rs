//! Reads a URDF (Unified Robot Description Format), strictly: what is not known is an error, what is known and not used
//! is a warning, and nothing is dropped without a word.
//!
//! A link becomes a body, a joint a joint whose coordinate is zero where the URDF's is; `<mimic>` becomes a gear
//! coupling and `<dynamics>` joint friction. The root link is the ground, or a body on a free joint where asked for.
//! The extension `<loop_joint>` closes loops. `docs/urdf.md` tells the mapping in full.

mod emit;
mod graph;
mod joint;
mod link;
#[cfg(test)]
mod tests;

use super::foreign::{parse, Reader, Told};
use super::imported::Imported;
use biela_base::error::{Error, Result};
use biela_base::source::Source;
use std::sync::Arc;

/// How to read a URDF.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// What is doubtful is an error, not told.
    pub strict: bool,
    /// The root link is a body free to move instead of the ground.
    pub free_base: bool,
}

/// Elements that other programs put into `<robot>`; they say nothing about the mechanics.
const EXTENSIONS: [&str; 5] = ["transmission", "gazebo", "ros2_control", "mujoco", "sensor"];

/// Reads the robot of a URDF text.
pub fn read(source: &Arc<Source>, options: &Options) -> Result<Imported> {
    let document = parse(source)?;
    let mut reader = Reader { source, told: Told::new(options.strict) };
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let tag = root.tag_name().name();
        return Err(
            Error::new(format!("the outermost element is <{tag}>, a URDF has <robot>")).at(&reader.tag_span(root))
        );
    }
    let children = [&["link", "joint", "loop_joint", "material"], EXTENSIONS.as_slice()].concat();
    reader.allow(root, &["name", "version"], &children)?;
    let name = reader.required_text(root, "name")?;
    let (mut links, mut joints, mut loops) = (Vec::new(), Vec::new(), Vec::new());
    for node in root.children().filter(|n| n.is_element() && n.tag_name().namespace().is_none()) {
        match node.tag_name().name() {
            "link" => links.push(link::read(&mut reader, node)?),
            "joint" => joints.push(joint::read(&mut reader, node)?),
            "loop_joint" => loops.push(joint::read_loop(&mut reader, node)?),
            "material" => link::read_material(&mut reader, node)?,
            tag if EXTENSIONS.contains(&tag) => {
                let span = reader.tag_span(node);
                reader.told.unused(&span, format!("<{tag}> is an extension that is not used; it was not read"));
            }
            _ => {} // Reported by `allow`.
        }
    }
    if links.is_empty() {
        return Err(Error::new("the robot has no links").at(&reader.tag_span(root)));
    }
    let graph = graph::Graph::new(&links, &joints, &loops)?;
    let robot = emit::Robot { name, links, joints, loops };
    let tree = emit::document(&mut reader, &robot, &graph, options)?;
    Ok(Imported { tree, warnings: reader.told.finish() })
}
