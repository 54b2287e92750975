//! MSH, the binary meshes of MuJoCo: four counts (vertices, normals, texture coordinates, faces), then the vertices, normals and texture
//! coordinates in single precision, then three vertices of each face; little-endian.

use super::{Gatherer, Painted};
use biela_base::error::{Error, Result};

pub(super) fn read(bytes: Vec<u8>, _: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Painted> {
    let word = |k: usize| bytes.get(4 * k..4 * k + 4).and_then(|b| <[u8; 4]>::try_from(b).ok());
    let count = |k: usize| word(k).map_or(0, |b| u64::from(u32::from_le_bytes(b)));
    let [vertices, normals, textures, faces] = [0, 1, 2, 3].map(count);
    let words = 4 + 3 * vertices + 3 * normals + 2 * textures + 3 * faces;
    if vertices == 0 || bytes.len() as u64 != 4 * words {
        return Err(Error::new("it is no MSH of the length it tells"));
    }
    let mut found = Gatherer::default();
    let number = |k: u64| word(k as usize).map_or(f64::NAN, |b| f64::from(f32::from_le_bytes(b)));
    let corners: Vec<u32> = (0..vertices)
        .map(|v| {
            let at = 4 + 3 * v;
            found.corner([number(at), number(at + 1), number(at + 2)])
        })
        .collect();
    let first = words - 3 * faces;
    for face in 0..faces {
        let corner = |k: u64| corners.get(count((first + 3 * face + k) as usize) as usize).copied();
        let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
            return Err(Error::new("a face names a corner that is not there"));
        };
        found.triangle([a, b, c])?;
    }
    if faces == 0 {
        return Err(Error::new("it has vertices without faces"));
    }
    Ok(found.found)
}
