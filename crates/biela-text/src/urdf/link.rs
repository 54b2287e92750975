//! `<link>`: inertia and the shape to draw.

use crate::foreign::{Placed, Reader, Xml};
use crate::nodes::{numbers, placed, vector, INERTIA};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::{EulerParameters, Inertia, Pose, Rotation, Vec3};

pub(super) struct Link {
    pub name: Placed<String>,
    pub inertial: Option<Inertial>,
    pub shape: Option<Node>,
}

pub(super) struct Inertial {
    pub span: Span,
    pub origin: Origin,
    pub mass: Placed<f64>,
    /// About the mass centre, in the axes of `origin`.
    pub inertia: Placed<Inertia>,
}

/// A frame given by `<origin>`; the identity where the element is missing.
pub(super) struct Origin {
    pub pose: Pose,
    pub span: Option<Span>,
}

pub(super) fn read(reader: &mut Reader, node: Xml) -> Result<Link> {
    let name = reader.own_name(node)?;
    let element = format!("link '{}'", name.value);
    contents(reader, node, name).map_err(|error| error.of(element))
}

fn contents(reader: &mut Reader, node: Xml, name: Placed<String>) -> Result<Link> {
    reader.allow(node, &["name"], &["inertial", "visual", "collision"])?;
    let inertial = match reader.child(node, "inertial")? {
        Some(inertial) => Some(read_inertial(reader, inertial)?),
        None => None,
    };
    let shape = read_shape(reader, node)?;
    Ok(Link { name, inertial, shape })
}

fn read_inertial(reader: &mut Reader, node: Xml) -> Result<Inertial> {
    reader.allow(node, &[], &["origin", "mass", "inertia"])?;
    let origin = read_origin(reader, node)?;
    let mass_node = reader.required_child(node, "mass")?;
    reader.allow(mass_node, &["value"], &[])?;
    let mass = reader.required_number(mass_node, "value")?;
    if mass.value <= 0.0 {
        return Err(Error::new(format!("the mass must be greater than zero, found {}", mass.value))
            .at(&mass.span)
            .note("leave out <inertial> for a link without mass"));
    }
    let inertia_node = reader.required_child(node, "inertia")?;
    reader.allow(inertia_node, &INERTIA, &[])?;
    let mut entries = [0.0; 6];
    for (value, name) in entries.iter_mut().zip(INERTIA) {
        *value = reader.required_number(inertia_node, name)?.value;
    }
    let inertia = Placed { value: Inertia::from_entries(entries), span: reader.tag_span(inertia_node) };
    Ok(Inertial { span: reader.tag_span(node), origin, mass, inertia })
}

/// The `<origin>` child: `xyz`, and `rpy` or `quat_xyzw`.
pub(super) fn read_origin(reader: &mut Reader, node: Xml) -> Result<Origin> {
    let Some(origin) = reader.child(node, "origin")? else {
        return Ok(Origin { pose: Pose::IDENTITY, span: None });
    };
    reader.allow(origin, &["xyz", "rpy", "quat_xyzw"], &[])?;
    read_frame(reader, origin)
}

/// A frame from the attributes `xyz`, `rpy`, `quat_xyzw` of an element.
pub(super) fn read_frame(reader: &Reader, node: Xml) -> Result<Origin> {
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

/// The first primitive among visual, then collision geometries.
fn read_shape(reader: &mut Reader, link: Xml) -> Result<Option<Node>> {
    let mut shape = None;
    let mut drawn_visual = false;
    for tag in ["visual", "collision"] {
        for (k, node) in reader.children(link, tag).enumerate() {
            let span = reader.tag_span(node);
            let found = read_visual(reader, node, tag)?;
            match (&shape, found) {
                (None, Some(found)) => {
                    drawn_visual = tag == "visual";
                    shape = Some(found);
                    if !drawn_visual {
                        reader.told.unused(&span, "collision geometry is used for drawing only");
                    }
                }
                (Some(_), _) if tag == "visual" && k > 0 && drawn_visual => {
                    reader.told.unused(&span, "one shape of each link is drawn; further <visual> are not used");
                }
                _ if tag == "collision" => reader.told.unused(&span, "collision geometry is not used"),
                _ => {}
            }
        }
    }
    Ok(shape)
}

fn read_visual(reader: &mut Reader, node: Xml, tag: &str) -> Result<Option<Node>> {
    let children: &[&str] =
        if tag == "visual" { &["origin", "geometry", "material"] } else { &["origin", "geometry", "verbose"] };
    reader.allow(node, &["name"], children)?;
    if let Some(material) = reader.child(node, "material")? {
        read_material(reader, material)?;
    }
    let origin = read_origin(reader, node)?;
    let geometry = reader.required_child(node, "geometry")?;
    const GEOMETRIES: [&str; 5] = ["box", "cylinder", "sphere", "mesh", "capsule"];
    reader.allow(geometry, &[], &GEOMETRIES)?;
    let known = |c: &Xml| c.is_element() && GEOMETRIES.contains(&c.tag_name().name());
    let mut kinds = geometry.children().filter(known);
    let Some(kind) = kinds.next() else {
        return Err(Error::new("<geometry> is empty").at(&reader.tag_span(geometry)).suggest("", GEOMETRIES));
    };
    if let Some(second) = kinds.next() {
        return Err(Error::new("<geometry> holds one shape, this is the second").at(&reader.tag_span(second)));
    }
    let span = reader.tag_span(kind);
    let Some(mut shape) = read_geometry(reader, kind)? else { return Ok(None) };
    if origin.pose.origin != Vec3::ZERO {
        shape.set("at", vector(origin.pose.origin));
    }
    if origin.pose.rotation != Rotation::IDENTITY {
        shape.set("rpy", numbers(origin.pose.rotation.to_rpy()));
    }
    Ok(Some(placed(shape.into(), Some(&span))))
}

/// The shape as a table, or `None` for what is not drawn.
fn read_geometry(reader: &mut Reader, node: Xml) -> Result<Option<Table>> {
    let span = reader.tag_span(node);
    let mut shape = Table::default();
    let kind = node.tag_name().name();
    shape.set("type", kind);
    let lengths: &[&str] = match kind {
        "box" => &[],
        "sphere" => &["radius"],
        "cylinder" | "capsule" => &["radius", "length"],
        _ => {
            reader.allow(node, &["filename", "scale"], &[])?;
            reader.required_text(node, "filename")?;
            reader.vector(node, "scale")?;
            reader.told.unused(&span, "mesh files are not read from a URDF; the mesh is not drawn");
            return Ok(None);
        }
    };
    if kind == "box" {
        reader.allow(node, &["size"], &[])?;
        reader.required_text(node, "size")?;
        if let Some(size) = reader.vector(node, "size")? {
            for length in size.value.to_array() {
                positive("size", length, &size.span)?;
            }
            shape.set("size", placed(vector(size.value), Some(&size.span)));
        }
        return Ok(Some(shape));
    }
    reader.allow(node, lengths, &[])?;
    for name in lengths {
        let length = reader.required_number(node, name)?;
        positive(name, length.value, &length.span)?;
        shape.set(*name, Node::from(length.value).at(&length.span));
    }
    if kind == "capsule" {
        reader.told.unused(&span, "capsules are not drawn");
        return Ok(None);
    }
    Ok(Some(shape))
}

fn positive(name: &str, value: f64, span: &Span) -> Result<()> {
    if value > 0.0 {
        return Ok(());
    }
    Err(Error::new(format!("'{name}' must be greater than zero, found {value}")).at(span))
}

/// Colours and textures: checked for their tags, not used.
pub(super) fn read_material(reader: &mut Reader, node: Xml) -> Result<()> {
    reader.allow(node, &["name"], &["color", "texture"])?;
    if let Some(color) = reader.child(node, "color")? {
        reader.allow(color, &["rgba"], &[])?;
        reader.numbers::<4>(color, "rgba")?;
    }
    if let Some(texture) = reader.child(node, "texture")? {
        reader.allow(texture, &["filename"], &[])?;
    }
    let span = reader.tag_span(node);
    reader.told.unused(&span, "materials (colours, textures) are not used");
    Ok(())
}
