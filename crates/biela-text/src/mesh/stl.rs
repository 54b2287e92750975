//! STL, binary and text.

use super::{short, three, Gatherer, Painted};
use crate::files::decode;
use biela_base::error::{Error, Result};

pub(super) fn read(bytes: Vec<u8>, _: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Painted> {
    // A binary file tells its number of triangles after 80 free bytes, which may well begin with "solid".
    let count = bytes.get(80..84).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let wanted = count.map(|n| 84 + 50 * u64::from(n));
    let text = bytes.trim_ascii_start().starts_with(b"solid");
    match wanted {
        Some(wanted) if bytes.len() as u64 == wanted => binary(&bytes),
        _ if text => ascii(bytes),
        // Some exporters leave bytes behind the last triangle.
        Some(wanted) if bytes.len() as u64 > wanted && wanted > 84 => binary(&bytes[..wanted as usize]),
        _ => Err(Error::new("it is neither an ASCII STL nor a binary one of the length it tells")),
    }
}

fn binary(bytes: &[u8]) -> Result<Painted> {
    let mut found = Gatherer::default();
    for facet in bytes[84..].chunks_exact(50) {
        let number = |k: usize| f64::from(f32::from_le_bytes([facet[k], facet[k + 1], facet[k + 2], facet[k + 3]]));
        let corners = [12, 24, 36].map(|k| found.corner([number(k), number(k + 4), number(k + 8)]));
        found.triangle(corners)?;
    }
    Ok(found.found)
}

fn ascii(bytes: Vec<u8>) -> Result<Painted> {
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
        true => Ok(found.found),
        false => Err(Error::new("the file ends within a facet")),
    }
}
