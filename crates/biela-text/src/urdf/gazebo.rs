//! Joints in `<gazebo>`, as SDF writes them: the usual way to close loops of a URDF for Gazebo.
//!
//! ```xml
//! <gazebo><joint name="C" type="revolute"><parent>rod</parent><child>rocker</child>
//!   <pose>0 1.5 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis></joint></gazebo>
//! ```
//! `<pose>` is the joint's frame in the child; in the parent it is where that frame lies with all joints at zero.

use super::joint::Axis;
use super::loops::{kind_of, LoopJoint, NO_AXIS};
use super::origin::Origin;
use crate::foreign::{Placed, Reader, Xml};
use crate::reader::plain_name;
use biela_base::error::{Error, Result};
use biela_math::{Pose, Rotation, Vec3};

/// The joints of a `<gazebo>`; the rest of it says nothing of the mechanics.
pub(super) fn read(reader: &mut Reader, node: Xml) -> Result<Vec<LoopJoint>> {
    let joints: Vec<Xml> = reader.children(node, "joint").collect();
    if joints.is_empty() {
        let span = reader.tag_span(node);
        reader.told.unused(&span, "<gazebo> is an extension that is not used; it was not read");
    }
    joints.into_iter().map(|joint| read_joint(reader, joint)).collect()
}

fn read_joint(reader: &mut Reader, node: Xml) -> Result<LoopJoint> {
    let name = reader.own_name(node)?;
    let contents = |reader: &mut Reader| {
        reader.allow(node, &["name", "type"], &["parent", "child", "pose", "axis", "physics"])?;
        let word = reader.required_text(node, "type")?;
        let kind = Placed { value: kind_of(&word)?, span: word.span };
        let links = [link(reader, node, "parent")?, link(reader, node, "child")?];
        let frame = match reader.child(node, "pose")? {
            Some(pose) => {
                let [x, y, z, roll, pitch, yaw] = numbers(reader, pose)?;
                let pose_in_child = Pose::new(Rotation::from_rpy(roll, pitch, yaw), Vec3::new(x, y, z));
                Origin { pose: pose_in_child, span: Some(reader.tag_span(pose)) }
            }
            None => Origin::NONE,
        };
        Ok((kind, links, frame, read_axis(reader, node)?))
    };
    let (kind, links, frame, axis) =
        contents(reader).map_err(|e: Error| e.of(format!("joint '{}' of <gazebo>", name.value)))?;
    let span = reader.tag_span(node);
    let (frames, axes) = ([Origin::NONE, frame], [axis.clone(), axis]);
    Ok(LoopJoint { name, span, kind, links, frames, axes, pitch: None, closed_at_zero: true })
}

fn link(reader: &mut Reader, node: Xml, tag: &'static str) -> Result<Placed<String>> {
    let child = reader.required_child(node, tag)?;
    let text = child.text().unwrap_or("").trim();
    match text.is_empty() {
        true => Err(Error::new(format!("<{tag}> names no link")).at(&reader.tag_span(child))),
        false => Ok(Placed { value: plain_name(text), span: reader.tag_span(child) }),
    }
}

fn read_axis(reader: &mut Reader, node: Xml) -> Result<Axis> {
    let Some(axis) = reader.child(node, "axis")? else { return Ok(NO_AXIS) };
    let Some(xyz) = reader.child(axis, "xyz")? else { return Ok(NO_AXIS) };
    let span = reader.tag_span(xyz);
    let direction = Vec3::from(numbers::<3>(reader, xyz)?).unit();
    let direction = direction.ok_or_else(|| Error::new("the axis is zero and has no direction").at(&span))?;
    Ok(Axis { direction, span: Some(span) })
}

fn numbers<const N: usize>(reader: &Reader, node: Xml) -> Result<[f64; N]> {
    let words = node.text().unwrap_or("").split_whitespace();
    let found: Option<Vec<f64>> = words.map(|w| w.parse().ok().filter(|x: &f64| x.is_finite())).collect();
    found
        .and_then(|list| <[f64; N]>::try_from(list).ok())
        .ok_or_else(|| Error::new(format!("<{}> holds {N} numbers", node.tag_name().name())).at(&reader.tag_span(node)))
}
