//! OBJ: faces, and the diffuse colours of the MTL files that it names.

use super::{colour, short, three, Colour, Gatherer, Painted};
use crate::files::decode;
use biela_base::error::{Error, Result};
use std::collections::HashMap;

/// Files of materials that are read, at most.
const MOST_LIBRARIES: usize = 8;

pub(super) fn read(bytes: Vec<u8>, beside: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Painted> {
    let source = decode(bytes, "mesh")?;
    let mut found = Gatherer::default();
    let mut materials = HashMap::new();
    let mut libraries = 0;
    // Corners as the file numbers them.
    let mut corners: Vec<u32> = Vec::new();
    let mut face = Vec::new();
    for (k, line) in source.text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let p = three(words, k + 1)?;
                corners.push(found.corner(p));
            }
            Some("f") => {
                face.clear();
                for word in words {
                    face.push(face_corner(word, &corners, k + 1)?);
                }
                if face.len() < 3 {
                    return Err(Error::new(format!("line {}: a face has at least three corners", k + 1)));
                }
                found.face(&face)?;
            }
            Some("mtllib") if libraries < MOST_LIBRARIES => {
                libraries += 1;
                let name = line.trim_start().strip_prefix("mtllib").unwrap_or_default().trim();
                read_materials(beside(name), &mut materials);
            }
            Some("usemtl") => {
                let name = line.trim_start().strip_prefix("usemtl").unwrap_or_default().trim();
                found.paint(materials.get(name).copied());
            }
            // Normals, textures and groups do not change the shape.
            _ => {}
        }
    }
    Ok(found.found)
}

/// Colours by their names; what cannot be read has none.
fn read_materials(bytes: Option<Vec<u8>>, materials: &mut HashMap<String, Colour>) {
    let Some(source) = bytes.and_then(|bytes| decode(bytes, "materials").ok()) else { return };
    let mut name = None;
    for line in source.text.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("newmtl") => name = line.trim_start().strip_prefix("newmtl").map(|n| n.trim().to_string()),
            Some("Kd") => {
                if let (Some(name), Ok(rgb)) = (&name, three(words, 0)) {
                    materials.insert(name.clone(), colour(rgb));
                }
            }
            _ => {}
        }
    }
}

/// A corner of a face: `7`, `7/1`, `7//2`, or counted back from the last as `-1`.
fn face_corner(word: &str, corners: &[u32], line: usize) -> Result<u32> {
    let wrong = || Error::new(format!("line {line}: '{}' names no corner", short(word)));
    let number: i64 = word.split('/').next().and_then(|w| w.parse().ok()).ok_or_else(wrong)?;
    let index = if number < 0 { corners.len() as i64 + number } else { number - 1 };
    usize::try_from(index).ok().and_then(|k| corners.get(k)).copied().ok_or_else(wrong)
}
