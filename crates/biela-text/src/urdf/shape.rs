//! `<visual>` and `<collision>`: what a link is drawn with.

use super::materials::Materials;
use super::origin::{read_origin, Origin};
use crate::foreign::{mesh_shape, MeshFile, Reader, Search, Xml};
use crate::nodes::{numbers, placed, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::{Rotation, Vec3};

/// The shapes of all `<visual>`, or of all `<collision>` where no visual is drawn.
pub(super) fn read_shapes(
    reader: &mut Reader,
    link: Xml,
    materials: &Materials,
    search: Option<&Search>,
) -> Result<Vec<Node>> {
    let mut shapes = Vec::new();
    for tag in ["visual", "collision"] {
        let drawn = shapes.is_empty();
        for node in reader.children(link, tag) {
            let span = reader.tag_span(node);
            let found = read_visual(reader, node, (tag, drawn), materials, search)?;
            if tag == "collision" {
                let message = match drawn {
                    true => "collision geometry is used for drawing only",
                    false => "collision geometry is not used",
                };
                reader.told.unused(&span, message);
            }
            shapes.extend(found.filter(|_| drawn));
        }
    }
    Ok(shapes)
}

const GEOMETRIES: [&str; 5] = ["box", "cylinder", "sphere", "mesh", "capsule"];

fn read_visual(
    reader: &mut Reader,
    node: Xml,
    (tag, drawn): (&str, bool),
    materials: &Materials,
    search: Option<&Search>,
) -> Result<Option<Node>> {
    let children: &[&str] =
        if tag == "visual" { &["origin", "geometry", "material"] } else { &["origin", "geometry", "verbose"] };
    reader.allow(node, &["name"], children)?;
    let colour = match reader.child(node, "material")? {
        Some(material) => materials.of(reader, material)?,
        None => None,
    };
    let origin = read_origin(reader, node)?;
    let Some(geometry) = reader.child(node, "geometry")? else {
        let error = Error::new(format!("<{tag}> has no <geometry>")).at(&reader.tag_span(node));
        reader.told.doubt(error, "not drawn")?;
        return Ok(None);
    };
    reader.allow(geometry, &[], &GEOMETRIES)?;
    let known = |c: &Xml| c.is_element() && GEOMETRIES.contains(&c.tag_name().name());
    let mut kinds = geometry.children().filter(known);
    let Some(kind) = kinds.next() else {
        let error = Error::new("<geometry> is empty").at(&reader.tag_span(geometry)).suggest("", GEOMETRIES);
        reader.told.doubt(error, "not drawn")?;
        return Ok(None);
    };
    if let Some(second) = kinds.next() {
        let error = Error::new("<geometry> holds one shape, this is the second").at(&reader.tag_span(second));
        reader.told.doubt(error, "the first is drawn")?;
    }
    let span = reader.tag_span(kind);
    let shape = match kind.tag_name().name() {
        "mesh" if drawn => read_mesh(reader, kind, search)?,
        "mesh" => None,
        name => read_solid(reader, kind, name)?,
    };
    Ok(shape.map(|mut shape| {
        place(&mut shape, &origin);
        if let Some([r, g, b]) = colour {
            shape.set("colour", format!("#{r:02x}{g:02x}{b:02x}"));
        }
        placed(shape.into(), Some(&span))
    }))
}

fn place(shape: &mut Table, origin: &Origin) {
    if origin.pose.origin != Vec3::ZERO {
        shape.set("at", vector(origin.pose.origin));
    }
    if origin.pose.rotation != Rotation::IDENTITY {
        shape.set("rpy", numbers(origin.pose.rotation.to_rpy()));
    }
}

/// The shape as a table, or none for one without extent, which is told.
fn read_solid(reader: &mut Reader, node: Xml, kind: &str) -> Result<Option<Table>> {
    let mut shape = Table::default();
    shape.set("type", kind);
    if kind == "box" {
        reader.allow(node, &["size"], &[])?;
        reader.required_text(node, "size")?;
        let Some(size) = reader.vector(node, "size")? else { return Ok(None) };
        for length in size.value.to_array() {
            if !positive(reader, "size", length, &size.span)? {
                return Ok(None);
            }
        }
        shape.set("size", placed(vector(size.value), Some(&size.span)));
        return Ok(Some(shape));
    }
    let lengths: &[&str] = if kind == "sphere" { &["radius"] } else { &["radius", "length"] };
    reader.allow(node, lengths, &[])?;
    for name in lengths {
        let length = reader.required_number(node, name)?;
        if !positive(reader, name, length.value, &length.span)? {
            return Ok(None);
        }
        shape.set(*name, Node::from(length.value).at(&length.span));
    }
    Ok(Some(shape))
}

/// Whether a length is greater than zero; else the shape is told not to be drawn.
fn positive(reader: &mut Reader, name: &str, value: f64, span: &Span) -> Result<bool> {
    if value <= 0.0 {
        let error = Error::new(format!("'{name}' must be greater than zero, found {value}")).at(span);
        reader.told.doubt(error, "the shape is not drawn")?;
    }
    Ok(value > 0.0)
}

/// A mesh by its file, where that is found.
fn read_mesh(reader: &mut Reader, node: Xml, search: Option<&Search>) -> Result<Option<Table>> {
    reader.allow(node, &["filename", "scale"], &[])?;
    let file = reader.required_text(node, "filename")?;
    let scale = reader.vector(node, "scale")?;
    let mesh = MeshFile { name: &file.value, span: &file.span, scale: scale.as_ref().map(|s| (s.value, &s.span)) };
    mesh_shape(&mut reader.told, search, &mesh)
}
