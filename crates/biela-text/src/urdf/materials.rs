//! `<material>`: colours by their names. Textures are told.

use crate::foreign::{Reader, Xml};
use biela_base::error::{Error, Result};
use std::collections::HashMap;

/// Red, green and blue of the materials that are named.
#[derive(Debug, Default)]
pub(super) struct Materials(HashMap<String, [u8; 3]>);

impl Materials {
    /// Reads the materials of the robot, and those that its links define for others to name.
    pub fn read(reader: &mut Reader, robot: Xml) -> Result<Materials> {
        let mut found = Materials::default();
        for node in robot.descendants().filter(|n| n.is_element() && n.has_tag_name("material")) {
            let outermost = node.parent() == Some(robot);
            let name = reader.text(node, "name").map(|p| p.value);
            // Those of links are read, and told of, with their shapes.
            let colour = match (outermost, reader.children(node, "color").next()) {
                (true, _) => colour(reader, node)?,
                (false, Some(color)) => rgba(reader, color).unwrap_or(None),
                (false, None) => None,
            };
            if let (Some(name), Some(colour)) = (name.filter(|n| !n.is_empty()), colour) {
                found.0.entry(name).or_insert(colour);
            }
        }
        Ok(found)
    }

    /// The colour of a shape's `<material>`: its own, or that of its name.
    pub fn of(&self, reader: &mut Reader, node: Xml) -> Result<Option<[u8; 3]>> {
        if let Some(own) = colour(reader, node)? {
            return Ok(Some(own));
        }
        let Some(name) = reader.text(node, "name") else { return Ok(None) };
        let found = self.0.get(&name.value).copied();
        if found.is_none() && !name.value.is_empty() && reader.children(node, "texture").next().is_none() {
            let error = Error::new("a material is named and nowhere defined").at(&name.span);
            reader.told.doubt(error, "drawn in another colour")?;
        }
        Ok(found)
    }
}

fn colour(reader: &mut Reader, node: Xml) -> Result<Option<[u8; 3]>> {
    reader.allow(node, &["name"], &["color", "texture"])?;
    if let Some(texture) = reader.child(node, "texture")? {
        reader.allow(texture, &["filename"], &[])?;
        let span = reader.tag_span(texture);
        reader.told.unused(&span, "textures are not drawn");
    }
    match reader.child(node, "color")? {
        Some(color) => {
            reader.allow(color, &["rgba"], &[])?;
            rgba(reader, color)
        }
        None => Ok(None),
    }
}

fn rgba(reader: &mut Reader, color: Xml) -> Result<Option<[u8; 3]>> {
    let Some(rgba) = reader.numbers::<4>(color, "rgba")? else { return Ok(None) };
    let byte = |k: usize| (rgba.value[k].clamp(0.0, 1.0) * 255.0).round() as u8;
    Ok(Some([byte(0), byte(1), byte(2)]))
}
