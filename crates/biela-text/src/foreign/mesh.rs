//! Meshes that foreign files name: shapes of type `mesh` where their files are found, told where not.

use super::{Found, Search, Told};
use crate::nodes::{placed, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::source::Span;
use biela_math::Vec3;

/// A file by the name that stands in the text, with its scale along the axes.
pub(crate) struct MeshFile<'a> {
    pub name: &'a str,
    pub span: &'a Span,
    pub scale: Option<(Vec3, &'a Span)>,
}

/// The shape to draw; without a search nothing is looked for.
pub(crate) fn mesh_shape(told: &mut Told, search: Option<&Search>, mesh: &MeshFile) -> Result<Option<Table>> {
    let Some(search) = search else {
        told.unused(mesh.span, "meshes of a text without a file are not looked for");
        return Ok(None);
    };
    if let Some((_, span)) = mesh.scale.filter(|(scale, _)| scale.to_array().contains(&0.0)) {
        told.doubt(Error::new("a mesh is scaled by 0").at(span), "not drawn")?;
        return Ok(None);
    }
    let found = match search.find(mesh.name) {
        Found::At(path) => path,
        Found::Nowhere => {
            let looked = format!("looked for '{}' beside and above the file, and in folders of packages", mesh.name);
            told.doubt(Error::new("a mesh file is not found").at(mesh.span).note(looked), "not drawn")?;
            return Ok(None);
        }
        Found::Outside => {
            let error = Error::new("a mesh file lies outside the folders around the model").at(mesh.span);
            told.doubt(error, "not read")?;
            return Ok(None);
        }
    };
    let mut shape = Table::default();
    shape.set("type", "mesh");
    shape.set("file", Node::from(found).at(mesh.span));
    if let Some((scale, span)) = mesh.scale.filter(|(scale, _)| *scale != Vec3::new(1.0, 1.0, 1.0)) {
        let [x, y, z] = scale.to_array();
        let node = if x == y && y == z && x > 0.0 { Node::from(x) } else { vector(scale) };
        shape.set("scale", placed(node, Some(span)));
    }
    Ok(Some(shape))
}
