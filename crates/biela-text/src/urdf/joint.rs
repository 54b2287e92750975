//! `<joint>`.

use super::origin::{read_origin, Origin};
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

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
    Spherical,
    /// Turns about the first and then about the second of these axes of the joint frame.
    Universal([Vec3; 2]),
}

/// A direction in the joint frame.
#[derive(Clone)]
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

impl Joint {
    /// A link that moves freely.
    pub fn floating(name: Placed<String>, parent: Placed<String>, child: Placed<String>) -> Joint {
        let span = name.span.clone();
        Joint {
            kind: Placed { value: Kind::Floating, span: span.clone() },
            origin: Origin::NONE,
            axis: Axis { direction: Vec3::X, span: None },
            limit: None,
            dynamics: None,
            mimic: None,
            name,
            span,
            parent,
            child,
        }
    }
}

impl Kind {
    const NAMES: [(&'static str, Kind); 8] = [
        ("revolute", Kind::Revolute),
        ("continuous", Kind::Continuous),
        ("prismatic", Kind::Prismatic),
        ("fixed", Kind::Fixed),
        ("floating", Kind::Floating),
        ("planar", Kind::Planar),
        ("spherical", Kind::Spherical),
        ("ball", Kind::Spherical),
    ];

    /// True for the joints with one coordinate.
    pub fn is_single(self) -> bool {
        self.coordinate().is_some()
    }

    /// What the one coordinate is called, where there is one.
    pub fn coordinate(self) -> Option<&'static str> {
        match self {
            Kind::Revolute | Kind::Continuous => Some("angle"),
            Kind::Prismatic => Some("slide"),
            _ => None,
        }
    }
}

/// What URDF+ calls the joints whose coordinates determine the others.
const INDEPENDENT: &str = "independent";

pub(super) fn read(reader: &mut Reader, node: Xml) -> Result<Joint> {
    let name = reader.own_name(node)?;
    let element = format!("joint '{}'", name.value);
    contents(reader, node, name).map_err(|error| error.of(element))
}

fn contents(reader: &mut Reader, node: Xml, name: Placed<String>) -> Result<Joint> {
    const CHILDREN: [&str; 9] =
        ["origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"];
    reader.allow(node, &["name", "type", INDEPENDENT], &CHILDREN)?;
    if let Some(independent) = reader.text(node, INDEPENDENT) {
        reader.told.unused(&independent.span, "which joints are independent is found from the loops, not read");
    }
    let kind = reader.required_text(node, "type")?;
    let Some(&(_, value)) = Kind::NAMES.iter().find(|(name, _)| *name == kind.value) else {
        let error = Error::new(format!("unknown joint type '{}'", kind.value)).at(&kind.span);
        return Err(error.suggest(&kind.value, Kind::NAMES.iter().map(|(name, _)| *name)));
    };
    if value == Kind::Spherical {
        let error = Error::new(format!("'{}' is no joint type of a URDF", kind.value)).at(&kind.span);
        reader.told.doubt(error, "read as a spherical joint")?;
    }
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

pub(super) fn read_link_name(reader: &mut Reader, node: Xml, tag: &'static str) -> Result<Placed<String>> {
    let child = reader.required_child(node, tag)?;
    reader.allow(child, &["link"], &[])?;
    reader.name(child, "link")
}

/// The axis, x where none is given.
pub(super) fn read_axis(reader: &mut Reader, node: Xml, tag: &'static str, used: bool) -> Result<Axis> {
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
    let one_given = ranged && ["lower", "upper"].iter().any(|name| reader.text(limit, name).is_some());
    if ranged && !one_given {
        let error = Error::new("<limit> gives neither 'lower' nor 'upper'").at(&span);
        reader.told.doubt(error, "taken as unlimited")?;
    }
    let mut entries = Vec::new();
    for name in USED {
        let value = match reader.text(limit, name) {
            // An infinite limit is none.
            Some(text) if is_infinite(&text.value) => continue,
            Some(_) => reader.number(limit, name)?,
            None if one_given && (name == "lower" || name == "upper") => {
                reader.told.unused(&span, format!("limit '{name}' is not given: the format takes it as 0"));
                Some(Placed { value: 0.0, span: span.clone() })
            }
            None => None,
        };
        let Some(value) = value else { continue };
        if name == "velocity" || name == "effort" {
            if value.value < 0.0 {
                let error = Error::new(format!("limit '{name}' must not be negative")).at(&value.span);
                reader.told.doubt(error.note(format!("found {}", value.value)), "not used")?;
                continue;
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
            let error = Error::new("the lower limit is above the upper limit").at(&lower.span);
            reader.told.doubt(error.note(format!("{} and {}", lower.value, upper.value)), "neither is used")?;
            entries.retain(|(name, _)| *name != "lower" && *name != "upper");
        }
    }
    if !kind.is_single() {
        reader.told.unused(&span, "limits of a fixed, floating or planar joint are not used");
        return Ok(None);
    }
    Ok((!entries.is_empty()).then_some(Limit { span, entries }))
}

fn is_infinite(text: &str) -> bool {
    let word = text.trim().trim_start_matches(['+', '-']).to_ascii_lowercase();
    word == "inf" || word == "infinity"
}

fn read_dynamics(reader: &mut Reader, node: Xml, kind: Kind) -> Result<Option<Dynamics>> {
    let Some(dynamics) = reader.child(node, "dynamics")? else { return Ok(None) };
    let span = reader.tag_span(dynamics);
    reader.allow(dynamics, &["damping", "friction"], &[])?;
    let mut coefficient = |name: &str| match reader.number(dynamics, name)? {
        Some(p) if p.value < 0.0 => {
            let error = Error::new(format!("'{name}' must not be negative")).at(&p.span);
            reader.told.doubt(error.note(format!("found {}", p.value)), "not used").map(|()| None)
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
        let error = Error::new("only a revolute, continuous or prismatic joint can mimic another").at(&span);
        reader.told.doubt(error, "<mimic> is not used")?;
        return Ok(None);
    }
    let (multiplier, offset) = (reader.number(mimic, "multiplier")?, reader.number(mimic, "offset")?);
    Ok(Some(Mimic { span, leader, multiplier, offset }))
}
