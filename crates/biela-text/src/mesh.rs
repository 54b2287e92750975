//! Mesh files: STL in both its forms, and the faces of OBJ.
//!
//! Corners that coincide to the last bit become one, so that a closed surface is known as closed. What is no number, names a
//! corner that is not there, or ends early is an error; sizes in a file are never trusted with memory.

use super::files::{decode, read_bytes};
use biela_base::error::{Error, Result};
use biela_core::model::Mesh;
use biela_math::Vec3;
use std::collections::HashMap;
use std::path::Path;

/// More triangles are refused: no picture shows them.
const MOST: usize = 2_000_000;

/// A way of writing meshes.
struct Format {
    extension: &'static str,
    read: fn(Vec<u8>) -> Result<Mesh>,
}

/// Every mesh format, by the ending of the file's name.
static FORMATS: &[Format] = &[Format { extension: "stl", read: stl }, Format { extension: "obj", read: obj }];

/// The mesh in a file, its coordinates times `scale`.
pub(super) fn read(path: &Path, scale: f64) -> Result<Mesh> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let known = FORMATS.iter().map(|f| f.extension);
    if !known.clone().any(|k| k == ending) {
        return Err(Error::new(format!("'{}' is no mesh that can be read", path.display())).suggest(&ending, known));
    }
    let named = |e: Error| e.of(format!("mesh '{}'", path.display()));
    read_bytes(path).and_then(|bytes| from_bytes(&ending, bytes, scale)).map_err(named)
}

/// The mesh in the bytes of a file with that ending, its coordinates times `scale`.
pub fn from_bytes(ending: &str, bytes: Vec<u8>, scale: f64) -> Result<Mesh> {
    let Some(format) = FORMATS.iter().find(|f| f.extension == ending) else {
        return Err(Error::new(format!("'{ending}' is no format of meshes")));
    };
    let mut mesh = (format.read)(bytes)?;
    mesh.points.iter_mut().for_each(|p| *p = *p * scale);
    let problem = match () {
        _ if mesh.triangles.is_empty() => "it holds no triangles",
        _ if !mesh.points.iter().all(|p| p.is_finite()) => "a coordinate is not finite",
        _ => return Ok(mesh),
    };
    Err(Error::new(problem))
}

/// Gathers triangles, one corner for each place.
#[derive(Default)]
struct Gatherer {
    mesh: Mesh,
    known: HashMap<[u64; 3], u32>,
}

impl Gatherer {
    fn corner(&mut self, p: [f64; 3]) -> u32 {
        // Adding zero makes one of the two zeros.
        let key = p.map(|x| (x + 0.0).to_bits());
        let next = self.mesh.points.len() as u32;
        *self.known.entry(key).or_insert_with(|| {
            self.mesh.points.push(Vec3::from(p));
            next
        })
    }

    fn triangle(&mut self, corners: [u32; 3]) -> Result<()> {
        if self.mesh.triangles.len() == MOST {
            return Err(
                Error::new(format!("more than {MOST} triangles")).note("reduce the mesh: no picture shows them")
            );
        }
        let [a, b, c] = corners;
        // Exporters leave triangles without area behind; they show nothing.
        if a != b && b != c && c != a {
            self.mesh.triangles.push(corners);
        }
        Ok(())
    }
}

fn stl(bytes: Vec<u8>) -> Result<Mesh> {
    // A binary file tells its number of triangles after 80 free bytes, which may well begin with "solid".
    let count = bytes.get(80..84).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let binary = count.is_some_and(|n| bytes.len() as u64 == 84 + 50 * u64::from(n));
    match binary {
        true => binary_stl(&bytes),
        false if bytes.trim_ascii_start().starts_with(b"solid") => ascii_stl(bytes),
        false => Err(Error::new("it is neither an ASCII STL nor a binary one of the length it tells")),
    }
}

fn binary_stl(bytes: &[u8]) -> Result<Mesh> {
    let mut found = Gatherer::default();
    for facet in bytes[84..].chunks_exact(50) {
        let number = |k: usize| f64::from(f32::from_le_bytes([facet[k], facet[k + 1], facet[k + 2], facet[k + 3]]));
        let corners = [12, 24, 36].map(|k| found.corner([number(k), number(k + 4), number(k + 8)]));
        found.triangle(corners)?;
    }
    Ok(found.mesh)
}

fn ascii_stl(bytes: Vec<u8>) -> Result<Mesh> {
    let source = decode(bytes, "mesh")?;
    let mut found = Gatherer::default();
    let mut loop_ = Vec::new();
    for (k, line) in source.text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("vertex") => {
                let p = three(words, k + 1)?;
                loop_.push(found.corner(p));
            }
            Some("endloop") => {
                let Ok(corners) = <[u32; 3]>::try_from(std::mem::take(&mut loop_)) else {
                    return Err(Error::new(format!("line {}: a facet has three corners", k + 1)));
                };
                found.triangle(corners)?;
            }
            None | Some("solid" | "facet" | "outer" | "endfacet" | "endsolid") => {}
            Some(word) => return Err(Error::new(format!("line {}: '{}' is no word of an STL", k + 1, short(word)))),
        }
    }
    match loop_.is_empty() {
        true => Ok(found.mesh),
        false => Err(Error::new("the file ends within a facet")),
    }
}

fn obj(bytes: Vec<u8>) -> Result<Mesh> {
    let source = decode(bytes, "mesh")?;
    let mut found = Gatherer::default();
    // Corners as the file numbers them.
    let mut corners: Vec<u32> = Vec::new();
    for (k, line) in source.text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let p = three(words, k + 1)?;
                corners.push(found.corner(p));
            }
            Some("f") => {
                let face: Vec<u32> = words.map(|w| face_corner(w, &corners, k + 1)).collect::<Result<_>>()?;
                if face.len() < 3 {
                    return Err(Error::new(format!("line {}: a face has at least three corners", k + 1)));
                }
                for pair in face[1..].windows(2) {
                    found.triangle([face[0], pair[0], pair[1]])?;
                }
            }
            // Normals, textures, groups and materials do not change the shape.
            _ => {}
        }
    }
    Ok(found.mesh)
}

/// A corner of a face: `7`, `7/1`, `7//2`, or counted back from the last as `-1`.
fn face_corner(word: &str, corners: &[u32], line: usize) -> Result<u32> {
    let wrong = || Error::new(format!("line {line}: '{}' names no corner", short(word)));
    let number: i64 = word.split('/').next().and_then(|w| w.parse().ok()).ok_or_else(wrong)?;
    let index = if number < 0 { corners.len() as i64 + number } else { number - 1 };
    usize::try_from(index).ok().and_then(|k| corners.get(k)).copied().ok_or_else(wrong)
}

fn three<'a>(mut words: impl Iterator<Item = &'a str>, line: usize) -> Result<[f64; 3]> {
    let mut number = || words.next().and_then(|w| w.parse::<f64>().ok());
    match (number(), number(), number()) {
        (Some(x), Some(y), Some(z)) => Ok([x, y, z]),
        _ => Err(Error::new(format!("line {line}: a corner has three numbers"))),
    }
}

/// The beginning of a word, for messages.
fn short(word: &str) -> String {
    word.chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron with legs 1, as OBJ.
    const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/2 4/3\nf 2//1 3//1 4//1\nf -4 -1 -2\n";

    /// The same as STL; binary or not.
    fn stl_of(mesh: &Mesh, binary: bool) -> Vec<u8> {
        let mut text = String::from("solid t\n");
        let mut bytes = b"solid, although binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
        for triangle in &mesh.triangles {
            bytes.extend([0; 12]);
            text += "facet normal 0 0 0\nouter loop\n";
            for p in mesh.corners(*triangle) {
                p.to_array().iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
                text += &format!("vertex {:e} {:e} {:e}\n", p.x, p.y, p.z);
            }
            text += "endloop\nendfacet\n";
            bytes.extend([0; 2]);
        }
        text += "endsolid t\n";
        if binary {
            bytes
        } else {
            text.into_bytes()
        }
    }

    #[test]
    fn the_three_forms_say_the_same() {
        let mesh = obj(OBJ.into()).unwrap();
        assert!(mesh.is_closed() && mesh.points.len() == 4 && mesh.triangles.len() == 4);
        for binary in [true, false] {
            let other = stl(stl_of(&mesh, binary)).unwrap();
            assert!(other.is_closed());
            let triangles = |m: &Mesh| m.triangles.iter().map(|t| m.corners(*t)).collect::<Vec<_>>();
            assert_eq!(triangles(&mesh), triangles(&other));
        }
        let mut open = mesh.clone();
        open.triangles.pop();
        assert!(!open.is_closed());
    }

    #[test]
    fn damaged_meshes_are_refused() {
        let mesh = obj(OBJ.into()).unwrap();
        let whole = stl_of(&mesh, true);
        assert!(stl(whole[..whole.len() - 1].to_vec()).is_err());
        let text = String::from_utf8(stl_of(&mesh, false)).unwrap();
        for (from, to) in [("vertex", "vertx"), ("endloop", "vertex 0 0 0\nendloop"), ("e0 ", "x ")] {
            assert!(stl(text.replacen(from, to, 1).into_bytes()).is_err(), "{from}");
        }
        assert!(stl(text.as_bytes()[..text.find("endloop").unwrap()].to_vec()).is_err());
        for (from, to) in [("f 1 3 2", "f 1 3 9"), ("f 1 3 2", "f 1 3"), ("f 1 3 2", "f 0 1 2"), ("v 1 0 0", "v 1 0")] {
            assert!(obj(OBJ.replace(from, to).into_bytes()).is_err(), "{to}");
        }
    }
}
