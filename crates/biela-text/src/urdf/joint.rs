//! `<joint>` and the extension `<loop_joint>`.

use super::link::{read_frame, read_origin, Origin};
use crate::foreign::{Placed, Reader, Xml};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::Vec3;

pub(super) struct Joint {
    pub name: Placed<String>,
    pub span: Span,
    pub kind: Placed<Kind>,
    pub parent: Placed<String>,
    pub child: Placed<String>,
    pub origin: Origin,
    pub axis: Axis,
    pub limit: Option<Limit>,
    pub dynamics: Option<Dynamics>,
    pub mimic: Option<Mimic>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
}

/// A direction in the joint frame.
pub(super) struct Axis {
    pub direction: Vec3,
    pub span: Option<Span>,
}

/// Entries for the joint's `limits`, in order.
pub(super) struct Limit {
    pub span: Span,
    pub entries: Vec<(&'static str, Placed<f64>)>,
}

pub(super) struct Dynamics {
    pub span: Span,
    pub damping: Option<Placed<f64>>,
    pub friction: Option<Placed<f64>>,
}

pub(super) struct Mimic {
    pub span: Span,
    pub leader: Placed<String>,
    pub multiplier: Option<Placed<f64>>,
    pub offset: Option<Placed<f64>>,
}

impl Kind {
    const NAMES: [(&'static str, Kind); 6] = [
        ("revolute", Kind::Revolute),
        ("continuous", Kind::Continuous),
        ("prismatic", Kind::Prismatic),
        ("fixed", Kind::Fixed),
        ("floating", Kind::Floating),
        ("planar", Kind::Planar),
    ];

    /// True for the joints with one coordinate.
    pub fn is_single(self) -> bool {
        matches!(self, Kind::Revolute | Kind::Continuous | Kind::Prismatic)
    }
}

pub(super) fn read(reader: &mut Reader, node: Xml) -> Result<Joint> {
    let name = reader.own_name(node)?;
    let element = format!("joint '{}'", name.value);
    contents(reader, node, name).map_err(|error| error.of(element))
}

fn contents(reader: &mut Reader, node: Xml, name: Placed<String>) -> Result<Joint> {
    const CHILDREN: [&str; 9] =
        ["origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"];
    reader.allow(node, &["name", "type"], &CHILDREN)?;
    let kind = reader.required_text(node, "type")?;
    let Some(&(_, value)) = Kind::NAMES.iter().find(|(name, _)| *name == kind.value) else {
        let error = Error::new(format!("unknown joint type '{}'", kind.value)).at(&kind.span);
        return Err(error.suggest(&kind.value, Kind::NAMES.iter().map(|(name, _)| *name)));
    };
    let kind = Placed { value, span: kind.span };
    let parent = read_link_name(reader, node, "parent")?;
    let child = read_link_name(reader, node, "child")?;
    if parent.value == child.value {
        return Err(Error::new(format!("parent and child are the same link '{}'", child.value)).at(&child.span));
    }
    let origin = read_origin(reader, node)?;
    // The format gives an axis to these only; exporters write one, often zero, for the others too.
    let uses_axis = kind.value.is_single() || kind.value == Kind::Planar;
    let axis = read_axis(reader, node, "axis", uses_axis)?;
    let limit = read_limit(reader, node, kind.value)?;
    let dynamics = read_dynamics(reader, node, kind.value)?;
    let mimic = read_mimic(reader, node, kind.value)?;
    if let Some(calibration) = reader.child(node, "calibration")? {
        reader.allow(calibration, &["rising", "falling", "reference_position"], &[])?;
        let span = reader.tag_span(calibration);
        reader.told.unused(&span, "<calibration> is not used");
    }
    if let Some(safety) = reader.child(node, "safety_controller")? {
        reader.allow(safety, &["soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"], &[])?;
        let span = reader.tag_span(safety);
        reader.told.unused(&span, "<safety_controller> is not used");
    }
    let span = reader.tag_span(node);
    Ok(Joint { name, span, kind, parent, child, origin, axis, limit, dynamics, mimic })
}

fn read_link_name(reader: &mut Reader, node: Xml, tag: &'static str) -> Result<Placed<String>> {
    let child = reader.required_child(node, tag)?;
    reader.allow(child, &["link"], &[])?;
    reader.name(child, "link")
}

/// The axis, x where none is given.
fn read_axis(reader: &mut Reader, node: Xml, tag: &'static str, used: bool) -> Result<Axis> {
    let Some(axis) = reader.child(node, tag)? else { return Ok(Axis { direction: Vec3::X, span: None }) };
    reader.allow(axis, &["xyz"], &[])?;
    reader.required_text(axis, "xyz")?;
    let Some(xyz) = reader.vector(axis, "xyz")? else { return Ok(Axis { direction: Vec3::X, span: None }) };
    if !used {
        reader.told.unused(&xyz.span, "the axis of a fixed or floating joint is not used");
        return Ok(Axis { direction: Vec3::X, span: Some(xyz.span) });
    }
    let direction =
        xyz.value.unit().ok_or_else(|| Error::new("the axis is zero and has no direction").at(&xyz.span))?;
    Ok(Axis { direction, span: Some(xyz.span) })
}

fn read_limit(reader: &mut Reader, node: Xml, kind: Kind) -> Result<Option<Limit>> {
    let ranged = matches!(kind, Kind::Revolute | Kind::Prismatic);
    let Some(limit) = reader.child(node, "limit")? else {
        if ranged {
            let span = reader.tag_span(node);
            reader.told.unused(&span, "revolute or prismatic joint without <limit>: taken as unlimited");
        }
        return Ok(None);
    };
    let span = reader.tag_span(limit);
    const UNUSED: [&str; 3] = ["acceleration", "deceleration", "jerk"];
    const USED: [&str; 4] = ["lower", "upper", "velocity", "effort"];
    reader.allow(limit, &[USED.as_slice(), UNUSED.as_slice()].concat(), &[])?;
    for name in UNUSED {
        if let Some(value) = reader.number(limit, name)? {
            reader.told.unused(&value.span, format!("limit '{name}' is not used"));
        }
    }
    let mut entries = Vec::new();
    for name in USED {
        let value = match reader.text(limit, name) {
            // An infinite limit is none.
            Some(text) if text.value.trim().trim_start_matches(['+', '-']).eq_ignore_ascii_case("inf") => continue,
            Some(_) => reader.number(limit, name)?,
            None if ranged && (name == "lower" || name == "upper") => {
                reader.told.unused(&span, format!("limit '{name}' is not given: the format takes it as 0"));
                Some(Placed { value: 0.0, span: span.clone() })
            }
            None => None,
        };
        let Some(value) = value else { continue };
        if name == "velocity" || name == "effort" {
            if value.value < 0.0 {
                let message = format!("limit '{name}' must not be negative, found {}", value.value);
                return Err(Error::new(message).at(&value.span));
            }
        } else if !ranged {
            reader.told.unused(&value.span, "lower and upper limits of a joint without range are not used");
            continue;
        }
        entries.push((name, value));
    }
    let find = |wanted: &str| entries.iter().find(|(name, _)| *name == wanted).map(|(_, p)| p);
    if let (Some(lower), Some(upper)) = (find("lower"), find("upper")) {
        if lower.value > upper.value {
            let message = format!("lower limit {} is above upper limit {}", lower.value, upper.value);
            return Err(Error::new(message).at(&lower.span));
        }
    }
    if matches!(kind, Kind::Fixed | Kind::Floating | Kind::Planar) {
        reader.told.unused(&span, "limits of a fixed, floating or planar joint are not used");
        return Ok(None);
    }
    Ok((!entries.is_empty()).then_some(Limit { span, entries }))
}

fn read_dynamics(reader: &mut Reader, node: Xml, kind: Kind) -> Result<Option<Dynamics>> {
    let Some(dynamics) = reader.child(node, "dynamics")? else { return Ok(None) };
    let span = reader.tag_span(dynamics);
    reader.allow(dynamics, &["damping", "friction"], &[])?;
    let coefficient = |name: &str| match reader.number(dynamics, name)? {
        Some(p) if p.value < 0.0 => {
            Err(Error::new(format!("'{name}' must not be negative, found {}", p.value)).at(&p.span))
        }
        Some(p) if p.value == 0.0 => Ok(None),
        other => Ok(other),
    };
    let (damping, friction) = (coefficient("damping")?, coefficient("friction")?);
    if damping.is_none() && friction.is_none() {
        return Ok(None);
    }
    if !kind.is_single() {
        reader.told.unused(&span, "<dynamics> of a fixed, floating or planar joint is not used");
        return Ok(None);
    }
    Ok(Some(Dynamics { span, damping, friction }))
}

fn read_mimic(reader: &mut Reader, node: Xml, kind: Kind) -> Result<Option<Mimic>> {
    let Some(mimic) = reader.child(node, "mimic")? else { return Ok(None) };
    let span = reader.tag_span(mimic);
    reader.allow(mimic, &["joint", "multiplier", "offset"], &[])?;
    let leader = reader.name(mimic, "joint")?;
    if !kind.is_single() {
        return Err(Error::new("only a revolute, continuous or prismatic joint can mimic another").at(&span));
    }
    let (multiplier, offset) = (reader.number(mimic, "multiplier")?, reader.number(mimic, "offset")?);
    Ok(Some(Mimic { span, leader, multiplier, offset }))
}

/// A joint that closes a loop: one frame in each of two links.
pub(super) struct LoopJoint {
    pub name: Placed<String>,
    pub span: Span,
    pub kind: Placed<String>,
    pub links: [Placed<String>; 2],
    pub frames: [Origin; 2],
    pub axis: Axis,
    pub axis2: Axis,
    pub pitch: Option<Placed<f64>>,
}

const LOOP_KINDS: [&str; 9] =
    ["revolute", "continuous", "prismatic", "cylindrical", "screw", "universal", "spherical", "planar", "fixed"];

pub(super) fn read_loop(reader: &mut Reader, node: Xml) -> Result<LoopJoint> {
    let name = reader.own_name(node)?;
    let element = format!("loop joint '{}'", name.value);
    loop_contents(reader, node, name).map_err(|error| error.of(element))
}

fn loop_contents(reader: &mut Reader, node: Xml, name: Placed<String>) -> Result<LoopJoint> {
    let kind = reader.required_text(node, "type")?;
    if !LOOP_KINDS.contains(&kind.value.as_str()) {
        let error = Error::new(format!("unknown type '{}' of a loop joint", kind.value)).at(&kind.span);
        return Err(error.suggest(&kind.value, LOOP_KINDS));
    }
    let (screw, universal) = (kind.value == "screw", kind.value == "universal");
    let attributes: &[&str] = if screw { &["name", "type", "pitch"] } else { &["name", "type"] };
    let children: &[&str] = if universal { &["link1", "link2", "axis", "axis2"] } else { &["link1", "link2", "axis"] };
    reader.allow(node, attributes, children)?;
    let pitch = if screw { Some(reader.required_number(node, "pitch")?) } else { None };
    let mut end = |tag: &'static str| {
        let end = reader.required_child(node, tag)?;
        reader.allow(end, &["link", "xyz", "rpy", "quat_xyzw"], &[])?;
        Ok((reader.name(end, "link")?, read_frame(reader, end)?))
    };
    let ((link1, frame1), (link2, frame2)) = (end("link1")?, end("link2")?);
    if link1.value == link2.value {
        return Err(Error::new(format!("both ends are on the same link '{}'", link2.value)).at(&link2.span));
    }
    let uses_axis = !matches!(kind.value.as_str(), "spherical" | "fixed");
    let axis = read_axis(reader, node, "axis", uses_axis)?;
    let axis2 = if universal {
        reader.required_child(node, "axis")?;
        reader.required_child(node, "axis2")?;
        read_axis(reader, node, "axis2", true)?
    } else {
        Axis { direction: Vec3::X, span: None }
    };
    let span = reader.tag_span(node);
    Ok(LoopJoint { name, span, kind, links: [link1, link2], frames: [frame1, frame2], axis, axis2, pitch })
}
