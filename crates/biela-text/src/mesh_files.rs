//! The mesh files of a foreign document, made fit for a text of our own in another folder.

use super::document::Document;
use super::mesh;
use super::tree::{Node, Table, Value};
use biela_math::Vec3;
use std::path::Path;

impl Document {
    /// Leaves out the meshes that cannot be read, which in our own texts would be errors, and names the others so that they are found from
    /// the folder of a file (the present one where none is given). Documents that no other program wrote stay as they are.
    pub fn keep_meshes(&mut self, folder: Option<&Path>) {
        if !self.foreign {
            return;
        }
        let real = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            path.canonicalize().ok()
        };
        let moved = folder.is_some_and(|to| real(to) != real(&self.folder));
        let own = self.folder.clone();
        self.keep_shapes(|shape| keep(shape, &own, moved));
    }

    /// Leaves out all meshes: for a text that goes where their files do not. True where there were some.
    pub fn leave_out_meshes(&mut self) -> bool {
        let mut some = false;
        self.keep_shapes(|shape| {
            let is_mesh = matches!(&shape.value, Value::Table(table) if mesh_file(table).is_some());
            some |= is_mesh;
            (!is_mesh).then_some(shape)
        });
        some
    }

    fn keep_shapes(&mut self, mut keep: impl FnMut(Node) -> Option<Node>) {
        let Some(Value::Table(bodies)) =
            self.tree.entries.iter_mut().find(|e| e.key == "bodies").map(|e| &mut e.node.value)
        else {
            return;
        };
        for body in &mut bodies.entries {
            let Value::Table(table) = &mut body.node.value else { continue };
            let Some(shape) = table.get("shape").cloned() else { continue };
            let list = match shape.value {
                Value::List(list) => list,
                _ => vec![shape],
            };
            let mut kept: Vec<Node> = list.into_iter().filter_map(&mut keep).collect();
            match kept.len() {
                0 => table.entries.retain(|e| e.key != "shape"),
                1 => table.set("shape", kept.remove(0)),
                _ => table.set("shape", Value::List(kept)),
            }
        }
        bodies
            .entries
            .retain(|e| !(e.key == "ground" && matches!(&e.node.value, Value::Table(t) if t.entries.is_empty())));
    }
}

/// The shape, unless it is a mesh that cannot be read.
fn keep(mut shape: Node, folder: &Path, moved: bool) -> Option<Node> {
    let Value::Table(table) = &mut shape.value else { return Some(shape) };
    let Some(file) = mesh_file(table) else { return Some(shape) };
    let path = folder.join(&file);
    mesh::read(&path, Vec3::new(1.0, 1.0, 1.0)).ok()?;
    if moved {
        table.set("file", path.canonicalize().ok()?.to_string_lossy().into_owned());
    }
    Some(shape)
}

fn mesh_file(table: &Table) -> Option<String> {
    match (&table.get("type")?.value, &table.get("file")?.value) {
        (Value::Text(kind), Value::Text(file)) if kind == "mesh" => Some(file.clone()),
        _ => None,
    }
}
