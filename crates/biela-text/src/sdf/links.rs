//! Links: masses and looks.

#![allow(non_snake_case)] // Frames are capital letters: X_LI (docs/notation.md).

use super::frames::pose;
use crate::foreign::{mesh_shape, set_mass, Element, Folder, MeshFile, Search, Solid, Told};
use crate::nodes::{numbers, placed, vector};
use crate::tree::{Node, Table, Value};
use biela_base::error::Result;
use biela_math::{Inertia, Pose, Vec3};
use std::path::Path;

/// Elements of a link, read or without a part in the mechanics.
const CHILDREN: &[&str] = &[
    "pose",
    "inertial",
    "collision",
    "visual",
    "gravity",
    "enable_wind",
    "self_collide",
    "kinematic",
    "must_be_base_link",
    "velocity_decay",
    "sensor",
    "projector",
    "audio_source",
    "audio_sink",
    "battery",
    "light",
    "particle_emitter",
];

/// The number within a child.
pub(super) fn number(e: &Element, tag: &str) -> Result<Option<f64>> {
    e.child(tag)
        .map(|c| c.own_numbers().and_then(|n| n.first().copied().ok_or_else(|| c.error("a number is expected"))))
        .transpose()
}

pub(super) fn keys(link: &Element, folder: &Folder, told: &mut Told) -> Result<Table> {
    link.allow(told, &["name"], CHILDREN)?;
    let mut body = Table::default();
    let found = mass(link, told)?;
    let element = format!("link '{}'", link.get("name").unwrap_or_default());
    set_mass(&mut body, found, told, (&element, &link.span))?;
    if link.child("gravity").is_some_and(|g| !Element::is_on(&g.text)) {
        told.doubt(link.error("a link without gravity"), "its weight counts")?;
    }
    let shapes = shapes(link, folder, told)?;
    if !shapes.is_empty() {
        body.set("shape", shapes);
    }
    Ok(body)
}

fn mass(link: &Element, told: &mut Told) -> Result<(f64, Vec3, Inertia)> {
    let Some(e) = link.child("inertial") else {
        told.doubt(link.error("a link without <inertial>"), "1 kg and 1 kg*m^2 about each axis, as the format says")?;
        return Ok((1.0, Vec3::ZERO, Inertia::diagonal([1.0; 3])));
    };
    if e.get("auto").is_some_and(Element::is_on) {
        return from_collisions(link, e, told);
    }
    let (X, _) = pose(e)?;
    let mut entries = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    if let Some(inertia) = e.child("inertia") {
        for (entry, tag) in entries.iter_mut().zip(crate::nodes::INERTIA) {
            *entry = number(inertia, tag)?.unwrap_or(*entry);
        }
    }
    let mass = number(e, "mass")?.unwrap_or(1.0);
    if let Some(fluid) = e.child("fluid_added_mass") {
        told.doubt(fluid.error("an added mass of a fluid"), "not read")?;
    }
    Ok((mass, X.origin, Inertia::from_entries(entries).turned(&X.rotation)))
}

/// `auto`: from the collisions and their densities.
fn from_collisions(link: &Element, e: &Element, told: &mut Told) -> Result<(f64, Vec3, Inertia)> {
    let density = number(e, "density")?.unwrap_or(1000.0);
    let mut parts = Vec::new();
    for collision in link.all("collision") {
        let Some((solid, _)) = collision.child("geometry").map(solid).transpose()?.flatten() else {
            told.doubt(collision.error("a form whose mass is not known here"), "it has no mass")?;
            continue;
        };
        let (volume, centre, inertia) = solid.moments();
        let density = number(collision, "density")?.unwrap_or(density);
        let (X, _) = pose(collision)?;
        let inertia = Inertia::from_entries(inertia.entries().map(|x| x * density)).turned(&X.rotation);
        parts.push((volume * density, X.apply(centre), inertia));
    }
    let mass: f64 = parts.iter().map(|p| p.0).sum();
    if mass <= 0.0 {
        return Err(link.error("no collision gives the link a mass"));
    }
    let com = parts.iter().fold(Vec3::ZERO, |sum, p| sum + p.1 * (p.0 / mass));
    let mut inertia = Inertia::ZERO;
    parts.iter().for_each(|p| inertia += p.2.moved_from_centre(p.0, p.1 - com));
    match number(e, "mass")? {
        Some(given) => Ok((given, com, Inertia::from_entries(inertia.entries().map(|x| x * given / mass)))),
        None => Ok((mass, com, inertia)),
    }
}

/// A form as a solid and as a shape to draw.
fn solid(geometry: &Element) -> Result<Option<(Solid, Table)>> {
    let mut shape = Table::default();
    let Some(e) = geometry.children.first() else { return Ok(None) };
    let get = |tag: &str| number(e, tag).map(|x| x.unwrap_or(0.0));
    let (radius, length) = (get("radius")?, get("length")?);
    shape.set("type", e.tag.as_str());
    let found = match e.tag.as_str() {
        "box" => {
            let size = e.child("size").map(Element::own_numbers).transpose()?.unwrap_or_default();
            let [x, y, z] = size[..] else { return Err(e.error("a box has a <size> of three numbers")) };
            shape.set("size", numbers([x, y, z]));
            Solid::Box([x / 2.0, y / 2.0, z / 2.0])
        }
        "sphere" => Solid::Sphere(radius),
        "cylinder" => Solid::Cylinder(radius, length / 2.0),
        "capsule" => Solid::Capsule(radius, length / 2.0),
        _ => return Ok(None),
    };
    if e.tag != "box" {
        shape.set("radius", radius);
    }
    if ["cylinder", "capsule"].contains(&e.tag.as_str()) {
        shape.set("length", length);
    }
    Ok((found.moments().0 > 0.0).then_some((found, shape)))
}

/// A mesh of a file that is looked for from where its link is described.
fn mesh(e: &Element, folder: &Folder, told: &mut Told) -> Result<Option<Table>> {
    let Some(uri) = e.child("uri") else { return Ok(None) };
    if let Some(part) = e.child("submesh") {
        told.unused(&part.span, "a mesh is drawn whole where a <submesh> is named");
    }
    let scale = e.child("scale").map(|s| Ok((s.own_numbers()?, &s.span))).transpose()?;
    let scale = match scale {
        Some((list, span)) => match list[..] {
            [x, y, z] => Some((Vec3::new(x, y, z), span)),
            _ => return Err(e.error("a <scale> has three numbers")),
        },
        None => None,
    };
    let file = MeshFile { name: &uri.text, span: &uri.span, scale };
    let near = Path::new(&uri.span.source.name).parent().unwrap_or(Path::new(""));
    let search = Search { folder: near, ..folder.search() };
    let mut shape = mesh_shape(told, Some(&search), &file)?;
    // Files are named from the model's folder; what an included file names lies elsewhere.
    if let (Some(shape), true) = (&mut shape, near != folder.root) {
        let Some(Value::Text(found)) = shape.get("file").map(|n| n.value.clone()) else { return Ok(None) };
        let path = near.join(found);
        let own = path.strip_prefix(&folder.root).map(Path::to_path_buf).ok();
        let own = own.or_else(|| path.canonicalize().ok()).unwrap_or(path);
        shape.set("file", Node::from(own.to_string_lossy().into_owned()).at(&uri.span));
    }
    Ok(shape)
}

fn shapes(link: &Element, folder: &Folder, told: &mut Told) -> Result<Vec<Node>> {
    let tag = if link.child("visual").is_some() { "visual" } else { "collision" };
    let mut list = Vec::new();
    for e in link.all(tag) {
        let Some(geometry) = e.child("geometry") else { continue };
        let shape = match geometry.child("mesh") {
            Some(form) => mesh(form, folder, told)?,
            None => solid(geometry)?.map(|(_, shape)| shape),
        };
        let Some(mut shape) = shape else { continue };
        let (X, _): (Pose, _) = pose(e)?;
        shape.set("at", vector(X.origin));
        shape.set("rpy", numbers(X.rotation.to_rpy()));
        let colour = e
            .child("material")
            .and_then(|m| m.child("diffuse").or(m.child("ambient")))
            .map(Element::own_numbers)
            .transpose()?;
        if let Some([r, g, b, ..]) = colour.as_deref() {
            let byte = |x: &f64| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
            shape.set("colour", format!("#{:02x}{:02x}{:02x}", byte(r), byte(g), byte(b)));
        }
        list.push(placed(shape.into(), Some(&e.span)));
    }
    Ok(list)
}
