//! `<link>`: inertia and the shapes to draw.

use super::materials::Materials;
use super::origin::{read_origin, Origin};
use super::shape::read_shapes;
use crate::foreign::{keeps_doubtful, Placed, Reader, Search, Xml};
use crate::nodes::INERTIA;
use crate::tree::Node;
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::Inertia;

pub(super) struct Link {
    pub name: Placed<String>,
    pub inertial: Option<Inertial>,
    pub shapes: Vec<Node>,
}

pub(super) struct Inertial {
    pub span: Span,
    pub origin: Origin,
    pub mass: Placed<f64>,
    /// About the mass centre, in the axes of `origin`.
    pub inertia: Placed<Inertia>,
    /// Whether no body has it.
    pub unphysical: bool,
}

pub(super) fn read(reader: &mut Reader, node: Xml, materials: &Materials, search: Option<&Search>) -> Result<Link> {
    let name = reader.own_name(node)?;
    let element = format!("link '{}'", name.value);
    let mut contents = || {
        reader.allow(node, &["name", "type"], &["inertial", "visual", "collision"])?;
        let inertial = match reader.child(node, "inertial")? {
            Some(inertial) => read_inertial(reader, inertial, &element)?,
            None => None,
        };
        Ok((inertial, read_shapes(reader, node, materials, search)?))
    };
    let (inertial, shapes) = contents().map_err(|error: Error| error.of(element.clone()))?;
    Ok(Link { name, inertial, shapes })
}

/// The inertia of a link; none where it has none, which is told.
fn read_inertial(reader: &mut Reader, node: Xml, element: &str) -> Result<Option<Inertial>> {
    reader.allow(node, &[], &["origin", "mass", "inertia"])?;
    let span = reader.tag_span(node);
    let origin = read_origin(reader, node)?;
    let mass = match reader.child(node, "mass")? {
        Some(mass) => {
            reader.allow(mass, &["value"], &[])?;
            reader.required_number(mass, "value")?
        }
        None => {
            let error = Error::new("<inertial> has no <mass>").at(&span).of(element);
            reader.told.doubt(error, "taken as a link without mass")?;
            Placed { value: 0.0, span: span.clone() }
        }
    };
    if mass.value < 0.0 {
        return Err(Error::new(format!("a mass cannot be negative, found {}", mass.value)).at(&mass.span));
    }
    let inertia = read_inertia(reader, node, element)?;
    if mass.value == 0.0 && inertia.value == Inertia::ZERO {
        let error = Error::new("the mass is 0").at(&mass.span).of(element);
        let error = error.note("leave out <inertial> for a link without mass");
        reader.told.doubt(error, "taken as a link without mass")?;
        return Ok(None);
    }
    let found = (mass.value, inertia.value);
    let unphysical = keeps_doubtful(&mut reader.told, found, element, &mass.span, &inertia.span)?;
    Ok(Some(Inertial { span, origin, mass, inertia, unphysical }))
}

fn read_inertia(reader: &mut Reader, node: Xml, element: &str) -> Result<Placed<Inertia>> {
    let Some(inertia) = reader.child(node, "inertia")? else {
        let span = reader.tag_span(node);
        let error = Error::new("<inertial> has no <inertia>").at(&span).of(element);
        reader.told.doubt(error, "taken as a point mass at its centre")?;
        return Ok(Placed { value: Inertia::ZERO, span });
    };
    reader.allow(inertia, &INERTIA, &[])?;
    let span = reader.tag_span(inertia);
    let mut entries = [0.0; 6];
    for (value, name) in entries.iter_mut().zip(INERTIA) {
        match reader.number(inertia, name)? {
            Some(number) => *value = number.value,
            None => {
                let error = Error::new(format!("<inertia> has no attribute '{name}'")).at(&span).of(element);
                reader.told.doubt(error, "taken as 0")?;
            }
        }
    }
    Ok(Placed { value: Inertia::from_entries(entries), span })
}
