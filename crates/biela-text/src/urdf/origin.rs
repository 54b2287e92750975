//! Frames: `<origin>`, and attributes of the same names.

use crate::foreign::{Reader, Xml};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::{EulerParameters, Pose, Rotation, Vec3};

/// A frame given by `<origin>`; the identity where the element is missing.
#[derive(Clone)]
pub(super) struct Origin {
    pub pose: Pose,
    pub span: Option<Span>,
}

impl Origin {
    pub const NONE: Origin = Origin { pose: Pose::IDENTITY, span: None };
}

/// The `<origin>` child: `xyz`, and `rpy` or `quat_xyzw`.
pub(super) fn read_origin(reader: &mut Reader, node: Xml) -> Result<Origin> {
    read_origin_of(reader, node, "origin")
}

/// The same under another tag.
pub(super) fn read_origin_of(reader: &mut Reader, node: Xml, tag: &'static str) -> Result<Origin> {
    let Some(origin) = reader.child(node, tag)? else { return Ok(Origin::NONE) };
    reader.allow(origin, &["xyz", "rpy", "quat_xyzw"], &[])?;
    read_frame(reader, origin)
}

/// A frame from the attributes `xyz`, `rpy`, `quat_xyzw` of an element.
pub(super) fn read_frame(reader: &mut Reader, node: Xml) -> Result<Origin> {
    let origin = reader.vector(node, "xyz")?.map_or(Vec3::ZERO, |p| p.value);
    let rpy = reader.numbers::<3>(node, "rpy")?;
    let rotation = match (rpy, reader.numbers::<4>(node, "quat_xyzw")?) {
        (Some(_), Some(quat)) => return Err(Error::new("both rpy and quat_xyzw are given").at(&quat.span)),
        (Some(rpy), None) => Rotation::from_rpy(rpy.value[0], rpy.value[1], rpy.value[2]),
        (None, Some(quat)) => {
            let [x, y, z, w] = quat.value;
            let p = EulerParameters([w, x, y, z]);
            // Quaternions are printed with a few digits only, so their length is near one but seldom exact.
            const LENGTH: f64 = 1e-3;
            if (p.norm() - 1.0).abs() > LENGTH {
                return Err(Error::new(format!("a quaternion has length 1, found {}", p.norm())).at(&quat.span));
            }
            p.normalised().rotation()
        }
        (None, None) => Rotation::IDENTITY,
    };
    Ok(Origin { pose: Pose::new(rotation, origin), span: Some(reader.tag_span(node)) })
}
