//! Loops in the dialects that people have added to URDF. Each names two links and gives a frame in each.
//!
//! | element | ends | written by |
//! |---|---|---|
//! | `<loop_joint>` | `<link1 link= xyz= rpy=>`, `<link2 …>`, or as `<constraint>` | this program |
//! | `<loop>` | `<predecessor link=><origin/></predecessor>`, `<successor …>` | URDF+ |
//! | `<loop_constraint>`, `<constraint type="position">` | either of these | URDF+ before its release |
//! | `<constraint>` | `<parent>`, `<parent_origin>`, `<parent_axis>`, and of `child` | the proposal for urdfdom |
//! | `<gazebo><joint>` | `<parent>`, `<child>`, `<pose>`, `<axis>` of SDF: [`super::gazebo`] | Gazebo |
//! | `<coupling>`, `<joint_constraint>`, `<constraint type="rolling">` | two links and `<ratio>` or `<gear_ratio>` | URDF+ |

use super::joint::{read_axis, Axis};
use super::origin::{read_frame, read_origin, read_origin_of, Origin};
use crate::foreign::{Placed, Reader, Xml};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::Vec3;

/// What is said of two links beside the tree.
pub(super) enum Closure {
    Joint(Box<LoopJoint>),
    Coupling(Box<Coupling>),
}

/// A joint that closes a loop: one frame in each of two links.
pub(super) struct LoopJoint {
    pub name: Placed<String>,
    pub span: Span,
    pub kind: Placed<&'static str>,
    pub links: [Placed<String>; 2],
    pub frames: [Origin; 2],
    /// In the frame of each link: one direction, but for a universal joint.
    pub axes: [Axis; 2],
    pub pitch: Option<Placed<f64>>,
    /// Whether the frame in the first link is where the second has it with all joints at zero.
    pub closed_at_zero: bool,
}

/// `ratio` times what turns the first link against the nearest link that carries both is what turns the second.
pub(super) struct Coupling {
    pub name: Placed<String>,
    pub span: Span,
    pub links: [Placed<String>; 2],
    pub ratio: Placed<f64>,
    /// Where the two rolls touch, in each link, in files that give no ratio: it is that of the radii about the axes.
    pub touch: Option<[Vec3; 2]>,
}

/// Elements that say so.
pub(super) const TAGS: [&str; 6] =
    ["loop_joint", "loop", "loop_constraint", "constraint", "coupling", "joint_constraint"];

/// Types of loop joints by the words of all dialects.
const KINDS: [(&str, &str); 14] = [
    ("revolute", "revolute"),
    ("continuous", "revolute"),
    ("prismatic", "prismatic"),
    ("cylindrical", "cylindrical"),
    ("screw", "screw"),
    ("universal", "universal"),
    ("spherical", "spherical"),
    ("planar", "planar"),
    ("fixed", "fixed"),
    ("ball", SPHERICAL),
    ("position", SPHERICAL),
    ("weld", "fixed"),
    ("3d", SPHERICAL),
    ("6d", "fixed"),
];
pub(super) const SPHERICAL: &str = "spherical";

const ROLLING: [&str; 3] = ["rolling", "coupling", "gear"];

/// What the ends are called: link, origin and axis of each.
const ENDS: [[[&str; 3]; 2]; 3] = [
    [["link1", "link1_origin", "link1_axis"], ["link2", "link2_origin", "link2_axis"]],
    [["predecessor", "predecessor_origin", "predecessor_axis"], ["successor", "successor_origin", "successor_axis"]],
    [["parent", "parent_origin", "parent_axis"], ["child", "child_origin", "child_axis"]],
];

pub(super) fn read(reader: &mut Reader, node: Xml) -> Result<Closure> {
    let name = reader.own_name(node)?;
    let element = format!("<{}> '{}'", node.tag_name().name(), name.value);
    contents(reader, node, name).map_err(|error| error.of(element))
}

fn contents(reader: &mut Reader, node: Xml, name: Placed<String>) -> Result<Closure> {
    let span = reader.tag_span(node);
    let Some(ends) = ENDS.into_iter().find(|[first, _]| reader.children(node, first[0]).next().is_some()) else {
        let words = "<predecessor> and <successor>, <parent> and <child>, or <link1> and <link2>";
        return Err(Error::new("it names no links").at(&span).note(format!("the two ends are given by {words}")));
    };
    let tag = node.tag_name().name();
    let word = reader.text(node, "type");
    let ratio = ["ratio", "gear_ratio"].into_iter().find(|t| reader.children(node, t).next().is_some());
    let rolls = word.as_ref().is_some_and(|w| ROLLING.contains(&w.value.as_str()));
    if rolls || ratio.is_some() || tag == "coupling" || tag == "joint_constraint" {
        return read_coupling(reader, node, (name, span), ends, ratio).map(|c| Closure::Coupling(Box::new(c)));
    }
    let kind = read_kind(reader, node, word)?;
    let attributes: &[&str] = if kind.value == "screw" { &["name", "type", "pitch"] } else { &["name", "type"] };
    let children: Vec<&str> = ends.iter().flatten().copied().chain(["axis", "axis2"]).collect();
    reader.allow(node, attributes, &children)?;
    let pitch = if kind.value == "screw" { Some(reader.required_number(node, "pitch")?) } else { None };
    let (link1, frame1) = read_end(reader, node, ends[0])?;
    let (link2, frame2) = read_end(reader, node, ends[1])?;
    if link1.value == link2.value {
        return Err(Error::new(format!("both ends are on the same link '{}'", link2.value)).at(&link2.span));
    }
    let axes = read_axes(reader, node, ends, kind.value)?;
    Ok(Closure::Joint(Box::new(LoopJoint {
        name,
        span,
        kind,
        links: [link1, link2],
        frames: [frame1, frame2],
        axes,
        pitch,
        closed_at_zero: false,
    })))
}

fn read_kind(reader: &mut Reader, node: Xml, word: Option<Placed<String>>) -> Result<Placed<&'static str>> {
    let Some(word) = word else {
        let span = reader.tag_span(node);
        let error = Error::new(format!("<{}> has no attribute 'type'", node.tag_name().name())).at(&span);
        reader.told.doubt(error, "its two points are held together (type \"position\")")?;
        return Ok(Placed { value: SPHERICAL, span });
    };
    Ok(Placed { value: kind_of(&word)?, span: word.span })
}

/// The type of joint that a word means.
pub(super) fn kind_of(word: &Placed<String>) -> Result<&'static str> {
    let found = KINDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&word.value));
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let error = Error::new(format!("unknown type '{}' of a loop joint", word.value)).at(&word.span);
        error.suggest(&word.value, KINDS.iter().map(|(name, _)| *name).chain(ROLLING))
    })
}

/// A link, and the frame in it: by attributes, by an `<origin>` within, or by an element beside.
fn read_end(reader: &mut Reader, node: Xml, [tag, beside, _]: [&'static str; 3]) -> Result<(Placed<String>, Origin)> {
    let end = reader.required_child(node, tag)?;
    reader.allow(end, &["link", "xyz", "rpy", "quat_xyzw"], &["origin"])?;
    let link = reader.name(end, "link")?;
    let within = read_origin(reader, end)?;
    let beside = read_origin_of(reader, node, beside)?;
    let own = match ["xyz", "rpy", "quat_xyzw"].iter().any(|name| reader.text(end, name).is_some()) {
        true => read_frame(reader, end)?,
        false => Origin::NONE,
    };
    let mut given = [own, within, beside].into_iter().filter(|o| o.span.is_some());
    let frame = given.next().unwrap_or(Origin::NONE);
    match given.next() {
        Some(second) => Err(Error::new("the frame in this link is given twice").at_opt(second.span.as_ref())),
        None => Ok((link, frame)),
    }
}

fn read_axes(reader: &mut Reader, node: Xml, ends: [[&'static str; 3]; 2], kind: &str) -> Result<[Axis; 2]> {
    let used = !matches!(kind, "spherical" | "fixed");
    let has = |reader: &Reader, tag: &'static str| reader.children(node, tag).next().is_some();
    let tags = match kind {
        "universal" if has(reader, "axis2") => ["axis", "axis2"],
        _ if has(reader, ends[0][2]) || has(reader, ends[1][2]) => [ends[0][2], ends[1][2]],
        _ => ["axis", "axis"],
    };
    if kind == "universal" {
        for tag in tags {
            reader.required_child(node, tag)?;
        }
        if tags[0] == tags[1] {
            return Err(Error::new("a universal joint has two axes").at(&reader.tag_span(node)).note("<axis2>"));
        }
    }
    // An axis that one end alone gives is that of both.
    let [first, second] = match tags.map(|tag| has(reader, tag)) {
        [true, false] => [tags[0]; 2],
        [false, true] => [tags[1]; 2],
        _ => tags,
    };
    let axis = read_axis(reader, node, first, used)?;
    let other = if second == first { axis.clone() } else { read_axis(reader, node, second, used)? };
    Ok([axis, other])
}

fn read_coupling(
    reader: &mut Reader,
    node: Xml,
    (name, span): (Placed<String>, Span),
    ends: [[&'static str; 3]; 2],
    ratio: Option<&'static str>,
) -> Result<Coupling> {
    let children: Vec<&str> = [ends[0][0], ends[1][0], "ratio", "gear_ratio"].to_vec();
    reader.allow(node, &["name", "type", "ratio"], &children)?;
    let mut end = |tag: &'static str| {
        let end = reader.required_child(node, tag)?;
        reader.allow(end, &["link"], &["origin"])?;
        Ok::<_, Error>((reader.name(end, "link")?, read_origin(reader, end)?))
    };
    let ((first, at_first), (second, at_second)) = (end(ends[0][0])?, end(ends[1][0])?);
    let links = [first, second];
    let rolls = at_first.span.is_some() && at_second.span.is_some();
    let mut touch = None;
    if links[0].value == links[1].value {
        return Err(Error::new(format!("both ends are on the same link '{}'", links[1].value)).at(&links[1].span));
    }
    let ratio = match (ratio, reader.number(node, "ratio")?) {
        (Some(tag), _) => {
            let child = reader.required_child(node, tag)?;
            reader.allow(child, &["value"], &[])?;
            reader.required_number(child, "value")?
        }
        (None, Some(ratio)) => ratio,
        (None, None) if rolls => {
            touch = Some([at_first.pose.origin, at_second.pose.origin]);
            Placed { value: 1.0, span: span.clone() }
        }
        (None, None) => {
            let error = Error::new("the coupling has no <ratio>").at(&span);
            reader.told.doubt(error, "taken as 1")?;
            Placed { value: 1.0, span: span.clone() }
        }
    };
    if ratio.value == 0.0 {
        return Err(Error::new("a ratio of 0 couples nothing").at(&ratio.span));
    }
    Ok(Coupling { name, span, links, ratio, touch })
}

/// A direction that is not given: x, as the format has it.
pub(super) const NO_AXIS: Axis = Axis { direction: Vec3::X, span: None };
