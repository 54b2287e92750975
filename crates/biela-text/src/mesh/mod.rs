//! Mesh files: STL in both its forms, OBJ with the colours of its MTL, Collada (DAE), and MuJoCo's MSH.
//!
//! Corners that coincide to the last bit become one, so that a closed surface is known as closed. What is no number, names a
//! corner that is not there, or ends early is an error; sizes in a file are never trusted with memory.

mod dae;
mod msh;
mod obj;
mod stl;

use super::files::read_bytes;
use biela_base::error::{Error, Result};
use biela_core::model::Mesh;
use biela_math::Vec3;
use std::collections::HashMap;
use std::path::{Component, Path};

/// More triangles are refused: no picture shows them.
const MOST: usize = 2_000_000;

/// More colours of one file than this are drawn in the last of them.
const MOST_COLOURS: usize = 24;

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

/// A mesh whose triangles may have colours of their own.
#[derive(Debug, Default)]
pub(super) struct Painted {
    pub mesh: Mesh,
    /// Of each triangle, a place in `palette`.
    paint: Vec<u8>,
    palette: Vec<Option<Colour>>,
}

/// How a format reads the bytes of a file; the function gives the bytes of one that it names.
type Read = fn(Vec<u8>, &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Painted>;

/// A way of writing meshes.
struct Format {
    extension: &'static str,
    read: Read,
}

/// Every mesh format, by the ending of the file's name.
static FORMATS: &[Format] = &[
    Format { extension: "stl", read: stl::read },
    Format { extension: "obj", read: obj::read },
    Format { extension: "dae", read: dae::read },
    Format { extension: "msh", read: msh::read },
];

/// The mesh in a file, its coordinates times `scale`.
pub(super) fn read(path: &Path, scale: Vec3) -> Result<Painted> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let known = FORMATS.iter().map(|f| f.extension);
    if !known.clone().any(|k| k == ending) {
        return Err(Error::new(format!("'{}' is no mesh that can be read", path.display())).suggest(&ending, known));
    }
    let named = |e: Error| e.of(format!("mesh '{}'", path.display()));
    // Files that a mesh names stand beside it.
    let beside = |name: &str| {
        let plain = Path::new(name).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        let folder = path.parent().filter(|_| plain)?;
        read_bytes(&folder.join(name)).ok()
    };
    read_bytes(path).and_then(|bytes| painted(&ending, bytes, scale, &beside)).map_err(named)
}

/// The mesh in the bytes of a file with that ending, its coordinates times `scale`.
pub fn from_bytes(ending: &str, bytes: Vec<u8>, scale: f64) -> Result<Mesh> {
    painted(ending, bytes, Vec3::new(scale, scale, scale), &|_| None).map(|painted| painted.mesh)
}

fn painted(ending: &str, bytes: Vec<u8>, scale: Vec3, beside: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Painted> {
    let Some(format) = FORMATS.iter().find(|f| f.extension == ending) else {
        return Err(Error::new(format!("'{ending}' is no format of meshes")));
    };
    let mut painted = (format.read)(bytes, beside)?;
    let mesh = &mut painted.mesh;
    mesh.points.iter_mut().for_each(|p| *p = Vec3::new(p.x * scale.x, p.y * scale.y, p.z * scale.z));
    if scale.x * scale.y * scale.z < 0.0 {
        // Mirrored: what was anticlockwise is clockwise.
        mesh.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
    }
    let problem = match () {
        _ if mesh.triangles.is_empty() => "it holds no triangles",
        _ if !mesh.points.iter().all(|p| p.is_finite()) => "a coordinate is not finite",
        _ => return Ok(painted),
    };
    Err(Error::new(problem))
}

impl Painted {
    /// The parts of one colour each, with that colour where it has one.
    pub fn parts(self) -> Vec<(Option<Colour>, Mesh)> {
        if self.palette.len() <= 1 {
            return vec![(self.palette.first().copied().flatten(), self.mesh)];
        }
        let mut parts: Vec<(Option<Colour>, Mesh, HashMap<u32, u32>)> =
            self.palette.iter().map(|colour| (*colour, Mesh::default(), HashMap::new())).collect();
        for (triangle, paint) in self.mesh.triangles.iter().zip(&self.paint) {
            let Some((_, part, known)) = parts.get_mut(usize::from(*paint)) else { continue };
            let corners = triangle.map(|corner| {
                let next = part.points.len() as u32;
                *known.entry(corner).or_insert_with(|| {
                    part.points.push(self.mesh.points[corner as usize]);
                    next
                })
            });
            part.triangles.push(corners);
        }
        parts.into_iter().filter(|(_, mesh, _)| !mesh.triangles.is_empty()).map(|(c, mesh, _)| (c, mesh)).collect()
    }
}

/// Gathers triangles, one corner for each place.
#[derive(Default)]
struct Gatherer {
    found: Painted,
    known: HashMap<[u64; 3], u32>,
    /// Place of the present colour in the palette.
    colour: u8,
}

impl Gatherer {
    /// Triangles that follow have this colour.
    fn paint(&mut self, colour: Option<Colour>) {
        let palette = &mut self.found.palette;
        let known = palette.iter().position(|c| *c == colour);
        self.colour = known.unwrap_or_else(|| {
            if palette.len() < MOST_COLOURS {
                palette.push(colour);
            }
            palette.len() - 1
        }) as u8;
    }

    fn corner(&mut self, p: [f64; 3]) -> u32 {
        // Adding zero makes one of the two zeros.
        let key = p.map(|x| (x + 0.0).to_bits());
        let points = &mut self.found.mesh.points;
        let next = points.len() as u32;
        *self.known.entry(key).or_insert_with(|| {
            points.push(Vec3::from(p));
            next
        })
    }

    fn triangle(&mut self, corners: [u32; 3]) -> Result<()> {
        if self.found.mesh.triangles.len() == MOST {
            return Err(
                Error::new(format!("more than {MOST} triangles")).note("reduce the mesh: no picture shows them")
            );
        }
        if self.found.palette.is_empty() {
            self.found.palette.push(None);
        }
        let [a, b, c] = corners;
        // Exporters leave triangles without area behind; they show nothing.
        if a != b && b != c && c != a {
            self.found.mesh.triangles.push(corners);
            self.found.paint.push(self.colour);
        }
        Ok(())
    }

    /// A face of any number of corners, as a fan.
    fn face(&mut self, corners: &[u32]) -> Result<()> {
        let Some((first, rest)) = corners.split_first() else { return Ok(()) };
        rest.windows(2).try_for_each(|pair| self.triangle([*first, pair[0], pair[1]]))
    }
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

/// A colour from numbers between 0 and 1.
fn colour(rgb: [f64; 3]) -> Colour {
    rgb.map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests;
